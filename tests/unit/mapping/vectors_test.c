// What the documents say about single mappings, as rows of text: worked vectors, laws, splits,
// divisions, remainders and bounds, tiles, canonical axes.
#include "brute.h"
#include "worlds.h"

#include "base/checked.h"
#include "base/divisor.h"
#include "mapping/divide.h"
#include "test.h"

#include <inttypes.h>
#include <stdio.h>

// Both ways of knowing agree that two mappings have the same cells, or that they have not.
static void check_equal(World *world, const char *what, const Mapping *got, const char *text,
                        bool equal)
{
    Mapping want = world_mapping(world, text);
    MappingEquality decided = mapping_equal(&world->arena, got, &want);
    BruteAxes axes = brute_axes_of_scope(&world->arena, &world->scope);
    BruteTable left = brute_mapping(&world->arena, &axes, got);
    BruteTable right = brute_expr(&world->arena, &axes, world_expr(world, text));
    bool same = brute_difference(&left, &right) < 0;
    if (decided == (equal ? MAPPINGS_EQUAL : MAPPINGS_DIFFER) && same == equal)
        return;
    fail_msg("%s: `%.*s` should%s be `%s`; decided %d, cells %s", what,
             STR_ARG(mapping_text(&world->arena, got)), equal ? "" : " not", text, (int)decided,
             same ? "equal" : "different");
}

TEST(equal_mappings_are_equal)
{
    static const struct {
        const char *axes, *left, *right;
        bool equal;
    } cases[] = {
        // one is neutral, pairs associate
        {"A=4", "1, A", "A", true},
        {"A=4", "A, 1", "A", true},
        {"A=2,B=3,C=2", "A, [B, C]", "[A, B], C", true},
        {"A=2,B=3,C=2", "A, B, C", "A, [B, C]", true},
        // split and merge, in that order only
        {"A=12", "A / 4, A % 4", "A", true},
        {"A=12", "A % 4, A / 4", "A", false},
        {"A=12,B=2", "A / 4, B, A % 4", "A, B", false},
        // projections
        {"A=2,B=3", "[A, B] / 3", "A", true},
        {"A=2,B=3", "[A, B] % 3", "B", true},
        {"A=2,B=3", "[A, B] / 2", "A", false},
        // what changes nothing
        {"A=6", "A / 1", "A", true},
        {"A=6", "A # 6", "A", true},
        {"A=6", "A = 6", "A", true},
        {"A=6", "A % 1", "1", true},
        {"A=6", "A % 6", "A", true},
        {"A=6,B=2", "[A, B] % 1", "1", true},
        // padding of nothing, and padding twice
        {"A=6", "1 # 4, A", "A # 24", true},
        {"A=6", "A # 8 # 10", "A # 10", true},
        {"A=6", "A # 8", "A # 10", false},
        // outer padding floats out, inner stays
        {"A=3,B=2", "A # 4, B", "[A, B] # 8", true},
        {"A=3,B=2", "A, B # 4", "[A, B] # 12", false},
        // live prefixes
        {"R=3", "R # 64 / 8", "1 # 8", true},
        {"R=5", "R # 16 / 4", "1 # 2, [R # 8] / 4", true},
        // nested names
        {"K=512", "K % 128 / 16", "K / 16 % 8", true},
        {"K=512", "K % 128 % 16", "K % 16", true},
        {"K=512", "K % 128 / 16", "K / 16 % 4", false},
        // every mapping is its split, padding included
        {"A=5", "A # 8 / 4, A # 8 % 4", "A # 8", true},
        // padding after a part stays padding, however the part is cut
        {"A=48", "A % 24 # 32 / 16, A % 24 # 32 / 2 % 8, A % 24 # 32 % 2", "A % 24 # 32", true},
        {"A=63", "A # 64 / 8, A # 64 % 8", "A # 64", true},
        {"A=2,B=3", "[A, B] # 10 / 2, [A, B] # 10 % 2", "[A, B] # 10", true},
        // worked vectors
        {"R=3,A=5", "R # 16 / 4, A", "A # 20", true},
        {"R=3,A=5", "R # 64 / 8, A", "A # 40", true},
        {"A=5", "[A # 16 / 4] / 2", "1 # 2", true},
        {"R=14", "R # 16 / 4, R # 16 % 4", "R # 16", true},
        // a resize may grow
        {"A=3", "A = 5", "A # 5", true},
        {"A=6", "A = 3", "A % 3", true},
        // a skewed axis alone runs like its base
        {"A=6,C=2,B'=A-C", "B'", "A", true},
        // axes of other names are other axes
        {"A=4,B=4", "A", "B", false},
        {"A=4", "A", "A # 5", false},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        World *world = world_new(cases[i].axes);
        Mapping left = world_mapping(world, cases[i].left);
        check_equal(world, cases[i].left, &left, cases[i].right, cases[i].equal);
        world_free(world);
    }
}

