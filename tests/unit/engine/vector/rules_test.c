// For every rule of the Vector Engine: a chain that breaks it, with its code and the call, beside
// one that keeps it.
#include "vector_support.h"

#define BRANCH "vector_init; vector_intra_slice_branch Unconditional; "
#define TRIM   "vector_trim_way4 packet [A % 2 # 4]; "
#define PAD    "vector_pad_way8 packet [A % 2 # 8]; "
#define UNZIP  "vector_init; vector_intra_slice_unzip I tile_time [1 # 2] time [1]; "

// A stream of A with two lanes a packet.
#define I32 "A=512", "CollectTensor i32", .slice = "A / 2", .packet = "A % 2 # 8"
#define F32 "A=512", "CollectTensor f32", .slice = "A / 2", .packet = "A % 2 # 8"
// The same, interleaved.
#define PAIR_I32 \
    "A=512,I=2,J=3", "CollectTensor i32", .slice = "A / 2", .time = "I", .packet = "A % 2 # 8"
#define PAIR_F32 \
    "A=512,I=2,J=3", "CollectTensor f32", .slice = "A / 2", .time = "I", .packet = "A % 2 # 8"

TEST(stages_come_in_order)
{
    static const Row rows[] = {
        // Intra-Slice Block, Stages
        {I32, .calls = BRANCH "vector_clip Max 0; vector_fxp AddFxp 1", .codes = "4 E0701"},
        {I32, .calls = BRANCH "vector_fxp AddFxp 1; vector_clip Max 0", .codes = ""},
        {F32, .calls = BRANCH TRIM PAD "vector_fp_unary Exp", .codes = "5 E0701"},
        {I32, .calls = BRANCH "vector_fxp AddFxp 1; vector_logic BitAnd 1", .codes = "4 E0701"},
        {I32,
         .calls = BRANCH "vector_logic BitAnd 1; vector_logic BitOr 1; vector_fxp AddFxp 1; "
                         "vector_fxp MulInt 1; vector_clip Max 0; vector_clip Min 1",
         .codes = ""},
        // stages that run once
        {I32, .calls = BRANCH "vector_fxp_to_fp 31; vector_fxp_to_fp 31", .codes = "4 E0702"},
        {F32, .calls = BRANCH TRIM "vector_fp_div DivF 1.0; vector_fp_div DivF 2.0",
         .codes = "5 E0702"},
        {I32, .calls = BRANCH "vector_filter time [1]; vector_filter time [1]", .codes = "4 E0702"},
        {I32, .calls = BRANCH "vector_filter time [1]; vector_clip Max 0", .codes = "4 E0701"},
        // blocks
        {I32, .calls = BRANCH "vector_intra_slice_branch Unconditional", .codes = "3 E0703"},
        {"A=64,R=4", "CollectTensor i32", .slice = "A, R",
         .calls = BRANCH "vector_inter_slice_reduce Add slice [A, 1 # 4] time [1]; "
                         "vector_intra_slice_branch Unconditional",
         .codes = "4 E0703"},
        {"A=64,R=4", "CollectTensor i32", .slice = "A, R",
         .calls = "vector_init; vector_inter_slice_reduce Add slice [A, 1 # 4] time [1]; "
                  "vector_intra_slice_branch Unconditional; vector_fxp AddFxp 1",
         .codes = ""},
        {"A=64,R=4", "CollectTensor i32", .slice = "A, R",
         .calls = "vector_init; vector_inter_slice_reduce Add slice [A, 1 # 4] time [1]; "
                  "vector_fxp AddFxp 1",
         .codes = "3 E0703"},
        {"A=64,R=4", "CollectTensor i32", .slice = "A, R",
         .calls = "vector_init; vector_inter_slice_reduce Add slice [A, 1 # 4] time [1]; "
                  "vector_filter time [1]",
         .codes = "3 E0703"},
        // Inter-Slice Block, Interface
        {"A=32,R=4,S=2", "CollectTensor i32", .slice = "A, R, S",
         .calls = "vector_init; vector_inter_slice_reduce Add slice [A, R, 1 # 2] time [1]; "
                  "vector_inter_slice_reduce Add slice [A, 1 # 8] time [1]",
         .codes = "3 E0751"},
        {"A=32,R=4,S=2", "CollectTensor i32", .slice = "A, R, S",
         .calls = "vector_init; vector_inter_slice_reduce Add slice [A, R, 1 # 2] time [1]; "
                  "vector_intra_slice_branch Unconditional; vector_inter_slice_reduce Add slice "
                  "[A, 1 # 8] time [1]",
         .codes = "4 E0751"},
        {"A=64,R=4", "CollectTensor i32", .slice = "A, R",
         .calls = BRANCH "vector_filter time [1]; vector_inter_slice_reduce Add slice "
                         "[A, 1 # 4] time [1]",
         .codes = "4 E0751"},
        {"A=64,R=4", "CollectTensor i32", .slice = "A, R",
         .calls = BRANCH "vector_trim_way4 packet [1 # 4]; vector_inter_slice_reduce Add slice "
                         "[A, 1 # 4] time [1]",
         .codes = "4 E0711"},
        // of a pair, and where there is none, it is the order of the pass
        {PAIR_I32, .calls = UNZIP "vector_stash", .codes = "3 other"},
        {PAIR_I32, .calls = UNZIP "vector_final", .codes = "3 other"},
        {I32, .calls = BRANCH "vector_fxp_zip AddFxp", .codes = "3 other"},
        {I32, .calls = "vector_fxp AddFxp 1", .codes = "1 other"},
        {I32, .calls = "vector_init; vector_fxp AddFxp 1", .codes = "2 other"},
    };
    check_rows(rows, COUNT_OF(rows), RULES_CONTRA);
}

