// Arrays on random mappings, judged by enumerating cells. A broken law is told as a small command
// line. CONTRA_TEST_SCALE scales the number of cases, CONTRA_TEST_SEED varies them.
#include "shrink.h"

#include "base/checked.h"
#include "mapping/cell.h"
#include "oracle/array.h"
#include "oracle/reduce.h"
#include "test.h"

#include <inttypes.h>
#include <string.h>

// ---- samples

enum {
    USUAL = SAMPLE_DISJOINT | SAMPLE_RESIZE,
    PLAIN = SAMPLE_DISJOINT | SAMPLE_PLAIN,
};

static int any_kind(Rng *rng)
{
    int64_t what = rng_below(rng, 100);
    return what < 70   ? USUAL
           : what < 85 ? USUAL | SAMPLE_SHIFT
           : what < 93 ? USUAL | SAMPLE_LINEAR
                       : SAMPLE_DISJOINT | SAMPLE_SKEW;
}

static void fill_one(Sample *sample, Rng *rng)
{
    int kinds = any_kind(rng);
    sample_axes(sample, rng, kinds);
    sample->exprs[0] = sample_expr(sample, rng, kinds, sample_limit(rng, 1000));
    sample->expr_count = 1;
}

static void fill_pair(Sample *sample, Rng *rng)
{
    int kinds = rng_chance(rng, 80) ? USUAL : any_kind(rng);
    sample_axes(sample, rng, kinds);
    sample->exprs[0] = sample_expr(sample, rng, kinds, sample_limit(rng, 200));
    sample->exprs[1] = sample_rewritten(sample, rng, sample->exprs[0]);
    if (rng_chance(rng, 60))
        sample->exprs[1] = sample_mutated(sample, rng, sample->exprs[1]);
    sample->expr_count = 2;
}

// The second has what the first has, and more; the number chooses how its elements are told apart.
static void fill_wider(Sample *sample, Rng *rng)
{
    int kinds = rng_chance(rng, 70) ? PLAIN : USUAL;
    sample_axes(sample, rng, kinds);
    sample->exprs[0] = sample_expr(sample, rng, kinds, sample_limit(rng, 300));
    sample->expr_count = 1;
    sample->number = 1 + rng_below(rng, 62);
}

// ---- tensors by enumeration

typedef struct {
    Index index;
    uint32_t bits;
    int64_t position; // among those without padding
} Element;

typedef struct {
    ARRAY(Element);
    int64_t positions;
} Elements;

static uint32_t value_at(int64_t position)
{
    return (uint32_t)(position * 7 + 3);
}

static Elements elements_of(Arena *arena, const Mapping *mapping)
{
    Elements elements = {0};
    for (int64_t at = 0; at < mapping->size; at++) {
        Cell cell = mapping_cell(arena, mapping, at);
        for (int64_t i = 0; i < cell.count; i++)
            *array_push(arena, &elements, Element) =
                (Element){cell.items[i], value_at(elements.positions), elements.positions};
        elements.positions += cell.count > 0;
    }
    return elements;
}

static const Element *find(const Elements *elements, const Index *index)
{
    for (int64_t i = 0; i < elements->count; i++)
        if (index_equal(&elements->items[i].index, index))
            return &elements->items[i];
    return NULL;
}

typedef struct {
    uint32_t *bits;
    uint8_t *live;
} Buffer;

static Buffer buffer_new(Arena *arena, int64_t count, bool filled)
{
    Buffer buffer = {arena_new(arena, uint32_t, (size_t)count + 1),
                     arena_new(arena, uint8_t, (size_t)count + 1)};
    for (int64_t i = 0; filled && i < count; i++) {
        buffer.bits[i] = value_at(i);
        buffer.live[i] = 1;
    }
    buffer.live[count] = 77; // must stay
    return buffer;
}

static Array *filled_array(Arena *arena, const Mapping *mapping, const Elements *elements)
{
    Array *array = array_new(SCALAR_I32, mapping);
    Buffer buffer = buffer_new(arena, elements->positions, true);
    assert_non_null(array);
    assert_true(array_write(array, mapping, buffer.bits, buffer.live, NULL));
    return array;
}

