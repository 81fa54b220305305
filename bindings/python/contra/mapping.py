"""Mappings: what every position of a buffer holds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Mapping as Sizes

from ._library import Texts, ffi, lib, new, string
from .context import Context, choose

_KINDS = {"relaxed": "CONTRA_DIVIDE_RELAXED", "strict": "CONTRA_DIVIDE_STRICT", "span": "CONTRA_DIVIDE_SPAN"}


@dataclass(frozen=True)
class Factor:
    """One factor of the normal form."""

    text: str  # of a term; empty: a padding
    size: int  # a term: its positions; a padding: positions of all inside, itself included
    block: int  # positions inside it
    is_padding: bool


@dataclass(frozen=True)
class DivisionTerm:
    """A term of the divisor, and where it is in the dividend."""

    found: bool
    text: str
    size: int
    dividend_stride: int
    divisor_stride: int


@dataclass(frozen=True)
class Division:
    """What one mapping has of another."""

    exact: bool  # every term of the divisor was found
    terms: tuple[DivisionTerm, ...]
    dividend_residue: Mapping
    divisor_residue: Mapping
    dividend_remainder: Mapping
    divisor_remainder: Mapping


class Mapping:
    """A mapping, of its text as in `m![..]` and the sizes of its axes.

    Two are equal if they have the same cells, whatever their texts: Mapping("A / 4, A % 4", A=8) == Mapping("A", A=8).
    `a / n` and `a % n` are the outer and the inner part of a cut, m[i] is what position i holds, and len() counts positions.
    """

    def __init__(self, text: str, axes: Sizes[str, int] | None = None, **more: int) -> None:
        self.context = Context()
        self.sizes = {**(axes or {}), **more}
        self.handle = _parse(self.context, text, self.sizes)

    @classmethod
    def _of(cls, context: Context, sizes: dict[str, int], handle: Any) -> Mapping:
        made = cls.__new__(cls)
        made.context, made.sizes, made.handle = context, sizes, handle
        return made

    def _made(self, handle: Any) -> Mapping:
        return Mapping._of(self.context, self.sizes, handle)

    @property
    def size(self) -> int:
        """Positions."""
        return int(lib.contra_mapping_size(self.handle))

    def __len__(self) -> int:
        return self.size

    @property
    def text(self) -> str:
        return self._said(lib.contra_mapping_text)

    @property
    def normal(self) -> str:
        """The normal form, which parses back to the same mapping."""
        return self._said(lib.contra_mapping_normal)

    def _said(self, function: Any) -> str:
        with self.context:
            return string(function(self.handle))

    @property
    def axes(self) -> dict[str, int]:
        """The axes it can name, in the order in which they first occur."""
        size = ffi.new("int64_t *")
        with self.context:
            count = lib.contra_mapping_axis_count(self.handle)
            return {string(lib.contra_mapping_axis(self.handle, index, size)): size[0] for index in range(count)}

    @property
    def factors(self) -> tuple[Factor, ...]:
        """Of the normal form, innermost first."""
        found, factor = [], new("ContraFactor")
        with self.context:
            for index in range(lib.contra_mapping_factor_count(self.handle)):
                self.context.ask(lib.contra_mapping_factor(self.context.handle, self.handle, index, factor))
                found.append(Factor(string(factor.text), factor.size, factor.block, factor.is_padding))
        return tuple(found)

    def cell(self, position: int) -> tuple[dict[str, int], ...]:
        """What a position holds: one index, none (padding), or several, which are added."""
        cell, names = ffi.new("ContraCell *"), list(self.axes)
        with self.context:
            self.context.ask(lib.contra_mapping_cell(self.context.handle, self.handle, position, cell))
            values = list(cell.values[0 : cell.count * len(names)]) if cell.count and names else []
            return tuple(dict(zip(names, values[start * len(names) :])) for start in range(cell.count))

    def __getitem__(self, position: int) -> tuple[dict[str, int], ...]:
        if not -self.size <= position < self.size:
            raise IndexError(f"position {position} of {self.size}")
        return self.cell(position % self.size)

    @property
    def cells(self) -> list[tuple[dict[str, int], ...]]:
        """What every position holds."""
        return [self.cell(position) for position in range(self.size)]

    # ---- one and another

    def _here(self, other: Mapping | str) -> Mapping:
        """Another mapping among the axes of this one."""
        if isinstance(other, Mapping) and other.context is self.context:
            return other
        text, sizes = (other.normal, other.axes) if isinstance(other, Mapping) else (other, {})
        differing = [name for name, size in sizes.items() if self.sizes.get(name, size) != size]
        if differing:
            raise ValueError(f"the axis {differing[0]} has {self.sizes[differing[0]]} values in one mapping and {sizes[differing[0]]} in the other")
        added = {name: size for name, size in sizes.items() if name not in self.sizes}
        handle = _parse(self.context, text, added)
        self.sizes.update(added)
        return self._made(handle)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Mapping):
            return NotImplemented
        shared = self.axes.keys() & other.axes.keys()
        if any(self.axes[name] != other.axes[name] for name in shared):
            return False
        equal = ffi.new("bool *")
        here = self._here(other)
        with self.context:
            self.context.ask(lib.contra_mapping_equal(self.context.handle, self.handle, here.handle, equal, ffi.NULL))
        return bool(equal[0])

    def __hash__(self) -> int:
        return hash(self.size)  # equal ones may have different texts

    def difference(self, other: Mapping | str) -> int | None:
        """The first position at which two differ, -1 where it was not found; None: they are equal."""
        equal, at = ffi.new("bool *"), ffi.new("int64_t *")
        here = self._here(other)
        with self.context:
            self.context.ask(lib.contra_mapping_equal(self.context.handle, self.handle, here.handle, equal, at))
        return None if equal[0] else at[0]

    def is_prefix_of(self, other: Mapping | str) -> bool:
        """Whether the other one starts with the cells of this."""
        found, here = ffi.new("bool *"), self._here(other)
        with self.context:
            self.context.ask(lib.contra_mapping_is_prefix(self.context.handle, self.handle, here.handle, found))
        return bool(found[0])

    def split(self, at: int) -> tuple[Mapping, Mapping]:
        """(self / at, self % at)"""
        outer, inner = ffi.new("ContraMapping **"), ffi.new("ContraMapping **")
        with self.context:
            self.context.ask(lib.contra_mapping_split(self.context.handle, self.handle, at, outer, inner))
        return self._made(outer[0]), self._made(inner[0])

    def __truediv__(self, at: int) -> Mapping:
        return self.split(at)[0]

    def __mod__(self, at: int) -> Mapping:
        return self.split(at)[1]

    def tile(self, index: Mapping | str, length: int, start: int = 0) -> tuple[Mapping, int]:
        """A view of `length` positions of `index`, everything else in place; and the position at which it begins."""
        tile, offset, here = ffi.new("ContraMapping **"), ffi.new("int64_t *"), self._here(index)
        with self.context:
            self.context.ask(lib.contra_mapping_tile(self.context.handle, self.handle, here.handle, length, start, tile, offset))
        return self._made(tile[0]), offset[0]

    def divide(self, divisor: Mapping | str, kind: str = "relaxed", span: int = 0) -> Division:
        """Where the terms of a divisor are in this mapping: "relaxed", "strict", or "span" of so many positions."""
        here, made = self._here(divisor), new("ContraDivision")
        which = choose(_KINDS, "kind", kind)
        with self.context:
            self.context.ask(lib.contra_mapping_divide(self.context.handle, self.handle, here.handle, which, span, made))
            terms = tuple(DivisionTerm(term.found, string(term.text), term.size, term.dividend_stride, term.divisor_stride)
                          for term in (made.terms[0 : made.term_count] if made.term_count else []))
        return Division(made.exact, terms, self._made(made.dividend_residue), self._made(made.divisor_residue),
                        self._made(made.dividend_remainder), self._made(made.divisor_remainder))

    # ---- to look at

    def picture(self, most: int = 0) -> str:
        """Where each element sits, for at most so many positions; 0: a sensible number."""
        return self.context.text(lib.contra_mapping_picture, self.handle, lib.CONTRA_PICTURE_TEXT, most)

    def svg(self, most: int = 0) -> str:
        return self.context.text(lib.contra_mapping_picture, self.handle, lib.CONTRA_PICTURE_SVG, most)

    def _repr_svg_(self) -> str:
        return self.svg()

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        sizes = ", ".join(f"{name}={size}" for name, size in self.axes.items())
        return f"Mapping({self.text!r}{', ' if sizes else ''}{sizes})"


def _parse(context: Context, text: str, sizes: Sizes[str, int]) -> Any:
    made, texts = ffi.new("ContraMapping **"), Texts()
    with context:
        for name, size in sizes.items():
            context.ask(lib.contra_declare_axes(context.handle, texts(f"{name}={size}")))
        context.ask(lib.contra_mapping_parse(context.handle, texts("mapping"), texts(text), made))
    return made[0]