TEST(types_fit)
{
    static const Row rows[] = {
        // Vector Engine, Constraints
        {"A=512", "CollectTensor i8", .slice = "A / 2", .packet = "A % 2 # 32",
         .calls = "vector_init", .codes = "1 E0705"},
        {"A=512", "CollectTensor bf16", .slice = "A / 2", .packet = "A % 2 # 16",
         .calls = "vector_init", .codes = "1 E0705"},
        {I32, .calls = "vector_init", .codes = ""},
        {F32, .calls = "vector_init", .codes = ""},
        // Intra-Slice Block, Stages: reported once, where it begins
        {F32, .calls = BRANCH "vector_fxp AddFxp 1; vector_fxp MulInt 2", .codes = "3 E0706"},
        {F32, .calls = BRANCH "vector_fxp_to_fp 31", .codes = "3 E0706"},
        {I32, .calls = BRANCH TRIM "vector_fp_unary Exp; vector_fp_binary AddF 1.0",
         .codes = "4 E0706"},
        {I32, .calls = BRANCH TRIM "vector_fp_div DivF 1.0", .codes = "4 E0706"},
        {I32, .calls = BRANCH "vector_fp_to_fxp 31", .codes = "3 E0706"},
        {I32,
         .calls = BRANCH "vector_fxp_to_fp 31; " TRIM "vector_fp_unary Exp; " PAD
                         "vector_fp_to_fxp 31; vector_clip Max 0",
         .codes = ""},
        // the set of operations
        {F32, .calls = BRANCH "vector_clip ClipBinaryOpI32::Max 0.0", .codes = "3 E0707"},
        {I32, .calls = BRANCH "vector_logic LogicBinaryOpF32::BitAnd f32:1.0", .codes = "3 E0707"},
        {F32, .calls = BRANCH "vector_logic BitAnd 1.0", .codes = ""},
        {"A=512,R=4", "CollectTensor i32", .slice = "A / 2", .time = "R", .packet = "A % 2 # 8",
         .calls = BRANCH TRIM "vector_intra_slice_reduce R IntraSliceReduceOpF32::Add time [1] "
                              "packet [A % 2 # 4]",
         .codes = "4 E0707"},
        {I32, .calls = BRANCH "vector_fxp_to_fp 31; vector_clip ClipBinaryOpI32::Max 0",
         .codes = "4 E0707"},
        // int_width
        {I32, .calls = BRANCH "vector_fxp_to_fp 32", .codes = "3 E0709"},
        {I32, .calls = BRANCH "vector_fxp_to_fp 0", .codes = ""},
        {F32, .calls = BRANCH "vector_fp_to_fxp 99", .codes = "3 E0709"},
        {F32, .calls = BRANCH "vector_fp_to_fxp 31", .codes = ""},
    };
    check_rows(rows, COUNT_OF(rows), RULES_CONTRA);
}

TEST(lanes_fit)
{
    static const Row rows[] = {
        // 8 lanes at the entry; a parameter may be anything
        {"A=512", "VectorInitTensor i32", .slice = "A / 16", .packet = "A % 16",
         .state = "stage Branch entry i32", .calls = "vector_intra_slice_branch Unconditional",
         .codes = "1 E0710"},
        {"A=512", "VectorInitTensor i32", .slice = "A / 4", .packet = "A % 4",
         .state = "stage Branch entry i32", .calls = "vector_intra_slice_branch Unconditional",
         .codes = "1 E0710"},
        {"A=512,I=2", "VectorInitTensor i32", .slice = "A / 4", .time = "I", .packet = "A % 4",
         .state = "stage Branch entry i32",
         .calls = "vector_intra_slice_unzip I tile_time [1 # 2] time [1]", .codes = "1 E0710"},
        {"A=512", "VectorInitTensor i32", .slice = "A / 4", .packet = "A % 4",
         .state = "stage Branch entry i32",
         .calls = "vector_inter_slice_reduce Add slice [1 # 128] time [1]", .codes = "1 E0710"},
        // Intra-Slice Block, Narrow: reported once
        {F32, .calls = BRANCH "vector_fp_unary Exp; vector_fp_unary Sqrt", .codes = "3 E0711"},
        {F32, .calls = BRANCH TRIM "vector_clip Max 0.0", .codes = "4 E0711"},
        {F32, .calls = BRANCH TRIM "vector_final", .codes = "4 E0711"},
        {F32, .calls = BRANCH PAD, .codes = "3 E0711"},
        {F32, .calls = BRANCH TRIM PAD "vector_clip Max 0.0; vector_final", .codes = ""},
        // once each
        {F32, .calls = BRANCH TRIM TRIM, .codes = "4 E0712"},
        {F32, .calls = BRANCH TRIM PAD TRIM, .codes = "5 E0712"},
        {F32, .calls = BRANCH TRIM PAD PAD, .codes = "5 E0712"},
        // lanes of the new packet
        {F32, .calls = BRANCH "vector_trim_way4 packet [A % 2]", .codes = "3 E0713"},
        {"A=512", "CollectTensor f32", .slice = "A / 8", .packet = "A % 8",
         .calls = BRANCH "vector_split time [A / 4 % 2] packet [A % 8]", .codes = "3 E0713"},
        {F32, .calls = BRANCH TRIM "vector_pad_way8 packet [A % 2 # 16]", .codes = "4 E0713"},
        {F32,
         .calls = BRANCH TRIM "vector_fp_unary Exp; vector_pad_way8 packet [A % 2 # 16]; "
                              "vector_clip Max 0.0",
         .codes = "5 E0713"},
        // split
        {"A=512,T=3", "CollectTensor f32", .slice = "A / 8", .time = "T", .packet = "A % 8",
         .calls = BRANCH "vector_split time [A / 4 % 2, T] packet [A % 4]", .codes = "3 E0714"},
        {"A=512,T=3", "CollectTensor f32", .slice = "A / 8", .time = "T", .packet = "A % 8",
         .calls = BRANCH "vector_split time [T, A / 4 % 2] packet [A / 2 % 4]", .codes = "3 E0714"},
        {"A=512,T=3", "CollectTensor f32", .slice = "A / 8", .time = "T", .packet = "A % 8",
         .calls = BRANCH "vector_split time [T, A / 4 % 2] packet [A % 4]", .codes = ""},
        {F32, .calls = BRANCH "vector_split time [1 # 2] packet [A % 2 # 4]", .codes = ""},
        // trim
        {"A=512", "CollectTensor f32", .slice = "A / 8", .packet = "A % 8",
         .calls = BRANCH "vector_trim_way4 packet [A % 4]", .codes = "3 E0715"},
        {"A=500", "CollectTensor f32", .slice = "A / 5", .packet = "A % 5 # 8",
         .calls = BRANCH "vector_trim_way4 packet [A % 5 = 4]", .codes = "3 E0715"},
        {F32, .calls = BRANCH "vector_trim_way4 packet [A / 2 % 2 # 4]", .codes = "3 E0716"},
        // concat
        {"A=512,T=3", "CollectTensor f32", .slice = "A / 8", .time = "T", .packet = "A % 8",
         .calls = BRANCH "vector_split time [T, A / 4 % 2] packet [A % 4]; vector_concat time [T] "
                         "packet [A % 8]",
         .codes = ""},
        {"A=512,T=3", "CollectTensor f32", .slice = "A / 8", .time = "T", .packet = "A % 8",
         .calls = BRANCH "vector_split time [T, A / 4 % 2] packet [A % 4]; vector_concat time [T] "
                         "packet [A % 4 # 8]",
         .codes = "4 E0717"},
        {"A=512,T=3", "CollectTensor f32", .slice = "A / 8", .time = "T", .packet = "A % 8",
         .calls = BRANCH "vector_split time [T, A / 4 % 2] packet [A % 4]; vector_concat time [1] "
                         "packet [A % 8]",
         .codes = "4 E0717"},
        {"A=512,T=3", "CollectTensor f32", .slice = "A / 2", .time = "T", .packet = "A % 2 # 8",
         .calls = BRANCH TRIM "vector_concat time [1] packet [A % 2 # 8]", .codes = "4 E0718"},
        // pad
        {F32, .calls = BRANCH TRIM "vector_pad_way8 packet [A / 2 % 2 # 8]", .codes = "4 E0719"},
    };
    check_rows(rows, COUNT_OF(rows), RULES_CONTRA);
}