// Position by position against what `want` has for the index there.
static bool reads_as(Arena *arena, StrBuf *why, const Array *array, const Mapping *mapping,
                     const Elements *want)
{
    Elements mine = elements_of(arena, mapping);
    Buffer buffer = buffer_new(arena, mine.positions, false);
    if (!array_read(array, mapping, buffer.bits, buffer.live, NULL)) {
        buf_add(why, STR("cannot be read"));
        return false;
    }
    for (int64_t i = 0; i < mine.count; i++) {
        const Element *element = find(want, &mine.items[i].index);
        int64_t at = mine.items[i].position;
        if (i && mine.items[i - 1].position == at)
            continue; // another index of the same position: all hold the same, where one holds
        bool live = element != NULL;
        if (live != buffer.live[at] || (live && element->bits != buffer.bits[at])) {
            buf_format(why, "element {}: {} {}, not {} {}", at, buffer.live[at], buffer.bits[at],
                       live, live ? element->bits : 0);
            return false;
        }
    }
    if (buffer.live[mine.positions] != 77)
        buf_add(why, STR("written beyond the end"));
    return buffer.live[mine.positions] == 77;
}

static bool is_disjoint(const Sample *sample)
{
    for (int64_t i = 0; i < sample->expr_count; i++)
        if (!brute_is_disjoint(sample->scratch, sample->exprs[i]))
            return false;
    return true;
}

// ---- laws

static bool what_is_written_is_read(const Sample *sample, StrBuf *why)
{
    Arena *arena = sample->scratch;
    if (!is_disjoint(sample))
        return true;
    Mapping mapping = mapping_of_expr(arena, sample->exprs[0]);
    Elements elements = elements_of(arena, &mapping);
    int64_t live = mapping_live_positions(arena, &mapping);
    if (live != elements.positions) {
        buf_format(why, "{} positions, not {}", live, elements.positions);
        return false;
    }
    Array *array = filled_array(arena, &mapping, &elements);
    bool same = reads_as(arena, why, array, &mapping, &elements);
    Array *clone = array_clone(array);
    same =
        same && array_same_shape(array, clone) && reads_as(arena, why, clone, &mapping, &elements);
    array_free(clone);
    array_free(array);
    return same;
}

static bool has_axes_of(Arena *arena, const Array *array, const Mapping *mapping)
{
    AtomList axes = {0};
    mapping_axes(arena, mapping, &axes);
    int64_t found = 0;
    for (int64_t i = 0; i < axes.count; i++) {
        bool has = axes.items[i]->size == 1;
        for (int64_t k = 0; k < array->axes.count; k++)
            has |= atom_equal(array->axes.items[k].atom, axes.items[i]);
        found += has;
    }
    return found == axes.count;
}

static bool another_mapping_reads_the_same_elements(const Sample *sample, StrBuf *why)
{
    Arena *arena = sample->scratch;
    if (!is_disjoint(sample))
        return true;
    Mapping written = mapping_of_expr(arena, sample->exprs[0]);
    Mapping read = mapping_of_expr(arena, sample->exprs[1]);
    Mapping normal = mapping_normalise(arena, &read);
    Elements elements = elements_of(arena, &written);
    Array *array = filled_array(arena, &written, &elements);
    bool same =
        !has_axes_of(arena, array, &normal) || reads_as(arena, why, array, &read, &elements);
    array_free(array);
    return same;
}

static Index index_sum(Arena *arena, const Index *a, const Index *b)
{
    Index sum = {0};
    for (int64_t i = 0; i < a->count; i++) {
        Coordinate at = a->items[i];
        at.value += index_value(b, at.axis);
        *array_push(arena, &sum, Coordinate) = at;
    }
    for (int64_t i = 0; i < b->count; i++)
        if (!index_value(a, b->items[i].axis))
            *array_push(arena, &sum, Coordinate) = b->items[i];
    return sum;
}

