"""Cycles of large kernels are worked out beside the server: it answers others meanwhile, and gives up what is stale."""

import os

from client import Client, edit, must, same, uri_of
from golden import HERE, text_of

EXAMPLES = os.path.join(os.path.dirname(os.path.dirname(HERE)), "examples")
PATH = os.path.join(EXAMPLES, "models/attention/prefill_kernel/mod.rs")
URI = uri_of(PATH)
WHOLE = {"start": {"line": 0, "character": 0}, "end": {"line": 100000, "character": 0}}
DOCUMENT = {"textDocument": {"uri": URI}}


class Asker:
    """Sends questions without waiting, and takes answers in the order in which they come."""

    def __init__(self, contra, path=PATH):
        self.client = Client(contra, patience=120)
        self.client.open(URI, text_of(path))
        self.client.settled(URI, 1)

    def send(self, name, method, **params):
        self.client.send({"id": name, "method": method, "params": params})

    def hints(self, name, span=WHOLE):
        self.send(name, "textDocument/inlayHint", **DOCUMENT, range=span)

    def next(self):
        while "id" not in (message := self.client.read()) or "method" in message:
            pass
        return message

    def end(self):
        same(self.client.end(), 0)


def cycles_in(answer):
    return sum("cycle" in hint["label"] for hint in answer["result"])


def others_are_answered_first(contra):
    asker = Asker(contra)
    asker.hints("hints")
    asker.send("symbols", "textDocument/documentSymbol", **DOCUMENT)
    asker.send("folds", "textDocument/foldingRange", **DOCUMENT)
    found = [asker.next() for _ in range(3)]
    same([each["id"] for each in found], ["symbols", "folds", "hints"])
    must(cycles_in(found[2]) > 10, "the hints have no cycles")
    asker.end()


def several_wait(contra):
    """For the same kernels, which are lowered once; parts are what they are in the whole."""
    asker = Asker(contra)
    lines = [{"start": {"line": line, "character": 0}, "end": {"line": line + 40, "character": 0}} for line in (100, 200)]
    lens = next(each for each in asker.client.ask("textDocument/codeLens", DOCUMENT) if "data" in each)
    for name, span in zip(("whole", 0, 1), [WHOLE, *lines]):
        asker.hints(name, span)
    found = {each["id"]: each["result"] for each in (asker.next() for _ in range(3))}
    for name, span in enumerate(lines):
        first, end = (span[side]["line"] for side in ("start", "end"))
        must(found[name] == [each for each in found["whole"] if first <= each["position"]["line"] < end],
             f"lines {first} to {end} have other hints than in the whole")
    must("cycles)" in asker.client.ask("codeLens/resolve", lens)["command"]["title"], "the lens has no cycles")
    asker.end()


def what_is_stale_is_given_up(contra):
    asker = Asker(contra)
    lens = next(each for each in asker.client.ask("textDocument/codeLens", DOCUMENT) if "data" in each)
    asker.hints("hints")
    asker.send("lens", "codeLens/resolve", **lens)
    asker.send("symbols", "textDocument/documentSymbol", **DOCUMENT)
    same(asker.next()["id"], "symbols")  # so the others wait
    asker.client.change(URI, 2, edit((0, 0), (0, 0), "// edited\n"))
    answer = asker.next()
    same((answer["id"], answer["error"]["code"]), ("hints", -32801))
    answer = asker.next()  # of no document: it is worked out anew
    same((answer["id"], "cycles)" in answer["result"]["command"]["title"]), ("lens", True))
    asker.end()


def stage_place():
    """Of a stage in the large kernel."""
    line, text = next(each for each in enumerate(text_of(PATH).split("\n")) if ".fetch::<" in each[1])
    return {"line": line, "character": text.index(".fetch::<") + 3}


def hovers_wait_alike(contra):
    """Beside others; what is cancelled or stale is given up, and what hints know is there at once."""
    asker, place = Asker(contra), stage_place()
    for name, code, end in (
            ("cancelled", -32800, lambda: asker.client.tell("$/cancelRequest", {"id": "cancelled"})),
            ("stale", -32801, lambda: asker.client.change(URI, 2, edit((0, 0), (0, 0), "// edited\n")))):
        asker.send(name, "textDocument/hover", **DOCUMENT, position=place)
        asker.send("symbols", "textDocument/documentSymbol", **DOCUMENT)
        same(asker.next()["id"], "symbols")
        end()
        answer = asker.next()
        same((answer["id"], answer["error"]["code"]), (name, code))
    place["line"] += 1
    asker.hints("hints")
    must(cycles_in(asker.next()) > 10, "the hints have no cycles")
    asker.send("hover", "textDocument/hover", **DOCUMENT, position=place)
    asker.send("symbols", "textDocument/documentSymbol", **DOCUMENT)
    answer = asker.next()
    same(answer["id"], "hover")  # nothing is worked out again
    must(" cycles a pass, bound by" in answer["result"]["contents"]["value"], "the hover has no cycles")
    same(asker.next()["id"], "symbols")
    asker.end()


def what_is_cancelled_is_not_waited_for(contra):
    asker = Asker(contra)
    asker.hints("hints")
    asker.send("symbols", "textDocument/documentSymbol", **DOCUMENT)
    same(asker.next()["id"], "symbols")
    asker.client.tell("$/cancelRequest", {"id": "hints"})
    answer = asker.next()
    same((answer["id"], answer["error"]["code"]), ("hints", -32800))
    asker.end()


def the_end_comes_at_once(contra):
    """What waits when the server is shut down is answered without cycles."""
    asker = Asker(contra)
    asker.hints("hints")
    asker.send("symbols", "textDocument/documentSymbol", **DOCUMENT)
    same(asker.next()["id"], "symbols")
    asker.send("shutdown", "shutdown")
    found = {each["id"]: each for each in (asker.next(), asker.next())}
    same((set(found), cycles_in(found["hints"])), ({"hints", "shutdown"}, 0))
    asker.client.tell("exit", None)
    same(asker.client.process.wait(30), 0)


def nothing_more_is_sent(contra):
    """Whoever closes its end still gets the answers that are being worked out, if that does not take long."""
    asker = Asker(contra, os.path.join(EXAMPLES, "hello/gemm.rs"))
    asker.hints("hints")
    asker.client.process.stdin.close()
    must(cycles_in(asker.next()) > 0, "the hints have no cycles")


def tests(contra):
    return [(f"costs: {test.__name__.replace('_', ' ')}", lambda t=test: t(contra))
            for test in (others_are_answered_first, several_wait, what_is_stale_is_given_up,
                         what_is_cancelled_is_not_waited_for, hovers_wait_alike, the_end_comes_at_once, nothing_more_is_sent)]
