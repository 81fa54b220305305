// Laws of division and tiles on random mappings, judged by brute force.
#include "shrink.h"

#include "base/checked.h"
#include "mapping/divide.h"
#include "test.h"

#include <string.h>

// ---- samples

// Dividend and divisor of the same axes; half of the time the divisor is made of parts of the
// dividend, so that divisions succeed often.
static void fill_related(Sample *sample, Rng *rng, int kinds)
{
    sample_axes(sample, rng, kinds);
    sample->exprs[0] = sample_expr(sample, rng, kinds, sample_limit(rng, 500));
    sample->expr_count = 2;
    if (rng_chance(rng, 40)) {
        sample->exprs[1] = sample_expr(sample, rng, kinds, sample_limit(rng, 120));
        return;
    }
    ExprList elements = {0}, picked = {0};
    expr_elements(sample->arena, sample->exprs[0], &elements);
    for (int64_t i = 0; i < elements.count; i++) {
        const Expr *element = elements.items[rng_below(rng, elements.count)];
        bool again = false;
        for (int64_t k = 0; k < picked.count; k++)
            again |= tree_equal(picked.items[k], element);
        if (!again)
            *array_push(sample->arena, &picked, const Expr *) = element;
    }
    sample->exprs[1] = expr_pair(sample->diags, SPAN_NOWHERE, &picked);
    if (rng_chance(rng, 30))
        sample->exprs[1] = sample_rewritten(sample, rng, sample->exprs[1]);
}

static void fill_division(Sample *sample, Rng *rng)
{
    fill_related(sample, rng, SAMPLE_DISJOINT | (rng_chance(rng, 40) ? SAMPLE_RESIZE : 0));
}

static void fill_plain(Sample *sample, Rng *rng)
{
    fill_related(sample, rng, SAMPLE_DISJOINT | SAMPLE_PLAIN);
}

static void fill_anything(Sample *sample, Rng *rng)
{
    static const int kinds[] = {SAMPLE_DISJOINT | SAMPLE_RESIZE, SAMPLE_DISJOINT | SAMPLE_SHIFT,
                                SAMPLE_DISJOINT | SAMPLE_LINEAR, SAMPLE_DISJOINT | SAMPLE_SKEW,
                                SAMPLE_RESIZE | SAMPLE_SHIFT};
    fill_related(sample, rng, kinds[rng_below(rng, COUNT_OF(kinds))]);
}

static void fill_span(Sample *sample, Rng *rng)
{
    fill_anything(sample, rng);
    sample->number = 1 + rng_below(rng, sample->exprs[1]->size);
}

static void fill_tile(Sample *sample, Rng *rng)
{
    static const int kinds = SAMPLE_DISJOINT | SAMPLE_PLAIN;
    sample_axes(sample, rng, kinds);
    sample->exprs[0] = sample_expr(sample, rng, kinds, sample_limit(rng, 500));
    sample->expr_count = 2;
    ExprList elements = {0};
    expr_elements(sample->arena, sample->exprs[0], &elements);
    const Expr *index = elements.items[rng_below(rng, elements.count)];
    if (rng_chance(rng, 30))
        index = expr_operator(sample->diags, SPAN_NOWHERE, EXPR_STRIDE, index,
                              sample_divisor(rng, index->size));
    sample->exprs[1] = index;
    sample->number = 1 + rng_below(rng, index->size);
}

// ---- helpers

typedef struct {
    BruteAxes axes;
    Mapping dividend, divisor;
    BruteTable large, small; // their cells
    Division division;
} Trial;

static bool is_disjoint(const Sample *sample)
{
    return brute_is_disjoint(sample->scratch, sample->exprs[0]) &&
           brute_is_disjoint(sample->scratch, sample->exprs[1]);
}

