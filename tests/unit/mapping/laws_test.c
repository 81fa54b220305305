// Laws of mappings on random expressions, judged by brute force. A broken law is reported as a
// small command line. CONTRA_TEST_SCALE scales the number of cases, CONTRA_TEST_SEED varies them.
#include "shrink.h"

#include "base/checked.h"
#include "mapping/divide.h"
#include "test.h"

#include <inttypes.h>

// ---- samples

enum {
    USUAL = SAMPLE_DISJOINT | SAMPLE_RESIZE,
    SHIFTED = SAMPLE_DISJOINT | SAMPLE_RESIZE | SAMPLE_SHIFT,
    SLIDING = SAMPLE_DISJOINT | SAMPLE_RESIZE | SAMPLE_LINEAR,
    SKEWED = SAMPLE_DISJOINT | SAMPLE_SKEW,
};

static int any_kind(Rng *rng)
{
    int64_t what = rng_below(rng, 100);
    return what < 72 ? USUAL : what < 88 ? SHIFTED : what < 95 ? SLIDING : SKEWED;
}

static void fill_one(Sample *sample, Rng *rng)
{
    int kinds = any_kind(rng);
    sample_axes(sample, rng, kinds);
    sample->exprs[0] = sample_expr(sample, rng, kinds, sample_limit(rng, 2000));
    sample->expr_count = 1;
}

static void fill_usual(Sample *sample, Rng *rng)
{
    sample_axes(sample, rng, USUAL);
    sample->exprs[0] = sample_expr(sample, rng, USUAL, sample_limit(rng, 2000));
    sample->expr_count = 1;
}

// Parts of axes may be given twice.
static void fill_repeating(Sample *sample, Rng *rng)
{
    int kinds = rng_chance(rng, 70) ? SAMPLE_RESIZE : SAMPLE_RESIZE | SAMPLE_SHIFT;
    sample_axes(sample, rng, kinds);
    sample->exprs[0] = sample_expr(sample, rng, kinds, sample_limit(rng, 500));
    sample->expr_count = 1;
}

static void fill_split(Sample *sample, Rng *rng)
{
    fill_one(sample, rng);
    sample->number = sample_divisor(rng, sample->exprs[0]->size);
}

static void fill_related(Sample *sample, Rng *rng, int kinds, int64_t most)
{
    sample_axes(sample, rng, kinds);
    sample->exprs[0] = sample_expr(sample, rng, kinds, most);
    sample->exprs[1] = sample->exprs[0];
    if (rng_chance(rng, 70))
        sample->exprs[1] = sample_rewritten(sample, rng, sample->exprs[1]);
    if (rng_chance(rng, 65))
        sample->exprs[1] = sample_mutated(sample, rng, sample->exprs[1]);
    sample->expr_count = 2;
}

static void fill_pair(Sample *sample, Rng *rng)
{
    int64_t what = rng_below(rng, 100);
    int kinds = what < 80 ? USUAL : what < 90 ? SAMPLE_DISJOINT | SAMPLE_PLAIN : any_kind(rng);
    fill_related(sample, rng, kinds, sample_limit(rng, 500));
}

static void fill_small_pair(Sample *sample, Rng *rng)
{
    fill_related(sample, rng, rng_chance(rng, 70) ? USUAL : any_kind(rng), 60);
}

static void fill_prefix(Sample *sample, Rng *rng)
{
    fill_pair(sample, rng);
    const Expr *whole = sample->exprs[1];
    if (rng_chance(rng, 80))
        sample->exprs[0] = expr_operator(sample->diags, SPAN_NOWHERE, EXPR_RESIZE, sample->exprs[0],
                                         1 + rng_below(rng, whole->size + 2));
}

// ---- helpers

static Mapping mapping_of(const Sample *sample, int64_t which)
{
    return mapping_of_expr(sample->scratch, sample->exprs[which]);
}

// Tells the first difference of two tables; true: there is none.
static bool same_tables(const Sample *sample, StrBuf *why, const char *left, const BruteTable *a,
                        const char *right, const BruteTable *b)
{
    int64_t at = brute_difference(a, b);
    if (at < 0)
        return true;
    BruteAxes axes = sample_brute_axes(sample);
    Str x = brute_cell_text(sample->scratch, &axes, a, at);
    Str y = brute_cell_text(sample->scratch, &axes, b, at);
    buf_format(why, "position {}: {} has {}, {} has {} (sizes {}, {})", at, left, x, right, y,
               a->size, b->size);
    return false;
}

