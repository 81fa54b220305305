"""The programs of tests/negative and tests/positive with one or two numbers replaced by extreme ones: `contra check` must give a
verdict. In a build with sanitizers, a signed overflow fails the test."""

import os
import random
import re
import tempfile

import programs
from harness import Failed

SEED, COUNT = 20260, 150
NUMBER = re.compile(r"(?<![\w.])(?:0x[0-9a-fA-F_]+|\d[\d_]*)(?![\w.])")
EXTREMES = ["0x7fffffffffffffff", "0x7ffffffffffffff8", "9223372036854775807", "0x4000000000000000", "0x3fffffffffffffff",
            "0x1fffffffffffffff", "0x0fffffffffffffff", "0x100000000", "2147483648", "65537", "0", "1", "3"]


def varied(rng, text):
    """The text with extreme numbers in place of some numbers outside comments."""
    places = [place for line in re.finditer(r"^.*$", text, re.MULTILINE)
              for place in NUMBER.finditer(text, line.start(), line.start() + len(line[0].split("//")[0]))]
    chosen = rng.sample(places, min(rng.choice([1, 1, 2]), len(places)))
    for place in sorted(chosen, key=lambda place: -place.start()):
        text = text[:place.start()] + rng.choice(EXTREMES) + text[place.end():]
    return text


def expect_verdict(contra, paths, number):
    rng = random.Random(SEED + number)
    path = rng.choice(paths)
    with open(path, encoding="utf-8") as file:
        text = varied(rng, file.read())
    with tempfile.TemporaryDirectory() as folder:
        copy = os.path.join(folder, os.path.basename(path))
        with open(copy, "w", encoding="utf-8") as file:
            file.write(text)
        done = contra.run(["check", *programs.options_of(path), copy])
        if done.status not in (0, 1) or "runtime error" in done.err or "Sanitizer" in done.err:
            raise Failed(f"{os.path.relpath(path, programs.ROOT)} with extremes:\n{text}\n{done}")


def tests(contra):
    paths = [path for folder in ("tests/negative", "tests/positive") for path in programs.sources(folder)]
    return [(f"extremes {number}", lambda number=number: expect_verdict(contra, paths, number)) for number in range(COUNT)]
