// A Tensor Unit pass, cluster by cluster. Slices go through it side by side; only where packets go
// from slice to slice do they wait for each other.
#include "device/internal.h"

#include <stdlib.h>

// ---- plans

PassPlan *pass_plan_new(const Device *device, const HwPipeline *pass)
{
    PassPlan *plan = calloc(1, sizeof *plan);
    if (plan && fetch_plan_new(device, pass, &plan->fetch) &&
        contract_plan_new(device, pass, &plan->contract) &&
        vector_plan_new(device, pass, &plan->vector) &&
        commit_plan_new(device, pass, &plan->commit))
        return plan;
    pass_plan_free(plan);
    return NULL;
}

void pass_plan_free(PassPlan *plan)
{
    if (!plan)
        return;
    fetch_plan_free(plan->fetch);
    contract_plan_free(plan->contract);
    vector_plan_free(plan->vector);
    commit_plan_free(plan->commit);
    free(plan);
}

// ---- slices

Slice *run_slice(const ClusterRun *run, int64_t slice)
{
    return device_slice(run->device, run->first_chip + run->chip, run->first_cluster + run->cluster,
                        run->first_slice + slice);
}

int64_t run_unit(const ClusterRun *run, int64_t slice)
{
    return (run->chip * run->pass->clusters + run->cluster) * run->pass->slices + slice;
}

// The first step between slices; the number of steps: none.
static int64_t find_meeting(const HwPipeline *pass)
{
    int64_t i = 0, count = pass->vector ? pass->vector->steps.count : 0;
    while (i < count && !pass->vector->steps.items[i].slices)
        i++;
    return i;
}

// Up to where slices meet.
static bool run_first_half(const ClusterRun *run, int64_t slice, int64_t meeting)
{
    Stream *stream = &run->slices[slice].groups[0];
    return fetch_run(run, slice, stream) &&
           (!run->pass->reduce || contraction_run(run, slice, stream)) &&
           (!run->pass->vector || vector_run(run, slice, 0, meeting));
}

static bool run_second_half(const ClusterRun *run, int64_t slice, int64_t meeting)
{
    const HwPipeline *pass = run->pass;
    Stream *stream = &run->slices[slice].groups[0];
    Scratch *scratch = device_scratch(run->device);
    bool ok = (!pass->vector || vector_run(run, slice, meeting, pass->vector->steps.count)) &&
              (!pass->cast || cast_run(run, stream)) &&
              (!pass->transpose || transpose_run(run, stream)) && stream_need_tags(scratch, stream);
    if (ok && pass->trf_store)
        trf_store_run(run, slice, stream);
    if (ok && pass->vrf_store)
        vrf_store_run(run, slice, stream);
    if (ok && pass->commit)
        commit_run(run, slice, stream);
    return ok;
}

static void free_run(Scratch *scratch, SliceRun *run)
{
    stream_free(scratch, &run->groups[0]);
    stream_free(scratch, &run->groups[1]);
    stream_free(scratch, &run->stash);
}

// A pass reads before it writes: slices that read of each other all do so before one writes.
static bool run_cluster(ClusterRun *run)
{
    const HwPipeline *pass = run->pass;
    int64_t steps = pass->vector ? pass->vector->steps.count : 0, meeting = find_meeting(pass);
    bool together = pass->route || meeting < steps, failed = false;
#pragma omp parallel for schedule(dynamic) num_threads((int)run->device->threads) \
    reduction(||                                                                  \
              : failed)
    for (int64_t slice = 0; slice < pass->slices; slice++) {
        failed = failed || !run_first_half(run, slice, meeting);
        if (together || failed)
            continue;
        failed = !run_second_half(run, slice, meeting);
        free_run(device_scratch(run->device), &run->slices[slice]);
    }
    if (!failed && meeting < steps) {
        failed = !slice_reduce_run(run, &pass->vector->steps.items[meeting]);
        meeting++;
    }
#pragma omp parallel for schedule(dynamic) num_threads((int)run->device->threads) \
    reduction(||                                                                  \
              : failed)
    for (int64_t slice = 0; slice < (together ? pass->slices : 0); slice++)
        failed = failed || !run_second_half(run, slice, meeting);
    for (int64_t slice = 0; slice < pass->slices; slice++)
        free_run(device_scratch(run->device), &run->slices[slice]);
    return !failed;
}

bool pass_execute(Device *device, const HwPipeline *pass, const PassPlan *plan)
{
    bool ok = true;
    for (int64_t chip = 0; chip < pass->chips && ok; chip++)
        for (int64_t cluster = 0; cluster < pass->clusters && ok; cluster++) {
            if (device_is_cancelled(device))
                return false;
            ClusterRun run = {.device = device,
                              .pass = pass,
                              .plan = plan,
                              .chip = chip,
                              .cluster = cluster,
                              .first_chip = pass->first_chip,
                              .first_cluster = pass->first_cluster,
                              .first_slice = pass->first_slice,
                              .slices = calloc((size_t)pass->slices, sizeof *run.slices)};
            ok = run.slices && run_cluster(&run);
            free(run.slices);
        }
    for (int64_t i = 0; i < device->scratch_count; i++)
        scratch_trim(&device->scratch[i]);
    return ok;
}
