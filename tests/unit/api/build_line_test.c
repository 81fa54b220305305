// Every call that builds a program writes the line of program text that stands for it.
#include "build_support.h"

#define LINE(call, expected)               \
    do {                                   \
        (void)(call);                      \
        assert_last_line(bench, expected); \
    } while (0)

TEST_WITH(declarations_write_their_lines, new_bench, free_bench)
{
    Bench *bench = *state;
    ContraProgram *program = bench->program;
    ContraTensor *t;
    const char *const others[] = {"A", "I"};
    const ContraChoice choices[] = {{0, 2}, {2, 5}};
    LINE(contra_axis(program, "N", 64), "axis N = 64");
    LINE(contra_axis_named(program, "A_8", 8, "A"), "axis A_8 = 8 named A");
    LINE(contra_axis_named(program, "A_4", 8, "two words"), "axis A_4 = 8 named \"two words\"");
    LINE(contra_axis_skewed(program, "N'", "N", others, 2, NULL), "axis N' = N - A - I");
    LINE(contra_axis_skewed(program, "N''", "N", others, 1, "N'"), "axis N'' = N - A named \"N'\"");
    LINE(contra_let(program, "L", "A / 2,\n1 # 4"), "let L = [A / 2, 1 # 4]");
    LINE(contra_choice(program, choices, 2), "choice 0 2, 2 5");
    LINE(contra_choice(program, NULL, 0), "choice");
    LINE(contra_param(program, "a b", contra_host("i32", "{ L }"), &t),
         "%6 \"a b\" = param host i32 element [{ L }]");
    LINE(contra_from_addr(program, NULL, contra_hbm("bf16", "1", "A", CONTRA_UNKNOWN), &t),
         "%7 = from_addr hbm bf16 chip [1] element [A] at ?");
    LINE(contra_reshape(t, "r", contra_hbm(NULL, "1", "A / 2, A % 2", 0), &t),
         "%8 r = reshape %7 chip [1] element [A / 2, A % 2]");
    LINE(contra_return(program, t), "return %8");
    // one that nobody wants
    LINE(contra_param(program, NULL, contra_host("i32", "A"), NULL),
         "%9 = param host i32 element [A]");
    LINE(contra_param(program, NULL, contra_host("i32", "A"), &t),
         "%10 = param host i32 element [A]");
}

TEST_WITH(views_write_their_lines, new_bench, free_bench)
{
    Bench *bench = *state;
    ContraTensor *v;
    LINE(contra_tile(bench->other, "A % 16", 4, "A % 16 = 4 # 16", 12, &v),
         "%6 = view %1.tile<[A % 16], 4, [A % 16 = 4 # 16]>(12)");
    LINE(contra_slice_tile(v, "A / 64", 3, "A / 64 = 3 # 64, A / 16 % 4", CONTRA_UNKNOWN, &v),
         "%7 = view %6.slice_tile<[A / 64], 3, [A / 64 = 3 # 64, A / 16 % 4]>(?)");
    LINE(contra_cluster_tile(bench->other, "1 # 2", 1, "1 # 2", 0, &v),
         "%8 = view %1.cluster_tile<[1 # 2], 1, [1 # 2]>(0)");
    LINE(contra_chip_tile(bench->hbm, "1", 1, "1", 0, &v),
         "%9 = view %2.chip_tile<[1], 1, [1]>(0)");
    LINE(contra_row_tile(bench->trf, "B", 1, "1 # 8", 3, &v),
         "%10 = view %3.row_tile<[B], 1, [1 # 8]>(3)");
}

