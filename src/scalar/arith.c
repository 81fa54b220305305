// Arithmetic of host-side tensors and, after widening, of the contraction.
//
//   integers   wrap: the exact result, then its low bits. Division truncates towards zero, and the
//              smallest value divided by -1 wraps to itself. Division by zero has no result
//   the rest   both to f32, one f32 operation, back by the rules of convert.c. IEEE leaves the bits
//              of a NaN to the host; here an operation that yields a NaN yields 0x7fc00000
#include "scalar/scalar.h"

#include "scalar/bits.h"

// The value of a canonical integer; its products and quotients fit in 64 bits exactly.
static int64_t integer_value(Scalar type, uint32_t bits)
{
    return scalar_traits[type].kind == SCALAR_KIND_SIGNED ? (int64_t)(int32_t)bits : (int64_t)bits;
}

// Requires b != 0 for a division.
static int64_t integer_op(ScalarOp op, int64_t a, int64_t b)
{
    switch (op) {
    case SCALAR_OP_ADD:
        return a + b;
    case SCALAR_OP_SUB:
        return a - b;
    case SCALAR_OP_MUL:
        return a * b;
    case SCALAR_OP_DIV:
        return a / b;
    case SCALAR_OP_COUNT:
        break;
    }
    return 0;
}

// IEEE, to nearest even: b may be zero.
static float float_op(ScalarOp op, float a, float b)
{
    switch (op) {
    case SCALAR_OP_ADD:
        return a + b;
    case SCALAR_OP_SUB:
        return a - b;
    case SCALAR_OP_MUL:
        return a * b;
    case SCALAR_OP_DIV:
        return a / b;
    case SCALAR_OP_COUNT:
        break;
    }
    return 0.0f;
}

static uint32_t f32_arith(ScalarOp op, uint32_t a, uint32_t b)
{
    float result = float_op(op, float_of_bits(a), float_of_bits(b));
    return result == result ? bits_of_float(result) : F32_NAN;
}

bool scalar_arith(ScalarOp op, Scalar type, uint32_t a, uint32_t b, uint32_t *result)
{
    if (!scalar_is_integer(type)) {
        uint32_t f32 = f32_arith(op, scalar_to_f32(type, a), scalar_to_f32(type, b));
        *result = scalar_from_f32(type, f32);
        return true;
    }
    if (op == SCALAR_OP_DIV && b == 0)
        return false;
    int64_t exact = integer_op(op, integer_value(type, a), integer_value(type, b));
    *result = scalar_wrap(type, (uint32_t)exact);
    return true;
}
