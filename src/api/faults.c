#include "api/faults.h"

#include "base/checked.h"
#include "engine/access.h"
#include "engine/report.h"
#include "mapping/cell.h"

#include <inttypes.h>

// ---- what is meant

// One operation in the words of the program, or of its record.
typedef struct {
    const Op *op;              // NULL: it comes from a file, or is no operation
    const HwOperation *record; // NULL: it is no operation
    int64_t number;
} Actor;

static Actor actor_of(const Execution *execution, int64_t number)
{
    Actor actor = {.number = number};
    if (number < 0 || number >= execution->object->operations.count)
        return actor;
    actor.record = &execution->object->operations.items[number];
    actor.op = execution->program ? execution->program->ops.items[number] : NULL;
    return actor;
}

static const Stage *last_stage(const Op *op)
{
    return op->pass ? op->pass->stages.items[op->pass->stages.count - 1] : NULL;
}

// Where in the program it touches a memory.
static Span actor_span(const Actor *actor, Tier tier, bool writes)
{
    return actor->op ? op_touches(actor->op, tier, writes) : SPAN_NOWHERE;
}

// The same from the source map of its record.
static int64_t actor_line(const Actor *actor, Tier tier, bool writes)
{
    const HwOperation *record = actor->record;
    int64_t line = writes             ? record->write_line
                   : tier == TIER_TRF ? record->trf_line
                   : tier == TIER_VRF ? record->vrf_line
                                      : 0;
    return line ? line : record->line;
}

static Str actor_text(Arena *arena, const Actor *actor)
{
    if (!actor->record)
        return STR("the caller of the kernel");
    const char *method = actor->op && actor->op->method ? actor->op->method : NULL;
    const Stage *last = actor->op ? last_stage(actor->op) : NULL;
    if (last)
        return str_format(arena, "the pass to `%s`", stages[last->kind].method);
    if (method)
        return str_format(arena, "`%s`", method);
    return str_format(arena, "operation %" PRId64 " (`%.*s`)", actor->number,
                      STR_ARG(actor->record->method));
}

// ---- elements

typedef struct {
    const Tensor *tensor; // NULL: not known
    int64_t position;
} Element;

static int64_t slice_number(const HwArgument *place, const DeviceFault *fault)
{
    bool in_slices = fault->slice >= 0;
    int64_t cluster = in_slices ? fault->cluster : 0, slice = in_slices ? fault->slice : 0;
    int64_t chip = fault->tier == TIER_HOST ? 0 : fault->chip;
    if (chip >= place->chips || cluster >= place->clusters || slice >= place->slices)
        return -1;
    return (chip * place->clusters + cluster) * place->slices + slice;
}

// Whether the byte is one of the tensor's, and of which position.
static bool holds(const HwArgument *place, const DeviceFault *fault, int64_t *position)
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

static void try_tensor(const Execution *execution, const DeviceFault *fault, const Tensor *tensor,
                       Element *element)
{
    int64_t position;
    if (tensor && !element->tensor && holds(&execution->places[tensor->id], fault, &position))
        *element = (Element){tensor, position};
}

static void try_view(const Execution *execution, const DeviceFault *fault, const View *view,
                     Element *element)
{
    try_tensor(execution, fault, view ? view->tensor : NULL, element);
}

static void try_stage(const Execution *execution, const DeviceFault *fault, const Stage *stage,
                      Element *element)
{
    try_view(execution, fault, stage->sources[0], element);
    try_view(execution, fault, stage->sources[1], element);
    try_tensor(execution, fault, stage->trf, element);
    try_tensor(execution, fault, stage->branch_vrf, element);
    for (int32_t i = 0; i < stage->operand_count; i++)
        if (stage->operands[i].kind == OPERAND_VRF)
            try_tensor(execution, fault, stage->operands[i].vrf, element);
}

// What the reader takes the byte for.
static Element element_of(const Execution *execution, const DeviceFault *fault, const Actor *reader)
{
    Element element = {0};
    const Program *program = execution->program;
    const Op *op = reader->op;
    if (!program)
        return element;
    if (op) {
        try_view(execution, fault, op->source, &element);
        try_view(execution, fault, op->index, &element);
        for (int64_t i = 0; op->pass && i < op->pass->stages.count; i++)
            try_stage(execution, fault, op->pass->stages.items[i], &element);
        return element;
    }
    for (int64_t i = 0; i < program->results.count; i++)
        try_tensor(execution, fault, program->results.items[i], &element);
    for (int64_t i = 0; i < program->tensors.count; i++)
        if (program->tensors.items[i]->origin == ORIGIN_PARAM)
            try_tensor(execution, fault, program->tensors.items[i], &element);
    return element;
}

