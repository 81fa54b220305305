// A reshape is four reshapes of one dimension each, Chip first: the dimensions outside have their
// new mappings already, those inside still their old ones.
#include "engine/memory/reshape.h"

#include "base/checked.h"
#include "engine/memory/tensor.h"
#include "engine/report.h"
#include "mapping/divide.h"

typedef struct {
    const Verify *verify;
    Level level;
    const Dim *source, *target;
    const Dim *before[LEVEL_COUNT], *after[LEVEL_COUNT]; // the whole shape, round this step
    Span span;
} Step;

static Diag *report(const Step *step, DiagCode code, const char *what, int64_t source,
                    int64_t target)
{
    Arena *arena = step->verify->arena;
    return diag_add(step->verify->diags, code, step->span,
                    "reshape makes `{}` of {} `{}`: {} {} instead of {}",
                    dim_text(arena, step->target), level_names[step->level],
                    dim_text(arena, step->source), target, what, source);
}

// Padding is a factor, too.
static bool may_pad(const Step *step)
{
    Arena *arena = step->verify->arena;
    Mapping source = mapping_normalise(arena, &step->source->mapping);
    Mapping padded = mapping_pad(arena, &step->target->mapping, source.size, PADDING_TOP);
    return mapping_normalise(arena, &padded).count == source.count;
}

static bool verify_size(const Step *step)
{
    int64_t source = step->source->mapping.size, target = step->target->mapping.size;
    if (source == target)
        return true;
    Diag *diag = report(step, DIAG_RESHAPE_SIZE, "positions", source, target);
    if (target < source && may_pad(step))
        report_rewrite(step->verify, diag, step->target,
                       dim_padded_text(step->verify->arena, step->target, source), "pad it:");
    return false;
}

static bool verify_factors(const Step *step)
{
    Mapping source = mapping_normalise(step->verify->arena, &step->source->mapping);
    Mapping target = mapping_normalise(step->verify->arena, &step->target->mapping);
    if (source.count == target.count)
        return true;
    Diag *diag = report(step, DIAG_RESHAPE_FACTORS, target.count == 1 ? "factor" : "factors",
                        source.count, target.count);
    diag_note(diag, SPAN_NOWHERE, "in factors: `{}`, and `{}`",
              mapping_text(step->verify->arena, &source),
              mapping_text(step->verify->arena, &target));
    diag_help(diag, "a reshape gives each factor another name; it joins and cuts none");
    return false;
}

// What the other dimensions hold stays: taking this one out leaves the same before and after.
static bool verify_rest(const Step *step)
{
    Arena *arena = step->verify->arena;
    Mapping before = shape_of(arena, step->before), after = shape_of(arena, step->after);
    Division went = mapping_divide(arena, &before, &step->source->mapping, DIVIDE_RELAXED, 1);
    Division came = mapping_divide(arena, &after, &step->target->mapping, DIVIDE_RELAXED, 1);
    bool same =
        went.exact && came.exact &&
        mapping_equal(arena, &went.dividend_residue, &came.dividend_residue) == MAPPINGS_EQUAL;
    if (same)
        return true;
    Diag *diag = diag_add(step->verify->diags, DIAG_RESHAPE_REST, step->span,
                          "reshape of {} `{}` to `{}` would change other dimensions, too",
                          level_names[step->level], dim_text(arena, step->source),
                          dim_text(arena, step->target));
    diag_note(diag, SPAN_NOWHERE, "the rest is `{}` before, and `{}` after",
              mapping_text(arena, &went.dividend_residue),
              mapping_text(arena, &came.dividend_residue));
    diag_help(diag, "use axes that no other dimension has a part of");
    return false;
}

static bool verify_tensors(const Verify *verify, const Tensor *from, const Tensor *to)
{
    if (from->tier == TIER_DM && to->tier == TIER_DM && from->type == to->type)
        return true;
    if (from->type != to->type)
        diag_add(verify->diags, DIAG_RESHAPE_TENSOR, to->span,
                 "reshape keeps the type of the elements: {} does not become {}",
                 scalar_name(from->type), scalar_name(to->type));
    else
        diag_add(verify->diags, DIAG_RESHAPE_TENSOR, to->span,
                 "reshape works on tensors in DM, and this one is in {}",
                 tiers[from->tier == TIER_DM ? to->tier : from->tier].name);
    return false;
}

void reshape_verify(const Verify *verify, const Tensor *from, const Tensor *to)
{
    static const Level order[] = {LEVEL_CHIP, LEVEL_CLUSTER, LEVEL_SLICE, LEVEL_ELEMENT};
    Step step = {.verify = verify, .span = to->span};
    if (!verify_tensors(verify, from, to))
        return;
    for (Level level = 0; level < LEVEL_COUNT; level++)
        step.before[level] = step.after[level] = from->dims[level];
    for (size_t i = 0; i < COUNT_OF(order); i++) {
        step.level = order[i];
        step.source = from->dims[step.level];
        step.target = step.after[step.level] = to->dims[step.level];
        bool same = mapping_same(&step.source->mapping, &step.target->mapping);
        if (!same && verify_size(&step) && verify_factors(&step))
            verify_rest(&step);
        step.before[step.level] = step.target;
    }
}
