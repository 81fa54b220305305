// Explains what the sanitizer of the device found, in terms of the program: which operation met
// which element, where the element comes from, and what to do about it.
#include "run/run.h"

#include "base/checked.h"
#include "engine/dma/dma.h"
#include "engine/memory/access.h"
#include "engine/memory/memory.h"
#include "engine/report.h"
#include "mapping/cell.h"

// One operation in the words of the program, or of its record.
typedef struct {
    const Op *op;              // NULL: it comes from a file, or is no operation
    const HwOperation *record; // NULL: it is no operation
    int64_t number;
} FaultActor;

// What a byte is to whoever reads it.
typedef struct {
    const Tensor *tensor;   // NULL: not known
    const HwTensor *record; // whose bytes they are; NULL: not known
    int64_t position;       // of the tensor
} FaultElement;

// A fault on its way to the reader.
typedef struct {
    const KernelRun *run;
    Arena *arena;
    const DeviceFaults *faults; // all that were found
    const DeviceFault *fault;
    FaultActor actor; // that reads, or moves
    FaultActor other; // that overwrites it, or is in its way
    FaultElement element;
    Str name; // of the tensor
    Diag *diag;
} Case;

// ---- operations

static FaultActor actor_of(const KernelRun *run, int64_t number)
{
    FaultActor actor = {.number = number};
    if (number < 0 || number >= run->lowered.object.operations.count)
        return actor;
    actor.record = &run->lowered.object.operations.items[number];
    actor.op = run->program ? run->program->ops.items[number] : NULL;
    return actor;
}

// The place in the program where the operation touches the memory of the fault.
static Span actor_span(const Case *at, const FaultActor *actor, bool writes)
{
    return actor->op ? op_touches(actor->op, at->fault->tier, writes) : SPAN_NOWHERE;
}

// The same from the source map of its record.
static int64_t actor_line(const HwOperation *record, Tier tier, bool writes)
{
    int64_t line = writes             ? record->write_line
                   : tier == TIER_TRF ? record->trf_line
                   : tier == TIER_VRF ? record->vrf_line
                                      : 0;
    return line ? line : record->line;
}

static Str actor_text(Arena *arena, const FaultActor *actor)
{
    if (!actor->record)
        return STR("the caller of the kernel");
    const char *method = actor->op && actor->op->method ? actor->op->method : NULL;
    const Pass *pass = actor->op ? actor->op->pass : NULL;
    if (pass)
        return str_format(arena, "the pass to `{}`",
                          stages[pass->stages.items[pass->stages.count - 1]->kind].method);
    if (method)
        return str_format(arena, "`{}`", method);
    return str_format(arena, "operation {} (`{}`)", actor->number, actor->record->method);
}

// Where the functions around it are called.
static void note_calls(const Case *at, const FaultActor *actor, const char *words)
{
    if (actor->op)
        report_calls(at->diag, actor->op, words);
}

// Both of an operation from a file, by its source map.
static void note_line(const Case *at, const FaultActor *actor, bool writes, const char *words)
{
    const HwOperation *record = actor->record;
    if (actor->op || !record || !record->line)
        return;
    diag_note(at->diag, SPAN_NOWHERE, "{} at {}:{}", words, record->file,
              actor_line(record, at->fault->tier, writes));
    for (int64_t i = 0; i < record->callers.count; i++)
        diag_note(at->diag, SPAN_NOWHERE, "called from {}:{}", record->callers.items[i].file,
                  record->callers.items[i].line);
}

// Notes where the faulting operation is.
static void note_actor(const Case *at, bool writes)
{
    note_line(at, &at->actor, writes, "the operation is");
    note_calls(at, &at->actor, "called from here");
}

// ---- tensors

// A tensor of the program that has bytes of its own, by its number. NULL: there is none.
static const HwTensor *record_of(const KernelRun *run, int64_t number)
{
    const HwObject *object = &run->lowered.object;
    int64_t low = 0, high = object->tensors.count; // their numbers ascend
    while (low < high) {
        int64_t middle = (low + high) / 2, found = object->tensors.items[middle].number;
        if (found == number)
            return &object->tensors.items[middle];
        *(found < number ? &low : &high) = found < number ? middle + 1 : middle;
    }
    return NULL;
}

// The tensor that an operation writes. NULL: not known.
static const HwTensor *written_by(const Case *at, const FaultActor *actor)
{
    return actor->record ? record_of(at->run, actor->record->writes) : NULL;
}

