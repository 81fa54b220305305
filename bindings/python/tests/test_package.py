"""The package itself: what it was made from, interrupts, and what the guide shows. tests/install has the wheel."""

import doctest
import os
import re
import shutil
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
    assert contra.version == contra.__version__ and "load" in dir(contra) and "Texts" not in dir(contra)
    assert repr(contra.load(["examples/hello/gemm.rs", ROOT / "examples/hello/gemv.rs"])) == \
        f"<contra.Program examples/hello/gemm.rs, {ROOT}/examples/hello/gemv.rs>"
    other = call("import contra", CONTRA_LIBRARY="libm.so.6")
    assert "ImportError" in other.stderr and "libm.so.6 is no libcontra" in other.stderr
    said = subprocess.run([sys.executable, "-B", "-m", "contra"], cwd=ROOT / "bindings/python", capture_output=True, text=True)
    assert said.stdout == f"contra {contra.__version__}, {os.environ['CONTRA_LIBRARY']}\n"


def test_an_older_library_is_refused(tmp_path):
    """By a package that is made for a later one."""
    package = shutil.copytree(ROOT / "bindings/python/contra", tmp_path / "contra")
    text = (package / "_cdef.py").read_text()
    for version, dotted in [(1, "0.0.1"), (999, "0.0.999"), (999999, "0.999.999"), (1000000, "1.0.0")]:
        (package / "_cdef.py").write_text(re.sub(r"^VERSION = .*$", f"VERSION = {version}", text, flags=re.MULTILINE))
        done = call("import contra", PYTHONPATH=str(tmp_path))
        if version < 1000:
            assert done.returncode == 0, done.stderr
        else:
            assert f"is version {contra.__version__}, and this package is made for {dotted}" in done.stderr


def test_no_warnings_on_the_way():
    done = subprocess.run([sys.executable, "-B", "-W", "error", "-X", "dev", "-c", "import contra, numpy as np\n"
                           "print(contra.load('examples/hello/constant_add.rs').kernel()(np.arange(4096))[0])"], cwd=ROOT, capture_output=True,
                          text=True, env={**os.environ, "PYTHONPATH": str(ROOT / "bindings/python")})
    assert (done.stdout, done.stderr) == ("5\n", "")


USER = """\
import contra
import numpy as np

gemm: contra.Kernel = contra.load("gemm.rs", relax=["collect"]).kernel("gemm").using(threads=2)
c = gemm(np.eye(64), b=[1.0], narrow="bits")
cycles: int = gemm.schedule().cycles
mapping: contra.Mapping = contra.Mapping("A, B", A=8, B=4) / 4
inner: tuple[dict[str, int], ...] = mapping[0]
several: list[tuple[dict[str, int], ...]] = mapping[0:2]
try:
    contra.check("x.rs")
except contra.Error as error:
    lines: list[int | None] = [each.line for each in error.diagnostics]
program = contra.Builder("scale")
program.axis("A", 4096)
x = program.param("x", contra.builder.hbm("i32", "1", "A", 0))
"""


@pytest.mark.skipif(not shutil.which("mypy"), reason="mypy is missing (package mypy)")
def test_types(tmp_path):
    (tmp_path / "user.py").write_text(USER)
    for paths in [["bindings/python/contra"], [tmp_path / "user.py"]]:
        done = subprocess.run(["mypy", "--strict", "--cache-dir", tmp_path, *paths], cwd=ROOT, capture_output=True, text=True,
                              env={**os.environ, "MYPYPATH": str(ROOT / "bindings/python")})
        assert done.returncode == 0, done.stdout + done.stderr




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


def test_types_of_ml_dtypes_are_given(tmp_path):
    """With one that has no arithmetic, as that is not what is tested."""
    (tmp_path / "ml_dtypes.py").write_text("import numpy as np\n"
                                           "bfloat16, float8_e4m3fn = np.dtype([('bf16', np.uint16)]), np.dtype([('e4m3', np.uint8)])\n")
    done = call("""
        import contra, ml_dtypes, numpy as np
        floats = contra.load("tests/positive/run/kernels.rs").kernel("types::floats")
        numbers = np.arange(2048, dtype=np.float32).reshape(256, 8) % 8
        out = floats(numbers, numbers, numbers, numbers, narrow="ml_dtypes")
        print([out[1].dtype == ml_dtypes.bfloat16, out[2].dtype == ml_dtypes.float8_e4m3fn])
        print([np.array_equal(contra.bf16_to_float32(out[1]), numbers), np.array_equal(contra.f8e4m3_to_float32(out[2]), numbers)])
        """, PYTHONPATH=f"{tmp_path}:{ROOT / 'bindings/python'}")
    assert done.stdout.splitlines() == ["[True, True]", "[True, True]"], done.stdout + done.stderr


def test_the_guide():
    result = doctest.testfile(str(ROOT / "docs/python.md"), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert result.attempted > 20 and not result.failed