TEST(alus_are_used_once)
{
    static const Row rows[] = {
        {I32, .calls = BRANCH "vector_logic LogicRightShift 1; vector_logic ArithRightShift 1",
         .codes = "4 E0720"},
        {I32, .calls = BRANCH "vector_logic LeftShift 1; vector_fxp LeftShift 1", .codes = ""},
        {F32, .calls = BRANCH TRIM "vector_fp_unary Sqrt; vector_fp_unary Tanh",
         .codes = "5 E0720"},
        {F32, .calls = BRANCH TRIM "vector_fp_unary Sqrt; vector_fp_binary DivF 2.0",
         .codes = "5 E0720"},
        {F32, .calls = BRANCH TRIM "vector_fp_binary AddF 1.0; vector_fp_ternary FmaF 1.0 with 2.0",
         .codes = "5 E0720"},
        // exp(sqrt(((x + 1) * 2) * 3))
        {F32,
         .calls = BRANCH TRIM "vector_fp_binary AddF 1.0; vector_fp_binary MulF(Mul0) 2.0; "
                              "vector_fp_binary MulF(Mul1) 3.0; vector_fp_unary Sqrt; "
                              "vector_fp_unary Exp",
         .codes = ""},
        {F32,
         .calls = BRANCH TRIM "vector_fp_binary MulF(Mul0) 2.0; vector_fp_binary "
                              "MaskMulF(Mul0) 3.0",
         .codes = "5 E0720"},
        {F32, .calls = BRANCH TRIM "vector_fp_binary MulF(Fma) 2.0", .codes = ""},
        {F32, .calls = BRANCH TRIM "vector_fp_binary MulF 2.0", .codes = "4 E0721"},
        {F32, .calls = BRANCH TRIM "vector_fp_binary MulF(ClipMax) 2.0", .codes = "4 E0721"},
        // the set is fresh behind an inter-slice reduce and the branch that follows it
        {"A=64,R=4", "CollectTensor i32", .slice = "A, R",
         .calls = "vector_init; vector_inter_slice_reduce Add slice [A, 1 # 4] time [1]; "
                  "vector_intra_slice_branch Unconditional; vector_clip Max 1; vector_clip Min 0",
         .codes = ""},
        // a pair has one set for both groups, and a zip takes part in it
        {PAIR_I32, .calls = UNZIP "vector_fxp MulInt 10, _; vector_fxp MulInt _, 10",
         .codes = "4 E0720"},
        {PAIR_I32, .calls = UNZIP "vector_fxp MulInt _, _; vector_fxp MulInt 2, 10", .codes = ""},
        {PAIR_I32, .calls = UNZIP "vector_fxp MulInt 10, _; vector_fxp_zip MulFxp",
         .codes = "4 E0720"},
        {PAIR_F32,
         .calls = UNZIP TRIM "vector_fp_unary Exp true, false; vector_fp_unary NegExp false, true",
         .codes = "5 E0720"},
        {PAIR_F32,
         .calls = UNZIP TRIM "vector_fp_unary Exp false, false; vector_fp_unary NegExp false, true",
         .codes = ""},
        {PAIR_F32, .calls = UNZIP TRIM "vector_fp_zip MulF(Mul0); vector_fp_binary MulF(Mul0) 2.0",
         .codes = "5 E0720"},
    };
    check_rows(rows, COUNT_OF(rows), RULES_CONTRA);
}

