// The Contraction Engine of one slice: the Stream Adapter, the TRF Sequencer and the Reducer.
// contract.def says what they do. Factors are decoded once; then each step multiplies and adds.
#include "device/data.h"
#include "device/internal.h"
#include "device/nest.h"

#include "base/checked.h"
#include "scalar/bits.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_LANES = 256, HALF_BYTE = 4 };

// Factors as they are multiplied: floats of all types as f32, integers as they are.
typedef struct {
    uint32_t *bits; // of a float, or of an integer
    uint8_t *live;
    int64_t count;
    bool all_live;
} Factors;

typedef struct {
    const ClusterRun *run;
    const HwReduce *reduce;
    const HwStreamAdapt *adapt;
    const HwTrfRead *read;
    int64_t slice;
    Factors stream, weights; // flits as they come in; rows of TRF one after the other
    int64_t flit_lanes, row_elements, read_elements;
    uint32_t *sums;  // by place, row and column
    uint8_t *exists; // likewise: TAG_LIVE, or SUM_DEAD
} Contraction;

enum { SUM_NONE, SUM_LIVE, SUM_DEAD };

// ---- factors

static bool factors_new(Factors *factors, int64_t count)
{
    factors->count = count;
    factors->bits = calloc((size_t)count + 1, sizeof *factors->bits);
    factors->live = calloc((size_t)count + 1, 1);
    return factors->bits && factors->live;
}

static void factors_free(Factors *factors)
{
    free(factors->bits);
    free(factors->live);
}

static void widen(Factors *factors, Scalar type)
{
    factors->all_live = !memchr(factors->live, 0, (size_t)factors->count);
    if (scalar_is_integer(type))
        return;
    for (int64_t i = 0; i < factors->count; i++)
        factors->bits[i] = scalar_to_f32(type, factors->bits[i]);
}

static bool take_stream(Contraction *c, const Stream *stream)
{
    if (!factors_new(&c->stream, stream->time * stream->lanes))
        return false;
    c->flit_lanes = stream->lanes;
    for (int64_t i = 0; i < c->stream.count; i++) {
        c->stream.bits[i] = stream->bits[i];
        c->stream.live[i] = stream->tags[i] & TAG_LIVE;
    }
    widen(&c->stream, stream->type);
    return true;
}

// Elements of a row that any step may read; it has no more than the row.
static int64_t row_reach(const HwTrfRead *read, int64_t element_bits)
{
    const HwNest *nest = &read->nest;
    int64_t reach = nest->base * BYTE_BITS + nest->access_bytes * BYTE_BITS;
    for (int64_t i = 0; i < nest->loops.count; i++) {
        const HwLoop *loop = &nest->loops.items[i];
        int64_t most = max_i64(0, (loop->size - 1) * loop->stride);
        for (int64_t k = 0; k < loop->offsets.count; k++)
            most = max_i64(most, loop->offsets.items[k]);
        reach += most * nest->element_bits;
    }
    const HwTrfLayout *layout = &read->layout;
    int64_t row = layout->bank_rows_per_row * layout->rows_in_bank * layout->bank_columns *
                  layout->bank_row_bytes * BYTE_BITS;
    return ceil_div(min_i64(reach, row), element_bits);
}

static bool take_weights(Contraction *c)
{
    const Slice *slice = run_slice(c->run, c->slice);
    const HwTrfRead *read = c->read;
    int64_t bits = scalar_traits[read->type].packet_bits;
    c->row_elements = row_reach(read, bits);
    c->read_elements = read->nest.access_bytes * BYTE_BITS / bits;
    if (!factors_new(&c->weights, c->reduce->rows * c->row_elements))
        return false;
    for (int64_t row = 0; slice && row < c->reduce->rows; row++)
        trf_load(&slice->trf, &read->layout, read->type, row, 0, c->row_elements,
                 c->weights.bits + row * c->row_elements, c->weights.live + row * c->row_elements);
    widen(&c->weights, read->type);
    return true;
}

// ---- one step

// A packet of the stream, the same in all rows.
typedef struct {
    uint32_t bits[MOST_LANES];
    uint8_t live[MOST_LANES];
} Lanes;

