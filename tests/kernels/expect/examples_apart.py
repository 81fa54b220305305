"""examples/kernels whose data lies apart (in slices, clusters, chips, places of a cache) and comes together, by the textbook."""

import numpy as np

from .case import File, normal
from .examples import FOLDER, bf16, example

# ---- split_reduce: sums of f32 of up to 8192 numbers, off by some parts in 2^24 of them


@example("split_reduce", within=(1 / 250, 1e-5))  # next to the mean nearly everything cancels
def layer_norm(rng):
    x, rows = bf16(rng, (128, 8192), 3)
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
    return {"outputs": outputs, "weights": np.repeat(weights[..., None], 2, axis=2)}, {"y": total}


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
