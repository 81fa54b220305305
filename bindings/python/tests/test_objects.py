"""Compiled kernels, object files and schedules."""

import gc
import json

import numpy as np
import pytest

import contra


@pytest.fixture
def gemm():
    return contra.load("examples/hello/gemm.rs").kernel("gemm")


def test_objects_are_saved_and_run(gemm, tmp_path):
    made = gemm.compile()
    made.save(tmp_path / "gemm.tcpo")
    assert repr(made) == "<contra.Object gemm(a: bf16[64, 64], b: bf16[64, 64]) -> f32[64, 64]>" and made.kernel is made.kernel
    assert "kernel   gemm" in made.text() and made.json()["kernel"] == "gemm"
    read = contra.load_object(tmp_path / "gemm.tcpo")
    a, b = np.random.default_rng(2).integers(-4, 5, (2, 64, 64)).astype(np.float32)
    assert np.array_equal(read.kernel(a, b), a @ b.T)
    assert read.schedule().cycles == made.schedule().cycles
    (tmp_path / "cut.tcpo").write_bytes((tmp_path / "gemm.tcpo").read_bytes()[:100])
    with pytest.raises(contra.Error):
        contra.load_object(tmp_path / "cut.tcpo")
    with pytest.raises(contra.Error):
        contra.load_object(tmp_path / "missing.tcpo")


def test_an_object_is_compiled_for_its_numbers(tmp_path):
    pick = contra.load("tests/positive/run/kernels.rs").kernel("pick")
    made = pick.compile(row=3, offset=1, shift=True)
    x = np.arange(256 * 64, dtype=np.int32).reshape(256, 8, 8)
    assert [param.name for param in made.kernel.inputs] == ["input"]
    assert np.array_equal(made.kernel(x), x[:, 3] + 1)
    with pytest.raises(TypeError, match="`offset`"):
        pick.compile(row=3, shift=True)
    with pytest.raises(TypeError, match="`input` is a tensor"):
        pick.compile(row=3, offset=1, shift=True, input=x)


def test_schedules(gemm, tmp_path):
    schedule = gemm.schedule()
    operations = schedule.operations
    assert schedule.cycles == max(operation.end for operation in operations) == schedule.json()["cycles"]
    assert [operation.method for operation in operations][:2] == ["to_dm", "to_dm"]
    product = next(operation for operation in operations if operation.macs)
    assert product.macs == 64 * 64 * 64 and product.context == "main" and product.file.endswith("gemm.rs") and product.line
    assert product.waits and product.cycles > 0 and any(operation.is_critical for operation in operations)
    assert gemm.schedule(cost="silicon").cycles != schedule.cycles
    assert "Critical path" in str(schedule) and schedule.trace()
    with pytest.raises(ValueError, match="'manual' or 'static' or 'silicon'"):
        gemm.schedule(cost="exact")


def test_a_notebook_shows_the_page(gemm, tmp_path):
    schedule = gemm.schedule()
    schedule.save_html(tmp_path / "gemm.html")
    page = (tmp_path / "gemm.html").read_text()
    assert page == schedule.html() and "<html" in page and json.dumps("contra-schedule") in page
    shown = schedule._repr_html_()
    assert shown.startswith("<iframe srcdoc=") and "<html" not in shown and "&lt;html" in shown
    assert schedule.svg().startswith("<svg") and gemm.svg().startswith("<svg")


def test_what_a_program_gave_keeps_it_alive():
    schedule = contra.load("examples/hello/gemm.rs").kernel("gemm").compile().schedule()
    gc.collect()
    assert schedule.operations


def test_contras_end_after_their_launches(monkeypatch):
    from contra import context

    ended = []

    class Spy:
        def __getattr__(self, name):
            return (lambda handle: ended.append(name)) if name in ["contra_launch_close", "contra_free"] else getattr(real, name)

    real = context.lib
    program = contra.load("tests/positive/run/kernels.rs")
    program.kernel("split")(np.zeros((16, 16, 8), np.int32))
    handle, launches = program.context.handle, set(program.context.launches)
    monkeypatch.setattr(context, "lib", Spy())
    del program  # nothing refers to itself, so it ends here
    assert ended == ["contra_launch_close", "contra_free"]
    for launch in launches:
        real.contra_launch_close(launch)
    real.contra_free(handle)
