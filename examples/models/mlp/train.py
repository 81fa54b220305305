#!/usr/bin/python3
"""Trains the network of mlp.rs on digits that it draws, and writes it with digits it has not seen to one file.

usage: train.py [FILE.safetensors]

Without a name it is digits.safetensors beside this script, where mlp.rs looks for it. Everything is drawn from one seed.
"""

import json
import struct
import sys
from pathlib import Path

import numpy as np

SIDE, HIDDEN, CLASSES, DIGITS = 16, 128, 16, 10  # as in mlp.rs; classes beyond ten are padding
PIXELS = SIDE * SIDE
TRAINED, SHOWN = 6000, 4096
NUMBERED = (2, 2, 4, 64, 4)  # how mlp.rs numbers those that are shown: Own / 4, Part, Group, Line, Own % 4
NEVER = -10000  # the logit of a class that must not win

SHAPES = """
.###. ..#.. .###. ##### ...#. ##### ..##. ##### .###. .###.
#...# .##.. #...# ...#. ..##. #.... .#... ....# #...# #...#
#..## ..#.. ....# ..#.. .#.#. ####. #.... ...#. #...# #...#
#.#.# ..#.. ...#. ...#. #..#. ....# ####. ..#.. .###. .####
##..# ..#.. ..#.. ....# ##### ....# #...# .#... #...# ....#
#...# ..#.. .#... #...# ...#. #...# #...# .#... #...# ...#.
.###. .###. ##### .###. ...#. .###. .###. .#... .###. .##..
"""


def shapes():
    """Ten digits of 14 by 10 pixels."""
    rows = [line.split() for line in SHAPES.split("\n") if line]
    small = np.array([[[c == "#" for c in rows[y][digit]] for y in range(7)] for digit in range(DIGITS)], float)
    return small.repeat(2, axis=1).repeat(2, axis=2)


def draw(rng, count, noise=0.2):
    """Images with values about 0 and 1, and which digits they show: shifted, faded, with noise and some pixels missing."""
    digits = rng.integers(0, DIGITS, count)
    images = np.zeros((count, SIDE, SIDE))
    all_shapes = shapes()
    for image, digit in zip(images, digits):
        y, x = rng.integers(0, 3), rng.integers(0, 7)
        image[y:y + 14, x:x + 10] = all_shapes[digit] * rng.uniform(0.5, 1)
    images *= rng.random(images.shape) > 0.1
    images += rng.normal(0, noise, images.shape)
    images[:, -1, -1] = 1  # the pixel whose weights are biases
    return images.reshape(count, PIXELS), digits


def forward(network, images):
    hidden = np.maximum(0, images @ network["w1"].T)
    return hidden, hidden @ network["w2"].T


def step(network, momentum, images, digits, rate):
    """Goes down the gradient of the cross entropy, a batch at a time."""
    hidden, logits = forward(network, images)
    chances = np.exp(logits - logits.max(axis=1, keepdims=True))
    chances /= chances.sum(axis=1, keepdims=True)
    chances[np.arange(len(digits)), digits] -= 1
    chances /= len(digits)
    back = (chances @ network["w2"]) * (hidden > 0)
    gradients = {"w1": back.T @ images, "w2": chances.T @ hidden}
    gradients["w1"][-1] = 0  # this hidden number stays as it is
    for name, gradient in gradients.items():
        momentum[name] = 0.9 * momentum[name] - rate * gradient
        network[name] += momentum[name]


def train(rng, images, digits, rounds=12, batch=100):
    w1, w2 = rng.normal(0, PIXELS ** -0.5, (HIDDEN, PIXELS)), rng.normal(0, HIDDEN ** -0.5, (DIGITS, HIDDEN))
    w1[:, -1] = w2[:, -1] = 0  # no bias to begin with
    w1[-1] = np.arange(PIXELS) == PIXELS - 1  # the hidden number that is always 1
    network = {"w1": w1, "w2": w2}
    momentum = {name: np.zeros_like(array) for name, array in network.items()}
    for i in range(rounds):
        for chosen in rng.permutation(len(digits)).reshape(-1, batch):
            step(network, momentum, images[chosen], digits[chosen], 0.05 * 0.8 ** i)
    return network


def pad(network):
    """All 16 classes."""
    w2 = np.zeros((CLASSES, HIDDEN))
    w2[:DIGITS], w2[DIGITS:, -1] = network["w2"], NEVER
    return {**network, "w2": w2}


def make(seed=1):
    """A trained network, images it has not seen, and which digits they show."""
    rng = np.random.default_rng(seed)
    network = train(rng, *draw(rng, TRAINED))
    return pad(network), *draw(rng, SHOWN)


def bf16(array):
    """The bits of numbers rounded to nearest, ties to even."""
    bits = np.ascontiguousarray(array, np.float32).view(np.uint32)
    return ((bits + 0x7fff + (bits >> 16 & 1)) >> 16).astype(np.uint16)


def save(path, tensors):
    """safetensors: the length of a header, the header, all bytes."""
    header, data = {}, b""
    for name, (dtype, array) in tensors.items():
        content = array.tobytes()
        header[name] = {"dtype": dtype, "shape": array.shape, "data_offsets": [len(data), len(data) + len(content)]}
        data += content
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    Path(path).write_bytes(struct.pack("<Q", len(text)) + text + data)


def write(path, network, images, digits):
    save(path, {"images": ("BF16", bf16(images).reshape(*NUMBERED, PIXELS)),
                "digits": ("I32", digits.astype(np.int32).reshape(NUMBERED)),
                "w1": ("BF16", bf16(network["w1"])), "w2": ("BF16", bf16(network["w2"]))})


def main():
    if len(sys.argv) > 2 or sys.argv[1:2] in (["-h"], ["--help"]):
        sys.exit(__doc__)
    network, images, digits = make()
    right = (forward(network, images)[1].argmax(axis=1) == digits).mean()
    print(f"NumPy, in f64: {right:.2%} of {SHOWN} digits that it has not seen")
    write(Path(sys.argv[1]) if sys.argv[1:] else Path(__file__).with_name("digits.safetensors"), network, images, digits)


if __name__ == "__main__":
    main()
