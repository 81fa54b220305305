// What DMA commands cost: the examples of the manual, laws, and how commands share their cost.
#include "cost_support.h"

#include "cost/internal.h"

#include <inttypes.h>

// ---- the examples of the manual

static void expect_cycles(const Cost *cost, int64_t cycles, CostPart bound, const char *what)
{
    if (cost->cycles != cycles || cost->bound != bound)
        fail_msg("%s: %" PRId64 " cycles bound by %s, not %" PRId64 " by %s", what, cost->cycles,
                 cost_part_names[cost->bound], cycles, cost_part_names[bound]);
}

TEST(one_engine_moves_a_request_a_cycle)
{
    static const struct {
        const char *what;
        DescriptorRow row;
        int64_t cycles;
        CostPart bound;
    } rows[] = {
        {"example 1", // F0237
         {MEDIA_HBM, MEDIA_HBM, .dest = 16384, .packet = 256,
          .loops = {{8, 2048, 256}, {8, 256, 2048}}},
         500 + 2 * 64,
         COST_STARTUP},
        {"the descriptor", // F0230
         {MEDIA_HBM, MEDIA_HBM, .dest = 1 << 24, .packet = 256,
          .loops = {{256, 65536, 256}, {256, 256, 65536}}},
         500 + 2 * 65536,
         COST_DMA},
        {"example 2", // F0247
         {MEDIA_HBM, MEDIA_DM, .packet = 256,
          .loops = {{256, 65536, 256}, {4, 256, 65536}, {32, 1024, SLICE}, {2, 32768, DMN}}},
         500 + 65536,
         COST_DMA},
        {"example 3", // F0251
         {MEDIA_DM, MEDIA_DM, .dest = 4 * 65536, .packet = 256,
          .loops = {{256, 256, 1024}, {4, 65536, 256}, {32, SLICE, SLICE}, {2, DMN, DMN}}},
         500 + 2 * 65536,
         COST_DMA},
        {"one network", // F0285: half the speed of two
         {MEDIA_DM, MEDIA_HBM, .packet = 256, .loops = {{2, 256, 256}, {32, SLICE, 3840}}},
         500 + 2 * 64,
         COST_STARTUP},
    };
    Arena arena = {0};
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        expect_cycles(dma_cost(&arena, dma_of(&arena, &rows[i].row, 1)), rows[i].cycles,
                      rows[i].bound, rows[i].what);
    arena_release(&arena);
}

// Engines of both clusters, from bases of their own.
static HwDmaCommand *on_all_engines(Arena *arena, const DescriptorRow *row, int64_t cluster_step,
                                    int64_t engine_step)
{
    HwDmaCommand *dma = arena_new(arena, HwDmaCommand, 1);
    for (int64_t i = 0; i < 8; i++) {
        DescriptorRow one = *row;
        one.cluster = i / 4;
        one.engine = i % 4;
        one.source = one.cluster * cluster_step + one.engine * engine_step;
        one.dest = one.engine * 2 * (int64_t)DMN;
        add_descriptor(arena, dma, &one);
    }
    return dma;
}

TEST(channels_are_shared)
{
    Arena arena = {0};
    // F0261, F0262: every request opens a row
    DescriptorRow rows = {
        MEDIA_HBM, MEDIA_DM, .packet = 256,
        .loops = {{256, 1024, 1024}, {4, 256, 256}, {32, 1 << 21, SLICE}, {2, 1 << 26, DMN}}};
    const Cost *cost = dma_cost(&arena, on_all_engines(&arena, &rows, 1 << 20, 1 << 18));
    expect_cycles(cost, 500 + 655360, COST_HBM_READ, "example 4");
    assert_int_equal(line_of(cost, COST_HBM_READ)->origin, COST_FROM_SAMPLE);
    assert_int_equal(line_of(cost, COST_DM_WRITE)->busy, 65536);
    assert_int_equal(cost->chip_count, 1);
    assert_int_equal(cost->chips[0].cycles[SHARED_HBM], 655360);
    // F0273, with 16/3 cycles a request: one stack does all the work
    DescriptorRow stack = {MEDIA_HBM, MEDIA_DM, .packet = 256,
                           .loops = {{8, 512, 256}, {32, 4096, SLICE}, {2, 131072, DMN}}};
    cost = dma_cost(&arena, on_all_engines(&arena, &stack, 1 << 20, 1 << 18));
    expect_cycles(cost, 500 + 1365, COST_HBM_READ, "example 5");
    assert_int_equal(line_of(cost, COST_HBM_READ)->origin, COST_FROM_REQUESTS);
    assert_int_equal(line_of(cost, COST_DM_WRITE)->busy, 512);
    assert_non_null(
        strstr(str_terminated(&arena, line_of(cost, COST_HBM_READ)->note), "16 of 32 channels"));
    // the same in both stacks: half of that, which the engines nearly keep up with
    stack.loops[0].read = 256;
    cost = dma_cost(&arena, on_all_engines(&arena, &stack, 1 << 20, 1 << 18));
    expect_cycles(cost, 500 + 683, COST_HBM_READ, "both stacks");
    arena_release(&arena);
}