TEST_WITH(moves_write_their_lines, new_bench, free_bench)
{
    Bench *bench = *state;
    ContraTensor *t, *dm = bench->dm, *hbm = bench->hbm, *host = bench->host;
    const int64_t sources[] = {1, 0, -2};
    ContraPattern two = {sources, 2, 2}, three = {sources, 3, 0};
    ContraLayout out = contra_dm_result("A % 16", 0x20);
    LINE(contra_to_host(hbm, "pdma", NULL, contra_host_result("A, I"), &t),
         "pdma to_host %2 -> %6 = host element [A, I]");
    LINE(contra_to_hbm(host, "pdma", "h", contra_hbm(NULL, "1", "A", 0x1000), &t),
         "pdma to_hbm %5 -> %7 h = hbm chip [1] element [A] at 0x1000");
    LINE(contra_to_dm(hbm, "tdma", "z", contra_dm(NULL, NULL, "1 # 2", "A / 16", "A % 16", 0), &t),
         "tdma to_dm %2 -> %8 z = dm cluster [1 # 2] slice [A / 16] element [A % 16] at 0x0");
    LINE(contra_to_hbm_view(dm, "tdma", hbm), "tdma to_hbm_view %0 -> %2");
    LINE(contra_to_dm_view(hbm, "tdma", dm), "tdma to_dm_view %2 -> %0");
    LINE(contra_to_dm_pcopy(dm, "sub", bench->other), "sub to_dm_pcopy %0 -> %1");
    LINE(contra_to_dm_view_pcopy(dm, "sub", bench->other), "sub to_dm_view_pcopy %0 -> %1");
    LINE(contra_dm_cluster_shuffle(dm, "tdma", two, NULL, out, &t),
         "tdma dm_cluster_shuffle %0 pattern (1, 0) count 2 -> %9 = dm element [A % 16] at 0x20");
    LINE(contra_dm_chip_shuffle(dm, "tdma", three, NULL, out, &t),
         "tdma dm_chip_shuffle %0 pattern (1, 0, -2) -> %10 = dm element [A % 16] at 0x20");
    LINE(contra_hbm_cluster_shuffle(hbm, "tdma", two, NULL, contra_hbm_result("A, I", 0), &t),
         "tdma hbm_cluster_shuffle %2 pattern (1, 0) count 2 -> %11 = hbm element [A, I] at 0x0");
    LINE(contra_hbm_chip_shuffle(hbm, "tdma", two, NULL, contra_hbm_result("A, I", 0), &t),
         "tdma hbm_chip_shuffle %2 pattern (1, 0) count 2 -> %12 = hbm element [A, I] at 0x0");
    LINE(contra_parallel_copy_cluster_slice(dm, "sub", "B", "A % 16, 1 # 8", two, NULL, out, &t),
         "sub parallel_copy_cluster_slice %0 key [B] sliced [A % 16, 1 # 8] pattern (1, 0) count 2 "
         "-> %13 = dm element [A % 16] at 0x20");
    LINE(contra_parallel_copy_chip_slice(dm, "sub", "B", "A % 16, 1 # 8", two, NULL, out, &t),
         "sub parallel_copy_chip_slice %0 key [B] sliced [A % 16, 1 # 8] pattern (1, 0) count 2 "
         "-> %14 = dm element [A % 16] at 0x20");
    LINE(contra_dma_scatter(dm, "tdma", hbm, "A % 16", true, hbm),
         "tdma dma_scatter %0 index %2 key [A % 16] scaled -> %2");
    LINE(contra_dma_scatter(dm, "tdma", hbm, "A % 16", false, hbm),
         "tdma dma_scatter %0 index %2 key [A % 16] -> %2");
    LINE(contra_dma_gather(hbm, "tdma", hbm, NULL, contra_dm(NULL, NULL, "1 # 2", "A / 16", "I", 0),
                           &t),
         "tdma dma_gather %2 index %2 -> %15 = dm cluster [1 # 2] slice [A / 16] element [I] "
         "at 0x0");
}

TEST_WITH(stages_write_their_lines, new_bench, free_bench)
{
    Bench *bench = *state;
    ContraTensor *t;
    const uint32_t table[] = {0xffffffff, 0, 127};
    const int32_t zeros[] = {-3, 4};
    const int64_t numbers[] = {4, 2, 1};
    ContraFetchOptions options = contra_fetch_options();
    options.table_type = "i8";
    options.table = table;
    options.table_count = 3;
    options.zero_points = zeros;
    options.zero_point_count = 2;
    LINE(contra_begin(bench->other, "main?", &bench->stream), "  begin %1");
    LINE(contra_fetch(bench->stream, "i8", "1", "A % 16", &options),
         "  fetch i8 time [1] packet [A % 16] table i8 (-1, 0, 127) zero_points (-3, 4)");
    LINE(contra_switch(bench->stream, "Broadcast01", numbers, 3, "A / 16", "B"),
         "  switch Broadcast01 slice1=4 slice0=2 time0=1 slice [A / 16] time [B]");
    LINE(contra_collect(bench->stream, "B", "A % 16"), "  collect time [B] packet [A % 16]");
    LINE(contra_align(bench->stream, bench->trf, "B", "A % 16"),
         "  align %3 time [B] packet [A % 16]");
    LINE(contra_contract(bench->stream, "1"), "  contract packet [1]");
    LINE(contra_accumulate(bench->stream, "Sequential", "1", "B"),
         "  accumulate Sequential time [1] packet [B]");
    contra_leave_open(bench->stream);
    begin_at(bench, "CollectTensor", "i32", "A % 8");
    LINE(contra_cast(bench->stream, "i8", "A % 8 # 32"), "  cast i8 packet [A % 8 # 32]");
    LINE(contra_commit(bench->stream, "y", contra_dm_result("A % 8", 0x20), &t),
         "  commit -> %6 y = dm element [A % 8] at 0x20");
    LINE(contra_begin_interleaved(bench->other, bench->other, "I", "sub", &bench->stream),
         "  begin_interleaved I %1 %1");
    LINE(contra_leave_open(bench->stream), "  open");
    begin_at(bench, "CollectTensor", "i32", "A % 8");
    LINE(contra_transpose(bench->stream, "A % 8", "B"), "  transpose time [A % 8] packet [B]");
    LINE(contra_commit_view(bench->stream, bench->other), "  commit_view -> %1");
    begin_at(bench, "CollectTensor", "i32", "A % 8");
    LINE(contra_to_trf(bench->stream, NULL, contra_trf_result("B", "A % 8", "FirstHalf"), &t),
         "  to_trf -> %7 = trf row [B] element [A % 8] at FirstHalf");
    begin_at(bench, "VectorFinalTensor", "i32", "A % 8");
    LINE(contra_to_vrf(bench->stream, NULL, contra_vrf_result("A % 8", 0x40), &t),
         "  to_vrf -> %8 = vrf element [A % 8] at 0x40");
}

