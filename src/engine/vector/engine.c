// The Vector Engine: its row, and what it is told. Each call becomes a step of the pipeline.
#include "engine/vector/internal.h"

#include "engine/lower/mask.h"
#include "engine/shape.h"
#include "engine/strides.h"
#include "engine/vector/digits.h"
#include "engine/vector/valid_count.h"
#include "mapping/divide.h"

static const Mapping *level(const Stage *stage, Level which)
{
    return &stage->dims[which]->mapping;
}

// ---- what is read along with the stream

static const HwNest *along(const Lower *lower, const Stage *stage, const Mapping *buffer,
                           Scalar type, int64_t base)
{
    HwNest *nest = arena_new(lower->arena, HwNest, 1);
    if (strides_nest(lower, buffer, level(stage, LEVEL_TIME), level(stage, LEVEL_PACKET), type,
                     base, nest))
        return nest;
    diag_add(lower->diags, DIAG_VECTOR_OPERAND_SHAPE, stage->span,
             "no nest of loops reads the operand in the order of the stream");
    return NULL;
}

static const HwNest *vrf_nest(const Lower *lower, const Stage *stage, const Tensor *vrf)
{
    return along(lower, stage, &vrf->dims[LEVEL_ELEMENT]->mapping, vrf->type, vrf->address.value);
}

static const HwNest *stash_nest(const Lower *lower, const Stage *stage)
{
    const Stage *taken = vector_last_of_kind(stage->before, STAGE_VECTOR_STASH);
    if (!taken)
        return NULL;
    Mapping held =
        mapping_pair(lower->scratch, level(taken, LEVEL_TIME), level(taken, LEVEL_PACKET));
    return along(lower, stage, &held, stage->stash_type, 0);
}

static bool add_operand(const Lower *lower, const Stage *stage, const Operand *operand,
                        HwVectorStep *step)
{
    HwVectorOperand *out = array_push(lower->arena, &step->operands, HwVectorOperand);
    *out = (HwVectorOperand){
        .source = operand->kind,
        .condition = operand->condition,
        .type = operand->kind == OPERAND_VRF ? operand->vrf->type : stage->before->type,
        .bits = operand->kind == OPERAND_CONSTANT ? operand->bits : 0,
        .second_bits = stage->kind == STAGE_VECTOR_FP_TERNARY ? operand->second : 0,
    };
    if (operand->kind == OPERAND_VRF)
        out->nest = vrf_nest(lower, stage, operand->vrf);
    else if (operand->kind == OPERAND_STASH)
        out->nest = stash_nest(lower, stage);
    else
        return true;
    return out->nest != NULL;
}

// ---- branch

// What the stream has of the axis; of several parts the one with the lowest stride. NULL: nothing.
static const Term *toggled_part(const Lower *lower, const Stage *stage)
{
    Mapping stream = shape_of(lower->scratch, stage->dims);
    TermList parts = mapping_canonical_axes(lower->scratch, &stream);
    for (int64_t i = 0; stage->axis && i < parts.count; i++)
        if (atom_equal(parts.items[i].atom, stage->axis))
            return &parts.items[i];
    return NULL;
}

// Digits of the stream that the index along the axis is made of.
static void add_toggles(const Lower *lower, const Stage *stage, const Term *part, HwBranch *out)
{
    DigitList digits = {0};
    for (Level which = 0; which < LEVEL_COUNT; which++)
        if (stage->dims[which])
            digits_add(lower->scratch, which, stage->dims[which], &digits);
    for (int64_t i = 0; i < digits.count; i++) {
        const Digit *digit = &digits.items[i];
        if (!digit_counts(digit, stage->axis) || digit->term.stride < part->stride ||
            digit->term.stride / part->stride >= part->modulo)
            continue;
        *array_push(lower->arena, &out->toggles, HwToggleDigit) = (HwToggleDigit){
            digit->level, digit->place, digit->extent, digit->term.stride / part->stride};
    }
}

