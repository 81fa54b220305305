"""From names to what they mean: in bodies that nobody typed yet, and across programs."""

from client import Client, must, same
from files_test import MANIFEST, Folder
from golden import find

URI = "file:///nowhere/program.rs"

NESTED = """fn outer(n: i32) -> i32 {
    struct Pair { one: i32 }
    impl Pair {
        fn sum(&self) -> i32 {
            fn twice(value: i32) -> i32 { let doubled = value * 2; doubled }
            twice(self.one)
        }
    }
    const STEP: i32 = 3;
    fn inner<T: Copy>(kept: T) -> T { let again = kept; again }
    mod deep { pub fn plain(first: i32) -> i32 { let second = first + 1; second } }
    Pair { one: deep::plain(n) + STEP }.sum() + inner(1)
}
"""


def items_in_bodies(contra):
    """The first question of all is about one."""
    for use, declared, type_ in (("value * 2", "value: i32", "value: i32"), ("doubled }", "doubled =", "doubled: i32"),
                                 ("again }", "again =", "again: T"), ("kept; again", "kept: T", "kept: T"),
                                 ("second }", "second =", "second: i32"), ("twice(self", "twice(value", "fn twice("),
                                 ("plain(n)", "plain(first", "fn plain("), ("STEP }", "STEP: i32", "const STEP: i32"),
                                 ("one)", "one: i32 }", "one: i32")):
        client = Client(contra)
        client.open(URI, NESTED)
        place = find(NESTED, use)
        shown = client.at("hover", URI, **place)["contents"]["value"]
        same((use, type_ in shown), (use, True))
        client.change(URI, 2, {"text": NESTED})
        same((use, client.at("definition", URI, **place)["range"]["start"]), (use, find(NESTED, declared)))
        same(client.end(), 0)


MEMBERS = """use furiosa_visa_std::prelude::*;
axes![A = 64, B = 8];
type Held = HbmTensor<i32, m![1], m![A]>;
trait Wide {
    const LIMIT: usize;
    fn width(&self) -> usize;
    fn area(&self, height: usize) -> usize {
        let twice = self.width() * height;
        twice + Self::LIMIT
    }
}
struct Pad { inside: usize }
impl Pad {
    const EXTRA: usize = 3;
    const MORE: usize = Self::EXTRA + 1;
    fn more(&self) -> usize { self.inside + Self::EXTRA + Pad::MORE }
}
fn of_any<A: M, W: Wide>(x: &HbmTensor<i32, m![1], m![A, B]>, wide: W) -> usize { <m![A]>::SIZE + wide.width() }
#[device(chip = 1)]
fn copy(ctx: &mut Context, x: &Held) -> HbmTensor<i32, m![1], m![A]> {
    let dm = x.to_dm::<m![1 # 2], m![1 # 256], m![A]>(&mut ctx.tdma, 0);
    dm.to_hbm(&mut ctx.tdma, 0)
}
"""


def members(contra):
    """In bodies that traits give, of constants of impl blocks, and of generics that are called as an axis."""
    client = Client(contra)
    client.open(URI, MEMBERS)
    same([each["code"] for each in client.settled(URI, 1)], [])
    for name, count in {"twice = ": 2, "height: usize": 2, "LIMIT: usize": 2, "Self::LIMIT": 2, "width(&self)": 3, "width() * ": 3,
                        "wide.width": 3, "EXTRA: usize": 3, "MORE: usize": 2, "A = 64": 4, "A: M": 3, "B = 8": 2}.items():
        place = find(MEMBERS, name)
        place["character"] += name.index("::") + 2 if name.startswith("Self") else 5 if name == "wide.width" else 0
        found = client.ask("textDocument/references", {"textDocument": {"uri": URI}, "position": place,
                                                       "context": {"includeDeclaration": True}})
        same((name, len(found)), (name, count))
    same(client.end(), 0)


