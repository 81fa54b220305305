#include "machine/address.h"

HbmAddress machine_hbm_address(const Machine *machine, int64_t address)
{
    return (HbmAddress){
        .stack = machine_address_part(&machine->hbm_stack_bits, address),
        .channel = machine_hbm_channel(machine, address),
        .slice = machine_address_part(&machine->hbm_slice_bits, address),
        .bank_group = machine_address_part(&machine->hbm_bank_group_bits, address),
        .bank = machine_address_part(&machine->hbm_bank_bits, address),
        .row = machine_address_part(&machine->hbm_row_bits, address),
        .byte = machine_address_part(&machine->hbm_byte_bits, address),
    };
}

int64_t machine_hbm_port(const Machine *machine, int64_t address)
{
    return machine_address_part(&machine->hbm_stack_bits, address) *
               machine->hbm_channels_per_stack +
           machine_hbm_channel(machine, address);
}

DmAddress machine_dm_address(const Machine *machine, int64_t address)
{
    int64_t slice = address / machine->dm_virtual_slice_stride_bytes;
    int64_t dmn = slice / machine->slices_per_dmn;
    return (DmAddress){
        .pair = dmn / machine->dmns_per_dma_engine,
        .dmn = dmn,
        .slice = slice,
        .bank = machine_address_part(&machine->dm_bank_bits, address),
        .row = machine_address_part(&machine->dm_row_bits, address),
        .byte = machine_address_part(&machine->dm_byte_bits, address),
    };
}
