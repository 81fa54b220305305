// Functions of f32. Each is computed in double precision and rounded once to f32, so that host
// programs and the Vector Engine agree bit for bit. A NaN is always 0x7fc00000.
#ifndef CONTRA_SCALAR_MATH_H
#define CONTRA_SCALAR_MATH_H

#include <stdint.h>

typedef enum {
    MATH_EXP,     // e^x
    MATH_NEG_EXP, // e^-x
    MATH_EXP2,
    MATH_EXP_M1,
    MATH_LN,
    MATH_LN_1P,
    MATH_LOG2,
    MATH_LOG10,
    MATH_SQRT,
    MATH_CBRT,
    MATH_SIN,
    MATH_COS,
    MATH_TAN,
    MATH_ASIN,
    MATH_ACOS,
    MATH_ATAN,
    MATH_SINH,
    MATH_COSH,
    MATH_TANH,
    MATH_ERF,
    MATH_SIGMOID, // 1 / (1 + e^-x)
    MATH_COUNT
} MathFunction;

// Bits to bits.
uint32_t math_f32(MathFunction function, uint32_t x);
uint32_t math_f32_pow(uint32_t x, uint32_t y);
uint32_t math_f32_atan2(uint32_t y, uint32_t x);
// a * b + c, rounded once.
uint32_t math_f32_fma(uint32_t a, uint32_t b, uint32_t c);

#endif
