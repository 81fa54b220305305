"""Another name: every place that means the thing gets it, and what it cannot be called is refused."""

from client import Client, must, same
from files_test import Folder
from golden import find
from navigate_test import places, renamed

URI = "file:///nowhere/program.rs"

FORMATS = r'''fn main() {
    let count = 3;
    let width = 4;
    println!("there are {count} of {}, {count:?}", count + 1);
    println!("\u{e9}\n\"{count:>8}\" \
              {{count}} {count:width$.width$}");
    println!(r#""{count:width$}" \n"#);
    assert!(count == 3, "count is {count:#?}{}", count);
}
'''


def names_in_formats(contra):
    """They are places like others, whatever escapes stand before them."""
    client = Client(contra)
    client.open(URI, FORMATS)
    same(client.settled(URI, 1), [])
    kept = FORMATS.replace("{{count}}", "{{KEPT}}").replace("count is", "KEPT is")
    for place, old, new in (("count = 3", "count", "total"), ("count:>8", "count", "total"), ("width$.", "width", "wide")):
        wanted = kept.replace(old, new).replace("KEPT", "count")
        same(renamed(client, URI, FORMATS, place, new), wanted)
    for place in ("count} of", "} of"):
        same(client.at("definition", URI, **find(FORMATS, place))["range"]["start"], find(FORMATS, "count = 3"))
        must("count: i32" in client.at("hover", URI, **find(FORMATS, place))["contents"]["value"], place)
    same(len(client.at("references", URI, **find(FORMATS, "width = 4"), context={"includeDeclaration": True})), 4)
    same(client.end(), 0)


# A function and a module of one name: what is seen of them outside is the function; what `use` brings of both is both.
TWICE = {
    "main.rs": "mod k;\npub use k::step;\nfn main() { println!(\"{}\", step()); }\n",
    "k/mod.rs": "mod step;\npub use step::step;\n",
    "k/step.rs": "pub fn step() -> i32 { 3 }\n",
}


def functions_called_as_their_module(contra):
    for name, place in (("k/step.rs", "step()"), ("main.rs", "step;"), ("main.rs", "step());"), ("k/mod.rs", "")):
        with Folder(TWICE) as folder:
            client = Client(contra)
            folder.open(client, name)
            at = find(TWICE[name], "step::step") if name == "k/mod.rs" else find(TWICE[name], place)
            at["character"] += 6 * (name == "k/mod.rs")
            changes = client.at("rename", folder.uri(name), **at, newName="stride")["changes"]
            same((name, places(folder, (uri for uri, edits in changes.items() for _ in edits))),
                 (name, {"main.rs": 2, "k/mod.rs": 1, "k/step.rs": 1}))
            same(client.end(), 0)
    both = "mod k { pub mod step {} pub fn step() -> i32 { 3 } }\npub use k::step;\nfn main() { println!(\"{}\", step()); }\n"
    client = Client(contra)
    client.open(URI, both)
    same(len(client.at("references", URI, **find(both, "step() ->"), context={"includeDeclaration": True})), 3)
    same(client.end(), 0)


# One file as the text of two modules, each with an axis of its own.
MODULES = {
    "main.rs": "use furiosa_visa_std::prelude::*;\nmod a;\nmod b;\nfn main() { println!(\"{} {}\", a::k::size(), b::k::size()); }\n",
    "a.rs": "use super::*;\naxes![Tok = 1];\n#[path = \"k.rs\"]\npub mod k;\n",
    "b.rs": "use super::*;\naxes![Tok = 16];\n#[path = \"k.rs\"]\npub mod k;\nfn own() -> usize { Tok::SIZE }\n",
    "k.rs": "use super::*;\npub fn size() -> usize { Tok::SIZE }\n",
}


def files_that_are_two_modules(contra):
    """Each place is changed once, in every module that reads it."""
    for name, place, new, wanted in (("a.rs", "Tok", "Token", {"a.rs": 1, "b.rs": 2, "k.rs": 1}),
                                     ("b.rs", "Tok::", "Token", {"a.rs": 1, "b.rs": 2, "k.rs": 1}),
                                     ("k.rs", "Tok", "Token", {"a.rs": 1, "b.rs": 2, "k.rs": 1}),
                                     ("k.rs", "size()", "extent", {"main.rs": 2, "k.rs": 1}),
                                     ("main.rs", "size(), b", "extent", {"main.rs": 2, "k.rs": 1})):
        with Folder(MODULES) as folder:
            client = Client(contra)
            folder.open(client, name)
            changes = client.at("rename", folder.uri(name), **find(MODULES[name], place), newName=new)["changes"]
            same((name, place, places(folder, (uri for uri, edits in changes.items() for _ in edits))), (name, place, wanted))
            if name in ("k.rs", "main.rs"):
                found = client.at("references", folder.uri(name), **find(MODULES[name], place), context={"includeDeclaration": True})
                same((name, place, places(folder, (each["uri"] for each in found))), (name, place, wanted))
            same(client.end(), 0)


CANNOT = """use furiosa_visa_std::prelude::*;
axes![A = 8];
const LIMIT: i32 = 3;
fn load(first: i32) -> i32 { let second = first + LIMIT; second }
fn pick(n: i32) -> i32 { match n { third => third } }
"""


def names_that_cannot_be(contra):
    """What the renamed program would be refused for is the answer; what was wrong before is not."""
    client = Client(contra)
    wrong = CANNOT + "fn wrong() -> i32 { unknown }\n"
    for version, text in enumerate((CANNOT, wrong), 1):
        if version == 1:
            client.open(URI, text)
        else:
            client.change(URI, version, {"text": text})
        for place, new, why in (("A = 8", "a", "upper-case"), ("load", "l\u00e9", "not ASCII"), ("A = 8", "\u00c4", "not ASCII"),
                                ("second =", "LIMIT", ""), ("first:", "LIMIT", ""), ("third =>", "LIMIT", ""),
                                ("LIMIT:", "n", ""), ("LIMIT:", "third", ""), ("LIMIT:", "MOST", None), ("second =", "other", None)):
            answer = client.ask_raw("textDocument/rename", {"textDocument": {"uri": URI}, "position": find(text, place),
                                                            "newName": new})
            said = answer.get("error", {}).get("message")
            must(said is None if why is None else said is not None and why in said, (place, new, said))
    same(client.end(), 0)


def tests(contra):
    return [(f"rename: {test.__name__.replace('_', ' ')}", lambda t=test: t(contra))
            for test in (names_in_formats, functions_called_as_their_module,
                         files_that_are_two_modules, names_that_cannot_be)]
