#include "run/faults_internal.h"

#include "base/checked.h"
#include "engine/dma/scatter.h"
#include "engine/memory/access.h"
#include "engine/memory/tensor.h"
#include "engine/report.h"
#include "mapping/cell.h"

// ---- where what is read comes from, and what to do about it

// A fault on its way to the reader.
typedef struct {
    const KernelRun *run;
    Arena *arena;
    Diag *diag;
    const DeviceFault *fault;
    const FaultActor *actor; // that reads, or moves
    const FaultElement *element;
    Str name; // of the tensor
} Case;

// ---- texts

static Str record_name(Arena *arena, const HwTensor *record)
{
    return record && record->name.len ? str_format(arena, "`{}`", record->name) : STR("the tensor");
}

static Str element_name(Arena *arena, const FaultElement *element)
{
    return element->tensor && element->tensor->name
               ? str_format(arena, "`{}`", element->tensor->name)
               : record_name(arena, element->record);
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

// The tensor that an operation writes. NULL: not known.
static const HwTensor *written_by(const Case *at, int64_t operation)
{
    FaultActor actor = fault_actor(at->run, operation);
    return actor.record ? fault_record(at->run, actor.record->writes) : NULL;
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
    *end = at->actor->number;
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
    if (!at->element->tensor || !at->actor->op) {
        diag_help(at->diag, "write all of {} before it is read", at->name);
        return;
    }
    const Tensor *tensor = trace_copies(at, at->element->tensor, &end);
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
    if (!target || !fault_holds(&at->run->lowered.places[target->id], at->fault, &position))
        return false;
    Mapping mapping = shape_of(at->arena, target->dims);
    return !mapping_cell(at->arena, &mapping, position).count;
}

// The last operation before this one that wrote padding there; -1: none.
static int64_t find_padder(const Case *at)
{
    for (int64_t i = at->actor->number - 1; i >= 0; i--) {
        const HwTensor *record = written_by(at, i);
        FaultActor writer = fault_actor(at->run, i);
        if (record && fault_record_holds(record, at->fault) && pads(at, writer.op))
            return i;
    }
    return -1;
}

static void explain_padding(const Case *at)
{
    int64_t number = find_padder(at);
    FaultActor writer = fault_actor(at->run, number);
    const HwTensor *record = number < 0 ? NULL : written_by(at, number);
    if (!record) {
        diag_help(at->diag,
                  "read it with the padding that it was written with, or write it without");
        return;
    }
    Str name = record_name(at->arena, record);
    diag_note(at->diag, fault_actor_span(&writer, at->fault->tier, true),
              "{} writes {} with padding there: {}", fault_actor_text(at->arena, &writer), name,
              record->mapping);
    fault_note_calls(at->diag, &writer, "which is called from here");
    fault_note_line(at->diag, &writer, at->fault->tier, true, "it is written");
    diag_help(at->diag, "read these bytes with the mapping of {}, or write them without padding",
              name);
}

// ---- what was left

// Who left it, at whatever end of copies.
static DeviceWriter find_former(const Case *at)
{
    DeviceWriter former = at->fault->former;
    const Tensor *tensor = at->element->tensor;
    int64_t end = at->actor->number;
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
    if (at->element->tensor && at->actor->op)
        trace_copies(at, at->element->tensor, &end);
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
                  range_text(at, lost), record_name(at->arena, by), range_text(at, by));
}

static void explain_overwritten(const Case *at)
{
    const HwTensor *by = written_by(at, at->fault->other);
    bool in_registers = at->fault->tier == TIER_TRF || at->fault->tier == TIER_VRF;
    Str other = by && by->name.len ? record_name(at->arena, by) : STR("what is written");
    note_ranges(at, at->element->record, by);
    if (in_registers)
        diag_help(at->diag, "load {} again before this, or load {} elsewhere", at->name, other);
    else if (at->actor->record)
        diag_help(at->diag, "read {} before it is written over, or put {} elsewhere", at->name,
                  other);
    else
        diag_help(at->diag, "put {} elsewhere: {} is the caller's when the kernel is done", other,
                  at->name);
}

// ---- where it lies

