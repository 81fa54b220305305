// Addresses for arguments: a kernel is written without saying where its caller puts them.
#include "engine/lower.h"

#include "base/checked.h"
#include "engine/access.h"

#include <stdlib.h>

typedef struct {
    int64_t low, high; // bytes of HBM
} Range;

typedef struct {
    ARRAY(Range);
} Ranges;

static int by_low(const void *a, const void *b)
{
    const Range *x = a, *y = b;
    return (x->low > y->low) - (x->low < y->low);
}

// What tensors of HBM take that say where they lie, in ascending order.
static Ranges taken_ranges(const Lower *lower, const Program *program)
{
    Ranges ranges = {0};
    for (int64_t i = 0; i < program->tensors.count; i++) {
        const Tensor *tensor = program->tensors.items[i];
        Range range;
        if (tensor->tier == TIER_HBM &&
            tensor_range(lower->machine, tensor, &range.low, &range.high))
            *array_push(lower->scratch, &ranges, Range) = range;
    }
    if (ranges.count)
        qsort(ranges.items, (size_t)ranges.count, sizeof(Range), by_low);
    return ranges;
}

static bool needs_place(const Tensor *tensor)
{
    return tensor->tier == TIER_HBM && tensor->origin == ORIGIN_PARAM && !tensor->address.known;
}

// The first free place at or behind *next, which goes to its end; *range is the first range that
// may be in the way. Both only grow, so that all tensors together take one walk over the ranges.
static int64_t find_place(const Machine *machine, const Ranges *ranges, int64_t *range,
                          int64_t *next, int64_t bytes)
{
    int64_t align = machine->hbm_row_bytes, room = machine->hbm_bytes_per_chip;
    int64_t place = ceil_div(*next, align) * align;
    for (; *range < ranges->count; *range += 1) {
        const Range *taken = &ranges->items[*range];
        if (taken->low >= place && taken->low - place >= bytes)
            break;
        if (taken->high > place)
            place = taken->high < room ? ceil_div(taken->high, align) * align : room;
    }
    *next = min_i64(place, room) + bytes;
    return place;
}

static bool place_params(const Lower *lower, Program *program)
{
    Ranges ranges = taken_ranges(lower, program);
    int64_t range = 0, next = 0, bytes;
    for (int64_t i = 0; i < program->tensors.count; i++) {
        Tensor *tensor = program->tensors.items[i];
        if (!needs_place(tensor) || !tensor_bytes(tensor, &bytes))
            continue;
        int64_t room = lower->machine->hbm_bytes_per_chip;
        int64_t place =
            bytes <= room ? find_place(lower->machine, &ranges, &range, &next, bytes) : room;
        if (place > room - bytes) {
            diag_add(lower->diags, DIAG_COMPILE_NO_ROOM, tensor->span,
                     "HBM has no room for the %lld bytes of `%s`", (long long)bytes,
                     tensor->name ? tensor->name : "this tensor");
            return false;
        }
        tensor->address = (MaybeInt){true, place};
    }
    return true;
}

static bool has_place(const Lower *lower, const Tensor *tensor)
{
    if (tensor->tier == TIER_HOST || tensor->tier == TIER_TRF || tensor->address.known)
        return true;
    diag_add(lower->diags, DIAG_COMPILE_ADDRESS, tensor->span, "the address of `%s` is not known",
             tensor->name ? tensor->name : "this tensor");
    return false;
}

bool lower_place(const Lower *lower, Program *program)
{
    ArenaMark mark = arena_mark(lower->scratch);
    bool ok = place_params(lower, program);
    arena_reset(lower->scratch, mark);
    for (int64_t i = 0; i < program->tensors.count && ok; i++) {
        Tensor *tensor = program->tensors.items[i];
        if (tensor->origin == ORIGIN_RESHAPE && !tensor->address.known)
            tensor->address = tensor_root(tensor)->address;
    }
    for (int64_t i = 0; i < program->tensors.count; i++)
        ok &= has_place(lower, program->tensors.items[i]);
    return ok;
}
