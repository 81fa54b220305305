// Loop nests, executed: sequence.def says what they mean.
#ifndef CONTRA_DEVICE_NEST_H
#define CONTRA_DEVICE_NEST_H

#include "command/command.h"

enum { NEST_MOST_LOOPS = 64 };

// Where iteration `number` of the loops that are, or are not, of the packet leads, in elements.
int64_t loops_offset(const HwLoop *loops, int64_t count, bool packet, int64_t number);

// Whether a slice is in a list of bitmaps.
bool bits_have(const HwClusterBits *rows, int64_t count, int64_t chip, int64_t cluster,
               int64_t slice);

#endif
