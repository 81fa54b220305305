"""Answers about long texts: four times the text is about four times the work, on one line, too."""

import os

from client import Client, must

URI = "untitled:/long.rs"
TICKS_OF_NOISE = 20
TIMES_AS_MUCH = 6  # for four times the text: 4 if every piece is looked at once, 16 if each piece looks at all others


def axes(count):
    return "axes![" + ", ".join(f"A{i} = 2" for i in range(count)) + "];\n"


def factors(count):
    return "axes![A = 2];\ntype T = m![" + ", ".join(["A % 2"] * count) + "];\n"


def comments_in_comments(count):
    return "/*" * count


def calls_of_calls(count):
    return "fn f() { let x = 1" + ".abs()" * count + "; }\n"


def uses_of_a_function(count):
    return "fn n1() -> i32 { 2 }\n" + "".join(f"fn f{i}() -> i32 {{ n1() }}\n" for i in range(count))


def uses_in_a_function(count):
    return "fn n1() -> i32 { 2 }\nfn f() { let mut s = 0;\n" + "s += n1();\n" * count + "}\n"


def ticks_of(client):
    """Processor time of the server so far: what others do meanwhile does not count."""
    with open(f"/proc/{client.worker()}/stat", encoding="utf-8") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return int(fields[11]) + int(fields[12])


def work(contra, method, text):
    client = Client(contra, encodings=("utf-16",), patience=120)
    client.open(URI, text)
    client.settled(URI, 1)
    before = ticks_of(client)
    place = {"line": text.count("\n", 0, text.find("1")), "character": text.find("1")}
    client.send({"id": 0, "method": f"textDocument/{method}", "params": {
        "textDocument": {"uri": URI}, "positions": [place], "position": place, "newName": "other",
        "range": {"start": {"line": 0, "character": 0}, "end": {"line": 9, "character": 0}}}})
    length = int(client.process.stdout.readline().split(b":")[1])
    client.process.stdout.read(length + 2)  # not parsed: answers may be deeper than Python likes
    after = ticks_of(client)
    client.process.kill()
    client.process.wait()
    return after - before


def grows_no_faster(method, text_of, count):
    def run(contra):
        if not os.path.exists("/proc/self/stat"):
            return
        few, many = (work(contra, method, text_of(each)) for each in (count, 4 * count))
        must(many <= TIMES_AS_MUCH * few + TICKS_OF_NOISE,
             f"{method} takes {few} ticks of {count}, and {many} of four times as much")
    return run


CASES = [("documentSymbol", axes, 3000), ("semanticTokens/full", axes, 3000), ("semanticTokens/full", factors, 5000),
         ("semanticTokens/full", comments_in_comments, 12500), ("foldingRange", comments_in_comments, 12500),
         ("selectionRange", calls_of_calls, 2500), ("foldingRange", calls_of_calls, 2500),
         ("rename", uses_of_a_function, 1500), ("rename", uses_in_a_function, 1500)]


def tests(contra):
    return [(f"long texts: {method} of {text_of.__name__.replace('_', ' ')}",
             lambda run=grows_no_faster(method, text_of, count): run(contra)) for method, text_of, count in CASES]
