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


def tests(contra):
    return [(f"rename: {test.__name__.replace('_', ' ')}", lambda t=test: t(contra))
            for test in (names_in_formats, functions_called_as_their_module)]
