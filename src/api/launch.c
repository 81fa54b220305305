#include "api/launch.h"

#include "api/faults.h"
#include "api/residence.h"
#include "base/checked.h"
#include "device/verify.h"

#include <stdlib.h>
#include <string.h>

// A place in HBM, or of the host, that is no parameter's: it begins without values.
typedef struct {
    const HwArgument *place;
    bool is_shared; // with a parameter, whose values are there in the beginning
} OwnPlace;

// What an operation does to HBM, at an address that the program gives.
typedef struct {
    const Op *op;
    Access access;
} HbmAccess;

// A kernel that was lowered, with the plans for its commands.
struct ReadyKernel {
    ReadyKernel *next; // that was made before
    const Program *program;
    Lowered lowered;
    DeviceProgram *code; // NULL: others were launched more often since
    int64_t launched;    // when, in launches
    Oracle *oracle;      // that checks it; NULL: none
    bool *is_written;    // one a tensor: of parameters whether any operation does
    const Diag *reduced; // padding that is reduced; NULL: none
    struct {
        ARRAY(OwnPlace);
    } own;
    struct {
        ARRAY(HbmAccess);
    } accesses; // in the order of the operations, reads of each first
};

struct HostDevice {
    Contra *contra;
    ContraRunOptions options;
    Executor executor;
    Residence residence; // has the device, which is made with the first launch
    int64_t chips;
    Arena accesses; // of the operation of the host at hand
    ReadyKernel *kernels;
    int64_t launches; // so far
};

// ---- the device

// Enough chips for all that may come there.
static int64_t chips_needed(const HostDevice *host, int64_t chips)
{
    for (int64_t i = 0; i < host->residence.count; i++)
        chips = max_i64(chips, host->residence.items[i].place->chips);
    return chips;
}

// One device for all launches; for more chips than it has it is made anew.
static bool open_device(HostDevice *host, int64_t chips)
{
    Residence *residence = &host->residence;
    chips = chips_needed(host, chips);
    if (residence->device && chips <= host->chips)
        return true;
    bool ok = !residence->device || residence_save_all(residence);
    device_free(residence->device);
    residence->device = device_new(&host->contra->machine, chips);
    host->chips = chips;
    if (ok && residence->device && device_set_up(residence->device, &host->options))
        return residence_put_all(residence);
    device_free(residence->device); // not one that nobody watches
    residence->device = NULL;
    return false;
}

// ---- what the host does itself

static void begin_call(HostDevice *host)
{
    host->residence.scratch.on_oom = host->accesses.on_oom = host->contra->arena.on_oom;
}

// A reshape has the values of what it is another name of.
static bool fetch(void *own, const Tensor *tensor)
{
    HostDevice *host = own;
    bool ok = true;
    if (!host->residence.count)
        return true;
    begin_call(host);
    for (; tensor; tensor = tensor->origin == ORIGIN_RESHAPE ? tensor->storage : NULL) {
        Resident *resident = residence_find(&host->residence, tensor);
        ok &= !resident || residence_save(&host->residence, resident);
    }
    return ok;
}

static bool fetch_view(HostDevice *host, const View *view)
{
    return !view || fetch(host, view->tensor);
}

static HwArgument *place_of(HostDevice *host, const Tensor *tensor)
{
    Arena *arena = &host->contra->arena;
    HwArgument *place = arena_new(arena, HwArgument, 1);
    *place = tensor_place(arena, &host->contra->machine, tensor);
    return place;
}

// A tensor that nobody wrote, as a name for what others have there. False: no memory.
static bool adopt(HostDevice *host, const Tensor *tensor, const HwArgument *place)
{
    Residence *residence = &host->residence;
    Resident *resident = residence_add(residence, tensor, place);
    if (!residence_is_taken(residence, place, tensor))
        return true;
    resident->is_here = resident->is_newer = true;
    return open_device(host, place->chips) && residence_make_way(residence, place, tensor);
}

static bool read_by_host(HostDevice *host, const Op *op, const Access *access)
{
    Residence *residence = &host->residence;
    const Tensor *tensor = access->tensor;
    Resident *resident = residence_find(residence, tensor);
    if (!resident && !adopt(host, tensor, place_of(host, tensor)))
        return false;
    resident = residence_find(residence, tensor);
    if (host->options.sanitize)
        residence_check_read(residence, op, access, NULL, resident);
    return residence_save(residence, resident);
}

