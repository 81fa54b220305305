// The figures of the manual's chapters on DMA and memory, recomputed from descriptors. Errata are
// taken in: DMN j of the examples is pair j.
#include "../engine/memory_support.h"
#include "walk_dma.h"

#include "engine/lower/lower.h"
#include "machine/machine.h"

enum { LOOPS_MOST = 6, MIB = 1 << 20, SLICE = 4 * MIB, DMN = 128 * MIB };

// ---- moves

typedef struct {
    Bench bench;
    Arena scratch;
    Machine machine;
    const Op *op;
    const HwDmaCommand *command;
} Figure;

typedef struct {
    const char *axes, *source, *target;
    Tier from, to;
    int64_t source_address, target_address;
    int64_t packet; // the engine's limit, where the example has smaller ones; 0: its own
    bool single;    // one engine does it all
} Example;

static Figure *figure_open(const Example *example)
{
    Figure *figure = calloc(1, sizeof *figure);
    assert_non_null(figure);
    figure->machine = machine_rngd;
    if (example->single)
        figure->machine.dma_engines_per_chip = figure->machine.dma_engines_per_cluster = 1;
    if (example->packet)
        figure->machine.dma_packet_bytes = example->packet;
    Bench *bench = &figure->bench;
    bench_open(bench,
               &(Setting){.axes = example->axes, .relaxed = "cluster-size slice-size capacity"});
    TensorRow source = {.name = "from",
                        .tier = example->from,
                        .shape = example->source,
                        .address = KNOWN(example->source_address)};
    TensorRow target = {.name = "to",
                        .tier = example->to,
                        .shape = example->target,
                        .address = KNOWN(example->target_address)};
    figure->op = move(bench, view(bench, add_tensor(bench, source)),
                      view_mut(bench, add_tensor(bench, target)), CONTEXT_TDMA);
    Lower lower = {&bench->arena, &figure->scratch, &bench->diags, &figure->machine,
                   bench->program};
    HwCommands commands = {0};
    if (!lower_op(&lower, figure->op, &commands))
        fail_msg("%s -> %s: %s", example->source, example->target, texts(bench));
    figure->command = commands.items[0].dma;
    return figure;
}

static void figure_close(Figure *figure)
{
    bench_close(&figure->bench);
    arena_release(&figure->scratch);
    free(figure);
}

// The first descriptor of an engine from `start` on; -1: none.
static int64_t find_engine(const Figure *figure, int64_t chip, int64_t cluster, int64_t pair,
                           int64_t start)
{
    for (int64_t i = start; i < figure->command->descriptors.count; i++) {
        const HwDescriptor *one = &figure->command->descriptors.items[i];
        if (one->chip == chip && one->cluster == cluster && one->engine == pair)
            return i;
    }
    return -1;
}

// ---- packets

typedef struct {
    int64_t read, write;
} Packet;

typedef struct {
    Packet *items;
    int64_t count;
} Packets;

static void keep_packet(void *own, const HwDescriptor *descriptor, int64_t source, int64_t dest)
{
    (void)descriptor;
    Packets *packets = own;
    packets->items[packets->count++] = (Packet){source, dest};
}

static int by_read(const void *a, const void *b)
{
    const Packet *x = a, *y = b;
    return x->read != y->read ? (x->read > y->read) - (x->read < y->read)
                              : (x->write > y->write) - (x->write < y->write);
}

static Packets packets_of(const HwDescriptor *descriptor)
{
    int64_t count = 1;
    for (int64_t i = 0; i < descriptor->loops.count; i++)
        count *= descriptor->loops.items[i].limit;
    Packets packets = {calloc((size_t)count, sizeof(Packet)), 0};
    assert_non_null(packets.items);
    walk_descriptor(descriptor, NULL, keep_packet, &packets);
    return packets;
}

typedef struct {
    int64_t size, read, write;
} Entry;

