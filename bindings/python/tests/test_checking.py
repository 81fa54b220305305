"""Checking, diagnostics and what explains them."""

import pytest

import contra

REFUSED = "tests/negative/collect/time_missing.rs"


def test_what_is_right(tmp_path):
    checked = contra.check("examples/hello/gemm.rs")
    assert checked and checked.kernels == 1 and checked.errors == 0 and checked.diagnostics == []
    assert checked.text.startswith("program gemm chip=1")
    assert contra.check(["examples/hello/gemm.rs", "examples/hello/gemv.rs"]).files == 2
    (tmp_path / "gemm.tcp").write_text(checked.text)
    assert contra.check(tmp_path / "gemm.tcp").operations == checked.operations


def test_errors_carry_diagnostics():
    with pytest.raises(contra.Error) as refused:
        contra.check(REFUSED)
    (diagnostic,) = refused.value.diagnostics
    assert (diagnostic.code, diagnostic.severity, diagnostic.group) == ("E0633", "error", "collect")
    assert (diagnostic.file, diagnostic.line, diagnostic.column) == (REFUSED, 10, 11)
    assert diagnostic.message.startswith("collect makes Time") and diagnostic.manual == "Collect Engine, Packet Normalization"
    assert diagnostic.notes[1].span.line == 8 and str(diagnostic) == str(refused.value)
    assert "error[E0633]" in str(diagnostic)


def test_helps_can_be_applied():
    checked = contra.check(REFUSED, raise_on_error=False)
    assert not checked and checked.errors == 1
    source = open(REFUSED, "rb").read()
    for edit in sorted(checked.diagnostics[0].helps[0].replacements, key=lambda edit: -edit.span.start):
        source = source[: edit.span.start] + edit.text.encode() + source[edit.span.end :]
    assert contra.check_text(source.decode(), raise_on_error=False)


def test_rules_are_relaxed():
    relaxed = contra.check(REFUSED, relax=["collect"])
    assert relaxed and [each.severity for each in relaxed.diagnostics] == ["warning"]
    with pytest.raises(ValueError, match="rules is 'all' or 'reference'"):
        contra.check(REFUSED, rules="none")


def test_texts_and_files_that_are_none():
    with pytest.raises(contra.Error) as refused:
        contra.check_text("fn f( {", "broken.rs")
    assert refused.value.diagnostics[0].file == "broken.rs"
    for read in [contra.check, contra.load]:
        with pytest.raises(contra.Error, match="missing.rs"):
            read("missing.rs")


def test_explanations():
    assert contra.explain("E0107").startswith("E0107: ")
    with pytest.raises(KeyError):
        contra.explain("E9999")


def test_machines():
    assert contra.machine()["name"] == "rngd" and contra.machine("rngd-s")["name"] == "rngd-s"
    with pytest.raises(contra.Error):
        contra.machine("abacus")
    with pytest.raises(contra.Error):
        contra.load("examples/hello/gemm.rs", machine="abacus")
    assert contra.load("examples/hello/gemm.rs", machine="rngd-s").kernels
