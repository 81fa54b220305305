// Addresses for tensors that have none: what the caller of a kernel puts somewhere, and what
// shuffles make. A tensor gets the lowest place that no other one takes while it lives, from the
// first operation that touches it to the last.
#include "engine/lower/lower.h"

#include "base/checked.h"
#include "engine/memory/access.h"

#include <stdlib.h>

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
        ARRAY(const Lifetime *);
    } placed[TIER_COUNT]; // in ascending order of their first bytes
} Placing;

// ---- lives

static bool is_open(const Tensor *tensor)
{
    bool placeable =
        tensor->tier == TIER_HBM || tensor->tier == TIER_DM || tensor->tier == TIER_VRF;
    bool chosen = tensor->origin == ORIGIN_PARAM || tensor->origin == ORIGIN_RESULT;
    return placeable && chosen && (!tensor->address.known || tensor->is_placed);
}

// Somebody outside looks at it before the first operation, or after the last.
static bool is_outside(const Program *program, const Tensor *tensor)
{
    bool outside = tensor->origin == ORIGIN_PARAM || tensor->origin == ORIGIN_ADDRESS;
    for (int64_t i = 0; i < program->results.count && !outside; i++)
        outside = tensor_root(program->results.items[i]) == tensor;
    return outside;
}

static void touch(Placing *placing, const Tensor *tensor, int64_t op)
{
    Lifetime *life = &placing->lives[tensor->id];
    life->first = min_i64(life->first, op);
    life->last = max_i64(life->last, op);
}

// Open tensors are at 0 for now, so that operations are known to touch them.
static void find_lives(Placing *placing)
{
    const Lower *lower = placing->lower;
    const Program *program = placing->program;
    for (int64_t i = 0; i < program->tensors.count; i++) {
        const Tensor *tensor = program->tensors.items[i];
        Lifetime *life = &placing->lives[tensor->id];
        bool outside = is_outside(program, tensor);
        *life = (Lifetime){
            .tensor = tensor, .first = outside ? 0 : INT64_MAX, .last = outside ? INT64_MAX : -1};
        if (tensor->origin != ORIGIN_RESHAPE)
            tensor_range(lower->machine, tensor, &life->low, &life->high);
    }
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
    const Lifetime *x = *(const Lifetime *const *)a, *y = *(const Lifetime *const *)b;
    return compare_i64(x->low, y->low);
}

static void sort_placed(Placing *placing)
{
    for (int64_t i = 0; i < placing->program->tensors.count; i++) {
        const Lifetime *life = &placing->lives[i];
        if (life->low < life->high)
            *array_push(placing->lower->scratch, &placing->placed[life->tensor->tier],
                        const Lifetime *) = life;
    }
    for (Tier tier = 0; tier < TIER_COUNT; tier++)
        if (placing->placed[tier].count)
            qsort(placing->placed[tier].items, (size_t)placing->placed[tier].count,
                  sizeof(const Lifetime *), by_low);
}

static void add_placed(Placing *placing, const Lifetime *life)
{
    Tier tier = life->tensor->tier;
    array_push(placing->lower->scratch, &placing->placed[tier], const Lifetime *);
    const Lifetime **items = placing->placed[tier].items;
    int64_t at = placing->placed[tier].count - 1;
    for (; at > 0 && items[at - 1]->low > life->low; at--)
        items[at] = items[at - 1];
    items[at] = life;
}

static bool meet(const Lifetime *a, const Lifetime *b)
{
    return a->first <= b->last && b->first <= a->last;
}

// The pieces of a memory that are free while something lives.
typedef struct {
    int64_t place;   // the first that is large enough, or the rest behind everything
    int64_t largest; // bytes
    int64_t all;     // bytes of all together
} Pieces;

static Pieces find_pieces(const Placing *placing, const Lifetime *life)
{
    const Machine *machine = placing->lower->machine;
    Tier tier = life->tensor->tier;
    int64_t align = align_of(machine, tier), room = room_of(machine, tier), at = 0;
    Pieces pieces = {.place = -1};
    for (int64_t i = 0; i <= placing->placed[tier].count; i++) {
        bool rest = i == placing->placed[tier].count;
        const Lifetime *other = rest ? NULL : placing->placed[tier].items[i];
        if (other && !meet(life, other))
            continue;
        int64_t piece = max_i64(0, (other ? min_i64(other->low, room) : room) - at);
        if (pieces.place < 0 && (rest || piece >= life->bytes))
            pieces.place = at;
        pieces.largest = max_i64(pieces.largest, piece);
        pieces.all += piece;
        if (other && other->high > at)
            at = other->high < room ? ceil_div(other->high, align) * align : room;
    }
    return pieces;
}

// ---- no place

static const char *unit_of(Tier tier)
{
    return tier == TIER_HBM ? "a chip" : "a slice";
}

