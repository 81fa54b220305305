#!/usr/bin/python3
"""What cffi is told of the library, made from contra.h: `cdef.py` prints it, `cdef.py --write` puts it where the package has it.

cffi reads declarations of C and no preprocessor: macros, what is for C++ alone, and functions with a body go. It makes tables of
them, so that nobody who imports the package has to wait for a parser. What it cannot keep, the names of parameters, stays as text.
"""

import contextlib
import re
import sys
import tempfile
from pathlib import Path

import cffi

HERE = Path(__file__).resolve().parent
HEADER = HERE.parent.parent / "include/contra.h"
TARGET = HERE / "contra/_cdef.py"


def declarations(header):
    text = re.sub(r"//[^\n]*", "", header)
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    text = text.replace("\\\n", " ")  # a macro is one line
    text = re.sub(r"^#ifdef __cplusplus$.*?^#endif$", "", text, flags=re.DOTALL | re.MULTILINE)
    text = re.sub(r"^#.*$", "", text, flags=re.MULTILINE)
    text = re.sub(r"^static inline .*?^}$", "", text, flags=re.DOTALL | re.MULTILINE)
    text = re.sub(r"^CONTRA_SIZED\(.*?\)$", "", text, flags=re.MULTILINE)
    text = text.replace("CONTRA_API ", "")
    return "\n".join(line.rstrip() for line in text.splitlines() if line.strip()) + "\n"


def version(header):
    """As CONTRA_VERSION counts."""
    major, minor, patch = (int(re.search(rf"#define CONTRA_VERSION_{part} (\d+)", header)[1]) for part in ["MAJOR", "MINOR", "PATCH"])
    return major * 1000000 + minor * 1000 + patch


def tables(text):
    """The same as cffi wants it when a program runs: a definition of `ffi`."""
    builder = cffi.FFI()
    builder.set_source("contra._cdef", None)
    builder.cdef(text)
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(sys.stderr):  # it says what it does
        made = Path(folder, "made.py")
        builder.emit_python_code(str(made))
        return made.read_text().split("\n", 1)[1]  # without a title of its own


def module(header):
    text = declarations(header)
    return f'# Made by cdef.py from contra.h.\n# mypy: ignore-errors\n{tables(text)}\nVERSION = {version(header)}\nCDEF = """\\\n{text}"""\n'


if __name__ == "__main__":
    made = module(HEADER.read_text())
    if sys.argv[1:] == ["--write"]:
        TARGET.write_text(made)
    else:
        sys.stdout.write(made)
