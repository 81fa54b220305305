// Random commands that get into each other's way: the operations of several random programs, one
// behind the other on the same memories, where each reads and writes over what the others left. And
// any commands on memories full of random bytes, in any order.
#ifndef CONTRA_TEST_MIX_H
#define CONTRA_TEST_MIX_H

#include "device/device.h"
#include "trial.h"

// In the scratch arena, which is emptied first. NULL: nothing was accepted.
const HwObject *mix_object(Trials *trials, const Machine *machine, Choices *choices,
                           int64_t operations);

// ---- what operations touch

typedef struct {
    const HwObject *object;
    int64_t count; // operations
    bool *meets;   // [earlier x count + later]: one of both writes where the other is
    bool *follows; // the same over any number of operations in between
} Meetings;

// By the touches of src/schedule, each pair by itself.
Meetings mix_meetings(Arena *arena, const Machine *machine, const HwObject *object);
// Adds what follows of `meets`.
void mix_close(Meetings *meetings);
// A random order that keeps what meets.
int64_t *mix_order(Arena *arena, const Meetings *meetings, Choices *choices);

// ---- executing

// Bytes of all tensors of an object in HBM and DM, and of the host.
typedef struct {
    struct {
        ARRAY(HwArgument);
    } places;
    int64_t positions; // of all of them
    uint32_t *bits;
    uint8_t *live;
} MixMemory;

// Random bytes, small numbers and floats among them.
MixMemory mix_memory(Arena *arena, const HwObject *object, uint64_t seed);

typedef enum { MIX_DONE, MIX_ENDED, MIX_NO_MEMORY } MixEnd;

// Executes the operations in this order from `before` on; `after` is what is there then.
MixEnd mix_execute(Arena *arena, const Machine *machine, DeviceProgram *program,
                   const HwObject *object, const int64_t *order, const MixMemory *before,
                   MixMemory *after);

// Empty: both are the same. Otherwise where they are not.
Str mix_difference(Arena *arena, const MixMemory *a, const MixMemory *b);

#endif
