// The stream behind every stage: what the builder makes of the one before and of the line.
#include "program_support.h"

static const char *const head = "program test chip=1\n"
                                "axis A = 4096\n"
                                "axis B = 8\n"
                                "axis I = 2\n"
                                "axis N = 8\n"
                                "%0 = from_addr dm i32 chip [1] cluster [1 # 2] slice [A / 16] "
                                "element [A % 16] at 0\n"
                                "%1 = from_addr dm i8 chip [1] cluster [1 # 2] slice [A / 16] "
                                "element [A % 16 # 64] at 0\n"
                                "%2 = from_addr trf i8 chip [1] cluster [1 # 2] slice [A / 16] "
                                "row [N] element [A % 16 # 64] at Full\n"
                                "%3 = from_addr vrf i32 chip [1] cluster [1 # 2] slice [A / 16] "
                                "element [B] at 0\n";

// Chains that others go on from.
#define FETCHED   "begin %0\nfetch i32 time [A % 16 / 8] packet [A % 8]\n"
#define COLLECTED FETCHED "collect time [A % 16 / 8] packet [A % 8]\n"
#define ALIGNED                                          \
    "begin %1\nfetch i8 time [1] packet [A % 16 # 64]\n" \
    "collect time [1 # 2] packet [A % 16 # 32]\nalign %2 time [1] packet [A % 16 # 64]\n"
#define ENTERED  COLLECTED "vector_init\n"
#define BRANCHED ENTERED "vector_intra_slice_branch Unconditional\n"
#define FLOATING BRANCHED "vector_fxp_to_fp 31\n"
#define NARROWED FLOATING "vector_split time [A % 16 / 4] packet [A % 4]\n"
#define UNZIPPED ENTERED "vector_intra_slice_unzip I tile_time [1 # 2] time [1]\n"
#define STASHED  BRANCHED "vector_stash\n"

static void print_dims(StrBuf *out, const Stage *stage)
{
    for (Level level = LEVEL_SLICE; level < LEVEL_ELEMENT; level++) {
        buf_add(out, level == LEVEL_SLICE ? STR("") : STR(" | "));
        if (stage->dims[level])
            expr_print(out, stage->dims[level]->expr);
        else
            buf_add(out, STR("-"));
    }
}

// "VectorTensor i32 Fxp way8 FxpAdd": the state, with only those flags that are set
static const char *state_text(Arena *arena, const Stage *stage)
{
    StrBuf out = {.arena = arena};
    buf_format(&out, "{} {}", position_types[stage->position], scalar_name(stage->type));
    if (stage->position == POSITION_VECTOR || stage->position == POSITION_VECTOR_PAIR)
        buf_format(&out, " {} {}", vector_stages[stage->vector_stage].name,
                   stage->way4 ? "way4" : "way8");
    if (stage->alu)
        buf_format(&out, " {}", vector_alu_names[stage->alu]);
    if (stage->has_stash)
        buf_format(&out, " stash:{}", scalar_name(stage->stash_type));
    buf_format(&out, "{}{}", stage->inter_first ? " inter_first" : "",
               stage->zipped ? " zipped" : "");
    return str_terminated(arena, buf_str(&out));
}

static const char *dims_text(Arena *arena, const Stage *stage)
{
    StrBuf out = {.arena = arena};
    print_dims(&out, stage);
    return str_terminated(arena, buf_str(&out));
}

typedef struct {
    const char *lines;
    const char *state;
    const char *dims; // Slice | Row | Time | Packet; NULL: as before
} Row;

