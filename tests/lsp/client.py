"""A client that speaks the protocol to `contra lsp` over pipes, and golden answers to compare with."""

import json
import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
CONTRA = os.environ.get("CONTRA", str(HERE.parent.parent / "build/dev/contra"))


class Client:
    def __init__(self, encodings=("utf-8",), text_document=None):
        self.process = subprocess.Popen([CONTRA, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.last_id = 0
        capabilities = {"general": {"positionEncodings": list(encodings)}, "textDocument": text_document or {}}
        self.server = self.request("initialize", {"capabilities": capabilities, "processId": None, "rootUri": None})
        self.notify("initialized", {})

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def read(self):
        length = 0
        while True:
            line = self.process.stdout.readline()
            if not line:
                raise EOFError("the server is gone")
            if line == b"\r\n":
                return json.loads(self.process.stdout.read(length))
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])

    def notify(self, method, params):
        self.send({"method": method, "params": params})

    def request(self, method, params):
        self.last_id += 1
        self.send({"id": self.last_id, "method": method, "params": params})
        while True:
            message = self.read()
            if message.get("id") == self.last_id and "method" not in message:
                return message["result"] if "result" in message else message["error"]

    def open(self, uri, text, version=1):
        document = {"uri": uri, "languageId": "rust", "version": version, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": document})

    def wait_diagnostics(self, uri, version=1):
        while True:
            message = self.read()
            params = message.get("params", {})
            if (message.get("method") == "textDocument/publishDiagnostics" and params["uri"] == uri
                    and params.get("version") == version):
                return params["diagnostics"]

    def close(self):
        self.request("shutdown", None)
        self.notify("exit", None)
        return self.process.wait()


def position(text, offset):
    """Line and character (in bytes) of an offset."""
    before = text[:offset]
    return {"line": before.count("\n"), "character": len(before[before.rfind("\n") + 1:].encode())}


def golden(name, answers):
    """Compares answers, a text by the name of the question, with golden/NAME.txt; `--write` writes that."""
    path = HERE / "golden" / f"{name}.txt"
    body = "".join(f"==== {question}\n{answer.rstrip()}\n\n" for question, answer in answers)
    if "--write" in sys.argv:
        path.write_text(body)
    wanted = {}
    for part in path.read_text().split("==== ")[1:]:
        question, _, answer = part.partition("\n")
        wanted[question] = answer.rstrip()
    failed = [(question, answer) for question, answer in answers if wanted.get(question) != answer.rstrip()]
    for question, answer in failed:
        print(f"{name}: {question}\n  expected:\n{wanted.get(question)}\n  got:\n{answer.rstrip()}")
    missing = set(wanted) - {question for question, _ in answers}
    for question in missing:
        print(f"{name}: nobody asks {question}")
    return len(answers) - len(failed), len(failed) + len(missing)


def finish(passed, failed):
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)
