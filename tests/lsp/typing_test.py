"""Every feature answers, whatever is half typed: random edits of our programs, and all questions after each.

CONTRA_TEST_SEED and CONTRA_TEST_SCALE choose which edits, and how many.
"""

import os
import random

from client import Failed
from golden import HERE, opened, program, text_of

ROOT = os.path.dirname(os.path.dirname(HERE))
SOURCES = [program("features.rs"), os.path.join(ROOT, "examples/hello/gemm.rs"), program("crate/src/parts.rs")]
PIECES = ["x", ".", "(", ")", "{", "}", "[", "]", "m![", "<", ">", "::<", ",", ";", "\"", "/*", "//", "'", "#[", "\n",
          "é", "𝔸", "_", "0", "let a = ", "fn f(", "impl ", "enum E { A(", "use a::{", "axes![", "i![", "|a| ", "async "]
EDITS = 40

WHOLE = {"start": {"line": 0, "character": 0}, "end": {"line": 1 << 30, "character": 0}}
OF_DOCUMENT = ["codeLens", "documentSymbol", "foldingRange", "formatting", "semanticTokens/full"]
OF_RANGE = ["inlayHint", "rangeFormatting", "semanticTokens/range"]
OF_POSITION = ["onTypeFormatting", "prepareCallHierarchy"]


def typed(rng, text):
    """A text with something put in, taken away, moved, or cut off."""
    at, end = sorted(rng.randrange(len(text) + 1) for _ in range(2))
    kind = rng.randrange(5)
    if kind < 2:
        return text[:at] + rng.choice(PIECES) + text[at:]
    if kind == 2:
        return text[:at] + text[min(end, at + rng.randrange(40)):]
    if kind == 3:
        return text[:at] + text[at:end][:80] + text[at:]
    return text[:at] if rng.random() < 0.3 else text[:at] + rng.choice(PIECES) + text[at + 1:]


def place(text, at):
    """With characters of two bytes, as clients count them unless they say otherwise."""
    before = text[:at]
    return {"line": before.count("\n"), "character": len(before[before.rfind("\n") + 1:].encode("utf-16-le")) // 2}


def offset(text, place):
    lines = text.split("\n")
    start = sum(len(line) + 1 for line in lines[:place["line"]])
    return start + len(lines[place["line"]].encode("utf-16-le")[:2 * place["character"]].decode("utf-16-le"))


def formatted(text, edits):
    for each in sorted(edits, key=lambda each: -offset(text, each["range"]["start"])):
        start, end = (offset(text, each["range"][side]) for side in ("start", "end"))
        text = text[:start] + each["newText"] + text[end:]
    return text


def letters(text):
    """What formatting must leave as it is."""
    return "".join(text.split()).translate(str.maketrans("()", "[]"))


def inside(inner, outer):
    ends = [(each["line"], each["character"]) for side in ("start", "end") for each in (inner[side], outer[side])]
    return ends[1] <= ends[0] and ends[2] <= ends[3]


def check_symbols(symbols):
    for each in symbols:
        if not inside(each["selectionRange"], each["range"]):
            raise Failed(f"the name is outside of the symbol: {each}")
        check_symbols(each.get("children", []))


def check_selection(selection):
    while "parent" in selection:
        if not inside(selection["range"], selection["parent"]["range"]):
            raise Failed(f"a selection shrinks: {selection}")
        selection = selection["parent"]


def ask_all(client, uri, text, rng):
    document = {"textDocument": {"uri": uri}, "options": {"tabSize": 4, "insertSpaces": True}, "ch": "]"}
    somewhere = place(text, rng.randrange(len(text) + 1))
    for method in OF_DOCUMENT:
        answer = client.ask(f"textDocument/{method}", document)
        if method == "documentSymbol":
            check_symbols(answer)
        if method == "formatting" and letters(formatted(text, answer)) != letters(text):
            raise Failed(f"formatting changed more than blanks: {answer}")
        if method == "codeLens":
            for each in answer:
                client.ask("codeLens/resolve", each)
    for method in OF_RANGE:
        client.ask(f"textDocument/{method}", {**document, "range": WHOLE})
    for method in OF_POSITION:
        answer = client.ask(f"textDocument/{method}", {**document, "position": somewhere})
        for item in answer or [] if method == "prepareCallHierarchy" else []:
            client.ask("callHierarchy/incomingCalls", {"item": item})
            client.ask("callHierarchy/outgoingCalls", {"item": item})
    for each in client.ask("textDocument/selectionRange", {**document, "positions": [somewhere]}):
        check_selection(each)
    client.ask("workspace/symbol", {"query": rng.choice(["", "a", "run", "Values"])})


def check_source(contra, source):
    rng = random.Random(f"{os.environ.get('CONTRA_TEST_SEED', '1')} {os.path.basename(source)}")
    start = text = text_of(source)
    with opened(contra, source, start, encodings=()) as (client, uri):
        for version in range(2, 2 + int(EDITS * float(os.environ.get("CONTRA_TEST_SCALE", "1")))):
            text = typed(rng, text) if version % 8 and text else start
            client.change(uri, version, {"text": text})
            ask_all(client, uri, text, rng)


def tests(contra):
    return [(f"typing {os.path.basename(source)}", lambda source=source: check_source(contra, source))
            for source in SOURCES]
