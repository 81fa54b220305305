"""Programs in the language: tests/negative must be refused where they say, tests/positive and examples accepted.

A line of a negative program ends in `// expect error: E0631 words`, or `// expect warning: ..`: that code is reported
there, and nothing else anywhere. A first line `// options: --relax=..` is put on the command line. A first line
`// command: run --in x=short.npy` runs the program instead of checking it, in a folder of its own with the files that
lines `// file: short.npy <i4 60 range` describe (arrays.py); what is reported nowhere in particular is expected there.
"""

import contextlib
import os
import re
import shutil
import tempfile

import arrays
from harness import Failed

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
MARK = re.compile(r"// expect (error|warning): (E\d{4})")
# of files, mappings, sequencers, machines, program texts; runs without memory, or ended by whoever began them; memory of
# those who call the library
CODES_ELSEWHERE = re.compile(r"E0[0-3]\d\d|E08\d\d|E090[1267]|E098[12]")


def sources(folder):
    for path, folders, files in os.walk(os.path.join(ROOT, folder)):
        folders.sort()
        for name in sorted(files):
            if name.endswith((".rs", ".tcp")):
                yield os.path.join(path, name)


def modules_of(path):
    """Those that a file names and that have files of their own."""
    with open(path, encoding="utf-8", errors="replace") as file:
        return re.findall(r"^(?:pub )?mod (\w+);", file.read(), re.MULTILINE)


def roots(folder):
    """Files that are programs of their own, and crates."""
    for path, folders, files in os.walk(os.path.join(ROOT, folder)):
        if "Cargo.toml" in files or os.path.exists(os.path.join(path, "src", "lib.rs")):
            folders.clear()
            yield path
            continue
        folders.sort()
        if "mod.rs" in files or "part_of_crate" in files:
            continue
        modules = {f"{name}.rs" for file in files if file.endswith(".rs") for name in modules_of(os.path.join(path, file))}
        for name in sorted(set(files) - modules):
            if name.endswith((".rs", ".tcp")):
                yield os.path.join(path, name)


def words_after(path, mark):
    """The words of a first line that starts with `mark`; None: it does not."""
    if os.path.isdir(path):
        return None
    with open(path, encoding="utf-8") as file:
        first = file.readline()
    return first[len(mark):].partition("// expect")[0].split() if first.startswith(mark) else None


def options_of(path):
    return words_after(path, "// options:") or []


def command_of(path):
    """The arguments that a program is judged with; the program itself as `path`."""
    command = words_after(path, "// command:")
    return [command[0], path, *command[1:]] if command else ["check", *options_of(path), path]


@contextlib.contextmanager
def folder_of(path):
    """Where the command of a program runs, and what the program is called there."""
    if not words_after(path, "// command:"):
        yield ROOT, os.path.relpath(path, ROOT)
        return
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(path, folder)
        with open(path, encoding="utf-8") as source:
            for name, text in re.findall(r"^// file: (\S+) (.+)$", source.read(), re.MULTILINE):
                with open(os.path.join(folder, name), "wb") as file:
                    file.write(arrays.from_text(text))
        yield folder, os.path.basename(path)


def run(contra, path, *options):
    with folder_of(path) as (folder, name):
        args = [name if arg == path else arg for arg in command_of(path)]
        return contra.run([*args, *options], cwd=folder)


def check(contra, path):
    result = run(contra, path, "--format=json")
    if result.status not in (0, 1):
        raise Failed(f"{result}\n  exit status 0 or 1 expected")
    return contra.document(result)


def at_once(contra):
    """Checks all programs in one process, so that a memory error in any of them fails it."""
    folders = [os.path.join(ROOT, "tests", name) for name in ("negative", "positive")]
    return [("all programs at once", lambda: contra.run(["check", *folders]))]


