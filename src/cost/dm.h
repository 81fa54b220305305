// The networks of DM, request by request. Manual: Memory Performance, Optimizing DMA Performance.
#ifndef CONTRA_COST_DM_H
#define CONTRA_COST_DM_H

#include "base/arena.h"
#include "machine/machine.h"

// The reads or the writes of one DMA Engine in one cluster: a request goes to its network as soon
// as the queue of its slice has room, one a cycle; the network is at work on it for as long as its
// bytes take.
typedef struct {
    const Machine *machine;
    int64_t *done;    // slice x entries of its queue: when its last requests are done
    int64_t *turns;   // slice: requests so far
    int64_t *free_at; // network
    int64_t *busy;    // network
    int64_t issue, end;
} DmSide;

DmSide dm_begin(Arena *scratch, const Machine *machine);

// The cycle in which its network begins with the request.
int64_t dm_take(DmSide *side, int64_t address, int64_t bytes);

// Cycles until the next engine could begin; what is left of the last request then is latency.
int64_t dm_end(const DmSide *side);

#endif
