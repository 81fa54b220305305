#include "base/checked.h"
#include "engine/lower/live.h"
#include "engine/lower/lower.h"
#include "engine/lower/mask.h"
#include "engine/stream/contract.h"
#include "engine/stream/padding.h"

static void lower_loops(const Lower *lower, const StrideLoops *loops, HwReduce *out)
{
    for (int64_t i = loops->count - 1; i >= 0; i--) {
        const StrideLoop *loop = &loops->items[i];
        *array_push(lower->arena, &out->loops, HwSlotLoop) =
            (HwSlotLoop){.size = loop->size,
                         .reduced = loop->stride == 0,
                         .stride = loop->stride,
                         .term = str_copy(lower->arena, loop->term)};
    }
}

// Which products count as data: not those with padding that is zero in one of the factors. Other
// padding is multiplied and added like data.
static void lower_data(const Lower *lower, const Pass *pass, const Stage *accumulate, HwReduce *out)
{
    Mapping shape = shape_of(lower->scratch, accumulate->before->before->dims);
    LiveChecks checks = live_checks(lower->scratch, &shape, NULL, 0);
    bool *used = arena_new(lower->scratch, bool, (size_t)checks.count + 1);
    int64_t *numbers = arena_new(lower->scratch, int64_t, (size_t)checks.count + 1);
    bool is_reduced = padding_is_reduced(lower, pass, accumulate);
    for (int64_t i = checks.count - 1; i >= 0; i--) {
        used[i] |= !is_reduced || mask_survives(lower->scratch, &checks.items[i], accumulate);
        for (int64_t k = 0; used[i] && k < checks.items[i].count; k++)
            if (checks.items[i].items[k].of != OF_POSITION)
                used[checks.items[i].items[k].of] = true;
    }
    for (int64_t i = 0; i < checks.count; i++) {
        numbers[i] = out->data.count;
        if (used[i])
            live_lower_check(lower->arena, &checks.items[i], numbers, &out->data);
    }
}

bool reduce_lower(const Lower *lower, const Pass *pass, const Stage *accumulate, HwReduce *out)
{
    const Stage *contract = accumulate->before;
    const Machine *machine = lower->machine;
    const Stage *pair = contract->before;
    bool interleaved = accumulate->accumulate == ACCUMULATE_INTERLEAVED;
    int64_t depth = contract_depth(lower->scratch, contract);
    AccumulatePlan plan;
    if (depth < 0 || !accumulate_derive(lower->scratch, machine, accumulate, &plan)) {
        diag_add(lower->diags, depth < 0 ? DIAG_CONTRACT_SUM : DIAG_ACCUMULATE_TIME,
                 depth < 0 ? contract->span : accumulate->span,
                 "the Reducer cannot make these sums");
        return false;
    }
    int64_t rows = pair->dims[LEVEL_ROW]->mapping.size;
    int64_t time = pair->dims[LEVEL_TIME]->mapping.size;
    int64_t packet = pair->dims[LEVEL_PACKET]->mapping.size;
    *out = (HwReduce){
        .in_type = pair->type,
        .out_type = contract->type,
        .packet_elements = packet,
        .tree_depth = depth,
        .tree_outputs = packet >> depth,
        .columns = plan.columns,
        .resize = accumulate->accumulate,
        .rows = rows,
        .interleave_steps = interleaved ? machine->accumulator_columns / plan.columns
                                        : machine->accumulator_rows / rows,
        .in_time = time,
        .places = plan.places,
        .buffered = plan.buffered,
        .inner_size = plan.inner,
        .slots =
            plan.inner * (interleaved ? machine->accumulator_rows : machine->accumulator_columns),
        .out_time = accumulate->dims[LEVEL_TIME]->mapping.size,
        .out_elements = accumulate->dims[LEVEL_PACKET]->mapping.size,
    };
    lower_data(lower, pass, accumulate, out);
    lower_loops(lower, &plan.loops, out);
    return true;
}
