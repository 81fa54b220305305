"""Contra: a toolchain for the Virtual ISA of the Tensor Contraction Processor.

    import contra
    gemm = contra.load("gemm.rs").kernel("gemm")
    c = gemm(a, b)
"""

from __future__ import annotations

import json
from typing import Any

from . import builder
from ._library import Texts, lib, version
from .builder import Builder
from .compiled import Object, Operation, Schedule
from .context import Context as _Context, Path as _Path
from .diagnostics import Diagnostic, Error, Help, Note, Replacement, Span, Warned
from .elements import (bf16_to_float32, f8e4m3_to_float32, f8e5m2_to_float32, float32_to_bf16, float32_to_f8e4m3,
                       float32_to_f8e5m2)
from .launch import RunOptions
from .mapping import Division, DivisionTerm, Factor, Mapping
from .program import Checked, Kernel, Param, Program, check, check_text, load, load_object, load_text

__version__ = version

__all__ = ["Builder", "Checked", "Diagnostic", "Division", "DivisionTerm", "Error", "Factor", "Help", "Kernel", "Mapping", "Note", "Object",
           "Operation", "Param", "Program", "Replacement", "RunOptions", "Schedule", "Span", "Warned", "bf16_to_float32", "builder", "check", "check_text",
           "explain", "f8e4m3_to_float32", "f8e5m2_to_float32", "float32_to_bf16", "float32_to_f8e4m3", "float32_to_f8e5m2",
           "load", "load_object", "load_text", "machine", "version"]


def __dir__() -> list[str]:
    return [*__all__, "__version__"]


def explain(code: str) -> str:
    """The long explanation of a code such as "E0107"."""
    texts = Texts()
    try:
        return _Context().text(lib.contra_explain, texts(code))
    except Error:
        raise KeyError(code) from None


def machine(name: _Path = "rngd") -> Any:
    """Every field of a machine with its value, unit and section of the manual: "rngd", "rngd-s", or the path of a JSON file."""
    return json.loads(_Context(name).text(lib.contra_machine_table, lib.CONTRA_JSON))
