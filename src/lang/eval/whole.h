// Whole numbers of every type, exactly: i8 to i128, u8 to u128. Values of up to 64 bits are held in
// 64 bits (VALUE_INT), those of i128 and u128 in 128 (VALUE_WIDE); what is worked out in between is
// a sign and a size, which no type cuts.
#ifndef CONTRA_LANG_EVAL_WHOLE_H
#define CONTRA_LANG_EVAL_WHOLE_H

#include "lang/eval/value.h"

typedef struct {
    Uint128 size;
    bool negative;
    bool beyond; // it has more than 128 bits, of which `size` has the low ones
} Whole;

// The row of a type that is built in, through references; NULL: it is none.
static inline const PrimInfo *prim_of(Type *type)
{
    bool direct = type->kind == TYPE_NAMED;
    type = direct ? type : type_strip(type);
    bool prim = type->kind == TYPE_NAMED && type->decl->kind == DECL_PRIM;
    return prim ? &prims[type->decl->prim] : NULL;
}

static inline bool prim_is_whole(const PrimInfo *prim)
{
    return prim && (prim->class == PRIM_INT || prim->class == PRIM_UINT);
}

// The value of these bits in a type: cut to its width, then sign- or zero-extended.
Value whole_cut(Uint128 bits, const PrimInfo *prim); // requires a whole number
static inline Value whole_of_bits(Uint128 bits, const PrimInfo *prim)
{
    bool cut = prim_is_whole(prim) && prim->bits != 64;
    return cut ? whole_cut(bits, prim) : value_int((int64_t)(uint64_t)bits);
}

// The bits of a value of a type, sign- or zero-extended. Requires VALUE_INT or VALUE_WIDE.
Uint128 whole_bits(Value value, const PrimInfo *prim);

Whole whole_of(Value value, const PrimInfo *prim);
Whole whole_of_int(int64_t number);
Value whole_value(Whole whole, const PrimInfo *prim); // wraps
bool whole_fits(Whole whole, const PrimInfo *prim);
// The largest and the smallest number of a type.
Whole whole_most(const PrimInfo *prim);
Whole whole_least(const PrimInfo *prim);

int whole_compare(Whole a, Whole b); // -1, 0, 1
Whole whole_negate(Whole a);
Whole whole_add(Whole a, Whole b);
Whole whole_subtract(Whole a, Whole b);
Whole whole_multiply(Whole a, Whole b);
// Towards zero; the rest has the sign of `a`. Requires b != 0.
Whole whole_divide(Whole a, Whole b);
Whole whole_rest(Whole a, Whole b);
Whole whole_power(Whole a, uint32_t exponent);

// Says that a number that is written at `span` does not fit. Requires: it does not.
void whole_report(DiagList *diags, Span span, Whole number, const PrimInfo *prim);

// In decimal, with its sign.
void whole_print(StrBuf *out, Whole whole);

static inline bool value_is_whole(Value value)
{
    return value.kind == VALUE_INT || value.kind == VALUE_WIDE;
}

#endif
