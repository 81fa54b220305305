// The Contraction Engine against its definition (contract.def), a product at a time, on random
// records and factors, with every instruction set that this machine has.
#include "command/nest.h"
#include "device/data.h"
#include "device/internal.h"

#include "base/checked.h"
#include "sample.h"
#include "scalar/bits.h"
#include "sets.h"
#include "shrink.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    CASES = 3000,
    MOST_LOOPS = 4,
    MOST_CHECKS = 3,
    MOST_TERMS = 3,
    MOST_OFFSETS = 8,
    MOST_LANES = 256,
    ROW_ELEMENTS = 700, // that are written of each row
    UNITS = 4
};

// ---- a pass

// Records and what they point to.
typedef struct {
    HwPipeline pass;
    HwStreamAdapt adapt;
    HwTrfRead read;
    HwReduce reduce;
    HwCollect collect;
    HwLoop adapt_loops[MOST_LOOPS + 1], read_loops[MOST_LOOPS];
    int64_t offsets[2][MOST_LOOPS][MOST_OFFSETS];
    HwSlotLoop slot_loops[MOST_LOOPS];
    HwCheck checks[MOST_CHECKS];
    HwCheckTerm terms[MOST_CHECKS][MOST_TERMS];
    HwLoop fetch_loop;
    HwClusterBits bitmap;
    uint64_t slices;
    int64_t base;
    Scalar type;
    int64_t flit_lanes;
} Case;

static const Scalar types[] = {SCALAR_I4,     SCALAR_I5,     SCALAR_I8,  SCALAR_I9,
                               SCALAR_F8E4M3, SCALAR_F8E5M2, SCALAR_BF16};

static int64_t bits_of(const Case *c)
{
    return scalar_traits[c->type].packet_bits;
}

static int64_t choose_loops(Rng *rng, HwLoop *loops, int64_t (*offsets)[MOST_OFFSETS], int64_t unit)
{
    int64_t count = rng_below(rng, MOST_LOOPS);
    for (int64_t i = 0; i < count; i++) {
        loops[i] = (HwLoop){.size = 1 + rng_below(rng, 6),
                            .stride = rng_chance(rng, 30) ? 0 : rng_below(rng, 5) * unit};
        if (rng_chance(rng, 5))
            loops[i].stride = -loops[i].stride;
        if (!rng_chance(rng, 10))
            continue;
        for (int64_t k = 0; k < loops[i].size; k++)
            offsets[i][k] = rng_below(rng, 6) * unit;
        loops[i].offsets.items = offsets[i];
        loops[i].offsets.count = loops[i].size;
    }
    return count;
}

static void choose_reduce(Rng *rng, Case *c)
{
    HwReduce *reduce = &c->reduce;
    int64_t count = 1 + rng_below(rng, MOST_LOOPS - 1), depth = 0, all = 1;
    reduce->in_type = c->type;
    scalar_contraction_result(c->type, &reduce->out_type);
    reduce->packet_elements =
        rng_chance(rng, 70) ? 512 / bits_of(c) : INT64_C(4) << rng_below(rng, 4);
    while (INT64_C(2) << depth <= reduce->packet_elements)
        depth++;
    reduce->tree_depth = rng_chance(rng, 40) ? depth : rng_below(rng, depth + 1);
    int64_t sums = reduce->packet_elements >> reduce->tree_depth;
    reduce->columns = rng_chance(rng, 50) ? sums : 1 + rng_below(rng, sums);
    reduce->rows = INT64_C(1) << rng_below(rng, 4);
    reduce->out_elements = 8;
    reduce->places = 1;
    for (int64_t i = count - 1; i >= 0; i--) {
        bool reduced = rng_chance(rng, 50);
        c->slot_loops[i] = (HwSlotLoop){.size = 1 + rng_below(rng, rng_chance(rng, 20) ? 20 : 6),
                                        .reduced = reduced,
                                        .stride = reduced ? 0 : reduce->places};
        reduce->places *= reduced ? 1 : c->slot_loops[i].size;
        all *= c->slot_loops[i].size;
    }
    reduce->loops.items = c->slot_loops;
    reduce->loops.count = count;
    reduce->in_time = rng_chance(rng, 70) ? all : 1 + rng_below(rng, all);
    bool interleaved = rng_chance(rng, 60);
    reduce->resize = interleaved ? ACCUMULATE_INTERLEAVED : ACCUMULATE_SEQUENTIAL;
    reduce->out_time = reduce->places * (interleaved ? reduce->columns
                                                     : reduce->rows * ceil_div(reduce->columns, 8));
}

