"""What hovers say, of every kind of place: `^` in a question stands where the cursor is."""

import texts
from golden import opened, program, text_of
from texts import position

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

# the same for a client that shows no Markdown
PLAIN = ["type ^Slice", ".^collect::", "let ^y: DmTensor", "let width: i32 = ^\"three\""]


def hover(client, uri, text, place):
    at = text.find(place.replace("^", ""))
    if at < 0:
        return "(this place is not in the program)"
    where = position(text, at + place.index("^"))
    answer = client.at("hover", uri, **where)
    if not answer:
        return "nothing"
    span = answer.get("range")
    shown = ""
    if span:
        line = text.split("\n")[span["start"]["line"]]
        shown = "[" + line[span["start"]["character"]:span["end"]["character"]] + "]\n"
    return shown + answer["contents"]["value"]


def ask_as(contra, hovers, places):
    text = text_of(program("pass.rs"))
    with opened(contra, "pass.rs", capabilities={"textDocument": {"hover": hovers}}) as (client, uri):
        client.settled(uri, 1)
        return {place: hover(client, uri, text, place) for place in places}


def ask(contra):
    answers = ask_as(contra, {"contentFormat": ["markdown"]}, PLACES)
    plain = ask_as(contra, {"contentFormat": ["plaintext"]}, PLAIN)
    return {**{name(place): answer for place, answer in answers.items()},
            **{name(place) + ", without Markdown": answer for place, answer in plain.items()}}


def name(place):
    return place.replace("\n", "\\n")


def tests(contra):
    return texts.tests("hover", ask, contra, texts.known("hover"))


def write(contra):
    texts.write("hover", ask(contra))
