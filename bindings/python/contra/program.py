"""Programs and their kernels: checked, loaded, called on arrays."""

from __future__ import annotations

import inspect
import keyword
import os
from dataclasses import dataclass, fields
from typing import Any, Iterable, Iterator

import numpy as np

from ._library import Texts, ffi, lib, new, string
from .compiled import Object, Schedule
from .context import Context, Local, Path, check_options
from .diagnostics import Diagnostic
from .elements import Array, written_dtype
from .launch import Launches, Numbers, RunOptions, as_array, as_written, inputs_of, near, number_text, with_options

_OPTIONS = {each.name for each in fields(RunOptions)}


# ---- checking

@dataclass(frozen=True)
class Checked:
    """What was checked. It is true where nothing is refused."""

    files: int
    lines: int
    functions: int
    kernels: int  # of these, device functions
    operations: int
    errors: int
    warnings: int
    diagnostics: list[Diagnostic]
    text: str  # the programs that were traced, in the text form

    def __bool__(self) -> bool:
        return self.errors == 0


def _checked(context: Context, status: int, result: Any, raise_on_error: bool) -> Checked:
    if status != lib.CONTRA_OK and (raise_on_error or status != lib.CONTRA_INVALID):
        context.ask(status)
    found = context.diagnostics()
    text = context.text(lib.contra_program_text) if status == lib.CONTRA_OK else ""
    return Checked(result.files, result.lines, result.functions, result.kernels, result.operations, result.errors,
                   result.warnings, found, text)


def _paths(path: Path | Iterable[Path]) -> list[str]:
    return [os.fspath(each) for each in ([path] if isinstance(path, (str, os.PathLike)) else path)]


def check(path: Path | Iterable[Path], *, relax: str | Iterable[str] = (), rules: str = "all", memory: str = "real",
          machine: Path | None = None, raise_on_error: bool = True) -> Checked:
    """Checks every function of files (`*.rs`, `*.tcp`), folders and crates.

    Raises Error where something is refused, or gives back what was found without `raise_on_error`. `relax` names groups of
    rules that only warn; `rules` is "all" or "reference"; `memory` is "real" or "detached".
    """
    context, texts, paths = Context(machine), Texts(), _paths(path)
    result = new("ContraCheckResult")
    options = check_options(texts, relax, rules, memory)
    with context:
        status = lib.contra_check(context.handle, texts.array(paths), len(paths), options, result)
        return _checked(context, status, result, raise_on_error)


def check_text(text: str, name: str = "text.rs", *, relax: str | Iterable[str] = (), rules: str = "all", memory: str = "real",
               machine: Path | None = None, raise_on_error: bool = True) -> Checked:
    """The same for a source that is in no file; `name` is what diagnostics call it."""
    context, texts = Context(machine), Texts()
    result = new("ContraCheckResult")
    options = check_options(texts, relax, rules, memory)
    with context:
        status = lib.contra_check_text(context.handle, texts(name), texts(text), options, result)
        return _checked(context, status, result, raise_on_error)


# ---- kernels

@dataclass(frozen=True)
class Param:
    """What goes into a kernel or comes out of it."""

    name: str  # of what is given back "result", of a tuple "result.0", ..
    type: str  # "bf16": of the elements, or of the number
    is_tensor: bool
    is_input: bool
    is_output: bool  # `&mut`, or given back
    mapping: str = ""  # chip and element as written
    axes: tuple[tuple[str, int], ...] = ()

    @property
    def shape(self) -> tuple[int, ...]:
        """Of its array."""
        return tuple(size for _, size in self.axes)

    @property
    def dtype(self) -> np.dtype[Any]:
        """Of its array, where the kernel gives it back and no option says otherwise."""
        return written_dtype(self.type, "float32")[0]

    def __str__(self) -> str:
        shape = f"[{', '.join(map(str, self.shape))}]" if self.is_tensor else ""
        return f"{self.name}: {'&mut ' if self.is_input and self.is_output else ''}{self.type}{shape}"


def _param(param: Any) -> Param:
    axes = tuple((string(axis.text), axis.size) for axis in param.axes[0 : param.axis_count]) if param.axis_count else ()
    return Param(string(param.name), string(param.type), param.is_tensor, param.is_input, param.is_output, string(param.mapping), axes)


def _signature(inputs: tuple[Param, ...]) -> inspect.Signature:
    """For inspect.signature, and so for what a notebook shows of a function."""
    is_plain = not any(keyword.iskeyword(param.name) for param in inputs)
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD if is_plain else inspect.Parameter.POSITIONAL_ONLY
    params, is_optional = [], False
    for param in inputs:
        is_optional |= param.is_output
        params.append(inspect.Parameter(param.name, kind, annotation=str(param).partition(": ")[2],
                                        default=None if is_optional else inspect.Parameter.empty))
    return inspect.Signature([*params, inspect.Parameter("options", inspect.Parameter.VAR_KEYWORD)])