static void choose_adapt(Rng *rng, Case *c)
{
    HwStreamAdapt *adapt = &c->adapt;
    int64_t halves = rng_chance(rng, 70) ? 2 : 1;
    int64_t count = choose_loops(rng, c->adapt_loops, c->offsets[0], 1);
    c->flit_lanes = c->reduce.packet_elements / halves;
    adapt->collect_flits = 1 + rng_below(rng, halves);
    adapt->in_time = 1 + rng_below(rng, 40);
    c->adapt_loops[count++] =
        (HwLoop){.size = 2, .stride = rng_chance(rng, 70) ? 1 : rng_below(rng, 4), .packet = true};
    adapt->loops.items = c->adapt_loops;
    adapt->loops.count = count;
    // Cells of a list may also go on without gaps, as those of a plain product do.
    for (int64_t i = 0; i + 1 < count; i++)
        c->adapt_loops[i].stride *= rng_chance(rng, 50) ? adapt->collect_flits : 1;
}

// The stream goes by once, in the order of the steps: all of it is data, too.
static void go_by_once(Case *c)
{
    enum { MOST_STEPS = 200 };
    HwStreamAdapt *adapt = &c->adapt;
    int64_t count = c->reduce.loops.count, stride = c->reduce.packet_elements / c->flit_lanes;
    if (c->reduce.in_time > MOST_STEPS)
        return;
    adapt->collect_flits = stride;
    for (int64_t i = count - 1; i >= 0; i--) {
        c->adapt_loops[i] = (HwLoop){.size = c->slot_loops[i].size, .stride = stride};
        stride *= c->slot_loops[i].size;
    }
    c->adapt_loops[count] = (HwLoop){.size = 2, .stride = 1, .packet = true};
    adapt->loops.count = count + 1;
    adapt->in_time = c->reduce.in_time * adapt->collect_flits;
    c->reduce.data.count = 0;
}

static void choose_read(Rng *rng, Case *c)
{
    int64_t lanes = c->reduce.packet_elements, bytes = max_i64(1, lanes * bits_of(c) / 8);
    HwNest *nest = &c->read.nest;
    const Machine *machine = &machine_rngd;
    bool half = rng_chance(rng, 30);
    c->read.type = c->type;
    c->read.layout = (HwTrfLayout){.rows = c->reduce.rows,
                                   .bank_rows_per_row = machine->trf_bank_rows / c->reduce.rows,
                                   .bank_columns = machine->trf_bank_columns,
                                   .bank_row_bytes = machine->trf_row_bytes,
                                   .first_row = half ? machine->trf_rows_per_bank / 2 : 0,
                                   .rows_in_bank = machine->trf_rows_per_bank / (half ? 2 : 1),
                                   .slots_per_bank_row = machine->trf_slots_per_row};
    nest->element_bits = 8;
    nest->access_bytes = rng_chance(rng, 70) ? bytes : max_i64(bits_of(c) / 8, bytes / 4);
    nest->access_bytes = max_i64(nest->access_bytes, 1);
    nest->base = rng_chance(rng, 50) ? 0 : rng_below(rng, 20) * 2;
    nest->loops.items = c->read_loops;
    nest->loops.count =
        choose_loops(rng, c->read_loops, c->offsets[1], rng_chance(rng, 70) ? bytes : 2);
}

