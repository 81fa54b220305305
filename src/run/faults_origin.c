// Where what is read comes from, and what to do about it.
#include "run/faults_internal.h"

#include "base/checked.h"
#include "engine/memory/access.h"
#include "engine/memory/tensor.h"
#include "engine/report.h"
#include "mapping/cell.h"

#include <inttypes.h>

// A fault on its way to the reader.
typedef struct {
    const Execution *execution;
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
    return record && record->name.len ? str_format(arena, "`%.*s`", STR_ARG(record->name))
                                      : STR("the tensor");
}

static Str element_name(Arena *arena, const FaultElement *element)
{
    return element->tensor && element->tensor->name
               ? str_format(arena, "`%s`", element->tensor->name)
               : record_name(arena, element->record);
}

// "DM 0x1000..0x1400"
static Str range_text(const Case *at, const HwTensor *record)
{
    const Program *program = at->execution->program;
    if (record->tier != TIER_TRF)
        return str_format(at->arena, "%s 0x%" PRIx64 "..0x%" PRIx64, tiers[record->tier].name,
                          (uint64_t)record->address, (uint64_t)(record->address + record->bytes));
    return program ? str_format(at->arena, "`TrfAddress::%s`",
                                trf_address_names[program->tensors.items[record->number]->trf])
                   : STR("TRF");
}

// The tensor that an operation writes. NULL: not known.
static const HwTensor *written_by(const Case *at, int64_t operation)
{
    FaultActor actor = fault_actor(at->execution, operation);
    return actor.record ? fault_record(at->execution, actor.record->writes) : NULL;
}

// ---- what nobody wrote

// The first operation that writes a tensor, before operation `end`; *is_only: no other does.
static const Op *find_writer(const Case *at, const Tensor *tensor, int64_t end, bool *is_only)
{
    const Op *writer = NULL;
    *is_only = true;
    for (int64_t i = 0; i < end; i++) {
        const Op *op = at->execution->program->ops.items[i];
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
        diag_note(at->diag, copy->span, "it was copied from %.*s in %s here",
                  STR_ARG(tensor_text(at->arena, tensor)), tiers[tensor->tier].name);
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
              "`%s` wrote it here, and left elements of it without a value", kernel);
    report_calls(at->diag, given->op, "which is called from here");
    launch_note(at->diag, given->launch, "in this launch");
    diag_help(at->diag,
              "let `%s` give every element of %.*s a value, or read only those that have one, as a "
              "tile of %.*s",
              kernel, STR_ARG(name), STR_ARG(tensor_text(at->arena, param)));
}

static void explain_given(const Case *at, const Tensor *param)
{
    const Execution *execution = at->execution;
    Given given = execution->given ? execution->given(execution->own, param) : (Given){0};
    const Tensor *host = given.host;
    if (given.launch) {
        explain_given_in_part(at, param, &given);
        return;
    }
    diag_note(at->diag, param->span, "which the caller gave without values");
    if (!host) {
        Str tensor = tensor_text(at->arena, param);
        diag_help(at->diag, "give %.*s values, or have them drawn at random", STR_ARG(tensor));
        diag_help_typed(at->diag, "give %.*s values: `--in %s=FILE`, or `--random SEED`",
                        STR_ARG(tensor), param->name ? param->name : "NAME");
        return;
    }
    diag_note(at->diag, host->span, "this is what it was given");
    diag_help(at->diag,
              "write all of %.*s before the launch: `uninit` and `from_addr` write nothing",
              STR_ARG(tensor_text(at->arena, host->name ? host : param)));
}

static void explain_written_in_part(const Case *at, const Op *writer, Str name)
{
    Span span = op_touches(writer, at->fault->tier, true);
    diag_note(at->diag, span, "%.*s is written here, %s", STR_ARG(name),
              has_filter(writer) ? "but for what `vector_filter` leaves out" : "and not all of it");
    diag_help(
        at->diag,
        has_filter(writer)
            ? "let all packets of %.*s pass, or read only those that did, as a tile"
            : "write the rest of %.*s before it is read, or read only what was written, as a tile",
        STR_ARG(name));
}

