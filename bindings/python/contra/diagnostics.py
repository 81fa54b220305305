"""Diagnostics as values, and the exception that carries them."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Span:
    """A piece of a source: bytes `start` to `end` of `file`; lines and columns count from 1, columns in characters."""

    file: str
    start: int
    end: int
    line: int
    column: int
    end_line: int
    end_column: int


@dataclass(frozen=True)
class Note:
    """Another place, or a fact."""

    text: str
    span: Span | None = None


@dataclass(frozen=True)
class Replacement:
    """`text` takes the place of what stands in the span."""

    span: Span
    text: str


@dataclass(frozen=True)
class Help:
    """What to do. All replacements together do it; one without any is for people."""

    text: str
    replacements: tuple[Replacement, ...] = ()


@dataclass(frozen=True)
class Diagnostic:
    """One thing that is wrong, or that was relaxed. str() of it is what the command line prints."""

    code: str
    severity: str  # "error" or "warning"
    message: str
    group: str = ""  # of rules, which may be relaxed by its name
    manual: str = ""  # chapter and section
    label: str = ""  # what stands at the place
    span: Span | None = None
    notes: tuple[Note, ...] = ()
    helps: tuple[Help, ...] = ()
    text: str = field(default="", compare=False, repr=False)

    @property
    def file(self) -> str | None:
        return self.span.file if self.span else None

    @property
    def line(self) -> int | None:
        return self.span.line if self.span else None

    @property
    def column(self) -> int | None:
        return self.span.column if self.span else None

    def __str__(self) -> str:
        return self.text


class Error(Exception):
    """Something was refused. `diagnostics` has every reason."""

    def __init__(self, message: str, diagnostics: list[Diagnostic] | None = None) -> None:
        super().__init__(message)
        self.diagnostics: list[Diagnostic] = diagnostics or []


class Warned(UserWarning):
    """What Contra warns of while a kernel is run or compiled."""


def _span(value: dict[str, Any] | None) -> Span | None:
    return Span(**value) if value else None


def read_diagnostics(document: str, rendered: list[str]) -> list[Diagnostic]:
    """Diagnostics from their JSON, each with the text for people."""
    found = []
    for value, text in zip(json.loads(document or "[]"), rendered):
        helps = tuple(Help(each["text"], tuple(Replacement(Span(**edit["span"]), edit["text"]) for edit in each["replacements"]))
                      for each in value["helps"])
        notes = tuple(Note(each["text"], _span(each["span"])) for each in value["notes"])
        found.append(Diagnostic(value["code"], value["severity"], value["message"], value["group"], value["manual"],
                                value["label"], _span(value["span"]), notes, helps, text))
    return found
