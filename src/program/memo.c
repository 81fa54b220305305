// What was met before: dimensions, so that equal ones have one address, and chains of stages, so
// that a rule is asked once about each. A traced loop meets the same few thousands of times.
//
// Two chains are the same if all is that a rule about their last stage may depend on: kinds,
// mappings, types, configuration; not addresses, offsets or the values of constants. A hash of some
// of that finds candidates, which are compared.
#include "program/internal.h"

#include <string.h>

enum { FIRST_SLOTS = 64 };

// ---- hashing

static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * 0x9e3779b97f4a7c15U;
    return (hash ^ hash >> 32) * 0xd6e8feb86659fd93U;
}

static uint64_t mix_span(uint64_t hash, Span span)
{
    return mix(mix(mix(hash, (uint64_t)span.source), (uint64_t)span.start), (uint64_t)span.end);
}

static uint64_t mix_name(uint64_t hash, const char *name)
{
    for (; name && *name; name++)
        hash = mix(hash, (unsigned char)*name);
    return hash;
}

// Axes by name and size: the same one may be made anew by whoever asks.
static uint64_t mix_atom(uint64_t hash, const Atom *atom)
{
    if (!atom)
        return mix(hash, 0);
    hash = mix(mix_name(mix(hash, atom->kind), atom->name), (uint64_t)atom->size);
    if (atom->kind == ATOM_SKEW)
        hash = mix_atom(hash, atom->base);
    for (int64_t i = 0; atom->kind == ATOM_SKEW && i < atom->part_count; i++)
        hash = mix_atom(hash, atom->others[i]);
    return hash;
}

// ---- dimensions

static uint64_t mix_expr(uint64_t hash, const Expr *expr)
{
    hash = mix(mix(mix(hash, expr->kind), (uint64_t)expr->number), (uint64_t)expr->after);
    hash = mix(mix_atom(hash, expr->atom), (uint64_t)expr->count);
    if (expr->inner)
        hash = mix_expr(hash, expr->inner);
    for (int64_t i = 0; i < expr->count; i++) {
        hash = expr->items ? mix_expr(hash, expr->items[i]) : hash;
        hash = expr->numbers ? mix(hash, (uint64_t)expr->numbers[i]) : hash;
    }
    return hash;
}

bool expr_same(const Expr *a, const Expr *b)
{
    if (a == b)
        return true;
    bool same = a->kind == b->kind && a->size == b->size && a->number == b->number &&
                a->after == b->after && a->padding == b->padding && a->count == b->count &&
                !a->atom == !b->atom && !a->inner == !b->inner;
    same = same && (!a->atom || atom_equal(a->atom, b->atom));
    same = same && (!a->inner || expr_same(a->inner, b->inner));
    for (int64_t i = 0; same && i < a->count; i++)
        same = (!a->items || expr_same(a->items[i], b->items[i])) &&
               (!a->numbers || a->numbers[i] == b->numbers[i]);
    return same;
}

struct DimSlot {
    Span span; // where it is written; FORM_SPAN: the first one written like it, anywhere
    const Dim *dim;
};

#define FORM_SPAN ((Span){.source = INT32_MIN})

static DimSlot *dim_slot(const DimTable *table, const Expr *expr, Span span)
{
    uint64_t mask = (uint64_t)table->capacity - 1, at = mix_expr(mix_span(1, span), expr) & mask;
    for (;; at = (at + 1) & mask) {
        DimSlot *slot = &table->slots[at];
        if (!slot->dim || (span_same(slot->span, span) && expr_same(slot->dim->expr, expr)))
            return slot;
    }
}

static void grow_dims(DimTable *table)
{
    DimTable larger = *table;
    larger.capacity = table->capacity ? table->capacity * 2 : FIRST_SLOTS;
    larger.slots = arena_new(table->table, DimSlot, (size_t)larger.capacity);
    for (int64_t i = 0; i < table->capacity; i++) {
        const DimSlot *old = &table->slots[i];
        if (old->dim)
            *dim_slot(&larger, old->dim->expr, old->span) = *old;
    }
    *table = larger;
}

static DimSlot *dim_find(DimTable *table, const Expr *expr, Span span)
{
    if (table->count * 2 >= table->capacity)
        grow_dims(table);
    DimSlot *slot = dim_slot(table, expr, span);
    table->count += !slot->dim;
    return slot;
}

const Dim *dim_intern(DimTable *table, const Expr *expr, Span span)
{
    DimSlot *slot = dim_find(table, expr, span);
    if (slot->dim)
        return slot->dim;
    Dim *dim = arena_new(table->arena, Dim, 1);
    *dim = (Dim){.expr = expr, .span = span};
    *slot = (DimSlot){span, dim};
    DimSlot *form = dim_find(table, expr, FORM_SPAN);
    dim->mapping = form->dim ? form->dim->mapping : mapping_of_expr(table->arena, expr);
    if (!form->dim)
        *form = (DimSlot){FORM_SPAN, dim};
    return dim;
}

