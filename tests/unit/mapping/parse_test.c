// The text of mappings: the grammar, every diagnostic with its place and a neighbour that passes,
// and texts made to break a parser.
#include "tree.h"
#include "worlds.h"

#include "base/checked.h"
#include "test.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *const usual_axes = "A=8,B=6,C=5,Fh=3,T0=2,X_y=4";

// ---- the grammar

TEST(texts_mean_what_their_brackets_say)
{
    static const struct {
        const char *text, *same;
    } cases[] = {
        // one precedence, from left to right, tighter than the comma
        {"B % 3 = 2 # 4", "((B % 3) = 2) # 4"},
        {"C # 32 / 4", "(C # 32) / 4"},
        {"A / 2 % 2", "(A / 2) % 2"},
        {"A % 4 / 2", "(A % 4) / 2"},
        {"C # 24 % 4, A # 8", "[C # 24 % 4], [A # 8]"},
        {"A @ 2 / 3", "(A @ 2) / 3"},
        {"# 1 + A / 2", "# 1 + [A / 2]"},
        {"A / 2 + # 1", "[A / 2] + # 1"},
        // both brackets group, and one element in them is itself
        {"[A]", "A"},
        {"(A)", "A"},
        {"[(A, B)]", "A, B"},
        {"[[[A]]] / 2", "A / 2"},
        {"(A, B) / 2", "[A, B] / 2"},
        // blanks are free
        {"  A/2,B#7 ", "A / 2, B # 7"},
        {"A\t/\n2", "A / 2"},
        {"$(A:1,B:2)", "$( A : 1 , B : 2 )"},
        // names
        {"Fh, T0, X_y", "[Fh], [T0], [X_y]"},
        {"{ A }", "A"},
        {"{A} / 2", "A / 2"},
        {"1", "[1]"},
        {"A @ [1,2]", "A @ [ 1 , 2 ]"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        World *world = world_new(usual_axes);
        if (!tree_equal(world_expr(world, cases[i].text), world_expr(world, cases[i].same)))
            fail_msg("`%s` is not `%s`", cases[i].text, cases[i].same);
        world_free(world);
    }
}

TEST(brackets_keep_pairs_apart)
{
    World *world = world_new(usual_axes);
    assert_false(tree_equal(world_expr(world, "A, [B, C]"), world_expr(world, "A, B, C")));
    assert_false(tree_equal(world_expr(world, "[A, B] / 2"), world_expr(world, "A, B / 2")));
    world_free(world);
}

TEST(sizes_are_counted)
{
    static const struct {
        const char *text;
        int64_t size;
    } cases[] = {
        {"1", 1},
        {"A", 8},
        {"A / 2", 4},
        {"A % 2", 2},
        {"A # 10", 10},
        {"A = 3", 3},
        {"A = 30", 30},
        {"A, B", 48},
        {"A @ 3", 5},
        {"A @ [1, 1]", 2},
        {"# 2 + A", 10},
        {"# 2 + A + # 1", 11},
        {"$(A:1, B:2)", 1 + 7 + 10},
        {"[A, B] # 50 / 5", 10},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        World *world = world_new(usual_axes);
        Mapping mapping = world_mapping(world, cases[i].text);
        assert_int_equal(world_expr(world, cases[i].text)->size, cases[i].size);
        assert_int_equal(mapping.size, cases[i].size);
        world_free(world);
    }
}

TEST(spans_cover_what_was_written)
{
    World *world = world_new(usual_axes);
    const Expr *pair = world_expr(world, " A / 2 , B # 7 ");
    assert_int_equal(pair->span.start, 1);
    assert_int_equal(pair->span.end, 14);
    assert_int_equal(pair->items[0]->span.start, 1);
    assert_int_equal(pair->items[0]->span.end, 6);
    assert_int_equal(pair->items[1]->span.start, 9);
    assert_int_equal(pair->items[1]->span.end, 14);
    world_free(world);
}

TEST(definitions_stand_for_their_mapping)
{
    World *world = world_new(usual_axes);
    assert_true(scope_parse_definition(&world->scope, &world->diags, 0, STR("L = A, B")));
    assert_true(scope_parse_definition(&world->scope, &world->diags, 0, STR("L' = {L} / 6")));
    assert_true(tree_equal(world_expr(world, "{ L' }, C"), world_expr(world, "[[A, B] / 6], C")));
    assert_string_equal(world_summary(world), "");
    world_free(world);
}

// ---- diagnostics

// Parses a mapping and looks for parts given twice; the diagnostics as "start-end code" lines.
static const char *diagnose(World *world, Str text)
{
    const Expr *expr = mapping_parse(&world->scope, &world->diags, 0, text);
    if (expr->kind != EXPR_POISON)
        expr_check_overlap(&world->diags, expr);
    bool refused = expr->kind == EXPR_POISON;
    if (refused && world->diags.count == 0)
        fail_msg("`%.*s` is refused without a diagnostic", STR_ARG(text));
    return world_summary(world);
}

TEST(mappings_are_refused_with_their_place)
{
    static const struct {
        const char *text, *diags, *neighbour;
    } cases[] = {
        // E0101: not a mapping
        {"", "0-0 E0101\n", "1"},
        {"A,", "2-2 E0101\n", "A, 1"},
        {", A", "0-1 E0101\n", "1, A"},
        {"A B", "2-3 E0101\n", "A, B"},
        {"A /", "3-3 E0101\n", "A / 1"},
        {"A / B", "4-5 E0101\n", "A / 2"},
        {"A / 0x2", "5-6 E0101\n", "A / 2"},
        {"A / 2_0", "5-6 E0101\n", "A # 20 / 20"},
        {"A / 2u", "5-6 E0101\n", "A / 2"},
        {"A / -2", "4-5 E0101\n", "A / 2"},
        {"[A", "2-2 E0101\n", "[A]"},
        {"A]", "1-2 E0101\n", "[A]"},
        {"[A)", "2-3 E0101\n", "(A)"},
        {"[]", "1-2 E0101\n", "[1]"},
        {"{A", "2-2 E0101\n", "{A}"},
        {"{A, B}", "2-3 E0101\n", "[{A}, {B}]"},
        {"{ }", "2-3 E0101\n", "{A}"},
        {"A + 2", "4-5 E0101\n", "A + # 2"},
        {"# 2", "3-3 E0101\n", "# 2 + A"},
        {"$A", "1-2 E0101\n", "$(A:1)"},
        {"$(A)", "3-4 E0101\n", "$(A:1)"},
        {"A * B", "2-3 E0101\n", "A, B"},
        {"A @ []", "5-6 E0101\n", "A @ [0]"},
        {"A ! 4", "2-3 E0101\n", "A = 4"},
        // E0102: unknown names
        {"Q", "0-1 E0102\n", "A"},
        {"A, Qx # 4", "3-5 E0102\n", "A, Fh # 4"},
        {"a", "0-1 E0102\n", "A"},
        {"{Q}", "1-2 E0102\n", "{A}"},
        // E0106: numbers alone
        {"4", "0-1 E0106\n", "1"},
        {"A, 4", "3-4 E0106\n", "A, 1 # 4"},
        {"0", "0-1 E0106\n", "1"},
        // E0107: does not divide
        {"A / 3", "0-5 E0107\n", "A / 4"},
        {"A % 3", "0-5 E0107\n", "A % 4"},
        {"B, A / 16", "3-9 E0107\n", "B, A # 16 / 16"},
        {"[A, C] / 3", "0-10 E0107\n", "[A, C] # 42 / 3"},
        // E0108: padding that shrinks
        {"A # 7", "0-5 E0108\n", "A # 8"},
        {"A # 7 / 7", "0-5 E0108\n", "A = 7"},
        // E0109: sizes of 64 bits
        {"A # 9223372036854775808", "4-23 E0109\n", "A # 9223372036854775807"},
        {"[A # 9223372036854775807], B", "0-28 E0109\n", "[A # 1537228672809129301], B"},
        {"# 9223372036854775807 + A", "0-25 E0109\n", "# 9223372036854775799 + A"},
        {"$(A:9223372036854775807)", "0-24 E0109\n", "$(A:1317624576693539400)"},
        // E0111: parts given twice
        {"A, A", "3-4 E0111\n", "A, B"},
        {"A / 4, A % 8", "7-12 E0111\n", "A / 4, A % 4"},
        {"[A, B], C, B", "11-12 E0111\n", "[A, B], C"},
        // E0112: operands of 0
        {"A / 0", "0-5 E0112\n", "A / 1"},
        {"A % 0", "0-5 E0112\n", "A % 1"},
        {"A # 0", "0-5 E0112\n", "A # 8"},
        {"A = 0", "0-5 E0112\n", "A = 1"},
        {"$(A:0)", "0-6 E0112\n", "$(A:1)"},
        // E0114: offsets outside
        {"A @ 8", "0-5 E0114\n", "A @ 7"},
        {"A @ [0, 8]", "0-10 E0114\n", "A @ [0, 7]"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        World *world = world_new(usual_axes), *other = world_new(usual_axes);
        const char *got = diagnose(world, str_from(cases[i].text));
        if (strcmp(got, cases[i].diags) != 0)
            print_error("`%s`: wanted %s  got %s", cases[i].text, cases[i].diags, got);
        assert_string_equal(got, cases[i].diags);
        got = diagnose(other, str_from(cases[i].neighbour));
        if (*got)
            fail_msg("`%s` is refused: %s", cases[i].neighbour, got);
        world_free(world);
        world_free(other);
    }
}

TEST(axes_are_refused_with_their_place)
{
    static const struct {
        const char *text, *diags, *neighbour;
    } cases[] = {
        {"A", "1-1 E0101\n", "A=1"},
        {"A=", "2-2 E0101\n", "A=1"},
        {"=4", "0-1 E0101\n", "A=4"},
        {"A=4;B=2", "3-4 E0101\n", "A=4,B=2"},
        {"A=-1", "2-3 E0101\n", "A=1"},
        {"A=4,A=4", "4-5 E0103\n", "A=4,B=4"},
        {"A=4, B=2, A=8", "10-11 E0103\n", "A=4, B=2, C=8"},
        {"A=0", "0-1 E0104\n", "A=1"},
        {"A=9223372036854775808", "2-21 E0109\n", "A=9223372036854775807"},
        {"a=4", "0-1 E0105\n", "A=4"},
        {"_A=4", "0-2 E0105\n", "A_=4"},
        {"4A=4", "0-2 E0105\n", "A4=4"},
        {"A'=4", "0-2 E0105\n", "A=4"},
        {"\xC3\x84=4", "0-2 E0105\n", "A=4"},
        {"A=4,B=A", "4-5 E0115\n", "A=4,B=4,C=B-A"},
        {"A=4,B=A-C", "8-9 E0115\n", "A=4,C=2,B=A-C"},
        {"A=4,B=C-A", "6-7 E0115\n", "A=4,C=2,B=C-A"},
        {"A=4,B=2,C=A-B,D=C-A", "16-17 E0115\n", "A=4,B=2,C=A-B,D=A-B"},
        // all of them
        {"a=1,B=0,C=2,C=3", "0-1 E0105\n4-5 E0104\n12-13 E0103\n", "A=1,B=1,C=2,D=3"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        World *world = world_new(""), *other = world_new(cases[i].neighbour);
        bool ok = scope_parse_axes(&world->scope, &world->diags, 0, str_from(cases[i].text));
        const char *got = world_summary(world);
        if (ok || strcmp(got, cases[i].diags) != 0)
            fail_msg("`%s`: wanted %s  got %s", cases[i].text, cases[i].diags, got);
        assert_int_equal(other->diags.count, 0);
        world_free(world);
        world_free(other);
    }
}

// A skewed axis uses what is declared before it.
TEST(several_errors_are_all_reported)
{
    static const struct {
        const char *text, *diags;
    } cases[] = {
        {"A / 3, Q, 4", "0-5 E0107\n7-8 E0102\n10-11 E0106\n"},
        {"[A # 7, B / 4] / 0, C @ 5", "1-6 E0108\n8-13 E0107\n20-25 E0114\n"},
        {"A / 0 / 3, Q / 0", "0-5 E0112\n11-12 E0102\n"},
        {"Q, A /", "0-1 E0102\n6-6 E0101\n"},
        {"A @ [9, 10], B", "0-11 E0114\n0-11 E0114\n"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        World *world = world_new(usual_axes);
        assert_string_equal(diagnose(world, str_from(cases[i].text)), cases[i].diags);
        world_free(world);
    }
}

TEST(definitions_are_refused)
{
    static const struct {
        const char *definitions[3];
        const char *text, *code; // "": passes
    } cases[] = {
        {{"L=A, B", NULL}, "{L}", ""},
        {{"L={L}", NULL}, "{L}", "E0113"},
        {{"L={K}", "K={L}", NULL}, "{L}", "E0113"},
        {{"L={K}", "K=A", NULL}, "{L}", ""},
        {{"L=A", "L=B", NULL}, "{L}", "E0103"},
        {{"A=B", NULL}, "A", "E0103"},
        {{"l=A", NULL}, "A", "E0105"},
        {{"L=Q", NULL}, "{L}", "E0102"},
        {{"L=A,", NULL}, "{L}", "E0101"},
        {{"L", NULL}, "A", "E0101"},
        {{"=A", NULL}, "A", "E0101"},
        {{"L''=A", NULL}, "{L''}", ""},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        World *world = world_new(usual_axes);
        for (size_t k = 0; k < 3 && cases[i].definitions[k]; k++)
            scope_parse_definition(&world->scope, &world->diags, 0,
                                   str_from(cases[i].definitions[k]));
        mapping_parse(&world->scope, &world->diags, 0, str_from(cases[i].text));
        const char *got = world->diags.count ? diag_infos[world->diags.items[0]->code].code : "";
        assert_string_equal(got, cases[i].code);
        assert_true(world->diags.count <= 1);
        world_free(world);
    }
}

// A definition that nobody uses is read all the same.
TEST(unused_definitions_are_read)
{
    World *world = world_new(usual_axes);
    assert_true(scope_parse_definition(&world->scope, &world->diags, 0, STR("L=A / 3")));
    assert_false(scope_resolve(&world->scope, &world->diags));
    assert_string_equal(world_summary(world), "2-7 E0107\n");
    world_free(world);
}

// ---- texts made to break a parser

static Str nested(World *world, int64_t depth, const char *open, const char *close)
{
    StrBuf buf = {.arena = &world->arena};
    buf_repeat(&buf, str_from(open), depth);
    buf_add(&buf, STR("A"));
    buf_repeat(&buf, str_from(close), depth);
    return buf_str(&buf);
}

static const char *code_of(World *world, Str text)
{
    const Expr *expr = mapping_parse(&world->scope, &world->diags, 0, text);
    if ((expr->kind == EXPR_POISON) != (world->diags.count > 0))
        fail_msg("poisoned without a diagnostic, or the other way round");
    if (expr->kind != EXPR_POISON)
        mapping_of_expr(&world->arena, expr);
    return world->diags.count ? diag_infos[world->diags.items[0]->code].code : "";
}

TEST(deep_nesting_ends_in_a_diagnostic)
{
    static const struct {
        int64_t depth;
        const char *open, *close, *code;
    } cases[] = {
        {200, "[", "]", ""},
        {201, "[", "]", "E0110"},
        {200, "(", ")", ""},
        {1000000, "(", ")", "E0110"},
        {199, "", " / 1", ""},
        {201, "", " / 1", "E0110"},
        {5000, "", " # 8", "E0110"},
        {100, "[1, ", "]", ""},
        {250, "[1, ", "]", "E0110"},
        {60, "[$(", ":1)]", ""},
        {100000, "[# 1 + ", "]", "E0110"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        World *world = world_new(usual_axes);
        Str text = nested(world, cases[i].depth, cases[i].open, cases[i].close);
        const char *got = code_of(world, text);
        if (strcmp(got, cases[i].code) != 0)
            fail_msg("%" PRId64 " times `%s`: %s, wanted %s", cases[i].depth, cases[i].open, got,
                     cases[i].code);
        world_free(world);
    }
}

TEST(many_parts_end_in_a_diagnostic)
{
    static const struct {
        int64_t count;
        const char *code;
    } cases[] = {{5000, ""}, {9998, ""}, {10000, "E0110"}, {200000, "E0110"}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        World *world = world_new(usual_axes);
        StrBuf buf = {.arena = &world->arena};
        buf_repeat(&buf, STR("1, "), cases[i].count);
        buf_add(&buf, STR("A"));
        assert_string_equal(code_of(world, buf_str(&buf)), cases[i].code);
        world_free(world);
    }
    World *world = world_new(usual_axes);
    StrBuf list = {.arena = &world->arena};
    buf_add(&list, STR("A @ [0"));
    buf_repeat(&list, STR(", 1"), 20000);
    buf_add(&list, STR("]"));
    assert_string_equal(code_of(world, buf_str(&list)), "E0110");
    world_free(world);
}

TEST(huge_numbers_end_in_a_diagnostic)
{
    static const struct {
        const char *text, *code;
    } cases[] = {
        {"A # 9223372036854775807", ""},
        {"A # 9223372036854775808", "E0109"},
        {"A # 18446744073709551616", "E0109"},
        {"A # 99999999999999999999999999999999999999999999", "E0109"},
        {"A # 000000000000000000000000000000000000000008", ""},
        {"A = 9223372036854775807", ""},
        {"A = 9223372036854775807, C", "E0109"},
        {"C, [1 # 3037000500], [1 # 3037000500]", "E0109"},
        {"[1 # 4294967296], [1 # 2147483647]", ""},
        {"[1 # 4294967296], [1 # 2147483648]", "E0109"},
        {"A # 9223372036854775807 / 9223372036854775807", ""},
        {"[A, B] # 9223372036854775807 / 7, C", ""},
        {"# 9223372036854775807 + A + # 9223372036854775807", "E0109"},
        {"A @ 9223372036854775807", "E0114"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        World *world = world_new(usual_axes);
        const char *got = code_of(world, str_from(cases[i].text));
        if (strcmp(got, cases[i].code) != 0)
            fail_msg("`%s`: `%s`, wanted `%s`", cases[i].text, got, cases[i].code);
        world_free(world);
    }
}

// L1 = {L0},{L0}; L2 = {L1},{L1}; ...: each doubles the one before.
TEST(definition_bombs_end_in_a_diagnostic)
{
    for (int64_t levels = 5; levels <= 60; levels += 5) {
        World *world = world_new("A=1");
        scope_parse_definition(&world->scope, &world->diags, 0, STR("L0=A"));
        for (int64_t i = 1; i <= levels; i++) {
            Str text = str_format(&world->arena, "L{}={{L{}},{{L{}}", i, i - 1, i - 1);
            assert_true(scope_parse_definition(&world->scope, &world->diags, 0, text));
        }
        Str text = str_format(&world->arena, "{{L{}}", levels);
        assert_string_equal(code_of(world, text), levels <= 10 ? "" : "E0110");
        world_free(world);
    }
}

// A chain of definitions is as deep as it is long.
TEST(definition_chains_end)
{
    for (int64_t levels = 100; levels <= 100000; levels *= 10) {
        World *world = world_new("A=8");
        StrBuf name = {.arena = &world->arena};
        scope_parse_definition(&world->scope, &world->diags, 0, STR("L0=A"));
        int64_t most = min_i64(levels, 3000); // looking up a name takes as long as there are names
        for (int64_t i = 1; i <= most; i++) {
            name.len = 0;
            buf_format(&name, "L{}={{L{}} # {}", i, i - 1, 8 + i);
            scope_parse_definition(&world->scope, &world->diags, 0,
                                   str_copy(&world->arena, buf_str(&name)));
        }
        Str text = str_format(&world->arena, "{{L{}}", most);
        assert_string_equal(code_of(world, text), levels <= 100 ? "" : "E0110");
        world_free(world);
    }
}

TEST(odd_bytes_end_in_a_diagnostic)
{
    static const struct {
        const char *bytes;
        int64_t len;
        const char *diags;
    } cases[] = {
        {"A\0", 2, "1-2 E0101\n"},
        {"\0", 1, "0-1 E0101\n"},
        {"A / 2\0 3", 8, "5-6 E0101\n"},
        {"A, \xC3\x84", 5, "3-5 E0101\n"},
        {"A \xE2\x88\x97 B", 7, "2-5 E0101\n"},
        {"A\xFF", 2, "1-2 E0101\n"},
        {"\x80", 1, "0-1 E0101\n"},
        {"{\xC3\x84}", 4, "1-3 E0101\n"},
        {"A\x01", 2, "1-2 E0101\n"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        World *world = world_new(usual_axes);
        const char *got = diagnose(world, (Str){cases[i].bytes, cases[i].len});
        if (strcmp(got, cases[i].diags) != 0)
            fail_msg("row %zu: wanted %s  got %s", i, cases[i].diags, got);
        world_free(world);
    }
}

// Any bytes at all: a diagnostic or an expression, and every span inside the text.
TEST(random_bytes_do_no_harm)
{
    static const char alphabet[] = "AABBCQ1234567890    ,,,///%%%###===@[](){}$:+_'\xC3\x80\0";
    uint64_t rng = 88172645463325252u;
    Arena arena = {0};
    for (int64_t i = 0; i < 100000; i++) {
        char bytes[40];
        int64_t len = 0;
        for (; len < 40; len++) {
            rng ^= rng << 13;
            rng ^= rng >> 7;
            rng ^= rng << 17;
            if (rng % 16 == 0)
                break;
            bytes[len] = alphabet[(rng >> 8) % (sizeof alphabet - 1)];
        }
        DiagList diags = {.arena = &arena};
        Scope scope = scope_new(&arena);
        scope_parse_axes(&scope, &diags, 0, STR("A=8,B=6,C=5"));
        const Expr *expr = mapping_parse(&scope, &diags, 0, (Str){bytes, len});
        assert_int_equal(expr->kind == EXPR_POISON, diags.count > 0);
        for (int64_t k = 0; k < diags.count; k++) {
            assert_true(diags.items[k]->span.start >= 0);
            assert_true(diags.items[k]->span.start <= diags.items[k]->span.end);
            assert_true(diags.items[k]->span.end <= len);
        }
        arena_clear(&arena);
    }
    arena_release(&arena);
}

TEST(deep_linear_combinations_end_in_a_diagnostic)
{
    World *world = world_new(usual_axes);
    assert_string_equal(code_of(world, nested(world, 100000, "$(", ":1)")), "E0110");
    world_free(world);
}