TEST(operands_fit)
{
    static const Row rows[] = {
        // how many
        {I32, .calls = BRANCH "vector_fxp AddFxp", .codes = "3 E0722"},
        {PAIR_I32, .calls = UNZIP "vector_fxp AddFxp 1", .codes = "3 E0722"},
        {PAIR_I32, .calls = UNZIP "vector_fxp AddFxp 1, 2, 3", .codes = "3 E0722"},
        {PAIR_I32, .calls = UNZIP "vector_fxp AddFxp 1, 2", .codes = ""},
        {"A=512", "CollectTensor i32", .slice = "A / 8", .packet = "A % 8",
         .calls = "vector_init; vector_intra_slice_branch AxisToggle A; vector_fxp AddFxp 1, 2",
         .codes = "3 E0723"},
        {"A=512", "CollectTensor i32", .slice = "A / 8", .packet = "A % 8",
         .calls = "vector_init; vector_intra_slice_branch AxisToggle A; vector_fxp AddFxp 1 group "
                  "Zero, 2 group One, 3",
         .codes = ""},
        // types
        {I32, .calls = BRANCH "vector_fxp AddFxp f32:1.0", .codes = "3 E0724"},
        {F32, .calls = BRANCH "vector_clip Max i32:1", .codes = "3 E0724"},
        {I32, .vrf = "f32 slice [A / 2] element [A % 2 # 8]",
         .calls = BRANCH "vector_fxp AddFxp %0", .codes = "3 E0724"},
        {F32, .calls = BRANCH TRIM "vector_fp_ternary FmaF i32:1 with 1.0", .codes = "4 E0724"},
        // VRF tensors
        {"A=512,B=4", "CollectTensor i32", .slice = "A / 2", .packet = "A % 2 # 8",
         .vrf = "i32 slice [A / 2] element [B, A % 2]", .calls = BRANCH "vector_fxp AddFxp %0",
         .codes = "3 E0725"},
        {"A=512,B=4", "CollectTensor i32", .slice = "A / 2", .time = "B", .packet = "A % 2 # 8",
         .vrf = "i32 slice [A / 2] element [B]", .calls = BRANCH "vector_fxp AddFxp %0",
         .codes = ""},
        {"A=512,B=4", "CollectTensor i32", .slice = "A / 2", .time = "B", .packet = "A % 2 # 8",
         .vrf = "i32 slice [1 # 256] element [B]", .calls = BRANCH "vector_fxp AddFxp %0",
         .codes = "3 E0726"},
        // () is for pairs
        {I32, .calls = BRANCH "vector_fxp AddFxp _", .codes = "3 E0727"},
        // modes
        {I32, .calls = BRANCH "vector_fxp AddFxp Mode00 5", .codes = ""},
        {I32, .calls = BRANCH "vector_stash; vector_fxp AddFxp Mode00 stash", .codes = "4 E0728"},
        {I32, .calls = BRANCH "vector_stash; vector_fxp AddFxp Mode11 stash", .codes = ""},
        {F32, .calls = BRANCH TRIM "vector_fp_ternary FmaF Mode020 1.0 with 2.0", .codes = ""},
        {I32, .calls = BRANCH "vector_fxp AddFxp Mode012 5", .codes = "3 E0729"},
        {F32, .calls = BRANCH TRIM "vector_fp_ternary FmaF Mode01 1.0 with 2.0",
         .codes = "4 E0729"},
        {F32, .calls = BRANCH TRIM "vector_fp_unary Exp Mode01", .codes = "4 E0729"},
        {F32, .calls = BRANCH TRIM "vector_fp_unary Exp Mode1", .codes = "4 E0730"},
        {F32, .calls = BRANCH TRIM "vector_fp_unary Exp Mode0", .codes = ""},
    };
    check_rows(rows, COUNT_OF(rows), RULES_CONTRA);
}

TEST(branches_tell_groups_apart)
{
    static const Row rows[] = {
        {I32, .calls = BRANCH "vector_fxp AddFxp 1 group One", .codes = "3 E0731"},
        {I32, .calls = BRANCH "vector_fxp AddFxp 1 group Zero", .codes = ""},
        {PAIR_I32, .calls = UNZIP "vector_fxp AddFxp 1 group One, _", .codes = "3 E0731"},
        {I32,
         .calls = "vector_init; vector_intra_slice_branch Comparison Less 0, Less 0, Less 0, "
                  "True i32; vector_fxp AddFxp 1 group Zero",
         .codes = "3 E0731"},
        {I32,
         .calls = "vector_init; vector_intra_slice_branch Comparison Less 0, Less 0, Less 0, "
                  "Less 0; vector_fxp AddFxp 1 group Zero",
         .codes = ""},
        {I32, .calls = BRANCH "vector_filter group One time [1]", .codes = "3 E0731"},
        // AxisToggle
        {"A=512,B=2", "CollectTensor i32", .slice = "A / 2", .packet = "A % 2 # 8",
         .calls = "vector_init; vector_intra_slice_branch AxisToggle B", .codes = "2 E0732"},
        {"A=512,B=2", "CollectTensor i32", .slice = "A / 2", .time = "B", .packet = "A % 2 # 8",
         .calls = "vector_init; vector_intra_slice_branch AxisToggle B; vector_fxp AddFxp 1 group "
                  "One",
         .codes = ""},
        // Comparison
        {I32,
         .calls = "vector_init; vector_intra_slice_branch Comparison Less f32:0, Less 0, "
                  "Less 0, True i32",
         .codes = "2 E0733"},
        // Vrf
        {I32, .vrf = "i32 slice [A / 2] element [A % 2 # 8]",
         .calls = "vector_init; vector_intra_slice_branch Vrf %0", .codes = ""},
        {I32, .vrf = "f32 slice [A / 2] element [A % 2 # 8]",
         .calls = "vector_init; vector_intra_slice_branch Vrf %0", .codes = "2 E0734"},
        // ValidCount: all padded axes at once
        {"A=500", "CollectTensor i32", .slice = "A # 512 / 8", .time = "A # 512 % 8",
         .calls = "vector_init; vector_intra_slice_branch ValidCount", .codes = ""},
        {"A=500", "CollectTensor i32", .slice = "A # 512 / 8", .packet = "A # 512 % 8",
         .calls = "vector_init; vector_intra_slice_branch ValidCount", .codes = "2 E0763"},
        {"A=3,B=5", "CollectTensor i32", .time = "[A, B # 6] # 24 / 4",
         .calls = "vector_init; vector_intra_slice_branch ValidCount", .codes = "2 E0772"},
        {"A=3,B=3,C=3,D=3,P=7", "CollectTensor i32", .time = "A # 4, B # 4, C # 4, D # 4",
         .packet = "P # 8", .calls = "vector_init; vector_intra_slice_branch ValidCount",
         .codes = "2 E0773"},
    };
    check_rows(rows, COUNT_OF(rows), RULES_CONTRA);
}

