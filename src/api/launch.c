#include "api/launch.h"

#include "api/execute.h"
#include "base/checked.h"
#include "device/verify.h"
#include "engine/access.h"

#include <stdlib.h>
#include <string.h>

// A place in HBM, or of the host, that is no parameter's: it begins without values.
typedef struct {
    const HwArgument *place;
    bool is_shared; // with a parameter, whose values are there in the beginning
} OwnPlace;

// A kernel that was lowered, with the plans for its commands.
struct ReadyKernel {
    ReadyKernel *next; // that was made before
    const Program *program;
    Lowered lowered;
    DeviceProgram *code; // NULL: others were launched more often since
    int64_t launched;    // when, in launches
    Oracle *oracle;      // that checks it; NULL: none
    bool *is_written;    // one a tensor: of parameters whether any operation does
    struct {
        ARRAY(OwnPlace);
    } own;
};

// A tensor of the host whose bytes lie in HBM as they should.
typedef struct {
    const Tensor *tensor;
    const HwArgument *place;
    bool is_newer; // than its array
} Resident;

struct HostDevice {
    Contra *contra;
    ContraRunOptions options;
    Executor executor;
    Device *device; // made with the first launch
    int64_t chips;
    Arena scratch;
    ReadyKernel *kernels;
    int64_t launches; // so far
    Resident *residents;
    int64_t count, capacity;
};

// ---- values to arrays and back

// Positions and elements are in the same order: no padding, and axes as the array has them.
static bool is_in_order(Arena *arena, const Array *array, const Mapping *mapping)
{
    Mapping normal = mapping_normalise(arena, mapping);
    int64_t axis = array->axes.count - 1;
    if (array->count != mapping->size)
        return false;
    for (int64_t i = 0; i < normal.count; i++) {
        const Factor *factor = &normal.factors[i];
        while (axis >= 0 && array->extents[axis] == 1)
            axis--;
        if (factor->is_padding || axis < 0)
            return false;
        const Term *term = &array->axes.items[axis];
        if (!atom_equal(term->atom, factor->term.atom) || term->stride != factor->term.stride ||
            array->extents[axis] != factor->resize)
            return false;
        axis--;
    }
    return true;
}

// One value a position, with memory of the scratch unless the array has them so.
typedef struct {
    Mapping mapping;
    uint32_t *bits;
    uint8_t *live;
    bool is_array; // these are the array's
} Values;

static Values values_of(HostDevice *host, const Tensor *tensor, Array *array)
{
    Values values = {.mapping = shape_of(&host->scratch, tensor->dims)};
    values.is_array = is_in_order(&host->scratch, array, &values.mapping);
    size_t count = (size_t)values.mapping.size + 1;
    values.bits = values.is_array ? array->bits : arena_new(&host->scratch, uint32_t, count);
    values.live = values.is_array ? array->live : arena_new(&host->scratch, uint8_t, count);
    return values;
}

static bool put_tensor(HostDevice *host, const Tensor *tensor, const HwArgument *place)
{
    Array *array = host->executor.array(host->executor.host, tensor);
    if (!array)
        return false;
    Values values = values_of(host, tensor, array);
    bool ok = (values.is_array ||
               array_read_positions(array, &values.mapping, values.bits, values.live)) &&
              device_put(host->device, place, values.bits, values.live);
    if (ok && !memchr(array->live, 0, (size_t)array->count)) // what has no value is padding
        device_pad(host->device, place, values.live);
    arena_clear(&host->scratch);
    return ok;
}

static bool get_tensor(HostDevice *host, const Tensor *tensor, const HwArgument *place,
                       Array *array)
{
    if (!array)
        return false;
    Values values = values_of(host, tensor, array);
    device_get(host->device, place, values.bits, values.live);
    bool ok =
        values.is_array || array_write_positions(array, &values.mapping, values.bits, values.live);
    arena_clear(&host->scratch);
    return ok;
}

// ---- who lies in HBM

static Resident *find_resident(const HostDevice *host, const Tensor *tensor)
{
    for (int64_t i = 0; i < host->count; i++)
        if (host->residents[i].tensor == tensor)
            return &host->residents[i];
    return NULL;
}

static void add_resident(HostDevice *host, const Tensor *tensor, const HwArgument *place,
                         bool is_newer)
{
    if (host->count == host->capacity) {
        int64_t capacity = host->capacity * 2 + 16;
        Resident *more = realloc(host->residents, sizeof *more * (size_t)capacity);
        if (!more)
            arena_exhausted(&host->contra->arena);
        host->residents = more;
        host->capacity = capacity;
    }
    host->residents[host->count++] = (Resident){tensor, place, is_newer};
}