static void choose_checks(Rng *rng, Case *c)
{
    int64_t row = c->reduce.in_time * c->reduce.packet_elements;
    int64_t periods[] = {c->reduce.packet_elements,    row, row * c->reduce.rows,
                         row * c->reduce.rows * UNITS, 4,   6};
    int64_t count = rng_chance(rng, 50) ? 0 : 1 + rng_below(rng, MOST_CHECKS);
    for (int64_t i = 0; i < count; i++) {
        HwCheck *check = &c->checks[i];
        int64_t terms = 1 + rng_below(rng, MOST_TERMS), most = 0;
        for (int64_t k = 0; k < terms; k++) {
            int64_t modulo = periods[rng_below(rng, COUNT_OF(periods))];
            int64_t place = rng_chance(rng, 50) ? 1 + rng_below(rng, modulo)
                                                : periods[rng_below(rng, COUNT_OF(periods))];
            c->terms[i][k] = (HwCheckTerm){.of = i && rng_chance(rng, 20) ? 0 : -1,
                                           .modulo = modulo,
                                           .place = place,
                                           .weight = 1 + rng_below(rng, 3)};
            most += (modulo - 1) / place * c->terms[i][k].weight;
        }
        *check =
            (HwCheck){.offset = rng_chance(rng, 20) ? -1 : 0,
                      .limit = max_i64(1, rng_chance(rng, 40) ? most : rng_below(rng, most + 2))};
        check->terms.items = c->terms[i];
        check->terms.count = terms;
        if (check->offset == 0 && rng_chance(rng, 15))
            check->modulo = 1 + rng_below(rng, 9);
    }
    c->reduce.data.items = c->checks;
    c->reduce.data.count = count;
}

// The stream lies in DM as it comes.
static void fill_fetch(Case *c)
{
    HwFetch *fetch = &c->pass.fetch;
    c->base = 64;
    c->slices = UINT64_MAX;
    c->bitmap = (HwClusterBits){.chip = -1, .cluster = -1, .slices = {&c->slices, 1, 0}};
    c->fetch_loop = (HwLoop){.size = c->adapt.in_time * c->flit_lanes, .stride = 1};
    *fetch = (HwFetch){.type = c->type,
                       .cast = c->type,
                       .packet_elements = c->flit_lanes,
                       .time = c->adapt.in_time,
                       .bases = {&c->base, 1, 0},
                       .nest = {.base = c->base,
                                .element_bits = scalar_traits[c->type].storage_bits,
                                .loops = {&c->fetch_loop, 1, 0}}};
    fetch->bitmaps.items = &c->bitmap;
    fetch->bitmaps.count = 1;
}

static void choose_case(Rng *rng, Case *c)
{
    *c = (Case){.type = types[rng_below(rng, COUNT_OF(types))]};
    choose_reduce(rng, c);
    choose_adapt(rng, c);
    choose_read(rng, c);
    choose_checks(rng, c);
    if (rng_chance(rng, 15))
        go_by_once(c);
    c->pass = (HwPipeline){.chips = 1,
                           .clusters = 1,
                           .slices = UNITS,
                           .adapt = &c->adapt,
                           .trf_read = &c->read,
                           .reduce = &c->reduce};
    fill_fetch(c);
}

// ---- factors

// What the factors are like. TINY, HUGE_ONES: their products just are f32, or just are not.
typedef enum { TAME, WILD, TINY, HUGE_ONES, KINDS } Kind;

static uint32_t choose_value(Rng *rng, Scalar type, Kind kind)
{
    static const int64_t exponents[KINDS][2] = {
        [TAME] = {120, 14}, [TINY] = {59, 3}, [HUGE_ONES] = {186, 6}};
    static const uint32_t wild_bf16[] = {0x0000, 0x8000, 0x0001, 0x8001, 0x7f80, 0xff80, 0x7fc0,
                                         0x7f81, 0x7f7f, 0xff7f, 0x0080, 0x2000, 0xa000, 0x1f80};
    if (type == SCALAR_BF16 && kind == WILD && rng_chance(rng, 60))
        return wild_bf16[rng_below(rng, COUNT_OF(wild_bf16))];
    uint32_t bits = (uint32_t)rng_next(rng);
    if (type == SCALAR_BF16 && kind != WILD)
        bits = (bits & 0x807f) | (uint32_t)(exponents[kind][0] + rng_below(rng, exponents[kind][1]))
                                     << 7;
    return scalar_wrap(type, bits);
}

