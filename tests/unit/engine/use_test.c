// What bounds an operation, and the hints: on records that are made by hand.
#include "cost/cost.h"

#include "base/checked.h"
#include "test.h"

#include <string.h>

enum { CLUSTERS = 2, SLICES = 256 };

// ---- records

typedef struct {
    Arena arena;
    HwPipeline pass;
    HwCollect collect;
    HwSwitchRoute route;
    HwStreamAdapt adapt;
    HwReduce reduce;
    HwVector vector;
    HwCast cast;
    HwTranspose transpose;
    HwCommit commit;
} Bench;

static void fill_slices(Arena *arena, HwFetch *fetch, int64_t cluster)
{
    HwClusterBits *bits = array_push(arena, &fetch->bitmaps, HwClusterBits);
    bits->cluster = cluster;
    for (int word = 0; word < SLICES / 64; word++)
        *array_push(arena, &bits->slices, uint64_t) = UINT64_MAX;
}

static void add_loop(Arena *arena, HwNest *nest, const char *term, int64_t size, int64_t stride,
                     bool packet)
{
    *array_push(arena, &nest->loops, HwLoop) =
        (HwLoop){.term = str_from(term), .size = size, .stride = stride, .packet = packet};
}

// Nothing to say about: full slices, 16 packets of 32 bytes that lie together, one flit each.
static Bench *bench_open(void)
{
    static Bench bench;
    bench = (Bench){0};
    HwFetch *fetch = &bench.pass.fetch;
    bench.pass.context = CONTEXT_MAIN;
    bench.pass.chips = 1;
    bench.pass.clusters = CLUSTERS;
    bench.pass.slices = SLICES;
    fetch->type = fetch->cast = SCALAR_I8;
    fetch->nest = (HwNest){.element_bits = 8, .access_bytes = 32};
    add_loop(&bench.arena, &fetch->nest, "A", 16, 32, false);
    add_loop(&bench.arena, &fetch->nest, "B", 32, 1, true);
    fetch->time = 16;
    fetch->packet_elements = fetch->packet_bytes = fetch->stream_packet_bytes = 32;
    fetch->fetches_per_packet = 1;
    fetch->contiguous_bytes = 512;
    for (int64_t cluster = 0; cluster < CLUSTERS; cluster++)
        fill_slices(&bench.arena, fetch, cluster);
    bench.collect = (HwCollect){.in_packet_bytes = 32, .flits_per_packet = 1, .flits = 16};
    bench.pass.collect = &bench.collect;
    return &bench;
}

static const HwUse *use_of_commands(Arena *arena, HwCommand *commands, int64_t count)
{
    HwOperation operation = {.commands = {commands, count, count}};
    HwObject object = {.operations = {&operation, 1, 1}};
    Arena scratch = {0};
    CostBook *book = cost_book_new(arena, &scratch, &machine_rngd, COST_MANUAL);
    const HwUse *use = use_of_object(arena, &machine_rngd, book, &object);
    arena_release(&scratch);
    return use;
}

static const HwUse *use_of(Bench *bench)
{
    HwCommand *command = arena_new(&bench->arena, HwCommand, 1);
    command->pass = &bench->pass;
    return use_of_commands(&bench->arena, command, 1);
}

// ---- expectations

static bool hinted(const HwUse *use, const char *words)
{
    for (int64_t i = 0; i < use->hints.count; i++)
        if (str_find(use->hints.items[i].text, str_from(words)) >= 0)
            return true;
    return false;
}

static void expect_only(const HwUse *use, const char *words)
{
    if (!hinted(use, words))
        fail_msg("no hint `%s`, but %lld others", words, (long long)use->hints.count);
    if (use->hints.count != 1)
        fail_msg("%lld hints besides `%s`", (long long)use->hints.count - 1, words);
}

static void expect_none(const HwUse *use)
{
    for (int64_t i = 0; i < use->hints.count; i++)
        fail_msg("a hint: %.*s", STR_ARG(use->hints.items[i].text));
}