static Str place_text(Arena *arena, const DeviceFault *fault)
{
    StrBuf buf = {.arena = arena};
    buf_printf(&buf, "byte 0x%" PRIx64 " of %s", (uint64_t)fault->address, tiers[fault->tier].name);
    if (fault->tier == TIER_TRF)
        buf_printf(&buf, ", row %" PRId64, fault->row);
    if (fault->tier != TIER_HOST)
        buf_printf(&buf, ", chip %" PRId64, fault->chip);
    if (fault->slice >= 0)
        buf_printf(&buf, ", cluster %" PRId64 ", slice %" PRId64, fault->cluster, fault->slice);
    return buf_str(&buf);
}

// "element [A 3, B 0] of `x`"
static Str element_text(Arena *arena, const DeviceFault *fault, const Element *element)
{
    const Tensor *tensor = element->tensor;
    if (!tensor)
        return place_text(arena, fault);
    Mapping mapping = shape_of(arena, tensor->dims);
    bool is_padding = !mapping_cell(arena, &mapping, element->position).count;
    Str index = position_text(arena, &mapping, element->position);
    return str_format(arena, "%s%.*s%s of %s%s%s", is_padding ? "padding" : "element [",
                      is_padding ? 0 : (int)index.len, index.data, is_padding ? "" : "]",
                      tensor->name ? "`" : "", tensor->name ? tensor->name : "a tensor",
                      tensor->name ? "`" : "");
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
    [FAULT_NO_ZERO] = {DIAG_SANITIZE_NO_NUMBER,
                       "which nobody wrote and may be NaN, and multiplies it by 0 in a sum"},
};

// Where it is written, of an operation from a file.
static void note_line(Diag *diag, const Actor *actor, Tier tier, bool writes, const char *what)
{
    if (!actor->op && actor->record && actor->record->line)
        diag_note(diag, SPAN_NOWHERE, "%s at %.*s:%" PRId64, what, STR_ARG(actor->record->file),
                  actor_line(actor, tier, writes));
}

static void note_calls(Diag *diag, const Actor *actor, const char *words)
{
    if (actor->op)
        report_calls(diag, actor->op, words);
}

static void note_more(const Execution *execution, Diag *diag, const DeviceFault *fault,
                      const Element *element, int64_t bytes)
{
    Arena *arena = execution->scratch;
    if (element->tensor)
        diag_note(diag, SPAN_NOWHERE, "%.*s", STR_ARG(place_text(arena, fault)));
    int64_t bits = element->tensor ? scalar_traits[element->tensor->type].packet_bits : 8;
    int64_t more = bytes * 8 / bits - 1;
    if (more > 0)
        diag_note(diag, SPAN_NOWHERE, "and %" PRId64 " more %s%s", more,
                  element->tensor ? "element" : "byte", more == 1 ? "" : "s");
}

// The one operation that wrote a tensor before operation `end`; NULL: there is none, or several.
static const Op *only_writer(const Program *program, const Tensor *tensor, int64_t end)
{
    const Op *writer = NULL;
    for (int64_t i = 0; i < end; i++) {
        const Op *op = program->ops.items[i];
        const Tensor *target = op_target(op);
        if (!target || tensor_root(target) != tensor_root(tensor))
            continue;
        if (writer)
            return NULL;
        writer = op;
    }
    return writer;
}

// DMA copies what nobody wrote: where it came from has to be written.
static void note_origin(const Execution *execution, Diag *diag, const Actor *reader,
                        const Element *element)
{
    const Tensor *tensor = element->tensor;
    const Op *copy;
    int64_t end = reader->number;
    if (!tensor || !reader->op)
        return;
    while ((copy = only_writer(execution->program, tensor, end)) && copy->source) {
        tensor = copy->source->tensor;
        end = copy->id;
        diag_note(diag, copy->span, "it was copied from `%s` in %s here",
                  tensor->name ? tensor->name : "a tensor", tiers[tensor->tier].name);
    }
    if (end < reader->number && tensor->origin == ORIGIN_PARAM)
        diag_note(diag, tensor->span, "which the caller gave without values");
}

static void report_read(const Execution *execution, const DeviceFault *fault, int64_t bytes)
{
    Arena *arena = execution->scratch;
    Actor reader = actor_of(execution, fault->operation);
    Element element = element_of(execution, fault, &reader);
    Diag *diag =
        diag_add(execution->diags, kinds[fault->kind].code, actor_span(&reader, fault->tier, false),
                 "%.*s reads %.*s, %s", STR_ARG(actor_text(arena, &reader)),
                 STR_ARG(element_text(arena, fault, &element)), kinds[fault->kind].words);
    note_line(diag, &reader, fault->tier, false, "the operation is");
    note_calls(diag, &reader, "called from here");
    if (fault->kind == FAULT_UNWRITTEN)
        note_origin(execution, diag, &reader, &element);
    note_more(execution, diag, fault, &element, bytes);
}

