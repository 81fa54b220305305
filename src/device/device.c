#include "device/internal.h"
#include "device/nest.h"

#include "base/checked.h"

#ifdef _OPENMP
#include <omp.h>
#endif
#include <stdlib.h>
#include <string.h>

// ---- memories

static bool space_new(Space *space, int64_t bytes)
{
    return reserve(&space->bytes, bytes) && reserve(&space->written, ceil_div(bytes, 8));
}

static void space_free(Space *space)
{
    reservation_free(&space->bytes);
    reservation_free(&space->written);
}

static Memory space_part(const Space *space, int64_t number, int64_t size)
{
    return memory_at_part(&space->bytes, &space->written, number * size, size);
}

static int64_t slices_per_chip(const Machine *machine)
{
    return machine->clusters_per_chip * machine->slices_per_cluster;
}

static bool make_chip(const Machine *machine, Chip *chip)
{
    int64_t slices = slices_per_chip(machine);
    int64_t dm = machine->dm_bytes_per_slice, vrf = machine->vrf_bytes_per_slice;
    int64_t slots = machine->trf_bank_rows * machine->trf_bank_columns *
                    machine->trf_rows_per_bank * machine->trf_slots_per_row;
    chip->slices = calloc((size_t)slices, sizeof *chip->slices);
    if (!chip->slices || !space_new(&chip->hbm_space, machine->hbm_bytes_per_chip) ||
        !space_new(&chip->dm_space, slices * dm) || !space_new(&chip->vrf_space, slices * vrf) ||
        !reserve(&chip->trf_space, slices * slots))
        return false;
    chip->hbm = space_part(&chip->hbm_space, 0, machine->hbm_bytes_per_chip);
    for (int64_t i = 0; i < slices; i++)
        chip->slices[i] = (Slice){.dm = space_part(&chip->dm_space, i, dm),
                                  .vrf = space_part(&chip->vrf_space, i, vrf),
                                  .trf = {.slots = chip->trf_space.bytes + i * slots,
                                          .count = slots,
                                          .rows_per_bank = machine->trf_rows_per_bank}};
    return true;
}

static int64_t most_threads(void)
{
#ifdef _OPENMP
    return omp_get_max_threads();
#else
    return 1;
#endif
}

Scratch *device_scratch(const Device *device)
{
#ifdef _OPENMP
    return &device->scratch[omp_get_thread_num()];
#else
    return device->scratch;
#endif
}

Device *device_new(const Machine *machine, int64_t chips)
{
    Device *device = calloc(1, sizeof *device);
    if (!device)
        return NULL;
    device->machine = machine;
    device->chip_count = chips;
    device->isa = isa_best();
    device->threads = device->scratch_count = most_threads();
    device->chips = calloc((size_t)chips, sizeof *device->chips);
    device->scratch = calloc((size_t)device->threads, sizeof *device->scratch);
    bool ok = device->chips && device->scratch;
    for (int64_t i = 0; i < chips && ok; i++)
        ok = make_chip(machine, &device->chips[i]);
    if (ok)
        return device;
    device_free(device);
    return NULL;
}

static void free_chip(Chip *chip)
{
    space_free(&chip->hbm_space);
    space_free(&chip->dm_space);
    space_free(&chip->vrf_space);
    reservation_free(&chip->trf_space);
    free(chip->slices);
}

void device_free(Device *device)
{
    if (!device)
        return;
    for (int64_t i = 0; device->chips && i < device->chip_count; i++)
        free_chip(&device->chips[i]);
    for (int64_t i = 0; i < device->host_count; i++)
        space_free(&device->hosts[i].space);
    for (int64_t i = 0; device->scratch && i < device->scratch_count; i++)
        scratch_free(&device->scratch[i]);
    free(device->scratch);
    free(device->hosts);
    free(device->chips);
    free(device);
}

void device_watch(Device *device, DeviceWatch watch)
{
    device->watch = watch;
}

void device_use_threads(Device *device, int64_t threads)
{
    device->threads = max_i64(1, min_i64(threads, device->scratch_count));
}

