// Digits of mappings, and how they lie in the axes of arrays.
#include "oracle/plan.h"

#include "base/checked.h"

void digits_of_mapping(Arena *arena, const Mapping *normal, int64_t tag, DigitList *digits)
{
    for (int64_t i = normal->count - 1; i >= 0; i--) {
        const Factor *factor = &normal->factors[i];
        if (factor->is_padding || (factor->resize == 1 && factor->term.atom->kind == ATOM_AXIS))
            continue;
        *array_push(arena, digits, Digit) = (Digit){.atom = factor->term.atom,
                                                    .weight = factor->term.stride,
                                                    .count = factor->resize,
                                                    .tag = tag,
                                                    .step = mapping_block(normal, i)};
    }
}

// ---- pieces of axes

// One past the weights of a piece; of the topmost, everything above.
static int64_t end_of_piece(const Term *piece)
{
    int64_t end = saturating_mul(piece->stride, piece->modulo);
    return end >= piece->atom->size ? INT64_MAX : end;
}

// What a digit adds to the axis that its atom is cut as.
static Term axis_of_digit(const Digit *digit)
{
    return term_straight(&(Term){digit->atom, digit->weight, digit->count});
}

// A cut must leave the same indices: whole digits, or no end but that of the axis.
static bool can_cut(const Digit *digit, int64_t bound)
{
    int64_t end = saturating_mul(digit->weight, digit->count);
    if (bound <= digit->weight || bound % digit->weight || bound >= end)
        return false;
    return digit->count % (bound / digit->weight) == 0 || end >= digit->atom->size;
}

// Keeps the lowest weight at which a digit can be cut.
static void consider(const Digit *digit, int64_t candidate, int64_t *bound)
{
    if (candidate < *bound && can_cut(digit, candidate))
        *bound = candidate;
}

// The lowest weight at which a digit can be cut and a piece begins or ends; INT64_MAX: none.
static int64_t next_bound(const Array *array, const Digit *digit)
{
    Term term = axis_of_digit(digit);
    int64_t bound = INT64_MAX, each = term.stride / digit->weight;
    for (int64_t i = 0; i < array->axes.count; i++) {
        const Term *piece = &array->axes.items[i];
        if (!atom_equal(piece->atom, term.atom))
            continue;
        int64_t end = end_of_piece(piece);
        if (piece->stride % each == 0)
            consider(digit, piece->stride / each, &bound);
        if (end != INT64_MAX && end % each == 0)
            consider(digit, end / each, &bound);
    }
    return bound;
}

// The weight of `whole` that is this weight of an atom it is made of: E weighs 4 in `[E, D]` with
// D = 4. INT64_MAX: there is none.
static int64_t weight_in(const Atom *whole, const Atom *atom, int64_t weight)
{
    if (atom_equal(whole, atom))
        return weight;
    for (int64_t i = 0, place = 1; whole->kind == ATOM_BLOCK && i < whole->inner->count; i++) {
        const Factor *factor = &whole->inner->factors[i];
        if (factor->is_padding) {
            place = factor->size;
            continue;
        }
        int64_t inside = weight_in(factor->term.atom, atom, weight), stride = factor->term.stride;
        if (inside != INT64_MAX && inside % stride == 0 && inside / stride <= factor->resize)
            return place * (inside / stride); // fits: inside the whole
        place *= factor->resize;
    }
    return INT64_MAX;
}

// The same for a composite in what an array was made for, which may have it, or, unless it is asked
// for by `itself`, what it is made of.
static int64_t next_bound_of_shape(const Mapping *shape, const Digit *digit, bool itself)
{
    int64_t bound = INT64_MAX, end;
    for (int64_t i = 0; shape && i < shape->count; i++) {
        const Factor *factor = &shape->factors[i];
        const Term *term = &factor->term;
        if (factor->is_padding ||
            (itself && (digit->atom->kind == ATOM_AXIS || !atom_equal(term->atom, digit->atom))))
            continue;
        consider(digit, weight_in(digit->atom, term->atom, term->stride), &bound);
        if (checked_mul(term->stride, factor->resize, &end))
            consider(digit, weight_in(digit->atom, term->atom, end), &bound);
    }
    return bound;
}

