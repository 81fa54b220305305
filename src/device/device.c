#include "base/checked.h"
#include "base/heap.h"
#include "base/workers.h"
#include "command/nest.h"
#include "device/internal.h"
#include "device/isa.h"
#include "device/sanitize.h"

#include <string.h>

#if CONTRA_HAVE_AVX
#include <cpuid.h>
#endif

const char *isa_name(Isa isa)
{
    static const char *const names[] = {"plain", "avx2", "avx512"};
    return names[isa];
}

Isa isa_find(const char *name)
{
    Isa isa = 0;
    while (isa < ISA_COUNT && strcmp(isa_name(isa), name) != 0)
        isa++;
    return isa;
}

bool isa_is_here(Isa isa)
{
    if (isa == ISA_PLAIN)
        return true;
#if CONTRA_HAVE_AVX
    __builtin_cpu_init();
    unsigned a, b, c, d; // clang has no name for F16C
    bool f16c = __get_cpuid(1, &a, &b, &c, &d) && c & bit_F16C;
    bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && f16c;
    if (isa == ISA_AVX2)
        return avx2;
    return avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
#else
    return false;
#endif
}

Isa isa_best(void)
{
    Isa isa = ISA_COUNT - 1;
    while (!isa_is_here(isa))
        isa--;
    return isa;
}

// Cells of a stream that stay in a cache of the processor while all that is multiplied with them
// goes by.
enum { CELLS_NEAR = 16 << 10 };

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
    return memory_at_part(&space->bytes, &space->written, number * slice_pitch(size), size);
}

static int64_t slices_per_chip(const Machine *machine)
{
    return machine->clusters_per_chip * machine->slices_per_cluster;
}

static bool make_chip(const Machine *machine, Chip *chip)
{
    int64_t slices = slices_per_chip(machine);
    int64_t dm = machine->dm_bytes_per_slice, vrf = machine->vrf_bytes_per_slice;
    int64_t trf = machine->trf_bank_rows * machine->trf_bank_columns * machine->trf_rows_per_bank *
                  machine->trf_row_bytes;
    chip->slices = heap_zeroed(slices, sizeof *chip->slices);
    if (!chip->slices || !space_new(&chip->hbm_space, machine->hbm_bytes_per_chip) ||
        !space_new(&chip->dm_space, slices * slice_pitch(dm)) ||
        !space_new(&chip->vrf_space, slices * slice_pitch(vrf)) ||
        !reserve(&chip->trf_space, slices * trf_space(trf)))
        return false;
    chip->hbm = space_part(&chip->hbm_space, 0, machine->hbm_bytes_per_chip);
    for (int64_t i = 0; i < slices; i++)
        chip->slices[i] = (Slice){.dm = space_part(&chip->dm_space, i, dm),
                                  .vrf = space_part(&chip->vrf_space, i, vrf),
                                  .trf = trf_new(chip->trf_space.bytes + i * trf_space(trf), trf,
                                                 machine->trf_rows_per_bank)};
    return true;
}

Scratch *device_scratch(const Device *device)
{
    return &device->scratch[workers_thread()];
}

Device *device_new(const Machine *machine, int64_t chips)
{
    Device *device = heap_zeroed(1, sizeof *device);
    if (!device)
        return NULL;
    device->machine = machine;
    device->chip_count = chips;
    device->isa = isa_best();
    device->part = CELLS_NEAR;
    device->threads = device->scratch_count = workers_most();
    device->chips = heap_zeroed(chips, sizeof *device->chips);
    device->scratch = heap_zeroed(device->threads, sizeof *device->scratch);
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
    heap_free(chip->slices);
    heap_free(chip->bound.items);
}

void device_free(Device *device)
{
    if (!device)
        return;
    for (int64_t i = 0; device->chips && i < device->chip_count; i++)
        free_chip(&device->chips[i]);
    for (int64_t i = 0; i < device->hosts.count; i++)
        space_free(&device->hosts.items[i].space);
    for (int64_t i = 0; device->scratch && i < device->scratch_count; i++)
        scratch_free(&device->scratch[i]);
    sanitizer_free(device->sanitizer);
    heap_free(device->scratch);
    heap_free(device->hosts.items);
    heap_free(device->chips);
    heap_free(device);
}

