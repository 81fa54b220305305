"""Program texts (`.tcp`): what there is of them, and that whatever else is asked has an empty answer, not a wrong one."""

from client import Client, must, same

URI = "file:///nowhere/two.tcp"
TEXT = """// Two programs.
program copy chip=1
axis S = 256
axis A = 64
%0 x = param hbm i32 chip [1] element [S, A] at 0x0 // a tensor
tdma to_dm %0 -> %1 = dm cluster [1 # 2] slice [S] element [A] at 0x0
tdma to_hbm %1 -> %2 = hbm element [S, A] at 0x10000000
return %2
end

program half chip=1
axis S =
pass main
  begin %7
"""
CLIENTS = {"hierarchy": {"textDocument": {"documentSymbol": {"hierarchicalDocumentSymbolSupport": True}}}, "flat": {}}
NOTHING = {"codeAction": [], "codeLens": [], "completion": {"isIncomplete": False, "items": []}, "definition": None,
           "documentHighlight": None, "formatting": [], "inlayHint": [], "onTypeFormatting": [], "prepareCallHierarchy": None,
           "rangeFormatting": [], "references": None, "semanticTokens/full": [], "semanticTokens/range": [],
           "signatureHelp": None, "typeDefinition": None}
REFUSED = {"prepareRename", "rename"}  # with words, as everywhere that there is no name


def opened(contra, **more):
    client = Client(contra, **more)
    client.open(URI, TEXT)
    return client


def places():
    return [{"line": number, "character": at} for number, line in enumerate(TEXT.split("\n")) for at in range(len(line) + 1)]


def other_questions(contra):
    """At every place of a text that is half right."""
    client = opened(contra)
    lines = TEXT.count("\n")
    more = {"range": {"start": {"line": 0, "character": 0}, "end": {"line": lines, "character": 0}}, "newName": "other", "ch": "]",
            "context": {"diagnostics": [], "includeDeclaration": True}, "options": {"tabSize": 4, "insertSpaces": True}}
    for place in places():
        for method, wanted in {**NOTHING, **dict.fromkeys(REFUSED)}.items():
            answer = client.ask_raw(f"textDocument/{method}", {"textDocument": {"uri": URI}, "position": place, **more})
            if method in REFUSED:
                same((method, place, answer["error"]["message"]), (method, place, "there is no name here"))
            else:
                found = answer.get("result", answer.get("error"))
                found = found["data"] if method.startswith("semanticTokens") else found
                same((method, place, found), (method, place, wanted))
        selection, = client.ask("textDocument/selectionRange", {"textDocument": {"uri": URI}, "positions": [place]})
        must("range" in selection, "no selection")
        client.at("hover", URI, **place)
    same(client.end(), 0)


def programs(contra):
    """Those with mistakes, too; each folds."""
    for name, capabilities in CLIENTS.items():
        client = opened(contra, capabilities=capabilities)
        found = client.ask("textDocument/documentSymbol", {"textDocument": {"uri": URI}})
        same([each["name"] for each in found], ["copy", "half"])
        ranges = [each.get("range") or each["location"]["range"] for each in found]
        same([(each["start"]["line"], each["end"]["line"]) for each in ranges], [(1, 8), (10, 13)] if name == "hierarchy" else
             [(1, 1), (10, 10)])
        folds = client.ask("textDocument/foldingRange", {"textDocument": {"uri": URI}})
        same([(each["startLine"], each["endLine"]) for each in folds], [(1, 8), (10, 13)])
        same([each["name"] for each in client.ask("workspace/symbol", {"query": "cop"})], ["copy"])
        same(client.end(), 0)


def rules(contra):
    """Diagnostics as of `contra check`, and a hover with the rule behind each."""
    client = opened(contra)
    found = client.settled(URI, 1)
    same(sorted(each["code"] for each in found), ["E0801", "E0804", "E0810"])
    shown = client.at("hover", URI, **found[0]["range"]["start"])["contents"]["value"]
    must(found[0]["code"] in shown, shown)
    same(client.end(), 0)


def tests(contra):
    return [(f"program text: {test.__name__.replace('_', ' ')}", lambda t=test: t(contra))
            for test in (other_questions, programs, rules)]