// The digit from the outside in. `array` NULL: only the composites of the shape cut it.
static void push_cut(Arena *arena, const Digit *digit, const Array *array, const Mapping *shape,
                     DigitList *cut)
{
    int64_t bound = next_bound_of_shape(shape, digit, !array);
    if (array)
        bound = min_i64(bound, next_bound(array, digit));
    Digit inner = *digit;
    if (bound != INT64_MAX) {
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

typedef enum { HAS_NOT, HAS_PERHAPS, HAS } HasDigit;

// Weights low .. high - 1 of an atom.
typedef struct {
    const Atom *atom;
    int64_t low, high;
} Weights;

static bool is_among(Weights wanted, const Term *term, int64_t count)
{
    return wanted.low < saturating_mul(term->stride, count) && wanted.high > term->stride;
}

// Whether a composite is made of the atom at all.
static bool is_made_of(const Atom *composite, const Atom *atom)
{
    for (int64_t i = 0; composite->kind == ATOM_BLOCK && i < composite->inner->count; i++) {
        const Factor *factor = &composite->inner->factors[i];
        if (!factor->is_padding &&
            (atom_equal(factor->term.atom, atom) || is_made_of(factor->term.atom, atom)))
            return true;
    }
    return composite->kind != ATOM_BLOCK && composite->kind != ATOM_AXIS;
}

// Weights [from, end) of an atom, as weights of a part of it that starts at `place`. An end that
// falls inside a step of the part is widened to 0 or INT64_MAX.
static Weights weights_of_part(const Factor *part, int64_t place, int64_t from, int64_t end)
{
    Weights inside = {part->term.atom, 0, INT64_MAX};
    if (from % place || !checked_mul(from / place, part->term.stride, &inside.low))
        inside.low = 0;
    if (end % place || !checked_mul(end / place, part->term.stride, &inside.high))
        inside.high = INT64_MAX;
    return inside;
}

// Whether the digits of a composite from weight `from` up to `end` may depend on some of the
// weights. Multiples of `end` change nothing below it, and what stays below `from` carries nothing
// into it.
static bool may_hold(const Atom *composite, Weights wanted, int64_t from, int64_t end)
{
    for (int64_t i = 0, place = 1; composite->kind == ATOM_BLOCK && i < composite->inner->count;
         i++) {
        const Factor *factor = &composite->inner->factors[i];
        if (factor->is_padding) {
            place = factor->size;
            continue;
        }
        Weights inside = weights_of_part(factor, place, from, end);
        bool is_other = !atom_equal(factor->term.atom, wanted.atom);
        if (is_other && may_hold(factor->term.atom, wanted, inside.low, inside.high))
            return true;
        if (!is_other && is_among(wanted, &factor->term, factor->resize) &&
            wanted.high > inside.low && (wanted.low < inside.high || wanted.low % inside.high))
            return true;
        place *= factor->resize;
    }
    return composite->kind != ATOM_BLOCK && composite->kind != ATOM_AXIS;
}

static HasDigit find_weights(const Factor *factor, Weights wanted);

// Whether nothing carries from the weights of a composite into its positions from `place` to `end`:
// those are made of whole ones of the weights, or these are multiples of all of them.
static bool stays_apart(Weights wanted, int64_t place, int64_t end)
{
    return place % wanted.high == 0 || wanted.low % end == 0;
}

// The same for a part of the atom that starts at weight `place` of it and has none of the weights
// itself. They may carry into it: 1 and 2 of `[C, 1 # 5]` make up the 5 of C, and neither does
// alone.
static HasDigit find_carry(const Factor *factor, Weights wanted, const Factor *part, int64_t place)
{
    int64_t stride = part->term.stride, first = factor->term.stride / stride, end;
    Weights all = {part->term.atom, stride, stride * part->resize};
    bool is_direct = atom_equal(factor->term.atom, all.atom) && factor->term.stride % stride == 0;
    if (find_weights(factor, all) == HAS_NOT)
        return HAS_NOT;
    if (is_direct && checked_mul(place * first, factor->resize, &end) &&
        stays_apart(wanted, place * first, end))
        return HAS_NOT;
    return HAS_PERHAPS;
}

static HasDigit find_in_part(const Factor *factor, Weights wanted, const Factor *part,
                             int64_t place)
{
    int64_t end = place * part->resize, stride = part->term.stride;
    int64_t low = max_i64(wanted.low, place), high = min_i64(wanted.high, end);
    if (stays_apart(wanted, place, end))
        return HAS_NOT;
    if (low >= high)
        return find_carry(factor, wanted, part, place);
    return find_weights(
        factor, (Weights){part->term.atom, low / place * stride, ceil_div(high, place) * stride});
}

// Whether a factor has some of the weights. Where it is of another atom, it may have what the atom
// is made of: `[A, B] # 16 / 4` in a shape of A and B. Where it is made of the atom itself, only
// all digits together tell; so they do where weights lie in padding, as 2 and 3 of `[A, B # 5] % 4`
// with B = 2, and only those of other digits lead out of it.
static HasDigit find_weights(const Factor *factor, Weights wanted)
{
    if (atom_equal(factor->term.atom, wanted.atom))
        return is_among(wanted, &factor->term, factor->resize) ? HAS : HAS_NOT;
    if (is_made_of(factor->term.atom, wanted.atom)) {
        int64_t end = saturating_mul(factor->term.stride, factor->resize);
        return may_hold(factor->term.atom, wanted, factor->term.stride, end) ? HAS_PERHAPS
                                                                             : HAS_NOT;
    }
    if (wanted.atom->kind != ATOM_BLOCK)
        return wanted.atom->kind == ATOM_AXIS ? HAS_NOT : HAS_PERHAPS;
    const Mapping *inner = wanted.atom->inner;
    HasDigit found = HAS_NOT;
    for (int64_t i = 0, place = 1; i < inner->count && found != HAS; i++) {
        const Factor *part = &inner->factors[i];
        int64_t end = part->is_padding ? part->size : place * part->resize;
        if (!part->is_padding)
            found = (HasDigit)max_i64(found, find_in_part(factor, wanted, part, place));
        else if (max_i64(wanted.low, place) < min_i64(wanted.high, end))
            found = (HasDigit)max_i64(found, HAS_PERHAPS);
        place = end;
    }
    return found;
}

bool shape_has_digit(Arena *arena, const Mapping *shape, const Array *array, const Digit *digit)
{
    Weights wanted = {digit->atom, digit->weight, saturating_mul(digit->weight, digit->count)};
    HasDigit found = HAS_NOT;
    AtomList axes = {0};
    atom_axes(arena, digit->atom, &axes);
    for (int64_t i = 0; i < shape->count && found != HAS; i++)
        if (!shape->factors[i].is_padding &&
            atom_has_axis_of(arena, shape->factors[i].term.atom, &axes))
            found = (HasDigit)max_i64(found, find_weights(&shape->factors[i], wanted));
    return found == HAS_PERHAPS ? array_has_digit(arena, array, digit) : found == HAS;
}
