"""Programs that are built call by call, for compilers that are written in Python.

Whatever contra.h has for a ContraProgram, a ContraTensor or a ContraStream is a method of Builder, Tensor or Stream of that name and with
those arguments; what makes layouts, operands and branches is a function here. All of it is made of the declarations of contra.h, and contra.h
says what each does. What differs from C:

- A tensor or stream that C gives back through its last argument is the result; other methods of a stream give back the stream, so that
  a pass is a chain. What is refused raises Error.
- NULL is None, and so is CONTRA_UNKNOWN. A pointer and its count are one sequence; options are dicts of their members.
- An operand may be an int (i32), a float (f32) or a tensor (VRF), a branch a str, a mapping a str or a Mapping.
- `return` is `return_`.
"""

from __future__ import annotations

import inspect
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Callable, Iterable, Iterator, TypeVar

from ._cdef import CDEF
from ._library import Texts, ffi, lib, new, string
from .context import Context, Local, Path, check_options
from .mapping import Mapping
from .program import Kernel, Program

Made = TypeVar("Made")
UNKNOWN = -(2**63)
_VALUES = ["ContraLayout", "ContraOperand", "ContraBranch", "ContraInputCompare", "ContraPattern"]


class Value:
    """A struct that the functions here make, with what it points to."""

    def __init__(self, struct: Any, kept: Any) -> None:
        self.struct, self.kept = struct, kept

    def __repr__(self) -> str:
        return f"<{ffi.typeof(self.struct).cname}>"


# ---- what a function takes

@dataclass(frozen=True)
class _Taken:
    """An argument of a function: its name in C, its type, and whether a count follows it."""

    name: str
    type: str
    is_counted: bool = False


def _text(texts: Texts, value: Any) -> Any:
    if value is None:
        return ffi.NULL
    data = str(value).encode() if isinstance(value, (str, Mapping)) else None
    if data is None or b"\0" in data:
        raise TypeError(f"a text is needed, not {value!r}")
    return texts.terminated(data)


def _struct(texts: Texts, name: str, value: Any) -> Any:
    """The options or the value that stand for one."""
    if isinstance(value, Value):
        texts.kept.append(value)
        return value.struct
    if name == "ContraOperand" and isinstance(value, (int, float, Tensor)):
        make = "vrf" if isinstance(value, Tensor) else "f32" if isinstance(value, float) else "i32"
        return _struct(texts, name, globals()[f"operand_{make}"](value))
    if name == "ContraBranch" and isinstance(value, str):
        return _struct(texts, name, globals()["branch"](value))
    if name == "ContraChoice":
        return ffi.new("ContraChoice *", tuple(value))[0]
    raise TypeError(f"a {name.removeprefix('Contra').lower()} is needed, not {value!r}")


def _options(texts: Texts, name: str, members: dict[str, Any]) -> Any:
    """A struct with a size, of a dict; arrays in it bring their counts."""
    made, types = new(name), dict(ffi.typeof(name).fields)
    for member, value in members.items():
        if member not in types:
            raise TypeError(f"{name} has no member `{member}`; it has {', '.join(types)}")
        kind = types[member].type.cname
        if kind in ["uint32_t *", "int32_t *"]:
            array = ffi.new(kind.replace(" *", "[]"), list(value))
            texts.kept.append(array)
            setattr(made, member, array)
            setattr(made, f"{member.removesuffix('s')}_count", len(array))
        else:
            setattr(made, member, _text(texts, value) if kind == "char *" else value)
    return made


def _array(texts: Texts, element: str, values: Iterable[Any]) -> tuple[Any, int]:
    items = [_passed(texts, _Taken("", element), value) for value in values]
    made = ffi.new(f"{element.replace('*const', '*')}[]", items)
    texts.kept.append(made)
    return made, len(items)


def _passed(texts: Texts, taken: _Taken, value: Any) -> Any:
    """What goes to C for a value."""
    kind = taken.type.removeprefix("const ")
    if kind in ["char *", "char *const"]:
        return _text(texts, value)
    if kind == "ContraTensor *":
        if not isinstance(value, Tensor):
            raise TypeError(f"a tensor is needed for `{taken.name}`, not {value!r}")
        texts.kept.append(value)  # a struct that has it may live longer than its program
        return value.handle
    if kind.endswith(" *"):
        return ffi.NULL if value is None else _options(texts, kind.removesuffix(" *"), value)
    if kind.startswith("Contra"):
        return _struct(texts, kind, value)
    return UNKNOWN if value is None and kind == "int64_t" else value


def _arguments(texts: Texts, taken: list[_Taken], values: Iterable[Any]) -> Iterator[Any]:
    for each, value in zip(taken, values):
        if each.is_counted:
            yield from _array(texts, each.type.removeprefix("const ").removesuffix("*").strip(), value)
        else:
            yield _passed(texts, each, value)


# ---- programs

class _Part(Local):
    """A handle of C, and the program that it belongs to."""

    def __init__(self, builder: Builder, handle: Any) -> None:
        self.builder, self.handle = builder, handle

    if TYPE_CHECKING:  # the methods are made below

        def __getattr__(self, name: str) -> Callable[..., Any]:
            ...


