// The chains of the manual's chapters on the Vector Engine, each with its verdict and the rule that
// decides it. Numbers are those of the corpus of the manual's blocks.
#include "vector_support.h"

#define INIT          "vector_init; "
#define BRANCH        "vector_init; vector_intra_slice_branch Unconditional; "
#define AT_BRANCH_I32 .stream = "VectorTensor i32", .state = "stage Branch entry i32"
#define AT_BRANCH_F32 .stream = "VectorTensor f32", .state = "stage Branch entry f32"

TEST(vector_engine_and_intra_slice_block)
{
    static const Row rows[] = {
        // 088: 256 lanes
        {"M=128,N=256,K=64", "AccumulationTensor f32", .slice = "K", .time = "M", .packet = "N",
         .calls = BRANCH "vector_clip Max 0.0; vector_final", .codes = "0 other"},
        // 089
        {"R=4,A=512", "CollectTensor i32", .slice = "A / 8, R", .packet = "A % 8",
         .calls = INIT "vector_inter_slice_reduce AddSat slice [A / 8, 1 # 4] time [1]; "
                       "vector_final",
         .codes = ""},
        // 091
        {"A=512", "CollectTensor i32", .slice = "A / 2", .packet = "A % 2 # 8",
         .calls = BRANCH "vector_fxp AddFxp 100; vector_fxp_to_fp 31; vector_trim_way4 packet "
                         "[A % 2 # 4]; vector_fp_unary Sigmoid; vector_pad_way8 packet "
                         "[A % 2 # 8]; vector_fp_to_fxp 31; vector_clip Max 0; vector_final",
         .codes = ""},
        // 092
        {"A=512", "CollectTensor i32", .slice = "A / 2", .packet = "A % 2 # 8",
         .calls = BRANCH "vector_fxp AddFxp 100; vector_final", .codes = ""},
        // 093
        {"A=512", "CollectTensor f32", .slice = "A / 2", .packet = "A % 2 # 8",
         .calls = BRANCH "vector_trim_way4 packet [A % 2 # 4]; vector_fp_unary Sigmoid; "
                         "vector_pad_way8 packet [A % 2 # 8]; vector_final",
         .codes = ""},
        // 094, with an S that fits its padding
        {"S=16,A=512", AT_BRANCH_I32, .slice = "S # 16 / 4", .time = "S # 16 % 4",
         .packet = "A % 8", .calls = "vector_split time [S # 16 % 4, A / 4 % 2] packet [A % 4]",
         .codes = ""},
        {"A=512", AT_BRANCH_F32, .slice = "A / 2", .packet = "A % 2 # 8",
         .calls = "vector_trim_way4 packet [A % 2 # 4]", .codes = ""},
        // 095
        {"S=16,A=512", "VectorTensor i32", .state = "stage IntraSliceReduce entry i32 way4",
         .slice = "S # 16 / 4", .time = "A / 4 % 2", .packet = "A % 4",
         .calls = "vector_concat time [1] packet [A % 8]", .codes = ""},
        {"A=512", "VectorTensor f32", .state = "stage Fp entry f32 way4", .slice = "A / 2",
         .packet = "A % 2 # 4", .calls = "vector_pad_way8 packet [A % 2 # 8]", .codes = ""},
        // 096
        {"A=512", "CollectTensor f32", .slice = "A / 2", .packet = "A % 2 # 8",
         .calls = BRANCH "vector_stash; vector_trim_way4 packet [A % 2 # 4]; vector_fp_binary "
                         "MulF(Mul0) 2.0; vector_pad_way8 packet [A % 2 # 8]; vector_clip Max "
                         "stash; vector_final",
         .codes = ""},
        // 097
        {"A=512", "CollectTensor i32", .slice = "A / 2", .packet = "A % 2 # 8",
         .calls = BRANCH "vector_stash; vector_fxp AddFxp 100; vector_clip Max stash; "
                         "vector_final",
         .codes = ""},
        // 098
        {"A=512", "CollectTensor f32", .slice = "A / 2", .packet = "A % 2 # 8",
         .calls = BRANCH "vector_stash; vector_trim_way4 packet [A % 2 # 4]; vector_fp_unary "
                         "Sigmoid; vector_pad_way8 packet [A % 2 # 8]; vector_clip Max stash; "
                         "vector_final",
         .codes = ""},
        // 099
        {"A=512,B=256", "CollectTensor i32", .slice = "A / 2", .time = "B", .packet = "A % 2 # 8",
         .vrf = "i32 slice [A / 2] element [A % 2 # 8]",
         .calls = BRANCH "vector_fxp AddFxp %0; vector_final", .codes = ""},
        // 100
        {"A=512", "CollectTensor i32", .slice = "A / 2", .packet = "A % 2 # 8",
         .calls = BRANCH "vector_fxp SubFxp Mode10 7; vector_final", .codes = ""},
        // 101
        {"A=512,I=2", "CollectTensor f32", .slice = "A / 2", .time = "I", .packet = "A % 2 # 8",
         .calls = INIT "vector_intra_slice_unzip I tile_time [1 # 2] time [1]; vector_trim_way4 "
                       "packet [A % 2 # 4]; vector_fp_zip SubF Mode10; vector_pad_way8 packet "
                       "[A % 2 # 8]; vector_final",
         .codes = ""},
        // 102
        {"A=512,I=2", "CollectTensor i32", .slice = "A / 2", .time = "I", .packet = "A % 2 # 8",
         .calls = INIT "vector_intra_slice_unzip I tile_time [1 # 2] time [1]; vector_clip_zip "
                       "AddFxp; vector_final",
         .codes = ""},
        // 103
        {"A=512,I=2", "CollectTensor i32", .slice = "A / 2", .time = "I", .packet = "A % 2 # 8",
         .calls = INIT "vector_intra_slice_unzip I tile_time [1 # 2] time [1]; vector_fxp MulInt "
                       "10, _; vector_clip_zip AddFxp; vector_final",
         .codes = ""},
        // 104
        {"A=512,I=2", "CollectTensor f32", .slice = "A / 2", .time = "I", .packet = "A % 2 # 8",
         .calls = INIT "vector_intra_slice_unzip I tile_time [1 # 2] time [1]; vector_trim_way4 "
                       "packet [A % 2 # 4]; vector_fp_zip MulF(Mul0); vector_pad_way8 packet "
                       "[A % 2 # 8]; vector_final",
         .codes = ""},
        // 105
        {"A=512,I=2", "CollectTensor f32", .slice = "A / 2", .time = "I", .packet = "A % 2 # 8",
         .calls = INIT "vector_intra_slice_unzip I tile_time [1 # 2] time [1]; vector_trim_way4 "
                       "packet [A % 2 # 4]; vector_fp_unary Exp true, false; vector_fp_zip "
                       "MulF(Mul0); vector_pad_way8 packet [A % 2 # 8]; vector_final",
         .codes = ""},
        // 106
        {"A=512", "CollectTensor i32", .slice = "A / 2", .packet = "A % 2 # 8",
         .calls = BRANCH "vector_fxp AddFxp 10; vector_fxp MulInt 2; vector_fxp SubFxp 5; "
                         "vector_final",
         .codes = "5 E0720"},
    };
    check_rows(rows, COUNT_OF(rows), RULES_CONTRA);
}

