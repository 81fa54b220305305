// The models that are fitted to what others measured, against every published figure: a line each,
// and how far off the model is.
#include "cost_support.h"

#include <math.h>

enum { CLUSTER_SLICES = 256, ENGINES = 4 };

// ---- samples of DMA

// The pieces that one engine moves: one for each slice of its pair of networks.
static DescriptorRow share_of(const MachineDmaSample *sample, int64_t piece, int64_t first,
                              int64_t pieces, int64_t engine)
{
    bool is_copied = sample->distinct_bytes < piece * sample->pieces;
    int64_t in_hbm = is_copied ? 0 : piece, packet = piece, packets = 1;
    while (packet > 4096 || piece % packet)
        packet = packet > 4096 ? 4096 : packet - 1;
    packets = piece / packet;
    DescriptorRow row = {.from = sample->is_store ? MEDIA_DM : MEDIA_HBM,
                         .to = sample->is_store ? MEDIA_HBM : MEDIA_DM,
                         .cluster = first / CLUSTER_SLICES,
                         .engine = engine,
                         .packet = packet};
    int64_t hbm = is_copied ? 0 : first * piece, dm = first % CLUSTER_SLICES * (int64_t)SLICE;
    row.source = sample->is_store ? dm : hbm;
    row.dest = sample->is_store ? hbm : dm;
    row.loops[0] =
        sample->is_store ? (LoopRow){pieces, SLICE, in_hbm} : (LoopRow){pieces, in_hbm, SLICE};
    if (packets > 1)
        row.loops[1] = (LoopRow){packets, packet, packet};
    return row;
}

// A sample of which only the sum was published is taken to go to all slices of a cluster.
static HwDmaCommand *command_of(Arena *arena, const MachineDmaSample *sample)
{
    int64_t pieces = sample->pieces ? sample->pieces : CLUSTER_SLICES;
    int64_t piece = sample->piece_bytes ? sample->piece_bytes : sample->distinct_bytes / pieces;
    HwDmaCommand *dma = arena_new(arena, HwDmaCommand, 1);
    MachineDmaSample whole = *sample;
    whole.pieces = pieces;
    piece = ceil_div(piece, 8) * 8;
    if (pieces == 1) {
        DescriptorRow row = share_of(&whole, piece, 0, 1, 0);
        add_descriptor(arena, dma, &row);
        return dma;
    }
    int64_t each = CLUSTER_SLICES / ENGINES;
    for (int64_t first = 0; first < pieces; first += each) {
        DescriptorRow row = share_of(&whole, piece, first, each, first / each % ENGINES);
        add_descriptor(arena, dma, &row);
    }
    return dma;
}

static double percent_off(int64_t have, int64_t want)
{
    return 100.0 * (double)(have - want) / (double)want;
}

static void samples_of_dma_come_out(void **state)
{
    (void)state;
    Arena arena = {0};
    double least = 1e9, most = 0;
    printf("%-44s %10s %10s %8s %10s\n", "sample", "published", "predicted", "error", "manual");
    for (size_t i = 0; i < MACHINE_DMA_SAMPLE_COUNT; i++) {
        const MachineDmaSample *sample = &machine_dma_samples[i];
        bool is_static = strcmp(sample->source, "static") == 0;
        HwCommand command = {.dma = command_of(&arena, sample)};
        CostModel model = is_static ? COST_STATIC : COST_SILICON;
        int64_t have = cost_on(&arena, &machine_rngd, model, &command)->cycles;
        int64_t manual = cost_on(&arena, &machine_rngd, COST_MANUAL, &command)->cycles;
        double off = percent_off(have, sample->cycles);
        printf("%-44s %10" PRId64 " %10" PRId64 " %7.2f%% %10" PRId64 "\n", sample->what,
               sample->cycles, have, off, manual);
        if (is_static) {
            least = fmin(least, (double)manual / (double)sample->cycles);
            most = fmax(most, (double)manual / (double)sample->cycles);
        }
        assert_true(fabs(off) <= 0.3); // what cost_model_errors say
    }
    printf("manual against static: %.2f to %.2f times\n", least, most);
    assert_true(least >= 0.3 && most <= 1.6); // what cost_model_errors say
    arena_release(&arena);
}

// ---- passes

typedef struct {
    HwPipeline pass;
    HwCollect collect;
    HwReduce reduce;
    HwVector vector;
    HwVectorStep step;
    HwTrfStore trf;
    HwVrfStore vrf;
} Parts;

