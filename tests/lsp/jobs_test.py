"""Commands that take long: the server answers everything else meanwhile, and they can be ended."""

import os
import tempfile
import time
from unittest import mock

from client import Client, children_of, must, same, uri_of
from golden import HERE, program, text_of

ROOT = os.path.dirname(os.path.dirname(HERE))

URI = "file:///nowhere/program.rs"
PROGRAM = """#[test]
fn ends() { assert_eq!(1 + 1, 2); }

#[test]
fn never_ends() { loop {} }
"""
PROGRESS = {"window": {"workDoneProgress": True}}


def opened(contra, **more):
    client = Client(contra, **more)
    client.open(URI, PROGRAM)
    client.settled(URI, 1)
    return client


def start(client, name, seconds=60, **more):
    """Asks for a test, and waits for nothing."""
    client.last_id += 1
    argument = {"uri": URI, "name": name, "seconds": seconds}
    params = {"command": "contra.test", "arguments": [argument], **more}
    client.send({"id": client.last_id, "method": "workspace/executeCommand", "params": params})
    return client.last_id


def answer(client, wanted):
    while (message := client.read()).get("id") != wanted or "method" in message:
        pass
    return message


def progress(client):
    return [each["params"]["value"]["kind"] for each in client.messages if each["method"] == "$/progress"]


def typing_goes_on(contra):
    client = opened(contra)
    running = start(client, "never_ends")
    begin = time.monotonic()
    for version in range(2, 12):
        client.change(URI, version, {"text": PROGRAM + "\n" * version})
        client.settled(URI, version)
        must(client.at("hover", URI, 1, 3), "no hover")
    must(time.monotonic() - begin < 10, "edits waited for the test")
    other = answer(client, start(client, "ends"))
    same(other["result"]["ok"], True)
    client.tell("$/cancelRequest", {"id": running})
    same(answer(client, running)["error"]["code"], -32800)
    same(client.end(), 0)


def as_it_was_when_it_began(contra):
    """Edits come too late for what runs."""
    client = opened(contra)
    running = start(client, "never_ends", seconds=1)
    client.at("hover", URI, 1, 3)  # now it runs
    client.change(URI, 2, {"text": PROGRAM.replace("loop {}", "")})
    same(answer(client, running)["result"]["ok"], False)
    same(answer(client, start(client, "never_ends"))["result"]["ok"], True)
    same(client.end(), 0)


def progress_is_shown(contra):
    client = opened(contra, capabilities=PROGRESS)
    running = start(client, "never_ends")
    while (message := client.read()).get("method") != "window/workDoneProgress/create":
        pass
    token = message["params"]["token"]
    same(progress(client), [])  # not before the client agreed
    client.send({"id": message["id"], "result": None})
    client.until(lambda client: progress(client) == ["begin"])
    begin = next(each["params"] for each in client.messages if each["method"] == "$/progress")
    same(begin, {"token": token, "value": {"kind": "begin", "title": "Testing never_ends", "cancellable": True}})
    client.tell("window/workDoneProgress/cancel", {"token": token})
    same(answer(client, running)["error"]["code"], -32800)
    client.until(lambda client: progress(client) == ["begin", "end"])
    client.tell("window/workDoneProgress/cancel", {"token": token})
    same(client.end(), 0)


def progress_that_is_refused(contra):
    client = opened(contra, capabilities=PROGRESS)
    running = start(client, "never_ends", seconds=1)
    while (message := client.read()).get("method") != "window/workDoneProgress/create":
        pass
    client.send({"id": message["id"], "error": {"code": -32603, "message": "no"}})
    same(answer(client, running)["result"]["ok"], False)
    same(progress(client), [])
    same(client.end(), 0)


def tokens_of_the_client(contra):
    client = opened(contra)
    running = start(client, "ends", workDoneToken=7)
    same(answer(client, running)["result"]["ok"], True)
    client.ask("workspace/symbol", {"query": ""})
    same(progress(client), ["begin", "end"])
    same({each["params"]["token"] for each in client.messages if each["method"] == "$/progress"}, {7})
    same(client.end(), 0)


