// What the bits of an address choose in the memories of a chip: which requests can be served at
// once, and which wait for each other. Manual: Memory Performance, Address Space.
#ifndef CONTRA_MACHINE_ADDRESS_H
#define CONTRA_MACHINE_ADDRESS_H

#include "machine/machine.h"

typedef struct {
    int64_t stack, channel; // of the stack
    int64_t slice, bank_group, bank, row;
    int64_t byte; // in the row
} HbmAddress;

HbmAddress machine_hbm_address(const Machine *machine, int64_t address);

// The channel among all of a chip.
int64_t machine_hbm_port(const Machine *machine, int64_t address);

typedef struct {
    int64_t pair, dmn, slice; // in the cluster: of its DMA Engine, of the network, of the memory
    int64_t bank, row, byte;  // in the slice
} DmAddress;

// An address of a cluster, as DMA has it: a slice is dm_virtual_slice_stride_bytes of addresses.
DmAddress machine_dm_address(const Machine *machine, int64_t address);

#endif
