"""zips.rs, pairs.rs, intra_slice.rs, inter_slice.rs: two streams become one, many elements become one."""

import numpy as np

from . import numbers as n
from .case import File, f32_pair, i32_pair, ints, normal
from .elementwise import N, snake
from .sums import fold, packets

# Two groups. The mode of a zip names them: 0 is x, 1 is y.

zips = File("zips.rs")
MODES = {"00": (0, 0), "01": (0, 1), "10": (1, 0), "11": (1, 1)}
KINDS = {"fxp": (i32_pair, n.FXP["SubFxp"]), "logic": (i32_pair, n.shift_left), "clip": (i32_pair, n.abs_min),
         "fp": (f32_pair, n.sub)}


def zipped(make, op, first, second):
    def build(rng):
        pair = make(rng, N)
        return {"x": pair[0], "y": pair[1]}, op(pair[first], pair[second])
    return build


for kind, (make, op) in KINDS.items():
    for mode, (first, second) in MODES.items():
        zips.add(f"{kind}_zip{mode}", zipped(make, op, first, second))

pairs = File("pairs.rs")
add, mul_int = n.FXP["AddFxp"], n.FXP["MulInt"]


def of_pair(make, function):
    def build(rng):
        x, y = make(rng, N)
        return {"x": x, "y": y}, function(x, y)
    return build


def small(rng, count):
    return normal(rng, count, 5), normal(rng, count, 5)


pairs.add("float_logic_zip", of_pair(f32_pair, lambda x, y: n.CLIP_F32["Min"](n.LOGIC_F32["BitOr"](x, y), np.float32(3))))
pairs.add("float_clip_zip", of_pair(f32_pair, n.add))
pairs.add("one_side", of_pair(i32_pair, lambda x, y: add(mul_int(x, 10), y)))


@pairs
def two_sides(rng):
    x, y = i32_pair(rng, N)
    z = ints(rng, N, -1000, 1000)
    product = mul_int(7 - (x & 0xFFFF), z - (y & 0xFF))
    return {"x": x, "y": y, "z": z}, np.minimum(product, 1 << 20)


pairs.add("float_sides", of_pair(small, lambda x, y: n.mul(n.exp(x), n.mul(y, 0.5))))


@pairs
def ternary_sides(rng):
    x, y = f32_pair(rng, N)
    z = normal(rng, N)
    return {"x": x, "y": y, "z": z}, n.div(n.fma(y, z, np.float32(-1)), n.fma(x, np.float32(2), np.float32(1)))


pairs.add("division_late", of_pair(small, lambda x, y: np.fmax(n.div(x, 3), y)))


@pairs
def converted(rng):
    x, y = i32_pair(rng, N)
    left = n.fp_to_fxp(n.mul(n.fxp_to_fp(x, 31), 0.001), 31)
    right = np.maximum(n.fp_to_fxp(n.mul(n.fxp_to_fp(y, 31), 0.002), 31), 0)
    return {"x": x, "y": y}, n.FXP["AddFxpSat"](left, right)


pairs.add("mode_of_a_side", of_pair(f32_pair, lambda x, y: n.div(n.sub(1, x), n.sub(4, y))))
pairs.add("work_after_zip", of_pair(
    i32_pair, lambda x, y: np.maximum(n.arith_shift_right(add(x ^ y, 1), 1), -5)))


@pairs
def trimmed(rng):
    x, y = normal(rng, (256, 4, 3)), normal(rng, (256, 4, 3))
    return {"x": x, "y": y}, n.mul(n.exp(x), y)


# Inside a slice: four lanes by a tree, then time step after time step.

intra = File("intra_slice.rs")
INT_OPS = {"AddSat": n.FXP["AddFxpSat"], "Max": np.maximum, "Min": np.minimum}
FLOAT_OPS = {"Add": n.add, "Max": np.fmax, "Min": np.fmin}
S = 256


def wild(rng, shape):
    """Floats of very different sizes: the order of a sum shows."""
    return (normal(rng, shape) * 2.0 ** rng.integers(-12, 13, shape)).astype(np.float32)


def large(rng, shape):
    """Integers whose sums saturate now and then, so that their order shows, too."""
    return ints(rng, shape, -(2**30) * 2, 2**31)