bool device_grow(Device *device, int64_t chips)
{
    if (chips <= device->chip_count)
        return true;
    Chip *more = heap_resize(device->chips, sizeof *more * chips);
    if (!more)
        return false;
    device->chips = more;
    bool ok = true;
    int64_t had = device->chip_count;
    for (; device->chip_count < chips && ok; device->chip_count += ok) {
        more[device->chip_count] = (Chip){0};
        ok = make_chip(device->machine, &more[device->chip_count]);
    }
    if (!ok)
        free_chip(&more[device->chip_count]);
    ok = (!device->sanitizer || sanitize_grow(device)) && ok;
    while (!ok && device->chip_count > had)
        free_chip(&more[--device->chip_count]);
    return ok;
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

void device_use_part(Device *device, int64_t cells)
{
    device->part = max_i64(1, cells);
}

static bool device_is_cancelled(const Device *device)
{
    return device->watch.is_cancelled && device->watch.is_cancelled(device->watch.own);
}

Watched watched_new(const Device *device)
{
    return (Watched){
        .device = device, .caller = device_scratch(device), .stop = device_is_cancelled(device)};
}

bool watched_goes_on(Watched *watched, int64_t work)
{
    if (device_scratch(watched->device) == watched->caller) {
        watched->since += work;
        if (watched->since >= WATCHED_WORK) {
            watched->since = 0;
            if (device_is_cancelled(watched->device))
                __atomic_store_n(&watched->stop, true, __ATOMIC_RELAXED);
        }
    }
    return !__atomic_load_n(&watched->stop, __ATOMIC_RELAXED);
}

Memory *device_host(Device *device, int64_t tensor)
{
    for (int64_t i = 0; i < device->hosts.count; i++)
        if (device->hosts.items[i].tensor == tensor)
            return &device->hosts.items[i].memory;
    // the host has what it needs: as much as a chip can address
    int64_t size = device->machine->hbm_bytes_per_chip;
    HostBuffer *host = heap_append(&device->hosts, HostBuffer);
    if (host)
        *host = (HostBuffer){.tensor = tensor};
    if (host && space_new(&host->space, size)) {
        host->memory = space_part(&host->space, 0, size);
        return &host->memory;
    }
    if (host)
        space_free(&device->hosts.items[--device->hosts.count].space);
    device->failed = true;
    return NULL;
}

// ---- programs

typedef struct {
    PassPlan *pass;
    DmaPlan *dma;
    CheckPlan *check;
} CommandPlan;

struct DeviceProgram {
    const HwObject *object;
    CommandPlan **plans; // by operation, one a command; made when it is first executed
    uint8_t *joined;     // by operation: how many passes join from it on. 0: not known yet
};

DeviceProgram *device_program_new(const HwObject *object)
{
    DeviceProgram *program = heap_zeroed(1, sizeof *program);
    if (!program)
        return NULL;
    program->object = object;
    program->plans = heap_zeroed(object->operations.count + 1, sizeof *program->plans);
    program->joined = heap_zeroed(object->operations.count + 1, sizeof *program->joined);
    if (program->plans && program->joined)
        return program;
    heap_free(program->plans);
    heap_free(program->joined);
    heap_free(program);
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
            check_plan_free(program->plans[i][k].check);
        }
        heap_free(program->plans[i]);
    }
    heap_free(program->plans);
    heap_free(program->joined);
    heap_free(program);
}

// NULL: no memory.
static CommandPlan *find_plan(const Device *device, DeviceProgram *program, int64_t operation,
                              int64_t number)
{
    const HwOperation *from = &program->object->operations.items[operation];
    const HwCommand *command = &from->commands.items[number];
    CommandPlan **row = &program->plans[operation];
    if (!*row)
        *row = heap_zeroed(from->commands.count, sizeof **row);
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
    return diag_no_memory(diags, SPAN_NOWHERE, "the memories of the chips do not fit");
}

static void slice_forget(Slice *slice)
{
    if (slice->dm.used) // most of them are not: a tiny kernel should begin at once
        memory_forget(&slice->dm);
    if (slice->vrf.used)
        memory_forget(&slice->vrf);
    if (slice->trf.is_used)
        trf_forget(&slice->trf);
}

