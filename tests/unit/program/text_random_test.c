// The law of the text form, on random programs: what is printed and read again is the same program
// in every field, and prints the same.
#include "program_support.h"

#include "sample.h"
#include "shrink.h"
#include "tree.h"

#include <inttypes.h>
#include <stdio.h>

// ---- programs at random

enum { MOST_TENSORS = 64, MOST_DIMS = 24 };

typedef struct {
    Desk *desk;
    Rng rng;
    const Dim *dims[MOST_DIMS];
    const Tensor *tensors[MOST_TENSORS];
    int tensor_count;
    const Atom *atoms[2 * SAMPLE_MOST_ATOMS];
    int atom_count;
} Maker;

static int64_t below(Maker *maker, int64_t n)
{
    return rng_below(&maker->rng, n);
}

static bool chance(Maker *maker, int64_t percent)
{
    return rng_chance(&maker->rng, percent);
}

// Two sets of axes with the same names, mostly of other sizes.
static void make_dims(Maker *maker)
{
    Desk *desk = maker->desk;
    int kinds = SAMPLE_RESIZE | SAMPLE_SHIFT | SAMPLE_LINEAR | SAMPLE_SKEW;
    for (int set = 0; set < 2; set++) {
        Sample sample = {.arena = &desk->arena, .scratch = &desk->arena, .diags = &desk->diags};
        sample_axes(&sample, &maker->rng, set ? kinds : 0);
        for (int64_t i = 0; i < sample.atom_count; i++)
            maker->atoms[maker->atom_count++] = sample.atoms[i];
        for (int i = set; i < MOST_DIMS; i += 2) {
            const Expr *expr = sample_expr(&sample, &maker->rng, set ? kinds : 0, 64);
            while (expr->kind == EXPR_POISON)
                expr = sample_expr(&sample, &maker->rng, 0, 64);
            maker->dims[i] = builder_dim(desk->builder, expr, SPAN_NOWHERE);
        }
    }
    desk->diags.count = desk->diags.error_count = 0; // what the generator tried in vain
}

static const Dim *any_dim(Maker *maker)
{
    return maker->dims[below(maker, MOST_DIMS)];
}

static const Atom *any_axis(Maker *maker)
{
    return maker->atoms[below(maker, maker->atom_count)];
}

static MaybeInt any_number(Maker *maker)
{
    static const int64_t odd[] = {-1, INT64_MAX, INT64_MIN, 0};
    if (chance(maker, 20))
        return (MaybeInt){0};
    return (MaybeInt){true, chance(maker, 10) ? odd[below(maker, 4)] : below(maker, 100000)};
}

static const char *any_name(Maker *maker)
{
    static const char *const names[] = {NULL, "x", "weights", "a b", "", "\"\\\n", "mut", "9"};
    return names[below(maker, (int64_t)COUNT_OF(names))];
}

static Scalar any_type(Maker *maker)
{
    return (Scalar)below(maker, SCALAR_COUNT);
}

static Tensor random_tensor(Maker *maker, Tier tier)
{
    Tensor tensor = {.tier = tier, .type = any_type(maker), .name = any_name(maker)};
    for (Level level = 0; level < LEVEL_COUNT; level++)
        tensor.dims[level] = tiers[tier].levels[level] ? any_dim(maker) : NULL;
    if (tier == TIER_TRF)
        tensor.trf = (TrfAddress)below(maker, TRF_COUNT);
    else if (tier != TIER_HOST)
        tensor.address = any_number(maker);
    return tensor;
}

static const Tensor *keep(Maker *maker, const Tensor *tensor)
{
    if (maker->tensor_count < MOST_TENSORS)
        maker->tensors[maker->tensor_count++] = tensor;
    return tensor;
}

static const Tensor *new_tensor(Maker *maker, Tier tier, TensorOrigin origin)
{
    Tensor tensor = random_tensor(maker, tier);
    tensor.origin = origin;
    return keep(maker, builder_tensor(maker->desk->builder, &tensor));
}

