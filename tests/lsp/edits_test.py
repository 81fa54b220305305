"""Whatever was typed before, the server says what it says of the text when it is opened afresh.

Random edits of our examples, each as one keystroke or a few: after every one the diagnostics must be those of a
server that never saw the text before. CONTRA_TEST_SEED and CONTRA_TEST_SCALE choose which and how many.
"""

import json
import os
import random

from client import Client, Failed, edit

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
SOURCES = ["examples/hello/gemm.rs", "examples/hello/dot_product.rs", "examples/kernels/double_buffered_gemm.rs"]
EDITS = 120
LETTERS = ["x", ".", "(", ")", "{", "}", "[", "]", "m![", ",", ";", " ", "\n", "\"", "0", "I", "//", "é", "𝔸", "::<", "fn f(", "\r\n"]


def scale():
    return float(os.environ.get("CONTRA_TEST_SCALE", "1"))


def units(text, encoding):
    return len(text.encode("utf-16-le")) // 2 if encoding == "utf-16" else len(text.encode())


def place(text, at, encoding):
    """Line and character of an index into the text, as a client counts."""
    before = text[:at]
    lines = before.replace("\r\n", "\n\0").replace("\r", "\n").replace("\0", "").split("\n")
    start = max(before.rfind("\n"), before.rfind("\r")) + 1
    return len(lines) - 1, units(before[start:], encoding)


def splits_line_end(text, at):
    return 0 < at < len(text) and text[at - 1] == "\r" and text[at] == "\n"


def random_edit(rng, text):
    """(start, end, new text): what is typed, taken away, moved or put back in."""
    at = rng.randrange(len(text) + 1)
    kind = rng.randrange(6)
    if kind < 2:
        return at, at, rng.choice(LETTERS)
    if kind == 2:
        return at, min(len(text), at + rng.randrange(1, 4)), ""
    if kind == 3:
        return at, min(len(text), at + rng.randrange(1, 120)), rng.choice(LETTERS)
    start = rng.randrange(len(text) + 1)
    piece = text[start:start + rng.randrange(1, 80)]
    return at, at if kind == 4 else min(len(text), at + len(piece)), piece


def told(diagnostics):
    return sorted(json.dumps(each, sort_keys=True) for each in diagnostics)


def compare(contra, encoding, source, rng, count):
    with open(os.path.join(ROOT, source), encoding="utf-8") as file:
        original = text = file.read()
    uri = "file:///nowhere/" + os.path.basename(source)
    typed, fresh = Client(contra, (encoding,)), Client(contra, (encoding,))
    typed.open(uri, text)
    typed.settled(uri, 1)
    for version in range(2, count + 2):
        if version % 15 == 0:  # back to what is right
            change, text = {"text": original}, original
        else:
            start, end, new = random_edit(rng, text)
            while splits_line_end(text, start) or splits_line_end(text, end):
                start, end, new = random_edit(rng, text)
            change = edit(place(text, start, encoding), place(text, end, encoding), new)
            text = text[:start] + new + text[end:]
        typed.change(uri, version, change)
        found = told(typed.settled(uri, version))
        fresh.open(uri, text, version)
        wanted = told(fresh.settled(uri, version))
        fresh.shut(uri)
        if found != wanted:
            raise Failed(f"version {version} of {source}:\n  typed: {found}\n  fresh: {wanted}\n{text}")
    if typed.end() or fresh.end():
        raise Failed("the server ended with an error")


def tests(contra):
    seed = int(os.environ.get("CONTRA_TEST_SEED", "1"))
    count = max(5, int(EDITS * scale()))
    return [(f"edits {encoding} {source}",
             lambda s=source, e=encoding, i=i: compare(contra, e, s, random.Random(seed * 100 + i), count))
            for i, (source, encoding) in enumerate((s, e) for s in SOURCES for e in ("utf-8", "utf-16"))]
