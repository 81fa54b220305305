// Masks of a stream, worked out once: runs of positions, packet by packet.
#ifndef CONTRA_DEVICE_MASKS_H
#define CONTRA_DEVICE_MASKS_H

#include "device/data.h"

// Elements `from` to `to - 1` of a packet.
typedef struct {
    int32_t from, to;
} LaneRun;

// The registers of a fetch, ready to be asked.
typedef struct {
    const HwMask *mask;            // NULL: these are checks
    int64_t inner;                 // iterations of the innermost loop
    bool is_always;                // last_dim is at its first and last index all the time
    int64_t last_place, last_size; // of last_dim: elements of the nest that a step takes, and steps
    int64_t count_place, count_size; // likewise of valid_count_dim
    int64_t bases;
} MaskRegisters;

typedef struct {
    const HwClusterBits *bitmaps; // slices it is for
    int64_t bitmap_count;         // 0: every one
    MaskRegisters registers;
    DataTest test;
    LaneRun *runs;  // NULL: there are too many, they are found when they are needed
    int32_t *first; // by packet, and one more: its first run
} MaskPlan;

typedef struct {
    MaskPlan *masks;
    int64_t count;
    int64_t lanes;   // of a packet
    bool wants;      // whether runs are of data (true) or of padding
    bool are_listed; // all have their runs
} Masks;

// Packets of `lanes` positions. The runs of a fetch are of padding, those of a commit of data.
// False: no memory.
bool masks_new_fetch(Masks *masks, const HwFetch *fetch, int64_t packets, int64_t lanes);
bool masks_new_commit(Masks *masks, const HwCommit *commit, int64_t packets, int64_t lanes);
void masks_free(Masks *masks);

// The mask of a slice; NULL: it has none.
const MaskPlan *masks_find(const Masks *masks, int64_t chip, int64_t cluster, int64_t slice);

// The runs of a packet. Where they are not listed, they are written to `room`, for lanes / 2 + 1.
const LaneRun *masks_packet(const Masks *masks, const MaskPlan *mask, int64_t packet, LaneRun *room,
                            int64_t *count);

#endif
