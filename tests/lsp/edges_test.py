"""The edges of the protocol: what a client may send, and what it should not."""

import json
import os
import urllib.parse

from client import Client, edit, must, same, uri_of
from files_test import Folder
from golden import program
from protocol_test import PROGRAM, URI, frame, raw

EXIT = frame(b'{"jsonrpc":"2.0","method":"exit"}')


def spoken(*messages):
    """All answers to messages that are sent at once, and the exit status."""
    return b"".join(frame(json.dumps({"jsonrpc": "2.0", **each}).encode()) for each in messages)


def answers(out):
    found = []
    while out:
        header, _, rest = out.partition(b"\r\n\r\n")
        length = int(header.lower().split(b"content-length:")[1].split(b"\r\n")[0])
        found.append(json.loads(rest[:length]))
        out = rest[length:]
    return found


# ---- order

def order_of_a_life(contra):
    """Before `initialize`, twice, after `shutdown`, and how it ends."""
    status, out, _ = raw(contra, spoken(
        {"method": "textDocument/didOpen", "params": {"textDocument": {"uri": URI, "text": "fn", "version": 1}}},
        {"id": 1, "method": "shutdown"},
        {"id": 2, "method": "initialize", "params": {"capabilities": {}}},
        {"id": "three", "method": "initialize", "params": {"capabilities": {}}},
        {"id": 4, "method": "textDocument/hover", "params": {"textDocument": {"uri": URI}}},
        {"id": 5, "method": "shutdown"},
        {"id": 6, "method": "shutdown"},
        {"id": 7, "method": "initialize", "params": {"capabilities": {}}},
        {"method": "textDocument/didOpen", "params": {"textDocument": {"uri": URI, "text": "fn", "version": 1}}}))
    found = {each.get("id"): each.get("error", {}).get("code") for each in answers(out)}
    same(found, {1: -32002, 2: None, "three": -32600, 4: -32602, 5: None, 6: -32600, 7: -32600})
    same(status, 0)


def exit_codes(contra):
    opening = {"id": 1, "method": "initialize", "params": {"capabilities": {}}}
    same(raw(contra, EXIT)[0], 1)
    same(raw(contra, spoken(opening) + EXIT)[0], 1)
    same(raw(contra, spoken(opening, {"id": 2, "method": "shutdown"}) + EXIT)[0], 0)


def everything_before_exit_is_answered(contra):
    """Everything comes in one write: requests with quick answers, requests that wait for jobs, and `shutdown`."""
    with open(program("features.rs"), encoding="utf-8") as file:
        text = file.read()
    document = {"textDocument": {"uri": URI}}
    everything = {"start": {"line": 0, "character": 0}, "end": {"line": 10 ** 6, "character": 0}}
    asked = [{"id": 1, "method": "initialize", "params": {"capabilities": {}}},
             {"method": "textDocument/didOpen", "params": {"textDocument": {"uri": URI, "text": text, "version": 1}}},
             {"id": 2, "method": "textDocument/hover", "params": {**document, "position": {"line": 4, "character": 4}}},
             {"id": 3, "method": "textDocument/inlayHint", "params": {**document, "range": everything}},
             {"id": 4, "method": "textDocument/nothing", "params": {}},
             {"id": 5, "method": "workspace/executeCommand",
              "params": {"command": "contra.run", "arguments": [{"uri": URI, "name": "add_five"}]}}]
    for is_shut in (True, False):
        messages = asked + [{"id": 6, "method": "shutdown"}] * is_shut
        status, out, _ = raw(contra, spoken(*messages) + EXIT)
        found = {each["id"]: each for each in answers(out) if "id" in each}
        same(sorted(found), sorted(each["id"] for each in messages if "id" in each))
        must("result" in found[2] and "result" in found[3], f"found {found}")
        same((found[4]["error"]["code"], found[5].get("error", {}).get("code", -32800)), (-32601, -32800))
        same(status, 0 if is_shut else 1)


def nothing_after_exit_is_done(contra):
    opening = {"id": 1, "method": "initialize", "params": {"capabilities": {}}}
    _, out, _ = raw(contra, spoken(opening) + EXIT + spoken(opening, {"id": 2, "method": "workspace/symbol"}))
    same([each["id"] for each in answers(out) if "result" in each], [1])


