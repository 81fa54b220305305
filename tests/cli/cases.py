"""Reads and runs the hand-written cases of cases/*.case.

    == what the case shows
    run: map 'A, B' --axes A=8,B=512
    exit: 0                              the status; 0 when not given, 1 with `refused`
    out: text                            stdout contains it           (out lacks: / err: / err lacks: likewise)
    json size: 4096                      the document of --format=json has this value at this path
    json tile means: A, B = 2 # 512      ... an expression with the same size and the same cells
    json diagnostics[0].message has: 8   ... a text that contains this
    json axes sorted: ["A", "B"]         ... a list with these elements in any order
    refused: E0107                       exit 1; the code on stderr in text, in "diagnostics" in JSON

A path is names and [positions], negative ones from the end; `json .: {}` is the whole document, and `json x absent:`
says that there is no x. A case with `json` or `refused` lines runs a second time with --format=json.
`<<[ x 300>>` in a command stands for 300 times `[`, `<<data>>` for the folder data/. A line that starts with `#` is a comment.
"""

import glob
import json
import os
import re
import shlex

import reference
from harness import Contra, Failed, diagnostic_codes

DIAGNOSTIC_KEYS = {"code", "severity", "group", "message", "span", "label", "notes", "helps", "manual"}
SPAN_KEYS = {"file", "start", "end", "line", "column", "end_line", "end_column"}


def load(directory):
    found = []
    for path in sorted(glob.glob(os.path.join(directory, "*.case"))):
        with open(path, encoding="utf-8") as file:
            found += parse(file.read(), os.path.basename(path))
    return found


def parse(body, file_name):
    found, current = [], None
    for number, line in enumerate(body.splitlines(), 1):
        where = f"{file_name}:{number}"
        if not line.strip() or line.startswith("#"):
            continue
        if line.startswith("== "):
            current = {"name": f"{where} {line[3:].strip()}", "checks": []}
            found.append(current)
            continue
        key, colon, value = line.partition(": ")
        if not colon:
            key = line.rstrip(":")
        if current is None or not re.match(r"(run|exit|out|out lacks|err|err lacks|refused|json .+)\Z", key):
            raise SystemExit(f"{where}: cannot read this line: {line}")
        if key == "run":
            value = value.replace("<<data>>", os.path.join(os.path.dirname(os.path.abspath(__file__)), "data"))
            current["args"] = shlex.split(re.sub(r"<<(.+?) x (\d+)>>", lambda m: m[1] * int(m[2]), value))
        else:
            current["checks"].append((where, key, value.strip()))
    for case in found:
        if "args" not in case:
            raise SystemExit(f"{case['name']}: no `run:` line")
    return found


def tests(contra, directory):
    return [(case["name"], lambda case=case: check(contra, case)) for case in load(directory)]


def check(contra, case):
    keys = [key for _, key, _ in case["checks"]]
    status = next((int(value) for _, key, value in case["checks"] if key == "exit"), 1 if "refused" in keys else 0)
    result = contra.run(case["args"])
    if result.status != status:
        raise Failed(f"{result}\n  exit status {status} expected")
    document = None
    if any(key == "refused" or key.startswith("json ") for key in keys):
        document, second = contra.json(case["args"], (status,))
    for where, key, value in case["checks"]:
        if key in ("out", "err", "out lacks", "err lacks"):
            body = result.out if key.startswith("out") else result.err
            if (value in body) == key.endswith("lacks"):
                raise Failed(f"{result}\n  {where}: {key}: {value}")
        elif key == "refused":
            check_refused(result, document, value, where)
        elif key.startswith("json "):
            check_json(second, document, key[5:], value, where, case["args"])


def check_refused(result, document, code, where):
    if f"error[{code}]" not in result.err:
        raise Failed(f"{result}\n  {where}: error[{code}] expected on stderr")
    if result.out.strip():
        raise Failed(f"{result}\n  {where}: a refused command prints nothing on stdout")
    if code not in diagnostic_codes(document):
        raise Failed(f"{result}\n  {where}: {code} expected in JSON, got {json.dumps(document)}")
    for diag in document["diagnostics"]:
        missing = DIAGNOSTIC_KEYS - diag.keys()
        if missing or not diag["message"]:
            raise Failed(f"{result}\n  {where}: diagnostic without {sorted(missing)}: {json.dumps(diag)}")
        if diag["span"] is not None and SPAN_KEYS - diag["span"].keys():
            raise Failed(f"{result}\n  {where}: span without {sorted(SPAN_KEYS - diag['span'].keys())}")


ABSENT = object()


def lookup(document, path):
    for name, position in re.findall(r"([A-Za-z_']+)|\[(-?\d+)\]", path):
        try:
            document = document[name] if name else document[int(position)]
        except (KeyError, IndexError, TypeError):
            return ABSENT
    return document


def check_json(result, document, path, value, where, args):
    how = path.rpartition(" ")[2] if path.endswith((" means", " has", " sorted", " absent")) else ""
    path = path[:len(path) - len(how)].strip()
    found = lookup(document, path)
    if how == "absent":
        good = found is ABSENT
    elif found is ABSENT:
        good = False
    elif how == "means":
        good = same_mapping(found, value, args)
    elif how == "has":
        good = value in (found if isinstance(found, str) else json.dumps(found))
    elif how == "sorted":
        good = sorted(found) == sorted(json.loads(value))
    else:
        good = found == json.loads(value)
    if not good:
        shown = "nothing" if found is ABSENT else json.dumps(found)
        raise Failed(f"{result}\n  {where}: {path} {how}: {value}\n  got {shown}")


def options(args, name):
    """Every value of an option, as `--name value` or `--name=value`."""
    found = []
    for i, arg in enumerate(args):
        if arg == name and i + 1 < len(args):
            found.append(args[i + 1])
        elif arg.startswith(name + "="):
            found.append(arg[len(name) + 1:])
    return found


def axes_of(args):
    return reference.Axes.parse(",".join(options(args, "--axes")), options(args, "--let"))


def same_mapping(found, wanted, args):
    axes = axes_of(args)
    try:
        return reference.equal(reference.parse(found, axes), reference.parse(wanted, axes), axes)
    except (reference.Refused, TypeError):
        return False
