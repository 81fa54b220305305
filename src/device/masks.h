// Masks of a stream, worked out once: runs of positions, packet by packet.
#ifndef CONTRA_DEVICE_MASKS_H
#define CONTRA_DEVICE_MASKS_H

#include "device/data.h"

// Elements `from` to `to - 1` of a packet.
typedef struct {
    int32_t from, to;
} LaneRun;

typedef struct {
    const HwMask *mask;
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

typedef enum { MASKS_DATA, MASKS_PADDING } MaskSide;

// Packets of `lanes` positions; the runs are of data, or of padding. False: no memory.
bool masks_new(Masks *masks, const HwMask *from, int64_t count, MaskSide side, int64_t packets,
               int64_t lanes);
void masks_free(Masks *masks);

// The mask of a slice; NULL: it has none.
const MaskPlan *masks_find(const Masks *masks, int64_t chip, int64_t cluster, int64_t slice);

// The runs of a packet. Where they are not listed, they are written to `room`, for lanes / 2 + 1.
const LaneRun *masks_packet(const Masks *masks, const MaskPlan *mask, int64_t packet, LaneRun *room,
                            int64_t *count);

#endif
