"""Replacements that helps carry: applied to the refused program, they make its error disappear."""

import os
import re
import tempfile

import programs
from harness import Failed

UNREADABLE = ("E0401", "E0402", "E0403", "E0801")  # codes for a text that does not parse
LEAST_CODES = 30  # with a replacement that programs can apply, over the golden refusals


def count_of(document, code):
    return sum(diag["code"] == code for diag in document["diagnostics"])


def apply(path, replacements):
    """The text of the file with all replacements of one help done."""
    with open(path, "rb") as file:
        text = file.read()
    spans = sorted(((edit["span"]["start"], edit["span"]["end"], edit["text"].encode()) for edit in replacements),
                   reverse=True)
    for (start, end, _), (_, end_before, _) in zip(spans, spans[1:]):
        if start < end_before:
            raise Failed(f"replacements overlap at {start}")
    for start, end, new in spans:
        if not 0 <= start <= end <= len(text):
            raise Failed(f"{start}..{end} is outside of the text")
        text = text[:start] + new + text[end:]
    return text


def fixes_of(document, path):
    """(diagnostic, help) pairs whose replacements are all in this file."""
    for diag in document["diagnostics"]:
        for help_ in diag["helps"]:
            edits = help_["replacements"]
            if edits and all(os.path.abspath(edit["span"]["file"]) == os.path.abspath(path) for edit in edits):
                yield diag, help_


def expect_fixed(contra, path, code):
    document = programs.check(contra, path)
    with tempfile.TemporaryDirectory() as folder:
        copy = os.path.join(folder, os.path.basename(path))
        for diag, help_ in fixes_of(document, path):
            if diag["code"] != code:
                continue
            with open(copy, "wb") as file:
                file.write(apply(path, help_["replacements"]))
            after, _ = contra.json(["check", *programs.options_of(path), copy], (0, 1))
            if count_of(after, code) >= count_of(document, code):
                raise Failed(f"{diag['message']}\nis still said after the help \"{help_['text']}\" is done")
            broken = [other for other in after["diagnostics"] if other["code"] in UNREADABLE]
            if broken:
                raise Failed(f"\"{help_['text']}\" makes {broken[0]['message']}")


def unreadable(contra, text, suffix):
    """How often each code for a text that does not parse is reported, with this text as a program of its own."""
    with tempfile.TemporaryDirectory() as folder:
        copy = os.path.join(folder, "copy" + suffix)
        with open(copy, "wb") as file:
            file.write(text)
        document, _ = contra.json(["check", copy], (0, 1))
    return [count_of(document, code) for code in UNREADABLE]


def apply_each(contra, path):
    """Applies every help that has replacements, one at a time: the changed text must still parse."""
    with programs.folder_of(path) as (folder, _):
        helps = [help_ for diag in programs.check(contra, path)["diagnostics"] for help_ in diag["helps"]]
        for help_ in helps:
            for name in {edit["span"]["file"] for edit in help_["replacements"]}:
                file = os.path.join(folder, name)
                after = apply(file, [edit for edit in help_["replacements"] if edit["span"]["file"] == name])
                suffix = os.path.splitext(name)[1]
                before = unreadable(contra, apply(file, []), suffix)
                if any(now > then for now, then in zip(unreadable(contra, after, suffix), before)):
                    raise Failed(f"\"{help_['text']}\" makes a text that cannot be read")


def expect_meant(contra, path, words):
    """Every error has a help that starts with these words; with all of them applied, the program is accepted."""
    document = programs.check(contra, path)
    meant = [help_ for _, help_ in fixes_of(document, path) if help_["text"].startswith(words)]
    if len(meant) != len(document["diagnostics"]):
        raise Failed(f"{len(meant)} suggestions for {len(document['diagnostics'])} errors")
    with tempfile.TemporaryDirectory() as folder:
        copy = os.path.join(folder, os.path.basename(path))
        with open(copy, "wb") as file:
            file.write(apply(path, [edit for help_ in meant for edit in help_["replacements"]]))
        programs.expect_accepted(contra, copy)


