// The names that programs are built with, from the tables that the checker has them from.
#include "api/state.h"

#include "base/checked.h"
#include "engine/vector/vector.h"
#include "program/text_read.h"

// Each: name number `index`, from 0 on; NULL beyond the last.

static const char *type_name(const char *of, int64_t index)
{
    (void)of;
    return index < SCALAR_COUNT ? scalar_name((Scalar)index) : NULL;
}

static const char *context_name(const char *of, int64_t index)
{
    (void)of;
    return index < CONTEXT_COUNT ? context_names[index] : NULL;
}

static const char *pass_context_name(const char *of, int64_t index)
{
    return index <= CONTEXT_SUB ? context_name(of, index) : NULL;
}

static const char *stream_name(const char *of, int64_t index)
{
    (void)of;
    return index < POSITION_SINK ? position_types[index] : NULL;
}

static const char *vector_stage_name(const char *of, int64_t index)
{
    (void)of;
    return index < VECTOR_STAGE_COUNT ? vector_stages[index].name : NULL;
}

static const char *half_name(const char *of, int64_t index)
{
    (void)of;
    return index < TRF_COUNT ? trf_address_names[index] : NULL;
}

static const char *call_name(const char *of, int64_t index)
{
    (void)of;
    return index < STAGE_COUNT - 1 ? stages[index + 1].method : NULL; // an input has none
}

static const char *topology_name(const char *of, int64_t index)
{
    (void)of;
    return index < SWITCH_COUNT ? switches[index].name : NULL;
}

static const char *field_name(const char *of, int64_t index)
{
    for (int i = 0; i < SWITCH_COUNT && index < SWITCH_FIELDS; i++)
        if (str_equal(str_from(switches[i].name), str_from(of)))
            return switches[i].fields[index];
    return NULL;
}

static const char *accumulation_name(const char *of, int64_t index)
{
    (void)of;
    return index < ACCUMULATE_COUNT ? accumulate_names[index] : NULL;
}

static const char *operation_name(const char *of, Scalar type, int64_t index)
{
    VectorFamily family = vector_family(text_stage_find(str_from(of)), type);
    for (VectorOp op = 0; op < VECTOR_OP_COUNT && family != FAMILY_COUNT; op++)
        if (vector_ops[op].family == family && index-- == 0)
            return vector_ops[op].name;
    return NULL;
}

static const char *operation_i32_name(const char *of, int64_t index)
{
    return operation_name(of, SCALAR_I32, index);
}

static const char *operation_f32_name(const char *of, int64_t index)
{
    return operation_name(of, SCALAR_F32, index);
}

static const char *multiplier_name(const char *of, int64_t index)
{
    (void)of;
    return multiplier_word(index);
}

static const char *mode_name(const char *of, int64_t index)
{
    int arity = vector_arity(text_stage_find(str_from(of)));
    for (ArgMode mode = MODE_DEFAULT + 1; mode < MODE_COUNT && arity; mode++)
        if (arg_modes[mode].count == arity && index-- == 0)
            return arg_modes[mode].name;
    return NULL;
}

static const char *branch_name(const char *of, int64_t index)
{
    (void)of;
    return index < BRANCH_COUNT ? branch_names[index] : NULL;
}

static const char *comparison_name(const char *of, int64_t index)
{
    (void)of;
    return index < COMPARE_COUNT ? compare_names[index] : NULL;
}

static const char *(*const lists[])(const char *of, int64_t index) = {
    [CONTRA_NAMES_TYPES] = type_name,
    [CONTRA_NAMES_CONTEXTS] = context_name,
    [CONTRA_NAMES_PASS_CONTEXTS] = pass_context_name,
    [CONTRA_NAMES_STREAMS] = stream_name,
    [CONTRA_NAMES_VECTOR_STAGES] = vector_stage_name,
    [CONTRA_NAMES_HALVES] = half_name,
    [CONTRA_NAMES_CALLS] = call_name,
    [CONTRA_NAMES_TOPOLOGIES] = topology_name,
    [CONTRA_NAMES_FIELDS] = field_name,
    [CONTRA_NAMES_ACCUMULATIONS] = accumulation_name,
    [CONTRA_NAMES_OPERATIONS_I32] = operation_i32_name,
    [CONTRA_NAMES_OPERATIONS_F32] = operation_f32_name,
    [CONTRA_NAMES_MULTIPLIERS] = multiplier_name,
    [CONTRA_NAMES_MODES] = mode_name,
    [CONTRA_NAMES_BRANCHES] = branch_name,
    [CONTRA_NAMES_COMPARISONS] = comparison_name,
};

const char *contra_name(ContraNames names, const char *of, int64_t index)
{
    return IS_ENUM(names, COUNT_OF(lists)) && index >= 0 ? lists[names](of ? of : "", index) : NULL;
}