TEST(normal_forms_are_the_short_ones)
{
    static const struct {
        const char *axes, *mapping, *normal;
    } cases[] = {
        {"R=14", "R # 16 / 4, R # 16 % 4", "R # 16"},
        {"A=12", "A / 4, A % 4", "A"},
        {"A=2,B=3", "[A, B] / 3, [A, B] % 3", "A, B"},
        {"K=512", "K % 128 / 16", "K / 16 % 8"},
        {"R=3", "R # 64 / 8", "1 # 8"},
        {"A=5", "[A # 16 / 4] / 2", "1 # 2"},
        {"D=3,B=12", "[D, B] % 12 # 16 / 8", "B # 16 / 8"}, // also inside a block that stays
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        World *world = world_new(cases[i].axes);
        Mapping mapping = world_mapping(world, cases[i].mapping);
        Mapping normal = mapping_normalise(&world->arena, &mapping);
        Mapping want = world_mapping(world, cases[i].normal);
        assert_true(mapping_same(&normal, &want));
        world_free(world);
    }
}

TEST(positions_hold_their_cells)
{
    static const struct {
        const char *axes, *mapping;
        int64_t at;
        const char *cell;
    } cases[] = {
        {"R=50", "R # 64 / 8", 0, "zero"},
        {"R=50", "R # 64 / 8", 1, "R=8"},
        {"R=50", "R # 64 / 8", 6, "R=48"},
        {"R=50", "R # 64 / 8", 7, "padding"},
        {"A=2,B=3", "[A, B] # 10 / 2", 0, "zero"},
        {"A=2,B=3", "[A, B] # 10 / 2", 1, "B=2"},
        {"A=2,B=3", "[A, B] # 10 / 2", 2, "A=1 B=1"},
        {"A=2,B=3", "[A, B] # 10 / 2", 3, "padding"},
        {"A=2,B=3", "[A, B] # 10 / 2", 4, "padding"},
        {"D=61", "D # 64", 60, "D=60"},
        {"D=61", "D # 64", 61, "padding"},
        // a sum that reaches the size of its axis is padding
        {"A=63", "A # 64 / 8, A # 64 % 8", 62, "A=62"},
        {"A=63", "A # 64 / 8, A # 64 % 8", 63, "padding"},
        {"A=5", "A # 8 / 4, A # 8 % 4", 5, "padding"},
        // beyond a growing resize
        {"A=3", "A = 5", 2, "A=2"},
        {"A=3", "A = 5", 3, "padding"},
        // several indices at one position
        {"N=5,F=3", "$(N:1, F:2)", 0, "zero"},
        {"N=5,F=3", "$(N:1, F:2)", 4, "N=4 | N=2 F=1 | F=2"},
        {"N=5,F=3", "$(N:1, F:2)", 8, "N=4 F=2"},
        // a diagonal
        {"A=4,B=4,B'=B-A", "A, B' = 4", 3, "B=3"},
        {"A=4,B=4,B'=B-A", "A, B' = 4", 4, "A=1 B=1"},
        {"A=4,B=4,B'=B-A", "A, B' = 4", 7, "A=1"},
        {"A=4,B=4,B'=B-A", "A, B' = 4", 15, "A=3 B=2"},
        // offsets
        {"A=8", "A @ 3", 0, "A=3"},
        {"A=8", "A @ 7", 0, "A=7"},
        {"A=8", "A @ [5, 2]", 1, "A=2"},
        {"A=8", "A @ [3]", 0, "A=3"},
        {"A=2", "# 2 + A + # 1", 1, "padding"},
        {"A=2", "# 2 + A + # 1", 3, "A=1"},
        {"A=2", "# 2 + A + # 1", 4, "padding"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        World *world = world_new(cases[i].axes);
        Mapping mapping = world_mapping(world, cases[i].mapping);
        BruteAxes axes = brute_axes_of_scope(&world->arena, &world->scope);
        BruteTable table = brute_mapping(&world->arena, &axes, &mapping);
        Str text = brute_cell_text(&world->arena, &axes, &table, cases[i].at);
        if (!str_equal(text, str_from(cases[i].cell)))
            fail_msg("`%s` at %" PRId64 " has %.*s, not %s", cases[i].mapping, cases[i].at,
                     STR_ARG(text), cases[i].cell);
        world_free(world);
    }
}

TEST(splits_give_outer_and_inner)
{
    static const struct {
        const char *axes, *mapping;
        int64_t at;
        const char *outer, *inner;
    } cases[] = {
        {"A=2,B=2", "A # 4, B # 4", 8, "1 # 2", "A, B # 4"},
        {"A=2,B=2,C=2", "A # 4, B, C", 8, "1 # 2", "A, B, C"},
        {"A=2,B=2,C=2,D=2", "A # 4, B # 4, C # 16, D # 4", 16, "A # 4, B # 4, 1 # 4",
         "C # 4, D # 4"},
        {"A=2,B=2,C=2,D=2", "A, B # 4, [C, D] # 8", 16, "A, 1 # 2", "B, 1 # 2, C, D"},
        {"A=4,B=4", "B, A # 9", 4, "[B, A # 9] / 4", "[B, A # 9] % 4"},
        {"A=8", "A # 16", 4, "1 # 2, A / 4 % 2", "A % 4"},
        {"A=3", "A # 16", 4, "1 # 4", "A # 4"},
        {"A=6", "A", 1, "A", "1"},
        {"A=6", "A", 6, "1", "A"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        World *world = world_new(cases[i].axes);
        Mapping mapping = world_mapping(world, cases[i].mapping), outer, inner;
        mapping_split(&world->arena, &mapping, cases[i].at, &outer, &inner);
        check_equal(world, cases[i].mapping, &outer, cases[i].outer, true);
        check_equal(world, cases[i].mapping, &inner, cases[i].inner, true);
        assert_int_equal(inner.size, cases[i].at);
        world_free(world);
    }
}

TEST(prefixes_are_found)
{
    static const struct {
        const char *axes, *prefix, *whole;
        bool is;
    } cases[] = {
        {"N=8", "N", "N # 32", true},     {"N=8", "N # 16", "N # 32", true},
        {"N=8", "N = 4", "N # 32", true}, {"N=8,M=8", "M", "N # 32", false},
        {"N=8", "N # 32", "N", true}, // beyond its size a mapping is padding
        {"N=8", "N", "N = 4", false},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        World *world = world_new(cases[i].axes);
        Mapping prefix = world_mapping(world, cases[i].prefix);
        Mapping whole = world_mapping(world, cases[i].whole);
        MappingEquality got = mapping_is_prefix(&world->arena, &prefix, &whole);
        assert_int_equal(got, cases[i].is ? MAPPINGS_EQUAL : MAPPINGS_DIFFER);
        world_free(world);
    }
}

// NULL: not asked for.
typedef struct {
    const char *axes, *dividend, *divisor;
    bool exact;
    int64_t found;
    const char *dividend_residue, *divisor_residue, *dividend_remainder, *divisor_remainder;
} DivisionCase;

TEST(divisions_leave_what_they_should)
{
    static const DivisionCase cases[] = {
        {"A=512,R=15", "1 # 2, A / 8, R # 16 / 4, A % 8, R # 16 % 4", "A, R # 16", true, 4, NULL,
         NULL, NULL, NULL},
        {"A=8,B=4", "A, B", "B", true, 1, "A, 1 # 4", "1 # 4", "A", "1"},
        {"A=4", "A # 16", "A", true, 1, "1 # 16", "1 # 4", "1 # 4", "1"},
        {"A=3", "A # 16", "A", true, 1, "1 # 16", "1 # 3", "1 # 4", "1"},
        {"A=8", "A / 4", "A % 4", false, 0, "A / 4", "A % 4", "A / 4", "A % 4"},
        {"A=64,B=4,C=2", "A / 8, B", "B, C", false, 1, "A / 8, 1 # 4", "1 # 4, C", "A / 8", "C"},
        {"A=64", "A", "A / 8", true, 1, "1 # 8, A % 8", "1 # 8", "A % 8", "1"},
        {"A=64", "A", "A % 8", true, 1, "A / 8, 1 # 8", "1 # 8", "A / 8", "1"},
        {"A=64", "A", "A / 4 % 2", true, 1, "A / 8, 1 # 2, A % 4", "1 # 2", NULL, "1"},
        {"A=64,X=3", "A / 8, X, A % 8", "A", true, 2, "1 # 8, X, 1 # 8", "1 # 64", "X", "1"},
        // order does not matter; padding neither matches nor hinders
        {"A=2,B=3,C=5", "A, B, C", "C, A", true, 2, "1 # 2, B, 1 # 5", NULL, "B", "1"},
        {"A=8,B=2", "A # 16, B", "1 # 4, A # 32", true, 1, "1 # 16, B", NULL, NULL, NULL},
        {"A=8", "A", "1 # 3", true, 0, "A", "1 # 3", "A", NULL},
        // full by truncated matches, truncated by full does not
        {"A=8", "A", "A = 4", true, 1, "1 # 8", "1 # 4", NULL, NULL},
        {"A=8", "A = 4", "A", false, 0, "A = 4", "A", NULL, NULL},
        // a part of an axis is cut where its own positions end, whatever the size of the axis
        {"X=34", "X = 32 # 40", "X = 32 / 8", true, 1, NULL, "1 # 4", NULL, "1"},
        {"X=34", "X = 32 % 8, X = 32 / 8", "X = 32", true, 2, "1 # 32", "1 # 32", "1", "1"},
        {"X=34", "X = 32", "X = 24 / 6", false, 0, "X = 32", NULL, NULL, NULL},
        // a tile of a group still has the digits of the group, unless it reaches beyond it
        {"A=3,B=5", "[A, B] # 16 / 4 = 2 # 4, [A, B] # 16 % 4", "[A, B] # 16 % 4", true, 1,
         "[A, B] # 16 / 4 = 2 # 4, 1 # 4", "1 # 4", NULL, "1"},
        {"A=3,B=5", "[A, B] # 16 = 8 # 16", "[A, B] # 16 / 4 % 2", true, 1,
         "1 # 4, [A, B] # 16 % 4", "1 # 2", NULL, "1"},
        {"A=3,B=5", "[A, B] # 16 = 7 # 8", "[A, B] # 16 % 4", false, 0, NULL, NULL, NULL, NULL},
        {"A=3,B=5", "[A, B] # 16 = 8 # 16", "[B, A] # 16 % 4", false, 0, NULL, NULL, NULL, NULL},
        // cuts that do not divide each other
        {"A=15", "A % 5, A / 5", "A % 3, A / 3", false, 0, NULL, NULL, NULL, NULL},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const DivisionCase *row = &cases[i];
        World *world = world_new(row->axes);
        Mapping dividend = world_mapping(world, row->dividend);
        Mapping divisor = world_mapping(world, row->divisor);
        Division division = mapping_divide(&world->arena, &dividend, &divisor, DIVIDE_RELAXED, 0);
        if (division.exact != row->exact || division.found != row->found)
            fail_msg("`%s` by `%s`: exact %d, %" PRId64 " found", row->dividend, row->divisor,
                     division.exact, division.found);
        if (row->dividend_residue)
            check_equal(world, "dividend residue", &division.dividend_residue,
                        row->dividend_residue, true);
        if (row->divisor_residue)
            check_equal(world, "divisor residue", &division.divisor_residue, row->divisor_residue,
                        true);
        if (row->dividend_remainder)
            check_equal(world, "dividend remainder", &division.dividend_remainder,
                        row->dividend_remainder, true);
        if (row->divisor_remainder)
            check_equal(world, "divisor remainder", &division.divisor_remainder,
                        row->divisor_remainder, true);
        world_free(world);
    }
}

TEST(found_pieces_come_outermost_first)
{
    World *world = world_new("A=64,X=3");
    Mapping dividend = world_mapping(world, "A / 8, X, A % 8");
    Mapping divisor = world_mapping(world, "A");
    Division division = mapping_divide(&world->arena, &dividend, &divisor, DIVIDE_RELAXED, 0);
    assert_int_equal(division.found, 2);
    const Match *outer = &division.matches.items[0], *inner = &division.matches.items[1];
    assert_int_equal(outer->dividend_stride, 24);
    assert_int_equal(outer->divisor_stride, 8);
    assert_int_equal(outer->term.stride, 8);
    assert_int_equal(outer->resize, 8);
    assert_int_equal(inner->dividend_stride, 1);
    assert_int_equal(inner->divisor_stride, 1);
    assert_int_equal(inner->term.modulo, 8);
    world_free(world);
}

// A hole of a strict division is told apart from the padding round it.
TEST(strict_residues_have_holes)
{
    World *world = world_new("A=3");
    Mapping dividend = world_mapping(world, "A # 16"), divisor = world_mapping(world, "A");
    Division strict = mapping_divide(&world->arena, &dividend, &divisor, DIVIDE_STRICT, 0);
    const Factor *factors = strict.dividend_residue.factors;
    assert_true(strict.exact);
    assert_int_equal(strict.dividend_residue.count, 2);
    assert_true(factors[0].is_padding && factors[0].padding == PADDING_BOTTOM);
    assert_int_equal(factors[0].size, 3);
    assert_true(factors[1].is_padding && factors[1].padding == PADDING_TOP);
    assert_int_equal(factors[1].size, 16);
    Division relaxed = mapping_divide(&world->arena, &dividend, &divisor, DIVIDE_RELAXED, 0);
    assert_int_equal(relaxed.dividend_residue.count, 1);
    assert_true(relaxed.dividend_residue.factors[0].padding == PADDING_TOP);
    world_free(world);
}

// The strides of what is left count the hole.
TEST(residues_keep_their_strides)
{
    World *world = world_new("A=512,B=4");
    Mapping dividend = world_mapping(world, "A / 8, B"), divisor = world_mapping(world, "B");
    Division division = mapping_divide(&world->arena, &dividend, &divisor, DIVIDE_RELAXED, 0);
    assert_int_equal(division.dividend_residue.count, 2);
    assert_int_equal(division.dividend_residue.factors[0].size, 4);
    assert_int_equal(division.dividend_residue.factors[1].resize, 64);
    world_free(world);
}

TEST(spans_stay_in_place)
{
    World *world = world_new("A=8,B=4,C=4");
    Mapping dividend = world_mapping(world, "A, B");
    Mapping b = world_mapping(world, "B"), c = world_mapping(world, "C");
    Division two = mapping_divide(&world->arena, &dividend, &b, DIVIDE_SPAN, 2);
    assert_true(two.exact);
    check_equal(world, "span", &two.dividend_residue, "A, B = 2 # 4", true);
    Division none = mapping_divide(&world->arena, &dividend, &c, DIVIDE_SPAN, 2);
    assert_false(none.exact);
    assert_int_equal(none.found, 0);
    check_equal(world, "span", &none.dividend_residue, "A, B", true);
    check_equal(world, "span", &none.divisor_residue, "C", true);
    world_free(world);
}

TEST(bounds_are_blocks_that_divide_the_room)
{
    static const struct {
        const char *axes, *dividend, *divisor, *axis;
        int64_t least, most;
    } cases[] = {
        {"A=3", "A # 16", "A", "A", 4, 16},
        {"A=4", "A # 16", "A", "A", 4, 16},
        {"A=3", "A", "A # 16", "A", 3, 3},
        {"A=4", "A", "A # 16", "A", 4, 4},
        {"A=3,B=2,C=3", "A # 4, B, C # 8", "A, C", "A", 4, 4},
        {"A=3,B=2,C=3", "A # 4, B, C # 8", "A, C", "C", 4, 8},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        World *world = world_new(cases[i].axes);
        Mapping dividend = world_mapping(world, cases[i].dividend);
        Mapping divisor = world_mapping(world, cases[i].divisor);
        Division division = mapping_divide(&world->arena, &dividend, &divisor, DIVIDE_STRICT, 0);
        for (int64_t k = 0; k < division.found; k++) {
            const Match *match = &division.matches.items[k];
            if (match->term.atom->name[0] != cases[i].axis[0])
                continue;
            assert_int_equal(divisor_at_least(match->room, match->resize), cases[i].least);
            assert_int_equal(match->room, cases[i].most);
        }
        world_free(world);
    }
}

TEST(tiles_keep_the_footprint)
{
    static const struct {
        const char *axes, *mapping, *index;
        int64_t length;
        const char *tile; // NULL: refused
    } cases[] = {
        {"A=8,B=4", "A, B", "B", 3, "A, B = 3 # 4"},
        {"A=8,B=4", "A, B", "B", 1, "A, 1 # 4"},
        {"A=8,B=4", "A, B", "B", 4, "A, B"},
        {"A=32,B=4096", "B / 256, A % 2, A / 16", "B / 512 % 4", 1,
         "B / 2048, 1 # 4, B / 256 % 2, A % 2, A / 16"},
        {"A=8,B=512", "A, B", "B / 32", 2, "A, B / 32 = 2 # 16, B % 32"},
        {"A=8,B=512", "A, B", "B", 2, "A, B = 2 # 512"},
        {"A=8,B=4,C=2", "A, B", "C", 2, NULL},
        {"A=8,B=4,C=2", "A, B", "C", 1, NULL},
        {"A=2,B=4", "A, B", "A, B", 1, "1 # 8"}, // a whole level
        {"A=8,B=4", "A, 1 # 2, B", "A", 2, "A = 2 # 8, 1 # 2, B"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        World *world = world_new(cases[i].axes);
        Mapping mapping = world_mapping(world, cases[i].mapping);
        Mapping index = world_mapping(world, cases[i].index), tile;
        bool ok = mapping_tile(&world->arena, &mapping, &index, cases[i].length, &tile);
        if (ok != (cases[i].tile != NULL))
            fail_msg("tile of `%s` in `%s`: %d", cases[i].index, cases[i].mapping, ok);
        if (cases[i].tile)
            check_equal(world, cases[i].mapping, &tile, cases[i].tile, true);
        world_free(world);
    }
}

// A tile may also start in the padding of the index.
TEST(tiles_start_where_the_index_says)
{
    static const struct {
        const char *axes, *mapping, *index;
        int64_t start, offset;
    } cases[] = {
        {"A=8,B=4", "A, B", "B", 3, 3},
        {"A=8,B=4", "A, B", "A", 5, 20},
        {"A=3,B=13", "A, B # 16", "B # 16", 12, 12},
        {"A=3,B=13", "A, B # 16", "B # 16", 13, 13},
        {"A=3,B=13", "B # 16, A", "B # 16", 15, 45},
        {"A=2,B=3", "A, B # 4", "A, B # 4", 3, 3},
        {"A=2,B=3", "A, B # 4", "A, B # 4", 7, 7},
        {"A=3,B=5", "[A, B] # 16 % 4, [A, B] # 16 / 4", "[A, B] # 16 % 4", 3, 12},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        World *world = world_new(cases[i].axes);
        Mapping mapping = world_mapping(world, cases[i].mapping);
        Mapping index = world_mapping(world, cases[i].index);
        int64_t offset = mapping_tile_offset(&world->arena, &mapping, &index, cases[i].start);
        if (offset != cases[i].offset)
            fail_msg("`%s` at %d of `%s`: %d", cases[i].index, (int)cases[i].start,
                     cases[i].mapping, (int)offset);
        world_free(world);
    }
}

TEST(canonical_axes_join_what_meets)
{
    static const struct {
        const char *axes, *mapping, *terms;
    } cases[] = {
        {"A=32,B=4096", "A / 4 % 4, A / 2 % 2, B % 16, B / 16 % 16, B / 256, A % 2, A / 16",
         "A/1%32 B/1%4096 "},
        {"A=2,B=4096", "A, B % 512, B / 2048", "A/1%2 B/1%512 B/2048%2 "},
        {"A=64", "A / 8, A % 8", "A/1%64 "},
        {"B=512", "B % 16, B / 16 % 32", "B/1%512 "},
        {"A=6,B=2", "B, A # 8", "A/1%6 B/1%2 "},
        {"A=2,B=3", "[A, B] # 10 / 2, [A, B] # 10 % 2", "A/1%2 B/1%3 "},
        {"A=8", "A = 3", "A/1%8 "},
        {"A=8", "1 # 4", ""},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        World *world = world_new(cases[i].axes);
        Mapping mapping = world_mapping(world, cases[i].mapping);
        TermList terms = mapping_canonical_axes(&world->arena, &mapping);
        StrBuf text = {.arena = &world->arena};
        for (int64_t k = 0; k < terms.count; k++)
            buf_format(&text, "{}/{}%{} ",
                       terms.items[k].atom->name ? terms.items[k].atom->name : "?",
                       terms.items[k].stride, terms.items[k].modulo);
        assert_string_equal(str_terminated(&world->arena, buf_str(&text)), cases[i].terms);
        world_free(world);
    }
}

// ---- text

// What is printed of a mapping and of its normal form has the same cells.
static void check_printed(World *world, const char *text)
{
    BruteAxes axes = brute_axes_of_scope(&world->arena, &world->scope);
    Mapping mapping = world_mapping(world, text);
    Mapping normal = mapping_normalise(&world->arena, &mapping);
    const Mapping *forms[] = {&mapping, &normal};
    BruteTable want = brute_expr(&world->arena, &axes, world_expr(world, text));
    for (size_t i = 0; i < COUNT_OF(forms); i++) {
        Str printed = mapping_text(&world->arena, forms[i]);
        const Expr *again = world_expr(world, str_terminated(&world->arena, printed));
        BruteTable got = brute_expr(&world->arena, &axes, again);
        if (brute_difference(&want, &got) >= 0)
            fail_msg("`%s` is printed as `%.*s`, which is something else", text, STR_ARG(printed));
    }
}

static void check_texts(const char *group, int64_t size)
{
    for (int64_t cut = 1; cut <= size; cut++) {
        World *world = world_new("A=11");
        Str all = str_format(&world->arena, "{} % {}, {} / {}", group, (int)cut, group, (int)cut);
        Str half = str_format(&world->arena, "{} / {}", group, (int)cut);
        Str some = str_format(&world->arena, "{} = {}", group, (int)cut);
        check_printed(world, str_terminated(&world->arena, some));
        if (size % cut == 0) {
            check_printed(world, str_terminated(&world->arena, all));
            check_printed(world, str_terminated(&world->arena, half));
        }
        world_free(world);
    }
}

// A resized axis cut by one number, and both parts together, some of them less, by another.
TEST(blocks_of_one_term_are_printed_as_such)
{
    char group[128];
    World *world = world_new("A=10,B=8");
    check_printed(world, "[A, B] = 75 # 78 = 33 # 36 / 3, [A, B] = 75 # 78 = 33 % 3");
    world_free(world);
    for (int part = 2; part <= 11; part++)
        for (int cut = 2; cut <= part; cut++)
            for (int kept = 1; kept <= cut; kept++) {
                int whole = (int)ceil_div(part, cut) * cut;
                snprintf(group, sizeof group, "[A = %d # %d / %d, A = %d # %d %% %d = %d]", part,
                         whole, cut, part, whole, cut, kept);
                check_texts(group, whole / cut * kept);
                snprintf(group, sizeof group, "[A = %d # %d %% %d = %d, A = %d # %d / %d]", part,
                         whole, cut, kept, part, whole, cut);
                check_texts(group, whole / cut * kept);
            }
}
