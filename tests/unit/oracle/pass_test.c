// Operations and passes on small tensors: rows of program text and what `y` holds afterwards.
// Parameters count up from a start of their own: x from 0, w from 100, v from 1000; i holds 2, 0,
// 1,
// .. . A point is an element without a value.
#include "run_support.h"

#include "oracle/internal.h"
#include <stdio.h>

typedef struct {
    const char *axes; // "A=4 B=2"
    const char *body;
    const char *want;
    Numerics numerics;
} Row;

static const char *program_of(Arena *arena, const Row *row)
{
    StrBuf text = {.arena = arena};
    buf_add(&text, STR("program t\n"));
    bool name = true;
    for (const char *at = row->axes; *at; at++) {
        if (name)
            buf_add(&text, STR("axis "));
        name = *at == ' ';
        if (*at == '=')
            buf_add(&text, STR(" = "));
        else
            buf_format(&text, "{c}", *at == ' ' ? '\n' : *at);
    }
    buf_format(&text, "\n{}end\n", row->body);
    return str_terminated(arena, buf_str(&text));
}

static uint32_t value_of(Scalar type, const char *name, int64_t i)
{
    static const int32_t rows[] = {2, 0, 1};
    int32_t number = (int32_t)i + (name[0] == 'w' ? 100 : name[0] == 'v' ? 1000 : 0);
    if (name[0] == 'i')
        number = rows[i % 3];
    if (scalar_is_integer(type))
        return scalar_wrap(type, (uint32_t)number);
    return scalar_from_f32(type, f32((float)number));
}

static void bind_all(Run *run)
{
    for (int64_t i = 0; i < run->program->tensors.count; i++) {
        const Tensor *tensor = run->program->tensors.items[i];
        const char *name = tensor->name;
        if (tensor->origin != ORIGIN_PARAM || !name || name[0] == 'u')
            continue;
        Values values = run_values(run, tensor);
        for (int64_t k = 0; k < values.count; k++) {
            values.bits[k] = value_of(tensor->type, name, k);
            values.live[k] = 1;
        }
        run_bind(run, name, &values);
    }
}

static void print_value(StrBuf *out, Scalar type, uint32_t bits)
{
    if (scalar_is_integer(type))
        buf_format(out, "{}", (int)(int32_t)bits);
    else
        buf_format(out, "{g}", (double)f32_value(scalar_to_f32(type, bits)));
}

static const char *result_of(Run *run)
{
    Values y = run_result(run, "y");
    Scalar type = run_tensor(run, "y")->type;
    StrBuf out = {.arena = &run->desk->arena};
    for (int64_t i = 0; i < y.count; i++) {
        buf_add(&out, i ? STR(" ") : STR(""));
        if (y.live[i])
            print_value(&out, type, y.bits[i]);
        else
            buf_add(&out, STR("."));
    }
    return str_terminated(&run->desk->arena, buf_str(&out));
}

static void check_row(const Row *row)
{
    Arena arena = {0};
    Run run = run_open(program_of(&arena, row), row->numerics);
    bind_all(&run);
    run_go(&run);
    assert_string_equal(result_of(&run), row->want);
    run_close(&run);
    arena_release(&arena);
}

#define CHECK(rows)                             \
    for (size_t i = 0; i < COUNT_OF(rows); i++) \
    check_row(&(rows)[i])

#define DM(label, type, element) \
    label " = param dm " type " chip [1] cluster [1] slice [1] element " element " at 0\n"
#define HBM(label, type, element) label " = param hbm " type " chip [1] element " element " at 0\n"

// ---- operations

TEST(moves)
{
    static const Row rows[] = {
        {"A=3 B=2",
         HBM("%0 x", "i32", "[A, B]") "tdma to_hbm %0 -> %1 y = hbm element [B, A] at 0\n",
         "0 2 4 1 3 5", 0},
        {"A=3 B=2", HBM("%0 x", "i32", "[A]") "tdma to_hbm %0 -> %1 y = hbm element [B, A] at 0\n",
         "0 1 2 0 1 2", 0},
        {"A=4 B=2",
         HBM("%0 x", "i32", "[A, B]")
             HBM("%1 y", "i32", "[A, B]") "tdma to_hbm_view %0.tile<[A], 2, [A = 2 # 4, B]>(1) -> "
                                          "%1.tile<[A], 2, [A = 2 # 4, B]>(2)\n",
         "0 1 2 3 2 3 4 5", 0},
        // a view of a tensor onto itself: everything is read first
        {"A=4",
         HBM("%0 y", "i32", "[A]") "tdma to_hbm_view %0.tile<[A], 3, [A = 3 # 4]>(0) -> "
                                   "%0.tile<[A], 3, [A = 3 # 4]>(1)\n",
         "0 0 1 2", 0},
        {"A=4",
         "%0 = from_addr hbm i32 chip [1] element [A] at 0\n"
         "tdma to_hbm %0 -> %1 y = hbm element [A] at 0\n",
         ". . . .", 0},
    };
    CHECK(rows);
}