static void note_mapping(const Sample *sample, StrBuf *why, const char *name,
                         const Mapping *mapping)
{
    buf_format(why, "\n  {}: {}", name, mapping_text(sample->scratch, mapping));
}

// What has parts of axes twice is refused: laws need not hold there, and shrinking must not go
// there.
static bool is_disjoint(const Sample *sample)
{
    for (int64_t i = 0; i < sample->expr_count; i++)
        if (!brute_is_disjoint(sample->scratch, sample->exprs[i]))
            return false;
    return true;
}

// ---- the laws

// (a) The factor form has the cells of the expression.
static bool factors_mean_the_expression(const Sample *sample, StrBuf *why)
{
    BruteAxes axes = sample_brute_axes(sample);
    if (!is_disjoint(sample))
        return true;
    Mapping mapping = mapping_of(sample, 0);
    BruteTable want = brute_expr(sample->scratch, &axes, sample->exprs[0]);
    BruteTable got = brute_mapping(sample->scratch, &axes, &mapping);
    if (same_tables(sample, why, "brute force", &want, "the factor form", &got))
        return true;
    note_mapping(sample, why, "factors", &mapping);
    return false;
}

// (b) Normalising changes no cell.
static bool normalising_changes_nothing(const Sample *sample, StrBuf *why)
{
    BruteAxes axes = sample_brute_axes(sample);
    if (!is_disjoint(sample))
        return true;
    Mapping mapping = mapping_of(sample, 0);
    Mapping normal = mapping_normalise(sample->scratch, &mapping);
    Mapping twice = mapping_normalise(sample->scratch, &normal);
    BruteTable want = brute_mapping(sample->scratch, &axes, &mapping);
    BruteTable got = brute_mapping(sample->scratch, &axes, &normal);
    if (same_tables(sample, why, "before", &want, "the normal form", &got)) {
        if (mapping_same(&normal, &twice))
            return true;
        buf_add(why, STR("normalising again gives another form"));
    }
    note_mapping(sample, why, "before", &mapping);
    note_mapping(sample, why, "normal form", &normal);
    return false;
}

// (c) Equality is that of all cells.
static bool check_equality(const Sample *sample, StrBuf *why, bool directly)
{
    BruteAxes axes = sample_brute_axes(sample);
    if (!is_disjoint(sample))
        return true;
    Mapping a = mapping_of(sample, 0), b = mapping_of(sample, 1);
    BruteTable left = brute_mapping(sample->scratch, &axes, &a);
    BruteTable right = brute_mapping(sample->scratch, &axes, &b);
    int64_t want = brute_difference(&left, &right), at = -1;
    if (directly && a.size != b.size)
        return true;
    MappingEquality got = directly ? mapping_equal_exact(sample->scratch, &a, &b, &at)
                                   : mapping_equal(sample->scratch, &a, &b);
    if (got == MAPPINGS_UNDECIDED)
        buf_add(why, STR("undecided; "));
    else if ((got == MAPPINGS_EQUAL) == (want < 0) &&
             (!directly || want < 0 || at < 0 || at == want))
        return true;
    buf_format(why, "said to be {}, first difference at {}; ",
               got == MAPPINGS_EQUAL ? "equal" : "different", at);
    if (same_tables(sample, why, "the first", &left, "the second", &right))
        buf_add(why, STR("all cells are equal"));
    return false;
}

static bool equality_is_that_of_cells(const Sample *sample, StrBuf *why)
{
    return check_equality(sample, why, false);
}

static bool exact_equality_is_that_of_cells(const Sample *sample, StrBuf *why)
{
    return check_equality(sample, why, true);
}

// The first difference is found, whatever way.
static bool first_difference_is_first(const Sample *sample, StrBuf *why)
{
    BruteAxes axes = sample_brute_axes(sample);
    if (!is_disjoint(sample))
        return true;
    Mapping a = mapping_of(sample, 0), b = mapping_of(sample, 1);
    BruteTable left = brute_mapping(sample->scratch, &axes, &a);
    BruteTable right = brute_mapping(sample->scratch, &axes, &b);
    int64_t want = brute_difference(&left, &right), at = -1;
    bool found = mapping_find_difference(sample->scratch, &a, &b, &at);
    if (found == (want >= 0) && (!found || at == want))
        return true;
    buf_format(why, "difference {} at {}, wanted at {}", found ? "found" : "missed", at, want);
    return false;
}