def types_of_tensors(contra):
    """The alias that is written, or else the axes."""
    client = Client(contra)
    client.open(URI, MEMBERS)
    same(client.at("typeDefinition", URI, **find(MEMBERS, "x: &Held"))["range"]["start"], find(MEMBERS, "Held ="))
    for variable, axes in ("dm =", ["A = 64"]), ("dm.to_hbm", ["A = 64"]), ("x: &HbmTensor", ["B = 8"]):
        places = [each["range"]["start"] for each in client.at("typeDefinition", URI, **find(MEMBERS, variable))]
        same((variable, places), (variable, [find(MEMBERS, axis) for axis in axes]))
    same(client.end(), 0)


CRATE = {
    "Cargo.toml": MANIFEST,
    "src/lib.rs": "pub mod part;\npub struct Size { pub wide: i32 }\npub fn area(size: Size) -> i32 { size.wide }\n",
    "src/part.rs": "use crate::{area, Size};\npub fn one() -> i32 { area(Size { wide: 1 }) }\n",
    "tests/named.rs": "use whole_thing::{area, Size};\n#[test]\nfn named() { area(Size { wide: 2 }); }\n",
    "tests/inside.rs": "#[test]\nfn inside() { whole_thing::area(whole_thing::Size { wide: 3 }); }\n",
    "src/bin/tool.rs": "fn main() { whole_thing::part::one(); }\n",
}
OTHER = {
    "Cargo.toml": MANIFEST.replace("whole-thing", "other") + '[dependencies]\nwhole-thing = { path = "../whole" }\n',
    "src/lib.rs": "use whole_thing::area;\nuse whole_thing::Size;\npub fn more() -> i32 { area(Size { wide: 4 }) }\n",
}


def workspace():
    return Folder({f"{crate}/{name}": text for crate, files in (("whole", CRATE), ("other", OTHER))
                   for name, text in files.items()})


def names(calls, side):
    return sorted(f"{call[side]['uri'].rsplit('/', 2)[-2]}/{call[side]['uri'].rsplit('/', 1)[-1]} {call[side]['name']} "
                  f"{len(call['fromRanges'])}" for call in calls)


def calls_across_programs(contra):
    """Whatever is open: of the tests and programs of a crate, and of others in the folder."""
    everywhere = ["src/lib.rs more 1", "src/part.rs one 1", "tests/inside.rs inside 1", "tests/named.rs named 1"]
    for also in ((), ("whole/tests/named.rs",), ("whole/tests/inside.rs", "other/src/lib.rs")):
        with workspace() as folder:
            client = Client(contra, folders=[folder.path])
            for name in also:
                folder.open(client, name)
            folder.open(client, "whole/src/lib.rs")
            library = folder.uri("whole/src/lib.rs")
            item, = client.at("prepareCallHierarchy", library, **find(CRATE["src/lib.rs"], "area"))
            incoming = client.ask("callHierarchy/incomingCalls", {"item": item})
            same(names(incoming, "from"), everywhere)
            inside = next(call["from"] for call in incoming if call["from"]["name"] == "inside")
            same(names(client.ask("callHierarchy/outgoingCalls", {"item": inside}), "to"), ["src/lib.rs area 1"])
            one = next(call["from"] for call in incoming if call["from"]["name"] == "one")
            same(names(client.ask("callHierarchy/incomingCalls", {"item": one}), "from"), ["bin/tool.rs main 1"])
            same(client.end(), 0)


def places(folder, uris):
    counts = {}
    for uri in uris:
        name = uri.removeprefix("file://" + folder.path + "/")
        counts[name] = counts.get(name, 0) + 1
    return counts


def references_across_programs(contra):
    with workspace() as folder:
        client = Client(contra, folders=[folder.path])
        library = folder.uri("whole/src/lib.rs")
        folder.open(client, "whole/src/lib.rs")
        folder.open(client, "whole/tests/named.rs")
        found = client.at("references", library, **find(CRATE["src/lib.rs"], "wide"), context={"includeDeclaration": True})
        same(places(folder, (each["uri"] for each in found)),
             {"whole/src/lib.rs": 2, "whole/src/part.rs": 1, "whole/tests/named.rs": 1, "whole/tests/inside.rs": 1,
              "other/src/lib.rs": 1})
        local = client.at("references", library, **find(CRATE["src/lib.rs"], "size.wide"))
        same(places(folder, (each["uri"] for each in local)), {"whole/src/lib.rs": 2})
        same(client.end(), 0)


