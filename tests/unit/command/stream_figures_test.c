// The manual's own figures, read off the records of the Fetch, Switch, Collect and Commit Engine.
// Where the manual errs, the figure is the mended one.
#include "stream_support.h"

#include "../program/program_support.h"
#include "command/bank.h"
#include "engine/engine.h"
#include <string.h>

// ---- one pass from text

typedef struct {
    Desk *desk;
    Lower lower;
    const Pass *pass;
} Bench;

// `element` of %0, and of %1 where the pass has that, then the lines of the pass. Axes are "A=3
// B=5".
static Bench bench_open(const char *axes, const char *type, const char *slice, const char *element,
                        const char *stages_text)
{
    Bench bench = {.desk = desk_new(&engine_rules)};
    Arena *arena = &bench.desk->arena;
    StrBuf out = {.arena = arena};
    buf_format(&out, "program p chip=1\n");
    char name[8];
    long long size;
    for (int used; sscanf(axes, " %7[A-Z]=%lld%n", name, &size, &used) == 2; axes += used)
        buf_format(&out, "axis {} = {}\n", name, size);
    int tensors = strstr(stages_text, "%1") ? 2 : 1; // two large ones would not fit
    for (int i = 0; i < tensors; i++)
        buf_format(&out,
                   "%{} = param dm {} chip [1] cluster [1 # 2] slice [{}] element [{}] at 0x{x}\n",
                   i, type, slice, element, i * 0x10000);
    buf_format(&out, "pass main\n{}\nend\n", stages_text);
    const Program *program = desk_program(bench.desk, buf_str(&out));
    bench.pass = program->ops.count ? program->ops.items[0]->pass : program->open.items[0];
    bench.lower = (Lower){arena, arena, &bench.desk->diags, &machine_rngd, program};
    return bench;
}

static const Stage *stage_of(const Bench *bench, StageKind kind)
{
    for (int64_t i = 0; i < bench->pass->stages.count; i++)
        if (bench->pass->stages.items[i]->kind == kind)
            return bench->pass->stages.items[i];
    fail_msg("no such stage");
    return NULL;
}

static HwFetch fetch_of(const Bench *bench)
{
    HwFetch fetch;
    assert_true(fetch_lower(&bench->lower, bench->pass, stage_of(bench, STAGE_FETCH), &fetch));
    return fetch;
}

static HwCommit commit_of(const Bench *bench)
{
    HwCommit commit;
    assert_true(commit_lower(&bench->lower, bench->pass, stage_of(bench, STAGE_COMMIT), &commit));
    return commit;
}

// "[3:8, 5:24, 8:1] @ 1024 / 8"
static const char *nest_text(const Bench *bench, const HwNest *nest)
{
    StrBuf out = {.arena = &bench->desk->arena};
    buf_format(&out, "[");
    for (int64_t i = 0; i < nest->loops.count; i++)
        buf_format(&out, "{}{}:{}", i ? ", " : "", nest->loops.items[i].size,
                   nest->loops.items[i].stride);
    buf_format(&out, "] @ {} / {}", nest->base, nest->access_bytes);
    return str_terminated(&bench->desk->arena, buf_str(&out));
}

// ---- fetch

typedef struct {
    const char *axes, *type, *element, *time, *packet, *nest;
    int64_t contiguous, packet_bytes, per_packet, cycles;
} FetchRow;

