"""Scalar formats and single operations, bit by bit: what one lane of the hardware does with one element.

Arrays of i4 and i8 are int8; bf16, f16 and the 8-bit floats are bit patterns in uint16 and uint8.
Manual: Fetch Engine and Cast Engine (conversions), Intra-Slice Block (operators).
"""

import math

import numpy as np

MIN, MAX = -(2**31), 2**31 - 1


def i32(values):
    """Wraps integers of any size to 32 bits."""
    return np.asarray(values).astype(np.int64).astype(np.uint32).astype(np.int32)


def saturate(values):
    return np.clip(np.asarray(values), MIN, MAX).astype(np.int32)


def bits(floats):
    return np.ascontiguousarray(floats, np.float32).view(np.uint32)


def from_bits(patterns):
    return np.ascontiguousarray(patterns).astype(np.uint32).view(np.float32)


# bf16: the upper half of an f32.

def bf16_to_f32(patterns):
    return from_bits(np.asarray(patterns, np.uint32) << 16)


def f32_to_bf16(floats):
    """Nearest, ties to even; NaN keeps its upper bits and becomes quiet."""
    b = bits(floats).astype(np.uint64)
    rounded = (b + 0x7FFF + ((b >> 16) & 1)) >> 16
    quiet = (b >> 16) | 0x40
    return np.where(np.isnan(floats), quiet, rounded).astype(np.uint16)


# Small floats: all finite magnitudes in a table, indexed by their code.

def _small_table(exponent_bits, mantissa_bits, bias, codes):
    code = np.arange(codes)
    e, m = code >> mantissa_bits, code & ((1 << mantissa_bits) - 1)
    fraction = m / (1 << mantissa_bits)
    return np.where(e == 0, fraction * 2.0 ** (1 - bias), (1 + fraction) * 2.0 ** (e - bias))


E4M3 = _small_table(4, 3, 7, 0x7F)  # 0x7f is NaN, there is no infinity
E5M2 = _small_table(5, 2, 15, 0x7C)  # 0x7c is infinity, NaN above


def _nearest(table, magnitude):
    """The code of the nearest value, ties to the even code; beyond the table its last code."""
    right = np.clip(np.searchsorted(table, magnitude), 1, len(table) - 1)
    low, high = table[right - 1], table[right]
    up = (magnitude - low > high - magnitude) | ((magnitude - low == high - magnitude) & (right % 2 == 0))
    return np.where(magnitude >= table[-1], len(table) - 1, np.where(up, right, right - 1))


def f8e4m3_to_f32(patterns):
    p = np.asarray(patterns, np.uint8)
    value = np.append(E4M3, np.nan)[p & 0x7F]
    return np.where(p & 0x80, -value, value).astype(np.float32)


def f32_to_f8e4m3(floats):
    """Saturates at 448; every NaN is 0x7f."""
    f = np.asarray(floats, np.float64)
    code = _nearest(E4M3, np.where(np.isnan(f), 0, np.abs(f))) | (np.signbit(f) * 0x80)
    return np.where(np.isnan(f), 0x7F, code).astype(np.uint8)


def f8e5m2_to_f32(patterns):
    """The upper half of an f16."""
    return (np.asarray(patterns, np.uint16) << 8).astype(np.uint16).view(np.float16).astype(np.float32)


def f32_to_f8e5m2(floats):
    """As IEEE: beyond 57344 and a half step comes infinity. Not for NaN, whose bits nobody defines."""
    f = np.asarray(floats, np.float64)
    code = np.where(np.abs(f) >= 61440.0, 0x7C, _nearest(E5M2, np.abs(f)))
    return (code | (np.signbit(f) * 0x80)).astype(np.uint8)


def f16_to_f32(patterns):
    return np.asarray(patterns, np.uint16).view(np.float16).astype(np.float32)


def f32_to_f16(floats):
    with np.errstate(all="ignore"):
        return np.asarray(floats, np.float32).astype(np.float16).view(np.uint16)


def to_i4(integers):
    """The low four bits, with sign."""
    return (((np.asarray(integers, np.int64) + 8) & 15) - 8).astype(np.int8)


def to_i8(integers):
    return np.asarray(integers, np.int64).astype(np.uint8).view(np.int8)


def to_i16(integers):
    return np.asarray(integers, np.int64).astype(np.uint16).view(np.int16)


# Fixed point.

def wide(x):
    return np.asarray(x, np.int64)


def low5(x):
    return wide(x) & 31


def logic_shift_right(a, b):
    return i32((wide(a) & 0xFFFFFFFF) >> low5(b))


def arith_shift_right(a, b):
    return i32(wide(a) >> low5(b))


def arith_shift_right_round(a, b):
    """Adds half of the last place first."""
    s = low5(b)
    return i32((wide(a) + np.where(s == 0, 0, np.int64(1) << np.maximum(s - 1, 0))) >> s)


def shift_left(a, b):
    return i32(wide(a) << low5(b))


def shift_left_sat(a, b):
    """Saturating multiplication with 1 << b, which is negative for b = 31."""
    factor = np.where(low5(b) == 31, MIN, np.int64(1) << np.minimum(low5(b), 30))
    return saturate(wide(a) * factor)