def rename_across_programs(contra):
    """From a use in a test; every place once."""
    with workspace() as folder:
        client = Client(contra, folders=[folder.path])
        named = folder.uri("whole/tests/named.rs")
        folder.open(client, "whole/tests/named.rs")
        answer = client.at("rename", named, **find(CRATE["tests/named.rs"], "Size {"), newName="Extent")
        changes = answer["changes"]
        same(places(folder, (uri for uri, edits in changes.items() for _ in edits)),
             {"whole/src/lib.rs": 2, "whole/src/part.rs": 2, "whole/tests/named.rs": 2, "whole/tests/inside.rs": 1,
              "other/src/lib.rs": 2})
        same(client.end(), 0)


SHARED = {
    "large.rs": "use furiosa_visa_std::prelude::*;\nmod part;\naxes![Row = 64];\ntype Held = m![Row];\nfn main() { part::width(); }\n",
    "small.rs": "use furiosa_visa_std::prelude::*;\nmod part;\naxes![Row = 8];\nfn main() { part::width(); Row::SIZE; }\n",
    "apart.rs": "use furiosa_visa_std::prelude::*;\naxes![Row = 2];\nfn main() { Row::SIZE; }\n",
    "part/mod.rs": "use super::*;\nmod deep;\npub fn width() -> usize { Row::SIZE + deep::twice() }\n",
    "part/deep.rs": "use super::super::Row;\npub fn twice() -> usize { 2 * Row::SIZE }\n",
}
SHARED_ROWS = {"large.rs": 2, "small.rs": 2, "part/mod.rs": 1, "part/deep.rs": 2}


def rename_in_shared_modules(contra):
    """A module takes an axis of each program that names it: all get the name, whichever folder is open."""
    for name, words in (("large.rs", "Row = 64"), ("small.rs", "Row::SIZE"), ("part/mod.rs", "Row::"), ("part/deep.rs", "Row::")):
        for inside in (None, "", "part"):
            with Folder(SHARED) as folder:
                client = Client(contra, folders=[] if inside is None else [folder.at(inside).rstrip("/")])
                folder.open(client, name)
                changes = client.at("rename", folder.uri(name), **find(SHARED[name], words), newName="Line")["changes"]
                same((name, inside, places(folder, (uri for uri, edits in changes.items() for _ in edits))),
                     (name, inside, SHARED_ROWS))
                same(client.end(), 0)


def rename_that_others_cannot_follow(contra):
    """Refused with the name of the program that shares the module."""
    for small, why in (
            (SHARED["small.rs"].replace("axes![Row = 8];", "mod own { pub axes![Own = 8]; }\nuse own::Own as Row;"),
             "this is another name of it: rename it where it has its own: so it is in FOLDER/small.rs, "
             "which shares FOLDER/part/mod.rs"),
            (SHARED["small.rs"].replace("Row = 8", "Row = 8, Line = 4"),
             "`Line` is taken: it is declared in line 3 of FOLDER/small.rs")):
        with Folder({**SHARED, "small.rs": small}) as folder:
            client = Client(contra, folders=[folder.path])
            folder.open(client, "large.rs")
            answer = client.ask_raw("textDocument/rename", {"textDocument": {"uri": folder.uri("large.rs")}, "newName": "Line",
                                                            "position": find(SHARED["large.rs"], "Row = 64")})
            same(answer.get("error", {}).get("message", "").replace(folder.path, "FOLDER"), why)
            same(client.end(), 0)


