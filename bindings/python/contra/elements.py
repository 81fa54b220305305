"""Elements of tensors as NumPy has them; bfloat16 and the two float8, which it has not.

These come as float32, which has all their values; as bit patterns, in unsigned integers of that width; or as arrays of ml_dtypes.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from ._library import ffi, lib

Array = np.ndarray[Any, np.dtype[Any]]

# Scalar types of tensors: how they are written, of what type that is for the library.
_WRITTEN: dict[str, tuple[type, str]] = {
    "bool": (np.bool_, "CONTRA_BOOL"),
    "i4": (np.int8, "CONTRA_I8"),
    "i8": (np.int8, "CONTRA_I8"),
    "u8": (np.uint8, "CONTRA_U8"),
    "i16": (np.int16, "CONTRA_I16"),
    "i32": (np.int32, "CONTRA_I32"),
    "f16": (np.float16, "CONTRA_F16"),
    "f32": (np.float32, "CONTRA_F32"),
    "bf16": (np.uint16, "CONTRA_BF16"),
    "f8": (np.uint8, "CONTRA_F8E4M3"),
    "f8e4m3": (np.uint8, "CONTRA_F8E4M3"),
    "f8e5m2": (np.uint8, "CONTRA_F8E5M2"),
}

_NARROW = {"bf16": "bfloat16", "f8": "float8_e4m3fn", "f8e4m3": "float8_e4m3fn", "f8e5m2": "float8_e5m2"}  # of ml_dtypes

NARROWS = ["float32", "bits", "ml_dtypes"]  # how they are given back

_ELEMENTS: dict[np.dtype[Any], int] = {
    np.dtype(name): getattr(lib, constant)
    for name, constant in [("bool", "CONTRA_BOOL"), ("int8", "CONTRA_I8"), ("int16", "CONTRA_I16"), ("int32", "CONTRA_I32"),
                           ("int64", "CONTRA_I64"), ("uint8", "CONTRA_U8"), ("uint16", "CONTRA_U16"), ("uint32", "CONTRA_U32"),
                           ("uint64", "CONTRA_U64"), ("float16", "CONTRA_F16"), ("float32", "CONTRA_F32"), ("float64", "CONTRA_F64")]
}

# Types of ml_dtypes are known by their names: who has an array of one needs nothing else of it.
_NAMED: dict[str, int] = {name: getattr(lib, _WRITTEN[scalar][1]) for scalar, name in _NARROW.items()}


def element_of(dtype: np.dtype[Any]) -> int | None:
    """What an array of this type is for the library; None: nothing."""
    found = _ELEMENTS.get(dtype)
    return _NAMED.get(dtype.type.__name__) if found is None else found


def is_float(scalar: str) -> bool:
    return "f" in scalar


def is_pattern(scalar: str, dtype: np.dtype[Any]) -> bool:
    """Whether an array of this type has bits of a float in it: unsigned integers of its width."""
    return dtype.kind == "u" and dtype.itemsize == np.dtype(_WRITTEN[scalar][0]).itemsize


@functools.cache
def written_dtype(scalar: str, narrow: str) -> tuple[np.dtype[Any], int]:
    """What an output of a scalar type is: of NumPy, and for the library."""
    dtype, constant = _WRITTEN[scalar]
    if scalar in _NARROW and narrow == "float32":
        return np.dtype(np.float32), lib.CONTRA_F32
    if scalar in _NARROW and narrow == "ml_dtypes":
        import ml_dtypes  # type: ignore[import]

        dtype = getattr(ml_dtypes, _NARROW[scalar])
    return np.dtype(dtype), getattr(lib, constant)


# ---- numbers of 8 and 16 bits

def _bits(array: Any, unsigned: type) -> Array:
    given: Array = np.asarray(array)
    return given.view(unsigned) if given.dtype.itemsize == np.dtype(unsigned).itemsize else given.astype(unsigned)


@functools.cache
def _table(constant: str) -> Array:
    """The number of every pattern of 8 bits, as the library has it."""
    patterns = np.arange(256, dtype=np.uint8)
    shape = ffi.new("int64_t[1]", [256])
    array = ffi.new("ContraArray *", (getattr(lib, constant), 1, shape, ffi.from_buffer(patterns)))
    return np.array([lib.contra_array_value(array, index) for index in range(256)], np.float32)


def _to_f8(array: Any, constant: str) -> Array:
    """To nearest, ties to even, as the chip rounds."""
    values = np.array(array, np.float32)
    positive = _table(constant)[:128]
    finite = positive[np.isfinite(positive)].astype(np.float64)  # of ascending patterns
    beyond = finite[-1] + (finite[-1] - finite[-2])  # what would come next
    steps = np.append(finite, beyond)
    size = np.minimum(np.abs(np.nan_to_num(values.astype(np.float64), nan=0.0, posinf=beyond, neginf=-beyond)), beyond)
    above = np.searchsorted(steps, size)
    below = np.maximum(above - 1, 0)
    middle = (steps[below] + steps[above]) / 2
    up = (size > middle) | ((size == middle) & (above % 2 == 0))
    bits = np.where(up, above, below)
    signs = np.signbit(values).astype(np.uint8) << 7
    if constant == "CONTRA_F8E4M3":  # saturates, and has one NaN
        return np.where(np.isnan(values), 0x7F, np.minimum(bits, len(finite) - 1) | signs).astype(np.uint8)
    nan = 0x7E | values.view(np.uint32) >> np.uint32(21) & np.uint32(3)
    patterns: Array = np.where(np.isnan(values), nan, bits) | signs
    return patterns.astype(np.uint8)


def bf16_to_float32(array: Any) -> Array:
    """The numbers of bfloat16, given as bit patterns (uint16) or as ml_dtypes has them."""
    return (_bits(array, np.uint16).astype(np.uint32) << 16).view(np.float32)


def float32_to_bf16(array: Any) -> Array:
    """Bit patterns of bfloat16 (uint16): to nearest, ties to even, as the chip rounds."""
    values = np.ascontiguousarray(array, np.float32)
    bits = values.view(np.uint32)
    rounded: Array = bits + np.uint32(0x7FFF) + (bits >> np.uint32(16) & np.uint32(1))
    quiet = bits | np.uint32(0x400000)
    return (np.where(np.isnan(values), quiet, rounded) >> np.uint32(16)).astype(np.uint16).reshape(np.shape(array))


def f8e4m3_to_float32(array: Any) -> Array:
    """The numbers of bit patterns (uint8)."""
    return _table("CONTRA_F8E4M3")[_bits(array, np.uint8)]


def f8e5m2_to_float32(array: Any) -> Array:
    """The numbers of bit patterns (uint8)."""
    return _table("CONTRA_F8E5M2")[_bits(array, np.uint8)]


def float32_to_f8e4m3(array: Any) -> Array:
    """Bit patterns (uint8): to nearest, ties to even; what is beyond 448 becomes that, NaN 0x7f."""
    return _to_f8(array, "CONTRA_F8E4M3")


def float32_to_f8e5m2(array: Any) -> Array:
    """Bit patterns (uint8): to nearest, ties to even, beyond the largest to infinity."""
    return _to_f8(array, "CONTRA_F8E5M2")