// (d) split: outer and inner have the cells of X / n and X % n, and together those of X.
static bool split_parts_are_the_whole(const Sample *sample, StrBuf *why)
{
    BruteAxes axes = sample_brute_axes(sample);
    if (!is_disjoint(sample))
        return true;
    const Expr *x = sample->exprs[0];
    if (sample->number < 1 || x->size % sample->number)
        return true;
    Mapping mapping = mapping_of(sample, 0), outer, inner;
    mapping_split(sample->scratch, &mapping, sample->number, &outer, &inner);
    Mapping joined = mapping_pair(sample->scratch, &outer, &inner);
    DiagList diags = {.arena = sample->scratch};
    const Expr *by = expr_operator(&diags, SPAN_NOWHERE, EXPR_STRIDE, x, sample->number);
    const Expr *in = expr_operator(&diags, SPAN_NOWHERE, EXPR_MODULO, x, sample->number);
    BruteTable want[] = {brute_expr(sample->scratch, &axes, by),
                         brute_expr(sample->scratch, &axes, in),
                         brute_expr(sample->scratch, &axes, x)};
    BruteTable got[] = {brute_mapping(sample->scratch, &axes, &outer),
                        brute_mapping(sample->scratch, &axes, &inner),
                        brute_mapping(sample->scratch, &axes, &joined)};
    return same_tables(sample, why, "X / n", &want[0], "outer", &got[0]) &&
           same_tables(sample, why, "X % n", &want[1], "inner", &got[1]) &&
           same_tables(sample, why, "X", &want[2], "[outer, inner]", &got[2]);
}

// Reads back what `mapping` prints. False, with the reason, where that is no mapping.
static bool read_back(const Sample *sample, StrBuf *why, const Mapping *mapping, Mapping *again)
{
    Scope scope = sample_scope(sample, sample->scratch);
    DiagList diags = {.arena = sample->scratch};
    Str text = mapping_text(sample->scratch, mapping);
    const Expr *back = mapping_parse(&scope, &diags, 0, text);
    buf_format(why, "printed as `{}`; ", text);
    if (back->kind == EXPR_POISON) {
        buf_add(why, STR("does not parse: "));
        buf_add(why, diags.count ? diags.items[0]->message : STR("no diagnostic"));
        return false;
    }
    *again = mapping_of_expr(sample->scratch, back);
    return true;
}

static bool has_only_axes(const Mapping *mapping)
{
    for (int64_t i = 0; i < mapping->count; i++)
        if (!mapping->factors[i].is_padding && mapping->factors[i].term.atom->kind != ATOM_AXIS)
            return false;
    return true;
}

// (e) What is printed parses back: any factors to the same cells, a normal form of axes to itself.
// (A composite in one may be written in more than one way.)
static bool printed_factors_parse_back(const Sample *sample, StrBuf *why)
{
    BruteAxes axes = sample_brute_axes(sample);
    if (!is_disjoint(sample))
        return true;
    Mapping mapping = mapping_of(sample, 0), again;
    Mapping normal = mapping_normalise(sample->scratch, &mapping);
    if (!read_back(sample, why, &mapping, &again))
        return false;
    BruteTable want = brute_mapping(sample->scratch, &axes, &mapping);
    BruteTable got = brute_mapping(sample->scratch, &axes, &again);
    if (!same_tables(sample, why, "the mapping", &want, "its text", &got) ||
        !read_back(sample, why, &normal, &again))
        return false;
    got = brute_mapping(sample->scratch, &axes, &again);
    if (!same_tables(sample, why, "the normal form", &want, "its text", &got))
        return false;
    again = mapping_normalise(sample->scratch, &again);
    if (!has_only_axes(&normal) || mapping_same(&normal, &again))
        return true;
    note_mapping(sample, why, "other factors", &again);
    return false;
}

