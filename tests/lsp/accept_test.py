"""Whatever is offered behind a stream or a tensor can be taken: the program with it has no new errors.

Every stage of every kernel of our examples is left out, with all that comes behind it; each method that is offered
there is taken with its places as they are, and the program is checked. What needs a value that nobody can guess is
given one, see VALUES. The golden file says how often each method was taken and what was wrong with it.
"""

import collections
import glob
import os
import re

import texts
from client import Client, Failed, uri_of
from golden import HERE, text_of
from texts import position

SOURCES = ["examples/hello/*.rs"]
# What somebody would write for a parameter, by its name.
VALUES = {"address": "0x40000", "operand": "1", "operands": "(1.0, 1.0)", "start": "0", "branch": "0", "int_width": "31",
          "zero_point": "0", "g0": "()", "g1": "()"}
OTHERS = {"to_vrf": {"address": "0"}, "fetch_with_zero_points": {"zero_points": "[0, 0]"}}
ROOT = os.path.dirname(os.path.dirname(HERE))


def accepted(snippet, values):
    """A snippet as it is when every place in it is left as offered, or given a value."""
    return re.sub(r"\$\{\d+:((?:[^}\\]|\\.)*)\}",
                  lambda place: values.get(place[1], re.sub(r"\\(.)", r"\1", place[1])), snippet)


def brackets(text):
    """Those that are open at the end of a text of our own."""
    text = re.sub(r"//[^\n]*", "", text)
    text = re.sub(r'"(?:[^"\\]|\\.)*"', "", text)
    stack = []
    for each in text:
        if each in "([{":
            stack.append(each)
        elif each in ")]}":
            stack.pop()
    return stack


def closed(text, start, call):
    """The function up to here with the call, and nothing behind it. The type that a `let` wants does not matter."""
    statement = max((each.end() for each in re.finditer(r"[;{}]\s*\n", text[start:])), default=0) + start
    text = text[:statement] + re.sub(r"^(\s*let (?:mut )?\w+)\s*:.*?[>\w]\s*=(?= [a-z(]|\n)", r"\1 =", text[statement:], flags=re.S)
    ends = {"(": ")", "[": "]", "{": "; unimplemented!() }"}
    return text + call + "".join(ends[each] for each in reversed(brackets(text[start:])))


def functions(client, uri, text):
    """(start, end) of each function, as offsets."""
    lines = [0]
    for line in text.encode().split(b"\n"):
        lines.append(lines[-1] + len(line) + 1)
    offset = lambda place: lines[place["line"]] + place["character"]
    symbols = client.ask("textDocument/documentSymbol", {"textDocument": {"uri": uri}})
    spans = [(offset(each["range"]["start"]), offset(each["range"]["end"])) for each in symbols if each["kind"] == 12]
    return [(start, end) for start, end in spans if "Context" in text[start:end].partition("{")[0]]


def places(client, uri, text):
    """(start of the function, dot, end of the function): where a stage or a method of a tensor is called."""
    for start, end in functions(client, uri, text):
        for call in re.finditer(r"\.(?=[a-z_]+(?:::<|\())", text[start:end]):
            dot = start + call.start()
            if "(" not in brackets(text[start:dot]):
                yield start, dot, end


def errors(client, uri, version, text):
    client.change(uri, version, {"text": text})
    return [(each["code"], each["message"]) for each in client.settled(uri, version) if each["severity"] == 1]


class Taker:
    def __init__(self, contra):
        snippets = {"completion": {"completionItem": {"snippetSupport": True}}}
        symbols = {"hierarchicalDocumentSymbolSupport": True}
        self.client = Client(contra, capabilities={"textDocument": {**snippets, "documentSymbol": symbols}})
        self.methods = set(re.findall(r"fn (\w+)[^;]*?\(\s*&?(?:mut )?self", text_of(os.path.join(ROOT, "src/lang/std/prelude.rs"))))
        self.version = 1
        self.shown = []  # what was wrong, at length
        self.taken = collections.Counter()
        self.wrong = collections.defaultdict(collections.Counter)

    def check(self, uri, text):
        self.version += 1
        return errors(self.client, uri, self.version, text)

    def take(self, uri, text, start, dot, end, where):
        before, behind = text[:dot], text[end:]
        there = closed(before, start, ".@") + behind
        at = there.index("@")
        there = there.replace("@", "")
        self.check(uri, there)
        items = self.client.at("completion", uri, **position(there, at))["items"]
        known = set(self.check(uri, closed(before, start, "") + behind))
        for item in items:
            if item["label"].split()[0] not in self.methods or item["sortText"][0] > "5":
                continue
            values = dict(VALUES, **OTHERS.get(item["label"], {}))
            if "_fp_" in item["label"] or "F32" in item["insertText"]:
                values["operand"] = "1.0"
            call = "." + accepted(item["insertText"], values)
            found = [each for each in self.check(uri, closed(before, start, call) + behind) if each not in known]
            self.taken[item["label"]] += 1
            if found:
                code = "a value is missing" if found[0][0] == "E0420" else found[0][0]
                self.wrong[item["label"]][code] += 1
                self.shown.append(f"{where} {before.rstrip().rpartition(chr(10))[2].strip()}{call}\n    {found[0]}")

    def take_all(self, path):
        uri, text = uri_of(path), re.sub(r"//[^\n]*", "", text_of(path))
        self.client.open(uri, text)
        self.client.settled(uri, 1)
        self.version = 1
        for start, dot, end in list(places(self.client, uri, text)):
            self.take(uri, text, start, dot, end, f"{os.path.basename(path)}:{text[:dot].count(chr(10)) + 1}")
        self.client.shut(uri)


def take(contra):
    taker = Taker(contra)
    for pattern in SOURCES:
        for path in sorted(glob.glob(os.path.join(ROOT, pattern))):
            taker.take_all(path)
    taker.client.end()
    return taker


def said(taker):
    lines = [f"{name}: {count} taken" + "".join(f", {often} {code}" for code, often in sorted(taker.wrong[name].items()))
             for name, count in sorted(taker.taken.items())]
    return {"in the examples": "\n".join(lines)}


def test(contra):
    taker = take(contra)
    answers = said(taker)
    for question, expected in texts.known("accept").items():
        if answers[question] != expected:
            raise Failed("\n".join(["golden/accept.txt says", expected, "and now it is", answers[question], *taker.shown]))


def tests(contra):
    return [("accept: what is offered can be taken", lambda: test(contra))]


def write(contra):
    texts.write("accept", said(take(contra)))
