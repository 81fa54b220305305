#!/usr/bin/python3
"""What `kernel(a, b)` costs for a GEMM of 512 x 512 x 2048: bench.py [BUILD] (build/release).

Three things in turn, of which the quickest rounds count: the call from Python, the bare run in the library (contra_launch_run on
memory that is bound already, which is what the command line's run of the kernel does), and `contra run` with its whole process.
Times are of the CPU, which counts less of what else the machine does.
"""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "build/release").resolve()
os.environ["CONTRA_LIBRARY"] = str(BUILD / "libcontra.so")
sys.path.insert(0, str(ROOT / "bindings/python"))

import numpy as np  # noqa: E402

import contra  # noqa: E402
from contra._library import lib  # noqa: E402

ROUNDS, CALLS = 5, 8
SOURCE = ROOT / "bench/device.rs"


def seconds():
    times = os.times()
    return time.process_time() + times.children_user + times.children_system


def quickest(work, calls):
    best = float("inf")
    for _ in range(calls):
        begin = seconds()
        work()
        best = min(best, seconds() - begin)
    return best


def measure(folder, threads):
    rng = np.random.default_rng(1)
    names = {name: rng.standard_normal((512, 2048)).astype(np.float32) for name in "ab"}
    a, b = (contra.float32_to_bf16(array) for array in names.values())
    np.save(folder / "a.npy", a)
    np.save(folder / "b.npy", b)
    kernel = contra.load(SOURCE).kernel("gemm_bf16").using(threads=threads)
    out = kernel(a, b)
    (launch,) = kernel.program.launches.kept.values()
    command = [BUILD / "contra", "run", SOURCE, "--kernel", "gemm_bf16", "--in", f"a={folder}/a.npy", "--in", f"b={folder}/b.npy",
               "--out", f"{folder}/c.npy", f"--threads={threads}", "--quiet"]
    works = {"call": (lambda: kernel(a, b), CALLS), "bare": (lambda: lib.contra_launch_run(launch.handle), CALLS),
             "command": (lambda: subprocess.run(command, check=True), 1)}
    best = {name: float("inf") for name in works}
    for _ in range(ROUNDS):
        kept = kernel(a, b, out)  # bound memory that lives as long as the bare runs
        for name, (work, calls) in works.items():
            if name == "bare":
                kept = kernel(a, b, out)
            best[name] = min(best[name], quickest(work, calls))
    assert np.array_equal(kept, np.load(folder / "c.npy").view(np.uint16)), "both give the same bits"
    return best


def main():
    with tempfile.TemporaryDirectory() as folder:
        for threads in [1, 2]:
            best = measure(Path(folder), threads)
            print(f"gemm 512 x 512 x 2048 bf16, {threads} thread{'s' if threads > 1 else ''}: kernel(a, b) {best['call'] * 1e3:.2f} ms, "
                  f"{best['call'] / best['bare']:.3f} of the run in the library ({best['bare'] * 1e3:.2f} ms), "
                  f"{best['call'] / best['command']:.3f} of `contra run` ({best['command'] * 1e3:.1f} ms)")


main()