TEST(there_is_one_stash)
{
    static const Row rows[] = {
        {I32, .calls = BRANCH "vector_fxp_to_fp 31; vector_stash", .codes = "4 E0735"},
        {F32, .calls = BRANCH TRIM PAD "vector_stash", .codes = "5 E0735"},
        {F32,
         .calls = BRANCH TRIM "vector_stash; vector_fp_binary AddF stash; vector_fp_binary "
                              "MulF(Mul0) stash",
         .codes = ""},
        {I32, .calls = BRANCH "vector_stash; vector_fxp AddFxp 1; vector_stash",
         .codes = "5 E0736"},
        // a stash after a conversion has the type of the stream
        {I32,
         .calls = BRANCH "vector_fxp_to_fp 31; " TRIM "vector_stash; vector_fp_binary AddF stash",
         .codes = ""},
        {I32,
         .calls = BRANCH "vector_fxp_to_fp 31; " TRIM "vector_stash; " PAD
                         "vector_fp_to_fxp 31; vector_clip Max stash",
         .codes = "8 E0740"},
        {F32,
         .calls = BRANCH TRIM PAD "vector_fp_to_fxp 31; vector_clip Max 0; vector_stash; "
                                  "vector_clip AddFxp stash",
         .codes = ""},
        // Two-Group Mode: not behind a zip, for the rest of the pass
        {PAIR_I32, .calls = UNZIP "vector_fxp_zip AddFxp; vector_stash", .codes = "4 E0738"},
        {PAIR_I32, .calls = UNZIP "vector_fxp_zip AddFxp; vector_fxp MulInt 2; vector_stash",
         .codes = "5 E0738"},
        // reading it
        {I32, .calls = BRANCH "vector_fxp AddFxp stash", .codes = "3 E0739"},
        {PAIR_I32, .calls = UNZIP "vector_fxp AddFxp stash, _", .codes = "3 E0739"},
        {I32,
         .calls = BRANCH "vector_stash; vector_fxp_to_fp 31; " TRIM "vector_fp_binary AddF stash",
         .codes = "6 E0740"},
        {I32,
         .calls = BRANCH "vector_stash; vector_fxp_to_fp 31; " TRIM PAD
                         "vector_fp_to_fxp 31; vector_clip Max stash",
         .codes = ""},
        {"A=512,R=4", "CollectTensor f32", .slice = "A / 2", .time = "R", .packet = "A % 2 # 8",
         .calls = BRANCH TRIM "vector_stash; vector_intra_slice_reduce R Add time [1] packet "
                              "[A % 2 # 4]; vector_fp_div DivF stash",
         .codes = "6 E0741"},
        {"A=512,R=4", "CollectTensor f32", .slice = "A / 2", .time = "R", .packet = "A % 2 # 8",
         .calls = BRANCH "vector_stash; vector_split time [R, 1 # 2] packet [A % 2 # 4]; "
                         "vector_fp_binary AddF stash",
         .codes = ""},
    };
    check_rows(rows, COUNT_OF(rows), RULES_CONTRA);
}

TEST(filters_leave_packets_out)
{
    static const Row rows[] = {
        {"A=512,B=4,C=2", "CollectTensor i32", .slice = "A / 2", .time = "B", .packet = "A % 2 # 8",
         .calls = "vector_init; vector_intra_slice_branch AxisToggle B; vector_clip Max 0; "
                  "vector_filter group One time [B / 2]; vector_final",
         .codes = ""},
        {"A=512,B=4,C=2", "CollectTensor i32", .slice = "A / 2", .time = "B", .packet = "A % 2 # 8",
         .calls = "vector_init; vector_intra_slice_branch AxisToggle B; vector_filter group One "
                  "time [C]",
         .codes = "3 E0743"},
        {"A=512,B=4,C=2", "CollectTensor i32", .slice = "A / 2", .time = "B", .packet = "A % 2 # 8",
         .calls = "vector_init; vector_intra_slice_branch AxisToggle B; vector_filter group One "
                  "time [B # 8]",
         .codes = "3 E0743"},
        {PAIR_I32, .calls = UNZIP "vector_fxp_zip AddFxp; vector_filter time [1]",
         .codes = "4 E0744"},
    };
    check_rows(rows, COUNT_OF(rows), RULES_CONTRA);
}

// Time and Packet of the chains below, in Way4.
#define REDUCE "A=8,B=4,R=16,S=3", "VectorTensor f32", .state = "stage Narrow entry f32 way4"

