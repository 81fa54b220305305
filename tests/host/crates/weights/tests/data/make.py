#!/usr/bin/python3
"""Writes layer.safetensors: the weights and the values that the tests beside it compare with.

All numbers are multiples of 1/8 below 4, so every product and sum of them is exact in bf16 and f32.
"""

import json
import struct
from pathlib import Path


def bf16(values):
    return b"".join(struct.pack("<f", v)[2:] for v in values)


def f32(values):
    return struct.pack(f"<{len(values)}f", *values)


def i32(values):
    return struct.pack(f"<{len(values)}i", *values)


def main():
    weight = [((7 * i) % 29 - 14) / 8 for i in range(8 * 64)]
    tensors = {
        "layer.0.weight": ("BF16", [8, 64], bf16(weight)),
        "layer.0.bias": ("F32", [8], f32([i / 4 - 1 for i in range(8)])),
        "layer.0.scale": ("F32", [1], f32([0.5])),
        "counts": ("I32", [2, 3], i32([1, -2, 3, 40000, 5, -2147483648])),
        "bytes": ("I8", [4], bytes([0, 1, 255, 128])),
    }
    header, data = {"__metadata__": {"made": "by make.py"}}, b""
    for name, (dtype, shape, content) in tensors.items():
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [len(data), len(data) + len(content)]}
        data += content
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    Path(__file__).with_name("layer.safetensors").write_bytes(struct.pack("<Q", len(text)) + text + data)


main()
