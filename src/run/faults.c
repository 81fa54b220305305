#include "run/faults_internal.h"

#include "base/checked.h"
#include "engine/dma/scatter.h"
#include "engine/memory/access.h"
#include "engine/report.h"

#include <inttypes.h>

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

static void note_more(const Execution *execution, Diag *diag, const DeviceFault *fault,
                      const FaultElement *element, int64_t bytes)
{
    Arena *arena = execution->scratch;
    if (element->tensor)
        diag_note(diag, SPAN_NOWHERE, "%.*s", STR_ARG(fault_place_text(arena, fault)));
    int64_t bits = element->tensor ? scalar_traits[element->tensor->type].packet_bits : 8;
    int64_t more = bytes * 8 / bits - 1;
    if (more > 0)
        diag_note(diag, SPAN_NOWHERE, "and %" PRId64 " more %s%s", more,
                  element->tensor ? "element" : "byte", more == 1 ? "" : "s");
}

static void report_read(const Execution *execution, const DeviceFault *fault, int64_t bytes)
{
    Arena *arena = execution->scratch;
    FaultActor reader = fault_actor(execution, fault->operation);
    FaultElement element = fault_element(execution, fault, &reader);
    Diag *diag = diag_add(
        execution->diags, kinds[fault->kind].code, fault_actor_span(&reader, fault->tier, false),
        "%.*s reads %.*s, %s", STR_ARG(fault_actor_text(arena, &reader)),
        STR_ARG(fault_element_text(arena, fault, &element)), kinds[fault->kind].words);
    fault_note_line(diag, &reader, fault->tier, false, "the operation is");
    fault_note_calls(diag, &reader, "called from here");
    fault_explain(execution, diag, fault, &reader, &element);
    note_more(execution, diag, fault, &element, bytes);
}

