// The channels of HBM, unit by unit: which channel, which bank, which row.
// Manual: Memory Performance, High-Bandwidth Memory.
#ifndef CONTRA_COST_HBM_H
#define CONTRA_COST_HBM_H

#include "base/arena.h"
#include "machine/machine.h"

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

// Of one unit on a channel, and of a row switch.
int64_t hbm_unit_ticks(const Machine *machine);
int64_t hbm_switch_ticks(const Machine *machine);

#endif