static void adapt_packet(const Contraction *c, int64_t step, Lanes *out)
{
    const HwStreamAdapt *adapt = c->adapt;
    int64_t time = loops_offset(adapt->loops.items, adapt->loops.count, false, step);
    memset(out->bits, 0, sizeof out->bits);
    memset(out->live, 1, sizeof out->live);
    for (int64_t i = 0; i < adapt->collect_flits; i++) {
        int64_t flit = time + loops_offset(adapt->loops.items, adapt->loops.count, true, i);
        int64_t from = flit * c->flit_lanes, to = i * c->flit_lanes;
        if (flit < 0 || flit >= adapt->in_time)
            continue; // zeros
        memcpy(out->bits + to, c->stream.bits + from, sizeof *out->bits * (size_t)c->flit_lanes);
        memcpy(out->live + to, c->stream.live + from, (size_t)c->flit_lanes);
    }
}

static void read_weights(const Contraction *c, int64_t row, int64_t step, Lanes *out)
{
    const HwNest *nest = &c->read->nest;
    int64_t bit =
        nest->base * BYTE_BITS +
        loops_offset(nest->loops.items, nest->loops.count, false, step) * nest->element_bits;
    int64_t first = bit / scalar_traits[c->read->type].packet_bits;
    const uint32_t *bits = c->weights.bits + row * c->row_elements;
    const uint8_t *live = c->weights.live + row * c->row_elements;
    for (int64_t i = 0; i < c->reduce->packet_elements; i++) {
        int64_t at = first + i % c->read_elements;
        bool inside = at >= 0 && at < c->row_elements;
        out->bits[i] = inside ? bits[at] : 0;
        out->live[i] = inside && live[at];
    }
}

static void multiply_floats(const Lanes *x, const Lanes *w, const uint8_t *data, int64_t count,
                            int64_t depth, uint32_t *sums)
{
    float products[MOST_LANES];
    for (int64_t i = 0; i < count; i++)
        products[i] = data[i] ? float_of_bits(x->bits[i]) * float_of_bits(w->bits[i]) : 0.0F;
    for (int64_t level = 0; level < depth; level++) {
        count /= 2;
        for (int64_t i = 0; i < count; i++)
            products[i] = products[2 * i] + products[2 * i + 1];
    }
    for (int64_t i = 0; i < count; i++)
        sums[i] = bits_of_float(products[i]);
}

static void multiply_integers(const Lanes *x, const Lanes *w, const uint8_t *data, int64_t count,
                              int64_t depth, uint32_t *sums)
{
    int64_t width = INT64_C(1) << depth;
    memset(sums, 0, sizeof *sums * (size_t)(count / width));
    for (int64_t i = 0; i < count; i++)
        sums[i / width] += data[i] ? x->bits[i] * w->bits[i] : 0;
}

static uint32_t add(Scalar type, uint32_t a, uint32_t b)
{
    return type == SCALAR_F32 ? bits_of_float(float_of_bits(a) + float_of_bits(b)) : a + b;
}

// What a column is in one step: it exists if one of its lanes is data, and has a value if all of
// those have.
static uint8_t column_state(const Lanes *x, const Lanes *w, const uint8_t *data, int64_t from,
                            int64_t to)
{
    uint8_t state = SUM_NONE;
    for (int64_t i = from; i < to; i++)
        if (data[i]) {
            bool live = x->live[i] && w->live[i] && state != SUM_DEAD;
            state = live ? SUM_LIVE : SUM_DEAD;
        }
    return state;
}

static void accumulate(const Contraction *c, int64_t place, int64_t row, int64_t column,
                       uint32_t sum, uint8_t state)
{
    int64_t at = (place * c->reduce->rows + row) * c->reduce->columns + column;
    if (state == SUM_NONE)
        return;
    c->sums[at] = c->exists[at] == SUM_NONE ? sum : add(c->reduce->out_type, c->sums[at], sum);
    c->exists[at] = c->exists[at] == SUM_DEAD ? SUM_DEAD : state;
}