TEST(reshapes)
{
    static const Row rows[] = {
        {"A=6 B=2 C=3",
         DM("%0 x", "i32",
            "[A]") "%1 r = reshape %0 chip [1] cluster [1] slice [1] element [B, C]\n"
                   "sub to_dm_pcopy %1 -> %2 y = dm element [C, B] at 0\n",
         "0 3 1 4 2 5", 0},
        // padding goes by position
        {"A=5 B=3",
         DM("%0 x", "i32",
            "[A # 6]") "%1 r = reshape %0 chip [1] cluster [1] slice [1] element "
                       "[1 # 2, B]\nsub to_dm_pcopy %1 -> %2 y = dm element [B] at 0\n",
         "0 1 2", 0},
    };
    CHECK(rows);
}

TEST(shuffles)
{
    static const Row rows[] = {
        {"C=4 A=2",
         "%0 x = param hbm i32 chip [C] element [A] at 0\n"
         "tdma hbm_chip_shuffle %0 pattern (1, 2, 3, 0) -> %1 y = hbm element [A] at 0\n",
         "2 3 4 5 6 7 0 1", 0},
        {"C=2 A=2",
         "%0 x = param dm i32 chip [1] cluster [C] slice [1] element [A] at 0\n"
         "tdma dm_cluster_shuffle %0 pattern (1, 0) -> %1 y = dm element [A] at 0\n",
         "2 3 0 1", 0},
        {"C=3 A=3",
         "%0 x = param dm i32 chip [C] cluster [1] slice [1] element [A] at 0\n"
         "sub parallel_copy_chip_slice %0 key [A] sliced [1 # 3] pattern (2, 0, 1) -> "
         "%1 y = dm element [1] at 0\n",
         "2 3 7", 0},
        // no cluster: nothing there
        {"A=2",
         "%0 x = param dm i32 chip [1] cluster [1 # 2] slice [1] element [A] at 0\n"
         "tdma dm_cluster_shuffle %0 pattern (1, 0) -> %1 y = dm element [A] at 0\n",
         ". .", 0},
    };
    CHECK(rows);
}

TEST(scatters_and_gathers)
{
    static const Row rows[] = {
        {"K=3 P=2 R=4",
         DM("%0 x", "i32", "[K, P]") HBM("%1 i", "i32", "[K]")
             HBM("%2 y", "i32", "[R, P]") "tdma dma_scatter %0 index %1 key [K] -> %2\n",
         "2 3 4 5 0 1 6 7", 0},
        {"R=3 P=2 I=3",
         HBM("%0 x", "i32", "[R, P]")
             HBM("%1 i", "i32", "[I]") "tdma dma_gather %0 index %1 -> %2 y = dm cluster [1] slice "
                                       "[1] element [I, P] at 0\n",
         "4 5 0 1 2 3", 0},
        // an index beyond the table brings nothing
        {"R=2 P=2 I=3",
         HBM("%0 x", "i32", "[R, P]")
             HBM("%1 i", "i32", "[I]") "tdma dma_gather %0 index %1 -> %2 y = dm cluster [1] slice "
                                       "[1] element [I, P] at 0\n",
         ". . 0 1 2 3", 0},
    };
    CHECK(rows);
}

// ---- passes

#define COMMIT(element) "  commit -> %9 y = dm element " element " at 0\n"
#define COLLECT(type, time, packet) \
    "  fetch " type " time " time " packet " packet "\n  collect time " time " packet " packet "\n"