static bool shares_axes(Arena *arena, const Mapping *a, const Mapping *b)
{
    AtomList left = {0}, right = {0};
    mapping_axes(arena, a, &left);
    mapping_axes(arena, b, &right);
    for (int64_t i = 0; i < left.count; i++)
        for (int64_t k = 0; k < right.count; k++)
            if (atom_equal(left.items[i], right.items[k]))
                return true;
    return false;
}

static bool names_all(Arena *arena, const Mapping *whole, const Mapping *part)
{
    AtomList axes = {0};
    mapping_axes(arena, whole, &axes);
    int64_t before = axes.count;
    mapping_axes(arena, part, &axes); // adds only new ones
    return axes.count == before;
}

static bool is_plain(const Mapping *mapping)
{
    for (int64_t i = 0; i < mapping->count; i++)
        if (!mapping->factors[i].is_padding && mapping->factors[i].term.atom->kind != ATOM_AXIS)
            return false;
    return true;
}

// The elements of the expression that the number chooses, or those it does not, as one mapping.
static Mapping chosen(const Sample *sample, bool want)
{
    ExprList elements = {0};
    Mapping mapping = mapping_identity();
    expr_elements(sample->scratch, sample->exprs[0], &elements);
    for (int64_t i = 0; i < elements.count; i++) {
        Mapping element = mapping_of_expr(sample->scratch, elements.items[i]);
        if ((sample->number >> (i % 6) & 1) == want)
            mapping = mapping_pair(sample->scratch, &element, &mapping); // in reverse
    }
    return mapping;
}

static bool moves_repeat_over_new_axes(const Sample *sample, StrBuf *why)
{
    Arena *arena = sample->scratch;
    if (!is_disjoint(sample))
        return true;
    Mapping target = mapping_of_expr(arena, sample->exprs[0]);
    Mapping source = chosen(sample, true), rest = chosen(sample, false);
    Mapping s = mapping_normalise(arena, &source), r = mapping_normalise(arena, &rest);
    Mapping t = mapping_normalise(arena, &target);
    bool plain = is_plain(&s) && is_plain(&r) && is_plain(&t);
    if (!plain && (shares_axes(arena, &s, &r) || !names_all(arena, &t, &s)))
        return true; // a composite in parts: division decides, and refuses some
    Elements from = elements_of(arena, &source), over = elements_of(arena, &rest), want = {0};
    for (int64_t i = 0; i < from.count; i++)
        for (int64_t k = 0; k < over.count; k++)
            *array_push(arena, &want, Element) =
                (Element){index_sum(arena, &from.items[i].index, &over.items[k].index),
                          from.items[i].bits, 0};
    Array *array = filled_array(arena, &source, &from), *wide = array_new(SCALAR_I32, &target);
    ArrayView from_view = {.array = array, .mapping = source};
    ArrayView to_view = {.array = wide, .mapping = target};
    bool moved = array_move(&from_view, &to_view, true);
    bool same = moved && reads_as(arena, why, wide, &target, &want);
    if (!moved)
        buf_add(why, STR("not moved"));
    array_free(array);
    array_free(wide);
    return same;
}

// Position by position from one mapping into another of its size.
static bool positions_carry_over(const Sample *sample, StrBuf *why)
{
    Arena *arena = sample->scratch;
    if (!is_disjoint(sample))
        return true;
    Mapping from = mapping_of_expr(arena, sample->exprs[0]);
    Mapping to = mapping_of_expr(arena, sample->exprs[1]);
    if (from.size != to.size)
        return true;
    Elements elements = elements_of(arena, &from), want = {0};
    for (int64_t at = 0, k = 0; at < from.size; at++) {
        Cell source = mapping_cell(arena, &from, at), target = mapping_cell(arena, &to, at);
        for (int64_t i = 0; source.count && i < target.count; i++)
            *array_push(arena, &want, Element) = (Element){target.items[i], value_at(k), 0};
        k += source.count > 0;
    }
    for (int64_t i = 0; i < want.count; i++)
        if (find(&want, &want.items[i].index) != &want.items[i])
            return true; // an index at two positions: either may win
    Array *array = filled_array(arena, &from, &elements), *moved = array_new(SCALAR_I32, &to);
    bool same =
        array_move_positions(array, &from, moved, &to) && reads_as(arena, why, moved, &to, &want);
    array_free(array);
    array_free(moved);
    return same;
}

