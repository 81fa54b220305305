"""The manual's printed figures about mappings and sequencers, recomputed by `contra map`.

figures.csv has one row for each figure and command:
  id, chapter, what, figure   the row of the manual's list of figures; `figure` is the value it must be (the corrected
                              one where the printed one is wrong)
  args                        the arguments of `contra map` that recompute it
  expect                      what the document must say, parts separated by ` ; `, each `path: value` as in the cases
                              or one of the forms of FORMS below

An id may have several rows. What one mapping or one sequencer cannot express is in lowered.csv, and so are the figures
of sequencers once more, as the compiler gives them. tests/manual/check reports when the manual's list and these drift
apart.
"""

import csv
import itertools
import json
import os
import re
import shlex

import cases
import reference
from harness import Failed, diagnostic_codes

TABLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "figures.csv")


def rows():
    with open(TABLE, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def tests(contra):
    return [(f"figure {row['id']} ({row['what']}): {row['expect']}", lambda row=row: check(contra, row))
            for row in rows()]


def check(contra, row):
    args = ["map", *shlex.split(row["args"])]
    refused = row["expect"].startswith("refused: ")
    document, result = contra.json(args, (1,) if refused else (0,))
    for part in row["expect"].split(" ; "):
        key, _, value = part.partition(": ")
        for form, function in FORMS:
            match = re.fullmatch(form, key)
            if match:
                problem = function(document, args, value, *match.groups())
                if problem:
                    raise Failed(f"{result}\n  {row['id']}: {part}\n  {problem}")
                break
        else:
            cases.check_json(result, document, key, value, row["id"], args)


def is_refused(document, args, code):
    return None if code in diagnostic_codes(document) else f"got {diagnostic_codes(document)}"


def entry_list(document):
    return [f"{entry['size']}:{entry.get('stride', entry.get('offsets'))}" for entry in document["entries"]]


def has_entries(document, args, value):
    """The loop nest; entries of size 1 say nothing and may be left out."""
    wanted = [entry for entry in re.findall(r"\d+:-?\d+", value) if not entry.startswith("1:")]
    found = [entry for entry in entry_list(document) if not entry.startswith("1:")]
    return None if found == wanted else f"got {found}"


def has_entry(document, args, value, position):
    wanted, term = value.split(" ", 1)
    found = entry_list(document)
    if int(position) >= len(found) or found[int(position)] != wanted:
        return f"got {found}"
    written = document["entries"][int(position)]["term"]
    return None if cases.same_mapping(written, term, args) else f"the term is {written}"


def has_entry_count(document, args, value):
    return None if len(document["entries"]) == int(value) else f"got {entry_list(document)}"


def has_layout(document, args, value):
    """The letters of the 6 x 8 example: rows 0 and 1 are a to p, the rest dots."""
    found = []
    for cell in document["cells"]:
        at = 8 * cell["H"] + cell["W"]
        found.append("abcdefghijklmnop"[at] if at < 16 else ".")
    return None if found == value.split() else f"got {' '.join(found)}"


def has_formula(document, args, value, axis, position):
    formula, _, loops = value.partition(" for ")
    names, sizes = zip(*(loop.split() for loop in loops.split(", ")))
    for where in itertools.product(*(range(int(size)) for size in sizes)):
        values = dict(zip(names, where))
        at, wanted = (linear(text, values) for text in (position, formula))
        if document["cells"][at] != {axis: wanted}:
            return f"position {at} is {document['cells'][at]}, not {axis} = {wanted}"
    return None


def linear(text, values):
    """The value of `64*i + 2*j + k`."""
    total = 0
    for term in text.split(" + "):
        product = 1
        for factor in term.split("*"):
            product *= values[factor] if factor in values else int(factor)
        total += product
    return total


def index_is_at(document, args, value, n, f):
    wanted = frozenset((name, v) for name, v in (("N", int(n)), ("F", int(f))) if v)
    found = [p for p, cell in enumerate(document["cells"]) if wanted in reference.cell_of_json(cell)]
    return None if found == [int(value)] else f"it is at {found}"


def has_indices(document, args, value):
    wanted = frozenset(frozenset((k, int(v)) for k, v in re.findall(r"(\w+):(\d+)", part))
                       for part in re.findall(r"\{(.*?)\}", value))
    found = reference.cell_of_json(document["cells"][0])
    return None if found == wanted else f"got {reference.show(found)}"


def step_address(document, step):
    """Where time step `step` begins: the sequencer has time_steps equal parts."""
    found = reference.addresses(document["entries"], document["base_offset"])
    return found[step * (len(found) // document["time_steps"])]


def has_step_address(document, args, value, step, base):
    found = int(base) + step_address(document, int(step))
    return None if found == int(value) else f"got {found}"


def has_write(document, args, value, number):
    first, last, offset = map(int, re.fullmatch(r"packet\[(\d+)\.\.(\d+)\] -> (\d+)", value).groups())
    found = reference.addresses(document["entries"], document["base_offset"])[first:last]
    wanted = list(range(offset, offset + last - first))
    return None if found == wanted and document["commit_size"] == last - first else f"got {found}"


FORMS = [
    (r"refused", is_refused),
    (r"entries", has_entries),
    (r"entry (\d+)", has_entry),
    (r"entry count", has_entry_count),
    (r"layout", has_layout),
    (r"formula (\w+) at (.+)", has_formula),
    (r"index N:(\d+) F:(\d+) is at", index_is_at),
    (r"indices", has_indices),
    (r"address of step (\d+) from (\d+)", has_step_address),
    (r"write (\d+)", has_write),
]
