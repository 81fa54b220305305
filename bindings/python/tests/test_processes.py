"""Threads, forks, ends, copies, memory."""

import copy
import multiprocessing
import os
import pickle
import signal
import threading

import numpy as np
import pytest
from conftest import ROOT
from test_package import call

import contra

GEMM = ROOT / "bench/device.rs"


def in_child(work):
    """What a forked child says: work() gives a byte."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        try:
            os.write(writing, b"1" if work() else b"0")
        finally:
            os._exit(0)
    os.close(writing)
    timer = threading.Timer(30, os.kill, (child, signal.SIGKILL))
    timer.start()
    try:
        return os.read(reading, 1)
    finally:
        timer.cancel()
        os.close(reading)
        os.waitpid(child, 0)


def test_a_forked_child_goes_on():
    """With several threads in the parent, of which the child has none."""
    gemm = contra.load(GEMM).kernel("gemm_i8").using(threads=4)
    a, b = np.random.default_rng(1).integers(-128, 128, (2, 512, 2048)).astype(np.int8)
    c = gemm(a, b)
    assert in_child(lambda: np.array_equal(gemm(a, b), c)) == b"1"
    assert in_child(lambda: np.array_equal(contra.load(GEMM).kernel("gemm_i8")(a, b), c)) == b"1"
    assert np.array_equal(gemm(a, b), c)


def scaled(value):
    return int(contra.load(ROOT / "examples/hello/constant_add.rs").kernel()(np.full(4096, value))[0])


def test_pools():
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map_async(scaled, range(4)).get(60) == [5, 6, 7, 8]


def test_what_was_in_use_is_refused_in_a_child():
    program = contra.load("examples/hello/gemm.rs")
    inside, leave = threading.Event(), threading.Event()

    def use():
        with program.context:
            inside.set()
            leave.wait()

    def work():
        try:
            program.kernels
        except RuntimeError as error:
            return "forked: load it again" in str(error)

    thread = threading.Thread(target=use)
    thread.start()
    inside.wait()
    try:
        assert in_child(work) == b"1"
    finally:
        leave.set()
        thread.join()
    assert program.kernels


def test_the_interpreter_ends_while_a_thread_works():
    done = call("""
        import contra, numpy as np, threading, time
        kernel = contra.load("bench/device.rs").kernel("gemm_bf16").using(threads=1)
        a = np.ones((512, 2048), np.uint16)
        kernel(a, a)

        def work():
            while True:
                kernel(a, a)

        threading.Thread(target=work, daemon=True).start()
        time.sleep(0.3)
        print("end")
        """)
    assert (done.returncode, done.stdout, done.stderr) == (0, "end\n", "")


def test_an_interrupt_before_a_call_leaves_nothing_locked(monkeypatch):
    program = contra.load("examples/hello/gemm.rs")

    def interrupted(listens=True):
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(program.context, "listen", interrupted)
        with pytest.raises(KeyboardInterrupt):
            program.kernels
    seen = []
    thread = threading.Thread(target=lambda: seen.append(program.context.lock.acquire(timeout=5)))
    thread.start()
    thread.join()
    assert seen == [True]


def test_copies_and_pickles():
    program = contra.load("examples/hello/gemm.rs")
    kernel = program.kernel()
    for each in [program, kernel, kernel.compile(), kernel.schedule()]:
        assert copy.copy(each) is each and copy.deepcopy([each])[0] is each
        with pytest.raises(TypeError, match=f"{type(each).__name__} belongs to its process"):
            pickle.dumps(each)
    mapping = contra.Mapping("A, B # 8", A=4, B=6)
    assert pickle.loads(pickle.dumps(mapping)) == copy.deepcopy(mapping) == mapping
    with pytest.raises(contra.Error) as refused:
        contra.check("tests/negative/collect/time_missing.rs")
    again = pickle.loads(pickle.dumps(refused.value))
    assert again.diagnostics == refused.value.diagnostics and str(again) == str(refused.value)


def test_results_outlive_what_made_them():
    add = contra.load("examples/hello/constant_add.rs").kernel()
    first = add(np.arange(4096))
    second = add(np.arange(4096) + 1)
    del add
    assert np.array_equal(first, np.arange(5, 4101)) and np.array_equal(second, first + 1)


def resident():
    return int(open("/proc/self/statm").read().split()[1]) * os.sysconf("SC_PAGESIZE")


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="nothing says how much memory is used")
def test_calls_take_no_memory():
    kernels = contra.load("tests/positive/run/kernels.rs")
    pick, x = kernels.kernel("pick"), np.zeros((256, 8, 8), np.int32)
    made = contra.load("examples/hello/constant_add.rs").kernel().compile()
    mapping, other = contra.Mapping("A, B", A=8, B=4), contra.Mapping("A / 2, A % 2, B", A=8, B=4)

    def step(number):
        pick(x, number % 2, 0, True)
        kernels["layouts::split"]
        made.kernel(np.zeros(4096, np.int32))
        assert mapping == other
        mapping.divide("B")

    for number in range(100):
        step(number)
    before = resident()
    for number in range(1000):
        step(number)
    assert resident() - before < 4 << 20