// Example 6: pairs of networks with 4, 4, 4 and 3 of an axis. F0282, and 1192, which the manual
// prints: an engine on one network goes at half the speed. F0285 has it at full speed.
TEST(each_descriptor_starts)
{
    static const DescriptorRow whole = {MEDIA_DM, MEDIA_HBM, .packet = 256,
                                        .loops = {{2, 256, 256}, {32, SLICE, 3840}, {2, DMN, 512}}};
    static const DescriptorRow first = {MEDIA_DM, MEDIA_HBM, .packet = 256,
                                        .loops = {{2, 256, 256}, {32, SLICE, 3840}}};
    static const DescriptorRow second = {MEDIA_DM, MEDIA_HBM, .packet = 256,
                                         .loops = {{32, SLICE, 3840}}};
    Arena arena = {0};
    HwDmaCommand *dma = arena_new(&arena, HwDmaCommand, 1);
    for (int64_t engine = 0; engine < 4; engine++) {
        DescriptorRow one = engine < 3 ? whole : first;
        one.engine = engine;
        one.dest = engine * 1024;
        one.source = engine * 2 * (int64_t)DMN;
        add_descriptor(&arena, dma, &one);
    }
    DescriptorRow last = second;
    last.engine = 3;
    last.dest = 3 * 1024 + 512;
    last.source = 7 * (int64_t)DMN;
    add_descriptor(&arena, dma, &last);
    const Cost *cost = dma_cost(&arena, dma);
    expect_cycles(cost, 1192, COST_STARTUP, "example 6");
    assert_int_equal(cost->engine_count, 4);
    for (int64_t i = 0; i < 3; i++)
        assert_int_equal(cost->engines[i].cycles, 628);
    assert_int_equal(cost->engines[3].cycles, 1192);
    Machine wide = machine_rngd;
    wide.dm_bytes_per_cycle_per_dmn = 256;
    assert_int_equal(cost_on(&arena, &wide, COST_MANUAL, &(HwCommand){.dma = dma})->cycles, 1096);
    arena_release(&arena);
}

// ---- DM

// F0294 to F0297: which request is on which network in which cycle.
TEST(networks_take_turns)
{
    static const char *const wanted[] = {
        "read #0 (1/2) | (idle)",
        "read #0 (2/2) | read #1 (1/2)",
        "read #2 (1/2) | read #1 (2/2)",
        "read #2 (2/2) | read #3 (1/2)",
    };
    enum { CYCLES = COUNT_OF(wanted) };
    Arena arena = {0};
    int64_t reads[CYCLES + 2][2], parts[CYCLES + 2][2];
    memset(reads, -1, sizeof reads);
    DmSide side = dm_begin(&arena, &machine_rngd);
    for (int64_t i = 0; i < CYCLES; i++) {
        int64_t begin = dm_take(&side, i % 2 * DMN + i / 2 * SLICE, UNIT);
        for (int64_t k = 0; k < 2; k++) {
            reads[begin + k][i % 2] = i;
            parts[begin + k][i % 2] = k + 1;
        }
    }
    assert_int_equal(dm_end(&side), CYCLES);
    for (int64_t cycle = 0; cycle < (int64_t)CYCLES; cycle++) {
        StrBuf row = {.arena = &arena};
        for (int64_t network = 0; network < 2; network++) {
            buf_add(&row, network ? STR(" | ") : STR(""));
            if (reads[cycle][network] < 0)
                buf_add(&row, STR("(idle)"));
            else
                buf_format(&row, "read #{} ({}/2)", reads[cycle][network], parts[cycle][network]);
        }
        assert_string_equal(str_terminated(&arena, buf_str(&row)), wanted[cycle]);
    }
    arena_release(&arena);
}