static const HwBranch *branch_lower(const Lower *lower, const Stage *stage)
{
    HwBranch *out = arena_new(lower->arena, HwBranch, 1);
    out->kind = stage->branch;
    for (int i = 0; i < BRANCH_COMPARISONS && stage->branch == BRANCH_COMPARISON; i++)
        *array_push(lower->arena, &out->compares, HwCompare) = (HwCompare){
            stage->compares[i].kind, stage->compares[i].type, stage->compares[i].boundary};
    const Term *part = stage->branch == BRANCH_AXIS_TOGGLE ? toggled_part(lower, stage) : NULL;
    if (part)
        add_toggles(lower, stage, part, out);
    if (stage->branch == BRANCH_VRF && stage->branch_vrf)
        out->nest = vrf_nest(lower, stage, stage->branch_vrf);
    return stage->branch == BRANCH_VRF && stage->branch_vrf && !out->nest ? NULL : out;
}

static const HwPairSplit *pair_lower(const Lower *lower, const Stage *stage)
{
    HwPairSplit *out = arena_new(lower->arena, HwPairSplit, 1);
    Mapping axis = mapping_of_atom(lower->scratch, stage->axis);
    Division division =
        mapping_divide(lower->scratch, level(stage->before, LEVEL_TIME), &axis, DIVIDE_RELAXED, 1);
    if (!division.found)
        return NULL;
    out->inside = division.matches.items[0].dividend_stride;
    return out;
}

// ---- valid counts

static const HwVcg *vcg_copy(const Lower *lower, const ValidCount *count)
{
    HwVcg *out = arena_new(lower->arena, HwVcg, 1);
    for (int64_t i = 0; i < count->counters.count; i++) {
        const ValidCounter *counter = &count->counters.items[i];
        *array_push(lower->arena, &out->counters, HwVcgCounter) =
            (HwVcgCounter){counter->limit, counter->stride, counter->dim};
    }
    for (int64_t i = 0; i < count->gates.count; i++) {
        const ValidGate *gate = &count->gates.items[i];
        *array_push(lower->arena, &out->gates, HwVcgGate) =
            (HwVcgGate){gate->mask, gate->match, gate->valid, gate->transposed};
    }
    out->packet_stride = count->packet_stride;
    out->packet_valid = count->packet_valid;
    return out;
}

// `user`: the stage that goes by the tags, and was verified so; NULL: none was.
static const HwVcg *vcg_for(const Lower *lower, const Stage *tagged, const Stage *user,
                            const Atom *axis)
{
    ValidCountRequest request = {
        .machine = lower->machine, .dims = tagged->dims, .is_way4 = tagged->way4, .axis = axis};
    const ValidCount *known = user ? stage_derived(user, lower->machine) : NULL;
    ValidCount count = known ? *known : (ValidCount){0};
    bool found = known || valid_count_derive(lower->scratch, &request, &count);
    return found && count.needed ? vcg_copy(lower, &count) : NULL;
}

// One generator serves a pass: what the reduction needs, or for a branch or a filter the padding of
// all axes. NULL: there is nothing to tell apart, or the user relaxed the rule.
static const HwVcg *vcg_lower(const Lower *lower, const Stage *last)
{
    if (last->kind == STAGE_VECTOR_FINAL)
        last = last->before;
    const Stage *branch = vector_last_of_kind(last, STAGE_VECTOR_BRANCH);
    const Stage *reduce = vector_last_of_kind(last, STAGE_VECTOR_INTRA_REDUCE);
    const Stage *entry = vector_block_entry(last);
    bool by_branch = branch && branch->branch == BRANCH_VALID_COUNT;
    bool filters = vector_last_of_kind(last, STAGE_VECTOR_FILTER);
    if (!entry || (!by_branch && !reduce && !filters))
        return NULL;
    const Stage *tagged = entry->kind == STAGE_VECTOR_UNZIP ? entry->before : entry;
    const HwVcg *vcg = NULL;
    if (by_branch || filters)
        vcg = vcg_for(lower, tagged, by_branch ? branch : NULL, NULL);
    return vcg || !reduce ? vcg : vcg_for(lower, tagged, reduce, reduce->axis);
}

// ---- steps

