// Digits of mappings, and how they lie in the axes of arrays.
#include "oracle/plan.h"

#include "base/checked.h"

void digits_of_mapping(Arena *arena, const Mapping *normal, int64_t tag, DigitList *digits)
{
    for (int64_t i = normal->count - 1; i >= 0; i--) {
        const Factor *factor = &normal->factors[i];
        if (factor->is_padding || (factor->resize == 1 && factor->term.atom->kind == ATOM_AXIS))
            continue;
        Mapping inside = {normal->factors, i, 0};
        *array_push(arena, digits, Digit) = (Digit){.atom = factor->term.atom,
                                                    .weight = factor->term.stride,
                                                    .count = factor->resize,
                                                    .tag = tag,
                                                    .step = mapping_recount(&inside)};
    }
}

// ---- pieces of axes

// One past the weights of a piece; of the topmost, everything above.
static int64_t end_of_piece(const Term *piece)
{
    int64_t end;
    bool fits = checked_mul(piece->stride, piece->modulo, &end);
    return !fits || end >= piece->atom->size ? INT64_MAX : end;
}

// What a digit adds to the axis that its atom is cut as.
static Term axis_of_digit(const Digit *digit)
{
    return term_straight(&(Term){digit->atom, digit->weight, digit->count});
}

// The lowest weight above that of a digit at which a piece begins or ends; INT64_MAX: none, or it
// is no weight of the digit's atom.
static int64_t next_bound(const Array *array, const Digit *digit)
{
    Term term = axis_of_digit(digit);
    int64_t bound = INT64_MAX, each = term.stride / digit->weight;
    for (int64_t i = 0; i < array->axes.count; i++) {
        const Term *piece = &array->axes.items[i];
        if (!atom_equal(piece->atom, term.atom))
            continue;
        int64_t end = end_of_piece(piece);
        if (piece->stride > term.stride)
            bound = min_i64(bound, piece->stride);
        if (end > term.stride)
            bound = min_i64(bound, end);
    }
    return bound == INT64_MAX || bound % each ? INT64_MAX : bound / each;
}

// A cut must leave the same indices: whole digits, or no end but that of the axis.
static bool can_cut(const Digit *digit, int64_t bound)
{
    int64_t end;
    if (bound % digit->weight || !checked_mul(digit->weight, digit->count, &end) || bound >= end)
        return false;
    return digit->count % (bound / digit->weight) == 0 || end >= digit->atom->size;
}

// The digit from the outside in.
static void push_cut(Arena *arena, const Digit *digit, const Array *array, DigitList *cut)
{
    int64_t bound = next_bound(array, digit);
    Digit inner = *digit;
    if (bound != INT64_MAX && can_cut(digit, bound)) {
        Digit outer = *digit;
        inner.count = bound / digit->weight;
        outer.weight = bound;
        outer.count = ceil_div(digit->count, inner.count);
        outer.step = digit->step * inner.count;
        push_cut(arena, &outer, array, cut);
    }
    if (inner.count > 1 || inner.atom->kind != ATOM_AXIS)
        *array_push(arena, cut, Digit) = inner;
}

DigitList digits_cut(Arena *arena, const DigitList *digits, const Array *array)
{
    DigitList cut = {0};
    for (int64_t i = 0; i < digits->count; i++)
        push_cut(arena, &digits->items[i], array, &cut);
    return cut;
}

static bool array_has_weight(const Array *array, const Atom *axis, int64_t weight)
{
    for (int64_t i = 0; i < array->axes.count; i++) {
        const Term *piece = &array->axes.items[i];
        if (atom_equal(piece->atom, axis) && piece->stride <= weight &&
            weight < end_of_piece(piece))
            return true;
    }
    return false;
}

// Whether some piece of an axis begins below `end`.
static bool array_has_below(const Array *array, const Atom *axis, int64_t end)
{
    for (int64_t i = 0; i < array->axes.count; i++)
        if (atom_equal(array->axes.items[i].atom, axis) && array->axes.items[i].stride < end)
            return true;
    return false;
}

bool array_has_digit(Arena *arena, const Array *array, const Digit *digit)
{
    Term term = axis_of_digit(digit);
    if (term.atom->kind == ATOM_AXIS)
        return array_has_weight(array, term.atom, term.stride);
    AtomList axes = {0};
    atom_axes(arena, digit->atom, &axes);
    for (int64_t i = 0; i < axes.count; i++)
        if (array_has_below(array, axes.items[i], term_end(&term, axes.items[i])))
            return true;
    return false;
}
