"""Golden answers that are texts: one file of many questions, each with what the server said."""

import os

from client import Failed
from golden import HERE, text_of


def position(text, offset):
    """Line and character (in bytes) of an offset."""
    before = text[:offset]
    return {"line": before.count("\n"), "character": len(before[before.rfind("\n") + 1:].encode())}


def path_of(name):
    return os.path.join(HERE, "golden", name + ".txt")


def write(name, answers):
    with open(path_of(name), "w", encoding="utf-8") as file:
        for question, answer in answers.items():
            file.write(f"==== {question}\n{answer.rstrip()}\n\n")


def known(name):
    answers = {}
    for part in text_of(path_of(name)).split("==== ")[1:]:
        question, _, answer = part.partition("\n")
        answers[question] = answer.rstrip()
    return answers


def tests(name, ask, contra, questions):
    """A test for each question, all of which are asked at once when the first of them runs."""
    found = {}

    def test(question):
        if not found:
            found.update(ask(contra))
        expected, answer = known(name).get(question), found[question].rstrip()
        if answer != expected:
            raise Failed(f"golden/{name}.txt says\n{expected}\nthe server said\n{answer}\n"
                         "(tests/lsp/run --write, if it is right)")
    return [(f"{name}: {question}", lambda question=question: test(question)) for question in questions]