def expectations(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        for number, line in enumerate(file, 1):
            for kind, code in MARK.findall(line):
                yield 0 if line.startswith("// command:") else number, kind, code


def expect_refused(contra, path):
    wanted = sorted(expectations(path))
    found = sorted((diag["span"]["line"] if diag["span"] else 0, diag["severity"], diag["code"])
                   for diag in check(contra, path)["diagnostics"])
    if not wanted:
        raise Failed("no line says what to expect")
    if wanted != found:
        raise Failed(f"expected {wanted}\nfound    {found}")


def expect_accepted(contra, path):
    document = check(contra, path)
    if not document["accepted"]:
        raise Failed("\n".join(f"{diag['span'] and diag['span']['line']}: {diag['code']} {diag['message']}"
                               for diag in document["diagnostics"]))


def expect_round_trip(contra, path):
    """The program text of an accepted source is accepted, and prints the same again."""
    first = contra.run(["check", *options_of(path), "--emit=program", path]).out
    if not first:
        return
    with tempfile.NamedTemporaryFile("w", suffix=".tcp") as file:
        file.write(first)
        file.flush()
        again = contra.run(["check", *options_of(path), "--emit=program", file.name])
    if again.out != first:
        raise Failed(f"exit {again.status}, the text changed\n{again.err[:2000]}")


def refused_programs():
    """The shortest negative program of each code."""
    found = {}
    for path in sources("tests/negative"):
        for _, _, code in expectations(path):
            if code not in found or os.path.getsize(path) < os.path.getsize(found[code]):
                found[code] = path
    return found


GOLDEN = os.path.join(ROOT, "tests", "golden", "refusals")


def refusal_text(contra, path):
    """What people read, with paths as seen from the root."""
    return run(contra, path, "--color=never").err


def expect_text(contra, code, path):
    golden = os.path.join(GOLDEN, code + ".txt")
    if not os.path.exists(golden):
        raise Failed(f"{golden} is missing: run tests/cli/programs.py --write and read the change")
    with open(golden, encoding="utf-8") as file:
        wanted = file.read()
    found = refusal_text(contra, path)
    if found != wanted:
        raise Failed(f"run tests/cli/programs.py --write and read the change\nexpected:\n{wanted}\nfound:\n{found}")


def write_golden(contra):
    os.makedirs(GOLDEN, exist_ok=True)
    for name in os.listdir(GOLDEN):
        os.remove(os.path.join(GOLDEN, name))
    for code, path in refused_programs().items():
        with open(os.path.join(GOLDEN, code + ".txt"), "w", encoding="utf-8") as file:
            file.write(refusal_text(contra, path))


def every_code_has_a_program(contra):
    """No rule without a program that is refused for it."""
    programs = refused_programs()
    codes = [line.split("  ")[0] for line in contra.run(["explain"]).out.splitlines()]
    missing = [code for code in codes if not CODES_ELSEWHERE.match(code) and code not in programs]
    if missing:
        raise Failed(f"no negative program for {', '.join(missing)}")


def names_say_where_they_are(contra):
    """A name that the language has elsewhere is refused with the `use` that brings it in."""
    document = check(contra, os.path.join(ROOT, "tests/negative/language/name_not_brought_in.rs"))
    helps = [text["text"] for diag in document["diagnostics"] for text in diag["helps"]]
    if helps != ["bring it in: `use std::collections::HashMap;`", "bring it in: `use std::mem::swap;`"]:
        raise Failed(f"found {helps}")


def tests(contra):
    found = [(f"refused {os.path.relpath(path, ROOT)}", lambda path=path: expect_refused(contra, path))
             for path in roots("tests/negative")]
    for folder in ("tests/positive", "examples"):
        for path in roots(folder):
            name = os.path.relpath(path, ROOT)
            found.append((f"accepted {name}", lambda path=path: expect_accepted(contra, path)))
    found.append(("names say where they are", lambda: names_say_where_they_are(contra)))
    found.append(("every code has a negative program", lambda: every_code_has_a_program(contra)))
    return found


def texts(contra):
    """The same refusals as people read them, and the same programs as texts, from which they are read again."""
    found = [(f"text of {code}", lambda code=code, path=path: expect_text(contra, code, path))
             for code, path in sorted(refused_programs().items())]
    return found + [(f"round trip {os.path.relpath(path, ROOT)}", lambda path=path: expect_round_trip(contra, path))
                    for folder in ("tests/positive", "examples") for path in roots(folder)]


if __name__ == "__main__":
    import sys
    from harness import Contra
    if sys.argv[1:] != ["--write"]:
        sys.exit(__doc__)
    write_golden(Contra(os.path.abspath(os.environ.get("CONTRA", os.path.join(ROOT, "build", "contra")))))