// 32 requests on one network, then 32 on the other: the queues of the slices hold them.
TEST(queues_of_slices_hold_bursts)
{
    Arena arena = {0};
    DescriptorRow row = {MEDIA_HBM, MEDIA_DM, .packet = 256,
                         .loops = {{2, 8192, DMN}, {32, 256, SLICE}}};
    assert_true(dma_cost(&arena, dma_of(&arena, &row, 1))->cycles <= 500 + 64 + 32);
    row.loops[0] = (LoopRow){2, 8192, SLICE}; // two slices, one network
    row.loops[1] = (LoopRow){32, 256, 256};
    assert_int_equal(dma_cost(&arena, dma_of(&arena, &row, 1))->cycles, 500 + 128);
    arena_release(&arena);
}

// ---- HBM

TEST(alignment_costs)
{
    Arena arena = {0};
    DescriptorRow row = {MEDIA_HBM, MEDIA_DM, .packet = 256,
                         .loops = {{2, 256, DMN}, {4096, 512, 256}}};
    const Cost *aligned = dma_cost(&arena, dma_of(&arena, &row, 1));
    assert_null(strstr(str_terminated(&arena, line_of(aligned, COST_HBM_READ)->note), "across"));
    row.source = 128;
    const Cost *across = dma_cost(&arena, dma_of(&arena, &row, 1));
    assert_non_null(strstr(str_terminated(&arena, line_of(across, COST_HBM_READ)->note), "across"));
    assert_true(line_of(across, COST_HBM_READ)->busy > line_of(aligned, COST_HBM_READ)->busy);
    DescriptorRow store = {MEDIA_DM, MEDIA_HBM, .packet = 256, .loops = {{512, 256, 256}}};
    const Cost *whole = dma_cost(&arena, dma_of(&arena, &store, 1));
    store.packet = 248;
    const Cost *partial = dma_cost(&arena, dma_of(&arena, &store, 1));
    // 16 units a channel, each fifty times as long
    assert_int_equal(line_of(whole, COST_HBM_WRITE)->busy, 85);
    assert_int_equal(line_of(partial, COST_HBM_WRITE)->busy, (50 * 16 * 16 + 1) / 3);
    assert_int_equal(partial->bound, COST_HBM_WRITE);
    arena_release(&arena);
}

// All requests to one unit: one channel, one bank group.
TEST(one_channel_is_slow)
{
    Arena arena = {0};
    DescriptorRow row = {MEDIA_HBM, MEDIA_DM, .packet = 256,
                         .loops = {{32, 0, SLICE}, {2, 0, DMN}}};
    const Cost *cost = dma_cost(&arena, dma_of(&arena, &row, 1));
    const CostLine *line = line_of(cost, COST_HBM_READ);
    assert_int_equal(line->busy, (2 * 64 - 1) * 16 / 3); // F0323: at half the speed
    assert_non_null(strstr(str_terminated(&arena, line->note), "1 of 32 channels"));
    arena_release(&arena);
}

// ---- PCIe and copies

TEST(chips_are_far_apart)
{
    Arena arena = {0};
    DescriptorRow row = {MEDIA_HBM, MEDIA_HBM, .packet = 256, .loops = {{300, 256, 256}}};
    HwDmaCommand *dma = dma_of(&arena, &row, 1);
    dma->descriptors.items[0].inter_chip = true;
    dma->descriptors.items[0].dest.chip = 1;
    expect_cycles(dma_cost(&arena, dma), 500 + 300 * 256 / 30, COST_PCIE, "between chips");
    row.from = MEDIA_HOST;
    row.cluster = row.engine = -1;
    expect_cycles(dma_cost(&arena, dma_of(&arena, &row, 1)), 500 + 300 * 256 / 30, COST_PCIE,
                  "from the host");
    arena_release(&arena);
}

