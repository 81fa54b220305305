// The Tensor Register File against a model of single slots, as registers.def numbers them. And
// loads whose bytes go straight there against the same by way of a stream.
#include "device/internal.h"

#include "base/checked.h"
#include "machine/machine.h"
#include "sample.h"
#include "sets.h"
#include "shrink.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

enum { CASES = 2000, MOST_ELEMENTS = 200, SLOT_BITS = 4, EXTRA = 16, WRITTEN = 32 };

static int64_t slot_place(const HwTrfLayout *layout, int64_t row, int64_t slot)
{
    int64_t byte = slot / 2, word = byte / layout->bank_row_bytes;
    int64_t column = word % layout->bank_columns, number = word / layout->bank_columns;
    if (number / layout->rows_in_bank >= layout->bank_rows_per_row)
        return -1;
    int64_t bank_row = row * layout->bank_rows_per_row + number / layout->rows_in_bank;
    int64_t in_bank = layout->first_row + number % layout->rows_in_bank;
    return ((bank_row * layout->bank_columns + column) * machine_rngd.trf_rows_per_bank + in_bank) *
               layout->slots_per_bank_row +
           slot % layout->slots_per_bank_row;
}

static HwTrfLayout choose_layout(Rng *rng)
{
    const Machine *machine = &machine_rngd;
    int64_t rows = INT64_C(1) << rng_below(rng, 4), halves = 1 + rng_below(rng, 2);
    int64_t in_half = machine->trf_rows_per_bank / halves;
    return (HwTrfLayout){.rows = rows,
                         .bank_rows_per_row = machine->trf_bank_rows / rows,
                         .bank_columns = machine->trf_bank_columns,
                         .bank_row_bytes = machine->trf_row_bytes,
                         .first_row = rng_below(rng, halves) * in_half,
                         .rows_in_bank = in_half,
                         .slots_per_bank_row = machine->trf_slots_per_row};
}

// Elements of a type somewhere in a row: near the end of a bank as often as not.
typedef struct {
    HwTrfLayout layout;
    Scalar type;
    int64_t row, slot, count, slots;
    uint32_t bits[MOST_ELEMENTS];
    uint8_t live[MOST_ELEMENTS];
} Part;

static void choose_part(Rng *rng, Part *part)
{
    static const Scalar types[] = {SCALAR_I4,     SCALAR_I5,   SCALAR_I8, SCALAR_I9,
                                   SCALAR_F8E4M3, SCALAR_BF16, SCALAR_F32};
    part->layout = choose_layout(rng);
    part->type = types[rng_below(rng, sizeof types / sizeof *types)];
    part->slots = scalar_traits[part->type].packet_bits / SLOT_BITS;
    part->row = rng_below(rng, part->layout.rows);
    part->count = 1 + rng_below(rng, MOST_ELEMENTS);
    int64_t bank = part->layout.rows_in_bank * part->layout.bank_columns * 64;
    int64_t near = rng_chance(rng, 50) ? 0 : bank - MOST_ELEMENTS;
    part->slot = (near + rng_below(rng, MOST_ELEMENTS)) / part->slots * part->slots;
    bool whole = rng_chance(rng, 50);
    for (int64_t i = 0; i < part->count; i++) {
        part->bits[i] = scalar_wrap(part->type, (uint32_t)rng_next(rng));
        part->live[i] = whole || rng_chance(rng, 80) ? 1 : 2;
    }
}

static void store_slots(uint8_t *slots, const Part *part)
{
    const ScalarTraits *traits = &scalar_traits[part->type];
    for (int64_t i = 0; i < part->count * part->slots; i++) {
        int64_t at = slot_place(&part->layout, part->row, part->slot + i);
        uint32_t bits = part->bits[i / part->slots];
        bool extra = traits->bits > traits->packet_bits && i % part->slots == part->slots - 1 &&
                     bits >> traits->packet_bits & 1;
        if (at >= 0)
            slots[at] = (uint8_t)((bits >> i % part->slots * SLOT_BITS & 15) | (extra ? EXTRA : 0) |
                                  (part->live[i / part->slots] & 1 ? WRITTEN : 0));
    }
}

