#include "run/host.h"

#include "base/heap.h"
#include "device/verify.h"
#include "engine/memory/access.h"
#include "lang/eval/check.h"
#include "run/residence.h"

// It lies in HBM where the program says: its bytes stay between launches.
static bool is_resident(const HwArgument *place)
{
    return place->tier == TIER_HBM && !place->is_placed;
}

// A place in HBM, or of the host, that is no parameter's: it begins without values.
typedef struct {
    const HwArgument *place;
    bool is_shared; // with a parameter, whose values are there in the beginning
    bool is_name;   // for what lies there (from_addr)
} OwnPlace;

// A kernel as commands, with the plans for them; or with an oracle, if it has none.
struct ReadyKernel {
    ReadyKernel *next; // that was made before
    KernelRun run;    // its device is the host's; `code` is NULL if others were launched more often
    bool is_lowered;  // false: the oracle executes it
    int64_t launched; // when, in launches
    bool *is_result;  // one a tensor
    struct {
        ARRAY(const Tensor *);
    } written;         // in HBM, or parameters
    LaunchSite *sites; // from where it was launched
    struct {
        ARRAY(OwnPlace);
    } own;
};

// A launch that is under way.
typedef struct {
    const ReadyKernel *kernel;
    const LaunchSite *site;
    const LaunchTensor *tensors;
    int64_t count;
    bool is_lost; // bytes of an argument are, and reads must not meet them
    int64_t most; // reads or writes before they are sorted
} Running;

typedef struct HostDevice {
    Contra *contra;
    ContraRunOptions options;
    Executor executor;
    Residence residence; // has the device, which is made when something comes to HBM
    Arena accesses;      // of the operation at hand
    Arena touched;
    Arena compared;            // the target of an operation as it was before
    StretchList reads, writes; // of HBM, by the operation at hand; their room is kept
    ReadyKernel *kernels;
    int64_t launches; // so far
    Running running;
} HostDevice;

// ---- the device

// One device for all launches. False: no memory.
static bool open_device(HostDevice *host, int64_t chips)
{
    Residence *residence = &host->residence;
    if (residence->device)
        return device_grow(residence->device, chips);
    residence->device = device_new(&host->contra->machine, chips);
    if (residence->device && device_set_up(host->contra, residence->device, &host->options))
        return true;
    device_free(residence->device); // not one that nobody watches
    residence->device = NULL;
    return false;
}

static void begin_call(HostDevice *host)
{
    jmp_buf *on_oom = host->contra->arena.on_oom;
    host->residence.scratch.on_oom = host->accesses.on_oom = host->touched.on_oom = on_oom;
    host->compared.on_oom = on_oom;
}

// ---- operations on arrays

// A reshape has the values of what it is another name of.
static bool fetch(void *own, const Tensor *tensor)
{
    HostDevice *host = own;
    Resident *resident = residence_find(&host->residence, tensor_root(tensor));
    begin_call(host);
    return !resident || residence_fetch(&host->residence, resident);
}

// An operation that is carried out on arrays: by the host, or by the oracle for a kernel.
typedef struct {
    HostDevice *host;
    Actor actor;
    const ReadyKernel *kernel; // NULL: it is the host's
} Step;

static const Tensor *host_tensor(const Running *running, const Tensor *kernel)
{
    for (int64_t i = 0; i < running->count; i++)
        if (running->tensors[i].kernel == kernel)
            return running->tensors[i].host;
    return NULL;
}

// Whose bytes a tensor of the kernel that runs, or of the host, means.
static const Tensor *whose(const Running *running, const Tensor *tensor)
{
    const Tensor *given = host_tensor(running, tensor);
    return tensor_root(given ? given : tensor);
}

// Whose bytes an access means, as a name for what lies there if nobody knew it.
static Resident *resident_of(const Step *step, const Tensor *tensor)
{
    HostDevice *host = step->host;
    const Tensor *owner = whose(&host->running, tensor);
    Resident *resident = residence_find(&host->residence, owner);
    if (resident)
        return resident;
    HwArgument place = tensor_place(&host->contra->arena, &host->contra->machine, tensor);
    resident = residence_add(&host->residence, owner, &place);
    if (step->kernel && !host_tensor(&host->running, tensor))
        resident->oracle = step->kernel->run.oracle;
    return resident;
}

