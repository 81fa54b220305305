// The tests of the tests: brute force on cases done by hand, and shrinking with laws that are
// broken on purpose.
#include "shrink.h"

#include "base/checked.h"
#include "test.h"

#include <signal.h>
#include <string.h>

static void fill_one(Sample *sample, Rng *rng)
{
    static const int kinds = SAMPLE_DISJOINT | SAMPLE_RESIZE;
    sample_axes(sample, rng, kinds);
    sample->exprs[0] = sample_expr(sample, rng, kinds, 500);
    sample->expr_count = 1;
}

// A comparison that takes positions beyond the fourth for equal to what stands four before.
static bool broken_comparison(const Sample *sample, StrBuf *why)
{
    BruteAxes axes = sample_brute_axes(sample);
    BruteTable table = brute_expr(sample->scratch, &axes, sample->exprs[0]);
    for (int64_t i = 4; i < table.size; i++) {
        if (brute_is_live(&table, i) && !brute_same_cell(&table, i, &table, i - 4)) {
            buf_format(why, "position {}", i);
            return false;
        }
    }
    return true;
}

// "There is no modulo of a padded mapping."
static bool broken_operator(const Sample *sample, StrBuf *why)
{
    for (int64_t i = 0; i < tree_count(sample->exprs[0]); i++) {
        const Expr *node = tree_node(sample->exprs[0], i);
        if (node->kind == EXPR_MODULO && tree_has(node->inner, EXPR_PADDING)) {
            buf_add(why, STR("found"));
            return false;
        }
    }
    return true;
}

static bool broken_by_crash(const Sample *sample, StrBuf *why)
{
    (void)why;
    if (sample->exprs[0]->size > 6)
        raise(SIGABRT); // as a failed assertion does; a sanitizer keeps SIGSEGV to itself
    return true;
}

// Every sample that breaks the law shrinks to at most this many nodes, this size.
static void shrinks_to(const Law *law, int64_t nodes, int64_t size, const char *part)
{
    Rng rng = {7};
    int64_t broken = 0;
    for (int64_t i = 0; i < 400; i++) {
        Arena arena = {0}, scratch = {0};
        DiagList diags = {.arena = &arena};
        Sample sample = {.arena = &arena, .scratch = &scratch, .diags = &diags};
        law->fill(&sample, &rng);
        StrBuf why = {.arena = &scratch};
        if (!law->holds(&sample, &why)) {
            Sample smallest = law_shrink(law, &sample);
            Str text = law_report(&arena, law, &smallest);
            assert_true(tree_count(smallest.exprs[0]) <= nodes);
            assert_true(smallest.exprs[0]->size <= size);
            assert_false(law->holds(&smallest, &why));
            assert_non_null(strstr(str_terminated(&arena, text), part));
            broken++;
        }
        arena_release(&arena);
        arena_release(&scratch);
    }
    assert_true(broken > 20);
}

TEST(a_wrong_comparison_shrinks)
{
    Law law = {"broken", broken_comparison, fill_one, NULL, 1};
    shrinks_to(&law, 7, 12, "position ");
}

TEST(a_wrong_operator_shrinks_to_its_operand)
{
    Law law = {"broken", broken_operator, fill_one, NULL, 1};
    shrinks_to(&law, 3, 1, "contra map '1 # 1 % 1' --axes \"\" --cells");
}

TEST(a_crash_shrinks)
{
    Arena arena = {0}, scratch = {0};
    DiagList diags = {.arena = &arena};
    Law law = {"crash", broken_by_crash, fill_one, NULL, 1};
    Sample sample = {.arena = &arena, .scratch = &scratch, .diags = &diags};
    sample.atoms[0] = atom_axis(&arena, "A", 12);
    sample.atom_count = 1;
    sample.exprs[0] = expr_operator(&diags, SPAN_NOWHERE, EXPR_PADDING,
                                    expr_atom(&diags, SPAN_NOWHERE, sample.atoms[0]), 30);
    sample.expr_count = 1;
    Sample smallest = law_shrink(&law, &sample);
    assert_int_equal(smallest.exprs[0]->size, 7);
    assert_int_equal(tree_count(smallest.exprs[0]), 1 + (smallest.exprs[0]->kind != EXPR_ATOM));
    arena_release(&arena);
    arena_release(&scratch);
}

// Done by hand, from the worked vectors of the reference library and its rules.
TEST(brute_force_has_the_cells_done_by_hand)
{
    static const struct {
        const char *axes, *mapping, *cells;
    } cases[] = {
        {"A=3", "A", "zero; A=1; A=2"},
        {"A=2,B=2", "A, B", "zero; B=1; A=1; A=1 B=1"},
        {"A=2,B=3", "[A, B] # 10 / 2", "zero; B=2; A=1 B=1; padding; padding"},
        {"A=5", "A # 8 / 4, A # 8 % 4", "zero; A=1; A=2; A=3; A=4; padding; padding; padding"},
        {"A=4", "A @ 2", "A=2; A=3"},
        {"A=4", "A @ [3, 1]", "A=3; A=1"},
        {"A=2", "# 1 + A + # 1", "padding; zero; A=1; padding"},
        {"N=2,F=2", "$(N:1, F:1)", "zero; N=1 | F=1; N=1 F=1"},
        {"A=2,B=3,B'=B-A", "A, B'", "zero; B=1; B=2; A=1 B=1; A=1 B=2; A=1"},
        {"A=4", "A = 2", "zero; A=1"},
        {"A=2", "A = 3", "zero; A=1; padding"},
        {"A=2,B=2", "[B, A] = 3 # 4 / 2, [B, A] = 3 # 4 % 2", "zero; A=1; B=1; padding"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        Arena arena = {0};
        DiagList diags = {.arena = &arena};
        Scope scope = scope_new(&arena);
        assert_true(scope_parse_axes(&scope, &diags, 0, str_from(cases[i].axes)));
        const Expr *expr = mapping_parse(&scope, &diags, 0, str_from(cases[i].mapping));
        BruteAxes axes = brute_axes_of_scope(&arena, &scope);
        BruteTable table = brute_expr(&arena, &axes, expr);
        StrBuf text = {.arena = &arena};
        for (int64_t k = 0; k < table.size; k++)
            buf_format(&text, "{}{}", k ? "; " : "", brute_cell_text(&arena, &axes, &table, k));
        assert_string_equal(str_terminated(&arena, buf_str(&text)), cases[i].cells);
        arena_release(&arena);
    }
}

TEST(brute_force_knows_parts_that_stand_twice)
{
    static const struct {
        const char *mapping;
        bool disjoint;
    } cases[] = {
        {"A, B", true},
        {"A, A", false},
        {"A / 4, A % 4", true},
        {"A / 2, A % 4", false},
        {"[A, B] / 2, [A, B] % 2", true},
        {"[A, B] / 2, B", false},
        {"A / 4 % 2, A % 4, A / 8", true},
        {"A # 24 / 8, A # 24 % 8", true},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        Arena arena = {0};
        DiagList diags = {.arena = &arena};
        Scope scope = scope_new(&arena);
        assert_true(scope_parse_axes(&scope, &diags, 0, STR("A=16,B=3")));
        const Expr *expr = mapping_parse(&scope, &diags, 0, str_from(cases[i].mapping));
        assert_int_equal(brute_is_disjoint(&arena, expr), cases[i].disjoint);
        arena_release(&arena);
    }
}
