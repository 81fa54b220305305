#include "api/sized.h"

#include "base/checked.h"

#include <string.h>

// A struct in the first version ended with its last member, or with padding behind it.
static const struct {
    const char *name, *function;
    int64_t first, now; // bytes
} types[SIZED_COUNT] = {
#define SIZED(type, last, function)                                                       \
    [SIZED_##type] = {#type, #function, offsetof(type, last) + sizeof(((type *)0)->last), \
                      sizeof(type)},
#include "api/sized.def"
#undef SIZED
};

#define SIZED(type, last, function) \
    _Static_assert(offsetof(type, size) == 0, "the size of " #type " comes first");
#include "api/sized.def"
#undef SIZED

static int64_t size_of(const void *sized)
{
    int64_t size;
    memcpy(&size, sized, sizeof size);
    return size;
}

// In both of these no Contra: nothing is said.

// Whether it is at least the struct of the first version.
static bool is_sized(Contra *contra, SizedType type, const void *given)
{
    int64_t size = size_of(given);
    if (size >= types[type].first || !contra)
        return size >= types[type].first;
    Diag *diag = size ? request_report(contra, DIAG_SIZE_UNFIT,
                                       "no {} has ever had a size of {} bytes: it has at least {}",
                                       types[type].name, size, types[type].first)
                      : request_report(contra, DIAG_SIZE_UNFIT, "the size of a {} is not set",
                                       types[type].name);
    diag_help(diag, "begin with what {}() gives back, which has its size", types[type].function);
    return false;
}

// Whether nothing is asked for that came after this library.
static bool is_known(Contra *contra, SizedType type, const void *given)
{
    const uint8_t *bytes = given;
    for (int64_t i = types[type].now, size = size_of(given); i < size; i++) {
        if (!bytes[i])
            continue;
        if (!contra)
            return false;
        Diag *diag = request_report(contra, DIAG_SIZE_UNFIT,
                                    "a {} asks for something that Contra {} does not know",
                                    types[type].name, contra_version());
        diag_note(diag, SPAN_NOWHERE,
                  "the program was compiled with a newer contra.h: byte {} of {} is set, and {} "
                  "are known",
                  i, size, types[type].now);
        diag_help(diag, "use the library that belongs to that header, or a newer one");
        return false;
    }
    return true;
}

bool sized_take(Contra *contra, SizedType type, const void *given, void *whole)
{
    memset(whole, 0, (size_t)types[type].now);
    if (given && (!is_sized(contra, type, given) || !is_known(contra, type, given)))
        return false;
    if (given)
        memcpy(whole, given, (size_t)min_i64(size_of(given), types[type].now));
    memcpy(whole, &types[type].now, sizeof types[type].now);
    return true;
}

bool sized_take_quietly(SizedType type, const void *given, void *whole)
{
    return sized_take(NULL, type, given, whole);
}

void sized_empty(SizedType type, void *result)
{
    if (!result || !is_sized(NULL, type, result))
        return;
    size_t kept = sizeof(int64_t), size = (size_t)size_of(result);
    memset((uint8_t *)result + kept, 0, size - kept);
}

bool sized_fits(Contra *contra, SizedType type, const void *result)
{
    return !result || is_sized(contra, type, result);
}

void sized_give(SizedType type, const void *whole, void *result)
{
    if (!result)
        return;
    size_t kept = sizeof(int64_t), size = (size_t)min_i64(size_of(result), types[type].now);
    memcpy((uint8_t *)result + kept, (const uint8_t *)whole + kept, size - kept);
}