static Str tensor_words(const Lower *lower, const Tensor *tensor)
{
    return tensor->name ? str_format(lower->arena, "`{}`", tensor->name) : STR("a tensor");
}

// Those that take the most of the memory.
static void note_largest(const Placing *placing, const Lifetime *life, Diag *diag)
{
    enum { MOST_NOTES = 4 };
    const Lifetime *largest[MOST_NOTES] = {0};
    Tier tier = life->tensor->tier;
    for (int64_t i = 0; i < placing->placed[tier].count; i++) {
        const Lifetime *other = placing->placed[tier].items[i];
        for (int k = 0; k < MOST_NOTES && meet(life, other) && other; k++) {
            const Lifetime *less = largest[k];
            if (less && less->high - less->low >= other->high - other->low)
                continue;
            largest[k] = other;
            other = less;
            if (!other)
                break;
        }
    }
    for (int k = 0; k < MOST_NOTES && largest[k]; k++)
        diag_note(diag, largest[k]->tensor->span, "{} takes {} bytes from {} on at the same time",
                  tensor_words(placing->lower, largest[k]->tensor),
                  largest[k]->high - largest[k]->low, largest[k]->low);
}

static void report_no_room(const Placing *placing, const Lifetime *life, const Pieces *pieces)
{
    const Lower *lower = placing->lower;
    Tier tier = life->tensor->tier;
    Diag *diag = diag_add(
        lower->diags, DIAG_COMPILE_NO_ROOM, life->tensor->span,
        "{} has no room for the {} bytes of {}: {} has {}, and {} are free while it is in use",
        tiers[tier].name, life->bytes,
        life->tensor->name ? tensor_words(lower, life->tensor) : STR("this tensor"), unit_of(tier),
        room_of(lower->machine, tier), pieces->all);
    note_largest(placing, life, diag);
    if (pieces->all >= life->bytes)
        diag_help(diag,
                  "the largest piece that is free has {} bytes: give the tensors addresses that "
                  "leave a larger one",
                  pieces->largest);
    else
        diag_help(diag, "work on smaller tiles, or {}",
                  tier == TIER_HBM
                      ? "give addresses to tensors that may share bytes"
                      : "store something in HBM until it is needed; tensors that are not in use "
                        "at the same time may be given the same address");
}

static bool place_tensor(Placing *placing, Tensor *tensor)
{
    Lifetime *life = &placing->lives[tensor->id];
    Pieces pieces = find_pieces(placing, life);
    if (life->bytes > room_of(placing->lower->machine, tensor->tier) - pieces.place) {
        report_no_room(placing, life, &pieces);
        return false;
    }
    tensor->address.value = life->low = pieces.place;
    life->high = pieces.place + life->bytes;
    if (life->bytes)
        add_placed(placing, life);
    return true;
}

// ---- all of it

static bool has_address(const Lower *lower, const Tensor *tensor)
{
    if (tensor->tier == TIER_HOST || tensor->tier == TIER_TRF || tensor->address.known)
        return true;
    Diag *diag = diag_add(lower->diags, DIAG_COMPILE_ADDRESS, tensor->span,
                          "where {}{}{} lies is not known", tensor->name ? "`" : "",
                          tensor->name ? tensor->name : "this tensor", tensor->name ? "`" : "");
    diag_help(diag, "give it an address in {}: commands hold numbers", tiers[tensor->tier].name);
    return false;
}

static bool place_open(Placing *placing)
{
    const Lower *lower = placing->lower;
    const Program *program = placing->program;
    bool ok = true;
    placing->lives = arena_new(lower->scratch, Lifetime, (size_t)program->tensors.count + 1);
    for (int64_t i = 0; i < program->tensors.count; i++) {
        Tensor *tensor = program->tensors.items[i];
        if (!is_open(tensor))
            continue;
        tensor->address = (MaybeInt){.known = true};
        tensor->is_placed = true;
        *array_push(lower->scratch, &placing->open, Tensor *) = tensor;
    }
    if (!placing->open.count)
        return true;
    find_lives(placing);
    sort_placed(placing);
    for (int64_t i = 0; i < placing->open.count; i++)
        ok &= place_tensor(placing, placing->open.items[i]);
    return ok;
}

bool lower_place(const Lower *lower, Program *program)
{
    Placing placing = {.lower = lower, .program = program};
    bool ok = place_open(&placing);
    for (int64_t i = 0; i < program->tensors.count; i++) {
        Tensor *tensor = program->tensors.items[i];
        const Tensor *root = tensor_root(tensor);
        if (tensor->origin == ORIGIN_RESHAPE && (!tensor->address.known || tensor->is_placed)) {
            tensor->address = root->address;
            tensor->is_placed = true;
        }
        ok &= has_address(lower, tensor);
    }
    return ok;
}

bool lower_has_room(const Lower *lower, Program *program)
{
    Placing placing = {.lower = lower, .program = program};
    return place_open(&placing);
}
