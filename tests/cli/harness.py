"""Runs the command under test and many small checks at once."""

import concurrent.futures
import json
import os
import shlex
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "harness"))

from report import brief

TIMEOUT_SECONDS = 60  # far above what any case needs, so a hang is reported as one


class Failed(Exception):
    """A check that did not hold; the text says what was expected and what came."""


class Result:
    def __init__(self, args, status, out, err):
        self.args, self.status, self.out, self.err = args, status, out, err

    def __str__(self):
        lines = [f"  $ {command_text(self.args)}", f"  exit status {self.status}"]
        for name, body in (("stdout", self.out), ("stderr", self.err)):
            lines += [f"  {name}: {line}" for line in shorten(brief(body)).splitlines()]
        return "\n".join(lines)


def shorten(body, limit=4000):
    return body if len(body) <= limit else body[:limit] + f"... ({len(body)} characters)"


def command_text(args):
    return shorten("contra " + " ".join(shlex.quote(arg) for arg in args), 600)


class Contra:
    """The program, called as a user calls it: arguments in, status and two texts out."""

    def __init__(self, path):
        self.path = path

    def run(self, args, stdin="", cwd=None, variables=None):
        env = dict(os.environ, LC_ALL="C.UTF-8", **(variables or {}))
        env.pop("NO_COLOR", None)
        try:
            done = subprocess.run([self.path, *args], input=stdin, capture_output=True, text=True, env=env,
                                  timeout=TIMEOUT_SECONDS, errors="backslashreplace", cwd=cwd)
        except subprocess.TimeoutExpired:
            raise Failed(f"  $ {command_text(args)}\n  still running after {TIMEOUT_SECONDS} s") from None
        result = Result(args, done.returncode, done.stdout, done.stderr)
        if result.status not in (0, 1, 2):
            raise Failed(f"{result}\n  the exit status must be 0, 1 or 2")
        return result

    def json(self, args, status=(0,)):
        """The JSON document a command prints; any other status than those given is a failure."""
        result = self.run([*args, "--format=json"])
        if result.status not in status:
            raise Failed(f"{result}\n  exit status {' or '.join(map(str, status))} expected")
        return self.document(result), result

    @staticmethod
    def document(result):
        try:
            return json.loads(result.out)
        except ValueError as error:
            raise Failed(f"{result}\n  stdout is not one JSON document: {error}") from None


def diagnostic_codes(document):
    return [diag.get("code") for diag in document.get("diagnostics", [])]


def run_all(tests, workers=2):
    """Runs (name, function) pairs; returns [(name, failure text or None)] in the order given."""
    def one(test):
        name, function = test
        try:
            function()
            return name, None
        except Failed as failure:
            return name, str(failure)
        except Exception as error:  # a bug of the tests, or a document without an expected key
            return name, f"  {type(error).__name__}: {error!r} at {_where(error)}"
    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        return list(pool.map(one, tests))


def _where(error):
    trace = error.__traceback__
    while trace.tb_next:
        trace = trace.tb_next
    return f"{os.path.basename(trace.tb_frame.f_code.co_filename)}:{trace.tb_lineno}"