def no_capabilities_at_all(contra):
    for params in ({}, {"capabilities": None}, None, [], {"capabilities": {"general": {"positionEncodings": [1, None]}},
                                                         "workspaceFolders": [{}, None, {"uri": 1}], "rootUri": 5}):
        _, out, _ = raw(contra, spoken({"id": 1, "method": "initialize", "params": params}) + EXIT)
        same(answers(out)[0]["result"]["capabilities"]["positionEncoding"], "utf-16")


# ---- messages

def headers(contra):
    """Other fields, in any order and case."""
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "x"}).encode()
    kind = b"Content-Type: application/vscode-jsonrpc; charset=utf-8\r\n"
    length = b"content-LENGTH:  %d\r\n" % len(body)
    for head in (kind + length, length + kind, length):
        _, out, _ = raw(contra, head + b"\r\n" + body + EXIT)
        same([each["error"]["code"] for each in answers(out)], [-32002])


def lengths_at_the_edge(contra):
    status, out, _ = raw(contra, b"Content-Length: 0\r\n\r\n" + EXIT)
    same(([each["error"]["code"] for each in answers(out)], status), ([-32700], 1))
    status, _, err = raw(contra, b"Content-Length: 268435457\r\n\r\n{}")
    must(status == 1 and b"not a message" in err, f"found {err}")
    status, _, err = raw(contra, b"x" * 100000)
    must(status == 1 and b"not a message" in err, f"found {err}")


def messages_that_are_none(contra):
    """A list of messages is not of this protocol; the rest is of no protocol."""
    wrong = [[{"jsonrpc": "2.0", "id": 1, "method": "initialize"}], [], {}, {"id": 3}, {"id": None, "method": "x"},
             {"id": 1.5, "method": "x"}, {"id": [1], "method": "x"}, {"method": 7}, {"id": 4, "method": None}]
    _, out, _ = raw(contra, b"".join(frame(json.dumps(each).encode()) for each in wrong) + EXIT)
    same([each["error"]["code"] for each in answers(out)], [-32600] * len(wrong))


def answers_that_nobody_waits_for(contra):
    client = Client(contra)
    for answer in ({"id": 99, "result": None}, {"id": "contra-7", "result": 1}, {"id": "contra-", "error": {}},
                   {"id": None, "error": {"code": 1, "message": ""}}):
        client.send(answer)
    same(client.ask("workspace/symbol", {"query": ""}), [])
    same(client.end(), 0)


def dollars_and_cancels(contra):
    client = Client(contra)
    same(client.ask_raw("$/something", {})["error"]["code"], -32601)
    for method, params in (("$/something", {}), ("$/setTrace", {"value": "off"}), ("$/cancelRequest", {"id": 12345}),
                           ("$/cancelRequest", {}), ("$/cancelRequest", None), ("$/cancelRequest", {"id": None}),
                           ("window/workDoneProgress/cancel", {"token": "x"}), ("window/workDoneProgress/cancel", {}),
                           ("workspace/didChangeWatchedFiles", {"changes": [{}, 1, {"uri": 2}]}),
                           ("workspace/didChangeWorkspaceFolders", {"event": {"added": [{}], "removed": [1]}}),
                           ("textDocument/didOpen", {}), ("textDocument/didChange", {}), ("textDocument/didClose", None),
                           ("textDocument/didSave", None), ("initialized", None)):
        client.tell(method, params)
    same(client.messages, [])
    same(client.ask("workspace/symbol", {"query": ""}), [])
    same(client.end(), 0)


def params_of_another_kind(contra):
    """Every request answers something, whatever it is asked with."""
    client = Client(contra)
    client.open(URI, PROGRAM)
    client.settled(URI, 1)
    document = {"textDocument": {"uri": URI}}
    for method in ("textDocument/hover", "textDocument/codeAction", "textDocument/rename", "textDocument/inlayHint",
                   "textDocument/selectionRange", "textDocument/semanticTokens/full/delta", "codeLens/resolve",
                   "textDocument/onTypeFormatting", "textDocument/rangeFormatting", "callHierarchy/incomingCalls",
                   "callHierarchy/outgoingCalls", "workspace/executeCommand", "workspace/symbol", "contra/explain"):
        for params in (None, [], 3, {}, document, {**document, "position": {"line": "x", "character": None}},
                       {**document, "position": {"line": 1e9, "character": 1}, "range": 3, "positions": [3]},
                       {**document, "position": {"line": 1, "character": 1}, "range": {"start": {}}, "item": {"uri": 3}},
                       {"command": "contra.run", "arguments": [3]}, {"data": {"uri": 1}, "item": {"uri": URI}}):
            must({"result", "error"} & set(client.ask_raw(method, params)), f"{method} says nothing")
    same(client.end(), 0)


