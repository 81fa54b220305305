// Functions of f32 by double precision polynomials, without branches.
//
// The definition (scalar/arith.c) is the double of the C library, rounded to float. A double here
// may be off by 2^-40 of itself at most, the polynomials by less than 2^-43. Where all doubles that
// near round to one float, that float is the result, whatever the last bits are, so all instruction
// sets agree. Where they do not, the element is in doubt, about one of 16,000, and the definition
// itself is asked.
#include "device/loops/math.h"

#include "scalar/bits.h"
#include "scalar/scalar.h"

#include <math.h>

enum { BLOCK = 256 };

// In the middle of two floats: always in doubt.
static const double unsure = 0x1.000001p0;

static inline uint64_t bits_of_double(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline double double_of_bits(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline double multiply_add(double a, double b, double c)
{
#ifdef __FMA__
    return __builtin_fma(a, b, c);
#else
    return a * b + c;
#endif
}

// A polynomial, its coefficients from the highest power down.
#define STEP(sum, x, c) multiply_add(sum, x, c)
#define POLYNOMIAL_7(x, a, b, c, d, e, f, g) \
    STEP(STEP(STEP(STEP(STEP(STEP(a, x, b), x, c), x, d), x, e), x, f), x, g)
#define POLYNOMIAL_10(x, a, b, c, d, e, f, g, h, i, j) \
    STEP(STEP(STEP(POLYNOMIAL_7(x, a, b, c, d, e, f, g), x, h), x, i), x, j)
#define POLYNOMIAL_11(x, a, b, c, d, e, f, g, h, i, j, k) \
    STEP(POLYNOMIAL_10(x, a, b, c, d, e, f, g, h, i, j), x, k)

// Adding it to a double below 2^51 leaves the nearest integer in the low bits.
static const double to_integer = 0x1.8p52;

static const uint64_t sign_bit = UINT64_C(1) << 63;

static inline double with_sign_of(double magnitude, double x)
{
    return double_of_bits(bits_of_double(magnitude) | (bits_of_double(x) & sign_bit));
}

static inline double magnitude_of(double x)
{
    return double_of_bits(bits_of_double(x) & ~sign_bit);
}

// Of a NaN: the bound. What comes of it is not looked at.
static inline double at_most(double x, double bound)
{
    return x < bound ? x : bound;
}

static inline double at_least(double x, double bound)
{
    return x > bound ? x : bound;
}

// ---- e^x = 2^n * e^r

typedef struct {
    double power; // 2^n
    double rest;  // r, at most ln 2 / 2
} Halvings;

// Requires: x leads to powers that doubles have.
static inline Halvings take_halvings(double x)
{
    double shifted = multiply_add(x, 0x1.71547652b82fep+0, to_integer), n = shifted - to_integer;
    double rest = multiply_add(n, -0x1.62e42fef00000p-1, x);
    uint64_t power = (bits_of_double(shifted) + 1023) << 52;
    return (Halvings){double_of_bits(power), multiply_add(n, -0x1.473de6af278edp-34, rest)};
}

// What is beyond the bounds is 0 or infinite as a float.
static inline double exp_of(double x)
{
    double sum;
    Halvings halvings = take_halvings(at_least(at_most(x, 90), -110));
    sum = POLYNOMIAL_10(halvings.rest, 0x1.72e1150d0c9b6p-19, 0x1.a17e031985654p-16,
                        0x1.a01994bd214e7p-13, 0x1.6c162ba880942p-10, 0x1.11111123c1f47p-7,
                        0x1.55555588c026cp-5, 0x1.5555555550d79p-3, 0x1.ffffffffe74a0p-2,
                        0x1.0000000000006p+0, 0x1.000000000003dp+0);
    return sum * halvings.power;
}

static inline double neg_exp_of(double x)
{
    return exp_of(-x);
}

// With t = e^2|x| - 1: t / (t + 2). From 10 on it is 1 as a float.
static inline double tanh_of(double x)
{
    double sum;
    Halvings halvings = take_halvings(2 * at_most(magnitude_of(x), 10));
    sum = POLYNOMIAL_10(halvings.rest, 0x1.289185613a3d6p-22, 0x1.72e1150d0c9b6p-19,
                        0x1.a019b90d2ae7ap-16, 0x1.a01994bd214e7p-13, 0x1.6c16c1788bd90p-10,
                        0x1.11111123c1f47p-7, 0x1.5555555553d63p-5, 0x1.5555555550d79p-3,
                        0x1.0000000000001p-1, 0x1.0000000000006p+0);
    double t = multiply_add(sum * halvings.rest, halvings.power, halvings.power - 1);
    return with_sign_of(t / (t + 2), x);
}

// ---- error function: up to 1 a polynomial, beyond it 1 - e^-x^2 g(x). From 4 on it is 1 as a
// float.

static inline double erf_of(double x)
{
    double near, far, a = at_most(magnitude_of(x), 4), square = a * a;
    double t = (a - 2.5) / (a + 2.5);
    near = POLYNOMIAL_11(square, 0x1.43f6d0dee7032p-27, -0x1.462a758d4591dp-23,
                         0x1.b5d3ea9fd0b5ap-20, -0x1.f4684782919e8p-17, 0x1.f99c295886f05p-14,
                         -0x1.c02d67e37081ep-11, 0x1.565bcb082cca2p-8, -0x1.b82ce3026aae0p-6,
                         0x1.ce2f21a000d30p-4, -0x1.812746b037352p-2, 0x1.20dd750429b6bp+0);
    far = POLYNOMIAL_11(t, -0x1.862dfa5fce199p-15, -0x1.11205e8352faep-13, 0x1.e1c71f4171e87p-13,
                        0x1.cb6c6dbb45ddbp-11, -0x1.5a58741a5fc53p-9, -0x1.05bb7f27a3171p-8,
                        0x1.470ba21103671p-5, -0x1.0011542be05e7p-3, 0x1.01c11a736ce4dp-2,
                        -0x1.7ca88dec28671p-2, 0x1.afbb3f3b732e3p-3);
    far = 1 - exp_of(-square) * far;
    near *= a;
    return with_sign_of(a < 1 ? near : far, x);
}

// ---- ln x = k ln 2 + ln m, m between the roots of 1/2 and 2

static inline double log_of(double x)
{
    double sum;
    uint64_t root = UINT64_C(0x3fe6a09e667f3bcd); // of 1/2
    // counted from 2^-1022 on, so that it is not negative
    uint64_t above = bits_of_double(x) - root + (UINT64_C(1022) << 52);
    uint64_t exponent = above >> 52 << 52;
    double m = double_of_bits(bits_of_double(x) - exponent + (UINT64_C(1022) << 52));
    double k = double_of_bits((exponent >> 52) | bits_of_double(0x1p52)) - (0x1p52 + 1022);
    double f = (m - 1) / (m + 1);
    sum = POLYNOMIAL_7(f * f, 0x1.58d770fefc0adp-3, 0x1.7322ff4ce4c9bp-3, 0x1.c722cdefe2e56p-3,
                       0x1.249240b6add32p-2, 0x1.999999a437ca9p-2, 0x1.5555555552d43p-1,
                       0x1.0000000000001p+1);
    double result = multiply_add(k, 0x1.62e42fefa39efp-1, sum * f);
    result = x < (double)INFINITY ? result : x;
    double outside = x < 0 ? (double)NAN : -(double)INFINITY;
    return x <= 0 ? outside : result;
}

// ---- sine and cosine: x = n pi/2 + r

// The first parts of pi/2 have 33 bits: up to here n times them is exact.
static const double exact_turns = 0x1p20;

// Quadrant 0: sin r; 1: cos r; 2: -sin r; 3: -cos r. `quarter`: 1 for the cosine.
static inline double turn_of(double x, uint64_t quarter)
{
    double sine, cosine;
    double shifted = multiply_add(x, 0x1.45f306dc9c883p-1, to_integer), n = shifted - to_integer;
    double r = x - n * 0x1.921fb54400000p+0;
    r -= n * 0x1.0b4611a600000p-34;
    r -= n * 0x1.3198a2e037073p-69;
    double square = r * r;
    sine =
        POLYNOMIAL_7(square, 0x1.5d873a7cbedebp-33, -0x1.ae5e374862b03p-26, 0x1.71de352fe0423p-19,
                     -0x1.a01a019ba86e6p-13, 0x1.111111110f3d4p-7, -0x1.5555555555543p-3, 1.0);
    cosine =
        POLYNOMIAL_7(square, 0x1.1b8ac93386c1dp-29, -0x1.27df3f747e521p-22, 0x1.a019f7fc0d9eep-16,
                     -0x1.6c16c163c3f3ep-10, 0x1.555555554e7cfp-5, -0x1.fffffffffff79p-2, 1.0);
    uint64_t quadrant = bits_of_double(shifted) + quarter;
    sine *= r;
    double result = quadrant & 1 ? cosine : sine;
    result = double_of_bits(bits_of_double(result) ^ (quadrant & 2) << 62);
    return magnitude_of(x) < exact_turns ? result : unsure;
}

static inline double sin_of(double x)
{
    return turn_of(x, 0);
}

static inline double cos_of(double x)
{
    return turn_of(x, 1);
}

// ---- rounding

// Each step is rounded.
static inline uint32_t one_over_one_plus(float power)
{
    return f32_clean(1.0F / (1.0F + power));
}

// `finish` makes the result of the rounded function.
#define FUNCTION(name, function, definition, finish)                                \
    void LOOPS(math_##name)(const uint32_t *in, int64_t count, uint32_t *out)       \
    {                                                                               \
        uint32_t result[BLOCK], doubt[BLOCK];                                       \
        for (int64_t at = 0; at < count; at += BLOCK) {                             \
            int64_t here = count - at < BLOCK ? count - at : BLOCK;                 \
            uint32_t any = 0;                                                       \
            _Pragma("omp simd reduction(|:any)") for (int64_t i = 0; i < here; i++) \
            {                                                                       \
                double value = function((double)float_of_bits(in[at + i]));         \
                uint32_t below = bits_of_float((float)(value * (1 - 0x1p-40)));     \
                uint32_t above = bits_of_float((float)(value * (1 + 0x1p-40)));     \
                uint32_t rounded = finish(float_of_bits(below));                    \
                result[i] = f32_is_nan(in[at + i]) ? F32_NAN : rounded;             \
                doubt[i] = below ^ above;                                           \
                any |= below ^ above;                                               \
            }                                                                       \
            for (int64_t i = 0; any && i < here; i++)                               \
                if (doubt[i])                                                       \
                    result[i] = math_f32(definition, in[at + i]);                   \
            memcpy(out + at, result, (size_t)here * sizeof *out);                   \
        }                                                                           \
    }

FUNCTION(exp, exp_of, MATH_EXP, f32_clean)
FUNCTION(neg_exp, neg_exp_of, MATH_NEG_EXP, f32_clean)
FUNCTION(sigmoid, neg_exp_of, MATH_SIGMOID, one_over_one_plus)
FUNCTION(tanh, tanh_of, MATH_TANH, f32_clean)
FUNCTION(erf, erf_of, MATH_ERF, f32_clean)
FUNCTION(log, log_of, MATH_LN, f32_clean)
FUNCTION(sin, sin_of, MATH_SIN, f32_clean)
FUNCTION(cos, cos_of, MATH_COS, f32_clean)
