// Loop nests, executed: sequence.def says what they mean.
#ifndef CONTRA_DEVICE_NEST_H
#define CONTRA_DEVICE_NEST_H

#include "command/command.h"

enum { NEST_MOST_LOOPS = 64 };

// A walk over the elements of a nest, in order.
typedef struct {
    const HwNest *nest;
    int64_t index[NEST_MOST_LOOPS];
    int64_t element; // where it is, from the base on
} NestWalk;

// Goes to element number `at`.
void nest_seek(NestWalk *walk, const HwNest *nest, int64_t at);

// The next elements that lie one behind the other: how many, `most` at most. *bit: where the first
// one is.
int64_t nest_take(NestWalk *walk, int64_t most, int64_t *bit);

// Where iteration `number` of the loops that are, or are not, of the packet leads, in elements.
int64_t loops_offset(const HwLoop *loops, int64_t count, bool packet, int64_t number);

// Whether a slice is in a list of bitmaps.
bool bits_have(const HwClusterBits *rows, int64_t count, int64_t chip, int64_t cluster,
               int64_t slice);

#endif
