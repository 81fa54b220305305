"""Products of examples/kernels: of matrices, with vectors, in batches, by windows. Sums of f32 are off by some parts in 2^24
of the largest of them; results in bf16 by half of its last place."""

import numpy as np

from .examples import BF16, bf16, example


def in_tiles_of_k(matrix, size):
    """As HBM has it: K / size, rows, K % size."""
    rows, k = matrix.shape
    return matrix.reshape(rows, k // size, size).transpose(1, 0, 2)


@example("tiling", within=(BF16[0], 1e-3))
def tiled_gemm(rng):
    (a, left), (b, right) = bf16(rng, (4096, 1024)), bf16(rng, (1024, 1024))
    c = (left @ right.T).reshape(512, 8, 64, 16).transpose(0, 2, 1, 3)  # I / 8, J / 16, I % 8, J % 16
    return {"a": in_tiles_of_k(a, 256), "b": in_tiles_of_k(b, 256)}, {"c": c}