def mul_fxp(a, b):
    """Q31: half a unit is added before the last bit goes; MIN * MIN does not fit and becomes MAX."""
    product = wide(a) * wide(b)
    result = i32(((product >> 30) + 1) >> 1)
    return np.where((wide(a) == MIN) & (wide(b) == MIN), np.int32(MAX), result).astype(np.int32)


def magnitude_i32(x):
    """|MIN| is MIN, below everything."""
    return i32(np.abs(wide(x)))


def abs_min(a, b):
    return np.where(magnitude_i32(a) < magnitude_i32(b), a, b).astype(np.int32)


def abs_max(a, b):
    return np.where(magnitude_i32(a) > magnitude_i32(b), a, b).astype(np.int32)


FXP = {
    "AddFxp": lambda a, b: i32(wide(a) + wide(b)),
    "AddFxpSat": lambda a, b: saturate(wide(a) + wide(b)),
    "SubFxp": lambda a, b: i32(wide(a) - wide(b)),
    "SubFxpSat": lambda a, b: saturate(wide(a) - wide(b)),
    "LeftShift": shift_left,
    "LeftShiftSat": shift_left_sat,
    "MulFxp": mul_fxp,
    "MulInt": lambda a, b: i32(wide(a) * wide(b)),
    "LogicRightShift": logic_shift_right,
    "ArithRightShift": arith_shift_right,
    "ArithRightShiftRound": arith_shift_right_round,
}
LOGIC = {
    "BitAnd": lambda a, b: a & b,
    "BitOr": lambda a, b: a | b,
    "BitXor": lambda a, b: a ^ b,
    "LeftShift": shift_left,
    "LogicRightShift": logic_shift_right,
    "ArithRightShift": arith_shift_right,
}
CLIP = {
    "Min": np.minimum,
    "Max": np.maximum,
    "AbsMin": abs_min,
    "AbsMax": abs_max,
    "AddFxp": FXP["AddFxp"],
    "AddFxpSat": FXP["AddFxpSat"],
}


def fxp_to_fp(x, width):
    """x * 2^(width - 31), rounded once: an i32 is exact in float64."""
    return (np.asarray(x, np.float64) * 2.0 ** (width - 31)).astype(np.float32)


def fp_to_fxp(x, width):
    """x * 2^(31 - width), half away from zero, saturating; NaN by its sign."""
    scaled = np.asarray(x, np.float64) * 2.0 ** (31 - width)
    finite = np.clip(np.nan_to_num(scaled, nan=0.0), -(2.0**40), 2.0**40)
    rounded = np.copysign(np.floor(np.abs(finite) + 0.5), finite)
    nan = np.where(np.signbit(np.asarray(x, np.float32)), MIN, MAX)
    return np.where(np.isnan(scaled), nan, np.clip(rounded, MIN, MAX)).astype(np.int64).astype(np.int32)


# Floats. NumPy's f32 operations are those of IEEE; functions are computed in float64 and rounded once.

def once(function):
    def rounded(x):
        with np.errstate(all="ignore"):
            return function(np.asarray(x, np.float64)).astype(np.float32)
    return rounded


exp, neg_exp, tanh, log, sin, cos = map(once, (np.exp, lambda x: np.exp(-x), np.tanh, np.log, np.sin, np.cos))
erf = once(np.vectorize(math.erf, otypes=[np.float64]))


def f32(function):
    """An operation of single precision, all steps rounded."""
    def quiet(*arguments):
        with np.errstate(all="ignore"):
            return function(*(np.asarray(a, np.float32) for a in arguments)).astype(np.float32)
    return quiet


sqrt = f32(np.sqrt)
add, sub, mul, div = map(f32, (np.add, np.subtract, np.multiply, np.divide))


def sigmoid(x):
    """1 / (1 + exp(-x)), each step rounded."""
    return div(1, add(1, neg_exp(x)))


def fma(a, b, c):
    """a * b + c, rounded once. The product is exact in float64; the sum is rounded to odd there, so that the second
    rounding to f32 sees on which side of a tie it is."""
    with np.errstate(all="ignore"):
        a, b, c = (np.asarray(v, np.float64) for v in (a, b, c))
        p = a * b
        s = p + c
        t = s - p
        error = (p - (s - t)) + (c - t)
        inexact = np.isfinite(s) & (error != 0)
        even = (s.view(np.uint64) & 1) == 0
        toward = np.nextafter(s, np.where(error > 0, np.inf, -np.inf))
        return np.where(inexact & even, toward, s).astype(np.float32)


def choose(condition, a, b):
    return np.where(condition, a, b).astype(np.float32)


CLIP_F32 = {
    "Min": f32(np.fmin),
    "Max": f32(np.fmax),
    "AbsMin": f32(lambda a, b: choose(np.abs(a) < np.abs(b), a, b)),
    "AbsMax": f32(lambda a, b: choose(np.abs(a) > np.abs(b), a, b)),
    "Add": add,
}
LOGIC_F32 = {name: (lambda f: lambda a, b: from_bits(f(bits(a), bits(b))))(LOGIC[name])
             for name in ("BitAnd", "BitOr", "BitXor")}
UNARY = {"exp": exp, "neg_exp": neg_exp, "sqrt": sqrt, "tanh": tanh, "sigmoid": sigmoid, "erf": erf,
         "log": log, "sin": sin, "cos": cos}
