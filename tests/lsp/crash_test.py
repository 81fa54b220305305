"""Bugs in Contra do not end the server: one document reports it, and everything else keeps working."""

import os
import shutil
import signal
import subprocess
import tempfile
from unittest import mock

from client import Client, Skipped, must, same
from files_test import Folder
from golden import HERE
from jobs_test import PROGRESS, answer, opened, progress, start

KINDS = {"abort": "it crashed", "segv": "it crashed", "stack": "it crashed", "kill": "it was killed",
         "memory": "it ran out of memory", "loop": "it did not finish", "babble": "its messages could not be passed on"}
GOOD = "fn size() -> usize { 4 }\n"
INTERNAL = -32603


class Faults:
    """Within it every server fails when it reads a file named fault_KIND.rs."""

    def __enter__(self):
        compiler = shutil.which("cc")
        if not compiler or not os.path.isdir("/proc/self/task"):
            raise Skipped("faults need a C compiler and Linux")
        self.folder = tempfile.TemporaryDirectory()
        library = os.path.join(self.folder.name, "fault.so")
        subprocess.run([compiler, "-shared", "-fPIC", "-O0", "-o", library, os.path.join(HERE, "fault.c"), "-ldl"], check=True)
        options = os.environ.get("ASAN_OPTIONS", "") + ":verify_asan_link_order=0"
        self.patch = mock.patch.dict(os.environ, LD_PRELOAD=library, ASAN_OPTIONS=options)
        self.patch.start()

    def __exit__(self, *_):
        self.patch.stop()
        self.folder.cleanup()


def is_internal(found):
    return len(found) == 1 and found[0]["message"].startswith("internal error while ")


def a_program_that_cannot_be_read(contra):
    for kind, why in KINDS.items():
        files = {"good.rs": GOOD, f"faults/fault_{kind}.rs": "",
                 "bad.rs": f"#[path = \"faults/fault_{kind}.rs\"]\nmod part;\nfn main() {{}}\n"}
        with Faults(), Folder(files) as folder:
            client = Client(contra)
            good, bad = folder.uri("good.rs"), folder.uri("bad.rs")
            client.open(good, GOOD)
            same(client.settled(good, 1), [])
            client.open(bad, files["bad.rs"])
            place = {"textDocument": {"uri": bad}, "position": {"line": 2, "character": 3}}
            must("error" in client.ask_raw("textDocument/hover", place), f"{kind}: a request was answered")
            found = client.told(bad, is_internal)
            same((found[0]["severity"], "code" in found[0]), (1, False))
            for words in (why, "bug in Contra", "please report it"):
                must(words in found[0]["message"], f"{kind}: {found[0]['message']}")

            # the other document is as it was, and can be edited
            must("usize" in str(client.at("hover", good, 0, 4)), "no hover in the other document")
            client.change(good, 2, {"text": "fn size() -> usize { missing }\n"})
            must("missing" in client.settled(good, 2)[0]["message"], "the other document is not checked")

            # without the fault there is no error; with it, the error is reported again
            client.change(bad, 2, {"text": "fn main() { let x = 5; }\n"})
            same(client.settled(bad, 2), [])
            must(client.at("hover", bad, 0, 4), "no hover after the edit")
            client.change(bad, 3, {"text": files["bad.rs"]})
            must(is_internal(client.settled(bad, 3)), f"{kind}: found {client.diagnostics[bad]}")
            same(client.end(), 0)


def a_program_that_cannot_be_found(contra):
    """The search for the program of a file opens the files around it."""
    files = {"good.rs": GOOD, "fault_segv.rs": ""}
    with Faults(), Folder(files) as folder:
        client = Client(contra)
        good = folder.uri("good.rs")
        client.open(good, GOOD)
        found = client.told(good, is_internal)
        must("looking for the program of this file: it crashed" in found[0]["message"], found[0]["message"])
        must("usize" in str(client.at("hover", good, 0, 4)), "no hover")
        folder.put("disarmed", "")
        client.change(good, 2, {"text": GOOD + "\n"})
        same(client.settled(good, 2), [])
        same(client.end(), 0)


