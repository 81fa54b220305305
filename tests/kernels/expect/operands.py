"""operands.rs, branches.rs, groups.rs: where operands come from, and which elements they meet."""

import numpy as np

from . import numbers as n
from .case import File, f32_pair, i32_pair, ints, normal
from .elementwise import N, floats, integers

operands = File("operands.rs")
add, sub, mul_int = n.FXP["AddFxp"], n.FXP["SubFxp"], n.FXP["MulInt"]
odd = np.arange(N) % 2 == 1

operands.add("stash_fxp", integers(
    lambda x: np.maximum(n.FXP["SubFxpSat"](mul_int(x, 3), x), x), operand=False))


@operands
def stash_after_fxp(rng):
    x, _ = i32_pair(rng, N)
    kept = add(x, 12345)
    return {"x": x}, n.FXP["AddFxpSat"](kept, n.arith_shift_right(kept, 4))


@operands
def stash_converted(rng):
    x, _ = i32_pair(rng, N)
    kept = n.fxp_to_fp(x, 31)
    return {"x": x}, n.CLIP_F32["Min"](n.add(n.mul(kept, 3), kept), kept)


operands.add("stash_over_narrow", floats(
    lambda x: n.CLIP_F32["AbsMax"](n.add(n.mul(x, -1.5), x), x), operand=False))


@operands
def stash_in_float(rng):
    x = np.abs(normal(rng, N, 20))
    root = n.sqrt(x)
    return {"x": x}, n.div(n.exp(root), root)


operands.add("stash_ternary", floats(lambda x: n.fma(n.mul(x, 0.3), x, np.float32(0.25)), operand=False))


@operands
def two_operands(rng):
    x, y = f32_pair(rng, N)
    z = normal(rng, N)
    return {"x": x, "y": y, "z": z}, n.mul(n.sub(x, y), z)


operands.add("one_operand_twice", integers(lambda x, y: add(mul_int(x ^ y, y), y)))


@operands
def both_groups(rng):
    x, y = i32_pair(rng, N)
    z = ints(rng, N, -1000, 1000)
    return {"x": x, "y": y, "z": z}, np.where(odd, np.maximum(sub(x, 7), z), add(x, y))


operands.add("group_and_always", integers(lambda x, y: sub(np.where(odd, sub(x, y), x), 3)))
operands.add("stash_in_group", integers(
    lambda x: np.where(x < 0, add(n.arith_shift_right(x, 2), x), add(n.arith_shift_right(x, 2), 1)), operand=False))
operands.add("ternary_groups", floats(
    lambda x, y: np.where(x > np.float32(0.5), n.fma(x, y, np.float32(2)), n.fma(x, np.float32(-3), np.float32(0.5)))))
operands.add("unary_ignores_groups", floats(
    lambda x: np.where(x < np.float32(0.25), n.add(n.sqrt(x), 10), n.sqrt(x)), operand=False))

branches = File("branches.rs")


def unsigned(x):
    return n.wide(x) & 0xFFFFFFFF


for name, test in {
    "equal": lambda x: x == 3,
    "less": lambda x: x < -5,
    "greater": lambda x: x > 100,
    "less_unsigned": lambda x: unsigned(x) < 1000,
    "greater_unsigned": lambda x: unsigned(x) > unsigned(-100),
    "always": lambda x: np.full(x.shape, True),
    "never": lambda x: np.full(x.shape, False),
}.items():
    branches.add("by_" + name, (lambda t: integers(
        lambda x: np.where(t(x), add(x, 1_000_000), add(x, -1)), operand=False))(test))


def pattern(value):
    return n.bits(np.float32(value))


for name, test in {
    "equal": lambda x: x == 0,
    "less": lambda x: x < np.float32(1.5),
    "greater": lambda x: x > np.float32(-2),
    "less_unsigned": lambda x: n.bits(x) < pattern(1.0),
    "greater_unsigned": lambda x: n.bits(x) > pattern(1.0),
}.items():
    branches.add("float_by_" + name, (lambda t: floats(
        lambda x: n.from_bits(np.where(t(x), n.bits(x) ^ 0x80000000, n.bits(x))), operand=False))(test), exact=True)
branches.add("unconditional", integers(lambda x: add(x, 1), operand=False))

groups = File("groups.rs")
S, Q, A = 256, 6, 8


def along(axis, shape):
    """True in the odd places of an axis."""
    index = np.arange(shape[axis]) % 2 == 1
    return index.reshape([-1 if i == axis else 1 for i in range(len(shape))])


@groups
def toggle_time(rng):
    x = ints(rng, (S, Q, A))
    return {"x": x}, np.where(along(1, x.shape), mul_int(x, -1), x)


@groups
def toggle_slice(rng):
    x = ints(rng, (S, Q, A))
    return {"x": x}, np.where(along(0, x.shape), add(x, 20), add(x, 10))


@groups
def toggle_lanes(rng):
    x = normal(rng, (S, Q, A), 10)
    return {"x": x}, np.where(along(2, x.shape), n.mul(x, 2), n.add(x, 0.5))


@groups
def valid_count(rng):
    x = ints(rng, (S, 61))
    return {"x": x}, add(x, 1)


@groups
def filter_odd(rng):
    x = ints(rng, (S, Q, A))
    return {"x": x}, add(x[:, 1::2], 7)


@groups
def filter_nothing(rng):
    x = normal(rng, (S, Q, A))
    return {"x": x}, np.fmax(x, np.float32(0))


@groups
def padded_lanes(rng):
    x = normal(rng, (S, Q, 5))
    return {"x": x}, np.where(along(2, x.shape), n.add(x, 1), x)


@groups
def ids_after_reduction(rng):
    x = ints(rng, (S, Q, A), -1000, 1000)
    return {"x": x}, np.where(x[..., -1] < 0, x.sum(axis=2) + 1_000_000, x.sum(axis=2)).astype(np.int32)


@groups
def toggle_pairs(rng):
    x = ints(rng, (S, 4, A))
    return {"x": x}, np.where(along(1, x.shape), add(x, 1000), x)


@groups
def toggle_parts(rng):
    x = ints(rng, (S, 2, 2, A))
    return {"x": x}, np.where(along(2, x.shape), add(x, 1000), x)


@groups
def operand_of_rows(rng):
    x, y = ints(rng, (S, Q, A)), ints(rng, (S, Q))
    return {"x": x, "y": y}, np.where(along(2, x.shape), mul_int(x, y[..., None]), x)


@groups
def filter_by_value(rng):
    x = ints(rng, (S, Q, A), 1, 1000)
    kept = np.sort(rng.permuted(np.tile(np.arange(Q), (S, 1)), axis=1)[:, : Q // 2], axis=1)
    signs = np.full((S, Q, 1), -1, np.int32)
    np.put_along_axis(signs, kept[..., None], 1, axis=1)
    x = x * signs
    return {"x": x}, np.minimum(np.take_along_axis(x, kept[..., None], axis=1), 500)
