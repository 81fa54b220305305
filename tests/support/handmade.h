// Operations made by hand: what the compiler rarely makes, and schedules have rules for.
#ifndef CONTRA_TESTS_HANDMADE_H
#define CONTRA_TESTS_HANDMADE_H

#include "cost_support.h"
#include "schedule/schedule.h"

enum { WORD = 8, BANK_ROUND = 128 };

typedef struct {
    Context context;
    int64_t packets;     // of 8 bytes
    int64_t reads;       // in a row from one bank; 0, 1: from one after the other
    int64_t writes;      // in a row to one bank; -1: nothing is written
    int64_t from, to;    // addresses in DM
    int64_t registers;   // of a custom topology; 0: none
    int64_t beats;       // of the Vector Engine; 0: it is not used
    int64_t first_chip;  // of all slices of
    int64_t chips;       // these; 0: one
    int64_t second_base; // an interleaved tensor; 0: none
    int64_t lanes;       // of the MAC array that multiply each packet; 0: it is not used
} PassRow;

// One bank `streak` times, then the next.
static inline HwNest streak_nest(Arena *arena, int64_t base, int64_t packets, int64_t streak)
{
    HwNest nest = {.element_bits = WORD * 8, .base = base, .access_bytes = WORD};
    streak = min_i64(max_i64(streak, 1), packets);
    *array_push(arena, &nest.loops, HwLoop) = (HwLoop){.size = packets / streak, .stride = 1};
    *array_push(arena, &nest.loops, HwLoop) = (HwLoop){.size = streak, .stride = BANK_ROUND / WORD};
    return nest;
}

static inline void add_extras(Arena *arena, const PassRow *row, HwPipeline *pass)
{
    if (row->registers) {
        HwSwitchRoute *route = arena_new(arena, HwSwitchRoute, 1);
        *route = (HwSwitchRoute){.ring_size = 1,
                                 .in_time = row->packets,
                                 .packet_bytes = WORD,
                                 .writes_registers = true,
                                 .register_writes = row->registers,
                                 .packet_flits = 1};
        pass->route = route;
    }
    if (row->beats) {
        HwVector *vector = arena_new(arena, HwVector, 1);
        *array_push(arena, &vector->steps, HwVectorStep) =
            (HwVectorStep){.time = row->beats, .packet_elements = 4, .way = 4};
        vector->in_time = row->packets;
        pass->vector = vector;
    }
    if (row->lanes) {
        HwStreamAdapt *adapt = arena_new(arena, HwStreamAdapt, 1);
        HwReduce *reduce = arena_new(arena, HwReduce, 1);
        *adapt = (HwStreamAdapt){.data_bytes = 64, .in_time = row->packets};
        *reduce = (HwReduce){.packet_elements = row->lanes, .in_time = row->packets, .rows = 8};
        pass->adapt = adapt;
        pass->reduce = reduce;
    }
}

static inline HwCommand handmade_pass(Arena *arena, const PassRow *row)
{
    HwPipeline *pass = arena_new(arena, HwPipeline, 1);
    HwFetch *fetch = &pass->fetch;
    pass->context = row->context;
    pass->first_chip = row->first_chip;
    pass->chips = max_i64(row->chips, 1);
    pass->clusters = 1;
    pass->slices = 4;
    fetch->nest = streak_nest(arena, row->from, row->packets, row->reads);
    fetch->time = row->packets;
    fetch->packet_bytes = fetch->stream_packet_bytes = WORD;
    fetch->packet_elements = fetch->fetches_per_packet = 1;
    *array_push(arena, &fetch->bases, int64_t) = row->from;
    if (row->second_base) {
        *array_push(arena, &fetch->bases, int64_t) = row->second_base;
        fetch->time = 2 * row->packets;
    }
    if (row->writes >= 0) {
        HwCommit *commit = arena_new(arena, HwCommit, 1);
        *commit = (HwCommit){.commit_in_size = WORD, .writes_per_packet = 1, .time = row->packets};
        commit->nest = streak_nest(arena, row->to, row->packets, row->writes);
        pass->commit = commit;
    }
    add_extras(arena, row, pass);
    return (HwCommand){.pass = pass};
}

static inline void add_operation(Arena *arena, HwObject *object, Context context,
                                 const char *method, HwCommand command)
{
    HwOperation *operation = array_push(arena, &object->operations, HwOperation);
    *operation = (HwOperation){.method = str_from(method), .context = context, .writes = -1};
    operation->line = object->operations.count;
    *array_push(arena, &operation->commands, HwCommand) = command;
}

static inline void add_pass(Arena *arena, HwObject *object, const PassRow *row)
{
    add_operation(arena, object, row->context, "pass", handmade_pass(arena, row));
}

static inline HwDescriptor *add_dma(Arena *arena, HwObject *object, const DescriptorRow *row)
{
    HwDmaCommand *dma = dma_of(arena, row, 1);
    add_operation(arena, object, row->cluster < 0 ? CONTEXT_PDMA : CONTEXT_TDMA, "move",
                  (HwCommand){.dma = dma});
    return &dma->descriptors.items[0];
}

#endif
