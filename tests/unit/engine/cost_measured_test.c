// The models that are fitted to what others measured, against every published figure: a line each,
// and how far off the model is.
#include "cost_support.h"
#include "schedule/schedule.h"

#include <inttypes.h>
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

// What was found out here is what people are told.
#define expect_words(model, ...) expect_words(model, MESSAGE(__VA_ARGS__))

static void(expect_words)(CostModel model, Message message)
{
    char words[64];
    message_write(message, words, sizeof words);
    printf("%s: %s\n", cost_model_names[model], words);
    assert_non_null(strstr(cost_model_errors[model], words));
}

static double percent_off(int64_t have, int64_t want)
{
    return 100.0 * (double)(have - want) / (double)want;
}

TEST(samples_of_dma_come_out)
{
    Arena arena = {0};
    double least = 1e9, most = 0, worst = 0;
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
            worst = fmax(worst, fabs(off));
        }
    }
    expect_words(COST_MANUAL, "{.2f} to {.2f} times", least, most);
    expect_words(COST_STATIC, "within {.2f} %", worst);
    arena_release(&arena);
}

// Every chip has its HBM and its engines: what four do at a time takes as long as what one does.
TEST(chips_move_at_the_same_time)
{
    Arena arena = {0};
    for (int64_t is_store = 0; is_store < 2; is_store++) {
        MachineDmaSample sample = {.is_store = is_store,
                                   .pieces = CLUSTER_SLICES,
                                   .piece_bytes = 512,
                                   .distinct_bytes = INT64_C(512) * CLUSTER_SLICES};
        HwDmaCommand *one = command_of(&arena, &sample), *four = command_of(&arena, &sample);
        int64_t count = one->descriptors.count;
        for (int64_t i = count; i < 4 * count; i++) {
            HwDescriptor descriptor = one->descriptors.items[i % count];
            descriptor.chip = descriptor.source.chip = descriptor.dest.chip = i / count;
            *array_push(&arena, &four->descriptors, HwDescriptor) = descriptor;
        }
        for (CostModel model = COST_STATIC; model < COST_MODELS; model++)
            assert_int_equal(
                cost_on(&arena, &machine_rngd, model, &(HwCommand){.dma = four})->cycles,
                cost_on(&arena, &machine_rngd, model, &(HwCommand){.dma = one})->cycles);
    }
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
    fetch->time = flits;
    fetch->packet_bytes = fetch->stream_packet_bytes = fetch->packet_elements = 32;
    fetch->fetches_per_packet = 1;
    parts->collect = (HwCollect){.in_packet_bytes = 32, .flits_per_packet = 1, .flits = flits};
    parts->pass.collect = &parts->collect;
}

static const Cost *pass_cost(Arena *arena, CostModel model, const Parts *parts)
{
    return cost_on(arena, &machine_rngd, model, &(HwCommand){.pass = &parts->pass});
}