TEST(streams)
{
    static const Row rows[] = {
        // fetch: broadcast, cast, slices of an axis
        {"A=4 B=2",
         DM("%0 x", "i8", "[A]") "pass main\n  begin %0\n" COLLECT("i32", "[B]", "[A]")
             COMMIT("[B, A]"),
         "0 1 2 3 0 1 2 3", 0},
        {"A=4 B=2",
         DM("%0 x", "i8", "[A, B]") "pass main\n  begin %0\n" COLLECT("i32", "[1]", "[A, B = 1]")
             COMMIT("[A]"),
         "0 2 4 6", 0},
        {"A=4",
         DM("%0 x", "bf16", "[A]") "pass main\n  begin %0\n" COLLECT("f32", "[1]", "[A]")
             COMMIT("[A]"),
         "0 1 2 3", 0},
        // a table goes by the bits of the index
        {"A=4",
         DM("%0 x", "i4",
            "[A]") "pass main\n  begin %0\n  fetch i32 time [1] packet [A] table i32 (7, -8, 9)\n"
                   "  collect time [1] packet [A]\n" COMMIT("[A]"),
         "7 -8 9 .", 0},
        {"A=4",
         DM("%0 x", "i8",
            "[A]") "pass main\n  begin %0\n  fetch i32 time [1] packet [A] zero_points (3)\n"
                   "  collect time [1] packet [A]\n" COMMIT("[A]"),
         "-3 -2 -1 0", 0},
        {"A=2 I=2",
         DM("%0 x", "i8", "[A]")
             DM("%1 w", "i8", "[A]") "pass main\n  begin_interleaved I %0 %1\n"
                                     "  fetch i32 time [I] packet [A] zero_points (1, 100)\n"
                                     "  collect time [I] packet [A]\n" COMMIT("[I, A]"),
         "-1 0 0 1", 0},
        // switch: slices to time, a dropped axis
        {"S=4 B=4",
         "%0 x = param dm i32 chip [1] cluster [1] slice [S] element [1] at 0\n"
         "pass main\n  begin %0\n  fetch i32 time [1] packet [1]\n"
         "  switch Broadcast1 slice1=4 slice0=1 slice [B] time [S]\n"
         "  collect time [S] packet [1]\n" COMMIT("[S]"),
         "0 1 2 3 0 1 2 3 0 1 2 3 0 1 2 3", 0},
        {"S=4 Y=2",
         "%0 x = param dm i32 chip [1] cluster [1] slice [S] element [1] at 0\n"
         "pass main\n  begin %0\n  fetch i32 time [1] packet [1]\n"
         "  switch CustomBroadcast ring_size=2 slice [S / 2, Y] time [1]\n"
         "  collect time [1] packet [1]\n" COMMIT("[1]"),
         "0 0 2 2", 0},
        // a cast keeps the low bits; transpose; a commit that drops the end of the flit
        {"A=4",
         DM("%0 w", "i32", "[A]") "pass main\n  begin %0\n" COLLECT(
             "i32", "[1]", "[A # 8]") "  cast i4 packet [A # 64]\n" COMMIT("[A]"),
         "4 5 6 7", 0},
        {"A=2 B=3",
         DM("%0 x", "i32", "[A, B]") "pass main\n  begin %0\n" COLLECT(
             "i32", "[A]", "[B]") "  transpose time [B] packet [A]\n" COMMIT("[B, A]"),
         "0 3 1 4 2 5", 0},
        {"A=2 W=8",
         DM("%0 x", "i32", "[A, W]") "pass main\n  begin %0\n" COLLECT("i32", "[A]", "[W]")
             COMMIT("[A, W = 3]"),
         "0 1 2 8 9 10", 0},
        {"A=4 W=2",
         DM("%0 x", "i32", "[W]") DM("%1 y", "i32", "[A, W]") "pass main\n  begin %0\n" COLLECT(
             "i32", "[1]", "[W]") "  commit_view -> %1.tile<[A], 1, [1 # 4, W]>(2)\n",
         "0 1 2 3 0 1 6 7", 0},
    };
    CHECK(rows);
}

#define VECTOR(type, time, packet, branch)                                                      \
    "pass main\n  begin %0\n" COLLECT(type, time, packet) "  vector_init\n"                     \
                                                          "  vector_intra_slice_branch " branch \
                                                          "\n"
#define FINAL "  vector_final\n"

