"""Golden listings: what `contra compile` prints of kernels that together have every record and every way it is shown.

    python3 tests/cli/listings.py --write    writes tests/golden/listings anew; the diff is reviewed like code
"""

import difflib
import os
import re
import sys
import tempfile

import harness
from harness import Failed

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
GOLDEN = os.path.join(ROOT, "tests", "golden", "listings")

KERNELS = [  # source, kernel
    ("examples/hello/gemm.rs", "gemm"),  # contraction in four rows
    ("examples/hello/switch_broadcast_matmul.rs", "batch_matmul"),  # rings, inter-slice reduce
    ("examples/hello/quantised_matmul.rs", "quantised"),  # VRF, casts
    ("examples/hello/interleaved_add.rs", "weighted_sum"),  # two bases
    ("tests/kernels/adapter.tcp", "square_of_nibbles"),  # a table
    ("tests/kernels/adapter.tcp", "ids_from_registers"),  # execution ids in VRF
    ("tests/kernels/branches.rs", "float_by_equal"),  # comparisons
    ("tests/kernels/chips.rs", "hbm_of_chips"),  # several chips
    ("tests/kernels/chips.rs", "diagonal_of_chips"),  # copies of the sub context, many descriptors
    ("tests/kernels/contraction_shapes.rs", "block_sums"),  # half of TRF, Sequential
    ("tests/kernels/contraction_shapes.rs", "repeated_stream"),  # tiling
    ("tests/figures/fetch.tcp", "f0148"),  # a mask of case 3
    ("tests/kernels/fetches.rs", "twenty_five"),  # a mask
    ("tests/kernels/groups.rs", "filter_by_value"),  # a filter
    ("tests/kernels/groups.rs", "valid_count"),  # valid counts of a branch
    ("tests/kernels/inter_slice.rs", "promoted"),  # time moves to slices
    ("tests/kernels/intra_slice.rs", "transposed"),  # a gate, two kinds of descriptors
    ("tests/kernels/layouts.rs", "gather"),  # an index
    ("tests/kernels/layouts.rs", "scatter"),
    ("tests/kernels/operands.rs", "stash_in_float"),  # a stash
    ("tests/kernels/pairs.rs", "converted"),  # two groups
    ("tests/kernels/switches.rs", "custom_ring_of_one"),  # registers
    ("tests/kernels/switches.rs", "inter_transpose"),
    ("tests/kernels/transposes.rs", "trimmed"),
    ("tests/positive/commit/into_views.rs", "by_quarters"),  # tiles
    ("tests/positive/dma/every_way.tcp", "ways"),  # host, PCIe
]

# What the listings together have to show: every engine and every form of a line.
SHOWN = [
    "dma        ", "fetch      ", "switch     ", "collect    ", "trf_store  ", "vrf_store  ", "adapt      ", "trf_read   ",
    "reduce     ", "vector     ", "cast       ", "transpose  ", "commit     ", "use        ", "hint: ", "table of", "case 3",
    "interleaved: ", "pad_value", "snoop bitmap", "registers (SFRs)", "Entry 1: {", "Sequential", "Interleaved",
    "valid counts", "gate 0", "gather: ", "scatter: ", "PCIe (", "Host tensor", "stash", "moves to slice", "unzip",
    "if group", "(tile)", "trimmed", "more, --verbose", "limit : source_stride", "stos (", "between chips",
]


def golden_path(source, kernel):
    return os.path.join(GOLDEN, f"{os.path.splitext(os.path.basename(source))[0]}.{kernel}.txt")


def listing(contra, source, kernel):
    result = contra.run(["compile", source, "--kernel", kernel], cwd=ROOT)
    if result.status != 0:
        raise Failed(f"{result}\n  what is accepted compiles")
    return re.sub(r"(?m)^compiler .*\n", "", result.out)  # a new version changes no golden file


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def check(contra, source, kernel):
    path = golden_path(source, kernel)
    found, wanted = listing(contra, source, kernel), read(path)
    if found != wanted:
        diff = difflib.unified_diff(wanted.splitlines(), found.splitlines(), path, "now", lineterm="")
        raise Failed("\n".join(diff))
    for number, line in enumerate(found.splitlines(), 1):
        if len(line) > 100:
            raise Failed(f"{path}:{number}: longer than 100 characters")


def check_file(contra, source, kernel):
    """`contra objdump` prints the same from a file."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "k.tcpo")
        contra.run(["compile", source, "--kernel", kernel, "-o", path], cwd=ROOT)
        dump = contra.run(["objdump", path]).out
        if re.sub(r"(?m)^(file|compiler) .*\n", "", dump) != read(golden_path(source, kernel)):
            raise Failed(f"objdump prints something else of {source} {kernel}")


def check_shown():
    text = "".join(read(golden_path(*kernel)) for kernel in KERNELS)
    missing = [words for words in SHOWN if words not in text]
    if missing:
        raise Failed(f"no golden listing shows {missing}")


def check_docs():
    """docs/compiling.md shows what is printed."""
    with open(os.path.join(ROOT, "docs", "compiling.md"), encoding="utf-8") as file:
        section = file.read().partition("## The listing\n")[2].partition("\n## ")[0]
    real = set(read(golden_path(*KERNELS[0])).splitlines())
    for line in re.findall(r"(?m)^    (.+)$", section):
        if line != ".." and not line.startswith("compiler") and line not in real:
            raise Failed(f"docs/compiling.md shows what is not printed: {line}")


def tests(contra):
    found = [(f"listing of {source} {kernel}", lambda source=source, kernel=kernel: check(contra, source, kernel))
             for source, kernel in KERNELS]
    found.append(("listing of a file", lambda: check_file(contra, *KERNELS[0])))
    found.append(("listings show every engine", check_shown))
    found.append(("listing in docs/compiling.md", check_docs))
    return found


def write(contra):
    os.makedirs(GOLDEN, exist_ok=True)
    for source, kernel in KERNELS:
        with open(golden_path(source, kernel), "w", encoding="utf-8") as file:
            file.write(listing(contra, source, kernel))


if __name__ == "__main__":
    if sys.argv[1:] != ["--write"]:
        sys.exit(__doc__)
    write(harness.Contra(os.environ.get("CONTRA", os.path.join(ROOT, "build", "contra"))))
