// Equality where nothing can be enumerated: mappings of about 2^40 positions whose composites are
// cut across their padding, equal ones and ones that differ late, and where they differ first.
#include "brute.h"
#include "worlds.h"

#include "base/checked.h"
#include "test.h"

#include <inttypes.h>
#include <string.h>

// A has 2^20 indices, B a prime number of them, C is small; together fewer than 2^40 positions.
#define AXES "A=1048576,B=1000003,C=3"
#define LONG "C=3,D=1099511627775" // for mappings of one long axis
#define N    "1099511627776"       // 2^40
#define X    "[A, B] # " N
enum { A_SIZE = 1048576, B_SIZE = 1000003 };
static const int64_t live = (int64_t)A_SIZE * B_SIZE;

typedef struct {
    const char *left, *right;
    int64_t difference; // -1: equal
} ExactCase;

// Cells by brute force: equal before the difference, at chosen places, and different at it.
static void check_by_brute_force(World *world, const ExactCase *row)
{
    BruteAxes axes = brute_axes_of_scope(&world->arena, &world->scope);
    const Expr *left = world_expr(world, row->left), *right = world_expr(world, row->right);
    int64_t end = row->difference < 0 ? left->size : row->difference;
    const int64_t places[] = {0,       1,         2,          63,      64,      4095,
                              4096,    B_SIZE,    B_SIZE + 1, end / 7, end / 5, end / 3,
                              end / 2, end - 100, end - 4097, end - 2, end - 1};
    for (size_t i = 0; i < COUNT_OF(places); i++) {
        if (places[i] < 0 || places[i] >= end)
            continue;
        BruteTable a = brute_expr_at(&world->arena, &axes, left, places[i]);
        BruteTable b = brute_expr_at(&world->arena, &axes, right, places[i]);
        assert_int_equal(brute_difference(&a, &b), -1);
    }
    if (row->difference >= 0 && row->difference < min_i64(left->size, right->size)) {
        BruteTable a = brute_expr_at(&world->arena, &axes, left, row->difference);
        BruteTable b = brute_expr_at(&world->arena, &axes, right, row->difference);
        assert_int_equal(brute_difference(&a, &b), 0);
    }
}

static void check_case(const ExactCase *row)
{
    World *world = world_new(strchr(row->left, 'D') ? LONG : AXES);
    Mapping left = world_mapping(world, row->left), right = world_mapping(world, row->right);
    int64_t exact_at = -2, at = -2;
    bool same_size = left.size == right.size;
    MappingEquality want = row->difference < 0 ? MAPPINGS_EQUAL : MAPPINGS_DIFFER;
    check_by_brute_force(world, row);
    MappingEquality got = mapping_equal(&world->arena, &left, &right);
    MappingEquality exact =
        same_size ? mapping_equal_exact(&world->arena, &left, &right, &exact_at) : want;
    bool found = mapping_find_difference(&world->arena, &left, &right, &at);
    if (got != want || exact != want || found != (row->difference >= 0))
        fail_msg("`%s` and `%s`: %d, exactly %d, wanted %d; difference %sfound", row->left,
                 row->right, (int)got, (int)exact, (int)want, found ? "" : "not ");
    if (found && at != row->difference)
        fail_msg("`%s` and `%s` differ first at %" PRId64 ", not %" PRId64, row->left, row->right,
                 row->difference, at);
    if (same_size && found && exact_at != -1 && exact_at != row->difference)
        fail_msg("`%s` and `%s` differ first at %" PRId64 ", not %" PRId64 " (exactly)", row->left,
                 row->right, row->difference, exact_at);
    world_free(world);
}