TEST(reductions_within_a_slice)
{
    static const Row rows[] = {
        {REDUCE, .time = "A, R", .packet = "B",
         .calls = "vector_intra_slice_reduce R Add time [A] packet [B]", .codes = ""},
        // the axis is there
        {REDUCE, .time = "A", .packet = "B", .slice = "R",
         .calls = "vector_intra_slice_reduce R Add time [A] packet [B]", .codes = "1 E0745"},
        {REDUCE, .time = "A", .packet = "B",
         .calls = "vector_intra_slice_reduce R Add time [A] packet [B]", .codes = "1 E0745"},
        // and gone afterwards; parts in Slice stay
        {REDUCE, .time = "A, R", .packet = "B",
         .calls = "vector_intra_slice_reduce R Add time [A, R / 2] packet [B]", .codes = "1 E0746"},
        {REDUCE, .slice = "R / 4", .time = "A, R % 4", .packet = "B",
         .calls = "vector_intra_slice_reduce R Add time [A] packet [B]", .codes = ""},
        // everything else stays, in its order
        {REDUCE, .time = "A, R, S", .packet = "B",
         .calls = "vector_intra_slice_reduce R Add time [A] packet [B]", .codes = "1 E0747"},
        {REDUCE, .time = "A, R, S", .packet = "B",
         .calls = "vector_intra_slice_reduce R Add time [S, A] packet [B]", .codes = "1 E0747"},
        {REDUCE, .time = "A, R, S", .packet = "B",
         .calls = "vector_intra_slice_reduce R Add time [A, S] packet [B]", .codes = ""},
        {REDUCE, .time = "A / 2, R, A % 2", .packet = "B",
         .calls = "vector_intra_slice_reduce R Add time [A] packet [B]", .codes = ""},
        {REDUCE, .time = "S # 4, R", .packet = "B",
         .calls = "vector_intra_slice_reduce R Add time [S # 4] packet [B]", .codes = ""},
        {REDUCE, .time = "S # 4, R", .packet = "B",
         .calls = "vector_intra_slice_reduce R Add time [S] packet [B]", .codes = "1 E0747"},
        // padding goes with the axis it belongs to
        {REDUCE, .time = "S # 64 / 4, A", .packet = "S # 64 % 4",
         .calls = "vector_intra_slice_reduce S Add time [A] packet [1 # 4]", .codes = ""},
        {REDUCE, .time = "A, S # 8, 1 # 2", .packet = "B",
         .calls = "vector_intra_slice_reduce S Add time [A, 1 # 2] packet [B]", .codes = ""},
        // the packet
        {REDUCE, .time = "A", .packet = "R % 4",
         .calls = "vector_intra_slice_reduce R Add time [A] packet [B]", .codes = "1 E0748"},
        {REDUCE, .time = "R", .packet = "B",
         .calls = "vector_intra_slice_reduce R Add time [1] packet [1 # 4]", .codes = "1 E0748"},
        {REDUCE, .time = "A", .packet = "R / 2 % 2, B / 2",
         .calls = "vector_intra_slice_reduce R Add time [A] packet [1 # 4]", .codes = "1 E0749"},
        {REDUCE, .time = "[A, R] / 3", .packet = "B",
         .calls = "vector_intra_slice_reduce R Add time [A] packet [B]", .codes = "0 other"},
        {REDUCE, .time = "[S, R] # 60 / 5", .packet = "B",
         .calls = "vector_intra_slice_reduce R Add time [S] packet [B]", .codes = "1 E0749"},
        // accumulators: 8 of them
        {REDUCE, .time = "R, A", .packet = "B",
         .calls = "vector_intra_slice_reduce R Add time [A] packet [B]", .codes = ""},
        {REDUCE, .time = "R / 2, A, R % 2, S", .packet = "B",
         .calls = "vector_intra_slice_reduce R Add time [A, S] packet [B]", .codes = "1 E0750"},
        {REDUCE, .time = "R, S # 9", .packet = "B",
         .calls = "vector_intra_slice_reduce R Add time [S # 9] packet [B]", .codes = "1 E0750"},
        {REDUCE, .time = "A, S, R", .packet = "B",
         .calls = "vector_intra_slice_reduce R Add time [A, S] packet [B]", .codes = ""},
        // valid counts of a parameter that is narrowed already: as if it had been trimmed
        {"R=13", "VectorTensor f32", .state = "stage Narrow entry f32 way4", .time = "R # 16 / 4",
         .packet = "R # 16 % 4", .calls = "vector_intra_slice_reduce R Add time [1] packet [1 # 4]",
         .codes = ""},
        {"R=13", "VectorTensor f32", .state = "stage Narrow entry f32 way4", .slice = "R # 16 / 4",
         .packet = "R # 16 % 4", .calls = "vector_intra_slice_reduce R Add time [1] packet [1 # 4]",
         .codes = "1 E0763"},
        // sizes do not matter
        {"R=1099511627773", "CollectTensor f32", .slice = "R # 1099511627776 / 4294967296",
         .time = "R # 1099511627776 % 4294967296",
         .calls =
             BRANCH "vector_trim_way4 packet [1 # 4]; vector_intra_slice_reduce R Add time [1] "
                    "packet [1 # 4]",
         .codes = ""},
        {"R=1099511627773", "CollectTensor f32", .time = "R # 1099511627776 / 8",
         .packet = "R # 1099511627776 % 8",
         .calls =
             BRANCH "vector_split time [R # 1099511627776 / 4] packet [R # 1099511627776 % 4]; "
                    "vector_intra_slice_reduce R Add time [1] packet [1 # 4]",
         .codes = ""},
        // and of groups: they are interleaved when they are counted
        {"R=13,I=2", "CollectTensor f32", .time = "R # 16 / 8, I", .packet = "R # 16 % 8",
         .calls = "vector_init; vector_intra_slice_unzip I tile_time [R # 16 / 8, 1 # 2] time "
                  "[R # 16 / 8]; vector_split time [R # 16 / 4] packet [R # 16 % 4]; vector_fp_zip "
                  "AddF; vector_intra_slice_reduce R Add time [1] packet [1 # 4]",
         .codes = ""},
        {"R=13", "CollectTensor f32", .cluster = "R # 16 / 8", .time = "R # 16 % 8",
         .calls =
             BRANCH "vector_trim_way4 packet [1 # 4]; vector_intra_slice_reduce R Add time [1] "
                    "packet [1 # 4]",
         .codes = "4 E0770"},
        {"R=5,X=5,Y=2", "CollectTensor f32", .slice = "Y, R # 8 / 2, X", .time = "R # 8 % 2",
         .calls =
             BRANCH "vector_trim_way4 packet [1 # 4]; vector_intra_slice_reduce R Add time [1] "
                    "packet [1 # 4]",
         .codes = "4 E0767"},
        {"R=6", "CollectTensor f32", .time = "R # 8 / 4, R # 8 % 4 = 3 # 4",
         .calls =
             BRANCH "vector_trim_way4 packet [1 # 4]; vector_intra_slice_reduce R Add time [1] "
                    "packet [1 # 4]",
         .codes = "4 E0771"},
        {"A=2,B=2,C=2,D=2,S=509", "CollectTensor f32",
         .time = "S # 512 / 256, A, S # 512 / 128 % 2, B, S # 512 / 64 % 2, C, S # 512 / 32 % 2, "
                 "D, S # 512 % 32",
         .calls = BRANCH "vector_trim_way4 packet [1 # 4]; vector_intra_slice_reduce S Add time "
                         "[A, B, C, D] packet [1 # 4]",
         .codes = "4 E0750, 4 E0774"},
    };
    check_rows(rows, COUNT_OF(rows), RULES_CONTRA);
}