TEST(passes_are_what_the_scheduler_charges)
{
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
        parts.pass.fetch.fetches_per_packet = 4; // 8 bytes at a time
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

enum { PIECES = 16384 };

// A long load of runs, in one cluster or two at once.
static double load_rate(int64_t run, int64_t clusters)
{
    Arena arena = {0};
    DescriptorRow row = {MEDIA_HBM, MEDIA_DM, .packet = run,
                         .loops = {{PIECES, 4096, 512}, {64, 0x10000, SLICE}}};
    DescriptorRow rows[2] = {row, row};
    rows[1].cluster = 1;
    HwCommand command = {.dma = dma_of(&arena, rows, clusters)};
    const Cost *cost = cost_on(&arena, &machine_rngd, COST_SILICON, &command);
    assert_int_equal(cost->lines[0].origin, COST_FROM_MEASURED);
    double rate = (double)(clusters * run * PIECES * 64) / (double)cost->cycles;
    arena_release(&arena);
    return rate;
}

// A pass that a ring of the Switch Engine bounds, in bytes of a slice a cycle.
static double ring_rate(void)
{
    enum { FLITS = 1 << 20 };
    Arena arena = {0};
    Parts parts;
    fill_pass(&parts, FLITS / 16);
    HwSwitchRoute route = {
        .ring_size = 16, .in_time = FLITS / 16, .packet_bytes = 32, .packet_flits = 1};
    parts.pass.route = &route;
    double cycles = (double)pass_cost(&arena, COST_SILICON, &parts)->cycles;
    arena_release(&arena);
    return (double)FLITS * 32 / cycles;
}

// From HBM to HBM with all engines of both clusters.
static double redistribution_rate(void)
{
    Arena arena = {0};
    HwDmaCommand *dma = arena_new(&arena, HwDmaCommand, 1);
    for (int64_t i = 0; i < 8; i++) {
        DescriptorRow row = {MEDIA_HBM,          MEDIA_HBM,
                             .cluster = i / 4,   .engine = i % 4,
                             .source = i * 4096, .dest = i * 4096 + (INT64_C(1) << 32),
                             .packet = 4096,     .loops = {{4096, 8 * 4096, 8 * 4096}}};
        add_descriptor(&arena, dma, &row);
    }
    HwCommand command = {.dma = dma};
    double cycles = (double)cost_on(&arena, &machine_rngd, COST_SILICON, &command)->cycles;
    arena_release(&arena);
    return 8.0 * 4096 * 4096 / cycles;
}

static double readers_cycles(void)
{
    Arena arena = {0};
    double cycles = 0;
    for (size_t i = 0; i < MACHINE_DMA_SAMPLE_COUNT; i++)
        if (strcmp(machine_dma_samples[i].source, "static") != 0) {
            HwCommand command = {.dma = command_of(&arena, &machine_dma_samples[i])};
            cycles = (double)cost_on(&arena, &machine_rngd, COST_SILICON, &command)->cycles;
        }
    arena_release(&arena);
    return cycles;
}

static void show(const char *what, double published, double have, double *worst)
{
    double off = 100 * (have - published) / published;
    printf("%-44s %10.0f %10.1f %7.2f%%\n", what, published, have, off);
    *worst = fmax(*worst, fabs(off));
}

// Everything that was measured of parts of the chip: figures, and ranges that a model can only be
// in.
TEST(the_chip_is_as_measured)
{
    static const struct {
        int64_t run, rate;
    } runs[] = {{128, 319}, {256, 618}, {512, 595}, {1024, 557}, {2048, 547}};
    double worst = 0;
    for (size_t i = 0; i < COUNT_OF(runs); i++) {
        char what[32];
        snprintf(what, sizeof what, "load, runs of %d B: B/cycle", (int)runs[i].run);
        show(what, (double)runs[i].rate, load_rate(runs[i].run, 1), &worst);
    }
    show("load of two clusters: B/cycle", 420, load_rate(256, 2), &worst);
    show("load of 7.7 KB for 512 readers: cycles", 45000, readers_cycles(), &worst);
    show("ring of the switch: B/cycle", 27, ring_rate(), &worst);
    show("HBM to HBM: B/cycle", 335, redistribution_rate(), &worst);
    expect_words(COST_SILICON, "within {.2f} %", worst);
    double pass = (double)machine_rngd.silicon_typical_percent / 100;
    expect_words(COST_SILICON, "a pass {.2f} to {.2f} times", pass / 3.6, pass / 1.6);
    double sync = (double)schedule_fixed(&machine_rngd, COST_SILICON, FIXED_SYNC).cycles;
    expect_words(COST_SILICON, "synchronisation {.2f} to {.2f} times", sync / 16000, sync / 400);
}

// Between what was measured: in proportion to the bytes below a request, by the logarithm above.
TEST(runs_in_between_are_in_between)
{
    static const struct {
        int64_t run;
        double rate;
    } rows[] = {{8, 319.0 / 16},          {64, 319.0 / 2},
                {129, 319 + 299.0 / 128}, {160, 319 + 299.0 / 4},
                {192, 319 + 299.0 / 2},   {255, 618 - 299.0 / 128},
                {362, (618 + 595) / 2.0}, {4096, 547}};
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        assert_true(fabs(load_rate(rows[i].run, 1) - rows[i].rate) <= 0.01 * rows[i].rate);
    for (int64_t run = 2; run <= 256; run++) // longer runs are never slower, up to a request
        assert_true(load_rate(run, 1) >= load_rate(run - 1, 1));
}
