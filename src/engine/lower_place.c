// Addresses for tensors that have none: what the caller of a kernel puts somewhere, and what
// shuffles make. A tensor gets the lowest place that no other one takes while it lives, from the
// first operation that touches it to the last.
#include "engine/lower.h"

#include "base/checked.h"
#include "engine/access.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    const Tensor *tensor;
    int64_t low, high;   // bytes of its memory; none until it is placed
    int64_t bytes;       // that it needs, of one without an address
    int64_t first, last; // operations
} Lifetime;

typedef struct {
    const Lower *lower;
    Program *program;
    Lifetime *lives; // one a tensor; of no bytes: it takes no memory of its own
    struct {
        ARRAY(Tensor *);
    } open; // those without an address, in order
    struct {
        ARRAY(Lifetime);
    } placed[TIER_COUNT]; // what has its bytes in a memory, in ascending order of `low`
} Placing;

// ---- lives

static bool is_open(const Tensor *tensor)
{
    bool placeable =
        tensor->tier == TIER_HBM || tensor->tier == TIER_DM || tensor->tier == TIER_VRF;
    bool chosen = tensor->origin == ORIGIN_PARAM || tensor->origin == ORIGIN_RESULT;
    return placeable && chosen && !tensor->address.known;
}

static void touch(Placing *placing, const Tensor *tensor, int64_t op)
{
    Lifetime *life = &placing->lives[tensor->id];
    life->first = min_i64(life->first, op);
    life->last = max_i64(life->last, op);
}

// Somebody outside looks at it before the first operation, or after the last.
static void touch_outside(Placing *placing, const Tensor *tensor)
{
    touch(placing, tensor, 0);
    touch(placing, tensor, INT64_MAX);
}

// Open tensors are at 0 for now, so that operations are known to touch them.
static void find_lives(Placing *placing)
{
    const Lower *lower = placing->lower;
    const Program *program = placing->program;
    for (int64_t i = 0; i < program->tensors.count; i++) {
        const Tensor *tensor = program->tensors.items[i];
        Lifetime *life = &placing->lives[tensor->id];
        *life = (Lifetime){.tensor = tensor, .first = INT64_MAX, .last = -1};
        if (tensor->origin == ORIGIN_PARAM || tensor->origin == ORIGIN_ADDRESS)
            touch_outside(placing, tensor);
        if (tensor->origin != ORIGIN_RESHAPE)
            tensor_range(lower->machine, tensor, &life->low, &life->high);
    }
    for (int64_t i = 0; i < program->results.count; i++)
        touch_outside(placing, tensor_root(program->results.items[i]));
    for (int64_t i = 0; i < placing->open.count; i++) {
        Lifetime *life = &placing->lives[placing->open.items[i]->id];
        life->bytes = life->high;
        life->high = 0;
    }
    for (int64_t i = 0; i < program->ops.count; i++) {
        ArenaMark mark = arena_mark(lower->scratch);
        AccessList list = op_accesses(lower->scratch, lower->machine, program->ops.items[i]);
        for (int64_t k = 0; k < list.count; k++)
            touch(placing, list.items[k].tensor, i);
        arena_reset(lower->scratch, mark);
    }
}

// ---- places

static int64_t room_of(const Machine *machine, Tier tier)
{
    return tier == TIER_HBM  ? machine->hbm_bytes_per_chip
           : tier == TIER_DM ? machine->dm_bytes_per_slice
                             : machine->vrf_bytes_per_slice;
}

// A row of HBM, a row of all banks of DM, a flit.
static int64_t align_of(const Machine *machine, Tier tier)
{
    return tier == TIER_HBM  ? machine->hbm_row_bytes
           : tier == TIER_DM ? machine->dm_row_bytes * machine->dm_banks_per_slice
                             : machine->flit_bytes;
}

static int by_low(const void *a, const void *b)
{
    const Lifetime *x = a, *y = b;
    return (x->low > y->low) - (x->low < y->low);
}