#define SLICES      "A=8,B=4,R=8,S=3,X=8,Y=2,T=3,P=8", "CollectTensor i32"
#define REDUCE_INTO "vector_init; vector_inter_slice_reduce Add "

TEST(reductions_over_slices)
{
    static const Row rows[] = {
        // sizes
        {SLICES, .slice = "A, R", .calls = REDUCE_INTO "slice [A] time [1]", .codes = "2 E0752"},
        {SLICES, .slice = "A, R", .calls = REDUCE_INTO "slice [A, 1 # 8] time [1]", .codes = ""},
        // what stays keeps its place
        {SLICES, .slice = "A, R", .calls = REDUCE_INTO "slice [1 # 8, A] time [1]",
         .codes = "2 E0753"},
        {SLICES, .slice = "R, A", .calls = REDUCE_INTO "slice [1 # 8, A] time [1]", .codes = ""},
        {SLICES, .slice = "A, R, B", .calls = REDUCE_INTO "slice [A, 1 # 8, B] time [1]",
         .codes = ""},
        {SLICES, .slice = "A, R", .calls = REDUCE_INTO "slice [A, R / 2, 1 # 2] time [1]",
         .codes = ""},
        // new axes come into the place of reduced ones
        {SLICES, .slice = "A, R", .calls = REDUCE_INTO "slice [A, X] time [1]", .codes = ""},
        {SLICES, .slice = "A, 1 # 2, R", .calls = REDUCE_INTO "slice [A, Y, 1 # 8] time [1]",
         .codes = ""},
        {SLICES, .slice = "A, R, 1 # 2", .calls = REDUCE_INTO "slice [A, 1 # 8, Y] time [1]",
         .codes = "2 E0754"},
        {SLICES, .slice = "A, 1 # 8", .calls = REDUCE_INTO "slice [A, X] time [1]",
         .codes = "2 E0754"},
        // axes that Time gives up
        {SLICES, .slice = "A, R", .time = "T, X", .calls = REDUCE_INTO "slice [A, X] time [T]",
         .codes = ""},
        {SLICES, .slice = "A, R", .time = "X / 4, T, X % 4",
         .calls = REDUCE_INTO "slice [A, X / 4, 1 # 4] time [T, X % 4]", .codes = ""},
        {SLICES, .slice = "A, R", .time = "T, X", .calls = REDUCE_INTO "slice [A, X] time [X]",
         .codes = "2 E0756"},
        {SLICES, .slice = "A, R", .time = "T, X",
         .calls = REDUCE_INTO "slice [A, 1 # 8] time [X, T]", .codes = "2 E0755"},
        {SLICES, .slice = "A, R", .time = "T", .calls = REDUCE_INTO "slice [A, 1 # 8] time [T, X]",
         .codes = "2 E0755"},
        {SLICES, .slice = "A, R", .time = "T", .calls = REDUCE_INTO "slice [A, 1 # 8] time [1]",
         .codes = "2 E0756"},
        {SLICES, .slice = "A, R", .packet = "P", .calls = REDUCE_INTO "slice [A, P] time [1]",
         .codes = "2 E0759"},
        // nothing to reduce
        {SLICES, .slice = "A, R", .calls = REDUCE_INTO "slice [A, R] time [1]", .codes = "2 E0757"},
        // slices of padding: a stream that comes in may hold neutral elements there
        {SLICES, .slice = "A, S # 4", .calls = REDUCE_INTO "slice [A, 1 # 4] time [1]",
         .codes = ""},
        {SLICES, .slice = "S # 4, R", .calls = REDUCE_INTO "slice [S # 4, 1 # 8] time [1]",
         .codes = ""},
        {"A=8,R=13", "CollectTensor i32", .slice = "A, R # 16 / 4", .time = "R # 16 % 4",
         .calls = BRANCH "vector_trim_way4 packet [1 # 4]; vector_intra_slice_reduce R AddSat time "
                         "[1] packet [1 # 4]; vector_pad_way8 packet [1 # 8]; "
                         "vector_inter_slice_reduce AddSat slice [A, 1 # 4] time [1]; vector_final",
         .codes = ""},
    };
    check_rows(rows, COUNT_OF(rows), RULES_CONTRA);
}