static bool has_op(const Stage *stage)
{
    const VectorMethod *method = &vector_methods[stage->kind];
    return method->i32 != FAMILY_COUNT || method->f32 != FAMILY_COUNT;
}

// The parts that only some calls have.
static bool lower_parts(const Lower *lower, const Pass *pass, const Stage *stage,
                        HwVectorStep *step)
{
    switch (stage->kind) {
    case STAGE_VECTOR_BRANCH:
        step->branch = branch_lower(lower, stage);
        return step->branch != NULL;
    case STAGE_VECTOR_UNZIP:
        step->pair = pair_lower(lower, stage);
        return step->pair != NULL;
    case STAGE_VECTOR_INTRA_REDUCE:
        step->lanes = lane_reduce_lower(lower, stage);
        return true;
    case STAGE_VECTOR_INTER_REDUCE:
        step->slices = slice_reduce_lower(lower, pass, stage);
        return true;
    default:
        return true;
    }
}

static bool reads_vrf(const HwVectorStep *step)
{
    for (int64_t i = 0; i < step->operands.count; i++)
        if (step->operands.items[i].source == OPERAND_VRF)
            return true;
    return step->branch && step->branch->nest;
}

static bool lower_step(const Lower *lower, const Pass *pass, const Stage *stage, HwVectorStep *step)
{
    bool op = has_op(stage);
    *step = (HwVectorStep){
        .stage = stage->vector_stage,
        .call = stage->kind,
        .op = op ? str_from(vector_ops[stage->op].name) : (Str){0},
        .op_code = op ? (int64_t)stage->op : -1,
        .alu = stage->alu,
        .type = stage->before->type,
        .out_type = stage->type,
        .mode = stage->mode,
        .way = stage->way4 ? lower->machine->vector_way4_lanes : lower->machine->vector_way8_lanes,
        .groups = vector_is_pair(stage->before) ? 3 : 0,
        .int_width = stage->int_width,
        .condition = stage->filter,
        .time = level(stage, LEVEL_TIME)->size,
        .packet_elements = level(stage, LEVEL_PACKET)->size,
    };
    if (stage->kind == STAGE_VECTOR_FP_UNARY && step->groups)
        step->groups = (stage->groups[0] ? 1 : 0) | (stage->groups[1] ? 2 : 0);
    for (int32_t i = 0; i < stage->operand_count; i++)
        if (!add_operand(lower, stage, &stage->operands[i], step))
            return false;
    bool ok = lower_parts(lower, pass, stage, step);
    if (reads_vrf(step)) {
        LiveChecks checks = mask_checks(lower->scratch, stage, pass->stages.items[0]->sources[0]);
        live_lower_certain(lower, &checks, &step->data);
    }
    return ok;
}

// vector_init stands for the engine: what follows are the steps of its record.
static bool vector_lower(const Lower *lower, const Pass *pass, const Stage *first,
                         HwPipeline *pipeline)
{
    if (first->kind != STAGE_VECTOR_INIT)
        return true;
    HwVector *out = arena_new(lower->arena, HwVector, 1);
    const Stage *last = first;
    pipeline->vector = out;
    out->in_time = level(first, LEVEL_TIME)->size;
    for (int64_t i = first->index + 1; i < pass->stages.count; i++) {
        const Stage *stage = pass->stages.items[i];
        if (stage->position < POSITION_VECTOR_INIT || stage->position > POSITION_VECTOR_FINAL)
            break;
        last = stage;
        if (stage->kind == STAGE_VECTOR_FINAL)
            continue;
        out->has_stash |= stage->kind == STAGE_VECTOR_STASH;
        out->stash_type = out->has_stash ? stage->stash_type : SCALAR_I32;
        if (!lower_step(lower, pass, stage, array_push(lower->arena, &out->steps, HwVectorStep)))
            return false;
    }
    out->out_time = level(last, LEVEL_TIME)->size;
    out->vcg = vcg_lower(lower, last);
    return true;
}

const Engine vector_engine = {
    .name = "Vector Engine",
    .manual = "Vector Engine",
    .verify = vector_verify,
    .suggest = vector_suggest,
    .lower = vector_lower,
};
