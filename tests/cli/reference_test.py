"""Checks the brute-force reference itself on worked examples, so that it may judge the program."""

import json
import re
import shlex

import cases
import figures
import reference
from harness import Failed

# axes, left, right: the same size and the same cells. Splits are written as X % n (inner) and X / n (outer).
SAME = [
    ("A=2,B=2", "[A # 4, B # 4] % 8", "A, B # 4"),
    ("A=2,B=2", "[A # 4, B # 4] / 8", "1 # 2"),
    ("A=2,B=2,C=2", "[A # 4, B, C] % 8", "A, B, C"),
    ("A=2,B=2,C=2", "[A # 4, B, C] / 8", "1 # 2"),
    ("A=2,B=2,C=2,D=2", "[A # 4, B # 4, C # 16, D # 4] % 16", "C # 4, D # 4"),
    ("A=2,B=2,C=2,D=2", "[A # 4, B # 4, C # 16, D # 4] / 16", "A # 4, B # 4, 1 # 4"),
    ("A=2,B=2,C=2,D=2", "[A, B # 4, [C, D] # 8] % 16", "B, 1 # 2, C, D"),
    ("A=2,B=2,C=2,D=2", "[A, B # 4, [C, D] # 8] / 16", "A, 1 # 2"),
    ("A=8", "A # 16 % 4", "A % 4"),
    ("A=8", "A # 16 / 4", "1 # 2, A / 4 % 2"),
    ("A=3", "A # 16 % 4", "A # 4"),
    ("A=3", "A # 16 / 4", "1 # 4"),
    ("R=3,A=5", "R # 16 / 4, A", "A # 20"),
    ("R=3,A=5", "R # 64 / 8, A", "A # 40"),
    ("A=5", "[A # 16 / 4] / 2", "1 # 2"),
    ("R=14", "R # 16 / 4, R # 16 % 4", "R # 16"),
    ("R=5", "R # 16 / 4", "1 # 2, [R # 8] / 4"),
    ("A=63", "A # 64 / 8, A # 64 % 8", "A # 64"),
    ("A=3,B=2", "1, A", "A"),
    ("A=2,B=3,C=2", "A, [B, C]", "[A, B], C"),
    ("A=8,B=4", "A / 4, A % 4", "A"),
    ("A=8,B=4", "[A, B] / 4", "A"),
    ("A=8,B=4", "[A, B] % 4", "B"),
    ("A=3,B=2", "A # 5, B", "[A, B] # 10"),
    ("K=256", "K % 128 / 16", "K / 16 % 8"),
    ("K=256", "K % 128 % 16", "K % 16"),
    ("A=2,B=3", "[A, B] # 10 / 2, [A, B] # 10 % 2", "[A, B] # 10"),
    ("A=3,B=2", "[A, B] / 3, [A, B] % 3", "A, B"),
    ("A=8", "[A @ 3] / 5, [A @ 3] % 5", "A @ 3"),
    ("A=2,B=3", "$(A:3, B:1)", "A, B"),
]

DIFFERENT = [
    ("A=3,B=2", "A, B # 4", "[A, B] # 12"),
    ("A=4,B=4", "A, B", "B, A"),
    ("A=8", "A # 16", "A = 8"),
]

# axes, mapping, position, cell
CELLS = [
    ("R=50", "R # 64 / 8", 0, "{}"),
    ("R=50", "R # 64 / 8", 1, "{R:8}"),
    ("R=50", "R # 64 / 8", 6, "{R:48}"),
    ("R=50", "R # 64 / 8", 7, "padding"),
    ("A=2,B=3", "[A, B] # 10 / 2", 0, "{}"),
    ("A=2,B=3", "[A, B] # 10 / 2", 1, "{B:2}"),
    ("A=2,B=3", "[A, B] # 10 / 2", 2, "{A:1, B:1}"),
    ("A=2,B=3", "[A, B] # 10 / 2", 3, "padding"),
    ("A=5", "A # 8 / 4, A # 8 % 4", 5, "padding"),
    ("A=3", "A = 5", 2, "{A:2}"),
    ("A=3", "A = 5", 3, "padding"),
    ("A=4,B=4,B'=B-A", "A, B'", 7, "{A:1}"),
    ("A=4,B=4,B'=B-A", "A, B'", 4, "{A:1, B:1}"),
    ("N=5,F=3", "$(N:1, F:2)", 4, "{F:1, N:2} or {F:2} or {N:4}"),
    ("B=3", "[# 2 + B + # 1]", 1, "padding"),
    ("B=3", "[# 2 + B + # 1]", 4, "{B:2}"),
    ("A=6", "A @ [5, 0, 2]", 0, "{A:5}"),
    ("A=2,B=3", "[A, B # 5] / 2, [A, B # 5] % 2", 5, "{A:1}"),
]