// The tensor that a faulty move is about: the one it writes, or the first one it reads.
static const HwTensor *moved_tensor(const Case *at)
{
    const HwOperation *record = at->actor.record;
    if (at->fault->writes)
        return written_by(at, &at->actor);
    return record && record->reads.count ? record_of(at->run, record->reads.items[0]) : NULL;
}

// Whether the faulting byte belongs to the tensor.
static bool record_holds(const HwTensor *record, const DeviceFault *fault)
{
    bool in_slices = fault->slice >= 0;
    if (record->tier != fault->tier || fault->chip >= record->chips ||
        (in_slices && (fault->cluster >= record->clusters || fault->slice >= record->slices)))
        return false;
    return record->tier == TIER_TRF ||
           (fault->address >= record->address && fault->address < record->address + record->bytes);
}

// "`name`", or `nameless` for a tensor without a name. Both tensors may be NULL.
static Str named(Arena *arena, const Tensor *tensor, const HwTensor *record, const char *nameless)
{
    Str name = tensor && tensor->name ? str_from(tensor->name) : record ? record->name : STR("");
    return name.len ? str_format(arena, "`{}`", name) : str_from(nameless);
}

static Str record_name(const Case *at, const HwTensor *record)
{
    return named(at->arena, NULL, record, "the tensor");
}

// ---- elements

static int64_t slice_number(const HwArgument *place, const DeviceFault *fault)
{
    bool in_slices = fault->slice >= 0;
    int64_t cluster = in_slices ? fault->cluster : 0, slice = in_slices ? fault->slice : 0;
    int64_t chip = fault->tier == TIER_HOST ? 0 : fault->chip;
    if (chip >= place->chips || cluster >= place->clusters || slice >= place->slices)
        return -1;
    return (chip * place->clusters + cluster) * place->slices + slice;
}

// Whether the faulting byte belongs to the place, and to which position.
static bool place_holds(const HwArgument *place, const DeviceFault *fault, int64_t *position)
{
    bool is_trf = place->tier == TIER_TRF;
    int64_t unit = slice_number(place, fault), row = is_trf ? fault->row : 0;
    int64_t base = is_trf || place->tier == TIER_HOST ? 0 : place->address;
    int64_t element = (fault->address - base) * 8 / place->element_bits;
    if (place->tier != fault->tier || unit < 0 || row >= place->rows || fault->address < base ||
        element >= place->elements)
        return false;
    *position = (unit * place->rows + row) * place->elements + element;
    return true;
}

static void try_tensor(Case *at, const Tensor *tensor)
{
    int64_t position;
    if (tensor && !at->element.tensor &&
        place_holds(&at->run->lowered.places[tensor->id], at->fault, &position))
        at->element = (FaultElement){tensor, record_of(at->run, tensor_root(tensor)->id), position};
}

static void try_view(Case *at, const View *view)
{
    try_tensor(at, view ? view->tensor : NULL);
}

static void try_stage(Case *at, const Stage *stage)
{
    try_view(at, stage->sources[0]);
    try_view(at, stage->sources[1]);
    try_tensor(at, stage->trf);
    try_tensor(at, stage->branch_vrf);
    for (int32_t i = 0; i < stage->operand_count; i++)
        if (stage->operands[i].kind == OPERAND_VRF)
            try_tensor(at, stage->operands[i].vrf);
}

static void find_in_program(Case *at)
{
    const Program *program = at->run->program;
    const Op *op = at->actor.op;
    if (op) {
        try_view(at, op->source);
        try_view(at, op->index);
        for (int64_t i = 0; op->pass && i < op->pass->stages.count; i++)
            try_stage(at, op->pass->stages.items[i]);
        return;
    }
    for (int64_t i = 0; i < program->results.count; i++)
        try_tensor(at, program->results.items[i]);
    for (int64_t i = 0; i < program->tensors.count; i++)
        if (program->tensors.items[i]->origin == ORIGIN_PARAM)
            try_tensor(at, program->tensors.items[i]);
}

static void try_record(Case *at, int64_t number)
{
    const HwTensor *record = record_of(at->run, number);
    if (record && !at->element.record && record_holds(record, at->fault))
        at->element.record = record;
}

// Of an object file.
static void find_in_object(Case *at)
{
    const HwObject *object = &at->run->lowered.object;
    const HwOperation *reader = at->actor.record;
    for (int64_t i = 0; reader && i < reader->reads.count; i++)
        try_record(at, reader->reads.items[i]);
    for (int64_t i = 0; !reader && i < object->results.count; i++)
        try_record(at, object->results.items[i].storage);
    for (int64_t i = 0; !reader && i < object->arguments.count; i++)
        try_record(at, object->arguments.items[i].storage);
}

