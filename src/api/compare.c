// An output beside what was expected.
#include "api/sized.h"

#include "base/checked.h"
#include "run/array.h"
#include "run/run.h"
#include "scalar/bits.h"

#include <math.h>

// Bit patterns of a float type are what they stand for.
static double expected_value(const ContraArray *array, Scalar scalar, int64_t index)
{
    ElementType type = (ElementType)array->type;
    ElementTake take = element_take(type, scalar);
    uint32_t bits;
    if (scalar_is_integer(scalar) || take != TAKE_BITS)
        return element_value(type, array->data, index);
    element_load(take, type, array->data, index, scalar, &bits);
    return (double)float_of_bits(scalar_to_f32(scalar, bits));
}

// How far off it is, in parts of the expected one where that is above 1.
static double distance(double difference, double expected)
{
    double size = fabs(expected);
    return difference / (size > 1 ? size : 1);
}

// The elements of both, in the order of positions that are no padding.
typedef struct {
    Contra *contra;
    const ContraOutput *output;
    const ContraArray *expected;
    const uint8_t *skip_found, *skip_expected; // masks; NULL: all count
    Scalar scalar;
    double tolerance;
} Pairing;

static double relative(const ContraDifference *difference)
{
    return difference->difference / fabs(difference->expected);
}

static void keep_first(ContraDifference *first, const ContraDifference *this, int64_t *count)
{
    if ((*count)++ == 0)
        *first = *this;
}

// An element that is not the expected one.
static void take_difference(ContraDifference this, ContraComparison *result)
{
    ContraDifference *largest = &result->largest, *ratio = &result->largest_relative;
    if (isinf(this.difference)) {
        keep_first(&result->first_apart, &this, &result->apart);
        return;
    }
    if (largest->element < 0 || this.difference > largest->difference)
        *largest = this;
    if (this.expected != 0 && (ratio->element < 0 || relative(&this) > relative(ratio)))
        *ratio = this;
}

static void compare_element(const Pairing *pairing, int64_t index, double expected,
                            ContraComparison *result)
{
    const ContraOutput *output = pairing->output;
    // f8 has no element type of its own: its bytes are patterns
    double found = expected_value(&output->array, pairing->scalar, index);
    bool written = !output->initialised || output->initialised[index];
    bool countable = written && isfinite(found) && isfinite(expected);
    ContraDifference this = {index, found, expected, countable ? fabs(found - expected) : HUGE_VAL};
    result->compared++;
    if (written && (found == expected || (isnan(found) && isnan(expected))))
        return;
    result->differing++;
    result->beyond += !(distance(this.difference, expected) <= pairing->tolerance) || !countable;
    if (written)
        take_difference(this, result);
    else
        keep_first(&result->first_unwritten, &this, &result->unwritten);
}

static void compare_all(const Pairing *pairing, ContraComparison *result)
{
    int64_t count = contra_array_count(&pairing->output->array), k = 0;
    for (int64_t i = 0; i < count; i++, k++) {
        if (pairing->skip_found && !pairing->skip_found[i]) {
            k -= !pairing->skip_expected; // the other one has no padding
            continue;
        }
        while (!pairing->skip_found && pairing->skip_expected && !pairing->skip_expected[k])
            k++;
        compare_element(pairing, i, expected_value(pairing->expected, pairing->scalar, k), result);
    }
}

// ---- in words

// Integers in full, floats as exactly as f32 has them.
static Str number_text(Arena *arena, const Pairing *pairing, double value)
{
    return str_format(arena, scalar_is_integer(pairing->scalar) ? "{.0f}" : "{.9g}", value);
}

// "at A 3, B 0: 7 instead of 8"
static Str place_text(Arena *arena, const Pairing *pairing, const ContraDifference *difference)
{
    return str_format(arena, "at {}: {} instead of {}",
                      output_index(pairing->contra, pairing->output, difference->element),
                      number_text(arena, pairing, difference->found),
                      number_text(arena, pairing, difference->expected));
}

