"""What can be written at the cursor, in texts as they are while somebody types. `|` is the cursor."""

import re

import texts
from client import Client, Failed
from texts import position

HEAD = """use furiosa_visa_std::prelude::*;
axes![R = 8, C = 64];
type Chip = m![1];
type Cluster = m![1 # 2];
type Slice = m![R, 1 # 32];
type Number = i32;
"""
KERNEL = HEAD + """#[device(chip = 1)]
fn double(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![R, C]>) -> HbmTensor<i32, Chip, m![R, C]> {
    let x = x.to_dm::<Cluster, Slice, m![C]>(&mut ctx.tdma, 0);
    %s
    y.to_hbm(&mut ctx.tdma, 1 << 28)
}
"""
FLOAT = HEAD + """#[device(chip = 1)]
fn halve(ctx: &mut Context, x: &HbmTensor<f32, Chip, m![R, C]>) -> HbmTensor<f32, Chip, m![R, C]> {
    let x = x.to_dm::<Cluster, Slice, m![C]>(&mut ctx.tdma, 0);
    let y = ctx.main.begin(x.view()).fetch::<f32, m![1], m![C]>().collect::<m![C / 8], m![C % 8]>()
        .vector_init().vector_intra_slice_branch(BranchMode::Unconditional)%s
}
"""
PASS = "let y = ctx.main.begin(x.view())"
FETCH = PASS + ".fetch::<i32, m![1], m![C]>()"
FLITS = FETCH + ".collect::<m![C / 8], m![C % 8]>()"
VECTOR = FLITS + ".vector_init().vector_intra_slice_branch(BranchMode::Unconditional)"
HOST = HEAD + """mod shapes {
    pub fn area(width: i32, height: i32) -> i32 { width * height }
    fn secret() {}
    pub struct Box3 { pub side: i32, hidden: i32 }
    impl Box3 {
        pub fn cube(side: i32) -> Box3 { Box3 { side, hidden: 0 } }
        /// How much is in it.
        pub fn volume(&self) -> i32 { self.side * self.side * self.side }
    }
    pub enum Kind { Flat, Solid { height: i32 }, Named(i32) }
}
use shapes::Kind;
trait Loud { fn shout(&self, times: usize) -> String; }
const LIMIT: i32 = 10;
fn helper(first: i32, second: &str) -> i32 { first }
fn main() {
    let total = helper(1, "a");
    let pair = (total, 2.5);
    %s
}
fn after() {}
"""

def kernel(body):
    return KERNEL.replace("%s", body)


def halve(body):
    return FLOAT.replace("%s", body)


def host(body):
    return HOST.replace("%s", body)


PATTERNS = {"Kind::Flat", "Kind::Solid", "Kind::Named", "Kind", "_", "total", "let", "Some", "None", "true", "false"}