static Trial try_division(const Sample *sample, DivideKind kind, int64_t span)
{
    Trial trial = {.axes = sample_brute_axes(sample)};
    trial.dividend = mapping_of_expr(sample->scratch, sample->exprs[0]);
    trial.divisor = mapping_of_expr(sample->scratch, sample->exprs[1]);
    trial.large = brute_mapping(sample->scratch, &trial.axes, &trial.dividend);
    trial.small = brute_mapping(sample->scratch, &trial.axes, &trial.divisor);
    trial.division = mapping_divide(sample->scratch, &trial.dividend, &trial.divisor, kind, span);
    return trial;
}

static void tell(const Sample *sample, StrBuf *why, const Trial *trial, int64_t large,
                 int64_t small)
{
    Str x = brute_cell_text(sample->scratch, &trial->axes, &trial->large, large);
    Str y = brute_cell_text(sample->scratch, &trial->axes, &trial->small, small);
    buf_format(why, "dividend position {} has {}, divisor position {} has {}", large, x, small, y);
}

static void tell_mapping(const Sample *sample, StrBuf *why, const char *name,
                         const Mapping *mapping)
{
    buf_format(why, "\n  {}: {}", name, mapping_text(sample->scratch, mapping));
}

// ---- the laws

// Whatever is divided by whatever: it ends, and sizes are right.
static bool divisions_end(const Sample *sample, StrBuf *why)
{
    static const DivideKind kinds[] = {DIVIDE_RELAXED, DIVIDE_STRICT, DIVIDE_SPAN};
    Mapping dividend = mapping_of_expr(sample->scratch, sample->exprs[0]);
    Mapping divisor = mapping_of_expr(sample->scratch, sample->exprs[1]);
    for (size_t i = 0; i < COUNT_OF(kinds); i++) {
        if ((kinds[i] == DIVIDE_SPAN) != (sample->number > 0))
            continue;
        Division division =
            mapping_divide(sample->scratch, &dividend, &divisor, kinds[i], sample->number);
        if (division.dividend_residue.size != dividend.size ||
            division.divisor_residue.size != divisor.size) {
            buf_format(why, "residues of {} and {} positions", division.dividend_residue.size,
                       division.divisor_residue.size);
            return false;
        }
    }
    return true;
}

// (g) A digit of a found piece, all else zero, is the same coordinate on both sides.
static bool found_pieces_agree(const Sample *sample, StrBuf *why)
{
    if (!is_disjoint(sample))
        return true;
    Trial trial = try_division(sample, DIVIDE_RELAXED, 0);
    int64_t before = INT64_MAX;
    for (int64_t i = 0; i < trial.division.found; i++) {
        const Match *match = &trial.division.matches.items[i];
        if (match->kind != MATCH_FOUND || match->dividend_stride > before) {
            buf_add(why, STR("found pieces are not first, or not outermost first"));
            return false;
        }
        before = match->dividend_stride;
        for (int64_t d = 0; !match->list && d < match->resize; d++) {
            int64_t large = d * match->dividend_stride, small = d * match->divisor_stride;
            if (large < trial.large.size && small < trial.small.size &&
                brute_same_cell(&trial.large, large, &trial.small, small))
                continue;
            buf_format(why, "digit {} of piece {}: ", d, i);
            tell(sample, why, &trial, large, small);
            return false;
        }
    }
    return true;
}

// Where position `small` of the divisor is in the dividend, by the found pieces; -1: nowhere.
static int64_t found_at(const Division *division, int64_t small)
{
    int64_t large = 0, below = INT64_MAX;
    for (;;) { // the largest stride first
        const Match *next = NULL;
        for (int64_t i = 0; i < division->found; i++) {
            const Match *match = &division->matches.items[i];
            if (match->divisor_stride < below &&
                (!next || match->divisor_stride > next->divisor_stride))
                next = match;
        }
        if (!next)
            return small ? -1 : large;
        below = next->divisor_stride;
        if (small / below >= next->resize)
            return -1;
        large += small / below * next->dividend_stride;
        small %= below;
    }
}