static void check_slots(const uint8_t *slots, const Part *part, const uint32_t *bits,
                        const uint8_t *live)
{
    const ScalarTraits *traits = &scalar_traits[part->type];
    for (int64_t i = 0; i < part->count; i++) {
        uint32_t value = 0, held = 0, written = WRITTEN;
        for (int64_t k = 0; k < part->slots; k++) {
            int64_t at = slot_place(&part->layout, part->row, part->slot + i * part->slots + k);
            held = at < 0 ? 0 : slots[at];
            value |= (held & 15) << k * SLOT_BITS;
            written &= held;
        }
        if (traits->bits > traits->packet_bits && held & EXTRA)
            value |= UINT32_C(1) << traits->packet_bits;
        assert_int_equal(bits[i], scalar_wrap(part->type, value));
        assert_int_equal(live[i], written != 0);
    }
}

static void check_forgotten(const Trf *trf, Rng *rng)
{
    uint32_t bits[MOST_ELEMENTS];
    uint8_t live[MOST_ELEMENTS];
    Part part;
    choose_part(rng, &part);
    trf_load(trf, &part.layout, part.type, part.row, part.slot, part.count, bits, live);
    for (int64_t i = 0; i < part.count; i++)
        assert_false(live[i]);
}

TEST(bytes_are_where_the_layout_says)
{
    const Machine *machine = &machine_rngd;
    Rng rng = {test_seed()};
    int64_t count = machine->trf_bank_rows * machine->trf_bank_columns *
                    machine->trf_rows_per_bank * machine->trf_row_bytes;
    uint8_t *space = calloc((size_t)trf_space(count), 1), *slots = calloc((size_t)count, 2);
    assert_true(space && slots);
    Trf trf = trf_new(space, count, machine->trf_rows_per_bank);
    for (int64_t i = 0; i < (int64_t)(CASES * test_scale()) + 1; i++) {
        uint32_t bits[MOST_ELEMENTS];
        uint8_t live[MOST_ELEMENTS];
        Part part;
        choose_part(&rng, &part);
        store_slots(slots, &part);
        trf_store(&trf, &part.layout, part.type, part.row, part.slot, part.count, part.bits,
                  part.live);
        choose_part(&rng, &part);
        trf_load(&trf, &part.layout, part.type, part.row, part.slot, part.count, bits, live);
        check_slots(slots, &part, bits, live);
    }
    trf_forget(&trf);
    for (int64_t i = 0; i < (int64_t)(CASES * test_scale()) + 1; i++)
        check_forgotten(&trf, &rng);
    free(space);
    free(slots);
}

// ---- loads

enum { FETCH_LOOPS = 4, STORE_LOOPS = 3, BYTES = 40000, BEGIN = 10000, MOST_SLOTS = 2 << 16 };

// A pass that fills TRF, with all it points to.
typedef struct {
    HwPipeline pass;
    HwCollect collect;
    HwTrfStore store;
    HwLoop fetch_loops[FETCH_LOOPS];
    HwRowLoop store_loops[STORE_LOOPS];
    int64_t base, lanes;
    HwClusterBits bitmap;
    uint64_t slices[4];
    bool is_plain; // it takes no stream, if all that is read has a value
} Load;

// What TRF holds: 5 bits and whether there is a value, slot by slot.
typedef struct {
    uint32_t bits[MOST_SLOTS];
    uint8_t live[MOST_SLOTS];
} Held;

static void draw_type(Load *load, Rng *rng)
{
    static const struct {
        Scalar type, cast;
        bool is_plain;
    } types[] = {
        {SCALAR_I8, SCALAR_I8, true},     {SCALAR_U8, SCALAR_U8, true},
        {SCALAR_BF16, SCALAR_BF16, true}, {SCALAR_I16, SCALAR_I16, true},
        {SCALAR_F32, SCALAR_F32, true},   {SCALAR_F8E4M3, SCALAR_F8E4M3, true},
        {SCALAR_I4, SCALAR_I4, false},    {SCALAR_I8, SCALAR_I9, false},
        {SCALAR_I4, SCALAR_I5, false},    {SCALAR_BF16, SCALAR_F32, false},
        {SCALAR_I8, SCALAR_I32, false},
    };
    int64_t i = rng_below(rng, COUNT_OF(types));
    load->pass.fetch.type = types[i].type;
    load->pass.fetch.cast = load->store.type = types[i].cast;
    load->is_plain = types[i].is_plain;
    load->lanes = 256 / scalar_traits[types[i].cast].packet_bits;
}

