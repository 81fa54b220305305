// The Valid Count Generator: what is derived from placements, by hand.
#include "valid_count_support.h"

// Cluster, Slice, Time, Packet; the reduced axis; the configuration, or what is wrong.
typedef struct {
    const char *axes;
    const char *dims[4];
    const char *axis, *expected;
} Row;

static bool check_row(const Row *row)
{
    bool ok = true;
    Placement place;
    place_derive(&place, row->axes, row->dims, row->axis);
    const char *text =
        place.ok ? config_text(&place.world->arena, &place.result) : problems[place.result.problem];
    if (strcmp(text, row->expected) != 0) {
        print_error("%s: [%s] [%s] [%s]: %s instead of %s\n", row->axes, row->dims[1], row->dims[2],
                    row->dims[3], text, row->expected);
        ok = false;
    }
    if (place.ok) {
        Truth truth = truth_of(&place);
        if (!config_is_right(&truth, &place.result)) {
            print_error("%s: [%s] [%s] [%s]: %s is wrong\n", row->axes, row->dims[1], row->dims[2],
                        row->dims[3], text);
            ok = false;
        }
    }
    world_free(place.world);
    return ok;
}

// Manual: Valid Count Generator's Interface, in its order.
TEST(the_manual_s_placements)
{
    static const Row rows[] = {
        {"R=13,X=32",
         {NULL, "R # 16 / 8, X, R # 16 / 2 % 4", "R # 16 % 2", "1 # 8"},
         "R",
         "8 of 8 2x1:g0 [131<130 1]"},
        {"A=4,R=17,X=32",
         {NULL, "X, R # 24 / 3", "R # 24 % 3", "A # 8"},
         "R",
         "8 of 8 3x1:g0 [7<5 2]"},
        {"R=5,X=64", {NULL, "X, R # 8 % 4", "R # 8 / 4", "1 # 8"}, "R", "8 of 8 2x1:g0 [3<1 1T]"},
        {"R=14,X=64", {NULL, "X, R # 20 % 4", "R # 20 / 4", "1 # 8"}, "R", "transposed"},
        {"R=14,X=64",
         {NULL, "X, R # 16 % 4", "R # 16 / 4", "1 # 8"},
         "R",
         "8 of 8 4x1:g0 [3<2 3T]"},
        {"A=8,R=12,X=64",
         {NULL, "X, A / 2", "R # 16", "A % 2 # 8"},
         "R",
         "8 of 8 16x1:g0 [0<0 12]"},
        {"R=13,X=32",
         {NULL, "X, R # 16 / 2 % 4, R # 16 / 8", "R # 16 % 2", "1 # 8"},
         "R",
         "slice-order"},
        {"R=13,X=64",
         {NULL, "X, R # 16 / 2 % 4", "R # 16 / 8, R # 16 % 2", "1 # 8"},
         "R",
         "interleaved"},
        {"R=45,X=2,Y=4",
         {NULL, "Y", "R # 48 / 8 % 2, X, R # 48 / 16", "R # 48 % 8"},
         "R",
         "8 of 45 1x8:p 3x16:p 2x0:- 2x8:p"},
        {"A=8,R=3,X=4", {NULL, "X, A / 2", "1", "R # 8"}, "R", "3 of 3 1x3:p"},
        {"A=8,R=19,X=4", {NULL, "X, A / 2", "R # 24 / 8", "R # 24 % 8"}, "R", "8 of 19 3x8:p"},
        {"A=8,R=19,X=4", {NULL, "X, A / 2", "R # 24 % 8", "R # 24 / 8 # 8"}, "R", "packet-outer"},
        {"A=8,R=7,X=4", {NULL, "X, A / 2", "R # 8 / 4", "R # 8 % 4 # 8"}, "R", "4 of 7 2x4:p"},
        {"A=2,R=19,X=4", {NULL, "X", "R # 24 / 4", "[R # 24 % 4, A] # 8"}, "R", "packet-mixed"},
        {"A=2,R=19,X=4", {NULL, "X", "R # 24 / 4", "R # 24 % 4, A # 8"}, "R", "packet-mixed"},
        {"A=8,R=24,X=4", {NULL, "X, A / 2", "R / 8", "R % 8"}, "R", "not needed"},
        {"R=2045", {NULL, "R # 2048 / 8", "1", "R # 2048 % 8"}, "R", "slice-packet"},
        {"R=2048", {NULL, "R / 8", "1", "R % 8"}, "R", "not needed"},
        // Intra-Slice Reduce
        {"R=13", {NULL, "R # 32 / 8", "R # 32 / 4 % 2", "R # 32 % 4 # 8"}, "R", "slice-packet"},
        {"A=8,R=16", {NULL, "A / 2", "R / 4", "R % 4 # 8"}, "R", "4 of 4 1x4:p 4x0:-"},
        // Valid Count Generator's Implementation
        {"H=14", {NULL, "H # 24 / 3", "H # 24 % 3", "1 # 8"}, "H", "8 of 8 3x1:g0 [7<4 2]"},
        {"H=19", {NULL, "H # 24 % 8", "H # 24 / 8", "1 # 8"}, "H", "8 of 8 3x1:g0 [7<3 2T]"},
        {"N=50", {NULL, "1", "N # 72 / 24, N # 72 / 8 % 3", "N # 72 % 8"}, "N", "8 of 50 9x8:p"},
        {"H=5,C=5,W=19",
         {NULL, "H # 8 / 2, C # 8 / 2", "H # 8 % 2, C # 8 % 2, W # 24 / 8", "W # 24 % 8"},
         NULL,
         "8 of 19 3x8:p 2x1:g0 2x1:g1 [3<2 1] [12<8 1]"},
    };
    int failed = 0;
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        failed += !check_row(&rows[i]);
    assert_int_equal(failed, 0);
}