// (g) All pieces together: an exact division finds every element of the divisor.
static bool exact_divisions_find_everything(const Sample *sample, StrBuf *why)
{
    if (!is_disjoint(sample))
        return true;
    Trial trial = try_division(sample, DIVIDE_RELAXED, 0);
    for (int64_t i = 0; trial.division.exact && i < trial.small.size; i++) {
        int64_t at = found_at(&trial.division, i);
        if (!brute_is_live(&trial.small, i) ||
            (at >= 0 && brute_same_cell(&trial.large, at, &trial.small, i)))
            continue;
        if (at < 0)
            buf_add(why, STR("not found, though exact: "));
        tell(sample, why, &trial, max_i64(at, 0), i);
        return false;
    }
    return true;
}

// Whether a live cell of the dividend has 0 in every found digit. Axes only.
static bool is_left(const Trial *trial, uint64_t key)
{
    for (int64_t i = 0; i < trial->division.found; i++) {
        const Match *match = &trial->division.matches.items[i];
        int64_t axis = brute_find_axis(&trial->axes, match->term.atom);
        int64_t value = brute_value(&trial->axes, key, axis);
        if (value / match->term.stride % match->term.modulo)
            return false;
    }
    return true;
}

static bool found_axes_only(const Trial *trial)
{
    for (int64_t i = 0; i < trial->division.found; i++)
        if (trial->division.matches.items[i].term.atom->kind != ATOM_AXIS)
            return false;
    return true;
}

// (g) The residue is the dividend where all found digits are 0, and padding elsewhere.
static bool check_residue(const Sample *sample, StrBuf *why, const Trial *trial)
{
    const Mapping *left = &trial->division.dividend_residue;
    BruteTable residue = brute_mapping(sample->scratch, &trial->axes, left);
    // what is cut unevenly is not exact, and leaves a shape that has no factors
    bool axes = trial->division.exact && found_axes_only(trial);
    if (residue.size != trial->large.size) {
        buf_format(why, "the residue has size {}", residue.size);
        return false;
    }
    for (int64_t i = 0; i < residue.size; i++) {
        bool live = brute_is_live(&residue, i), was = brute_is_live(&trial->large, i);
        bool left_over = was && axes && is_left(trial, brute_key(&trial->large, i));
        if ((!live || brute_same_cell(&residue, i, &trial->large, i)) &&
            (!axes || live == left_over))
            continue;
        Str text = brute_cell_text(sample->scratch, &trial->axes, &residue, i);
        Str whole = brute_cell_text(sample->scratch, &trial->axes, &trial->large, i);
        buf_format(why, "residue position {} has {}, the dividend {}", i, text, whole);
        tell_mapping(sample, why, "residue", left);
        return false;
    }
    return true;
}

static bool residues_are_what_is_left(const Sample *sample, StrBuf *why)
{
    if (!is_disjoint(sample))
        return true;
    Trial trial = try_division(sample, DIVIDE_RELAXED, 0);
    Trial strict = try_division(sample, DIVIDE_STRICT, 0);
    // without a term to find, only a relaxed division is exact
    bool exact = trial.division.exact && trial.division.matches.count > 0;
    if (trial.division.divisor_residue.size != trial.small.size || strict.division.exact != exact ||
        strict.division.found != trial.division.found) {
        buf_add(why, STR("the divisor's residue has another size, or strict differs"));
        return false;
    }
    return check_residue(sample, why, &trial) && check_residue(sample, why, &strict);
}

// (g) The remainder has the live cells of the residue, in order.
static bool same_live_cells(const Sample *sample, StrBuf *why, const BruteAxes *axes,
                            const Mapping *residue, const Mapping *remainder)
{
    BruteTable large = brute_mapping(sample->scratch, axes, residue);
    BruteTable small = brute_mapping(sample->scratch, axes, remainder);
    int64_t i = 0, k = 0;
    for (;; i++, k++) {
        while (i < large.size && !brute_is_live(&large, i))
            i++;
        while (k < small.size && !brute_is_live(&small, k))
            k++;
        if (i == large.size && k == small.size)
            return true;
        if (i == large.size || k == small.size || !brute_same_cell(&large, i, &small, k))
            break;
    }
    buf_format(why, "residue position {} is not remainder position {}", i, k);
    tell_mapping(sample, why, "residue", residue);
    tell_mapping(sample, why, "remainder", remainder);
    return false;
}

