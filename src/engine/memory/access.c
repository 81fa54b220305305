#include "engine/memory/access.h"

#include "base/checked.h"
#include "engine/shape.h"

const Tensor *tensor_root(const Tensor *tensor)
{
    while (tensor->origin == ORIGIN_RESHAPE && tensor->storage)
        tensor = tensor->storage;
    return tensor;
}

// ---- bytes

// A half is taken as a whole: what it holds besides has no address.
static void trf_range(const Machine *machine, TrfAddress address, int64_t *low, int64_t *high)
{
    *low = address == TRF_SECOND_HALF ? machine->trf_half_bytes : 0;
    *high = address == TRF_FIRST_HALF ? machine->trf_half_bytes : machine->trf_bytes_per_slice;
}

bool tensor_range(const Machine *machine, const Tensor *tensor, int64_t *low, int64_t *high)
{
    int64_t bytes;
    if (tensor->tier == TIER_TRF) {
        trf_range(machine, tensor->trf, low, high);
        return true;
    }
    *low = tensor->address.value;
    return tensor->tier != TIER_HOST && tensor->address.known && *low >= 0 &&
           tensor_bytes(tensor, &bytes) && bytes > 0 && checked_add(*low, bytes, high);
}

// The last position that is no padding.
static int64_t last_position(const Mapping *mapping)
{
    int64_t last = 0, block = 1;
    for (int64_t i = 0; i < mapping->count; i++) {
        const Factor *factor = &mapping->factors[i];
        last += factor->is_padding ? 0 : (factor->resize - 1) * block;
        block = factor->is_padding ? factor->size : block * factor->resize;
    }
    return last;
}

// Whole bytes before an element. Does not compute the offset in bits, which may not fit in 63 bits.
static int64_t bytes_below(int64_t element, int64_t bits)
{
    return element / 8 * bits + element % 8 * bits / 8;
}

// Narrows the range of a tensor to what a view of it spans.
static void narrow(Access *access)
{
    const View *view = access->view;
    MaybeInt offset = view->offsets[LEVEL_ELEMENT];
    int64_t bits = scalar_traits[view->tensor->type].packet_bits;
    const Mapping *part = &view->dims[LEVEL_ELEMENT]->mapping;
    if (view->dims[LEVEL_ELEMENT] == view->tensor->dims[LEVEL_ELEMENT] || !offset.known)
        return;
    int64_t base = access->low, end = access->high;
    int64_t last = offset.value + last_position(part);
    access->low = min_i64(base + bytes_below(offset.value, bits), end - 1);
    access->high = min_i64(base + bytes_below(last, bits) + ceil_div(bits, 8), end);
}

// ---- operations

typedef struct {
    Arena *arena;
    const Machine *machine;
    AccessList *list;
} Collector;

static void add(const Collector *collector, const Tensor *tensor, const View *view, bool writes,
                Span span)
{
    Access access = {.tensor = tensor_root(tensor), .view = view, .writes = writes, .span = span};
    if (!tensor_range(collector->machine, access.tensor, &access.low, &access.high))
        return;
    if (view)
        narrow(&access);
    *array_push(collector->arena, collector->list, Access) = access;
}

static void read_view(const Collector *collector, const View *view, Span span)
{
    if (view)
        add(collector, view->tensor, view, false, span);
}

static void read_tensor(const Collector *collector, const Tensor *tensor, Span span)
{
    if (tensor)
        add(collector, tensor, NULL, false, span);
}

static void read_stage(const Collector *collector, const Stage *stage)
{
    read_view(collector, stage->sources[0], stage->span);
    read_view(collector, stage->sources[1], stage->span);
    read_tensor(collector, stage->trf, stage->span);
    read_tensor(collector, stage->branch_vrf, stage->span);
    for (int32_t i = 0; i < stage->operand_count; i++)
        if (stage->operands[i].kind == OPERAND_VRF)
            read_tensor(collector, stage->operands[i].vrf, stage->operands[i].span);
}