static StretchList bytes_of(HostDevice *host, const Resident *resident, const uint8_t *positions)
{
    return place_stretches(&host->accesses, &host->contra->machine, &resident->place, positions);
}

// What is read has its values in the array, and what is written, of which others may be left.
static bool before_access(const Step *step, const Access *access)
{
    HostDevice *host = step->host;
    Residence *residence = &host->residence;
    Resident *resident = resident_of(step, access->tensor);
    if (!access->writes && resident->lost.root) {
        const uint8_t *positions = view_positions(&host->accesses, access->view);
        StretchList bytes = bytes_of(host, resident, positions);
        if (!positions)
            return false;
        owners_check_read(residence, &step->actor, access->tensor, resident, &bytes);
    }
    return residence_fetch(residence, resident);
}

// What the host sends is a whole tensor, padding and all; DMA moves elements.
static bool after_access(const Step *step, const Access *access)
{
    HostDevice *host = step->host;
    Residence *residence = &host->residence;
    Resident *resident = resident_of(step, access->tensor);
    const uint8_t *positions = NULL;
    bool is_sent = step->actor.op->source && step->actor.op->source->tensor->tier == TIER_HOST;
    if (resident->is_outside)
        return true;
    if (!is_sent && !(positions = view_positions(&host->accesses, access->view)))
        return false;
    bool ok =
        open_device(host, resident->place.chips) && residence_put(residence, resident, positions);
    if (residence->is_watched) {
        StretchList bytes = bytes_of(host, resident, positions);
        bool is_known = !step->kernel || host_tensor(&host->running, access->tensor) ||
                        step->kernel->is_result[access->tensor->id];
        owners_note_write(residence, &step->actor, is_known ? resident : NULL, &bytes);
    }
    return ok;
}

static bool each_access(const Step *step, bool writes_only,
                        bool (*visit)(const Step *step, const Access *access))
{
    HostDevice *host = step->host;
    bool ok = true;
    AccessList list = op_accesses(&host->accesses, &host->contra->machine, step->actor.op);
    for (int64_t i = 0; i < list.count; i++)
        if (list.items[i].tensor->tier == TIER_HBM && !list.items[i].tensor->is_placed &&
            (list.items[i].writes || !writes_only))
            ok &= visit(step, &list.items[i]);
    arena_clear(&host->accesses);
    return ok;
}

static bool before_op(void *own, const Op *op)
{
    const Step step = {.host = own, .actor = {.op = op}};
    begin_call(own);
    return each_access(&step, false, before_access);
}

static bool after_op(void *own, const Op *op)
{
    const Step step = {.host = own, .actor = {.op = op}};
    begin_call(own);
    return each_access(&step, true, after_access);
}

static void forget(void *own, const Tensor *tensor)
{
    HostDevice *host = own;
    begin_call(host);
    residence_forget(&host->residence, tensor);
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
    if (kernel->run.code)
        return true;
    for (ReadyKernel *other = host->kernels; other; other = other->next) {
        kept += other->run.code != NULL;
        if (other->run.code && (!oldest || other->launched < oldest->launched))
            oldest = other;
    }
    if (kept >= MOST_KEPT) {
        device_program_free(oldest->run.code);
        oldest->run.code = NULL;
    }
    kernel->run.code = device_program_new(&kernel->run.lowered.object);
    return kernel->run.code != NULL;
}

// What the kernel writes beside its parameters begins without values where the compiler put it.
// False: no memory.
static bool prepare_places(HostDevice *host, const ReadyKernel *kernel)
{
    Residence *residence = &host->residence;
    bool ok = true;
    for (int64_t i = 0; i < kernel->own.count; i++) {
        const OwnPlace *own = &kernel->own.items[i];
        if (!is_resident(own->place) && !own->is_shared)
            device_forget_argument(residence->device, own->place);
        else if (own->is_name)
            ok &= owners_keep(residence, own->place);
    }
    return ok;
}