def in_rows(make, op, length):
    def build(rng, numerics):
        x = make(rng, (S, length))
        return {"x": x}, packets(op, x, 4, numerics)
    return build


def in_time(make, op):
    def build(rng):
        x = make(rng, (S, 24, 4))
        return {"x": x}, fold(op, x, 1)
    return build


for make, prefix, ops in ((large, "", INT_OPS), (wild, "float_", FLOAT_OPS)):
    for name, op in ops.items():
        intra.add(prefix + snake(name), in_rows(make, op, 24))
        intra.add(prefix + snake(name) + "_time", in_time(make, op))
        intra.add(prefix + snake(name) + "_padded", in_rows(make, op, 21))


@intra
def lanes_only(rng, numerics):
    x = wild(rng, (S, 24, 4))
    return {"x": x}, packets(n.add, x, 4, numerics)


@intra
def slots(rng):
    x = large(rng, (S, 24, 4, 2, 4))
    return {"x": x}, fold(INT_OPS["AddSat"], x, 1)


@intra
def between(rng):
    x = wild(rng, (S, 24, 4, 4))
    return {"x": x}, fold(n.add, x, 1)


@intra
def inner_time(rng):
    x = large(rng, (S, 4, 24, 4))
    return {"x": x}, x.max(axis=2)


@intra
def sum_of_squares_mean(rng, numerics):
    x = wild(rng, (S, 24))
    return {"x": x}, n.div(packets(n.add, n.mul(x, x), 4, numerics), 24)


@intra
def log_sum_exp(rng, numerics):
    x = normal(rng, (S, 21), 3)
    return {"x": x}, packets(n.add, n.exp(x), 4, numerics)


@intra
def slices_and_time(rng):
    x = large(rng, (32, 21, 4))
    return {"x": x}, fold(INT_OPS["AddSat"], x.reshape(32, 7, 3, 4), 2)


@intra
def transposed(rng):
    x = wild(rng, (64, 5, 4))
    y = x[:, :4].copy()
    y[:, 0] = n.add(x[:, 0], x[:, 4])
    return {"x": x}, y


# Over slices: in ascending order of the slice.

inter = File("inter_slice.rs")
SHAPE = (64, 4, 4, 8)  # W, R, Q, P
INT_INTER = {"Add": add, **INT_OPS}
FLOAT_INTER = {**FLOAT_OPS, "Mul": n.mul}


def copied(x):
    """W, Q, P -> W, X, Q, P"""
    return np.repeat(x[:, None], 4, axis=1)


def over_slices(make, op, to_all):
    def build(rng):
        x = make(rng, SHAPE)
        result = fold(op, x, 1)
        return {"x": x}, copied(result) if to_all else result
    return build


def moderate(rng, shape):
    return (normal(rng, shape) * 2.0 ** rng.integers(-6, 7, shape)).astype(np.float32)


for make, prefix, ops in ((large, "", INT_INTER), (moderate, "float_", FLOAT_INTER)):
    for name, op in ops.items():
        inter.add(prefix + snake(name), over_slices(make, op, False))
        inter.add(prefix + snake(name) + "_to_all", over_slices(make, op, True))
inter.add("promoted", over_slices(large, INT_OPS["AddSat"], False))
inter.add("float_promoted", over_slices(wild, n.add, False))


@inter
def then_intra(rng):
    x = large(rng, SHAPE)
    return {"x": x}, np.maximum(add(fold(INT_OPS["AddSat"], x, 1), 100), 0)


@inter
def then_float(rng):
    x = normal(rng, SHAPE)
    return {"x": x}, n.exp(fold(n.add, x, 1))


@inter
def intra_first(rng):
    x = large(rng, SHAPE)
    return {"x": x}, fold(INT_OPS["AddSat"], n.mul_fxp(x, np.int32(0x30000000)), 1)


@inter
def squares_first(rng):
    x = wild(rng, SHAPE)
    return {"x": x}, copied(fold(n.add, n.mul(x, x), 1))


@inter
def whole_clusters(rng):
    x = wild(rng, (2, 256, 8))
    return {"x": x}, fold(n.add, x, 1)


@inter
def outer_factor(rng):
    x = large(rng, (4, 64, 8))
    return {"x": x}, fold(INT_OPS["AddSat"], x, 0)
