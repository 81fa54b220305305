"""The sanitizer: every program of tests/sanitize has a kernel or test `fault`, which must be reported, and `clean`.

    python3 tests/cli/sanitizing.py --write    writes tests/golden/sanitize anew; the diff is reviewed like code

Comments on the first lines of a program say how:
  // reports: CODE       the code of what is found
  // warns: CODE         .. where it is a warning, and nothing fails
  // options: ..         of the command line, besides --sanitize
A kernel is run three ways: from its source, as an object file, and without the sanitizer, which must find nothing. Files
with tests are run by `contra test`.
"""

import os
import re
import sys
import tempfile

import harness
from harness import Failed

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
PROGRAMS = os.path.join(ROOT, "tests", "sanitize")
GOLDEN = os.path.join(ROOT, "tests", "golden", "sanitize")


def names():
    return sorted(name for name in os.listdir(PROGRAMS) if name.endswith((".rs", ".tcp")))


def header(name, key):
    with open(os.path.join(PROGRAMS, name), encoding="utf-8") as file:
        found = re.search(rf"^// {key}: (.*)$", file.read(), re.MULTILINE)
    return found.group(1).split() if found else []


def has_tests(name):
    with open(os.path.join(PROGRAMS, name), encoding="utf-8") as file:
        return "test]" in file.read()


def is_warning(name):
    return not header(name, "reports")


def codes_of(name):
    return header(name, "warns" if is_warning(name) else "reports")


def reports_of(name, result):
    """The errors that were said, without warnings; or the other way round."""
    said = result.err if is_warning(name) else result.err + result.out
    blocks = re.split(r"^(?=error|warning)", said, flags=re.MULTILINE)
    return "".join(block for block in blocks if block.startswith("warning" if is_warning(name) else "error"))


def run(contra, name, kernel, *more):
    options = header(name, "options")
    return contra.run(["run", name, "--kernel", kernel, "--random", "1", "--quiet", *options, *more], cwd=PROGRAMS)


def test(contra, name, *more):
    return contra.run(["test", name, *header(name, "options"), *more], cwd=PROGRAMS)


def refused_commands():
    """For each code a command that is refused for it, or warned of."""
    found = {}
    for name in names():
        path = f"tests/sanitize/{name}"
        args = ["test", path] if has_tests(name) else ["run", path, "--kernel", "fault", "--random", "1", "--sanitize"]
        found.setdefault(codes_of(name)[0], args + header(name, "options"))
    return found


def sim(contra, name, kernel):
    with tempfile.TemporaryDirectory(prefix="contra-sanitize-") as folder:
        path = os.path.join(folder, "kernel.tcpo")
        made = contra.run(["compile", name, "--kernel", kernel, *header(name, "options"), "-o", path], cwd=PROGRAMS)
        if made.status:
            raise Failed(f"{made}\n  it is not compiled")
        return contra.run(["sim", path, "--random", "1", "--sanitize"], cwd=PROGRAMS)


def reports(contra, name):
    """What is said of the fault, each way."""
    if has_tests(name):
        result = test(contra, name, "--filter", "fault", "--exact")
        text = re.sub(r"^FAILED +[0-9.]+ s", "FAILED", result.out, flags=re.MULTILINE)
        return reports_of(name, result) if is_warning(name) else text, [result]
    source, commands = run(contra, name, "fault", "--sanitize"), sim(contra, name, "fault")
    return f"{reports_of(name, source)}\nof the object file:\n\n{reports_of(name, commands)}", [source, commands]


def golden_path(name):
    return os.path.join(GOLDEN, os.path.splitext(name)[0] + ".txt")


def check_fault(contra, name):
    text, results = reports(contra, name)
    severity, status = ("warning", 0) if is_warning(name) else ("error", 1)
    for result in results:
        if result.status != status:
            raise Failed(f"{result}\n  exit status {result.status}, expected {status}")
        if re.findall(rf"^{severity}\[(\w+)\]", result.err + result.out, re.MULTILINE) != codes_of(name):
            raise Failed(f"{result}\n  expected {codes_of(name)} alone")
    path = golden_path(name)
    expected = open(path, encoding="utf-8").read() if os.path.exists(path) else ""
    if text != expected:
        raise Failed(f"{text}\n  is not what {os.path.relpath(path, ROOT)} has: sanitizing.py --write, and look at the diff")


def check_clean(contra, name):
    if has_tests(name):
        listed = contra.run(["test", name, "--list"], cwd=PROGRAMS).out
        words = [word for word in ("clean", "the_panic") if word in listed]
        results = [test(contra, name, "--filter", word) for word in words]
        results.append(test(contra, name, "--no-sanitize", "--filter", "fault"))
    else:
        results = [run(contra, name, "clean", "--sanitize"), sim(contra, name, "clean"),
                   run(contra, name, "fault", "--sanitize=off")]
    for result in results:
        if result.status:
            raise Failed(f"{result}\n  exit status {result.status}, expected 0")


def tests(contra):
    return [(f"sanitize {what} {name}", lambda check=check, name=name: check(contra, name))
            for name in names() for what, check in (("fault", check_fault), ("clean", check_clean))]


def write(contra):
    os.makedirs(GOLDEN, exist_ok=True)
    for name in names():
        with open(golden_path(name), "w", encoding="utf-8") as file:
            file.write(reports(contra, name)[0])


if __name__ == "__main__":
    if sys.argv[1:] != ["--write"]:
        sys.exit(__doc__)
    write(harness.Contra(os.environ.get("CONTRA", os.path.join(ROOT, "build", "contra"))))
