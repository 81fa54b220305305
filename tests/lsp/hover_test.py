#!/usr/bin/python3
"""What hovers say, of every kind of place: `^` in a question stands where the cursor is."""

from client import HERE, Client, finish, golden, position

# where in programs/pass.rs
PLACES = [
    "axes![R = 8, ^C = 64", "m![^R, 1 # 32]", "type ^Slice", "^m![C / 8, C % 8 # 16]", "C % 8 ^# 16",
    "^Slice, m![C]>(", "let ^x = x.to_dm", "let x = ^x.to_dm", "= x.^to_dm::", "let ^y: DmTensor", ".begin(^x.view())",
    ".^begin(", ".^fetch::", ".^collect::", ".^vector_init()", ".^vector_fxp(FxpBinaryOp::AddFxp", "FxpBinaryOp::^MulInt",
    "^BranchMode::", ".^commit(", "^ctx\n", ".^main\n", "&mut ctx.^tdma, 0)", "fn ^double", "^Ending,", "^Stored,",
    "^Left { address", "struct ^Plan", "self.^steps * each", "^self.steps", "plan.^total(", "^N as i32", "of: ^T",
    "^values.iter()", ".^fold(", "let width: i32 = ^\"three\"", "\n    ^width\n", "all + ^value", "HbmTensor<^i32",
    "enum Ending ^{", "/// How a ^kernel", "let x^ = x.to_dm",
]


def hover(client, uri, text, place):
    at = text.find(place.replace("^", ""))
    if at < 0:
        return "(this place is not in the program)"
    where = position(text, at + place.index("^"))
    answer = client.request("textDocument/hover", {"textDocument": {"uri": uri}, "position": where})
    if not answer:
        return "nothing"
    span = answer.get("range")
    shown = ""
    if span:
        line = text.split("\n")[span["start"]["line"]]
        shown = "[" + line[span["start"]["character"]:span["end"]["character"]] + "]\n"
    return shown + answer["contents"]["value"]


def main():
    client = Client()
    path = HERE / "programs/pass.rs"
    text, uri = path.read_text(), path.as_uri()
    client.open(uri, text)
    client.wait_diagnostics(uri)
    answers = [(place.replace("\n", "\\n"), hover(client, uri, text, place)) for place in PLACES]
    assert client.close() == 0
    finish(*golden("hover", answers))


main()
