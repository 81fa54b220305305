"""A program as it is typed: after every few letters, with the rest of it behind the cursor or not, questions about
the place get an answer, whatever the text is."""

import random

from client import Client, Failed, must, same
from golden import program, text_of
from texts import position

STEP = 23  # letters between two questions
QUESTIONS = ["hover", "completion", "signatureHelp", "definition"]


def broken(text, seed):
    """Texts with the place to ask about: the beginning alone, something left out, something put in."""
    draw = random.Random(seed)
    for at in range(0, len(text), STEP):
        yield text[:at], at
        yield text[:at] + text[min(len(text), at + draw.randrange(40)):], at
        more = draw.choice([".", "::", "::<", "(", "m![", "{", "<", ",", "\"", "|", "&", "let ", "x.", "match ", ";"])
        yield text[:at] + more + text[at:], at + len(more)


def every_question_is_answered(contra):
    snippets = {"completion": {"completionItem": {"snippetSupport": True}}}
    client = Client(contra, capabilities={"textDocument": snippets})
    uri = "file:///tests/half_typed.rs"
    client.open(uri, "")
    for number, (text, at) in enumerate(broken(text_of(program("pass.rs")), 1)):
        client.change(uri, number + 2, {"text": text})
        for question in QUESTIONS:
            client.at(question, uri, **position(text, at))
    if client.end() != 0:
        raise Failed("the server ended badly")


KERNEL = """#[device(chip = 1)]
fn %s(ctx: &mut Context, from: &HbmTensor<i8, m![1], m![A]>) -> HbmTensor<i8, m![1], m![A]> {
    from.to_dm::<m![1 # 2], m![1 # 256], m![A]>(&mut ctx.tdma, 0).to_hbm(&mut ctx.tdma, %s)
}
"""
KERNELS = "use furiosa_visa_std::prelude::*;\naxes![A = 64];\n" + KERNEL % ("one", "missing") + KERNEL % ("two", "0x1000")


def lenses_of_broken_kernels(contra):
    """How long each takes is asked at once after an edit; what is wrong with one says nothing about the other."""
    client = Client(contra)
    uri = "file:///tests/broken.rs"
    everywhere = {"start": {"line": 0, "character": 0}, "end": {"line": 100, "character": 0}}
    client.open(uri, KERNELS)
    before = [each["code"] for each in client.settled(uri, 1)]
    for version in range(2, 5):
        client.change(uri, version, {"text": KERNELS + "\n" * version})
        for _ in range(2):  # before the check and after it
            lenses = client.ask("textDocument/codeLens", {"textDocument": {"uri": uri}})
            titles = [client.ask("codeLens/resolve", lens)["command"]["title"] for lens in lenses]
            same(["cycles" in title for title in titles], [False, False, False, True])
            client.ask("textDocument/inlayHint", {"textDocument": {"uri": uri}, "range": everywhere})
            same([each["code"] for each in client.settled(uri, version)], before)
        actions = client.ask("textDocument/codeAction", {"textDocument": {"uri": uri}, "range": everywhere,
                                                         "context": {"diagnostics": []}})
        must(isinstance(actions, list), "no list of actions")
    same(client.end(), 0)


HALF = """use furiosa_visa_std::prelude::*;
axes![A = 64];
#[device(chip = 1)]
fn add(ctx: &mut Context, from: &HbmTensor<i32, m![1], m![A]>) -> HbmTensor<i32, m![1], m![A]> {
    let dm = from.to_dm::<m![1 # 2], m![1 # 256], m![A]>(&mut ctx.tdma, 0);
    let sum: DmTensor<i32, m![1], m![1 # 2], m![1 # 256], m![A]> = ctx
        .main
        .begin(dm.view())
        .fetch::<i32, m![A / 8], m![A % 8]>()
        .collect::<m![A / 8], m![A % 8]>()
        .commit(0x1000);
    sum.to_hbm(&mut ctx.tdma, 1 << 28)
}
"""

# What stands there, what is there so far, and all that is said.
CUTS = [
    ("sum.to_hbm(&mut ctx.tdma, 1 << 28)", "sum.", ["E0401"]),
    ("sum.to_hbm(&mut ctx.tdma, 1 << 28)", "sum.to_hbm(", ["E0403"]),
    ("sum.to_hbm(&mut ctx.tdma, 1 << 28)", "sum.to_hbm(&mut ctx.tdma, 1", ["E0403"]),
    ("sum.to_hbm(&mut ctx.tdma, 1 << 28)", "let last = sum.", ["E0401"]),
    (", 0);", ", 0;", ["E0403"]),
    ("(&mut ctx.tdma, 0);", "(&;", ["E0403"]),
    ("(&mut ctx.tdma, 0);", "(", ["E0403"]),
    ("= from.to_dm::<m![1 # 2], m![1 # 256], m![A]>(&mut ctx.tdma, 0);", "", ["E0401"]),
    ("= from.to_dm::<m![1 # 2], m![1 # 256], m![A]>(&mut ctx.tdma, 0);", ": ;", ["E0401"]),
    (".begin(dm.view())", ".begin(", ["E0403"]),
    (".begin(dm.view())", ".begin(dm.view(", ["E0403"]),
    (".collect::<m![A / 8], m![A % 8]>()", ".collect::<m![A / 8", ["E0403"]),
    (".commit(0x1000);", ".commit(", ["E0403"]),
    # A whole statement, and the fault in another one: both are said.
    ("(0x1000);\n", "(0x1001);\n    let more = sum.;\n", ["E0401", "E0509"]),
]


def nothing_follows_from_what_is_missing(contra):
    client = Client(contra)
    uri = "file:///tests/cuts.rs"
    client.open(uri, HALF)
    same(client.settled(uri, 1), [])
    for version, (there, half, codes) in enumerate(CUTS, 2):
        client.change(uri, version, {"text": HALF.replace(there, half)})
        said = [each["code"] for each in client.settled(uri, version)]
        must(sorted(said) == codes, f"{half!r} for {there!r}: {said}")
    same(client.end(), 0)


def tests(contra):
    return [("half typed: every question is answered", lambda: every_question_is_answered(contra)),
            ("half typed: lenses of broken kernels", lambda: lenses_of_broken_kernels(contra)),
            ("half typed: nothing follows from what is missing", lambda: nothing_follows_from_what_is_missing(contra))]
