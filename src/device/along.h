// What is read along with a stream, element by element: VRF or the stash, by a nest of loops that
// is worked out once.
#ifndef CONTRA_DEVICE_ALONG_H
#define CONTRA_DEVICE_ALONG_H

#include "device/internal.h"

// One loop over elements of the stream; of neighbours that walk on in one step there is one.
typedef struct {
    int64_t inside; // elements of the stream that one step takes
    int64_t stride;
    const int64_t *offsets; // instead of a stride. NULL: none
} AlongLoop;

typedef struct {
    int64_t lanes;       // of the packets of the stream. 0: nothing is read
    int64_t least, most; // where it leads, in elements
    int64_t count;
    AlongLoop *loops; // outermost first; the first goes on for ever
    int64_t *table;   // where the lanes of a packet lie, if no loops say it
} AlongPlan;

// False: no memory; what there is of it can be freed.
bool along_plan_new(AlongPlan *plan, const HwNest *nest, int64_t lanes);
void along_plan_free(AlongPlan *plan);

// The values for one slice.
typedef struct {
    const AlongPlan *plan; // NULL: one value for each element of the stream, in order
    const uint32_t *bits;
    const uint8_t *live; // bit 0 of each. NULL: all
    int64_t zero;        // where offset 0 is among them, or would be
    void *own_bits, *own_live;
} Along;

// Either VRF, or the stash where that is NULL. False: no memory.
typedef struct {
    const HwNest *nest;
    const AlongPlan *plan;
    const Memory *vrf;
    const Stream *stash;
    Scalar type;
} AlongSource;

bool along_open(Scratch *scratch, const AlongSource *source, const Stream *stream, Along *along);
void along_close(Scratch *scratch, Along *along);

// Values for elements [from, from + count) of the stream: where they lie, or in `room`, and one
// value for all of them if *is_one.
const uint32_t *along_bits(const Along *along, int64_t from, int64_t count, uint32_t *room,
                           bool *is_one);
const uint8_t *along_live(const Along *along, int64_t from, int64_t count, uint8_t *room);

#endif
