"""contraction_rows.rs, contraction_shapes.rs: products and their sums, in the order of the hardware."""

import numpy as np

from . import numbers as n
from .case import File, ints, normal
from .sums import fold, packets, tree

S = 256
PACKET = {"i4": 128, "i8": 64, "f8e4m3": 64, "bf16": 32}  # elements in 64 bytes


def values(rng, kind, shape):
    """Stored values, and what they stand for: integers, or floats of very different sizes."""
    if kind in ("i4", "i8"):
        low = -8 if kind == "i4" else -128
        x = ints(rng, shape, low, -low, np.int8)
        return x, x.astype(np.int32)
    wild = normal(rng, shape) * 2.0 ** rng.integers(-4, 5, shape)
    if kind == "bf16":
        x = n.f32_to_bf16(wild.astype(np.float32))
        return x, n.bf16_to_f32(x)
    x = n.f32_to_f8e4m3(wild)
    return x, n.f8e4m3_to_f32(x)


def summed(x, w, kind, numerics):
    """The sum over the last axis of x * w."""
    if kind in ("i4", "i8"):
        return n.i32((x.astype(np.int64) * w).sum(axis=-1))
    return packets(n.add, n.mul(x, w), PACKET[kind], numerics)


rows = File("contraction_rows.rs")


def product(kind, count):
    """x[S, I, K] with w[rows, K]; a single row has no axis."""
    def build(rng, numerics):
        x, fx = values(rng, kind, (S, 4, 128))
        w, fw = values(rng, kind, (count, 128))
        y = summed(fx[:, :, None, :], fw, kind, numerics)
        return {"x": x, "w": w if count > 1 else w[0]}, y if count > 1 else y[:, :, 0]
    return build


for count in (1, 2, 4, 8):
    for order in ("interleaved", "sequential"):
        rows.add(f"bf16_rows{count}_{order}", product("bf16", count))
for kind, count, order in (("i8", 8, "interleaved"), ("i8", 4, "sequential"), ("i4", 8, "interleaved"),
                           ("i4", 2, "sequential"), ("f8e4m3", 8, "interleaved"), ("f8e4m3", 1, "sequential")):
    rows.add(f"{kind}_rows{count}_{order}", product(kind, count))