static bool put_argument(HostDevice *host, const LaunchTensor *tensor, const HwArgument *place)
{
    Residence *residence = &host->residence;
    if (!is_resident(place))
        return fetch(host, tensor->host) && residence_send(residence, tensor->host, place);
    const Resident *resident = residence_have(residence, tensor_root(tensor->host), place);
    host->running.is_lost |= resident->lost.root != NULL;
    return owners_keep(residence, place);
}

static bool put_arguments(HostDevice *host, const Running *running)
{
    const ReadyKernel *kernel = running->kernel;
    bool ok = true;
    for (int64_t i = 0; i < running->count && ok; i++) {
        const LaunchTensor *tensor = &running->tensors[i];
        if (!tensor->kernel)
            continue;
        if (kernel->is_lowered)
            ok = put_argument(host, tensor, &kernel->run.lowered.places[tensor->kernel->id]);
        if (ok && kernel->run.oracle)
            ok = fetch(host, tensor->host) &&
                 oracle_bind(kernel->run.oracle, tensor->kernel,
                             host->executor.array(host->executor.host, tensor->host));
    }
    return ok;
}

// ---- what it does to HBM

static void touch(void *own, int64_t chip, int64_t from, int64_t to, bool writes)
{
    enum { MANY = 1 << 16 };
    HostDevice *host = own;
    Running *running = &host->running;
    int64_t base = chip * host->contra->machine.hbm_bytes_per_chip;
    StretchList *list = writes ? &host->writes : &host->reads;
    stretches_add(&host->touched, list, (Stretch){base + from, base + to});
    if (list->count < MANY || list->count < running->most)
        return;
    stretches_sort(list); // mostly they lie together
    running->most = list->count * 2;
}

// Reads count as long as something is lost; writes of what is the tensor's own already do not.
static bool matters(void *own, int64_t operation, int64_t chip, int64_t from, int64_t to,
                    bool writes)
{
    const HostDevice *host = own;
    const Running *running = &host->running;
    int64_t base = chip * host->contra->machine.hbm_bytes_per_chip;
    if (!writes)
        return running->is_lost;
    const Tensor *target =
        tensor_root(op_target(running->kernel->run.program->ops.items[operation]));
    const Resident *by = residence_find(&host->residence, whose(running, target));
    return !by || by->lost.root || !owners_have(&host->residence, by, base + from, base + to);
}

static bool check_reads(HostDevice *host, const Actor *actor, const View *view)
{
    const Tensor *tensor = view ? tensor_root(view->tensor) : NULL;
    const Resident *resident = tensor && tensor->tier == TIER_HBM
                                   ? residence_find(&host->residence, whose(&host->running, tensor))
                                   : NULL;
    return !resident || owners_check_read(&host->residence, actor, tensor, resident, &host->reads);
}

static void note_writes(HostDevice *host, const Actor *actor)
{
    const Running *running = &host->running;
    const Tensor *target = tensor_root(op_target(actor->op));
    const Tensor *owner = whose(running, target);
    Resident *by = running->kernel->is_result[target->id]
                       ? residence_have(&host->residence, owner,
                                        &running->kernel->run.lowered.places[target->id])
                       : residence_find(&host->residence, owner);
    owners_note_write(&host->residence, actor, by, &host->writes);
}

// An operation was executed: what it read and wrote. False: it read what others wrote over.
static bool after_operation(void *own, int64_t number)
{
    HostDevice *host = own;
    Running *running = &host->running;
    const Op *op = running->kernel->run.program->ops.items[number];
    const Actor actor = {op, running->site};
    stretches_sort(&host->reads);
    stretches_sort(&host->writes);
    bool ok = !host->reads.count ||
              (check_reads(host, &actor, op->source) && check_reads(host, &actor, op->index));
    if (host->writes.count)
        note_writes(host, &actor);
    host->reads.count = host->writes.count = 0;
    arena_clear(&host->accesses);
    return ok;
}

