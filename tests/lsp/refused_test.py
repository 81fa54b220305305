"""Kernels that are refused have no commands and no cycles: questions about those are answered all the same, once the
check has said what is wrong."""

import os
import re

from client import Client, must, same
from golden import HERE, text_of
from texts import position

EXAMPLES = os.path.join(os.path.dirname(os.path.dirname(HERE)), "examples")
URI = "file:///tests/refused.rs"

# An example, what is written in it instead of what, and what the check says.
CHANGES = [
    ("hello/constant_add.rs", "vector_fxp(FxpBinaryOp::AddFxp, 5)", "vector_fp_binary(FpBinaryOp::AddF, 5.0)",
     {"E0706", "E0711"}),
    ("hello/constant_add.rs", "m![Values / 16]", "m![Values / 17]", None),
    ("hello/gemm.rs", ".align::<m![I % 4, K / 32], m![K % 32], _, _>", ".align::<m![I % 4, K / 32], m![1], _, _>",
     {"E0650"}),
    ("hello/transpose.rs", ".collect::<m![Matrix, Line], m![Column # 32]>()", "", {"E0601"}),
    ("hello/transpose.rs", ".collect::<m![Matrix, Line], m![Column # 32]>()",
     ".fetch::<i8, m![Matrix, Line], m![Column]>()", {"E0601"}),
    ("kernels/tiling.rs", "type Chip = m![1];", "type Chip = m![I / 128, 1 # 2, I % 64, J];", None),
    ("kernels/decode_gemv.rs", "slice1: 256", "slice1: 1048576", None),
    ("kernels/decode_gemv.rs", "slice1: 256", "slice1: 1 << 28", None),
]


def ask_everything(client, text):
    """Hints, what the lenses say, and every call."""
    document = {"textDocument": {"uri": URI}}
    span = {"start": {"line": 0, "character": 0}, "end": position(text, len(text))}
    client.ask("textDocument/inlayHint", {**document, "range": span})
    titles = [client.ask("codeLens/resolve", lens)["command"]["title"]
              for lens in client.ask("textDocument/codeLens", document)]
    for call in re.finditer(r"\.(\w+)(?=\(|::<)", text):
        client.at("hover", URI, **position(text, call.start(1)))
    return titles


def asked(contra, text):
    """What the check says, and what the lenses do."""
    client = Client(contra)
    client.open(URI, text)
    codes = {each["code"] for each in client.settled(URI, 1) if each["severity"] == 1}
    titles = ask_everything(client, text)
    same(client.end(), 0)
    return codes, titles


def changed(contra, name, old, new, expected):
    text = text_of(os.path.join(EXAMPLES, name))
    must(old in text, f"{name} has no `{old}`")
    codes, _ = asked(contra, text.replace(old, new))
    must(codes, "nothing is refused")
    if expected:
        same(codes, expected)


def other_kernel(contra):
    """One that is refused leaves the next one its cycles."""
    text = text_of(os.path.join(EXAMPLES, "hello/constant_add.rs"))
    start, end = text.index("#[device"), text.index("}\n", text.index("#[device")) + 2
    kernel = text[start:end]
    name = re.search(r"fn (\w+)", kernel).group(1)
    refused = kernel.replace(f"fn {name}", "fn refused").replace("commit(0x1000)", "commit(0x1001)")
    codes, titles = asked(contra, text[:start] + refused + "\n" + text[start:])
    same(codes, {"E0509"})
    same(sum("cycles" in title for title in titles), 1)


def tests(contra):
    changes = [(f"refused: {name} with {new or 'a stage less'}",
                lambda change=(name, old, new, codes): changed(contra, *change)) for name, old, new, codes in CHANGES]
    return changes + [("refused: the other kernel has its cycles", lambda: other_kernel(contra))]