// Of registers the reader comes too late; elsewhere the writer too early.
static void report_overwritten(const Execution *execution, const DeviceFault *fault, int64_t bytes)
{
    Arena *arena = execution->scratch;
    bool in_registers = fault->tier == TIER_TRF || fault->tier == TIER_VRF;
    Actor reader = actor_of(execution, fault->operation),
          writer = actor_of(execution, fault->other);
    Element element = element_of(execution, fault, &reader);
    Str what = element_text(arena, fault, &element);
    Str by = actor_text(arena, &writer), whose = actor_text(arena, &reader);
    Span read = actor_span(&reader, fault->tier, false);
    Span written = actor_span(&writer, fault->tier, true);
    Diag *diag = in_registers ? diag_add(execution->diags, DIAG_SANITIZE_REGISTER, read,
                                         "%.*s reads %.*s, which %.*s wrote over", STR_ARG(whose),
                                         STR_ARG(what), STR_ARG(by))
                              : diag_add(execution->diags, DIAG_SANITIZE_OVERWRITTEN, written,
                                         "%.*s writes over %.*s, which %.*s still reads",
                                         STR_ARG(by), STR_ARG(what), STR_ARG(whose));
    const Actor *first = in_registers ? &reader : &writer;
    const Actor *other = in_registers ? &writer : &reader;
    note_calls(diag, first, "called from here");
    if (other->op)
        diag_note(diag, in_registers ? written : read, "%s",
                  in_registers ? "it is written over here" : "it is read here");
    if (other->op && first->op && !report_same_calls(first->op, other->op))
        note_calls(diag, other,
                   in_registers ? "the write is called from here" : "the read is called from here");
    note_line(diag, &writer, fault->tier, true, "it is written over");
    note_line(diag, &reader, fault->tier, false, "it is read");
    note_more(execution, diag, fault, &element, bytes);
}

static void report_misaligned(const Execution *execution, const DeviceFault *fault)
{
    Arena *arena = execution->scratch;
    Actor actor = actor_of(execution, fault->operation);
    Diag *diag =
        diag_add(execution->diags, DIAG_SANITIZE_MISALIGNED, actor_span(&actor, fault->tier, true),
                 "%.*s %s a packet at %.*s, which is no multiple of %" PRId64,
                 STR_ARG(actor_text(arena, &actor)), fault->writes ? "writes" : "reads",
                 STR_ARG(place_text(arena, fault)), fault->bytes);
    note_line(diag, &actor, fault->tier, true, "the operation is");
    note_calls(diag, &actor, "called from here");
}

static void report_bank(const Execution *execution, const DeviceFault *fault)
{
    Arena *arena = execution->scratch;
    Actor pass = actor_of(execution, fault->operation), dma = actor_of(execution, fault->other);
    Diag *diag =
        diag_add(execution->diags, DIAG_SANITIZE_BANK, actor_span(&pass, fault->tier, false),
                 "%.*s goes to one bank of DM %" PRId64 " times in a row, from byte 0x%" PRIx64
                 " on, while %.*s may run",
                 STR_ARG(actor_text(arena, &pass)), fault->bytes, (uint64_t)fault->address,
                 STR_ARG(actor_text(arena, &dma)));
    note_calls(diag, &pass, "called from here");
    if (dma.op)
        diag_note(diag, dma.op->span, "this DMA waits for the bank meanwhile");
    note_line(diag, &pass, fault->tier, false, "the operation is");
    note_line(diag, &dma, fault->tier, false, "the DMA is");
}

bool faults_report(const Execution *execution, const DeviceFaults *faults)
{
    for (int64_t i = 0; faults && i < faults->count; i++) {
        const DeviceFault *fault = &faults->items[i];
        int64_t bytes = faults->places[fault->kind];
        if (i && faults->items[i - 1].kind == fault->kind)
            continue; // counted with the first
        if (fault->kind == FAULT_OVERWRITTEN)
            report_overwritten(execution, fault, bytes);
        else if (fault->kind == FAULT_MISALIGNED)
            report_misaligned(execution, fault);
        else if (fault->kind == FAULT_BANK)
            report_bank(execution, fault);
        else
            report_read(execution, fault, bytes);
    }
    return faults != NULL;
}

// ---- padding that is reduced

static bool is_about(const Diag *diag, const Stage *stage)
{
    return diag->code == DIAG_INTER_REDUCE_PADDING && stage->kind == STAGE_VECTOR_INTER_REDUCE &&
           diag->span.source == stage->span.source && diag->span.start == stage->span.start &&
           diag->span.end == stage->span.end;
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
    for (int64_t i = 0; i < warning->helps.count; i++)
        diag_help(diag, "%.*s", STR_ARG(warning->helps.items[i].text));
}

// ---- results

static void find_results_of_program(const Execution *execution)
{
    const Program *program = execution->program;
    for (int64_t i = 0; i < program->results.count; i++)
        device_check_result(execution->device, execution->code,
                            &execution->places[program->results.items[i]->id]);
    for (int64_t i = 0; i < program->ops.count; i++) {
        const Tensor *target = op_target(program->ops.items[i]);
        if (target && tensor_root(target)->origin == ORIGIN_PARAM)
            device_check_result(execution->device, execution->code,
                                &execution->places[tensor_root(target)->id]);
    }
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