// Where the manual gives a rule and no example, or a placement is simpler than it looks.
TEST(placements_of_our_own)
{
    static const Row rows[] = {
        // Slice only
        {"R=5,X=4", {NULL, "R # 8, X", "1", "1 # 8"}, "R", "8 of 8 [28<20 0]"},
        {"R=5,X=5", {NULL, "R # 8, X", "1", "1 # 8"}, "R", "8 of 8 [63<25 0]"},
        {"R=5,X=5", {NULL, "X, R # 8", "1", "1 # 8"}, "R", "8 of 8 [7<5 0]"},
        {"R=5,X=5,Y=2", {NULL, "Y, R # 8, X", "1", "1 # 8"}, "R", "slice-bits"},
        {"R=5,X=5", {NULL, "[R, X] # 32", "1", "1 # 8"}, "R", "8 of 8 [31<25 0]"},
        // n % stride_p = 0: nothing is cut short, a gate alone does
        {"R=12",
         {NULL, "R # 32 / 8", "R # 32 / 4 % 2", "R # 32 % 4 # 8"},
         "R",
         "4 of 4 1x4:p 2x1:g0 [3<1 1]"},
        {"R=16", {NULL, "R # 64 / 8", "1", "R # 64 % 8"}, "R", "8 of 8 [7<2 0]"},
        // n <= stride_p: one packet holds all of it
        {"R=3", {NULL, "R # 64 / 8", "1", "R # 64 % 8"}, "R", "3 of 3 1x3:p [7<1 0]"},
        {"R=3",
         {NULL, "R # 64 / 16", "R # 64 / 8 % 2", "R # 64 % 8"},
         "R",
         "3 of 3 1x3:p 2x8:p [3<1 0]"},
        // digits that decide nothing may stand anywhere
        {"R=12", {NULL, "R # 16 / 2 % 4, R # 16 / 8", "R # 16 % 2", "1 # 8"}, "R", "slice-order"},
        {"R=8",
         {NULL, "R # 16 / 2 % 4, R # 16 / 8", "R # 16 % 2", "1 # 8"},
         "R",
         "8 of 8 2x0:- [1<1 0]"},
        // padding that is not the axis' own does not matter where lanes are kept apart
        {"R=12,A=3",
         {NULL, "1 # 4", "R # 16, A # 4", "1 # 8"},
         "R",
         "8 of 8 4x0:- 16x1:g0 [0<0 12]"},
        // steps cut out of the middle
        {"R=8", {NULL, "1", "R / 4, R % 4 = 3 # 4", "1 # 8"}, "R", "8 of 8 4x1:g0 2x0:- [0<0 3]"},
        {"R=7",
         {NULL, "1", "R # 8 / 4, R # 8 % 4 = 3 # 4", "1 # 8"},
         "R",
         "8 of 8 4x1:g0 2x0:- [0<0 3]"},
        {"R=6", {NULL, "1", "R # 8 / 4, R # 8 % 4 = 3 # 4", "1 # 8"}, "R", "twice"},
        {"R=8", {NULL, "1", "R / 4", "R % 4 = 3 # 8"}, "R", "3 of 3 1x3:p 2x0:-"},
        // lanes that are no prefix
        {"R=16", {NULL, "1", "R / 4", "R % 4, 1 # 2"}, "R", "packet-mixed"},
        {"R=16", {NULL, "1", "R / 8", "R % 2, R / 2 % 4"}, "R", "not needed"},
        {"R=15", {NULL, "1", "R # 16 / 8", "R # 16 % 2, R # 16 / 2 % 4"}, "R", "packet-outer"},
        {"R=16", {NULL, "1", "R / 8", "R / 2 % 4, R % 2"}, "R", "not needed"},
        {"R=15", {NULL, "1", "R # 16 / 8", "R # 16 / 2 % 4, R # 16 % 2"}, "R", "8 of 15 2x8:p"},
        // the cluster is none of its business, unless the axis ends in it
        {"R=13", {"R # 16 / 8", "1", "R # 16 % 8", "1 # 8"}, "R", "cluster"},
        {"R=5", {"R # 16 / 8", "1", "R # 16 % 8", "1 # 8"}, "R", "8 of 8 8x1:g0 [0<0 5]"},
        {"R=16", {"R / 8", "1", "R % 8", "1 # 8"}, "R", "not needed"},
        // composites
        {"R=3,A=5", {NULL, "1", "[R, A] # 16 / 2", "[R, A] # 16 % 2 # 8"}, "R", "composite"},
        {"B=3,A=5", {NULL, "1", "[B, A] # 16 / 2", "[B, A] # 16 % 2 # 8"}, NULL, "2 of 15 8x2:p"},
        {"B=3,A=5", {NULL, "1", "[B, A] # 16", "1 # 8"}, NULL, "1 of 1 1x1:p 5x0:- 4x1:g0 [0<0 3]"},
        // all of them at once: one in Packet, three gates, and Packet's dim where it is free
        {"A=3,B=3,C=3,D=3", {NULL, "1", "A # 4, B # 4, C # 4, D # 4", "1 # 8"}, NULL, "dims"},
        {"A=3,B=3,C=3,D=3,P=8",
         {NULL, "1", "A # 4, B # 4, C # 4, D # 4", "P"},
         NULL,
         "8 of 24 4x1:g0 4x1:g1 4x1:g2 4x8:p [0<0 3] [0<0 3] [0<0 3]"},
        {"A=3,B=3,C=3,D=7",
         {NULL, "1", "A # 4, B # 4, C # 4, D # 8 / 4", "D # 8 % 4 # 8"},
         NULL,
         "4 of 7 2x4:p 4x1:g0 4x1:g1 4x1:g2 [0<0 3] [0<0 3] [0<0 3]"},
        {"A=3,B=2", {NULL, "1", "1", "A # 4, B"}, NULL, "6 of 6 1x6:p"},
        {"A=3,B=2", {NULL, "1", "1", "[A, B] # 8"}, NULL, "6 of 6 1x6:p"},
        {"A=2,B=3", {NULL, "1", "1", "[A, B] # 8"}, NULL, "6 of 6 1x6:p"},
        {"A=2,B=3", {NULL, "1", "1", "A, B # 4"}, NULL, "packet-mixed"},
        {"A=7,B=3", {NULL, "1", "A # 8 / 4", "A # 8 % 4, B % 1 # 2"}, NULL, "packet-mixed"},
        {"A=7,B=2", {NULL, "1", "A # 8 / 4", "A # 8 % 4, B"}, NULL, "8 of 14 2x8:p"},
        // too many parts of Time
        {"R=1,A=2,B=2,C=2,D=2,S=509",
         {NULL, "1",
          "S # 512 / 256, A, S # 512 / 128 % 2, B, S # 512 / 64 % 2, C, "
          "S # 512 / 32 % 2, D, S # 512 % 32",
          "1 # 8"},
         "S",
         "counters"},
    };
    int failed = 0;
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        failed += !check_row(&rows[i]);
    assert_int_equal(failed, 0);
}
