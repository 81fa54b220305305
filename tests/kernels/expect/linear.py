"""Products of examples/kernels: of matrices, with vectors, in batches, by windows. Sums of f32 are off by some parts in 2^24
of the largest of them; results in bf16 by half of its last place."""

import numpy as np

from .case import File
from .examples import BF16, FOLDER, bf16, example


def in_tiles_of_k(matrix, size):
    """As HBM has it: K / size, rows, K % size."""
    rows, k = matrix.shape
    return matrix.reshape(rows, k // size, size).transpose(1, 0, 2)


@example("tiling", within=(BF16[0], 1e-3))
def tiled_gemm(rng):
    (a, left), (b, right) = bf16(rng, (4096, 1024)), bf16(rng, (1024, 1024))
    c = (left @ right.T).reshape(512, 8, 64, 16).transpose(0, 2, 1, 3)  # I / 8, J / 16, I % 8, J % 16
    return {"a": in_tiles_of_k(a, 256), "b": in_tiles_of_k(b, 256)}, {"c": c}


# ---- a matrix times a vector, packed as HBM has it

def matrix_and_vector(rng, split, order):
    (w, rows), (x, vector) = bf16(rng, (4096, 4096)), bf16(rng, 4096)
    return {"w": w.reshape(split).transpose(order), "x": x}, rows @ vector


def packed_rows(rng):
    # I / 2 % 4, I % 2, K / 128, I / 8 % 32, I / 256 % 2, I / 512, K % 128
    return matrix_and_vector(rng, (8, 2, 32, 4, 2, 32, 128), (3, 4, 5, 2, 1, 0, 6))


def packed_columns(rng):
    # I / 16 % 4, K / 8 % 64, I / 64 % 32, K / 512 % 2, I / 2048, K / 1024, K % 8, I % 16
    return matrix_and_vector(rng, (2, 32, 4, 16, 4, 2, 64, 8), (2, 6, 1, 5, 0, 4, 7, 3))


for kernel, packed in (("vector_in_trf", packed_rows), ("matrix_in_trf", packed_rows), ("rows_in_packets", packed_columns)):
    File(f"{FOLDER}/gemv.rs").add(kernel, packed, within=(1e-5, 1e-2))


# ---- many products: V is engine, network, slice of it, and 32 in a slice

def products_of_batches(rng, a_order, b_order, c_order):
    """A is (8, 2, 32, 32) of V with M and K, halves of M and K apart; orders are those of HBM."""
    (a, left), (b, right) = bf16(rng, (16384, 16, 16)), bf16(rng, (16384, 8, 16))
    c = np.matmul(left, right.transpose(0, 2, 1))
    batches = (8, 2, 32, 32)
    a = a.reshape(*batches, 2, 8, 4, 4).transpose(a_order)  # M / 8, M % 8, K / 4, K % 4
    b = b.reshape(*batches, 8, 4, 4).transpose(b_order)  # N, K / 4, K % 4
    c = c.reshape(*batches, 16, 2, 4).transpose(c_order)  # M, N / 4, N % 4
    return a, b, c


@example("batched_matmul")
def k_in_packets(rng):
    a, b, c = products_of_batches(rng, (3, 4, 2, 1, 0, 5, 6, 7), (3, 2, 1, 0, 4, 5, 6), (3, 2, 1, 0, 4, 5, 6))
    return {"a": a.reshape(32, 2, 32, 2, 8, 8, 16), "b": b.reshape(32, 32, 2, 8, 8, 16)}, c.reshape(32, 32, 2, 8, 16, 8)


@example("batched_matmul")
def v_in_packets(rng):
    a, b, c = products_of_batches(rng, (4, 5, 6, 2, 1, 0, 7, 3), (4, 5, 2, 1, 0, 6, 3), (4, 5, 2, 1, 0, 6, 3))
    return {"a": a.reshape(16, 4, 32, 2, 8, 4, 32), "b": b}, c


@example("batched_matmul")
def m_in_packets(rng):
    a, b, c = products_of_batches(rng, (3, 6, 7, 2, 1, 0, 4, 5), (3, 2, 1, 0, 4, 5, 6), (3, 2, 1, 0, 5, 6, 4))
    a = a.reshape(32, 2, 8, 32, 2, 8, 16).transpose(0, 1, 3, 4, 5, 2, 6)  # K / 8, slices, K % 8
    return {"a": a, "b": b.reshape(32, 32, 2, 8, 8, 16)}, c.reshape(32, 32, 2, 8, 8, 16)
