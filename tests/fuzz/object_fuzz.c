// Object files from arbitrary bytes: refused in words, or an object that is shown, and written as
// the same bytes again.
//
// The bytes are read twice: as a file, and as the content of a file whose checksum is right.
#include "command/form.h"
#include "command/listing.h"
#include "law.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void show(Arena *arena, const HwObject *object, const ObjectFacts *facts)
{
    for (int verbose = 0; verbose < 2; verbose++) {
        StrBuf out = {.arena = arena};
        Listing listing = {.out = &out, .verbose = verbose, .colour = !verbose};
        listing_print(&listing, object, facts);
        law(out.len > 0, "an object can be shown");
    }
    StrBuf json = {.arena = arena};
    record_print_json(&json, &record_of_Object, object);
    law(json.len > 0, "an object has a JSON form");
}

static void check_file(Str bytes)
{
    Arena arena = {0};
    DiagList diags = {.arena = &arena};
    HwObject object;
    ObjectFacts facts;
    bool read = object_read(&arena, STR("fuzz.tcpo"), bytes, &diags, &object, &facts);
    law(read == (diags.error_count == 0), "what is refused has a reason");
    if (read) {
        StrBuf again = {.arena = &arena};
        object_write(&again, &object);
        law(str_equal(bytes, buf_str(&again)), "what is read is written as it was");
        show(&arena, &object, &facts);
    }
    arena_release(&arena);
}

static void check_content(Str bytes)
{
    Arena arena = {0};
    HwObject object = {0};
    ObjectFacts facts = {0};
    Fault fault = {0};
    if (record_decode(&arena, bytes, &record_of_Object, &object, &fault)) {
        StrBuf again = {.arena = &arena};
        record_encode(&again, &record_of_Object, &object);
        law(str_equal(bytes, buf_str(&again)), "content that is read is written as it was");
        show(&arena, &object, &facts);
    } else {
        law(*fault.text, "content that is refused has a reason");
    }
    arena_release(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Str bytes = {(const char *)data, (int64_t)size};
    check_file(bytes);
    check_content(bytes);
    return 0;
}