static bool remainders_keep_the_elements(const Sample *sample, StrBuf *why)
{
    if (!is_disjoint(sample))
        return true;
    Trial trial = try_division(sample, DIVIDE_RELAXED, 0);
    const Division *division = &trial.division;
    return same_live_cells(sample, why, &trial.axes, &division->dividend_residue,
                           &division->dividend_remainder) &&
           same_live_cells(sample, why, &trial.axes, &division->divisor_residue,
                           &division->divisor_remainder);
}

// ---- (g) exact iff every piece is there, for parts of plain axes

// The position of the dividend that holds `key`, or -1.
static int64_t place_of(const BruteTable *table, uint64_t key)
{
    for (int64_t i = 0; i < table->size; i++)
        if (brute_is_live(table, i) && brute_key(table, i) == key)
            return i;
    return -1;
}

// Whether places[0..count) are those of nested loops: the first steps are even, and what follows
// repeats them. Loops longer than what is left end with it.
static bool is_loop_nest(const int64_t *places, int64_t count)
{
    if (count <= 1)
        return places[0] == 0;
    if (places[0] != 0)
        return false;
    int64_t run = 1;
    while (run < count && places[run] == run * places[1])
        run++;
    if (run == count)
        return true;
    for (int64_t inner = run; inner > 1; inner--) { // the innermost loop
        int64_t outer[2048] = {0}, outer_count = 0;
        bool fits = true;
        for (int64_t i = 0; i < count && fits; i++) {
            if (i % inner == 0)
                outer[outer_count++] = places[i];
            fits = places[i] == outer[i / inner] + i % inner * places[1];
        }
        if (fits && is_loop_nest(outer, outer_count))
            return true;
    }
    return false;
}

// Every term of the divisor has its elements in the dividend, at places a loop nest can walk.
static bool can_divide(const Trial *trial, const Mapping *normal)
{
    for (int64_t i = 0; i < normal->count; i++) {
        const Factor *factor = &normal->factors[i];
        int64_t places[2048] = {0};
        if (factor->is_padding)
            continue;
        const BruteAxis *axis =
            &trial->axes.items[brute_find_axis(&trial->axes, factor->term.atom)];
        for (int64_t d = 0; d < factor->resize; d++) {
            places[d] = place_of(&trial->large, (uint64_t)(d * factor->term.stride * axis->radix));
            if (places[d] < 0)
                return false;
        }
        if (!is_loop_nest(places, factor->resize))
            return false;
    }
    return true;
}

static bool is_power_of_two(int64_t n)
{
    return (n & (n - 1)) == 0;
}

// Axes cut at powers of two only: there, every cut of one side divides those of the other.
static bool is_binary(const Mapping *mapping)
{
    for (int64_t i = 0; i < mapping->count; i++) {
        const Factor *factor = &mapping->factors[i];
        const Term *term = &factor->term;
        if (!factor->is_padding &&
            (term->atom->kind != ATOM_AXIS || !is_power_of_two(term->atom->size) ||
             !is_power_of_two(term->stride) || !is_power_of_two(factor->resize)))
            return false;
    }
    return true;
}

static bool exact_iff_all_is_there(const Sample *sample, StrBuf *why)
{
    if (!is_disjoint(sample))
        return true;
    Trial trial = try_division(sample, DIVIDE_RELAXED, 0);
    Mapping large = mapping_normalise(sample->scratch, &trial.dividend);
    Mapping small = mapping_normalise(sample->scratch, &trial.divisor);
    if (!is_binary(&large) || !is_binary(&small))
        return true;
    bool want = can_divide(&trial, &small);
    if (want == trial.division.exact)
        return true;
    buf_format(why, "{}, but {}", trial.division.exact ? "exact" : "not exact",
               want ? "every element is found by loops" : "an element is missing");
    return false;
}

