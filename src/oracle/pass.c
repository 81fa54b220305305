// Stages outside the Vector Engine. Nearly all are moves: the stream is the same tensor in another
// layout, which costs nothing where no element is added or left out.
#include "oracle/internal.h"

#include "base/checked.h"
#include "base/heap.h"
#include "base/workers.h"
#include "oracle/reduce.h"
#include "scalar/bits.h"

#include <assert.h>

enum { RANGE_ELEMENTS = 1 << 14 };

// ---- elements and layouts

typedef struct {
    ElementRange *apply;
    const void *own;
} EachElement;

static void apply_range(void *own, int64_t from, int64_t to)
{
    const EachElement *each = own;
    for (int64_t i = from; i < to; i += RANGE_ELEMENTS)
        each->apply(each->own, i, min_i64(i + RANGE_ELEMENTS, to));
}

void each_element(const Array *array, ElementRange *apply, const void *own)
{
    EachElement each = {apply, own};
    bool is_much = array->count > 4 * RANGE_ELEMENTS;
    workers_run(array->count, RANGE_ELEMENTS, is_much ? workers_most() : 1, apply_range, &each);
}

Mapping stream_mapping(PassRun *run, const Stage *stage)
{
    return shape_of(&run->oracle->scratch, stage->dims);
}

static bool reaches_all(PassRun *run, const Array *array, const Mapping *mapping)
{
    return mapping_live_positions(&run->oracle->scratch, mapping) == array->count;
}

static void drop_stream(PassRun *run, Array *array)
{
    bool borrowed = run->is_borrowed && array == run->stream;
    if (!borrowed)
        oracle_drop(run->oracle, array);
    else
        run->is_borrowed = false;
}

// Before something writes to it.
static void own_stream(PassRun *run)
{
    if (run->is_borrowed)
        run->stream = oracle_hold_clone(run->oracle, run->stream);
    run->is_borrowed = false;
}

Array *relayout(PassRun *run, Array *array, const Mapping *from, const Mapping *to)
{
    Array *result = oracle_hold(run->oracle, array->type, to);
    if (array_same_shape(array, result) && reaches_all(run, array, from) &&
        reaches_all(run, result, to)) {
        oracle_drop(run->oracle, result);
        return array;
    }
    ArrayView source = {.array = array, .mapping = *from},
              target = {.array = result, .mapping = *to};
    oracle_move(run->oracle, &source, &target);
    drop_stream(run, array);
    return result;
}

static void relayout_stream(PassRun *run, const Stage *stage)
{
    Mapping from = stream_mapping(run, stage->before), to = stream_mapping(run, stage);
    assert(run->stream); // behind its begin
    run->stream = relayout(run, run->stream, &from, &to);
}

// ---- begin

// A stream of the whole tensor is its array, until something is written to it.
static bool run_begin(PassRun *run, const Stage *stage)
{
    Mapping mapping = stream_mapping(run, stage);
    ArrayView source;
    if (!oracle_view(run->oracle, stage->sources[0], &source))
        return false;
    Array *stream = oracle_hold(run->oracle, stage->type, &mapping);
    ArrayView target = {.array = stream, .mapping = mapping};
    run->is_borrowed = !source.offset_count && source.array->type == stream->type &&
                       array_same_shape(source.array, stream) &&
                       reaches_all(run, source.array, &source.mapping) &&
                       reaches_all(run, stream, &mapping);
    if (run->is_borrowed)
        oracle_drop(run->oracle, stream);
    else
        oracle_move(run->oracle, &source, &target);
    run->stream = run->is_borrowed ? source.array : stream;
    return true;
}

// The new axis is 0 for the first tensor and 1 for the second.
static bool run_begin_interleaved(PassRun *run, const Stage *stage)
{
    Arena *arena = &run->oracle->scratch;
    Mapping mapping = stream_mapping(run, stage);
    run->stream = oracle_hold(run->oracle, stage->type, &mapping);
    for (int64_t which = 0; which < 2; which++) {
        ArrayOffset offset = {mapping_of_atom(arena, stage->axis), which};
        ArrayView target = {.array = run->stream,
                            .mapping = shape_of(arena, stage->sources[which]->dims),
                            .offsets = &offset,
                            .offset_count = 1};
        ArrayView source;
        if (!oracle_view(run->oracle, stage->sources[which], &source))
            return false;
        oracle_move(run->oracle, &source, &target);
    }
    return true;
}

// ---- fetch, cast

typedef struct {
    Array *array;
    Scalar from, to;
    const FetchAdapter *adapter;
    int64_t axis; // of the array: which of the interleaved tensors; -1: there is one
} Adapting;

