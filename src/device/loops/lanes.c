// Every operation is a function from bits to bits without branches, and a loop around it that the
// compiler vectorises.
#include "device/loops/lanes.h"

#include "device/loops/math.h"
#include "scalar/bits.h"

#include <math.h>

// Elements do not depend on each other, even where the output takes the place of an input.
#define EACH(i) _Pragma("omp simd") for (int64_t i = 0; i < count; i++)

// ---- integers

enum { SHIFT_MASK = 31 };

static inline uint32_t sign_fill(uint32_t a)
{
    return (uint32_t)((int32_t)a >> 31);
}

// The end of the range on the side of `a`.
static inline uint32_t bound_of(uint32_t a)
{
    return sign_fill(a) ^ (uint32_t)INT32_MAX;
}

static inline uint32_t bit_and(uint32_t a, uint32_t b)
{
    return a & b;
}

static inline uint32_t bit_or(uint32_t a, uint32_t b)
{
    return a | b;
}

static inline uint32_t bit_xor(uint32_t a, uint32_t b)
{
    return a ^ b;
}

static inline uint32_t shift_left(uint32_t a, uint32_t b)
{
    return a << (b & SHIFT_MASK);
}

static inline uint32_t shift_right_logic(uint32_t a, uint32_t b)
{
    return a >> (b & SHIFT_MASK);
}

static inline uint32_t shift_right(uint32_t a, uint32_t b)
{
    return (uint32_t)((int32_t)a >> (b & SHIFT_MASK));
}

// Half of the last place is the highest bit that falls off.
static inline uint32_t shift_right_round(uint32_t a, uint32_t b)
{
    uint32_t shift = b & SHIFT_MASK;
    uint32_t half = (uint32_t)((int32_t)a >> ((shift - 1) & SHIFT_MASK)) & 1;
    uint32_t rounded = shift_right(a, shift) + half;
    return shift ? rounded : a;
}

// 1 << 31 is the smallest i32: it turns the sign around, and only 0 and 1 stay in range.
static inline uint32_t shift_left_sat(uint32_t a, uint32_t b)
{
    uint32_t shift = b & SHIFT_MASK, moved = a << shift;
    uint32_t inside = shift_right(moved, shift) == a ? moved : bound_of(a);
    uint32_t turned = a ? ~bound_of(a) : 0;
    return shift == SHIFT_MASK ? turned : inside;
}

static inline uint32_t add(uint32_t a, uint32_t b)
{
    return a + b;
}

static inline uint32_t sub(uint32_t a, uint32_t b)
{
    return a - b;
}

static inline uint32_t add_sat(uint32_t a, uint32_t b)
{
    uint32_t sum = a + b;
    return (int32_t)((a ^ sum) & (b ^ sum)) < 0 ? bound_of(a) : sum;
}

static inline uint32_t sub_sat(uint32_t a, uint32_t b)
{
    uint32_t rest = a - b;
    return (int32_t)((a ^ b) & (a ^ rest)) < 0 ? bound_of(a) : rest;
}

static inline uint32_t mul_int(uint32_t a, uint32_t b)
{
    return a * b;
}

// Only the smallest times itself leaves the range.
static inline uint32_t mul_q31(uint32_t a, uint32_t b)
{
    int64_t product = (int64_t)(int32_t)a * (int32_t)b + (INT64_C(1) << 30);
    uint32_t result = (uint32_t)((uint64_t)product >> 31);
    return a == b && a == (uint32_t)INT32_MIN ? (uint32_t)INT32_MAX : result;
}

static inline uint32_t min_int(uint32_t a, uint32_t b)
{
    return (int32_t)a < (int32_t)b ? a : b;
}

static inline uint32_t max_int(uint32_t a, uint32_t b)
{
    return (int32_t)a > (int32_t)b ? a : b;
}

// The absolute value of the smallest is itself.
static inline int32_t magnitude(uint32_t a)
{
    return (int32_t)((a ^ sign_fill(a)) - sign_fill(a));
}

static inline uint32_t abs_min_int(uint32_t a, uint32_t b)
{
    return magnitude(a) < magnitude(b) ? a : b;
}

static inline uint32_t abs_max_int(uint32_t a, uint32_t b)
{
    return magnitude(a) > magnitude(b) ? a : b;
}

// ---- floats

static inline uint32_t absolute(uint32_t a)
{
    return a & (uint32_t)INT32_MAX;
}

