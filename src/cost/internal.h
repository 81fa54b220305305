// Shared by the files of the cost model.
#ifndef CONTRA_COST_INTERNAL_H
#define CONTRA_COST_INTERNAL_H

#include "base/arena.h"
#include "cost/cost.h"
#include "machine/machine.h"

// The channels of HBM, unit by unit: which channel, which bank, which row.
// Manual: Memory Performance, High-Bandwidth Memory.

// What the bits of addresses choose, a byte of the address at a time. Every component is made of
// bits and their exclusive or, so that those of the bytes are put together in the same way.
enum { HBM_ADDRESS_BYTES = 8, HBM_BYTE_VALUES = 256 };

typedef struct {
    uint64_t parts[HBM_ADDRESS_BYTES][HBM_BYTE_VALUES];
} HbmDecode;

const HbmDecode *hbm_decode_new(Arena *arena, const Machine *machine);

typedef struct HbmModel HbmModel;

HbmModel *hbm_new(Arena *arena, const Machine *machine, const HbmDecode *decode);

// A request, in the order in which they arrive.
void hbm_take(HbmModel *model, int64_t address, int64_t bytes, bool is_write);

typedef struct {
    int64_t requests;              // taken
    int64_t read, write, together; // ticks of the channel that is longest at work
    int64_t channels;              // that have anything to do
    int64_t switches;              // of rows, in all channels
    int64_t unaligned, partial;    // reads across a unit, units that are written in part
    int64_t same_group;            // units that wait for one of their own bank group
} HbmTimes;

HbmTimes hbm_end(HbmModel *model);

// Cycles of the machine's clock.
int64_t hbm_cycles(const Machine *machine, int64_t ticks);

// ----

typedef struct {
    Arena *arena;   // of what costs point at
    Arena *scratch; // empty again after each command
    const Machine *machine;
    CostModel model;
    const HbmDecode *decode;
} Coster;

// A new line of the cost; the last one is taken again where there is no more room.
CostLine *cost_line(Cost *cost, CostPart part, CostOrigin origin, int64_t busy, const char *rule);

// The part that takes longest.
CostPart cost_bound(const Cost *cost);

// `part` of `whole`; exact in between.
int64_t cost_scale(int64_t value, int64_t part, int64_t whole);

// Slices that hold data, over all clusters and chips.
int64_t cost_live_slices(const Machine *machine, const HwPipeline *pass);

// Elements that its nest walks.
int64_t cost_fetch_elements(const HwFetch *fetch);
int64_t cost_commit_elements(const HwCommit *commit);

// Accesses in a row to one bank, of reads and writes at once.
int64_t cost_streaks(int64_t reads, int64_t writes);

// ---- the rules of the manual

void cost_pass(const Coster *coster, const HwPipeline *pass, Cost *cost);
void cost_immediate(const Coster *coster, const HwImmediateWrite *write, Cost *cost);

// A descriptor as far as its cost depends on it: addresses that memories answer alike are one.
typedef struct {
    int64_t limit, source_stride, dest_stride;
} StreamLoop;

enum { STREAM_MOST_LOOPS = 16 };

typedef struct {
    int64_t chip, cluster, engine;
    int64_t source_media, source_chip, source_cluster;
    int64_t dest_media, dest_chip, dest_cluster;
    int64_t source_base, dest_base; // bytes
    int64_t packet_bytes, packets;
    int64_t inter_chip, indirect;
    int64_t loop_count;
    StreamLoop loops[STREAM_MOST_LOOPS]; // outermost first
} DmaStream;

typedef struct {
    DmaStream *items;
    int64_t count;
    int64_t bytes; // moved, without padding
} DmaStreams;

DmaStreams cost_streams(Arena *arena, const Machine *machine, const HwDmaCommand *dma);
int64_t cost_stream_requests(const Machine *machine, const DmaStream *stream);

// Its requests, one after the other.
enum { STREAM_SIDES = 2 }; // 0: reads, 1: writes

typedef struct {
    const DmaStream *stream;
    int64_t index[STREAM_MOST_LOOPS];
    int64_t address[STREAM_SIDES]; // of the packet
    int64_t offset;                // in the packet
} StreamWalk;

typedef struct {
    int64_t address[STREAM_SIDES], bytes;
} StreamRequest;

void cost_dma(const Coster *coster, const DmaStreams *streams, Cost *cost);

// ---- what others measured

// The networks of DM, request by request. Manual: Memory Performance, Optimizing DMA Performance.

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
