// The operations of a run on the device, one after the other, and the oracle beside it.
#include "run/run.h"

#include "base/checked.h"
#include "engine/memory/access.h"
#include "engine/report.h"

#include <assert.h>
#include <string.h>

bool argument_meets(const HwArgument *a, const HwArgument *b)
{
    return a->tier == TIER_HBM && b->tier == TIER_HBM && a->address < b->address + b->bytes &&
           b->address < a->address + a->bytes;
}

void launch_note(Diag *diag, const LaunchSite *launch, const char *words)
{
    for (int64_t i = 0; i < launch->count; i++)
        diag_note(diag, launch->spans[i], "{}", i ? "which is called from here" : words);
}

// ---- device and oracle

const Tensor *op_target(const Op *op)
{
    if (!op->pass)
        return op->target ? op->target->tensor : NULL;
    const Stage *last = op->pass->stages.items[op->pass->stages.count - 1];
    return last->result ? last->result : last->target ? last->target->tensor : NULL;
}

// "A 3, B 0": what a position means.
Str position_text(Arena *arena, const Mapping *mapping, int64_t position)
{
    StrBuf buf = {.arena = arena};
    AtomList axes = {0};
    Cell cell = mapping_cell(arena, mapping, position);
    mapping_axes(arena, mapping, &axes);
    for (int64_t i = 0; i < axes.count && cell.count; i++)
        buf_format(&buf, "{}{} {}", i ? ", " : "", axes.items[i]->name,
                   index_value(&cell.items[0], axes.items[i]));
    return buf.len ? buf_str(&buf) : STR("0");
}

static Str value_text(Arena *arena, Scalar type, uint32_t bits)
{
    if (scalar_is_integer(type))
        return str_format(arena, "{}", type == SCALAR_U8 ? (int64_t)bits : (int64_t)(int32_t)bits);
    int digits = scalar_traits[type].bits / 4;
    ElementType element = element_of_scalar(SCALAR_F32, false);
    uint32_t wide = scalar_to_f32(type, bits);
    return str_format(arena, "{.9g} (0x{0*x})", element_value(element, (const uint8_t *)&wide, 0),
                      digits, bits);
}

// The elements of a tensor, position by position, in one of the two executors.
static Values seen_on_device(const KernelRun *run, const Tensor *tensor, int64_t positions)
{
    Values seen = values_new(run->compared, positions);
    device_get(run->device, &run->lowered.places[tensor->id], seen.bits, seen.live);
    return seen;
}

// The target of an operation before and after it, on the device and in the oracle.
typedef struct {
    const Op *op;
    const Tensor *tensor; // NULL: the operation writes none
    Mapping mapping;
    Values before, device, oracle;
    uint8_t *is_data; // positions that are not padding; NULL: not worked out yet
} Comparison;

// An element that only the device has is a difference if the operation wrote it. Elsewhere the
// device may hold bytes of an earlier tensor at this address, which the oracle does not know.
static bool is_written(const Comparison *compared, int64_t at)
{
    const Values *before = &compared->before, *after = &compared->device;
    return after->live[at] && !(before->live[at] && before->bits[at] == after->bits[at]);
}

// Two i4 share a byte, and the byte has a value once either of them has.
static bool shares_byte(const Comparison *compared, int64_t at)
{
    return compared->tensor->type == SCALAR_I4 && (at ^ 1) < compared->mapping.size &&
           (compared->oracle.live[at ^ 1] || !compared->is_data[at ^ 1]);
}

static bool differs(const Comparison *compared, int64_t at)
{
    const Values *device = &compared->device, *oracle = &compared->oracle;
    if (oracle->live[at])
        return !device->live[at] || device->bits[at] != oracle->bits[at];
    return compared->is_data && compared->is_data[at] && is_written(compared, at) &&
           !shares_byte(compared, at);
}

// Whether the device wrote something, possibly padding, where the oracle has no value.
static bool has_more_on_device(const Comparison *compared)
{
    for (int64_t i = 0; i < compared->mapping.size; i++)
        if (!compared->oracle.live[i] && is_written(compared, i))
            return true;
    return false;
}

static uint8_t *data_positions(Arena *arena, const Tensor *tensor, const Mapping *mapping)
{
    Array *all = array_new(tensor->type, mapping);
    Values seen = values_new(arena, mapping->size);
    if (all)
        memset(all->live, 1, (size_t)all->count);
    bool ok = all && array_read_positions(all, mapping, seen.bits, seen.live);
    array_free(all);
    if (!ok)
        arena_exhausted(arena);
    return seen.live;
}

static Str seen_text(Arena *arena, Scalar type, const Values *seen, int64_t at)
{
    return seen->live[at] ? value_text(arena, type, seen->bits[at]) : STR("no value");
}

