#!/usr/bin/env python3
"""Does `contra check` give every code block of the manual the verdict that the manual's own list gives it?

    tests/manual/blocks.py [--spec DIR] [--contra PATH] [--verbose]

DIR/blocks holds the blocks and index.csv. `accept` must pass as it stands; `accept-relaxed` must be refused for rules
of the groups in its `relax` column and no other, and pass with these relaxed; `reject` must be refused, with its groups
relaxed, and say what reasons.csv expects of it. A block may give its functions verdicts of their own. Blocks that are no
programs (pseudo, reference-impl) must only be survived. A block with a `main` or with tests is run besides, and must end
as its verdict says.
"""

import argparse
import csv
import json
import os
import re
import subprocess
import sys
import tempfile

# A block without a function is a piece of one: the index says which tensor `input` is.
FRAGMENT = """use furiosa_visa_std::prelude::*;
axes![E = 512];
fn fragment<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![E / 2], m![1], m![E % 2 # 8]>,
) -> VectorFinalTensor<'l, T, i32, m![1], m![1 # 2], m![E / 2], m![1], m![E % 2 # 8]> {
BODY
}
"""

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))


def check(contra, path, relax):
    command = [contra, "check", "--format=json", "--color=never", path]
    if relax:
        command.append("--relax=" + ",".join(relax))
    run = subprocess.run(command, capture_output=True, text=True, timeout=60)
    if run.returncode not in (0, 1):
        return run.returncode, None
    return run.returncode, json.loads(run.stdout)


def errors(result):
    return [diag for diag in result["diagnostics"] if diag["severity"] == "error"]


def line_of(diag):
    return diag["span"]["line"] if diag["span"] else 0


class Block:
    def __init__(self, folder, row, reasons):
        self.name, self.expect = row["file"], row["expect"]
        self.path = os.path.join(folder, row["file"])
        self.relax = [group.strip() for group in row["relax"].split(",") if group.strip()]
        self.runs = row["runs"]
        self.reasons = reasons.get(row["file"].split("-")[0], [])
        with open(self.path, encoding="utf-8") as file:
            self.text = file.read()
        if self.expect == "reject" and not re.search(r"\bfn ", self.text):
            self.wrap()
        self.functions = dict(re.findall(r"^// fn: (\w+) = ([\w-]+)$", self.text, re.M))
        self.starts = [(self.text.count("\n", 0, match.start()) + 1, match[1])
                       for match in re.finditer(r"^\s*(?:pub |async )*fn (\w+)", self.text, re.M)]

    def wrap(self):
        self.file = tempfile.NamedTemporaryFile("w", suffix=".rs")
        self.file.write(FRAGMENT.replace("BODY", self.text))
        self.file.flush()
        self.path = self.file.name

    def function_at(self, line):
        names = [name for start, name in self.starts if start <= line]
        return names[-1] if names else None

    def problems(self, contra):
        code, strict = check(contra, self.path, [])
        if strict is None:
            yield f"exit status {code}"
            return
        if self.expect in ("pseudo", "reference-impl"):
            return
        code, relaxed = check(contra, self.path, self.relax)
        if relaxed is None:
            yield f"exit status {code} when relaxed"
            return
        yield from self.whole(strict, relaxed)
        for function, verdict in self.functions.items():
            yield from self.one(function, verdict, strict, relaxed)

    def whole(self, strict, relaxed):
        found = errors(strict)
        if self.expect == "accept" and found:
            yield f"refused: {describe(found)}"
        if self.expect == "accept-relaxed":
            others = [diag for diag in found if diag["group"] not in self.relax]
            if others:
                yield f"refused for another reason: {describe(others)}"
            missing = set(self.relax) - {diag["group"] for diag in found}
            if missing:
                yield f"not refused for {', '.join(sorted(missing))}"
            if errors(relaxed):
                yield f"refused although relaxed: {describe(errors(relaxed))}"
        if self.expect == "reject":
            codes = {diag["code"] for diag in found}
            if not codes:
                yield "accepted"
            allowed = {diag["group"] for diag in found} <= set(self.relax)  # its reason is one of these itself
            if not allowed and not errors(relaxed):
                yield "accepted when relaxed"
            for reason in self.reasons:
                if not codes & set(reason.split("|")):
                    yield f"does not say {reason}, only {', '.join(sorted(codes))}"
            if not self.reasons:
                yield f"has no row in reasons.csv (says {', '.join(sorted(codes))})"

    def one(self, function, verdict, strict, relaxed):
        def of(result):
            return [diag for diag in errors(result) if self.function_at(line_of(diag)) == function]
        if verdict == "accept" and of(strict):
            yield f"{function}: refused: {describe(of(strict))}"
        if verdict == "accept-relaxed" and (not of(strict) or of(relaxed)):
            yield f"{function}: should be refused only strictly: {describe(of(relaxed) or of(strict))}"
        if verdict == "reject" and not of(relaxed):
            yield f"{function}: accepted"


def run_problems(contra, block):
    """What goes wrong when the `main` or the tests of a block are run."""
    if block.runs == "check-only":
        return
    command = [contra, "run" if block.runs == "main" else "test", "--color=never", block.path]
    run = subprocess.run(command, capture_output=True, text=True, timeout=60)
    if run.returncode != (1 if block.expect == "reject" else 0):
        yield f"{block.runs} ends with {run.returncode}: {(run.stdout + run.stderr)[-200:]}"
    elif block.runs == "test" and not re.search(r"^[1-9]\d* passed, 0 failed", run.stdout, re.MULTILINE):
        yield f"its tests do not pass: {run.stdout[-200:]}"


def describe(diags):
    return "; ".join(f"{diag['code']} [{diag['group']}] line {line_of(diag)}: {diag['message']}" for diag in diags[:3])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--spec", default=os.path.join(ROOT, "..", "shared", "spec"))
    parser.add_argument("--contra", default=os.path.join(ROOT, "build", "contra"))
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    folder = os.path.join(options.spec, "blocks")
    if not os.path.exists(os.path.join(folder, "index.csv")):
        print("manual blocks: skipped, the manual is not here")
        return 0
    with open(os.path.join(HERE, "reasons.csv"), encoding="utf-8") as file:
        reasons = {row["block"]: row["codes"].split() for row in csv.DictReader(file)}
    with open(os.path.join(folder, "index.csv"), encoding="utf-8") as file:
        blocks = [Block(folder, row, reasons) for row in csv.DictReader(file)]
    wrong = judged = ran = 0
    for block in blocks:
        problems = [*block.problems(options.contra), *run_problems(options.contra, block)]
        ran += block.runs != "check-only"
        judged += block.expect not in ("pseudo", "reference-impl")
        wrong += bool(problems)
        for problem in problems:
            print(f"{block.name} ({block.expect}): {problem}")
        if options.verbose and not problems:
            print(f"{block.name} ({block.expect}): as it should be")
    print(f"manual blocks: {len(blocks)} checked, {judged} judged, {ran} run, {wrong} wrong")
    return 1 if wrong else 0


sys.exit(main())
