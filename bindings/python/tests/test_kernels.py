"""Kernels on arrays, judged by NumPy."""

import threading
import warnings

import numpy as np
import pytest
from conftest import ROOT

import contra

KERNELS = "tests/positive/run/kernels.rs"
rng = np.random.default_rng(1)


def bf16(values):
    """Rounded to bfloat16, as float32."""
    return contra.bf16_to_float32(contra.float32_to_bf16(values))


@pytest.fixture(scope="module")
def kernels():
    return contra.load(ROOT / KERNELS)


def test_gemm():
    gemm = contra.load("examples/hello/gemm.rs").kernel("gemm")
    a, b = rng.standard_normal((2, 64, 64)).astype(np.float32)
    c = gemm(a, b)
    assert c.dtype == np.float32 and c.shape == (64, 64)
    np.testing.assert_allclose(c, bf16(a) @ bf16(b).T, rtol=1e-5, atol=1e-4)
    assert np.array_equal(c, gemm(b=contra.float32_to_bf16(b), a=contra.float32_to_bf16(a)))
    assert np.array_equal(c, gemm(a, b, backend="oracle"))
    assert np.array_equal(c, gemm.using(check_oracle=True, threads=1)(a, b))


def test_softmax():
    x = (rng.standard_normal((2048, 1024)) * 4).astype(np.float32)
    y = contra.load("examples/kernels/softmax.rs").kernel()(x)
    powers = np.exp(bf16(x) - bf16(x).max(axis=1, keepdims=True))
    np.testing.assert_allclose(y.reshape(x.shape), powers / powers.sum(axis=1, keepdims=True), rtol=2e-2, atol=1e-6)


def test_bit_patterns_come_back_as_they_are(kernels):
    types = [np.uint16, np.uint16, np.uint8, np.uint32]
    given = [rng.integers(0, 0x40, (256, 8)).astype(each) for each in types]
    half, brain, quarter, single = kernels.kernel("types::floats")(*given, narrow="bits")
    assert half.dtype == np.float16 and single.dtype == np.float32
    assert np.array_equal(half.view(np.uint16), given[0]) and np.array_equal(single.view(np.uint32), given[3])
    assert np.array_equal(brain, given[1]) and np.array_equal(quarter, given[2])


def test_narrow_floats_are_rounded_as_the_helpers_do():
    values = np.concatenate([rng.standard_normal(30000) * 2.0 ** rng.integers(-20, 20, 30000), contra.f8e4m3_to_float32(np.arange(256)),
                             contra.f8e5m2_to_float32(np.arange(256)), [np.inf, -np.inf, np.nan, -np.nan, 0.0, -0.0, 464.0, 1e30, 61440]])
    steps = contra.f8e5m2_to_float32(np.arange(124))
    values = np.concatenate([values, (steps[1:] + steps[:-1]) / 2, [448 + 16, 448 + 17], np.zeros(32768)])[:32768].astype(np.float32)
    program = contra.load("tests/kernels/moves_of_types.rs")
    for kernel, narrow in [("move_f8e4m3", contra.float32_to_f8e4m3), ("move_f8e5m2", contra.float32_to_f8e5m2)]:
        moved = program.kernel(kernel)(values.reshape(256, 4, 32), narrow="bits")
        assert np.array_equal(moved.transpose(1, 0, 2).reshape(-1), narrow(values))
        widened = program.kernel(kernel)(values.reshape(256, 4, 32))
        np.testing.assert_array_equal(widened, {"move_f8e4m3": contra.f8e4m3_to_float32, "move_f8e5m2": contra.f8e5m2_to_float32}[kernel](moved))
    kernel = program.kernel("move_bf16")
    size = int(np.prod(kernel.params[0].shape))
    moved = kernel(np.resize(values, size).reshape(kernel.params[0].shape), narrow="bits")
    assert np.array_equal(moved.transpose(1, 0, 2).reshape(-1), contra.float32_to_bf16(np.resize(values, size)))


def test_several_outputs_and_integers_that_do_not_fit(kernels):
    nibbles, numbers = rng.integers(-8, 8, (256, 16)), rng.integers(-128, 128, (256, 8))
    out = kernels.kernel("types::small")(nibbles, numbers)
    assert isinstance(out, tuple) and np.array_equal(out[0], nibbles) and np.array_equal(out[1], numbers)
    assert out[0].dtype == np.int8
    with pytest.raises(contra.Error, match="nibbles") as refused:
        kernels.kernel("types::small")(nibbles + 8, numbers)
    assert refused.value.diagnostics