static const Row rows[] = {
    {"begin %0\n", "BeginTensor i32", "A / 16 | - | 1 | A % 16"},
    {"begin_interleaved I %0 %0\n", "BeginTensor i32", "A / 16 | - | I | A % 16"},
    {"begin %0.tile<[A % 16 / 8], 1, [1 # 2, A % 8]>(1)\n", "BeginTensor i32",
     "A / 16 | - | 1 | 1 # 2, A % 8"},
    {FETCHED, "FetchTensor i32", "A / 16 | - | A % 16 / 8 | A % 8"},
    {"begin %1\nfetch i32 time [1] packet [A % 16]\n", "FetchTensor i32",
     "A / 16 | - | 1 | A % 16"},
    {FETCHED "switch Transpose slice1=32 slice0=8 slice [A % 16, A / 256] time [B]\n",
     "SwitchTensor i32", "A % 16, A / 256 | - | B | A % 8"},
    {COLLECTED, "CollectTensor i32", "A / 16 | - | A % 16 / 8 | A % 8"},
    {ALIGNED, "AlignedPair i8", "A / 16 | N | 1 | A % 16 # 64"},
    {ALIGNED "contract packet [1]\n", "ContractionTensor i32", "A / 16 | N | 1 | 1"},
    {ALIGNED "contract packet [1]\naccumulate Interleaved time [1] packet [N]\n",
     "AccumulationTensor i32", "A / 16 | - | 1 | N"},
    {COLLECTED "cast i8 packet [A % 8 # 32]\n", "CastTensor i8",
     "A / 16 | - | A % 16 / 8 | A % 8 # 32"},
    {COLLECTED "transpose time [A % 8] packet [A % 16 / 8 # 8]\n", "TransposeTensor i32",
     "A / 16 | - | A % 8 | A % 16 / 8 # 8"},
    {COLLECTED "commit -> %9 = dm element [A % 16] at 0x40\n", " i32",
     "A / 16 | - | A % 16 / 8 | A % 8"},
    {COLLECTED "commit_view -> %0\n", " i32", "A / 16 | - | A % 16 / 8 | A % 8"},
    {COLLECTED "to_trf -> %9 = trf row [1] element [A % 16] at FirstHalf\n", " i32", NULL},
    {COLLECTED "to_vrf -> %9 = vrf element [A % 16] at 0\n", " i32", NULL},
    {ENTERED, "VectorInitTensor i32", NULL},
    {BRANCHED, "VectorTensor i32 Branch way8", NULL},
    {ENTERED "vector_inter_slice_reduce Add slice [1 # 256] time [1]\n",
     "VectorTensor i32 InterSliceReduce way8 inter_first", "1 # 256 | - | 1 | A % 8"},
    {ENTERED "vector_inter_slice_reduce Add slice [1 # 256] time [1]\n"
             "vector_intra_slice_branch Unconditional\nvector_fxp AddFxp 1\n",
     "VectorTensor i32 Fxp way8 FxpAdd inter_first", "1 # 256 | - | 1 | A % 8"},
    {STASHED "vector_inter_slice_reduce Max slice [1 # 256] time [1]\n",
     "VectorTensor i32 InterSliceReduce way8", NULL},
    {BRANCHED "vector_logic BitXor 7\n", "VectorTensor i32 Logic way8 LogicXor", NULL},
    {FLOATING "vector_logic BitOr 0.5\n", "VectorTensor f32 Logic way8 LogicOr", NULL},
    {BRANCHED "vector_fxp MulInt %3\n", "VectorTensor i32 Fxp way8 FxpMul", NULL},
    {FLOATING, "VectorTensor f32 FxpToFp way8", NULL},
    {NARROWED, "VectorTensor f32 Narrow way4", "A / 16 | - | A % 16 / 4 | A % 4"},
    {FLOATING "vector_trim_way4 packet [A % 4]\n", "VectorTensor f32 Narrow way4",
     "A / 16 | - | A % 16 / 8 | A % 4"},
    {NARROWED "vector_fp_unary Exp\n", "VectorTensor f32 Fp way4 FpExp", NULL},
    {NARROWED "vector_fp_binary AddF 0.5\n", "VectorTensor f32 Fp way4 FpFma", NULL},
    {NARROWED "vector_fp_binary MulF(Mul1) 0.5\n", "VectorTensor f32 Fp way4 FpMul1", NULL},
    {NARROWED "vector_fp_binary MaskMulF(Fma) 0.5\n", "VectorTensor f32 Fp way4 FpFma", NULL},
    {NARROWED "vector_fp_ternary FmaF 0.5 with 2\n", "VectorTensor f32 Fp way4 FpFma", NULL},
    {NARROWED "vector_intra_slice_reduce A Add time [1] packet [1 # 4]\n",
     "VectorTensor f32 IntraSliceReduce way4 ReduceAccTree", "A / 16 | - | 1 | 1 # 4"},
    {NARROWED "vector_fp_div DivF Mode10 1.0\n", "VectorTensor f32 FpDiv way4 ReduceFpDiv", NULL},
    {NARROWED "vector_concat time [A % 16 / 8] packet [A % 8]\n", "VectorTensor f32 Widen way8",
     "A / 16 | - | A % 16 / 8 | A % 8"},
    {NARROWED "vector_pad_way8 packet [A % 4 # 8]\n", "VectorTensor f32 Widen way8",
     "A / 16 | - | A % 16 / 4 | A % 4 # 8"},
    {FLOATING "vector_fp_to_fxp 31\n", "VectorTensor i32 FpToFxp way8", NULL},
    {BRANCHED "vector_clip AddFxpSat 3\n", "VectorTensor i32 Clip way8 ClipAdd", NULL},
    {FLOATING "vector_clip Max 3.0\n", "VectorTensor f32 Clip way8 ClipMax", NULL},
    {STASHED, "VectorTensor i32 Branch way8 stash:i32", NULL},
    // the stash keeps the type that entered, whatever becomes of the stream
    {STASHED "vector_fxp_to_fp 31\n", "VectorTensor f32 FxpToFp way8 stash:i32", NULL},
    {STASHED "vector_fxp_to_fp 31\nvector_clip Min stash\n",
     "VectorTensor f32 Clip way8 ClipMin stash:i32", NULL},
    {BRANCHED "vector_filter group One time [1]\n", "VectorTensor i32 Filter way8",
     "A / 16 | - | 1 | A % 8"},
    {UNZIPPED, "VectorTensorPair i32 Branch way8", "A / 16 | - | 1 | A % 8"},
    // a pair stays a pair until it is zipped
    {UNZIPPED "vector_fxp AddFxp 1, _\n", "VectorTensorPair i32 Fxp way8 FxpAdd", NULL},
    {UNZIPPED "vector_fxp AddFxp _, _\n", "VectorTensorPair i32 Fxp way8", NULL},
    {UNZIPPED "vector_fxp_to_fp 31\nvector_split time [B] packet [A % 4]\n",
     "VectorTensorPair f32 Narrow way4", "A / 16 | - | B | A % 4"},
    {UNZIPPED "vector_fxp_to_fp 31\nvector_split time [B] packet [A % 4]\n"
              "vector_fp_unary Exp true, false\n",
     "VectorTensorPair f32 Fp way4 FpExp", NULL},
    {UNZIPPED "vector_fxp_to_fp 31\nvector_split time [B] packet [A % 4]\n"
              "vector_fp_unary Exp false, false\n",
     "VectorTensorPair f32 Fp way4", NULL},
    {UNZIPPED "vector_logic_zip BitAnd\n", "VectorTensor i32 Logic way8 LogicAnd zipped", NULL},
    {UNZIPPED "vector_fxp_zip SubFxp Mode10\n", "VectorTensor i32 Fxp way8 FxpAdd zipped", NULL},
    {UNZIPPED "vector_clip_zip Max\n", "VectorTensor i32 Clip way8 ClipMax zipped", NULL},
    {UNZIPPED "vector_fxp_to_fp 31\nvector_split time [B] packet [A % 4]\nvector_fp_zip AddF\n",
     "VectorTensor f32 Fp way4 FpFma zipped", NULL},
    // what keeps a zip in mind, and what does not
    {UNZIPPED "vector_fxp_zip AddFxp\nvector_split time [B] packet [A % 4]\n",
     "VectorTensor i32 Narrow way4 zipped", NULL},
    {UNZIPPED "vector_fxp_zip AddFxp\nvector_split time [B] packet [A % 4]\n"
              "vector_pad_way8 packet [A % 4 # 8]\n",
     "VectorTensor i32 Widen way8 zipped", NULL},
    {UNZIPPED "vector_fxp_zip AddFxp\nvector_fxp_to_fp 31\n", "VectorTensor f32 FxpToFp way8",
     NULL},
    {UNZIPPED "vector_fxp_to_fp 31\nvector_split time [B] packet [A % 4]\nvector_fp_zip AddF\n"
              "vector_fp_div DivF 2.0\n",
     "VectorTensor f32 FpDiv way4 ReduceFpDiv zipped", NULL},
    {UNZIPPED "vector_fxp_zip AddFxp\nvector_clip Max 1\n", "VectorTensor i32 Clip way8 ClipMax",
     NULL},
    {BRANCHED "vector_final\n", "VectorFinalTensor i32", "A / 16 | - | A % 16 / 8 | A % 8"},
    {"input VectorTensor f32 chip [1] cluster [1 # 2] slice [A / 16] time [B] packet [A % 4] "
     "stage Fp entry i32 stash way4 inter_first zipped\n",
     "VectorTensor f32 Fp way4 stash:i32 inter_first zipped", "A / 16 | - | B | A % 4"},
    {"input AlignedPair i8 chip [1] cluster [1 # 2] slice [A / 16] row [N] time [B] packet [A]\n",
     "AlignedPair i8", "A / 16 | N | B | A"},
};

