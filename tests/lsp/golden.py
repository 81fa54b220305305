"""Golden answers: what the server said, in JSON that people can read."""

import contextlib
import json
import os

from client import Client, Failed, uri_of

HERE = os.path.dirname(os.path.abspath(__file__))
CAPABILITIES = {"textDocument": {"documentSymbol": {"hierarchicalDocumentSymbolSupport": True}}}


def program(name):
    return os.path.join(HERE, "programs", name)


def text_of(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


@contextlib.contextmanager
def opened(contra, name, text=None, capabilities=CAPABILITIES, **more):
    """A client with one of our programs open, and its URI."""
    client = Client(contra, capabilities=capabilities, **more)
    uri = uri_of(program(name))
    client.open(uri, text_of(program(name)) if text is None else text)
    yield client, uri
    if client.end() != 0:
        raise Failed("the server ended badly")


def short(value):
    """Without the place of this checkout, and with places as 3:4-3:9 (from 1, as editors show them)."""
    if isinstance(value, dict):
        if set(value) == {"start", "end"}:
            return "-".join(f"{place['line'] + 1}:{place['character'] + 1}" for place in (value["start"], value["end"]))
        return {short(key): short(each) for key, each in value.items()}
    if isinstance(value, list):
        return [short(each) for each in value]
    return value.replace("file://", "").replace(HERE, "tests/lsp") if isinstance(value, str) else value


def find(text, needle, nth=0):
    """The position of what stands in a text for the n-th time (in a program of ASCII)."""
    at = -1
    for _ in range(nth + 1):
        at = text.index(needle, at + 1)
    before = text[:at]
    return {"line": before.count("\n"), "character": at - before.rfind("\n") - 1}


def lines_of(value, indent=""):
    """JSON with what fits on a line there."""
    line = json.dumps(value, ensure_ascii=False)
    if len(line) + len(indent) < 110 or not isinstance(value, (dict, list)) or not value:
        return line
    inner = indent + "  "
    if isinstance(value, list):
        body = [inner + lines_of(each, inner) for each in value]
    else:
        body = [f"{inner}{json.dumps(key)}: {lines_of(each, inner)}" for key, each in value.items()]
    first, last = "[]" if isinstance(value, list) else "{}"
    return "\n".join([first, ",\n".join(body), indent + last])


def path_of(name):
    return os.path.join(HERE, "golden", name + ".json")


def write(name, answer):
    with open(path_of(name), "w", encoding="utf-8") as file:
        file.write(lines_of(short(answer)) + "\n")


def compare(name, answer):
    found, expected = lines_of(short(answer)) + "\n", text_of(path_of(name))
    if found != expected:
        raise Failed(f"golden/{name}.json says\n{expected}\nthe server said\n{found}\n"
                     "(tests/lsp/run --write, if it is right)")