static const Tensor *any_tensor(Maker *maker, uint32_t allowed)
{
    const Tensor *found = NULL;
    int64_t count = 0;
    for (int i = 0; i < maker->tensor_count; i++)
        if (allowed & 1U << maker->tensors[i]->tier && below(maker, ++count) == 0)
            found = maker->tensors[i];
    Tier tier = 0;
    while (!(allowed & 1U << tier))
        tier++;
    if (found && !chance(maker, 10))
        return found;
    TensorOrigin origin = (TensorOrigin)below(maker, 3); // a result that nothing makes, too
    if (found && found->tier == TIER_DM && chance(maker, 30)) {
        Tensor reshaped = random_tensor(maker, TIER_DM);
        return keep(maker, builder_reshape(maker->desk->builder, found, &reshaped));
    }
    return new_tensor(maker, tier, origin);
}

static const View *any_view(Maker *maker, uint32_t allowed)
{
    const Tensor *tensor = any_tensor(maker, allowed);
    const View *view = builder_view(maker->desk->builder, tensor, chance(maker, 50), SPAN_NOWHERE);
    for (int64_t i = below(maker, 6) - 3; i > 0; i--) {
        Tile tile = {.index = any_dim(maker), .length = any_number(maker).value};
        tile.start = any_number(maker);
        do
            tile.level = (Level)below(maker, LEVEL_COUNT);
        while (!tensor->dims[tile.level]);
        view = builder_tile(maker->desk->builder, view, &tile, any_dim(maker));
    }
    return view;
}

// ---- stages at random

static uint32_t any_bits(Maker *maker)
{
    static const uint32_t odd[] = {0, 0x80000000, 0x7f800000, 0xff800000, 0x7fc00000,
                                   1, 0x7f7fffff, 0x3f800000, 0xffffffff, 0x7fffffff};
    return chance(maker, 40) ? odd[below(maker, (int64_t)COUNT_OF(odd))]
                             : (uint32_t)rng_next(&maker->rng);
}

static void random_operands(Maker *maker, Stage *stage)
{
    stage->operand_count = (int32_t)below(maker, VECTOR_OPERANDS + 1);
    for (int32_t i = 0; i < stage->operand_count; i++) {
        Operand *operand = &stage->operands[i];
        operand->kind = (OperandKind)below(maker, 4);
        if (operand->kind == OPERAND_SKIP)
            continue;
        operand->condition = (BranchCondition)below(maker, 3);
        if (operand->kind == OPERAND_CONSTANT) {
            operand->type = chance(maker, 80) ? SCALAR_F32 : any_type(maker);
            operand->bits = any_bits(maker);
        }
        if (operand->kind == OPERAND_VRF)
            operand->vrf = any_tensor(maker, 1U << TIER_VRF);
        if (stage->kind == STAGE_VECTOR_FP_TERNARY)
            operand->second = any_bits(maker);
    }
}

static void random_branch(Maker *maker, Stage *stage)
{
    stage->branch = (BranchKind)below(maker, BRANCH_COUNT);
    if (stage->branch == BRANCH_AXIS_TOGGLE)
        stage->axis = any_axis(maker);
    if (stage->branch == BRANCH_VRF)
        stage->branch_vrf = any_tensor(maker, 1U << TIER_VRF);
    for (int i = 0; stage->branch == BRANCH_COMPARISON && i < BRANCH_COMPARISONS; i++)
        stage->compares[i] = (InputCompare){.kind = (CompareKind)below(maker, COMPARE_COUNT),
                                            .type = chance(maker, 50) ? SCALAR_I32 : SCALAR_F32,
                                            .boundary = any_bits(maker)};
}

static void random_adapter(Maker *maker, FetchAdapter *adapter)
{
    if (chance(maker, 30)) {
        adapter->has_table = true;
        adapter->table_type = any_type(maker);
        adapter->table_count = below(maker, 5);
        uint32_t *table = arena_new(&maker->desk->arena, uint32_t, 5);
        for (int i = 0; i < 5; i++)
            table[i] = any_bits(maker);
        adapter->table = table;
    }
    adapter->zero_point_count = (int32_t)below(maker, 3);
    for (int32_t i = 0; i < adapter->zero_point_count; i++)
        adapter->zero_points[i] = (int32_t)any_bits(maker);
}

