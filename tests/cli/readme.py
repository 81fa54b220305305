"""The README's tour: every command in it prints what the README says."""

import os
import shlex

from harness import Failed

HERE = os.path.dirname(os.path.abspath(__file__))
PATH = os.path.join(os.path.dirname(os.path.dirname(HERE)), "README.md")
PROMPT = "    $ build/contra "


def commands():
    """(arguments, expected lines) of each command; its output is indented and ends before other text."""
    with open(PATH, encoding="utf-8") as file:
        lines = [line.rstrip("\n") for line in file]
    found = []
    for number, line in enumerate(lines):
        if not line.startswith(PROMPT):
            continue
        output = []
        for after in lines[number + 1:]:
            if after.startswith(PROMPT) or (after and not after.startswith("    ")):
                break
            output.append(after[4:])
        while output and not output[-1]:
            output.pop()
        found.append((shlex.split(line[len(PROMPT):]), output))
    return found


def tests(contra):
    def check(args, expected):
        result = contra.run(args)
        printed = [line.rstrip() for line in (result.err + result.out).rstrip("\n").split("\n")]
        if printed != expected:
            raise Failed(f"{result}\n  the README shows:\n  " + "\n  ".join(expected))
    return [(f"README: {' '.join(args)}", lambda args=args, expected=expected: check(args, expected))
            for args, expected in commands()]