// The checker has warned of the same where the rule was relaxed: one report is enough, with what it
// says to do.
static void take_warning(const Execution *execution, Diag *diag, Span written)
{
    DiagList *diags = execution->diags;
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
static void report_overwritten(const Execution *execution, const DeviceFault *fault, int64_t bytes)
{
    Arena *arena = execution->scratch;
    bool in_registers = fault->tier == TIER_TRF || fault->tier == TIER_VRF;
    FaultActor reader = fault_actor(execution, fault->operation),
               writer = fault_actor(execution, fault->other);
    FaultElement element = fault_element(execution, fault, &reader);
    Str what = fault_element_text(arena, fault, &element);
    Str by = fault_actor_text(arena, &writer), whose = fault_actor_text(arena, &reader);
    Span read = fault_actor_span(&reader, fault->tier, false);
    Span written = fault_actor_span(&writer, fault->tier, true);
    Diag *diag = in_registers ? diag_add(execution->diags, DIAG_SANITIZE_REGISTER, read,
                                         "%.*s reads %.*s, which %.*s wrote over", STR_ARG(whose),
                                         STR_ARG(what), STR_ARG(by))
                              : diag_add(execution->diags, DIAG_SANITIZE_OVERWRITTEN, written,
                                         "%.*s writes over %.*s, which %.*s still reads",
                                         STR_ARG(by), STR_ARG(what), STR_ARG(whose));
    const FaultActor *first = in_registers ? &reader : &writer;
    const FaultActor *other = in_registers ? &writer : &reader;
    fault_note_calls(diag, first, "called from here");
    if (other->op)
        diag_note(diag, in_registers ? written : read, "%s",
                  in_registers ? "it is written over here" : "it is read here");
    if (other->op && first->op && !report_same_calls(first->op, other->op))
        fault_note_calls(diag, other,
                         in_registers ? "the write is called from here"
                                      : "the read is called from here");
    fault_note_line(diag, &writer, fault->tier, true, "it is written over");
    fault_note_line(diag, &reader, fault->tier, false, "it is read");
    fault_explain(execution, diag, fault, &reader, &element);
    note_more(execution, diag, fault, &element, bytes);
    take_warning(execution, diag, written);
}

static void report_misaligned(const Execution *execution, const DeviceFault *fault)
{
    Arena *arena = execution->scratch;
    FaultActor actor = fault_actor(execution, fault->operation);
    Diag *diag = diag_add(
        execution->diags, DIAG_SANITIZE_MISALIGNED, fault_actor_span(&actor, fault->tier, true),
        "%.*s %s a packet at %.*s, which is no multiple of %" PRId64,
        STR_ARG(fault_actor_text(arena, &actor)), fault->writes ? "writes" : "reads",
        STR_ARG(fault_place_text(arena, fault)), fault->bytes);
    fault_note_line(diag, &actor, fault->tier, true, "the operation is");
    fault_note_calls(diag, &actor, "called from here");
    fault_explain(execution, diag, fault, &actor, &(FaultElement){0});
}

static void report_bank(const Execution *execution, const DeviceFault *fault)
{
    Arena *arena = execution->scratch;
    FaultActor pass = fault_actor(execution, fault->operation),
               dma = fault_actor(execution, fault->other);
    Diag *diag =
        diag_add(execution->diags, DIAG_SANITIZE_BANK, fault_actor_span(&pass, fault->tier, false),
                 "%.*s goes to one bank of DM %" PRId64 " times in a row, from byte 0x%" PRIx64
                 " on, while %.*s may run",
                 STR_ARG(fault_actor_text(arena, &pass)), fault->bytes, (uint64_t)fault->address,
                 STR_ARG(fault_actor_text(arena, &dma)));
    fault_note_calls(diag, &pass, "called from here");
    if (dma.op)
        diag_note(diag, dma.op->span, "this DMA waits for the bank meanwhile");
    fault_note_line(diag, &pass, fault->tier, false, "the operation is");
    fault_note_line(diag, &dma, fault->tier, false, "the DMA is");
    fault_explain(execution, diag, fault, &pass, &(FaultElement){0});
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

static const HwTensor *table_of(const Execution *execution, const DeviceFault *fault)
{
    const HwOperation *record = &execution->object->operations.items[fault->operation];
    if (fault->writes)
        return fault_record(execution, record->writes);
    return record->reads.count ? fault_record(execution, record->reads.items[0]) : NULL;
}

static Lookup lookup_of(const Execution *execution, const DeviceFault *fault)
{
    Lookup lookup = {.arena = execution->scratch, .fault = fault};
    lookup.actor = fault_actor(execution, fault->operation);
    lookup.entry = fault_element(execution, fault, &lookup.actor);
    lookup.table = table_of(execution, fault);
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
    return name.len ? str_format(lookup->arena, "`%.*s`", STR_ARG(name)) : STR("the table");
}

static Str index_name(const Lookup *lookup)
{
    const Tensor *tensor = lookup->entry.tensor;
    const HwTensor *record = lookup->entry.record;
    if (tensor && tensor->name)
        return str_format(lookup->arena, "`%s`", tensor->name);
    return record && record->name.len ? str_format(lookup->arena, "`%.*s`", STR_ARG(record->name))
                                      : STR("the index");
}

static void note_range(const Lookup *lookup, Diag *diag, Str table)
{
    const IndexRange *range = &lookup->range;
    if (range->axis.len)
        diag_note(diag, SPAN_NOWHERE, "rows of %.*s are counted along `%.*s`, from 0 to %" PRId64,
                  STR_ARG(table), STR_ARG(range->axis), range->rows - 1);
    if (range->unit > 1)
        diag_note(diag, SPAN_NOWHERE, "entries are scaled: %" PRId64 " bytes a row", range->unit);
}

static bool has_others(const DeviceFaults *faults, const DeviceFault *fault)
{
    const DeviceFault *last = &faults->items[faults->count - 1];
    return last != fault && last->kind == fault->kind;
}

static void help(const Lookup *lookup, Diag *diag, Str table)
{
    const IndexRange *range = &lookup->range;
    Str name = index_name(lookup);
    int64_t last = (range->rows - 1) * range->unit;
    if (range->unit > 1)
        diag_help(diag, "give %.*s multiples of %" PRId64 " from 0 to %" PRId64, STR_ARG(name),
                  range->unit, last);
    else
        diag_help(diag, "give %.*s values from 0 to %" PRId64, STR_ARG(name), last);
    diag_help(diag, "entries that mean nothing need a row, too: let %.*s have one more for them",
              STR_ARG(table));
}

static void report_index(const Execution *execution, const DeviceFaults *faults,
                         const DeviceFault *fault)
{
    Lookup lookup = lookup_of(execution, fault);
    Arena *arena = lookup.arena;
    Str table = table_name(&lookup);
    Diag *diag = diag_add(
        execution->diags, DIAG_SANITIZE_INDEX, fault_actor_span(&lookup.actor, fault->tier, false),
        "%.*s looks for a row by %.*s, which is %" PRId64 ": %.*s has %" PRId64 " rows",
        STR_ARG(fault_actor_text(arena, &lookup.actor)),
        STR_ARG(fault_element_text(arena, fault, &lookup.entry)), fault->entry, STR_ARG(table),
        fault->rows);
    fault_note_line(diag, &lookup.actor, fault->tier, false, "the operation is");
    fault_note_calls(diag, &lookup.actor, "called from here");
    note_range(&lookup, diag, table);
    if (lookup.entry.tensor)
        diag_note(diag, SPAN_NOWHERE, "%.*s", STR_ARG(fault_place_text(arena, fault)));
    if (has_others(faults, fault))
        diag_note(diag, SPAN_NOWHERE, "other entries name no row, either");
    help(&lookup, diag, table);
}

// ---- all of them

// A warning, which ends nothing: loops and further launches find the same again.
static void warn_read(const Execution *execution, const DeviceFault *fault, int64_t bytes)
{
    FaultActor reader = fault_actor(execution, fault->operation);
    Span span = fault_actor_span(&reader, fault->tier, false);
    for (int64_t i = 0; i < execution->diags->count; i++)
        if (execution->diags->items[i]->code == kinds[fault->kind].code &&
            span_same(execution->diags->items[i]->span, span))
            return;
    report_read(execution, fault, bytes);
}

bool faults_report(const Execution *execution, const DeviceFaults *faults)
{
    bool failed = false;
    for (int64_t i = 0; faults && i < faults->count; i++) {
        const DeviceFault *fault = &faults->items[i];
        int64_t bytes = faults->places[fault->kind];
        if (i && faults->items[i - 1].kind == fault->kind)
            continue; // counted with the first
        failed = failed || fault->kind != FAULT_NO_ZERO;
        if (fault->kind == FAULT_OVERWRITTEN)
            report_overwritten(execution, fault, bytes);
        else if (fault->kind == FAULT_MISALIGNED)
            report_misaligned(execution, fault);
        else if (fault->kind == FAULT_BANK)
            report_bank(execution, fault);
        else if (fault->kind == FAULT_INDEX)
            report_index(execution, faults, fault);
        else if (fault->kind == FAULT_NO_ZERO)
            warn_read(execution, fault, bytes);
        else
            report_read(execution, fault, bytes);
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

void faults_report_reduced(const Program *program, const Diag *warning, DiagList *diags)
{
    Diag *diag = diag_add(diags, DIAG_SANITIZE_REDUCED, warning->span, "in `%s`, %.*s",
                          program->name, STR_ARG(warning->message));
    diag_copy_helps(diag, warning);
}

// ---- results

// Each tensor once, however many operations write it.
static void find_in_tensor(const Execution *execution, const Tensor *tensor, bool *is_done)
{
    if (!is_done[tensor->id])
        device_check_result(execution->device, execution->code, &execution->places[tensor->id]);
    is_done[tensor->id] = true;
}

static void find_results_of_program(const Execution *execution)
{
    const Program *program = execution->program;
    ArenaMark mark = arena_mark(execution->scratch);
    bool *is_done = arena_new(execution->scratch, bool, (size_t)program->tensors.count + 1);
    for (int64_t i = 0; i < program->results.count; i++)
        find_in_tensor(execution, program->results.items[i], is_done);
    for (int64_t i = 0; i < program->ops.count; i++) {
        const Tensor *target = op_target(program->ops.items[i]);
        if (target && tensor_root(target)->origin == ORIGIN_PARAM)
            find_in_tensor(execution, tensor_root(target), is_done);
    }
    arena_reset(execution->scratch, mark);
}

void faults_find_results(const Execution *execution)
{
    const HwObject *object = execution->object;
    if (!execution->options->sanitize)
        return;
    if (execution->program) {
        find_results_of_program(execution);
        return;
    }
    for (int64_t i = 0; i < object->results.count; i++)
        device_check_result(execution->device, execution->code, &object->results.items[i]);
    for (int64_t i = 0; i < object->arguments.count; i++)
        if (object->arguments.items[i].is_output)
            device_check_result(execution->device, execution->code, &object->arguments.items[i]);
}