TEST(slices_copy_at_once)
{
    Arena arena = {0};
    DescriptorRow row = {MEDIA_DM,     MEDIA_DM,     .engine = -1,
                         .dest = 4096, .packet = 64, .loops = {{256, SLICE, SLICE}}};
    expect_cycles(dma_cost(&arena, dma_of(&arena, &row, 1)), 8, COST_COPY, "in their slices");
    row.dest += SLICE; // to the next slice: a ring of two
    expect_cycles(dma_cost(&arena, dma_of(&arena, &row, 1)), 16, COST_COPY, "to the next slice");
    assert_int_equal(dma_cost(&arena, dma_of(&arena, &row, 1))->engine_count, 0);
    arena_release(&arena);
}

// A copy reads and writes as the sub context does: what it does in a row to one bank counts.
TEST(copies_go_to_banks)
{
    enum { ROUND = 128 };
    static const struct {
        int64_t packet, read, write, streak;
    } rows[] = {{64, 64, 64, 1},        // one bank after the other
                {8, ROUND, 8, 50},      // reads one bank only
                {8, 8, ROUND, 50},      // writes one
                {8, ROUND, ROUND, 100}, // both
                {8, 0, 8, 50},          // the same word again
                {16, ROUND, 16, 1}};    // two banks in turn
    Arena arena = {0};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        DescriptorRow row = {MEDIA_DM,
                             MEDIA_DM,
                             .engine = -1,
                             .dest = 0x20000,
                             .packet = rows[i].packet,
                             .loops = {{4, SLICE, SLICE}, {50, rows[i].read, rows[i].write}}};
        for (CostModel model = 0; model < COST_MODELS; model++) {
            HwCommand command = {.dma = dma_of(&arena, &row, 1)};
            assert_int_equal(cost_on(&arena, &machine_rngd, model, &command)->bank_streak,
                             rows[i].streak);
        }
    }
    DescriptorRow load = {MEDIA_HBM, MEDIA_DM, .packet = 8, .loops = {{50, 8, ROUND}}};
    assert_int_equal(dma_cost(&arena, dma_of(&arena, &load, 1))->bank_streak, 0);
    arena_release(&arena);
}

// ---- laws

static uint64_t random_state;

static int64_t random_below(int64_t limit)
{
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int64_t)(random_state >> 33) % limit;
}

static DescriptorRow random_row(void)
{
    static const Media kinds[][2] = {
        {MEDIA_HBM, MEDIA_DM}, {MEDIA_DM, MEDIA_HBM}, {MEDIA_HBM, MEDIA_HBM}, {MEDIA_DM, MEDIA_DM}};
    int64_t kind = random_below(COUNT_OF(kinds));
    DescriptorRow row = {.from = kinds[kind][0],
                         .to = kinds[kind][1],
                         .engine = random_below(4),
                         .packet = INT64_C(8) << random_below(8),
                         .source = random_below(64) * 64,
                         .dest = random_below(64) * 64};
    for (int64_t i = 0; i <= random_below(3); i++) {
        int64_t hbm = INT64_C(64) << random_below(20);
        int64_t dm = (INT64_C(1) << 22) << random_below(7);
        row.loops[i] = (LoopRow){2 + random_below(30), row.from == MEDIA_HBM ? hbm : dm,
                                 row.to == MEDIA_HBM ? hbm : dm};
    }
    return row;
}

