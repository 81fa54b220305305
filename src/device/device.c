#include "device/internal.h"
#include "device/nest.h"

#include "base/checked.h"

#include <stdlib.h>

// ---- memories

static void make_slice(const Machine *machine, Slice *slice)
{
    slice->dm.size = machine->dm_bytes_per_slice;
    slice->vrf.size = machine->vrf_bytes_per_slice;
    slice->trf.rows_per_bank = machine->trf_rows_per_bank;
    slice->trf.count = machine->trf_bank_rows * machine->trf_bank_columns *
                       machine->trf_rows_per_bank * machine->trf_slots_per_row;
}

Device *device_new(const Machine *machine, int64_t chips)
{
    int64_t slices = machine->clusters_per_chip * machine->slices_per_cluster;
    Device *device = calloc(1, sizeof *device);
    if (!device)
        return NULL;
    device->machine = machine;
    device->chip_count = chips;
    device->chips = calloc((size_t)chips, sizeof *device->chips);
    bool ok = device->chips != NULL;
    for (int64_t i = 0; i < chips && ok; i++) {
        Chip *chip = &device->chips[i];
        chip->hbm.size = machine->hbm_bytes_per_chip;
        chip->slices = calloc((size_t)slices, sizeof *chip->slices);
        ok = chip->slices != NULL;
        for (int64_t k = 0; k < slices && ok; k++)
            make_slice(machine, &chip->slices[k]);
    }
    if (ok)
        return device;
    device_free(device);
    return NULL;
}

static void free_chip(const Device *device, Chip *chip)
{
    int64_t slices = device->machine->clusters_per_chip * device->machine->slices_per_cluster;
    memory_free(&chip->hbm);
    for (int64_t i = 0; chip->slices && i < slices; i++) {
        memory_free(&chip->slices[i].dm);
        memory_free(&chip->slices[i].vrf);
        free(chip->slices[i].trf.slots);
    }
    free(chip->slices);
}

void device_free(Device *device)
{
    if (!device)
        return;
    for (int64_t i = 0; device->chips && i < device->chip_count; i++)
        free_chip(device, &device->chips[i]);
    for (int64_t i = 0; i < device->host_count; i++)
        memory_free(&device->hosts[i].memory);
    free(device->hosts);
    free(device->chips);
    free(device);
}

void device_watch(Device *device, DeviceWatch watch)
{
    device->watch = watch;
}

bool device_is_cancelled(const Device *device)
{
    return device->watch.is_cancelled && device->watch.is_cancelled(device->watch.own);
}

Slice *device_slice(const Device *device, int64_t chip, int64_t cluster, int64_t slice)
{
    const Machine *machine = device->machine;
    if (chip < 0 || chip >= device->chip_count || cluster < 0 ||
        cluster >= machine->clusters_per_chip || slice < 0 || slice >= machine->slices_per_cluster)
        return NULL;
    return &device->chips[chip].slices[cluster * machine->slices_per_cluster + slice];
}

Memory *device_host(Device *device, int64_t tensor)
{
    for (int64_t i = 0; i < device->host_count; i++)
        if (device->hosts[i].tensor == tensor)
            return &device->hosts[i].memory;
    if (device->host_count == device->host_capacity) {
        int64_t capacity = device->host_capacity * 2 + 8;
        HostBuffer *hosts = realloc(device->hosts, sizeof *hosts * (size_t)capacity);
        device->failed |= !hosts;
        if (!hosts)
            return NULL;
        device->hosts = hosts;
        device->host_capacity = capacity;
    }
    // the host has what it needs: as much as a chip can address
    device->hosts[device->host_count] =
        (HostBuffer){tensor, {.size = device->machine->hbm_bytes_per_chip}};
    return &device->hosts[device->host_count++].memory;
}

// ---- arguments

int64_t device_positions(const HwArgument *argument)
{
    return argument->chips * argument->clusters * argument->slices * argument->rows *
           argument->elements;
}

// One row of an argument in one place.
typedef struct {
    Memory *memory; // NULL: in TRF, or nowhere
    Trf *trf;
    const HwTrfLayout *layout;
    int64_t row;
    int64_t bit; // of position 0
} ArgumentPlace;