static bool save(HostDevice *host, Resident *resident)
{
    if (!resident->is_newer)
        return true;
    resident->is_newer = false;
    return get_tensor(host, resident->tensor, resident->place,
                      host->executor.array(host->executor.host, resident->tensor));
}

static bool evict(HostDevice *host, int64_t index)
{
    bool ok = save(host, &host->residents[index]);
    host->residents[index] = host->residents[--host->count];
    return ok;
}

// Whoever lies in these bytes is saved, and lies there no more, but for `count` that are given.
static bool make_room_beside(HostDevice *host, const HwArgument *place, const LaunchTensor *given,
                             int64_t count)
{
    bool ok = true;
    for (int64_t i = host->count - 1; i >= 0; i--) {
        bool is_given = false;
        for (int64_t k = 0; k < count; k++)
            is_given |= given[k].host == host->residents[i].tensor;
        if (!is_given && argument_meets(host->residents[i].place, place))
            ok &= evict(host, i);
    }
    return ok;
}

static bool make_room(HostDevice *host, const HwArgument *place, const Tensor *except)
{
    return make_room_beside(host, place, &(LaunchTensor){.host = except}, 1);
}

// A reshape has the values of what it is another name of.
static bool fetch(void *own, const Tensor *tensor)
{
    HostDevice *host = own;
    bool ok = true;
    if (!host->count)
        return true;
    host->scratch.on_oom = host->contra->arena.on_oom;
    for (; tensor; tensor = tensor->origin == ORIGIN_RESHAPE ? tensor->storage : NULL) {
        Resident *resident = find_resident(host, tensor);
        ok &= !resident || save(host, resident);
    }
    return ok;
}

static void forget(void *own, const Tensor *tensor)
{
    HostDevice *host = own;
    Resident *resident = find_resident(host, tensor);
    if (resident)
        *resident = host->residents[--host->count];
}

// ---- making kernels ready

static bool is_param(const Tensor *tensor)
{
    return tensor_root(tensor)->origin == ORIGIN_PARAM;
}

static void find_writes(ReadyKernel *kernel)
{
    const Program *program = kernel->program;
    for (int64_t i = 0; i < program->ops.count; i++) {
        const Tensor *target = op_target(program->ops.items[i]);
        if (target)
            kernel->is_written[tensor_root(target)->id] = true;
    }
}

// Whether any parameter in HBM but `except` lies in these bytes.
static bool meets_param(const ReadyKernel *kernel, const HwArgument *place, const Tensor *except)
{
    for (int64_t i = 0; i < kernel->program->tensors.count; i++) {
        const Tensor *tensor = kernel->program->tensors.items[i];
        if (tensor != except && tensor->origin == ORIGIN_PARAM &&
            argument_meets(&kernel->lowered.places[tensor->id], place))
            return true;
    }
    return false;
}

static void find_own(Arena *arena, ReadyKernel *kernel)
{
    for (int64_t i = 0; i < kernel->program->tensors.count; i++) {
        const Tensor *tensor = kernel->program->tensors.items[i];
        const HwArgument *place = &kernel->lowered.places[tensor->id];
        if ((tensor->tier == TIER_HBM || tensor->tier == TIER_HOST) && !is_param(tensor))
            *array_push(arena, &kernel->own, OwnPlace) =
                (OwnPlace){place, meets_param(kernel, place, NULL)};
    }
}

// Each has bytes of its own: what one launch reads of two cannot lie in the same.
static bool params_are_apart(const ReadyKernel *kernel, DiagList *why)
{
    for (int64_t i = 0; i < kernel->program->tensors.count; i++) {
        const Tensor *tensor = kernel->program->tensors.items[i];
        if (tensor->origin == ORIGIN_PARAM &&
            meets_param(kernel, &kernel->lowered.places[tensor->id], tensor)) {
            diag_add(why, DIAG_COMPILE_ADDRESS, tensor->span,
                     "the bytes of `%s` are those of another argument, too",
                     tensor->name ? tensor->name : "it");
            return false;
        }
    }
    return true;
}

