"""fixed_point.rs, logic.rs, clip.rs, float_*.rs, conversions.rs: one operator after the other, on 8192 elements."""

import numpy as np

from . import numbers as n
from .case import F32_EDGES, File, f32_pair, i32_pair, near_powers, normal

N = 8192


def integers(function, operand=True):
    """A kernel over i32: x alone, or x with y."""
    def build(rng):
        x, y = i32_pair(rng, N)
        return ({"x": x, "y": y}, function(x, y)) if operand else ({"x": x}, function(x))
    return build


def floats(function, operand=True, make=f32_pair):
    def build(rng):
        x, y = make(rng, N)
        return ({"x": x, "y": y}, function(x, y)) if operand else ({"x": x}, function(x))
    return build


def no_zeros(rng, count):
    """Which of +0 and -0 a minimum returns is open: keep them apart."""
    x, y = f32_pair(rng, count)
    return x, np.where(y == 0, np.float32(0.25), y)


def snake(name):
    return "".join("_" + c.lower() if c.isupper() and i else c.lower() for i, c in enumerate(name))


fixed = File("fixed_point.rs")
for name, op in n.FXP.items():
    fixed.add(snake(name), integers(op))
sub_sat = n.FXP["SubFxpSat"]
fixed.add("sub_mode00", integers(lambda x: sub_sat(x, x), operand=False))
fixed.add("sub_mode01", integers(sub_sat))
fixed.add("sub_mode10", integers(lambda x, y: sub_sat(y, x)))
fixed.add("sub_mode11", integers(lambda x, y: sub_sat(y, y)))


@fixed
def four_alus(rng):
    x, _ = i32_pair(rng, N)
    y = n.FXP["AddFxpSat"](x, 1 << 20)
    y = n.mul_fxp(y, np.int32(0x40000001))
    y = n.shift_left_sat(y, 3)
    return {"x": x}, n.arith_shift_right(y, 5)


fixed.add("shift_of_constant", integers(lambda x: n.shift_left(np.full_like(x, 1), x), operand=False))

logic = File("logic.rs")
for name, op in n.LOGIC.items():
    logic.add(snake(name), integers(op))
for name, op in n.LOGIC_F32.items():
    logic.add("float_" + snake(name), floats(op), exact=True)
shift = n.logic_shift_right
logic.add("shift_mode00", integers(lambda x: shift(x, x), operand=False))
logic.add("shift_mode10", integers(lambda x, y: shift(y, x)))
logic.add("shift_mode11", integers(lambda x, y: shift(y, y)))
logic.add("five_alus", integers(
    lambda x: n.arith_shift_right(n.shift_left((x & 0x0FFFFFFF) ^ -1, 3), 7) | 0x10, operand=False))
logic.add("absolute_value", floats(lambda x: n.from_bits(n.bits(x) | 0x80000000), operand=False), exact=True)

clip = File("clip.rs")
for name, op in n.CLIP.items():
    clip.add(snake(name), integers(op))
for name, op in n.CLIP_F32.items():
    clip.add("float_" + snake(name), floats(op, make=no_zeros if name in ("Min", "Max") else f32_pair))
clip.add("abs_max_mode00", integers(lambda x: x, operand=False))
clip.add("abs_max_mode10", integers(lambda x, y: n.abs_max(y, x)))
clip.add("abs_max_mode11", integers(lambda x, y: y))
clip.add("float_abs_min_mode10", floats(lambda x, y: n.CLIP_F32["AbsMin"](y, x)))
clip.add("clamp", integers(lambda x: np.clip(n.FXP["AddFxpSat"](x, 77), -1000, 1000), operand=False))
clip.add("float_clamp", floats(
    lambda x: n.add(n.CLIP_F32["Max"](n.CLIP_F32["Min"](x, np.float32(6)), np.float32(-6)), 0.5), operand=False))

unary = File("float_unary.rs")


def arguments(rng, count):
    """Small numbers, where the functions do something, and edges."""
    x = np.concatenate([np.array(F32_EDGES, np.float32), normal(rng, count // 2, 3), near_powers(rng, 1000),
                        rng.uniform(-110, 110, count).astype(np.float32)])[:count]
    return x, x


for name, op in n.UNARY.items():
    unary.add(name, floats(op, operand=False, make=arguments))
unary.add("exp_mode0", floats(n.exp, operand=False, make=arguments))

binary = File("float_binary.rs")
binary.add("add", floats(n.add))
binary.add("sub", floats(n.sub))
for name in ("mul0", "mul1", "mul_fma"):
    binary.add(name, floats(n.mul))
binary.add("div", floats(n.div))
binary.add("div_mode00", floats(lambda x: n.div(x, x), operand=False))
binary.add("div_mode10", floats(lambda x, y: n.div(y, x)))
binary.add("div_mode11", floats(lambda x, y: n.div(y, y)))

ternary = File("float_ternary.rs")
C = np.float32(0.75)
ternary.add("fma_mode012", floats(lambda x, y: n.fma(x, y, C)))
ternary.add("fma_mode002", floats(lambda x: n.fma(x, x, C), operand=False))
ternary.add("fma_mode102", floats(lambda x, y: n.fma(y, x, C)))
ternary.add("fma_mode112", floats(lambda x, y: n.fma(y, y, C)))
ternary.add("fma_mode020", floats(lambda x: n.fma(x, C, x), operand=False))
ternary.add("fma_mode021", floats(lambda x, y: n.fma(x, C, y)))
ternary.add("fma_mode120", floats(lambda x, y: n.fma(y, C, x)))
ternary.add("late_div", floats(n.div))
ternary.add("late_div_mode00", floats(lambda x: n.div(x, x), operand=False))
ternary.add("late_div_mode10", floats(lambda x, y: n.div(y, x)))
ternary.add("late_div_mode11", floats(lambda x, y: n.div(y, y)))
ternary.add("five_alus", floats(
    lambda x: n.div(1, n.neg_exp(n.sqrt(n.mul(n.mul(n.add(x, 1), 0.5), 3)))), operand=False))

conversions = File("conversions.rs")
for width in (0, 1, 8, 16, 24, 31):
    conversions.add(f"to_float_{width}",
                    (lambda w: integers(lambda x: n.fxp_to_fp(x, w), operand=False))(width))


def around_halves(rng, count):
    """Numbers whose rounding is decided by a half, and others."""
    halves = (rng.integers(-70000, 70000, count // 2) * 2 + 1) / 2
    x = np.concatenate([np.array(F32_EDGES), halves, halves / 2**15, rng.normal(0, 100, count)])
    return x[:count].astype(np.float32), None


for width in (0, 7, 16, 31):
    conversions.add(f"to_fixed_{width}",
                    (lambda w: floats(lambda x: n.fp_to_fxp(x, w), operand=False, make=around_halves))(width))
conversions.add("there_and_back", integers(
    lambda x: np.maximum(n.fp_to_fxp(n.mul(n.fxp_to_fp(n.i32(n.wide(x) + 5), 20), 0.1), 12), -300_000_000),
    operand=False))