static void random_switch(Maker *maker, SwitchConfig *config)
{
    config->kind = (SwitchKind)below(maker, SWITCH_COUNT);
    bool ring = config->kind == SWITCH_CUSTOM_BROADCAST;
    bool time = switches[config->kind].fields[2] != NULL;
    config->slice1 = ring ? 0 : below(maker, 257);
    config->slice0 = ring ? 0 : below(maker, 257);
    config->time0 = time ? below(maker, 9) : 0;
    config->ring_size = ring ? below(maker, 257) : 0;
}

static void random_op(Maker *maker, Stage *stage)
{
    stage->op = (VectorOp)below(maker, VECTOR_OP_COUNT);
    if (vector_ops[stage->op].alu == ALU_NONE && chance(maker, 80))
        stage->alu = (VectorAlu)below(maker, ALU_COUNT);
}

static bool is_sink(StageKind kind)
{
    return kind != STAGE_INPUT && stages[kind].to == POSITION_SINK;
}

static const Tensor *random_result(Maker *maker, StageKind kind, const Stage *before)
{
    Tier tier = kind == STAGE_TO_TRF ? TIER_TRF : kind == STAGE_TO_VRF ? TIER_VRF : TIER_DM;
    Tensor tensor = random_tensor(maker, tier);
    tensor.origin = ORIGIN_RESULT;
    for (Level level = LEVEL_CHIP; level <= LEVEL_SLICE; level++)
        if (chance(maker, 80))
            tensor.dims[level] = before->dims[level];
    tensor.type = chance(maker, 80) ? before->type : tensor.type;
    return keep(maker, builder_tensor(maker->desk->builder, &tensor));
}

// Everything that the row of the stage may have.
static void random_stage(Maker *maker, Stage *stage, const Stage *before)
{
    StageKind kind = stage->kind;
    for (Level level = 0; level < LEVEL_COUNT; level++)
        if (stages[kind].sets & 1U << level)
            stage->dims[level] = any_dim(maker);
    stage->type = any_type(maker);
    stage->int_width =
        kind == STAGE_VECTOR_FXP_TO_FP || kind == STAGE_VECTOR_FP_TO_FXP ? below(maker, 40) : 0;
    if (kind == STAGE_FETCH)
        random_adapter(maker, &stage->adapter);
    if (kind == STAGE_SWITCH)
        random_switch(maker, &stage->config);
    if (kind == STAGE_ALIGN)
        stage->trf = any_tensor(maker, 1U << TIER_TRF);
    if (kind == STAGE_ACCUMULATE)
        stage->accumulate = (AccumulateKind)below(maker, ACCUMULATE_COUNT);
    if (kind == STAGE_VECTOR_BRANCH)
        random_branch(maker, stage);
    if (kind == STAGE_VECTOR_UNZIP)
        stage->tile_time = any_dim(maker);
    if (kind == STAGE_VECTOR_UNZIP || kind == STAGE_VECTOR_INTRA_REDUCE)
        stage->axis = any_axis(maker);
    if (kind == STAGE_VECTOR_FILTER)
        stage->filter = (BranchCondition)below(maker, 3);
    if (kind == STAGE_COMMIT_VIEW)
        stage->target = any_view(maker, 1U << TIER_DM);
    else if (is_sink(kind))
        stage->result = random_result(maker, kind, before);
}