static void fill_trf(Rng *rng, const Case *c, Trf *trf, Kind kind, bool whole)
{
    uint32_t bits[ROW_ELEMENTS];
    uint8_t live[ROW_ELEMENTS];
    trf_forget(trf);
    for (int64_t row = 0; row < c->reduce.rows; row++) {
        for (int64_t i = 0; i < ROW_ELEMENTS; i++) {
            bits[i] = choose_value(rng, c->type, kind);
            live[i] = whole || !rng_chance(rng, 1);
        }
        trf_store(trf, &c->read.layout, c->type, row, 0, ROW_ELEMENTS, bits, live);
    }
}

static void fill_stream(Rng *rng, const Case *c, Scratch *scratch, Kind kind, Stream *stream)
{
    bool whole = rng_chance(rng, 60);
    assert_true(stream_new(scratch, stream, c->type, c->adapt.in_time, c->flit_lanes));
    for (int64_t i = 0; i < stream->time * stream->lanes; i++) {
        stream->bits[i] = choose_value(rng, c->type, kind);
        stream->tags[i] = whole || !rng_chance(rng, 2) ? TAG_LIVE : TAG_PADDING;
    }
    if (whole && rng_chance(rng, 50)) {
        scratch_give(scratch, stream->tags);
        stream->tags = NULL;
    }
}

// ---- the definition

typedef struct {
    uint32_t bits;
    bool live;
} Lane;

static Lane x_of(const Case *c, const Stream *stream, int64_t step, int64_t lane)
{
    const HwStreamAdapt *adapt = &c->adapt;
    int64_t number = lane / c->flit_lanes;
    if (number >= adapt->collect_flits)
        return (Lane){0, true};
    int64_t flit = loops_offset(&adapt->loops, LOOPS_BETWEEN, step) +
                   loops_offset(&adapt->loops, LOOPS_PACKET, number);
    int64_t at = flit * c->flit_lanes + lane % c->flit_lanes;
    if (flit < 0 || flit >= adapt->in_time)
        return (Lane){0, true};
    return (Lane){stream->bits[at], !stream->tags || stream->tags[at] & TAG_LIVE};
}

static Lane w_of(const Case *c, const Trf *trf, int64_t row, int64_t step, int64_t lane)
{
    const HwNest *nest = &c->read.nest;
    int64_t bit = nest->base * 8 + loops_offset(&nest->loops, LOOPS_BETWEEN, step) * 8;
    int64_t element = bit / bits_of(c) + lane % (nest->access_bytes * 8 / bits_of(c));
    uint32_t bits = 0;
    uint8_t live = 0;
    if (element >= 0)
        trf_load(trf, &c->read.layout, c->type, row, element * bits_of(c) / 4, 1, &bits, &live);
    return (Lane){bits, live};
}

typedef struct {
    uint32_t sum;
    bool exists, dead;
} Sum;

static uint32_t multiply(const Case *c, uint32_t x, uint32_t w)
{
    if (c->reduce.out_type != SCALAR_F32)
        return x * w;
    return bits_of_float(float_of_bits(scalar_to_f32(c->type, x)) *
                         float_of_bits(scalar_to_f32(c->type, w)));
}

static uint32_t add(const Case *c, uint32_t a, uint32_t b)
{
    if (c->reduce.out_type != SCALAR_F32)
        return a + b;
    return bits_of_float(float_of_bits(a) + float_of_bits(b));
}