// What the manual has: the packets of its own loops, whatever their order.
static void expect_packets(const HwDescriptor *descriptor, const Entry *entries, int64_t read,
                           int64_t write, const char *what)
{
    HwDescriptor wanted = {.source_base = read, .dest_base = write};
    HwDmaLoopEntry loops[LOOPS_MOST];
    for (; entries[wanted.loops.count].size; wanted.loops.count++) {
        const Entry *entry = &entries[wanted.loops.count];
        loops[wanted.loops.count] = (HwDmaLoopEntry){
            .limit = entry->size, .source_stride = entry->read, .dest_stride = entry->write};
    }
    wanted.loops.items = loops;
    Packets want = packets_of(&wanted), have = packets_of(descriptor);
    assert_int_equal(have.count, want.count);
    qsort(want.items, (size_t)want.count, sizeof(Packet), by_read);
    qsort(have.items, (size_t)have.count, sizeof(Packet), by_read);
    for (int64_t i = 0; i < want.count; i++)
        if (by_read(&want.items[i], &have.items[i]) != 0)
            fail_msg("%s: packet %d is read at %lld and written at %lld, not %lld and %lld", what,
                     (int)i, (long long)have.items[i].read, (long long)have.items[i].write,
                     (long long)want.items[i].read, (long long)want.items[i].write);
    free(want.items);
    free(have.items);
}

// ---- sequencers

#define OF(sizes)       .axes = (sizes)
#define FROM(in, shape) .from = TIER_##in, .source = (shape)
#define TO(in, shape)   .to = TIER_##in, .target = (shape)

static const Example basic = {OF("N=4,C=3,H=8,W=8"),     FROM(HBM, "1 | N, C, H, W"),
                              TO(HBM, "1 | H, C, N, W"), .source_address = 1024,
                              .target_address = 2048,    .single = true};
static const Example example_1 = {OF("A=8,B=8,C=256"), FROM(HBM, "1 | A, B, C"),
                                  TO(HBM, "1 | B, A, C"), .target_address = 16384, .single = true};
static const Example internals = {OF("A=256,B=256,C=256"), FROM(HBM, "1 | A, B, C"),
                                  TO(HBM, "1 | B, A, C"), .target_address = 1 << 24,
                                  .single = true};
static const Example example_2 = {OF("A=256,B=256,C=256"), FROM(HBM, "1 | B, A, C"),
                                  TO(DM, "1 | 1 # 2 | A / 4 # 256 | A % 4, B, C")};
static const Example example_3 = {
    OF("A=256,B=256,C=256"), FROM(DM, "1 | 1 # 2 | A / 4 # 256 | A % 4, B, C"),
    TO(DM, "1 | 1 # 2 | A / 4 # 256 | B, A % 4, C"), .target_address = 4 * 256 * 256};
static const Example example_4 = {OF("A=64,B=2048,C=1024"), FROM(HBM, "1 | A, B, C"),
                                  TO(DM, "1 | B / 1024 | B / 256 % 4, A | B % 256, C"),
                                  .packet = 256};
static const Example example_5 = {OF("A=8,B=64,C=8,D=256"), FROM(HBM, "1 | A, B, C, 1 # 2, D"),
                                  TO(DM, "1 | A / 4 | A % 4, B | C, D")};
static const Example example_6 = {
    OF("A=15,B=32,C=256,D=8"),
    FROM(DM, "D / 2 | D % 2 | A # 16 / 4, A # 16 / 2 % 2, B | A # 16 % 2, C"),
    TO(HBM, "D / 2 | D % 2, B, A, C"), .packet = 256};
static const Example mixed = {OF("A=4,B=256,C=256,D=256"), FROM(HBM, "A | B, C, D"),
                              TO(DM, "A | B / 128 | C | B % 128, D")};

