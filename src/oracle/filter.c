// vector_filter: packets pass that have an element of the group, and close up in each slice;
// elements of other groups among them are left out. It goes by positions: which packet is the next
// is a question of time, not of an index.
#include "oracle/pass.h"

#include "base/checked.h"

#include <string.h>

// A stream position by position: what is no padding, and what it holds.
typedef struct {
    int64_t steps, lanes; // of a slice, of a packet
    uint8_t *exists;      // 1: no padding
    uint32_t *bits;
    uint8_t *live;
} Positions;

// The memory is that of the operation.
static Positions positions_new(PassRun *run, const Stage *stage, const Mapping *mapping)
{
    Oracle *oracle = run->oracle;
    size_t size = (size_t)mapping->size;
    Positions positions = {.steps = stage->dims[LEVEL_TIME]->mapping.size,
                           .lanes = stage->dims[LEVEL_PACKET]->mapping.size,
                           .exists = arena_new(&oracle->scratch, uint8_t, size),
                           .bits = arena_new(&oracle->scratch, uint32_t, size),
                           .live = arena_new(&oracle->scratch, uint8_t, size)};
    Array *all = oracle_hold(oracle, SCALAR_U8, mapping);
    memset(all->live, 1, (size_t)all->count);
    if (!array_read_positions(all, mapping, positions.bits, positions.exists))
        oracle_no_memory(oracle);
    oracle_drop(oracle, all);
    return positions;
}

// Ids at positions, as an array of its own.
static Array ids_at_positions(PassRun *run, const Mapping *mapping)
{
    Arena *arena = &run->oracle->scratch;
    Array ids = {.bits = arena_new(arena, uint32_t, (size_t)mapping->size),
                 .live = arena_new(arena, uint8_t, (size_t)mapping->size)};
    if (run->ids && !array_read_positions(run->ids, mapping, ids.bits, ids.live))
        oracle_no_memory(run->oracle);
    return ids;
}

// Whether anything of the packet passes; what does not is cleared.
static bool filter_packet(const PassRun *run, const Stage *stage, Positions *from, const Array *ids,
                          int64_t at)
{
    bool passes = false;
    for (int64_t i = at; i < at + from->lanes; i++) {
        bool mine = from->exists[i] && id_matches(stage->filter, run->ids_kind, ids, i);
        passes |= mine;
        from->live[i] &= mine;
    }
    return passes;
}

static bool is_padding(const Positions *to, int64_t at)
{
    return !memchr(to->exists + at, 1, (size_t)to->lanes);
}

static void filter_slice(const PassRun *run, const Stage *stage, Positions *from, const Array *ids,
                         Positions *to, int64_t slice)
{
    int64_t next = slice * to->steps * to->lanes, end = next + to->steps * to->lanes;
    for (int64_t step = 0; step < from->steps; step++) {
        int64_t at = (slice * from->steps + step) * from->lanes;
        if (!filter_packet(run, stage, from, ids, at))
            continue;
        while (next < end && is_padding(to, next))
            next += to->lanes;
        if (next >= end)
            return;
        memcpy(to->bits + next, from->bits + at, sizeof(uint32_t) * (size_t)to->lanes);
        memcpy(to->live + next, from->live + at, (size_t)to->lanes);
        next += to->lanes;
    }
}

void filter_run(PassRun *run, const Stage *stage)
{
    Oracle *oracle = run->oracle;
    Mapping before = stream_mapping(run, stage->before), behind = stream_mapping(run, stage);
    Positions from = positions_new(run, stage->before, &before);
    Positions to = positions_new(run, stage, &behind);
    Array ids = ids_at_positions(run, &before);
    if (!array_read_positions(run->stream, &before, from.bits, from.live))
        oracle_no_memory(oracle);
    int64_t slices = before.size / (from.steps * from.lanes);
    for (int64_t slice = 0; slice < slices; slice++)
        filter_slice(run, stage, &from, &ids, &to, slice);
    Array *filtered = oracle_hold(oracle, run->stream->type, &behind);
    if (!array_write_positions(filtered, &behind, to.bits, to.live))
        oracle_no_memory(oracle);
    oracle_drop(oracle, run->stream);
    run->stream = filtered;
    set_ids(run, IDS_NONE, NULL);
}