static bool written_by_host(HostDevice *host, const Op *op, const Access *access)
{
    Residence *residence = &host->residence;
    const Tensor *tensor = access->tensor;
    Resident *resident = residence_find(residence, tensor);
    if (!resident)
        resident = residence_add(residence, tensor, place_of(host, tensor));
    resident->is_given = true;
    resident->is_here = false;
    if (!residence_is_taken(residence, resident->place, tensor)) {
        intervals_clear(&resident->lost, access->low, access->high);
        return true;
    }
    bool ok = open_device(host, resident->place->chips) &&
              residence_make_way(residence, resident->place, tensor) &&
              residence_put(residence, resident);
    residence_note_write(residence, op, access, NULL, tensor);
    return ok;
}

static bool each_access(HostDevice *host, const Op *op, bool writes,
                        bool (*visit)(HostDevice *host, const Op *op, const Access *access))
{
    bool ok = true;
    AccessList list = op_accesses(&host->accesses, &host->contra->machine, op);
    for (int64_t i = 0; i < list.count; i++)
        if (list.items[i].tensor->tier == TIER_HBM && list.items[i].writes == writes)
            ok &= visit(host, op, &list.items[i]);
    arena_clear(&host->accesses);
    return ok;
}

static bool before_op(void *own, const Op *op)
{
    HostDevice *host = own;
    begin_call(host);
    return fetch_view(host, op->source) && fetch_view(host, op->index) &&
           fetch_view(host, op->target) && each_access(host, op, false, read_by_host);
}

static bool after_op(void *own, const Op *op)
{
    begin_call(own);
    return each_access(own, op, true, written_by_host);
}

