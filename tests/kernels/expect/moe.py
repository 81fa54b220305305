"""examples/models/moe, computed by the textbook in f64: experts, rows and owners are exact, results as near as bf16 allows."""

import numpy as np

from . import numbers as n
from .case import File, normal

FOLDER = "../../examples/models/moe"
TOO_LARGE = set()
TOKENS, EXPERTS, TOP, MODEL, INNER, BLOCK, BLOCKS = 512, 8, 2, 256, 512, 128, 16
SIZES = 14  # the most that what is rounded on the way to a result adds up to, without signs


def bf16(numbers):
    patterns = n.f32_to_bf16(numbers)
    return patterns, n.bf16_to_f32(patterns).astype(np.float64)


def inwards(patterns):
    """As HBM has it: Expert, Inner % 16, Model / 128, Inner / 16, Model % 128."""
    return patterns.reshape(EXPERTS, 32, 16, 2, 128).transpose(0, 2, 3, 1, 4)


def outwards(patterns):
    """Expert, Model % 8, Inner / 128, Model / 8, Inner % 128"""
    return patterns.reshape(EXPERTS, 32, 8, 4, 128).transpose(0, 2, 3, 1, 4)


def placed(chosen):
    """The row of each token for each of its experts, and the owner of each block: in the order of tokens."""
    rows, owners, block = np.zeros((TOKENS, TOP), np.int32), np.full(BLOCKS, EXPERTS - 1, np.int32), 0
    for expert in range(EXPERTS):
        places = np.argwhere(chosen == expert)
        rows[tuple(places.T)] = block * BLOCK + np.arange(len(places))
        needed = -(-len(places) // BLOCK)
        owners[block:block + needed] = expert
        block += needed
    return rows, owners


def layer(x, scores, gate, up, down):
    """Chosen experts, best first, and results; and how large all is that bf16 rounds on the way to these."""
    chosen = np.argsort(-scores, axis=1, kind="stable")[:, :TOP]
    powers = np.exp(np.take_along_axis(scores, chosen, 1))
    weights = powers / powers.sum(axis=1, keepdims=True)
    y, sizes = np.zeros((TOKENS, MODEL)), np.zeros((TOKENS, MODEL))
    for expert in range(EXPERTS):
        token, top = np.nonzero(chosen == expert)
        gates = x[token] @ gate[expert].T
        hidden = gates / (1 + np.exp(-gates)) * (x[token] @ up[expert].T) * weights[token, top][:, None]
        given = hidden @ down[expert].T
        y[token] += given
        sizes[token] += np.abs(hidden) @ np.abs(down[expert]).T + np.abs(given)
    return chosen, y, sizes


def case(rng, slant):
    (x, tokens), (router, routes) = bf16(normal(rng, (TOKENS, MODEL))), bf16(normal(rng, (EXPERTS, MODEL), 1 / 16))
    x[:, 0], tokens[:, 0] = n.f32_to_bf16(np.float32([1]))[0], 1  # one number that all tokens have: the bias of an expert
    router[:, 0], routes[:, 0] = bf16(np.float32(slant))
    (gate, gates), (up, ups) = (bf16(normal(rng, (EXPERTS, INNER, MODEL), 1 / 16)) for _ in range(2))
    down, downs = bf16(normal(rng, (EXPERTS, MODEL, INNER), 1 / 20))
    scores = tokens @ routes.T
    ordered = np.sort(scores, axis=1)
    assert np.diff(ordered, axis=1)[:, -TOP:].min() > 1e-5  # f32 orders them in the same way
    chosen, y, sizes = layer(tokens, scores, gates, ups, downs)
    assert sizes.max() < SIZES
    rows, owners = placed(chosen)
    inputs = {
        "x": x, "gate": inwards(gate), "up": inwards(up), "down": outwards(down),
        "router": np.broadcast_to(router, (TOKENS // 2, EXPERTS, MODEL)),
        "places": np.broadcast_to(np.arange(EXPERTS, dtype=np.int32)[::-1], (TOKENS // 2, EXPERTS)),
        "experts_before": np.broadcast_to(np.tri(EXPERTS, k=-1, dtype=np.int8), (TOKENS // 2, EXPERTS, EXPERTS)),
        "tokens_before": np.tri(TOKENS, k=-1, dtype=np.int8).reshape(TOKENS, TOKENS // 2, 2).transpose(0, 2, 1),
        "blocks": np.zeros((BLOCKS * BLOCK, MODEL), np.uint16),
    }
    return inputs, {"result.0": y, "result.1": rows, "result.2": owners}


# bf16 rounds by one part in 256 at most: hidden units, what experts give, and their sum.
WITHIN = (1 / 250, SIZES / 250)
moe = File(f"{FOLDER}/main.rs")
moe.add("moe", lambda rng: case(rng, np.zeros(EXPERTS)), within=WITHIN)
moe.add("moe", lambda rng: case(rng, [3, -9, 0, 4, 0, -1, 1, -9]), within=WITHIN, label="uneven")