// Arrays of what was written are out of date; those of others in the same bytes, too.
static bool leave_arrays(HostDevice *host, const Running *running)
{
    const ReadyKernel *kernel = running->kernel;
    bool ok = true;
    for (int64_t i = 0; i < kernel->written.count; i++) {
        const Tensor *tensor = kernel->written.items[i];
        const HwArgument *place = &kernel->run.lowered.places[tensor->id];
        const Tensor *given = host_tensor(running, tensor);
        if (is_resident(place))
            residence_note(&host->residence, place->address, place->address + place->bytes);
        else if (given && !kernel->run.oracle) // which has written them, too
            ok &= residence_get(&host->residence, given, place,
                                host->executor.array(host->executor.host, given));
    }
    return ok;
}

static Given given_tensor(void *own, const Tensor *param)
{
    const HostDevice *host = own;
    const Tensor *tensor = host_tensor(&host->running, param);
    const Resident *resident =
        tensor ? residence_find(&host->residence, tensor_root(tensor)) : NULL;
    Actor writer = resident ? resident->writer : (Actor){0};
    return (Given){tensor, writer.launch, writer.op};
}

// ---- kernels made ready

static bool is_param(const Tensor *tensor)
{
    return tensor_root(tensor)->origin == ORIGIN_PARAM;
}

static void find_writes(Arena *arena, ReadyKernel *kernel)
{
    const Program *program = kernel->run.program;
    bool *is_seen = arena_new(arena, bool, (size_t)program->tensors.count + 1);
    kernel->is_result = arena_new(arena, bool, (size_t)program->tensors.count + 1);
    for (int64_t i = 0; i < program->results.count; i++)
        kernel->is_result[tensor_root(program->results.items[i])->id] = true;
    for (int64_t i = 0; i < program->ops.count; i++) {
        const Tensor *target = op_target(program->ops.items[i]);
        const Tensor *root = target ? tensor_root(target) : NULL;
        if (!root || is_seen[root->id] || (root->tier != TIER_HBM && !is_param(root)))
            continue;
        is_seen[root->id] = true;
        *array_push(arena, &kernel->written, const Tensor *) = root;
    }
}

// Whether any parameter in HBM lies in these bytes.
static bool meets_param(const ReadyKernel *kernel, const HwArgument *place)
{
    for (int64_t i = 0; i < kernel->run.program->tensors.count; i++) {
        const Tensor *tensor = kernel->run.program->tensors.items[i];
        if (tensor->origin == ORIGIN_PARAM &&
            argument_meets(&kernel->run.lowered.places[tensor->id], place))
            return true;
    }
    return false;
}

static void find_own(Arena *arena, ReadyKernel *kernel)
{
    for (int64_t i = 0; i < kernel->run.program->tensors.count; i++) {
        const Tensor *tensor = kernel->run.program->tensors.items[i];
        const HwArgument *place = &kernel->run.lowered.places[tensor->id];
        if ((tensor->tier == TIER_HBM || tensor->tier == TIER_HOST) && !is_param(tensor))
            *array_push(arena, &kernel->own, OwnPlace) =
                (OwnPlace){place, meets_param(kernel, place), tensor->origin == ORIGIN_ADDRESS};
    }
}

static ReadyKernel *ready(void *own, Program *program)
{
    HostDevice *host = own;
    Contra *contra = host->contra;
    begin_call(host);
    ReadyKernel *kernel = arena_new(&contra->arena, ReadyKernel, 1);
    KernelRun *run = &kernel->run;
    *run = (KernelRun){.contra = contra,
                       .arena = &contra->arena,
                       .scratch = &host->residence.scratch,
                       .compared = &host->compared,
                       .options = &host->options,
                       .program = program,
                       .reduced = faults_find_reduced(program, &contra->diags),
                       .after = host->residence.is_watched ? after_operation : NULL,
                       .given = given_tensor,
                       .host = host};
    program_lower(contra, program, NULL, run->scratch, &run->lowered);
    kernel->is_lowered = lowered_admit(contra, run->options, program, &run->lowered);
    find_writes(run->arena, kernel);
    if (kernel->is_lowered)
        find_own(run->arena, kernel);
    if (!kernel->is_lowered || run->options->check_oracle)
        run_open_oracle(run, kernel->is_lowered);
    kernel->next = host->kernels;
    host->kernels = kernel;
    return kernel;
}

