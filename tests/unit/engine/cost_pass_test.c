// What passes cost by the rules of the manual: stages by themselves, and how they follow each
// other.
#include "handmade.h"

typedef struct {
    HwPipeline pass;
    HwSwitchRoute route;
    HwCollect collect;
    HwStreamAdapt adapt;
    HwReduce reduce;
    HwSlotLoop loops[2];
    HwVector vector;
    HwVectorStep steps[4];
    HwSliceReduce slices;
    HwLaneReduce lanes;
    HwReduceLoop lane_loop;
    HwTranspose transpose;
    HwCommit commit;
} Parts;

static HwPipeline *begin(Parts *parts, int64_t packets)
{
    *parts = (Parts){0};
    parts->pass.chips = parts->pass.clusters = 1;
    parts->pass.slices = 256;
    HwFetch *fetch = &parts->pass.fetch;
    fetch->nest = (HwNest){.element_bits = 8, .access_bytes = 32};
    fetch->time = packets;
    fetch->packet_bytes = fetch->stream_packet_bytes = fetch->packet_elements = 32;
    fetch->fetches_per_packet = 1;
    return &parts->pass;
}

static const Cost *cost_of(Arena *arena, const Machine *machine, const Parts *parts)
{
    return cost_on(arena, machine, COST_MANUAL, &(HwCommand){.pass = &parts->pass});
}

static int64_t cycles_of(const Parts *parts)
{
    Arena arena = {0};
    int64_t cycles = cost_of(&arena, &machine_rngd, parts)->cycles;
    arena_release(&arena);
    return cycles;
}

// ---- stages

// F0418 to F0423: 256 elements of bf16 a slice, 32 in the tree, 8 in the accumulator, then slices.
TEST(reductions_follow_each_other)
{
    Arena arena = {0};
    Parts parts;
    HwPipeline *pass = begin(&parts, 8);
    parts.adapt = (HwStreamAdapt){.collect_flits = 1, .data_bytes = 64};
    parts.loops[0] = (HwSlotLoop){.size = 8, .reduced = true};
    parts.reduce = (HwReduce){.in_type = SCALAR_BF16,
                              .packet_elements = 32,
                              .rows = 1,
                              .loops = {parts.loops, 1, 1},
                              .in_time = 8,
                              .out_time = 1};
    pass->adapt = &parts.adapt;
    pass->reduce = &parts.reduce;
    const Cost *cost = cost_of(&arena, &machine_rngd, &parts);
    assert_int_equal(cost->cycles, 5 + 8);
    assert_int_equal(cost->macs, 8 * 32 * 256);
    assert_int_equal(cost->bytes, 8 * 32 * 256);
    assert_int_equal(line_of(cost, COST_CONTRACT)->busy, 8);
    assert_int_equal(line_of(cost, COST_CONTRACT)->latency, 5 + 7);
    parts.slices = (HwSliceReduce){.group = 256, .in_time = 1, .out_time = 1};
    parts.steps[0] = (HwVectorStep){.slices = &parts.slices, .time = 1, .packet_elements = 8};
    parts.vector = (HwVector){.steps = {parts.steps, 1, 1}, .in_time = 1};
    pass->vector = &parts.vector;
    cost = cost_of(&arena, &machine_rngd, &parts);
    assert_int_equal(cost->cycles, 13 + 256);
    assert_int_equal(line_of(cost, COST_INTER_SLICE)->latency, 256);
    assert_true(cost->vector_from == 12 && cost->vector_to == 269);
    static const struct {
        Scalar type;
        int64_t depth;
    } trees[] = {{SCALAR_I4, 7}, {SCALAR_I8, 6}, {SCALAR_F8E4M3, 6}, {SCALAR_BF16, 5}};
    for (size_t i = 0; i < COUNT_OF(trees); i++) {
        parts.reduce.in_type = trees[i].type;
        assert_int_equal(cycles_of(&parts), trees[i].depth + 8 + 256);
    }
    arena_release(&arena);
}

