// Where descriptors lead. Addresses are flat: of HBM and the host as they stand, of DM slice after
// slice as the memories of a chip lie, so that every stride is one number.
#ifndef CONTRA_DEVICE_DMA_REACH_H
#define CONTRA_DEVICE_DMA_REACH_H

#include "command/command.h"
#include "device/chunks.h"
#include "machine/machine.h"

// The addresses of a place: where slices lie, in units.
typedef struct {
    int64_t whole; // addresses of a slice; 0: there are no slices
    int64_t held;  // what a slice takes in the memory of its chip
    int64_t first; // slice, in the chip
} DmaLayout;

DmaLayout dma_layout(const Machine *machine, const HwPlace *place, int64_t unit_bits);
int64_t dma_flat_base(const DmaLayout *layout, int64_t base);
int64_t dma_flat_stride(const DmaLayout *layout, int64_t stride);

typedef enum { DMA_SIDE_SOURCE, DMA_SIDE_DEST, DMA_SIDE_INDEX, DMA_SIDES } DmaSide;

// The bytes between which all of a side lies.
ByteRange dma_side_range(const Machine *machine, const HwDescriptor *descriptor, DmaSide side);

// Whether the two sides of one descriptor have a byte in common, or could not be told apart.
// Of an index: the descriptor is indirect.
bool dma_sides_meet(const Machine *machine, const HwDescriptor *descriptor, DmaSide a, DmaSide b);

typedef enum { DMA_APART, DMA_MEETING, DMA_NO_MEMORY } DmaMeeting;

// Whether one descriptor of the command writes what another one reads or writes. If that is not
// sure, they do.
DmaMeeting dma_descriptors_meet(const Machine *machine, const HwDmaCommand *command);

#endif