TEST(intra_slice_reduce)
{
    static const Row rows[] = {
        // 108
        {"A=8,R=16", AT_BRANCH_I32, .slice = "A / 2", .time = "R", .packet = "A % 2 # 8",
         .calls = "vector_trim_way4 packet [A % 2 # 4]; vector_intra_slice_reduce R AddSat time "
                  "[1] packet [A % 2 # 4]",
         .codes = ""},
        // 109
        {"A=8,R=4", AT_BRANCH_F32, .slice = "A / 2", .time = "A % 2", .packet = "R # 8",
         .calls = "vector_trim_way4 packet [R]; vector_intra_slice_reduce R Add time [A % 2] "
                  "packet [1 # 4]",
         .codes = ""},
        // 110
        {"A=8,R=16", AT_BRANCH_F32, .slice = "A / 2", .time = "R / 4", .packet = "R % 4 # 8",
         .calls = "vector_trim_way4 packet [R % 4]; vector_intra_slice_reduce R Max time [1] "
                  "packet [1 # 4]",
         .codes = ""},
        // 111: Slice, Time and Packet, and 13 % 4 is not 0
        {"R=13", AT_BRANCH_I32, .slice = "R # 32 / 8", .time = "R # 32 / 4 % 2",
         .packet = "R # 32 % 4 # 8",
         .calls = "vector_trim_way4 packet [R # 32 % 4]; vector_intra_slice_reduce R Min time [1] "
                  "packet [1 # 4]",
         .codes = "2 E0763"},
        // 112: 12 accumulators, and 2 lanes
        {"A=6,B=8,R=16", AT_BRANCH_I32, .slice = "A / 3", .time = "R, A % 3, B % 4",
         .packet = "B / 4 # 8",
         .calls = "vector_trim_way4 packet [B / 4]; vector_intra_slice_reduce R AddSat time "
                  "[A % 3, B % 4] packet [B / 4]",
         .codes = "1 E0713, 2 E0713, 2 E0750"},
        // 113
        {"R=13,X=32", AT_BRANCH_I32, .slice = "R # 16 / 8, X, R # 16 / 2 % 4", .time = "R # 16 % 2",
         .packet = "1 # 8",
         .calls = "vector_trim_way4 packet [1 # 4]; vector_intra_slice_reduce R Min time [1] "
                  "packet [1 # 4]",
         .codes = ""},
        // 114
        {"A=4,R=17,X=32", AT_BRANCH_I32, .slice = "X, R # 24 / 3", .time = "R # 24 % 3",
         .packet = "A # 8",
         .calls = "vector_trim_way4 packet [A]; vector_intra_slice_reduce R AddSat time [1] packet "
                  "[A]",
         .codes = ""},
        // 116
        {"R=5,X=64", AT_BRANCH_I32, .slice = "X, R # 8 % 4", .time = "R # 8 / 4", .packet = "1 # 8",
         .calls = "vector_trim_way4 packet [1 # 4]; vector_intra_slice_reduce R AddSat time [1] "
                  "packet [1 # 4]",
         .codes = ""},
        // 117: 5 steps where 4 hold data
        {"R=14,X=64", AT_BRANCH_I32, .slice = "X, R # 20 % 4", .time = "R # 20 / 4",
         .packet = "1 # 8",
         .calls = "vector_trim_way4 packet [1 # 4]; vector_intra_slice_reduce R AddSat time [1] "
                  "packet [1 # 4]",
         .codes = "2 E0768"},
        // 118
        {"A=8,R=12,X=64", AT_BRANCH_I32, .slice = "X, A / 2", .time = "R # 16",
         .packet = "A % 2 # 8",
         .calls = "vector_trim_way4 packet [A % 2 # 4]; vector_intra_slice_reduce R AddSat time "
                  "[1] packet [A % 2 # 4]",
         .codes = ""},
        // 119: slices out of order
        {"R=13,X=32", AT_BRANCH_I32, .slice = "X, R # 16 / 2 % 4, R # 16 / 8", .time = "R # 16 % 2",
         .packet = "1 # 8",
         .calls = "vector_trim_way4 packet [1 # 4]; vector_intra_slice_reduce R Min time [1] "
                  "packet [1 # 4]",
         .codes = "2 E0766"},
        // 120: Time, Slice, Time
        {"R=13,X=64", AT_BRANCH_I32, .slice = "X, R # 16 / 2 % 4", .time = "R # 16 / 8, R # 16 % 2",
         .packet = "1 # 8",
         .calls = "vector_trim_way4 packet [1 # 4]; vector_intra_slice_reduce R Min time [1] "
                  "packet [1 # 4]",
         .codes = "2 E0769"},
        // 121: a part of R twice; and as erratum E168 has it
        {"A=4,R=45,X=2,Y=256", AT_BRANCH_F32, .slice = "Y",
         .time = "R # 48 / 8 % 2, X, R # 48 / 8 % 2", .packet = "A # 8",
         .calls =
             "vector_trim_way4 packet [A]; vector_intra_slice_reduce R Add time [X] packet [A]",
         .codes = "0 other"},
        {"R=45,X=2,Y=256", AT_BRANCH_F32, .slice = "Y", .time = "R # 48 / 8 % 2, X, R # 48 / 8 / 2",
         .packet = "R # 48 % 8",
         .calls = "vector_split time [R # 48 / 8 % 2, X, R # 48 / 8 / 2, R # 48 / 4 % 2] packet "
                  "[R # 48 % 4]; vector_intra_slice_reduce R Add time [X] packet [1 # 4]",
         .codes = ""},
        // 122: 3 lanes; and as erratum E167 has it
        {"A=8,R=3,X=64", AT_BRANCH_F32, .slice = "X, A / 2", .packet = "R # 8",
         .calls = "vector_trim_way4 packet [R]; vector_intra_slice_reduce R Add time [1] packet "
                  "[1 # 4]",
         .codes = "1 E0713"},
        {"A=8,R=3,X=64", AT_BRANCH_F32, .slice = "X, A / 2", .packet = "R # 8",
         .calls = "vector_trim_way4 packet [R # 4]; vector_intra_slice_reduce R Add time [1] "
                  "packet [1 # 4]",
         .codes = ""},
        // 123: lanes 4 to 7 hold data; and as erratum E166 has it
        {"A=8,R=19,X=64", AT_BRANCH_F32, .slice = "X, A / 2", .time = "R # 24 / 8",
         .packet = "R # 24 % 8",
         .calls = "vector_trim_way4 packet [R # 24 % 4]; vector_intra_slice_reduce R Add time [1] "
                  "packet [1 # 4]",
         .codes = "1 E0715"},
        {"A=8,R=19,X=64", AT_BRANCH_F32, .slice = "X, A / 2", .time = "R # 24 / 8",
         .packet = "R # 24 % 8",
         .calls = "vector_split time [R # 24 / 4] packet [R # 24 % 4]; vector_intra_slice_reduce R "
                  "Add time [1] packet [1 # 4]",
         .codes = ""},
        // 124: the outer part of R in Packet, and 6 lanes
        {"A=8,R=19,X=64", AT_BRANCH_F32, .slice = "X, A / 2", .time = "R # 24 % 8",
         .packet = "R # 24 / 8 # 8",
         .calls = "vector_trim_way4 packet [R # 24 / 4]; vector_intra_slice_reduce R Add time [1] "
                  "packet [1 # 4]",
         .codes = "1 E0713, 2 E0764"},
        // 125
        {"A=8,R=7,X=64", AT_BRANCH_F32, .slice = "X, A / 2", .time = "R # 8 / 4",
         .packet = "R # 8 % 4 # 8",
         .calls = "vector_trim_way4 packet [R # 8 % 4]; vector_intra_slice_reduce R Add time [1] "
                  "packet [1 # 4]",
         .codes = ""},
        // 126: another axis in the packet, and 32 lanes; and with the 8 lanes that were meant
        {"A=2,R=19,X=256", AT_BRANCH_F32, .slice = "X", .time = "R # 24 / 4",
         .packet = "R # 24 % 4, A # 8",
         .calls = "vector_trim_way4 packet [R # 24 % 4, A]; vector_intra_slice_reduce R Add time "
                  "[1] packet [A # 4]",
         .codes = "1 E0713, 1 E0713, 2 E0765"},
        {"A=2,R=19,X=256", AT_BRANCH_F32, .slice = "X", .time = "R # 24 / 4",
         .packet = "[R # 24 % 4, A] # 8",
         .calls = "vector_split time [R # 24 / 4, R # 24 / 2 % 2] packet [R # 24 % 2, A]; "
                  "vector_intra_slice_reduce R Add time [1] packet [A # 4]",
         .codes = "2 E0749"},
        // 127: every lane holds data
        {"A=8,R=24,X=64", AT_BRANCH_F32, .slice = "X, A / 2", .time = "R / 8", .packet = "R % 8",
         .calls = "vector_trim_way4 packet [R % 4]; vector_intra_slice_reduce R Add time [1] "
                  "packet [1 # 4]",
         .codes = "1 E0715"},
        {"A=8,R=24,X=64", AT_BRANCH_F32, .slice = "X, A / 2", .time = "R / 8", .packet = "R % 8",
         .calls = "vector_split time [R / 4] packet [R % 4]; vector_intra_slice_reduce R Add time "
                  "[1] packet [1 # 4]",
         .codes = ""},
        // 128: Slice and Packet
        {"R=2045", AT_BRANCH_I32, .slice = "R # 2048 / 8", .packet = "R # 2048 % 8",
         .calls = "vector_trim_way4 packet [R # 2048 % 4]; vector_intra_slice_reduce R AddSat time "
                  "[1] packet [1 # 4]",
         .codes = "1 E0715, 2 E0763"},
    };
    check_rows(rows, COUNT_OF(rows), RULES_CONTRA);
}

