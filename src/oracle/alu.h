// The arithmetic of every operation of the Vector Engine, from bits to bits. Arguments are those
// that the argument mode chose, in its order. docs/numerics.md says the same in words.
#ifndef CONTRA_ORACLE_ALU_H
#define CONTRA_ORACLE_ALU_H

#include "program/vector.h"

// `a` alone for unary operations, `a` and `b` for binary ones. A reduction combines `a` and `b`.
uint32_t alu_apply(VectorOp op, uint32_t a, uint32_t b, uint32_t c);

typedef uint32_t AluFunction(uint32_t a, uint32_t b, uint32_t c);

// The function behind an operation, for loops.
AluFunction *alu_function(VectorOp op);

// vector_fxp_to_fp: x * 2^(int_width - 31). Requires 0 <= int_width < 32, as below.
uint32_t alu_fxp_to_fp(uint32_t x, int64_t int_width);
// vector_fp_to_fxp: x * 2^(31 - int_width), half away from zero, saturating.
uint32_t alu_fp_to_fxp(uint32_t x, int64_t int_width);

// Whether input `x` passes a comparison of the branch unit.
bool alu_compare(const InputCompare *compare, uint32_t x);

#endif
