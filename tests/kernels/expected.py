"""All cases: every kernel of this folder, and of examples/kernels, with its inputs and the outputs NumPy expects.

    python3 expected.py          lists them, and names kernels that have none
"""

import re
from pathlib import Path

from expect import adapter, elementwise, examples, examples_apart, movement, operands, products, programs, reductions  # noqa: F401
from expect.case import CASES

HERE = Path(__file__).resolve().parent


DEVICE = re.compile(r"#\[device\(chip = \d+\)\]\s*(?:pub )?fn (\w+)")


def kernels():
    """Every kernel in the sources, as (file, name)."""
    for source in sorted(HERE.glob("*.rs")) + sorted((HERE / examples.FOLDER).glob("*.rs")):
        module = source.parent / f"{source.stem.removesuffix('_small')}_kernel" / "mod.rs"
        text = source.read_text() + (module.read_text() if module.exists() else "")
        file = source.name if source.parent == HERE else f"{examples.FOLDER}/{source.name}"
        for name in DEVICE.findall(text):
            if (source.stem, name) not in examples.TOO_LARGE:
                yield file, name
    for source in sorted(HERE.glob("*.tcp")):
        for name in re.findall(r"^program (\S+)", source.read_text(), re.MULTILINE):
            yield source.name, name


def uncovered():
    known = {(case.file, case.kernel) for case in CASES}
    there = set(kernels())
    return sorted(there - known), sorted(known - there)


if __name__ == "__main__":
    for case in CASES:
        print(case.name)
    without, gone = uncovered()
    for file, name in without:
        print(f"no case: {file}::{name}")
    for file, name in gone:
        print(f"no kernel: {file}::{name}")