TEST(branches_and_operands)
{
    static const Row rows[] = {
        {"A=4",
         DM("%0 x", "i32", "[A]")
             VECTOR("i32", "[1]", "[A]",
                    "Unconditional") "  vector_fxp AddFxp 10\n  vector_fxp MulInt Mode10 2\n" FINAL
                 COMMIT("[A]"),
         "20 22 24 26", 0},
        {"A=4",
         DM("%0 x", "i32", "[A]")
             VECTOR("i32", "[1]", "[A]",
                    "Unconditional") "  vector_fxp SubFxp Mode10 10\n" FINAL COMMIT("[A]"),
         "10 9 8 7", 0},
        {"A=4",
         DM("%0 x", "i32", "[A]")
             VECTOR("i32", "[1]", "[A]",
                    "AxisToggle A") "  vector_fxp AddFxp 10 group Zero, 20 group One\n" FINAL
                 COMMIT("[A]"),
         "10 21 12 23", 0},
        // both operands hold for group One, one after the other
        {"A=4",
         DM("%0 x", "i32", "[A]")
             VECTOR("i32", "[1]", "[A]",
                    "AxisToggle A") "  vector_fxp MulInt 2, 3 group One\n" FINAL COMMIT("[A]"),
         "0 6 4 18", 0},
        {"A=4",
         DM("%0 x", "i32", "[A]") VECTOR(
             "i32", "[1]", "[A]",
             "Comparison False i32, False i32, False i32, Greater 1") "  vector_clip Max 7 group "
                                                                      "One\n" FINAL COMMIT("[A]"),
         "0 1 7 7", 0},
        {"A=4",
         DM("%0 x", "i32",
            "[A]") "%1 v = param vrf i32 chip [1] cluster [1] slice [1] element [A] at "
                   "0\n" VECTOR("i32", "[1]", "[A]",
                                "Vrf %1") "  vector_fxp AddFxp 100 group One\n" FINAL COMMIT("[A]"),
         "100 101 102 103", 0}, // 1000 .. 1003 have bit 3
        {"A=4",
         DM("%0 x", "i32", "[A]")
             VECTOR("i32", "[1]", "[A]",
                    "ValidCount") "  vector_fxp AddFxp 1 group Zero\n" FINAL COMMIT("[A]"),
         "1 2 3 4", 0},
        {"A=2 T=2",
         DM("%0 x", "i32",
            "[T, A]") "%1 v = param vrf i32 chip [1] cluster [1] slice [1] element [A] at "
                      "0\n" VECTOR(
                          "i32", "[T]", "[A]",
                          "Unconditional") "  vector_fxp AddFxp %1\n" FINAL COMMIT("[T, A]"),
         "1000 1002 1002 1004", 0},
        {"A=4",
         DM("%0 x", "i32", "[A]") VECTOR(
             "i32", "[1]", "[A]", "Unconditional") "  vector_stash\n  vector_fxp AddFxp 1\n  "
                                                   "vector_clip AddFxp stash\n" FINAL COMMIT("[A]"),
         "1 3 5 7", 0},
        // without a value: chosen arguments count, others do not
        {"A=4",
         "%0 u = param dm i32 chip [1] cluster [1] slice [1] element [A] at 0\n" VECTOR(
             "i32", "[1]", "[A]",
             "Unconditional") "  vector_fxp AddFxp Mode11 4\n" FINAL COMMIT("[A]"),
         "8 8 8 8", 0},
        {"A=4",
         "%0 u = param dm i32 chip [1] cluster [1] slice [1] element [A] at 0\n" VECTOR(
             "i32", "[1]", "[A]", "Unconditional") "  vector_fxp AddFxp 4\n" FINAL COMMIT("[A]"),
         ". . . .", 0},
    };
    CHECK(rows);
}

TEST(floats_and_ways)
{
    static const Row rows[] = {
        {"A=8",
         DM("%0 x", "f32", "[A]") VECTOR(
             "f32", "[1]", "[A]",
             "Unconditional") "  vector_split time [A / 4] packet [A % 4]\n  vector_fp_unary Sqrt\n"
                              "  vector_fp_ternary FmaF 2.0 with 1.0\n  vector_concat time [1] "
                              "packet [A]\n" FINAL COMMIT("[A]"),
         "1 3 3.82843 4.4641 5 5.47214 5.89898 6.2915", 0},
        {"A=3",
         DM("%0 x", "f32", "[A]") VECTOR(
             "f32", "[1]", "[A # 8]",
             "Unconditional") "  vector_trim_way4 packet [A # 4]\n  vector_fp_ternary FmaF Mode120 "
                              "3.0 with 5.0\n"
                              "  vector_fp_div DivF Mode10 30.0\n  vector_pad_way8 packet [A # 8]\n"
                              "  vector_fp_to_fxp 31\n" FINAL COMMIT("[A]"),
         "2 2 2", 0}, // 30 / (3 * 5 + x), rounded
        {"A=4",
         DM("%0 x", "i32", "[A]") VECTOR(
             "i32", "[1]", "[A]", "Unconditional") "  vector_fxp_to_fp 30\n" FINAL COMMIT("[A]"),
         "0 0.5 1 1.5", 0},
    };
    CHECK(rows);
}