// What only the source has is left out, at index 0.
static bool what_the_target_lacks_is_dropped(const Sample *sample, StrBuf *why)
{
    Arena *arena = sample->scratch;
    if (!is_disjoint(sample))
        return true;
    Mapping source = mapping_of_expr(arena, sample->exprs[0]), target = chosen(sample, true);
    Mapping s = mapping_normalise(arena, &source), t = mapping_normalise(arena, &target);
    if (!is_plain(&s) || !is_plain(&t))
        return true;
    Elements from = elements_of(arena, &source), to = elements_of(arena, &target), want = {0};
    for (int64_t i = 0; i < to.count; i++) {
        const Element *element = find(&from, &to.items[i].index);
        if (element)
            *array_push(arena, &want, Element) = *element;
    }
    Array *array = filled_array(arena, &source, &from), *part = array_new(SCALAR_I32, &target);
    ArrayView from_view = {.array = array, .mapping = source};
    ArrayView to_view = {.array = part, .mapping = target};
    bool same = array_move_part(&from_view, &to_view) && reads_as(arena, why, part, &target, &want);
    array_free(array);
    array_free(part);
    return same;
}

// The elements of a tile, whose position p is position p + offset of the whole. False: some
// position holds several elements.
static bool tile_elements(Arena *arena, const Mapping *whole, const Mapping *tile, int64_t offset,
                          const Elements *all, Elements *read, Elements *written)
{
    for (int64_t p = 0; p < tile->size; p++) {
        Cell here = mapping_cell(arena, tile, p), there = mapping_cell(arena, whole, p + offset);
        if (here.count > 1 || there.count > 1)
            return false;
        const Element *element = here.count && there.count ? find(all, &there.items[0]) : NULL;
        if (!element)
            continue;
        *array_push(arena, read, Element) = (Element){here.items[0], element->bits, 0};
        *array_push(arena, written, Element) = (Element){there.items[0], element->bits, 0};
    }
    return true;
}

// A tile of every length from every start, read out and written to another tensor.
static bool check_tile(const Sample *sample, StrBuf *why, const Mapping *whole,
                       const ArrayOffset *by, int64_t length, int64_t offset)
{
    Arena *arena = sample->scratch;
    Mapping tile;
    if (!mapping_tile(arena, whole, &by->index, length, &tile))
        return true;
    Elements all = elements_of(arena, whole), read = {0}, written = {0};
    if (!tile_elements(arena, whole, &tile, offset, &all, &read, &written))
        return true;
    Array *array = filled_array(arena, whole, &all), *copy = array_new(SCALAR_I32, &tile);
    Array *back = array_new(SCALAR_I32, whole);
    ArrayView view = {array, tile, by, 1, whole}, to = {.array = copy, .mapping = tile};
    ArrayView target = {back, tile, by, 1, whole};
    bool same = array_move(&view, &to, false) && reads_as(arena, why, copy, &tile, &read) &&
                array_move(&to, &target, false) && reads_as(arena, why, back, whole, &written);
    array_free(array);
    array_free(copy);
    array_free(back);
    return same;
}

// Tiles along one element of the list. One step of it covers everything to its right.
static bool tiles_lie_at_their_start(const Sample *sample, StrBuf *why)
{
    Arena *arena = sample->scratch;
    if (!is_disjoint(sample))
        return true;
    Mapping whole = mapping_of_expr(arena, sample->exprs[0]);
    ExprList elements = {0};
    expr_elements(arena, sample->exprs[0], &elements);
    int64_t which = sample->number % elements.count, step = 1;
    Mapping index = mapping_of_expr(arena, elements.items[which]);
    if (!mapping_has_terms(&index))
        return true;
    for (int64_t i = which + 1; i < elements.count; i++)
        step *= mapping_of_expr(arena, elements.items[i]).size;
    int64_t start = sample->number % index.size;
    int64_t length = 1 + sample->number / 3 % (index.size - start);
    ArrayOffset by = {index, start};
    return check_tile(sample, why, &whole, &by, length, start * step);
}