# ---- documents

def told_of(client, uri, version):
    return [each["range"]["start"] for each in client.settled(uri, version)]


def life_of_a_document(contra):
    """Saved, closed, opened again with a lower version and another text, opened twice."""
    client = Client(contra)
    client.open(URI, "fn f() { g() }\n", 7)
    same(told_of(client, URI, 7), [{"line": 0, "character": 9}])
    client.tell("textDocument/didSave", {"textDocument": {"uri": URI}, "text": "fn other() {}"})
    client.change(URI, 8, {"text": "\nfn f() { g() }\n"})
    same(told_of(client, URI, 8), [{"line": 1, "character": 9}])
    client.shut(URI)
    client.until(lambda client: client.diagnostics[URI]["diagnostics"] == [])
    must("version" not in client.diagnostics[URI], "a version of what is closed")
    place = {"textDocument": {"uri": URI}, "position": {"line": 0, "character": 0}}
    same(client.ask_raw("textDocument/hover", place)["error"]["code"], -32602)
    client.open(URI, "\n\nfn f() { g() }\n", 2)
    same(told_of(client, URI, 2), [{"line": 2, "character": 9}])
    client.open(URI, "fn f() { g() }\n", 3)
    same(told_of(client, URI, 3), [{"line": 0, "character": 9}])
    client.shut(URI)
    client.shut(URI)
    same(client.end(), 0)


def several_changes_at_once(contra):
    """Each is of the text that the ones before it left; all of it at once, too."""
    client = Client(contra)
    client.open(URI, "fn f() {}\n")
    client.change(URI, 2, edit((0, 8), (0, 8), " g() "), edit((0, 0), (0, 0), "\n"),
                  {"text": "fn f() { h() }\n"}, edit((0, 9), (0, 10), "missing"), edit((0, 0), (0, 0), "// é\n"))
    same(told_of(client, URI, 2), [{"line": 1, "character": 9}])
    must("missing" in client.diagnostics[URI]["diagnostics"][0]["message"], "another text")
    client.change(URI, 3, {"range": {"start": {"line": 0}}, "text": "x"}, {"text": 5}, {})  # none of them can be made
    same(told_of(client, URI, 3), [{"line": 1, "character": 9}])
    same(client.end(), 0)


def places_that_are_not_there(contra):
    client = Client(contra, ())
    client.open(URI, "fn f(a: i32) -> i32 {\r\n    a // 𝔸é\r\n}")
    client.settled(URI, 1)
    for line, character in ((1, 10 ** 9), (10 ** 9, 0), (2, 2), (1, 10), (-1, 5), (1, -1), (0, 2 ** 31 - 1)):
        client.at("hover", URI, line, character)
        client.at("completion", URI, line, character)
    declared = {"line": 0, "character": 5}
    same(client.at("definition", URI, 1, 4)["range"]["start"], declared)
    client.change(URI, 2, edit((1, 9), (1, 99), ""))  # from inside of a pair to behind the end of the line
    client.change(URI, 3, edit((2, 1), (1, 10), "\n// end"))  # from behind to before
    same(client.settled(URI, 3), [])
    same(client.at("definition", URI, 1, 4)["range"]["start"], declared)
    same(client.end(), 0)


def halves_of_pairs(contra):
    """A half of a surrogate pair that stands alone is one character, in whatever case its escape is written."""
    client = Client(contra, ())
    client.open(URI, "/* \ud800 \U0001d538 \udfff\ud83d \\ud800 */ fn f() { g() }\n")
    same(told_of(client, URI, 1), [{"line": 0, "character": 30}])
    client.change(URI, 2, edit((0, 3), (0, 4), "\udc00\ud800"))  # json.dumps writes both as escapes
    same(told_of(client, URI, 2), [{"line": 0, "character": 31}])
    body = json.dumps({"jsonrpc": "2.0", "method": "textDocument/didChange", "params": {
        "textDocument": {"uri": URI, "version": 3}, "contentChanges": [edit((0, 3), (0, 5), "?")]}})
    client.send_bytes(body.replace("?", "\\uDBFF").encode())
    same(told_of(client, URI, 3), [{"line": 0, "character": 30}])
    same(client.end(), 0)