def references_in_shared_modules(contra):
    """From the module what each program means; from a program its own. The folder that is open may be too narrow."""
    for name, words, wanted in (("part/mod.rs", "Row::", SHARED_ROWS),
                                ("part/mod.rs", "width", {"large.rs": 1, "small.rs": 1, "part/mod.rs": 1}),
                                ("large.rs", "Row = 64", {"large.rs": 2, "part/mod.rs": 1, "part/deep.rs": 2})):
        for inside in (None, "part"):
            with Folder(SHARED) as folder:
                client = Client(contra, folders=[folder.at(inside)] if inside else [])
                folder.open(client, name)
                found = client.at("references", folder.uri(name), **find(SHARED[name], words), context={"includeDeclaration": True})
                same((name, inside, places(folder, (each["uri"] for each in found))), (name, inside, wanted))
                same(client.end(), 0)


def programs_that_come_later(contra):
    """One that nobody has open begins to name a module, and nobody tells the server."""
    for inside in (None, ""):
        with Folder(SHARED) as folder:
            client = Client(contra, folders=[] if inside is None else [folder.path])
            folder.open(client, "large.rs")
            for apart, more in ((SHARED["apart.rs"], {}), (SHARED["apart.rs"].replace("axes!", "mod part;\naxes!"), {"apart.rs": 2})):
                folder.put("apart.rs", apart)
                changes = client.at("rename", folder.uri("large.rs"), **find(SHARED["large.rs"], "Row ="), newName="Line")["changes"]
                same(places(folder, (uri for uri, edits in changes.items() for _ in edits)), {**SHARED_ROWS, **more})
            same(client.end(), 0)


def rename_in_a_module_alone(contra):
    """Nobody is known to name it, and its names may be used by whoever does."""
    for name, text in (("mod.rs", "pub fn width() -> usize { let wide = 1; wide }\n"),
                       ("part.rs", "use super::*;\npub fn width() -> usize { let wide = 1; wide }\n")):
        with Folder({name: text}) as folder:
            client = Client(contra, folders=[folder.path])
            folder.open(client, name)
            answer = client.ask_raw("textDocument/rename", {"textDocument": {"uri": folder.uri(name)}, "newName": "span",
                                                            "position": find(text, "width")})
            same(answer.get("error", {}).get("message"), "no program is found that names this module: open one that does")
            changes = client.at("rename", folder.uri(name), **find(text, "wide ="), newName="span")["changes"]
            same(places(folder, (uri for uri, edits in changes.items() for _ in edits)), {name: 2})
            same(client.end(), 0)


GROUPS = """mod m {
    pub enum Kind { A, B, C }
}
use m::Kind::{A, B, self};
use m::{Kind as Sort};
const FIRST: usize = Kind::COUNT + 1;
impl Kind { const COUNT: usize = 3; }
fn f(_k: Kind) -> Sort { let _ = (B, FIRST); Kind::C }
fn main() { f(A); }
"""


def names_of_groups(contra):
    """What stands before braces is one name; what is called otherwise keeps that name."""
    uri = "file:///nowhere/groups.rs"
    client = Client(contra)
    client.open(uri, GROUPS)
    same(client.settled(uri, 1), [])
    wanted = [1, 3, 4, 5, 6, 7, 7]
    for place in ("Kind { A", "Kind::{", "Kind as", "Kind::COUNT", "Kind) ->"):
        edits = client.at("rename", uri, **find(GROUPS, place), newName="Shape")["changes"][uri]
        same([each["range"]["start"]["line"] for each in edits], wanted)
        same(len(client.at("references", uri, **find(GROUPS, place))), len(wanted))
    same(client.at("definition", uri, **find(GROUPS, "m::{Kind"))["range"]["start"], find(GROUPS, "m {"))
    same(client.at("definition", uri, **find(GROUPS, "COUNT + 1"))["range"]["start"], find(GROUPS, "COUNT: usize"))
    other = {"textDocument": {"uri": uri}, "position": find(GROUPS, "Sort {"), "newName": "Shape"}
    must("another name" in client.ask_raw("textDocument/rename", other)["error"]["message"], "an alias is renamed")
    same(client.end(), 0)