static void random_vector(Maker *maker, Stage *stage, const Stage *before)
{
    const char *method = stages[stage->kind].method;
    bool zip = strstr(method, "_zip") != NULL;
    bool reduce =
        stage->kind == STAGE_VECTOR_INTRA_REDUCE || stage->kind == STAGE_VECTOR_INTER_REDUCE;
    bool unary = stage->kind == STAGE_VECTOR_FP_UNARY;
    bool binary = stage->kind == STAGE_VECTOR_LOGIC || stage->kind == STAGE_VECTOR_FXP ||
                  stage->kind == STAGE_VECTOR_FP_BINARY || stage->kind == STAGE_VECTOR_FP_DIV ||
                  stage->kind == STAGE_VECTOR_FP_TERNARY || stage->kind == STAGE_VECTOR_CLIP;
    if (zip || reduce || unary || binary)
        random_op(maker, stage);
    if (zip || unary || binary)
        stage->mode = (ArgMode)below(maker, MODE_COUNT);
    if (binary)
        random_operands(maker, stage);
    for (int i = 0; unary && before->position == POSITION_VECTOR_PAIR && i < 2; i++)
        stage->groups[i] = chance(maker, 50);
}

static void random_begin(Maker *maker, Stage *stage)
{
    int kind = (int)below(maker, 3);
    stage->kind = kind == 0 ? STAGE_INPUT : kind == 1 ? STAGE_BEGIN : STAGE_BEGIN_INTERLEAVED;
    if (stage->kind != STAGE_INPUT) {
        bool two = stage->kind == STAGE_BEGIN_INTERLEAVED;
        stage->sources[0] = any_view(maker, 1U << TIER_DM);
        stage->sources[1] = two ? any_view(maker, 1U << TIER_DM) : NULL;
        stage->axis = two ? any_axis(maker) : NULL;
        return;
    }
    stage->position = (Position)below(maker, POSITION_SINK);
    stage->type = any_type(maker);
    bool rows = stage->position == POSITION_ALIGN || stage->position == POSITION_CONTRACT;
    for (Level level = 0; level < LEVEL_ELEMENT; level++)
        stage->dims[level] = level != LEVEL_ROW || rows ? any_dim(maker) : NULL;
    if (stage->position < POSITION_VECTOR_INIT || stage->position > POSITION_VECTOR_PAIR)
        return;
    stage->vector_stage = (VectorStage)below(maker, VECTOR_STAGE_COUNT);
    stage->stash_type = any_type(maker);
    stage->has_stash = chance(maker, 50);
    stage->way4 = chance(maker, 50);
    stage->inter_first = chance(maker, 50);
    stage->zipped = chance(maker, 50);
}

static StageKind any_kind_after(Maker *maker, Position position)
{
    StageKind found = STAGE_COUNT;
    int64_t count = 0;
    for (StageKind kind = STAGE_INPUT + 1; kind < STAGE_COUNT; kind++)
        if (stages[kind].from & 1U << position && below(maker, ++count) == 0)
            found = kind;
    return found;
}

static void random_pass(Maker *maker)
{
    Builder *builder = maker->desk->builder;
    Context context = chance(maker, 50) ? CONTEXT_MAIN : CONTEXT_SUB;
    Pass *pass = builder_pass(builder, context, chance(maker, 80), SPAN_NOWHERE);
    Stage first = {0};
    random_begin(maker, &first);
    const Stage *last = builder_stage(builder, pass, &first);
    while (last->position != POSITION_SINK && !chance(maker, 4)) {
        Stage stage = {.kind = any_kind_after(maker, last->position)};
        random_stage(maker, &stage, last);
        random_vector(maker, &stage, last);
        last = builder_stage(builder, pass, &stage);
    }
    if (last->position != POSITION_SINK)
        builder_leave_open(builder, pass);
}

static const View *random_target(Maker *maker, uint32_t allowed)
{
    if (chance(maker, 50))
        return any_view(maker, allowed);
    Tier tier = 0;
    while (!(allowed & 1U << tier))
        tier++;
    const Tensor *made = new_tensor(maker, tier, ORIGIN_RESULT);
    return builder_view(maker->desk->builder, made, chance(maker, 90), SPAN_NOWHERE);
}

