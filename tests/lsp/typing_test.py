#!/usr/bin/python3
"""A program as it is typed: after every few letters, with the rest of it behind the cursor or not, questions about
the place get an answer, whatever the text is."""

import random

from client import HERE, Client, finish, position

STEP = 23  # letters between two questions
QUESTIONS = ["hover", "completion", "signatureHelp", "definition"]


def texts(text, seed):
    """Texts with the place to ask about: the beginning alone, something left out, something broken."""
    draw = random.Random(seed)
    for at in range(0, len(text), STEP):
        yield text[:at], at
        yield text[:at] + text[min(len(text), at + draw.randrange(40)):], at
        yield text[:at] + draw.choice(".:<([{,\"|&'#/ ;m![x.to_") + text[at:], at + 1


def main():
    client = Client(text_document={"completion": {"completionItem": {"snippetSupport": True}}})
    text = (HERE / "programs/pass.rs").read_text()
    uri, version, asked, failed = "file:///tests/typing.rs", 1, 0, 0
    client.open(uri, "")
    for broken, at in texts(text, 1):
        version += 1
        client.notify("textDocument/didChange", {"textDocument": {"uri": uri, "version": version},
                                                 "contentChanges": [{"text": broken}]})
        for question in QUESTIONS:
            answer = client.request(f"textDocument/{question}",
                                    {"textDocument": {"uri": uri}, "position": position(broken, at)})
            asked += 1
            if isinstance(answer, dict) and "code" in answer:
                failed += 1
                print(f"{question} at {at}: {answer}")
    assert client.close() == 0
    finish(asked - failed, failed)


main()
