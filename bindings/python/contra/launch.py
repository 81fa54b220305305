"""Kernels on arrays: prepared launches, bound to the memory of NumPy's arrays."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ._library import Texts, ffi, lib, new, string
from .context import can_be_interrupted, choose
from .elements import Array, element_of, written_dtype

if TYPE_CHECKING:
    from .program import Kernel, Param

MOST_LAUNCHES = 16  # that a program keeps: each has a device of its own
BACKENDS = {"device": "CONTRA_BACKEND_DEVICE", "oracle": "CONTRA_BACKEND_ORACLE"}
NUMERICS = {"tree": "CONTRA_NUMERICS_TREE", "sequential": "CONTRA_NUMERICS_SEQUENTIAL"}


@dataclass(frozen=True)
class RunOptions:
    """How a kernel is run.

    backend       "device", or "oracle", the slower definition; both give the same bits
    threads       0: as many as the machine has
    sanitize      watches every access to the memories of the device
    check_oracle  the oracle executes every operation, too, and a difference is refused
    numerics      "tree", as the hardware adds, or "sequential"
    seed          tensors that are not given are drawn as the language's SmallRng draws
    as_float32    bf16 and f8 come back as float32
    """

    backend: str = "device"
    threads: int = 0
    sanitize: bool = False
    check_oracle: bool = False
    numerics: str = "tree"
    seed: int | None = None
    as_float32: bool = False


def _run_options(options: RunOptions) -> Any:
    return new("ContraRunOptions", backend=choose(BACKENDS, "backend", options.backend), threads=options.threads,
               sanitize=options.sanitize, check_oracle=options.check_oracle,
               numerics=choose(NUMERICS, "numerics", options.numerics), random=options.seed is not None,
               seed=options.seed or 0, narrow_as_f32=options.as_float32)


# ---- arrays for parameters

def as_array(param: Param, value: Any) -> Array:
    """What is given for a tensor, as the library reads it; a copy only where it has to be one."""
    is_float = "f" in param.type
    given = value if isinstance(value, np.ndarray) or hasattr(value, "__array__") else np.asarray(value, np.float64 if is_float else None)
    array: Array = np.require(given, requirements=["C", "A"])
    if not array.dtype.isnative:
        array = array.astype(array.dtype.newbyteorder("="))
    if element_of(array.dtype) is None:
        raise TypeError(f"`{param.name}` is a tensor of {param.type}: arrays of {array.dtype} have no elements for it")
    return array


def as_written(param: Param, value: Any) -> Array:
    """What is given for a `&mut` tensor, which the kernel writes in place."""
    if not isinstance(value, np.ndarray) or not (value.flags.writeable and value.flags.c_contiguous and value.flags.aligned):
        raise ValueError(f"`{param.name}` is written in place: give a NumPy array that is writable and contiguous, or leave it out")
    return as_array(param, value)


def number_text(param: Param, value: Any) -> str:
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    if isinstance(value, (float, np.floating)):
        return repr(float(value))
    raise TypeError(f"`{param.name}` is a number ({param.type}), not {type(value).__name__}")


def inputs_of(texts: Texts, numbers: tuple[tuple[str, str], ...], arrays: dict[str, Array]) -> tuple[Any, int]:
    made = ffi.new("ContraInput[]", len(numbers) + len(arrays))
    for each, (name, text) in zip(made, numbers):
        each.name, each.is_number, each.number = texts(name), True, texts(text)
    for index, (name, array) in enumerate(arrays.items(), len(numbers)):
        shape = ffi.new("int64_t[]", list(array.shape))
        texts.kept += [shape, array]
        made[index].name = texts(name)
        made[index].array = {"type": element_of(array.dtype), "rank": array.ndim, "shape": shape,
                             "data": ffi.cast("void *", array.ctypes.data)}
    return made, len(made)


# ---- launches

class Launch:
    """A kernel that is compiled for some numbers, and ready to run on any arrays."""

    def __init__(self, kernel: Kernel, numbers: tuple[tuple[str, str], ...], options: RunOptions) -> None:
        self.context, self.params = kernel.program.context, kernel.params  # and not the program, which has the launch
        self.buffers: dict[int, tuple[Any, Any, Any]] = {}
        texts, launch = Texts(), ffi.new("ContraLaunch **")
        inputs, count = inputs_of(texts, numbers, {})
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
        data = ffi.cast("void *", array.ctypes.data)
        buffer.type = element
        setattr(buffer, "in", data if reads else ffi.NULL)
        buffer.out = data if writes else ffi.NULL
        status = lib.contra_launch_bind(self.handle, index, buffer)
        if status != lib.CONTRA_OK:
            self.context.ask(status)

    def run(self, arrays: dict[str, Array], as_float32: bool) -> list[Array]:
        """Its outputs: arrays that were given where they were, or new ones."""
        outputs = []
        for index, param in enumerate(self.params):
            given = arrays.get(param.name)
            if given is not None:
                self.bind(index, given, element_of(given.dtype) or 0, True, param.is_output)
            elif param.is_output:
                dtype, element = written_dtype(param.type, as_float32)
                given = np.empty(param.shape, dtype)
                self.bind(index, given, element, False, True)
            if param.is_output and given is not None:
                outputs.append(given)
        self.context.listen(can_be_interrupted())
        status = lib.contra_launch_run(self.handle)
        if status == lib.CONTRA_OK:  # it warns of elements that nobody wrote
            status = lib.contra_launch_outputs(self.handle, ffi.new("const ContraOutput **"), ffi.new("int64_t *"))
        self.context.ask(status)
        return outputs


class Launches:
    """The launches of a program that were used last."""

    def __init__(self) -> None:
        self.kept: OrderedDict[Any, Launch] = OrderedDict()

    def of(self, kernel: Kernel, numbers: tuple[tuple[str, str], ...], options: RunOptions) -> Launch:
        key = kernel.index, numbers, replace(options, as_float32=False)
        if key not in self.kept:
            self.kept[key] = Launch(kernel, numbers, options)
        self.kept.move_to_end(key)
        while len(self.kept) > MOST_LAUNCHES:
            self.kept.popitem(last=False)[1].close()
        return self.kept[key]


def run_drawn(kernel: Kernel, numbers: tuple[tuple[str, str], ...], arrays: dict[str, Array], options: RunOptions) -> list[Array]:
    """A run that draws what is not given; it is prepared each time."""
    context, texts = kernel.program.context, Texts()
    inputs, count = inputs_of(texts, numbers, arrays)
    made, made_count = ffi.new("const ContraOutput **"), ffi.new("int64_t *")
    status = lib.contra_run_kernel(context.handle, kernel.index, inputs, count, _run_options(options), made, made_count)
    context.ask(status)
    outputs = []
    for output in made[0][0 : made_count[0]]:
        name, shape = string(output.param.name), tuple(output.array.shape[0 : output.array.rank])
        dtype, _ = written_dtype(string(output.param.type), options.as_float32)
        count = lib.contra_array_count(ffi.addressof(output, "array"))
        array = np.frombuffer(ffi.buffer(output.array.data, count * dtype.itemsize), dtype).reshape(shape).copy()
        if name in arrays:
            arrays[name].reshape(shape)[...] = array
            array = arrays[name]
        outputs.append(array)
    return outputs