// (e) What is printed parses back: expressions to the same tree.
static bool printed_expressions_parse_back(const Sample *sample, StrBuf *why)
{
    Scope scope = sample_scope(sample, sample->scratch);
    DiagList diags = {.arena = sample->scratch};
    Str text = expr_text(sample->scratch, sample->exprs[0]);
    const Expr *back = mapping_parse(&scope, &diags, 0, text);
    if (tree_equal(back, sample->exprs[0]) && diags.count == 0)
        return true;
    buf_format(why, "printed as `{}`, parsed as `{}`", text, expr_text(sample->scratch, back));
    return false;
}

// (f) A prefix has the cells the other one starts with.
static bool prefixes_are_prefixes(const Sample *sample, StrBuf *why)
{
    BruteAxes axes = sample_brute_axes(sample);
    if (!is_disjoint(sample))
        return true;
    Mapping prefix = mapping_of(sample, 0), whole = mapping_of(sample, 1);
    BruteTable left = brute_mapping(sample->scratch, &axes, &prefix);
    BruteTable right = brute_mapping(sample->scratch, &axes, &whole);
    int64_t at = 0;
    while (at < left.size && brute_same_cell(&left, at, &right, at))
        at++;
    MappingEquality got = mapping_is_prefix(sample->scratch, &prefix, &whole);
    if (got != MAPPINGS_UNDECIDED && (got == MAPPINGS_EQUAL) == (at == left.size))
        return true;
    buf_format(why, "said to be {}; {} of {} cells agree",
               got == MAPPINGS_EQUAL    ? "a prefix"
               : got == MAPPINGS_DIFFER ? "none"
                                        : "undecided",
               at, left.size);
    return false;
}

// (i) The canonical axes can tell every live cell.
static bool has_axes_only(const TermList *terms)
{
    for (int64_t i = 0; i < terms->count; i++)
        if (terms->items[i].atom->kind != ATOM_AXIS)
            return false;
    return true;
}

// The part of a value of an axis that the digits of the terms, which are sorted, can make up.
static int64_t represent(const TermList *terms, const Atom *axis, int64_t value)
{
    int64_t told = 0;
    for (int64_t i = terms->count - 1; i >= 0; i--) {
        const Term *term = &terms->items[i];
        if (atom_equal(term->atom, axis))
            told += min_i64((value - told) / term->stride, term->modulo - 1) * term->stride;
    }
    return told;
}

static bool canonical_axes_tell_every_cell(const Sample *sample, StrBuf *why)
{
    BruteAxes axes = sample_brute_axes(sample);
    if (!is_disjoint(sample))
        return true;
    Mapping mapping = mapping_of(sample, 0);
    BruteTable table = brute_mapping(sample->scratch, &axes, &mapping);
    TermList terms = mapping_canonical_axes(sample->scratch, &mapping);
    int64_t product = 1, live = 0;
    for (int64_t i = 0; i < terms.count; i++) {
        product *= terms.items[i].modulo;
        buf_format(why, "{}{}/{}", i ? ", " : "axes of extent/stride ", terms.items[i].modulo,
                   terms.items[i].stride);
        if (i && atom_compare(terms.items[i - 1].atom, terms.items[i].atom) > 0) {
            buf_add(why, STR(" are not sorted"));
            return false;
        }
    }
    for (int64_t i = 0; i < table.size; i++) {
        if (!brute_is_live(&table, i))
            continue;
        live++;
        for (int64_t k = 0; has_axes_only(&terms) && k < axes.count; k++) {
            int64_t value = brute_value(&axes, brute_key(&table, i), k);
            if (represent(&terms, axes.items[k].atom, value) == value)
                continue;
            buf_format(why, ": position {} has {}={}, which they cannot tell", i,
                       axes.items[k].atom->name, value);
            return false;
        }
    }
    if (product >= live)
        return true;
    buf_format(why, ": {} elements for {} live positions", product, live);
    return false;
}

// (j) What has no part of an axis twice is not said to have.
static bool disjoint_parts_do_not_overlap(const Sample *sample, StrBuf *why)
{
    DiagList diags = {.arena = sample->scratch};
    Mapping mapping = mapping_of(sample, 0);
    if (!is_disjoint(sample))
        return true;
    if (!expr_check_overlap(&diags, sample->exprs[0])) {
        buf_add(why, diags.items[0]->message);
        return false;
    }
    if (mapping_has_overlap(sample->scratch, &mapping))
        buf_add(why, STR("the expression is accepted, its factors are not"));
    return why->len == 0;
}

