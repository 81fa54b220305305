"""Another name: every place that means the thing gets it, and what it cannot be called is refused."""

from client import Client, must, same
from golden import find
from navigate_test import renamed

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


def tests(contra):
    return [(f"rename: {test.__name__.replace('_', ' ')}", lambda t=test: t(contra))
            for test in (names_in_formats,)]
