// The elements of tensors that are no numbers of the language: bf16, f16, the f8 types, i4. They
// are worked out as f32 and rounded back, as the crate `half` does.
#include "lang/std/native.h"

#include "base/checked.h"
#include "scalar/bits.h"

#include <math.h>
#include <string.h>

double element_to_real(Value value)
{
    if (scalar_is_integer(value.scalar.type))
        return (double)(int32_t)value.scalar.bits;
    return (double)float_of_bits(scalar_to_f32(value.scalar.type, value.scalar.bits));
}

static bool scalar_type(Type *type, Scalar *scalar)
{
    type = type_strip(type);
    bool element = type->kind == TYPE_NAMED && type->decl->kind == DECL_PRIM &&
                   prims[type->decl->prim].class == PRIM_ELEMENT;
    if (element)
        *scalar = (Scalar)prims[type->decl->prim].scalar;
    return element;
}

static Value element(Scalar type, uint32_t bits)
{
    return (Value){.kind = VALUE_SCALAR, .scalar = {type, bits}};
}

static Value rounded(Scalar type, double real)
{
    if (scalar_is_integer(type))
        return element(type, scalar_wrap(type, (uint32_t)(int32_t)real));
    return element(type, scalar_from_f32(type, bits_of_float((float)real)));
}

bool element_of_real(Type *type, double real, Value *result)
{
    Scalar scalar;
    if (!scalar_type(type, &scalar))
        return false;
    *result = rounded(scalar, real);
    return true;
}

Value element_binary(AstBinaryOp op, Value left, Value right)
{
    Scalar type = left.scalar.type;
    double a = element_to_real(left), b = element_to_real(right);
    bool ordered = !isnan(a) && !isnan(b);
    switch (op) {
    case BINARY_ADD:
    case BINARY_SUB:
    case BINARY_MUL:
    case BINARY_DIV: {
        uint32_t bits;
        return scalar_arith((ScalarOp)(SCALAR_OP_ADD + (op - BINARY_ADD)), type, left.scalar.bits,
                            right.scalar.bits, &bits)
                   ? element(type, bits)
                   : VALUE_NOTHING;
    }
    case BINARY_REM:
        return rounded(type, fmod(a, b));
    case BINARY_EQ:
        return value_bool(ordered && a == b);
    case BINARY_NE:
        return value_bool(!ordered || a != b);
    case BINARY_LT:
        return value_bool(ordered && a < b);
    case BINARY_LE:
        return value_bool(ordered && a <= b);
    case BINARY_GT:
        return value_bool(ordered && a > b);
    case BINARY_GE:
        return value_bool(ordered && a >= b);
    default:
        return VALUE_NOTHING;
    }
}

// ---- functions

NATIVE(element_from_number)
{
    Value value = std_arg(call, 0);
    if (value.kind == VALUE_SCALAR)
        return element_of_real(call->type, element_to_real(value), result);
    if (value.kind != VALUE_FLOAT && value.kind != VALUE_INT)
        return false;
    return element_of_real(call->type, value.kind == VALUE_INT ? (double)value.integer : value.real,
                           result);
}

NATIVE(element_to_number)
{
    Value value = std_arg(call, 0);
    if (value.kind != VALUE_SCALAR)
        return false;
    double real = element_to_real(value);
    *result = call->op ? value_int((int64_t)real) : value_real(real);
    return true;
}

NATIVE(element_to_bits)
{
    Value value = std_arg(call, 0);
    *result = value_int(value.scalar.bits);
    return value.kind == VALUE_SCALAR;
}

NATIVE(element_from_bits)
{
    Scalar type;
    int64_t bits;
    if (!std_int(call, 0, &bits) || !scalar_type(call->type, &type))
        return false;
    *result = element(type, scalar_wrap(type, (uint32_t)bits));
    return true;
}