static void expect_bound(const HwUse *use, const char *engine, int64_t cycles)
{
    if (!str_equal(use->bound_by, str_from(engine)) || use->cycles != cycles)
        fail_msg("bound by %.*s, %lld cycles, instead of %s, %lld", STR_ARG(use->bound_by),
                 (long long)use->cycles, engine, (long long)cycles);
}

// ---- what bounds a pass

TEST(the_longest_engine_bounds)
{
    Bench *bench = bench_open();
    const HwUse *use = use_of(bench);
    expect_bound(use, "fetch", 16);
    expect_none(use);
    assert_int_equal(use->slice_permille, 1000);
    assert_int_equal(use->bandwidth_permille, 1000);
    assert_int_equal(use->mac_permille, 0);
    assert_int_equal(use->lane_permille, 0);
    bench->collect.flits = 20;
    expect_bound(use_of(bench), "collect", 20);
    bench->route = (HwSwitchRoute){.ring_size = 4, .in_time = 16, .packet_flits = 1};
    bench->pass.route = &bench->route;
    expect_bound(use_of(bench), "switch", 64 + 1); // and the cycle that fills the ring
    HwVectorStep step = {.time = 80, .packet_elements = 4, .way = 4};
    bench->vector = (HwVector){.steps = {&step, 1, 1}, .in_time = 16};
    bench->pass.vector = &bench->vector;
    use = use_of(bench);
    expect_bound(use, "vector", 1 + 80);
    assert_int_equal(use->lane_permille, 494);
    HwSliceReduce slices = {.group = 32, .in_time = 100, .out_time = 4};
    step.slices = &slices;
    expect_bound(use_of(bench), "inter-slice", 1 + 100 + 32); // once round the slices
    bench->cast = (HwCast){.time = 150};
    bench->pass.cast = &bench->cast;
    expect_bound(use_of(bench), "cast", 1 + 32 + 150);
    bench->transpose = (HwTranspose){.out_flits = 1, .iterations = 200};
    bench->pass.transpose = &bench->transpose;
    expect_bound(use_of(bench), "transpose", 1 + 32 + 200);
    bench->commit = (HwCommit){.time = 150, .writes_per_packet = 2};
    bench->pass.commit = &bench->commit;
    expect_bound(use_of(bench), "commit", 1 + 32 + 300);
    bench->adapt = (HwStreamAdapt){.data_bytes = 64};
    bench->reduce = (HwReduce){.rows = 8, .in_type = SCALAR_BF16, .in_time = 4000, .out_time = 10};
    bench->pass.adapt = &bench->adapt;
    bench->pass.reduce = &bench->reduce;
    use = use_of(bench);
    expect_bound(use, "contract", 1 + 4000 + 5 + 32 + 1); // and the last column
    assert_int_equal(use->mac_permille, 990);
    arena_release(&bench->arena);
}

TEST(cycles_of_commands_add_up)
{
    Bench *bench = bench_open();
    HwPipeline second = bench->pass;
    second.fetch.time = 30;
    HwCommand commands[] = {{.pass = &bench->pass}, {.pass = &second}, {.pass = NULL}};
    expect_bound(use_of_commands(&bench->arena, commands, 3), "fetch", 46);
    arena_release(&bench->arena);
}

// ---- hints of passes

TEST(reads_are_as_wide_as_they_can)
{
    Bench *bench = bench_open();
    HwFetch *fetch = &bench->pass.fetch;
    fetch->nest.access_bytes = 8;
    fetch->packet_bytes = 40;
    fetch->fetches_per_packet = 5;
    expect_only(use_of(bench), "padded to 64 bytes");
    fetch->packet_bytes = 64;
    fetch->contiguous_bytes = 8;
    expect_only(use_of(bench), "only 8 lie together");
    bench->pass.context = CONTEXT_SUB; // which reads 8 bytes at a time anyway
    expect_none(use_of(bench));
    bench->pass.context = CONTEXT_MAIN;
    fetch->cast = SCALAR_I32; // a flit holds no more
    expect_none(use_of(bench));
    fetch->cast = SCALAR_I8;
    fetch->time = fetch->fetches_per_packet = 1;
    expect_none(use_of(bench));
    arena_release(&bench->arena);
}

