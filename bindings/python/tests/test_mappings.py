"""Mappings as objects."""

import numpy as np
import pytest

import contra
from contra import Mapping


def test_what_it_is():
    mapping = Mapping("A, B # 1024", axes={"A": 8, "B": 512})
    assert mapping.size == len(mapping) == 8192 and mapping.axes == {"A": 8, "B": 512}
    assert mapping.text == mapping.normal == str(mapping) == "A, B # 1024"
    assert repr(mapping) == "Mapping('A, B # 1024', A=8, B=512)"
    assert [(factor.text, factor.size, factor.is_padding) for factor in mapping.factors] == [("B", 512, False), ("", 1024, True), ("A", 8, False)]


def test_cells():
    mapping = Mapping("C, D # 8", C=3, D=5)
    assert mapping[9] == ({"C": 1, "D": 1},) and mapping[5] == () and mapping[-8] == ({"C": 2, "D": 0},)
    assert len(mapping.cells) == 24 and len(list(mapping)) == 24
    with pytest.raises(IndexError):
        mapping[24]


def test_equal_ones_may_be_written_differently():
    assert Mapping("A # 64 / 8, A # 64 % 8", A=63) == Mapping("A # 64", A=63)
    assert Mapping("A # 64 % 8, A # 64 / 8", A=63) != Mapping("A # 64", A=63)
    assert Mapping("A", A=8) != Mapping("A", A=9) and Mapping("A", A=8) != Mapping("B", B=8) and Mapping("A", A=8) != "A"
    assert len({Mapping("A / 2, A % 2", A=8), Mapping("A", A=8)}) == 1
    assert Mapping("A, B", A=8, B=4).difference("B, A") == 1 and Mapping("A", A=8).difference("A / 2, A % 2") is None
    assert Mapping("A % 4", A=8).is_prefix_of("A")


def test_a_comparison_changes_nothing():
    mapping = Mapping("A", A=8, B=4)
    assert mapping != Mapping("B", B=8) and mapping != Mapping("B, C", B=4, C=2) and mapping != Mapping("C", C=8)
    assert mapping != Mapping("C", C=9) and mapping == Mapping("A", A=8, B=7) and mapping.sizes == {"A": 8, "B": 4}
    assert mapping.difference(Mapping("B, C", B=2, C=4)) == 1 and mapping in [Mapping("B", B=8), Mapping("B", B=9), mapping]
    assert mapping.divide("B").exact is False and mapping.is_prefix_of(Mapping("C, A", A=8, C=2))


def test_positions():
    mapping = Mapping("C, D # 8", C=3, D=5)
    assert mapping[4:6] == [({"C": 0, "D": 4},), ()] and mapping[-1] == () and mapping[np.int64(9)] == ({"C": 1, "D": 1},)
    assert sum(1 for cell in mapping if cell) == 15 and ({"C": 2, "D": 0},) in mapping
    for wrong in ["1", 1.5]:
        with pytest.raises(TypeError):
            mapping[wrong]
    with pytest.raises(TypeError):
        Mapping("A", A=8.5)
    assert repr(eval(repr(mapping))) == repr(mapping)


def test_parts():
    mapping = Mapping("A, B", A=8, B=4)
    outer, inner = mapping.split(8)
    assert (str(outer), str(inner)) == ("A / 2", "A % 2, B")
    assert mapping / 8 == outer and mapping % 8 == inner
    tile, offset = mapping.tile("A", 2, 4)
    assert str(tile) == "A = 2 # 8, B" and offset == 16
    with pytest.raises(contra.Error, match="E0121"):
        mapping / 3


def test_division():
    division = Mapping("A, B", A=8, B=4).divide(Mapping("B", B=4))
    assert division.exact and division.terms[0].text == "B" and division.terms[0].dividend_stride == 1
    assert str(division.dividend_residue) == "A, 1 # 4"
    assert not Mapping("A", A=8).divide(Mapping("B", B=4)).exact
    with pytest.raises(ValueError, match="axis B"):
        Mapping("A, B", A=8, B=4).divide(Mapping("B", B=5))


def test_pictures():
    mapping = Mapping("C, D # 8", C=3, D=5)
    assert "1,0 1,1 1,2" in mapping.picture() and mapping._repr_svg_().startswith("<svg")


def test_refusals():
    with pytest.raises(contra.Error) as refused:
        Mapping("A, Q", A=2)
    assert refused.value.diagnostics[0].code == "E0102" and refused.value.diagnostics[0].column == 4
