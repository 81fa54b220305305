"""examples/models/mlp: the script beside it trains the network, here and now; the kernel computes what NumPy does, and the
program reads as many digits right."""

import importlib.util
import re
import shutil
from pathlib import Path

import numpy as np

from . import numbers as n
from .case import File

FOLDER = "../../examples/models/mlp"
TOO_LARGE = set()
HERE = Path(__file__).resolve().parent.parent / FOLDER
ACCURATE = 0.95  # of the digits that are shown

spec = importlib.util.spec_from_file_location("train", HERE / "train.py")
train = importlib.util.module_from_spec(spec)
spec.loader.exec_module(train)


def rounded(numbers):
    """What bf16 makes of them: as its bits, and as f64."""
    patterns = n.f32_to_bf16(numbers.astype(np.float32))
    return patterns, n.bf16_to_f32(patterns).astype(np.float64)


def right(logits, digits):
    return int((logits.argmax(axis=-1) == digits).sum())


# Hidden numbers are rounded to bf16, one part in 512. Times weights and added up, their sizes come to 41 at most.
@File(f"{FOLDER}/mlp.rs")(within=(0, 0.1))
def mlp(rng):
    network, images, digits = train.make()
    (x, pixels), (w1, first), (w2, second) = (rounded(a) for a in (images, network["w1"], network["w2"]))
    logits = train.forward({"w1": first, "w2": second}, pixels)[1]
    assert right(logits, digits) >= ACCURATE * train.SHOWN
    return {"images": x.reshape(*train.NUMBERED, -1), "w1": w1, "w2": w2}, logits.reshape(*train.NUMBERED, -1)


def program(contra, folder):
    """Trains, runs the program, and says what is wrong with what it prints, or nothing."""
    shutil.copy(HERE / "mlp.rs", folder)
    train.write(folder / "digits.safetensors", *train.make())
    status, said = contra("run", str(folder / "mlp.rs"))
    found = re.match(r"(\d+) of (\d+) digits are read right", said)
    if status or not found:
        return f"contra run ended with {status}: {said.strip()}"
    count, of = map(int, found.groups())
    return "" if of == train.SHOWN and count >= ACCURATE * of else said
