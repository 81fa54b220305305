#include "cost/dm.h"

#include "base/checked.h"

enum { MOST_QUEUE = 8 };

DmSide dm_begin(Arena *scratch, const Machine *machine)
{
    return (DmSide){
        .machine = machine,
        .done = arena_new(scratch, int64_t, (size_t)(machine->slices_per_cluster * MOST_QUEUE)),
        .turns = arena_new(scratch, int64_t, (size_t)machine->slices_per_cluster),
        .free_at = arena_new(scratch, int64_t, (size_t)machine->dmns_per_cluster),
        .busy = arena_new(scratch, int64_t, (size_t)machine->dmns_per_cluster),
    };
}

int64_t dm_take(DmSide *side, int64_t address, int64_t bytes)
{
    const Machine *machine = side->machine;
    int64_t number = max_i64(address, 0) / machine->dm_virtual_slice_stride_bytes;
    int64_t slice = number % machine->slices_per_cluster;
    int64_t network = slice / machine->slices_per_dmn % machine->dmns_per_cluster;
    int64_t queue = min_i64(machine->dm_command_queue_entries, MOST_QUEUE);
    int64_t cycles = ceil_div(bytes, machine->dm_bytes_per_cycle_per_dmn);
    int64_t *done = &side->done[slice * MOST_QUEUE + side->turns[slice]++ % queue];
    int64_t issue = max_i64(side->issue, *done);
    int64_t begin = max_i64(issue, side->free_at[network]);
    *done = side->free_at[network] = begin + cycles;
    side->busy[network] += cycles;
    side->issue = issue + 1;
    side->end = max_i64(side->end, begin + 1);
    return begin;
}

int64_t dm_end(const DmSide *side)
{
    int64_t most = side->end;
    for (int64_t i = 0; i < side->machine->dmns_per_cluster; i++)
        most = max_i64(most, side->busy[i]);
    return most;
}