static void report_disagreement(const KernelRun *run, const Comparison *compared)
{
    Arena *arena = run->compared;
    const Op *op = compared->op;
    const Tensor *tensor = compared->tensor;
    int64_t first = 0, wrong = 0, live = 0;
    while (!differs(compared, first))
        first++;
    for (int64_t i = 0; i < compared->mapping.size; i++) {
        bool differ = differs(compared, i);
        wrong += differ;
        live += differ || compared->oracle.live[i];
    }
    Diag *diag =
        diag_add(&run->contra->diags, DIAG_RUN_DISAGREES, op->span,
                 "`{}` leaves {} in element [{}] of {}{}{} on the device, but {} in the oracle",
                 op->method ? op->method : "the pass",
                 seen_text(arena, tensor->type, &compared->device, first),
                 position_text(arena, &compared->mapping, first), tensor->name ? "`" : "",
                 tensor->name ? tensor->name : "its result", tensor->name ? "`" : "",
                 seen_text(arena, tensor->type, &compared->oracle, first));
    report_calls(diag, op, "called from here");
    diag_note(diag, SPAN_NOWHERE, "operation {} of `{}`; {} of {} elements differ", op->id,
              run->program->name, wrong, live);
    if (tensor->name)
        diag_note(diag, tensor->span, "`{}` is this tensor", tensor->name);
    diag_help(
        diag,
        compared->oracle.live[first]
            ? "unless rules were relaxed, this is a bug in Contra: please report it"
            : "the oracle has no value for padding, nor for memory that no operation has written; "
              "if the operation reads neither, this is a bug in Contra: please report it");
}

// A tensor made by `from_addr` holds whatever is at its address. The oracle has no addresses, so it
// gets the elements that no operation has written from the device.
static void tell_oracle(const KernelRun *run, const View *view)
{
    const Tensor *tensor = view ? tensor_root(view->tensor) : NULL;
    if (!tensor || tensor->origin != ORIGIN_ADDRESS)
        return;
    Arena *arena = run->compared;
    Mapping mapping = shape_of(arena, tensor->dims);
    Array *array = oracle_array(run->oracle, tensor);
    Values oracle = values_new(arena, mapping.size);
    Values device = seen_on_device(run, tensor, mapping.size);
    bool ok = array && array_read_positions(array, &mapping, oracle.bits, oracle.live);
    for (int64_t i = 0; i < mapping.size; i++) {
        if (oracle.live[i])
            continue;
        oracle.bits[i] = device.bits[i];
        oracle.live[i] = device.live[i];
    }
    if (!ok || !array_write_positions(array, &mapping, oracle.bits, oracle.live))
        arena_exhausted(arena);
}

static void tell_oracle_sources(const KernelRun *run, const Op *op)
{
    tell_oracle(run, op->source);
    tell_oracle(run, op->index);
    for (int64_t i = 0; op->pass && i < op->pass->stages.count; i++) {
        const Stage *stage = op->pass->stages.items[i];
        for (size_t k = 0; k < COUNT_OF(stage->sources); k++)
            tell_oracle(run, stage->sources[k]);
    }
    arena_clear(run->compared);
}

// Looks at the target of an operation before it is executed.
static Comparison comparison_begin(const KernelRun *run, const Op *op)
{
    Comparison compared = {.op = op, .tensor = op_target(op)};
    if (!compared.tensor)
        return compared;
    compared.mapping = shape_of(run->compared, compared.tensor->dims);
    compared.before = seen_on_device(run, compared.tensor, compared.mapping.size);
    return compared;
}

// Compares every element of the target, now that both have executed the operation.
static bool comparison_end(const KernelRun *run, Comparison *compared)
{
    Arena *arena = run->compared;
    const Tensor *tensor = compared->tensor;
    if (!tensor)
        return true;
    const Array *array = oracle_array(run->oracle, tensor);
    compared->oracle = values_new(arena, compared->mapping.size);
    if (!array || !array_read_positions(array, &compared->mapping, compared->oracle.bits,
                                        compared->oracle.live))
        arena_exhausted(arena);
    compared->device = seen_on_device(run, tensor, compared->mapping.size);
    if (has_more_on_device(compared))
        compared->is_data = data_positions(arena, tensor, &compared->mapping);
    bool same = true;
    for (int64_t i = 0; i < compared->mapping.size && same; i++)
        same = !differs(compared, i);
    if (!same)
        report_disagreement(run, compared);
    arena_clear(arena);
    return same;
}

// ---- running

static bool report_cancelled(const KernelRun *run, Span span, int64_t done)
{
    diag_add(&run->contra->diags, DIAG_RUN_CANCELLED, span, "cancelled after {} of {} operations",
             done, run->lowered.object.operations.count);
    return false;
}

