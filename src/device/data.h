// Which positions are data, and which padding, as the records say it.
#ifndef CONTRA_DEVICE_DATA_H
#define CONTRA_DEVICE_DATA_H

#include "command/command.h"

// What an object may hold; more are refused before anything is executed.
enum { DATA_MOST_CHECKS = 256 };

// For how many positions from `first` on, `most` at most, the answer is the same; *is_data: which.
int64_t data_run(const HwCheckList *test, int64_t first, int64_t most, bool *is_data);

// data[i] = 1 where position first + i is data.
void data_lanes(const HwCheckList *test, int64_t first, int64_t count, uint8_t *data);

// Positions first + from .. first + to - 1 are data.
typedef void DataRun(void *own, int64_t from, int64_t to);

// All runs of data among them, in order.
void data_runs(const HwCheckList *test, int64_t first, int64_t count, DataRun *run, void *own);

// ---- whole runs of positions, without looking at each

typedef enum { DATA_NONE, DATA_SOME, DATA_ALL } DataShare;

// How many of `count` positions from `first` on are data; DATA_SOME if that is uncertain.
DataShare data_share(const HwCheckList *test, int64_t first, int64_t count);
// Whether `count` positions from `first` on and as many from `other` on agree, position by
// position, on which are data; false if that is uncertain.
bool data_alike(const HwCheckList *test, int64_t first, int64_t other, int64_t count);

// Whether no answer depends on the part of the position between `from` and `to`: on
// position % to / from. Both are multiples of what is below them; INT64_MAX: all that is above.
bool data_ignores(const HwCheckList *test, int64_t from, int64_t to);

// ---- masks of a stream, worked out once as runs of positions per packet

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
    const HwClusterBitsList *bitmaps; // slices that it applies to; none: all
    MaskRegisters registers;
    const HwCheckList *test;
    LaneRun *runs;  // NULL: too many to keep; they are found when needed
    int32_t *first; // by packet, and one more: its first run
} MaskPlan;

typedef struct {
    MaskPlan *items;
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
