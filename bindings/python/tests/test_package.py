"""The package itself: what it was made from, interrupts, and what the guide shows. tests/install has the wheel."""

import doctest
import os
import subprocess
import sys
import textwrap

import numpy as np
import pytest
from conftest import ROOT

import contra


def call(program, **environment):
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "bindings/python"), **environment}
    return subprocess.run([sys.executable, "-B", "-c", textwrap.dedent(program)], cwd=ROOT, env=environment, capture_output=True,
                          text=True, timeout=60)


def test_declarations_are_those_of_the_header():
    made = subprocess.run([ROOT / "bindings/python/cdef.py"], capture_output=True, text=True, check=True).stdout
    assert made == (ROOT / "bindings/python/contra/_cdef.py").read_text(), "run bindings/python/cdef.py --write"


def test_the_library_is_looked_for():
    missing = call("import contra", CONTRA_LIBRARY="/nowhere/libcontra.so")
    assert missing.returncode == 1 and "/nowhere/libcontra.so" in missing.stderr and "CONTRA_LIBRARY" in missing.stderr
    assert contra.version == contra.__version__


def test_an_interrupt_ends_a_run():
    done = call("""
        import contra, numpy as np, os, signal, threading, time
        signal.signal(signal.SIGINT, signal.default_int_handler)  # who began this may ignore it
        kernel = contra.load("bench/device.rs").kernel("large_bf16")
        a = np.ones((4096, 4096), np.uint16)
        timer = threading.Timer(1.0, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        begin = time.monotonic()
        try:
            while time.monotonic() - begin < 50:
                kernel(a, a, backend="oracle")
        except KeyboardInterrupt:
            print("interrupted", time.monotonic() - begin < 20)
        add = contra.load("examples/hello/constant_add.rs").kernel()
        print((add(np.arange(4096)) == np.arange(5, 4101)).all())
        """)
    assert done.stdout.split() == ["interrupted", "True", "True"], done.stdout + done.stderr


def test_an_interrupted_launch_runs_again():
    add = contra.load("examples/hello/constant_add.rs").kernel()
    x = np.arange(4096)
    add(x)
    add.program.context.watch.raised = KeyboardInterrupt()  # as if it had come while the run asked
    with pytest.raises(KeyboardInterrupt):
        add(x)
    assert np.array_equal(add(x), x + 5)
    add.program.context.watch.raised = KeyboardInterrupt()
    with pytest.raises(KeyboardInterrupt):
        add.compile()
    assert add.compile().schedule().cycles


def test_types_of_ml_dtypes_are_taken_and_given(tmp_path):
    """With one that has no arithmetic, as ours is not what is tested."""
    (tmp_path / "ml_dtypes.py").write_text("import numpy as np\n"
                                           "bfloat16 = np.dtype([('bf16', np.uint16)])\n"
                                           "float8_e4m3fn = np.dtype([('e4m3', np.uint8)])\n"
                                           "float8_e5m2 = np.dtype([('e5m2', np.uint8)])\n")
    done = call("""
        import contra, ml_dtypes, numpy as np
        floats = contra.load("tests/positive/run/kernels.rs").kernel("types::floats")
        numbers = np.arange(2048, dtype=np.float32).reshape(256, 8) % 8
        brain, quarter = contra.float32_to_bf16(numbers).view(ml_dtypes.bfloat16), contra.float32_to_f8e4m3(numbers).view(ml_dtypes.float8_e4m3fn)
        out = floats(numbers, brain, quarter, numbers)
        print([out[1].dtype == ml_dtypes.bfloat16, out[2].dtype == ml_dtypes.float8_e4m3fn, floats.params[1].is_tensor])
        print([np.array_equal(contra.bf16_to_float32(out[1]), numbers), np.array_equal(contra.f8e4m3_to_float32(out[2]), numbers)])
        """, PYTHONPATH=f"{tmp_path}:{ROOT / 'bindings/python'}")
    assert done.stdout.splitlines() == ["[True, True, True]", "[True, True]"], done.stdout + done.stderr


def test_the_guide():
    result = doctest.testfile(str(ROOT / "docs/python.md"), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert result.attempted > 20 and not result.failed