// F0466: each ALU is a cycle; four lanes take two packets where eight take one.
TEST(alus_and_lanes_take_time)
{
    Parts parts;
    HwPipeline *pass = begin(&parts, 16);
    parts.steps[0] = (HwVectorStep){.time = 32, .packet_elements = 4, .way = 4};
    parts.steps[1] = parts.steps[2] = parts.steps[0];
    parts.steps[1].alu = ALU_FpFpu;
    parts.steps[2].alu = ALU_FpExp;
    parts.vector = (HwVector){.steps = {parts.steps, 1, 1}, .in_time = 16};
    pass->vector = &parts.vector;
    int64_t plain = cycles_of(&parts);
    assert_int_equal(plain, 32);
    parts.vector.steps.count = 3;
    assert_int_equal(cycles_of(&parts) - plain, 2);
    // a reduction over time puts its first packet out when the last of its group is in
    parts.lane_loop = (HwReduceLoop){.size = 8, .reduced = true};
    parts.lanes = (HwLaneReduce){.loops = {&parts.lane_loop, 1, 1}, .in_time = 32, .out_time = 4};
    parts.steps[3] =
        (HwVectorStep){.lanes = &parts.lanes, .time = 4, .packet_elements = 4, .way = 4};
    parts.vector.steps.count = 4;
    Arena arena = {0};
    const CostLine *line = line_of(cost_of(&arena, &machine_rngd, &parts), COST_VECTOR);
    assert_int_equal(line->busy, 32);
    assert_int_equal(line->latency, 2 + 8);
    arena_release(&arena);
}

// F0608, F0612: the cycles that the engine gives are in the pass once.
TEST(transposes_fill_and_drain)
{
    Parts parts;
    HwPipeline *pass = begin(&parts, 64);
    parts.transpose =
        (HwTranspose){.double_buffering = true, .iterations = 8, .in_flits = 8, .out_flits = 8};
    pass->transpose = &parts.transpose;
    assert_int_equal(cycles_of(&parts), 72);
    pass->fetch.time = 256; // slow input: then only the last matrix comes behind it
    assert_int_equal(cycles_of(&parts), 256 + 8);
    parts.commit = (HwCommit){.time = 64, .writes_per_packet = 4};
    parts.commit.nest = (HwNest){.element_bits = 8, .access_bytes = 8};
    pass->commit = &parts.commit; // as slow behind it: begins with the first matrix out
    assert_int_equal(cycles_of(&parts), 8 + 256);
}

TEST(rings_are_as_long_as_they_say)
{
    Arena arena = {0};
    Parts parts;
    HwPipeline *pass = begin(&parts, 64);
    parts.route =
        (HwSwitchRoute){.ring_size = 4, .in_time = 64, .packet_bytes = 64, .packet_flits = 2};
    pass->route = &parts.route; // F0338
    const Cost *cost = cost_of(&arena, &machine_rngd, &parts);
    assert_int_equal(line_of(cost, COST_SWITCH)->busy, 512);
    assert_int_equal(cost->cycles, 513);
    assert_int_equal(cost->bound, COST_SWITCH);
    parts.route.writes_registers = true; // a custom topology, and its registers before it
    parts.route.register_writes = 2048;
    cost = cost_of(&arena, &machine_rngd, &parts);
    assert_true(cost->setup == 2048 && cost->cycles == 2048 + 513);
    arena_release(&arena);
}

TEST(immediates_are_a_write)
{
    Arena arena = {0};
    HwImmediateWrite write = {0};
    HwCommand command = {.immediate = &write};
    assert_int_equal(cost_on(&arena, &machine_rngd, COST_MANUAL, &command)->cycles, 1);
    arena_release(&arena);
}

// ---- laws

static uint64_t random_state = 5;

static int64_t random_below(int64_t limit)
{
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int64_t)(random_state >> 33) % limit;
}

static void random_pass(Parts *parts)
{
    HwPipeline *pass = begin(parts, 1 + random_below(500));
    pass->fetch.fetches_per_packet = 1 + random_below(4);
    parts->collect = (HwCollect){.flits = random_below(700)};
    parts->route = (HwSwitchRoute){.ring_size = 1, .in_time = random_below(700), .packet_flits = 1};
    parts->loops[0] = (HwSlotLoop){.size = 1 + random_below(20), .reduced = random_below(2)};
    parts->loops[1] = (HwSlotLoop){.size = 1 + random_below(20), .reduced = random_below(2)};
    parts->reduce = (HwReduce){.in_type = SCALAR_I8,
                               .loops = {parts->loops, 2, 2},
                               .in_time = parts->loops[0].size * parts->loops[1].size,
                               .out_time = random_below(300)};
    parts->commit = (HwCommit){.time = random_below(500), .writes_per_packet = 1 + random_below(4)};
    parts->commit.nest = (HwNest){.element_bits = 8, .access_bytes = 8};
    pass->collect = random_below(2) ? &parts->collect : NULL;
    pass->route = random_below(2) ? &parts->route : NULL;
    pass->reduce = random_below(2) ? &parts->reduce : NULL;
    pass->commit = random_below(2) ? &parts->commit : NULL;
}

