// Moves: which way, what moves, how packets and addresses must lie. Manual: DMA Engine.
#include "memory_support.h"

// ---- loop nests

// The manual's own examples, in its own order of loops where it gives a stream.
TEST(nests_are_the_manuals)
{
    static const struct {
        const char *axes;
        Tier from, to;
        const char *source, *target, *nest;
    } rows[] = {
        // Basic HBM-to-HBM Layout Transformation; erratum E088
        {"N=4,C=3,H=8,W=8", TIER_HBM, TIER_HBM, "1 | N, C, H, W", "1 | H, C, N, W",
         "[8:8:96, 3:64:32, 4:192:8]:8"},
        // Example 1
        {"A=8,B=8,C=256", TIER_HBM, TIER_HBM, "1 | A, B, C", "1 | B, A, C",
         "[8:256:2048, 8:2048:256]:256"},
        // Example 2: the slices are one loop here; the manual has one a network
        {"A=256,B=256,C=256", TIER_HBM, TIER_DM, "1 | B, A, C", "1 | 1 | A / 4 | A % 4, B, C",
         "[64:1024:Slice 1, 4:256:65536, 256:65536:256]:256"},
        // Example 3
        {"A=256,B=256,C=256", TIER_DM, TIER_DM, "1 | 1 | A / 4 | A % 4, B, C",
         "1 | 1 | A / 4 | B, A % 4, C", "[64:Slice 1:Slice 1, 256:256:1024, 4:65536:256]:256"},
        // Example 4, as erratum E094 reads it
        {"A=64,B=2048,C=1024", TIER_HBM, TIER_DM, "1 | A, B, C",
         "1 | B / 1024 | B / 256 % 4, A | B % 256, C",
         "[2:1048576:Cluster 1, 4:262144:Slice 64, 64:2097152:Slice 1]:262144"},
        // the first program of the tutorial
        {"A=2048", TIER_HBM, TIER_DM, "1 | A", "1 | 1 # 2 | A / 8 # 256 | A % 8",
         "[256:8:Slice 1]:8"},
        // a vector for all slices
        {"I=256,J=2048", TIER_HBM, TIER_DM, "1 | J", "1 | 1 # 2 | I | J", "[256:0:Slice 1]:2048"},
        // nothing but padding round one element
        {"A=1", TIER_DM, TIER_HBM, "1 | 1 # 2 | 1 # 256 | 1 # 8", "1 | 1", "[]:1"},
        // both sides go on evenly: one run
        {"A=4,B=6", TIER_HBM, TIER_HBM, "1 | A, B", "1 | A, B", "[]:24"},
        // a part of an axis for all of it
        {"A=8", TIER_HBM, TIER_HBM, "1 | A % 4", "1 | A", "[2:0:4]:4"},
        // Example 6: 15 elements in slices of two times two
        {"A=15,B=32,C=256,D=8", TIER_DM, TIER_HBM,
         "D / 2 | D % 2 | A # 16 / 4, A # 16 / 2 % 2, B | A # 16 % 2, C", "D / 2 | D % 2, B, A, C",
         "[4:Chip 1:Chip 1, 2:Cluster 1:122880, 32:Slice 1:3840, 8:Slice 32:512 (x2 < 15), "
         "2:256:256 (x1 < 15)]:256"},
        // padded composites in slices of 8
        {"A=20,B=3", TIER_HBM, TIER_DM, "1 | A, B", "1 | 1 | [A, B] # 64 / 8 | [A, B] # 64 % 8",
         "[8:8:Slice 1 (x8 < 60)]:8 (x1 < 60)"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        Bench bench;
        bench_open(&bench, &(Setting){.axes = rows[i].axes});
        const Dim *source[LEVEL_COUNT], *target[LEVEL_COUNT];
        shape(&bench, rows[i].from, rows[i].source, source);
        shape(&bench, rows[i].to, rows[i].target, target);
        DmaNest nest;
        assert_int_equal(dma_derive(&bench.arena, source, target, &nest), DMA_DERIVED);
        StrBuf text = {.arena = &bench.arena};
        dma_print(&text, &nest);
        assert_string_equal(str_terminated(&bench.arena, buf_str(&text)), rows[i].nest);
        bench_close(&bench);
    }
}

// Manual: DMA Engine, Performance: a packet divides the run, and has at most 4096 bytes.
TEST(packets_divide_their_run)
{
    static const struct {
        int64_t run, align, packet;
    } rows[] = {
        {4095, 1, 4095},  {4099, 1, 1},    {8192, 1, 4096},
        {32768, 8, 4096}, {4104, 8, 1368}, {4, 1, 4},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        assert_int_equal(dma_packet_of(rows[i].run, rows[i].align, machine_rngd.dma_packet_bytes),
                         rows[i].packet);
}

// ---- rules

typedef struct {
    const char *axes;
    TensorRow source, target;
    Context context;
    RuleSet rules;
    OpKind kind;
    const char *relaxed;
    const char *codes, *text;
} Row;

#define FROM(...)    .source = {__VA_ARGS__}
#define TO(...)      .target = {__VA_ARGS__}
#define TDMA         .context = CONTEXT_TDMA
#define PDMA         .context = CONTEXT_PDMA
#define SUB          .context = CONTEXT_SUB
#define CODES(list)  .codes = (list)
#define REFERENCE    .rules = RULES_REFERENCE
#define ILLUSTRATIVE .relaxed = "cluster-size,slice-size"

static void check_row(const Row *row)
{
    Bench bench;
    bench_open(&bench, &(Setting){.axes = row->axes, .rules = row->rules, .relaxed = row->relaxed});
    Op op = {.kind = row->kind,
             .method = "move",
             .span = next_span(&bench),
             .context = row->context,
             .source = view(&bench, add_tensor(&bench, row->source)),
             .target = view_mut(&bench, add_tensor(&bench, row->target))};
    bench.diags.count = 0; // what the tensors are is another test
    builder_op(bench.builder, &op);
    expect(&bench, row->target.shape, row->codes, row->text);
    bench_close(&bench);
}

static void check_rows(const Row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++)
        check_row(&rows[i]);
}

#define HBM_OF(type, dims) TENSOR(HBM, type, dims)
#define DM_OF(type, dims)  TENSOR(DM, type, dims)

TEST(each_way_has_its_contexts)
{
#define DM_A "1 | 1 # 2 | 1 # 256 | A"
    static const Row rows[] = {
        {.axes = "A=8", FROM(TENSOR(HOST, "i8", "A")), TO(HBM_OF("i8", "1 | A")), PDMA, CODES("")},
        {.axes = "A=8",
         FROM(TENSOR(HOST, "i8", "A")),
         TO(HBM_OF("i8", "1 | A")),
         TDMA,
         CODES("E0532"),
         .text = "`pdma`"},
        {.axes = "A=8", FROM(HBM_OF("i8", "1 | A")), TO(TENSOR(HOST, "i8", "A")), PDMA, CODES("")},
        {.axes = "A=8", FROM(HBM_OF("i8", "1 | A")), TO(HBM_OF("i8", "1 | A")), PDMA, CODES("")},
        {.axes = "A=8", FROM(HBM_OF("i8", "1 | A")), TO(HBM_OF("i8", "1 | A")), TDMA, CODES("")},
        {.axes = "A=8", FROM(HBM_OF("i8", "1 | A")), TO(DM_OF("i8", DM_A)), TDMA, CODES("")},
        {.axes = "A=8", FROM(HBM_OF("i8", "1 | A")), TO(DM_OF("i8", DM_A)), PDMA, CODES("E0532")},
        {.axes = "A=8", FROM(DM_OF("i8", DM_A)), TO(HBM_OF("i8", "1 | A")), TDMA, CODES("")},
        {.axes = "A=8", FROM(DM_OF("i8", DM_A)), TO(DM_OF("i8", DM_A)), TDMA, CODES("")},
        {.axes = "A=8",
         FROM(DM_OF("i8", DM_A)),
         TO(DM_OF("i8", DM_A)),
         SUB,
         .kind = OP_PARALLEL_COPY,
         CODES("")},
        {.axes = "A=8",
         FROM(DM_OF("i8", DM_A)),
         TO(DM_OF("i8", DM_A)),
         TDMA,
         .kind = OP_PARALLEL_COPY,
         CODES("E0532")},
        {.axes = "A=8",
         FROM(TENSOR(HOST, "i8", "A")),
         TO(DM_OF("i8", DM_A)),
         TDMA,
         CODES("E0531"),
         .text = "HBM"},
        {.axes = "A=8",
         FROM(DM_OF("i8", DM_A)),
         TO(TENSOR(VRF, "i32", DM_A)),
         TDMA,
         CODES("E0531"),
         .text = "to_vrf"},
        {.axes = "A=8",
         FROM(HBM_OF("i8", "1 | A")),
         TO(HBM_OF("i8", "1 | A")),
         TDMA,
         .kind = OP_PARALLEL_COPY,
         CODES("E0531")},
        {.axes = "A=8",
         FROM(HBM_OF("i8", "1 | A")),
         TO(HBM_OF("bf16", "1 | A")),
         TDMA,
         CODES("E0533")},
        {.axes = "A=8",
         FROM(HBM_OF("i8", "1 | A")),
         TO(HBM_OF("i8", "A | 1")),
         TDMA,
         CODES("E0534"),
         .text = "Chip"},
        {.axes = "A=8", FROM(TENSOR(HOST, "i8", "A")), TO(HBM_OF("i8", "A | 1")), PDMA, CODES("")},
        {.axes = "A=2",
         FROM(DM_OF("f32", "1 | 1 # 2 | 1 # 256 | A")),
         TO(DM_OF("f32", "1 | A | 1 # 256 | 1 # 2")),
         TDMA,
         CODES("E0534"),
         .text = "Cluster"},
        {.axes = "A=8",
         FROM(HBM_OF("i8", "1 | A")),
         TO(HBM_OF("bf16", "A | 1")),
         TDMA,
         REFERENCE,
         CODES("E0533 E0534")},
    };
    check_rows(rows, COUNT_OF(rows));
}

// api.md 0.3: every part of the source is in the target; more is broadcast.
TEST(the_target_has_room_for_all)
{
    static const Row rows[] = {
        {.axes = "A=8,B=16",
         FROM(HBM_OF("i8", "1 | A, B")),
         TO(HBM_OF("i8", "1 | B, A")),
         TDMA,
         CODES("")},
        {.axes = "A=8,B=16",
         FROM(HBM_OF("i8", "1 | A")),
         TO(HBM_OF("i8", "1 | B, A")),
         TDMA,
         CODES("")},
        {.axes = "A=8,B=16",
         FROM(HBM_OF("i8", "1 | A, B")),
         TO(HBM_OF("i8", "1 | B")),
         TDMA,
         CODES("E0535"),
         .text = "`A`"},
        {.axes = "A=8,B=16",
         FROM(HBM_OF("i8", "1 | A, B")),
         TO(HBM_OF("i8", "1 | B")),
         TDMA,
         REFERENCE,
         CODES("E0535")},
        {.axes = "A=8,B=16",
         FROM(HBM_OF("i8", "1 | A")),
         TO(HBM_OF("i8", "1 | A / 2")),
         TDMA,
         CODES("E0535"),
         .text = "`A % 2`"},
        {.axes = "A=8,B=16",
         FROM(HBM_OF("i8", "1 | A")),
         TO(HBM_OF("i8", "1 | A = 4")),
         TDMA,
         CODES("E0535")},
        {.axes = "A=12",
         FROM(HBM_OF("i8", "1 | A % 3, A / 3")),
         TO(HBM_OF("i8", "1 | A % 4, A / 4")),
         TDMA,
         CODES("E0536")},
        {.axes = "A=6",
         FROM(HBM_OF("i8", "A / 3 | A % 3")),
         TO(DM_OF("i8", "A / 3 | 1 # 2 | A % 3 # 256 | 1 # 8")),
         TDMA,
         CODES("E0538"),
         .text = "multiples of 8"},
        {.axes = "A=15",
         FROM(HBM_OF("i8", "1 | A")),
         TO(HBM_OF("i8", "1 | A # 16")),
         TDMA,
         CODES("")},
    };
    check_rows(rows, COUNT_OF(rows));
}

// Manual: DMA Engine, Structural Requirements; errata E027, E032, E049, E097, E098.
TEST(packets_into_dm_are_words)
{
    static const Row rows[] = {
        // blocks 002, 004
        {.axes = "A=2048",
         FROM(HBM_OF("i32", "1 | A")),
         TO(DM_OF("i32", "1 | 1 # 2 | A / 8 # 256 | A % 8")),
         TDMA,
         CODES("")},
        {.axes = "A=2048",
         FROM(DM_OF("bf16", "1 | 1 # 2 | 1 # 256 | 1 # 8")),
         TO(HBM_OF("bf16", "1 | 1")),
         TDMA,
         CODES("")},
        // block 030
        {.axes = "A=8,B=512",
         FROM(HBM_OF("bf16", "A | B")),
         TO(DM_OF("bf16", "A | 1 | B / 2 | B % 2")),
         TDMA,
         CODES("E0537"),
         .text = "runs of 4 bytes"},
        {.axes = "A=8,B=512",
         FROM(HBM_OF("bf16", "A | B")),
         TO(DM_OF("bf16", "A | 1 | B / 2 | B % 2")),
         TDMA,
         CODES("E0537"),
         .text = "`B / 4` in Slice, `B % 4` in Element"},
        {.axes = "A=8,B=512",
         FROM(HBM_OF("bf16", "A | B")),
         TO(DM_OF("bf16", "A | 1 # 2 | B / 4 # 256 | B % 4")),
         TDMA,
         CODES("")},
        {.axes = "A=8,B=512",
         FROM(HBM_OF("bf16", "A | B")),
         TO(DM_OF("bf16", "A | 1 | B / 2 | B % 2")),
         TDMA,
         REFERENCE,
         CODES("")},
        // block 008
        {.axes = "I=512,J=512,K=2048",
         FROM(HBM_OF("bf16", "1 | K, J")),
         TO(DM_OF("bf16", "1 | 1 # 2 | I / 32, J / 32 | J % 32, K")),
         TDMA,
         CODES("E0537"),
         .text = "runs of 2 bytes"},
        {.axes = "I=512,J=512,K=2048",
         FROM(HBM_OF("bf16", "1 | K, J")),
         TO(DM_OF("bf16", "1 | 1 # 2 | I / 32, J / 32 | J % 32, K")),
         TDMA,
         CODES("E0537"),
         .text = "comes the next `K`: the source advances 1024 bytes, the target advances 2 bytes"},
        {.axes = "I=512,J=512,K=2048",
         FROM(HBM_OF("bf16", "1 | J, K")),
         TO(DM_OF("bf16", "1 | 1 # 2 | I / 32, J / 32 | J % 32, K")),
         TDMA,
         CODES("")},
        // the manual's NCHW to NHWC
        {.axes = "N=4,C=3,H=8,W=8",
         FROM(HBM_OF("i8", "1 | N, C, H, W")),
         TO(DM_OF("i8", "1 | 1 | 1 | N, H, W, C")),
         TDMA,
         CODES("E0537"),
         .text = "runs of 1 byte"},
        // DM to HBM may move any size
        {.axes = "N=4,C=3,H=8,W=8",
         FROM(DM_OF("i8", "1 | 1 | 1 | N, C, H, W")),
         TO(HBM_OF("i8", "1 | N, H, W, C")),
         TDMA,
         CODES("")},
        // padding of the target fills a packet up, padding of the source does not
        {.axes = "A=256,B=3",
         FROM(HBM_OF("i16", "1 | A, B # 4")),
         TO(DM_OF("i16", "1 | 1 # 2 | A | B # 4")),
         TDMA,
         CODES("")},
        {.axes = "A=256,B=3",
         FROM(HBM_OF("i16", "1 | A, B # 4")),
         TO(DM_OF("i16", "1 | 1 # 2 | A | B")),
         TDMA,
         CODES("E0537"),
         .text = "`m![B # 4]`"},
        {.axes = "A=256,B=3",
         FROM(HBM_OF("i16", "1 | A, B")),
         TO(DM_OF("i16", "1 | 1 # 2 | A | B # 4")),
         TDMA,
         CODES("E0538"),
         .text = "6 bytes in the source"},
        {.axes = "A=256,B=3",
         FROM(DM_OF("i16", "1 | 1 # 2 | 1 # 256 | A, B")),
         TO(DM_OF("i16", "1 | 1 # 2 | A | B # 4")),
         TDMA,
         CODES("")},
        {.axes = "A=8",
         FROM(HBM_OF("bf16", "1 | 1")),
         TO(DM_OF("bf16", "1 | 1 # 2 | 1 # 256 | 1")),
         TDMA,
         CODES("E0537"),
         .text = "`m![1 # 4]`"},
        {.axes = "A=8",
         FROM(HBM_OF("bf16", "1 | 1")),
         TO(DM_OF("bf16", "1 | 1 # 2 | 1 # 256 | 1 # 4")),
         TDMA,
         CODES("")},
        // i4: 16 of them are a word
        {.axes = "A=4096",
         FROM(HBM_OF("i4", "1 | A")),
         TO(DM_OF("i4", "1 | 1 # 2 | A / 16 | A % 16")),
         TDMA,
         CODES("")},
        {.axes = "A=2048",
         FROM(HBM_OF("i4", "1 | A")),
         TO(DM_OF("i4", "1 | 1 # 2 | A / 8 | A % 8")),
         TDMA,
         CODES("E0537")},
        {.axes = "A=4,B=6",
         FROM(HBM_OF("i4", "1 | A, B")),
         TO(HBM_OF("i4", "1 | B, A")),
         TDMA,
         CODES("E0537"),
         .text = "runs of 0.5 bytes"},
        {.axes = "A=4,B=6",
         FROM(HBM_OF("i4", "1 | A, B / 2, B % 2")),
         TO(HBM_OF("i4", "1 | B / 2, A, B % 2")),
         TDMA,
         CODES("")},
        // the last of the pieces that padding leaves is shorter
        {.axes = "A=60",
         FROM(HBM_OF("i8", "1 | A")),
         TO(DM_OF("i8", "1 | 1 # 2 | A # 64 / 8 # 256 | A # 64 % 8")),
         TDMA,
         CODES("")},
        {.axes = "A=60,B=2",
         FROM(DM_OF("i8", "1 | 1 # 2 | A # 64 / 8 # 256 | A # 64 % 8")),
         TO(DM_OF("i8", "1 | 1 # 2 | 1 # 256 | B, A")),
         TDMA,
         CODES("E0537"),
         .text = "runs of 4 bytes"},
        {.axes = "A=64",
         FROM(DM_OF("i8", "1 | 1 # 2 | A / 8 # 256 | A % 8")),
         TO(DM_OF("i8", "1 | 1 # 2 | 1 # 256 | A")),
         SUB,
         .kind = OP_PARALLEL_COPY,
         CODES("")},
        {.axes = "A=32",
         FROM(DM_OF("i8", "1 | 1 # 2 | A / 4 # 256 | A % 4")),
         TO(DM_OF("i8", "1 | 1 # 2 | 1 # 256 | A")),
         SUB,
         .kind = OP_PARALLEL_COPY,
         CODES("E0537")},
        // addresses
        {.axes = "A=64",
         FROM(HBM_OF("i8", "1 | A"), AT(4)),
         TO(DM_OF("i8", "1 | 1 # 2 | 1 # 256 | A")),
         TDMA,
         CODES("E0539"),
         .text = "at 0 or 8"},
        {.axes = "A=64",
         FROM(HBM_OF("i8", "1 | A"), AT(-1)),
         TO(DM_OF("i8", "1 | 1 # 2 | 1 # 256 | A")),
         TDMA,
         CODES("")}, // E0508 was said
        {.axes = "A=64",
         FROM(HBM_OF("i8", "1 | A"), AT(8)),
         TO(DM_OF("i8", "1 | 1 # 2 | 1 # 256 | A"), AT(64)),
         TDMA,
         CODES("")},
        {.axes = "A=64",
         FROM(DM_OF("i8", "1 | 1 # 2 | 1 # 256 | A"), AT(3)),
         TO(HBM_OF("i8", "1 | A"), AT(5)),
         TDMA,
         CODES("")},
        {.axes = "A=64",
         FROM(HBM_OF("i8", "1 | A")),
         TO(DM_OF("i8", "1 | 1 # 2 | 1 # 256 | A"), AT(12)),
         TDMA,
         CODES("E0539")},
        {.axes = "A=64",
         FROM(HBM_OF("i8", "1 | A")),
         TO(DM_OF("i8", "1 | 1 # 2 | 1 # 256 | A"), AT(12), .origin = ORIGIN_RESULT),
         TDMA,
         CODES("")}, // E0509 was said
    };
    check_rows(rows, COUNT_OF(rows));
}

// Block 001: what is wrong are sizes and a duplicate axis; the move itself would do.
TEST(the_first_program_is_wrong_elsewhere)
{
    Bench bench;
    bench_open(&bench, &(Setting){.axes = "A=8,B=512", .chips = {true, 1}});
    const Tensor *hbm = add_tensor(&bench, (TensorRow){TENSOR(HBM, "i8", "A | B"), AT(4096)});
    const Tensor *dm = add_tensor(&bench, (TensorRow){TENSOR(DM, "i8", "A | 1 | A | B"), AT(0)});
    move(&bench, view(&bench, hbm), view_mut(&bench, dm), CONTEXT_TDMA);
    expect(&bench, "001", "E0504 E0501 E0504 E0502 E0503", NULL);
    bench_close(&bench);
    bench_open(&bench, &(Setting){.axes = "A=8,B=512",
                                  .chips = {true, 1},
                                  .relaxed = "chip-count,cluster-size,slice-size,duplicate-axis"});
    hbm = add_tensor(&bench, (TensorRow){TENSOR(HBM, "i8", "A | B"), AT(4096)});
    dm = add_tensor(&bench, (TensorRow){TENSOR(DM, "i8", "A | 1 | A | B"), AT(0)});
    move(&bench, view(&bench, hbm), view_mut(&bench, dm), CONTEXT_TDMA);
    assert_int_equal(bench.diags.error_count, 0);
    bench_close(&bench);
}

// What lies round a tile is somebody else's, and its start counts.
TEST(tiles_are_no_padding)
{
    static const struct {
        const char *all, *index, *part;
        int64_t length, start, address; // of the target
        const char *codes, *text;
    } rows[] = {
        {"A, B", "A", "A = 2 # 4, B", 2, 1, 0, "", NULL},
        {"A, B", "B", "A, B = 8 # 64", 8, 8, 0, "", NULL},
        {"A, B", "B", "A, B = 8 # 64", 8, 4, 0, "E0539", NULL},
        {"A, B", "B", "A, B = 8 # 64", 8, 4, 4, "E0539", "multiple of 8 elements"}, // besides
        {"A, B", "B", "A, B = 4 # 64", 4, 8, 0, "E0537", NULL},
        {"A, B", "B", "A, 1 # 64", 1, 8, 0, "E0537", NULL},
        {"A, C # 64", "A", "A = 2 # 4, C # 64", 2, 1, 0, "", NULL}, // its own padding
        {"A, C # 64", "C", "A, C = 4 # 64", 4, 8, 0, "E0537", NULL},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        Bench bench;
        bench_open(&bench, &(Setting){.axes = "A=4,B=64,C=60"});
        const char *in_hbm =
            str_terminated(&bench.arena, str_format(&bench.arena, "1 | {}", rows[i].all));
        const char *in_dm = str_terminated(
            &bench.arena, str_format(&bench.arena, "1 | 1 # 2 | 1 # 256 | {}", rows[i].all));
        const Tensor *hbm = add_tensor(&bench, (TensorRow){TENSOR(HBM, "i8", in_hbm), AT(0)});
        const Tensor *dm =
            add_tensor(&bench, (TensorRow){TENSOR(DM, "i8", in_dm), AT(rows[i].address)});
        const View *source = tile(&bench, view(&bench, hbm), LEVEL_ELEMENT, rows[i].index,
                                  rows[i].length, KNOWN(0), rows[i].part);
        const View *target = tile(&bench, view_mut(&bench, dm), LEVEL_ELEMENT, rows[i].index,
                                  rows[i].length, KNOWN(rows[i].start), rows[i].part);
        move(&bench, source, target, CONTEXT_TDMA);
        expect(&bench, rows[i].part, rows[i].codes, rows[i].text);
        bench_close(&bench);
    }
}

// What was said about a view is not said again about its move.
TEST(wrong_views_are_left_alone)
{
    Bench bench;
    bench_open(&bench, &(Setting){.axes = "A=4,B=64,C=4611686018427387904"});
    const Tensor *hbm = add_tensor(&bench, (TensorRow){TENSOR(HBM, "i8", "1 | A, B")});
    const Tensor *dm = add_tensor(&bench, (TensorRow){TENSOR(DM, "i8", "1 | 1 # 2 | 1 # 256 | B")});
    const View *part =
        tile(&bench, view(&bench, hbm), LEVEL_ELEMENT, "A", 1, KNOWN(0), "A = 2 # 4, B");
    move(&bench, part, view_mut(&bench, dm), CONTEXT_TDMA);
    expect(&bench, "tile", "E0521", NULL);
    bench.diags.count = 0;
    const Tensor *twice =
        add_tensor(&bench, (TensorRow){TENSOR(DM, "i8", "A | 1 # 2 | A # 256 | A, B")});
    move(&bench, view(&bench, twice), view_mut(&bench, hbm), CONTEXT_TDMA);
    expect(&bench, "axes", "E0501 E0501 E0501", NULL);
    bench.diags.count = 0;
    const Tensor *huge = add_tensor(&bench, (TensorRow){TENSOR(HBM, "i8", "A | C")});
    move(&bench, view(&bench, huge), view_mut(&bench, huge), CONTEXT_TDMA);
    expect(&bench, "size", "E0109", NULL);
    bench_close(&bench);
}

// More loops than a command has: several commands.
TEST(deep_nests_are_told)
{
    Bench bench;
    bench_open(&bench, &(Setting){.axes = "A=2,B=2,C=2,D=2,E=2,F=2,G=2,H=2,I=2,J=8"});
    const Tensor *a =
        add_tensor(&bench, (TensorRow){TENSOR(HBM, "i8", "1 | A, B, C, D, E, F, G, H, I, J")});
    const Tensor *b =
        add_tensor(&bench, (TensorRow){TENSOR(HBM, "i8", "1 | I, H, G, F, E, D, C, B, A, J")});
    move(&bench, view(&bench, a), view_mut(&bench, b), CONTEXT_TDMA);
    expect(&bench, "nine loops", "E0540", "9 loops and the packet");
    assert_int_equal(bench.diags.error_count, 0);
    bench_close(&bench);
}
