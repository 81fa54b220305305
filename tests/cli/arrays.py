"""Arrays in files, written and read without the code under test: .npy and .safetensors as their formats say.

A text such as `<i4 2x3 range` is an array: element type, shape (`-` has no dimension), values: `range`, `zeros`, or
numbers with commas between. `raw` and words are the bytes of a file that is none.
"""

import json
import math
import re
import struct

CODES = {"i1": "b", "i2": "h", "i4": "i", "i8": "q", "u1": "B", "u2": "H", "u4": "I", "u8": "Q", "f2": "e", "f4": "f",
         "f8": "d", "b1": "?"}
TAGS = {"I8": "i1", "I16": "i2", "I32": "i4", "I64": "i8", "U8": "u1", "U16": "u2", "F16": "f2", "F32": "f4",
        "F64": "f8", "BF16": "u2", "F8_E4M3": "u1", "BOOL": "b1"}


def pack(descr, values):
    order = ">" if descr[0] == ">" else "<"
    return struct.pack(f"{order}{len(values)}{CODES[descr[1:]]}", *values)


def npy(descr, shape, values, fortran=False, version=1):
    """The bytes of a file; `values` in the order of the file."""
    header = f"{{'descr': '{descr}', 'fortran_order': {fortran}, 'shape': {tuple(shape)}, }}\n".encode()
    length = struct.pack("<H" if version == 1 else "<I", len(header))
    return b"\x93NUMPY" + bytes([version, 0]) + length + header + pack(descr, values)


def parse_npy(body):
    """(descr, shape, values) of a file that Contra wrote."""
    assert body[:8] == b"\x93NUMPY\x01\x00", body[:8]
    length, = struct.unpack("<H", body[8:10])
    assert (10 + length) % 64 == 0, "the data are not aligned"
    header = body[10:10 + length].decode()
    match = re.fullmatch(r"\{'descr': '(.+?)', 'fortran_order': False, 'shape': \((.*?)\), \} *\n", header)
    shape = tuple(int(size) for size in match[2].split(",") if size.strip())
    return match[1], shape, unpack(match[1], math.prod(shape), body[10 + length:])


def unpack(descr, count, data):
    return list(struct.unpack(f"<{count}{CODES[descr[1:]]}", data))


def safetensors(arrays):
    """The bytes of a file of {name: (tag, shape, values)}."""
    header, data = {"__metadata__": {"made": "by hand"}}, b""
    for name, (tag, shape, values) in arrays.items():
        start = len(data)
        data += pack("<" + TAGS[tag], values)
        header[name] = {"dtype": tag, "shape": list(shape), "data_offsets": [start, len(data)]}
    text = json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + data


def parse_safetensors(body):
    length, = struct.unpack("<Q", body[:8])
    found = {}
    for name, about in json.loads(body[8:8 + length]).items():
        start, end = about["data_offsets"]
        count = math.prod(about["shape"])
        found[name] = (about["dtype"], tuple(about["shape"]),
                       unpack("<" + TAGS[about["dtype"]], count, body[8 + length + start:8 + length + end]))
    return found


def from_text(text):
    """The bytes of a .npy file from its short form."""
    if text.startswith("raw "):
        return text[4:].encode().decode("unicode_escape").encode("latin-1")
    descr, sizes, values = text.split()
    shape = [] if sizes == "-" else [int(size) for size in sizes.split("x")]
    count = math.prod(shape)
    if values in ("range", "zeros"):
        values = list(range(count)) if values == "range" else [0] * count
    else:
        values = [float(value) if "f" in descr else int(value) for value in values.split(",")]
    return npy(descr, shape, values)


class SmallRng:
    """xoshiro256++ seeded by SplitMix64, from their definitions."""

    def __init__(self, seed):
        self.state = []
        for _ in range(4):
            seed = (seed + 0x9e3779b97f4a7c15) & 2**64 - 1
            word = seed
            word = (word ^ word >> 30) * 0xbf58476d1ce4e5b9 & 2**64 - 1
            word = (word ^ word >> 27) * 0x94d049bb133111eb & 2**64 - 1
            self.state.append(word ^ word >> 31)

    def next_u32(self):
        s = self.state
        result = (rotate(s[0] + s[3] & 2**64 - 1, 23) + s[0]) & 2**64 - 1
        shifted = s[1] << 17 & 2**64 - 1
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= shifted
        s[3] = rotate(s[3], 45)
        return result >> 32

    def next_i32(self):
        return (self.next_u32() ^ 2**31) - 2**31


def rotate(value, count):
    return (value << count | value >> 64 - count) & 2**64 - 1