def test_what_is_mutable_is_written_in_place(kernels):
    first_half = kernels.kernel("first_half")
    given, output = np.arange(1024, dtype=np.int32).reshape(256, 4), np.full((256, 8), 7, np.int32)
    assert first_half(given, output) is output
    assert np.array_equal(output[:, :4], given) and (output[:, 4:] == 7).all()
    for other in [output[:, ::-1], output.T.copy().T, output.tolist(), np.frombuffer(output.tobytes(), np.int32).reshape(256, 8)]:
        with pytest.raises(ValueError, match="in place"):
            first_half(given, other)
    with pytest.raises(contra.Error, match="output"):
        first_half(given, np.zeros((256, 8), np.int64))
    with pytest.warns(contra.Warned, match="1024 of 2048 elements") as warned:
        assert np.array_equal(first_half(given)[:, :4], given)
    assert warned[0].filename == __file__


def test_layouts_of_arrays_do_not_matter(kernels):
    padded = kernels.kernel("layouts::padded")
    x = rng.integers(-9, 9, (256, 5)).astype(np.int32)
    for same in [np.asfortranarray(x), x.astype(">i4"), x.astype(np.int64), x.reshape(-1), np.pad(x, ((0, 0), (0, 3))), x.tolist()]:
        assert np.array_equal(padded(same), x)
    assert np.array_equal(padded(np.repeat(x, 2, axis=1)[:, ::2]), x)


def test_numbers_are_arguments(kernels):
    pick = kernels.kernel("pick")
    x = rng.integers(-99, 99, (256, 8, 8)).astype(np.int32)
    for row in [0, 5, 0]:
        assert np.array_equal(pick(x, row, offset=-3, shift=True), x[:, row] - 3)
    assert np.array_equal(pick(x, np.int64(1), 3, np.bool_(False)), x[:, 1])
    with pytest.raises(contra.Error, match="E0123"):
        pick(x, 99, 0, True)
    assert np.array_equal(pick(x, 7, 0, True), x[:, 7])
    with pytest.raises(TypeError, match="is a number"):
        pick(x, "5", 0, True)


def test_wrong_calls(kernels):
    split = kernels.kernel("split")
    x = np.zeros((16, 16, 8), np.int32)
    for arguments, named, words in [((), {}, "needs `input`"), ((x, x), {}, "takes 1"), ((x,), {"input": x}, "twice"),
                                    ((x,), {"inptu": x}, "no parameter `inptu`"), ((x.astype(complex),), {}, "complex128")]:
        with pytest.raises(TypeError, match=words):
            split(*arguments, **named)
    with pytest.raises(contra.Error) as refused:
        split(np.zeros((3, 3), np.int32))
    assert "shape" in str(refused.value)
    with pytest.raises(ValueError, match="'device' or 'oracle'"):
        split(x, backend="chip")
    with pytest.raises(contra.Error, match="there is no kernel `nothing_like_this`"):
        kernels.kernel("nothing_like_this")


def test_signatures(kernels):
    pick = kernels.kernel("pick")
    assert pick.signature == "numbers::pick(input: i32[256, 8, 8], row: usize, offset: i32, shift: bool) -> i32[256, 8]"
    assert [param.name for param in pick.inputs] == ["input", "row", "offset", "shift"]
    assert pick.params[0].shape == (256, 8, 8) and pick.params[-1].dtype == np.int32
    assert pick.params[0].axes == (("S", 256), ("A", 8), ("A2", 8)) and pick.file.endswith("kernels.rs")
    assert [kernel.name for kernel in kernels.kernels][:2] == ["layouts::padded", "layouts::split"]
    assert "program layouts::padded chip=1" in kernels.text