# name: (text, which labels are shown; None: all of them)
CASES = {
    "after begin": (kernel(PASS + ".|;"), None),
    "after begin, nothing behind": (kernel(PASS + ".|"), None),
    "after fetch, half a word": (kernel(FETCH + ".co|"), None),
    "after collect, in the middle of a chain": (kernel(FLITS + "\n        .|\n        .commit(0);"), None),
    "after vector_init": (kernel(FLITS + ".vector_init().|"), None),
    "after a branch of i32": (kernel(VECTOR + ".|"), None),
    "after a branch of f32": (halve(".|"), None),
    "after a split of f32": (halve(".vector_split::<m![C / 4], m![C % 4]>().|"), None),
    "after a concat of f32": (halve(".vector_split::<m![C / 4], m![C % 4]>()"
                                       ".vector_concat::<m![C / 8], m![C % 8]>().|"), None),
    "after vector_final": (halve(".vector_final().|"), None),
    "operators, all free": (kernel(VECTOR + ".vector_fxp(FxpBinaryOp::|)"), None),
    "operators, one taken": (kernel(VECTOR + ".vector_fxp(FxpBinaryOp::AddFxp, 1).vector_fxp(FxpBinaryOp::|, 2)"),
                             None),
    "operators, of a stream in a variable": (kernel(
        "let s = ctx.main.begin(x.view()).fetch::<i32, m![1], m![C]>().collect::<m![C / 8], m![C % 8]>()"
        ".vector_init().vector_intra_slice_branch(BranchMode::Unconditional).vector_fxp(FxpBinaryOp::MulInt, 1);\n"
        "    let y = s.vector_fxp(FxpBinaryOp::|"), None),
    "multipliers": (halve(".vector_split::<m![C / 4], m![C % 4]>()"
                             ".vector_fp_binary(FpBinaryOp::MulF(FpMulAlu::Mul0), 2.0)"
                             ".vector_fp_binary(FpBinaryOp::MulF(FpMulAlu::|"), None),
    "an argument that is an operator": (kernel(VECTOR + ".vector_clip(ClipBinaryOpI32::Min, 1).vector_clip(|"),
                                        {"ClipBinaryOpI32::" + name for name in ["Min", "Max", "AbsMin", "AddFxp"]}),
    "an argument that is a context": (kernel("let y = x.to_hbm::<m![R, C]>(|"), {"&mut ctx.tdma", "&mut ctx.pdma", "x"}),
    "an argument of any kind": (kernel("let y = x.to_hbm::<m![R, C]>(&mut ctx.tdma, |"), {"&mut ctx.tdma", "x"}),
    "a tensor": (kernel("let y = x.|"), None),
    "a tensor, the next statement behind": (kernel("let y = x.|\n    let z = 1;"), None),
    "the context": (kernel("let y = ctx.|"), None),
    "brackets are there": (kernel(FETCH + ".co|(0)"), {"collect"}),
    "a mapping": (kernel("let y = x.to_dm::<Cluster, Slice, m![|"), None),
    "a mapping, after a comma": (kernel("let y = x.to_dm::<Cluster, Slice, m![R, |]>(&mut ctx.tdma, 0);"), None),
    "a mapping, a number": (kernel("let y = x.to_dm::<Cluster, Slice, m![C % |]>(&mut ctx.tdma, 0);"), None),
    "a mapping, generics": (HEAD + "fn f<A: AxisName, E: M, T, const N: usize>(x: &Tensor<i32, m![|", None),
    "a type argument": (kernel("let y = x.to_dm::<|"), {"Cluster", "Slice", "m!", "x", "Number", "let"}),
    "a type": (host("let x: |"), {"i32", "Number", "Vec", "total", "helper", "shapes", "Kind", "Chip", "m!"}),
    "a result": (HEAD + "fn f() -> |", {"i32", "Number", "Vec", "DmTensor", "f"}),
    "names": (host("let x = |"), {"total", "pair", "x", "helper", "LIMIT", "Kind", "shapes", "after", "match", "main",
                                   "Vec", "launch", "area", "Loud", "m!", "R"}),
    "names, half a word": (host("hel|"), {"total", "helper"}),
    "names in a closure": (host("let add = |each: i32| { let more = 1; @\n };"),
                           {"each", "more", "add", "total"}),
    "names in a loop": (host("for (at, value) in [1, 2].iter().enumerate() { @\n }"), {"at", "value", "total"}),
    "names of a block that is over": (host("{ let inner = 1; } @"), {"inner", "total"}),
    "names of an arm": (host("match Kind::Flat { Kind::Named(depth) => @, _ => 0 }"), {"depth", "total"}),
    "names after if let": (host("if let Kind::Named(depth) = Kind::Flat { @ }"), {"depth", "total"}),
    "a variable": (host("total.|"), {"abs", "pow", "to_string", "max"}),
    "a tuple": (host("pair.|"), {"0", "1"}),
    "a struct": (host("shapes::Box3::cube(2).|"), {"side", "hidden", "volume", "cube"}),
    "the fields of a struct": (host("let x = Kind::Solid { |"), None),
    "the fields of a struct, the second": (HEAD + "struct S { a: i32, b: f32 }\nfn f() { let x = S { a: 1, | }; }", None),
    "the value of a field": (HEAD + "struct S { a: i32, b: f32 }\nfn f(c: i32) { let x = S { a: | }; }", {"a", "c"}),
    "in an impl block": (HEAD + "struct S;\nimpl S {\n    |\n}\n", {"fn", "let"}),
    "in a block": (HEAD + "struct S;\nimpl S {\n    fn f() {\n        |\n    }\n}\n", {"fn", "let"}),
    "a module": (host("let x = shapes::|"), None),
    "a type of a module": (host("let x = shapes::Box3::|"), None),
    "an enum": (host("let x = Kind::|;"), None),
    "a text": (host("\"a\".|"), {"len", "trim", "chars"}),
    "a future": (host("later(1).|") + "async fn later(x: i32) -> i32 { x }\n", {"await"}),
    "in brackets": (host("helper(pair.|, 1)"), {"0", "1"}),
    "a use": ("use furiosa_visa_std::|", None),
    "a use of one name": ("use furiosa_visa_std::prelude::Dm|;", {"DmTensor", "DmTensorView"}),
    "a use in braces": (host("use shapes::{area, |};"), None),
    "the top of a file": (HEAD + "|", None),
    "in a comment": (host("// to|"), None),
    "in a string": (host("let x = \"tot|"), None),
    "in a number": (host("let x = 12|;"), None),
    "a name that is declared": (host("let to|"), None),
    "the bound of a generic": (HEAD + "trait Loud { fn shout(&self, times: usize) -> i32; }\n"
                               "fn f<T: Loud>(x: T) { x.|", None),
    "an unclosed function before": (HEAD + "fn f(a: i32) {\n    let b = a.|\n\nfn g() {}\n", {"abs"}),
    "a pattern": (host("let kind = Kind::Flat; match kind { |"), {"Kind::Flat", "Kind::Solid", "Kind::Named", "Kind", "_", "total", "let"}),
    "a pattern, the second": (host("let kind = Kind::Flat; match kind { Kind::Flat => 1, | }"), PATTERNS),
    "a pattern, half a word": (host("let kind = Kind::Flat; match kind { Kind::Flat => 1, K@ => 2 }"), PATTERNS),
    "a pattern, a variant": (host("let kind = Kind::Flat; match kind { Kind::@ => 2 }"), None),
    "a pattern, after or": (host("let kind = Kind::Flat; match kind { Kind::Flat | @ => 2 }"), PATTERNS),
    "a pattern of if let": (host("let kind = Kind::Flat; if let K@ = kind { }"), PATTERNS),
    "a pattern of an option": (host("let most = [1, 2].iter().max(); match most { @ }"), PATTERNS),
    "the fields of a pattern": (host("let kind = Kind::Flat; match kind { Kind::Solid { @ } => 1, _ => 2 }"), None),
    "the fields of a pattern of let": (HEAD + "struct S { a: i32, b: f32 }\nfn f(s: S) { let S { a, @ } = s; }", None),
    "a pattern of bool": (host("match total > 1 { @ }"), PATTERNS),
    "an attribute": (HEAD + "#[@]\nfn f() {}", None),
    "an attribute, half a word": (HEAD + "#[de@]\nfn f() {}", None),
    "an attribute, what a device has": (HEAD + "#[device(@)]\nfn f() {}", None),
    "an attribute, its value": (HEAD + "#[device(chip = @)]\nfn f() {}", None),
    "an attribute, what is derived": (HEAD + "#[derive(@)]\nstruct S;", None),
    "an attribute, what is derived besides": (HEAD + "#[derive(Clone, @)]\nstruct S;", None),
    "a use, the first name": ("use @", {"furiosa_visa_std", "std", "crate", "self", "super"}),
    "a use of a module of ours": (host("use crate::@"), {"shapes", "helper", "LIMIT", "main"}),
    "a use of std": ("use std::@", None),
    "a use of std, deeper": ("use std::collections::@", None),
    "a use of super": (HEAD + "fn outer() {}\nmod inner { use super::@ }", {"outer", "R", "inner"}),
    "a field of self": (HEAD + "struct S { a: i32, b: f32 }\nimpl S { fn f(&self) -> i32 { self.@ } }", {"a", "b", "f"}),
    "a chip axis of a branch": (kernel(FLITS + ".vector_init().vector_intra_slice_branch(BranchMode::@)"), None),
    "the axis of a branch": (kernel(FLITS + ".vector_init().vector_intra_slice_branch(BranchMode::AxisToggle { axis: Ident::@ })"),
                             None),
    "a topology": (kernel(FETCH + ".switch::<m![R, 1 # 32], m![1]>(SwitchConfig::@)"), None),
    "the fields of a topology": (kernel(FETCH + ".switch::<m![R, 1 # 32], m![1]>(SwitchConfig::Transpose { @ })"), None),
    "a function of a type with its arguments": (kernel("let h = HostTensor::<i32, m![R, C]>::@;"), None),
    "a multiplier": (kernel("let op = FpBinaryOp::MulF(@"), {"FpMulAlu::Fma", "FpMulAlu::Mul0", "FpMulAlu::Mul1", "ctx"}),
    "the type of elements of a fetch": (kernel(PASS + ".fetch::<@"), {"i8", "bf16", "f32", "i32", "m!", "Number", "Slice", "u64"}),
    "a type behind that of elements": (kernel(PASS + ".fetch::<i32, @"), {"i8", "bf16", "m!", "Slice"}),
    "an argument behind &": (kernel("let y = x.to_hbm(&@"), {"&mut ctx.tdma", "mut ctx.tdma", "ctx.tdma", "ctx"}),
    "an argument behind &mut": (kernel("let y = x.to_hbm(&mut @, 0)"), {"&mut ctx.tdma", "mut ctx.tdma", "ctx.tdma", "ctx"}),
    "no names that only the library uses": (host("let value: @"), {"SignedOf", "CloneOf", "Concatenated", "DerefedOf", "Vec"}),
    "no functions that only the library uses": (host("let value = chunks@"), {"chunks_of_refs", "helper"}),
    "what no trait gives": (HEAD + "struct S { a: i32 }\nfn f(s: S) { s.@ }", None),
    "what is derived": (HEAD + "#[derive(Clone, PartialEq)]\nstruct S { a: i32 }\nfn f(s: S) { s.@ }", None),
    "what an impl of a trait gives": (HEAD + "struct S { a: i32 }\nimpl Clone for S { fn clone(&self) -> S { S { a: 1 } } }\n"
                                      "fn f(s: S) { s.@ }", None),
    "what a context has": (kernel("ctx.@"), None),
    "behind a term": (kernel(PASS + ".fetch::<i32, m![R @"), None),
    "behind a term in brackets": (kernel(PASS + ".fetch::<i32, m![[R, C] @], m![1]>()"), None),
    "behind a comma": (kernel(PASS + ".fetch::<i32, m![R, @"), {"R", "C", "/", "Slice"}),
    "a mapping in braces": (kernel(PASS + ".fetch::<i32, m![{ @ }], m![1]>()"), None),
    "a block in a list": (host("let all = vec![{ @ }];"), {"total", "helper", "LIMIT", "let"}),
    "an alias": (HEAD + "type X = @;\nfn f() {}", {"m!", "HbmTensor", "DmTensor", "Slice", "f", "main", "let", "i32"}),
    "a generic alias": (HEAD + "type X<T> = @;\nfn f() {}", {"m!", "HbmTensor", "T", "f", "let"}),
    "macros of the host": (host("@"), {"println!", "print!", "assert!", "assert_eq!", "vec!", "format!", "panic!"}),
    "no such macros in kernels": (kernel("@"), {"println!", "assert_eq!", "vec!", "m!"}),
    "a value behind an operator": (host("let x = 2 * @"), {"R", "R::SIZE", "C::SIZE", "total", "Slice"}),
    "the end of a range": (host("for i in 0..@"), {"R", "R::SIZE", "total"}),
    "the size of an axis in a kernel": (kernel("let y = C@"), {"C", "C::SIZE", "x"}),
    "a type behind &": (HEAD + "fn f(a: &@", {"mut", "i32", "Context"}),
    "a type behind &mut": (HEAD + "fn f(a: &mut @", {"mut", "i32", "Context"}),
    "a result behind &": (HEAD + "fn f() -> &@", {"mut", "i32"}),
    "behind a mapping and ::": (host("let x = <m![R]>::@"), None),
    "behind a mapping of several": (host("let x = 2 + <m![R, C / 2]>::@;"), None),
    "behind a type in brackets": (host("let x = <shapes::Box3>::@"), None),
    "behind a comparison": (host("let x = total <R>::@"), None),
    "an attribute of tokio": (HEAD + "#[tokio::@]\nasync fn f() {}", None),
    "an attribute of tokio, half a word": (HEAD + "#[tokio::te@]\nasync fn f() {}", None),
    "names after a block, nothing behind": (HEAD + "fn f(a: i32) {\n    let b = 1;\n    if a > 0 {\n        let c = 2;\n    }\n    @",
                                            {"a", "b", "c"}),
    "names after a block, a function behind": (HEAD + "fn f(a: i32) {\n    let b = 1;\n    for i in 0..a {\n        let c = i;\n    }\n"
                                               "    @\n\nfn g() {}\n", {"a", "b", "c", "i"}),
    "names after a block in an arm": (HEAD + "fn f(a: Option<i32>) {\n    match a {\n        Some(d) => {\n            if d > 1 {\n"
                                      "            }\n            @", {"a", "d"}),
    "a parameter": (HEAD + "fn f(@", None),
    "a parameter, half a word": (HEAD + "fn f(ct@)", None),
    "a parameter, the second": (HEAD + "fn f<T>(a: Vec<T>, @) {}", None),
    "a parameter of a method": (HEAD + "struct S;\nimpl S {\n    fn f(@) {}\n}\n", None),
    "a parameter of a method, the second": (HEAD + "struct S;\nimpl S {\n    fn f(&self, @) {}\n}\n", None),
    "behind async": (HEAD + "async @", None),
    "behind pub async": (HEAD + "pub async @\nfn g() {}\n", None),
    "behind async in a function": (host("let x = async @"), None),
    "before the next method": (host("let v = vec![shapes::Box3::cube(2)];\n    let w = v.@.len();"), {"len", "iter", "push"}),
    "before the next method, behind an operator": (host("let b = shapes::Box3::cube(2);\n    let w = total + b.@.abs();"),
                                                   None),
    "before the next stage": (kernel(FETCH + ".@.commit::<m![C]>(0);"), {"collect", "switch", "commit"}),
    "the constants of a float": (host("let x = f32::@;"), None),
    "the constants of an integer": (host("let x = u8::@;"), None),
    "the constants of a float of the device": (host("let x = bf16::@;"), None),
    "nothing at all": ("|", None),
}


