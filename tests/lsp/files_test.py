"""Files that nobody has open: those that change on disk, and which program a file belongs to."""

import os
import tempfile
import time

from client import Client, must, same, uri_of

WATCHING = {"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": True, "relativePatternSupport": True}}}
CREATED, CHANGED, DELETED = 1, 2, 3
MANIFEST = '[package]\nname = "whole-thing"\nversion = "0.1.0"\nedition = "2021"\n'


class Folder:
    """Files in a folder of their own."""

    def __init__(self, files):
        self.keeper = tempfile.TemporaryDirectory()
        self.path = os.path.realpath(self.keeper.name)
        for name, text in files.items():
            self.put(name, text)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.keeper.cleanup()

    def at(self, name):
        return os.path.join(self.path, name)

    def uri(self, name):
        return uri_of(self.at(name))

    def put(self, name, text):
        os.makedirs(os.path.dirname(self.at(name)), exist_ok=True)
        with open(self.at(name), "w", encoding="utf-8") as file:
            file.write(text)

    def text(self, name):
        with open(self.at(name), encoding="utf-8") as file:
            return file.read()

    def open(self, client, name, text=None):
        client.open(self.uri(name), self.text(name) if text is None else text)


def changed(client, *changes):
    client.tell("workspace/didChangeWatchedFiles", {"changes": [{"uri": uri, "type": kind} for uri, kind in changes]})


def registered(client):
    """What the client was asked to watch, by the name of the registration."""
    found = {}
    for message in client.messages:
        params = message.get("params") or {}
        for each in params.get("unregisterations", []):
            found.pop(each["id"])
        for each in params.get("registrations", []):
            same(each["method"], "workspace/didChangeWatchedFiles")
            found[each["id"]] = [watcher["globPattern"] for watcher in each["registerOptions"]["watchers"]]
    return found


def watches(name):
    return lambda client: name in [each["pattern"] for each in registered(client).get("contra-files", [])]


def says(words):
    return lambda diagnostics: any(words in each["message"] for each in diagnostics)


def nothing(diagnostics):
    return not diagnostics


SHARED = {"a.rs": "mod part;\nfn value() -> i32 { 1 }\nfn main() { part::go(); }\n",
          "b.rs": "mod part;\nfn value() -> u8 { 1 }\nfn main() { part::go(); }\n",
          "part/mod.rs": "pub fn go() {\n    let x = super::value();\n}\n"}


def type_hints(client, uri):
    whole = {"start": {"line": 0, "character": 0}, "end": {"line": 100, "character": 0}}
    return [each["label"] for each in client.ask("textDocument/inlayHint", {"textDocument": {"uri": uri}, "range": whole})]


def hints_wait_for_the_program(contra):
    """A module of two programs has the hints of the one that it comes to belong to, whenever they are asked for."""
    with Folder(SHARED) as folder:
        client = Client(contra)
        for name in "part/mod.rs", "b.rs":
            folder.open(client, name)
            client.settled(folder.uri(name), 1)
        send = client.process.stdin.flush
        client.process.stdin.flush = lambda: None  # so that the question comes with what it is about
        folder.open(client, "a.rs")
        client.process.stdin.flush = send
        same(type_hints(client, folder.uri("part/mod.rs")), [": i32"])
        same(client.end(), 0)


# ---- what is shown of other files

REFRESHED = ["codeLens", "inlayHint", "semanticTokens"]


def refreshed(client):
    """What the client was told to ask for again since the last call, once the server has nothing more to check."""
    last = "file:///nowhere/last.rs"
    client.open(last, "")
    type_hints(client, last)
    client.shut(last)
    found = [each["method"].split("/")[1] for each in client.messages if each["method"].endswith("/refresh")]
    client.messages.clear()
    return found