// Finds the element that the reader sees in the byte. A fault of a whole move has none.
static void find_element(Case *at)
{
    FaultKind kind = at->fault->kind;
    if (kind == FAULT_MISALIGNED || kind == FAULT_BANK)
        return;
    if (at->run->program)
        find_in_program(at);
    else
        find_in_object(at);
}

static Case case_of(const KernelRun *run, const DeviceFaults *faults, const DeviceFault *fault)
{
    Case at = {.run = run,
               .arena = run->scratch,
               .faults = faults,
               .fault = fault,
               .actor = actor_of(run, fault->operation),
               .other = actor_of(run, fault->other)};
    find_element(&at);
    at.name = named(at.arena, at.element.tensor, at.element.record, "the tensor");
    return at;
}

// ---- texts

// "byte 0x1000 of DM, chip 0, cluster 0, slice 0"
static Str place_text(const Case *at)
{
    const DeviceFault *fault = at->fault;
    StrBuf buf = {.arena = at->arena};
    buf_format(&buf, "byte 0x{x} of {}", (uint64_t)fault->address, tiers[fault->tier].name);
    if (fault->tier == TIER_TRF)
        buf_format(&buf, ", row {}", fault->row);
    if (fault->tier != TIER_HOST)
        buf_format(&buf, ", chip {}", fault->chip);
    if (fault->slice >= 0)
        buf_format(&buf, ", cluster {}, slice {}", fault->cluster, fault->slice);
    return buf_str(&buf);
}

// "element [A 3, B 0] of `x`"
static Str element_text(const Case *at)
{
    Arena *arena = at->arena;
    const Tensor *tensor = at->element.tensor;
    if (!tensor)
        return place_text(at);
    Mapping mapping = shape_of(arena, tensor->dims);
    int64_t position = at->element.position;
    Str name = named(arena, tensor, NULL, "a tensor");
    if (!mapping_cell(arena, &mapping, position).count)
        return str_format(arena, "padding of {}", name);
    return str_format(arena, "element [{}] of {}", position_text(arena, &mapping, position), name);
}

// "DM 0x1000..0x1400"
static Str range_text(const Case *at, const HwTensor *record)
{
    const Program *program = at->run->program;
    if (record->tier != TIER_TRF)
        return str_format(at->arena, "{} 0x{x}..0x{x}", tiers[record->tier].name,
                          (uint64_t)record->address, (uint64_t)(record->address + record->bytes));
    return program ? str_format(at->arena, "`TrfAddress::{}`",
                                trf_address_names[program->tensors.items[record->number]->trf])
                   : STR("TRF");
}

// ---- what nobody wrote

// The first operation that writes a tensor, before operation `end`; *is_only: no other does.
static const Op *find_writer(const Case *at, const Tensor *tensor, int64_t end, bool *is_only)
{
    const Op *writer = NULL;
    *is_only = true;
    for (int64_t i = 0; i < end; i++) {
        const Op *op = at->run->program->ops.items[i];
        const Tensor *target = op_target(op);
        if (!target || tensor_root(target) != tensor_root(tensor))
            continue;
        *is_only &= !writer;
        writer = writer ? writer : op;
    }
    return writer;
}

// DMA copies what nobody wrote, or what was left: where it came from counts. *end: behind whose
// writes.
static const Tensor *trace_copies(const Case *at, const Tensor *tensor, int64_t *end)
{
    bool is_only;
    const Op *copy;
    *end = at->actor.number;
    while ((copy = find_writer(at, tensor, *end, &is_only)) && is_only && copy->source) {
        tensor = copy->source->tensor;
        *end = copy->id;
        diag_note(at->diag, copy->span, "it was copied from {} in {} here",
                  tensor_text(at->arena, tensor), tiers[tensor->tier].name);
    }
    return tensor;
}

static bool has_filter(const Op *op)
{
    for (int64_t i = 0; op->pass && i < op->pass->stages.count; i++)
        if (op->pass->stages.items[i]->kind == STAGE_VECTOR_FILTER)
            return true;
    return false;
}