TEST(inter_slice_block)
{
    static const Row rows[] = {
        // 131
        {"R=4,A=512", "CollectTensor i32", .slice = "A / 8, R", .packet = "A % 8",
         .calls = INIT "vector_inter_slice_reduce AddSat slice [A / 8, 1 # 4] time [1]; "
                       "vector_final",
         .codes = ""},
        // 132
        {"W=64,R=4,X=4,P=8", "CollectTensor f32", .slice = "W, R", .packet = "P",
         .calls = INIT "vector_inter_slice_reduce Add slice [W, X] time [1]; vector_final",
         .codes = ""},
        // 133
        {"W=32,R=4,T0=2,T2=4,T1=2,P=8", "CollectTensor f32", .slice = "W, R", .time = "T0, T2, T1",
         .packet = "P",
         .calls = INIT "vector_inter_slice_reduce Add slice [W, T2] time [T0, T1]; vector_final",
         .codes = ""},
        // 134
        {"R=4,A=512", "CollectTensor i32", .slice = "A / 8, R", .packet = "A % 8",
         .calls = INIT "vector_inter_slice_reduce AddSat slice [A / 8, 1 # 4] time [1]; "
                       "vector_intra_slice_branch Unconditional; vector_fxp AddFxp 100; "
                       "vector_final",
         .codes = ""},
        // 135
        {"R=4,A=512", "CollectTensor i32", .slice = "A / 8, R", .packet = "A % 8",
         .calls = BRANCH "vector_fxp AddFxp 100; vector_inter_slice_reduce AddSat slice "
                         "[A / 8, 1 # 4] time [1]; vector_final",
         .codes = ""},
    };
    check_rows(rows, COUNT_OF(rows), RULES_CONTRA);
}