// Manual: Fetch Engine, Constraints, Padding Packets, Batching; Fetch and Commit Engine.
static const FetchRow fetch_rows[] = {
    {"N=4 C=3 H=4 W=8 S=256", "i8", "N, C, H, W", "N, C, H", "W", "[4:96, 3:32, 4:8, 8:1] @ 0 / 8",
     384, 8, 1, 48},
    {"N=4 C=3 H=4 W=8 S=256", "i8", "N, C, H, W", "C", "N, H, W", "[3:32, 4:96, 4:8, 8:1] @ 0 / 32",
     32, 128, 4, 12},
    {"N=4 C=3 H=4 W=8 S=256", "i8", "N, C, H, W", "1", "N, H, C, W",
     "[4:96, 4:8, 3:32, 8:1] @ 0 / 8", 8, 384, 48, 48},
    {"N=4 C=3 H=4 W=8 S=256", "i8", "N, C, H, W", "N, C, H / 2", "H % 2, W",
     "[4:96, 3:32, 2:16, 2:8, 8:1] @ 0 / 16", 384, 16, 1, 24},
    {"N=4 C=3 H=4 W=8 S=256", "i8", "N, C, H, W", "N, C", "H, W", "[4:96, 3:32, 4:8, 8:1] @ 0 / 32",
     384, 32, 1, 12},
    {"N=4 C=3 H=4 W=8 S=256", "i8", "N, C, H, W", "N", "C, H, W", "[4:96, 3:32, 4:8, 8:1] @ 0 / 32",
     384, 96, 3, 12},
    {"N=4 C=3 H=4 W=8 S=256", "i4", "N, C, H, W", "N", "C, H, W", "[4:96, 3:32, 4:8, 8:1] @ 0 / 16",
     192, 48, 3, 12},
    {"A=3 B=5 C=2 S=256", "f8e4m3", "A, B, C", "A", "[B, C] # 16", "[3:10, 16:1] @ 0 / 16", 16, 16,
     1, 3},
    {"A=3 B=5 C=2 S=256", "f8e4m3", "A, B, C", "1", "[A, B, C] # 32", "[32:1] @ 0 / 32", 32, 32, 1,
     1},
    {"A=3 B=5 C=2 S=256", "f8e4m3", "A, B, C", "A, B", "C # 8", "[3:10, 5:2, 8:1] @ 0 / 8", 8, 8, 1,
     15},
    {"A=65 B=2 S=256", "f8e4m3", "B, A # 72", "B, A # 72 / 24", "A # 72 % 24",
     "[2:72, 3:24, 24:1] @ 0 / 8", 144, 24, 3, 18},
    {"A=65 B=2 S=256", "f8e4m3", "B, A # 96", "B, A # 96 / 32", "A # 96 % 32",
     "[2:96, 3:32, 32:1] @ 0 / 32", 192, 32, 1, 6},
    // more iterations than an entry counts
    {"X=131072 A=32 S=256", "i8", "A", "X", "A", "[2:0, 65536:0, 32:1] @ 0 / 32", 32, 32, 1,
     131072},
    {"X=100000 A=4 S=256", "i8", "X, A", "X / 2", "X % 2, A", "[50000:8, 2:4, 4:1] @ 0 / 8", 400000,
     8, 1, 50000},
    {"X=100000 A=4 S=256", "i8", "A, X", "A", "X", "[4:100000, 2:50000, 50000:1] @ 0 / 32", 400000,
     100000, 3125, 12500},
};

TEST(fetches_are_those_of_the_manual)
{
    for (size_t i = 0; i < COUNT_OF(fetch_rows); i++) {
        const FetchRow *row = &fetch_rows[i];
        char text[256];
        snprintf(text, sizeof text, "  begin %%0\n  fetch %s time [%s] packet [%s]\n  open",
                 row->type, row->time, row->packet);
        Bench bench = bench_open(row->axes, row->type, "S", row->element, text);
        HwFetch fetch = fetch_of(&bench);
        assert_string_equal(nest_text(&bench, &fetch.nest), row->nest);
        assert_int_equal(fetch.contiguous_bytes, row->contiguous);
        assert_int_equal(fetch.packet_bytes, row->packet_bytes);
        assert_int_equal(fetch.fetches_per_packet, row->per_packet);
        assert_int_equal(fetch_cycles(&fetch), row->cycles);
        desk_free(bench.desk);
    }
}

typedef struct {
    const char *axes, *type, *element, *time, *packet, *nest;
    int64_t last_dim, left_pad, count_dim, count_count, counts[8];
} MaskRow;

// Manual: Fetch Engine, Masking Configuration: the three cases, and the first example.
static const MaskRow mask_rows[] = {
    {"A=32 B=90 S=256",
     "i8",
     "A, B # 96",
     "A, [# 2 + B + # 4] / 32",
     "[# 2 + B + # 4] % 32",
     "[32:96, 3:32, 32:1] @ -2 / 32",
     1,
     2,
     -1,
     1,
     {28}},
    {"A=32 B=90 S=256",
     "i8",
     "A, B # 96",
     "[# 2 + B + # 4] / 32, A",
     "[# 2 + B + # 4] % 32",
     "[3:32, 32:96, 32:1] @ -2 / 32",
     0,
     2,
     -1,
     1,
     {28}},
    {"A=32 B=97 S=256",
     "f32",
     "A, B # 128",
     "A, B # 128 / 16, 1",
     "B # 128 % 16",
     "[32:128, 8:16, 1:0, 16:1] @ 0 / 32",
     2,
     0,
     1,
     8,
     {16, 16, 16, 16, 16, 16, 1, 0}},
    {"A=63 S=256", "i8", "A", "1", "A # 64", "[64:1] @ 0 / 32", 0, 0, -1, 1, {63}},
};