TEST(sequencers_are_the_manuals)
{
    // F0218, F0219, F0231, F0232, F0234, F0235, F0244, F0245, F0249, F0250
    static const struct {
        const Example *example;
        const char *read, *write;
        Entry entries[LOOPS_MOST];
        int64_t requests;
    } rows[] = {
        {&basic,
         "[H=8:8, C=3:64, N=4:192, W=8:1]:8 HBM/i8@1024",
         "[H=8:96, C=3:32, N=4:8, W=8:1]:8 HBM/i8@2048",
         {{8, 8, 96}, {3, 64, 32}, {4, 192, 8}},
         96},
        {&example_1,
         "[B=8:256, A=8:2048, C=256:1]:256 HBM/i8@0",
         "[B=8:2048, A=8:256, C=256:1]:256 HBM/i8@16384",
         {{8, 2048, 256}, {8, 256, 2048}},
         64},
        {&internals,
         "[B=256:256, A=256:65536, C=256:1]:256 HBM/i8@0",
         "[B=256:65536, A=256:256, C=256:1]:256 HBM/i8@16777216",
         {{256, 65536, 256}, {256, 256, 65536}},
         65536},
        {&example_2,
         "[A%4=4:256, B=256:65536, A/4%32=32:1024, A/128=2:32768, C=256:1]:256 HBM/i8@0",
         "[A%4=4:65536, B=256:256, A/4%32=32:slice_stride, A/128=2:DMN_stride, C=256:1]:256 "
         "DM/i8@(0, 0, 0, 0)",
         {{256, 65536, 256}, {4, 256, 65536}, {32, 1024, SLICE}, {2, 32768, DMN}},
         65536},
        {&example_3,
         "[B=256:256, A%4=4:65536, A/4%32=32:slice_stride, A/128=2:DMN_stride, C=256:1]:256 "
         "DM/i8@(0, 0, 0, 0)",
         "[B=256:1024, A%4=4:256, A/4%32=32:slice_stride, A/128=2:DMN_stride, C=256:1]:256 "
         "DM/i8@(0, 0, 0, 262144)",
         {{256, 256, 1024}, {4, 65536, 256}, {32, SLICE, SLICE}, {2, DMN, DMN}},
         65536},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        Figure *figure = figure_open(rows[i].example);
        const HwDmaCommand *command = figure->command;
        assert_int_equal(command->descriptors.count, 1);
        assert_true(command->homogeneous);
        const HwDescriptor *one = &command->descriptors.items[0];
        Arena *arena = &figure->bench.arena;
        assert_string_equal(str_terminated(arena, command->read), rows[i].read);
        assert_string_equal(str_terminated(arena, command->write), rows[i].write);
        assert_int_equal(one->requests, rows[i].requests);
        expect_packets(one, rows[i].entries, rows[i].example->source_address,
                       rows[i].example->target_address, rows[i].example->source);
        figure_close(figure);
    }
}

// F0254 to F0257, F0263 to F0268, F0225: the engines of all pairs walk alike, from bases of their
// own.
TEST(pairs_have_bases_of_their_own)
{
    static const struct {
        const Example *example;
        int64_t chips;
        Entry entries[LOOPS_MOST];
        int64_t cluster_base, pair_base; // of the reads
        int64_t requests;
    } rows[] = {
        {&example_4,
         1,
         {{256, 1024, 1024}, {4, 256, 256}, {32, 1 << 21, SLICE}, {2, 1 << 26, DMN}},
         1 << 20,
         1 << 18,
         65536},
        {&example_5,
         1,
         {{8, 512, 256}, {32, 4096, SLICE}, {2, 131072, DMN}},
         1 << 20,
         1 << 18,
         512},
        {&mixed,
         4,
         {{32, 256, SLICE}, {128, 65536, 256}, {2, 8192, DMN}},
         128 * 65536,
         64 * 256,
         8192},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        Figure *figure = figure_open(rows[i].example);
        const HwDmaCommand *command = figure->command;
        int64_t engines = rows[i].chips * 8, requests = 0; // F0224: 32 with four chips
        assert_true(command->homogeneous);
        assert_int_equal(command->descriptors.count, engines);
        for (int64_t k = 0; k < engines; k++) {
            int64_t chip = k / 8, cluster = k / 4 % 2, pair = k % 4;
            int64_t at = find_engine(figure, chip, cluster, pair, 0);
            assert_true(at >= 0);
            const HwDescriptor *one = &command->descriptors.items[at];
            assert_int_equal(one->source.chip, chip);
            assert_int_equal(one->requests, rows[i].requests);
            requests += one->requests;
            expect_packets(one, rows[i].entries,
                           cluster * rows[i].cluster_base + pair * rows[i].pair_base,
                           pair * 2 * (int64_t)DMN, rows[i].example->source);
            // the two networks of the pair alternate
            const HwDmaLoopEntry *last = &one->loops.items[one->loops.count - 1];
            assert_int_equal(last->dest_stride, DMN);
        }
        assert_int_equal(requests, rows[i].requests * engines); // F0258, F0268
        figure_close(figure);
    }
}