@dataclass(frozen=True)
class _Info:
    """What the library says of a kernel."""

    name: str
    file: str
    generics: str
    params: tuple[Param, ...]


class Kernel(Local):
    """A kernel, which is called like a function on arrays.

    Arguments are its inputs in order, or by their names; numbers are given as such. What it gives back are new arrays: one,
    a tuple of several, or None. A `&mut` tensor is an input and an output: an array that is given for it is written in place
    and given back, and one that is left out starts without values. Options of RunOptions are given by name, too, unless
    a parameter is called so; `using` gives them beforehand.
    """

    def __init__(self, program: Program, index: int, options: RunOptions = RunOptions()) -> None:
        self.program, self.index, self.options = program, index, options
        info = program.info(index)
        self.name, self.file, self.params = info.name, info.file, info.params
        self.generics = info.generics  # as written; it has instances, and is none
        self.inputs = tuple(param for param in self.params if param.is_input)
        self.outputs = tuple(param for param in self.params if param.is_output)
        self._names = [param.name for param in self.inputs]
        self.__signature__ = _signature(self.inputs)

    @property
    def signature(self) -> str:
        given_back = [param for param in self.outputs if not param.is_input]
        results = ", ".join(str(param).partition(": ")[2] for param in given_back)
        arrow = f" -> {f'({results})' if len(given_back) > 1 else results}" if given_back else ""
        generics = f"<{self.generics}>" if self.generics else ""
        return f"{self.name}{generics}({', '.join(map(str, self.inputs))}){arrow}"

    def __repr__(self) -> str:
        return f"<contra.Kernel {self.signature}>"

    def using(self, **options: Any) -> Kernel:
        """The same kernel with other options."""
        return Kernel(self.program, self.index, with_options(self.options, options))

    def _require_instance(self) -> None:
        context = self.program.context
        if self.generics:
            with context:
                context.ask(lib.contra_kernel(context.handle, self.index, new("ContraKernel")))

    def _arguments(self, positional: tuple[Any, ...], named: dict[str, Any]) -> dict[str, Any]:
        """What is given, by name."""
        names = self._names
        if len(positional) > len(names):
            raise TypeError(f"{self.name} takes {len(names)} arguments, not {len(positional)}: {', '.join(names)}")
        given = dict(zip(names, positional))
        for name, value in named.items():
            if name not in names:
                raise TypeError(f"{self.name} has no parameter `{name}`{near(name, [*names, *_OPTIONS])}; it has {', '.join(names)}")
            if name in given:
                raise TypeError(f"`{name}` is given twice")
            given[name] = value
        return {name: value for name, value in given.items() if value is not None}

    def _numbers(self, given: dict[str, Any]) -> Numbers:
        missing = [param.name for param in self.inputs if not param.is_tensor and param.name not in given]
        if missing:
            raise TypeError(f"{self.name} needs {', '.join(f'`{name}`' for name in missing)}")
        return tuple((param.name, number_text(param, given[param.name])) for param in self.inputs if not param.is_tensor)

    def _arrays(self, given: dict[str, Any], drawn: bool) -> dict[str, Array]:
        arrays = {}
        for param in self.inputs:
            if param.is_tensor and param.name in given:
                arrays[param.name] = (as_written if param.is_output else as_array)(param, given[param.name])
            elif param.is_tensor and not param.is_output and not drawn:
                raise TypeError(f"{self.name} needs `{param.name}`, or a seed to draw it with")
        return arrays

    def __call__(self, *positional: Any, **named: Any) -> Any:
        own = {name: named.pop(name) for name in list(named) if name in _OPTIONS and name not in self._names}
        options = with_options(self.options, own) if own else self.options
        self._require_instance()
        given = self._arguments(positional, named)
        arrays, numbers = self._arrays(given, options.seed is not None), self._numbers(given)
        with self.program.context:
            outputs = self.program.launches.run(self, numbers, arrays, options)
        return None if not outputs else outputs[0] if len(outputs) == 1 else tuple(outputs)

    # ---- compiled; numbers are given by name

    def _compile(self, function: Any, result: Any, numbers: dict[str, Any]) -> Any:
        context, texts = self.program.context, Texts()
        self._require_instance()
        tensors = [param.name for param in self.inputs if param.is_tensor and param.name in numbers]
        if tensors:
            raise TypeError(f"`{tensors[0]}` is a tensor, and {self.name} is compiled for its numbers alone")
        inputs, count = inputs_of(texts, self._numbers(self._arguments((), numbers)), {})
        context.ask(function(context.handle, self.index, inputs, count, result))
        return result[0]

    def compile(self, **numbers: Any) -> Object:
        """The commands of the hardware that it becomes."""
        with self.program.context:
            return Object(self.program, self._compile(lib.contra_compile, ffi.new("ContraObject **"), numbers))

    def schedule(self, cost: str = "manual", **numbers: Any) -> Schedule:
        """What runs when, in cycles: "manual", "static" or "silicon" says how they are counted."""
        return self.compile(**numbers).schedule(cost)

    def text(self, **numbers: Any) -> str:
        """The program in the text form."""
        with self.program.context:
            return string(self._compile(lib.contra_kernel_program, ffi.new("ContraText *"), numbers))

    def svg(self, **numbers: Any) -> str:
        """A drawing of its tensors, streams and operations."""
        with self.program.context:
            return string(self._compile(lib.contra_kernel_picture, ffi.new("ContraText *"), numbers))