// A launch before this one wrote it, and not all of it has values.
static void explain_given_in_part(const Case *at, const Tensor *param, const Given *given)
{
    const char *kernel = given->launch->program->name;
    const Tensor *host = given->host->name ? given->host : param;
    Str name = tensor_text(at->arena, host);
    diag_note(at->diag, param->span, "which the caller gave, not all of it with values");
    diag_note(at->diag, op_touches(given->op, TIER_HBM, true),
              "`{}` wrote it here, and left elements of it without a value", kernel);
    report_calls(at->diag, given->op, "which is called from here");
    launch_note(at->diag, given->launch, "in this launch");
    diag_help(at->diag,
              "let `{}` give every element of {} a value, or read only those that have one, as a "
              "tile of {}",
              kernel, name, tensor_text(at->arena, param));
}

static void explain_given(const Case *at, const Tensor *param)
{
    const KernelRun *run = at->run;
    Given given = run->given ? run->given(run->host, param) : (Given){0};
    const Tensor *host = given.host;
    if (given.launch) {
        explain_given_in_part(at, param, &given);
        return;
    }
    diag_note(at->diag, param->span, "which the caller gave without values");
    if (!host) {
        Str tensor = tensor_text(at->arena, param);
        diag_help(at->diag, "give {} values, or have them drawn at random", tensor);
        diag_help_typed(at->diag, "give {} values: `--in {}=FILE`, or `--random SEED`", tensor,
                        param->name ? param->name : "NAME");
        return;
    }
    diag_note(at->diag, host->span, "this is what it was given");
    diag_help(at->diag, "write all of {} before the launch: `uninit` and `from_addr` write nothing",
              tensor_text(at->arena, host->name ? host : param));
}

static void explain_written_in_part(const Case *at, const Op *writer, Str name)
{
    Span span = op_touches(writer, at->fault->tier, true);
    diag_note(at->diag, span, "{} is written here, {}", name,
              has_filter(writer) ? "but for what `vector_filter` leaves out" : "and not all of it");
    diag_help(
        at->diag,
        has_filter(writer)
            ? "let all packets of {} pass, or read only those that did, as a tile"
            : "write the rest of {} before it is read, or read only what was written, as a tile",
        name);
}

static void explain_unwritten(const Case *at)
{
    bool is_only;
    int64_t end;
    if (!at->element.tensor || !at->actor.op) {
        diag_help(at->diag, "write all of {} before it is read", at->name);
        return;
    }
    const Tensor *tensor = trace_copies(at, at->element.tensor, &end);
    const Tensor *root = tensor_root(tensor);
    const Op *writer = find_writer(at, tensor, end, &is_only);
    Str name = tensor_text(at->arena, tensor);
    if (writer) {
        explain_written_in_part(at, writer, name);
        return;
    }
    if (root->origin == ORIGIN_PARAM) {
        explain_given(at, root);
        return;
    }
    diag_note(at->diag, root->span, "{} is a name for these bytes: nobody writes them before",
              name);
    diag_help(at->diag, "write all of {} before it is read: `from_addr` writes nothing", name);
}

// ---- padding

// Whether a byte is padding of what an operation writes; of a file that is not known.
static bool pads(const Case *at, const Op *op)
{
    const Tensor *target = op ? op_target(op) : NULL;
    int64_t position;
    if (!op)
        return true;
    if (!target || !place_holds(&at->run->lowered.places[target->id], at->fault, &position))
        return false;
    Mapping mapping = shape_of(at->arena, target->dims);
    return !mapping_cell(at->arena, &mapping, position).count;
}

// The last operation before this one that wrote padding there; -1: none.
static int64_t find_padder(const Case *at)
{
    for (int64_t i = at->actor.number - 1; i >= 0; i--) {
        FaultActor writer = actor_of(at->run, i);
        const HwTensor *record = written_by(at, &writer);
        if (record && record_holds(record, at->fault) && pads(at, writer.op))
            return i;
    }
    return -1;
}

static void explain_padding(const Case *at)
{
    int64_t number = find_padder(at);
    FaultActor writer = actor_of(at->run, number);
    const HwTensor *record = written_by(at, &writer);
    if (!record) {
        diag_help(at->diag,
                  "read it with the padding that it was written with, or write it without");
        return;
    }
    Str name = record_name(at, record);
    diag_note(at->diag, actor_span(at, &writer, true), "{} writes {} with padding there: {}",
              actor_text(at->arena, &writer), name, record->mapping);
    note_calls(at, &writer, "which is called from here");
    note_line(at, &writer, true, "it is written");
    diag_help(at->diag, "read these bytes with the mapping of {}, or write them without padding",
              name);
}