static ArgumentPlace place_of(Device *device, const HwArgument *argument, int64_t number)
{
    int64_t row = number % argument->rows, unit = number / argument->rows;
    int64_t slice = unit % argument->slices, cluster = unit / argument->slices % argument->clusters;
    int64_t chip = unit / argument->slices / argument->clusters;
    ArgumentPlace place = {.row = row, .bit = argument->address * 8, .layout = argument->trf};
    Slice *in = device_slice(device, chip, cluster, slice);
    switch (argument->tier) {
    case TIER_HOST:
        place.memory = device_host(device, argument->tensor);
        place.bit = 0;
        break;
    case TIER_HBM:
        place.memory = chip < device->chip_count ? &device->chips[chip].hbm : NULL;
        break;
    case TIER_DM:
        place.memory = in ? &in->dm : NULL;
        break;
    case TIER_VRF:
        place.memory = in ? &in->vrf : NULL;
        break;
    case TIER_TRF:
        place.trf = in && argument->trf ? &in->trf : NULL;
        place.bit = 0;
        break;
    case TIER_COUNT:
        break;
    }
    return place;
}

bool device_put(Device *device, const HwArgument *argument, const uint32_t *bits,
                const uint8_t *live)
{
    int64_t elements = argument->elements, places = device_positions(argument) / elements;
    bool ok = true;
    for (int64_t i = 0; i < places; i++) {
        ArgumentPlace place = place_of(device, argument, i);
        for (int64_t k = 0; k < elements; k += ELEMENT_BLOCK) {
            int64_t count = min_i64(elements - k, ELEMENT_BLOCK), at = i * elements + k;
            int64_t bit = place.bit + k * argument->element_bits;
            if (place.memory)
                memory_store(place.memory, argument->type, bit, count, bits + at, live + at);
            if (place.trf)
                trf_store(place.trf, place.layout, argument->type, place.row, bit / 4, count,
                          bits + at, live + at);
        }
        ok &= !(place.memory && place.memory->failed) && !(place.trf && place.trf->failed);
    }
    return ok;
}

void device_get(const Device *device, const HwArgument *argument, uint32_t *bits, uint8_t *live)
{
    int64_t elements = argument->elements, places = device_positions(argument) / elements;
    for (int64_t i = 0; i < places; i++) {
        ArgumentPlace place = place_of((Device *)(uintptr_t)device, argument, i);
        for (int64_t k = 0; k < elements; k += ELEMENT_BLOCK) {
            int64_t count = min_i64(elements - k, ELEMENT_BLOCK), at = i * elements + k;
            int64_t bit = place.bit + k * argument->element_bits;
            if (place.memory)
                memory_load(place.memory, argument->type, bit, count, bits + at, live + at);
            if (place.trf)
                trf_load(place.trf, place.layout, argument->type, place.row, bit / 4, count,
                         bits + at, live + at);
        }
    }
}

// ---- commands

static bool no_memory(DiagList *diags)
{
    diag_add(diags, DIAG_RUN_NO_MEMORY, SPAN_NOWHERE, "the memories of the chips do not fit");
    return false;
}

bool device_execute(Device *device, const HwOperation *operation, DiagList *diags)
{
    for (int64_t i = 0; i < operation->commands.count; i++) {
        const HwCommand *command = &operation->commands.items[i];
        if (command->pass && !pass_execute(device, command->pass))
            return device_is_cancelled(device) ? false : no_memory(diags);
        if (command->dma && !dma_execute(device, command->dma, operation, diags))
            return false;
        if (command->immediate)
            immediate_execute(device, command->immediate);
    }
    return true;
}

bool device_is_whole(const Device *device, DiagList *diags)
{
    int64_t slices = device->machine->clusters_per_chip * device->machine->slices_per_cluster;
    bool failed = device->failed;
    for (int64_t i = 0; i < device->host_count; i++)
        failed |= device->hosts[i].memory.failed;
    for (int64_t i = 0; i < device->chip_count; i++) {
        const Chip *chip = &device->chips[i];
        failed |= chip->hbm.failed;
        for (int64_t k = 0; k < slices; k++)
            failed |= chip->slices[k].dm.failed || chip->slices[k].vrf.failed ||
                      chip->slices[k].trf.failed;
    }
    return failed ? no_memory(diags) : true;
}

bool device_run(Device *device, const HwObject *object, DiagList *diags)
{
    for (int64_t i = 0; i < object->operations.count; i++)
        if (!device_execute(device, &object->operations.items[i], diags))
            return false;
    return device_is_whole(device, diags);
}
