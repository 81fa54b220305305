// Copies that change the order: elements of any size from one pair of strides to another.
#ifndef CONTRA_DEVICE_LOOPS_COPY_H
#define CONTRA_DEVICE_LOOPS_COPY_H

#include "device/loops/loops.h"

#include <stdint.h>

// rows x cols elements. Those of the destination do not overlap; an element of the source is
// nowhere in the destination, unless it stays where it is.
typedef struct {
    uint8_t *dest;
    const uint8_t *source;
    int64_t bytes; // of an element
    int64_t rows, cols;
    int64_t dest_row, dest_col, source_row, source_col; // strides, in bytes
} CopyTile;

typedef struct {
    void (*tile)(const CopyTile *tile);
    void (*run)(uint8_t *dest, const uint8_t *source, int64_t count); // the same of bytes in a row
} CopyLoops;

LOOPS_TABLE(CopyLoops, copy_loops);

#endif