static void note_largest(Arena *arena, Diag *diag, const Pairing *pairing,
                         const ContraComparison *result)
{
    const ContraDifference *largest = &result->largest, *ratio = &result->largest_relative;
    if (largest->element < 0)
        return;
    Str in_parts = largest->expected != 0
                       ? str_format(arena, " (relative {.3g})", relative(largest))
                       : (Str){0};
    diag_note(diag, SPAN_NOWHERE, "the largest difference is {}{}, {}",
              number_text(arena, pairing, largest->difference), in_parts,
              place_text(arena, pairing, largest));
    if (ratio->element >= 0 && ratio->element != largest->element)
        diag_note(diag, SPAN_NOWHERE, "the largest relative difference is {.3g}, {}",
                  relative(ratio), place_text(arena, pairing, ratio));
}

static void report(Contra *contra, const Argument *argument, const Pairing *pairing,
                   const ContraComparison *result)
{
    Arena *arena = &contra->arena;
    Str beyond = pairing->tolerance > 0
                     ? str_format(arena, " by more than the tolerance {g}", pairing->tolerance)
                     : (Str){0};
    Diag *diag = diag_add(&contra->diags, DIAG_COMPARE_DIFFERS, argument->param.span,
                          "{} of {} elements of `{}` differ from what was expected{}",
                          result->beyond, result->compared, argument->param.name, beyond);
    const ContraDifference *unwritten = &result->first_unwritten;
    if (result->unwritten)
        diag_note(diag, SPAN_NOWHERE, "nobody wrote {} of them, the first at {}: {} was expected",
                  result->unwritten,
                  output_index(pairing->contra, pairing->output, unwritten->element),
                  number_text(arena, pairing, unwritten->expected));
    if (result->apart)
        diag_note(diag, SPAN_NOWHERE,
                  "NaN or an infinity stands on one side of {} of them, the first {}",
                  result->apart, place_text(arena, pairing, &result->first_apart));
    note_largest(arena, diag, pairing, result);
}

static ContraStatus compare(Contra *contra, const ContraOutput *output, const ContraArray *expected,
                            double tolerance, ContraComparison *comparison)
{
    const Argument *argument = argument_of_output(contra, output);
    bool padded, found_padded;
    if (!argument || !output->array.data ||
        !shape_accepts(&argument->shape, output->array.shape, output->array.rank, &found_padded)) {
        return request_refuse(
            contra, DIAG_ARGUMENT_UNFIT,
            "contra_compare was called with what is no output of a run or launch");
    }
    const char *what =
        str_terminated(&contra->arena, str_format(&contra->arena, "what `{}` is compared with",
                                                  argument->param.name));
    if (!array_is_whole(contra, expected, what) ||
        !check_shape(contra, argument, expected, what, &padded))
        return CONTRA_INVALID;
    const Shape *shape = &argument->shape;
    bool has_padding = shape->live != shape->positions;
    arena_clear(&contra->scratch);
    const uint8_t *mask = has_padding ? shape_mask(&contra->scratch, shape) : NULL;
    Pairing pairing = {.contra = contra,
                       .output = output,
                       .expected = expected,
                       .skip_found = found_padded ? mask : NULL,
                       .skip_expected = padded ? mask : NULL,
                       .scalar = argument->param.shape.type,
                       .tolerance = tolerance};
    compare_all(&pairing, comparison);
    comparison->within = !comparison->beyond;
    if (comparison->within)
        return CONTRA_OK;
    report(contra, argument, &pairing, comparison);
    return CONTRA_INVALID;
}

ContraStatus contra_compare(Contra *contra, const ContraOutput *output, const ContraArray *expected,
                            double tolerance, ContraComparison *comparison)
{
    CONTRA_FILLS(contra, ContraComparison, comparison);
    CONTRA_NEEDS(contra, output && expected, "`output` and `expected`");
    ContraComparison made = {.first_unwritten.element = -1,
                             .first_apart.element = -1,
                             .largest.element = -1,
                             .largest_relative.element = -1};
    ContraStatus status = compare(contra, output, expected, tolerance, &made);
    sized_give(SIZED_ContraComparison, &made, comparison);
    return status;
}
