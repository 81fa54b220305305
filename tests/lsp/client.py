"""A client of the language server over pipes, as small as it can be."""

import json
import os
import subprocess
import threading


class Failed(Exception):
    pass


class Skipped(Exception):
    pass


def must(condition, words):
    if not condition:
        raise Failed(words)


def same(found, wanted):
    must(found == wanted, f"found {found!r}, expected {wanted!r}")


class Client:
    """One server. Every call waits at most `patience` seconds; then the server is ended, and the test fails."""

    def __init__(self, contra, encodings=("utf-8",), capabilities=None, patience=30, folders=()):
        self.process = subprocess.Popen([contra, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.patience = patience
        self.last_id = 0
        self.diagnostics = {}  # by URI: what was told last
        self.messages = []     # everything else that came without being asked for
        can = {"general": {"positionEncodings": list(encodings)}, **(capabilities or {})}
        self.server = self.ask("initialize", {
            "capabilities": can, "processId": None, "rootUri": None,
            "workspaceFolders": [{"uri": uri_of(folder), "name": os.path.basename(folder)} for folder in folders]})
        self.tell("initialized", {})

    # ---- messages

    def send(self, message):
        self.send_bytes(json.dumps({"jsonrpc": "2.0", **message}).encode())

    def send_bytes(self, body):
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def read(self):
        timer = threading.Timer(self.patience, self.process.kill)
        timer.start()
        try:
            length = 0
            while (line := self.process.stdout.readline()) != b"\r\n":
                if not line:
                    raise Failed("the server ended, or said nothing for too long")
                if line.lower().startswith(b"content-length:"):
                    length = int(line.split(b":")[1])
            message = json.loads(self.process.stdout.read(length))
        finally:
            timer.cancel()
        if message.get("method") == "textDocument/publishDiagnostics":
            self.diagnostics[message["params"]["uri"]] = message["params"]
        elif "method" in message:
            self.messages.append(message)
        return message

    def tell(self, method, params):
        self.send({"method": method, "params": params})

    def ask_raw(self, method, params):
        """The whole answer, an error or a result."""
        self.last_id += 1
        wanted = self.last_id
        self.send({"id": wanted, "method": method, "params": params})
        while True:
            message = self.read()
            if message.get("id") == wanted and "method" not in message:
                return message

    def ask(self, method, params):
        answer = self.ask_raw(method, params)
        if "error" in answer:
            raise Failed(f"{method}: {answer['error']}")
        return answer["result"]

    # ---- documents

    def open(self, uri, text, version=1):
        document = {"uri": uri, "languageId": "rust", "version": version, "text": text}
        self.tell("textDocument/didOpen", {"textDocument": document})

    def change(self, uri, version, *changes):
        self.tell("textDocument/didChange",
                  {"textDocument": {"uri": uri, "version": version}, "contentChanges": list(changes)})

    def shut(self, uri):
        self.tell("textDocument/didClose", {"textDocument": {"uri": uri}})

    def settled(self, uri, version):
        """The diagnostics of that version of a document."""
        while self.diagnostics.get(uri, {}).get("version") != version:
            self.read()
        return self.diagnostics[uri]["diagnostics"]

    def told(self, uri, test):
        """The diagnostics of a file, once they are as the test wants them."""
        while uri not in self.diagnostics or not test(self.diagnostics[uri]["diagnostics"]):
            self.read()
        return self.diagnostics[uri]["diagnostics"]

    def until(self, test):
        """Until what came so far is as the test wants it."""
        while not test(self):
            self.read()

    def at(self, method, uri, line, character, **more):
        place = {"textDocument": {"uri": uri}, "position": {"line": line, "character": character}}
        return self.ask(f"textDocument/{method}", {**place, **more})

    def worker(self):
        """The process that analyzes programs."""
        return children_of(self.process.pid)[0]

    def end(self):
        self.ask("shutdown", None)
        self.tell("exit", None)
        self.process.stdin.close()
        return self.process.wait(self.patience)


def children_of(process):
    if not os.path.isdir("/proc/self/task"):
        raise Skipped("only Linux lists processes")
    with open(f"/proc/{process}/task/{process}/children", encoding="ascii") as file:
        return [int(each) for each in file.read().split()]


def edit(start, end, text):
    """A change of the protocol; both places are (line, character)."""
    place = [{"line": line, "character": character} for line, character in (start, end)]
    return {"range": {"start": place[0], "end": place[1]}, "text": text}


def uri_of(path):
    return "file://" + os.path.abspath(path)