// Each speed by itself: never more cycles on the quicker machine.
TEST(faster_machines_never_cost_more)
{
    Arena arena = {0};
    random_state = 1;
    for (int64_t i = 0; i < 150; i++) {
        DescriptorRow row = random_row();
        HwCommand command = {.dma = dma_of(&arena, &row, 1)};
        for (CostModel model = 0; model < COST_MODELS; model++) {
            int64_t usual = cost_on(&arena, &machine_rngd, model, &command)->cycles;
            Machine quick[7];
            for (size_t k = 0; k < COUNT_OF(quick); k++)
                quick[k] = machine_rngd;
            quick[0].dma_startup_cycles = quick[0].static_dma_startup_cycles = 400;
            quick[1].hbm_clock_mhz = 900;
            quick[2].hbm_row_switch_cycles = 30;
            quick[3].dm_bytes_per_cycle_per_dmn = 256;
            quick[4].hbm_partial_write_factor = 20;
            quick[5].hbm_unaligned_read_factor = 1;
            quick[6].hbm_tccd_same_bank_group_cycles = 2;
            for (size_t k = 0; k < COUNT_OF(quick); k++) {
                int64_t cycles = cost_on(&arena, &quick[k], model, &command)->cycles;
                if (cycles > usual)
                    fail_msg("machine %d, %s: %" PRId64 " cycles instead of %" PRId64, (int)k,
                             cost_model_names[model], cycles, usual);
            }
        }
        arena_clear(&arena);
    }
    arena_release(&arena);
}

TEST(more_requests_never_cost_less)
{
    Arena arena = {0};
    random_state = 2;
    for (int64_t i = 0; i < 150; i++) {
        DescriptorRow row = random_row();
        for (CostModel model = 0; model < COST_MODELS; model++) {
            HwCommand small = {.dma = dma_of(&arena, &row, 1)};
            DescriptorRow more = row;
            more.loops[0].limit *= 2;
            HwCommand large = {.dma = dma_of(&arena, &more, 1)};
            int64_t one = cost_on(&arena, &machine_rngd, model, &small)->cycles;
            int64_t two = cost_on(&arena, &machine_rngd, model, &large)->cycles;
            if (two < one)
                fail_msg("%s: %" PRId64 " cycles for twice as much, %" PRId64 " before",
                         cost_model_names[model], two, one);
        }
        arena_clear(&arena);
    }
    arena_release(&arena);
}

TEST(ranges_hold_the_figure)
{
    Arena arena = {0};
    random_state = 3;
    for (int64_t i = 0; i < 150; i++) {
        DescriptorRow row = random_row();
        HwCommand command = {.dma = dma_of(&arena, &row, 1)};
        for (CostModel model = 0; model < COST_MODELS; model++) {
            const Cost *cost = cost_on(&arena, &machine_rngd, model, &command);
            assert_true(cost->least <= cost->cycles && cost->cycles <= cost->most);
            assert_true(cost->cycles > 0 && cost->line_count > 0);
            for (int64_t c = 0; c < cost->chip_count; c++)
                for (int64_t s = 0; s < SHARED_KINDS; s++)
                    assert_true(cost->chips[c].cycles[s] <= cost->cycles);
            for (int64_t k = 0; k < cost->engine_count; k++)
                assert_true(cost->engines[k].cycles <= cost->cycles);
        }
        arena_clear(&arena);
    }
    arena_release(&arena);
}

// ---- sharing

// 50,000 commands that differ in where they go: few are worked out.
TEST(commands_that_are_alike_are_costed_once)
{
    enum { COMMANDS = 50000 };
    Arena arena = {0};
    Arena costs = {0}, scratch = {0};
    CostBook *book = cost_book_new(&costs, &scratch, &machine_rngd, COST_MANUAL);
    for (int64_t i = 0; i < COMMANDS; i++) {
        DescriptorRow rows[8];
        for (int64_t k = 0; k < 8; k++)
            rows[k] = (DescriptorRow){MEDIA_HBM,
                                      MEDIA_DM,
                                      .cluster = k / 4,
                                      .engine = k % 4,
                                      .source = i * 65536 + k * 8192,
                                      .dest = k % 4 * 2 * (int64_t)DMN + i % 64 * 4096,
                                      .packet = 256,
                                      .loops = {{16, 512, SLICE}, {2, 256, DMN}}};
        assert_non_null(cost_of_command(book, &(HwCommand){.dma = dma_of(&arena, rows, 8)}));
        arena_clear(&arena);
    }
    assert_int_equal(cost_book_distinct(book), 1);
    arena_release(&costs);
    arena_release(&scratch);
    arena_release(&arena);
}
