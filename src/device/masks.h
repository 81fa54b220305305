// Masks of a stream, worked out once: runs of positions, packet by packet.
#ifndef CONTRA_DEVICE_MASKS_H
#define CONTRA_DEVICE_MASKS_H

#include "device/data.h"

// Elements `from` to `to - 1` of a packet.
typedef struct {
    int32_t from, to;
} LaneRun;

// The mask registers of a fetch, with the sizes that they depend on.
typedef struct {
    const HwMask *mask;              // NULL: there are checks instead
    int64_t inner;                   // iterations of the innermost loop
    bool is_always;                  // every step is the first and the last of last_dim
    int64_t last_place, last_size;   // last_dim: elements of the nest per step, and steps
    int64_t count_place, count_size; // the same for valid_count_dim
    int64_t bases;
} MaskRegisters;

typedef struct {
    const HwClusterBits *bitmaps; // slices that it applies to
    int64_t bitmap_count;         // 0: all slices
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

// Packets have `lanes` positions. The runs of a fetch are runs of padding, those of a commit runs
// of data. False: no memory.
bool masks_new_fetch(Masks *masks, const HwFetch *fetch, int64_t packets, int64_t lanes);
bool masks_new_commit(Masks *masks, const HwCommit *commit, int64_t packets, int64_t lanes);
void masks_free(Masks *masks);

// The mask of a slice; NULL: it has none.
const MaskPlan *masks_find(const Masks *masks, int64_t chip, int64_t cluster, int64_t slice);

// The runs of a packet. Where they are not listed, they are written to `room`, for lanes / 2 + 1.
const LaneRun *masks_packet(const Masks *masks, const MaskPlan *mask, int64_t packet, LaneRun *room,
                            int64_t *count);

#endif
