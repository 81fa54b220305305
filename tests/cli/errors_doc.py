#!/usr/bin/env python3
"""docs/errors.md, made from `contra explain` and the cases: every code with its rule and a command that is refused for it.

    tests/cli/errors_doc.py [--contra PATH]      writes it anew; a test says when that is due
"""

import os
import re
import shlex
import sys

import programs
import sanitizing
from harness import Contra, Failed

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
PATH = os.path.join(ROOT, "docs", "errors.md")

# What no command is written down for: memory that runs out, mistakes of programs in C, hundreds of brackets, comparisons
# of too many steps, of which none is known, object files that nobody compiles, a run that is ended by Ctrl-C, what the
# compiler should know but does not, memory of programs that use the library, an environment variable, and limits of the
# system.
WITHOUT_COMMAND = {"E0003", "E0007", "E0008", "E0110", "E0124", "E0843", "E0857", "E0901", "E0902", "E0906", "E0907", "E0981", "E0982"}

HEAD = """# Diagnostics

Every code, the rule behind it, and a command that is refused for it. `contra explain CODE` prints the same.
This page is made by `tests/cli/errors_doc.py`.
"""


def refused_commands(cases):
    """The shortest case of each code; those with repeated text or bytes nobody can type are left out."""
    found = {}
    for case in cases:
        code = next((value for _, key, value in case["checks"] if key == "refused"), None)
        plain = all(arg.isprintable() and len(arg) < 80 for arg in case["args"])
        if code and plain and (code not in found or len(case["args"]) < len(found[code])):
            found[code] = case["args"]
    return found


def typed(args):
    data = os.path.join(HERE, "data")
    args = [arg.replace(data, "tests/cli/data") for arg in args]
    return "contra " + " ".join(arg if re.fullmatch(r"[\w=,./-]+", arg) else shlex.quote(arg) for arg in args)


def page(contra, cases):
    commands = refused_commands(cases)
    for code, path in programs.refused_programs().items():
        shown = [os.path.relpath(arg, ROOT) if arg == path else arg for arg in programs.command_of(path)]
        commands.setdefault(code, shown)
    for code, args in sanitizing.refused_commands().items():
        commands.setdefault(code, args)
    parts = [HEAD]
    for entry in contra.json(["explain"])[0]["codes"]:
        code, explanation = entry["code"], entry["explanation"].split("\n\n", 1)[1].strip()
        parts.append(f"## {code}: {entry['title']}\n\n```text\n{explanation}\n```\n")
        if code in commands:
            parts.append(f"    {typed(commands[code])}\n")
        elif code not in WITHOUT_COMMAND:
            raise Failed(f"no case is refused for {code}")
    return "\n".join(parts)


def tests(contra, cases):
    def is_current():
        with open(PATH, encoding="utf-8") as file:
            if file.read() != page(contra, cases):
                raise Failed("docs/errors.md is out of date: run tests/cli/errors_doc.py")
    return [("docs/errors.md", is_current)]


def main():
    import cases
    contra = Contra(os.path.abspath(os.environ.get("CONTRA", os.path.join(ROOT, "build", "contra"))))
    with open(PATH, "w", encoding="utf-8") as file:
        file.write(page(contra, cases.load(os.path.join(HERE, "cases"))))


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    main()