static void explain_unwritten(const Case *at)
{
    bool is_only;
    int64_t end;
    if (!at->element->tensor || !at->actor->op) {
        diag_help(at->diag, "write all of %.*s before it is read", STR_ARG(at->name));
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
    diag_note(at->diag, root->span, "%.*s is a name for these bytes: nobody writes them before",
              STR_ARG(name));
    diag_help(at->diag, "write all of %.*s before it is read: `from_addr` writes nothing",
              STR_ARG(name));
}

// ---- padding

// Whether a byte is padding of what an operation writes; of a file that is not known.
static bool pads(const Case *at, const Op *op)
{
    const Tensor *target = op ? op_target(op) : NULL;
    int64_t position;
    if (!op)
        return true;
    if (!target || !fault_holds(&at->execution->places[target->id], at->fault, &position))
        return false;
    Mapping mapping = shape_of(at->arena, target->dims);
    return !mapping_cell(at->arena, &mapping, position).count;
}

// The last operation before this one that wrote padding there; -1: none.
static int64_t find_padder(const Case *at)
{
    for (int64_t i = at->actor->number - 1; i >= 0; i--) {
        const HwTensor *record = written_by(at, i);
        FaultActor writer = fault_actor(at->execution, i);
        if (record && fault_record_holds(record, at->fault) && pads(at, writer.op))
            return i;
    }
    return -1;
}

static void explain_padding(const Case *at)
{
    int64_t number = find_padder(at);
    FaultActor writer = fault_actor(at->execution, number);
    const HwTensor *record = number < 0 ? NULL : written_by(at, number);
    if (!record) {
        diag_help(at->diag, "read it with the padding that it was written with, or write it "
                            "without");
        return;
    }
    Str name = record_name(at->arena, record);
    diag_note(at->diag, fault_actor_span(&writer, at->fault->tier, true),
              "%.*s writes %.*s with padding there: %.*s",
              STR_ARG(fault_actor_text(at->arena, &writer)), STR_ARG(name),
              STR_ARG(record->mapping));
    fault_note_calls(at->diag, &writer, "which is called from here");
    fault_note_line(at->diag, &writer, at->fault->tier, true, "it is written");
    diag_help(at->diag, "read these bytes with the mapping of %.*s, or write them without padding",
              STR_ARG(name));
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
           copy->source && !device_left(at->execution->device, copy->id, &former)) {
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
        diag_help(at->diag, "hand it over as an argument, or write %.*s in this launch before",
                  STR_ARG(at->name));
        return;
    }
    const Program *program = launch->program;
    const Tensor *tensor = former.tensor < 0 ? NULL : program->tensors.items[former.tensor];
    Str what = tensor && tensor->name ? tensor_text(at->arena, tensor) : STR("it");
    if (former.operation >= 0) {
        const Op *writer = program->ops.items[former.operation];
        diag_note(at->diag, op_touches(writer, tensor ? tensor->tier : at->fault->tier, true),
                  "`%s` wrote %.*s here", program->name, STR_ARG(what));
        report_calls(at->diag, writer, "which is called from here");
    }
    launch_note(at->diag, launch, "in this launch");
    diag_help(at->diag,
              "let `%s` give %.*s back in HBM and hand it over as an argument, or write %.*s in "
              "this launch before",
              program->name, STR_ARG(what), STR_ARG(at->name));
}

// ---- what was written over

static void note_ranges(const Case *at, const HwTensor *lost, const HwTensor *by)
{
    bool is_known = lost && by && (at->execution->program || lost->tier != TIER_TRF);
    if (is_known)
        diag_note(at->diag, SPAN_NOWHERE, "%.*s has %.*s, and %.*s has %.*s", STR_ARG(at->name),
                  STR_ARG(range_text(at, lost)), STR_ARG(record_name(at->arena, by)),
                  STR_ARG(range_text(at, by)));
}

static void explain_overwritten(const Case *at)
{
    const HwTensor *by = written_by(at, at->fault->other);
    bool in_registers = at->fault->tier == TIER_TRF || at->fault->tier == TIER_VRF;
    Str other = by && by->name.len ? record_name(at->arena, by) : STR("what is written");
    note_ranges(at, at->element->record, by);
    if (in_registers)
        diag_help(at->diag, "load %.*s again before this, or load %.*s elsewhere",
                  STR_ARG(at->name), STR_ARG(other));
    else if (at->actor->record)
        diag_help(at->diag, "read %.*s before it is written over, or put %.*s elsewhere",
                  STR_ARG(at->name), STR_ARG(other));
    else
        diag_help(at->diag, "put %.*s elsewhere: %.*s is the caller's when the kernel is done",
                  STR_ARG(other), STR_ARG(at->name));
}

// ---- where it lies

static void explain_outside(const Case *at)
{
    const HwTensor *record = at->element->record;
    if (!record || record->tier == TIER_TRF) {
        diag_help(at->diag, "let %.*s end where the memory ends", STR_ARG(at->name));
        return;
    }
    // the first byte that the memory does not have is the one that is read
    int64_t most = at->fault->address - record->bytes;
    diag_note(at->diag, SPAN_NOWHERE, "%.*s has %.*s", STR_ARG(at->name),
              STR_ARG(range_text(at, record)));
    if (most >= 0)
        diag_help(at->diag, "put %.*s at 0x%" PRIx64 " or below", STR_ARG(at->name),
                  (uint64_t)most);
    else
        diag_help(at->diag, "%.*s is too large: split it over more slices, or over time",
                  STR_ARG(at->name));
}