LAW_TEST(writing_and_reading, what_is_written_is_read, fill_one, NULL, 20000)
LAW_TEST(reading_otherwise, another_mapping_reads_the_same_elements, fill_pair, "--equal", 20000)
LAW_TEST(moving, moves_repeat_over_new_axes, fill_wider, NULL, 15000)
LAW_TEST(positions, positions_carry_over, fill_pair, "--equal", 20000)
LAW_TEST(dropping, what_the_target_lacks_is_dropped, fill_wider, NULL, 15000)
LAW_TEST(tiling, tiles_lie_at_their_start, fill_wider, NULL, 15000)

// ---- sizes

static Mapping parse(Arena *arena, Scope *scope, const char *axes, const char *text)
{
    DiagList diags = {.arena = arena};
    scope_parse_axes(scope, &diags, 0, str_from(axes));
    const Expr *expr = mapping_parse(scope, &diags, 0, str_from(text));
    assert_int_equal(diags.error_count, 0);
    return mapping_of_expr(arena, expr);
}

TEST(only_what_is_reached_has_room)
{
    static const struct {
        const char *axes, *mapping;
        int64_t count;
    } cases[] = {
        {"A=1099511627776", "A = 8", 8},
        {"A=1099511627776", "A / 4 % 2, A % 4", 8},
        {"A=1099511627776", "A = 8 # 1000", 8},
        {"A=50", "A # 64 / 8, A # 64 % 8", 50},
        {"A=8,B=4", "A, 1 # 64", 8},
        {"A=1099511627776,B=5", "[A, B # 6] = 12", 10},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        Arena arena = {0};
        Scope scope = scope_new(&arena);
        Mapping mapping = parse(&arena, &scope, cases[i].axes, cases[i].mapping);
        Array *array = array_new(SCALAR_I8, &mapping);
        assert_non_null(array);
        assert_int_equal(array->count, cases[i].count);
        array_free(array);
        arena_release(&arena);
    }
}

TEST(too_large_an_array_is_none)
{
    Arena arena = {0};
    Scope scope = scope_new(&arena);
    Mapping mapping = parse(&arena, &scope, "A=4611686018427387904", "A");
    assert_null(array_new(SCALAR_I8, &mapping));
    arena_release(&arena);
}

// Large enough for several threads, in another order of axes, with an axis that ends inside a
// digit.
TEST(large_arrays_keep_every_element)
{
    Arena arena = {0};
    Scope scope = scope_new(&arena);
    Mapping rows = parse(&arena, &scope, "A=300,B=517", "A, B");
    Mapping columns = parse(&arena, &scope, "", "B # 520 / 8, A, B # 520 % 8");
    int64_t count = 300 * 517;
    Buffer from = buffer_new(&arena, count, true), to = buffer_new(&arena, count, false);
    Array *array = array_new(SCALAR_I32, &rows);
    assert_true(array_write(array, &rows, from.bits, from.live, NULL));
    assert_true(array_read(array, &columns, to.bits, to.live, NULL));
    int64_t at = 0;
    for (int64_t high = 0; high < 65; high++)
        for (int64_t a = 0; a < 300; a++)
            for (int64_t low = 0; low < 8 && high * 8 + low < 517; low++)
                assert_int_equal(to.bits[at++], value_at(a * 517 + high * 8 + low));
    assert_int_equal(at, count);
    array_free(array);
    arena_release(&arena);
}

static Value add_values(const void *own, Value sum, Value next)
{
    const Array *array = own;
    Value result = {.live = sum.live && next.live};
    if (result.live)
        scalar_arith(SCALAR_OP_ADD, array->type, sum.bits, next.bits, &result.bits);
    return result;
}