static Sum column_of(const Case *c, const Stream *stream, const Trf *trf, int64_t row, int64_t step,
                     int64_t column, const uint8_t *data)
{
    int64_t width = INT64_C(1) << c->reduce.tree_depth;
    uint32_t products[MOST_LANES] = {0};
    Sum sum = {0};
    for (int64_t i = 0; i < width; i++) {
        int64_t lane = column * width + i;
        Lane x = x_of(c, stream, step, lane), w = w_of(c, trf, row, step, lane);
        products[i] = data[lane] ? multiply(c, x.bits, w.bits) : 0;
        sum.exists |= data[lane];
        sum.dead |= data[lane] && !(x.live && w.live);
    }
    for (; width > 1; width /= 2)
        for (int64_t i = 0; i < width / 2; i++)
            products[i] = add(c, products[2 * i], products[2 * i + 1]);
    sum.sum = products[0];
    return sum;
}

static int64_t place_of(const HwReduce *reduce, int64_t step)
{
    int64_t place = 0;
    for (int64_t i = reduce->loops.count - 1; i >= 0; i--) {
        place += step % reduce->loops.items[i].size * reduce->loops.items[i].stride;
        step /= reduce->loops.items[i].size;
    }
    return place;
}

// By place, row and column.
static Sum *define(const Case *c, const Stream *stream, const Trf *trf, int64_t unit)
{
    const HwReduce *reduce = &c->reduce;
    const HwCheckList *test = &reduce->data;
    int64_t rows = reduce->rows, columns = reduce->columns, lanes = reduce->packet_elements;
    Sum *sums = calloc((size_t)(reduce->places * rows * columns), sizeof *sums);
    uint8_t data[MOST_LANES];
    for (int64_t step = 0; step < reduce->in_time; step++)
        for (int64_t row = 0; row < rows; row++) {
            data_lanes(test, ((unit * rows + row) * reduce->in_time + step) * lanes, lanes, data);
            for (int64_t i = 0; i < columns; i++) {
                Sum more = column_of(c, stream, trf, row, step, i, data);
                Sum *sum = &sums[(place_of(reduce, step) * rows + row) * columns + i];
                if (!more.exists)
                    continue;
                sum->sum = sum->exists ? add(c, sum->sum, more.sum) : more.sum;
                sum->exists = true;
                sum->dead |= more.dead;
            }
        }
    return sums;
}

// ---- the comparison

static void check_lane(const Case *c, const Sum *sum, const Stream *out, int64_t at)
{
    bool live = !out->tags || out->tags[at] & TAG_LIVE, wanted = sum->exists && !sum->dead;
    uint32_t bits = sum->sum;
    float value = float_of_bits(bits);
    if (c->reduce.out_type == SCALAR_F32 && value != value)
        bits = F32_NAN;
    if (live != wanted || (live && bits != out->bits[at]))
        fail_msg("%s, %d rows, depth %d, %d columns: lane %d is %08x (%d), not %08x (%d)",
                 scalar_name(c->type), (int)c->reduce.rows, (int)c->reduce.tree_depth,
                 (int)c->reduce.columns, (int)at, out->bits[at], live, bits, wanted);
}

static void check_stream(const Case *c, const Sum *sums, const Stream *out)
{
    const HwReduce *reduce = &c->reduce;
    int64_t rows = reduce->rows, columns = reduce->columns, lanes = reduce->out_elements;
    int64_t count = reduce->places * rows * columns;
    assert_int_equal(out->time, reduce->out_time);
    for (int64_t i = 0; i < count; i++) {
        int64_t column = i % columns, row = i / columns % rows, place = i / columns / rows;
        bool interleaved = reduce->resize == ACCUMULATE_INTERLEAVED;
        int64_t packet = interleaved
                             ? place * columns + column
                             : (place * rows + row) * ceil_div(columns, lanes) + column / lanes;
        check_lane(c, &sums[i], out, packet * lanes + (interleaved ? row : column % lanes));
    }
    int64_t live = 0, wanted = 0;
    for (int64_t i = 0; i < out->time * lanes; i++)
        live += !out->tags || out->tags[i] & TAG_LIVE;
    for (int64_t i = 0; i < count; i++)
        wanted += sums[i].exists && !sums[i].dead;
    assert_int_equal(live, wanted); // none beside them
}