def specials(kind, count):
    """Infinities, NaNs, zeros of both signs, and the smallest numbers, a few in each row."""
    def build(rng, numerics):
        x, _ = values(rng, kind, (S, 4, 128))
        w, _ = values(rng, kind, (count, 128))
        odd = {"bf16": [0x7F80, 0xFF80, 0x7FC0, 0x0001, 0x8001, 0x7F7F, 0x0080],
               "f8e4m3": [0x7F, 0x7E, 0xFE, 0x01, 0x81]}[kind]
        for row in x[: S // 2].reshape(-1, 128):
            row[rng.integers(128)] = rng.choice(odd)
        x[S // 2 : 3 * S // 4] = rng.integers(1, 32, x[S // 2 : 3 * S // 4].shape)  # subnormal, most of them
        w[0, 5], w[1, 7] = 0, odd[0]
        decode = n.bf16_to_f32 if kind == "bf16" else n.f8e4m3_to_f32
        return {"x": x, "w": w}, summed(decode(x)[:, :, None, :], decode(w), kind, numerics)
    return build


rows.add("bf16_rows8_interleaved", specials("bf16", 8), label="specials")
rows.add("f8e4m3_rows8_interleaved", specials("f8e4m3", 8), label="specials")

shapes = File("contraction_shapes.rs")


def partial_sums(rng, numerics):
    """x[S, F / 16, G, F % 16], w[N, F] -> [S, G, N, F / 8 % 2]: sums over F / 16 and F % 8."""
    x, fx = values(rng, "bf16", (S, 5, 3, 16))
    w, fw = values(rng, "bf16", (8, 80))
    p = n.mul(fx.reshape(S, 5, 3, 1, 2, 8), fw.reshape(8, 5, 2, 8).transpose(1, 0, 2, 3)[:, None])
    # p: S, F / 16, G, N, F / 8 % 2, F % 8
    if numerics == "sequential":
        total = fold(n.add, np.moveaxis(p, 1, -2).reshape(S, 3, 8, 2, 40), -1)
    else:
        total = fold(n.add, tree(n.add, p, -1), 1)
    return {"x": x, "w": w}, total


@shapes
def partial_interleaved(rng, numerics):
    inputs, total = partial_sums(rng, numerics)
    return inputs, total.transpose(0, 1, 3, 2)


@shapes
def partial_sequential(rng, numerics):
    return partial_sums(rng, numerics)


@shapes
def batched(rng, numerics):
    x, fx = values(rng, "bf16", (S, 5, 3, 2, 16))  # H, G, L, J
    w, fw = values(rng, "bf16", (4, 3, 5, 16))  # B, G, H, J
    weights = fw.transpose(2, 1, 0, 3)[:, :, None]  # H, G, L, B, J
    return {"x": x, "w": w}, summed(fx[:, :, :, :, None], weights, "bf16", numerics)


@shapes
def repeated_stream(rng, numerics):
    x, fx = values(rng, "bf16", (S, 4, 16))
    w, fw = values(rng, "bf16", (8, 5, 16))
    return {"x": x, "w": w}, summed(fx[:, :, None, None], fw.transpose(1, 0, 2), "bf16", numerics)


@shapes
def packed_and_repeated(rng, numerics):
    x, fx = values(rng, "bf16", (S, 4, 2, 16))  # M, L, J
    w, fw = values(rng, "bf16", (8, 5, 16))  # N, H, J
    weights = fw.transpose(1, 0, 2)[:, None]  # H, L, N, J
    return {"x": x, "w": w}, summed(fx[:, :, None, :, None], weights, "bf16", numerics)


@shapes
def packed_and_repeated_twice(rng):
    x, fx = values(rng, "bf16", (S, 4, 32))  # M, W
    w, fw = values(rng, "bf16", (8, 2, 5, 32))  # N, O, H, W
    packets = summed(fx[:, :, None, None, None], fw.transpose(2, 1, 0, 3), "bf16", "tree")  # M, H, O, N
    return {"x": x, "w": w}, fold(n.add, packets, 2)


@shapes
def products_over_time(rng):
    x, fx = values(rng, "bf16", (S, 4, 32))
    w, fw = values(rng, "bf16", (2, 4, 32))
    return {"x": x, "w": w}, fold(n.add, n.mul(fx[:, None], fw), 2)


@shapes
def odd_length(rng):
    x, fx = values(rng, "i8", (S, 4, 63))
    w, fw = values(rng, "i8", (4, 63))
    return {"x": x, "w": w}, summed(fx[:, :, None], fw, "i8", "tree")


@shapes
def block_sums(rng, numerics):
    x, fx = values(rng, "f8e4m3", (S, 4, 64))
    w, fw = values(rng, "f8e4m3", (2, 64))
    p = n.mul(fx[:, :, None], fw).reshape(S, 4, 2, 8, 8)
    return {"x": x, "w": w}, packets(n.add, p, 8, numerics)


@shapes
def wrapping(rng):
    x, fx = values(rng, "i8", (S, 4, 64))
    w, fw = values(rng, "i8", (S, 4, 64))
    x[:], w[:] = -128, np.where(w < 100, -128, w)  # 2^30 and more: the sum does not fit
    total = (x.astype(np.int64) * w).sum()
    return {"x": x, "w": w}, n.i32(total)


@shapes
def over_slices(rng, numerics):
    x, fx = values(rng, "bf16", (64, 64, 4, 16))  # S / 4, K, S % 4, J
    w, fw = values(rng, "bf16", (8, 4, 16))  # N, S % 4, J
    parts = summed(fx[:, :, None], fw, "bf16", numerics)  # S / 4, K, N, S % 4
    return {"x": x, "w": w}, fold(n.add, parts, -1)