// Not less than the slowest stage, not more than all latencies and that, and a slower stage never
// makes a pass quicker.
TEST(passes_are_between_their_bounds)
{
    Arena arena = {0};
    for (int i = 0; i < 500; i++) {
        Parts parts;
        random_pass(&parts);
        const Cost *cost = cost_of(&arena, &machine_rngd, &parts);
        int64_t slowest = 0, latency = 0;
        for (int32_t k = 0; k < cost->line_count; k++) {
            slowest = max_i64(slowest, cost->lines[k].busy);
            latency += cost->lines[k].latency;
        }
        assert_true(cost->cycles >= slowest && cost->cycles <= slowest + latency);
        Machine quick = machine_rngd;
        quick.switch_fill_cycles = quick.fetch_cast_cycles = 0;
        assert_true(cost_of(&arena, &quick, &parts)->cycles <= cost->cycles);
        parts.pass.fetch.fetches_per_packet++;
        assert_true(cycles_of(&parts) >= cost->cycles);
        arena_clear(&arena);
    }
    arena_release(&arena);
}

// 50,000 passes that differ in addresses, constants and texts: few are worked out.
TEST(passes_that_are_alike_are_costed_once)
{
    Arena costs = {0}, scratch = {0};
    CostBook *book = cost_book_new(&costs, &scratch, &machine_rngd, COST_MANUAL);
    Parts parts;
    random_pass(&parts);
    HwLoop loops[] = {{.size = 64, .stride = 32}, {.size = 32, .stride = 1}};
    parts.pass.fetch.nest.loops.items = loops;
    parts.pass.fetch.nest.loops.count = 2;
    for (int64_t i = 0; i < 50000; i++) {
        loops[0].term = i % 2 ? STR("A") : STR("B");
        parts.pass.fetch.nest.base = i * 128;
        parts.pass.fetch.pad_value = i;
        assert_non_null(cost_of_command(book, &(HwCommand){.pass = &parts.pass}));
    }
    assert_int_equal(cost_book_distinct(book), 1);
    parts.pass.fetch.fetches_per_packet++;
    assert_non_null(cost_of_command(book, &(HwCommand){.pass = &parts.pass}));
    assert_int_equal(cost_book_distinct(book), 2);
    arena_release(&costs);
    arena_release(&scratch);
}

// ---- banks

static int64_t streak_of(const PassRow *row)
{
    Arena arena = {0};
    HwCommand command = handmade_pass(&arena, row);
    int64_t streak = cost_on(&arena, &machine_rngd, COST_MANUAL, &command)->bank_streak;
    arena_release(&arena);
    return streak;
}

// Reads and writes of one pass go to the same banks and add up; those of a sequencer that goes from
// bank to bank are none in a row.
TEST(reads_and_writes_add_up)
{
    static const struct {
        int64_t reads, writes, streak;
    } rows[] = {{1, -1, 1},  {40, -1, 40}, {1, 1, 1},   {40, 1, 40},
                {1, 40, 40}, {40, 20, 60}, {2, 60, 62}, {64, 32, 96}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        PassRow row = {.packets = rows[i].reads * llabs(rows[i].writes) * 2,
                       .reads = rows[i].reads,
                       .writes = rows[i].writes,
                       .to = 0x10000};
        assert_int_equal(streak_of(&row), rows[i].streak);
    }
}

// Interleaved tensors take turns: on one bank their accesses are all in a row. A book must not take
// one for the other.
TEST(two_bases_on_one_bank_add_up)
{
    PassRow same = {.packets = 120, .reads = 40, .writes = -1, .second_base = 0x2000};
    PassRow other = same;
    other.second_base = 0x2000 + WORD;
    assert_int_equal(streak_of(&same), 80);
    assert_int_equal(streak_of(&other), 40);
    Arena arena = {0}, scratch = {0};
    CostBook *book = cost_book_new(&arena, &scratch, &machine_rngd, COST_MANUAL);
    HwCommand first = handmade_pass(&arena, &same), second = handmade_pass(&arena, &other);
    assert_int_equal(cost_of_command(book, &first)->bank_streak, 80);
    assert_int_equal(cost_of_command(book, &second)->bank_streak, 40);
    arena_release(&arena);
    arena_release(&scratch);
}
