// The sanitizer on passes made by hand, as no compiler emits them.
#include "device/sanitize.h"

#include "base/checked.h"
#include "base/heap.h"
#include "sample.h"
#include "shrink.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

enum { ELEMENTS = 32, SECOND = 0x1000, THIRD = 0x2000 };

// Packets of 32 bytes from two bases in turn, `time` of them, go to DM.
typedef struct {
    HwPipeline pass;
    HwLoop read[2], written[2];
    int64_t bases[2];
    HwCommit commit;
    HwClusterBits bitmap;
    uint64_t slices[4];
} TwoBases;

static void two_bases(TwoBases *out, int64_t time)
{
    *out =
        (TwoBases){.read = {{.size = time, .stride = ELEMENTS}, {.size = ELEMENTS, .stride = 1}},
                   .written = {{.size = time, .stride = ELEMENTS}, {.size = ELEMENTS, .stride = 1}},
                   .bases = {0, SECOND},
                   .slices = {1}};
    out->bitmap = (HwClusterBits){.chip = 0, .cluster = 0, .slices = {out->slices, 4, 0}};
    out->commit = (HwCommit){.type = SCALAR_I8,
                             .nest = {.base = THIRD,
                                      .loops = {out->written, 2, 0},
                                      .element_bits = 8,
                                      .access_bytes = 32},
                             .commit_in_size = 32,
                             .time = time,
                             .bitmaps = {&out->bitmap, 1, 0}};
    out->pass = (HwPipeline){.chips = 1, .clusters = 1, .slices = 1, .commit = &out->commit};
    out->pass.fetch = (HwFetch){.type = SCALAR_I8,
                                .cast = SCALAR_I8,
                                .time = time,
                                .packet_elements = ELEMENTS,
                                .nest = {.loops = {out->read, 2, 0}, .element_bits = 8},
                                .bases = {out->bases, 2, 0},
                                .bitmaps = {&out->bitmap, 1, 0}};
}

// Bytes of DM that nobody wrote and the pass reads, of which so many packets from each base were.
static int64_t unwritten(int64_t time, int64_t first, int64_t second)
{
    Arena arena = {0};
    DiagList diags = {.arena = &arena};
    TwoBases made;
    two_bases(&made, time);
    HwCommand command = {.pass = &made.pass};
    HwOperation operation = {.writes = -1, .commands = {&command, 1, 0}};
    HwObject object = {.operations = {&operation, 1, 0}};
    DeviceProgram *program = device_program_new(&object);
    Device *device = device_new(&machine_rngd, 1);
    assert_non_null(program);
    assert_non_null(device);
    assert_true(device_sanitize(device, true));
    uint32_t bits[4 * ELEMENTS] = {0};
    uint8_t live[4 * ELEMENTS];
    memset(live, 1, sizeof live);
    const int64_t packets[] = {first, second};
    for (int i = 0; i < 2; i++) {
        HwArgument argument = {.tier = TIER_DM,
                               .type = SCALAR_I8,
                               .element_bits = 8,
                               .address = made.bases[i],
                               .chips = 1,
                               .clusters = 1,
                               .slices = 1,
                               .rows = 1,
                               .elements = packets[i] * ELEMENTS,
                               .storage = -1};
        assert_true(!packets[i] || device_put(device, &argument, bits, live));
    }
    assert_true(device_run(device, program, &diags));
    const DeviceFaults *faults = device_faults(device);
    int64_t bytes = faults ? faults->places[FAULT_UNWRITTEN] : 0;
    device_program_free(program);
    device_free(device);
    arena_release(&arena);
    return bytes;
}

// Of an odd number of packets the first base has one more.
TEST(bases_take_turns)
{
    assert_int_equal(unwritten(1, 1, 0), 0);
    assert_int_equal(unwritten(1, 0, 1), ELEMENTS);
    assert_int_equal(unwritten(2, 1, 1), 0);
    assert_int_equal(unwritten(3, 2, 1), 0);
    assert_int_equal(unwritten(3, 1, 1), ELEMENTS);
    assert_int_equal(unwritten(5, 2, 1), 2 * ELEMENTS);
}

// ---- elements of 4 bits