# ---- programs

class Program(Local):
    """Sources that were read, or an object file. It may be used by several threads, by one at a time."""

    def __init__(self, context: Context, path: str) -> None:
        self.context, self.path = context, path
        self.launches = Launches()
        self.infos: dict[int, _Info] = {}  # of kernels that were asked for, and their numbers by the names that were used:
        self.numbers: dict[str, int] = {}  # the library takes memory for each answer

    def __repr__(self) -> str:
        return f"<contra.Program {self.path}>"

    @property
    def kernels(self) -> tuple[Kernel, ...]:
        """All of them, in the order of the text. A generic one is only listed: `kernel` gives an instance of it."""
        with self.context:
            return tuple(Kernel(self, index) for index in range(lib.contra_kernel_count(self.context.handle)))

    def kernel(self, name: str = "") -> Kernel:
        """By its path or the end of it, of a generic one with arguments: "gemm::<2, m![A]>". Without a name the only one."""
        with self.context:
            if name not in self.numbers:
                self.numbers[name] = self._find(name)
            return Kernel(self, self.numbers[name])

    def _find(self, name: str) -> int:
        index, texts = ffi.new("int64_t *"), Texts()
        if not name and lib.contra_kernel_count(self.context.handle) == 1:
            return 0
        self.context.ask(lib.contra_kernel_find(self.context.handle, texts(name), index))
        return int(index[0])

    def info(self, index: int) -> _Info:
        with self.context:
            if index not in self.infos:
                self.infos[index] = self._ask(index)
            return self.infos[index]

    def _ask(self, index: int) -> _Info:
        info = new("ContraKernel")
        status = lib.contra_kernel(self.context.handle, index, info)
        params = tuple(_param(param) for param in info.params[0 : info.param_count]) if info.param_count else ()
        made = _Info(string(info.name), string(info.file), string(info.generics), params)
        if made.generics:
            self.context.diagnostics()  # nobody can call it; that is said when somebody does
        else:
            self.context.ask(status)
        return made

    def __getitem__(self, name: str) -> Kernel:
        return self.kernel(name)

    def __iter__(self) -> Iterator[str]:
        return iter([kernel.name for kernel in self.kernels])

    def _ipython_key_completions_(self) -> list[str]:
        return list(self)

    @property
    def text(self) -> str:
        """The programs of its kernels in the text form; those that take numbers, and generic ones, are left out."""
        whole = [kernel for kernel in self.kernels if not kernel.generics and all(param.is_tensor for param in kernel.inputs)]
        return "\n".join(kernel.text() for kernel in whole)


def load(path: Path | Iterable[Path], *, relax: str | Iterable[str] = (), rules: str = "all", memory: str = "real",
         machine: Path | None = None) -> Program:
    """Reads files, folders and crates as `check` does. A kernel is checked when it is first called or compiled."""
    context, texts, paths = Context(machine), Texts(), _paths(path)
    options = check_options(texts, relax, rules, memory)
    with context:
        context.ask(lib.contra_load(context.handle, texts.array(paths), len(paths), options))
    return Program(context, ", ".join(paths))


def load_text(text: str, name: str = "text.rs", *, relax: str | Iterable[str] = (), rules: str = "all", memory: str = "real",
              machine: Path | None = None) -> Program:
    """A source that is in no file, which is checked as a whole; `name` is what diagnostics call it."""
    context, texts = Context(machine), Texts()
    options = check_options(texts, relax, rules, memory)
    with context:
        context.ask(lib.contra_check_text(context.handle, texts(name), texts(text), options, ffi.NULL))
    return Program(context, name)


def load_object(path: Path, *, machine: Path | None = None) -> Object:
    """Reads an object file."""
    context, texts, made = Context(machine), Texts(), ffi.new("ContraObject **")
    with context:
        context.ask(lib.contra_object_read(context.handle, texts(path), made))
    return Object(Program(context, str(path)), made[0])


def kernel_of_object(program: Program, handle: Any) -> Kernel:
    index = ffi.new("int64_t *")
    context = program.context
    with context:
        context.ask(lib.contra_object_kernel(context.handle, handle, index))
        return Kernel(program, index[0])
