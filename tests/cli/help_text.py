"""The help is part of the interface: its examples must work as they stand. And colours are for terminals only."""

import re
import shlex
import tempfile

from harness import Failed

ESCAPE = "\x1b["
COMMANDS = ["check", "run", "test", "compile", "objdump", "sim", "schedule", "view", "map", "machine", "explain", "lsp", "bench",
            "completions"]


def tests(contra):
    refused = ["map", "A / 3", "--axes", "A=8"]
    return [
        ("help: every example of `contra map --help` runs", lambda: examples_run(contra)),
        *[(f"help: the options of `contra {command} --help` are those it takes",
           lambda command=command: options_are_known(contra, command)) for command in COMMANDS],
        ("colour: none by default when the output is no terminal", lambda: colour(contra, refused, False)),
        ("colour: none with --color=never", lambda: colour(contra, [*refused, "--color=never"], False)),
        ("colour: some with --color=always", lambda: colour(contra, [*refused, "--color=always"], True)),
        ("colour: never in JSON", lambda: colour(contra, [*refused, "--color=always", "--format=json"], False)),
    ]


def examples_run(contra):
    result = contra.run(["map", "--help"])
    found = []
    for line in re.sub(r"\\\n\s*", " ", result.out).splitlines():
        match = re.match(r"\s*\$?\s*contra (map .+)", line)
        if match and "--" in match[1] and not re.search(r"\[|EXPR|<", re.sub(r"'[^']*'|\"[^\"]*\"", "", match[1])):
            found.append(shlex.split(match[1], comments=True))
    if len(found) < 2:
        raise Failed(f"{result}\n  at least two worked examples (lines with `contra map ...`) expected")
    with tempfile.TemporaryDirectory() as directory:  # for the files that examples write
        for args in found:
            example = contra.run(args, cwd=directory)
            if example.status == 2:
                raise Failed(f"{example}\n  this example of the help is not accepted")


def options_are_known(contra, command):
    """Each is taken, and each that is taken is there: the beginning of all options may be any of them."""
    text = re.sub(r"\(.*?\)", "", contra.run([command, "--help"]).out)  # in brackets: options of other commands
    shown = set(re.findall(r"--[a-z0-9-]+", text))
    result = contra.run([command, "--="])
    taken = set(re.findall(r"--[a-z0-9-]+", result.err.partition("may be any of")[2].splitlines()[0]))
    if shown != taken:
        raise Failed(f"{result}\n  shown and not taken: {sorted(shown - taken)}; taken and not shown: {sorted(taken - shown)}")


def colour(contra, args, wanted):
    result = contra.run(args)
    if (ESCAPE in result.out + result.err) != wanted:
        raise Failed(f"{result}\n  escape sequences {'expected' if wanted else 'not expected'}")
