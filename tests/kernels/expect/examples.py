"""examples/kernels, computed by the textbook in f64. How far off a result may be is derived from its type: the last step
of most is a rounding to bf16, half of its last place, one part in 256; what f32 loses before that is far less, but where numbers
cancel."""

import numpy as np

from . import numbers as n
from .case import File, ints, normal

FOLDER = "../../examples/kernels"
TOO_LARGE = {("blocked_gemm", "gemm"), ("blocked_gemm_four", "gemm"), ("chip_gemm", "chip_gemm")}  # NAME_small is the same kernel
BF16 = (1 / 250, 1e-6)


def example(name, within=BF16):
    """A decorator: the function has the name of the kernel."""
    return File(f"{FOLDER}/{name}.rs")(within=within)


def bf16(rng, shape, scale=1.0):
    """Numbers that bf16 holds: as its bits, and as f64."""
    patterns = n.f32_to_bf16(normal(rng, shape, scale))
    return patterns, n.bf16_to_f32(patterns).astype(np.float64)


def in_tiles(rows, of):
    """A first axis that a kernel takes apart as tiles and rows of a tile."""
    return rows.reshape(-1, of, *rows.shape[1:])


# ---- products: sums of f32, off by some parts in 2^24 of the largest of them

@example("blocked_gemm_small", within=(1e-5, 1e-4))
def gemm(rng):
    (a, left), (b, right) = bf16(rng, (1024, 64)), bf16(rng, (4096, 64))
    return {"a": a, "b": b}, {"c": left @ right.T}


@example("decode_gemv", within=(1e-5, 1e-3))
def gemv(rng):
    (w, rows), (x, vector) = bf16(rng, (8192, 4096)), bf16(rng, 4096)
    # as HBM has it: J / 2 % 8, J % 2, K / 128, J / 16 % 32, J / 512 % 2, J / 1024, K % 128
    packed = w.reshape(8, 2, 32, 8, 2, 32, 128).transpose(3, 4, 5, 2, 1, 0, 6)
    return {"w": packed, "x": x}, rows @ vector


# ---- rows

SPREADS = np.where(np.arange(4096) % 4 == 3, 3 / 1024, 3)[:, None]  # of rows; what is added to the square counts for some


def root_norm(x, gain):
    return x / np.sqrt((x * x).mean(axis=-1, keepdims=True) + 1e-5) * gain


@example("softmax")
def softmax(rng):
    x, rows = bf16(rng, (2048, 1024), 4)
    powers = np.exp(rows - rows.max(axis=1, keepdims=True))
    return {"x": x}, {"y": in_tiles(powers / powers.sum(axis=1, keepdims=True), 1024)}


def in_groups(array):
    return array.reshape(8, 2, 4, 64, *array.shape[1:])


def eight_times(columns):
    return np.broadcast_to(columns, (2, 4, len(columns)))


@example("norms")
def rms_norm(rng):
    (x, rows), (gain, factors) = bf16(rng, (4096, 512), SPREADS), bf16(rng, 512)
    return {"x": in_groups(x), "gain": eight_times(gain)}, {"y": in_groups(root_norm(rows, factors))}


@example("norms", within=(1 / 250, 1e-5))  # the bias may cancel what is there
def layer_norm(rng):
    (x, rows), (gain, factors), (bias, shift) = bf16(rng, (4096, 512), SPREADS), bf16(rng, 512), bf16(rng, 512)
    centred = rows - rows.mean(axis=1, keepdims=True)
    inputs = {"x": in_groups(x), "gain": eight_times(gain), "bias": eight_times(bias)}
    return inputs, {"y": in_groups(root_norm(centred, factors) + shift)}


# ---- element by element

COUNT = 2097152


def real_silu(x):
    return x / (1 + np.exp(-x))


@example("activations")
def gelu(rng):
    x, numbers = bf16(rng, COUNT, 2)
    erf = n.erf((numbers / np.sqrt(2)).astype(np.float32)).astype(np.float64)
    return {"x": x}, {"y": numbers * 0.5 * (1 + erf)}


@example("activations")
def silu(rng):
    x, numbers = bf16(rng, COUNT, 4)
    return {"x": x}, {"y": real_silu(numbers)}


@example("activations")
def swiglu(rng):
    (x, numbers), (gate, gates) = bf16(rng, COUNT, 4), bf16(rng, COUNT, 4)
    return {"x": x, "gate": gate}, {"y": numbers * real_silu(gates)}


@example("rope")
def rope(rng):
    x, heads = bf16(rng, (2048, 8, 128))
    angles = np.arange(2048)[:, None] / 10000.0 ** (np.arange(64) / 64)
    sin, cos = np.sin(angles).astype(np.float32), np.cos(angles).astype(np.float32)
    first, second = heads[..., :64], heads[..., 64:]
    s, c = sin[:, None].astype(np.float64), cos[:, None].astype(np.float64)
    turned = np.concatenate([first * c - second * s, first * s + second * c], axis=-1)
    return {"x": x, "sin": sin, "cos": cos}, {"y": in_tiles(turned, 1024)}


# ---- places

@example("argmax", within=(0, 0))
def argmax(rng):
    logits, rows = bf16(rng, (8, 131072), 5)
    return {"logits": logits, "numbers": np.arange(131072, dtype=np.float32)}, rows.argmax(axis=1)


@example("embedding", within=BF16)
def embed(rng):
    (table, rows), (positions, added) = bf16(rng, (4000, 512)), bf16(rng, (8192, 512))
    tokens = ints(rng, 8192, 0, 4000)
    return {"table": table, "positions": positions, "tokens": tokens}, {"y": in_tiles(rows[tokens] + added, 4096)}


@example("causal_mask", within=(0, 0))
def causal_mask(rng):
    scores, numbers = bf16(rng, (16, 512, 512), 3)
    places = np.arange(512, dtype=np.int32)
    masked = np.where(places[None, :] <= places[:, None], numbers, -np.inf)
    split = (16, 8, 64, 512)  # queries are parts and lines
    inputs = {"scores": scores.reshape(split), "queries": places.reshape(8, 64), "keys": places}
    return inputs, {"y": masked.reshape(split)}


@example("cumulative_sum", within=(0, 0))
def cumulative_sum(rng):
    x = ints(rng, (4, 2, 8, 32, 32, 8), -1000000, 1000000)
    log = np.where(np.arange(32)[None, :] > np.arange(32)[:, None], 8, 0).astype(np.int32)
    return {"x": x, "log": log}, {"y": x.cumsum(axis=4)}