// Of several choices with conditions the compiler makes jumps.
static inline uint32_t select(uint32_t a, uint32_t b, bool is_first)
{
    uint32_t mask = 0 - (uint32_t)is_first;
    return (a & mask) | (b & ~mask);
}

static inline uint32_t quiet(uint32_t a)
{
    return select(F32_NAN, a, f32_is_nan(a));
}

// The order of numbers, -0 below +0, as that of integers; and back.
static inline int32_t key_of(uint32_t a)
{
    return (int32_t)(a ^ sign_fill(a) >> 1);
}

static inline int32_t key_for_min(uint32_t a)
{
    return (int32_t)select((uint32_t)INT32_MAX, (uint32_t)key_of(a), f32_is_nan(a));
}

static inline int32_t key_for_max(uint32_t a)
{
    return (int32_t)select((uint32_t)INT32_MIN, (uint32_t)key_of(a), f32_is_nan(a));
}

static inline uint32_t of_key(int32_t key)
{
    return quiet((uint32_t)key_of((uint32_t)key)); // a NaN stands for nothing but NaNs
}

static inline int32_t min_key(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

static inline int32_t max_key(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

static inline uint32_t min_float(uint32_t a, uint32_t b)
{
    return of_key(min_key(key_for_min(a), key_for_min(b)));
}

static inline uint32_t max_float(uint32_t a, uint32_t b)
{
    return of_key(max_key(key_for_max(a), key_for_max(b)));
}

// Of a NaN: less than any.
static inline int32_t magnitude_of_number(uint32_t a)
{
    return (int32_t)select((uint32_t)INT32_MIN, absolute(a), f32_is_nan(a));
}

static inline uint32_t abs_min_float(uint32_t a, uint32_t b)
{
    return select(a, quiet(b), (int32_t)absolute(a) < magnitude_of_number(b));
}

static inline uint32_t abs_max_float(uint32_t a, uint32_t b)
{
    return select(a, quiet(b), magnitude_of_number(a) > (int32_t)absolute(b));
}

static inline float add_floats(float a, float b)
{
    return a + b;
}

static inline uint32_t add_float(uint32_t a, uint32_t b)
{
    return f32_clean(float_of_bits(a) + float_of_bits(b));
}

static inline uint32_t sub_float(uint32_t a, uint32_t b)
{
    return f32_clean(float_of_bits(a) - float_of_bits(b));
}

static inline uint32_t mul_float(uint32_t a, uint32_t b)
{
    return f32_clean(float_of_bits(a) * float_of_bits(b));
}

static inline uint32_t div_float(uint32_t a, uint32_t b)
{
    return f32_clean(float_of_bits(a) / float_of_bits(b));
}

static inline uint32_t mask_mul_float(uint32_t a, uint32_t b)
{
    uint32_t product = mul_float(a, b);
    return absolute(b) ? product : 0;
}

static inline uint32_t fma_float(uint32_t a, uint32_t b, uint32_t c)
{
    return f32_clean(__builtin_fmaf(float_of_bits(a), float_of_bits(b), float_of_bits(c)));
}

static inline uint32_t mask_fma_float(uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t sum = fma_float(a, b, c);
    return absolute(b) ? sum : c;
}

// The square root of a float is the same in double precision, rounded.
static inline uint32_t sqrt_float(uint32_t a)
{
    return f32_clean(__builtin_sqrtf(float_of_bits(a)));
}

// ---- loops around them

static void fill(uint32_t value, int64_t count, uint32_t *out)
{
    EACH(i)
    out[i] = value;
}

#define BINARY(name)                                                                  \
    static void name##_apply(const LaneArguments *from, int64_t count, uint32_t *out) \
    {                                                                                 \
        const uint32_t *a = from->bits[0], *b = from->bits[1];                        \
        uint32_t one = *a, two = *b;                                                  \
        switch (from->fixed & 3) {                                                    \
        case 0:                                                                       \
            EACH(i)                                                                   \
            out[i] = name(a[i], b[i]);                                                \
            break;                                                                    \
        case 1:                                                                       \
            EACH(i)                                                                   \
            out[i] = name(one, b[i]);                                                 \
            break;                                                                    \
        case 2:                                                                       \
            EACH(i)                                                                   \
            out[i] = name(a[i], two);                                                 \
            break;                                                                    \
        default:                                                                      \
            fill(name(one, two), count, out);                                         \
        }                                                                             \
    }

BINARY(bit_and)
BINARY(bit_or)
BINARY(bit_xor)
BINARY(shift_left)
BINARY(shift_right_logic)
BINARY(shift_right)
BINARY(shift_right_round)
BINARY(shift_left_sat)
BINARY(add)
BINARY(sub)
BINARY(add_sat)
BINARY(sub_sat)
BINARY(mul_int)
BINARY(mul_q31)
BINARY(min_int)
BINARY(max_int)
BINARY(abs_min_int)
BINARY(abs_max_int)
BINARY(min_float)
BINARY(max_float)
BINARY(abs_min_float)
BINARY(abs_max_float)
BINARY(add_float)
BINARY(sub_float)
BINARY(mul_float)
BINARY(div_float)
BINARY(mask_mul_float)

enum { BLOCK = 256 };

// Three arguments: those that are fixed are spread out over a block.
#define TERNARY(name)                                                                        \
    static void name##_block(const uint32_t *a, const uint32_t *b, const uint32_t *c,        \
                             int64_t count, uint32_t *out)                                   \
    {                                                                                        \
        EACH(i)                                                                              \
        out[i] = name(a[i], b[i], c[i]);                                                     \
    }                                                                                        \
    static void name##_apply(const LaneArguments *from, int64_t count, uint32_t *out)        \
    {                                                                                        \
        uint32_t spread[LANE_ARGUMENTS][BLOCK];                                              \
        const uint32_t *args[LANE_ARGUMENTS];                                                \
        for (int k = 0; k < LANE_ARGUMENTS; k++)                                             \
            if (from->fixed >> k & 1)                                                        \
                fill(*from->bits[k], count < BLOCK ? count : BLOCK, spread[k]);              \
        for (int64_t at = 0; at < count; at += BLOCK) {                                      \
            for (int k = 0; k < LANE_ARGUMENTS; k++)                                         \
                args[k] = from->fixed >> k & 1 ? spread[k] : from->bits[k] + at;             \
            name##_block(args[0], args[1], args[2], count - at < BLOCK ? count - at : BLOCK, \
                         out + at);                                                          \
        }                                                                                    \
    }