// Table, then cast, then zero point.
static bool adapt_value(const Adapting *adapting, int64_t at, uint32_t *bits)
{
    const FetchAdapter *adapter = adapting->adapter;
    Scalar type = adapting->from;
    if (adapter->has_table) {
        uint32_t index = *bits & low_bits(scalar_traits[type].bits);
        if (index >= adapter->table_count)
            return false;
        *bits = scalar_wrap(adapter->table_type, adapter->table[index]);
        type = adapter->table_type;
    }
    if (type != adapting->to && !scalar_convert(type, adapting->to, *bits, bits))
        return false;
    if (!adapter->zero_point_count)
        return true;
    const Array *array = adapting->array;
    int64_t which = adapting->axis < 0
                        ? 0
                        : at / array->strides[adapting->axis] % array->extents[adapting->axis];
    uint32_t point = (uint32_t)adapter->zero_points[which < adapter->zero_point_count ? which : 0];
    *bits = scalar_wrap(adapting->to, *bits - point);
    return true;
}

static void adapt_range(const void *own, int64_t from, int64_t to)
{
    const Adapting *adapting = own;
    Array *array = adapting->array;
    for (int64_t i = from; i < to; i++)
        if (array->live[i] && !adapt_value(adapting, i, &array->bits[i]))
            array->live[i] = 0;
}

static int64_t interleaved_axis(const Array *array, const Stage *begin)
{
    for (int64_t i = 0; begin->kind == STAGE_BEGIN_INTERLEAVED && i < array->axes.count; i++)
        if (atom_equal(array->axes.items[i].atom, begin->axis))
            return i;
    return -1;
}

// What Fetch and Cast Engine do to each element.
static void run_adapter(PassRun *run, const Stage *stage)
{
    const FetchAdapter *adapter = &stage->adapter; // of a cast: nothing
    assert(run->stream);
    if (adapter->has_table || adapter->zero_point_count || run->stream->type != stage->type) {
        own_stream(run);
        Array *array = run->stream;
        Adapting adapting = {array, array->type, stage->type, adapter,
                             interleaved_axis(array, stage->before)};
        each_element(array, adapt_range, &adapting);
        array->type = stage->type;
    }
    relayout_stream(run, stage);
}

// ---- align, contract, accumulate

static bool run_accumulate(PassRun *run, const Stage *stage)
{
    const Stage *contract = stage->before, *align = contract->before;
    Mapping mapping = stream_mapping(run, stage);
    Array *out = oracle_hold(run->oracle, stage->type, &mapping);
    Arena *arena = &run->oracle->scratch;
    Mapping weights = shape_of(arena, align->trf->dims);
    Contraction contraction = {
        .stream = run->stream,
        .trf = oracle_tensor(run->oracle, align->trf),
        .dims = align->dims,
        .columns = &contract->dims[LEVEL_PACKET]->mapping,
        .trf_shape = &weights,
        .out_shape = &mapping,
        .numerics = run->oracle->options.numerics,
        .who = {run->oracle->options.is_cancelled, run->oracle->options.own}};
    bool ok = contract_run(arena, &contraction, out);
    drop_stream(run, run->stream);
    run->stream = out;
    return ok;
}

// ---- sinks

static bool run_commit(PassRun *run, const Stage *stage)
{
    Oracle *oracle = run->oracle;
    Mapping from = stream_mapping(run, stage->before);
    if (stage->kind == STAGE_COMMIT_VIEW) {
        ArrayView source = {.array = run->stream, .mapping = from}, target;
        if (!oracle_view(oracle, stage->target, &target))
            return false;
        oracle_move(oracle, &source, &target);
        return true;
    }
    Mapping to = shape_of(&oracle->scratch, stage->result->dims);
    assert(run->stream);
    run->stream = relayout(run, run->stream, &from, &to);
    own_stream(run);
    oracle_set_tensor(oracle, stage->result, run->stream);
    run->stream = NULL;
    return true;
}

// ---- all of it

// Streams are arrays: a stage that only changes the layout changes no value, so most stages are a
// move into an array of the next shape. Contractions are computed where the accumulator ends them.
static bool run_stage(PassRun *run, const Stage *stage)
{
    switch (stage->kind) {
    case STAGE_INPUT:
        diag_add(run->oracle->diags, DIAG_RUN_OPEN_STREAM, stage->span,
                 "this pass goes on from a stream of the caller");
        return false;
    case STAGE_BEGIN:
        return run_begin(run, stage);
    case STAGE_BEGIN_INTERLEAVED:
        return run_begin_interleaved(run, stage);
    case STAGE_FETCH:
    case STAGE_CAST:
        run_adapter(run, stage);
        return true;
    case STAGE_SWITCH:
    case STAGE_COLLECT:
    case STAGE_TRANSPOSE:
        relayout_stream(run, stage);
        return true;
    case STAGE_ALIGN:
    case STAGE_CONTRACT:
        return true; // with what follows
    case STAGE_ACCUMULATE:
        return run_accumulate(run, stage);
    case STAGE_COMMIT:
    case STAGE_COMMIT_VIEW:
    case STAGE_TO_TRF:
    case STAGE_TO_VRF:
        return run_commit(run, stage);
    default:
        own_stream(run);
        vector_stage_run(run, stage);
        return true;
    }
}

bool pass_run(Oracle *oracle, const Pass *pass)
{
    PassRun run = {.oracle = oracle};
    for (int64_t i = 0; i < pass->stages.count; i++)
        if (oracle_is_cancelled(oracle) || !run_stage(&run, pass->stages.items[i]))
            return false;
    return true;
}