TEST(pairs_come_from_time)
{
    static const Row rows[] = {
        {PAIR_I32, .calls = UNZIP "vector_fxp_zip AddFxp; vector_final", .codes = ""},
        {PAIR_I32, .calls = "vector_init; vector_intra_slice_unzip J tile_time [1 # 3] time [1]",
         .codes = "2 E0760"},
        {"A=512,I=2,Q=3", "CollectTensor i32", .slice = "A / 2", .time = "Q", .packet = "A % 2 # 8",
         .calls = "vector_init; vector_intra_slice_unzip I tile_time [Q, 1 # 2] time [Q]",
         .codes = "2 E0760"},
        {"A=512,I=2,Q=3", "CollectTensor i32", .slice = "A / 2", .time = "Q, I",
         .packet = "A % 2 # 8",
         .calls = "vector_init; vector_intra_slice_unzip I tile_time [Q, 1 # 2] time [Q]",
         .codes = ""},
        {"A=512,I=2,Q=3", "CollectTensor i32", .slice = "A / 2", .time = "I, Q",
         .packet = "A % 2 # 8",
         .calls = "vector_init; vector_intra_slice_unzip I tile_time [Q # 6] time [Q]",
         .codes = ""},
        {"A=512,I=2,Q=3", "CollectTensor i32", .slice = "A / 2", .time = "Q, I",
         .packet = "A % 2 # 8",
         .calls = "vector_init; vector_intra_slice_unzip I tile_time [Q # 6] time [Q]",
         .codes = "2 E0761"},
        {"A=512,I=2,Q=3", "CollectTensor i32", .slice = "A / 2", .time = "Q, I",
         .packet = "A % 2 # 8",
         .calls = "vector_init; vector_intra_slice_unzip I tile_time [Q, 1 # 2] time [Q, 1 # 2]",
         .codes = "2 E0762"},
        // both groups are trimmed alike (erratum E161)
        {PAIR_F32, .calls = UNZIP TRIM "vector_fp_unary Exp true, true; " PAD "vector_clip_zip Max",
         .codes = ""},
    };
    check_rows(rows, COUNT_OF(rows), RULES_CONTRA);
}

// A mistake is reported where it is, and not again where it is carried on.
TEST(mistakes_do_not_spread)
{
    static const Row rows[] = {
        {F32,
         .calls = BRANCH "vector_trim_way4 packet [A % 2 # 8]; vector_fp_unary Exp; " PAD
                         "vector_clip Max 0.0; vector_final",
         .codes = "3 E0713"},
        {"A=512,T=4", "CollectTensor f32", .slice = "A / 8", .time = "T", .packet = "A % 8",
         .calls = BRANCH "vector_split time [T] packet [A % 4]; vector_fp_unary Exp; vector_concat "
                         "time [T] packet [A % 8]; vector_final",
         .codes = "3 E0714"},
        {I32, .calls = BRANCH "vector_fxp AddFxp f32:1.0; vector_fxp AddFxp 2; vector_clip Max 0",
         .codes = "3 E0724, 4 E0720"},
    };
    check_rows(rows, COUNT_OF(rows), RULES_CONTRA);
}

// --rules=reference: what api.md says is checked, and no more.
TEST(reference_rules)
{
    static const Row rows[] = {
        // what it lacks
        {PAIR_F32, .calls = UNZIP TRIM, .codes = "3 E0704"},
        {I32, .calls = BRANCH "vector_filter time [1]", .codes = "3 E0704"},
        {I32, .calls = "vector_init; vector_intra_slice_branch ValidCount", .codes = "2 E0704"},
        {I32, .calls = BRANCH "vector_fxp ArithRightShiftRound 1", .codes = "3 E0704"},
        {F32, .calls = BRANCH TRIM "vector_fp_unary Erf", .codes = "4 E0704"},
        {I32, .calls = BRANCH "vector_fxp_to_fp 31; " TRIM "vector_fp_ternary FmaF 1.0 with 2.0",
         .codes = "5 E0742"},
        // a warning: the sum of padding is wrong on a chip, whatever the reference library says
        {"R=2045", "VectorTensor i32", .state = "stage Branch entry i32", .slice = "R # 2048 / 8",
         .packet = "R # 2048 % 8",
         .calls = "vector_split time [R # 2048 / 4 % 2] packet [R # 2048 % 4]; "
                  "vector_intra_slice_reduce R AddSat time [1] packet [1 # 4]",
         .codes = "2 E0763"},
        // not checked by the reference library
        {REDUCE, .time = "R, A, S", .packet = "B",
         .calls = "vector_intra_slice_reduce R Add time [S, A] packet [B]", .codes = ""},
        {SLICES, .slice = "A, R", .time = "T", .calls = REDUCE_INTO "slice [A, 1 # 8] time [1]",
         .codes = ""},
        {"A=512,B=4", "CollectTensor i32", .slice = "A / 2", .time = "B", .packet = "A % 2 # 8",
         .vrf = "i32 slice [1 # 256] element [B]", .calls = BRANCH "vector_fxp AddFxp %0",
         .codes = ""},
        {I32, .calls = BRANCH "vector_fxp AddFxp stash", .codes = ""},
        {PAIR_I32, .calls = UNZIP "vector_fxp_zip AddFxp; vector_fxp MulInt 2; vector_stash",
         .codes = ""},
        {PAIR_I32, .calls = UNZIP "vector_fxp_zip AddFxp; vector_stash", .codes = "4 E0738"},
        {"A=512,B=2", "CollectTensor i32", .slice = "A / 2", .packet = "A % 2 # 8",
         .calls = "vector_init; vector_intra_slice_branch AxisToggle B", .codes = ""},
        {"A=512,I=2,Q=3", "CollectTensor i32", .slice = "A / 2", .time = "Q, I",
         .packet = "A % 2 # 8",
         .calls = "vector_init; vector_intra_slice_unzip I tile_time [Q, 1 # 2] time [Q, 1 # 2]",
         .codes = ""},
        // what it asks like we do
        {REDUCE, .time = "A, R, S", .packet = "B",
         .calls = "vector_intra_slice_reduce R Add time [A] packet [B]", .codes = "1 E0747"},
        {REDUCE, .time = "R", .packet = "B",
         .calls = "vector_intra_slice_reduce R Add time [1] packet [1 # 4]", .codes = "1 E0747"},
        {I32, .calls = BRANCH "vector_fxp AddFxp 10; vector_fxp SubFxp 5", .codes = "4 E0720"},
        {"A=512", "CollectTensor f32", .slice = "A / 8", .packet = "A % 8",
         .calls = BRANCH "vector_trim_way4 packet [A % 4]", .codes = "3 E0715"},
    };
    check_rows(rows, COUNT_OF(rows), RULES_REFERENCE);
}
