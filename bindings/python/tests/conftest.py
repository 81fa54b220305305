"""The package as it lies here, with the library of build/dev; the last line counts as other suites do."""

import os
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
os.environ.setdefault("CONTRA_LIBRARY", str(ROOT / "build/dev/libcontra.so"))
sys.path.insert(0, str(ROOT / "bindings/python"))


@pytest.fixture(autouse=True)
def at_the_root(monkeypatch):
    monkeypatch.chdir(ROOT)


def pytest_unconfigure(config):
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    if reporter:
        count = {name: len(reporter.stats.get(name, [])) for name in ["passed", "failed", "error"]}
        print(f"{count['passed']} passed, {count['failed'] + count['error']} failed")