class Tensor(_Part):
    """A tensor of a program, or a view of one."""


class Stream(_Part):
    """A pass of the Tensor Unit under way."""


class Builder(_Part):
    """A program that is being built. `finish` makes it a kernel."""

    def __init__(self, name: str, chips: int | None = 1, *, relax: str | Iterable[str] = (), rules: str = "all", memory: str = "real",
                 machine: Path | None = None) -> None:
        self.name, self.context, self.is_open = name, Context(machine), True
        made, texts = ffi.new("ContraProgram **"), Texts()
        options = check_options(texts, relax, rules, memory)
        with self.context:
            self.context.ask(lib.contra_program_new(self.context.handle, _text(texts, name), UNKNOWN if chips is None else chips, options, made))
        super().__init__(self, made[0])

    def __repr__(self) -> str:
        return f"<contra.Builder {self.name}>"

    @property
    def text(self) -> str:
        """The lines that the calls so far stand for (docs/program-text.md)."""
        with self.context:
            self.require_open()
            return string(lib.contra_program_lines(self.handle))

    def require_open(self) -> None:
        if not self.is_open:
            raise ValueError(f"the program `{self.name}` is finished")

    def finish(self) -> Kernel:
        """Looks at the whole. Neither the builder nor what came from it is of use any more."""
        number = ffi.new("int64_t *")
        with self.context:
            self.require_open()
            self.is_open = False
            self.context.ask(lib.contra_program_finish(self.handle, number))
            return Kernel(Program(self.context, self.name), number[0])


# ---- what contra.h declares

def _declarations() -> Iterator[tuple[str, str, list[_Taken]]]:
    """Functions: what they give back, their names, and what they take."""
    for result, name, params in re.findall(r"^(\w+) contra_(\w+)\(([^;]*)\);$", CDEF, re.MULTILINE):
        found = [re.fullmatch(r"(.*?[ *])(\w+)", " ".join(param.split())) for param in params.split(",")]
        pairs = [(each[2], each[1].strip()) for each in found if each]
        counts = [index for index, (word, _) in enumerate(pairs) if word == "count"]
        yield result, name, [_Taken(word, kind, index + 1 in counts) for index, (word, kind) in enumerate(pairs) if index not in counts]


def _method(name: str, taken: list[_Taken]) -> Callable[..., Any]:
    results = {"ContraTensor **": (Tensor, "ContraTensor **"), "ContraStream **": (Stream, "ContraStream **")}
    given_back = results.get(taken[-1].type)
    inner = taken[1:-1] if given_back else taken[1:]
    signature, function = _signature(["self"], inner), getattr(lib, f"contra_{name}")

    def method(self: _Part, *positional: Any, **named: Any) -> Any:
        bound = signature.bind(self, *positional, **named)
        bound.apply_defaults()
        builder, texts = self.builder, Texts()
        arguments = list(_arguments(texts, inner, list(bound.arguments.values())[1:]))
        made = [ffi.new(given_back[1])] if given_back else []
        with builder.context:
            builder.require_open()
            builder.context.ask(function(self.handle, *arguments, *made))
        return given_back[0](builder, made[0][0]) if given_back else self if isinstance(self, Stream) else None

    return _described(method, name, signature)


def _function(name: str, taken: list[_Taken]) -> Callable[..., Value]:
    signature, called = _signature([], taken), getattr(lib, f"contra_{name}")

    def function(*positional: Any, **named: Any) -> Value:
        bound, texts = signature.bind(*positional, **named), Texts()
        bound.apply_defaults()
        return Value(called(*_arguments(texts, taken, bound.arguments.values())), texts)

    return _described(function, name, signature)


def _signature(first: list[str], taken: list[_Taken]) -> inspect.Signature:
    """Options at the end may be left out."""
    kind, empty = inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.empty
    params = [inspect.Parameter(name, kind) for name in first]
    params += [inspect.Parameter(each.name, kind, default=None if each.type.endswith("Options *") else empty) for each in taken]
    return inspect.Signature(params)


def _described(made: Callable[..., Made], name: str, signature: inspect.Signature) -> Callable[..., Made]:
    made.__name__ = made.__qualname__ = name
    setattr(made, "__signature__", signature)
    made.__doc__ = f"contra_{name} of contra.h."
    return made


def pattern(sources: Iterable[int], dim: int = 0) -> Value:
    """For each cluster or chip, the one it gets its part from."""
    array = ffi.new("int64_t[]", list(sources))
    return Value(ffi.new("ContraPattern *", (array, len(array), dim))[0], array)


_OWNERS = {"ContraProgram *": Builder, "ContraTensor *": Tensor, "ContraStream *": Stream}
for _result, _name, _taken in _declarations():
    if _result in _VALUES:
        globals()[_name] = _function(_name, _taken)
    elif _taken and _taken[0].type in _OWNERS and not _name.startswith("program_"):
        setattr(_OWNERS[_taken[0].type], "return_" if _name == "return" else _name, _method(_name, _taken))

if TYPE_CHECKING:

    def __getattr__(name: str) -> Callable[..., Value]:
        ...
