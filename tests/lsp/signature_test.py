"""Help with calls while they are written: the argument at the cursor, `|`, is in brackets."""

import texts
from client import Client
from texts import position

TEXT = """use furiosa_visa_std::prelude::*;
axes![R = 8, C = 64];
type Chip = m![1];
type Cluster = m![1 # 2];
type Slice = m![R, 1 # 32];
struct Point(i32, f32);
enum Shape { Round(i32), Long { side: i32 } }
/// Adds three numbers.
fn add(a: i32, (b, c): (i32, i32)) -> i32 { a + b + c }
fn kernel(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![R, C]>) {
    let twice = |n: i32, by: &str| n * 2;
    %s
}
#[device(chip = 1)]
fn moved(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![R, C]>, count: usize) {}
fn after() {}
"""

CASES = [
    "add(|)", "add(|", "add(1, |", "add(1, (2, |", "add(add(1, (2, 3)), |)", "let x = add(1,\n        |\n    let y = 1;",
    "Point(1, |)", "Shape::Round(|", "twice(1, |)", "x.to_dm::<|", "x.to_dm::<Cluster, |", "x.to_dm::<Cluster, Slice, m![|",
    "x.to_dm::<Cluster, Slice, m![C]>(|", "x.to_dm::<Cluster, Slice, m![C]>(&mut ctx.tdma, |);", "x.view(|)",
    "let v: Vec<|", "add|(1)", "add(1, \"|\")", "println!(\"{}\", add(1, |", "unknown(|", "1 < |", "[1].iter().fold(0, |",
    "ctx.main.begin(x.|", "launch(|", "launch(moved, |", "launch(moved, (&mut *ctx, |", "launch(crate::moved, (ctx, x, |)).await;",
    "launch(add, (1, |",
]


def help_at(client, number, body):
    text = TEXT.replace("%s", body)
    at = text.index("|", text.index("n * 2"))
    text = text[:at] + text[at + 1:]
    uri = f"file:///tests/{number}.rs"
    client.open(uri, text)
    answer = client.at("signatureHelp", uri, **position(text, at))
    client.shut(uri)
    if not answer:
        return "nothing"
    help = answer["signatures"][0]
    label, active = help["label"], answer["activeParameter"]
    if active < len(help["parameters"]):
        start, end = help["parameters"][active]["label"]
        label = f"{label[:start]}[{label[start:end]}]{label[end:]}"
    return label + ("\n" + help["documentation"]["value"] if "documentation" in help else "")


def ask(contra):
    offsets = {"signatureInformation": {"parameterInformation": {"labelOffsetSupport": True}}}
    client = Client(contra, capabilities={"textDocument": {"signatureHelp": offsets}})
    answers = {name(body): help_at(client, number, body) for number, body in enumerate(CASES)}
    client.end()
    return answers


def name(body):
    return body.replace("\n", "\\n")


def tests(contra):
    return texts.tests("signature", ask, contra, map(name, CASES))


def write(contra):
    texts.write("signature", ask(contra))