// ---- running

static bool report_no_memory(const HostDevice *host, const ReadyKernel *kernel)
{
    return diag_no_memory(&host->contra->diags, kernel->run.program->span,
                          "there is not enough memory for the tensors of `{}`",
                          kernel->run.program->name);
}

static bool execute_by_oracle(HostDevice *host)
{
    const ReadyKernel *kernel = host->running.kernel;
    const Program *program = kernel->run.program;
    int64_t errors = host->contra->diags.error_count;
    bool ok = true;
    oracle_begin(kernel->run.oracle);
    for (int64_t i = 0; i < program->ops.count && ok; i++) {
        const Step step = {host, {program->ops.items[i], host->running.site}, kernel};
        ok = each_access(&step, false, before_access) &&
             host->contra->diags.error_count == errors && oracle_step(kernel->run.oracle) &&
             each_access(&step, true, after_access);
    }
    return ok;
}

static bool run_kernel(HostDevice *host, ReadyKernel *kernel)
{
    const Running *running = &host->running;
    if (!kernel->is_lowered)
        return put_arguments(host, running) ? execute_by_oracle(host)
                                            : report_no_memory(host, kernel);
    if (!open_device(host, object_chips(&kernel->run.lowered.object)) || !make_plans(host, kernel))
        return report_no_memory(host, kernel);
    device_name_launch(host->residence.device, running->site);
    device_begin(host->residence.device);
    if (!prepare_places(host, kernel) || !put_arguments(host, running))
        return report_no_memory(host, kernel);
    kernel->run.device = host->residence.device;
    device_tell(kernel->run.device, (DeviceTraffic){touch, matters, host});
    bool ok = run_operations(&kernel->run);
    return leave_arrays(host, running) ? ok : report_no_memory(host, kernel);
}

static bool same_site(const LaunchSite *a, const LaunchSite *b)
{
    bool same = a->count == b->count;
    for (int64_t i = 0; i < a->count && same; i++)
        same = span_same(a->spans[i], b->spans[i]);
    return same;
}

// A kernel is launched again and again from the same places: each is kept once.
static const LaunchSite *launch_site(HostDevice *host, ReadyKernel *kernel, const CallSite *call)
{
    LaunchSite site = {.next = kernel->sites, .program = kernel->run.program};
    for (; call && site.count < LAUNCH_MOST_CALLS; call = call->outer)
        site.spans[site.count++] = call->span;
    for (const LaunchSite *known = kernel->sites; known; known = known->next)
        if (same_site(known, &site))
            return known;
    kernel->sites = arena_new(&host->contra->arena, LaunchSite, 1);
    *kernel->sites = site;
    return kernel->sites;
}

static bool run(void *own, ReadyKernel *kernel, const LaunchTensor *tensors, int64_t count,
                const CallSite *call)
{
    HostDevice *host = own;
    const Program *program = kernel->run.program;
    begin_call(host);
    host->running = (Running){.kernel = kernel,
                              .site = launch_site(host, kernel, call),
                              .tensors = tensors,
                              .count = count};
    bool ok = run_kernel(host, kernel);
    host->running = (Running){0};
    host->reads.count = host->writes.count = 0;
    if (host->residence.device) // what the host sends is no launch's
        device_name_launch(host->residence.device, NULL);
    for (int64_t i = 0; i < program->tensors.count && (!ok || !kernel->is_lowered); i++)
        if (!ok || !kernel->is_result[i]) // its own are gone, but for what it gives back
            residence_forget(&host->residence, program->tensors.items[i]);
    return ok;
}