def shown(item):
    line = item["sortText"][0] + " " + item["label"]
    if "detail" in item:
        line += "  " + item["detail"]
    if "insertText" in item:
        line += "\n    " + item["insertText"].replace("\n", "\\n")
    return line


def complete(client, name, text, labels):
    mark = "@" if "@" in text else "|"
    at = text.index(mark)
    text = text[:at] + text[at + 1:]
    uri = "file:///tests/" + name.replace(" ", "_").replace(",", "") + ".rs"
    client.open(uri, text)
    answer = client.at("completion", uri, **position(text, at))
    client.shut(uri)
    items = sorted(answer["items"], key=lambda item: item["sortText"])
    lines = [shown(item) for item in items if labels is None or item["label"] in labels]
    return "\n".join(lines) if lines else "nothing"


def ask(contra):
    snippets = {"completion": {"completionItem": {"snippetSupport": True}}}
    client = Client(contra, capabilities={"textDocument": snippets})
    answers = {name: complete(client, name, *case) for name, case in CASES.items()}
    client.end()
    return answers


# Passes that are written by taking what is offered, and what the last call is given.
WRITTEN = {
    "i32": (KERNEL, PASS, ["fetch", "collect", "vector_init", "vector_intra_slice_branch", "vector_fxp", "vector_final",
                           "commit"]),
    "f32": (KERNEL.replace("i32", "f32"), PASS,
            ["fetch", "collect", "vector_init", "vector_intra_slice_branch", "vector_split", "vector_fp_unary",
             "vector_concat", "vector_final", "commit"]),
    "cast": (KERNEL.replace("i32", "f32").replace("HbmTensor<f32, Chip, m![R, C]> {", "HbmTensor<bf16, Chip, m![R, C]> {"),
             PASS, ["fetch", "collect", "cast", "commit"]),
    "i8": (KERNEL.replace("i32", "i8"), PASS, ["fetch", "collect", "commit"]),
}
ARGUMENTS = {"address": "0x1000", "operand": "1"}