static const HwTensor *moved_tensor(const Case *at)
{
    const HwOperation *record = at->actor->record;
    if (at->fault->writes)
        return written_by(at, at->actor->number);
    return record && record->reads.count ? fault_record(at->execution, record->reads.items[0])
                                         : NULL;
}

static void explain_misaligned(const Case *at)
{
    const HwTensor *record = moved_tensor(at);
    Str name = record_name(at->arena, record);
    int64_t align = at->fault->bytes;
    if (record && record->address % align == 0) {
        diag_help(at->diag,
                  "pad the rows of %.*s, so that each takes a multiple of %" PRId64 " bytes: %.*s",
                  STR_ARG(name), align, STR_ARG(record->mapping));
        return;
    }
    int64_t address = record ? record->address : at->fault->address;
    int64_t below = address - address % align;
    diag_help(at->diag, "put %.*s at 0x%" PRIx64 " or 0x%" PRIx64, STR_ARG(name), (uint64_t)below,
              (uint64_t)(below + align));
}

// The tensor whose rows are so far apart.
static const HwTensor *walked_tensor(const Case *at)
{
    const HwOperation *record = at->actor->record;
    for (int64_t i = 0; record && i < record->reads.count; i++) {
        const HwTensor *read = fault_record(at->execution, record->reads.items[i]);
        if (read && fault_record_holds(read, at->fault))
            return read;
    }
    return written_by(at, at->actor->number);
}

static void explain_bank(const Case *at)
{
    FaultActor dma = fault_actor(at->execution, at->fault->other);
    diag_help(at->diag,
              "pad the rows of %.*s by a word of a bank, so that the accesses go to all banks; or "
              "let %.*s come before or behind the pass by a tensor that both use",
              STR_ARG(record_name(at->arena, walked_tensor(at))),
              STR_ARG(fault_actor_text(at->arena, &dma)));
}

static void explain_no_number(const Case *at)
{
    bool is_only;
    const Op *load = at->element->tensor && at->actor->op
                         ? find_writer(at, at->element->tensor, at->actor->number, &is_only)
                         : NULL;
    bool is_main = load && load->context == CONTEXT_MAIN;
    if (load) {
        diag_note(at->diag, op_touches(load, TIER_TRF, true), "%s",
                  is_main ? "it is loaded here; the mask registers cannot cover this padding"
                          : "it is loaded here from DM, without a mask");
        report_calls(at->diag, load, "the load is called from here");
    }
    if (is_main)
        diag_help(at->diag,
                  "fetch %.*s with padding along one axis only, which the main context can mask, "
                  "or write numbers to its padding in DM before it is loaded",
                  STR_ARG(at->name));
    else
        diag_help(at->diag,
                  "load %.*s with the main context, which masks padding inside packets, or write "
                  "numbers to its padding in DM before it is loaded",
                  STR_ARG(at->name));
}

// ---- all of them

static void note_record(const Case *at)
{
    const HwTensor *record = at->element->record;
    if (at->execution->program || !record)
        return;
    if (record->line)
        diag_note(at->diag, SPAN_NOWHERE, "it is a byte of %.*s, from %.*s:%" PRId64,
                  STR_ARG(at->name), STR_ARG(record->file), record->line);
    else
        diag_note(at->diag, SPAN_NOWHERE, "it is a byte of %.*s, %.*s", STR_ARG(at->name),
                  STR_ARG(record->mapping));
}

void fault_explain(const Execution *execution, Diag *diag, const DeviceFault *fault,
                   const FaultActor *actor, const FaultElement *element)
{
    static void (*const explain[FAULT_KINDS])(const Case *) = {
        [FAULT_UNWRITTEN] = explain_unwritten, [FAULT_PADDING] = explain_padding,
        [FAULT_LEFT] = explain_left,           [FAULT_OVERWRITTEN] = explain_overwritten,
        [FAULT_OUTSIDE] = explain_outside,     [FAULT_MISALIGNED] = explain_misaligned,
        [FAULT_BANK] = explain_bank,           [FAULT_NO_NUMBER] = explain_no_number,
        [FAULT_NO_ZERO] = explain_no_number,
    };
    Arena *arena = execution->scratch;
    const Case at = {execution, arena, diag, fault, actor, element, element_name(arena, element)};
    note_record(&at);
    explain[fault->kind](&at);
}