// ---- chains

enum { ALL_LEVELS = (1 << LEVEL_COUNT) - 1 };

// Of the dimensions, those that are new: the others are in the chain before.
static uint32_t own_levels(const Stage *stage)
{
    return stage->before ? stages[stage->kind].sets : ALL_LEVELS;
}

static uint64_t mix_dims(uint64_t hash, const Dim *const dims[LEVEL_COUNT], uint32_t which)
{
    for (Level level = 0; level < LEVEL_COUNT; level++)
        if (dims[level] && which & 1U << level)
            hash = mix_expr(mix(hash, level), dims[level]->expr);
    return hash;
}

uint64_t chain_add(uint64_t chain, const Stage *stage)
{
    uint64_t hash = mix(mix(mix(chain, stage->kind), stage->type), stage->op);
    hash = mix_dims(hash, stage->dims, own_levels(stage));
    hash = stage->trf ? mix_dims(hash, stage->trf->dims, ALL_LEVELS) : hash;
    hash = stage->result ? mix_dims(hash, stage->result->dims, ALL_LEVELS) : hash;
    return (stage->target ? mix_dims(hash, stage->target->dims, ALL_LEVELS) : hash) | 1;
}

static bool same_chain(const Pass *pass, const Stage *stage, const Pass *other,
                       const Stage *other_stage);

static bool same_atom(const Atom *a, const Atom *b)
{
    return a == b || (a && b && atom_equal(a, b));
}

static bool same_dim(const Dim *a, const Dim *b)
{
    return a == b || (a && b && expr_same(a->expr, b->expr));
}

static bool same_dims(const Dim *const a[LEVEL_COUNT], const Dim *const b[LEVEL_COUNT],
                      uint32_t which)
{
    for (Level level = 0; level < LEVEL_COUNT; level++)
        if (which & 1U << level && !same_dim(a[level], b[level]))
            return false;
    return true;
}

// What fills a TRF tensor decides what its padding holds. Its sink is the tensor itself.
static bool same_load(const Pass *a, const Pass *b)
{
    if (a == b || !a || !b)
        return a == b;
    int64_t last = a->stages.count - 1;
    return last == b->stages.count - 1 &&
           same_chain(a, a->stages.items[last]->before, b, b->stages.items[last]->before);
}

static bool same_tensor(const Tensor *a, const Tensor *b)
{
    if (a == b || !a || !b)
        return a == b;
    return a->tier == b->tier && a->type == b->type && a->sound == b->sound && a->trf == b->trf &&
           same_dims(a->dims, b->dims, ALL_LEVELS);
}

static bool same_view(const View *a, const View *b)
{
    if (a == b || !a || !b)
        return a == b;
    return a->is_mut == b->is_mut && a->sound == b->sound && a->tiles.count == b->tiles.count &&
           same_tensor(a->tensor, b->tensor) && same_dims(a->dims, b->dims, ALL_LEVELS);
}

static bool same_adapter(const FetchAdapter *a, const FetchAdapter *b)
{
    return a->has_table == b->has_table && (!a->has_table || a->table_type == b->table_type) &&
           a->table_count == b->table_count && a->zero_point_count == b->zero_point_count;
}

static bool same_config(const SwitchConfig *a, const SwitchConfig *b)
{
    return a->kind == b->kind && a->slice1 == b->slice1 && a->slice0 == b->slice0 &&
           a->time0 == b->time0 && a->ring_size == b->ring_size;
}

static bool same_operands(const Stage *a, const Stage *b)
{
    bool same = a->operand_count == b->operand_count;
    for (int32_t i = 0; same && i < a->operand_count && i < VECTOR_OPERANDS; i++) {
        const Operand *x = &a->operands[i], *y = &b->operands[i];
        same = x->kind == y->kind && x->condition == y->condition && x->type == y->type &&
               same_tensor(x->vrf, y->vrf);
    }
    return same;
}

static bool same_branch(const Stage *a, const Stage *b)
{
    bool same = a->branch == b->branch && same_tensor(a->branch_vrf, b->branch_vrf);
    for (int32_t i = 0; i < BRANCH_COMPARISONS; i++)
        same &= a->compares[i].kind == b->compares[i].kind &&
                a->compares[i].type == b->compares[i].type;
    return same;
}