TERNARY(fma_float)
TERNARY(mask_fma_float)

// A function of one argument, as a loop `name` from elements to elements.
#define UNARY(name, loop)                                                             \
    static void name##_apply(const LaneArguments *from, int64_t count, uint32_t *out) \
    {                                                                                 \
        uint32_t one;                                                                 \
        if (from->fixed & 1) {                                                        \
            loop(from->bits[0], 1, &one);                                             \
            fill(one, count, out);                                                    \
        } else {                                                                      \
            loop(from->bits[0], count, out);                                          \
        }                                                                             \
    }

static void sqrt_loop(const uint32_t *in, int64_t count, uint32_t *out)
{
    EACH(i)
    out[i] = sqrt_float(in[i]);
}

UNARY(exp, LOOPS(math_exp))
UNARY(neg_exp, LOOPS(math_neg_exp))
UNARY(sqrt, sqrt_loop)
UNARY(tanh, LOOPS(math_tanh))
UNARY(sigmoid, LOOPS(math_sigmoid))
UNARY(erf, LOOPS(math_erf))
UNARY(log, LOOPS(math_log))
UNARY(sin, LOOPS(math_sin))
UNARY(cos, LOOPS(math_cos))

// ---- reductions

// A running result is held as a `type`: `enter` makes one of an element, `leave` the element that
// it stands for. Only what comes out of a sum has its NaNs made alike; that may wait for the end.
#define FOLD_LANES(type, enter, join, leave, count)                         \
    do {                                                                    \
        type held[count];                                                   \
        for (int i = 0; i < (count); i++)                                   \
            held[i] = enter(to[i]);                                         \
        for (int64_t t = 0; t < packets; t++)                               \
            _Pragma("omp simd") for (int i = 0; i < (count); i++) held[i] = \
                join(held[i], enter(in[t * (count) + i]));                  \
        for (int i = 0; i < (count); i++)                                   \
            to[i] = leave(held[i]);                                         \
    } while (0)

