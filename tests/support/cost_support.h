// DMA commands made by hand, and their costs.
#ifndef CONTRA_TESTS_COST_SUPPORT_H
#define CONTRA_TESTS_COST_SUPPORT_H

#include "base/checked.h"
#include "cost/cost.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { UNIT = 256, SLICE = 4 << 20, DMN = 128 << 20 };

typedef struct {
    int64_t limit, read, write;
} LoopRow;

typedef struct {
    Media from, to;
    int64_t chip, cluster, engine;
    int64_t source, dest, packet;
    LoopRow loops[8]; // outermost first; 0 ends them
} DescriptorRow;

static inline void add_descriptor(Arena *arena, HwDmaCommand *dma, const DescriptorRow *row)
{
    HwDescriptor *one = array_push(arena, &dma->descriptors, HwDescriptor);
    int64_t packets = 1;
    *one = (HwDescriptor){.chip = row->chip,
                          .cluster = row->cluster,
                          .engine = row->engine,
                          .source_base = row->source,
                          .dest_base = row->dest,
                          .packet_bytes = row->packet,
                          .unit_bits = 8};
    one->source = (HwPlace){.media = row->from, .chip = row->chip, .tensor = -1};
    one->dest = (HwPlace){.media = row->to, .chip = row->chip, .tensor = -1};
    one->source.cluster = row->from == MEDIA_DM ? row->cluster : -1;
    one->dest.cluster = row->to == MEDIA_DM ? row->cluster : -1;
    for (size_t i = 0; i < COUNT_OF(row->loops) && row->loops[i].limit; i++) {
        const LoopRow *loop = &row->loops[i];
        *array_push(arena, &one->loops, HwDmaLoopEntry) = (HwDmaLoopEntry){
            .limit = loop->limit, .source_stride = loop->read, .dest_stride = loop->write};
        packets *= loop->limit;
    }
    one->requests = packets * ceil_div(row->packet, UNIT);
    dma->bytes += packets * row->packet;
}

static inline HwDmaCommand *dma_of(Arena *arena, const DescriptorRow *rows, int64_t count)
{
    HwDmaCommand *dma = arena_new(arena, HwDmaCommand, 1);
    for (int64_t i = 0; i < count; i++)
        add_descriptor(arena, dma, &rows[i]);
    return dma;
}

static inline const Cost *cost_on(Arena *arena, const Machine *machine, CostModel model,
                                  const HwCommand *command)
{
    Arena scratch = {0};
    const Cost *cost = cost_of_command(cost_book_new(arena, &scratch, machine, model), command);
    arena_release(&scratch);
    return cost;
}

static inline const Cost *dma_cost(Arena *arena, const HwDmaCommand *dma)
{
    return cost_on(arena, &machine_rngd, COST_MANUAL, &(HwCommand){.dma = dma});
}

static inline const CostLine *line_of(const Cost *cost, CostPart part)
{
    for (int32_t i = 0; i < cost->line_count; i++)
        if (cost->lines[i].part == part)
            return &cost->lines[i];
    return NULL;
}

#endif