// The sum over every axis that `target` lacks, from 0, uninitialised where a summand is.
static Array *sum_of(Arena *arena, const Array *source, const Mapping *mapping,
                     const Mapping *target)
{
    Array *out = array_new(source->type, target);
    Reduction reduction = {.source = source,
                           .levels = mapping,
                           .level_count = 1,
                           .targets = target,
                           .target_count = 1,
                           .order = NUMERICS_SEQUENTIAL,
                           .start = {0, true},
                           .combine = add_values,
                           .own = source};
    reduce_run(arena, &reduction, out);
    return out;
}

// Axis by axis, the last first, each from 0 in the type itself.
TEST(sums_of_host_tensors)
{
    static const struct {
        Scalar type;
        const char *from, *to;
        uint32_t in[6], want[6];
        int64_t count;
    } rows[] = {
        {SCALAR_I8, "A, B", "A", {100, 100, 1, 2, 3, 4}, {(uint32_t)-56, 3, 7}, 3},
        {SCALAR_I8, "A, B", "B", {1, 2, 3, 4, 5, 6}, {9, 12}, 2},
        {SCALAR_I8, "A, B", "C", {1, 2, 3, 4, 5, 6}, {21, 21}, 2},
        {SCALAR_I8, "A, B", "A % 1", {1, 2, 3, 4, 5, 6}, {21}, 1},
        // 256 + 1 + 1 in bf16, one after the other
        {SCALAR_BF16, "A", "1", {0x4380, 0x3f80, 0x3f80}, {0x4380}, 1},
        {SCALAR_F32, "B", "B", {0x80000000, 1}, {0x80000000, 1}, 2}, // nothing to sum
        // -0 counts from +0
        {SCALAR_F32, "B", "1", {0x80000000, 0x80000000}, {0}, 1},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        Arena arena = {0};
        Scope scope = scope_new(&arena);
        Mapping from = parse(&arena, &scope, "A=3,B=2,C=2", rows[i].from);
        Mapping to = parse(&arena, &scope, "", rows[i].to);
        Array *array = array_new(rows[i].type, &from);
        assert_true(array_write(array, &from, rows[i].in, NULL, NULL));
        Array *sum = sum_of(&arena, array, &from, &to);
        Buffer got = buffer_new(&arena, rows[i].count, false);
        assert_non_null(sum);
        assert_true(array_read(sum, &to, got.bits, got.live, NULL));
        for (int64_t k = 0; k < rows[i].count; k++)
            assert_int_equal(got.bits[k], rows[i].want[k]);
        array->live[0] = 0;
        Array *poisoned = sum_of(&arena, array, &from, &to);
        assert_int_equal(poisoned->live[0], 0);
        array_free(poisoned);
        array_free(sum);
        array_free(array);
        arena_release(&arena);
    }
}

// No enumeration of these would end. -1: it is given up.
TEST(live_positions_are_counted_without_looking_at_each)
{
    static const struct {
        const char *mapping;
        int64_t live;
    } rows[] = {
        {"A # 2199023255552", 1ll << 40},
        {"P # 2147483648 / 1024, B, P # 2147483648 % 1024", 3 * 2147483647ll},
        {"P # 2147483648 % 1024, P # 2147483648 / 1024", 2147483647},
        {"P # 2147483648 / 2", 1073741824},
        {"[P, C] / 7, [P, C] % 7", 21 * 2147483647ll},
        {"[P, C] / 7", 3 * 2147483647ll},
        {"[P # 2147483648, C # 28] / 8, [P # 2147483648, C # 28] # 60129542152 % 8",
         21 * 2147483647ll},
        {"[P # 2147483648, C # 28] / 8, A % 4, [P # 2147483648, C # 28] % 8",
         4 * 21 * 2147483647ll},
        {"[P # 2147483648, C # 28] / 8", -1},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        Arena arena = {0};
        Scope scope = scope_new(&arena);
        Mapping mapping =
            parse(&arena, &scope, "A=1099511627776,P=2147483647,B=3,C=21", rows[i].mapping);
        int64_t live;
        if (!mapping_count_live(&arena, &mapping, &live))
            live = -1;
        if (live != rows[i].live)
            fail_msg("%s: %" PRId64 ", not %" PRId64, rows[i].mapping, live, rows[i].live);
        arena_release(&arena);
    }
}
