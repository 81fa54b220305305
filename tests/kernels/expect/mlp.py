"""examples/models/mlp: its kernel, computed by the textbook; and the whole example, from training to the table it prints."""

import importlib.util
from pathlib import Path

import numpy as np

from . import numbers as n
from .case import File, normal

FOLDER = "../../examples/models/mlp"
TOO_LARGE = set()
HERE = Path(__file__).resolve().parent.parent
IMAGES = (2, 2, 8, 32, 4)  # Tile, Half, Eighth, Line, Round
RIGHT, APART = 0.95, 2  # how many images must be read rightly; how many may be read otherwise than by NumPy


def bf16(numbers):
    patterns = n.f32_to_bf16(numbers.astype(np.float32))
    return patterns, n.bf16_to_f32(patterns).astype(np.float64)


# Hidden units are below 4. One that lies between two numbers of bf16 may be rounded the other way: by 4 / 256, times a weight
# below 0.4. There may be two of them in a sum.
@File(f"{FOLDER}/main.rs")(within=(1e-5, 2 * 4 / 256 * 0.4))
def mlp(rng):
    images, x = bf16(rng.uniform(0, 1, (4096, 144)))
    (w1, first), (w2, second) = bf16(normal(rng, (64, 144), 0.1)), bf16(normal(rng, (16, 64), 0.1))
    b1, b2 = normal(rng, 64, 0.5), normal(rng, 16)
    hidden = np.maximum(x @ first.T + b1, 0)
    logits = bf16(hidden)[1] @ second.T + b2
    inputs = {
        "images": images.reshape(*IMAGES, 144),
        "w1": w1.reshape(4, 2, 8, 9, 16).transpose(2, 0, 3, 1, 4),  # Hidden % 8, Hidden / 16, Pixel / 16, Hidden / 8 % 2, ..
        "w2": w2.reshape(2, 8, 4, 16).transpose(1, 2, 0, 3),  # Class % 8, Hidden / 16, Class / 8, Hidden % 16
        "b1": np.broadcast_to(b1, (2, 8, 32, 64)),
        "b2": np.broadcast_to(b2, (2, 8, 32, 16)),
    }
    return inputs, {"logits": logits.reshape(*IMAGES, 16)}


def training():
    """train.py, as a module."""
    spec = importlib.util.spec_from_file_location("train", HERE / FOLDER / "train.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def table_of(found, labels):
    table = np.zeros((10, 10), int)
    np.add.at(table, (labels, found), 1)
    return table


def printed_table(text):
    """The ten rows behind the heading."""
    lines = text.splitlines()
    at = next(i for i, line in enumerate(lines) if line.startswith("shown, and taken for"))
    return np.array([[int(word) for word in line.split()[1:]] for line in lines[at + 1:at + 11]])


def trained(contra, folder):
    """Trains, runs main.rs, and compares what it says with what NumPy finds. What is wrong, or nothing."""
    path = folder / "digits.safetensors"
    labels, _, found = training().main(path)
    status, said = contra("run", f"{FOLDER}/main.rs", "--", str(path))
    if status:
        return f"contra run ended with {status}: {said.strip()}"
    table = printed_table(said)
    right = np.trace(table)
    if said.splitlines()[-1] != f"{right} of {len(labels)} right":
        return f"the table has {right} right, the last line is {said.splitlines()[-1]!r}"
    if right < RIGHT * len(labels):
        return f"{right} of {len(labels)} right, at least {RIGHT:.0%} expected"
    apart = np.abs(table - table_of(found, labels)).sum() // 2
    return f"{apart} images are read otherwise than by NumPy, {APART} may be" if apart > APART else ""