TEST(masks_are_those_of_the_manual)
{
    for (size_t i = 0; i < COUNT_OF(mask_rows); i++) {
        const MaskRow *row = &mask_rows[i];
        char text[256];
        snprintf(text, sizeof text, "  begin %%0\n  fetch %s time [%s] packet [%s]\n  open",
                 row->type, row->time, row->packet);
        Bench bench = bench_open(row->axes, row->type, "S", row->element, text);
        HwFetch fetch = fetch_of(&bench);
        assert_string_equal(nest_text(&bench, &fetch.nest), row->nest);
        assert_int_equal(fetch.masks.count, 1);
        const HwMask *mask = &fetch.masks.items[0];
        assert_int_equal(mask->last_dim, row->last_dim);
        assert_int_equal(mask->left_pad, row->left_pad);
        assert_int_equal(mask->valid_count_dim, row->count_dim);
        assert_int_equal(mask->valid_counts.count, row->count_count);
        for (int64_t k = 0; k < row->count_count; k++)
            assert_int_equal(mask->valid_counts.items[k], row->counts[k]);
        desk_free(bench.desk);
    }
}

// Padding that is added up is masked if the registers can express it: the last of 24 steps, but not
// the last three. Padding that stays padding is not masked.
TEST(what_is_added_up_is_masked)
{
    static const struct {
        const char *axes, *stages;
        int64_t masks;
    } rows[] = {
        {"A=8 B=23 S=256",
         "  fetch i32 time [B # 24] packet [A]\n  collect time [B # 24] packet [A]\n  vector_init\n"
         "  vector_intra_slice_branch Unconditional\n"
         "  vector_split time [B # 24, A / 4] packet [A % 4]\n"
         "  vector_intra_slice_reduce B AddSat time [A / 4] packet [A % 4]\n"
         "  vector_concat time [1] packet [A]\n  vector_final\n"
         "  commit -> %2 = dm element [A] at 0x1000",
         1},
        {"A=8 B=21 S=256",
         "  fetch i32 time [B # 24] packet [A]\n  collect time [B # 24] packet [A]\n  vector_init\n"
         "  vector_intra_slice_branch Unconditional\n"
         "  vector_split time [B # 24, A / 4] packet [A % 4]\n"
         "  vector_intra_slice_reduce B AddSat time [A / 4] packet [A % 4]\n"
         "  vector_concat time [1] packet [A]\n  vector_final\n"
         "  commit -> %2 = dm element [A] at 0x1000",
         0},
        {"A=8 B=23 S=256",
         "  fetch i32 time [B # 24] packet [A]\n  collect time [B # 24] packet [A]\n"
         "  commit -> %2 = dm element [B # 24, A] at 0x1000",
         0},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        char text[512];
        snprintf(text, sizeof text, "  begin %%0\n%s", rows[i].stages);
        Bench bench = bench_open(rows[i].axes, "i32", "S", "B # 24, A", text);
        HwFetch fetch = fetch_of(&bench);
        assert_int_equal(fetch.masks.count, rows[i].masks);
        for (int64_t place = 0; rows[i].masks && place < 24 * 8; place++)
            assert_int_equal(walk_fetch(&fetch, (WalkUnit){0}, place / 8, place % 8).is_masked,
                             place >= 23 * 8);
        desk_free(bench.desk);
    }
}

