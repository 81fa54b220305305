"""The extension for VS Code, as far as it can be tested without the editor: its own tests, in Node. Downloads nothing."""

import os
import re
import shutil
import subprocess

from client import Failed, Skipped
from golden import HERE

EXTENSION = os.path.join(HERE, "..", "..", "editors", "vscode")
OLDEST_NODE = 20


def node():
    found = shutil.which("node")
    if not found:
        raise Skipped("node is missing (package nodejs)")
    version = subprocess.run([found, "--version"], capture_output=True, text=True).stdout
    if not (match := re.match(r"v(\d+)", version)) or int(match[1]) < OLDEST_NODE:
        raise Skipped(f"node is older than {OLDEST_NODE}: {version.strip()}")
    return found


def run(contra, file):
    command = [node(), "--test", "--test-reporter=spec", os.path.join("test", file)]
    done = subprocess.run(command, cwd=EXTENSION, env={**os.environ, "CONTRA": contra}, capture_output=True, text=True,
                          timeout=120)
    if done.returncode:
        raise Failed(done.stdout + done.stderr)


def check_grammars(contra):
    if not os.path.isdir(os.path.join(EXTENSION, "node_modules", "vscode-textmate")):
        raise Skipped("the engine of the grammars is missing (npm ci in editors/vscode)")
    run(contra, "grammar.test.js")


def check_build(_):
    """The bundle, where it was built, is JavaScript that asks the editor for nothing but `vscode`."""
    bundle = os.path.join(EXTENSION, "dist", "extension.cjs")
    if not os.path.isfile(bundle):
        raise Skipped("it was not built (make vscode)")
    done = subprocess.run([node(), "--check", bundle], capture_output=True, text=True, timeout=60)
    if done.returncode:
        raise Failed(done.stderr)


def tests(contra):
    files = ("manifest", "gate", "commands")
    return [(f"vscode {name}", lambda name=name: run(contra, f"{name}.test.js")) for name in files] + [
        ("vscode grammars", lambda: check_grammars(contra)),
        ("vscode bundle", lambda: check_build(contra)),
    ]