TEST(slices_hold_data)
{
    Bench *bench = bench_open();
    HwFetch *fetch = &bench->pass.fetch;
    fetch->bitmaps.count = 1;
    expect_only(use_of(bench), "256 of 512 slices hold data: `A`, 16 steps of Time");
    fetch->nest.loops.items[0].size = 1; // there is nothing to move
    expect_none(use_of(bench));
    arena_release(&bench->arena);
}

TEST(banks_do_not_starve)
{
    Bench *bench = bench_open();
    HwLoop *loop = &bench->pass.fetch.nest.loops.items[0];
    loop->stride = 128;
    loop->size = bench->pass.fetch.time = 63;
    expect_none(use_of(bench));
    loop->size = bench->pass.fetch.time = 64;
    expect_only(use_of(bench), "64 reads in a row go to one bank");
    loop->stride = 136;
    expect_none(use_of(bench));
    bench->commit.nest = (HwNest){.element_bits = 8, .access_bytes = 8};
    add_loop(&bench->arena, &bench->commit.nest, "A", 100, 1024, false);
    bench->commit.time = 100;
    bench->commit.commit_in_size = 8;
    bench->pass.commit = &bench->commit;
    expect_only(use_of(bench), "100 writes in a row go to one bank");
    arena_release(&bench->arena);
}

TEST(flits_are_full)
{
    Bench *bench = bench_open();
    bench->collect.in_packet_bytes = 8;
    bench->collect.pad_bytes = 24;
    expect_only(use_of(bench), "24 of 32 bytes of every packet behind collect");
    arena_release(&bench->arena);
}

TEST(rings_are_small_and_regular)
{
    Bench *bench = bench_open();
    bench->route = (HwSwitchRoute){.ring_size = 16};
    bench->pass.route = &bench->route;
    expect_none(use_of(bench));
    bench->route.ring_size = SLICES;
    expect_only(use_of(bench), "all 256 slices are one ring");
    bench->route.ring_size = 16;
    bench->route.writes_registers = true;
    bench->route.register_writes = 2048;
    expect_only(use_of(bench), "writes 2048 registers first");
    arena_release(&bench->arena);
}

TEST(the_mac_array_is_full)
{
    Bench *bench = bench_open();
    bench->adapt = (HwStreamAdapt){.data_bytes = 64};
    bench->reduce = (HwReduce){.rows = 8, .in_time = 16, .in_type = SCALAR_I4};
    bench->pass.adapt = &bench->adapt;
    bench->pass.reduce = &bench->reduce;
    expect_none(use_of(bench));
    bench->reduce.rows = 2;
    expect_only(use_of(bench), "2 of 8 rows of the MAC array work");
    bench->reduce.rows = 8;
    bench->adapt = (HwStreamAdapt){.data_bytes = 32, .pad_bytes = 32};
    const HwUse *use = use_of(bench);
    expect_only(use, "32 of 64 bytes of the MAC width are zeros");
    assert_int_equal(use->mac_permille, 348); // 16 steps, and 7 cycles of the tree
    arena_release(&bench->arena);
}

TEST(the_way_out_is_wide)
{
    Bench *bench = bench_open();
    bench->transpose = (HwTranspose){.in_cols = 32, .iterations = 2};
    bench->pass.transpose = &bench->transpose;
    expect_only(use_of(bench), "32 columns fill both buffers");
    bench->transpose.iterations = 1; // nothing to overlap with
    expect_none(use_of(bench));
    bench->transpose = (HwTranspose){.in_cols = 8, .iterations = 2, .double_buffering = true};
    expect_none(use_of(bench));
    bench->commit = (HwCommit){.nest = {.access_bytes = 8}, .writes_per_packet = 4};
    bench->pass.commit = &bench->commit;
    expect_only(use_of(bench), "written in 4 pieces of 8 bytes");
    bench->pass.context = CONTEXT_SUB;
    expect_none(use_of(bench));
    arena_release(&bench->arena);
}