def places_in_long_lines(contra):
    """Of characters of one to four bytes, wherever in a line they stand."""
    client = Client(contra, ())
    words = "aé€𝔸"
    for version, count in enumerate([*range(20, 90, 7), 1000], 1):
        comment = "/* " + (words * count)[version % 4:] + " */ "
        start = sum(1 + (ord(each) > 0xffff) for each in comment)
        client.open(URI, f"{comment}fn f() {{ g() }}\n", 2 * version)
        same(told_of(client, URI, 2 * version), [{"line": 0, "character": start + 9}])
        client.change(URI, 2 * version + 1, edit((0, start + 9), (0, start + 10), "missing"))
        same(told_of(client, URI, 2 * version + 1), [{"line": 0, "character": start + 9}])
        must("missing" in client.diagnostics[URI]["diagnostics"][0]["message"], "another place was edited")
    same(client.end(), 0)


# ---- names of files

def names_that_are_coded(contra):
    """Blanks, letters beyond ASCII, what URIs may code or not, and another case of the digits."""
    with Folder({"a b/é%41 +#.rs": "mod part;\nfn main() { part::go(); }\n", "a b/é%41 +#/part.rs": "pub fn go() {}\n",
                 "a b/part.rs": "pub fn go() {}\n"}) as folder:
        path = folder.at("a b/é%41 +#.rs")
        coded = "file://" + urllib.parse.quote(path)
        for uri in (coded, coded.replace("%C3%A9", "%c3%a9"), "file://localhost" + coded.removeprefix("file://"),
                    coded.replace("/a%20b/", "/%61%20b/")):
            client = Client(contra)
            client.open(uri, "mod part;\nfn main() { part::go(); }\n")
            same(client.settled(uri, 1), [])
            found = client.at("definition", uri, 1, 19)
            same(urllib.parse.unquote(found["uri"].removeprefix("file://")), folder.at("a b/part.rs"))
            same(client.at("hover", coded, 1, 19) is not None, True)
            client.change(coded, 2, {"text": "fn main() { nowhere(); }\n"})
            same(len(client.settled(uri, 2)), 1)
            client.shut(coded)
            same(client.end(), 0)


def names_that_are_no_text(contra):
    """A name of bytes that are no UTF-8, and a module whose text is none."""
    with Folder({"main.rs": "mod part;\nfn main() {}\n"}) as folder:
        with open(folder.at("part.rs"), "wb") as file:
            file.write(b"fn f\xff() { \xc3\x28 }\n")
        client = Client(contra)
        folder.open(client, "main.rs")
        client.settled(folder.uri("main.rs"), 1)
        client.told(folder.uri("part.rs"), lambda found: found)
        odd = uri_of(folder.path) + "/%FF%00x.rs"
        client.open(odd, "mod other;\nfn f() { g() }\n")
        same([each["range"]["start"]["line"] for each in client.settled(odd, 1)], [0, 1])
        client.ask("workspace/symbol", {"query": "f"})
        same(client.end(), 0)


def other_schemes(contra):
    """What is no file is a program of its own; nobody looks for it on disk."""
    client = Client(contra)
    for uri in ("untitled:Untitled-1", "git:/nowhere/main.rs?ref=x", "vscode-notebook-cell:/nowhere#a", "x", "file:", "file://"):
        client.open(uri, "fn f(a: i32) -> i32 { g(a) }\n")
        same([each["range"]["start"]["character"] for each in client.settled(uri, 1)], [22])
        same(client.at("definition", uri, 0, 24)["uri"], uri)
        client.shut(uri)
    same(client.end(), 0)


# ---- folders

