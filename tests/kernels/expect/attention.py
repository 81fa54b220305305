"""examples/models/attention, computed by the textbook in f64. Weights are rounded to bf16, one part in 512, and so are the
results; values are up to 1, so that a result, their mean, is off by 3 parts in 512 at most."""

import numpy as np

from . import numbers as n
from .case import File

FOLDER = "../../examples/models/attention"
TOO_LARGE = {("prefill", "prefill"), ("prefill", "prefill_causal")}  # prefill_small has the same kernels
WITHIN = (0, 3 / 512)
HEADS, GROUP, QUERIES, KEYS, COLUMNS, PAST = 8, 2, 128, 2048, 32, 960  # of prefill_small


def bf16(rng, shape, largest):
    """Numbers that bf16 holds: as its bits, and as f64."""
    patterns = n.f32_to_bf16(rng.uniform(-largest, largest, shape).astype(np.float32))
    return patterns, n.bf16_to_f32(patterns).astype(np.float64)


def attention(queries, keys, values, seen):
    """queries [.., q, d], keys and values [.., k, d], seen [q, k]"""
    scores = queries @ keys.swapaxes(-1, -2) / np.sqrt(queries.shape[-1])
    scores = np.where(seen, scores, -np.inf)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True) @ values


def prefill_case(rng, seen):
    q, queries = bf16(rng, (QUERIES, HEADS, GROUP, COLUMNS), 3)
    (k, keys), (v, values) = bf16(rng, (HEADS, KEYS, COLUMNS), 3), bf16(rng, (HEADS, KEYS, COLUMNS), 1)
    result = attention(queries.transpose(1, 2, 0, 3), keys[:, None], values[:, None], seen)
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
