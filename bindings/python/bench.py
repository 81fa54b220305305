#!/usr/bin/python3
"""What `kernel(a, b)` costs beside the command line, for a GEMM of 512 x 512 x 2048: bench.py [BUILD] (build/release).

Both take the same arrays, in turn, and the quicker half of the rounds counts. `contra run` is a process that reads the kernel and
the arrays and compiles; what it takes without its run (the same for a kernel of next to no work) is subtracted.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "build/release").resolve()
os.environ.setdefault("CONTRA_LIBRARY", str(BUILD / "libcontra.so"))
sys.path.insert(0, str(ROOT / "bindings/python"))

import numpy as np  # noqa: E402

import contra  # noqa: E402