// A value in memory that comes out of the adapter as 0.
TEST(padding_is_chosen_before_the_adapter)
{
    static const struct {
        const char *stage;
        int64_t count;
        uint32_t values[2];
    } rows[] = {
        {"begin %0\n  fetch i8 time [1] packet [A # 64]", 1, {0}},
        {"begin %0\n  fetch i32 time [A # 64 / 8] packet [A # 64 % 8] zero_points (-10)",
         1,
         {(uint32_t)-10}},
        {"begin %0\n  fetch i32 time [A # 64 / 8] packet [A # 64 % 8] zero_points (1000)", 0, {0}},
        {"begin_interleaved I %0 %1\n  fetch i32 time [A # 64 / 8, I] packet [A # 64 % 8] "
         "zero_points (3, -5)",
         2,
         {3, (uint32_t)-5}},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        char text[256];
        snprintf(text, sizeof text, "  %s\n  open", rows[i].stage);
        Bench bench = bench_open("A=63 I=2 S=256", "i8", "S", "A # 64", text);
        HwFetch fetch = fetch_of(&bench);
        assert_int_equal(fetch.masks.count, 1);
        assert_int_equal(fetch.pad_value, 0);
        assert_int_equal(fetch.pad_registers.count, rows[i].count);
        for (int64_t k = 0; k < rows[i].count; k++)
            assert_int_equal((uint32_t)fetch.pad_registers.items[k], rows[i].values[k]);
        desk_free(bench.desk);
    }
}

// Padding becomes the neutral element of the reduction that follows, or the nearest value of the
// type in memory. If a stage before the reduction would change it, it is not masked.
TEST(padding_is_neutral)
{
    static const struct {
        const char *type, *cast, *before, *op;
        int64_t masks;
        uint32_t pad;
    } rows[] = {
        {"i32", "i32", "", "AddSat", 1, 0},
        {"i32", "i32", "", "Max", 1, 0x80000000},
        {"i32", "i32", "", "Min", 1, 0x7fffffff},
        {"i8", "i32", "", "Max", 1, 0xffffff80},
        {"i8", "i32", "", "Min", 1, 0x7f},
        {"i16", "i32", "", "Max", 1, 0xffff8000},
        {"f32", "f32", "", "Add", 1, 0x80000000},
        {"f32", "f32", "", "Max", 1, 0xff800000},
        {"bf16", "f32", "", "Min", 1, 0x7f800000},
        {"f8e4m3", "f32", "", "Max", 1, 0xc3e00000}, // it has no infinity: -448
        {"i32", "i32", "  vector_fxp AddFxp 10\n", "Max", 0, 0},
        {"i32", "i32", "  vector_fxp MulInt 10\n", "AddSat", 1, 0},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        char text[512];
        snprintf(text, sizeof text,
                 "  begin %%0\n  fetch %s time [1] packet [A # 8]\n"
                 "  collect time [1] packet [A # 8]\n  vector_init\n"
                 "  vector_intra_slice_branch Unconditional\n%s"
                 "  vector_split time [A # 8 / 4] packet [A # 8 %% 4]\n"
                 "  vector_intra_slice_reduce A %s time [1] packet [1 # 4]\n"
                 "  vector_pad_way8 packet [1 # 8]\n  vector_final\n"
                 "  commit -> %%2 = dm element [1 # 2] at 0x1000",
                 rows[i].cast, rows[i].before, rows[i].op);
        Bench bench = bench_open("A=6 S=256", rows[i].type, "S", "A # 8", text);
        HwFetch fetch = fetch_of(&bench);
        assert_int_equal(fetch.masks.count, rows[i].masks);
        assert_int_equal((uint32_t)fetch.pad_value, rows[i].pad);
        assert_int_equal(fetch.pad_registers.count, rows[i].masks);
        desk_free(bench.desk);
    }
}

// ---- commit

typedef struct {
    const char *axes, *type, *from, *time, *packet, *element;
    int64_t base;
    const char *nest;
    int64_t in_size, contiguous, writes;
} CommitRow;