def test_texts_are_programs():
    text = (ROOT / "examples/hello/constant_add.rs").read_text().replace("AddFxp, 5", "AddFxp, 6")
    assert np.array_equal(contra.load_text(text).kernel("add_five")(np.arange(4096)), np.arange(6, 4102))
    with pytest.raises(contra.Error, match="own.rs:"):
        contra.load_text(text.replace("m![Values / 16]", "m![Values / 15]"), "own.rs")
    with pytest.raises(contra.Error, match="there is no kernel\n.*has no function with `#.device"):
        contra.load_text("fn f() {}").kernel()


def test_generic_kernels():
    program = contra.load("tests/positive/run/generic.rs")
    generic = program.kernels[0]
    assert generic.generics == "const N: i32, E: M"
    with pytest.raises(contra.Error, match="E0967"):
        generic.compile()
    scaled = program.kernel("scaled::<3, m![A]>")
    x = rng.integers(-9, 9, scaled.params[0].shape)
    assert np.array_equal(scaled(x, 2), x * 3 + 2)


def test_seeds_draw_as_the_command_line_does(tmp_path):
    program = contra.load(KERNELS)
    first, again = program.kernel("split")(seed=5), program.kernel("split")(seed=5)
    assert np.array_equal(first, again) and not np.array_equal(first, program.kernel("split")(seed=6))
    floats = contra.load("examples/hello/gemm.rs").kernel("gemm")
    b = np.ones((64, 64), np.float32)
    assert np.array_equal(floats(b=b, seed=1), floats(b=b, seed=1, backend="oracle"))


def test_the_sanitizer():
    program = contra.load("examples/hello/sanitizer.rs")
    x = np.ones((256, 16, 8), np.int32)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", contra.Warned)
        program.kernel("forgets")(x)
    with pytest.raises(contra.Error) as refused:
        program.kernel("forgets")(x, sanitize=True)
    assert refused.value.diagnostics[0].code == "E0861"


def test_nothing_is_compiled_or_copied_again():
    from contra._library import lib

    program = contra.load("bench/device.rs")
    gemm = program.kernel("gemm_i8")
    for _ in range(3):
        a, b = rng.integers(-128, 128, (2, 512, 2048)).astype(np.int8)
        assert np.array_equal(gemm(a, b), a.astype(np.float64) @ b.astype(np.float64).T)
    (launch,) = program.launches.kept.values()
    assert lib.contra_launch_copied_bytes(launch.handle) == 0


def test_quick_runs_do_not_ask_whether_to_end():
    class Counting(type(contra.load("examples/hello/gemm.rs").context.watch)):
        asked = 0

        @property
        def raised(self):
            Counting.asked += 1

        @raised.setter
        def raised(self, value):
            pass

    add, x = contra.load("examples/hello/constant_add.rs").kernel(), np.arange(4096)
    add.program.context.watch.__class__ = Counting
    add(x)
    (launch,) = add.program.launches.kept.values()
    many, Counting.asked, launch.seconds = Counting.asked, 0, 0.0
    add(x)
    few, Counting.asked, launch.seconds = Counting.asked, 0, 1.0
    add(x)
    assert few == 1 < Counting.asked < many


def test_launches_that_are_not_used_are_closed(kernels):
    from contra import launch

    pick, x = kernels.kernel("pick"), np.zeros((256, 8, 8), np.int32)
    for offset in range(launch.MOST_LAUNCHES + 4):
        assert (pick(x, 0, offset, True) == offset).all()
    assert len(kernels.launches.kept) == launch.MOST_LAUNCHES == len(kernels.context.launches)


def test_threads_share_a_program_and_have_their_own():
    shared, wrong = contra.load(KERNELS), []

    def work(number):
        own = contra.load(KERNELS)
        for step in range(6):
            x = np.full((256, 8, 8), number * 100 + step, np.int32)
            for program in [shared, own]:
                if not (program.kernel("pick")(x, step, number, True) == number * 101 + step).all():
                    wrong.append((number, step))

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_the_instruction_set_can_be_forced(monkeypatch):
    add_five = contra.load("examples/hello/constant_add.rs").kernel("add_five")
    x = np.arange(4096, dtype=np.int32)
    monkeypatch.setenv("CONTRA_ISA", "sse9")
    with pytest.raises(contra.Error, match="`sse9`") as refused:
        add_five(x)
    assert refused.value.diagnostics[0].code == "E0906"
    monkeypatch.setenv("CONTRA_ISA", "plain")
    assert np.array_equal(add_five(x), x + 5)