TEST(groups)
{
    static const Row rows[] = {
        {"A=2 I=2",
         DM("%0 x", "i32", "[A]")
             DM("%1 w", "i32", "[A]") "pass main\n  begin_interleaved I %0 %1\n" COLLECT(
                 "i32", "[I]",
                 "[A # 8]") "  vector_init\n  vector_intra_slice_unzip I tile_time [1 # 2] time "
                            "[1]\n"
                            "  vector_fxp MulInt 10, _\n  vector_clip_zip AddFxp\n" FINAL COMMIT(
                                "[A]"),
         "100 111", 0},
        {"A=2 I=2 T=2",
         DM("%0 x", "i32", "[T, A]")
             DM("%1 w", "i32", "[T, A]") "pass main\n  begin_interleaved I %0 %1\n" COLLECT(
                 "i32", "[T, I]",
                 "[A # 8]") "  vector_init\n  vector_intra_slice_unzip I tile_time [T, 1 # 2] time "
                            "[T]\n"
                            "  vector_fxp_zip SubFxp Mode10\n" FINAL COMMIT("[T, A]"),
         "100 100 100 100", 0},
        {"A=2 I=2",
         DM("%0 x", "f32", "[A]")
             DM("%1 w", "f32", "[A]") "pass main\n  begin_interleaved I %0 %1\n" COLLECT(
                 "f32", "[I]",
                 "[A # 8]") "  vector_init\n  vector_intra_slice_unzip I tile_time [1 # 2] time "
                            "[1]\n"
                            "  vector_split time [1 # 2] packet [A # 4]\n  vector_fp_unary Sqrt "
                            "false, true\n"
                            "  vector_fp_zip AddF\n  vector_concat time [1] packet [A # 8]\n" FINAL
                                COMMIT("[A]"),
         "10 11.0499", 0},
    };
    CHECK(rows);
}

TEST(reductions)
{
#define INTRA(op)                                                         \
    DM("%0 x", "i32", "[A, R]")                                           \
    VECTOR("i32", "[A, R # 8 / 4]", "[R # 8 % 4 # 8]", "Unconditional")   \
    "  vector_trim_way4 packet [R # 8 % 4]\n  vector_intra_slice_reduce " \
    "R " op " time [A] packet [1 # 4]\n  vector_pad_way8 packet [1 # 8]\n" FINAL COMMIT("[A]")
#define INTER(type, op)                                                             \
    "%0 x = param dm " type " chip [1] cluster [1] slice [S, R] element [A] at 0\n" \
    "pass main\n  begin %0\n" COLLECT(                                              \
        type, "[1]", "[A # 8]") "  vector_init\n  vector_inter_slice_reduce " op    \
                                " slice [S, 1 # 3] time [1]\n" FINAL COMMIT("[A]")
    static const Row rows[] = {
        {"A=2 R=5", INTRA("AddSat"), "10 35", NUMERICS_TREE},
        {"A=2 R=5", INTRA("AddSat"), "10 35", NUMERICS_SEQUENTIAL},
        {"A=2 R=5", INTRA("Max"), "4 9", NUMERICS_TREE},
        {"A=2 R=5", INTRA("Min"), "0 5", NUMERICS_SEQUENTIAL},
        {"S=2 R=3 A=2", INTER("i32", "Add"), "6 9 24 27", NUMERICS_TREE},
        {"S=2 R=3 A=2", INTER("i32", "Max"), "4 5 10 11", NUMERICS_SEQUENTIAL},
        {"S=2 R=3 A=2", INTER("f32", "Mul"), "0 15 480 693", NUMERICS_TREE},
        // broadcast over a new axis; an axis promoted from Time
        {"S=2 R=2 X=2 T=2",
         "%0 x = param dm i32 chip [1] cluster [1] slice [S, R] element [T] at 0\n"
         "pass main\n  begin %0\n" COLLECT(
             "i32", "[T]", "[1 # 8]") "  vector_init\n  vector_inter_slice_reduce Add slice [S, X] "
                                      "time [T]\n" FINAL COMMIT("[T]"),
         "2 4 2 4 10 12 10 12", 0},
        {"S=2 R=2 T=2",
         "%0 x = param dm i32 chip [1] cluster [1] slice [S, R] element [T] at 0\n"
         "pass main\n  begin %0\n" COLLECT(
             "i32", "[T]", "[1 # 8]") "  vector_init\n  vector_inter_slice_reduce Add slice [S, T] "
                                      "time [1]\n" FINAL COMMIT("[1]"),
         "2 4 10 12", 0},
        // the inner part of the axis outside, and a part in between that stays
        {"A=2 R=11",
         "%0 x = param dm i32 chip [1] cluster [1] slice [A, R # 16 % 8, R # 16 / 8] element [1] "
         "at 0\n"
         "pass main\n  begin %0\n" COLLECT(
             "i32", "[1]", "[1 # 8]") "  vector_init\n  vector_inter_slice_reduce Add slice "
                                      "[A, R # 16 / 2 % 4, 1 # 4] time [1]\n" FINAL COMMIT("[1]"),
         "6 15 15 19 50 48 37 41", NUMERICS_SEQUENTIAL},
        // packets of four cut a group whose elements lie five apart
        {"C=4 F=1 G=2",
         DM("%0 x", "i32", "[C, F # 5]") "pass main\n  begin %0\n" COLLECT(
             "i32", "[[C, F # 5] / 4, G]",
             "[[C, F # 5] % 4 # 8]") "  vector_init\n  vector_intra_slice_branch Unconditional\n"
                                     "  vector_trim_way4 packet [[C, F # 5] % 4]\n"
                                     "  vector_intra_slice_reduce G Min time [[C, F # 5] / 4] "
                                     "packet [[C, F # 5] % 4]\n  vector_pad_way8 packet "
                                     "[[C, F # 5] % 4 # 8]\n" FINAL COMMIT("[C, F # 5]"),
         "0 1 2 3", 0},
        // a part of the axis stays in Slice
        {"R=13",
         "%0 x = param dm i32 chip [1] cluster [1] slice [R # 16 / 4] element [R # 16 % 4] at 0\n"
         "pass main\n  begin %0\n" COLLECT(
             "i32", "[R # 16 % 4]",
             "[1 # 8]") "  vector_init\n  vector_intra_slice_branch Unconditional\n"
                        "  vector_trim_way4 packet [1 # 4]\n  vector_intra_slice_reduce R AddSat "
                        "time [1] "
                        "packet [1 # 4]\n  vector_pad_way8 packet [1 # 8]\n" FINAL COMMIT("[1]"),
         "6 22 38 12", NUMERICS_TREE},
    };
    CHECK(rows);
}