// Manual: Commit Engine, Commit Sequencer; Fetch and Commit Engine.
static const CommitRow commit_rows[] = {
    {"M=4 K=2 W=8 S=256", "i8", "M, K, W", "M, K", "W # 32", "M, K, W", 0,
     "[4:16, 2:8, 8:1] @ 0 / 8", 8, 64, 1},
    {"M=4 K=2 W=8 S=256", "f32", "M, K, W", "M, K", "W", "K, M, W", 0, "[4:8, 2:32, 8:1] @ 0 / 32",
     32, 32, 1},
    {"M=4 K=2 N=16 S=256", "bf16", "M, K, N", "M, K", "N", "K, M, N = 8", 0,
     "[4:8, 2:32, 8:1] @ 0 / 16", 16, 16, 1},
    {"M=4 K=2 W=8 S=256", "i8", "K, M, W", "K", "M, W", "K, M, W # 16", 0,
     "[2:64, 4:16, 8:1] @ 0 / 8", 32, 8, 4},
    {"M=4 K=2 J=64 S=256", "i4", "M, K, J", "M, K", "J", "K, M, J", 0,
     "[4:64, 2:256, 64:1] @ 0 / 32", 32, 32, 1},
    {"A=3 B=5 C=2 S=256", "f8e4m3", "A, B, C", "A, B", "C # 32", "B, A, C # 8", 1024,
     "[3:8, 5:24, 8:1] @ 1024 / 8", 8, 8, 1},
    {"A=3 B=5 C=2 S=256", "f8e4m3", "A, B, C", "A", "[B, C] # 32", "A, [B, C] # 32", 1024,
     "[3:32, 32:1] @ 1024 / 32", 32, 96, 1},
    {"A=65 B=2 S=256", "f8e4m3", "B, A # 72", "B, A # 72 / 24", "A # 72 % 24 # 32", "B, A # 72",
     1024, "[2:72, 3:24, 24:1] @ 1024 / 24", 24, 144, 1},
    {"A=65 B=2 S=256", "f8e4m3", "B, A # 80", "B, A # 80 / 16", "A # 80 % 16 # 32", "B, A # 80",
     1024, "[2:80, 5:16, 16:1] @ 1024 / 16", 16, 160, 1},
    {"A=65 B=2 S=256", "f8e4m3", "B, A # 88", "B, A # 88 / 8", "A # 88 % 8 # 32", "B, A # 88", 1024,
     "[2:88, 11:8, 8:1] @ 1024 / 8", 8, 176, 1},
    {"A=65 B=2 S=256", "f8e4m3", "B, A # 96", "B, A # 96 / 32", "A # 96 % 32", "B, A # 96", 1024,
     "[2:96, 3:32, 32:1] @ 1024 / 32", 32, 192, 1},
    // padding behind several axes that is no whole number of the inner ones
    {"A=3 B=5 C=2 S=256", "i8", "A, B, C", "1", "[A, B, C] # 32", "[A, B, C] # 32", 0,
     "[32:1] @ 0 / 32", 32, 32, 1},
    {"A=3 B=5 S=256", "i8", "A, B", "1", "[A, B] # 32", "[A, B] # 16", 0, "[16:1] @ 0 / 16", 16, 16,
     1},
};

TEST(commits_are_those_of_the_manual)
{
    for (size_t i = 0; i < COUNT_OF(commit_rows); i++) {
        const CommitRow *row = &commit_rows[i];
        char text[512];
        snprintf(text, sizeof text,
                 "  begin %%1\n  fetch %s time [%s] packet [%s]\n  commit -> %%2 = dm element [%s] "
                 "at 0x%" PRIx64,
                 row->type, row->time, row->packet, row->element, row->base);
        Bench bench = bench_open(row->axes, row->type, "S", row->from, text);
        HwCommit commit = commit_of(&bench);
        assert_string_equal(nest_text(&bench, &commit.nest), row->nest);
        assert_int_equal(commit.commit_in_size, row->in_size);
        assert_int_equal(commit.contiguous_bytes, row->contiguous);
        assert_int_equal(commit.writes_per_packet, row->writes);
        assert_int_equal(commit.masks.count, 0);
        desk_free(bench.desk);
    }
}

// Manual: Commit Engine, Commit Sequencer (pieces of a packet); Fetch and Commit Engine, Example 1.
TEST(writes_go_where_the_manual_says)
{
    static const int64_t pieces[] = {0, 16, 32, 48};
    static const struct {
        int64_t cycle, address;
    } cycles[] = {{0, 1024}, {1, 1048}, {2, 1072}, {5, 1032}, {6, 1056}};
    Bench bench = bench_open("M=4 K=2 W=8 S=256", "i8", "S", "K, M, W",
                             "  begin %1\n  fetch i8 time [K] packet [M, W]\n"
                             "  commit -> %2 = dm element [K, M, W # 16] at 0x0");
    HwCommit commit = commit_of(&bench);
    for (int64_t i = 0; i < 4; i++)
        assert_int_equal(walk_nest_bit(&commit.nest, 8 * i), pieces[i] * 8);
    desk_free(bench.desk);
    bench = bench_open("A=3 B=5 C=2 S=256", "i8", "S", "A, B, C",
                       "  begin %1\n  fetch i8 time [A, B] packet [C # 32]\n"
                       "  commit -> %2 = dm element [B, A, C # 8] at 0x400");
    commit = commit_of(&bench);
    for (size_t i = 0; i < COUNT_OF(cycles); i++)
        assert_int_equal(walk_nest_bit(&commit.nest, 8 * cycles[i].cycle), cycles[i].address * 8);
    desk_free(bench.desk);
}