// F0276 to F0281: 15 elements in four pairs are 4, 4, 4 and 3; the last in two descriptors.
TEST(uneven_shapes_are_cut)
{
    Figure *figure = figure_open(&example_6);
    assert_false(figure->command->homogeneous);
    assert_int_equal(figure->command->descriptors.count, 4 * 2 * 5);
    static const Entry whole[] = {{2, 256, 256}, {32, SLICE, 15 * 256}, {2, DMN, 512}, {0}};
    static const Entry first[] = {{2, 256, 256}, {32, SLICE, 15 * 256}, {0}};
    static const Entry second[] = {{32, SLICE, 15 * 256}, {0}};
    for (int64_t unit = 0; unit < 8; unit++) {
        int64_t chip = unit / 2, cluster = unit % 2;
        for (int64_t pair = 0; pair < 4; pair++) {
            int64_t at = find_engine(figure, chip, cluster, pair, 0);
            int64_t write = cluster * 122880 + pair * 1024, read = pair * 2 * (int64_t)DMN;
            assert_true(at >= 0);
            const HwDescriptor *one = &figure->command->descriptors.items[at];
            expect_packets(one, pair < 3 ? whole : first, read, write, "a pair");
            assert_int_equal(one->requests, pair < 3 ? 128 : 64); // F0281, F0283
            assert_int_equal(one->dest.chip, chip);
            at = find_engine(figure, chip, cluster, pair, at + 1);
            assert_int_equal(at >= 0, pair == 3);
            if (pair < 3)
                continue;
            one = &figure->command->descriptors.items[at];
            expect_packets(one, second, read + DMN, write + 512, "the last pair");
            assert_int_equal(one->requests, 32); // F0284
        }
    }
    figure_close(figure);
}

// F0226 to F0229, F0238 to F0242: where byte i of the reads is written.
TEST(bytes_go_where_the_tables_say)
{
    static const struct {
        const Example *example;
        int64_t read, write;
    } rows[] = {
        {&internals, 0, 0},       {&internals, 1, 1},      {&internals, 255, 255},
        {&internals, 256, 65536}, {&example_1, 0, 0},      {&example_1, 1, 1},
        {&example_1, 255, 255},   {&example_1, 256, 2048}, {&example_1, 257, 2049},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        Figure *figure = figure_open(rows[i].example);
        Packets packets = packets_of(&figure->command->descriptors.items[0]);
        int64_t written = -1;
        for (int64_t k = 0; k < packets.count; k++)
            if (packets.items[k].read <= rows[i].read && rows[i].read < packets.items[k].read + 256)
                written = packets.items[k].write + rows[i].read - packets.items[k].read;
        assert_int_equal(written - rows[i].example->target_address, rows[i].write);
        free(packets.items);
        figure_close(figure);
    }
}

// ---- packets and requests

// F0222, F0223, F0319, and runs that are cut in two where that pays.
TEST(runs_become_packets)
{
    static const struct {
        const char *axes;
        int64_t count, packets[2], requests;
    } rows[] = {
        {"A=4095", 1, {4095}, 16}, {"A=4099", 2, {4096, 3}, 17},
        {"A=2800", 1, {2800}, 11}, {"A=8192", 1, {4096}, 32},
        {"A=4098", 1, {2049}, 18}, {"A=1000003", 2, {4096, 579}, 3907},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        Example example = {OF(rows[i].axes), FROM(HBM, "1 | A"), TO(HBM, "1 | A"),
                           .target_address = 1 << 21, .single = true};
        Figure *figure = figure_open(&example);
        int64_t requests = 0;
        assert_int_equal(figure->command->descriptors.count, rows[i].count);
        for (int64_t k = 0; k < rows[i].count; k++) {
            const HwDescriptor *one = &figure->command->descriptors.items[k];
            assert_int_equal(one->packet_bytes, rows[i].packets[k]);
            requests += one->requests;
        }
        assert_int_equal(requests, rows[i].requests);
        figure_close(figure);
    }
}