static bool same_vector(const Stage *a, const Stage *b)
{
    return a->op == b->op && a->alu == b->alu && a->mode == b->mode && same_operands(a, b) &&
           a->groups[0] == b->groups[0] && a->groups[1] == b->groups[1] &&
           a->int_width == b->int_width && a->filter == b->filter && same_branch(a, b) &&
           same_dim(a->tile_time, b->tile_time);
}

// The state that a stage does not get from the one before: an input says it all.
static bool same_state(const Stage *a, const Stage *b)
{
    return a->vector_stage == b->vector_stage && a->stash_type == b->stash_type &&
           a->has_stash == b->has_stash && a->way4 == b->way4 && a->inter_first == b->inter_first &&
           a->zipped == b->zipped;
}

static bool same_stage(const Stage *a, const Stage *b)
{
    return a->kind == b->kind && a->position == b->position && a->type == b->type &&
           same_dims(a->dims, b->dims, own_levels(a)) && same_view(a->sources[0], b->sources[0]) &&
           same_view(a->sources[1], b->sources[1]) && same_atom(a->axis, b->axis) &&
           same_adapter(&a->adapter, &b->adapter) && same_config(&a->config, &b->config) &&
           same_tensor(a->trf, b->trf) && (!a->trf || same_load(a->trf->load, b->trf->load)) &&
           a->accumulate == b->accumulate && same_tensor(a->result, b->result) &&
           same_view(a->target, b->target) && same_vector(a, b);
}

// Stages of equal chains share their facts, so that only the last one is compared in full.
static bool same_chain(const Pass *pass, const Stage *stage, const Pass *other,
                       const Stage *other_stage)
{
    const Stage *a = stage, *b = other_stage;
    for (; a && b && (a->facts != b->facts || !a->facts); a = a->before, b = b->before) {
        // whether the place of the stage before was found sound is not part of its own chain
        bool same_before = a->before && b->before ? a->before->sound == b->before->sound
                                                  : !a->before && !b->before && same_state(a, b);
        if (!same_before || !same_stage(a, b))
            return false;
    }
    return !a == !b && pass->context == other->context &&
           pass->context_known == other->context_known;
}

// Both chains are written at one place.
static bool same_text(const Stage *a, const Stage *b)
{
    for (; a && b; a = a->before, b = b->before) {
        if (!span_same(a->span, b->span) || !span_same(a->call_span, b->call_span) ||
            memcmp(a->dims, b->dims, sizeof a->dims) != 0)
            return false;
        for (int32_t i = 0; i < a->operand_count && i < VECTOR_OPERANDS; i++)
            if (!span_same(a->operands[i].span, b->operands[i].span))
                return false;
    }
    return true;
}

struct ChainSlot {
    uint64_t hash; // 0: a free slot
    ChainLink last;
    ChainAnswer answer;
    bool reported; // it is known where it is written, and not elsewhere
};

static bool is_known(const ChainSlot *slot, const ChainLink *link)
{
    MaybeInt chips = slot->last.chips;
    return chips.known == link->chips.known && chips.value == link->chips.value &&
           same_chain(slot->last.pass, slot->last.stage, link->pass, link->stage) &&
           (!slot->reported || same_text(slot->last.stage, link->stage));
}

// The slot of a chain, or a free one. `link` NULL: of another chain than all that are known.
static ChainSlot *chain_slot(const ChainTable *table, uint64_t hash, const ChainLink *link)
{
    uint64_t mask = (uint64_t)table->capacity - 1, at = (hash >> 1) & mask;
    for (;; at = (at + 1) & mask) {
        ChainSlot *slot = &table->slots[at];
        if (!slot->hash || (link && slot->hash == hash && is_known(slot, link)))
            return slot;
    }
}

static void grow_chains(ChainTable *table)
{
    ChainTable larger = *table;
    larger.capacity = table->capacity ? table->capacity * 2 : FIRST_SLOTS;
    larger.slots = arena_new(table->arena, ChainSlot, (size_t)larger.capacity);
    for (int64_t i = 0; i < table->capacity; i++)
        if (table->slots[i].hash)
            *chain_slot(&larger, table->slots[i].hash, NULL) = table->slots[i];
    *table = larger;
}

ChainAnswer chain_known(const ChainTable *table, uint64_t chain, const ChainLink *link,
                        StageFacts **facts)
{
    const ChainSlot *slot = table->capacity ? chain_slot(table, chain, link) : NULL;
    if (!slot || !slot->hash)
        return ANSWER_NONE;
    *facts = slot->last.stage->facts;
    return slot->answer;
}

void chain_remember(ChainTable *table, uint64_t chain, const ChainLink *link, ChainAnswer answer,
                    bool reported)
{
    if (table->count * 2 >= table->capacity)
        grow_chains(table);
    *chain_slot(table, chain, NULL) = (ChainSlot){chain, *link, answer, reported};
    table->count++;
}
