// Shared by the files of the cost model.
#ifndef CONTRA_COST_INTERNAL_H
#define CONTRA_COST_INTERNAL_H

#include "cost/cost.h"
#include "cost/hbm.h"

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

StreamWalk cost_walk(const DmaStream *stream);
StreamRequest cost_next_request(StreamWalk *walk, int64_t most_bytes);

void cost_dma(const Coster *coster, const DmaStreams *streams, Cost *cost);

// ---- what others measured

// On top of the rules: `cost` has what they say.
void cost_measured_pass(const Coster *coster, const HwPipeline *pass, Cost *cost);
void cost_measured_dma(const Coster *coster, const DmaStreams *streams, Cost *cost);

#endif
