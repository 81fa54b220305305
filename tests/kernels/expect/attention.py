"""examples/models/attention, computed by the textbook in f64. Weights are rounded to bf16, one part in 256, both in the
sum of values, which are up to 1, and in what divides it; and the quotient is rounded once more."""

import numpy as np

from . import numbers as n
from .case import File

FOLDER = "../../examples/models/attention"
TOO_LARGE = {("prefill", "prefill"), ("prefill", "prefill_causal"), ("decode", "decode")}  # .._small have the same
WITHIN = (2 / 250, 1 / 250)
HEADS, GROUP, QUERIES, KEYS, COLUMNS, PAST = 8, 2, 128, 2048, 32, 960  # of prefill_small


def bf16(numbers):
    """What bf16 makes of them: as its bits, and as f64."""
    patterns = n.f32_to_bf16(numbers.astype(np.float32))
    return patterns, n.bf16_to_f32(patterns).astype(np.float64)


def attention(queries, keys, values, seen):
    """queries [.., q, d], keys and values [.., k, d], seen [q, k]"""
    scores = queries @ keys.swapaxes(-1, -2) / np.sqrt(queries.shape[-1])
    scores = np.where(seen, scores, -np.inf)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True) @ values


def halves(rng, shape):
    """Values below 0 for the first half of the keys, above for the second."""
    values = rng.uniform(0, 1, shape)
    values[:shape[0] // 2] -= 1
    return values


def prefill_case(rng, seen):
    """The first two columns make scores rise with the key, by nothing, little or much: so each step
    counts, and so does each key at the diagonal."""
    slopes = rng.choice([0, 1 / 128, 1.5, -1 / 128], (QUERIES, HEADS, GROUP))
    plain = rng.uniform(-2, 2, (QUERIES, HEADS, GROUP, COLUMNS))
    plain[..., 0], plain[..., 1] = 64 * slopes, slopes
    q, queries = bf16(plain)
    plain = rng.uniform(-2, 2, (KEYS, HEADS, COLUMNS))
    plain[..., 0], plain[..., 1] = np.divmod(np.arange(KEYS)[:, None], 64)
    k, keys = bf16(plain)
    v, values = bf16(halves(rng, (KEYS, HEADS, COLUMNS)))
    keys, values = keys.transpose(1, 0, 2)[:, None], values.transpose(1, 0, 2)[:, None]
    result = attention(queries.transpose(1, 2, 0, 3), keys, values, seen)
    return {"q": q, "k": k, "v": v}, {"o": result.transpose(2, 0, 1, 3)}


small = File(f"{FOLDER}/prefill_small.rs")


@small(within=WITHIN)
def prefill(rng):
    return prefill_case(rng, np.full((QUERIES, KEYS), True))


@small(within=WITHIN)
def prefill_causal(rng):
    seen = np.arange(KEYS) <= PAST + np.arange(QUERIES)[:, None]
    inputs, outputs = prefill_case(rng, seen)
    numbers = {"query_numbers": np.arange(QUERIES, dtype=np.int32), "key_numbers": np.arange(512, dtype=np.int32)}
    return {**inputs, **numbers}, outputs


@File(f"{FOLDER}/decode_small.rs")(within=WITHIN)
def decode(rng):
    sequences, group, keys, tile = 8, 4, 256, 128
    lengths = np.array([256, 1, 7, 128, 129, 200, 255, 64])
    plain = rng.uniform(-2, 2, (sequences, HEADS, group, COLUMNS))
    plain[..., 0] = rng.choice([0, 1 / 16, 2, -1 / 16], (sequences, HEADS, group))
    q, queries = bf16(plain)
    plain = rng.uniform(-2, 2, (keys, sequences, HEADS, COLUMNS))
    plain[..., 0] = np.arange(keys)[:, None, None]
    k, cached_keys = bf16(plain)
    v, cached_values = bf16(halves(rng, (keys, sequences, HEADS, COLUMNS)))
    seen = np.arange(keys) < lengths[:, None, None, None]
    result = attention(queries, cached_keys.transpose(1, 2, 0, 3), cached_values.transpose(1, 2, 0, 3), seen)
    numbers = np.arange(tile).reshape(tile // 8, 8).T  # Key % 8, Key / 8
    return {"q": q, "k": k, "v": v, "distances": (numbers - lengths[:, None, None]).astype(np.int32)}, {"o": result}
