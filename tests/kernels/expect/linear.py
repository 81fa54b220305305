"""Products of examples/kernels: of matrices, with vectors, in batches, by windows. Sums of f32 are off by some parts in 2^24
of the largest of them; results in bf16 by half of its last place."""

import numpy as np

from .case import File, ints
from .examples import BF16, FOLDER, bf16, example
from .numbers import arith_shift_right_round, mul_fxp


def in_tiles_of_k(matrix, size):
    """As HBM has it: K / size, rows, K % size."""
    rows, k = matrix.shape
    return matrix.reshape(rows, k // size, size).transpose(1, 0, 2)


@example("tiling", within=(BF16[0], 1e-3))
def tiled_gemm(rng):
    (a, left), (b, right) = bf16(rng, (4096, 1024)), bf16(rng, (1024, 1024))
    c = (left @ right.T).reshape(512, 8, 64, 16).transpose(0, 2, 1, 3)  # I / 8, J / 16, I % 8, J % 16
    return {"a": in_tiles_of_k(a, 256), "b": in_tiles_of_k(b, 256)}, {"c": c}


def product(rng):
    (a, left), (b, right) = bf16(rng, (16384, 512)), bf16(rng, (512, 512))
    c = (left @ right.T).reshape(8, 4, 512, 16, 32)  # I / 2048, I / 512 % 4, I % 512, J / 32, J % 32
    b = b.reshape(16, 4, 8, 32, 16)  # J / 32, J / 8 % 4, J % 8, K / 16, K % 16
    return {"a": a, "b": b.transpose(0, 2, 3, 1, 4)}, {"c": c.transpose(3, 0, 2, 1, 4)}


for kernel in ("gemm", "gemm_one_buffer"):
    File(f"{FOLDER}/double_buffered_gemm.rs").add(kernel, product, within=(BF16[0], 1e-3))


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


# ---- convolutions

GROUPS = (8, 2, 2)  # Group / 4, Group / 2 % 2, Group % 2


def convolution(rng, rows, columns, stride, dilation):
    """Images, filters and outputs, images as Pair, Group, Image, rows, columns, channels."""
    (x, images), (w, filters) = bf16(rng, (2, 32, 16, rows, columns, 32)), bf16(rng, (64, 3, 3, 32))
    y = np.zeros((2, 32, 16, 12, 12, 64))
    last = 11 * stride + 1
    for f in range(3):
        for g in range(3):
            window = images[:, :, :, f * dilation:f * dilation + last:stride, g * dilation:g * dilation + last:stride]
            y += window @ filters[:, f, g].T
    w = w.reshape(8, 8, 3, 3, 2, 16).transpose(1, 4, 2, 3, 0, 5)  # O % 8, C / 16, Fh, Fw, O / 8, C % 16
    y = y.reshape(2, *GROUPS, 16, 12, 6, 2, 64).transpose(0, 5, 6, 3, 4, 2, 1, 7, 8)
    return x, w, {"y": y}


def packed(x):
    pair, _, _, rows, columns, channels = x.shape
    return x.reshape(pair, *GROUPS, 16, rows, columns // 4, 4, channels).transpose(0, 5, 6, 3, 4, 2, 1, 7, 8)


@example("convolution", within=(BF16[0], 1e-3))
def stride_1(rng):
    x, w, y = convolution(rng, 14, 16, 1, 1)
    return {"x": packed(x), "w": w}, y


@example("convolution", within=(BF16[0], 1e-3))
def stride_2(rng):
    x, w, y = convolution(rng, 26, 28, 2, 1)
    return {"x": packed(x), "w": w}, y


@example("convolution", within=(BF16[0], 1e-3))
def dilation_2(rng):
    x, w, y = convolution(rng, 16, 16, 1, 2)
    return {"x": packed(x), "w": w}, y


@example("convolution", within=(BF16[0], 1e-3))
def stride_2_dilation_2(rng):
    x, w, y = convolution(rng, 28, 32, 2, 2)
    x = x.reshape(2, *GROUPS, 16, 14, 2, 4, 4, 2, 32).transpose(0, 6, 9, 5, 7, 3, 4, 2, 1, 8, 10)
    return {"x": x, "w": w}, y


# ---- four chips

@example("chip_gemm_small", within=(BF16[0], 1e-3))
def chip_gemm(rng):
    (a, rows), (b, columns) = bf16(rng, (4, 1024, 512)), bf16(rng, (4, 64, 512))
    # step s of chip t: the columns of chip t + s
    c = np.stack([np.matmul(rows, np.roll(columns, -s, axis=0).transpose(0, 2, 1)) for s in range(4)], axis=1)
    b = b.reshape(4, 8, 8, 32, 16).transpose(0, 2, 3, 1, 4)  # J % 8, K / 16, J / 8, K % 16
    return {"a": a, "b": b}, {"c": c}


@example("blocked_gemm_four_small", within=(1e-5, 1e-4))
def gemm(rng):
    (a, rows), (b, columns) = bf16(rng, (4, 512, 32)), bf16(rng, (4096, 32))
    return {"a": a, "b": np.broadcast_to(b, (4, *b.shape))}, {"c": rows @ columns.T}  # all of b on every chip


# ---- bytes: exact

def bytes_of(rng, shape):
    return ints(rng, shape, -128, 128, np.int8)


def quantised(x, w, x_numbers, w_numbers, term, bias):
    """Inputs as HBM has them, and results: x is rows of a slice, Side, Quarter, Block and Lane, K."""
    factor = ((1 << 30) + (np.arange(64) << 22)).astype(np.int32)
    sums = x_numbers.reshape(-1, 256).astype(np.float64) @ w_numbers.T.astype(np.float64)  # exact: below 2^53
    scaled = mul_fxp((sums.astype(np.int64) + bias).astype(np.int32), factor)
    y = np.clip(arith_shift_right_round(scaled, np.int32(10)) + 5, -128, 127).astype(np.int8)
    copies = [np.broadcast_to(one, (2, 4, 8, 64)).astype(np.int32) for one in (term, factor)]
    x = x.reshape(64, 2, 4, 2, 4, 8, 256).transpose(0, 4, 5, 3, 1, 2, 6)
    w = w.reshape(8, 8, 8, 32).transpose(1, 2, 0, 3)  # N % 8, K / 32, N / 8, K % 32
    y = y.reshape(16, 4, 2, 4, 2, 4, 8, 64).transpose(0, 5, 6, 4, 2, 3, 1, 7)
    return {"x": x, "w": w}, *copies, y


@example("quantised_gemm", within=(0, 0))
def corrected_by_sums(rng):
    x, w, bias = bytes_of(rng, (32768, 256)), bytes_of(rng, (64, 256)), ints(rng, 64, -2000, 2000)
    by_x, by_w = x.astype(np.int64) - 17, w.astype(np.int64) + 9
    term = bias - 17 * w.astype(np.int64).sum(axis=1) - 256 * 17 * 9
    inputs, term, factor, y = quantised(x, w, by_x, by_w, term, bias)
    return {**inputs, "ones": np.ones((2, 4, 8, 256), np.int8), "term": term, "factor": factor}, {"y": y}


@example("quantised_gemm", within=(0, 0))
def zero_points_in_fetch(rng):
    x, w, bias = bytes_of(rng, (32768, 256)), bytes_of(rng, (64, 256)), ints(rng, 64, -2000, 2000)
    inputs, bias, factor, y = quantised(x, w, x.astype(np.int64) - 17, w.astype(np.int64) + 9, bias, bias)
    return {**inputs, "bias": bias, "factor": factor}, {"y": y}


@example("quantised_gemm", within=(0, 0))
def with_code_book(rng):
    x, w, bias = bytes_of(rng, (32768, 256)), bytes_of(rng, (64, 256)), ints(rng, 64, -2000, 2000)
    codes = x.astype(np.int64)
    numbers = np.where(codes < 0, -(codes * codes // 129), codes * codes // 128)
    inputs, bias, factor, y = quantised(x, w, numbers, w.astype(np.int64), bias, bias)
    return {**inputs, "bias": bias, "factor": factor}, {"y": y}
