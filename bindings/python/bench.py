#!/usr/bin/python3
"""What a call from Python costs: bench.py [BUILD] (build/release).

A GEMM of 512 x 512 x 2048 and a tiny kernel, three things in turn, of which the quickest rounds count: the call from Python, the bare run
in the library (contra_launch_run on memory that is bound already, which is what the command line's run of the kernel does), and
`contra run` with its whole process. Times are of the CPU, which counts less of what else the machine does.
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

try:
    import _cffi_backend  # noqa: F401
    import numpy as np
except ImportError as missing:
    print(f"python: not measured, {missing}")
    sys.exit()

import contra  # noqa: E402
from contra._library import lib  # noqa: E402

ROUNDS = 5


def seconds():
    times = os.times()
    return time.process_time() + times.children_user + times.children_system


def quickest(work, calls, times):
    """Of one of `times` calls in a row, so many times."""
    best = float("inf")
    for _ in range(calls):
        begin = seconds()
        for _ in range(times):
            work()
        best = min(best, (seconds() - begin) / times)
    return best


def measure(folder, source, name, threads, inputs, calls, times):
    """What the quickest call, bare run and command took."""
    kernel = contra.load(source).kernel(name).using(threads=threads, narrow="bits")
    given = list(inputs.values())
    out = kernel(*given)
    for each, array in inputs.items():
        np.save(folder / f"{each}.npy", array)
    (launch,) = kernel.program.launches.kept.values()
    command = [BUILD / "contra", "run", source, "--kernel", name, *(f"--in={each}={folder}/{each}.npy" for each in inputs),
               f"--out={folder}/out.npy", f"--threads={threads}", "--quiet"]
    works = {"call": (lambda: kernel(*given), calls, times), "bare": (lambda: lib.contra_launch_run(launch.handle), calls, times),
             "command": (lambda: subprocess.run(command, check=True), 1, 1)}
    best = {each: float("inf") for each in works}
    for _ in range(ROUNDS):
        for each, work in works.items():
            kept = kernel(*given)  # memory that lives as long as the bare runs
            best[each] = min(best[each], quickest(*work))
    assert np.array_equal(kept, out) and np.array_equal(out, np.load(folder / "out.npy")), "all give the same bits"
    return best


def main():
    rng = np.random.default_rng(1)
    matrices = {name: contra.float32_to_bf16(rng.standard_normal((512, 2048))) for name in "ab"}
    with tempfile.TemporaryDirectory() as folder:
        for threads in [1, 2]:
            best = measure(Path(folder), ROOT / "bench/device.rs", "gemm_bf16", threads, matrices, 8, 1)
            print(f"gemm 512 x 512 x 2048 bf16, {threads} thread{'s' if threads > 1 else ''}: kernel(a, b) {best['call'] * 1e3:.2f} ms, "
                  f"{best['call'] / best['bare']:.3f} of the run in the library ({best['bare'] * 1e3:.2f} ms; at most 1.1), "
                  f"{best['call'] / best['command']:.3f} of `contra run` ({best['command'] * 1e3:.1f} ms)")
        best = measure(Path(folder), ROOT / "examples/hello/constant_add.rs", "add_five", 1, {"input": np.arange(4096, dtype=np.int32)}, 5, 200)
        print(f"4096 additions: kernel(x) {best['call'] * 1e6:.1f} us, of which Python takes {(best['call'] - best['bare']) * 1e6:.1f}; "
              f"`contra run` {best['command'] * 1e3:.1f} ms")


main()
