"""A case: a kernel, arrays for its parameters, and the arrays that must come out."""

import zlib
from dataclasses import dataclass
from typing import Callable

import numpy as np

from .numbers import MAX, MIN

CASES = []


@dataclass
class Case:
    file: str
    kernel: str
    build: Callable  # build(rng) or build(rng, numerics) -> (inputs, outputs), both name -> array
    numerics: str = "tree"
    exact: bool = False  # compare bits of NaN and of zeros, too
    relax: str = ""
    label: str = ""  # tells cases of one kernel apart
    within: tuple = ()  # (relative, absolute): how far results may be off; bf16 of them are compared as numbers

    @property
    def name(self):
        notes = ", ".join(filter(None, (self.label, self.numerics.replace("tree", ""))))
        return f"{self.file}::{self.kernel}" + (f" ({notes})" if notes else "")

    def arrays(self):
        rng = np.random.default_rng(zlib.crc32(f"{self.file}::{self.kernel}{self.label}".encode()))
        if self.build.__code__.co_argcount == 2:
            inputs, outputs = self.build(rng, self.numerics)
        else:
            inputs, outputs = self.build(rng)
        return inputs, outputs if isinstance(outputs, dict) else {"": outputs}


class File:
    """Collects the cases of one source. Use as a decorator: the function has the name of the kernel."""

    def __init__(self, file):
        self.file = file

    def add(self, kernel, build, **options):
        CASES.append(Case(self.file, kernel, build, **options))
        if build.__code__.co_argcount == 2:
            CASES.append(Case(self.file, kernel, build, numerics="sequential", **options))

    def __call__(self, build=None, **options):
        if build is None:
            return lambda f: self(f, **options)
        self.add(build.__name__, build, **options)
        return build


# Inputs. Pairs of edge values come first, each with each; then anything.

I32_EDGES = [0, 1, -1, 2, -2, 3, 31, 32, 33, 1000, -1000, 0x40000000, -0x40000000, MAX, MAX - 1, MIN, MIN + 1]
F32_EDGES = [0.0, -0.0, 1.0, -1.0, 0.5, -1.5, 3.0, 1e-40, -1e-45, 1.1754944e-38, 3.4028235e38, -3.4028235e38,
             np.inf, -np.inf, np.nan, -np.nan, 88.0, -104.0, 16777216.0, 1e10]


def _pairs(edges, count, dtype, rest):
    k = len(edges)
    left = np.repeat(np.array(edges, dtype), k)
    right = np.tile(np.array(edges, dtype), k)
    return tuple(np.concatenate([side, rest()])[:count].astype(dtype) for side in (left, right))


def i32_pair(rng, count):
    def rest():
        wide = rng.integers(MIN, MAX + 1, count // 2)
        return np.concatenate([wide, rng.integers(-200, 200, count)])
    return _pairs(I32_EDGES, count, np.int32, rest)


def f32_pair(rng, count, edges=F32_EDGES):
    def rest():
        near = rng.normal(0, 4, count // 2)
        return np.concatenate([near, near_powers(rng, count)])
    return _pairs(edges, count, np.float32, rest)


def near_powers(rng, count):
    """Magnitudes from the whole range of f32."""
    return (rng.choice([-1, 1], count) * 2.0 ** rng.uniform(-120, 120, count)).astype(np.float32)


def ints(rng, shape, low=MIN, high=MAX + 1, dtype=np.int32):
    return rng.integers(low, high, shape).astype(dtype)


def normal(rng, shape, scale=1.0):
    return rng.normal(0, scale, shape).astype(np.float32)


def patterns(rng, shape, dtype):
    """Any bits at all."""
    info = np.iinfo(dtype)
    return rng.integers(info.min, info.max + 1, shape).astype(dtype)