REFUSED = [
    ("A=6", "A # 9 / 4", "E0107"), ("A=8", "A # 4", "E0108"), ("A=8", "A, 4", "E0106"), ("A=8", "A,", "E0101"),
    ("A=8", "", "E0101"), ("A=8", "B", "E0102"), ("A=8", "A / 0", "E0112"), ("A=8", "A @ 8", "E0114"),
]


def tests():
    found = []
    for axes, left, right in SAME:
        found.append((f"reference: [{left}] equals [{right}]", lambda a=axes, x=left, y=right: compare(a, x, y, True)))
    for axes, left, right in DIFFERENT:
        found.append((f"reference: [{left}] is not [{right}]", lambda a=axes, x=left, y=right: compare(a, x, y, False)))
    for row in CELLS:
        found.append((f"reference: [{row[1]}] at {row[2]}", lambda row=row: one_cell(*row)))
    for row in REFUSED:
        found.append((f"reference: [{row[1]}] is refused", lambda row=row: refused(*row)))
    for row in figures.rows():
        if "refused" not in row["expect"]:
            found.append((f"reference: figure {row['id']}: {row['expect']}", lambda row=row: figure(row)))
    return found


def compare(axes_text, left, right, wanted):
    axes = reference.Axes.parse(axes_text)
    x, y = reference.parse(left, axes), reference.parse(right, axes)
    if reference.equal(x, y, axes) != wanted:
        raise Failed(f"  axes {axes_text}: first difference at {reference.first_difference(x, y, axes)}")
    again = reference.parse(reference.text(x), axes)
    if not reference.equal(x, again, axes):
        raise Failed(f"  axes {axes_text}: printed as {reference.text(x)}, which has other cells")


def one_cell(axes_text, mapping, position, wanted):
    axes = reference.Axes.parse(axes_text)
    found = reference.show(reference.cell(reference.parse(mapping, axes), position, axes))
    if found != wanted:
        raise Failed(f"  axes {axes_text}: {wanted} expected, got {found}")


def refused(axes_text, mapping, code):
    try:
        reference.parse(mapping, reference.Axes.parse(axes_text))
    except reference.Refused as reason:
        if reason.args[0] == code:
            return
        raise Failed(f"  {code} expected, got {reason}") from None
    raise Failed(f"  {code} expected, got a mapping")


def figure(row):
    """A figure by the reference alone: sizes, cells, and that a printed loop nest reads what it should."""
    args = shlex.split(row["args"])
    axes = cases.axes_of(args)
    if "--sequence" not in args:
        x = reference.parse(args[0], axes)
        for key, _, value in (part.partition(": ") for part in row["expect"].split(" ; ")):
            if key == "size" and reference.size(x, axes) != int(value):
                raise Failed(f"  the size is {reference.size(x, axes)}")
            if key == "cells":
                first = int((cases.options(args, "--from") or ["0"])[0])
                for k, wanted in enumerate(json.loads(value)):
                    if reference.cell(x, first + k, axes) != reference.cell_of_json(wanted):
                        raise Failed(f"  position {first + k} is {reference.show(reference.cell(x, first + k, axes))}")
        return
    nest = re.search(r'(?:config: "|entries: )\[(.*?)\]', row["expect"])
    buffer, time, packet = (reference.parse((cases.options(args, name) or ["1"])[0], axes)
                            for name in ("--buffer", "--time", "--packet"))
    if nest is None or "merged: true" in row["expect"] or reference.size(reference.pair(time, packet), axes) > 5000:
        return
    entries = [{"size": int(n), "stride": int(s)} for n, s in re.findall(r"(\d+):(-?\d+)", nest[1])]
    base = re.search(r"base_offset: (-?\d+)", row["expect"])
    problem = reference.loop_nest_problem(buffer, time, packet, entries, int(base[1]) if base else 0, axes,
                                          cases.options(args, "--engine") == ["commit"])
    if problem:
        raise Failed(f"  {problem}")
