"""The manual's printed figures about engines, read off the commands that `contra compile` gives.

lowered.csv has one row for each figure:
  id, chapter, what, figure   the row of the manual's list of figures; `figure` is the value it must be (the corrected
                              one where the printed one is wrong)
  args                        a command, in tests/figures, that gives one JSON document
  how                         the figure, made of what the document says: text with expressions in braces

An expression sees the records as they are called in docs/compile.schema.json: `fetch`, `route`, `commit`, .. of the last
pass that has them, `dma` of the last DMA command, `use` of the last operation, `arguments`, `results`; `passes` and
`moves` have all of them. Besides: `document` itself, `machine` with the numbers of the hardware, `codes` of diagnostics,
`holds(condition, ..)`, which is the figure if all of them are true, and the functions of lowered_forms.py, which read
records and nothing else. tests/manual/check reports when the manual's list and this one drift apart.
"""

import csv
import functools
import json
import os
import shlex

import lowered_forms
from harness import Failed, diagnostic_codes

HERE = os.path.dirname(os.path.abspath(__file__))
TABLE = os.path.join(HERE, "lowered.csv")
PROGRAMS = os.path.join(os.path.dirname(HERE), "figures")
ENGINES = ("fetch", "route", "collect", "trf_store", "vrf_store", "adapt", "trf_read", "reduce", "vector", "cast",
           "transpose", "commit")

# What figures of cycles and bandwidths are called.
SPEEDS = ("cycles", "bandwidth", "interleave row", "tCCD", "latency", "starvation", "row switch")


class Record(dict):
    """An object of a JSON document: its keys are attributes; what is absent is None."""

    __hash__ = object.__hash__  # for caches

    def __getattr__(self, name):
        return self.get(name)


def rows():
    with open(TABLE, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


class Documents:
    """What commands print; each runs once."""

    def __init__(self, contra):
        self.contra = contra
        self.answer = functools.lru_cache(maxsize=None)(self.ask)

    def ask(self, args):
        words = shlex.split(args)
        words += ["--emit=json"] if words[0] == "compile" else ["--format=json"]
        result = self.contra.run(words, cwd=PROGRAMS)
        if result.status != 0 and words[0] == "compile":  # refusals are JSON with --format
            result = self.contra.run([*words[:-1], "--format=json"], cwd=PROGRAMS)
        try:
            return json.loads(result.out, object_hook=Record), result
        except ValueError as error:
            raise Failed(f"{result}\n  stdout is not one JSON document: {error}") from None


def scope(documents, row):
    """What the expressions of a row see."""
    document, result = documents.answer(row["args"])
    names = {"document": document, "figure": row["figure"], "codes": diagnostic_codes(document)}
    names["machine"] = documents.answer("machine")[0]
    if "diagnostics" in document and "refused" not in row["figure"] and "codes" not in row["how"]:
        raise Failed(f"{result}\n  {row['id']} is refused")
    operations = document.get("operations", [])
    commands = [command for operation in operations for command in operation.commands]
    names["passes"] = [command["pass"] for command in commands if "pass" in command]
    names["moves"] = [command.dma for command in commands if "dma" in command]
    names["dma"] = names["moves"][-1] if names["moves"] else None
    names["use"] = operations[-1].use if operations else None
    of_passes = [operation.use for operation in operations if "pass" in operation.commands[-1]]
    names["report"] = of_passes[-1] if of_passes else None
    names["arguments"], names["results"] = document.get("arguments"), document.get("results")
    for engine in ENGINES:
        names[engine] = next((one[engine] for one in reversed(names["passes"]) if engine in one), None)
    names["holds"] = lambda *conditions: row["figure"] if all(conditions) else f"holds: {conditions}"
    return {**lowered_forms.FORMS, **names}


def render(text, names):
    """`text` with the values of the expressions in braces."""
    out, start, depth = [], 0, 0
    for at, char in enumerate(text):
        if char == "{":
            if depth == 0:
                out.append(text[start:at])
                start = at + 1
            depth += 1
        elif char == "}":
            depth -= 1
            if depth == 0:
                out.append(str(eval(text[start:at], names)))
                start = at + 1
    return "".join(out) + text[start:]


def check(documents, row):
    found = render(row["how"], scope(documents, row))
    if found != row["figure"]:
        raise Failed(f"  $ contra {row['args']}\n  {row['id']}: {row['figure']} expected: {row['how']}\n  got {found}")


def tests(contra):
    documents = Documents(contra)
    return [(f"lowered figure {row['id']} ({row['what']}): {row['how']}", lambda row=row: check(documents, row))
            for row in rows()]


def is_speed(row):
    return any(word in row["what"] for word in SPEEDS)


def summary(results):
    """`N of M figures of these kinds hold`: a figure does where all its rows do."""
    held, speeds = {}, {row["id"] for row in rows() if is_speed(row)}
    for name, failure in results:
        if name.startswith("lowered figure "):
            number = name.split()[2]
            held[number] = held.get(number, True) and not failure
    if not held:
        return None
    quick = [good for number, good in held.items() if number in speeds]
    return (f"{sum(held.values())} of {len(held)} figures of engines hold, "
            f"{sum(quick)} of {len(quick)} of them of cycles and bandwidths")