def expect_no_fix(contra, path):
    found = [help_["text"] for _, help_ in fixes_of(programs.check(contra, path), path)]
    if found:
        raise Failed(f"found {found}")


def expect_left_out(contra, path):
    """Every error names the `#[cfg(..)]` that leaves out what it misses, and offers nothing else."""
    for diag in programs.check(contra, path)["diagnostics"]:
        if diag["helps"] or not any(note["text"].startswith("this leaves out") for note in diag["notes"]):
            raise Failed(f"{diag['message']}: {diag['notes']} {diag['helps']}")


PLACED = """use furiosa_visa_std::prelude::*;
axes![S = 256, A = 8, B = 12];
#[device(chip = 1)]
fn copy(ctx: &mut Context) -> HbmTensor<bf16, m![1], m![B, S, A]> {
    let x = unsafe { HbmTensor::<bf16, m![1], m![B, S, A]>::from_addr(%s) };
    let rows = x.to_dm::<m![1 # 2], m![S], m![B, A]>(&mut ctx.tdma, 0);
    rows.to_hbm(&mut ctx.tdma, 1 << 20)
}
"""


def offered_addresses_are_accepted(contra):
    """Whatever is wrong with an address, the program is accepted at every address that a help names."""
    end = (48 << 30) - 12 * 256 * 8 * 2
    offered = 0
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "placed.rs")

        def check(address):
            with open(path, "w", encoding="utf-8") as file:
                file.write(PLACED % address)
            return contra.json(["check", path], (0, 1))[0]["diagnostics"]

        for address in (1, 2, end - 3, end - 2, end + 1, end + 2, (1 << 63) - 1, 1 << 63, (1 << 64) - 1):
            helps = [help_["text"] for diag in check(f"{address:#x}") for help_ in diag["helps"]]
            for place in {place for text in helps for place in re.findall(r"0x[0-9a-f]+", text)}:
                offered += 1
                errors = [diag["message"] for diag in check(place)]
                if errors:
                    raise Failed(f"{place} is offered for {address:#x}, but: {errors}")
    if offered < 10:
        raise Failed(f"only {offered} addresses are offered")


def fixable(contra):
    """Codes whose golden refusal carries a replacement, with the program."""
    found = {}
    for code, path in sorted(programs.refused_programs().items()):
        if os.path.exists(os.path.join(os.path.dirname(path), "part_of_crate")):
            continue
        if any(diag["code"] == code for diag, _ in fixes_of(programs.check(contra, path), path)):
            found[code] = path
    return found


def expect_many(codes):
    if len(codes) < LEAST_CODES:
        raise Failed(f"only {len(codes)} codes carry a replacement: {', '.join(codes)}")


def tests(contra):
    found = fixable(contra)
    names = os.path.join(programs.ROOT, "tests/negative/language")
    each = [(f"replacements in {os.path.relpath(path, programs.ROOT)}", lambda path=path: apply_each(contra, path))
            for path in programs.roots("tests/negative")]
    each += [
        ("misspelled names", lambda: expect_meant(contra, os.path.join(names, "misspelled_names.rs"), "did you mean")),
        ("names that cfg leaves out", lambda: expect_left_out(contra, os.path.join(names, "left_out.rs"))),
        ("numbers of another type", lambda: expect_meant(contra, os.path.join(names, "number_cast.rs"), "write")),
        ("elements of another type", lambda: expect_no_fix(contra, os.path.join(names, "element_not_cast.rs"))),
        ("addresses that are offered", lambda: offered_addresses_are_accepted(contra)),
        ("names without a similar one", lambda: expect_no_fix(contra, os.path.join(names, "name_without_likeness.rs"))),
    ]
    return each + [(f"replacement of {code}", lambda code=code, path=path: expect_fixed(contra, path, code))
            for code, path in found.items()] + [("codes with a replacement", lambda: expect_many(sorted(found)))]