// (j) Where no part is said to repeat, no cell stands twice.
static bool accepted_cells_stand_once(const Sample *sample, StrBuf *why)
{
    BruteAxes axes = sample_brute_axes(sample);
    DiagList diags = {.arena = sample->scratch};
    if (tree_has(sample->exprs[0], EXPR_LIST) || tree_has(sample->exprs[0], EXPR_LINEAR) ||
        !expr_check_overlap(&diags, sample->exprs[0]))
        return true;
    BruteTable table = brute_expr(sample->scratch, &axes, sample->exprs[0]);
    if (brute_is_injective(sample->scratch, &table))
        return true;
    buf_add(why, STR("accepted, and one cell stands at two positions"));
    return false;
}

// The samples are worth something: pairs are equal and different often, and composites stay whole
// often.
TEST(samples_are_of_all_kinds)
{
    enum { PAIRS = 4000 };
    Rng rng = {test_seed()};
    int64_t equal = 0, different = 0, whole = 0, padded = 0;
    for (int64_t i = 0; i < PAIRS; i++) {
        Arena arena = {0};
        DiagList diags = {.arena = &arena};
        Sample sample = {.arena = &arena, .scratch = &arena, .diags = &diags};
        fill_pair(&sample, &rng);
        if (is_disjoint(&sample)) {
            BruteAxes axes = sample_brute_axes(&sample);
            BruteTable left = brute_expr(&arena, &axes, sample.exprs[0]);
            BruteTable right = brute_expr(&arena, &axes, sample.exprs[1]);
            Mapping normal = mapping_of(&sample, 0);
            normal = mapping_normalise(&arena, &normal);
            bool block = false;
            for (int64_t k = 0; k < normal.count; k++)
                block |=
                    !normal.factors[k].is_padding && normal.factors[k].term.atom->kind != ATOM_AXIS;
            equal += brute_difference(&left, &right) < 0;
            different += brute_difference(&left, &right) >= 0;
            whole += block;
            padded += left.starts[left.size] < left.size;
        }
        arena_release(&arena);
    }
    print_message("of %d pairs %" PRId64 " are equal, %" PRId64 " different; %" PRId64
                  " with composites, %" PRId64 " with padding\n",
                  PAIRS, equal, different, whole, padded);
    assert_true(equal > PAIRS / 5 && different > PAIRS / 10);
    assert_true(whole > PAIRS / 20 && padded > PAIRS / 5);
}

LAW_TEST(a_factors_mean_the_expression, factors_mean_the_expression, fill_one, NULL, 400000)
LAW_TEST(a_with_repeated_axes, factors_mean_the_expression, fill_repeating, NULL, 100000)
LAW_TEST(b_normalising_changes_nothing, normalising_changes_nothing, fill_one, NULL, 300000)
LAW_TEST(b_with_repeated_axes, normalising_changes_nothing, fill_repeating, NULL, 50000)
LAW_TEST(c_equality_is_that_of_cells, equality_is_that_of_cells, fill_pair, "--equal", 200000)
LAW_TEST(c_exact_equality_is_that_of_cells, exact_equality_is_that_of_cells, fill_small_pair,
         "--equal", 2000)
LAW_TEST(c_first_difference_is_first, first_difference_is_first, fill_small_pair, "--equal", 1000)
LAW_TEST(d_split_parts_are_the_whole, split_parts_are_the_whole, fill_split, "--split", 200000)
LAW_TEST(e_printed_factors_parse_back, printed_factors_parse_back, fill_one, NULL, 100000)
LAW_TEST(e_printed_expressions_parse_back, printed_expressions_parse_back, fill_one, NULL, 100000)
LAW_TEST(f_prefixes_are_prefixes, prefixes_are_prefixes, fill_prefix, "--prefix-of", 50000)
LAW_TEST(i_canonical_axes_tell_every_cell, canonical_axes_tell_every_cell, fill_usual,
         "--canonical-axes", 100000)
LAW_TEST(j_disjoint_parts_do_not_overlap, disjoint_parts_do_not_overlap, fill_usual, NULL, 100000)
LAW_TEST(j_accepted_cells_stand_once, accepted_cells_stand_once, fill_repeating, NULL, 100000)

// An argument names the tests to run, with `*`.