#define REDUCTION(name, type, enter, join, leave)                                             \
    static void name##_fold(const uint32_t *in, int64_t packets, int64_t lanes, uint32_t *to) \
    {                                                                                         \
        if (lanes == 1)                                                                       \
            FOLD_LANES(type, enter, join, leave, 1);                                          \
        else if (lanes == 4)                                                                  \
            FOLD_LANES(type, enter, join, leave, 4);                                          \
        else if (lanes == 8)                                                                  \
            FOLD_LANES(type, enter, join, leave, 8);                                          \
        else                                                                                  \
            for (int64_t t = 0; t < packets; t++)                                             \
                name##_apply(&(LaneArguments){{to, in + t * lanes, to}, 0}, lanes, to);       \
    }                                                                                         \
    static void name##_pairs(const uint32_t *in, int64_t count, uint32_t *out)                \
    {                                                                                         \
        EACH(i)                                                                               \
        out[i] = name(in[2 * i], in[2 * i + 1]);                                              \
    }

static inline uint32_t same(uint32_t a)
{
    return a;
}

REDUCTION(add_sat, uint32_t, same, add_sat, same)
REDUCTION(max_int, uint32_t, same, max_int, same)
REDUCTION(min_int, uint32_t, same, min_int, same)
REDUCTION(add_float, float, float_of_bits, add_floats, f32_clean)
REDUCTION(max_float, int32_t, key_for_max, max_key, of_key)
REDUCTION(min_float, int32_t, key_for_min, min_key, of_key)

// ---- elements with tags

static void merge(const LaneChoice *choice, const uint32_t *result, int64_t count, uint32_t *bits,
                  uint8_t *tags)
{
    uint8_t mask = choice->mask, wanted = choice->wanted, always = !choice->of_stream;
    const uint8_t *other = choice->other;
    uint8_t has[BLOCK], chosen[BLOCK];
    for (int64_t from = 0, rest = count; from < rest; from += BLOCK) {
        count = rest - from < BLOCK ? rest - from : BLOCK;
        uint8_t *tag = tags + from;
        EACH(i)
        has[i] = (tag[i] | always) & 1;
        if (other)
            EACH(i)
        has[i] &= other[from + i];
        EACH(i)
        chosen[i] = (tag[i] & mask) == wanted;
        EACH(i)
        tag[i] = chosen[i] ? (uint8_t)((tag[i] & ~1) | has[i]) : tag[i];
        EACH(i)
        {
            uint32_t value = has[i] ? result[from + i] : 0;
            bits[from + i] = chosen[i] ? value : bits[from + i];
        }
    }
}

static void combine(const uint32_t *result, const uint32_t *next, const uint8_t *next_tags,
                    int64_t count, uint32_t *bits, uint8_t *tags)
{
    enum { LIVE = 1, PADDING = 2 };
    EACH(i)
    {
        bool is_next = (next_tags[i] & (LIVE | PADDING)) == LIVE;
        uint32_t value = tags[i] & LIVE ? result[i] : next[i];
        bits[i] = is_next ? value : bits[i];
    }
    EACH(i)
    {
        uint8_t joined = (uint8_t)(((tags[i] | next_tags[i]) & LIVE) | (next_tags[i] & ~LIVE));
        tags[i] = next_tags[i] & PADDING ? tags[i] : joined;
    }
}

// ---- two groups

static inline void deal_runs(const uint32_t *in, int64_t run, int64_t runs, uint32_t *first,
                             uint32_t *second)
{
    size_t bytes = (size_t)run * sizeof *in;
    for (int64_t i = 0; i < runs; i++) {
        memcpy(first + i * run, in + 2 * i * run, bytes);
        memcpy(second + i * run, in + (2 * i + 1) * run, bytes);
    }
}

// A packet of usual size is copied without a call.
static void deal(const uint32_t *in, int64_t run, int64_t runs, uint32_t *first, uint32_t *second)
{
    if (run == 4)
        deal_runs(in, 4, runs, first, second);
    else if (run == 8)
        deal_runs(in, 8, runs, first, second);
    else
        deal_runs(in, run, runs, first, second);
}

// ---- comparisons

#define COMPARE(condition)                             \
    EACH(i)                                            \
    ids[i] |= (uint8_t)((uint32_t)(condition) << bit); \
    break

static void compare_floats(CompareKind kind, float bound, const uint32_t *in, int64_t count,
                           int bit, uint8_t *ids)
{
    if (kind == COMPARE_EQUAL)
        EACH(i)
    ids[i] |= (uint8_t)((uint32_t)(float_of_bits(in[i]) == bound) << bit);
    else if (kind == COMPARE_LESS) EACH(i) ids[i] |=
        (uint8_t)((uint32_t)(float_of_bits(in[i]) < bound) << bit);
    else EACH(i) ids[i] |= (uint8_t)((uint32_t)(float_of_bits(in[i]) > bound) << bit);
}