def a_function_that_cannot_be_checked(contra):
    """The diagnostic is at the function, and requests about the file still work."""
    files = {"faults/fault_abort.rs": "",
             "bad.rs": "fn fine() {}\n\nfn broken() {\n    #[path = \"faults/fault_abort.rs\"]\n    mod inner;\n}\n"}
    with Faults(), Folder(files) as folder:
        client = Client(contra)
        bad = folder.uri("bad.rs")
        client.open(bad, files["bad.rs"])
        found = client.told(bad, is_internal)
        must("while checking `broken`: it crashed" in found[0]["message"], found[0]["message"])
        same(found[0]["range"]["start"], {"line": 2, "character": 3})
        must(client.at("hover", bad, 0, 4), "no hover")
        client.change(bad, 2, {"text": "fn fine() {}\n"})
        same(client.settled(bad, 2), [])
        same(client.end(), 0)


def a_request_that_cannot_be_answered(contra):
    """A rename is tried on a copy of the program, which reads the module once more."""
    files = {"fault_abort.rs": "", "disarmed": "", "bad.rs": "mod fault_abort;\nfn old() { old() }\n"}
    with Faults(), Folder(files) as folder:
        client = Client(contra)
        bad = folder.uri("bad.rs")
        client.open(bad, files["bad.rs"])
        before = client.settled(bad, 1)
        folder.put("once", "")
        place = {"textDocument": {"uri": bad}, "position": {"line": 1, "character": 3}, "newName": "new"}
        refused = client.ask_raw("textDocument/rename", place)["error"]
        same(refused["code"], INTERNAL)
        must("answering textDocument/rename: it crashed" in refused["message"], refused["message"])
        client.told(bad, lambda found: len(found) == len(before) + 1 and "textDocument/rename" in found[-1]["message"])
        must(client.at("hover", bad, 1, 3), "no hover")
        worker = client.worker()
        same(client.ask_raw("textDocument/rename", place)["error"]["code"], INTERNAL)
        same(client.worker(), worker)  # it was not tried again
        client.change(bad, 2, {"text": files["bad.rs"] + "\n"})
        same(client.settled(bad, 2), before)
        must(client.ask("textDocument/rename", place)["changes"], "no changes")
        same(client.end(), 0)


def a_worker_that_is_killed(contra):
    """Kills the worker several times: each new one has the edited texts, and pending requests are refused."""
    client = opened(contra, capabilities=PROGRESS)
    uri = "file:///nowhere/other.rs"
    client.open(uri, "fn f() {}\n")
    for version in range(2, 8):
        client.change(uri, version, {"text": "fn f() {}\n" * version})
        client.settled(uri, version)
        running = start(client, "never_ends", workDoneToken=f"token {version}")
        client.until(lambda client: progress(client)[-1:] == ["begin"])
        os.kill(client.worker(), signal.SIGKILL)
        same(answer(client, running)["error"]["code"], INTERNAL)
        client.until(lambda client: progress(client)[-1:] == ["end"])
        symbols = client.ask("textDocument/documentSymbol", {"textDocument": {"uri": uri}})
        same(len(symbols), version)
    same(client.end(), 0)


def a_worker_that_cannot_be_replaced(contra):
    with Faults(), mock.patch.dict(os.environ, FAULT_FORKS="1"):
        client = Client(contra)
    os.kill(client.worker(), signal.SIGKILL)
    same(client.process.wait(client.patience), 3)


def a_module_that_is_not_open(contra):
    """Diagnostics of a file that is not open are cleared if they may no longer hold."""
    files = {"faults/fault_abort.rs": "", "faults/disarmed": "", "part.rs": "fn f() { g() }\n",
             "main.rs": "mod part;\n#[path = \"faults/fault_abort.rs\"]\nmod other;\nfn main() {}\n"}
    with Faults(), Folder(files) as folder:
        client = Client(contra)
        main, part = folder.uri("main.rs"), folder.uri("part.rs")
        client.open(main, files["main.rs"])
        client.told(part, lambda found: len(found) == 1)
        client.at("hover", main, 3, 4)
        os.remove(folder.at("faults/disarmed"))
        client.change(main, 2, {"text": files["main.rs"] + "\n"})
        must(is_internal(client.settled(main, 2)), "no internal error")
        client.told(part, lambda found: not found)
        folder.put("faults/disarmed", "")
        client.change(main, 3, {"text": files["main.rs"]})
        client.told(part, lambda found: len(found) == 1)
        same(client.end(), 0)


def tests(contra):
    return [(f"crash: {test.__name__.replace('_', ' ')}", lambda t=test: t(contra))
            for test in (a_program_that_cannot_be_read, a_program_that_cannot_be_found,
                         a_function_that_cannot_be_checked,
                         a_request_that_cannot_be_answered, a_worker_that_is_killed,
                         a_worker_that_cannot_be_replaced, a_module_that_is_not_open)]