FIELDS = """struct S { row: i32, col: i32 }
fn f(row: i32) -> S { S { row, col: 2 } }
fn g(s: S) -> i32 { let S { row, col: c } = s; row + c }
fn h(s: &S) -> i32 { match s { S { row, .. } => *row + s.row } }
trait Area { fn area(&self) -> i32; fn twice(&self) -> i32 { 2 } }
impl Area for S { fn area(&self) -> i32 { self.row * self.col } }
impl std::ops::Neg for S { type Output = S; fn neg(self) -> S { f(g(self)) } }
fn main() { println!("{} {}", f(1).twice() + <S as Area>::area(&f(2)), h(&-f(3))); }
"""


def renamed(client, uri, text, place, name):
    """The text with another name for what stands at a place."""
    lines = text.split("\n")
    edits = client.at("rename", uri, **find(text, place), newName=name)["changes"][uri]
    for each in sorted(edits, key=lambda each: -each["range"]["start"]["character"]):
        start, end = each["range"]["start"], each["range"]["end"]
        line = lines[start["line"]]
        lines[start["line"]] = line[:start["character"]] + each["newText"] + line[end["character"]:]
    return "\n".join(lines)


def a_new_name_leaves_a_program_right(contra):
    """Fields with and without values of their own, members of traits and of what implements them."""
    uri = "file:///nowhere/fields.rs"
    client = Client(contra)
    client.open(uri, FIELDS)
    same(client.settled(uri, 1), [])
    for number, place in enumerate(("row: i32, col", "row, col: 2", "row, col: c", "row: i32) ->", "s.row", "area(&self) -> i32;",
                                    "area(&self) -> i32 {", "area(&f(2))", "twice()")):
        text = renamed(client, uri, FIELDS, place, "other")
        must(text != FIELDS, place)
        client.change(uri, 2 * number + 2, {"text": text})
        same([each["message"] for each in client.settled(uri, 2 * number + 2)], [])
        client.change(uri, 2 * number + 3, {"text": FIELDS})
        client.settled(uri, 2 * number + 3)
    same(len(client.at("references", uri, **find(FIELDS, "row: i32, col"))), 6)
    refused = {"textDocument": {"uri": uri}, "position": find(FIELDS, "neg("), "newName": "other"}
    must("by the language" in client.ask_raw("textDocument/rename", refused)["error"]["message"], "`neg` is renamed")
    same(client.end(), 0)


TAKEN = """use furiosa_visa_std::prelude::*;
axes![A = 8, B = 4];
type Chip = m![1];
type Cluster = m![1 # 2];
struct Pair { one: i32, two: i32 }
impl Pair { fn sum(&self) -> i32 { self.one + self.two } fn less(&self) -> i32 { self.one } }
enum Side { Left, Right }
fn load(x: i32) -> i32 { x }
fn store<T: Copy>(kept: T, more: i32) -> T { let first = more; let last = load(first) + more; let _ = last; kept }
fn bound<K: M>(t: &HbmTensor<i8, Chip, K>) -> usize { let load = 1; load + A::SIZE }
fn loops() -> i32 { let mut n = 0; for i in 0..2 { n += i; } for j in 0..3 { n += j; } n }
"""


def rename_into_taken_names(contra):
    """Refused with the other's place; what hides nothing is done."""
    client = Client(contra)
    client.open(URI, TAKEN)
    for old, new, line in (("A = 8", "B", 2), ("A = 8", "Chip", 3), ("Chip = m", "Cluster", 4), ("one: i32", "two", 5),
                           ("sum(&self", "less", 6), ("Left", "Right", 7), ("load(x", "store", 9), ("kept: T", "more", 9),
                           ("more: i32", "kept", 9), ("first = more", "more", 9), ("more: i32", "first", 9),
                           ("first = more", "load", 8), ("K: M", "Chip", 3), ("Chip = m", "K", 10), ("A = 8", "M", None),
                           ("n = 0", "i", 11)):
        answer = client.ask_raw("textDocument/rename", {"textDocument": {"uri": URI}, "position": find(TAKEN, old),
                                                        "newName": new})
        where = f"in line {line} of /nowhere/program.rs" if line else "by the language"
        same((old, answer.get("error", {}).get("message")), (old, f"`{new}` is taken: it is declared {where}"))
    for old, new in (("j in", "i"), ("i in", "j"), ("last = load", "first"), ("B = 4", "I8x"), ("B = 4", "BlockId"),
                     ("Left", "Pair"), ("one: i32", "load"), ("load(x", "Chip"), ("kept: T", "A")):
        answer = client.ask_raw("textDocument/rename", {"textDocument": {"uri": URI}, "position": find(TAKEN, old),
                                                        "newName": new})
        same((old, new, answer.get("error")), (old, new, None))
    same(client.end(), 0)


