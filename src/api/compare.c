// An output beside what was expected.
#include "api/run.h"

#include "api/element.h"
#include "base/checked.h"
#include "scalar/bits.h"

#include <inttypes.h>
#include <math.h>

static const Argument *argument_of(const Contra *contra, const ContraOutput *output)
{
    for (int64_t i = 0; i < contra->run.argument_count; i++)
        if (contra->run.arguments[i].shown.axes == output->param.axes)
            return &contra->run.arguments[i];
    return NULL;
}

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
static double distance(double found, double expected)
{
    if (isnan(found) && isnan(expected))
        return 0;
    if (isnan(found) || isnan(expected))
        return HUGE_VAL;
    if (found == expected)
        return 0;
    double off = fabs(found - expected), size = fabs(expected);
    return isinf(off) ? HUGE_VAL : off / (size > 1 ? size : 1);
}

// The elements of both, in the order of positions that are no padding.
typedef struct {
    const ContraOutput *output;
    const ContraArray *expected;
    const uint8_t *skip_found, *skip_expected; // masks; NULL: all count
    Scalar scalar;
    double tolerance;
} Pairing;

static double found_value(const Pairing *pairing, int64_t index)
{
    // f8 has no element type of its own: its bytes are patterns
    return expected_value(&pairing->output->array, pairing->scalar, index);
}

static void compare_all(const Pairing *pairing, ContraComparison *result)
{
    const ContraOutput *output = pairing->output;
    int64_t count = contra_array_count(&output->array), k = 0;
    double worst = -1;
    for (int64_t i = 0; i < count; i++, k++) {
        if (pairing->skip_found && !pairing->skip_found[i]) {
            k -= !pairing->skip_expected; // the other one has no padding
            continue;
        }
        while (!pairing->skip_found && pairing->skip_expected && !pairing->skip_expected[k])
            k++;
        double found = found_value(pairing, i);
        double expected = expected_value(pairing->expected, pairing->scalar, k);
        bool written = !output->initialised || output->initialised[i];
        double off = written ? distance(found, expected) : HUGE_VAL;
        result->compared++;
        result->beyond += !(off <= pairing->tolerance);
        if (off > worst) {
            worst = off;
            result->worst = i;
            result->found = found;
            result->expected = expected;
            result->difference = fabs(found - expected);
        }
    }
}

static void report(Contra *contra, const Argument *argument, const Pairing *pairing,
                   const ContraComparison *result)
{
    const ContraOutput *output = pairing->output;
    ContraText index = contra_output_index(contra, output, result->worst);
    bool written = !output->initialised || output->initialised[result->worst];
    Diag *diag =
        diag_add(&contra->diags, DIAG_COMPARE_DIFFERS, argument->param.span,
                 "%" PRId64 " of %" PRId64 " elements of `%s` differ from what was expected",
                 result->beyond, result->compared, argument->param.name);
    if (written)
        diag_note(diag, SPAN_NOWHERE,
                  "the worst is at %.*s: %.9g instead of %.9g, off by %.9g (tolerance %g)",
                  STR_ARG(str_of(index)), result->found, result->expected, result->difference,
                  pairing->tolerance);
    else
        diag_note(diag, SPAN_NOWHERE, "the worst is at %.*s: nobody wrote it; %.9g was expected",
                  STR_ARG(str_of(index)), result->expected);
}

ContraStatus contra_compare(Contra *contra, const ContraOutput *output, const ContraArray *expected,
                            double tolerance, ContraComparison *comparison)
{
    CONTRA_ENTER(contra);
    const Argument *argument = argument_of(contra, output);
    bool padded;
    *comparison = (ContraComparison){.worst = -1};
    if (!argument)
        return CONTRA_INVALID;
    Str what = str_format(&contra->arena, "what `%s` is compared with", argument->param.name);
    if (!check_shape(contra, argument, expected, str_terminated(&contra->arena, what), &padded))
        return CONTRA_INVALID;
    const Shape *shape = &argument->shape;
    bool has_padding = shape->live != shape->positions;
    const uint8_t *mask = has_padding ? shape_mask(&contra->arena, shape) : NULL;
    Pairing pairing = {.output = output,
                       .expected = expected,
                       .skip_found = shape->best == FORM_PADDED ? mask : NULL,
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