static void compare(const HwCompare *compare, const uint32_t *in, int64_t count, int bit,
                    uint8_t *ids)
{
    uint32_t bound = (uint32_t)compare->bits;
    bool ordered = compare->kind == COMPARE_EQUAL || compare->kind == COMPARE_LESS ||
                   compare->kind == COMPARE_GREATER;
    if (compare->type == SCALAR_F32 && ordered) {
        compare_floats(compare->kind, float_of_bits(bound), in, count, bit, ids);
        return;
    }
    switch (compare->kind) {
    case COMPARE_EQUAL:
        COMPARE(in[i] == bound);
    case COMPARE_LESS:
        COMPARE((int32_t)in[i] < (int32_t)bound);
    case COMPARE_GREATER:
        COMPARE((int32_t)in[i] > (int32_t)bound);
    case COMPARE_LESS_UNSIGNED:
        COMPARE(in[i] < bound);
    case COMPARE_GREATER_UNSIGNED:
        COMPARE(in[i] > bound);
    case COMPARE_TRUE:
        COMPARE(true);
    case COMPARE_FALSE:
    case COMPARE_COUNT:
        break;
    }
}

// ---- conversions. Scaling by a power of two is exact in double precision.

enum { FRACTION_BITS = 31 };

static void fxp_to_fp(uint32_t *bits, int64_t count, int64_t width)
{
    double scale = 1.0 / (double)(INT64_C(1) << (FRACTION_BITS - width));
    EACH(i)
    bits[i] = bits_of_float((float)((double)(int32_t)bits[i] * scale));
}

// A float below one half stays so far below that adding one half cannot round up to 1.
static void fp_to_fxp(uint32_t *bits, int64_t count, int64_t width)
{
    double scale = (double)(INT64_C(1) << (FRACTION_BITS - width));
    double most = (double)INT32_MAX, least = (double)INT32_MIN;
    EACH(i)
    {
        uint32_t x = bits[i];
        double scaled = (double)float_of_bits(x) * scale;
        scaled += x >> 31 ? -0.5 : 0.5;
        scaled = scaled < most ? scaled : most; // a NaN, too
        scaled = scaled > least ? scaled : least;
        uint32_t value = (uint32_t)(int32_t)scaled;
        bits[i] = f32_is_nan(x) ? bound_of(x) : value;
    }
}

// ---- all of them