// Loops that go on where the one inside ends, that broadcast, that go back or anywhere; often two
// of them turned round.
static void draw_nest(Load *load, Rng *rng)
{
    HwFetch *fetch = &load->pass.fetch;
    int64_t packet = fetch->packet_elements, inner = INT64_C(1) << rng_below(rng, 7), reach = 1;
    inner = packet % inner ? packet : inner;
    int64_t outer = 1 + rng_below(rng, 6);
    const int64_t sizes[FETCH_LOOPS] = {outer, 1 + rng_below(rng, 5), packet / inner, inner};
    for (int64_t i = FETCH_LOOPS - 1; i >= 0; i--) {
        HwLoop *loop = &load->fetch_loops[i];
        *loop = (HwLoop){.size = sizes[i], .stride = reach};
        if (rng_chance(rng, 25))
            loop->stride = rng_below(rng, 50) - 10;
        reach = loop->stride * loop->size;
    }
    if (rng_chance(rng, 25)) {
        int64_t stride = load->fetch_loops[3].stride;
        load->fetch_loops[3].stride = load->fetch_loops[2].stride;
        load->fetch_loops[2].stride = stride;
    }
    fetch->time = sizes[0] * sizes[1];
    fetch->nest = (HwNest){.loops = {load->fetch_loops, FETCH_LOOPS, 0},
                           .element_bits = scalar_traits[fetch->type].storage_bits,
                           .base = BEGIN};
    load->base = BEGIN + rng_below(rng, 50) * 4;
    fetch->bases = (IntList){&load->base, 1, 0};
    if (rng_chance(rng, 5))
        load->base = -1000; // nothing is there
}

// False: it leads out of TRF.
static bool draw_store(Load *load, Rng *rng)
{
    HwTrfStore *store = &load->store;
    store->layout = choose_layout(rng);
    int64_t flit = load->lanes * scalar_traits[store->type].packet_bits / 8, rest = store->flits;
    int64_t rows = 0, bytes = flit, reach = flit;
    for (int64_t i = STORE_LOOPS - 1; i >= 0; i--) {
        HwRowLoop *loop = &load->store_loops[i];
        *loop = (HwRowLoop){.size = i ? 1 + rng_below(rng, 8) : rest};
        rest = ceil_div(rest, loop->size);
        if (rng_chance(rng, 30))
            loop->row_stride = 1;
        else
            loop->byte_stride = rng_chance(rng, 85) ? reach : rng_below(rng, 100);
        rows += (loop->size - 1) * loop->row_stride;
        bytes += (loop->size - 1) * loop->byte_stride;
        reach = loop->row_stride ? reach : loop->byte_stride * loop->size;
    }
    int64_t part = store->layout.rows_in_bank * 64, all = part * store->layout.bank_rows_per_row;
    if (rows >= store->layout.rows || bytes > all)
        return false;
    store->start_row = rng_below(rng, store->layout.rows - rows);
    store->start_byte = rng_below(rng, all - bytes + 1);
    if (rng_chance(rng, 70)) // more often than not it is aligned, or crosses a bank
        store->start_byte =
            min_i64(all - bytes, max_i64(0, part - rng_below(rng, bytes)) / 32 * 32);
    store->loops.items = load->store_loops;
    store->loops.count = STORE_LOOPS;
    return true;
}

static void draw_load(Load *load, Rng *rng)
{
    do {
        *load = (Load){.pass = {.chips = 1, .clusters = 1, .slices = 1}};
        draw_type(load, rng);
        load->collect.flits_per_packet = 1 + rng_below(rng, 4);
        load->pass.fetch.packet_elements = load->lanes * load->collect.flits_per_packet;
        if (rng_chance(rng, 10) && load->lanes > 8) { // zeros behind each packet
            load->pass.fetch.packet_elements -= 8;
            load->is_plain = false;
        }
        draw_nest(load, rng);
        load->store.flits = load->pass.fetch.time * load->collect.flits_per_packet;
    } while (!draw_store(load, rng));
    for (int i = 0; i < 4; i++)
        load->slices[i] = rng_chance(rng, 90) ? UINT64_MAX : 0;
    load->bitmap = (HwClusterBits){.chip = -1, .cluster = -1, .slices = {load->slices, 4, 0}};
    load->pass.fetch.bitmaps.items = &load->bitmap;
    load->pass.fetch.bitmaps.count = 1;
    load->pass.fetch.pad_value = 3;
    load->pass.collect = &load->collect;
    load->pass.trf_store = &load->store;
}