// ---- what was left

// Who left it, at whatever end of copies.
static DeviceWriter find_former(const Case *at)
{
    DeviceWriter former = at->fault->former;
    const Tensor *tensor = at->element.tensor;
    int64_t end = at->actor.number;
    bool is_only;
    const Op *copy;
    while (!former.launch && tensor && (copy = find_writer(at, tensor, end, &is_only)) && is_only &&
           copy->source && !device_left(at->run->device, copy->id, &former)) {
        tensor = copy->source->tensor;
        end = copy->id;
    }
    return former;
}

static void explain_left(const Case *at)
{
    DeviceWriter former = find_former(at);
    const LaunchSite *launch = former.launch;
    int64_t end;
    if (at->element.tensor && at->actor.op)
        trace_copies(at, at->element.tensor, &end);
    if (!launch) {
        diag_help(at->diag, "hand it over as an argument, or write {} in this launch before",
                  at->name);
        return;
    }
    const Program *program = launch->program;
    const Tensor *tensor = former.tensor < 0 ? NULL : program->tensors.items[former.tensor];
    Str what = tensor && tensor->name ? tensor_text(at->arena, tensor) : STR("it");
    if (former.operation >= 0) {
        const Op *writer = program->ops.items[former.operation];
        diag_note(at->diag, op_touches(writer, tensor ? tensor->tier : at->fault->tier, true),
                  "`{}` wrote {} here", program->name, what);
        report_calls(at->diag, writer, "which is called from here");
    }
    launch_note(at->diag, launch, "in this launch");
    diag_help(at->diag,
              "let `{}` give {} back in HBM and hand it over as an argument, or write {} in this "
              "launch before",
              program->name, what, at->name);
}

// ---- what was written over

static void note_ranges(const Case *at, const HwTensor *lost, const HwTensor *by)
{
    bool is_known = lost && by && (at->run->program || lost->tier != TIER_TRF);
    if (is_known)
        diag_note(at->diag, SPAN_NOWHERE, "{} has {}, and {} has {}", at->name,
                  range_text(at, lost), record_name(at, by), range_text(at, by));
}

static void explain_overwritten(const Case *at)
{
    const HwTensor *by = written_by(at, &at->other);
    bool in_registers = at->fault->tier == TIER_TRF || at->fault->tier == TIER_VRF;
    Str other = by && by->name.len ? record_name(at, by) : STR("what is written");
    note_ranges(at, at->element.record, by);
    if (in_registers)
        diag_help(at->diag, "load {} again before this, or load {} elsewhere", at->name, other);
    else if (at->actor.record)
        diag_help(at->diag, "read {} before it is written over, or put {} elsewhere", at->name,
                  other);
    else
        diag_help(at->diag, "put {} elsewhere: {} is the caller's when the kernel is done", other,
                  at->name);
}

// ---- where it lies

static void explain_outside(const Case *at)
{
    const HwTensor *record = at->element.record;
    if (!record || record->tier == TIER_TRF) {
        diag_help(at->diag, "let {} end where the memory ends", at->name);
        return;
    }
    // the first byte that the memory does not have is the one that is read
    int64_t most = at->fault->address - record->bytes;
    diag_note(at->diag, SPAN_NOWHERE, "{} has {}", at->name, range_text(at, record));
    if (most >= 0)
        diag_help(at->diag, "put {} at 0x{x} or below", at->name, (uint64_t)most);
    else
        diag_help(at->diag, "{} is too large: split it over more slices, or over time", at->name);
}

static void explain_misaligned(const Case *at)
{
    const HwTensor *record = moved_tensor(at);
    Str name = record_name(at, record);
    int64_t align = at->fault->bytes;
    if (record && record->address % align == 0) {
        diag_help(at->diag, "pad the rows of {}, so that each takes a multiple of {} bytes: {}",
                  name, align, record->mapping);
        return;
    }
    int64_t address = record ? record->address : at->fault->address;
    int64_t below = address - address % align;
    diag_help(at->diag, "put {} at 0x{x} or 0x{x}", name, (uint64_t)below,
              (uint64_t)(below + align));
}

// The tensor whose rows are so far apart.
static const HwTensor *walked_tensor(const Case *at)
{
    const HwOperation *record = at->actor.record;
    for (int64_t i = 0; record && i < record->reads.count; i++) {
        const HwTensor *read = record_of(at->run, record->reads.items[i]);
        if (read && record_holds(read, at->fault))
            return read;
    }
    return written_by(at, &at->actor);
}