// The slice keeps a part of a composite that is cut where none of its axes ends.
TEST(composites_are_summed_in_part)
{
    static const Row rows[] = {
        {"K=5 J=6",
         "%0 x = param dm i8 chip [1] cluster [1] slice [[K, J] # 32 / 8] element "
         "[[K, J] # 32 % 8] at 0\n"
         "%1 xw = param trf i8 chip [1] cluster [1] slice [[K, J] # 32 / 8] row [1] element "
         "[[K, J] # 32 % 8] at Full\n"
         "pass main\n  begin %0\n" COLLECT(
             "i8", "[1]",
             "[[K, J] # 32 % 8 # 32]") "  align %1 time [1] packet [[K, J] # 32 % 8 # 64]\n  "
                                       "contract packet [1]\n"
                                       "  accumulate Interleaved time [1] packet [1 # 8]\n" COMMIT(
                                           "[1]"),
         "140 1100 3084 4231", 0},
        {"K=5 J=6",
         "%0 x = param dm i32 chip [1] cluster [1] slice [[K, J] # 32 / 8] element "
         "[[K, J] # 32 % 8] at 0\n"
         "%1 r = reshape %0 chip [1] cluster [1] slice [1 # 4] element [J # 8]\n"
         "sub to_dm_pcopy %1 -> %9 y = dm element [J] at 0\n",
         "0 1 2 3 4 5", 0},
    };
    CHECK(rows);
}

// 2^24 + 1 is no f32, so the order of additions shows.
TEST(reductions_add_in_their_order)
{
    static const char *const text =
        "program t\naxis R = 8\n" DM("%0 x", "f32", "[R]") "pass main\n  begin %0\n" COLLECT(
            "f32", "[1]", "[R]") "  vector_init\n  vector_intra_slice_branch Unconditional\n"
                                 "  vector_split time [R / 4] packet [R % 4]\n"
                                 "  vector_intra_slice_reduce R Add time [1] packet [1 # 4]\n"
                                 "  vector_pad_way8 packet [1 # 8]\n" FINAL COMMIT("[1]") "end\n";
    static const float in[8] = {16777216.0f, 1.0f, 1.0f, 1.0f, 0.0f, 1.0f, 1.0f, 1.0f};
    for (int numerics = NUMERICS_TREE; numerics <= NUMERICS_SEQUENTIAL; numerics++) {
        Run run = run_open(text, (Numerics)numerics);
        Values x = run_values(&run, run_tensor(&run, "x"));
        for (int i = 0; i < 8; i++) {
            x.bits[i] = f32(in[i]);
            x.live[i] = i != 4; // passed over
        }
        run_bind(&run, "x", &x);
        run_go(&run);
        // ((2^24 + 1) + (1 + 1)) + (1 + (1 + 1)): 2^24 + 2, then + 3 to even; one by one nothing
        float tree = (16777216.0f + 2.0f) + 3.0f;
        float want = numerics == NUMERICS_TREE ? tree : 16777216.0f;
        assert_int_equal(run_result(&run, "y").bits[0], f32(want));
        run_close(&run);
    }
}

