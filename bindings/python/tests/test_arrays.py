"""What may be given for a tensor, and what comes back."""

import array
import inspect

import numpy as np
import pytest
from conftest import ROOT

import contra

rng = np.random.default_rng(3)
X = rng.integers(-9, 9, (256, 5)).astype(np.int32)


@pytest.fixture(scope="module")
def kernels():
    return contra.load(ROOT / "tests/positive/run/kernels.rs")


class Interface:
    """As libraries have arrays that know no NumPy."""

    def __init__(self, values):
        self.values = values
        self.__array_interface__ = values.__array_interface__


class Capsule:
    """As PyTorch and JAX hand over their memory."""

    def __init__(self, values):
        self.values = values

    def __dlpack__(self, stream=None):
        return self.values.__dlpack__()

    def __dlpack_device__(self):
        return self.values.__dlpack_device__()


class Convertible:
    def __init__(self, values):
        self.values = values

    def __array__(self, dtype=None):
        return np.asarray(self.values, dtype)


class Kind(np.ndarray):
    pass


@pytest.mark.parametrize("given", [Interface(X), Capsule(X), Convertible(X), X.view(Kind), np.ma.array(X), X.tolist(),
                                   tuple(X.tolist()), array.array("i", X.reshape(-1).tolist()), memoryview(X)],
                         ids=lambda given: type(given).__name__)
def test_whatever_is_an_array(kernels, given):
    moved = kernels.kernel("layouts::padded")(given)
    assert type(moved) is np.ndarray and np.array_equal(moved, X)


def test_arrays_that_are_none(kernels):
    padded = kernels.kernel("layouts::padded")
    with pytest.raises(TypeError, match="`input` has masked elements"):
        padded(np.ma.masked_equal(X, 3))
    for given in ["abc", {}, X.astype(complex), X.astype(object), X.astype("m8[s]")]:
        with pytest.raises(TypeError, match="`input` is a tensor of i32: arrays of .* have no elements"):
            padded(given)
    for given in [3, np.array(3), np.zeros((0, 5)), []]:
        with pytest.raises(contra.Error, match="input"):
            padded(given)


def test_what_is_written_in_place_has_the_order_of_the_machine(kernels):
    output = np.zeros((256, 8), ">i4")
    with pytest.raises(ValueError, match="in place: .* byte order"):
        kernels.kernel("first_half")(np.full((256, 4), 5), output)
    kind = np.zeros((256, 8), np.int32).view(Kind)
    assert kernels.kernel("first_half")(np.full((256, 4), 5), kind) is kind and (kind[:, :4] == 5).all()


def test_integers_are_numbers_of_floats_too():
    gemm, a = contra.load("examples/hello/gemm.rs").kernel(), rng.integers(0, 2, (64, 64))
    for dtype in [bool, "i1", "i2", ">i4", "i8", "u1", "u4", "u8"]:
        assert np.array_equal(gemm(a.astype(dtype), np.eye(64, dtype=dtype)), a)
    assert np.array_equal(gemm(contra.float32_to_bf16(a), np.eye(64)), a)  # uint16 has bits


# ---- bf16 and f8

class bfloat16(np.void):
    """Stands for the type of ml_dtypes, which is known by its name. It has no arithmetic: that is not what is tested."""


class float8_e4m3fn(np.void):
    pass


BRAIN, QUARTER = np.dtype((bfloat16, [("bits", np.uint16)])), np.dtype((float8_e4m3fn, [("bits", np.uint8)]))


@pytest.fixture
def floats(kernels):
    return kernels.kernel("types::floats")


NUMBERS = np.arange(2048, dtype=np.float32).reshape(256, 8) % 8


def test_narrow_floats_come_as_float32(floats):
    out = floats(NUMBERS, NUMBERS, NUMBERS, NUMBERS)
    assert [each.dtype.name for each in out] == ["float16", "float32", "float32", "float32"]
    assert all(np.array_equal(each, NUMBERS) for each in out) and floats.params[1].dtype == np.float32
    assert all(map(np.array_equal, floats(NUMBERS, NUMBERS, NUMBERS, NUMBERS, backend="oracle"), out))


def test_narrow_floats_as_bits(floats):
    out = floats(NUMBERS, NUMBERS, NUMBERS, NUMBERS, narrow="bits")
    assert out[1].dtype == np.uint16 and np.array_equal(out[1], contra.float32_to_bf16(NUMBERS))
    assert out[2].dtype == np.uint8 and np.array_equal(out[2], contra.float32_to_f8e4m3(NUMBERS))
    assert np.array_equal(floats(NUMBERS, out[1], out[2], NUMBERS)[1], NUMBERS)
    assert np.array_equal(floats(NUMBERS, seed=1, narrow="bits")[1], contra.float32_to_bf16(floats(NUMBERS, seed=1)[1]))


def test_types_of_others_are_known_by_their_names(floats):
    brain, quarter = contra.float32_to_bf16(NUMBERS).view(BRAIN), contra.float32_to_f8e4m3(NUMBERS).view(QUARTER)
    out = floats(NUMBERS, brain, quarter, NUMBERS)
    assert np.array_equal(out[1], NUMBERS) and np.array_equal(out[2], NUMBERS)
    assert np.array_equal(contra.bf16_to_float32(brain), NUMBERS)


def test_what_is_written_in_place_may_be_any_of_them():
    gelu = contra.load("examples/kernels/activations.rs").kernel("gelu")
    wanted = gelu(seed=1)
    for output in [np.zeros(wanted.shape, np.float32), np.zeros(wanted.shape, np.uint16), np.zeros(wanted.shape, np.uint16).view(BRAIN)]:
        assert gelu(y=output, seed=1) is output
        assert np.array_equal(output if output.dtype == np.float32 else contra.bf16_to_float32(output), wanted)


# ---- calls

def test_numbers(kernels):
    pick, x = kernels.kernel("pick"), rng.integers(-9, 9, (256, 8, 8)).astype(np.int32)
    assert np.array_equal(pick(x, np.array(3), np.int8(-2), np.bool_(True)), x[:, 3] - 2)
    for row, offset in [(-1, 0), (2**70, 0), (0, 2**31), (0, 1.5), (0, float("nan"))]:
        with pytest.raises(contra.Error, match="`row`" if row else "`offset`"):
            pick(x, row, offset, True)


def test_options_are_looked_at(kernels):
    split = kernels.kernel("split")
    for error, words, options in [(ValueError, "threads is a number", {"threads": -1}), (TypeError, "integer", {"threads": "two"}),
                                  (ValueError, "seed is a number", {"seed": -1}), (ValueError, "seed is a number", {"seed": 2**64}),
                                  (TypeError, "sanitize is True or False", {"sanitize": "no"}), (ValueError, "'bits' or 'ml_dtypes'", {"narrow": "f32"}),
                                  (TypeError, r"there is no option `treads` \(`threads`\?\)", {"treads": 1})]:
        with pytest.raises(error, match=words):
            split.using(**options)
    with pytest.raises(TypeError, match=r"no parameter `treads` \(`threads`\?\)"):
        split(np.zeros((16, 16, 8)), treads=1)


def test_what_notebooks_show(kernels):
    assert str(inspect.signature(kernels.kernel("first_half"))) == "(input: 'i32[256, 4]', output: '&mut i32[256, 8]' = None, **options)"
    assert "layouts::split" in kernels._ipython_key_completions_()
    assert inspect.signature(contra.Kernel)