static void forget(void *own, const Tensor *tensor)
{
    residence_forget(&((HostDevice *)own)->residence, tensor);
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

// Whether any parameter in HBM lies in these bytes.
static bool meets_param(const ReadyKernel *kernel, const HwArgument *place)
{
    for (int64_t i = 0; i < kernel->program->tensors.count; i++) {
        const Tensor *tensor = kernel->program->tensors.items[i];
        if (tensor->origin == ORIGIN_PARAM &&
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
                (OwnPlace){place, meets_param(kernel, place)};
    }
}

static void find_accesses(HostDevice *host, ReadyKernel *kernel)
{
    Arena *arena = &host->contra->arena;
    for (int64_t i = 0; i < kernel->program->ops.count; i++) {
        const Op *op = kernel->program->ops.items[i];
        AccessList list = op_accesses(&host->accesses, &host->contra->machine, op);
        for (int64_t k = 0; k < list.count; k++)
            if (list.items[k].tensor->tier == TIER_HBM)
                *array_push(arena, &kernel->accesses, HbmAccess) = (HbmAccess){op, list.items[k]};
        arena_clear(&host->accesses);
    }
}

static bool lower_launch(HostDevice *host, Program *program, ReadyKernel *kernel)
{
    const VerifyLimits limits = {.steps = INT64_MAX, .elements = verify_limits.elements};
    Contra *contra = host->contra;
    DiagList why = {.arena = &contra->arena};
    HwObject *object = &kernel->lowered.object;
    bool ok = program_lower(contra, program, &host->residence.scratch, &why, &kernel->lowered) &&
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
    begin_call(host);
    kernel->program = program;
    if (!lower_launch(host, program, kernel))
        return NULL;
    kernel->next = host->kernels;
    host->kernels = kernel;
    kernel->is_written = arena_new(arena, bool, (size_t)program->tensors.count + 1);
    find_writes(kernel);
    find_own(arena, kernel);
    find_accesses(host, kernel);
    kernel->reduced = faults_find_reduced(program, &host->contra->diags);
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

// What the kernel writes beside its parameters begins without values, unless somebody lies there.
static bool clear_places(HostDevice *host, const ReadyKernel *kernel)
{
    Residence *residence = &host->residence;
    bool ok = true;
    for (int64_t i = 0; i < kernel->own.count; i++) {
        const OwnPlace *own = &kernel->own.items[i];
        ok &= residence_make_way(residence, own->place, NULL);
        if (!own->is_shared && !residence_is_taken(residence, own->place, NULL))
            device_forget_argument(residence->device, own->place);
    }
    return ok;
}

static bool put_resident(HostDevice *host, const LaunchTensor *tensor, const HwArgument *place)
{
    Residence *residence = &host->residence;
    Resident *resident = residence_find(residence, tensor->host);
    bool ok = resident || adopt(host, tensor->host, place);
    resident = residence_find(residence, tensor->host);
    if (resident->place->address != place->address ||
        resident->place->elements != place->elements) {
        ok &= residence_save(residence, resident);
        resident->is_here = false;
    }
    resident->place = place;
    return ok && residence_make_way(residence, place, tensor->host) &&
           residence_put(residence, resident) &&
           (!resident->is_given || device_keep(residence->device, place));
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
        ok = place->tier == TIER_HBM ? put_resident(host, tensor, place)
                                     : fetch(host, tensor->host) &&
                                           residence_send(&host->residence, tensor->host, place);
        if (ok && kernel->oracle)
            ok = fetch(host, tensor->host) &&
                 oracle_bind(kernel->oracle, tensor->kernel,
                             host->executor.array(host->executor.host, tensor->host));
    }
    return ok;
}

static const Tensor *host_tensor(const LaunchTensor *tensors, int64_t count, const Tensor *kernel)
{
    for (int64_t i = 0; i < count; i++)
        if (tensors[i].kernel == kernel)
            return tensors[i].host;
    return NULL;
}

// What the kernel will do to the bytes of tensors of the host. False: it reads some that were
// written over.
static bool account(HostDevice *host, const ReadyKernel *kernel, const LaunchTensor *tensors,
                    int64_t count)
{
    Residence *residence = &host->residence;
    bool ok = true;
    for (int64_t i = 0; i < kernel->accesses.count && ok; i++) {
        const HbmAccess *item = &kernel->accesses.items[i];
        const Tensor *tensor = host_tensor(tensors, count, item->access.tensor);
        const Resident *resident = tensor ? residence_find(residence, tensor) : NULL;
        if (item->access.writes)
            residence_note_write(residence, item->op, &item->access, kernel->program, tensor);
        else if (resident && host->options.sanitize)
            ok =
                residence_check_read(residence, item->op, &item->access, kernel->program, resident);
    }
    return ok;
}

// Arrays of what was written are out of date, unless the oracle has written them, too.
static bool note_writes(HostDevice *host, const ReadyKernel *kernel, const LaunchTensor *tensors,
                        int64_t count)
{
    Residence *residence = &host->residence;
    bool ok = true;
    for (int64_t i = 0; i < count; i++) {
        const LaunchTensor *tensor = &tensors[i];
        if (!tensor->kernel || !kernel->is_written[tensor->kernel->id])
            continue;
        Resident *resident = residence_find(residence, tensor->host);
        if (resident)
            resident->is_given = true;
        if (kernel->oracle)
            continue;
        if (resident)
            resident->is_newer = true;
        else
            ok &=
                residence_get(residence, tensor->host, &kernel->lowered.places[tensor->kernel->id],
                              host->executor.array(host->executor.host, tensor->host));
    }
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
    begin_call(host);
    if (!open_device(host, object_chips(&kernel->lowered.object)) || !make_plans(host, kernel))
        return report_no_memory(host, kernel);
    device_begin(host->residence.device);
    if (!clear_places(host, kernel) || !put_arguments(host, kernel, tensors, count))
        return report_no_memory(host, kernel);
    if (!account(host, kernel, tensors, count))
        return false;
    if (host->options.sanitize && kernel->reduced) {
        faults_report_reduced(kernel->program, kernel->reduced, &host->contra->diags);
        return false;
    }
    Execution execution = {
        &host->options,          host->residence.device, kernel->code,
        &kernel->lowered.object, kernel->program,        kernel->lowered.places,
        kernel->oracle,          &host->contra->diags,   &host->residence.scratch};
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
        Resident *resident = residence_add(&host->residence, tensor, place);
        resident->is_here = resident->is_given = true;
        resident->is_newer = array == NULL;
        return array;
    }
    if (array)
        return array;
    Mapping mapping = shape_of(&host->residence.scratch, tensor->dims);
    array = array_new(tensor->type, &mapping);
    if (!residence_get(&host->residence, tensor, place, array))
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
    host->residence.contra = contra;
    host->residence.executor = &host->executor;
    host->executor = (Executor){.own = host,
                                .ready = ready,
                                .run = run,
                                .take = take,
                                .before_op = before_op,
                                .after_op = after_op,
                                .fetch = fetch,
                                .forget = forget};
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
    residence_free(&host->residence);
    arena_release(&host->accesses);
    free(host);
}

Executor *host_device_executor(HostDevice *host)
{
    return &host->executor;
}
