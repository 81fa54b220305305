"""A program as it is typed: after every few letters, with the rest of it behind the cursor or not, questions about
the place get an answer, whatever the text is."""

import random

from client import Client, Failed
from golden import program, text_of
from texts import position

STEP = 23  # letters between two questions
QUESTIONS = ["hover", "completion", "signatureHelp", "definition"]


def broken(text, seed):
    """Texts with the place to ask about: the beginning alone, something left out, something put in."""
    draw = random.Random(seed)
    for at in range(0, len(text), STEP):
        yield text[:at], at
        yield text[:at] + text[min(len(text), at + draw.randrange(40)):], at
        more = draw.choice([".", "::", "::<", "(", "m![", "{", "<", ",", "\"", "|", "&", "let ", "x.", "match ", ";"])
        yield text[:at] + more + text[at:], at + len(more)


def every_question_is_answered(contra):
    snippets = {"completion": {"completionItem": {"snippetSupport": True}}}
    client = Client(contra, capabilities={"textDocument": snippets})
    uri = "file:///tests/half_typed.rs"
    client.open(uri, "")
    for number, (text, at) in enumerate(broken(text_of(program("pass.rs")), 1)):
        client.change(uri, number + 2, {"text": text})
        for question in QUESTIONS:
            client.at(question, uri, **position(text, at))
    if client.end() != 0:
        raise Failed("the server ended badly")


def tests(contra):
    return [("half typed: every question is answered", lambda: every_question_is_answered(contra))]
