"""Kernels on arrays: prepared launches, bound to the memory of NumPy's arrays."""

from __future__ import annotations

import difflib
import operator
import time
from collections import OrderedDict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Callable, Iterable

import numpy as np

from ._library import Texts, ffi, lib, new
from .context import can_be_interrupted, choose
from .elements import NARROWS, Array, element_of, is_float, is_pattern, written_dtype

if TYPE_CHECKING:
    from .program import Kernel, Param

Numbers = tuple[tuple[str, str], ...]  # names and values

QUICK = 0.01  # seconds: nobody waits for the end of a run that takes less, so it is not asked whether it is to end
MOST_LAUNCHES = 16  # that a program keeps: each has a device of its own
BACKENDS = {"device": "CONTRA_BACKEND_DEVICE", "oracle": "CONTRA_BACKEND_ORACLE"}
NUMERICS = {"tree": "CONTRA_NUMERICS_TREE", "sequential": "CONTRA_NUMERICS_SEQUENTIAL"}


def _at_most(most: int | None) -> Callable[[str, Any], None]:
    def look(name: str, value: Any) -> None:
        if not 0 <= operator.index(value) <= (most or value):
            raise ValueError(f"{name} is a number{f' up to {most}' if most else ''}, not {value}")

    return look


def _one_of(words: Iterable[str]) -> Callable[[str, Any], None]:
    def look(name: str, value: Any) -> None:
        if value not in words:
            raise ValueError(f"{name} is {' or '.join(map(repr, words))}, not {value!r}")

    return look


def _yes_or_no(name: str, value: Any) -> None:
    if not isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name} is True or False, not {value!r}")


@dataclass(frozen=True)
class RunOptions:
    """How a kernel is run.

    backend       "device", or "oracle", the slower definition; both give the same bits
    threads       0: as many as the machine has
    sanitize      watches every access to the memories of the device
    check_oracle  the oracle executes every operation, too, and a difference is refused
    numerics      "tree", as the hardware adds, or "sequential"
    seed          tensors that are not given are drawn as the language's SmallRng draws
    narrow        what bf16 and f8 come back as: "float32", "bits" (uint16, uint8) or "ml_dtypes"
    """

    backend: str = "device"
    threads: int = 0
    sanitize: bool = False
    check_oracle: bool = False
    numerics: str = "tree"
    seed: int | None = None
    narrow: str = "float32"

    def __post_init__(self) -> None:
        for name, look in _LOOKS.items():
            if getattr(self, name) is not None or name != "seed":
                look(name, getattr(self, name))


_LOOKS: dict[str, Callable[[str, Any], None]] = {
    "backend": _one_of(BACKENDS),
    "threads": _at_most(2**31 - 1),
    "sanitize": _yes_or_no,
    "check_oracle": _yes_or_no,
    "numerics": _one_of(NUMERICS),
    "seed": _at_most(2**64 - 1),
    "narrow": _one_of(NARROWS),
}


def with_options(options: RunOptions, changes: dict[str, Any]) -> RunOptions:
    for name in changes:
        if name not in _LOOKS:
            raise TypeError(f"there is no option `{name}`{near(name, _LOOKS)}: there are {', '.join(_LOOKS)}")
    return replace(options, **changes)


def near(name: str, known: Iterable[str]) -> str:
    """The name that was probably meant."""
    found = difflib.get_close_matches(name, list(known), 1)
    return f" (`{found[0]}`?)" if found else ""


def _run_options(options: RunOptions) -> Any:
    return new("ContraRunOptions", backend=choose(BACKENDS, "backend", options.backend), threads=options.threads,
               sanitize=options.sanitize, check_oracle=options.check_oracle,
               numerics=choose(NUMERICS, "numerics", options.numerics), random=options.seed is not None,
               seed=options.seed or 0, narrow_as_f32=options.narrow == "float32")


# ---- arrays for parameters

def address_of(array: Array) -> int:
    return int(array.ctypes.data)


def _array_of(param: Param, value: Any) -> Array:
    """What is no array of NumPy's, or a kind of it that means something else, as one."""
    if isinstance(value, np.ma.MaskedArray) and np.any(value.mask):
        raise TypeError(f"`{param.name}` has masked elements, and tensors have none: give x.filled(..)")
    if not hasattr(value, "__array__") and hasattr(value, "__dlpack__"):
        return np.from_dlpack(value)
    return np.asarray(value, np.float64 if isinstance(value, (list, tuple)) and is_float(param.type) else None)


def as_array(param: Param, value: Any) -> Array:
    """What is given for a tensor, as the library reads it; a copy only where it has to be one."""
    array: Array = value if type(value) is np.ndarray else _array_of(param, value)
    if element_of(array.dtype.newbyteorder("=")) is None:
        raise TypeError(f"`{param.name}` is a tensor of {param.type}: arrays of {array.dtype} have no elements for it")
    if array.dtype.kind in "biu" and is_float(param.type) and not is_pattern(param.type, array.dtype):
        return array.astype(np.float64, order="C")
    flags = array.flags
    if not (flags.c_contiguous and flags.aligned and array.dtype.isnative):
        array = np.array(array, array.dtype.newbyteorder("="), order="C")
    return array