TEST(large_equal_mappings_are_equal)
{
    static const ExactCase cases[] = {
        {X " / 4096, " X " % 4096", X, -1},
        {X " / 4096, C, " X " % 4096", X " / 64 / 64, C, " X " % 4096", -1},
        {X " % 4096, " X " / 4096", X " / 64 % 64, " X " % 64, " X " / 4096", -1},
        {"[A, B] # 1099511627778 / 3, [A, B] # 1099511627778 % 3", "[A, B] # 1099511627778", -1},
        {X " / 4096, C, " X " % 4096", "[" X " / 8192, " X " / 4096 % 2], C, " X " % 4096", -1},
        {X " @ 5 @ 7", X " @ 12", -1},
        {"D # " N " / 1048576, D # " N " % 1048576", "D # " N, -1},
        {"D # " N " % 1024, C, D # " N " / 1024", "D # " N " % 1024, C, D # " N " / 32 / 32", -1},
        {"[C, A, B] # 3298534883328 / 1099511627776, [C, A, B] # 3298534883328 % 1099511627776",
         "[C, A, B] # 3298534883328", -1},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        check_case(&cases[i]);
}

TEST(large_mappings_differ_where_they_do)
{
    const ExactCase cases[] = {
        // the inner part is cut short
        {X " / 4096, " X " % 4096", X " / 4096, " X " % 2048 # 4096", 2048},
        // the last index of A is missing
        {X " / 4096, " X " % 4096",
         "[A = 1048575, B] # " N " / 4096, [A = 1048575, B] # " N " % 4096",
         (int64_t)(A_SIZE - 1) * B_SIZE},
        // the last live position is missing
        {X " / 4096, " X " % 4096", "[A, B] = 1048579145727 # " N, live - 1},
        // padding inside
        {X " / 4096, " X " % 4096",
         "[A, B # 1000010] # 1099511627776 / 4096, [A, B # 1000010] # " N " % 4096", B_SIZE},
        // only the sizes differ
        {X, "[A, B] # 1099511627777", INT64_C(1099511627776)},
        // cut the other way round
        {X " % 4096, " X " / 4096", X " / 4096, " X " % 4096", 1},
        {"D # " N " / 1048576, D # " N " % 1048576", "D = 1099511627774 # " N,
         INT64_C(1099511627774)},
        // shifted by one more
        {X " @ 5 @ 7", X " @ 13 # 1099511627764", 0},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        check_case(&cases[i]);
}

// Small enough to enumerate, and compared the exact way all the same.
TEST(small_mappings_are_decided_the_same_way)
{
    static const struct {
        const char *left, *right;
    } cases[] = {
        {"[A, B] # 14 / 7, [A, B] # 14 % 7", "[A, B] # 14"},
        {"[A, B] # 14 / 7, [A, B] # 14 % 7", "[A, B] # 14 / 2, [A, B] # 14 % 2"},
        {"[A, B] # 14 % 7, [A, B] # 14 / 7", "[A, B] # 14 % 2, [A, B] # 14 / 2"},
        {"[A, B # 5] # 16 / 4, [A, B # 5] # 16 % 4", "[A, B # 5] # 16"},
        {"[B, A] # 14 / 7, [A, B] # 14 % 7", "[A, B] # 14"},
        {"$(A:1, B:3)", "A, B"},
        {"$(A:4, B:1)", "A, B"},
        {"A @ [0, 1, 2]", "A"},
        {"A @ [0, 2, 1]", "A"},
        {"# 0 + A + # 2", "A # 5"},
        {"A'", "A"},
        {"B, A'", "B, A"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        World *world = world_new("A=3,B=4,A'=A-B");
        BruteAxes axes = brute_axes_of_scope(&world->arena, &world->scope);
        BruteTable a = brute_expr(&world->arena, &axes, world_expr(world, cases[i].left));
        BruteTable b = brute_expr(&world->arena, &axes, world_expr(world, cases[i].right));
        Mapping left = world_mapping(world, cases[i].left);
        Mapping right = world_mapping(world, cases[i].right);
        int64_t want = brute_difference(&a, &b), at = -1;
        if (left.size == right.size) {
            MappingEquality got = mapping_equal_exact(&world->arena, &left, &right, &at);
            assert_int_equal(got, want < 0 ? MAPPINGS_EQUAL : MAPPINGS_DIFFER);
            assert_true(at == want || at == -1);
        }
        assert_int_equal(mapping_find_difference(&world->arena, &left, &right, &at), want >= 0);
        assert_true(want < 0 || at == want);
        world_free(world);
    }
}

// isl takes minutes for these 192 positions: the coefficients of its tableau grow. Their cells
// answer at once.
TEST(cells_decide_small_mappings)
{
    World *world = world_new("A=63");
    const char *const whole = "A # 64 / 2 % 2, [A # 64 % 2, "
                              "[A # 64 / 4 % 2, A # 64 / 8 % 4] = 6, A # 64 / 32 # 4] # 96";
    const char *const parts = "A # 64 / 2 % 2, [A # 64 % 2, "
                              "[A # 64 / 4 % 2, A # 64 / 8 % 4] = 6 / 2, A # 64 / 8 % 2, "
                              "A # 64 / 32 # 4] # 96";
    const char *const other = "A # 64 / 2 % 2, [A # 64 % 2, "
                              "[A # 64 / 4 % 2, A # 64 / 8 % 4] = 6 / 2, A # 64 / 16 % 2, "
                              "A # 64 / 32 # 4] # 96";
    Mapping left = world_mapping(world, whole), right = world_mapping(world, parts);
    Mapping wrong = world_mapping(world, other);
    int64_t at = -1;
    assert_int_equal(mapping_equal(&world->arena, &left, &right), MAPPINGS_EQUAL);
    assert_int_equal(mapping_equal(&world->arena, &left, &wrong), MAPPINGS_DIFFER);
    assert_false(mapping_find_difference(&world->arena, &left, &right, &at));
    assert_true(mapping_find_difference(&world->arena, &left, &wrong, &at));
    assert_int_equal(at, 4);
    world_free(world);
}
