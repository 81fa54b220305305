#!/usr/bin/python3
"""Draws digits, trains a network of two layers on some of them, and writes it with the others: train.py FILE.safetensors

144 pixels, 64 hidden units (ReLU), 10 digits; main.rs beside it runs them on the chip. Everything comes from one seed, so
that a file is always the same, to the bit: BLAS has one thread, since several add up in another order. Prints how many of
the test images are read rightly in f32, and in bf16 as on the chip.
"""

import json
import os
import struct
import sys

for library in ("OPENBLAS", "OMP", "MKL", "BLIS"):
    os.environ[f"{library}_NUM_THREADS"] = "1"  # read when NumPy is loaded

import numpy as np

SIDE, HIDDEN, DIGITS = 12, 64, 10
TRAINING, TEST = 12000, 4096
PASSES, BATCH = 12, 100

GLYPHS = [  # five columns, seven rows
    "01110 10001 10011 10101 11001 10001 01110", "00100 01100 00100 00100 00100 00100 01110",
    "01110 10001 00001 00010 00100 01000 11111", "11111 00010 00100 00010 00001 10001 01110",
    "00010 00110 01010 10010 11111 00010 00010", "11111 10000 11110 00001 00001 10001 01110",
    "00110 01000 10000 11110 10001 10001 01110", "11111 00001 00010 00100 01000 01000 01000",
    "01110 10001 10001 01110 10001 10001 01110", "01110 10001 10001 01111 00001 00010 01100",
]


def digits(rng, count):
    """Images and what they show: a glyph somewhere, drawn faintly or boldly, with some pixels lost, blurred, in noise."""
    labels = rng.integers(0, DIGITS, count)
    glyphs = np.array([[list(map(int, row)) for row in glyph.split()] for glyph in GLYPHS], np.float32)
    images = np.zeros((count, SIDE, SIDE), np.float32)
    rows, columns = rng.integers(1, SIDE - 7, count), rng.integers(1, SIDE - 5, count)
    kept = rng.random((count, 7, 5)) > 0.12
    for i, (label, y, x) in enumerate(zip(labels, rows, columns)):
        images[i, y:y + 7, x:x + 5] = glyphs[label] * kept[i]
    blur = rng.uniform(0, 0.3, (count, 1, 1))
    images += blur * (np.roll(images, 1, axis=1) + np.roll(images, 1, axis=2))
    images = images * rng.uniform(0.5, 1, (count, 1, 1)) + rng.normal(0, 0.12, images.shape)
    return images.clip(0, 1).reshape(count, -1).astype(np.float32), labels


def train(rng, images, labels):
    """Stochastic gradient descent with momentum on the cross entropy."""
    pixels = SIDE * SIDE
    parameters = [rng.normal(0, np.sqrt(2 / pixels), (HIDDEN, pixels)), np.zeros(HIDDEN),
                  rng.normal(0, np.sqrt(2 / HIDDEN), (DIGITS, HIDDEN)), np.zeros(DIGITS)]
    parameters = [p.astype(np.float32) for p in parameters]
    speeds = [np.zeros_like(p) for p in parameters]
    for step in range(PASSES):
        rate = np.float32(0.1 * (1 - step / PASSES))
        order = rng.permutation(len(images))
        for at in range(0, len(images), BATCH):
            chosen = order[at:at + BATCH]
            for p, speed, slope in zip(parameters, speeds, slopes(parameters, images[chosen], labels[chosen])):
                speed *= np.float32(0.9)
                speed -= rate * slope
                p += speed
    return parameters


def slopes(parameters, images, labels):
    w1, b1, w2, b2 = parameters
    hidden = np.maximum(images @ w1.T + b1, 0)
    logits = hidden @ w2.T + b2
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    error = powers / powers.sum(axis=1, keepdims=True)
    error[np.arange(len(labels)), labels] -= 1
    error /= len(labels)
    back = (error @ w2) * (hidden > 0)
    return back.T @ images, back.sum(axis=0), error.T @ hidden, error.sum(axis=0)


def rounded(numbers):
    """To bf16, to nearest, ties to even: as f32."""
    bits = np.ascontiguousarray(numbers, np.float32).view(np.uint32)
    return ((bits + 0x7fff + (bits >> 16 & 1)) & 0xffff0000).astype(np.uint32).view(np.float32)


def logits_in_bf16(parameters, images):
    """As the chip computes: factors and hidden units in bf16, sums and biases in f32."""
    w1, b1, w2, b2 = parameters
    hidden = np.maximum(rounded(images) @ rounded(w1).T + b1, 0)
    return rounded(hidden) @ rounded(w2).T + b2


def write(path, arrays):
    header, at = {}, 0
    for name, array in arrays.items():
        kind = {"float32": "F32", "uint8": "U8"}[array.dtype.name]
        header[name] = {"dtype": kind, "shape": list(array.shape), "data_offsets": [at, at + array.nbytes]}
        at += array.nbytes
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        for array in arrays.values():
            file.write(np.ascontiguousarray(array).tobytes())


def main(path):
    """Labels of the test images, and what they are taken for: in f32, and in bf16 as the chip computes."""
    rng = np.random.default_rng(7)
    parameters = train(rng, *digits(rng, TRAINING))
    images, labels = digits(rng, TEST)
    w1, b1, w2, b2 = parameters
    plain = (np.maximum(images @ w1.T + b1, 0) @ w2.T + b2).argmax(axis=1)
    found = logits_in_bf16(parameters, images).argmax(axis=1)
    write(path, {"images": images, "labels": labels.astype(np.uint8), "w1": w1, "b1": b1, "w2": w2, "b2": b2})
    return labels, plain, found


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__.splitlines()[0])
    shown, in_f32, in_bf16 = main(sys.argv[1])
    print(f"in f32 {(in_f32 == shown).sum()} of {len(shown)} right, in bf16 {(in_bf16 == shown).sum()}")