static void explain_bank(const Case *at)
{
    diag_help(at->diag,
              "pad the rows of {} by a word of a bank, so that the accesses go to all banks; or "
              "let {} come before or behind the pass by a tensor that both use",
              record_name(at, walked_tensor(at)), actor_text(at->arena, &at->other));
}

static void explain_no_number(const Case *at)
{
    bool is_only;
    const Op *load = at->element.tensor && at->actor.op
                         ? find_writer(at, at->element.tensor, at->actor.number, &is_only)
                         : NULL;
    bool is_main = load && load->context == CONTEXT_MAIN;
    if (load) {
        diag_note(at->diag, op_touches(load, TIER_TRF, true), "{}",
                  is_main ? "it is loaded here; the mask registers cannot cover this padding"
                          : "it is loaded here from DM, without a mask");
        report_calls(at->diag, load, "the load is called from here");
    }
    if (is_main)
        diag_help(at->diag,
                  "fetch {} with padding along one axis only, which the main context can mask, or "
                  "write numbers to its padding in DM before it is loaded",
                  at->name);
    else
        diag_help(at->diag,
                  "load {} with the main context, which masks padding inside packets, or write "
                  "numbers to its padding in DM before it is loaded",
                  at->name);
}

// ---- all of them

static void note_record(const Case *at)
{
    const HwTensor *record = at->element.record;
    if (at->run->program || !record)
        return;
    if (record->line)
        diag_note(at->diag, SPAN_NOWHERE, "it is a byte of {}, from {}:{}", at->name, record->file,
                  record->line);
    else
        diag_note(at->diag, SPAN_NOWHERE, "it is a byte of {}, {}", at->name, record->mapping);
}

// ---- diagnostics

static const struct {
    DiagCode code;
    const char *words; // behind what is read
    void (*explain)(const Case *at);
} kinds[FAULT_KINDS] = {
    [FAULT_UNWRITTEN] = {DIAG_SANITIZE_UNWRITTEN, "which nobody wrote", explain_unwritten},
    [FAULT_PADDING] = {DIAG_SANITIZE_PADDING, "which is padding where it was written",
                       explain_padding},
    [FAULT_LEFT] = {DIAG_SANITIZE_LEFT, "which a former launch left behind", explain_left},
    [FAULT_OUTSIDE] = {DIAG_SANITIZE_OUTSIDE, "which the memory does not have", explain_outside},
    [FAULT_NO_NUMBER] = {DIAG_SANITIZE_NO_NUMBER,
                         "which is NaN or infinite, and multiplies it by 0 in a sum",
                         explain_no_number},
    [FAULT_NO_ZERO] = {DIAG_SANITIZE_NO_ZERO,
                       "which nobody wrote and may be NaN, and multiplies it by 0 in a sum",
                       explain_no_number},
    [FAULT_OVERWRITTEN] = {.explain = explain_overwritten},
    [FAULT_MISALIGNED] = {.explain = explain_misaligned},
    [FAULT_BANK] = {.explain = explain_bank},
};

static void explain(const Case *at)
{
    note_record(at);
    kinds[at->fault->kind].explain(at);
}

static void note_place(const Case *at)
{
    if (at->element.tensor)
        diag_note(at->diag, SPAN_NOWHERE, "{}", place_text(at));
}

// Notes further faults of the same kind.
static void note_more(const Case *at)
{
    const Tensor *tensor = at->element.tensor;
    int64_t bits = tensor ? scalar_traits[tensor->type].packet_bits : 8;
    int64_t more = at->faults->places[at->fault->kind] * 8 / bits - 1;
    note_place(at);
    if (more > 0)
        diag_note(at->diag, SPAN_NOWHERE, "and {} more {}{}", more, tensor ? "element" : "byte",
                  more == 1 ? "" : "s");
}

static void report_read(Case *at)
{
    at->diag =
        diag_add(&at->run->contra->diags, kinds[at->fault->kind].code,
                 actor_span(at, &at->actor, false), "{} reads {}, {}",
                 actor_text(at->arena, &at->actor), element_text(at), kinds[at->fault->kind].words);
    note_actor(at, false);
    explain(at);
    note_more(at);
}