// ---- channels

// F0236, F0259, F0260, F0269, F0270: how many channels the reads of all engines meet, and how often
// each.
TEST(requests_meet_channels)
{
    static const struct {
        const Example *example;
        int64_t channels, each;
    } rows[] = {{&example_1, 32, 2}, {&example_4, 32, 16384}, {&example_5, 16, 256}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        Figure *figure = figure_open(rows[i].example);
        int64_t met[32] = {0}, channels = 0;
        for (int64_t k = 0; k < figure->command->descriptors.count; k++) {
            Packets packets = packets_of(&figure->command->descriptors.items[k]);
            for (int64_t p = 0; p < packets.count; p++)
                met[machine_hbm_port(&machine_rngd, packets.items[p].read)]++;
            free(packets.items);
        }
        for (int64_t k = 0; k < 32; k++) {
            channels += met[k] > 0;
            assert_true(met[k] == 0 || met[k] == rows[i].each);
        }
        assert_int_equal(channels, rows[i].channels);
        figure_close(figure);
    }
}

// F0290 to F0293, F0303 to F0315: which part of a place each bit of an address belongs to.
TEST(bits_choose_places)
{
    for (int bit = 0; bit < 19; bit++) {
        int64_t address = INT64_C(1) << bit;
        int64_t byte = machine_address_part(&machine_rngd.dm_byte_bits, address);
        int64_t bank = machine_address_part(&machine_rngd.dm_bank_bits, address);
        int64_t row = machine_address_part(&machine_rngd.dm_row_bits, address);
        assert_int_equal(byte, bit < 3 ? 1 << bit : 0);
        assert_int_equal(bank, bit >= 3 && bit < 7 ? 1 << (bit - 3) : 0);
        assert_int_equal(row, bit >= 7 ? 1 << (bit - 7) : 0);
    }
    for (int bit = 0; bit < 36; bit++) {
        HbmAddress at = machine_hbm_address(&machine_rngd, INT64_C(1) << bit);
        bool low = bit < 8, high = bit >= 14 && bit <= 16;
        assert_int_equal(at.byte, low ? 1 << bit : high ? 256 << (bit - 14) : 0);
        assert_int_equal(at.stack, bit == 8);
        assert_int_equal(at.channel, bit >= 9 && bit <= 28 ? 1 << (bit - 9) % 4 : 0);
        assert_int_equal(at.bank_group, bit == 13 ? 1 : bit == 19 ? 2 : 0);
        assert_int_equal(at.bank, bit == 17 ? 1 : bit == 18 ? 2 : 0);
        assert_int_equal(at.slice, bit == 20 ? 1 : bit == 34 ? 2 : 0);
        assert_int_equal(at.row, bit == 35 ? 1 << 13 : bit >= 21 && bit < 34 ? 1 << (bit - 21) : 0);
    }
}

// ---- chips

static const HwDmaCommand *chip_op(Figure *figure, const Op *op)
{
    Lower lower = {&figure->bench.arena, &figure->scratch, &figure->bench.diags, &machine_rngd,
                   figure->bench.program};
    HwCommands commands = {0};
    if (!lower_op(&lower, builder_op(figure->bench.builder, op), &commands))
        fail_msg("%s", texts(&figure->bench));
    return commands.items[0].dma;
}

