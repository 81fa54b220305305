// What gets into each other's way besides bytes, on operations made by hand: banks, custom
// topologies, the one queue of DMA, HBM and PCIe of each chip.
#include "handmade.h"

#include "schedule/export.h"
#include <math.h>

typedef struct {
    Arena arena, scratch;
    DiagList diags;
    HwObject object;
    int64_t hbm; // where the next load is from, and goes to: no two meet
} Bench;

static void bench_open(Bench *bench)
{
    *bench = (Bench){.object = {.chips = 1}};
    bench->diags = (DiagList){.arena = &bench->arena};
}

static void bench_close(Bench *bench)
{
    arena_release(&bench->arena);
    arena_release(&bench->scratch);
}

static const Schedule *ordered(Bench *bench, CostModel model, const int64_t *order, int64_t count)
{
    ScheduleOptions options = {model, order, count};
    const Schedule *schedule = schedule_new(&bench->arena, &bench->scratch, &bench->diags,
                                            &machine_rngd, &bench->object, &options);
    assert_non_null(schedule);
    return schedule;
}

static const Schedule *scheduled(Bench *bench, CostModel model)
{
    return ordered(bench, model, NULL, 0);
}

enum { READ_AT = 0x10000, WRITE_AT = 0x40000, LOAD_AT = 0x60000, PACKETS = 2400 };

static void pass(Bench *bench, Context context, int64_t packets, int64_t streak)
{
    int64_t at = bench->object.operations.count * 0x100; // streams only read: they never meet
    add_pass(&bench->arena, &bench->object,
             &(PassRow){context, packets, streak, -1, READ_AT + at, 0, .chips = 1});
}

static void load(Bench *bench, int64_t chip, int64_t cluster, int64_t requests)
{
    bench->hbm += 1 << 20;
    add_dma(&bench->arena, &bench->object,
            &(DescriptorRow){MEDIA_HBM, MEDIA_DM, .chip = chip, .cluster = cluster,
                             .source = bench->hbm, .dest = LOAD_AT + bench->hbm / 256,
                             .packet = 256, .loops = {{requests, 256, SLICE}}});
}

static bool run_at_once(const Schedule *schedule, int64_t a, int64_t b)
{
    const ScheduledOperation *x = &schedule->operations[a], *y = &schedule->operations[b];
    return x->begin < y->end && y->begin < x->end;
}

static bool all_at_once(const Schedule *schedule, int64_t a, int64_t b, int64_t c)
{
    const ScheduledOperation *of[] = {&schedule->operations[a], &schedule->operations[b],
                                      &schedule->operations[c]};
    int64_t begin = 0, end = INT64_MAX;
    for (int64_t i = 0; i < 3; i++) {
        begin = max_i64(begin, of[i]->begin);
        end = min_i64(end, of[i]->end);
    }
    return begin < end;
}

static void expect_text(Bench *bench, const Schedule *schedule, int64_t number, const char *words)
{
    const ScheduledOperation *operation = &schedule->operations[number];
    assert_true(operation->wait_count > 0);
    Str text = schedule_wait_text(&bench->arena, schedule, &operation->waits[0]);
    assert_non_null(strstr(str_terminated(&bench->arena, text), words));
}

// ---- banks

TEST(one_pass_keeps_dma_away)
{
    static const struct {
        int64_t streak;
        bool keeps;
    } rows[] = {{1, false}, {62, false}, {63, true}, {64, true}, {PACKETS, true}};
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        for (Context context = CONTEXT_MAIN; context <= CONTEXT_SUB; context++) {
            Bench bench;
            bench_open(&bench);
            pass(&bench, context, PACKETS, rows[i].streak);
            load(&bench, 0, 0, 64);
            const Schedule *schedule = scheduled(&bench, COST_MANUAL);
            assert_int_equal(run_at_once(schedule, 0, 1), !rows[i].keeps);
            if (rows[i].keeps) {
                assert_int_equal(schedule->operations[1].waits[0].kind, WAIT_BANK);
                expect_text(&bench, schedule, 1, "#0 pass, line 1: DMA must not run beside");
            }
            bench_close(&bench);
        }
}

