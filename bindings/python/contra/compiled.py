"""What a kernel becomes: its commands, and what runs when."""

from __future__ import annotations

import functools
import html
import json
from dataclasses import dataclass
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Any

from ._library import Texts, ffi, lib, new
from .context import Local, Path, choose

if TYPE_CHECKING:
    from .program import Kernel, Program

COSTS = {"manual": "CONTRA_COST_MANUAL", "static": "CONTRA_COST_STATIC", "silicon": "CONTRA_COST_SILICON"}
PAGE_HEIGHT = 640  # pixels, in a notebook


@dataclass(frozen=True)
class Operation:
    """One operation of a schedule: cycles `begin` to `end`, both from the begin of the kernel."""

    index: int
    method: str  # "to_dm"
    context: str  # "tdma", "main", ..
    begin: int
    end: int
    slack: int  # how much later it could end for the same whole
    is_critical: bool
    bound: str  # what takes so long
    file: str | None
    line: int | None
    source: str  # the text of the line
    bytes: int
    macs: int
    waits: tuple[dict[str, Any], ...]  # as docs/schedule.md has them; first: what held it up
    hints: tuple[str, ...]  # what would be quicker

    @property
    def cycles(self) -> int:
        return self.end - self.begin


def _operations(document: dict[str, Any]) -> list[Operation]:
    """What operations have in common stands once in the document, and so do texts."""
    def text(index: int) -> str:
        found = document["texts"][index] if index >= 0 else ""
        return "\n".join(map(text, found)) if isinstance(found, list) else str(found)

    made = []
    for index, operation in enumerate(document["operations"]):
        kind = document["kinds"][operation["kind"]]
        is_known = kind["file"] >= 0
        made.append(Operation(index, kind["method"], kind["context"], operation["begin"], operation["end"], operation["slack"],
                              operation.get("critical", False), kind["bound"], document["files"][kind["file"]] if is_known else None,
                              kind["line"] if is_known else None, text(kind["source"]), kind["bytes"], kind["macs"],
                              tuple(operation["waits"]), tuple(map(text, kind["hints"]))))
    return made


class Object(Local):
    """A compiled kernel."""

    def __init__(self, program: Program, handle: Any) -> None:
        self.program, self.handle = program, handle

    def __repr__(self) -> str:
        return f"<contra.Object {self.kernel.signature}>"

    @functools.cached_property
    def kernel(self) -> Kernel:
        """To be called: the numbers that it was compiled for are no parameters any more."""
        from .program import kernel_of_object

        return kernel_of_object(self.program, self.handle)

    def save(self, path: Path) -> None:
        """Writes an object file (`*.tcpo`)."""
        context, texts = self.program.context, Texts()
        with context:
            context.ask(lib.contra_object_write(context.handle, self.handle, texts(path)))

    def text(self, verbose: bool = False, width: int = 100) -> str:
        """A listing of its commands."""
        options = new("ContraListingOptions", verbose=verbose, width=width)
        return self.program.context.text(lib.contra_object_text, self.handle, options)

    def json(self) -> Any:
        """All of it, as docs/compile.schema.json describes."""
        return json.loads(self.program.context.text(lib.contra_object_text, self.handle, new("ContraListingOptions", json=True)))

    def schedule(self, cost: str = "manual") -> Schedule:
        context, made = self.program.context, ffi.new("ContraSchedule **")
        options = new("ContraScheduleOptions", cost=choose(COSTS, "cost", cost))
        with context:
            context.ask(lib.contra_schedule(context.handle, self.handle, options, made))
        return Schedule(self.program, made[0])


class Schedule(Local):
    """A kernel in time. A notebook shows it as the page of `contra schedule --html`."""

    def __init__(self, program: Program, handle: Any) -> None:
        self.program, self.handle = program, handle
        self.cycles: int = lib.contra_schedule_cycles(handle)

    def __repr__(self) -> str:
        return f"<contra.Schedule {self.cycles} cycles>"

    def __str__(self) -> str:
        return self._text(lib.CONTRA_SCHEDULE_SUMMARY)

    def _text(self, form: int) -> str:
        return self.program.context.text(lib.contra_schedule_text, self.handle, new("ContraScheduleTextOptions", form=form))

    def json(self) -> Any:
        """As docs/schedule.md describes."""
        return json.loads(self._text(lib.CONTRA_SCHEDULE_JSON))

    @property
    def operations(self) -> list[Operation]:
        """In the order of the program, each with its cycles, what bounds it and what it waited for."""
        return _operations(self.json())

    def trace(self) -> Any:
        """Trace events, as Perfetto and Chrome read them."""
        return json.loads(self._text(lib.CONTRA_SCHEDULE_TRACE))

    def svg(self) -> str:
        return self._text(lib.CONTRA_SCHEDULE_SVG)

    def html(self) -> str:
        """The page, which needs nothing else."""
        texts = Texts()
        return self.program.context.text(lib.contra_schedule_page, texts(self._text(lib.CONTRA_SCHEDULE_JSON)))

    def save_html(self, path: Path) -> None:
        FilePath(path).write_text(self.html(), encoding="utf-8")

    def _repr_html_(self) -> str:
        return (f'<iframe srcdoc="{html.escape(self.html())}" style="width: 100%; height: {PAGE_HEIGHT}px; border: 0">'
                "</iframe>")