static void find_placed(Placing *placing)
{
    for (int64_t i = 0; i < placing->program->tensors.count; i++) {
        const Lifetime *life = &placing->lives[i];
        if (life->low < life->high)
            *array_push(placing->lower->scratch, &placing->placed[life->tensor->tier], Lifetime) =
                *life;
    }
    for (Tier tier = 0; tier < TIER_COUNT; tier++)
        if (placing->placed[tier].count)
            qsort(placing->placed[tier].items, (size_t)placing->placed[tier].count,
                  sizeof(Lifetime), by_low);
}

static void add_placed(Placing *placing, const Lifetime *life)
{
    Tier tier = life->tensor->tier;
    array_push(placing->lower->scratch, &placing->placed[tier], Lifetime);
    Lifetime *items = placing->placed[tier].items;
    int64_t last = placing->placed[tier].count - 1, at = last;
    while (at > 0 && items[at - 1].low > life->low)
        at--;
    memmove(items + at + 1, items + at, (size_t)(last - at) * sizeof *items);
    items[at] = *life;
}

// The lowest one between what lives at the same time.
static int64_t find_place(const Placing *placing, const Lifetime *life)
{
    const Machine *machine = placing->lower->machine;
    Tier tier = life->tensor->tier;
    int64_t align = align_of(machine, tier), room = room_of(machine, tier), place = 0;
    for (int64_t i = 0; i < placing->placed[tier].count; i++) {
        const Lifetime *other = &placing->placed[tier].items[i];
        if (other->first > life->last || life->first > other->last)
            continue;
        if (other->low >= place && other->low - place >= life->bytes)
            break;
        if (other->high > place)
            place = other->high < room ? ceil_div(other->high, align) * align : room;
    }
    return place;
}

static bool place_tensor(Placing *placing, Tensor *tensor)
{
    const Lower *lower = placing->lower;
    Lifetime *life = &placing->lives[tensor->id];
    int64_t bytes = life->bytes, place = find_place(placing, life);
    if (bytes > room_of(lower->machine, tensor->tier) - place) {
        diag_add(lower->diags, DIAG_COMPILE_NO_ROOM, tensor->span,
                 "%s has no room for the %lld bytes of %s%s%s", tiers[tensor->tier].name,
                 (long long)bytes, tensor->name ? "`" : "", tensor->name ? tensor->name : "this",
                 tensor->name ? "`" : " tensor");
        return false;
    }
    tensor->address.value = life->low = place;
    life->high = place + bytes;
    if (bytes)
        add_placed(placing, life);
    return true;
}

// ---- all of it

static bool has_address(const Lower *lower, const Tensor *tensor)
{
    if (tensor->tier == TIER_HOST || tensor->tier == TIER_TRF || tensor->address.known)
        return true;
    Diag *diag = diag_add(lower->diags, DIAG_COMPILE_ADDRESS, tensor->span,
                          "where %s%s%s lies is not known", tensor->name ? "`" : "",
                          tensor->name ? tensor->name : "this tensor", tensor->name ? "`" : "");
    diag_help(diag, "give it an address in %s: commands hold numbers", tiers[tensor->tier].name);
    return false;
}

bool lower_place(const Lower *lower, Program *program)
{
    Placing placing = {.lower = lower, .program = program};
    bool ok = true;
    placing.lives = arena_new(lower->scratch, Lifetime, (size_t)program->tensors.count + 1);
    for (int64_t i = 0; i < program->tensors.count; i++) {
        Tensor *tensor = program->tensors.items[i];
        if (!is_open(tensor))
            continue;
        tensor->address = (MaybeInt){.known = true};
        *array_push(lower->scratch, &placing.open, Tensor *) = tensor;
    }
    if (placing.open.count) {
        find_lives(&placing);
        find_placed(&placing);
    }
    for (int64_t i = 0; i < placing.open.count; i++)
        ok &= place_tensor(&placing, placing.open.items[i]);
    for (int64_t i = 0; i < program->tensors.count; i++) {
        Tensor *tensor = program->tensors.items[i];
        if (tensor->origin == ORIGIN_RESHAPE && !tensor->address.known)
            tensor->address = tensor_root(tensor)->address;
        ok &= has_address(lower, tensor);
    }
    return ok;
}