static void hold(const Trf *trf, Held *held)
{
    const Machine *machine = &machine_rngd;
    const HwTrfLayout all = {.rows = 1,
                             .bank_rows_per_row = machine->trf_bank_rows,
                             .bank_columns = machine->trf_bank_columns,
                             .bank_row_bytes = machine->trf_row_bytes,
                             .rows_in_bank = machine->trf_rows_per_bank};
    assert_int_equal(trf->count * TRF_SLOTS_PER_BYTE, MOST_SLOTS);
    trf_load(trf, &all, SCALAR_I5, 0, 0, MOST_SLOTS, held->bits, held->live);
}

// What was there before is the same for both ways.
static void begin(Trf *trf, const Part *parts, int64_t count)
{
    trf_forget(trf);
    for (int64_t i = 0; i < count; i++)
        trf_store(trf, &parts[i].layout, parts[i].type, parts[i].row, parts[i].slot, parts[i].count,
                  parts[i].bits, parts[i].live);
}

static void check_load(Device *device, Rng *rng, const Load *load, Held held[2])
{
    enum { PARTS = 3 };
    Part parts[PARTS];
    Slice *slice = device_slice(device, 0, 0, 0);
    for (int64_t i = 0; i < PARTS; i++)
        choose_part(rng, &parts[i]);
    PassPlan *plan = pass_plan_new(device, &load->pass);
    assert_non_null(plan);
    begin(&slice->trf, parts, PARTS);
    assert_true(passes_execute(device, &(PassStep){&load->pass, plan}, 1));
    hold(&slice->trf, &held[0]);

    SliceRun state = {0};
    ClusterRun run = {.device = device, .pass = &load->pass, .plan = plan, .alone = &state};
    ByteRange reach = fetch_reach(plan->fetch);
    bool goes_straight = load->is_plain && *load->slices &&
                         memory_holds(&slice->dm, reach.from, reach.to) &&
                         memory_is_written(&slice->dm, reach.from, reach.to) &&
                         load->store.flits <= slice->trf.count / 32;
    assert_int_equal(fetch_to_trf(&run, 0), goes_straight);
    begin(&slice->trf, parts, PARTS);
    assert_true(fetch_run(&run, 0, &state.groups[0]));
    trf_store_run(&run, 0, &state.groups[0]);
    stream_free(device_scratch(device), &state.groups[0]);
    hold(&slice->trf, &held[1]);
    for (int64_t i = 0; i < MOST_SLOTS; i++) {
        assert_int_equal(held[0].live[i], held[1].live[i]);
        if (held[0].live[i])
            assert_int_equal(held[0].bits[i], held[1].bits[i]);
    }
    pass_plan_free(plan);
}

TEST(bytes_go_straight_as_by_a_stream)
{
    Rng rng = {test_seed() + 1};
    Device *device = device_new(&machine_rngd, 1);
    Held *held = malloc(2 * sizeof *held);
    assert_true(device && held);
    Memory *dm = &device_slice(device, 0, 0, 0)->dm;
    for (int64_t i = 0; i < BYTES; i++)
        dm->bytes[i] = (uint8_t)rng_next(&rng);
    for (int64_t i = 0; i < (int64_t)(CASES * test_scale() / 2) + 1; i++) {
        Load load;
        draw_load(&load, &rng);
        memory_mark(dm, 0, BYTES);
        if (load.base > 0 && rng_chance(&rng, 10))
            memory_forget_part(dm, load.base + 100, load.base + 103);
        sets_use(device, (Isa)(i % ISA_COUNT));
        check_load(device, &rng, &load, held);
    }
    free(held);
    device_free(device);
}

TEST_END(sets_report)
