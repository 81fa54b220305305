"""The extension for VS Code, as far as it can be tested without the editor: its own tests, in Node.

The packages that it is built of are fetched when they are not there (npm ci); where npm cannot, what needs them is skipped.
"""

import contextlib
import fcntl
import glob
import json
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


# ---- packages of npm, and what is built with them

@contextlib.contextmanager
def alone():
    """Other runs of these tests fetch and build in the same folder."""
    with open(os.path.join(EXTENSION, "package.json"), "rb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def versions(lock):
    """Of the packages that every machine needs."""
    with open(os.path.join(EXTENSION, lock), encoding="utf-8") as file:
        packages = json.load(file)["packages"]
    return {name: about["version"] for name, about in packages.items() if name and not about.get("optional")}


def are_fetched():
    kept = os.path.join("node_modules", ".package-lock.json")
    return os.path.isfile(os.path.join(EXTENSION, kept)) and versions("package-lock.json") == versions(kept)


def fetch():
    npm = shutil.which("npm")
    if not npm:
        raise Skipped("npm is missing (package npm)")
    command = [npm, "ci", "--no-audit", "--no-fund", "--fetch-retries=1", "--fetch-timeout=20000"]
    try:
        done = subprocess.run(command, cwd=EXTENSION, capture_output=True, text=True, timeout=300)
    except subprocess.TimeoutExpired:
        raise Skipped("npm ci in editors/vscode takes too long")
    if done.returncode:
        said = [line for line in done.stderr.splitlines() if "error" in line.lower()] or ["it says nothing"]
        raise Skipped(f"npm ci in editors/vscode fetches nothing: {said[0]}")


def have_packages():
    with alone():
        if not are_fetched():
            fetch()


def have_bundle():
    bundle = os.path.join(EXTENSION, "dist", "extension.cjs")
    sources = [*glob.glob(os.path.join(EXTENSION, "src", "*.js")), *(os.path.join(EXTENSION, name) for name in
                                                                    ("build.js", "package-lock.json"))]
    with alone():
        if os.path.isfile(bundle) and max(map(os.path.getmtime, sources)) <= os.path.getmtime(bundle):
            return
        done = subprocess.run([node(), "build.js"], cwd=EXTENSION, capture_output=True, text=True, timeout=120)
    if done.returncode:
        raise Failed(done.stdout + done.stderr)


def check_grammars(contra):
    node()
    have_packages()
    run(contra, "grammar.test.js")


def check_bundle(contra):
    """What is packed, with the server, in an editor that is none."""
    node()
    have_packages()
    have_bundle()
    run(contra, "bundle.test.js")


def tests(contra):
    files = ("manifest", "gate", "commands")
    return [(f"vscode {name}", lambda name=name: run(contra, f"{name}.test.js")) for name in files] + [
        ("vscode grammars", lambda: check_grammars(contra)),
        ("vscode bundle", lambda: check_bundle(contra)),
    ]