static bool lower_launch(HostDevice *host, Program *program, ReadyKernel *kernel)
{
    const VerifyLimits limits = {.steps = INT64_MAX, .elements = verify_limits.elements};
    Contra *contra = host->contra;
    DiagList why = {.arena = &contra->arena};
    HwObject *object = &kernel->lowered.object;
    bool ok = program_lower(contra, program, &host->scratch, &why, &kernel->lowered) &&
              params_are_apart(kernel, &why) &&
              object_verify(object->kernel, object, &contra->machine, &limits, &why);
    if (!ok)
        warn_not_lowered(contra, program, &why);
    return ok;
}

static ReadyKernel *ready(void *own, Program *program)
{
    HostDevice *host = own;
    Arena *arena = &host->contra->arena;
    ReadyKernel *kernel = arena_new(arena, ReadyKernel, 1);
    host->scratch.on_oom = arena->on_oom;
    kernel->program = program;
    if (!lower_launch(host, program, kernel))
        return NULL;
    kernel->next = host->kernels;
    host->kernels = kernel;
    kernel->is_written = arena_new(arena, bool, (size_t)program->tensors.count + 1);
    find_writes(kernel);
    find_own(arena, kernel);
    if (host->options.check_oracle) {
        OracleOptions options = oracle_options(&host->options);
        options.progress = NULL;
        kernel->oracle = oracle_new(program, &options, &host->contra->diags);
    }
    if (host->options.check_oracle && !kernel->oracle)
        arena_exhausted(arena);
    return kernel;
}

// ---- launching

// One device for all launches; for more chips than it has it is made anew.
static bool open_device(HostDevice *host, const ReadyKernel *kernel)
{
    int64_t chips = object_chips(&kernel->lowered.object);
    bool ok = true;
    if (host->device && chips <= host->chips)
        return true;
    while (host->count)
        ok &= evict(host, host->count - 1);
    device_free(host->device);
    host->device = device_new(&host->contra->machine, chips);
    host->chips = chips;
    if (ok && host->device && device_set_up(host->device, &host->options))
        return true;
    device_free(host->device); // not one that nobody watches
    host->device = NULL;
    return false;
}

// Plans are kept for some kernels only: one that is launched with ever new numbers is a new kernel
// each time. False: no memory.
static bool make_plans(HostDevice *host, ReadyKernel *kernel)
{
    enum { MOST_KEPT = 256 };
    ReadyKernel *oldest = NULL;
    int64_t kept = 0;
    kernel->launched = ++host->launches;
    if (kernel->code)
        return true;
    for (ReadyKernel *other = host->kernels; other; other = other->next) {
        kept += other->code != NULL;
        if (other->code && (!oldest || other->launched < oldest->launched))
            oldest = other;
    }
    if (kept >= MOST_KEPT) {
        device_program_free(oldest->code);
        oldest->code = NULL;
    }
    kernel->code = device_program_new(&kernel->lowered.object);
    return kernel->code != NULL;
}

// What the kernel writes beside its parameters begins without values.
static bool clear_places(HostDevice *host, const ReadyKernel *kernel, const LaunchTensor *tensors,
                         int64_t count)
{
    bool ok = true;
    for (int64_t i = 0; i < count; i++) { // those that are given stay where they are, if they can
        Resident *resident = find_resident(host, tensors[i].host);
        for (int64_t k = 0; resident && resident->is_newer && k < kernel->own.count; k++)
            if (argument_meets(resident->place, kernel->own.items[k].place))
                ok &= save(host, resident);
    }
    for (int64_t i = 0; i < kernel->own.count; i++) {
        const OwnPlace *place = &kernel->own.items[i];
        if (place->is_shared)
            ok &= make_room_beside(host, place->place, tensors, count);
        else
            ok &= make_room(host, place->place, NULL);
        if (!place->is_shared)
            device_forget_argument(host->device, place->place);
    }
    return ok;
}

static bool put_resident(HostDevice *host, const LaunchTensor *tensor, const HwArgument *place,
                         bool is_written)
{
    Resident *resident = find_resident(host, tensor->host);
    bool ok = true;
    if (resident && (resident->place->address != place->address ||
                     resident->place->elements != place->elements)) {
        ok = evict(host, resident - host->residents);
        resident = NULL;
    }
    if (!resident || is_written)
        ok &= make_room(host, place, tensor->host);
    if (resident)
        return ok && device_keep(host->device, place);
    ok = ok && fetch(host, tensor->host) && put_tensor(host, tensor->host, place);
    add_resident(host, tensor->host, place, false);
    return ok;
}

