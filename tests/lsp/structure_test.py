"""What the server says of the structure of a program: symbols."""

import golden
from golden import find, opened, program, text_of
from client import Failed, uri_of


def document_symbols(contra):
    with opened(contra, "features.rs") as (client, uri):
        return client.ask("textDocument/documentSymbol", {"textDocument": {"uri": uri}})


def workspace_symbols(contra):
    """Of a file that is open, and of those in a folder that are not."""
    folder = {"uri": uri_of(program("crate")), "name": "crate"}
    with opened(contra, "features.rs") as (client, _):
        ask = lambda text: client.ask("workspace/symbol", {"query": text})
        before = ask("halve")
        client.tell("workspace/didChangeWorkspaceFolders", {"event": {"added": [folder], "removed": []}})
        found = {query: ask(query) for query in ("halve", "addf", "Values", "qqq")}
        client.tell("workspace/didChangeWorkspaceFolders", {"event": {"added": [], "removed": [folder]}})
        return {"halve, before": before, **found, "halve, after": ask("halve")}


ANSWERS = [document_symbols, workspace_symbols]


def write(contra):
    for answer in ANSWERS:
        golden.write(answer.__name__, answer(contra))


def tests(contra):
    return [(answer.__name__, lambda answer=answer: golden.compare(answer.__name__, answer(contra)))
            for answer in ANSWERS]