void device_use_isa(Device *device, Isa isa)
{
    if (isa_is_here(isa))
        device->isa = isa;
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
    int64_t size = device->machine->hbm_bytes_per_chip;
    HostBuffer *host = &device->hosts[device->host_count];
    *host = (HostBuffer){.tensor = tensor};
    if (!space_new(&host->space, size)) {
        space_free(&host->space);
        device->failed = true;
        return NULL;
    }
    host->memory = space_part(&host->space, 0, size);
    device->host_count++;
    return &host->memory;
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
        ok &= argument->tier != TIER_HOST || place.memory;
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

bool device_put_bytes(Device *device, const HwArgument *argument, const void *bytes, int64_t count)
{
    int64_t chip_bytes = count / argument->chips;
    if (argument->tier != TIER_HBM || argument->chips > device->chip_count ||
        count != argument->chips * argument->bytes)
        return false;
    for (int64_t i = 0; i < argument->chips; i++) {
        Memory *memory = &device->chips[i].hbm;
        if (!memory_holds(memory, argument->address, argument->address + chip_bytes))
            return false;
        memcpy(memory->bytes + argument->address, (const uint8_t *)bytes + i * chip_bytes,
               (size_t)chip_bytes);
        memory_mark(memory, argument->address, argument->address + chip_bytes);
    }
    return true;
}

bool device_get_bytes(const Device *device, const HwArgument *argument, void *bytes, int64_t count)
{
    int64_t chip_bytes = count / argument->chips, end = argument->address + chip_bytes;
    bool whole = true;
    if (argument->tier != TIER_HBM || argument->chips > device->chip_count ||
        count != argument->chips * argument->bytes)
        return false;
    for (int64_t i = 0; i < argument->chips; i++) {
        const Memory *memory = &device->chips[i].hbm;
        if (!memory_holds(memory, argument->address, end))
            return false;
        memcpy((uint8_t *)bytes + i * chip_bytes, memory->bytes + argument->address,
               (size_t)chip_bytes);
        whole &= memory_is_written(memory, argument->address, end);
    }
    return whole;
}

void device_forget_argument(Device *device, const HwArgument *argument)
{
    int64_t places = device_positions(argument) / argument->elements;
    for (int64_t i = 0; i < places; i++) {
        ArgumentPlace place = place_of(device, argument, i);
        int64_t from = place.bit / 8;
        if (place.memory)
            memory_forget_part(place.memory, from, from + argument->bytes);
    }
}

// ---- programs

typedef struct {
    PassPlan *pass;
    DmaPlan *dma;
} CommandPlan;

struct DeviceProgram {
    const HwObject *object;
    CommandPlan **plans; // by operation, one a command; made when it is first executed
};

DeviceProgram *device_program_new(const HwObject *object)
{
    DeviceProgram *program = calloc(1, sizeof *program);
    if (!program)
        return NULL;
    program->object = object;
    program->plans = calloc((size_t)object->operations.count + 1, sizeof *program->plans);
    if (program->plans)
        return program;
    free(program);
    return NULL;
}

void device_program_free(DeviceProgram *program)
{
    if (!program)
        return;
    for (int64_t i = 0; i < program->object->operations.count; i++) {
        int64_t count = program->object->operations.items[i].commands.count;
        for (int64_t k = 0; program->plans[i] && k < count; k++) {
            pass_plan_free(program->plans[i][k].pass);
            dma_plan_free(program->plans[i][k].dma);
        }
        free(program->plans[i]);
    }
    free(program->plans);
    free(program);
}

// NULL: no memory.
static CommandPlan *find_plan(const Device *device, DeviceProgram *program, int64_t operation,
                              int64_t number)
{
    const HwOperation *from = &program->object->operations.items[operation];
    const HwCommand *command = &from->commands.items[number];
    CommandPlan **row = &program->plans[operation];
    if (!*row)
        *row = calloc((size_t)from->commands.count, sizeof **row);
    if (!*row)
        return NULL;
    CommandPlan *plan = &(*row)[number];
    if (command->pass && !plan->pass && !(plan->pass = pass_plan_new(device, command->pass)))
        return NULL;
    if (command->dma && !plan->dma && !(plan->dma = dma_plan_new(device, command->dma)))
        return NULL;
    return plan;
}

// ---- commands

static bool no_memory(DiagList *diags)
{
    diag_add(diags, DIAG_RUN_NO_MEMORY, SPAN_NOWHERE, "the memories of the chips do not fit");
    return false;
}

void device_begin(Device *device)
{
    for (int64_t i = 0; i < device->chip_count; i++)
        for (int64_t k = 0; k < slices_per_chip(device->machine); k++) {
            Slice *slice = &device->chips[i].slices[k];
            memory_forget(&slice->dm);
            memory_forget(&slice->vrf);
            trf_forget(&slice->trf);
        }
}

bool device_execute(Device *device, DeviceProgram *program, int64_t number, DiagList *diags)
{
    const HwOperation *operation = &program->object->operations.items[number];
    for (int64_t i = 0; i < operation->commands.count; i++) {
        const HwCommand *command = &operation->commands.items[i];
        const CommandPlan *plan = find_plan(device, program, number, i);
        if (!plan)
            return no_memory(diags);
        if (command->pass && !pass_execute(device, command->pass, plan->pass))
            return device_is_cancelled(device) ? false : no_memory(diags);
        if (command->dma && !dma_execute(device, command->dma, plan->dma, operation, diags))
            return false;
        if (command->immediate)
            immediate_execute(device, command->immediate);
    }
    return device->failed ? no_memory(diags) : true;
}

bool device_run(Device *device, DeviceProgram *program, DiagList *diags)
{
    for (int64_t i = 0; i < program->object->operations.count; i++)
        if (!device_execute(device, program, i, diags))
            return false;
    return true;
}