// ---- DMA

// From HBM to DM: 16 packets of 512 bytes, one after the other.
static HwDescriptor plain_descriptor(Arena *arena)
{
    HwDescriptor descriptor = {.packet_bytes = 512, .unit_bits = 8, .requests = 32};
    descriptor.source = (HwPlace){.media = MEDIA_HBM, .cluster = -1, .dmn = -1, .tensor = -1};
    descriptor.dest = (HwPlace){.media = MEDIA_DM, .tensor = -1};
    *array_push(arena, &descriptor.loops, HwDmaLoopEntry) = (HwDmaLoopEntry){
        .limit = 16, .source_stride = 512, .dest_stride = 4 << 20, .term = STR("A")};
    return descriptor;
}

static const HwUse *dma_use(Arena *arena, HwDescriptor *descriptors, int64_t count,
                            bool homogeneous)
{
    HwDmaCommand *dma = arena_new(arena, HwDmaCommand, 1);
    HwCommand *command = arena_new(arena, HwCommand, 1);
    dma->homogeneous = homogeneous;
    for (int64_t i = 0; i < count; i++) {
        *array_push(arena, &dma->descriptors, HwDescriptor) = descriptors[i];
        dma->bytes += descriptors[i].requests * 256;
    }
    command->dma = dma;
    return use_of_commands(arena, command, 1);
}

TEST(engines_of_dma_work_side_by_side)
{
    Arena arena = {0};
    HwDescriptor both[2] = {plain_descriptor(&arena), plain_descriptor(&arena)};
    both[1].engine = 1;
    const HwUse *use = dma_use(&arena, both, 2, true);
    expect_bound(use, "start-up", 500 + 2 * 64); // both write to one network
    expect_none(use);
    both[1].dest_base = 128 << 20;
    expect_bound(dma_use(&arena, both, 2, true), "start-up", 500 + 64);
    both[1].engine = 0; // one after the other
    use = dma_use(&arena, both, 2, false);
    expect_bound(use, "start-up", 2 * (500 + 64));
    expect_only(use, "2 descriptors, more than one an engine");
    both[0].inter_chip = true;
    expect_bound(dma_use(&arena, both, 1, true), "start-up", 500 + ceil_div(32 * 256, 30));
    arena_release(&arena);
}

TEST(requests_are_whole)
{
    Arena arena = {0};
    HwDescriptor one = plain_descriptor(&arena);
    one.packet_bytes = one.loops.items[0].source_stride = 64;
    expect_only(dma_use(&arena, &one, 1, true), "packets of 64 bytes take a request each");
    one.packet_bytes = 600;
    expect_only(dma_use(&arena, &one, 1, true), "take 3 requests of 256, the last one partly used");
    one.packet_bytes = 512;
    one.source.media = MEDIA_DM;
    one.dest.media = MEDIA_HBM;
    one.loops.items[0].dest_stride = 512;
    expect_none(dma_use(&arena, &one, 1, true));
    one.dest_base = 64;
    expect_only(dma_use(&arena, &one, 1, true), "not whole units of 256 bytes");
    HwDmaIndirect indirect = {0};
    one.indirect = &indirect; // where it goes is data
    expect_none(dma_use(&arena, &one, 1, true));
    arena_release(&arena);
}

// The smallest power of two that changes the row of HBM and nothing else.
static int64_t row_stride(void)
{
    const Machine *machine = &machine_rngd;
    const MachineList *others[] = {&machine->hbm_bank_bits, &machine->hbm_bank_group_bits,
                                   &machine->hbm_slice_bits};
    for (int64_t stride = 512; stride < INT64_C(1) << 36; stride *= 2) {
        bool same = machine_address_part(&machine->hbm_row_bits, stride) !=
                    machine_address_part(&machine->hbm_row_bits, 0);
        for (size_t i = 0; i < COUNT_OF(others); i++)
            same &= machine_address_part(others[i], stride) == machine_address_part(others[i], 0);
        if (same)
            return stride;
    }
    return 0;
}

