"""Every quick fix of every negative program, applied: what it is for is gone, and nothing else is wrong that was not.

The golden file says how many there are, and names those after which something new is said: only
without its `;` nothing else is said of a statement.
"""

import collections
import glob
import os

import texts
from client import Client, Failed, same, uri_of
from golden import HERE, text_of

ROOT = os.path.dirname(os.path.dirname(HERE))


def applied(text, edits):
    """A text with edits of one file; places count bytes."""
    data = text.encode()
    lines = [0]
    for line in data.split(b"\n"):
        lines.append(lines[-1] + len(line) + 1)
    offset = lambda place: lines[place["line"]] + place["character"]
    for edit in sorted(edits, key=lambda edit: offset(edit["range"]["start"]), reverse=True):
        start, end = offset(edit["range"]["start"]), offset(edit["range"]["end"])
        data = data[:start] + edit["newText"].encode() + data[end:]
    return data.decode()


def errors(diagnostics):
    return collections.Counter(each["code"] for each in diagnostics if each["severity"] == 1)


class Fixer:
    def __init__(self, contra):
        self.client = Client(contra)
        self.count = self.held = 0
        self.wrong = []

    def try_fix(self, path, text, diagnostic, action, before):
        uri = uri_of(path)
        changes = action["edit"]["changes"]
        if set(changes) != {uri}:
            return
        self.version += 1
        fixed = applied(text, changes[uri])
        self.client.change(uri, self.version, {"text": fixed})
        diagnostics = self.client.settled(uri, self.version)
        self.count += 1
        after = errors(diagnostics)
        new = after - before
        gone = after[diagnostic["code"]] < before[diagnostic["code"]] or diagnostic["severity"] != 1
        if gone and not new:
            self.held += 1
            return
        said = ("stays" if not gone else "") + ("; " if new and not gone else "")
        said += ", ".join(f"new {code}" for code in sorted(new))
        line = diagnostic["range"]["start"]["line"] + 1
        self.wrong.append(f"{os.path.relpath(path, ROOT)}:{line} {diagnostic['code']} {said}: {action['title']}")

    def actions(self, uri, diagnostic):
        params = {"textDocument": {"uri": uri}, "range": diagnostic["range"], "context": {"diagnostics": []}}
        found = self.client.ask("textDocument/codeAction", params) or []
        return [each for each in found if each["diagnostics"][0]["code"] == diagnostic["code"] and
                each["diagnostics"][0]["range"] == diagnostic["range"]]

    def try_file(self, path):
        uri, text = uri_of(path), text_of(path)
        self.client.open(uri, text)
        self.version = 1
        diagnostics = self.client.settled(uri, 1)
        before = errors(diagnostics)
        asked = []
        for diagnostic in diagnostics:
            for action in self.actions(uri, diagnostic):
                if action not in asked:
                    asked.append(action)
                    self.try_fix(path, text, diagnostic, action, before)
                    self.version += 1
                    self.client.change(uri, self.version, {"text": text})
                    self.client.settled(uri, self.version)
        self.client.shut(uri)


def fix_all(contra):
    fixer = Fixer(contra)
    for path in sorted(glob.glob(os.path.join(ROOT, "tests/negative/**/*.rs"), recursive=True)):
        fixer.try_file(path)
    fixer.client.end()
    return fixer


def said(fixer):
    return {"all fixes": f"{fixer.held} of {fixer.count} hold", "the others": "\n".join(fixer.wrong) or "none"}


HELLO = os.path.join(ROOT, "examples", "hello", "constant_add.rs")
FLITS = "collect::<m![Values / 8 % 2], m![Values % 8]>"
# what is changed in the example, and the fixes of its diagnostics: codes, title, what stands in the line then
OFFERED = [
    ("type Cluster = m![1 # 2]", "type Cluster = m![1]", [("E0502", "pad it: `m![1 # 2]`", "type Cluster = m![1 # 2];")]),
    ("commit(0x1000)", "commit(4100)", [("E0509", "put it at 4096", ".commit(4096)"),
                                        ("E0509", "or put it at 4104", ".commit(4104)")]),
    (FLITS, "collect::<m![Values / 8], m![Values / 8 % 8]>", [("E0632 E0633", f"write `{FLITS}()`", f".{FLITS}()")]),
]


def offered(contra):
    """Each fix once, where the mapping is written."""
    original = text_of(HELLO)
    client = Client(contra)
    for number, (old, new, wanted) in enumerate(OFFERED):
        uri = f"file:///nowhere/offered{number}.rs"
        text = original.replace(old, new)
        client.open(uri, text)
        where = client.settled(uri, 1)[0]["range"]
        params = {"textDocument": {"uri": uri}, "range": where, "context": {"diagnostics": []}}
        found = []
        for action in client.ask("textDocument/codeAction", params):
            edits = action["edit"]["changes"][uri]
            line = applied(text, edits).split("\n")[edits[0]["range"]["start"]["line"]]
            found.append((" ".join(each["code"] for each in action["diagnostics"]), action["title"],
                          line.split("//")[0].strip()))
        client.shut(uri)
        same([(codes, title, line in shown) for (codes, title, line), (_, _, shown) in zip(wanted, found)],
             [(codes, title, True) for codes, title, _ in found])
        same(len(found), len(wanted))
    same(client.end(), 0)


def tests(contra):
    return texts.tests("fixes", lambda contra: said(fix_all(contra)), contra, ["all fixes", "the others"]) + [
        ("fixes: each once, where the mapping is written", lambda: offered(contra))]


def write(contra):
    texts.write("fixes", said(fix_all(contra)))
