// Addresses of DMA in DM: a slice is more of them than it has bytes.
#ifndef CONTRA_DEVICE_SLICES_H
#define CONTRA_DEVICE_SLICES_H

#include <stdint.h>

// Whole slices of a stride, where a slice is `whole` addresses: the nearest number of them. What is
// left is a step inside the slices.
static inline int64_t nearest_slices(int64_t stride, int64_t whole)
{
    int64_t rest = stride % whole;
    return stride / whole + (rest > whole / 2 ? 1 : rest < -whole / 2 ? -1 : 0);
}

#endif