static const Program *read_row(Desk *desk, const Row *row)
{
    StrBuf text = {.arena = &desk->arena};
    bool sink = strstr(row->lines, "commit") || strstr(row->lines, "to_trf") ||
                strstr(row->lines, "to_vrf");
    buf_format(&text, "{}pass main\n{}{}end\n", head, row->lines, sink ? "" : "open\n");
    return desk_program(desk, buf_str(&text));
}

TEST(every_stage_gives_its_stream)
{
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        Desk *desk = desk_new(NULL);
        const Stage *stage = last_stage(read_row(desk, &rows[i]));
        assert_string_equal(state_text(&desk->arena, stage), rows[i].state);
        if (rows[i].dims)
            assert_string_equal(dims_text(&desk->arena, stage), rows[i].dims);
        assert_true(stage->sound);
        assert_null(stage->dims[LEVEL_ELEMENT]);
        desk_free(desk);
    }
}

TEST(every_stage_has_a_row)
{
    bool seen[STAGE_COUNT] = {0};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        Desk *desk = desk_new(NULL);
        seen[last_stage(read_row(desk, &rows[i]))->kind] = true;
        desk_free(desk);
    }
    for (StageKind kind = 0; kind < STAGE_COUNT; kind++)
        if (!seen[kind])
            fail_msg("no row ends with `%s`", stages[kind].method);
}

TEST(stages_know_their_place_in_the_pass)
{
    Desk *desk = desk_new(NULL);
    const Stage *stage = last_stage(read_row(desk, &(Row){.lines = BRANCHED}));
    for (int64_t index = 4; index >= 0; index--) {
        assert_int_equal(stage->index, index);
        stage = stage->before;
    }
    assert_null(stage);
    desk_free(desk);
}

// A type that cannot contract goes on as it is: the rule about it says so, not the builder.
TEST(what_cannot_contract_keeps_its_type)
{
    Desk *desk = desk_new(NULL);
    Row row = {.lines = "input AlignedPair u8 chip [1] cluster [1] slice [1] row [1] time [1] "
                        "packet [A]\ncontract packet [1]\n"};
    assert_int_equal(last_stage(read_row(desk, &row))->type, SCALAR_U8);
    desk_free(desk);
}
