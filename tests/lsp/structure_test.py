"""What the server says of the structure of a program: symbols, tokens, folds, selections, calls."""

import os
import tempfile

import golden
from golden import find, opened, program, text_of
from client import Failed, edit, uri_of


def document_symbols(contra):
    with opened(contra, "features.rs") as (client, uri):
        return client.ask("textDocument/documentSymbol", {"textDocument": {"uri": uri}})


def flat_symbols(contra):
    """For a client that knows no trees."""
    with opened(contra, "features.rs", capabilities={}) as (client, uri):
        found = client.ask("textDocument/documentSymbol", {"textDocument": {"uri": uri}})
    return [[each["name"], each.get("containerName", ""), each["location"]["range"]] for each in found]


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


def words(client, text, data):
    """Semantic tokens as people read them: the word, what it is, and what is said of it, by line."""
    encoding = {"utf-8": "utf-8", "utf-16": "utf-16-le"}[client.server["capabilities"]["positionEncoding"]]
    unit = len("a".encode(encoding))
    legend = client.server["capabilities"]["semanticTokensProvider"]["legend"]
    line = character = 0
    found = {}
    for i in range(0, len(data), 5):
        down, right, length, kind, bits = data[i:i + 5]
        line, character = line + down, right if down else character + right
        units = text.split("\n")[line].encode(encoding)
        word = units[unit * character:unit * (character + length)].decode(encoding)
        said = [name for k, name in enumerate(legend["tokenModifiers"]) if bits >> k & 1]
        found.setdefault(str(line + 1), []).append(" ".join([word, "-", legend["tokenTypes"][kind], *said]))
    return found


def in_whole(part, whole):
    return part and all(whole[line] == found for line, found in part.items())


def semantic_tokens(contra):
    text = text_of(program("features.rs"))
    with opened(contra, "features.rs") as (client, uri):
        document = {"textDocument": {"uri": uri}}
        full = client.ask("textDocument/semanticTokens/full", document)
        start, end = find(text, "let dm"), find(text, ".vector_init")
        part = client.ask("textDocument/semanticTokens/range", {**document, "range": {"start": start, "end": end}})
        if not in_whole(words(client, text, part["data"]), words(client, text, full["data"])):
            raise Failed("a range has other tokens than the whole")
        client.change(uri, 2, edit((15, 6), (15, 10), "STRIDE"))
        asked = {**document, "previousResultId": full["resultId"]}
        delta = client.ask("textDocument/semanticTokens/full/delta", asked)
        again = client.ask("textDocument/semanticTokens/full", document)
        data = list(full["data"])
        for each in delta["edits"]:
            data[each["start"]:each["start"] + each["deleteCount"]] = each["data"]
        if data != again["data"]:
            raise Failed("what differs does not make of the old tokens the new ones")
        return words(client, text, full["data"])


def folding(contra):
    """With the lines between which everything is folded, as they are written."""
    lines = text_of(program("features.rs")).split("\n")
    with opened(contra, "features.rs") as (client, uri):
        found = client.ask("textDocument/foldingRange", {"textDocument": {"uri": uri}})
    return [[f"{each['startLine'] + 1}-{each['endLine'] + 1}", lines[each["startLine"]].strip(),
             lines[each["endLine"]].strip(), each.get("kind", "")] for each in found]


def selection(contra):
    """From a word outwards."""
    text = text_of(program("features.rs"))
    places = [find(text, "Values / 8"), find(text, "8 % 2"), find(text, "AddFxp"), find(text, "4096"),
              find(text, "factor: i32"), {"line": 0, "character": 5}]
    with opened(contra, "features.rs") as (client, uri):
        found = client.ask("textDocument/selectionRange", {"textDocument": {"uri": uri}, "positions": places})
    return [outwards(each) for each in found]


def outwards(selection):
    return [selection["range"], *outwards(selection.get("parent"))] if selection else []


def call_hierarchy(contra):
    text = text_of(program("features.rs"))
    found = {}
    with opened(contra, "features.rs") as (client, uri):
        for name in ("add_five(", "run(", "total(", "price(&self) -> i32 {", "adds_five"):
            items = client.at("prepareCallHierarchy", uri, **find(text, name))
            found[name] = {"item": items, "from": client.ask("callHierarchy/incomingCalls", {"item": items[0]}),
                           "to": client.ask("callHierarchy/outgoingCalls", {"item": items[0]})}
        found["vector_fxp("] = client.at("prepareCallHierarchy", uri, **find(text, "vector_fxp("))
    path = "crate/src/parts.rs"
    with opened(contra, path) as (client, uri):
        items = client.at("prepareCallHierarchy", uri, **find(text_of(program(path)), "halve_all"))
        found["halve_all"] = {"item": items, "from": client.ask("callHierarchy/incomingCalls", {"item": items[0]}),
                              "to": client.ask("callHierarchy/outgoingCalls", {"item": items[0]})}
    return found


ANSWERS = [call_hierarchy, document_symbols, flat_symbols, folding, selection, semantic_tokens, workspace_symbols]


def encodings_agree(contra):
    """Words are the same however characters are counted, and none goes over a line."""
    text = """/* é 𝔸
 two lines */ axes![A = 8]; /* 𝔸é */ type Slice = m![A /* é */ / 2]; // 𝔸
fn f(a: i32) -> &'static str { let b = "𝔸
é"; let c = ("é𝔸", a); b }
"""
    found = []
    for encodings in (("utf-8",), ()):
        with opened(contra, "typed.rs", text, encodings=encodings) as (client, uri):
            data = client.ask("textDocument/semanticTokens/full", {"textDocument": {"uri": uri}})["data"]
            found.append(words(client, text, data))
    if found[0] != found[1] or "a - parameter" not in found[0]["4"] or "A - axis" not in found[0]["2"]:
        raise Failed(f"{found[0]}\n{found[1]}")


def files_change(contra):
    """Files of a folder are as they were read until the client says that they changed, or has them open."""
    with tempfile.TemporaryDirectory() as folder, opened(contra, "features.rs") as (client, _):
        def put(name, text):
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write(text)

        def expect(*names):
            found = [each["name"] for each in client.ask("workspace/symbol", {"query": "_x"})]
            if sorted(found) != sorted(names):
                raise Failed(f"expected {names}, found {found}")

        put("a.rs", "fn alpha_x() {}\n")
        put("b.rs", "mod c;\nfn beta_x() {}\n")
        put("c.rs", "pub fn gamma_x() {}\n")
        added = {"uri": uri_of(folder), "name": "folder"}
        client.tell("workspace/didChangeWorkspaceFolders", {"event": {"added": [added], "removed": []}})
        expect("alpha_x", "beta_x", "gamma_x")
        put("c.rs", "pub fn delta_x() {}\n")
        changed = uri_of(os.path.join(folder, "c.rs"))
        client.tell("workspace/didChangeWatchedFiles", {"changes": [{"uri": changed, "type": 2}]})
        expect("alpha_x", "beta_x", "delta_x")
        client.open(changed, "pub fn typed_x() {}\n")
        expect("alpha_x", "beta_x", "typed_x")
        client.shut(changed)
        expect("alpha_x", "beta_x", "delta_x")


def write(contra):
    for answer in ANSWERS:
        golden.write(answer.__name__, answer(contra))


def tests(contra):
    answers = [(answer.__name__, lambda answer=answer: golden.compare(answer.__name__, answer(contra)))
               for answer in ANSWERS]
    return [*answers, ("encodings", lambda: encodings_agree(contra)),
            ("files that change", lambda: files_change(contra))]
