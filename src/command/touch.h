// The bytes that an operation touches, as loops over addresses: from the records of its commands
// alone. What depends on data (gather, scatter, filters) touches all that it could; of TRF a half
// is touched as a whole. Two touches can be asked whether they meet without going through them byte
// by byte.
#ifndef CONTRA_COMMAND_TOUCH_H
#define CONTRA_COMMAND_TOUCH_H

#include "base/array.h"
#include "command/command.h"
#include "command/meet.h"
#include "machine/machine.h"

enum { TOUCH_MOST_LOOPS = 16 };

// Memories that tensors live in, and one that only descriptors name.
enum { TOUCH_SPM = TIER_COUNT, TOUCH_TIERS };

const char *touch_tier_name(Tier tier); // "DM"

// Addresses are bits, because elements of 4 bits exist. In DM, TRF and VRF a slice is
// dm_virtual_slice_stride_bytes of addresses, as DMA has it: slices are one more loop.
typedef struct {
    Tier tier; // or TOUCH_SPM
    bool is_write;
    int64_t tensor;             // of the host: whose bytes; of SPM: its network; -1 elsewhere
    int64_t chip_from, chip_to; // chips that it touches, all alike
    int64_t cluster_from, cluster_to;
    int64_t base, run;                // the first of all; neighbours
    MeetLoop loops[TOUCH_MOST_LOOPS]; // in the order of walks (meet.h)
    int64_t loop_count;
    int64_t extent;    // from the first bit to behind the last
    int64_t low, high; // inside a slice, or of all: bits that it lies between
} Touch;

typedef struct {
    ARRAY(Touch);
} TouchList;

// All touches of an operation, those that go together joined.
void touches_of_operation(Arena *arena, const Machine *machine, const HwOperation *operation,
                          TouchList *list);

// Whether they touch a bit both; *piece is a piece of what they do. Where that takes too long to
// find out they do.
bool touches_meet(const Touch *a, const Touch *b, MeetPiece *piece);

// Whether they touch a bit both that none of the others touches. Likewise.
bool touches_meet_outside(const Touch *a, const Touch *b, const Touch *const *others, int64_t count,
                          MeetPiece *piece);

// Whether all that `b` touches is touched by `a`. False where it is hard to say.
bool touch_covers(const Touch *a, const Touch *b);

// A piece of a touch, in all its units.
Touch touch_piece(const Machine *machine, const Touch *touch, MeetPiece piece);

// Whether they are the same places.
bool touch_is_same(const Touch *a, const Touch *b);

#endif
