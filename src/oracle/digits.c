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

// The same for a composite in what an array was made for.
static int64_t next_bound_of_shape(const Mapping *shape, const Digit *digit)
{
    int64_t bound = INT64_MAX, end;
    for (int64_t i = 0; shape && i < shape->count; i++) {
        const Factor *factor = &shape->factors[i];
        if (factor->is_padding || !atom_equal(factor->term.atom, digit->atom))
            continue;
        if (factor->term.stride > digit->weight)
            bound = min_i64(bound, factor->term.stride);
        if (checked_mul(factor->term.stride, factor->resize, &end) && end > digit->weight)
            bound = min_i64(bound, end);
    }
    return bound;
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
static void push_cut(Arena *arena, const Digit *digit, const Array *array, const Mapping *shape,
                     DigitList *cut)
{
    int64_t bound = min_i64(next_bound(array, digit), next_bound_of_shape(shape, digit));
    Digit inner = *digit;
    if (bound != INT64_MAX && can_cut(digit, bound)) {
        Digit outer = *digit;
        inner.count = bound / digit->weight;
        outer.weight = bound;
        outer.count = ceil_div(digit->count, inner.count);
        outer.step = digit->step * inner.count;
        push_cut(arena, &outer, array, shape, cut);
    }
    if (inner.count > 1 || inner.atom->kind != ATOM_AXIS)
        *array_push(arena, cut, Digit) = inner;
}

DigitList digits_cut(Arena *arena, const DigitList *digits, const Array *array,
                     const Mapping *shape)
{
    DigitList cut = {0};
    for (int64_t i = 0; i < digits->count; i++)
        push_cut(arena, &digits->items[i], array, shape, &cut);
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

// ---- composites

typedef enum { HAS_NOT, HAS, HAS_PERHAPS } HasDigit;

// Weights low .. high - 1 of an atom.
typedef struct {
    const Atom *atom;
    int64_t low, high;
    const Atom *beside; // a composite that does not have them; NULL: none
} Weights;

// Whether a composite has some of the weights of an axis inside.
static bool holds_weights(const Atom *atom, Weights wanted)
{
    for (int64_t i = 0; atom->kind == ATOM_BLOCK && i < atom->inner->count; i++) {
        const Factor *factor = &atom->inner->factors[i];
        int64_t end;
        if (factor->is_padding)
            continue;
        if (atom_equal(factor->term.atom, wanted.atom) &&
            (!checked_mul(factor->term.stride, factor->resize, &end) ||
             (wanted.low < end && wanted.high > factor->term.stride)))
            return true;
        if (factor->term.atom->kind != ATOM_AXIS && holds_weights(factor->term.atom, wanted))
            return true;
    }
    return atom->kind != ATOM_BLOCK && atom->kind != ATOM_AXIS;
}

// Whether some of the weights are among the terms of a shape. Where the atom is not, what it is
// made of may be: `[A, B] # 16 / 4` in a shape of `[A, B]`, or of A and B, and `[A, B] % 4` in one
// of `[A, B] / 8` and B. Of an axis that a composite of the shape has a part of, only all digits
// together tell.
static HasDigit find_weights(const Mapping *shape, Weights wanted)
{
    HasDigit found = HAS_NOT;
    bool is_there = false, is_axis = wanted.atom->kind == ATOM_AXIS;
    for (int64_t i = 0; i < shape->count; i++) {
        const Term *term = &shape->factors[i].term;
        int64_t end;
        if (shape->factors[i].is_padding ||
            (wanted.beside && atom_equal(term->atom, wanted.beside)))
            continue;
        if (!atom_equal(term->atom, wanted.atom)) {
            if (is_axis && holds_weights(term->atom, wanted))
                found = HAS_PERHAPS;
            continue;
        }
        is_there = true;
        if (!checked_mul(term->stride, shape->factors[i].resize, &end) ||
            (wanted.low < end && wanted.high > term->stride))
            return HAS;
    }
    if (is_axis)
        return found;
    if (wanted.atom->kind != ATOM_BLOCK)
        return is_there ? HAS_NOT : HAS_PERHAPS;
    const Mapping *inner = wanted.atom->inner;
    for (int64_t i = 0, place = 1; i < inner->count && found == HAS_NOT; i++) {
        const Factor *factor = &inner->factors[i];
        int64_t end = factor->is_padding ? factor->size : place * factor->resize;
        int64_t low = max_i64(wanted.low, place), high = min_i64(wanted.high, end);
        if (!factor->is_padding && low < high) {
            int64_t stride = factor->term.stride;
            Weights part = {factor->term.atom, low / place * stride, ceil_div(high, place) * stride,
                            is_there ? wanted.atom : wanted.beside};
            found = find_weights(shape, part);
        }
        place = end;
    }
    return found;
}

bool shape_has_digit(Arena *arena, const Mapping *shape, const Array *array, const Digit *digit)
{
    Weights wanted = {digit->atom, digit->weight, INT64_MAX, NULL};
    if (!shape)
        return array_has_digit(arena, array, digit);
    if (!checked_mul(digit->weight, digit->count, &wanted.high))
        wanted.high = INT64_MAX;
    HasDigit found = find_weights(shape, wanted);
    return found == HAS_PERHAPS ? array_has_digit(arena, array, digit) : found == HAS;
}