def accepted(snippet):
    """A snippet as it is when every place in it is left as offered."""
    return re.sub(r"\$\{\d+:((?:[^}\\]|\\.)*)\}", lambda place: ARGUMENTS.get(place[1], place[1]), snippet)


def what_is_offered_is_right(contra, program, body, calls):
    snippets = {"completion": {"completionItem": {"snippetSupport": True}}}
    client = Client(contra, capabilities={"textDocument": snippets})
    uri = "file:///tests/offered.rs"
    client.open(uri, "")
    for number, call in enumerate(calls):
        text = program.replace("%s", body + ".@")
        at = text.index("@")
        text = text.replace("@", "")
        client.change(uri, number + 2, {"text": text})
        items = {item["label"]: item for item in client.at("completion", uri, **position(text, at))["items"]}
        if call not in items:
            raise Failed(f"{call} is not offered after {body}")
        body += "." + accepted(items[call]["insertText"])
    client.change(uri, 100, {"text": program.replace("%s", body + ";")})
    wrong = [each["message"] for each in client.settled(uri, 100)]
    client.end()
    if wrong:
        raise Failed(f"{body}\n{wrong}")


def no_snippets(contra):
    """A client that offers neither snippets nor Markdown gets plain calls and texts."""
    for formats, kind in ([], "plaintext"), (["markdown", "plaintext"], "markdown"):
        can = {"completion": {"completionItem": {"documentationFormat": formats}}}
        client = Client(contra, capabilities={"textDocument": can})
        text = kernel(FETCH + ".")
        client.open("file:///tests/plain.rs", text)
        place = position(text, text.index(FETCH) + len(FETCH) + 1)
        items = client.at("completion", "file:///tests/plain.rs", **place)["items"]
        client.end()
        if not items or any("insertTextFormat" in item or "$" in item.get("insertText", "") for item in items):
            raise Failed(f"{items}")
        written = {item["label"]: item.get("insertText") for item in items}
        if written["collect"] != "collect::<m![C / 8], m![C % 8]>()":
            raise Failed(f"{written}")
        if {item["documentation"]["kind"] for item in items if "documentation" in item} != {kind}:
            raise Failed(f"not all are {kind}: {items}")


def tests(contra):
    offered = [(f"complete: what is offered in a pass of {name} is right",
                lambda case=case: what_is_offered_is_right(contra, *case)) for name, case in WRITTEN.items()]
    return texts.tests("complete", ask, contra, CASES) + offered + [
        ("complete: a client without snippets and Markdown", lambda: no_snippets(contra))]


def write(contra):
    texts.write("complete", ask(contra))
