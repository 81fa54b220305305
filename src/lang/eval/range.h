// Ranges as values: a..b, a..=b, a.., ..b, ..=b, .. of whole numbers, characters and floats.
#ifndef CONTRA_LANG_EVAL_RANGE_H
#define CONTRA_LANG_EVAL_RANGE_H

#include "lang/eval/trace_internal.h"
#include "lang/eval/whole.h"

// NULL: there is no such end. `type`: of the ends. Unknown, if they are nothing to count by.
Value range_value(Trace *trace, const Value *low, const Value *high, bool inclusive, Type *type);

// Its ends as they were written. Requires that there is one.
Value range_low(Value range);
Value range_high(Value range);

// The first and the last number of a range with two ends, as the bits of its type. False: it is
// empty.
bool range_limits(Value range, Uint128 *first, Uint128 *last);
bool range_contains(Value range, Value value);

enum { FIRST_SURROGATE = 0xd800, BEHIND_SURROGATES = 0xe000 }; // no characters

// What is behind a number of a type, and what is before it: of characters only those there are.
static inline Uint128 range_after(Uint128 bits, Prim prim)
{
    bool gap = prim == PRIM_char && bits == FIRST_SURROGATE - 1;
    return gap ? BEHIND_SURROGATES : bits + 1;
}

static inline Uint128 range_before(Uint128 bits, Prim prim)
{
    bool gap = prim == PRIM_char && bits == BEHIND_SURROGATES;
    return gap ? FIRST_SURROGATE - 1 : bits - 1;
}

// The numbers from one to another, less one.
Uint128 range_distance(Uint128 first, Uint128 last, Prim prim);

// Where a range of places begins and ends in something of this length. They may lie outside. False:
// the end is behind the last number there is.
bool range_places(Value range, int64_t length, uint64_t *from, uint64_t *to);

#endif
