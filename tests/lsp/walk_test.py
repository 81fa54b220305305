"""A hover on every name of our examples: something is said of each, and of each stage of a kernel what it costs."""

import collections
import glob
import os
import re

import texts
from client import Client, must, same, uri_of
from golden import HERE, text_of
from texts import position

ROOT = os.path.dirname(os.path.dirname(HERE))
KEYWORDS = set("as async await break const continue crate else enum false fn for if impl in let loop match mod move mut"
               " pub ref return self Self static struct super true type unsafe use where while _".split())
STAGE = re.compile(r"^Stage `\w+` of the Tensor Unit", re.M)


def names(text):
    """Where each name stands; none in comments and strings."""
    code = re.sub(r"//[^\n]*|b?\"(?:[^\"\\]|\\.)*\"", lambda skipped: " " * len(skipped[0]), text)
    return [(each[0], each.start()) for each in re.finditer(r"(?<!['\w])[A-Za-z_]\w*", code) if each[0] not in KEYWORDS]


def ask(contra):
    client = Client(contra, capabilities={"textDocument": {"hover": {"contentFormat": ["markdown"]}}})
    empty, poor = collections.Counter(), []
    for path in sorted(glob.glob(os.path.join(ROOT, "examples", "**", "*.rs"), recursive=True)):
        text, uri = text_of(path), uri_of(path)
        client.open(uri, text)
        client.settled(uri, 1)
        for name, offset in names(text):
            hover = client.at("hover", uri, **position(text, offset))
            if not hover:
                empty[name] += 1
                continue
            said = hover["contents"]["value"]
            lacks = [what for what, sign in (("cycles", " cycles**"), ("configuration", "```text")) if sign not in said]
            if STAGE.search(said) and lacks:
                poor.append(f"{os.path.basename(path)}:{text[:offset].count(chr(10)) + 1} {name}: no {', no '.join(lacks)}")
        client.shut(uri)
    client.end()
    return {"names without a hover": "\n".join(f"{name} {count}" for name, count in sorted(empty.items())) or "none",
            "stages without cycles or configuration": "\n".join(poor) or "none"}


QUESTIONS = ["names without a hover", "stages without cycles or configuration"]


# In llama/kernels/attention.rs: who goes on with the stream of `products`, which is in another file, and what it commits.
CONTINUED = {"HeadTiles, 1, m![Tok": "D % 4 # 8", "OutTiles, 1, m![Tok": "Emb % 4 # 8"}


def passes_of_two_files(contra):
    """Each is told from the others that begin at the same place."""
    path = os.path.join(ROOT, "examples", "models", "llama", "kernels", "attention.rs")
    text, client = text_of(path), Client(contra)
    client.open(uri_of(path), text)
    for words, committed in CONTINUED.items():
        line = text[:text.index(words)].rindex("commit_view")
        said = client.at("hover", uri_of(path), **position(text, line))["contents"]["value"]
        must(f"[Tok = 1 : 0, {committed}" in said, said)
    same(client.end(), 0)


def tests(contra):
    return texts.tests("walk", ask, contra, QUESTIONS) + [("walk: passes of two files", lambda: passes_of_two_files(contra))]


def write(contra):
    texts.write("walk", ask(contra))
