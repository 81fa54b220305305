"""Mappings: what every position of a buffer holds."""

from __future__ import annotations

import operator
from dataclasses import dataclass
from typing import Any, Iterator, Mapping as Sizes, overload

from ._library import Texts, ffi, lib, new, string
from .context import Context, choose

Cell = tuple[dict[str, int], ...]  # indices that are added; none: padding

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
    `a / n` and `a % n` are the outer and the inner part of a cut, m[i] is what position i holds, and len() counts positions. A mapping
    never changes.
    """

    def __init__(self, text: str, axes: Sizes[str, int] | None = None, **more: int) -> None:
        self.context = Context()
        self.sizes = {**(axes or {}), **more}
        _declare(self.context, self.sizes)
        self.handle = _parse(self.context, text)

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

    def cell(self, position: int) -> Cell:
        """What a position holds: one index, none (padding), or several, which are added."""
        cell, names = ffi.new("ContraCell *"), list(self.axes)
        with self.context:
            self.context.ask(lib.contra_mapping_cell(self.context.handle, self.handle, position, cell))
            values = list(cell.values[0 : cell.count * len(names)]) if cell.count and names else []
            return tuple(dict(zip(names, values[start * len(names) :])) for start in range(cell.count))

    @overload
    def __getitem__(self, position: int) -> Cell:
        ...

    @overload
    def __getitem__(self, position: slice) -> list[Cell]:
        ...

    def __getitem__(self, position: int | slice) -> Cell | list[Cell]:
        if isinstance(position, slice):
            return [self.cell(each) for each in range(*position.indices(self.size))]
        index = operator.index(position)
        if not -self.size <= index < self.size:
            raise IndexError(f"position {index} of {self.size}")
        return self.cell(index % self.size)

    def __iter__(self) -> Iterator[Cell]:
        return map(self.cell, range(self.size))

    @property
    def cells(self) -> list[Cell]:
        """What every position holds."""
        return list(self)

    # ---- one and another

    def _beside(self, other: Mapping | str) -> tuple[Mapping, Mapping]:
        """This mapping and another one among the axes of both; neither is changed."""
        if isinstance(other, Mapping) and other.context is self.context:
            return self, other
        text, sizes = (other.normal, other.axes) if isinstance(other, Mapping) else (other, {})
        for name, size in self.axes.items():
            if sizes.get(name, size) != size:
                raise ValueError(f"the axis {name} has {size} values in one mapping and {sizes[name]} in the other")
        both = Context()
        all_sizes = {**self.sizes, **sizes}
        _declare(both, all_sizes)
        return Mapping._of(both, all_sizes, _parse(both, self.text)), Mapping._of(both, all_sizes, _parse(both, text))

    def _compare(self, other: Mapping | str) -> tuple[bool, int]:
        """Whether they are equal, and where they differ."""
        one, two = self._beside(other)
        equal, at = ffi.new("bool *"), ffi.new("int64_t *")
        with one.context:
            one.context.ask(lib.contra_mapping_equal(one.context.handle, one.handle, two.handle, equal, at))
        return bool(equal[0]), int(at[0])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Mapping):
            return NotImplemented
        mine, others = self.axes, other.axes
        if self.size != other.size or any(mine[name] != others[name] for name in mine.keys() & others.keys()):
            return False
        return self._compare(other)[0]

    def __hash__(self) -> int:
        return hash(self.size)  # equal ones may have different texts

    def difference(self, other: Mapping | str) -> int | None:
        """The first position at which two differ, -1 where it was not found; None: they are equal."""
        equal, at = self._compare(other)
        return None if equal else at

    def is_prefix_of(self, other: Mapping | str) -> bool:
        """Whether the other one starts with the cells of this."""
        one, two = self._beside(other)
        found = ffi.new("bool *")
        with one.context:
            one.context.ask(lib.contra_mapping_is_prefix(one.context.handle, one.handle, two.handle, found))
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
        one, two = self._beside(index)
        tile, offset = ffi.new("ContraMapping **"), ffi.new("int64_t *")
        with one.context:
            one.context.ask(lib.contra_mapping_tile(one.context.handle, one.handle, two.handle, length, start, tile, offset))
        return one._made(tile[0]), offset[0]

    def divide(self, divisor: Mapping | str, kind: str = "relaxed", span: int = 0) -> Division:
        """Where the terms of a divisor are in this mapping: "relaxed", "strict", or "span" of so many positions."""
        which, made = choose(_KINDS, "kind", kind), new("ContraDivision")
        one, two = self._beside(divisor)
        with one.context:
            one.context.ask(lib.contra_mapping_divide(one.context.handle, one.handle, two.handle, which, span, made))
            terms = tuple(DivisionTerm(term.found, string(term.text), term.size, term.dividend_stride, term.divisor_stride)
                          for term in (made.terms[0 : made.term_count] if made.term_count else []))
        return Division(made.exact, terms, one._made(made.dividend_residue), one._made(made.divisor_residue),
                        one._made(made.dividend_remainder), one._made(made.divisor_remainder))

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
        axes = self.axes
        if all(name.isidentifier() for name in axes):
            return f"Mapping({', '.join([repr(self.text), *(f'{name}={size}' for name, size in axes.items())])})"
        return f"Mapping({self.text!r}, {axes!r})"

    def __reduce__(self) -> Any:
        return Mapping, (self.text, self.sizes)


def _declare(context: Context, sizes: Sizes[str, int]) -> None:
    texts = Texts()
    with context:
        for name, size in sizes.items():
            context.ask(lib.contra_declare_axes(context.handle, texts(f"{name}={operator.index(size)}")))


def _parse(context: Context, text: str) -> Any:
    made, texts = ffi.new("ContraMapping **"), Texts()
    with context:
        context.ask(lib.contra_mapping_parse(context.handle, texts("mapping"), texts(text), made))
    return made[0]
