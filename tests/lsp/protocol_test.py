"""The protocol itself: order, errors, cancelling, positions, files that change."""

import json
import os
import subprocess
import tempfile

from client import Client, edit, must, same, uri_of

PROGRAM = """use furiosa_visa_std::prelude::*;

axes![A = 64];

fn size() -> usize {
    A::SIZE
}
"""
URI = "file:///nowhere/program.rs"


def raw(contra, data):
    result = subprocess.run([contra, "lsp"], input=data, capture_output=True, timeout=30)
    return result.returncode, result.stdout, result.stderr


def frame(text):
    return b"Content-Length: %d\r\n\r\n%s" % (len(text), text)


# ---- order

def initialize_comes_first(contra):
    status, out, _ = raw(contra, frame(b'{"jsonrpc":"2.0","id":1,"method":"textDocument/hover","params":{}}') +
                         frame(b'{"jsonrpc":"2.0","method":"exit"}'))
    must(b"-32002" in out, f"no error that the server is not open: {out}")
    same(status, 1)


def exit_after_shutdown_is_success(contra):
    client = Client(contra)
    same(client.end(), 0)


def nothing_is_answered_after_shutdown(contra):
    client = Client(contra)
    client.ask("shutdown", None)
    same(client.ask_raw("textDocument/references", {})["error"]["code"], -32600)


def the_end_of_input_ends_it(contra):
    status, out, err = raw(contra, b"")
    same((status, out, err), (0, b"", b""))


# ---- what is wrong

def no_json(contra):
    _, out, _ = raw(contra, frame(b'{"jsonrpc":') + frame(b"[1]") + frame(b'"x"'))
    must(out.count(b"-32700") == 2 and out.count(b"-32600") == 1, f"found {out}")


def no_header(contra):
    status, _, err = raw(contra, b"GET / HTTP/1.1\r\nHost: here\r\n\r\n")
    same(status, 1)
    must(b"not a message of the protocol" in err, f"found {err}")


def lengths_that_lie(contra):
    for length in (b"-1", b"99999999999999999999", b"x", b""):
        status, _, _ = raw(contra, b"Content-Length: " + length + b"\r\n\r\n{}")
        same(status, 1)
    status, _, _ = raw(contra, b"Content-Length: 100\r\n\r\n{}")  # the rest never comes
    same(status, 0)


def unknown_methods(contra):
    client = Client(contra)
    same(client.ask_raw("textDocument/nothing", {})["error"]["code"], -32601)
    client.tell("$/something", {})
    client.tell("textDocument/nothing", None)
    same(client.end(), 0)


def documents_that_are_not_open(contra):
    client = Client(contra)
    place = {"textDocument": {"uri": URI}, "position": {"line": 0, "character": 0}}
    same(client.ask_raw("textDocument/definition", place)["error"]["code"], -32602)
    client.change(URI, 2, {"text": "x"})
    client.shut(URI)
    client.open(URI, PROGRAM)
    client.settled(URI, 1)
    same(client.ask_raw("textDocument/definition", {"textDocument": {"uri": URI}})["error"]["code"], -32602)
    same(client.end(), 0)


# ---- work that is stale

def cancelled_requests(contra):
    client = Client(contra)
    client.open(URI, PROGRAM)
    place = {"textDocument": {"uri": URI}, "position": {"line": 5, "character": 4}}
    body = [{"id": 77, "method": "textDocument/definition", "params": place},
            {"method": "$/cancelRequest", "params": {"id": 77}}]

    client.process.stdin.write(b"".join(frame(json.dumps({"jsonrpc": "2.0", **each}).encode()) for each in body))
    client.process.stdin.flush()
    while (message := client.read()).get("id") != 77:
        pass
    same(message.get("error", {}).get("code"), -32800)
    same(client.end(), 0)


def requests_about_old_text(contra):
    client = Client(contra)
    client.open(URI, PROGRAM)
    place = {"textDocument": {"uri": URI}, "position": {"line": 5, "character": 4}}
    change = {"textDocument": {"uri": URI, "version": 2}, "contentChanges": [{"text": PROGRAM + "\n"}]}
    body = [{"id": 78, "method": "textDocument/definition", "params": place},
            {"method": "textDocument/didChange", "params": change}]

    client.process.stdin.write(b"".join(frame(json.dumps({"jsonrpc": "2.0", **each}).encode()) for each in body))
    client.process.stdin.flush()
    while (message := client.read()).get("id") != 78:
        pass
    same(message.get("error", {}).get("code"), -32801)
    same(client.end(), 0)


# ---- positions