// The checker has warned of the same where the rule was relaxed: one report is enough, with what it
// says to do.
static void take_warning(const KernelRun *run, Diag *diag, Span written)
{
    DiagList *diags = &run->contra->diags;
    for (int64_t i = 0; i < diags->count; i++) {
        Diag *said = diags->items[i];
        if (said->code != DIAG_OVERLAP || said->severity != SEVERITY_WARNING || said->is_repeated ||
            !span_same(said->span, written))
            continue;
        diag_copy_helps(diag, said);
        said->is_repeated = true;
    }
}

// Of registers the reader comes too late; elsewhere the writer too early.
static void report_overwritten(Case *at)
{
    Arena *arena = at->arena;
    DiagList *diags = &at->run->contra->diags;
    bool in_registers = at->fault->tier == TIER_TRF || at->fault->tier == TIER_VRF;
    const FaultActor *reader = &at->actor, *writer = &at->other;
    Str what = element_text(at), by = actor_text(arena, writer), whose = actor_text(arena, reader);
    Span read = actor_span(at, reader, false), written = actor_span(at, writer, true);
    at->diag = in_registers ? diag_add(diags, DIAG_SANITIZE_REGISTER, read,
                                       "{} reads {}, which {} wrote over", whose, what, by)
                            : diag_add(diags, DIAG_SANITIZE_OVERWRITTEN, written,
                                       "{} writes over {}, which {} still reads", by, what, whose);
    const FaultActor *first = in_registers ? reader : writer;
    const FaultActor *second = in_registers ? writer : reader;
    note_calls(at, first, "called from here");
    if (second->op)
        diag_note(at->diag, in_registers ? written : read, "{}",
                  in_registers ? "it is written over here" : "it is read here");
    if (second->op && first->op && !report_same_calls(first->op, second->op))
        note_calls(at, second,
                   in_registers ? "the write is called from here" : "the read is called from here");
    note_line(at, writer, true, "it is written over");
    note_line(at, reader, false, "it is read");
    explain(at);
    note_more(at);
    take_warning(at->run, at->diag, written);
}

static void report_misaligned(Case *at)
{
    at->diag = diag_add(
        &at->run->contra->diags, DIAG_SANITIZE_MISALIGNED, actor_span(at, &at->actor, true),
        "{} {} a packet at {}, which is no multiple of {}", actor_text(at->arena, &at->actor),
        at->fault->writes ? "writes" : "reads", place_text(at), at->fault->bytes);
    note_actor(at, true);
    explain(at);
}

static void report_bank(Case *at)
{
    Arena *arena = at->arena;
    const FaultActor *dma = &at->other;
    at->diag = diag_add(
        &at->run->contra->diags, DIAG_SANITIZE_BANK, actor_span(at, &at->actor, false),
        "{} goes to one bank of DM {} times in a row, from byte 0x{x} on, while {} may run",
        actor_text(arena, &at->actor), at->fault->bytes, (uint64_t)at->fault->address,
        actor_text(arena, dma));
    note_actor(at, false);
    if (dma->op)
        diag_note(at->diag, dma->op->span, "this DMA waits for the bank meanwhile");
    note_line(at, dma, false, "the DMA is");
    explain(at);
}

// ---- entries of an index that name no row

static void note_range(const Case *at, const IndexRange *range, Str table)
{
    if (range->axis.len)
        diag_note(at->diag, SPAN_NOWHERE, "rows of {} are counted along `{}`, from 0 to {}", table,
                  range->axis, range->rows - 1);
    if (range->unit > 1)
        diag_note(at->diag, SPAN_NOWHERE, "entries are scaled: {} bytes a row", range->unit);
}

static void help_index(const Case *at, const IndexRange *range, Str table)
{
    Str name = named(at->arena, at->element.tensor, at->element.record, "the index");
    int64_t last = (range->rows - 1) * range->unit;
    if (range->unit > 1)
        diag_help(at->diag, "give {} multiples of {} from 0 to {}", name, range->unit, last);
    else
        diag_help(at->diag, "give {} values from 0 to {}", name, last);
    diag_help(at->diag, "entries that mean nothing need a row, too: let {} have one more for them",
              table);
}

static void report_index(Case *at)
{
    const DeviceFault *fault = at->fault, *last = &at->faults->items[at->faults->count - 1];
    IndexRange range = {.rows = fault->rows, .unit = fault->unit}; // without table and axis
    if (at->actor.op)
        index_range(at->arena, at->actor.op, &range);
    Str table = named(at->arena, range.table, moved_tensor(at), "the table");
    at->diag = diag_add(
        &at->run->contra->diags, DIAG_SANITIZE_INDEX, actor_span(at, &at->actor, false),
        "{} looks for a row by {}, which is {}: {} has {} rows", actor_text(at->arena, &at->actor),
        element_text(at), fault->entry, table, fault->rows);
    note_actor(at, false);
    note_range(at, &range, table);
    note_place(at);
    if (last != fault && last->kind == fault->kind)
        diag_note(at->diag, SPAN_NOWHERE, "other entries name no row, either");
    help_index(at, &range, table);
}