def folders_come_and_go(contra):
    with Folder({"one/a.rs": "fn alpha_x() {}\n", "two/b.rs": "fn beta_x() {}\n", "two/in/c.rs": "fn gamma_x() {}\n"}) as folder:
        client = Client(contra, folders=[folder.at("one")])

        def expect(*names):
            same(sorted(each["name"] for each in client.ask("workspace/symbol", {"query": "_x"})), sorted(names))

        def change(added=(), removed=()):
            folders = lambda uris: [{"uri": uri, "name": "some"} for uri in uris]
            client.tell("workspace/didChangeWorkspaceFolders", {"event": {"added": folders(added), "removed": folders(removed)}})

        expect("alpha_x")
        change([folder.uri("two") + "/"])
        expect("alpha_x", "beta_x", "gamma_x")
        change([folder.uri("two"), folder.uri("two/in"), "untitled:x", folder.uri("missing")])  # once more, and inside
        expect("alpha_x", "beta_x", "gamma_x")
        change(removed=[folder.uri("two"), folder.uri("one") + "/"])
        expect("gamma_x")
        folder.open(client, "two/b.rs")
        expect("beta_x", "gamma_x")
        change(removed=[folder.uri("two/in")])
        expect("beta_x")
        change([folder.uri("one")])
        folder.put("one/new.rs", "fn delta_x() {}\n")
        expect("alpha_x", "beta_x", "delta_x")
        os.remove(folder.at("one/a.rs"))
        client.tell("workspace/didChangeWatchedFiles", {"changes": [{"uri": folder.uri("one/a.rs"), "type": 3}]})
        expect("beta_x", "delta_x")
        same(client.end(), 0)


BUSY = """
#[device(chip = 1)]
fn busy_%d(ctx: &mut Context, input: &HbmTensor<i32, m![1], m![A]>) -> HbmTensor<i32, m![1], m![A]> {
    let mut turns = 0;
    for _ in 0..1000000 {
        turns += 1;
    }
    input.to_dm::<m![1 # 2], m![1 # 256], m![A]>(&mut ctx.tdma, turns).to_hbm(&mut ctx.tdma, 0)
}
"""


def busy(contra):
    """A client whose server has minutes of work before it."""
    client = Client(contra)
    kernels = "".join(BUSY % number for number in range(2000))  # minutes
    client.open("file:///tests/busy.rs", "use furiosa_visa_std::prelude::*;\n\naxes![A = 64];\n" + kernels)
    return client


def client_gone(contra):
    """Nobody waits for the rest of the work, however much there is."""
    client = busy(contra)
    client.process.stdin.close()
    client.process.stdout.close()
    same(client.process.wait(5), 1)


def nothing_more_to_ask(contra):
    """Nor if only the way in is closed, and no question is open."""
    client = busy(contra)
    client.process.stdin.close()
    same(client.process.wait(5), 1)


def axes_without_a_name(contra):
    """One that is being written is not among those that there are."""
    client = Client(contra)
    uri = "file:///nowhere/program.tcp"
    client.open(uri, "program probe chip=1\naxis Value = 8\naxis \n%0 in = param hbm i32 chip [1] element [Values] at ?\nend\n")
    said = [each["message"] for each in client.settled(uri, 1) if each["code"] == "E0102"]
    same([each.split("\n")[1] for each in said], ["help: declared are: Value"])
    same(client.end(), 0)


def what_does_not_end(contra):
    """Is followed for a while, not as long as `contra check` does, and said."""
    client = Client(contra)
    functions = [f"fn f{i}() -> usize {{ f{i - 1}() + f{i - 1}() }}\n" for i in range(1, 25)]
    client.open(URI, "fn f0() -> usize { 1 }\n" + "".join(functions))
    found = client.settled(URI, 1)
    must(found and {each["code"] for each in found} == {"E0452"}, f"found {found}")
    must("within 1000000 steps" in found[0]["message"] and "`contra check` follows it for 10000000" in found[0]["message"],
         found[0]["message"])
    same(client.end(), 0)


def tests(contra):
    return [(f"edges: {test.__name__.replace('_', ' ')}", lambda t=test: t(contra))
            for test in (order_of_a_life, exit_codes, everything_before_exit_is_answered,
                         nothing_after_exit_is_done, no_capabilities_at_all, headers, lengths_at_the_edge,
                         messages_that_are_none, answers_that_nobody_waits_for, dollars_and_cancels,
                         params_of_another_kind, life_of_a_document, several_changes_at_once,
                         places_that_are_not_there, halves_of_pairs, places_in_long_lines,
                         names_that_are_coded, names_that_are_no_text, other_schemes,
                         folders_come_and_go, client_gone, nothing_more_to_ask, axes_without_a_name, what_does_not_end)]