const LaneLoops LOOPS(lane_loops) = {
    .apply =
        {
            [OP_LogicBinaryOpI32_BitAnd] = bit_and_apply,
            [OP_LogicBinaryOpI32_BitOr] = bit_or_apply,
            [OP_LogicBinaryOpI32_BitXor] = bit_xor_apply,
            [OP_LogicBinaryOpI32_LeftShift] = shift_left_apply,
            [OP_LogicBinaryOpI32_LogicRightShift] = shift_right_logic_apply,
            [OP_LogicBinaryOpI32_ArithRightShift] = shift_right_apply,
            [OP_LogicBinaryOpF32_BitAnd] = bit_and_apply,
            [OP_LogicBinaryOpF32_BitOr] = bit_or_apply,
            [OP_LogicBinaryOpF32_BitXor] = bit_xor_apply,
            [OP_FxpBinaryOp_AddFxp] = add_apply,
            [OP_FxpBinaryOp_AddFxpSat] = add_sat_apply,
            [OP_FxpBinaryOp_SubFxp] = sub_apply,
            [OP_FxpBinaryOp_SubFxpSat] = sub_sat_apply,
            [OP_FxpBinaryOp_LeftShift] = shift_left_apply,
            [OP_FxpBinaryOp_LeftShiftSat] = shift_left_sat_apply,
            [OP_FxpBinaryOp_MulFxp] = mul_q31_apply,
            [OP_FxpBinaryOp_MulInt] = mul_int_apply,
            [OP_FxpBinaryOp_LogicRightShift] = shift_right_logic_apply,
            [OP_FxpBinaryOp_ArithRightShift] = shift_right_apply,
            [OP_FxpBinaryOp_ArithRightShiftRound] = shift_right_round_apply,
            [OP_FpUnaryOp_Exp] = exp_apply,
            [OP_FpUnaryOp_NegExp] = neg_exp_apply,
            [OP_FpUnaryOp_Sqrt] = sqrt_apply,
            [OP_FpUnaryOp_Tanh] = tanh_apply,
            [OP_FpUnaryOp_Sigmoid] = sigmoid_apply,
            [OP_FpUnaryOp_Erf] = erf_apply,
            [OP_FpUnaryOp_Log] = log_apply,
            [OP_FpUnaryOp_Sin] = sin_apply,
            [OP_FpUnaryOp_Cos] = cos_apply,
            [OP_FpBinaryOp_AddF] = add_float_apply,
            [OP_FpBinaryOp_SubF] = sub_float_apply,
            [OP_FpBinaryOp_MulF] = mul_float_apply,
            [OP_FpBinaryOp_MaskMulF] = mask_mul_float_apply,
            [OP_FpBinaryOp_DivF] = div_float_apply,
            [OP_FpTernaryOp_FmaF] = fma_float_apply,
            [OP_FpTernaryOp_MaskFmaF] = mask_fma_float_apply,
            [OP_FpDivBinaryOp_DivF] = div_float_apply,
            [OP_ClipBinaryOpI32_Min] = min_int_apply,
            [OP_ClipBinaryOpI32_Max] = max_int_apply,
            [OP_ClipBinaryOpI32_AbsMin] = abs_min_int_apply,
            [OP_ClipBinaryOpI32_AbsMax] = abs_max_int_apply,
            [OP_ClipBinaryOpI32_AddFxp] = add_apply,
            [OP_ClipBinaryOpI32_AddFxpSat] = add_sat_apply,
            [OP_ClipBinaryOpF32_Min] = min_float_apply,
            [OP_ClipBinaryOpF32_Max] = max_float_apply,
            [OP_ClipBinaryOpF32_AbsMin] = abs_min_float_apply,
            [OP_ClipBinaryOpF32_AbsMax] = abs_max_float_apply,
            [OP_ClipBinaryOpF32_Add] = add_float_apply,
            [OP_IntraSliceReduceOpI32_AddSat] = add_sat_apply,
            [OP_IntraSliceReduceOpI32_Max] = max_int_apply,
            [OP_IntraSliceReduceOpI32_Min] = min_int_apply,
            [OP_IntraSliceReduceOpF32_Add] = add_float_apply,
            [OP_IntraSliceReduceOpF32_Max] = max_float_apply,
            [OP_IntraSliceReduceOpF32_Min] = min_float_apply,
            [OP_InterSliceReduceOpI32_Add] = add_apply,
            [OP_InterSliceReduceOpI32_AddSat] = add_sat_apply,
            [OP_InterSliceReduceOpI32_Max] = max_int_apply,
            [OP_InterSliceReduceOpI32_Min] = min_int_apply,
            [OP_InterSliceReduceOpF32_Add] = add_float_apply,
            [OP_InterSliceReduceOpF32_Max] = max_float_apply,
            [OP_InterSliceReduceOpF32_Min] = min_float_apply,
            [OP_InterSliceReduceOpF32_Mul] = mul_float_apply,
        },
    .fold = {[OP_IntraSliceReduceOpI32_AddSat] = add_sat_fold,
             [OP_IntraSliceReduceOpI32_Max] = max_int_fold,
             [OP_IntraSliceReduceOpI32_Min] = min_int_fold,
             [OP_IntraSliceReduceOpF32_Add] = add_float_fold,
             [OP_IntraSliceReduceOpF32_Max] = max_float_fold,
             [OP_IntraSliceReduceOpF32_Min] = min_float_fold},
    .pairs = {[OP_IntraSliceReduceOpI32_AddSat] = add_sat_pairs,
              [OP_IntraSliceReduceOpI32_Max] = max_int_pairs,
              [OP_IntraSliceReduceOpI32_Min] = min_int_pairs,
              [OP_IntraSliceReduceOpF32_Add] = add_float_pairs,
              [OP_IntraSliceReduceOpF32_Max] = max_float_pairs,
              [OP_IntraSliceReduceOpF32_Min] = min_float_pairs},
    .merge = merge,
    .combine = combine,
    .deal = deal,
    .compare = compare,
    .fxp_to_fp = fxp_to_fp,
    .fp_to_fxp = fp_to_fxp,
};