def others_are_shown_anew(contra):
    """Once a check, if another open file is of the program that changed; as far as the client can."""
    files = {"main.rs": "mod part;\nfn main() {\n    let x = part::go();\n}\n", "part.rs": "pub fn go() -> i32 { 1 }\n",
             "alone.rs": "fn main() {}\n"}
    for can in REFRESHED, REFRESHED[1:2], []:
        with Folder(files) as folder:
            client = Client(contra, capabilities={"workspace": {name: {"refreshSupport": True} for name in can}})
            main, part, alone = (folder.uri(name) for name in files)
            for name in files:
                folder.open(client, name)
                same(refreshed(client), [])
            for text in "pub fn go() -> u8 { 1 }\n", "pub fn go() -> u16 { 1 }\n":
                client.change(part, 2, {"text": text})
                same(refreshed(client), can)
            same(type_hints(client, main), [": u16"])
            client.change(alone, 2, {"text": "fn main() { let x = 1; }\n"})
            same(refreshed(client), [])
            client.shut(part)  # what is on disk counts again
            same(refreshed(client), can)
            same(type_hints(client, main), [": i32"])
            same(client.end(), 0)


def another_program_is_shown(contra):
    """A module that comes to belong to another program."""
    with Folder({**SHARED, "a.rs": "fn main() {}\n"}) as folder:
        client = Client(contra, capabilities={"workspace": {"inlayHint": {"refreshSupport": True}}})
        for name in "part/mod.rs", "b.rs", "a.rs":
            folder.open(client, name)
            same(refreshed(client), [])
        client.change(folder.uri("a.rs"), 2, {"text": SHARED["a.rs"]})
        same(refreshed(client), ["inlayHint"])
        same(type_hints(client, folder.uri("part/mod.rs")), [": i32"])
        same(client.end(), 0)


# ---- watching

def the_client_is_asked_to_watch(contra):
    with Folder({"alone.rs": "fn main() {}\n"}) as folder:
        client = Client(contra, capabilities=WATCHING, folders=[folder.path])
        folder.open(client, "alone.rs")
        client.settled(folder.uri("alone.rs"), 1)
        client.ask("workspace/symbol", {"query": ""})
        same(registered(client)["contra-folders"], ["**/*.rs", "**/*.tcp", "**/Cargo.toml"])
        same(client.end(), 0)
        silent = Client(contra, folders=[folder.path])
        silent.ask("workspace/symbol", {"query": ""})
        same([each["method"] for each in silent.messages], [])
        same(silent.end(), 0)


def files_outside_of_folders_are_watched(contra):
    with Folder({"main.rs": "mod part;\nfn main() {}\n", "part.rs": ""}) as folder:
        client = Client(contra, capabilities=WATCHING)
        folder.open(client, "main.rs")
        client.settled(folder.uri("main.rs"), 1)
        client.until(watches("part.rs"))
        must({"baseUri": uri_of(folder.path), "pattern": "part.rs"} in registered(client)["contra-files"],
             "the folder is another one")
        client.change(folder.uri("main.rs"), 2, {"text": "mod other;\nfn main() {}\n"})
        client.settled(folder.uri("main.rs"), 2)
        client.until(watches("other.rs"))
        must(not watches("part.rs")(client), "what nobody reads is watched")
        same(client.end(), 0)


def neighbours_that_change(contra):
    """Changed, deleted and created again."""
    with Folder({"main.rs": "mod part;\nfn main() { part::go(); }\n", "part.rs": "pub fn go() {}\n"}) as folder:
        client = Client(contra, capabilities=WATCHING, folders=[folder.path])
        main, part = folder.uri("main.rs"), folder.uri("part.rs")
        folder.open(client, "main.rs")
        same(client.settled(main, 1), [])
        folder.put("part.rs", "pub fn went() {}\n")
        changed(client, (part, CHANGED))
        client.told(main, says("go"))
        os.remove(folder.at("part.rs"))
        changed(client, (part, DELETED))
        client.told(main, says("file of module"))
        folder.put("part/mod.rs", "pub fn go() {}\n")
        changed(client, (folder.uri("part/mod.rs"), CREATED))
        client.told(main, nothing)
        os.rename(folder.at("part"), folder.at("parts"))  # some clients tell of the folder alone
        changed(client, (folder.uri("part"), DELETED))
        client.told(main, says("file of module"))
        same(client.end(), 0)


