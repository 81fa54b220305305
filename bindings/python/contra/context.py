"""A Contra of the library: its lock, its end, and what it says when it refuses something."""

from __future__ import annotations

import os
import sys
import threading
import warnings
import weakref
from typing import Any, Iterable, TypeVar

from ._library import Texts, ffi, lib, new, string
from .diagnostics import Diagnostic, Error, Warned, read_diagnostics

RULES = {"all": "CONTRA_RULES_ALL", "reference": "CONTRA_RULES_REFERENCE"}
MEMORIES = {"real": "CONTRA_MEMORY_REAL", "detached": "CONTRA_MEMORY_DETACHED"}

Path = str | os.PathLike[str]
Self = TypeVar("Self")


def choose(table: dict[str, str], what: str, name: str) -> int:
    """The constant of the library that an option names."""
    if name not in table:
        raise ValueError(f"{what} is {' or '.join(map(repr, table))}, not {name!r}")
    return int(getattr(lib, table[name]))


def check_options(texts: Texts, relax: str | Iterable[str], rules: str, memory: str) -> Any:
    groups = relax if isinstance(relax, str) else ",".join(relax)
    return new("ContraCheckOptions", relax=texts(groups), rules=choose(RULES, "rules", rules),
               memory=choose(MEMORIES, "memory", memory))


def _end(handle: Any, launches: set[Any], process: int) -> None:
    if process != os.getpid():  # of the parent, where it may have been in use
        return
    for launch in launches:
        lib.contra_launch_close(launch)
    launches.clear()
    lib.contra_free(handle)


# ---- an end by Ctrl-C

class _Watch:
    """What was raised while a call asked whether it is to end."""

    raised: BaseException | None = None


def _note(kind: Any, value: BaseException, traceback: Any) -> None:
    ffi.from_handle(traceback.tb_frame.f_locals["own"]).raised = value


# Signals are handled while this runs, in the main thread: what their handlers raise ends the call.
@ffi.callback("bool(void *)", error=True, onerror=_note)  # type: ignore[misc]
def _is_cancelled(own: Any) -> bool:
    return ffi.from_handle(own).raised is not None


def can_be_interrupted() -> bool:
    """Only the main thread handles signals; others need not stop for Python while they work."""
    return threading.current_thread() is threading.main_thread()


# ---- contexts

_living: weakref.WeakSet[Context] = weakref.WeakSet()


def _after_fork() -> None:
    """In a child only the thread that forked goes on: what another one was at work with is never finished."""
    for context in list(_living):
        context.is_torn |= not context.lock.acquire(blocking=False)
        context.lock = threading.RLock()


os.register_at_fork(after_in_child=_after_fork)


def _outside() -> int:
    """How far up, from who asks, the caller of this package stands."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back and frame.f_globals.get("__package__") == __package__:
        level, frame = level + 1, frame.f_back
    return level


class Context:
    """One Contra. Whoever calls the library with `handle` is inside (`with context:`): one thread at a time may be."""

    def __init__(self, machine: Path | None = None) -> None:
        self.handle = lib.contra_new()
        if self.handle == ffi.NULL:
            raise MemoryError("there is no memory for a Contra")
        self.lock = threading.RLock()
        self.launches: set[Any] = set()  # that are open: they end before the Contra does
        self.is_torn = False
        ended = weakref.finalize(self, _end, self.handle, self.launches, os.getpid())
        ended.atexit = False  # other threads may be at work when the interpreter ends, and the memory goes with it
        _living.add(self)
        self.watch = _Watch()
        self.own = ffi.new_handle(self.watch)
        if machine is not None:
            texts = Texts()
            with self:
                self.ask(lib.contra_use_machine(self.handle, texts(machine)))

    def __enter__(self) -> None:
        self.lock.acquire()
        try:
            if self.is_torn:
                raise RuntimeError("another thread was using this when the process was forked: load it again")
            self.listen(can_be_interrupted())
        except BaseException:
            self.lock.release()
            raise

    def __exit__(self, *_: object) -> None:
        self.lock.release()

    def listen(self, listens: bool = True) -> None:
        """Whether the calls that follow may be interrupted."""
        lib.contra_set_cancel(self.handle, _is_cancelled if listens else ffi.NULL, self.own)

    def diagnostics(self) -> list[Diagnostic]:
        """What was found since the last time."""
        count = lib.contra_diagnostic_count(self.handle)
        if not count:
            return []
        rendered = [string(lib.contra_diagnostic(self.handle, index, lib.CONTRA_PLAIN)).rstrip("\n") for index in range(count)]
        found = read_diagnostics(string(lib.contra_diagnostics(self.handle, lib.CONTRA_DIAGNOSTICS_JSON)), rendered)
        lib.contra_clear_diagnostics(self.handle)
        return found

    def ask(self, status: int) -> None:
        """Raises what a call refused, and passes on what it warned of."""
        raised, self.watch.raised = self.watch.raised, None
        if status == lib.CONTRA_OK and not raised and not lib.contra_diagnostic_count(self.handle):
            return
        found = self.diagnostics()
        if raised:
            raise raised
        if status == lib.CONTRA_NO_MEMORY:
            raise MemoryError("Contra has no memory left for this")
        if status != lib.CONTRA_OK:
            raise refusal(found, "undecided: it would take too long" if status == lib.CONTRA_UNDECIDED else "refused")
        for each in found:
            warnings.warn(str(each), Warned, stacklevel=_outside())

    def text(self, function: Any, *arguments: Any) -> str:
        """The text that a function gives back through its last argument."""
        text = ffi.new("ContraText *")
        with self:
            self.ask(function(self.handle, *arguments, text))
            return string(text[0])


class Local:
    """Belongs to its process: a copy of it is itself, and it is not pickled."""

    def __copy__(self: Self) -> Self:
        return self

    def __deepcopy__(self: Self, _: Any) -> Self:
        return self

    def __reduce_ex__(self, _: Any) -> Any:
        raise TypeError(f"a contra.{type(self).__name__} belongs to its process and is not pickled: load it in the other one")


def refusal(found: list[Diagnostic], otherwise: str) -> Error:
    return Error("\n".join(map(str, found)) or otherwise, found)