static void random_operation(Maker *maker)
{
    static const char *const methods[] = {NULL, "to_dm", "dma_scatter", "move", "a-b", "x"};
    enum { HBM = 1 << TIER_HBM, DM = 1 << TIER_DM };
    Op op = {.context = (Context)below(maker, CONTEXT_COUNT)};
    do
        op.kind = (OpKind)below(maker, OP_KIND_COUNT);
    while (op.kind == OP_PASS);
    op.method = methods[below(maker, (int64_t)COUNT_OF(methods))];
    bool gather = op.kind == OP_GATHER, scatter = op.kind == OP_SCATTER;
    bool slice = op.kind == OP_CLUSTER_SLICE || op.kind == OP_CHIP_SLICE;
    bool shuffle = op.kind == OP_CLUSTER_SHUFFLE || op.kind == OP_CHIP_SHUFFLE;
    op.source = any_view(maker, gather ? HBM : DM);
    op.index = gather || scatter ? any_view(maker, HBM) : NULL;
    op.key = scatter || slice ? any_dim(maker) : NULL;
    op.sliced = slice ? any_dim(maker) : NULL;
    op.scaled = scatter && chance(maker, 50);
    if (slice || shuffle) {
        int64_t *pattern = arena_new(&maker->desk->arena, int64_t, 4);
        op.pattern_count = 1 + below(maker, 4);
        for (int64_t i = 0; i < op.pattern_count; i++)
            pattern[i] = any_number(maker).value;
        op.pattern = pattern;
        op.declared_count = below(maker, 3);
    }
    op.target = random_target(maker, scatter ? HBM : DM);
    builder_op(maker->desk->builder, &op);
}

static const Program *random_program(Desk *desk, uint64_t seed)
{
    Maker maker = {.desk = desk, .rng = {seed}};
    MaybeInt chips = any_number(&maker);
    chips.value = chips.value < 1 ? 1 : chips.value; // a text with less is refused
    builder_open(desk->builder, chance(&maker, 90) ? "kernel::main" : "a \x7f", SPAN_NOWHERE,
                 chips);
    make_dims(&maker);
    for (int64_t i = below(&maker, 6); i > 0; i--)
        new_tensor(&maker, (Tier)below(&maker, TIER_COUNT), (TensorOrigin)below(&maker, 3));
    for (int64_t i = below(&maker, 8); i > 0; i--) {
        if (chance(&maker, 60))
            random_pass(&maker);
        else
            random_operation(&maker);
    }
    for (int64_t i = below(&maker, 3); i > 0 && maker.tensor_count; i--)
        builder_result(desk->builder, any_tensor(&maker, (1U << TIER_COUNT) - 1));
    return builder_close(desk->builder);
}

// ---- are two programs the same?

typedef struct {
    int32_t partner[2 * MOST_TENSORS + 64]; // of each tensor of the first, by id; -1: not met yet
    const char *where;
} Match;

#define SAME(a, b)                           \
    do {                                     \
        if ((a) != (b))                      \
            return match->where = #a, false; \
    } while (0)
#define HOLDS(condition)                             \
    do {                                             \
        if (!(condition))                            \
            return match->where = #condition, false; \
    } while (0)

static bool same_atom(const Atom *a, const Atom *b)
{
    return !a || !b ? a == b : atom_equal(a, b);
}

static bool same_expr(const Expr *a, const Expr *b)
{
    return tree_equal(a, b);
}

static bool same_dim(const Dim *a, const Dim *b)
{
    return !a || !b ? a == b
                    : same_expr(a->expr, b->expr) && mapping_same(&a->mapping, &b->mapping);
}

static bool same_dims(Match *match, const Dim *const *a, const Dim *const *b)
{
    for (Level level = 0; level < LEVEL_COUNT; level++)
        HOLDS(same_dim(a[level], b[level]));
    return true;
}

static bool same_name(const char *a, const char *b)
{
    return !a || !b ? a == b : strcmp(a, b) == 0;
}

static bool same_maybe(MaybeInt a, MaybeInt b)
{
    return a.known == b.known && (!a.known || a.value == b.value);
}

