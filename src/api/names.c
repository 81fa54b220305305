// The names that programs are built with, from the tables that the checker has them from.
#include "api/state.h"

#include "engine/vector/vector.h"
#include "program/text_read.h"

// Each: name number `index`, from 0 on; NULL beyond the last.

static const char *field_name(const char *of, int64_t index)
{
    for (int i = 0; i < SWITCH_COUNT && index < SWITCH_FIELDS; i++)
        if (str_equal(str_from(of), str_from(switches[i].name)))
            return switches[i].fields[index];
    return NULL;
}

static const char *operation_name(const char *of, Scalar type, int64_t index)
{
    VectorFamily family = vector_family(text_stage_find(str_from(of)), type);
    for (VectorOp op = 0; op < VECTOR_OP_COUNT && family != FAMILY_COUNT; op++)
        if (vector_ops[op].family == family && index-- == 0)
            return vector_ops[op].name;
    return NULL;
}

static const char *mode_name(const char *of, int64_t index)
{
    int arity = vector_arity(text_stage_find(str_from(of)));
    for (ArgMode mode = MODE_DEFAULT + 1; mode < MODE_COUNT && arity; mode++)
        if (arg_modes[mode].count == arity && index-- == 0)
            return arg_modes[mode].name;
    return NULL;
}

static const char *name_at(ContraNames names, const char *of, int64_t index)
{
    switch (names) {
    case CONTRA_NAMES_TYPES:
        return index < SCALAR_COUNT ? scalar_name((Scalar)index) : NULL;
    case CONTRA_NAMES_CONTEXTS:
        return index < CONTEXT_COUNT ? context_names[index] : NULL;
    case CONTRA_NAMES_PASS_CONTEXTS:
        return index <= CONTEXT_SUB ? context_names[index] : NULL;
    case CONTRA_NAMES_STREAMS:
        return index < POSITION_SINK ? position_types[index] : NULL;
    case CONTRA_NAMES_VECTOR_STAGES:
        return index < VECTOR_STAGE_COUNT ? vector_stages[index].name : NULL;
    case CONTRA_NAMES_HALVES:
        return index < TRF_COUNT ? trf_address_names[index] : NULL;
    case CONTRA_NAMES_CALLS: // an input has none
        return index < STAGE_COUNT - 1 ? stages[index + 1].method : NULL;
    case CONTRA_NAMES_TOPOLOGIES:
        return index < SWITCH_COUNT ? switches[index].name : NULL;
    case CONTRA_NAMES_FIELDS:
        return field_name(of, index);
    case CONTRA_NAMES_ACCUMULATIONS:
        return index < ACCUMULATE_COUNT ? accumulate_names[index] : NULL;
    case CONTRA_NAMES_OPERATIONS_I32:
        return operation_name(of, SCALAR_I32, index);
    case CONTRA_NAMES_OPERATIONS_F32:
        return operation_name(of, SCALAR_F32, index);
    case CONTRA_NAMES_MULTIPLIERS:
        return multiplier_word(index);
    case CONTRA_NAMES_MODES:
        return mode_name(of, index);
    case CONTRA_NAMES_BRANCHES:
        return index < BRANCH_COUNT ? branch_names[index] : NULL;
    case CONTRA_NAMES_COMPARISONS:
        return index < COMPARE_COUNT ? compare_names[index] : NULL;
    }
    return NULL;
}

const char *contra_name(ContraNames names, const char *of, int64_t index)
{
    return index >= 0 ? name_at(names, of ? of : "", index) : NULL;
}
