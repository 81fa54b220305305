// What was met before: dimensions, so that equal ones have one address, and chains of stages, so
// that a rule is asked once about each. A traced loop meets the same few thousands of times.
//
// A chain is known by a 64-bit hash of all that a rule about its last stage may depend on: kinds,
// mappings, types, configuration; not addresses, offsets or the values of constants. Two different
// chains with one hash are possible as two equal random numbers are: not in practice.
#include "program/internal.h"

#include <string.h>

enum { FIRST_SLOTS = 64 };

// ---- hashing

static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * 0x9e3779b97f4a7c15U;
    return (hash ^ hash >> 32) * 0xd6e8feb86659fd93U;
}

static uint64_t mix_pointer(uint64_t hash, const void *pointer)
{
    return mix(hash, (uint64_t)(uintptr_t)pointer);
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

static uint64_t mix_dims(uint64_t hash, const Dim *const dims[LEVEL_COUNT], uint32_t which)
{
    for (Level level = 0; level < LEVEL_COUNT; level++)
        if (dims[level] && which & 1U << level)
            hash = mix_expr(mix(hash, level), dims[level]->expr);
    return hash;
}

enum { ALL_LEVELS = (1 << LEVEL_COUNT) - 1 };

static uint64_t mix_form(uint64_t hash, const Stage *stage);

// The load of a TRF tensor decides what its padding holds.
static uint64_t mix_load(uint64_t hash, const Pass *load)
{
    hash = mix(hash, load ? (uint64_t)load->context + 1 : 0);
    for (int64_t i = 0; load && i < load->stages.count - 1; i++) // the sink is the tensor itself
        hash = mix_form(hash, load->stages.items[i]);
    return hash;
}

static uint64_t mix_tensor(uint64_t hash, const Tensor *tensor)
{
    if (!tensor)
        return mix(hash, 0);
    hash = mix_load(hash, tensor->load);
    hash = mix_dims(mix(mix(hash, tensor->tier), tensor->type), tensor->dims, ALL_LEVELS);
    return mix(mix(hash, tensor->tier == TIER_TRF ? tensor->trf : 0), tensor->sound);
}

static uint64_t mix_view(uint64_t hash, const View *view)
{
    if (!view)
        return mix(hash, 0);
    hash = mix_dims(mix_tensor(hash, view->tensor), view->dims, ALL_LEVELS);
    return mix(mix(mix(hash, view->is_mut), view->sound), (uint64_t)view->tiles.count);
}

static uint64_t mix_adapter(uint64_t hash, const FetchAdapter *adapter)
{
    hash = mix(mix(hash, adapter->has_table), adapter->has_table ? adapter->table_type : 0);
    return mix(mix(hash, (uint64_t)adapter->table_count), (uint64_t)adapter->zero_point_count);
}

static uint64_t mix_config(uint64_t hash, const SwitchConfig *config)
{
    hash = mix(mix(hash, config->kind), (uint64_t)config->slice1);
    hash = mix(mix(hash, (uint64_t)config->slice0), (uint64_t)config->time0);
    return mix(hash, (uint64_t)config->ring_size);
}

static uint64_t mix_operand(uint64_t hash, const Operand *operand)
{
    hash = mix(mix(mix(hash, operand->kind), operand->condition), operand->type);
    return mix_tensor(hash, operand->vrf);
}

static uint64_t mix_vector(uint64_t hash, const Stage *stage)
{
    hash = mix(mix(mix(hash, stage->op), stage->alu), stage->mode);
    hash = mix(hash, (uint64_t)stage->operand_count);
    for (int32_t i = 0; i < stage->operand_count; i++)
        hash = mix_operand(hash, &stage->operands[i]);
    hash = mix(hash, (uint64_t)stage->groups[0] << 1 | stage->groups[1]);
    hash = mix(mix(mix(hash, (uint64_t)stage->int_width), stage->branch), stage->filter);
    for (int32_t i = 0; i < BRANCH_COMPARISONS; i++)
        hash = mix(mix(hash, stage->compares[i].kind), stage->compares[i].type);
    hash = mix_tensor(hash, stage->branch_vrf);
    return stage->tile_time ? mix_expr(hash, stage->tile_time->expr) : hash;
}

// The state that a stage does not get from the one before: an input says it all.
static uint64_t mix_state(uint64_t hash, const Stage *stage)
{
    hash = mix(mix(mix(hash, stage->vector_stage), stage->stash_type), stage->has_stash);
    return mix(mix(mix(hash, stage->way4), stage->inter_first), stage->zipped);
}

// Of the dimensions, those that are new: the others are in the chain before.
static uint64_t mix_form(uint64_t hash, const Stage *stage)
{
    hash = mix(mix(mix(hash, stage->kind), stage->position), stage->type);
    hash = mix_dims(hash, stage->dims, stage->before ? stages[stage->kind].sets : ALL_LEVELS);
    hash = stage->before ? hash : mix_state(hash, stage);
    // whether the place of the stage before was found sound is not part of its own chain
    hash = mix(hash, !stage->before || stage->before->sound);
    hash = mix_view(mix_view(hash, stage->sources[0]), stage->sources[1]);
    hash = mix_adapter(mix_atom(hash, stage->axis), &stage->adapter);
    hash = mix_tensor(mix_config(hash, &stage->config), stage->trf);
    hash = mix_view(mix_tensor(mix(hash, stage->accumulate), stage->result), stage->target);
    return mix_vector(hash, stage) | 1;
}

static uint64_t mix_text(uint64_t hash, const Stage *stage)
{
    hash = mix_span(mix_span(hash, stage->span), stage->call_span);
    for (Level level = 0; level < LEVEL_COUNT; level++)
        hash = mix_pointer(hash, stage->dims[level]);
    for (int32_t i = 0; i < stage->operand_count; i++)
        hash = mix_span(hash, stage->operands[i].span);
    return hash | 1;
}

Chain chain_start(const Program *program, const Pass *pass)
{
    uint64_t hash = mix(mix(1, program->chips.known), (uint64_t)program->chips.value);
    hash = mix(mix(hash, pass->context), pass->context_known) | 1;
    return (Chain){hash, hash};
}

Chain chain_add(Chain chain, const Stage *stage)
{
    uint64_t form = mix_form(chain.form, stage);
    return (Chain){form, mix_text(mix(chain.text, form), stage)};
}

struct ChainSlot {
    uint64_t hash; // 0: a free slot
    ChainAnswer answer;
    StageFacts *facts;
};

static ChainSlot *chain_slot(const ChainTable *table, uint64_t hash)
{
    uint64_t mask = (uint64_t)table->capacity - 1, at = (hash >> 1) & mask;
    while (table->slots[at].hash && table->slots[at].hash != hash)
        at = (at + 1) & mask;
    return &table->slots[at];
}

static void grow_chains(ChainTable *table)
{
    ChainTable larger = *table;
    larger.capacity = table->capacity ? table->capacity * 2 : FIRST_SLOTS;
    larger.slots = arena_new(table->arena, ChainSlot, (size_t)larger.capacity);
    for (int64_t i = 0; i < table->capacity; i++)
        if (table->slots[i].hash)
            *chain_slot(&larger, table->slots[i].hash) = table->slots[i];
    *table = larger;
}

ChainAnswer chain_known(const ChainTable *table, Chain chain, StageFacts **facts)
{
    if (!table->capacity)
        return ANSWER_NONE;
    const ChainSlot *slot = chain_slot(table, chain.form);
    if (!slot->answer)
        slot = chain_slot(table, chain.text);
    if (slot->answer)
        *facts = slot->facts;
    return slot->answer;
}

void chain_remember(ChainTable *table, Chain chain, ChainAnswer answer, StageFacts *facts,
                    bool reported)
{
    if (table->count * 2 >= table->capacity)
        grow_chains(table);
    uint64_t hash = reported ? chain.text : chain.form;
    *chain_slot(table, hash) = (ChainSlot){hash, answer, facts};
    table->count++;
}