SIZES = """use furiosa_visa_std::prelude::*;
axes![A = 8];
type Whole = m![A];
mod part { pub fn one() -> usize { 1 } pub mod deep { pub fn two() {} } }
use part::{self, deep};
const SQUARE: usize = A::SIZE * Whole::SIZE * <Whole>::SIZE;
fn f(whole: HostTensor<i8, Whole>) -> usize { deep::two(); A::SIZE + part::one() + SQUARE }
fn g<K: M>() -> usize { K::SIZE }
"""


def members_of_mappings(contra):
    """SIZE has its hover in bodies and outside of them; a type leads to itself; a place is listed once."""
    client = Client(contra)
    client.open(URI, SIZES)
    for words, more in (("SIZE * Whole", ""), ("SIZE * <", ""), ("SIZE;", ""), ("SIZE + part", "\n\nhere 8"), ("SIZE }\n", "")):
        shown = client.at("hover", URI, **find(SIZES, words))["contents"]["value"]
        same((words, shown.strip()), (words, "const SIZE: usize\n\nPositions of the mapping." + more))
    for words in ("Whole>", "Whole = ", "Whole::"):
        same(client.at("typeDefinition", URI, **find(SIZES, words))["range"]["start"], find(SIZES, "Whole ="))
    found = client.at("references", URI, **find(SIZES, "part {"), context={"includeDeclaration": True})
    same([each["range"]["start"] for each in found], [find(SIZES, words) for words in ("part {", "part::{", "part::one")])
    same(client.end(), 0)


GENERIC = """use furiosa_visa_std::prelude::*;
axes![A = 512, B = 8];
type Part<B> = DmTensor<i32, m![1], m![1 # 2], m![A % 256], m![A / 256, { B }]>;
fn part<R: M>(ctx: &mut Context, x: &HbmTensor<i32, m![1], m![A, { R }]>) -> Part<R> { x.to_dm(&mut ctx.tdma, 0) }
#[device(chip = 1)]
fn copy(ctx: &mut Context, x: &HbmTensor<i32, m![1], m![A, B # 16]>) -> HbmTensor<i32, m![1], m![A, B # 16]> {
    part::<m![B # 16]>(ctx, x).to_hbm(&mut ctx.tdma, 0)
}
"""


def questions_leave_no_trace(contra):
    """What a generic mapping is, depends on who uses it: asked alone it is open, and whoever uses it compiles as before."""
    for first in (None, "{ B }]", "m![A / 256, {", "B }]"):
        client = Client(contra)
        client.open(URI, GENERIC)
        same(client.settled(URI, 1), [])
        if first:
            shown = client.at("hover", URI, **find(GENERIC, first))["contents"]["value"]
            must("m![A" not in first or "depends on generics" in shown, shown)
        shown = client.at("hover", URI, **find(GENERIC, "to_hbm"))["contents"]["value"]
        must(" cycles" in shown, f"after {first}: {shown}")
        same(client.end(), 0)


def tests(contra):
    return [(f"navigate: {test.__name__.replace('_', ' ')}", lambda t=test: t(contra))
            for test in (items_in_bodies, calls_across_programs, references_across_programs, rename_across_programs,
                         rename_in_shared_modules, rename_that_others_cannot_follow, references_in_shared_modules,
                         programs_that_come_later, rename_in_a_module_alone, names_of_groups,
                         a_new_name_leaves_a_program_right, rename_into_taken_names,
                         members_of_mappings, members, types_of_tensors, questions_leave_no_trace)]