TEST(filters)
{
    static const Row rows[] = {
        {"T=4 A=2",
         DM("%0 x", "i32", "[T, A]") VECTOR(
             "i32", "[T]", "[A # 8]",
             "AxisToggle T") "  vector_filter group One time [T = 2]\n" FINAL COMMIT("[T = 2, A]"),
         "2 3 6 7", 0},
        // of a packet that passes, only the elements of the group; fewer packets than room
        {"T=3 A=2",
         DM("%0 x", "i32", "[T, A]") VECTOR(
             "i32", "[T]", "[A # 8]",
             "Comparison False i32, False i32, False i32, Greater 2") "  vector_filter group One "
                                                                      "time [T]\n" FINAL COMMIT(
                                                                          "[T, A]"),
         ". 3 4 5 . .", 0},
        // slices of different lengths
        {"R=5",
         "%0 x = param dm i32 chip [1] cluster [1] slice [R # 8 / 4] element [R # 8 % 4] at "
         "0\n" VECTOR(
             "i32", "[R # 8 % 4]", "[1 # 8]",
             "Comparison False i32, False i32, False i32, Greater 1") "  vector_filter group One "
                                                                      "time [R # 8 % 4]\n" FINAL
                                                                          COMMIT("[R # 8 % 4]"),
         "2 3 . . 4", 0},
    };
    CHECK(rows);
}

// ---- what can go wrong

static const char *first_code(Run *run)
{
    return run->desk->diags.count ? diag_infos[run->desk->diags.items[0]->code].code : "";
}