def positions_in_every_encoding(contra):
    text = "// 𝔸é\nfn f() { let é𝔸x = 1; g(é𝔸x); }\n"
    line = text.split("\n")[1]
    for encoding, bytes_of in (("utf-8", lambda s: len(s.encode())), ("utf-16", lambda s: len(s.encode("utf-16-le")) // 2)):
        client = Client(contra, (encoding,))
        same(client.server["capabilities"]["positionEncoding"], encoding)
        client.open(URI, "fn f() { let value = 1; g(value); }\n")
        client.change(URI, 2, {"text": text})
        found = client.settled(URI, 2)
        unknown = [each for each in found if each["range"]["start"]["line"] == 1 and "g" in each["message"]]
        must(unknown, f"nothing is said of `g`: {found}")
        same(unknown[0]["range"]["start"]["character"], bytes_of(line[:line.index("g(")]))
        same(client.end(), 0)


def edits_beyond_the_end(contra):
    client = Client(contra)
    client.open(URI, "fn f() {}")
    client.change(URI, 2, edit((500, 3), (900, 1), "\nfn g() { h() }"))
    client.change(URI, 3, edit((0, 900), (0, 900), " // here"))
    found = client.settled(URI, 3)
    same([each["range"]["start"] for each in found], [{"line": 1, "character": 9}])
    same(client.end(), 0)


# ---- files

def modules_come_from_the_editor(contra):
    with tempfile.TemporaryDirectory() as folder:
        paths = {name: os.path.join(folder, name) for name in ("main.rs", "part.rs")}
        texts = {"main.rs": "mod part;\nfn main() { part::go(); }\n", "part.rs": "pub fn go() {}\n"}
        for name, path in paths.items():
            with open(path, "w", encoding="utf-8") as file:
                file.write(texts[name])
        client = Client(contra)
        uris = {name: uri_of(path) for name, path in paths.items()}
        client.open(uris["main.rs"], texts["main.rs"])
        same(client.settled(uris["main.rs"], 1), [])
        client.open(uris["part.rs"], "pub fn went() {}\n", 1)
        while not client.diagnostics[uris["main.rs"]]["diagnostics"]:
            client.read()
        must("go" in client.diagnostics[uris["main.rs"]]["diagnostics"][0]["message"], "`go` is not named")
        client.shut(uris["part.rs"])  # what is on disk counts again
        while client.diagnostics[uris["main.rs"]]["diagnostics"]:
            client.read()
        os.remove(paths["part.rs"])
        client.tell("workspace/didChangeWatchedFiles", {"changes": [{"uri": uris["part.rs"], "type": 3}]})
        while not client.diagnostics[uris["main.rs"]]["diagnostics"]:
            client.read()
        must("file of module" in client.diagnostics[uris["main.rs"]]["diagnostics"][0]["message"],
             "the missing file is not named")
        client.shut(uris["main.rs"])
        while client.diagnostics[uris["main.rs"]]["diagnostics"]:
            client.read()
        same(client.end(), 0)


def folders_below_a_lone_file(contra):
    """Nobody reads what lies below it (here: a module that never ends), only what is beside it."""
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(os.path.join(folder, "below"))
        os.mkfifo(os.path.join(folder, "below", "endless.rs"))
        path = os.path.join(folder, "alone.rs")
        with open(path, "w", encoding="utf-8") as file:
            file.write("fn main() {}\n")
        client = Client(contra)
        client.open(uri_of(path), "fn main() {}\n")
        same(client.settled(uri_of(path), 1), [])
        same(client.end(), 0)


TYPED = """use furiosa_visa_std::prelude::*;
axes![A = 2048];

#[device(chip = 1)]
fn keep(ctx: &mut Context, a: &HbmTensor<i32, m![1], m![A]>) -> HbmTensor<i32, m![1], m![A]> {
    let d = a.to_dm::<m![1 # 2], m![A / 8], m![A % 8]>(&mut ctx.tdma, 0);
    d.to_hbm(&mut ctx.tdma, 1 << 28)
}

mod missing;

fn size() -> usize {
    A::SIZE
}
"""


def memory_stays(contra):
    """Many edits, with questions in between, leave the server as large as a few do.

    CONTRA_TEST_SCALE=10 makes ten thousand."""
    def size():
        with open(f"/proc/{client.worker()}/status", encoding="ascii") as file:
            return next(int(line.split()[1]) for line in file if line.startswith("VmRSS"))
    client = Client(contra, capabilities={"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": True}}})
    client.open(URI, TYPED)
    count = max(100, int(1000 * float(os.environ.get("CONTRA_TEST_SCALE", "1"))))
    places = [(5, 14), (6, 5), (9, 11), (12, 7), (1, 10), (10, 0)]  # where a letter comes, and goes again
    sizes = []
    for version in range(2, count + 2):
        line, character = places[version // 2 % len(places)]
        comes = version % 2 == 0
        client.change(URI, version, edit((line, character), (line, character if comes else character + 1),
                                         chr(ord("a") + version // 4 % 26) if comes else ""))
        if version % 3 == 0:
            client.at("completion", URI, line, character)
            client.at("hover", URI, 5, 14)
        if version % 50 == 0:
            client.ask("textDocument/inlayHint", {"textDocument": {"uri": URI}, "range": edit((0, 0), (99, 0), "")["range"]})
            client.ask("textDocument/semanticTokens/full", {"textDocument": {"uri": URI}})
            for lens in client.ask("textDocument/codeLens", {"textDocument": {"uri": URI}}):
                client.ask("codeLens/resolve", lens)
        client.settled(URI, version)
        client.messages.clear()
        if version in (count // 10, count):
            sizes.append(size())
    must(sizes[1] <= sizes[0] * 1.1 + 2000, f"from {sizes[0]} to {sizes[1]} KiB")
    print(f"lsp: {sizes[0]} KiB after {count // 10} edits, {sizes[1]} KiB after {count}")
    same(client.end(), 0)


def tests(contra):
    return [(f"protocol: {test.__name__.replace('_', ' ')}", lambda t=test: t(contra))
            for test in (initialize_comes_first, exit_after_shutdown_is_success, nothing_is_answered_after_shutdown,
                         the_end_of_input_ends_it, no_json, no_header, lengths_that_lie, unknown_methods,
                         documents_that_are_not_open, cancelled_requests, requests_about_old_text,
                         positions_in_every_encoding, edits_beyond_the_end, modules_come_from_the_editor,
                         folders_below_a_lone_file,
                         memory_stays)]
