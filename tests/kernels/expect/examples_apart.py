"""examples/kernels whose data lies apart (in slices, clusters, chips, places of a cache) and comes together, by the textbook."""

import numpy as np

from .case import File, ints, normal
from .examples import FOLDER, bf16, example, in_tiles

# ---- split_reduce: sums of f32 of up to 8192 numbers, off by some parts in 2^24 of them


@example("split_reduce", within=(1 / 250, 1e-5))  # next to the mean nearly everything cancels
def layer_norm(rng):
    x, rows = bf16(rng, (128, 8192), np.where(np.arange(128) % 4 == 3, 3 / 1024, 3)[:, None])  # epsilon counts for some
    centred = rows - rows.mean(axis=1, keepdims=True)
    return {"x": x}, {"y": centred / np.sqrt((centred * centred).mean(axis=1, keepdims=True) + 1e-5)}


@example("split_reduce", within=(1e-5, 1e-5))
def batch_statistics(rng):
    x, samples = bf16(rng, (4096, 256), 3)
    return {"x": x}, {"mean": samples.mean(axis=0), "variance": samples.var(axis=0)}


@example("split_reduce", within=(1 / 250, 1e-5))
def expert_sum(rng):
    outputs, numbers = bf16(rng, (4, 1024, 256))
    weights = np.abs(normal(rng, (1024, 4))).astype(np.float32)
    total = np.einsum("epw,pe->pw", numbers, weights.astype(np.float64))
    return {"outputs": outputs, "weights": np.repeat(weights[..., None], 2, axis=2)}, {"y": in_tiles(total, 512)}


@example("split_reduce", within=(1e-5, 1e-3))
def window_sums(rng):
    x, steps = bf16(rng, (8192, 256))
    return {"x": x}, {"y": steps.sum(axis=0)}


# ---- collectives: sums of up to eight f32


def add_collectives(file, chips):
    def reduce_scatter(rng):
        x = normal(rng, (chips, chips, 512, 64))
        return {"x": x}, x.astype(np.float64).sum(axis=0)

    def all_gather(rng):
        x = normal(rng, (chips, 512, 64))
        return {"x": x}, np.broadcast_to(x.astype(np.float64), (chips, *x.shape))

    def all_reduce(rng):
        x = normal(rng, (chips, chips, 512, 64))
        return {"x": x}, np.broadcast_to(x.astype(np.float64).sum(axis=0), x.shape)

    for build in (reduce_scatter, all_gather, all_reduce):
        File(f"{FOLDER}/{file}.rs").add(build.__name__, build, within=(1e-6, 1e-5))


add_collectives("collectives", 4)
add_collectives("collectives_eight", 8)


# ---- fetch_patterns, commit_patterns: each in two ways or three, with the same result

FETCH, COMMIT = File(f"{FOLDER}/fetch_patterns.rs"), File(f"{FOLDER}/commit_patterns.rs")
CLOSE = (1 / 250, 1e-6)


def turned(rng):
    x, heads = bf16(rng, (512, 4, 8, 16))
    return {"x": x}, heads.transpose(0, 2, 1, 3)


def turned_within(rng):
    x, heads = bf16(rng, (512, 4, 8, 16))
    return {"x": x}, heads.reshape(512, 4, 8, 4, 4).transpose(0, 3, 1, 2, 4)


def positive(*shape):
    def build(rng):
        x, numbers = bf16(rng, shape)
        return {"x": x}, np.maximum(numbers, 0)

    return build


def products(rng):
    (x, lines), (w, rows) = bf16(rng, (512, 16, 44)), bf16(rng, (512, 8, 44))
    return {"x": x, "w": w}, lines @ rows.transpose(0, 2, 1)


def scaled(rng):
    (x, numbers), (factors, others) = bf16(rng, (512, 1024)), bf16(rng, (512, 1024))
    return {"x": x, "factors": factors}, numbers * others


def line_sums(rng):
    x, lines = bf16(rng, (512, 64, 16))
    return {"x": x}, lines.sum(axis=2)


def both(rng):
    x, numbers = bf16(rng, (512, 128))
    return {"x": x}, np.stack([np.maximum(numbers, 0), np.minimum(numbers, 0)], axis=1)


def both_by_themselves(rng):
    inputs, output = both(rng)
    return inputs, {"y": output}


for kernel, build in {"turn": turned, "turn_in_pieces": turned, "full": positive(512, 512),
                      "full_by_halves": positive(512, 512)}.items():
    FETCH.add(kernel, build, within=(0, 0))
for kernel, build, within in (("tail", products, (1e-5, 1e-5)), ("tail_to_the_byte", products, (1e-5, 1e-5)),
                              ("segments", scaled, CLOSE), ("one_segment", scaled, CLOSE)):
    FETCH.add(kernel, build, within=within)
for kernel, build in {"turn": turned, "turn_within_flits": turned_within, "tail": positive(512, 32, 44),
                      "tail_line_by_line": positive(512, 32, 44), "tail_padded": positive(512, 32, 44), "segments": both,
                      "segments_by_themselves": both_by_themselves}.items():
    COMMIT.add(kernel, build, within=(0, 0))
for kernel in ("sums", "sums_with_gaps"):
    COMMIT.add(kernel, line_sums, within=(1e-5, 1e-5))


# ---- kv_cache: moved, not computed


@example("kv_cache", within=(0, 0))
def append(rng):
    (new, tokens), (old, cache) = bf16(rng, (128, 2, 4, 64)), bf16(rng, (2049, 2, 4, 64))
    slots = ints(rng, 128, 0, 2049)
    for token, slot in enumerate(slots):
        cache[slot] = tokens[token]
    return {"new": new, "slots": slots, "cache": old}, {"cache": cache}


@example("kv_cache", within=(0, 0))
def read(rng):
    rows, cache = bf16(rng, (2049, 2, 4, 64))
    slots = ints(rng, 512, 0, 2049)
    return {"cache": rows, "slots": slots}, cache[slots]


# ---- top_k: in the order of experts, of equal ones the first


@example("top_k", within=(0, 2.0 ** -20))
def top_k(rng):
    scores, numbers = bf16(rng, (4096, 64), 4)
    scores[:, 1::5], numbers[:, 1::5] = scores[:, :1], numbers[:, :1]  # some alike
    places = np.broadcast_to(63 - np.arange(64, dtype=np.int32), (512, 64))
    best = np.sort(np.argsort(-np.round(numbers * 2 ** 20), axis=1, kind="stable")[:, :8], axis=1)
    return {"scores": scores, "places": places}, {"indices": best, "best": np.take_along_axis(numbers, best, axis=1)}