TEST(failures_are_reported)
{
    static const struct {
        const char *text, *code;
    } rows[] = {
        {"program t\naxis K = 2\n" DM(
             "%0 x", "i32",
             "[K]") "%1 u = param hbm i32 chip [1] element "
                    "[K] at 0\n" HBM("%2 y", "i32",
                                     "[K]") "tdma dma_scatter %0 index %1 key [K] -> %2\nend\n",
         "E0903"},
        {"program t\naxis A = 4\n" HBM(
             "%0 x", "i32",
             "[A]") "tdma to_hbm %0.tile<[A], 1, [1 # 4]>(?) -> %1 y = hbm element [1] at 0\nend\n",
         "E0904"},
        {"program t\naxis A = 8\npass main\n  input CastTensor i32 chip [1] cluster [1] slice [1] "
         "time [1] packet [A]\n  commit -> %1 y = dm element [A] at 0\nend\n",
         "E0905"},
        {"program t\naxis A = 1000000000000000000\n%0 u = from_addr hbm i32 chip [1] element [A] "
         "at 0\ntdma to_hbm %0 -> %1 y = hbm element [A] at 0\nend\n",
         "E0901"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        Run run = run_open(rows[i].text, NUMERICS_TREE);
        bind_all(&run);
        assert_false(oracle_run(run.oracle));
        assert_string_equal(first_code(&run), rows[i].code);
        run_close(&run);
    }
}

typedef struct {
    int64_t asked, most, done;
} Watch;

static bool is_enough(void *own)
{
    Watch *watch = own;
    return ++watch->asked > watch->most;
}

static void note_progress(void *own, int64_t done, int64_t all)
{
    Watch *watch = own;
    watch->done = done;
    assert_int_equal(all, 2);
}

TEST(runs_can_be_watched_and_ended)
{
    static const char *const text = "program t\naxis A = 4\n" HBM(
        "%0 x", "i32", "[A]") "tdma to_hbm %0 -> %1 z = hbm element [A] at 0\n"
                              "tdma to_hbm %1 -> %2 y = hbm element [A] at 0\nend\n";
    for (int64_t most = 0; most < 3; most++) {
        Watch watch = {.most = most};
        Run run = run_open(text, NUMERICS_TREE);
        oracle_free(run.oracle);
        OracleOptions options = {
            .threads = 1, .is_cancelled = is_enough, .progress = note_progress, .own = &watch};
        run.oracle = oracle_new(run.program, &options, &run.desk->diags);
        bind_all(&run);
        assert_int_equal(oracle_run(run.oracle), most == 2);
        assert_int_equal(watch.done, most);
        assert_string_equal(first_code(&run), most == 2 ? "" : "E0902");
        run_close(&run);
    }
}

static const Row chain = {
    "A=64 K=32 N=8",
    "%0 x = param dm bf16 chip [1] cluster [1] slice [A] element [K] at 0\n"
    "%1 w = param dm bf16 chip [1] cluster [1] slice [A] element [N, K] at 0\n"
    "pass sub\n  begin %1\n" COLLECT(
        "bf16", "[N, K / 16]",
        "[K % 16]") "  to_trf -> %2 = trf row [N] element [K] at Full\n"
                    "pass main\n  begin %0\n" COLLECT(
                        "bf16", "[K / 16]",
                        "[K % 16]") "  align %2 time [1] packet [K]\n  contract packet [1]\n"
                                    "  accumulate Interleaved time [1] packet [N]\n  vector_init\n"
                                    "  vector_intra_slice_branch AxisToggle N\n  vector_stash\n"
                                    "  vector_split time [N / 4] packet [N % 4]\n  vector_fp_unary "
                                    "Sigmoid\n"
                                    "  vector_intra_slice_reduce N Add time [1] packet [1 # 4]\n"
                                    "  vector_pad_way8 packet [1 # 8]\n" FINAL
                                    "  commit -> %3 = dm element [1 # 2] at 0\n"
                                    "%4 r = reshape %3 chip [1] cluster [1] slice [A] element [1 # "
                                    "2]\n"
                                    "tdma to_hbm %4 -> %5 y = hbm element [A] at 0\n",
    "", NUMERICS_TREE};

// However early memory runs out, it is said, and everything is given back.
TEST(memory_may_run_out_anywhere)
{
    Arena arena = {0};
    const char *text = program_of(&arena, &chain);
    bool finished = false;
    int64_t tries = 0;
    for (int64_t n = 1; !finished; n += 1 + n / 64, tries++) {
        Run run = run_open(text, NUMERICS_TREE);
        bind_all(&run);
        run.oracle->scratch.fail_in = n;
        finished = oracle_run(run.oracle);
        if (!finished)
            assert_string_equal(first_code(&run), "E0901");
        run_close(&run);
    }
    assert_true(tries > 100);
    arena_release(&arena);
}

TEST(threads_change_no_bit)
{
    static const Row row = {
        "A=512 K=64 N=64",
        DM("%0 x", "bf16", "[A, K]") DM("%1 w", "bf16", "[N, K]") "pass sub\n  begin %1\n" COLLECT(
            "bf16", "[N, K / 16]",
            "[K % 16]") "  to_trf -> %2 = trf row [N % 8] element [N / 8, K] at Full\n"
                        "pass main\n  begin %0\n" COLLECT(
                            "bf16", "[A, K / 16]",
                            "[K % 16]") "  align %2 time [A, N / 8, K / 32] packet [K % 32]\n"
                                        "  contract packet [1]\n"
                                        "  accumulate Interleaved time [A, N / 8] packet [N % "
                                        "8]\n" COMMIT("[A, N]"),
        "", 0};
    Arena arena = {0};
    const char *text = program_of(&arena, &row);
    Values results[2];
    Run runs[2];
    for (int i = 0; i < 2; i++) {
        runs[i] = run_open(text, NUMERICS_TREE);
        oracle_free(runs[i].oracle);
        OracleOptions options = {.threads = i ? 3 : 1};
        runs[i].oracle = oracle_new(runs[i].program, &options, &runs[i].desk->diags);
        bind_all(&runs[i]);
        run_go(&runs[i]);
        results[i] = run_result(&runs[i], "y");
    }
    assert_int_equal(results[0].count, 512 * 64);
    assert_memory_equal(results[0].bits, results[1].bits, 4 * (size_t)results[0].count);
    assert_memory_equal(results[0].live, results[1].live, (size_t)results[0].count);
    run_close(&runs[0]);
    run_close(&runs[1]);
    arena_release(&arena);
}

// Only what is given back stays, and a reshape keeps what it is made of.
TEST(only_results_stay)
{
    static const char *const text = "program t\naxis A = 4\naxis B = 4\n" DM(
        "%0 x", "i32",
        "[A]") "sub to_dm_pcopy %0 -> %1 z = dm element [A] at 0\n"
               "sub to_dm_pcopy %1 -> %2 s = dm element [A] at 0\n"
               "%3 y = reshape %2 chip [1] cluster [1] slice [1] element [B]\nreturn %3\nend\n";
    Run run = run_open(text, NUMERICS_TREE);
    oracle_free(run.oracle);
    OracleOptions options = {.results_only = true};
    run.oracle = oracle_new(run.program, &options, &run.desk->diags);
    bind_all(&run);
    run_go(&run);
    Array *gone = oracle_take(run.oracle, run_tensor(&run, "z")); // made anew, of nothing
    assert_non_null(gone);
    assert_null(memchr(gone->live, 1, (size_t)gone->count));
    array_free(gone);
    assert_string_equal(result_of(&run), "0 1 2 3");
    run_close(&run);
}

// Again, with another value in the parameter.
TEST(programs_run_again)
{
    static const Row row = {
        "A=4", HBM("%0 x", "i32", "[A]") "tdma to_hbm %0 -> %1 y = hbm element [A] at 0\n", "", 0};
    Arena arena = {0};
    Run run = run_open(program_of(&arena, &row), NUMERICS_TREE);
    bind_all(&run);
    run_go(&run);
    assert_string_equal(result_of(&run), "0 1 2 3");
    run.bound[run_tensor(&run, "x")->id]->bits[2] = 50;
    run_go(&run);
    run_go(&run);
    assert_string_equal(result_of(&run), "0 1 50 3");
    run_close(&run);
    arena_release(&arena);
}