static void check_isa(Device *device, const Case *c, const PassPlan *plan, int64_t slice,
                      const Stream *stream, const Sum *sums)
{
    Scratch *scratch = device_scratch(device);
    ClusterRun run = {.device = device, .pass = &c->pass, .plan = plan};
    Stream copy;
    int64_t count = stream->time * stream->lanes;
    assert_true(stream_new(scratch, &copy, stream->type, stream->time, stream->lanes));
    memcpy(copy.bits, stream->bits, sizeof *copy.bits * (size_t)count);
    if (stream->tags) {
        memcpy(copy.tags, stream->tags, (size_t)count);
    } else {
        scratch_give(scratch, copy.tags);
        copy.tags = NULL;
    }
    assert_true(contraction_run(&run, slice, &copy));
    check_stream(c, sums, &copy);
    stream_free(scratch, &copy);
}

// The same where the stream is fetched while it is multiplied. False: it is not.
static bool check_parts(Device *device, const Case *c, const PassPlan *plan, int64_t slice,
                        const Stream *stream, const Sum *sums)
{
    Scratch *scratch = device_scratch(device);
    ClusterRun run = {.device = device, .pass = &c->pass, .plan = plan};
    Memory *dm = &device_slice(device, 0, 0, slice)->dm;
    Stream out;
    if (stream->tags || !contraction_takes_parts(plan->contract))
        return false;
    for (int64_t i = 0; i < stream->time * stream->lanes; i++)
        scalar_store(c->type, dm->bytes + c->base, i, stream->bits[i]);
    memory_mark(dm, 0, dm->size);
    assert_true(fetch_in_parts(&run, slice, &out));
    assert_true(contraction_run(&run, slice, &out));
    check_stream(c, sums, &out);
    stream_free(scratch, &out);
    return true;
}

// How often the stream came in parts.
static int64_t check_case(Device *device, Rng *rng)
{
    Case c;
    PassPlan plan = {0};
    int64_t in_parts = 0;
    Kind kind = (Kind)rng_below(rng, KINDS);
    bool whole = rng_chance(rng, 70);
    choose_case(rng, &c);
    device_use_part(device, 1 + rng_below(rng, rng_chance(rng, 50) ? 100 : 1000));
    assert_true(fetch_plan_new(device, &c.pass, &plan.fetch));
    assert_true(contract_plan_new(device, &c.pass, &plan.contract));
    for (int64_t slice = 0; slice < UNITS; slice += 1 + rng_below(rng, UNITS)) {
        Stream stream;
        Trf *trf = &device_slice(device, 0, 0, slice)->trf;
        fill_trf(rng, &c, trf, kind, whole);
        fill_stream(rng, &c, device_scratch(device), kind, &stream);
        Sum *sums = define(&c, &stream, trf, slice);
        for (Isa isa = 0; isa < ISA_COUNT; isa++) {
            sets_use(device, isa);
            check_isa(device, &c, &plan, slice, &stream, sums);
            in_parts += check_parts(device, &c, &plan, slice, &stream, sums);
        }
        free(sums);
        stream_free(device_scratch(device), &stream);
    }
    fetch_plan_free(plan.fetch);
    contract_plan_free(plan.contract);
    return in_parts;
}

TEST(sums_are_as_defined)
{
    Rng rng = {test_seed()};
    Device *device = device_new(&machine_rngd, 1);
    assert_non_null(device);
    int64_t cases = (int64_t)(CASES * test_scale()) + 1, in_parts = 0;
    for (int64_t i = 0; i < cases; i++)
        in_parts += check_case(device, &rng);
    device_free(device);
    print_message("%d fetched in parts\n", (int)in_parts);
    assert_true(cases < CASES || in_parts > 0);
}

TEST_END(sets_report)