def too_many(contra):
    client = opened(contra)
    running = [start(client, "never_ends") for _ in range(8)]
    must("error" in answer(client, start(client, "ends")), "a ninth runs")
    for each in running:
        client.tell("$/cancelRequest", {"id": each})
        same(answer(client, each)["error"]["code"], -32800)
    same(answer(client, start(client, "ends"))["result"]["ok"], True)
    same(client.end(), 0)


def shutdown_ends_them(contra):
    client = opened(contra)
    running = start(client, "never_ends")
    client.last_id += 1
    client.send({"id": client.last_id, "method": "shutdown"})
    same(answer(client, running)["error"]["code"], -32800)
    same(answer(client, client.last_id).get("result"), None)
    client.tell("exit", None)
    same(client.process.wait(10), 0)


def the_end_of_input_ends_them(contra):
    client = opened(contra)
    start(client, "never_ends")
    client.at("hover", URI, 1, 3)
    client.process.stdin.close()
    same(client.process.wait(10), 0)


def runs(process):
    """It is there, and not only waiting for who asks how it ended."""
    try:
        with open(f"/proc/{process}/stat", encoding="ascii") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def the_end_of_the_server_ends_them(contra):
    """However it ends."""
    client = opened(contra)
    start(client, "never_ends")
    start(client, "never_ends")
    client.at("hover", URI, 1, 3)
    worker = client.worker()
    children = children_of(worker)
    same([runs(each) for each in children], [True, True])
    client.process.kill()
    client.process.wait(10)
    late = time.monotonic() + 10
    while any(runs(each) for each in children) and time.monotonic() < late:
        time.sleep(0.01)
    same([runs(each) for each in [worker, *children]], [False] * 3)


def what_nobody_wrote(contra):
    """Elements of an answer without a value are shown as such, and warned of."""
    path = os.path.join(ROOT, "tests", "sanitize", "index_computed.rs")
    client = Client(contra)
    client.open(uri_of(path), text_of(path))
    argument = {"uri": uri_of(path), "name": "fault"}
    ran = client.ask("workspace/executeCommand", {"command": "contra.run", "arguments": [argument]})
    lines = ran["message"].split("\n")
    same(lines[1].endswith("?, ?, ?, ?, ?, ?, .."), True)
    same(lines[2].startswith("warning[E0972]: "), True)
    same(ran["outputs"][0]["first"], [None] * 8)
    same(client.end(), 0)


def scheduled(client, **more):
    uri = uri_of(program("features.rs"))
    client.open(uri, text_of(program("features.rs")))
    argument = {"uri": uri, "name": "add_five", **more}
    return client.ask("workspace/executeCommand", {"command": "contra.schedule", "arguments": [argument]})


def pages_go_with_the_server(contra):
    """In a folder of the server, which it removes, or the next one if it was killed; of others it touches nothing."""
    with tempfile.TemporaryDirectory() as folder, mock.patch.dict(os.environ, TMPDIR=folder):
        os.mkdir(os.path.join(folder, f"contra-lsp-{os.getpid()}"))  # of somebody who lives
        others = os.listdir(folder)
        client = Client(contra)
        result = scheduled(client)
        path = result["uri"].removeprefix("file://")
        same(os.path.dirname(path), os.path.join(folder, f"contra-lsp-{client.process.pid}"))
        same(result["message"], f"the schedule of `add_five`, until the server ends: {path}")
        must("<html" in text_of(path), "no page")
        must(scheduled(client)["uri"] != result["uri"], "a page in the place of another one")
        same(client.end(), 0)
        same(os.listdir(folder), others)

        client = Client(contra)
        same("uri" in scheduled(client, form="text"), False)
        same(os.listdir(folder), others)
        scheduled(client)
        client.process.kill()
        client.process.wait(10)
        same(len(os.listdir(folder)), 2)
        same(Client(contra).end(), 0)
        same(os.listdir(folder), others)


def tests(contra):
    return [(f"jobs: {test.__name__.replace('_', ' ')}", lambda t=test: t(contra))
            for test in (typing_goes_on, as_it_was_when_it_began, progress_is_shown, progress_that_is_refused,
                         tokens_of_the_client, too_many, shutdown_ends_them, the_end_of_input_ends_them,
                         the_end_of_the_server_ends_them, what_nobody_wrote, pages_go_with_the_server)]
