"""Formatting changes blanks and brackets of `m![..]` and nothing else, and only once."""

import glob
import os

from client import Failed, uri_of
from golden import opened, text_of

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
HEAD = "use furiosa_visa_std::prelude::*;\naxes![A=8 ,B = 512];\n"

# (as it is typed, as it should be)
CASES = [
    ("m![A]", "m![A]"),
    ("m![ A,B ]", "m![A, B]"),
    ("m![A ,B/4%2#8]", "m![A, B / 4 % 2 # 8]"),
    ("m ! [B=4#16]", "m![B = 4 # 16]"),
    ("m!(A, B)", "m![A, B]"),
    ("m!{A,B/4}", "m![A, B / 4]"),
    ("m ! {  [A ,{ X}#16]  }", "m![[A, { X } # 16]]"),
    ("m![{m!{A,B}}#16]", "m![{ m![A, B] } # 16]"),
    ("m![(A,B)/2]", "m![[A, B] / 2]"),
    ("m![A,[ A , B ]]", "m![A, [A, B]]"),
    ("m![{X}#16 , {  X  }]", "m![{ X } # 16, { X }]"),
    ("m![{Y< m![A,B] >}]", "m![{ Y< m![A, B] > }]"),
    ("m![A,\n        B/ 4]", "m![A,\n        B / 4]"),
    ("m![A /* all */,B]", "m![A /* all */, B]"),
    ("m![A, // all\n    B]", "m![A, // all\n    B]"),
    ("m![1#2]", "m![1 # 2]"),
    ("m![A,]", "m![A,]"),
    ("m![A,B ,]", "m![A, B,]"),
    # what is broken stays as it is
    ("m![A,,B]", "m![A,,B]"),
    ("m![A/B]", "m![A/B]"),
    ("m![]", "m![]"),
]


def program(mapping):
    return f"{HEAD}type X = m![A];\ntype  Y<T>=T;\ntype Z = {mapping};\nfn f(a : i32){{ let b = a/2%3 ; }}\n"


def offset(text, place):
    lines = text.split("\n")
    return sum(len(line) + 1 for line in lines[:place["line"]]) + place["character"]


def applied(text, edits):
    for each in sorted(edits, key=lambda each: -offset(text, each["range"]["start"])):
        start, end = (offset(text, each["range"][side]) for side in ("start", "end"))
        text = text[:start] + each["newText"] + text[end:]
    return text


def formatted(client, uri, method="formatting", **more):
    options = {"tabSize": 4, "insertSpaces": True}
    return client.ask(f"textDocument/{method}", {"textDocument": {"uri": uri}, "options": options, **more})


def expect(found, expected):
    if found != expected:
        raise Failed(f"expected {expected!r}\nfound    {found!r}")


def check_case(contra, typed, wanted):
    with opened(contra, "typed.rs", program(typed)) as (client, uri):
        text = applied(program(typed), formatted(client, uri))
        expect(text, program(wanted))
        client.change(uri, 2, {"text": text})
        expect(formatted(client, uri), [])


def check_examples(contra):
    """Examples are written as the formatter has them."""
    for path in sorted(glob.glob(os.path.join(ROOT, "examples/**/*.rs"), recursive=True)):
        with opened(contra, path, text_of(path)) as (client, uri):
            expect((path, formatted(client, uri)), (path, []))


def check_parts(contra):
    """A range formats what meets it, a bracket what it ends."""
    text = f"{HEAD}type X = m![A,B];\ntype Y = m![B,A];\ntype Z = m![B/2];\n"
    place = lambda line, character: {"line": line, "character": character}
    with opened(contra, "typed.rs", text) as (client, uri):
        edits = formatted(client, uri, "rangeFormatting", range={"start": place(3, 0), "end": place(3, 17)})
        expect(applied(text, edits), text.replace("[B,A]", "[B, A]"))
        edits = formatted(client, uri, "onTypeFormatting", position=place(4, 16), ch="]")
        expect(applied(text, edits), text.replace("[B/2]", "[B / 2]"))


def tests(contra):
    cases = [(f"formatting {typed!r}", lambda typed=typed, wanted=wanted: check_case(contra, typed, wanted))
             for typed, wanted in CASES]
    return [*cases, ("formatting examples", lambda: check_examples(contra)),
            ("formatting parts", lambda: check_parts(contra))]
