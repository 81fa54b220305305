"""Neovim as people use it, without a screen: editors/nvim and nvim.lua, on copies of our examples."""

import os
import shutil
import subprocess
import sys
import tempfile

from client import Failed, Skipped
from golden import HERE, text_of

ROOT = os.path.dirname(os.path.dirname(HERE))
SETUP = os.path.join(ROOT, "editors", "nvim")
SECONDS = 60
COPIES = {
    "crate/src/kernel.rs": "examples/hello/constant_add.rs",
    "constant_add.rs": "examples/hello/constant_add.rs",
    "time_missing.rs": "tests/negative/collect/time_missing.rs",
    "program.tcp": "tests/negative/program/stage_too_early.tcp",
}
OTHERS = {
    "other.rs": "fn main() {}\n",
    "crate/Cargo.toml": "[package]\nname = \"part\"\n\n[dependencies]\nfuriosa-visa-std = \"*\"\n",
    "crate/src/lib.rs": "mod kernel;\nmod part;\n",
    "whole.rs": "use furiosa_visa_std::prelude::*;\naxes![A = 8];\nmod parts;\nfn main() { parts::part(); }\n",
    "parts/mod.rs": "use super::A;\nmod inner;\n#[path = \"../beside/mod.rs\"]\npub(crate) mod beside;\n"
                    "pub fn part() { let x: Absent = A::SIZE; }\n",
    "parts/inner.rs": "pub mod deep;\n",
    "parts/inner/deep.rs": "pub fn one() {}\n",
    "beside/mod.rs": "pub fn one() {}\n",
    "below/alone.rs": "use furiosa_visa_std::prelude::*;\n",
    "crate/src/part.rs": "fn part() {}\n",
}


def fill(work):
    for name, source in COPIES.items():
        os.makedirs(os.path.dirname(os.path.join(work, name)), exist_ok=True)
        shutil.copyfile(os.path.join(ROOT, source), os.path.join(work, name))
    for name, text in OTHERS.items():
        path = os.path.join(work, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)


def folder():
    """A temporary one. What ends with Neovim may still write into it while it goes away."""
    return tempfile.TemporaryDirectory(ignore_cleanup_errors=True)


def surroundings(home, **more):
    """Nothing of who runs the tests: neither settings nor plugins, and no files left behind."""
    places = {name: os.path.join(home, name) for name in
              ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR")}
    for path in places.values():
        os.makedirs(path, mode=0o700, exist_ok=True)
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("NVIM", "VIM", "XDG"))}
    return {**kept, **places, "TMPDIR": home, "CONTRA_SETUP": SETUP, **more}


def must_have_neovim():
    if not shutil.which("nvim"):
        raise Skipped("Neovim is missing (package neovim)")


def play(contra, scene):
    """The files after a scene, by name."""
    must_have_neovim()
    with folder() as home, folder() as work:
        fill(work)
        command = ["nvim", "--headless", "-u", "NONE", "-i", "NONE", "-n", "-S", os.path.join(HERE, "nvim.lua")]
        try:
            result = subprocess.run(command, cwd=work, env=surroundings(home, CONTRA=contra, CONTRA_SCENE=scene),
                                    stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=SECONDS)
        except subprocess.TimeoutExpired as late:
            raise Failed(f"Neovim took more than {SECONDS} s: {late.stderr}")
        if result.returncode:
            raise Failed(result.stdout + result.stderr)
        return {name: text_of(os.path.join(work, name)) for name in COPIES}


def expect(files, name, *changes):
    """The file is the one that was copied, with these changes and no others."""
    text = text_of(os.path.join(ROOT, COPIES[name]))
    for old, new in changes:
        if old not in text:
            raise Failed(f"`{old}` is not in {COPIES[name]}")
        text = text.replace(old, new)
    if files[name] != text:
        raise Failed(f"the buffer is\n{files[name]}\ninstead of\n{text}")


def quick_fix(contra):
    expect(play(contra, "quick_fix"), "time_missing.rs",
           ("m![A], m![B % 32]> {", "m![A, B / 32], m![B % 32]> {"))


def completion(contra):
    expect(play(contra, "completion"), "constant_add.rs", ("vector_fxp(FxpBinaryOp::AddFxp, 5)", "vector_fxp(FxpBinaryOp::AddFxp, operand)"))


def missing_stage(contra):
    expect(play(contra, "missing_stage"), "constant_add.rs",
           ("""
        .fetch::<i32, m![Values / 8 % 2], m![Values % 8]>() // two packets of 32 bytes""",
            ".fetch::<i32, m![1], m![Values % 16]>()"))


def rename(contra):
    expect(play(contra, "rename"), "constant_add.rs", ("Values", "Number"))


def formatting(contra):
    expect(play(contra, "formatting"), "constant_add.rs")


def captures(contra):
    script = os.path.join(ROOT, "scripts", "capture-editors")
    result = subprocess.run([sys.executable, script, "--contra", contra, "--check"], capture_output=True, text=True)
    if result.returncode:
        raise Failed(result.stdout + result.stderr)
    if result.stdout.startswith("skipped: "):
        raise Skipped(result.stdout.removeprefix("skipped: ").strip())


WRITING = {"completion": completion, "quick_fix": quick_fix, "missing_stage": missing_stage, "rename": rename, "formatting": formatting}
READING = ["diagnostics", "hover", "navigation", "commands", "lenses", "explain", "program_text",
           "other_files", "explain_nothing", "kernel_of_module", "new_file", "module_beside", "one_server", "schedule_page",
           "lines_for_8", "lines_for_11"]


def tests(contra):
    scenes = {scene: lambda contra, scene=scene: play(contra, scene) for scene in READING} | WRITING
    scenes["captures in docs/editors.md"] = captures
    return [(f"nvim: {scene}", lambda test=test: test(contra)) for scene, test in scenes.items()]