ArrayView array_part(Arena *arena, const View *view, Array *whole, const Mapping *all)
{
    ArrayOffset *offsets = arena_new(arena, ArrayOffset, (size_t)view->tiles.count + 1);
    for (int64_t i = 0; i < view->tiles.count; i++)
        offsets[i] =
            (ArrayOffset){view->tiles.items[i].index->mapping, view->tiles.items[i].start.value};
    return (ArrayView){whole, shape_of(arena, view->dims), offsets, view->tiles.count, all};
}

// The elements of a view in an array of their own, by what the device holds.
static bool read_view(const KernelRun *run, const View *view, Array *whole, Array *part)
{
    Mapping all = shape_of(run->scratch, view->tensor->dims);
    Values seen = values_new(run->scratch, all.size);
    ArrayView from = array_part(run->scratch, view, whole, &all),
              to = {.array = part, .mapping = from.mapping};
    device_get(run->device, &run->lowered.places[view->tensor->id], seen.bits, seen.live);
    return array_write_positions(whole, &all, seen.bits, seen.live) && array_move_part(&from, &to);
}

// The first entry of an index that has no value, in the order of its positions; -1: none is found.
static int64_t missing_entry(const KernelRun *run, const View *index)
{
    Arena *arena = run->scratch;
    Mapping all = shape_of(arena, index->tensor->dims), some = shape_of(arena, index->dims);
    int64_t count = mapping_live_positions(arena, &some), entry = 0;
    Values seen = values_new(arena, max_i64(count, 0));
    Array *whole = array_new(SCALAR_I32, &all), *part = array_new(SCALAR_I32, &some);
    bool ok = whole && part && read_view(run, index, whole, part) &&
              array_read(part, &some, seen.bits, seen.live, NULL);
    while (ok && entry < count && seen.live[entry])
        entry++;
    array_free(whole);
    array_free(part);
    arena_clear(arena);
    return ok && entry < count ? entry : -1;
}

// What the device says of an operation, it says of its line. Here more is known.
static void complete_diagnostics(const KernelRun *run, int64_t first, const Op *op)
{
    for (int64_t i = first; op && i < run->contra->diags.count; i++) {
        Diag *diag = run->contra->diags.items[i];
        diag->span = op->span;
        diag->notes.count = 0;
        int64_t entry =
            diag->code == DIAG_RUN_NO_INDEX && op->index ? missing_entry(run, op->index) : -1;
        if (entry >= 0)
            diag->message = str_format(diag->arena, "entry {} of the index of {} has no value",
                                       entry, op->method);
    }
}

// Operation `number`, and those behind it that nobody looks between. How many; 0: a diagnostic says
// why it does not go on.
static int64_t execute_ops(const KernelRun *run, int64_t number)
{
    bool is_watched = run->oracle || run->after;
    const ContraRunOptions *options = run->options;
    const Op *op = run->program ? run->program->ops.items[number] : NULL;
    Span span = op ? op->span : SPAN_NOWHERE;
    int64_t before = run->contra->diags.count;
    if (options->is_cancelled && options->is_cancelled(options->own))
        return report_cancelled(run, span, number);
    Comparison compared = {0};
    if (run->oracle) {
        assert(op); // an object file alone has no oracle
        tell_oracle_sources(run, op);
        compared = comparison_begin(run, op);
        if (!oracle_step(run->oracle))
            return false;
    }
    int64_t done = is_watched
                       ? device_execute(run->device, run->code, number, &run->contra->diags)
                       : device_execute_joined(run->device, run->code, number, &run->contra->diags);
    if (!done)
        complete_diagnostics(run, before, op);
    bool is_said = run->contra->diags.count > before;
    bool ok = !run->after || run->after(run->host, number);
    if (!done)
        return is_said ? false : report_cancelled(run, span, number);
    ok = !faults_report(run, device_faults(run->device)) && ok &&
         (!run->oracle || comparison_end(run, &compared));
    return ok ? done : 0;
}

bool run_operations(const KernelRun *run)
{
    const ContraRunOptions *options = run->options;
    int64_t count = run->lowered.object.operations.count;
    if (options->sanitize && run->reduced) {
        faults_report_reduced(run);
        return false;
    }
    if (run->oracle)
        oracle_begin(run->oracle);
    for (int64_t i = 0, done; i < count; i += done) {
        done = execute_ops(run, i);
        if (!done)
            return false;
        for (int64_t k = i; options->progress && k < i + done; k++)
            options->progress(options->own, k + 1, count);
    }
    faults_find_results(run);
    return !faults_report(run, device_faults(run->device));
}
