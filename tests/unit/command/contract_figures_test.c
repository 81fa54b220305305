// The manual's own figures of the chapters on the Contraction Engine, recomputed by the lowering.
#include "../engine/stream_support.h"
#include "lowered.h"
#include <inttypes.h>

typedef struct {
    const char *axes, *type, *time, *packet, *row, *element, *out_time, *out_packet;
    const char *slice; // NULL: 1
} Pair;

typedef struct {
    Chain chain;
    Arena arena, scratch;
    DiagList diags;
    Lower lower;
    const Stage *align;
} Bench;

static void bench_open(Bench *bench, const Pair *pair)
{
    memset(bench, 0, sizeof *bench);
    Chain *c = &bench->chain;
    chain_open(c, pair->axes, RULES_CONTRA, CONTEXT_MAIN);
    bench->diags.arena = &bench->arena;
    bench->lower = (Lower){&bench->arena, &bench->scratch, &bench->diags, &machine_rngd, NULL};
    chain_input(
        c, POSITION_COLLECT,
        (Shape){
            .type = pair->type, .slice = pair->slice, .time = pair->time, .packet = pair->packet});
    const Tensor *trf = chain_tensor(
        c, TIER_TRF, ORIGIN_PARAM,
        (Shape){
            .type = pair->type, .slice = pair->slice, .row = pair->row, .element = pair->element});
    bench->align = chain_add(c, (Stage){.kind = STAGE_ALIGN, .trf = trf},
                             (Shape){.time = pair->out_time, .packet = pair->out_packet});
    chain_expect(c, 0, "");
}

static void bench_close(Bench *bench)
{
    arena_release(&bench->scratch);
    arena_release(&bench->arena);
    chain_close(&bench->chain);
}

static HwReduce reduced(Bench *bench, const char *columns, AccumulateKind kind, const char *time,
                        const char *packet)
{
    Chain *c = &bench->chain;
    HwReduce reduce;
    chain_add(c, (Stage){.kind = STAGE_CONTRACT}, (Shape){.packet = columns});
    const Stage *sums = chain_add(c, (Stage){.kind = STAGE_ACCUMULATE, .accumulate = kind},
                                  (Shape){.time = time, .packet = packet});
    chain_expect(c, 0, "");
    assert_true(reduce_lower(&bench->lower, c->pass, sums, &reduce));
    return reduce;
}

// "{32, 0} {2, 32}": as the manual lists them, entry 0 innermost.
static const char *entries_of(Arena *arena, const HwNest *nest)
{
    StrBuf text = {.arena = arena};
    for (int64_t i = nest->loops.count - 1; i >= 0; i--)
        buf_format(&text, "{}{{{}, {}}", text.len ? " " : "", nest->loops.items[i].size,
                   nest->loops.items[i].stride * nest->element_bits / 8);
    return str_terminated(arena, buf_str(&text));
}