// Manual: Commit Engine, Slice Bitmap.
TEST(only_slices_with_data_are_written)
{
    static const struct {
        const char *slice;
        uint64_t words[4];
    } rows[] = {
        {"1 # 256", {1, 0, 0, 0}},
        {"S", {UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX}},
        {"T # 256", {UINT64_MAX, UINT64_MAX, UINT64_MAX, 0xFF}},
        {"1 # 8, U", {UINT64_C(0xFFFFFFFF), 0, 0, 0}},
        {"U, 1 # 8",
         {0x0101010101010101, 0x0101010101010101, 0x0101010101010101, 0x0101010101010101}},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        Bench bench = bench_open("A=32 S=256 T=200 U=32", "i8", rows[i].slice, "A",
                                 "  begin %1\n  fetch i8 time [1] packet [A]\n"
                                 "  commit -> %2 = dm element [A] at 0x0");
        HwCommit commit = commit_of(&bench);
        HwFetch fetch = fetch_of(&bench);
        assert_int_equal(commit.bitmaps.count, 1);
        assert_int_equal(fetch.bitmaps.count, 1);
        assert_int_equal(commit.bitmaps.items[0].cluster, 0); // the other one is padding
        for (int64_t k = 0; k < 4; k++) {
            assert_int_equal(commit.bitmaps.items[0].slices.items[k], rows[i].words[k]);
            assert_int_equal(fetch.bitmaps.items[0].slices.items[k], rows[i].words[k]);
        }
        desk_free(bench.desk);
    }
}

// ---- switch and collect

typedef struct {
    const char *in_slice, *in_time, *config, *slice, *time;
    int64_t ring, slice2, time1, cycles, writes;
    struct {
        int64_t slice;
        const char *sources;
    } rows[8];
} SwitchRow;

// Manual: Switch Engine. Packets of 64 bytes.
static const SwitchRow switch_rows[] = {
    {"A",
     "B",
     "Broadcast01 slice1=2 slice0=2 time0=4",
     "A / 4, X",
     "B / 4, A / 2 % 2, B % 4, A % 2",
     4,
     64,
     16,
     512,
     0,
     {{0, "0 1 2 3"},
      {1, "0 1 2 3"},
      {2, "0 1 2 3"},
      {3, "0 1 2 3"},
      {4, "4 5 6 7"},
      {255, "252 253 254 255"}}},
    {"A",
     "B",
     "Broadcast1 slice1=4 slice0=8",
     "A / 32, X, A % 8",
     "B, A / 8 % 4",
     32,
     8,
     64,
     4096,
     0,
     {{0, "0 8 16 24"}, {33, "33 41 49 57"}}},
    {"A",
     "B",
     "Transpose slice1=32 slice0=2",
     "A / 64, A % 2, A / 2 % 32",
     "B",
     64,
     4,
     64,
     8192,
     0,
     {{1, "2"}, {32, "1"}}},
    {"A",
     "N",
     "InterTranspose slice1=2 slice0=16 time0=2",
     "A / 32, N / 2 % 2, A % 16",
     "N / 4, N % 2, A / 16 % 2",
     32,
     8,
     2,
     512,
     0,
     {{0, "0 16"}, {17, "1 17"}}},
    {"Q, R",
     "N",
     "CustomBroadcast ring_size=256",
     "R % 4, R / 4, Q % 4, Q / 4",
     "N",
     256,
     1,
     8,
     4096,
     2048,
     {{0, "0"}, {1, "64"}, {2, "128"}, {3, "192"}, {4, "16"}, {5, "80"}, {255, "255"}}},
    {"Q, R",
     "N",
     "CustomBroadcast ring_size=32",
     "Q / 2, Y, R / 2, Z",
     "N, Q % 2, R % 2",
     32,
     8,
     8,
     512,
     2048,
     {{0, "0 1 16 17"},
      {1, "0 1 16 17"},
      {2, "2 3 18 19"},
      {3, "2 3 18 19"},
      {255, "238 239 254 255"}}},
    {"Q, R",
     "N",
     "CustomBroadcast ring_size=4",
     "Q, R / 4, X",
     "N, R % 4 = 3",
     4,
     64,
     8,
     64,
     2048,
     {{0, "0 1 2"}, {1, "0 1 2"}, {2, "0 1 2"}, {4, "4 5 6"}, {255, "252 253 254"}}},
};