// ---- all of them

// A warning, which ends nothing: loops and further launches find the same again.
static void warn_read(Case *at)
{
    const DiagList *diags = &at->run->contra->diags;
    Span span = actor_span(at, &at->actor, false);
    for (int64_t i = 0; i < diags->count; i++)
        if (diags->items[i]->code == kinds[at->fault->kind].code &&
            span_same(diags->items[i]->span, span))
            return;
    report_read(at);
}

bool faults_report(const KernelRun *run, const DeviceFaults *faults)
{
    static void (*const reports[FAULT_KINDS])(Case * at) = {
        [FAULT_UNWRITTEN] = report_read,
        [FAULT_PADDING] = report_read,
        [FAULT_LEFT] = report_read,
        [FAULT_OUTSIDE] = report_read,
        [FAULT_NO_NUMBER] = report_read,
        [FAULT_NO_ZERO] = warn_read,
        [FAULT_OVERWRITTEN] = report_overwritten,
        [FAULT_MISALIGNED] = report_misaligned,
        [FAULT_BANK] = report_bank,
        [FAULT_INDEX] = report_index,
    };
    bool failed = false;
    for (int64_t i = 0; faults && i < faults->count; i++) {
        const DeviceFault *fault = &faults->items[i];
        if (i && faults->items[i - 1].kind == fault->kind)
            continue; // counted with the first
        Case at = case_of(run, faults, fault);
        reports[fault->kind](&at);
        failed |= fault->kind != FAULT_NO_ZERO;
    }
    return failed;
}

// ---- padding that is reduced

static bool is_about(const Diag *diag, const Stage *stage)
{
    return diag->code == DIAG_INTER_REDUCE_PADDING && stage->kind == STAGE_VECTOR_INTER_REDUCE &&
           span_same(diag->span, stage->span);
}

const Diag *faults_find_reduced(const Program *program, const DiagList *said)
{
    for (int64_t i = 0; i < said->count; i++)
        for (int64_t k = 0; k < program->ops.count; k++) {
            const Pass *pass = program->ops.items[k]->pass;
            for (int64_t n = 0; pass && n < pass->stages.count; n++)
                if (is_about(said->items[i], pass->stages.items[n]))
                    return said->items[i];
        }
    return NULL;
}

void faults_report_reduced(const KernelRun *run)
{
    const Diag *warning = run->reduced;
    Diag *diag = diag_add(&run->contra->diags, DIAG_SANITIZE_REDUCED, warning->span, "in `{}`, {}",
                          run->program->name, warning->message);
    diag_copy_helps(diag, warning);
}

// ---- results

// Each tensor once, however many operations write it.
static void find_in_tensor(const KernelRun *run, const Tensor *tensor, bool *is_done)
{
    if (!is_done[tensor->id])
        device_check_result(run->device, run->code, &run->lowered.places[tensor->id]);
    is_done[tensor->id] = true;
}

static void find_results_of_program(const KernelRun *run)
{
    const Program *program = run->program;
    ArenaMark mark = arena_mark(run->scratch);
    bool *is_done = arena_new(run->scratch, bool, (size_t)program->tensors.count + 1);
    for (int64_t i = 0; i < program->results.count; i++)
        find_in_tensor(run, program->results.items[i], is_done);
    for (int64_t i = 0; i < program->ops.count; i++) {
        const Tensor *target = op_target(program->ops.items[i]);
        if (target && tensor_root(target)->origin == ORIGIN_PARAM)
            find_in_tensor(run, tensor_root(target), is_done);
    }
    arena_reset(run->scratch, mark);
}

void faults_find_results(const KernelRun *run)
{
    const HwObject *object = &run->lowered.object;
    if (!run->options->sanitize)
        return;
    if (run->program) {
        find_results_of_program(run);
        return;
    }
    for (int64_t i = 0; i < object->results.count; i++)
        device_check_result(run->device, run->code, &object->results.items[i]);
    for (int64_t i = 0; i < object->arguments.count; i++)
        if (object->arguments.items[i].is_output)
            device_check_result(run->device, run->code, &object->arguments.items[i]);
}