TEST_WITH(branches_write_their_lines, new_bench, free_bench)
{
    Bench *bench = *state;
    ContraBranch comparison = contra_branch_comparison(
        contra_input_compare_i32("Less", -5), contra_input_compare_f32("GreaterUnsigned", 0.5f),
        contra_input_compare_i32("True", 0), contra_input_compare_f32("False", 0));
    const struct {
        ContraBranch branch;
        const char *line;
    } cases[] = {
        {contra_branch("Unconditional"), "  vector_intra_slice_branch Unconditional"},
        {contra_branch("ValidCount"), "  vector_intra_slice_branch ValidCount"},
        {contra_branch_axis_toggle("I"), "  vector_intra_slice_branch AxisToggle I"},
        {contra_branch_vrf(bench->vrf), "  vector_intra_slice_branch Vrf %4"},
        {comparison, "  vector_intra_slice_branch Comparison Less -5, GreaterUnsigned 0.5, "
                     "True i32, False f32"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        begin_at(bench, "CollectTensor", "i32", "A % 8");
        LINE(contra_vector_init(bench->stream), "  vector_init");
        LINE(contra_vector_intra_slice_branch(bench->stream, cases[i].branch), cases[i].line);
    }
    begin_at(bench, "VectorInitTensor", "i32", "A % 8");
    LINE(contra_vector_intra_slice_unzip(bench->stream, "I", "B, 1 # 2", "B"),
         "  vector_intra_slice_unzip I tile_time [B, 1 # 2] time [B]");
    LINE(contra_vector_fxp_zip(bench->stream, "AddFxp", "Mode11"),
         "  vector_fxp_zip AddFxp Mode11");
}

TEST_WITH(integer_stages_write_their_lines, new_bench, free_bench)
{
    Bench *bench = *state;
    const ContraOperand several[] = {contra_operand_i32(1),
                                     contra_operand_group(contra_operand_i32(2), 0),
                                     contra_operand_group(contra_operand_i32(INT32_MIN), 1),
                                     contra_operand_stash(), contra_operand_vrf(bench->vrf)};
    const ContraOperand pair[] = {contra_operand_i32(1), contra_operand_skip()};
    begin_at(bench, "VectorTensor", "i32", "A % 8");
    LINE(contra_vector_inter_slice_reduce(bench->stream, "AddSat", "1 # 256", "B"),
         "  vector_inter_slice_reduce AddSat slice [1 # 256] time [B]");
    begin_at(bench, "VectorTensor", "i32", "A % 8");
    LINE(contra_vector_logic(bench->stream, "BitAnd", contra_operand_i32(3)),
         "  vector_logic BitAnd 3");
    LINE(contra_vector_logic_with(bench->stream, "BitOr", "Mode10", several + 2, 1),
         "  vector_logic BitOr Mode10 -2147483648 group One");
    LINE(contra_vector_fxp(bench->stream, "AddFxp", contra_operand_bits("u8", 7)),
         "  vector_fxp AddFxp u8:7");
    LINE(contra_vector_fxp_with(bench->stream, "AddFxp", NULL, several, 5),
         "  vector_fxp AddFxp 1, 2 group Zero, -2147483648 group One, stash, %4");
    LINE(contra_vector_stash(bench->stream), "  vector_stash");
    LINE(contra_vector_fxp_to_fp(bench->stream, 31), "  vector_fxp_to_fp 31");
    LINE(contra_vector_clip(bench->stream, "Min", contra_operand_f32(0.1f)),
         "  vector_clip Min 0.1");
    begin_at(bench, "VectorTensor", "i32", "A % 8");
    LINE(contra_vector_clip_with(bench->stream, "Max", "Mode01", several, 1),
         "  vector_clip Max Mode01 1");
    LINE(contra_vector_filter(bench->stream, 1, "1"), "  vector_filter group One time [1]");
    LINE(contra_vector_final(bench->stream), "  vector_final");
    begin_at(bench, "VectorTensor", "i32", "A % 8");
    LINE(contra_vector_filter(bench->stream, -1, "1"), "  vector_filter time [1]");
    begin_at(bench, "VectorTensorPair", "i32", "A % 8");
    LINE(contra_vector_fxp_with(bench->stream, "AddFxp", NULL, pair, 2),
         "  vector_fxp AddFxp 1, _");
    LINE(contra_vector_logic_zip(bench->stream, "BitAnd", NULL), "  vector_logic_zip BitAnd");
    begin_at(bench, "VectorTensorPair", "i32", "A % 8");
    LINE(contra_vector_clip_zip(bench->stream, "Max", NULL), "  vector_clip_zip Max");
}

TEST_WITH(float_stages_write_their_lines, new_bench, free_bench)
{
    Bench *bench = *state;
    const ContraOperand ternary =
        contra_operand_group(contra_operand_with(contra_operand_vrf(bench->vrf), 2.5f), 1);
    const ContraOperand one = contra_operand_f32(1);
    begin_at(bench, "VectorTensor", "f32", "A % 4");
    LINE(contra_vector_fp_unary(bench->stream, "Exp", "Mode1"), "  vector_fp_unary Exp Mode1");
    LINE(contra_vector_fp_binary(bench->stream, "MulF(Mul0)", contra_operand_f32(0.5f)),
         "  vector_fp_binary MulF(Mul0) 0.5");
    LINE(contra_vector_fp_binary_with(bench->stream, "AddF", NULL, &one, 1),
         "  vector_fp_binary AddF 1.0");
    LINE(contra_vector_fp_ternary(bench->stream, "FmaF", contra_operand_with(one, 2)),
         "  vector_fp_ternary FmaF 1.0 with 2.0");
    LINE(contra_vector_fp_ternary_with(bench->stream, "FmaF", "Mode120", &ternary, 1),
         "  vector_fp_ternary FmaF Mode120 %4 with 2.5 group One");
    LINE(contra_vector_intra_slice_reduce(bench->stream, "A", "Max", "B", "1 # 4"),
         "  vector_intra_slice_reduce A Max time [B] packet [1 # 4]");
    LINE(contra_vector_fp_div(bench->stream, "DivF", one), "  vector_fp_div DivF 1.0");
    LINE(contra_vector_fp_div_with(bench->stream, "DivF", "Mode10", &one, 1),
         "  vector_fp_div DivF Mode10 1.0");
    LINE(contra_vector_pad_way8(bench->stream, "1 # 8"), "  vector_pad_way8 packet [1 # 8]");
    LINE(contra_vector_fp_to_fxp(bench->stream, 7), "  vector_fp_to_fxp 7");
    begin_at(bench, "VectorTensor", "f32", "A % 4");
    LINE(contra_vector_concat(bench->stream, "B / 2", "B % 2, A % 4"),
         "  vector_concat time [B / 2] packet [B % 2, A % 4]");
    begin_at(bench, "VectorTensorPair", "i32", "A % 8");
    LINE(contra_vector_fxp_to_fp(bench->stream, 31), "  vector_fxp_to_fp 31");
    LINE(contra_vector_split(bench->stream, "B, A / 4 % 2", "A % 4"),
         "  vector_split time [B, A / 4 % 2] packet [A % 4]");
    LINE(contra_vector_fp_unary_pair(bench->stream, "Exp", NULL, true, false),
         "  vector_fp_unary Exp true, false");
    LINE(contra_vector_fp_zip(bench->stream, "AddF", NULL), "  vector_fp_zip AddF");
    begin_at(bench, "VectorTensor", "i32", "A % 8");
    LINE(contra_vector_trim_way4(bench->stream, "A % 4"), "  vector_trim_way4 packet [A % 4]");
}
