"""The extension for VS Code, as far as it can be tested without the editor: its own tests, in Node. Downloads nothing."""

import glob
import os
import re
import shutil
import subprocess

from client import Failed, Skipped
from golden import HERE

EXTENSION = os.path.join(HERE, "..", "..", "editors", "vscode")
OLDEST_NODE = 18


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


def check_bundle(contra):
    """What is packed, with the server, in an editor that is none."""
    bundle = os.path.join(EXTENSION, "dist", "extension.cjs")
    if not os.path.isfile(bundle):
        raise Skipped("it was not built (make vscode)")
    sources = glob.glob(os.path.join(EXTENSION, "src", "*.js")) + [os.path.join(EXTENSION, "package-lock.json")]
    if max(map(os.path.getmtime, sources)) > os.path.getmtime(bundle):
        raise Skipped("it was built before its sources changed (make vscode)")
    run(contra, "bundle.test.js")


def tests(contra):
    files = ("manifest", "gate", "commands")
    return [(f"vscode {name}", lambda name=name: run(contra, f"{name}.test.js")) for name in files] + [
        ("vscode grammars", lambda: check_grammars(contra)),
        ("vscode bundle", lambda: check_bundle(contra)),
    ]