static bool same_tensor(Match *match, const Tensor *a, const Tensor *b)
{
    if (!a || !b) {
        SAME(a, b);
        return true;
    }
    if (match->partner[a->id] >= 0) {
        HOLDS(match->partner[a->id] == b->id);
        return true;
    }
    match->partner[a->id] = b->id;
    SAME(a->tier, b->tier);
    SAME(a->origin, b->origin);
    SAME(a->type, b->type);
    HOLDS(same_maybe(a->address, b->address));
    HOLDS(a->tier != TIER_TRF || a->trf == b->trf);
    HOLDS(same_name(a->name, b->name));
    SAME(a->sound, b->sound);
    return same_dims(match, a->dims, b->dims) && same_tensor(match, a->storage, b->storage);
}

static bool same_view(Match *match, const View *a, const View *b)
{
    if (!a || !b) {
        SAME(a, b);
        return true;
    }
    SAME(a->is_mut, b->is_mut);
    SAME(a->sound, b->sound);
    SAME(a->tiles.count, b->tiles.count);
    for (int64_t i = 0; i < a->tiles.count; i++) {
        const Tile *x = &a->tiles.items[i], *y = &b->tiles.items[i];
        SAME(x->level, y->level);
        SAME(x->length, y->length);
        HOLDS(same_dim(x->index, y->index));
        HOLDS(same_dim(x->dim, y->dim));
        HOLDS(same_maybe(x->start, y->start));
    }
    for (Level level = 0; level < LEVEL_COUNT; level++)
        HOLDS(same_maybe(a->offsets[level], b->offsets[level]));
    return same_dims(match, a->dims, b->dims) && same_tensor(match, a->tensor, b->tensor);
}

static bool same_operand(Match *match, const Operand *a, const Operand *b)
{
    SAME(a->kind, b->kind);
    SAME(a->condition, b->condition);
    SAME(a->type, b->type);
    SAME(a->bits, b->bits);
    SAME(a->second, b->second);
    return same_tensor(match, a->vrf, b->vrf);
}

static bool same_adapter(Match *match, const FetchAdapter *a, const FetchAdapter *b)
{
    SAME(a->has_table, b->has_table);
    HOLDS(!a->has_table || a->table_type == b->table_type);
    SAME(a->table_count, b->table_count);
    for (int64_t i = 0; i < a->table_count; i++)
        SAME(a->table[i], b->table[i]);
    SAME(a->zero_point_count, b->zero_point_count);
    SAME(a->zero_points[0], b->zero_points[0]);
    SAME(a->zero_points[1], b->zero_points[1]);
    return true;
}

static bool same_vector(Match *match, const Stage *a, const Stage *b)
{
    SAME(a->vector_stage, b->vector_stage);
    SAME(a->way4, b->way4);
    SAME(a->inter_first, b->inter_first);
    SAME(a->zipped, b->zipped);
    SAME(a->has_stash, b->has_stash);
    SAME(a->stash_type, b->stash_type);
    SAME(a->op, b->op);
    SAME(a->alu, b->alu);
    SAME(a->mode, b->mode);
    SAME(a->operand_count, b->operand_count);
    for (int32_t i = 0; i < a->operand_count; i++)
        if (!same_operand(match, &a->operands[i], &b->operands[i]))
            return false;
    SAME(a->groups[0], b->groups[0]);
    SAME(a->groups[1], b->groups[1]);
    SAME(a->int_width, b->int_width);
    SAME(a->branch, b->branch);
    HOLDS(memcmp(a->compares, b->compares, sizeof a->compares) == 0);
    SAME(a->filter, b->filter);
    HOLDS(same_dim(a->tile_time, b->tile_time));
    return same_tensor(match, a->branch_vrf, b->branch_vrf);
}