static Array *take(void *own, ReadyKernel *kernel, const Tensor *result, const Tensor *tensor)
{
    HostDevice *host = own;
    Residence *residence = &host->residence;
    const Tensor *root = tensor_root(result);
    const HwArgument *place = &kernel->run.lowered.places[result->id];
    Resident *resident = kernel->is_lowered && is_resident(place)
                             ? residence_have(residence, root, place)
                             : residence_find(residence, root);
    if (resident) {
        residence_rename(residence, resident, tensor);
        resident->of = kernel->run.program;
    }
    if (resident && !resident->is_outside)
        return NULL; // its values stay there
    if (kernel->run.oracle)
        return oracle_take(kernel->run.oracle, result);
    Mapping mapping = shape_of(&residence->scratch, tensor->dims);
    Array *array = array_new(tensor->type, &mapping);
    if (!residence_get(residence, tensor, place, array))
        arena_exhausted(&host->contra->arena);
    return array;
}

// ---- life

static HostDevice *new_host(Contra *contra, const ContraRunOptions *options)
{
    HostDevice *host = heap_zeroed(1, sizeof *host);
    if (!host)
        return NULL;
    host->contra = contra;
    host->options = *options;
    host->residence.is_watched = options->sanitize;
    residence_init(&host->residence, contra, &host->executor);
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
        device_program_free(kernel->run.code);
        oracle_free(kernel->run.oracle);
    }
    residence_free(&host->residence);
    arena_release(&host->accesses);
    arena_release(&host->touched);
    arena_release(&host->compared);
    heap_free(host);
}

// ---- programs

// A callback of the caller behind one of ours.
static void print_on(void *own, Str text, bool is_error)
{
    const ContraRunOptions *options = own;
    (void)is_error; // the caller gets both in their order
    if (options->print)
        options->print(options->own, text_of(text));
}

// A panic of the program itself has no diagnostic yet.
static void report_panic(Contra *contra, const Run *run)
{
    if (run->refused)
        return;
    Diag *diag = diag_add(&contra->diags, DIAG_PANICKED, run->where, "{}",
                          run->title.len ? run->title : run->message);
    for (int64_t at = 0; run->title.len && at < run->details.len;) {
        Str rest = str_slice(run->details, at, run->details.len);
        int64_t end = str_find(rest, STR("\n"));
        Str line = end < 0 ? rest : str_slice(rest, 0, end);
        diag_note(diag, SPAN_NOWHERE, "{}", line);
        at += line.len + 1;
    }
}

bool host_can_start(Contra *contra, const ContraRunOptions *options)
{
    return !uses_device(contra, options) || choose_isa(contra);
}

ContraStatus host_run(Contra *contra, Decl *decl, const ContraRunOptions *options,
                      bool overflow_panics, Run *run)
{
    run_release(contra);
    if (uses_device(contra, options) && !(contra->host = new_host(contra, options)))
        arena_exhausted(&contra->arena);
    Str *arguments = arena_new(&contra->request, Str, (size_t)options->argument_count + 1);
    for (int64_t i = 0; i < options->argument_count; i++)
        arguments[i] = str_of(options->arguments[i]);
    *run = (Run){.builder = contra->builder_options,
                 .oracle = oracle_options(options),
                 .executor = contra->host ? &contra->host->executor : NULL,
                 .print = print_on,
                 .own = (void *)(uintptr_t)options,
                 .arguments = arguments,
                 .argument_count = options->argument_count,
                 .overflow_panics = overflow_panics};
    if (lang_assertions_hold(contra->lang, contra->builder, decl->scope->crate)) {
        run_function(contra->lang, decl, run);
    } else {
        run->panicked = run->refused = run->broken = true;
        run->message = STR("an assertion of its crate fails");
    }
    run->cancelled |= contra->cancel.seen; // in a loop, or by the device
    diag_drop_repeated(&contra->diags);
    run_release(contra);
    if (run->panicked && heap_was_refused())
        arena_exhausted(&contra->arena);
    if (run->panicked)
        report_panic(contra, run);
    return run->cancelled ? CONTRA_CANCELLED : run->panicked ? CONTRA_INVALID : CONTRA_OK;
}