static void fill_pass(Parts *parts, int64_t flits)
{
    *parts = (Parts){0};
    parts->pass.chips = parts->pass.clusters = 1;
    parts->pass.slices = CLUSTER_SLICES;
    HwFetch *fetch = &parts->pass.fetch;
    fetch->nest = (HwNest){.element_bits = 8, .access_bytes = 32};
    fetch->time = fetch->cycles = flits;
    fetch->packet_bytes = fetch->stream_packet_bytes = fetch->packet_elements = 32;
    fetch->fetches_per_packet = 1;
    parts->collect = (HwCollect){.in_packet_bytes = 32, .flits_per_packet = 1, .flits = flits};
    parts->pass.collect = &parts->collect;
}

static const Cost *pass_cost(Arena *arena, CostModel model, const Parts *parts)
{
    return cost_on(arena, &machine_rngd, model, &(HwCommand){.pass = &parts->pass});
}

static void passes_are_what_the_scheduler_charges(void **state)
{
    (void)state;
    Arena arena = {0};
    Parts parts;
    for (int64_t flits = 1; flits < 100000; flits *= 7) {
        fill_pass(&parts, flits);
        parts.reduce = (HwReduce){.in_time = ceil_div(flits, 2), .rows = 8, .in_type = SCALAR_BF16};
        parts.pass.reduce = &parts.reduce;
        assert_int_equal(pass_cost(&arena, COST_STATIC, &parts)->cycles, flits + 265);
        fill_pass(&parts, flits);
        parts.step = (HwVectorStep){.time = 2 * flits, .packet_elements = 4, .way = 4};
        parts.vector = (HwVector){.steps = {&parts.step, 1, 1}, .in_time = flits};
        parts.pass.vector = &parts.vector;
        const Cost *cost = pass_cost(&arena, COST_STATIC, &parts);
        assert_int_equal(cost->cycles, 2 * flits + 281); // two beats of four lanes a flit
        assert_int_equal(cost->vector_to - cost->vector_from, cost->cycles);
        fill_pass(&parts, flits);
        parts.pass.fetch.cycles = 4 * flits; // 8 bytes at a time
        parts.trf = (HwTrfStore){.flits = flits, .flit_bytes = 32};
        parts.pass.trf_store = &parts.trf;
        assert_int_equal(pass_cost(&arena, COST_STATIC, &parts)->cycles, 32 * flits / 8 + 263);
        parts.vrf = (HwVrfStore){.bytes = 32 * flits, .time = flits};
        parts.pass.trf_store = NULL;
        parts.pass.vrf_store = &parts.vrf;
        assert_int_equal(pass_cost(&arena, COST_STATIC, &parts)->cycles, 32 * flits / 8 + 263);
        const Cost *chip = pass_cost(&arena, COST_SILICON, &parts);
        assert_int_equal(chip->least, (32 * flits / 8 + 263) * 160 / 100);
        assert_int_equal(chip->most, (32 * flits / 8 + 263) * 360 / 100);
        assert_true(chip->least < chip->cycles && chip->cycles < chip->most);
    }
    arena_release(&arena);
}

// ---- the chip

// To the hundredth that starting takes.
static void expect_rate(int64_t bytes, int64_t cycles, int64_t rate)
{
    assert_true(llabs(bytes / cycles - rate) <= 1 + rate / 100);
}

// Rates by the length of the run: what a long load comes to.
static void runs_are_as_quick_as_measured(void **state)
{
    (void)state;
    static const struct {
        int64_t run, rate;
    } rows[] = {{64, 159}, {128, 319}, {256, 618}, {512, 595}, {1024, 557}, {2048, 547}};
    Arena arena = {0};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        DescriptorRow row = {MEDIA_HBM, MEDIA_DM, .packet = rows[i].run,
                             .loops = {{16384, 4096, 512}, {64, 0x10000, SLICE}}};
        HwCommand command = {.dma = dma_of(&arena, &row, 1)};
        const Cost *cost = cost_on(&arena, &machine_rngd, COST_SILICON, &command);
        int64_t bytes = rows[i].run * 16384 * 64;
        expect_rate(bytes, cost->cycles, rows[i].rate);
        assert_int_equal(cost->lines[0].origin, COST_FROM_MEASURED);
        DescriptorRow both[2] = {row, row};
        both[1].cluster = 1;
        command.dma = dma_of(&arena, both, 2);
        cost = cost_on(&arena, &machine_rngd, COST_SILICON, &command);
        expect_rate(2 * bytes, cost->cycles, min_i64(rows[i].rate, 420));
    }
    arena_release(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_of_dma_come_out),
        cmocka_unit_test(passes_are_what_the_scheduler_charges),
        cmocka_unit_test(runs_are_as_quick_as_measured),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