// Five of eight are data: the sixth shares its byte, which has one shadow.
TEST(halves_share_a_shadow)
{
    static const uint32_t bits[] = {1, 2, 3, 4, 5, 6, 7, 0};
    static const uint8_t live[] = {1, 1, 1, 1, 1, 1, 1, 1}, data[] = {1, 1, 1, 1, 1, 0, 0, 0};
    HwArgument argument = {.tier = TIER_DM,
                           .type = SCALAR_I4,
                           .element_bits = 4,
                           .chips = 1,
                           .clusters = 1,
                           .slices = 1,
                           .rows = 1,
                           .elements = 8,
                           .storage = -1};
    Device *device = device_new(&machine_rngd, 1);
    assert_non_null(device);
    assert_true(device_sanitize(device, true));
    assert_true(device_put(device, &argument, bits, live));
    device_pad(device, &argument, data);
    ShadowPlace place = shadow_of_slice(device, TIER_DM, 0, 0, 0);
    uint16_t value;
    assert_int_equal(shadow_alike(&place.shadow, 0, 4, &value), 3);
    assert_int_equal(value, device->sanitizer->writer);
    shadow_alike(&place.shadow, 3, 4, &value);
    assert_int_equal(value, SHADOW_PADDING);
    device_free(device);
}

// As it says in memory.h.
TEST(halves_share_a_mark)
{
    const uint32_t one = 5;
    const uint8_t is_live = 1;
    uint32_t bits[2] = {9, 9};
    uint8_t live[2] = {0};
    Device *device = device_new(&machine_rngd, 1);
    assert_non_null(device);
    Memory *dm = &device_slice(device, 0, 0, 0)->dm;
    memory_store(dm, SCALAR_I4, 4, 1, &one, &is_live);
    memory_load(dm, SCALAR_I4, 0, 2, bits, live);
    assert_int_equal(bits[0], 0);
    assert_int_equal(bits[1], one);
    assert_true(live[0] && live[1]);
    device_free(device);
}

// ---- padding of TRF that is multiplied

enum { LANES = 16, STEPS = 12, ROWS = 2, PLACES = 6, UNITS = 4, ROW_ELEMENTS = 8192 };

typedef struct {
    HwPipeline pass;
    HwReduce reduce;
    HwTrfRead read;
    HwSlotLoop slots[2];
    HwLoop walk[2];
    HwCheck checks[2];
    HwCheckTerm terms[2][2];
} Contraction;

static void draw_data(Rng *rng, Contraction *out)
{
    static const int64_t places[] = {1, 2, LANES, 2 * LANES, STEPS * LANES, STEPS * ROWS * LANES};
    out->reduce.data.items = out->checks;
    out->reduce.data.count = 1 + rng_below(rng, 2);
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 2; k++) {
            int64_t place = places[rng_below(rng, COUNT_OF(places))];
            out->terms[i][k] = (HwCheckTerm){.of = -1,
                                             .modulo = place * (2 + rng_below(rng, 7)),
                                             .place = place,
                                             .weight = 1 + rng_below(rng, 3)};
        }
        out->checks[i] = (HwCheck){.limit = 1 + rng_below(rng, 12)};
        out->checks[i].terms.items = out->terms[i];
        out->checks[i].terms.count = 1 + rng_below(rng, 2);
    }
}

