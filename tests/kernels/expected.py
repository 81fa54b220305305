"""All cases: every kernel of this folder, of examples/kernels and of examples/models, with its inputs and the outputs NumPy expects.

    python3 expected.py          lists them, and names kernels that have none
"""

import re
from pathlib import Path

from expect import adapter, attention, elementwise, examples, examples_apart, linear, llama, mlp, moe, movement  # noqa: F401
from expect import operands, products, programs, reductions  # noqa: F401
from expect.case import CASES

HERE = Path(__file__).resolve().parent
EXAMPLES = [examples, attention, mlp, moe]  # each with its folder
# (contra, folder) -> what is wrong, of whole programs
CHECKS = {"../../examples/models/mlp, trained": mlp.trained, "../../examples/models/llama, a text": llama.generation}

DEVICE = re.compile(r"#\[device\(chip = \d+\)\]\s*(?:pub )?fn (\w+)")


def kernels_of(module):
    """Those of a folder of examples, which may have a module `NAME_kernel` or `NAME_kernels` for NAME and NAME_small."""
    for source in sorted((HERE / module.FOLDER).glob("*.rs")):
        name = source.stem.removesuffix("_small")
        files = [source, *source.parent.glob(f"{name}_kernel/*.rs"), *source.parent.glob(f"{name}_kernels/*.rs")]
        text = "".join(file.read_text() for file in files)
        for name in DEVICE.findall(text):
            if (source.stem, name) not in module.TOO_LARGE:
                yield f"{module.FOLDER}/{source.name}", name


def kernels():
    """Every kernel in the sources, as (file, name)."""
    for source in sorted(HERE.glob("*.rs")):
        for name in DEVICE.findall(source.read_text()):
            yield source.name, name
    for module in EXAMPLES:
        yield from kernels_of(module)
    yield from llama.kernels()
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