// Of a main pass, a sub pass and a DMA the last one waits, in whatever order they come.
TEST(two_passes_add_up)
{
    static const struct {
        int64_t main, sub;
        bool keeps;
    } rows[] = {{30, 20, false}, {40, 1, false}, {1, 62, false}, {40, 22, false},
                {40, 23, true},  {31, 32, true}, {40, 40, true}};
    static const int64_t orders[][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                        {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        for (size_t k = 0; k < COUNT_OF(orders); k++) {
            Bench bench;
            bench_open(&bench);
            pass(&bench, CONTEXT_MAIN, PACKETS, rows[i].main);
            pass(&bench, CONTEXT_SUB, PACKETS + 600, rows[i].sub);
            load(&bench, 0, 0, 64);
            const Schedule *schedule = ordered(&bench, COST_MANUAL, orders[k], 3);
            assert_int_equal(all_at_once(schedule, 0, 1, 2), !rows[i].keeps);
            const ScheduledOperation *last = &schedule->operations[orders[k][2]];
            assert_int_equal(last->begin > 0, rows[i].keeps);
            if (rows[i].keeps)
                expect_text(&bench, schedule, orders[k][2], "passes of both contexts");
            bench_close(&bench);
        }
}

// Passes that do not stand beside each other in the program may run beside each other: what counts
// is in which order they are placed, not which are neighbours.
TEST(passes_between_do_not_matter)
{
    Bench bench;
    bench_open(&bench);
    pass(&bench, CONTEXT_SUB, PACKETS, 40);
    pass(&bench, CONTEXT_SUB, 8, 1);
    pass(&bench, CONTEXT_MAIN, 8, 1);
    pass(&bench, CONTEXT_MAIN, PACKETS, 40);
    load(&bench, 0, 0, 64);
    const Schedule *schedule = scheduled(&bench, COST_MANUAL);
    assert_true(run_at_once(schedule, 0, 3));
    assert_false(all_at_once(schedule, 0, 3, 4));
    const Wait *wait = &schedule->operations[4].waits[0];
    assert_int_equal(wait->kind, WAIT_BANK);
    assert_int_equal(wait->operation, 0); // is over first
    assert_int_equal(wait->other, 3);
    expect_text(&bench, schedule, 4, "#0 pass, line 1 and #3 pass, line 4: passes of both");
    // the load is placed first: now the second long pass waits for it
    static const int64_t order[] = {4, 0, 1, 2, 3};
    schedule = ordered(&bench, COST_MANUAL, order, 5);
    assert_int_equal(schedule->operations[4].begin, 0);
    assert_false(all_at_once(schedule, 0, 3, 4));
    assert_int_equal(schedule->operations[3].waits[0].kind, WAIT_BANK);
    // one that is over long since is nobody's concern
    bench_close(&bench);
    bench_open(&bench);
    pass(&bench, CONTEXT_SUB, 80, 40);
    pass(&bench, CONTEXT_MAIN, 200, 1);
    pass(&bench, CONTEXT_MAIN, PACKETS, 40);
    load(&bench, 0, 0, 64);
    schedule = scheduled(&bench, COST_MANUAL);
    assert_true(run_at_once(schedule, 2, 3));
    assert_true(schedule->operations[3].begin <= 100);
    bench_close(&bench);
}

TEST(passes_that_keep_banks_take_turns)
{
    Bench bench;
    bench_open(&bench);
    pass(&bench, CONTEXT_MAIN, PACKETS, 64);
    pass(&bench, CONTEXT_SUB, PACKETS, 64);
    const Schedule *schedule = scheduled(&bench, COST_MANUAL);
    assert_false(run_at_once(schedule, 0, 1));
    expect_text(&bench, schedule, 1, "#0 pass, line 1 and #1 pass, line 2: each keeps one bank");
    bench_close(&bench);
}

// ---- hazards

// What the waits of an operation say of bytes in DM: "raw 1 0x2000..0x20ff", the last one first.
static Str hazards_text(Arena *arena, const ScheduledOperation *operation)
{
    StrBuf out = {.arena = arena};
    for (int64_t i = 0; i < operation->wait_count; i++) {
        const Wait *wait = &operation->waits[i];
        if (wait->kind <= WAIT_WAW)
            buf_format(&out, "{} {} 0x{x}..0x{x}\n", wait_kind_names[wait->kind], wait->operation,
                       (unsigned long long)wait->from, (unsigned long long)wait->to - 1);
    }
    return buf_str(&out);
}

// A load writes DM from 0x2000 on, 4 KiB a slice; a pass of main then writes over a part of that.
TEST(who_wrote_last_is_the_culprit)
{
    static const struct {
        int64_t over, over_words; // what main writes
        int64_t from, words;      // what sub reads
        const char *hazards;
    } rows[] = {
        {0x2000, 32, 0x2000, 32, "raw 1 0x2000..0x20ff\n"},                       // all
        {0x2000, 32, 0x2040, 16, "raw 1 0x2040..0x20bf\n"},                       // inside
        {0x2000, 32, 0x2080, 32, "raw 1 0x2080..0x20ff\nraw 0 0x2100..0x217f\n"}, // its end
        {0x2080, 32, 0x2000, 32, "raw 1 0x2080..0x20ff\nraw 0 0x2000..0x207f\n"}, // its begin
        {0x2040, 8, 0x2000, 32, "raw 1 0x2040..0x207f\nraw 0 0x2000..0x203f\n"},  // around
        {0x2100, 32, 0x2000, 32, "raw 0 0x2000..0x20ff\n"},                       // beside
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        Bench bench;
        bench_open(&bench);
        add_dma(&bench.arena, &bench.object,
                &(DescriptorRow){MEDIA_HBM, MEDIA_DM, .dest = 0x2000, .packet = 4096,
                                 .loops = {{4, 4096, SLICE}}});
        add_pass(&bench.arena, &bench.object,
                 &(PassRow){CONTEXT_MAIN, rows[i].over_words, 1, 1, 0, rows[i].over, .chips = 1});
        add_pass(&bench.arena, &bench.object,
                 &(PassRow){CONTEXT_SUB, rows[i].words, 1, -1, rows[i].from, 0, .chips = 1});
        const Schedule *schedule = scheduled(&bench, COST_MANUAL);
        Str text = hazards_text(&bench.arena, &schedule->operations[2]);
        assert_string_equal(str_terminated(&bench.arena, text), rows[i].hazards);
        bench_close(&bench);
    }
}

// ---- custom topologies

TEST(a_topology_stops_the_other_context)
{
    enum { REGISTERS = 300 };
    for (Context context = CONTEXT_MAIN; context <= CONTEXT_SUB; context++) {
        Context other = context == CONTEXT_MAIN ? CONTEXT_SUB : CONTEXT_MAIN;
        Bench bench;
        bench_open(&bench);
        add_pass(&bench.arena, &bench.object,
                 &(PassRow){context, 100, 1, -1, READ_AT, 0, .registers = REGISTERS});
        pass(&bench, other, 100, 1);
        load(&bench, 0, 0, 64);
        const Schedule *schedule = scheduled(&bench, COST_MANUAL);
        for (int64_t i = 1; i < 3; i++) {
            assert_int_equal(schedule->operations[i].begin, REGISTERS);
            assert_int_equal(schedule->operations[i].waits[0].kind, WAIT_SWITCH);
        }
        // and waits itself until they are idle
        static const int64_t order[] = {1, 2, 0};
        schedule = ordered(&bench, COST_MANUAL, order, 3);
        assert_true(schedule->operations[0].begin >= schedule->operations[1].end);
        assert_true(schedule->operations[0].begin >= schedule->operations[2].end);
        bench_close(&bench);
    }
}

// A pass that fills faster and needs the Vector Engine does not write its registers later: it does
// not wait for the Vector Engine alone, which would be the shorter the longer it fills.
TEST(a_faster_fill_does_not_delay_registers)
{
    enum { REGISTERS = 4 };
    Bench bench;
    bench_open(&bench);
    add_pass(&bench.arena, &bench.object,
             &(PassRow){CONTEXT_MAIN, 1000, 1, -1, READ_AT, 0, .beats = 1000});
    add_pass(&bench.arena, &bench.object,
             &(PassRow){CONTEXT_SUB, 10, 1, -1, READ_AT, 0, .registers = REGISTERS, .beats = 10});
    load(&bench, 0, 0, 6400);
    Machine slow = machine_rngd;
    slow.switch_fill_cycles = 500;
    int64_t cycles[2];
    const Machine *machines[] = {&slow, &machine_rngd};
    for (int i = 0; i < 2; i++) {
        ScheduleOptions options = {COST_MANUAL, NULL, 0};
        const Schedule *schedule = schedule_new(&bench.arena, &bench.scratch, &bench.diags,
                                                machines[i], &bench.object, &options);
        const ScheduledOperation *operations = schedule->operations;
        cycles[i] = schedule->cycles;
        assert_int_equal(operations[1].begin, operations[0].end); // not when it drains
        assert_int_equal(operations[1].waits[0].kind, WAIT_SWITCH);
        assert_int_equal(operations[2].begin, operations[1].begin + REGISTERS);
    }
    assert_true(cycles[1] <= cycles[0]);
    bench_close(&bench);
}

// ---- DMA

// Of one cluster or two, of one chip or two: a command has all of DMA.
TEST(commands_of_dma_take_turns)
{
    for (CostModel model = 0; model < COST_MODELS; model++)
        for (int64_t chip = 0; chip < 2; chip++)
            for (int64_t cluster = 0; cluster < 2; cluster++) {
                Bench bench;
                bench_open(&bench);
                bench.object.chips = 2;
                load(&bench, 0, 0, 64);
                load(&bench, chip, cluster, 64);
                const Schedule *schedule = scheduled(&bench, model);
                const ScheduledOperation *second = &schedule->operations[1];
                assert_int_equal(second->begin, schedule->operations[0].end);
                assert_int_equal(second->waits[0].kind,
                                 model == COST_MANUAL ? WAIT_LANE : WAIT_FIFO);
                bench_close(&bench);
            }
}

// A command that waits for a pass holds up those behind it, in all models; one in front of it runs
// beside the pass.
TEST(dma_waits_behind_what_waits_for_a_pass)
{
    static const int64_t load_first[] = {0, 2, 1};
    for (CostModel model = 0; model < COST_MODELS; model++) {
        Bench bench;
        bench_open(&bench);
        add_pass(&bench.arena, &bench.object,
                 &(PassRow){CONTEXT_MAIN, PACKETS, 1, 1, READ_AT, WRITE_AT, .chips = 1});
        add_dma(&bench.arena, &bench.object,
                &(DescriptorRow){MEDIA_DM, MEDIA_HBM, .source = WRITE_AT, .packet = 256,
                                 .loops = {{4, SLICE, 256}}});
        load(&bench, 0, 0, 64);
        const ScheduledOperation *operations = scheduled(&bench, model)->operations;
        assert_int_equal(operations[1].begin, operations[0].end);
        assert_int_equal(operations[1].waits[0].kind, WAIT_RAW);
        assert_int_equal(operations[2].begin, operations[1].end);
        assert_int_equal(operations[2].waits[0].kind, model == COST_MANUAL ? WAIT_LANE : WAIT_FIFO);
        assert_true(run_at_once(ordered(&bench, model, load_first, 3), 0, 2));
        bench_close(&bench);
    }
}

static HwDescriptor *host_load(Bench *bench, int64_t chip)
{
    return add_dma(&bench->arena, &bench->object,
                   &(DescriptorRow){MEDIA_HOST, MEDIA_HBM, .chip = chip, .cluster = -1,
                                    .engine = -1, .dest = 64 << 20, .packet = 256,
                                    .loops = {{300, 256, 256}}});
}

// Transfers from the host and between chips share what leads into a chip; each way out and in is
// its own, and so is that of each chip.
TEST(chips_share_their_own_pcie)
{
    for (int64_t chip = 0; chip < 2; chip++) {
        Bench bench;
        bench_open(&bench);
        bench.object.chips = 2;
        DescriptorRow row = {MEDIA_HBM,       MEDIA_HBM,     .source = 1 << 20,
                             .dest = 2 << 20, .packet = 256, .loops = {{300, 256, 256}}};
        HwDescriptor *across = add_dma(&bench.arena, &bench.object, &row); // from chip 0 to 1
        across->inter_chip = true;
        across->dest.chip = 1;
        host_load(&bench, chip);
        const Schedule *schedule = scheduled(&bench, COST_MANUAL);
        const ScheduledOperation *host = &schedule->operations[1];
        int64_t moving = 300 * 256 / 30;
        if (chip == 1) {
            assert_int_equal(host->end, 500 + 2 * moving);
            expect_text(&bench, schedule, 1, "has PCIe in 1");
        } else {
            assert_true(host->end < 500 + moving + moving / 10); // HBM of chip 0 only
        }
        bench_close(&bench);
    }
}

TEST(chips_have_their_own_hbm)
{
    for (int64_t chip = 0; chip < 2; chip++) {
        Bench bench;
        bench_open(&bench);
        bench.object.chips = 2;
        load(&bench, 0, 0, 240); // as long as the transfer from the host, nearly
        host_load(&bench, chip);
        const Schedule *schedule = scheduled(&bench, COST_MANUAL);
        bool share = false;
        for (int64_t i = 0; i < schedule->operations[1].wait_count; i++)
            share |= schedule->operations[1].waits[i].operation == 0;
        assert_int_equal(share, chip == 0);
        bench_close(&bench);
    }
}

// ---- advice

// A load that writes over what a long pass reads waits for it; but main is busy all the same, so
// that a second buffer gains what the load takes at most.
TEST(advice_promises_no_more_than_is_there)
{
    Bench bench;
    bench_open(&bench);
    add_pass(&bench.arena, &bench.object,
             &(PassRow){CONTEXT_MAIN, PACKETS, 1, -1, LOAD_AT + (1 << 20) / 256, 0, .chips = 1});
    load(&bench, 0, 0, 64);
    const Schedule *schedule = scheduled(&bench, COST_MANUAL);
    const ScheduledOperation *second = &schedule->operations[1];
    assert_int_equal(second->waits[0].kind, WAIT_WAR);
    assert_int_equal(schedule_gain(&bench.arena, schedule, 1U << WAIT_WAR),
                     schedule_cycles(second)); // not the pass that it waits for, which stays
    assert_int_equal(schedule_gain(&bench.arena, schedule, 1U << WAIT_RAW), 0);
    AdviceList advice = {0};
    schedule_advice(&bench.arena, schedule, &advice);
    bool told = false;
    for (int64_t i = 0; i < advice.count; i++)
        told |= strstr(str_terminated(&bench.arena, advice.items[i]), "at most") != NULL;
    assert_true(told);
    bench_close(&bench);
}

// Two loads can be one only where they are one line, executed twice.
TEST(only_rounds_of_a_line_become_longer_transfers)
{
    for (int64_t rounds = 0; rounds < 2; rounds++) {
        Bench bench;
        bench_open(&bench);
        load(&bench, 0, 0, 4);
        load(&bench, 0, 0, 4);
        for (int64_t i = 0; i < 2; i++)
            bench.object.operations.items[i].line = rounds ? 7 : 7 + i;
        const Schedule *schedule = scheduled(&bench, COST_MANUAL);
        AdviceList advice = {0};
        schedule_advice(&bench.arena, schedule, &advice);
        bool told = false;
        for (int64_t i = 0; i < advice.count; i++)
            told |= strstr(str_terminated(&bench.arena, advice.items[i]),
                           "starts up 2 times, 1,000 cycles") != NULL;
        assert_int_equal(told, rounds);
        bench_close(&bench);
    }
}

// ---- words

TEST(long_lines_end_with_an_ellipsis)
{
    static const struct {
        const char *source;
        int64_t width;
        const char *shown;
    } rows[] = {
        {"x.to_dm(&mut ctx.tdma, 0)", 100, " 1: x.to_dm(&mut ctx.tdma, 0)\n"},
        {"let a: DmTensor<bf16, m![A = 4], m![B], Element> = x.to_dm(0);", 100,
         " 1: let a = x.to_dm(0);\n"},
        {"let a: DmTensor<bf16, m![A = 4], m![B], Element> = x.to_dm(0);", 160,
         " 1: let a: DmTensor<bf16, m![A = 4], m![B], Element> = x.to_dm(0);\n"},
        {"let Pair::Of(a) = x.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0);", 100,
         " 1: let Pair::Of(a) = x.to_dm::<Cluster, Slice,…\n"},
        {"let é = x.to_dm::<Cluster, Slice, m![ééé]>(&mut ctx.tdma, 0);", 100,
         " 1: let é = x.to_dm::<Cluster, Slice, m![ééé]>(…\n"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        Bench bench;
        bench_open(&bench);
        load(&bench, 0, 0, 4);
        bench.object.operations.items[0].text = str_from(rows[i].source);
        StrBuf out = {.arena = &bench.arena};
        schedule_print_summary(&out, scheduled(&bench, COST_MANUAL),
                               &(SummaryOptions){.width = rows[i].width});
        const char *text = str_terminated(&bench.arena, buf_str(&out));
        if (!strstr(text, rows[i].shown))
            fail_msg("%s is not in\n%s", rows[i].shown, text);
        bench_close(&bench);
    }
}

// ---- roofs

// Of i8 the MAC array has twice the lanes. Both passes use all of them, for as long: together they
// are at the peak for as long as both of them take.
TEST(each_type_has_its_own_peak)
{
    enum { BF16_LANES = 32, I8_LANES = 64, MAC_ROWS = 8, SLICES = 512, USED_SLICES = 4 };
    static const struct {
        int64_t lanes[2];
        double mean; // lanes of a product
    } rows[] = {
        {{BF16_LANES, BF16_LANES}, 32},
        {{I8_LANES, I8_LANES}, 64},
        {{BF16_LANES, I8_LANES}, 48}, // 32 and 64 products in two steps
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        Bench bench;
        bench_open(&bench);
        for (int64_t k = 0; k < 2; k++)
            add_pass(
                &bench.arena, &bench.object,
                &(PassRow){CONTEXT_MAIN, PACKETS, 1, -1, READ_AT, 0, .lanes = rows[i].lanes[k]});
        const Schedule *schedule = scheduled(&bench, COST_MANUAL);
        double cycles = (double)schedule->cycles, peak = (double)schedule->peak_macs;
        assert_true(peak == rows[i].mean * MAC_ROWS * SLICES * cycles);
        assert_true(fabs((double)schedule->macs / peak -
                         2.0 * PACKETS / cycles * USED_SLICES / SLICES) < 1e-12);
        bench_close(&bench);
    }
}