// Steps are places of the output, the outer or the inner ones; others are added up.
static void draw_contraction(Rng *rng, Contraction *out)
{
    bool outer = rng_chance(rng, 50);
    *out = (Contraction){0};
    out->slots[0] = (HwSlotLoop){.size = STEPS / 2, .stride = outer, .reduced = !outer};
    out->slots[1] = (HwSlotLoop){.size = 2, .stride = !outer, .reduced = outer};
    out->walk[0] = (HwLoop){.size = STEPS / 2, .stride = 2 * rng_below(rng, 40)};
    out->walk[1] = (HwLoop){.size = 2, .stride = 2 * rng_below(rng, 40)};
    out->reduce = (HwReduce){.in_type = SCALAR_BF16,
                             .out_type = SCALAR_F32,
                             .packet_elements = LANES,
                             .tree_depth = rng_below(rng, 5),
                             .rows = 1 + rng_below(rng, ROWS),
                             .in_time = STEPS,
                             .places = PLACES,
                             .loops = {out->slots, 2, 0}};
    out->read = (HwTrfRead){.layout = {.rows = 8,
                                       .bank_rows_per_row = 1,
                                       .bank_columns = 2,
                                       .bank_row_bytes = 32,
                                       .rows_in_bank = 128,
                                       .slots_per_bank_row = 64},
                            .type = SCALAR_BF16,
                            .nest = {.loops = {out->walk, 2, 0},
                                     .element_bits = 8,
                                     .base = 2 * rng_below(rng, 8),
                                     .access_bytes = INT64_C(8) << rng_below(rng, 3)}};
    out->pass = (HwPipeline){
        .chips = 1, .clusters = 1, .slices = UNITS, .reduce = &out->reduce, .trf_read = &out->read};
    draw_data(rng, out);
}

static int64_t sum_of(const HwReduce *reduce, int64_t row, int64_t step, int64_t lane)
{
    int64_t place =
        step / 2 * reduce->loops.items[0].stride + step % 2 * reduce->loops.items[1].stride;
    return (row * PLACES + place) * LANES + (lane >> reduce->tree_depth);
}

static int64_t element_of(const HwTrfRead *read, int64_t step, int64_t lane)
{
    const HwLoop *loops = read->nest.loops.items;
    int64_t byte = read->nest.base + step / 2 * loops[0].stride + step % 2 * loops[1].stride;
    return byte / 2 + lane % (read->nest.access_bytes / 2);
}

// Product by product.
static void walk_padding(const Contraction *from, int64_t unit, uint8_t map[ROWS][ROW_ELEMENTS])
{
    const HwReduce *reduce = &from->reduce;
    int64_t span = reduce->rows * STEPS * LANES;
    uint8_t data[ROWS * STEPS * LANES], sums[ROWS * PLACES * LANES] = {0};
    const HwCheckList *test = &reduce->data;
    data_lanes(test, unit * span, span, data);
    memset(map, 0, ROWS * ROW_ELEMENTS);
    for (int pass = 0; pass < 2; pass++)
        for (int64_t i = 0; i < span; i++) {
            int64_t row = i / LANES / STEPS, step = i / LANES % STEPS, lane = i % LANES;
            uint8_t *sum = &sums[sum_of(reduce, row, step, lane)];
            if (!pass)
                *sum |= data[i];
            else if (*sum && !data[i])
                map[row][element_of(&from->read, step, lane)] = 1;
        }
}

static void expect_padding(const Device *device, const Contraction *from, int64_t unit)
{
    enum { SLOTS = 4 }; // of an element
    static uint8_t wanted[ROWS][ROW_ELEMENTS], found[ROWS][ROW_ELEMENTS];
    int64_t row_elements = trf_row_slots(&from->read.layout) / SLOTS;
    RunList runs;
    assert_in_range(row_elements, 1, ROW_ELEMENTS);
    memset(found, 0, sizeof found);
    walk_padding(from, unit, wanted);
    assert_true(set_runs(device, &from->pass, SET_TRF_PADDING, unit, false, &runs));
    for (int64_t i = 0; i < runs.count; i++)
        for (int64_t at = runs.items[i].low / SLOTS; at < runs.items[i].high / SLOTS; at++)
            found[at / row_elements][at % row_elements] = 1;
    heap_free(runs.items);
    assert_memory_equal(found, wanted, sizeof wanted);
}

TEST(padding_that_is_multiplied_is_found)
{
    Rng rng = {test_seed()};
    Device *device = device_new(&machine_rngd, 1);
    assert_non_null(device);
    int64_t alike = 0;
    for (int round = 0; round < 1000; round++) {
        Contraction made;
        draw_contraction(&rng, &made);
        for (int64_t unit = 0; unit < UNITS; unit++) {
            expect_padding(device, &made, unit);
            alike += unit && set_alike(device, &made.pass, SET_TRF_PADDING, 0, unit);
        }
    }
    assert_true(alike > 500); // and what one of them has is worked out once
    device_free(device);
}