def mistakes_in_neighbours(contra):
    """They are told of a file that is not open, and taken back."""
    with Folder({"main.rs": "mod part;\nfn main() { part::go(); }\n", "part.rs": "pub fn go() {}\n"}) as folder:
        client = Client(contra, capabilities=WATCHING, folders=[folder.path])
        main, part = folder.uri("main.rs"), folder.uri("part.rs")
        folder.open(client, "main.rs")
        same(client.settled(main, 1), [])
        folder.put("part.rs", "pub fn go() { nowhere() }\n")
        changed(client, (part, CHANGED))
        client.told(part, says("nowhere"))
        folder.put("part.rs", "pub fn go() {}\n")
        changed(client, (part, CHANGED))
        client.told(part, nothing)
        same(client.end(), 0)


def clients_that_do_not_watch(contra):
    """What changed is seen when something is saved."""
    with Folder({"main.rs": "mod part;\nfn main() { part::go(); }\n", "part.rs": "pub fn go() {}\n"}) as folder:
        client = Client(contra)
        main = folder.uri("main.rs")
        folder.open(client, "main.rs")
        same(client.settled(main, 1), [])
        time.sleep(0.02)  # the clock of a file system may be slow
        folder.put("part.rs", "pub fn went() {}\n")
        client.tell("textDocument/didSave", {"textDocument": {"uri": main}})
        client.told(main, says("go"))
        same(client.end(), 0)


# ---- crates

def libraries_come_from_the_editor(contra):
    """A test rests on its library as it is typed, whether a `use` or only a body names it."""
    for test in ("use whole_thing::go;\n#[test]\nfn goes() { let _one: i32 = go(); }\n",
                 "#[test]\nfn goes() { let _one: i32 = whole_thing::go(); }\n"):
        files = {"Cargo.toml": MANIFEST, "src/lib.rs": "pub fn go() -> i32 { 1 }\n", "tests/whole.rs": test}
        with Folder(files) as folder:
            client = Client(contra, capabilities=WATCHING, folders=[folder.path])
            library, whole = folder.uri("src/lib.rs"), folder.uri("tests/whole.rs")
            folder.open(client, "tests/whole.rs")
            same(client.settled(whole, 1), [])
            folder.open(client, "src/lib.rs", "pub fn went() -> i32 { 1 }\n")
            client.told(whole, says("go"))
            client.change(library, 2, {"text": files["src/lib.rs"]})
            client.told(whole, nothing)
            client.change(library, 3, {"text": "pub fn go() -> bool { true }\n"})
            client.told(whole, lambda found: found)
            client.shut(library)
            client.told(whole, nothing)
            folder.put("Cargo.toml", MANIFEST.replace("whole-thing", "other-thing"))
            changed(client, (folder.uri("Cargo.toml"), CHANGED))
            client.told(whole, says("whole_thing"))
            same(client.end(), 0)


def modules_that_move(contra):
    """A file is a program of its own until another one names it, and again when that ends."""
    part = "use super::Number;\npub fn go() -> Number { 1 }\n"
    files = {"main.rs": "type Number = i32;\nfn main() {}\n", "part.rs": part}
    named = "mod part;\ntype Number = i32;\nfn main() { part::go(); }\n"
    with Folder(files) as folder:
        client = Client(contra)
        main, inner = folder.uri("main.rs"), folder.uri("part.rs")
        folder.open(client, "main.rs")
        folder.open(client, "part.rs")
        client.told(inner, says("super"))
        client.change(main, 2, {"text": named})
        client.told(inner, nothing)
        place = {"line": 0, "character": 12}
        found = client.ask("textDocument/definition", {"textDocument": {"uri": inner}, "position": place})
        same(found["uri"], main)
        client.change(main, 3, {"text": files["main.rs"]})
        client.told(inner, says("super"))
        same(client.ask("textDocument/definition", {"textDocument": {"uri": inner}, "position": place}), None)
        client.change(main, 4, {"text": named})
        client.told(inner, nothing)
        client.shut(main)  # on disk it does not name the module
        client.told(inner, says("super"))
        same(client.end(), 0)


