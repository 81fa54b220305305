// Which operations and which tensors a fault is about.
#include "run/faults_internal.h"

#include "engine/memory/access.h"
#include "engine/report.h"
#include "mapping/cell.h"

// ---- operations

FaultActor fault_actor(const KernelRun *run, int64_t number)
{
    FaultActor actor = {.number = number};
    if (number < 0 || number >= run->lowered.object.operations.count)
        return actor;
    actor.record = &run->lowered.object.operations.items[number];
    actor.op = run->program ? run->program->ops.items[number] : NULL;
    return actor;
}

Span fault_actor_span(const FaultActor *actor, Tier tier, bool writes)
{
    return actor->op ? op_touches(actor->op, tier, writes) : SPAN_NOWHERE;
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

Str fault_actor_text(Arena *arena, const FaultActor *actor)
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

void fault_note_calls(Diag *diag, const FaultActor *actor, const char *words)
{
    if (actor->op)
        report_calls(diag, actor->op, words);
}

void fault_note_line(Diag *diag, const FaultActor *actor, Tier tier, bool writes, const char *words)
{
    const HwOperation *record = actor->record;
    if (actor->op || !record || !record->line)
        return;
    diag_note(diag, SPAN_NOWHERE, "{} at {}:{}", words, record->file,
              actor_line(record, tier, writes));
    for (int64_t i = 0; i < record->callers.count; i++)
        diag_note(diag, SPAN_NOWHERE, "called from {}:{}", record->callers.items[i].file,
                  record->callers.items[i].line);
}

// ---- tensors

const HwTensor *fault_record(const KernelRun *run, int64_t number)
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

bool fault_record_holds(const HwTensor *record, const DeviceFault *fault)
{
    bool in_slices = fault->slice >= 0;
    if (record->tier != fault->tier || fault->chip >= record->chips ||
        (in_slices && (fault->cluster >= record->clusters || fault->slice >= record->slices)))
        return false;
    return record->tier == TIER_TRF ||
           (fault->address >= record->address && fault->address < record->address + record->bytes);
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

bool fault_holds(const HwArgument *place, const DeviceFault *fault, int64_t *position)
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

static void try_tensor(const KernelRun *run, const DeviceFault *fault, const Tensor *tensor,
                       FaultElement *element)
{
    int64_t position;
    if (tensor && !element->tensor &&
        fault_holds(&run->lowered.places[tensor->id], fault, &position))
        *element = (FaultElement){tensor, fault_record(run, tensor_root(tensor)->id), position};
}

static void try_view(const KernelRun *run, const DeviceFault *fault, const View *view,
                     FaultElement *element)
{
    try_tensor(run, fault, view ? view->tensor : NULL, element);
}

static void try_stage(const KernelRun *run, const DeviceFault *fault, const Stage *stage,
                      FaultElement *element)
{
    try_view(run, fault, stage->sources[0], element);
    try_view(run, fault, stage->sources[1], element);
    try_tensor(run, fault, stage->trf, element);
    try_tensor(run, fault, stage->branch_vrf, element);
    for (int32_t i = 0; i < stage->operand_count; i++)
        if (stage->operands[i].kind == OPERAND_VRF)
            try_tensor(run, fault, stage->operands[i].vrf, element);
}

static FaultElement element_of_program(const KernelRun *run, const DeviceFault *fault, const Op *op)
{
    FaultElement element = {0};
    const Program *program = run->program;
    if (op) {
        try_view(run, fault, op->source, &element);
        try_view(run, fault, op->index, &element);
        for (int64_t i = 0; op->pass && i < op->pass->stages.count; i++)
            try_stage(run, fault, op->pass->stages.items[i], &element);
        return element;
    }
    for (int64_t i = 0; i < program->results.count; i++)
        try_tensor(run, fault, program->results.items[i], &element);
    for (int64_t i = 0; i < program->tensors.count; i++)
        if (program->tensors.items[i]->origin == ORIGIN_PARAM)
            try_tensor(run, fault, program->tensors.items[i], &element);
    return element;
}

static void try_record(const KernelRun *run, const DeviceFault *fault, int64_t number,
                       FaultElement *element)
{
    const HwTensor *record = fault_record(run, number);
    if (record && !element->record && fault_record_holds(record, fault))
        element->record = record;
}

// Of an object file.
static FaultElement element_of_object(const KernelRun *run, const DeviceFault *fault,
                                      const HwOperation *reader)
{
    const HwObject *object = &run->lowered.object;
    FaultElement element = {0};
    for (int64_t i = 0; reader && i < reader->reads.count; i++)
        try_record(run, fault, reader->reads.items[i], &element);
    for (int64_t i = 0; !reader && i < object->results.count; i++)
        try_record(run, fault, object->results.items[i].storage, &element);
    for (int64_t i = 0; !reader && i < object->arguments.count; i++)
        try_record(run, fault, object->arguments.items[i].storage, &element);
    return element;
}

FaultElement fault_element(const KernelRun *run, const DeviceFault *fault, const FaultActor *reader)
{
    return run->program ? element_of_program(run, fault, reader->op)
                        : element_of_object(run, fault, reader->record);
}

Str fault_place_text(Arena *arena, const DeviceFault *fault)
{
    StrBuf buf = {.arena = arena};
    buf_format(&buf, "byte 0x{x} of {}", (uint64_t)fault->address, tiers[fault->tier].name);
    if (fault->tier == TIER_TRF)
        buf_format(&buf, ", row {}", fault->row);
    if (fault->tier != TIER_HOST)
        buf_format(&buf, ", chip {}", fault->chip);
    if (fault->slice >= 0)
        buf_format(&buf, ", cluster {}, slice {}", fault->cluster, fault->slice);
    return buf_str(&buf);
}

Str fault_element_text(Arena *arena, const DeviceFault *fault, const FaultElement *element)
{
    const Tensor *tensor = element->tensor;
    if (!tensor)
        return fault_place_text(arena, fault);
    Mapping mapping = shape_of(arena, tensor->dims);
    bool is_padding = !mapping_cell(arena, &mapping, element->position).count;
    Str index = position_text(arena, &mapping, element->position);
    return str_format(arena, "{}{}{} of {}{}{}", is_padding ? "padding" : "element [",
                      ((Str){index.data, is_padding ? 0 : (int)index.len}), is_padding ? "" : "]",
                      tensor->name ? "`" : "", tensor->name ? tensor->name : "a tensor",
                      tensor->name ? "`" : "");
}