static void forget_slices(void *own, int64_t from, int64_t to)
{
    const Device *device = own;
    int64_t slices = slices_per_chip(device->machine);
    for (int64_t i = from; i < to; i++)
        slice_forget(&device->chips[i / slices].slices[i % slices]);
}

void device_begin(Device *device)
{
    enum { WORTH_THREADS = 64 };
    int64_t slices = slices_per_chip(device->machine), much = 0;
    device->failed = false;
    for (int64_t i = 0; i < device->chip_count * slices; i++)
        much += device->chips[i / slices].slices[i % slices].trf.is_used;
    workers_run(device->chip_count * slices, slices / 16 + 1,
                much >= WORTH_THREADS ? device->threads : 1, forget_slices, device);
    if (device->sanitizer)
        sanitize_begin(device);
}

bool device_execute(Device *device, DeviceProgram *program, int64_t number, DiagList *diags)
{
    const HwOperation *operation = &program->object->operations.items[number];
    if (device->sanitizer)
        sanitize_operation(device, program->object, number);
    for (int64_t i = 0; i < operation->commands.count; i++) {
        const HwCommand *command = &operation->commands.items[i];
        CommandPlan *plan = find_plan(device, program, number, i);
        if (!plan || (device->sanitizer && !sanitize_command(device, command, &plan->check)))
            return no_memory(diags);
        PassStep step = {command->pass, plan->pass};
        if (command->pass && !passes_execute(device, &step, 1))
            return device_is_cancelled(device) ? false : no_memory(diags);
        if (command->dma && !dma_execute(device, command->dma, plan->dma, operation, diags))
            return false;
        if (command->immediate)
            immediate_execute(device, command->immediate);
        if (device->sanitizer)
            sanitize_executed(device, command, plan->check);
    }
    return device->failed ? no_memory(diags) : true;
}

// The pass that is all of an operation. False: it is something else, or there is no memory.
static bool find_step(const Device *device, DeviceProgram *program, int64_t number, PassStep *step)
{
    const HwOperation *operation = &program->object->operations.items[number];
    if (operation->commands.count != 1 || !operation->commands.items[0].pass)
        return false;
    const CommandPlan *plan = find_plan(device, program, number, 0);
    if (plan)
        *step = (PassStep){operation->commands.items[0].pass, plan->pass};
    return plan;
}

// Passes from operation `number` on that join.
static int64_t find_steps(const Device *device, DeviceProgram *program, int64_t number,
                          PassStep *steps)
{
    int64_t known = program->joined[number], count = 0;
    int64_t most =
        known ? known : min_i64(PASS_MOST_JOINED, program->object->operations.count - number);
    while (count < most && find_step(device, program, number + count, &steps[count]) &&
           (known || !count || pass_joins(steps, count, &steps[count])))
        count++;
    program->joined[number] = (uint8_t)max_i64(count, 1);
    return count;
}

int64_t device_execute_joined(Device *device, DeviceProgram *program, int64_t number,
                              DiagList *diags)
{
    PassStep steps[PASS_MOST_JOINED];
    int64_t count = device->sanitizer ? 0 : find_steps(device, program, number, steps);
    if (count < 2)
        return device_execute(device, program, number, diags);
    if (passes_execute(device, steps, count))
        return count;
    if (!device_is_cancelled(device))
        no_memory(diags);
    return 0;
}

void device_check_result(Device *device, const DeviceProgram *program, const HwArgument *result)
{
    if (device->sanitizer)
        sanitize_result(device, program->object->operations.count, result);
}

bool device_run(Device *device, DeviceProgram *program, DiagList *diags)
{
    int64_t done = 1;
    for (int64_t i = 0; i < program->object->operations.count && done; i += done)
        done = device_execute_joined(device, program, i, diags);
    return done;
}

// ---- how much there is

int64_t device_written_bytes(const Device *device)
{
    int64_t count = 0;
    for (int64_t i = 0; i < device->chip_count; i++) {
        count += memory_written_bytes(&device->chips[i].hbm);
        for (int64_t k = 0; k < slices_per_chip(device->machine); k++) {
            const Slice *slice = &device->chips[i].slices[k];
            count += memory_written_bytes(&slice->dm) + memory_written_bytes(&slice->vrf) +
                     trf_written_bytes(&slice->trf);
        }
    }
    return count;
}