def as_written(param: Param, value: Any) -> Array:
    """What is given for a `&mut` tensor, which the kernel writes in place."""
    if not isinstance(value, np.ndarray) or address_of(as_array(param, value)) != address_of(value) or not value.flags.writeable:
        raise ValueError(f"`{param.name}` is written in place: give a NumPy array that is writable, contiguous and in the byte order of "
                         "the machine, or leave it out")
    return value


def number_text(param: Param, value: Any) -> str:
    plain = value.item() if isinstance(value, (np.generic, np.ndarray)) and value.ndim == 0 else value
    if isinstance(plain, bool):
        return "true" if plain else "false"
    if isinstance(plain, int):
        return str(plain)
    if isinstance(plain, float):
        return repr(plain)
    raise TypeError(f"`{param.name}` is a number ({param.type}), not {type(value).__name__}")


def inputs_of(texts: Texts, numbers: Numbers, arrays: dict[str, Array]) -> tuple[Any, int]:
    made = ffi.new("ContraInput[]", len(numbers) + len(arrays))
    for each, (name, text) in zip(made, numbers):
        each.name, each.is_number, each.number = texts(name), True, texts(text)
    for index, (name, array) in enumerate(arrays.items(), len(numbers)):
        shape = ffi.new("int64_t[]", list(array.shape))
        texts.kept += [shape, array]
        made[index].name = texts(name)
        made[index].array = {"type": element_of(array.dtype), "rank": array.ndim, "shape": shape,
                             "data": ffi.cast("void *", address_of(array))}
    return made, len(made)


# ---- launches

class Launch:
    """A kernel that is compiled for some numbers, and ready to run on any arrays. What is not among `arrays` is drawn, if there is a seed."""

    def __init__(self, kernel: Kernel, numbers: Numbers, options: RunOptions, arrays: dict[str, Array] = {}) -> None:
        self.context, self.params = kernel.program.context, kernel.params  # and not the program, which has the launch
        self.buffers: dict[int, tuple[Any, Any, Any]] = {}
        self.seconds = float("inf")  # that the last run took
        texts, launch = Texts(), ffi.new("ContraLaunch **")
        inputs, count = inputs_of(texts, numbers, arrays)
        self.context.listen()  # whoever runs it
        status = lib.contra_launch_open(self.context.handle, kernel.index, inputs, count, _run_options(options), launch)
        self.handle = launch[0]
        if self.handle != ffi.NULL:
            self.context.launches.add(self.handle)
        self.context.ask(status)

    def close(self) -> None:
        self.context.launches.discard(self.handle)
        lib.contra_launch_close(self.handle)

    def bind(self, index: int, array: Array, element: int, reads: bool, writes: bool) -> None:
        shape, buffer, _ = self.buffers.get(index, (None, None, None))
        if buffer is None or self.buffers[index][2] != array.shape:
            shape = ffi.new("int64_t[]", list(array.shape))
            buffer = new("ContraBuffer", rank=array.ndim, shape=shape)
            self.buffers[index] = (shape, buffer, array.shape)
        data = ffi.cast("void *", address_of(array))
        buffer.type = element
        setattr(buffer, "in", data if reads else ffi.NULL)
        buffer.out = data if writes else ffi.NULL
        status = lib.contra_launch_bind(self.handle, index, buffer)
        if status != lib.CONTRA_OK:
            self.context.ask(status)

    def run(self, arrays: dict[str, Array], narrow: str) -> list[Array]:
        """Its outputs: arrays that were given where they were, or new ones."""
        outputs = []
        for index, param in enumerate(self.params):
            given = arrays.get(param.name)
            if given is not None:
                self.bind(index, given, element_of(given.dtype) or 0, True, param.is_output)
            elif param.is_output:
                dtype, element = written_dtype(param.type, narrow)
                given = np.empty(param.shape, dtype)
                self.bind(index, given, element, False, True)
            if param.is_output and given is not None:
                outputs.append(given)
        self.context.listen(self.seconds > QUICK and can_be_interrupted())
        begin = time.perf_counter()
        status = lib.contra_launch_run(self.handle)
        self.seconds = time.perf_counter() - begin
        if status == lib.CONTRA_OK:  # it warns of elements that nobody wrote
            status = lib.contra_launch_outputs(self.handle, ffi.new("const ContraOutput **"), ffi.new("int64_t *"))
        self.context.ask(status)
        return outputs


class Launches:
    """The launches of a program that were used last."""

    def __init__(self) -> None:
        self.kept: OrderedDict[Any, Launch] = OrderedDict()

    def run(self, kernel: Kernel, numbers: Numbers, arrays: dict[str, Array], options: RunOptions) -> list[Array]:
        if options.seed is None:
            return self.of(kernel, numbers, options).run(arrays, options.narrow)
        launch = Launch(kernel, numbers, options, arrays)  # kernels may write where they read what was drawn
        try:
            return launch.run(arrays, options.narrow)
        finally:
            launch.close()

    def of(self, kernel: Kernel, numbers: Numbers, options: RunOptions) -> Launch:
        key = kernel.index, numbers, options.backend, options.threads, options.sanitize, options.check_oracle, options.numerics
        if key not in self.kept:
            self.kept[key] = Launch(kernel, numbers, options)
        self.kept.move_to_end(key)
        while len(self.kept) > MOST_LAUNCHES:
            self.kept.popitem(last=False)[1].close()
        return self.kept[key]