static const char *sources_text(const Bench *bench, const HwSwitchRoute *route, int64_t slice)
{
    StrBuf out = {.arena = &bench->desk->arena};
    for (int64_t i = 0; i < 256; i++)
        if (walk_snoops(route, slice, i))
            buf_format(&out, "{}{}", out.len ? " " : "", i);
    return str_terminated(&bench->desk->arena, buf_str(&out));
}

TEST(switches_are_those_of_the_manual)
{
    for (size_t i = 0; i < COUNT_OF(switch_rows); i++) {
        const SwitchRow *row = &switch_rows[i];
        char text[512], element[64];
        snprintf(text, sizeof text,
                 "  begin %%0\n  fetch i8 time [%s] packet [P]\n  switch %s slice [%s] time [%s]\n"
                 "  open",
                 row->in_time, row->config, row->slice, row->time);
        snprintf(element, sizeof element, "%s, P", row->in_time);
        Bench bench = bench_open("A=256 B=64 N=8 P=64 Q=16 R=16 X=4 Y=2 Z=2", "i8", row->in_slice,
                                 element, text);
        HwSwitchRoute route;
        assert_true(switch_lower(&bench.lower, bench.pass, stage_of(&bench, STAGE_SWITCH), &route));
        assert_int_equal(route.ring_size, row->ring);
        assert_int_equal(route.slice2, row->slice2);
        assert_int_equal(route.time1, row->time1);
        assert_int_equal(switch_cycles(&route), row->cycles);
        assert_int_equal(route.register_writes, row->writes);
        assert_int_equal(route.writes_registers, row->writes > 0);
        for (size_t k = 0; k < COUNT_OF(row->rows) && row->rows[k].sources; k++)
            assert_string_equal(sources_text(&bench, &route, row->rows[k].slice),
                                row->rows[k].sources);
        desk_free(bench.desk);
    }
}

// Manual: Collect Engine, Packet Normalization; Fetch Engine, Fetch Engine and Switch Engine
// Interaction.
TEST(collected_flits_are_those_of_the_manual)
{
    static const struct {
        const char *type, *packet, *time, *flit;
        int64_t per_packet, pad, flits;
    } rows[] = {
        {"i8", "B % 32", "A, B / 32", "B % 32", 1, 0, 16},
        {"i8", "B % 16", "A, B / 16", "B % 16 # 32", 1, 16, 32},
        {"bf16", "B % 32", "A, B / 16", "B % 16", 2, 0, 32},
        {"i8", "B", "A, B / 32", "B % 32", 2, 0, 16},
        {"i8", "B = 40", "A, B = 40 # 64 / 32", "B = 40 # 64 % 32", 2, 24, 16},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        char text[256], time[64];
        bool whole = rows[i].packet[1] == 0 || rows[i].packet[2] == '=';
        snprintf(time, sizeof time, whole ? "A" : "A, B / %s", rows[i].packet + 4);
        snprintf(text, sizeof text,
                 "  begin %%0\n  fetch %s time [%s] packet [%s]\n  collect time [%s] packet [%s]\n"
                 "  open",
                 rows[i].type, time, rows[i].packet, rows[i].time, rows[i].flit);
        Bench bench = bench_open("A=8 B=64 S=256", rows[i].type, "S", "A, B", text);
        HwCollect collect;
        assert_true(
            collect_lower(&bench.lower, bench.pass, stage_of(&bench, STAGE_COLLECT), &collect));
        assert_int_equal(collect.flits_per_packet, rows[i].per_packet);
        assert_int_equal(collect.pad_bytes, rows[i].pad);
        assert_int_equal(collect.flits, rows[i].flits);
        desk_free(bench.desk);
    }
}
