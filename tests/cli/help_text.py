"""The help is part of the interface: its examples must work as they stand. And colours are for terminals only."""

import re
import shlex
import tempfile

from harness import Failed

ESCAPE = "\x1b["


def tests(contra):
    refused = ["map", "A / 3", "--axes", "A=8"]
    return [
        ("help: every example of `contra map --help` runs", lambda: examples_run(contra)),
        ("help: every option of `contra run --help` is one", lambda: options_are_known(contra, "run")),
        ("help: every option of `contra test --help` is one", lambda: options_are_known(contra, "test")),
        ("help: every option of `contra compile --help` is one", lambda: options_are_known(contra, "compile")),
        ("help: every option of `contra objdump --help` is one", lambda: options_are_known(contra, "objdump")),
        ("help: every option of `contra sim --help` is one", lambda: options_are_known(contra, "sim")),
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
    """Each is taken: what is wrong, if anything, is its value or that there is no file."""
    text = re.sub(r"\(.*?\)", "", contra.run([command, "--help"]).out)  # in brackets: options of other commands
    for option in sorted(set(re.findall(r"--[a-z0-9-]+", text))):
        result = contra.run([command, option, "1", "missing.rs"])
        if f"there is no option `{option}`" in result.err:
            raise Failed(f"{result}\n  the help shows this option")


def colour(contra, args, wanted):
    result = contra.run(args)
    if (ESCAPE in result.out + result.err) != wanted:
        raise Failed(f"{result}\n  escape sequences {'expected' if wanted else 'not expected'}")