static void write_stage(const Collector *collector, const Stage *stage)
{
    if (stage->result)
        add(collector, stage->result, NULL, true, stage->span);
    if (stage->target)
        add(collector, stage->target->tensor, stage->target, true, stage->span);
}

AccessList op_accesses(Arena *arena, const Machine *machine, const Op *op)
{
    AccessList list = {0};
    Collector collector = {arena, machine, &list};
    const Pass *pass = op->pass;
    read_view(&collector, op->source, op->span);
    read_view(&collector, op->index, op->span);
    for (int64_t i = 0; pass && i < pass->stages.count; i++)
        read_stage(&collector, pass->stages.items[i]);
    for (int64_t i = 0; pass && i < pass->stages.count; i++)
        write_stage(&collector, pass->stages.items[i]);
    if (op->target)
        add(&collector, op->target->tensor, op->target, true, op->span);
    return list;
}

// ---- parts

// The first position from `at` on that the innermost `count` factors give; -1: none. Positions are
// digits in a mixed radix: what is inside a step of one never reaches the next.
static int64_t next_position(const Mapping *mapping, int64_t count, int64_t at)
{
    if (at <= 0)
        return 0;
    if (!count)
        return -1;
    const Factor *factor = &mapping->factors[count - 1];
    if (factor->is_padding)
        return next_position(mapping, count - 1, at);
    Mapping inside = {mapping->factors, count - 1, 0};
    int64_t block = mapping_recount(&inside), digit = at / block;
    if (digit >= factor->resize)
        return -1;
    int64_t rest = next_position(mapping, count - 1, at % block);
    if (rest < 0 && digit + 1 == factor->resize)
        return -1;
    return rest < 0 ? (digit + 1) * block : digit * block + rest;
}

static bool stage_reads_vrf(const Stage *stage)
{
    bool reads = stage->branch_vrf != NULL;
    for (int32_t i = 0; i < stage->operand_count; i++)
        reads |= stage->operands[i].kind == OPERAND_VRF;
    return reads;
}

Span op_touches(const Op *op, Tier tier, bool writes)
{
    if (!op->pass)
        return op->span;
    const Pass *pass = op->pass;
    if (writes)
        return pass->stages.items[pass->stages.count - 1]->span;
    for (int64_t i = 0; i < pass->stages.count; i++) {
        const Stage *stage = pass->stages.items[i];
        if (tier == TIER_TRF ? stage->trf != NULL : tier == TIER_VRF && stage_reads_vrf(stage))
            return stage->span;
    }
    return pass->stages.items[0]->span;
}

bool access_meets(const Access *access, int64_t low, int64_t high)
{
    if (low >= access->high || high <= access->low)
        return false;
    const View *view = access->view;
    if (!view || !view->tiles.count || !view->offsets[LEVEL_ELEMENT].known)
        return true;
    const Mapping *part = &view->dims[LEVEL_ELEMENT]->mapping;
    int64_t bits = scalar_traits[view->tensor->type].packet_bits;
    int64_t first = max_i64(0, low - access->low) * 8 / bits;
    int64_t next = next_position(part, part->count, first);
    return next >= 0 && access->low + next * bits / 8 < high;
}

static bool same_tile(Arena *arena, const Tile *a, const Tile *b)
{
    return a->level == b->level &&
           (a->index == b->index || shape_equal(arena, &a->index->mapping, &b->index->mapping));
}

bool views_are_apart(Arena *arena, const View *a, const View *b)
{
    for (int64_t i = 0; i < a->tiles.count && i < b->tiles.count; i++) {
        const Tile *x = &a->tiles.items[i], *y = &b->tiles.items[i];
        if (!same_tile(arena, x, y) || !x->start.known || !y->start.known)
            return false;
        if (x->start.value + x->length <= y->start.value ||
            y->start.value + y->length <= x->start.value)
            return true;
        if (x->start.value != y->start.value || x->length != y->length)
            return false;
    }
    return false;
}
