"""Inlay hints, lenses and commands."""

import os
import subprocess
import tempfile
from unittest import mock

import golden
from golden import find, opened, program, text_of
from client import Failed, edit

ROOT = os.path.dirname(os.path.dirname(golden.HERE))
WHOLE = {"start": {"line": 0, "character": 0}, "end": {"line": 100000, "character": 0}}


def hints_of(client, uri, span=WHOLE):
    return client.ask("textDocument/inlayHint", {"textDocument": {"uri": uri}, "range": span})


def shown(text, hints):
    """The lines that have hints, as an editor shows them: «hint»."""
    lines = text.split("\n")
    found = {}
    for each in sorted(hints, key=lambda each: (each["position"]["line"], -each["position"]["character"])):
        number, at = each["position"]["line"], each["position"]["character"]
        lines[number] = f"{lines[number][:at]}«{each['label']}»{lines[number][at:]}"
        found[number] = lines[number].strip()
    return {str(number + 1): line for number, line in found.items()}


def inlay_hints(contra):
    text = text_of(program("features.rs"))
    with opened(contra, "features.rs") as (client, uri):
        hints = hints_of(client, uri)
        start = find(text, "let dm")
        part = hints_of(client, uri, {"start": start, "end": {**start, "character": 200}})
        if part != [each for each in hints if each["position"]["line"] == start["line"]]:
            raise Failed("a range has other hints than the whole")
        return {"shown": shown(text, hints), "tooltips": [each["tooltip"] for each in hints if "tooltip" in each]}


def inlay_hints_gemm(contra):
    path = os.path.join(ROOT, "examples/hello/gemm.rs")
    with opened(contra, path, text_of(path)) as (client, uri):
        return shown(text_of(path), hints_of(client, uri))


def inlay_hints_helpers(contra):
    """Functions that kernels call, in loops, have the cycles of all that they do for them."""
    path = os.path.join(ROOT, "examples/kernels/double_buffered_gemm.rs")
    text = text_of(path)
    span = {"start": find(text, "fn load_columns"), "end": find(text, "#[device(")}
    with opened(contra, path, text) as (client, uri):
        return shown(text, hints_of(client, uri, span))


def inlay_hints_broken(contra):
    """A kernel that is refused has types and packets, but no cycles and addresses."""
    text = text_of(program("features.rs")).replace("m![Values / 8 % 2], m![Values % 8]>()\n        .vec",
                                                   "m![Values / 4 % 4], m![Values % 4]>()\n        .vec")
    with opened(contra, "features.rs", text) as (client, uri):
        start, end = find(text, "let dm"), find(text, "sum.to_hbm")
        return shown(text, hints_of(client, uri, {"start": start, "end": end}))


def told(client):
    """Messages that the server showed since it was last asked."""
    found = [each["params"] for each in client.messages if each["method"] == "window/showMessage"]
    client.messages.clear()
    return found


def lenses(contra):
    with opened(contra, "features.rs") as (client, uri):
        found = client.ask("textDocument/codeLens", {"textDocument": {"uri": uri}})
        return [each if "command" in each else client.ask("codeLens/resolve", each) for each in found]


def lenses_numbers(contra):
    """A kernel that takes numbers is run with those that the program launches it with."""
    with opened(contra, "numbers.rs") as (client, uri):
        found = client.ask("textDocument/codeLens", {"textDocument": {"uri": uri}})
        titles, results = [], []
        for each in found:
            command = each["command"] if "command" in each else client.ask("codeLens/resolve", each)["command"]
            argument = command["arguments"][0]
            titles.append([each["range"], command["title"], argument.get("numbers")])
            params = {"command": command["command"], "arguments": [{**argument, "form": "html"}]}
            result = client.ask("workspace/executeCommand", params)
            results.append({key: result[key] for key in ("ok", "message", "cycles") if key in result})
        given = execute(client, "contra.run", uri, "nobody_knows", numbers={"row": 3})
        missing = execute(client, "contra.run", uri, "nobody_knows")
        shows = shown(text_of(program("numbers.rs")), hints_of(client, uri))
        return {"titles": titles, "results": results, "given": given["result"]["message"],
                "missing": missing["result"]["message"], "hints": shows}


def execute(client, command, uri, name, **more):
    argument = {"uri": uri, "name": name, **more}
    answer = client.ask("workspace/executeCommand", {"command": command, "arguments": [argument]})
    return {"result": answer, "shown": told(client)}


def commands(contra):
    """On the text as it is typed, whatever is on disk."""
    text = text_of(program("features.rs"))
    with opened(contra, "features.rs") as (client, uri):
        found = {
            "run": execute(client, "contra.run", uri, "add_five"),
            "passes": execute(client, "contra.test", uri, "adds_five"),
            "fails": execute(client, "contra.test", uri, "counts"),
            "unknown": execute(client, "contra.run", uri, "add_six"),
        }
        client.change(uri, 2, {"text": text.replace("names.len(), 1", "names.len(), 0")})
        found["passes now"] = execute(client, "contra.test", uri, "counts")
        client.change(uri, 4, {"text": text.replace("let pair", "loop {} let pair")})
        found["without end"] = execute(client, "contra.test", uri, "counts", seconds=1)
        client.change(uri, 5, {"text": text.replace("sum.to_hbm", "total.to_hbm")})
        found["refused"] = execute(client, "contra.run", uri, "add_five")
        return found


def schedule_command(contra):
    """The page is that of `contra schedule --html`."""
    page = subprocess.run([contra, "schedule", program("features.rs"), "--html", "-"], check=True, capture_output=True)
    with tempfile.TemporaryDirectory() as folder, mock.patch.dict(os.environ, TMPDIR=folder):
        with opened(contra, "features.rs") as (client, uri):
            html = execute(client, "contra.schedule", uri, "add_five", form="html")
            kept = execute(client, "contra.schedule", uri, "add_five")
            path = kept["result"]["uri"].removeprefix("file://")
            if html["result"]["html"] != page.stdout.decode() or text_of(path) != page.stdout.decode():
                raise Failed("the page is another one than that of contra schedule --html")
            if html["shown"] or not path.startswith(folder) or path not in kept["shown"][0]["message"]:
                raise Failed(f"a page in a file is told, and no other: {kept['shown']}")
            return {key: kept["result"][key] for key in ("ok", "cycles")}


ANSWERS = [commands, inlay_hints, inlay_hints_broken, inlay_hints_gemm, inlay_hints_helpers, lenses, lenses_numbers,
           schedule_command]


def write(contra):
    for answer in ANSWERS:
        golden.write(answer.__name__, answer(contra))


def tests(contra):
    return [(answer.__name__, lambda answer=answer: golden.compare(answer.__name__, answer(contra)))
            for answer in ANSWERS]