TEST(hbm_is_used_as_a_whole)
{
    Arena arena = {0};
    HwDescriptor one = plain_descriptor(&arena);
    int64_t stride = row_stride();
    assert_true(stride > 0);
    one.loops.items[0].source_stride = stride;
    expect_only(dma_use(&arena, &one, 1, true), "of `A` switches rows of a bank");
    *array_push(&arena, &one.loops, HwDmaLoopEntry) =
        (HwDmaLoopEntry){.limit = 2, .source_stride = 512, .dest_stride = 512};
    expect_none(dma_use(&arena, &one, 1, true)); // a smaller stride inside
    one = plain_descriptor(&arena);
    one.packet_bytes = 256;
    expect_only(dma_use(&arena, &one, 1, true), "address bit 8 of HBM never changes");
    HwDescriptor both[2] = {one, one};
    both[1].engine = 1;
    both[1].source_base = 256; // the other stack
    expect_none(dma_use(&arena, both, 2, true));
    arena_release(&arena);
}

// 4 engines in each of 2 clusters, each of which writes 64 slices of 8 KiB.
static HwDescriptor *eight_engines(Arena *arena)
{
    HwDescriptor *made = arena_new(arena, HwDescriptor, 8);
    for (int64_t i = 0; i < 8; i++) {
        made[i] = plain_descriptor(arena);
        made[i].requests = 2048;
        made[i].loops.items[0].limit = 64;
        made[i].loops.items[0].source_stride = 8192;
        *array_push(arena, &made[i].loops, HwDmaLoopEntry) =
            (HwDmaLoopEntry){.limit = 16, .source_stride = 512, .dest_stride = 512};
        made[i].cluster = i / 4;
        made[i].engine = i % 4;
        made[i].dest_base = i % 4 * 64 * (4 << 20);
        made[i].source_base = i << 20;
    }
    return made;
}

// Manual: Switch Engine, Broadcast1: a ring of slice1 x slice0 slices.
TEST(copies_can_be_made_by_the_ring)
{
    Arena arena = {0};
    HwDescriptor *engines = eight_engines(&arena);
    expect_none(dma_use(&arena, engines, 8, true)); // every slice gets data of its own

    for (int64_t i = 0; i < 8; i++)
        engines[i].source_base = 0;
    const HwUse *use = dma_use(&arena, engines, 8, true);
    expect_only(use, "written to 8 slices (4 in each of 2 clusters)");
    expect_only(use, "`Broadcast1 { slice1: 4, slice0: 64 }`: a ring of 256 slices, about 16384 "
                     "cycles, or 256 if");
    engines[3].dest_base += 4 << 20; // a ring makes evenly spaced copies only
    expect_none(dma_use(&arena, engines, 8, true));

    engines = eight_engines(&arena);
    for (int64_t i = 0; i < 8; i++) { // each engine: 16 places, 4 neighbors of each
        engines[i].loops.items[0] = (HwDmaLoopEntry){
            .limit = 16, .source_stride = 8192, .dest_stride = 16 << 20, .term = STR("A")};
        *array_push(&arena, &engines[i].loops, HwDmaLoopEntry) =
            (HwDmaLoopEntry){.limit = 4, .source_stride = 0, .dest_stride = 4 << 20};
    }
    use = dma_use(&arena, engines, 8, true);
    expect_only(use, "written to 4 slices: ");
    expect_only(use, "`Broadcast1 { slice1: 4, slice0: 1 }`: a ring of 4 slices, about 256 cycles");
    for (int64_t i = 0; i < 8; i++)
        engines[i].requests = 16; // over before it has begun
    expect_none(dma_use(&arena, engines, 8, true));
    arena_release(&arena);
}