static void explain_outside(const Case *at)
{
    const HwTensor *record = at->element->record;
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

static const HwTensor *moved_tensor(const Case *at)
{
    const HwOperation *record = at->actor->record;
    if (at->fault->writes)
        return written_by(at, at->actor->number);
    return record && record->reads.count ? fault_record(at->run, record->reads.items[0]) : NULL;
}

static void explain_misaligned(const Case *at)
{
    const HwTensor *record = moved_tensor(at);
    Str name = record_name(at->arena, record);
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
    const HwOperation *record = at->actor->record;
    for (int64_t i = 0; record && i < record->reads.count; i++) {
        const HwTensor *read = fault_record(at->run, record->reads.items[i]);
        if (read && fault_record_holds(read, at->fault))
            return read;
    }
    return written_by(at, at->actor->number);
}

static void explain_bank(const Case *at)
{
    FaultActor dma = fault_actor(at->run, at->fault->other);
    diag_help(at->diag,
              "pad the rows of {} by a word of a bank, so that the accesses go to all banks; or "
              "let {} come before or behind the pass by a tensor that both use",
              record_name(at->arena, walked_tensor(at)), fault_actor_text(at->arena, &dma));
}

static void explain_no_number(const Case *at)
{
    bool is_only;
    const Op *load = at->element->tensor && at->actor->op
                         ? find_writer(at, at->element->tensor, at->actor->number, &is_only)
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
    const HwTensor *record = at->element->record;
    if (at->run->program || !record)
        return;
    if (record->line)
        diag_note(at->diag, SPAN_NOWHERE, "it is a byte of {}, from {}:{}", at->name, record->file,
                  record->line);
    else
        diag_note(at->diag, SPAN_NOWHERE, "it is a byte of {}, {}", at->name, record->mapping);
}

static void fault_explain(const KernelRun *run, Diag *diag, const DeviceFault *fault,
                          const FaultActor *actor, const FaultElement *element)
{
    static void (*const explain[FAULT_KINDS])(const Case *) = {
        [FAULT_UNWRITTEN] = explain_unwritten, [FAULT_PADDING] = explain_padding,
        [FAULT_LEFT] = explain_left,           [FAULT_OVERWRITTEN] = explain_overwritten,
        [FAULT_OUTSIDE] = explain_outside,     [FAULT_MISALIGNED] = explain_misaligned,
        [FAULT_BANK] = explain_bank,           [FAULT_NO_NUMBER] = explain_no_number,
        [FAULT_NO_ZERO] = explain_no_number,
    };
    Arena *arena = run->scratch;
    const Case at = {run, arena, diag, fault, actor, element, element_name(arena, element)};
    note_record(&at);
    explain[fault->kind](&at);
}

// ---- diagnostics

static const struct {
    DiagCode code;
    const char *words; // behind what is read
} kinds[FAULT_KINDS] = {
    [FAULT_UNWRITTEN] = {DIAG_SANITIZE_UNWRITTEN, "which nobody wrote"},
    [FAULT_PADDING] = {DIAG_SANITIZE_PADDING, "which is padding where it was written"},
    [FAULT_LEFT] = {DIAG_SANITIZE_LEFT, "which a former launch left behind"},
    [FAULT_OUTSIDE] = {DIAG_SANITIZE_OUTSIDE, "which the memory does not have"},
    [FAULT_NO_NUMBER] = {DIAG_SANITIZE_NO_NUMBER,
                         "which is NaN or infinite, and multiplies it by 0 in a sum"},
    [FAULT_NO_ZERO] = {DIAG_SANITIZE_NO_ZERO,
                       "which nobody wrote and may be NaN, and multiplies it by 0 in a sum"},
};

static void note_more(const KernelRun *run, Diag *diag, const DeviceFault *fault,
                      const FaultElement *element, int64_t bytes)
{
    Arena *arena = run->scratch;
    if (element->tensor)
        diag_note(diag, SPAN_NOWHERE, "{}", fault_place_text(arena, fault));
    int64_t bits = element->tensor ? scalar_traits[element->tensor->type].packet_bits : 8;
    int64_t more = bytes * 8 / bits - 1;
    if (more > 0)
        diag_note(diag, SPAN_NOWHERE, "and {} more {}{}", more,
                  element->tensor ? "element" : "byte", more == 1 ? "" : "s");
}

static void report_read(const KernelRun *run, const DeviceFault *fault, int64_t bytes)
{
    Arena *arena = run->scratch;
    FaultActor reader = fault_actor(run, fault->operation);
    FaultElement element = fault_element(run, fault, &reader);
    Diag *diag = diag_add(&run->contra->diags, kinds[fault->kind].code,
                          fault_actor_span(&reader, fault->tier, false), "{} reads {}, {}",
                          fault_actor_text(arena, &reader),
                          fault_element_text(arena, fault, &element), kinds[fault->kind].words);
    fault_note_line(diag, &reader, fault->tier, false, "the operation is");
    fault_note_calls(diag, &reader, "called from here");
    fault_explain(run, diag, fault, &reader, &element);
    note_more(run, diag, fault, &element, bytes);
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
static void report_overwritten(const KernelRun *run, const DeviceFault *fault, int64_t bytes)
{
    Arena *arena = run->scratch;
    bool in_registers = fault->tier == TIER_TRF || fault->tier == TIER_VRF;
    FaultActor reader = fault_actor(run, fault->operation), writer = fault_actor(run, fault->other);
    FaultElement element = fault_element(run, fault, &reader);
    Str what = fault_element_text(arena, fault, &element);
    Str by = fault_actor_text(arena, &writer), whose = fault_actor_text(arena, &reader);
    Span read = fault_actor_span(&reader, fault->tier, false);
    Span written = fault_actor_span(&writer, fault->tier, true);
    Diag *diag = in_registers
                     ? diag_add(&run->contra->diags, DIAG_SANITIZE_REGISTER, read,
                                "{} reads {}, which {} wrote over", whose, what, by)
                     : diag_add(&run->contra->diags, DIAG_SANITIZE_OVERWRITTEN, written,
                                "{} writes over {}, which {} still reads", by, what, whose);
    const FaultActor *first = in_registers ? &reader : &writer;
    const FaultActor *other = in_registers ? &writer : &reader;
    fault_note_calls(diag, first, "called from here");
    if (other->op)
        diag_note(diag, in_registers ? written : read, "{}",
                  in_registers ? "it is written over here" : "it is read here");
    if (other->op && first->op && !report_same_calls(first->op, other->op))
        fault_note_calls(diag, other,
                         in_registers ? "the write is called from here"
                                      : "the read is called from here");
    fault_note_line(diag, &writer, fault->tier, true, "it is written over");
    fault_note_line(diag, &reader, fault->tier, false, "it is read");
    fault_explain(run, diag, fault, &reader, &element);
    note_more(run, diag, fault, &element, bytes);
    take_warning(run, diag, written);
}

static void report_misaligned(const KernelRun *run, const DeviceFault *fault)
{
    Arena *arena = run->scratch;
    FaultActor actor = fault_actor(run, fault->operation);
    Diag *diag = diag_add(
        &run->contra->diags, DIAG_SANITIZE_MISALIGNED, fault_actor_span(&actor, fault->tier, true),
        "{} {} a packet at {}, which is no multiple of {}", fault_actor_text(arena, &actor),
        fault->writes ? "writes" : "reads", fault_place_text(arena, fault), fault->bytes);
    fault_note_line(diag, &actor, fault->tier, true, "the operation is");
    fault_note_calls(diag, &actor, "called from here");
    fault_explain(run, diag, fault, &actor, &(FaultElement){0});
}

static void report_bank(const KernelRun *run, const DeviceFault *fault)
{
    Arena *arena = run->scratch;
    FaultActor pass = fault_actor(run, fault->operation), dma = fault_actor(run, fault->other);
    Diag *diag = diag_add(
        &run->contra->diags, DIAG_SANITIZE_BANK, fault_actor_span(&pass, fault->tier, false),
        "{} goes to one bank of DM {} times in a row, from byte 0x{x} on, while {} may run",
        fault_actor_text(arena, &pass), fault->bytes, (uint64_t)fault->address,
        fault_actor_text(arena, &dma));
    fault_note_calls(diag, &pass, "called from here");
    if (dma.op)
        diag_note(diag, dma.op->span, "this DMA waits for the bank meanwhile");
    fault_note_line(diag, &pass, fault->tier, false, "the operation is");
    fault_note_line(diag, &dma, fault->tier, false, "the DMA is");
    fault_explain(run, diag, fault, &pass, &(FaultElement){0});
}

// ---- entries of an index that name no row

// The operation, and what is known of its table.
typedef struct {
    Arena *arena;
    const DeviceFault *fault;
    FaultActor actor;
    FaultElement entry;
    const HwTensor *table; // NULL: not known
    IndexRange range;      // of an object file without table and axis
} Lookup;

static const HwTensor *table_of(const KernelRun *run, const DeviceFault *fault)
{
    const HwOperation *record = &run->lowered.object.operations.items[fault->operation];
    if (fault->writes)
        return fault_record(run, record->writes);
    return record->reads.count ? fault_record(run, record->reads.items[0]) : NULL;
}

static Lookup lookup_of(const KernelRun *run, const DeviceFault *fault)
{
    Lookup lookup = {.arena = run->scratch, .fault = fault};
    lookup.actor = fault_actor(run, fault->operation);
    lookup.entry = fault_element(run, fault, &lookup.actor);
    lookup.table = table_of(run, fault);
    lookup.range = (IndexRange){.rows = fault->rows, .unit = fault->unit};
    if (lookup.actor.op)
        index_range(lookup.arena, lookup.actor.op, &lookup.range);
    return lookup;
}

static Str table_name(const Lookup *lookup)
{
    const Tensor *table = lookup->range.table;
    Str name = table && table->name ? str_from(table->name)
               : lookup->table      ? lookup->table->name
                                    : STR("");
    return name.len ? str_format(lookup->arena, "`{}`", name) : STR("the table");
}

static Str index_name(const Lookup *lookup)
{
    const Tensor *tensor = lookup->entry.tensor;
    const HwTensor *record = lookup->entry.record;
    if (tensor && tensor->name)
        return str_format(lookup->arena, "`{}`", tensor->name);
    return record && record->name.len ? str_format(lookup->arena, "`{}`", record->name)
                                      : STR("the index");
}

static void note_range(const Lookup *lookup, Diag *diag, Str table)
{
    const IndexRange *range = &lookup->range;
    if (range->axis.len)
        diag_note(diag, SPAN_NOWHERE, "rows of {} are counted along `{}`, from 0 to {}", table,
                  range->axis, range->rows - 1);
    if (range->unit > 1)
        diag_note(diag, SPAN_NOWHERE, "entries are scaled: {} bytes a row", range->unit);
}

static void help(const Lookup *lookup, Diag *diag, Str table)
{
    const IndexRange *range = &lookup->range;
    Str name = index_name(lookup);
    int64_t last = (range->rows - 1) * range->unit;
    if (range->unit > 1)
        diag_help(diag, "give {} multiples of {} from 0 to {}", name, range->unit, last);
    else
        diag_help(diag, "give {} values from 0 to {}", name, last);
    diag_help(diag, "entries that mean nothing need a row, too: let {} have one more for them",
              table);
}

static void report_index(const KernelRun *run, const DeviceFaults *faults, const DeviceFault *fault)
{
    Lookup lookup = lookup_of(run, fault);
    Arena *arena = lookup.arena;
    Str table = table_name(&lookup);
    Diag *diag =
        diag_add(&run->contra->diags, DIAG_SANITIZE_INDEX,
                 fault_actor_span(&lookup.actor, fault->tier, false),
                 "{} looks for a row by {}, which is {}: {} has {} rows",
                 fault_actor_text(arena, &lookup.actor),
                 fault_element_text(arena, fault, &lookup.entry), fault->entry, table, fault->rows);
    fault_note_line(diag, &lookup.actor, fault->tier, false, "the operation is");
    fault_note_calls(diag, &lookup.actor, "called from here");
    note_range(&lookup, diag, table);
    if (lookup.entry.tensor)
        diag_note(diag, SPAN_NOWHERE, "{}", fault_place_text(arena, fault));
    const DeviceFault *last = &faults->items[faults->count - 1];
    if (last != fault && last->kind == fault->kind)
        diag_note(diag, SPAN_NOWHERE, "other entries name no row, either");
    help(&lookup, diag, table);
}

// ---- all of them

// A warning, which ends nothing: loops and further launches find the same again.
static void warn_read(const KernelRun *run, const DeviceFault *fault, int64_t bytes)
{
    FaultActor reader = fault_actor(run, fault->operation);
    Span span = fault_actor_span(&reader, fault->tier, false);
    for (int64_t i = 0; i < run->contra->diags.count; i++)
        if (run->contra->diags.items[i]->code == kinds[fault->kind].code &&
            span_same(run->contra->diags.items[i]->span, span))
            return;
    report_read(run, fault, bytes);
}

bool faults_report(const KernelRun *run, const DeviceFaults *faults)
{
    bool failed = false;
    for (int64_t i = 0; faults && i < faults->count; i++) {
        const DeviceFault *fault = &faults->items[i];
        int64_t bytes = faults->places[fault->kind];
        if (i && faults->items[i - 1].kind == fault->kind)
            continue; // counted with the first
        failed = failed || fault->kind != FAULT_NO_ZERO;
        if (fault->kind == FAULT_OVERWRITTEN)
            report_overwritten(run, fault, bytes);
        else if (fault->kind == FAULT_MISALIGNED)
            report_misaligned(run, fault);
        else if (fault->kind == FAULT_BANK)
            report_bank(run, fault);
        else if (fault->kind == FAULT_INDEX)
            report_index(run, faults, fault);
        else if (fault->kind == FAULT_NO_ZERO)
            warn_read(run, fault, bytes);
        else
            report_read(run, fault, bytes);
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