static int64_t place_of_step(const HwReduce *reduce, int64_t step)
{
    int64_t place = 0;
    for (int64_t i = reduce->loops.count - 1; i >= 0; i--) {
        const HwSlotLoop *loop = &reduce->loops.items[i];
        place += step % loop->size * loop->stride;
        step /= loop->size;
    }
    return place;
}

static void run_step(const Contraction *c, int64_t step)
{
    const HwReduce *reduce = c->reduce;
    DataTest test = {reduce->data.items, reduce->data.count};
    int64_t lanes = reduce->packet_elements, width = INT64_C(1) << reduce->tree_depth;
    int64_t place = place_of_step(reduce, step), unit = run_unit(c->run, c->slice) * reduce->rows;
    uint32_t sums[MOST_LANES];
    uint8_t data[MOST_LANES];
    Lanes x, w;
    adapt_packet(c, step, &x);
    for (int64_t row = 0; row < reduce->rows; row++) {
        int64_t first = ((unit + row) * reduce->in_time + step) * lanes;
        read_weights(c, row, step, &w);
        data_lanes(&test, first, lanes, data);
        if (reduce->out_type == SCALAR_F32)
            multiply_floats(&x, &w, data, lanes, reduce->tree_depth, sums);
        else
            multiply_integers(&x, &w, data, lanes, reduce->tree_depth, sums);
        bool whole = c->stream.all_live && c->weights.all_live && !test.count;
        for (int64_t i = 0; i < reduce->columns; i++) {
            uint8_t state =
                whole ? SUM_LIVE : column_state(&x, &w, data, i * width, (i + 1) * width);
            accumulate(c, place, row, i, sums[i], state);
        }
    }
}

// ---- the way out

static uint32_t clean(Scalar type, uint32_t bits)
{
    float value = float_of_bits(bits);
    return type == SCALAR_F32 && value != value ? F32_NAN : bits;
}

static void put_out(const Contraction *c, Stream *out)
{
    const HwReduce *reduce = c->reduce;
    int64_t lanes = reduce->out_elements, rows = reduce->rows, columns = reduce->columns;
    int64_t eights = ceil_div(columns, lanes);
    for (int64_t i = 0; i < reduce->places * rows * columns; i++) {
        int64_t column = i % columns, row = i / columns % rows, place = i / columns / rows;
        bool interleaved = reduce->resize == ACCUMULATE_INTERLEAVED;
        int64_t packet =
            interleaved ? place * columns + column : (place * rows + row) * eights + column / lanes;
        int64_t at = packet * lanes + (interleaved ? row : column % lanes);
        out->bits[at] = clean(reduce->out_type, c->sums[i]);
        out->tags[at] = c->exists[i] == SUM_LIVE ? TAG_LIVE : 0;
    }
}

static bool make_sums(Contraction *c)
{
    size_t count = (size_t)(c->reduce->places * c->reduce->rows * c->reduce->columns) + 1;
    c->sums = calloc(count, sizeof *c->sums);
    c->exists = calloc(count, 1);
    return c->sums && c->exists;
}

bool contraction_run(const ClusterRun *run, int64_t slice, Stream *stream)
{
    const HwReduce *reduce = run->pass->reduce;
    Contraction c = {.run = run,
                     .reduce = reduce,
                     .adapt = run->pass->adapt,
                     .read = run->pass->trf_read,
                     .slice = slice};
    Scratch *scratch = device_scratch(run->device);
    Stream out = {0};
    bool ok = stream_need_tags(scratch, stream) && take_stream(&c, stream) && take_weights(&c) &&
              make_sums(&c) &&
              stream_new(scratch, &out, reduce->out_type, reduce->out_time, reduce->out_elements);
    for (int64_t step = 0; ok && step < reduce->in_time; step++)
        run_step(&c, step);
    if (ok) {
        put_out(&c, &out);
        stream_replace(scratch, stream, &out);
    }
    factors_free(&c.stream);
    factors_free(&c.weights);
    free(c.sums);
    free(c.exists);
    return ok;
}

// ---- the plan

bool contract_plan_new(const Device *device, const HwPipeline *pass, ContractPlan **plan)
{
    (void)device;
    (void)pass;
    (void)plan;
    return true;
}

void contract_plan_free(ContractPlan *plan)
{
    (void)plan;
}
