"""A Contra of the library: its lock, its end, and what it says when it refuses something."""

from __future__ import annotations

import os
import sys
import threading
import warnings
import weakref
from typing import Any, Iterable

from ._library import Texts, ffi, lib, new, string
from .diagnostics import Diagnostic, Error, Warned, read_diagnostics

RULES = {"all": "CONTRA_RULES_ALL", "reference": "CONTRA_RULES_REFERENCE"}
MEMORIES = {"real": "CONTRA_MEMORY_REAL", "detached": "CONTRA_MEMORY_DETACHED"}

Path = str | os.PathLike[str]


def choose(table: dict[str, str], what: str, name: str) -> int:
    """The constant of the library that an option names."""
    if name not in table:
        raise ValueError(f"{what} is {' or '.join(map(repr, table))}, not {name!r}")
    return int(getattr(lib, table[name]))


def check_options(texts: Texts, relax: str | Iterable[str], rules: str, memory: str) -> Any:
    groups = relax if isinstance(relax, str) else ",".join(relax)
    return new("ContraCheckOptions", relax=texts(groups), rules=choose(RULES, "rules", rules),
               memory=choose(MEMORIES, "memory", memory))


def _end(handle: Any, launches: set[Any]) -> None:
    for launch in launches:
        lib.contra_launch_close(launch)
    launches.clear()
    lib.contra_free(handle)


def _outside() -> int:
    """How far up, from who asks, the caller of this package stands."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back and frame.f_globals.get("__package__") == __package__:
        level, frame = level + 1, frame.f_back
    return level


class Context:
    """One Contra. Whoever calls the library with `handle` holds `lock`: one thread at a time may."""

    def __init__(self, machine: Path | None = None) -> None:
        self.handle = lib.contra_new()
        if self.handle == ffi.NULL:
            raise MemoryError("there is no memory for a Contra")
        self.lock = threading.RLock()
        self.launches: set[Any] = set()  # that are open: they end before the Contra does
        weakref.finalize(self, _end, self.handle, self.launches)
        if machine is not None:
            texts = Texts()
            with self.lock:
                self.ask(lib.contra_use_machine(self.handle, texts(machine)))

    def diagnostics(self) -> list[Diagnostic]:
        """What was found since the last time."""
        rendered: list[str] = []
        while text := string(lib.contra_diagnostic(self.handle, len(rendered), lib.CONTRA_PLAIN)):
            rendered.append(text.rstrip("\n"))
        if not rendered:
            return []
        found = read_diagnostics(string(lib.contra_diagnostics(self.handle, lib.CONTRA_DIAGNOSTICS_JSON)), rendered)
        lib.contra_clear_diagnostics(self.handle)
        return found

    def ask(self, status: int) -> None:
        """Raises what a call refused, and passes on what it warned of."""
        if status == lib.CONTRA_OK and not lib.contra_diagnostic(self.handle, 0, lib.CONTRA_PLAIN).length:
            return
        found = self.diagnostics()
        if status == lib.CONTRA_NO_MEMORY:
            raise MemoryError("Contra has no memory left for this")
        if status != lib.CONTRA_OK:
            raise refusal(found, "undecided: it would take too long" if status == lib.CONTRA_UNDECIDED else "refused")
        for each in found:
            warnings.warn(str(each), Warned, stacklevel=_outside())

    def text(self, function: Any, *arguments: Any) -> str:
        """The text that a function gives back through its last argument."""
        text = ffi.new("ContraText *")
        with self.lock:
            self.ask(function(self.handle, *arguments, text))
            return string(text[0])


def refusal(found: list[Diagnostic], otherwise: str) -> Error:
    return Error("\n".join(map(str, found)) or otherwise, found)