static bool same_stage(Match *match, const Stage *a, const Stage *b)
{
    SAME(a->kind, b->kind);
    SAME(a->index, b->index);
    SAME(a->position, b->position);
    SAME(a->type, b->type);
    SAME(a->sound, b->sound);
    HOLDS(same_atom(a->axis, b->axis));
    SAME(a->config.kind, b->config.kind);
    SAME(a->config.slice1, b->config.slice1);
    SAME(a->config.slice0, b->config.slice0);
    SAME(a->config.time0, b->config.time0);
    SAME(a->config.ring_size, b->config.ring_size);
    SAME(a->accumulate, b->accumulate);
    return same_dims(match, a->dims, b->dims) && same_view(match, a->sources[0], b->sources[0]) &&
           same_view(match, a->sources[1], b->sources[1]) &&
           same_adapter(match, &a->adapter, &b->adapter) && same_tensor(match, a->trf, b->trf) &&
           same_tensor(match, a->result, b->result) && same_view(match, a->target, b->target) &&
           same_vector(match, a, b);
}

static bool same_pass(Match *match, const Pass *a, const Pass *b)
{
    if (!a || !b) {
        SAME(a, b);
        return true;
    }
    SAME(a->context, b->context);
    SAME(a->context_known, b->context_known);
    SAME(a->stages.count, b->stages.count);
    for (int64_t i = 0; i < a->stages.count; i++)
        if (!same_stage(match, a->stages.items[i], b->stages.items[i]))
            return false;
    return true;
}

// An operation without a method is called by its kind.
static const char *method_of(const Op *op, const Op *other)
{
    return op->method ? op->method : other->method;
}

static bool same_op(Match *match, const Op *a, const Op *b)
{
    SAME(a->kind, b->kind);
    SAME(a->id, b->id);
    SAME(a->context, b->context);
    SAME(a->sound, b->sound);
    HOLDS(same_name(method_of(a, b), b->method));
    HOLDS(same_dim(a->key, b->key));
    HOLDS(same_dim(a->sliced, b->sliced));
    SAME(a->pattern_count, b->pattern_count);
    for (int64_t i = 0; i < a->pattern_count; i++)
        SAME(a->pattern[i], b->pattern[i]);
    SAME(a->declared_count, b->declared_count);
    SAME(a->scaled, b->scaled);
    return same_view(match, a->source, b->source) && same_view(match, a->target, b->target) &&
           same_view(match, a->index, b->index) && same_pass(match, a->pass, b->pass);
}

static bool same_program(Match *match, const Program *a, const Program *b)
{
    SAME(a->ops.count, b->ops.count);
    SAME(a->open.count, b->open.count);
    SAME(a->tensors.count, b->tensors.count);
    SAME(a->results.count, b->results.count);
    HOLDS(same_name(a->name, b->name));
    HOLDS(same_maybe(a->chips, b->chips));
    for (int64_t i = 0; i < a->ops.count; i++)
        if (!same_op(match, a->ops.items[i], b->ops.items[i]))
            return false;
    for (int64_t i = 0; i < a->open.count; i++)
        if (!same_pass(match, a->open.items[i], b->open.items[i]))
            return false;
    for (int64_t i = 0; i < a->results.count; i++)
        if (!same_tensor(match, a->results.items[i], b->results.items[i]))
            return false;
    return true;
}

// ---- the law

static void check_program(uint64_t seed)
{
    Desk *desk = desk_new(NULL);
    const Program *program = random_program(desk, seed);
    const char *printed = desk_printed(desk, program);
    const Program *again = desk_program(desk, str_from(printed));
    Match match;
    for (size_t i = 0; i < COUNT_OF(match.partner); i++)
        match.partner[i] = -1;
    assert_true(program->tensors.count <= (int64_t)COUNT_OF(match.partner));
    if (!same_program(&match, program, again))
        fail_msg("seed %" PRIu64 ": %s differs in\n%s", seed, match.where, printed);
    assert_string_equal(desk_printed(desk, again), printed);
    desk_free(desk);
}

TEST(random_programs_survive_their_text)
{
    int64_t count = (int64_t)(1500 * test_scale());
    for (int64_t i = 0; i < count; i++)
        check_program(test_seed() * 1000003 + (uint64_t)i);
}
