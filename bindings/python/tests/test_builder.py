"""Programs that are built call by call, or come as text."""

import re

import numpy as np
import pytest
from conftest import ROOT

import contra
from contra.builder import dm, dm_result, hbm, hbm_result, operand_f32, operand_with


def rows(program, element="i32"):
    program.axis("A", 4096)
    x = program.param("x", hbm(element, "1", "A", 0))
    return x.to_dm("tdma", "rows", dm(None, None, "1 # 2", "A / 16", "A % 16", 0))


def begun(tensor, element="i32"):
    return tensor.begin("main").fetch(element, "A / 8 % 2", "A % 8").collect("A / 8 % 2", "A % 8")


def finished(program, stream):
    program.return_(stream.commit("y", dm_result("A % 16", 0x40)).to_hbm("tdma", None, hbm_result("A", 0x4000)))
    return program.finish()


def scale(factor):
    program = contra.Builder("scale")
    stream = begun(rows(program)).vector_init().vector_intra_slice_branch("Unconditional").vector_fxp("MulInt", factor)
    return finished(program, stream.vector_final())


def test_a_program_becomes_a_kernel():
    kernel, x = scale(3), np.arange(4096, dtype=np.int32)
    assert kernel.signature == "scale(x: i32[4096]) -> i32[4096]"
    assert np.array_equal(kernel(x), x * 3) and np.array_equal(kernel(x, backend="oracle"), x * 3)
    assert kernel.schedule().cycles and np.array_equal(kernel.compile().kernel(x), x * 3)


def test_every_function_of_the_header_is_there():
    """By another reading of the header than the builder's."""
    header = re.sub(r"//[^\n]*", "", (ROOT / "include/contra.h").read_text())
    owners = {"ContraProgram": contra.Builder, "ContraTensor": contra.builder.Tensor, "ContraStream": contra.builder.Stream}
    found = re.findall(r"CONTRA_API ContraStatus contra_(\w+)\(\s*(Contra(?:Program|Tensor|Stream)) \*(?!\*)", header)
    assert len(found) > 60
    missing = [name for name, owner in found if not name.startswith("program_") and not hasattr(owners[owner], {"return": "return_"}.get(name, name))]
    values = re.findall(r"CONTRA_API Contra(?:Layout|Operand|Branch|InputCompare) contra_(\w+)\(", header)
    assert not missing and len(values) > 15 and all(callable(getattr(contra.builder, name)) for name in values)


def test_what_is_refused_is_raised_at_its_call():
    program = contra.Builder("wrong")
    stream = begun(rows(program)).vector_init().vector_intra_slice_branch("Unconditional").vector_fxp("MulInt", 3)
    with pytest.raises(contra.Error, match="AddFpx") as refused:
        stream.vector_fxp("AddFpx", 1)
    (reason,) = refused.value.diagnostics
    assert reason.file == "wrong" and reason.line == program.text.count("\n") + 1 or reason.line
    with pytest.raises(contra.Error):
        program.finish()


def test_wrong_calls():
    program = contra.Builder("wrong")
    tensor = rows(program)
    for error, words, work in [(TypeError, "missing a required argument: 'layout'", lambda: tensor.to_hbm("tdma", None)),
                               (TypeError, "a layout is needed", lambda: tensor.to_hbm("tdma", None, "A")),
                               (TypeError, "a text is needed, not 5", lambda: tensor.begin(5)),
                               (TypeError, "a tensor is needed for `tensor`", lambda: program.return_("rows")),
                               (TypeError, "no member `tabel`", lambda: tensor.begin("main").fetch("i32", "A", "1", {"tabel": []})),
                               (AttributeError, "to_nowhere", lambda: tensor.to_nowhere())]:
        with pytest.raises(error, match=words):
            work()
    kernel = scale(2)
    del kernel


def test_a_finished_program_takes_no_calls():
    program = contra.Builder("twice")
    tensor = rows(program)
    finished(program, begun(tensor).vector_init().vector_intra_slice_branch("Unconditional").vector_fxp("MulInt", 3).vector_final())
    for work in [lambda: program.axis("B", 4), lambda: tensor.begin("main"), program.finish, lambda: program.text]:
        with pytest.raises(ValueError, match="`twice` is finished"):
            work()


def test_mappings_are_texts():
    program = contra.Builder("maps")
    program.axis("A", 4096)
    whole = contra.Mapping("A", A=4096)
    x = program.param("x", hbm("i32", "1", whole, 0))
    tensor = x.to_dm("tdma", "rows", dm(None, None, "1 # 2", whole / 16, whole % 16, None))
    stream = begun(tensor).vector_init().vector_intra_slice_branch("Unconditional").vector_fxp("MulInt", 3).vector_final()
    assert "A / 16" in program.text and "tdma" in program.text
    assert finished(program, stream)(np.ones(4096, np.int32))[0] == 3


def test_operands():
    program = contra.Builder("floats")
    stream = begun(rows(program, "f32"), "f32").vector_init().vector_intra_slice_branch("Unconditional")
    stream = stream.vector_split("A / 4 % 4", "A % 4").vector_fp_ternary("FmaF", operand_with(operand_f32(2.0), 0.5))
    stream = stream.vector_concat("A / 8 % 2", "A % 8").vector_clip("Min", 100.0).vector_final()
    x = np.arange(4096, dtype=np.float32)
    assert np.array_equal(finished(program, stream)(x), np.minimum(x * 2 + 0.5, 100))


def test_counts_options_and_structs():
    program = contra.Builder("parts")
    tensor = rows(program)
    tensor.dm_cluster_shuffle("tdma", contra.builder.pattern([1, 0]), None, dm_result("A % 16", 0x8000))
    type = {"kind": "CollectTensor", "type": "i32", "chip": "1", "cluster": "1 # 2", "slice": "A / 16", "time": "A / 8 % 2", "packet": "A % 8"}
    program.input("main", type).leave_open()
    stream = tensor.begin("main").fetch("i32", "A / 8 % 2", "A % 8", options={"zero_points": [1]})
    assert isinstance(stream, contra.builder.Stream)
    program.choice([(0, 1)])
    for line in ["dm_cluster_shuffle %1 pattern (1, 0)", "input CollectTensor i32 chip [1]", "choice 0 1"]:
        assert line in program.text
    with pytest.raises(contra.Error, match="slice1=1 slice0=2 time0=3"):
        stream.switch("Broadcast01", [1, 2, 3], "A", "A")


def test_tensors_of_another_program():
    """Even if nobody else has it any more."""
    operand = contra.builder.operand_vrf(rows(contra.Builder("gone")))
    program = contra.Builder("other")
    stream = begun(rows(program)).vector_init().vector_intra_slice_branch("Unconditional")
    with pytest.raises(contra.Error, match="a tensor of another Contra"):
        stream.vector_fxp("AddFxp", operand)


def test_texts_of_programs():
    text = scale(5).text()
    again = contra.load_text(text, "scale.tcp").kernel()
    assert np.array_equal(again(np.ones(4096, np.int32)), np.full(4096, 5))
    with pytest.raises(contra.Error) as refused:
        contra.load_text(text.replace("MulInt", "MulInf"), "scale.tcp")
    reason = refused.value.diagnostics[0]
    assert reason.file == "scale.tcp" and "MulInf" in text.replace("MulInt", "MulInf").splitlines()[reason.line - 1]