// ---- (h) tiles

// Sum of two indices; false where an axis leaves its size.
static bool add_keys(const BruteAxes *axes, uint64_t a, uint64_t b, uint64_t *sum)
{
    for (int64_t i = 0; i < axes->count; i++)
        if (brute_value(axes, a, i) + brute_value(axes, b, i) >= axes->items[i].atom->size)
            return false;
    *sum = a + b;
    return true;
}

// A tile that starts at 0 is the mapping with digits below the length; one that starts at k is the
// same, moved by the coordinate of position k of the index.
static bool tiles_are_parts(const Sample *sample, StrBuf *why)
{
    int64_t length = sample->number;
    if (!is_disjoint(sample) || length < 1 || length > sample->exprs[1]->size)
        return true;
    Trial trial = try_division(sample, DIVIDE_RELAXED, 0);
    const Division *division = &trial.division;
    Mapping tile;
    bool ok = mapping_tile(sample->scratch, &trial.dividend, &trial.divisor, length, &tile);
    if (!ok || !division->exact || division->found != 1 || !found_axes_only(&trial))
        return true;
    const Match *match = &division->matches.items[0];
    BruteTable cells = brute_mapping(sample->scratch, &trial.axes, &tile);
    int64_t axis = brute_find_axis(&trial.axes, match->term.atom);
    for (int64_t i = 0; i < trial.large.size; i++) {
        bool was = brute_is_live(&trial.large, i), live = brute_is_live(&cells, i);
        int64_t value = was ? brute_value(&trial.axes, brute_key(&trial.large, i), axis) : 0;
        bool inside = was && value / match->term.stride % match->term.modulo < length;
        if (live != inside || (live && !brute_same_cell(&cells, i, &trial.large, i))) {
            Str text = brute_cell_text(sample->scratch, &trial.axes, &cells, i);
            buf_format(why, "tile of {}, position {} has {}; ", length, i, text);
            tell(sample, why, &trial, i, 0);
            tell_mapping(sample, why, "tile", &tile);
            return false;
        }
        for (int64_t start = 1; live && start + length <= match->resize; start++) {
            int64_t place = i + start * match->dividend_stride;
            int64_t at = start * match->divisor_stride;
            uint64_t sum,
                offset = brute_is_live(&trial.small, at) ? brute_key(&trial.small, at) : 0;
            bool fits = add_keys(&trial.axes, brute_key(&cells, i), offset, &sum);
            if (fits == brute_is_live(&trial.large, place) &&
                (!fits || brute_key(&trial.large, place) == sum))
                continue;
            buf_format(why, "tile of {} from {}, position {}: ", length, start, i);
            tell(sample, why, &trial, place, at);
            return false;
        }
    }
    return true;
}

LAW_TEST(g_divisions_end, divisions_end, fill_anything, "--divide", 100000)
LAW_TEST(g_spans_end, divisions_end, fill_span, "--divide", 50000)
LAW_TEST(g_found_pieces_agree, found_pieces_agree, fill_division, "--divide", 100000)
LAW_TEST(g_exact_divisions_find_everything, exact_divisions_find_everything, fill_division,
         "--divide", 100000)
LAW_TEST(g_residues_are_what_is_left, residues_are_what_is_left, fill_division, "--divide", 50000)
LAW_TEST(g_remainders_keep_the_elements, remainders_keep_the_elements, fill_division, "--divide",
         50000)
LAW_TEST(g_exact_iff_all_is_there, exact_iff_all_is_there, fill_plain, "--divide", 100000)
LAW_TEST(h_tiles_are_parts, tiles_are_parts, fill_tile, "--tile", 100000)

// An argument names the tests to run, with `*`.
