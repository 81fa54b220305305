// Operations become commands: the parts of the engines, put together.
#include "engine/lower/lower.h"

#include "engine/lower/units.h"
#include "engine/report.h"

#define NEW(lower, type) arena_new((lower)->arena, type, 1)

// The last stage of the Vector Engine that begins at `first`.
static const Stage *vector_end(const Pass *pass, int64_t first)
{
    const Stage *last = pass->stages.items[first];
    for (int64_t i = first + 1; i < pass->stages.count; i++) {
        const Stage *stage = pass->stages.items[i];
        if (stage->position < POSITION_VECTOR_INIT || stage->position > POSITION_VECTOR_FINAL)
            break;
        last = stage;
    }
    return last;
}

// Adds what the engine of stage `*index` is told, and steps over stages that belong to it.
static bool lower_stage(const Lower *lower, const Pass *pass, int64_t *index, HwPipeline *out)
{
    const Stage *stage = pass->stages.items[*index];
    switch (stage->kind) {
    case STAGE_BEGIN:
    case STAGE_BEGIN_INTERLEAVED:
        return true;
    case STAGE_FETCH:
        return fetch_lower(lower, pass, stage, &out->fetch);
    case STAGE_SWITCH: {
        HwSwitchRoute *route = NEW(lower, HwSwitchRoute);
        out->route = route;
        return switch_lower(lower, stage, route);
    }
    case STAGE_COLLECT: {
        HwCollect *collect = NEW(lower, HwCollect);
        out->collect = collect;
        return collect_lower(lower, stage, collect);
    }
    case STAGE_TO_TRF: {
        HwTrfStore *store = NEW(lower, HwTrfStore);
        out->trf_store = store;
        return to_trf_lower(lower, pass, stage, store);
    }
    case STAGE_TO_VRF: {
        HwVrfStore *store = NEW(lower, HwVrfStore);
        out->vrf_store = store;
        return to_vrf_lower(lower, pass, stage, store);
    }
    case STAGE_ALIGN: {
        HwStreamAdapt *adapt = NEW(lower, HwStreamAdapt);
        HwTrfRead *read = NEW(lower, HwTrfRead);
        out->adapt = adapt;
        out->trf_read = read;
        return align_lower(lower, stage, adapt, read);
    }
    case STAGE_CONTRACT: {
        HwReduce *reduce = NEW(lower, HwReduce);
        out->reduce = reduce;
        *index += 1; // accumulate
        return reduce_lower(lower, pass, pass->stages.items[*index], reduce);
    }
    case STAGE_CAST: {
        HwCast *cast = NEW(lower, HwCast);
        out->cast = cast;
        return cast_lower(lower, stage, cast);
    }
    case STAGE_TRANSPOSE: {
        HwTranspose *transpose = NEW(lower, HwTranspose);
        out->transpose = transpose;
        return transpose_lower(lower, stage, transpose);
    }
    case STAGE_COMMIT:
    case STAGE_COMMIT_VIEW: {
        HwCommit *commit = NEW(lower, HwCommit);
        out->commit = commit;
        return commit_lower(lower, pass, stage, commit);
    }
    case STAGE_VECTOR_INIT: {
        HwVector *vector = NEW(lower, HwVector);
        const Stage *last = vector_end(pass, *index);
        out->vector = vector;
        *index = last->index;
        return vector_lower(lower, pass, stage, last, vector);
    }
    default:
        return true;
    }
}

// One command.
static bool lower_command(const Lower *lower, const Pass *pass, HwPipeline *out)
{
    const Stage *first = pass->stages.items[0];
    Units units = units_of(first->dims, first->sources[0]);
    *out = (HwPipeline){
        .context = pass->context,
        .chips = units.chips,
        .clusters = units.clusters,
        .slices = units.slices,
        .first_chip = units.first_chip,
        .first_cluster = units.first_cluster,
        .first_slice = units.first_slice,
    };
    for (int64_t i = 0; i < pass->stages.count; i++)
        if (!lower_stage(lower, pass, &i, out))
            return false;
    return true;
}

bool lower_split(const Lower *lower, const Pass *pass, PassParts *parts)
{
    Verify verify = {.arena = lower->scratch,
                     .diags = lower->diags,
                     .machine = lower->machine,
                     .program = lower->program};
    DiagList limits = {.arena = lower->scratch};
    Narrower narrower = {lower->scratch, lower->machine, {0}};
    *parts = (PassParts){.whole = split_padding(&verify, pass)};
    if (!split_find(&verify, parts->whole, &limits, &parts->plan)) {
        for (int64_t i = 0; i < limits.count; i++)
            report_as_is(&verify, limits.items[i]);
        return false;
    }
    for (int64_t i = 0; i < parts->plan.commands; i++)
        *array_push(lower->scratch, parts, const Pass *) =
            split_part(&narrower, parts->whole, &parts->plan, i);
    return true;
}

static bool lower_pass(const Lower *lower, const Op *op, HwCommands *commands)
{
    PassParts parts;
    bool ok = lower_split(lower, op->pass, &parts);
    for (int64_t i = 0; i < parts.count && ok; i++) {
        HwPipeline *out = NEW(lower, HwPipeline);
        ok = lower_command(lower, parts.items[i], out);
        if (ok && out->trf_store && parts.count > 1)
            out->trf_store = trf_part(lower, &parts, i, out->trf_store);
        array_push(lower->arena, commands, HwCommand)->pass = out;
    }
    return ok;
}

bool lower_op(const Lower *lower, const Op *op, HwCommands *commands)
{
    return op->kind == OP_PASS ? lower_pass(lower, op, commands) : dma_lower(lower, op, commands);
}