static bool put_arguments(HostDevice *host, const ReadyKernel *kernel, const LaunchTensor *tensors,
                          int64_t count)
{
    bool ok = true;
    for (int64_t i = 0; i < count && ok; i++) {
        const LaunchTensor *tensor = &tensors[i];
        if (!tensor->kernel)
            continue;
        const HwArgument *place = &kernel->lowered.places[tensor->kernel->id];
        ok = place->tier == TIER_HBM
                 ? put_resident(host, tensor, place, kernel->is_written[tensor->kernel->id])
                 : fetch(host, tensor->host) && put_tensor(host, tensor->host, place);
        if (ok && kernel->oracle)
            ok = fetch(host, tensor->host) &&
                 oracle_bind(kernel->oracle, tensor->kernel,
                             host->executor.array(host->executor.host, tensor->host));
    }
    return ok;
}

// Arrays of what was written are out of date, unless the oracle has written them, too.
static bool note_writes(HostDevice *host, const ReadyKernel *kernel, const LaunchTensor *tensors,
                        int64_t count)
{
    bool ok = true;
    for (int64_t i = 0; i < count; i++) {
        const LaunchTensor *tensor = &tensors[i];
        if (!tensor->kernel || !kernel->is_written[tensor->kernel->id] || kernel->oracle)
            continue;
        Resident *resident = find_resident(host, tensor->host);
        if (resident)
            resident->is_newer = true;
        else
            ok &= get_tensor(host, tensor->host, &kernel->lowered.places[tensor->kernel->id],
                             host->executor.array(host->executor.host, tensor->host));
    }
    for (int64_t i = 0; i < kernel->own.count; i++)
        if (kernel->own.items[i].is_shared)
            ok &= make_room(host, kernel->own.items[i].place, NULL);
    return ok;
}

static bool report_no_memory(const HostDevice *host, const ReadyKernel *kernel)
{
    diag_add(&host->contra->diags, DIAG_RUN_NO_MEMORY, kernel->program->span,
             "there is not enough memory for the tensors of `%s`", kernel->program->name);
    return false;
}

static bool run(void *own, ReadyKernel *kernel, const LaunchTensor *tensors, int64_t count)
{
    HostDevice *host = own;
    host->scratch.on_oom = host->contra->arena.on_oom;
    if (!open_device(host, kernel) || !make_plans(host, kernel))
        return report_no_memory(host, kernel);
    device_begin(host->device);
    if (!clear_places(host, kernel, tensors, count) || !put_arguments(host, kernel, tensors, count))
        return report_no_memory(host, kernel);
    Execution execution = {&host->options,          host->device,         kernel->code,
                           &kernel->lowered.object, kernel->program,      kernel->lowered.places,
                           kernel->oracle,          &host->contra->diags, &host->scratch};
    bool ok = execution_run(&execution);
    if (!note_writes(host, kernel, tensors, count))
        return report_no_memory(host, kernel);
    return ok;
}

static Array *take(void *own, ReadyKernel *kernel, const Tensor *result, const Tensor *tensor)
{
    HostDevice *host = own;
    const HwArgument *place = &kernel->lowered.places[result->id];
    Array *array = kernel->oracle ? oracle_take(kernel->oracle, result) : NULL;
    if (place->tier == TIER_HBM) {
        add_resident(host, tensor, place, array == NULL);
        return array;
    }
    if (array)
        return array;
    Mapping mapping = shape_of(&host->scratch, tensor->dims);
    array = array_new(tensor->type, &mapping);
    if (!get_tensor(host, tensor, place, array))
        arena_exhausted(&host->contra->arena);
    return array;
}

// ---- life

HostDevice *host_device_new(Contra *contra, const ContraRunOptions *options)
{
    HostDevice *host = calloc(1, sizeof *host);
    if (!host)
        return NULL;
    host->contra = contra;
    host->options = *options;
    host->executor = (Executor){
        .own = host, .ready = ready, .run = run, .take = take, .fetch = fetch, .forget = forget};
    return host;
}

void host_device_free(HostDevice *host)
{
    if (!host)
        return;
    for (ReadyKernel *kernel = host->kernels; kernel; kernel = kernel->next) {
        device_program_free(kernel->code);
        oracle_free(kernel->oracle);
    }
    device_free(host->device);
    arena_release(&host->scratch);
    free(host->residents);
    free(host);
}

Executor *host_device_executor(HostDevice *host)
{
    return &host->executor;
}