// Aligner; Stream Adapter; TRF Sequencer.
TEST(pairs)
{
    static const char axes[] = "M=32,N=8,K=16,L=2,O=2,T=5,C=32";
    static const struct {
        Pair pair;
        int64_t read_size, collect_flits, data_bytes, pad_bytes, out_time, tile;
        const char *entries;
    } rows[] = {
        {{axes, "bf16", "M, O, L", "K", "N", "O, M, K", "M, O", "L, K", NULL},
         32,
         2,
         64,
         0,
         64,
         1,
         "{2, 1024} {32, 32}"},
        {{axes, "bf16", "O, M, L", "K", "N", "O, K", "O, M", "L, K", NULL},
         32,
         2,
         64,
         0,
         64,
         1,
         "{32, 0} {2, 32}"},
        {{axes, "bf16", "M, C / 16", "C % 16", "N", "C", "M", "C", NULL},
         64,
         2,
         64,
         0,
         32,
         1,
         "{32, 0}"},
        {{axes, "bf16", "M", "K", "N", "K", "M", "K # 32", NULL}, 32, 1, 32, 32, 32, 1, "{32, 0}"},
        {{axes, "bf16", "M", "K", "N", "T, K", "M, T", "K # 32", NULL},
         32,
         1,
         32,
         32,
         160,
         5,
         "{5, 32} {32, 0}"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        Bench bench;
        HwStreamAdapt adapt;
        HwTrfRead read;
        bench_open(&bench, &rows[i].pair);
        assert_true(align_lower(&bench.lower, bench.align, &adapt, &read));
        assert_int_equal(read.nest.access_bytes, rows[i].read_size);
        assert_int_equal(read.broadcast * read.nest.access_bytes, 64);
        assert_int_equal(read.bank_columns, rows[i].read_size == 64 ? 2 : 1);
        assert_int_equal(adapt.collect_flits, rows[i].collect_flits);
        assert_int_equal(adapt.data_bytes, rows[i].data_bytes);
        assert_int_equal(adapt.pad_bytes, rows[i].pad_bytes);
        assert_int_equal(adapt.out_time, rows[i].out_time);
        assert_int_equal(adapt.tile, rows[i].tile);
        assert_int_equal(adapt.rows, 8);
        assert_string_equal(entries_of(&bench.arena, &read.nest), rows[i].entries);
        bench_close(&bench);
    }
}

// A loop of more iterations than an entry has becomes two.
TEST(long_loops)
{
    Bench bench;
    HwStreamAdapt adapt;
    HwTrfRead read;
    bench_open(&bench,
               &(Pair){"A=65536,B=6,K=32", "i8", "A, B", "K", "1", "K", "A, B", "K # 64", NULL});
    assert_true(align_lower(&bench.lower, bench.align, &adapt, &read));
    assert_string_equal(entries_of(&bench.arena, &read.nest), "{65536, 0} {6, 0}");
    bench_close(&bench);
    bench_open(&bench, &(Pair){"A=131072,K=32", "i8", "A", "K", "1", "K", "A", "K # 64", NULL});
    assert_true(align_lower(&bench.lower, bench.align, &adapt, &read));
    assert_string_equal(entries_of(&bench.arena, &read.nest), "{65536, 0} {2, 0}");
    bench_close(&bench);
}

// Strides of half a byte stay strides of elements.
TEST(nibbles)
{
    Bench bench;
    HwStreamAdapt adapt;
    HwTrfRead read;
    bench_open(&bench, &(Pair){"A=4,K=3", "i4", "A", "K # 64", "1", "A, K", "A", "K # 128", NULL});
    assert_true(align_lower(&bench.lower, bench.align, &adapt, &read));
    assert_int_equal(read.nest.element_bits, 4);
    assert_int_equal(read.nest.loops.items[0].stride, 3);
    assert_int_equal(read.nest.access_bytes, 2);
    bench_close(&bench);
}

// ---- loads

static HwTrfStore stored(Bench *bench, const char *type, const char *time, const char *packet,
                         const char *row, const char *element, TrfAddress address)
{
    Chain *c = &bench->chain;
    memset(bench, 0, sizeof *bench);
    chain_open(c, "N=8,R=4,Q=2,M=32,O=2,K=16,I=32,J=64", RULES_CONTRA, CONTEXT_SUB);
    bench->diags.arena = &bench->arena;
    bench->lower = (Lower){&bench->arena, &bench->scratch, &bench->diags, &machine_rngd, NULL};
    chain_input(c, POSITION_COLLECT, (Shape){.type = type, .time = time, .packet = packet});
    Tensor *trf = arena_new(&c->arena, Tensor, 1);
    *trf = *chain_tensor(c, TIER_TRF, ORIGIN_RESULT,
                         (Shape){.type = type, .row = row, .element = element});
    trf->trf = address;
    const Stage *stage = chain_add(c, (Stage){.kind = STAGE_TO_TRF, .result = trf}, (Shape){0});
    chain_expect(c, 0, "");
    HwTrfStore store;
    assert_true(to_trf_lower(&bench->lower, c->pass, stage, &store));
    return store;
}

// TRF Sequencer, TRF Memory Layout.
TEST(layouts)
{
    static const struct {
        const char *type, *time, *packet, *row, *element;
        TrfAddress address;
        int64_t reg_type, slots, per_bank_row, elements, row_bits, first_row, bank_rows;
    } rows[] = {
        {"bf16", "N, O, M", "K", "N", "O, M, K", TRF_FIRST_HALF, 3, 4, 16, 1024, 6, 0, 1},
        {"bf16", "N, O", "K", "N", "O, K", TRF_FULL, 3, 4, 16, 32, 7, 0, 1},
        {"i8", "R, M", "I", "R", "M, I", TRF_FULL, 1, 2, 32, 1024, 8, 0, 2},
        {"f8e4m3", "Q, M", "I", "Q", "M, I", TRF_SECOND_HALF, 2, 2, 32, 1024, 8, 64, 4},
        {"i4", "M", "J", "1", "M, J", TRF_FULL, 0, 1, 64, 2048, 10, 0, 8},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        Bench bench;
        HwTrfStore store = stored(&bench, rows[i].type, rows[i].time, rows[i].packet, rows[i].row,
                                  rows[i].element, rows[i].address);
        const HwTrfLayout *layout = &store.layout;
        assert_int_equal(store.reg_type, rows[i].reg_type);
        assert_int_equal(store.slots_per_element, rows[i].slots);
        assert_int_equal(store.elements_per_bank_row, rows[i].per_bank_row);
        assert_int_equal(store.row_bytes * 8 / scalar_traits[store.type].packet_bits,
                         rows[i].elements);
        assert_int_equal(layout->row_address_bits, rows[i].row_bits);
        assert_int_equal(layout->first_row, rows[i].first_row);
        assert_int_equal(layout->bank_rows_per_row, rows[i].bank_rows);
        // 320 bits a row of a bank, 640 on the way: what the Reducer gets at a time
        int64_t bits = layout->slots_per_bank_row * machine_rngd.trf_slot_width_bits;
        assert_int_equal(bits, 320);
        assert_int_equal(bits / (machine_rngd.trf_slot_width_bits * store.slots_per_element),
                         store.elements_per_bank_row);
        int64_t part = layout->bank_columns * layout->rows_in_bank * layout->bank_row_bytes;
        assert_int_equal(part, layout->address == TRF_FULL ? 8192 : 4096);
        bench_close(&bench);
    }
}

// SRAM-to-TRF: a compact instruction does what is contiguous.
TEST(short_commands)
{
    static const struct {
        const char *type, *element, *cast, *time, *packet;
        bool is_short;
    } rows[] = {
        {"i8", "N, M, I", "i8", "N, M", "I", true},
        {"i8", "M, N, I", "i8", "N, M", "I", false},
        {"i8", "N, I", "i8", "N, M", "I", false},
        {"i8", "N, M, I # 40", "i8", "N, M", "I", false},
        {"i8", "N, M, I", "i9", "N, M", "I", false},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        Chain c;
        Arena arena = {0}, scratch = {0};
        DiagList diags = {.arena = &arena};
        Lower lower = {&arena, &scratch, &diags, &machine_rngd, NULL};
        HwTrfStore store;
        Shape stream = {.type = rows[i].cast, .time = rows[i].time, .packet = rows[i].packet};
        chain_open(&c, "N=8,M=32,I=32", RULES_CONTRA, CONTEXT_MAIN);
        chain_begin(&c, chain_tensor(&c, TIER_DM, ORIGIN_PARAM,
                                     (Shape){.type = rows[i].type, .element = rows[i].element}));
        chain_add(&c, (Stage){.kind = STAGE_FETCH}, stream);
        chain_add(&c, (Stage){.kind = STAGE_COLLECT}, stream);
        const Tensor *trf =
            chain_tensor(&c, TIER_TRF, ORIGIN_RESULT,
                         (Shape){.type = rows[i].cast, .row = "N", .element = "M, I"});
        const Stage *stage =
            chain_add(&c, (Stage){.kind = STAGE_TO_TRF, .result = trf}, (Shape){0});
        chain_expect(&c, i, "");
        assert_true(to_trf_lower(&lower, c.pass, stage, &store));
        assert_int_equal(store.short_command, rows[i].is_short);
        arena_release(&scratch);
        arena_release(&arena);
        chain_close(&c);
    }
}

// ---- the Reducer

TEST(trees)
{
    static const struct {
        const char *type;
        int64_t lanes, depth;
        Scalar out;
    } rows[] = {
        {"i4", 128, 7, SCALAR_I32},
        {"i8", 64, 6, SCALAR_I32},
        {"f8e4m3", 64, 6, SCALAR_F32},
        {"bf16", 32, 5, SCALAR_F32},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        Bench bench;
        char flit[64], packet[64], time[64];
        int64_t lanes = rows[i].lanes;
        snprintf(time, sizeof time, "K # 128 %% %" PRId64 " / %" PRId64, lanes, lanes / 2);
        snprintf(flit, sizeof flit, "K # 128 %% %" PRId64, lanes / 2);
        snprintf(packet, sizeof packet, "K # 128 %% %" PRId64, lanes);
        bench_open(&bench,
                   &(Pair){"K=128,N=8", rows[i].type, time, flit, "N", packet, "1", packet, NULL});
        HwReduce reduce = reduced(&bench, "1", ACCUMULATE_INTERLEAVED, "1", "N");
        assert_int_equal(reduce.packet_elements, lanes);
        assert_int_equal(reduce.tree_depth, rows[i].depth);
        assert_int_equal(reduce.tree_outputs, 1);
        assert_int_equal(reduce.out_type, rows[i].out);
        assert_int_equal(reduce.data.count, 0);
        bench_close(&bench);
    }
}

// The example in both modes: K partly reduced in space, partly in time.
TEST(modes)
{
    static const Pair pair = {"M=4,N=8,K=64", "bf16",        "K / 16, M", "K % 16", "N", "K",
                              "K / 16, M",    "K % 16 # 32", NULL};
    Bench bench;
    bench_open(&bench, &pair);
    HwReduce reduce = reduced(&bench, "K % 16 / 4", ACCUMULATE_INTERLEAVED, "M, K % 16 / 4", "N");
    assert_int_equal(reduce.tree_depth, 2);
    assert_int_equal(reduce.columns, 4);
    assert_int_equal(reduce.interleave_steps, 8);
    assert_int_equal(reduce.inner_size, 16);
    assert_int_equal(reduce.slots, 128);
    assert_int_equal(reduce.out_time, 16);
    bench_close(&bench);
    bench_open(&bench, &pair);
    reduce = reduced(&bench, "K % 16 / 4", ACCUMULATE_SEQUENTIAL, "M, N", "K % 16 / 4 # 8");
    assert_int_equal(reduce.inner_size, 32);
    assert_int_equal(reduce.slots, 1024);
    assert_int_equal(reduce.interleave_steps, 1);
    assert_int_equal(reduce.out_time, 32);
    bench_close(&bench);
    assert_int_equal(machine_rngd.accumulator_rows * machine_rngd.accumulator_columns *
                         machine_rngd.accumulator_registers,
                     1024);
}

// Which slots mean something: rows x columns x registers; one column a row once all is summed.
TEST(useful_slots)
{
    static const struct {
        const char *row;
        int64_t interleaved;
    } rows[] = {{"1", 128}, {"Q", 256}, {"R", 512}, {"N", 1024}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        Bench bench;
        char packet[16];
        snprintf(packet, sizeof packet, "%s # 8", rows[i].row);
        bench_open(&bench, &(Pair){"A=3,M=128,N=8,R=4,Q=2,K=16", "bf16", "A, M", "K", rows[i].row,
                                   "A, K", "A, M", "K # 32", NULL});
        HwReduce reduce = reduced(&bench, "1", ACCUMULATE_INTERLEAVED, "M", packet);
        assert_int_equal(reduce.inner_size, 128); // the limit
        assert_int_equal(reduce.inner_size * reduce.rows, rows[i].interleaved);
        assert_int_equal(reduce.slots, 1024);
        bench_close(&bench);
    }
    Bench bench;
    bench_open(&bench, &(Pair){"A=3,M=4,N=8,K=16", "bf16", "A, M", "K", "N", "A, K", "A, M",
                               "K # 32", NULL});
    HwReduce reduce = reduced(&bench, "1", ACCUMULATE_SEQUENTIAL, "M, N", "1 # 8");
    assert_int_equal(reduce.inner_size, 32); // the limit
    assert_int_equal(reduce.inner_size * reduce.columns, 32);
    assert_int_equal(reduce.slots, 1024);
    bench_close(&bench);
}

// Temporal Reduction: 16 packets, 8 slots, stored in the first round and added to in the second.
TEST(trace)
{
    Bench bench;
    bench_open(&bench, &(Pair){"A=2048,B=8", "bf16", "B / 4, A % 8", "B % 4 # 16", "1", "B",
                               "B / 4, A % 8", "B % 4 # 32", "A / 8"});
    HwReduce reduce = reduced(&bench, "1", ACCUMULATE_INTERLEAVED, "A % 8", "1 # 8");
    assert_int_equal(reduce.in_time, 16);
    assert_int_equal(reduce.buffered, 8);
    assert_int_equal(reduce.out_time, 8);
    assert_int_equal(reduce.loops.count, 2);
    const HwSlotLoop *outer = &reduce.loops.items[0], *inner = &reduce.loops.items[1];
    for (int64_t step = 0; step < 16; step++) {
        int64_t i = step / inner->size, k = step % inner->size;
        int64_t place = i * outer->stride + k * inner->stride;
        bool stored_first = i == 0 || !outer->reduced;
        assert_int_equal(place % reduce.buffered, step % 8);
        assert_int_equal(stored_first, step < 8);
    }
    assert_string_equal(str_terminated(&bench.arena, outer->term), "B / 4");
    bench_close(&bench);
}
