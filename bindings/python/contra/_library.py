"""The shared library: where it is found, and how it is called."""

from __future__ import annotations

import ctypes.util
import os
from pathlib import Path
from typing import Any

from . import _cdef

NAME = "libcontra.so.0"


def _candidates() -> list[str]:
    """What is named by CONTRA_LIBRARY and nothing else; or the library of the wheel, then that of the system."""
    named = os.environ.get("CONTRA_LIBRARY")
    if named:
        return [named]
    packed = Path(__file__).with_name(NAME)
    return ([str(packed)] if packed.exists() else []) + [NAME] + [found for found in [ctypes.util.find_library("contra")] if found]


def _opened(path: str) -> Any:
    """The library at a path, if it has what this package was made for."""
    opened = ffi.dlopen(path, ffi.RTLD_NOW | ffi.RTLD_NODELETE)  # threads may be in it when the interpreter ends
    try:
        found = int(opened.contra_version_number())
    except (AttributeError, ffi.error):
        raise OSError(f"{path} is no libcontra") from None
    if found < _cdef.VERSION or found // 1000000 != _cdef.VERSION // 1000000:
        raise OSError(f"{path} is version {_dotted(found)}, and this package is made for {_dotted(_cdef.VERSION)}")
    return opened


def _dotted(number: int) -> str:
    return f"{number // 1000000}.{number // 1000 % 1000}.{number % 1000}"


def _open() -> tuple[Any, str]:
    reasons = []
    for path in _candidates():
        try:
            return _opened(path), path
        except OSError as error:
            reasons.append(str(error))
    raise ImportError("libcontra is not found: install it, or name it in CONTRA_LIBRARY\n  " + "\n  ".join(reasons))


ffi: Any = _cdef.ffi
lib: Any
lib, library_path = _open()


def new(name: str, **members: Any) -> Any:
    """A struct with these members. One that says how large it is does."""
    made = ffi.new(f"{name} *")
    fields = ffi.typeof(name).fields
    if fields[0][0] == "size":
        made.size = ffi.sizeof(name)
    for member, value in members.items():
        setattr(made, member, value)
    return made


class Texts:
    """Texts for a call, and the memory that they are in: it lives as long as this does."""

    def __init__(self) -> None:
        self.kept: list[Any] = []

    def __call__(self, text: str | os.PathLike[str] | bytes) -> Any:
        data = text if isinstance(text, bytes) else os.fspath(text).encode(errors="surrogateescape")
        memory = ffi.new("char[]", data)
        made = ffi.new("ContraText *", (memory, len(data)))
        self.kept += [memory, made]
        return made[0]

    def terminated(self, data: bytes) -> Any:
        memory = ffi.new("char[]", data)
        self.kept.append(memory)
        return memory

    def array(self, texts: list[str]) -> Any:
        made = ffi.new("ContraText[]", [self(text) for text in texts])
        self.kept.append(made)
        return made


def string(text: Any) -> str:
    """What a ContraText or a terminated string says."""
    if ffi.typeof(text) is ffi.typeof("ContraText"):
        data: bytes = ffi.buffer(text.data, text.length)[:] if text.length else b""
    else:
        data = ffi.string(text)
    return data.decode(errors="replace")


version: str = string(lib.contra_version())