def modules_in_bodies(contra):
    """They are read when the body is looked at: a file belongs to the program then, whatever was opened first."""
    files = {"main.rs": "fn main() {\n    mod part;\n    part::go();\n}\n", "part.rs": "use super::*;\npub fn go() {}\n"}
    for order in (("main.rs", "part.rs"), ("part.rs", "main.rs")):
        with Folder({}) as folder:
            client = Client(contra)
            for name in order:
                folder.open(client, name, files[name])
            client.told(folder.uri("main.rs"), nothing)
            client.told(folder.uri("part.rs"), nothing)
            same(client.end(), 0)


def modules_in_folders(contra):
    """Without a crate: `mod.rs` and files beside it belong to who names the folder, above it."""
    files = {"main.rs": "mod part;\nmod other;\nfn top() {}\nfn main() { part::inner::go(); other::deep::go(); }\n",
             "part/mod.rs": "pub mod inner;\nuse super::top;\npub fn go() { top(); }\n",
             "part/inner.rs": "pub fn go() { super::go(); super::super::top(); }\n",
             "other.rs": "pub mod deep;\n",
             "other/deep.rs": "pub fn go() { super::super::top(); }\n"}
    with Folder(files) as folder:
        for name in ("part/mod.rs", "part/inner.rs", "other/deep.rs"):
            client = Client(contra)
            folder.open(client, name)
            same(client.settled(folder.uri(name), 1), [])
            same(client.end(), 0)


def neighbours_are_read_once(contra):
    """Questions after an edit of a lone file do not read what lies beside it again."""
    with Folder({"main.rs": "fn main() {}\n", "beside.rs": "fn other() {}\n"}) as folder:
        client = Client(contra, capabilities=WATCHING)
        main = folder.uri("main.rs")
        folder.open(client, "main.rs")
        client.settled(main, 1)
        os.remove(folder.at("beside.rs"))
        os.mkfifo(folder.at("beside.rs"))  # reading it would never end
        for version in range(2, 6):
            client.change(main, version, {"text": "fn main() {}\n" + "\n" * version})
            client.at("hover", main, 0, 3)
            client.settled(main, version)
        same(client.end(), 0)


def pipes_are_no_modules(contra):
    """Reading one would never end; it is said, and everything else is answered."""
    with Folder({"main.rs": "mod parts;\nmod other;\nfn main() {}\n", "other.rs": ""}) as folder:
        os.mkfifo(folder.at("parts.rs"))
        client = Client(contra)
        main = folder.uri("main.rs")
        folder.open(client, "main.rs")
        found = client.settled(main, 1)
        same([(each["code"], each["range"]["start"]["line"]) for each in found], [("E0423", 0)])
        must("is no ordinary file" in found[0]["message"], found[0]["message"])
        client.at("hover", main, 2, 3)
        same(client.end(), 0)


def module_of_a_lone_program(contra):
    """A file in a folder that a program beside the folder names, one of many there: `super` is that program."""
    beside = {f"beside{i}.rs": "mod shared;\nfn main() {}\n" for i in range(40)}
    with Folder({**beside, "shared.rs": "",
                 "whole.rs": "mod parts;\npub struct Size;\nfn main() { parts::part(Size); }\n",
                 "parts/mod.rs": "use super::Size;\npub mod inner;\npub fn part(_: Size) { inner::one(); }\n",
                 "parts/inner.rs": "use super::super::Size;\npub fn one() -> Size { Size }\n",
                 "other.rs": "fn main() {}\n"}) as folder:
        for name in ("parts/mod.rs", "parts/inner.rs"):
            client = Client(contra)
            folder.open(client, name)
            same((name, client.settled(folder.uri(name), 1)), (name, []))
            same(client.end(), 0)


def tests(contra):
    return [(f"files: {test.__name__.replace('_', ' ')}", lambda t=test: t(contra))
            for test in (hints_wait_for_the_program, others_are_shown_anew, another_program_is_shown,
                         the_client_is_asked_to_watch, files_outside_of_folders_are_watched,
                         neighbours_that_change, mistakes_in_neighbours, clients_that_do_not_watch,
                         libraries_come_from_the_editor, modules_that_move, modules_in_bodies, modules_in_folders,
                         neighbours_are_read_once, pipes_are_no_modules, module_of_a_lone_program)]