// F0622 to F0625: which (A, B) each chip has after a slice and a shuffle.
TEST(diagonals_are_the_manuals)
{
    static const struct {
        int64_t slice[4], shuffle[4], result[4][2];
    } rows[] = {
        {{0, 1, 2, 3}, {0, 1, 2, 3}, {{0, 0}, {1, 1}, {2, 2}, {3, 3}}},
        {{3, 0, 1, 2}, {1, 2, 3, 0}, {{1, 0}, {2, 1}, {3, 2}, {0, 3}}},
        {{2, 3, 0, 1}, {2, 3, 0, 1}, {{2, 0}, {3, 1}, {0, 2}, {1, 3}}},
        {{1, 2, 3, 0}, {3, 0, 1, 2}, {{3, 0}, {0, 1}, {1, 2}, {2, 3}}},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        Figure figure = {0};
        Bench *bench = &figure.bench;
        bench_open(bench, &(Setting){.axes = "A=4,B=4,D=8", .relaxed = "cluster-size slice-size"});
        TensorRow all = {TENSOR(DM, "i8", "A | 1 # 2 | 1 # 256 | B, D"), AT(0)};
        TensorRow kept = {TENSOR(DM, "i8", "A | 1 # 2 | 1 # 256 | D"), AT(64)};
        TensorRow moved = {TENSOR(DM, "i8", "A | 1 # 2 | 1 # 256 | D"), AT(128)};
        const Tensor *middle = add_tensor(bench, kept);
        Op slice = {.kind = OP_CHIP_SLICE,
                    .method = "slice",
                    .context = CONTEXT_SUB,
                    .source = view(bench, add_tensor(bench, all)),
                    .target = view_mut(bench, middle),
                    .key = dim(bench, "B"),
                    .sliced = dim(bench, "1 # 4, D"),
                    .pattern = rows[i].slice,
                    .pattern_count = 4};
        Op shuffle = {.kind = OP_CHIP_SHUFFLE,
                      .method = "shuffle",
                      .context = CONTEXT_TDMA,
                      .source = view(bench, middle),
                      .target = view_mut(bench, add_tensor(bench, moved)),
                      .pattern = rows[i].shuffle,
                      .pattern_count = 4};
        const HwDmaCommand *first = chip_op(&figure, &slice), *then = chip_op(&figure, &shuffle);
        assert_int_equal(first->descriptors.count, 4);
        assert_int_equal(then->descriptors.count, 4);
        for (int64_t chip = 0; chip < 4; chip++) {
            const HwDescriptor *last = &then->descriptors.items[chip];
            assert_int_equal(last->dest.chip, chip);
            const HwDescriptor *before = &first->descriptors.items[last->source.chip];
            assert_int_equal(before->dest.chip, last->source.chip);
            assert_int_equal(before->source.chip, before->dest.chip);
            assert_int_equal(before->engine, -1);
            assert_int_equal(last->inter_chip, last->source.chip != chip);
            assert_int_equal(before->source.chip, rows[i].result[chip][0]);
            assert_int_equal(before->source_base / 8, rows[i].result[chip][1]);
        }
        bench_close(bench);
        arena_release(&figure.scratch);
    }
}

// ---- sizes

// However large a tensor is, its descriptors are as many as its bounds and engines ask for.
TEST(sizes_cost_nothing)
{
    static const struct {
        Example example;
        int64_t most;
    } rows[] = {
        {{OF("A=1000003,B=40009"), FROM(HBM, "1 | A, B"), TO(HBM, "1 | B, A"), .single = true}, 4},
        {{OF("A=4294967291"), FROM(HBM, "1 | A"), TO(HBM, "1 | A"), .single = true}, 4},
        {{OF("A=4294967291"), FROM(HBM, "1 | A"), TO(HBM, "1 | A")}, 32},
        {{OF("A=33554393"), FROM(HBM, "1 | A"),
          TO(DM, "1 | 1 # 2 | A # 33554432 / 131072 | A # 33554432 % 131072")},
         16},
        {{OF("A=33554393,B=8"), FROM(HBM, "1 | A, B"),
          TO(DM, "1 | 1 # 2 | A # 33554432 / 131072 | A # 33554432 % 131072, B")},
         16},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        Figure *figure = figure_open(&rows[i].example);
        assert_in_range(figure->command->descriptors.count, 1, rows[i].most);
        bool skipped;
        const char *problem =
            walk_dma(&figure->scratch, &figure->machine, figure->op, figure->command, &skipped);
        if (problem)
            fail_msg("%s: %s", rows[i].example.axes, problem);
        figure_close(figure);
    }
}
