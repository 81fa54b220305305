"""`contra sim` on object files that no compiler writes: checksum and form are right, one field is not. With and without
the sanitizer, which walks the same records in its own way.
"""

import os
import struct
import tempfile
import zlib

from compiling import FORMAT, MAGIC, ROOT, read
from harness import Failed

SOURCE = os.path.join(ROOT, "tests", "kernels", "adapter.tcp")
CONTRACTION = os.path.join(ROOT, "tests", "kernels", "contraction_rows.rs")
OPERANDS = os.path.join(ROOT, "tests", "kernels", "operands.rs") + "::one_operand_twice"
SWITCHES = os.path.join(ROOT, "tests", "kernels", "switches.rs")

# ---- CBOR, as far as object files go

UINT, NEGATIVE, BYTES, TEXT, LIST, MAP, SIMPLE = 0, 1, 2, 3, 4, 5, 7
WIDTHS = {24: ">B", 25: ">H", 26: ">I", 27: ">Q"}


def decode(data, at):
    major, number = data[at] >> 5, data[at] & 31
    at += 1
    if number in WIDTHS:
        width = WIDTHS[number]
        (number,) = struct.unpack_from(width, data, at)
        at += struct.calcsize(width)
    if major in (UINT, NEGATIVE):
        return (number if major == UINT else -1 - number), at
    if major in (BYTES, TEXT):
        body = data[at:at + number]
        return (body.decode() if major == TEXT else body), at + number
    if major == SIMPLE:
        return number == 21, at
    items = []
    for _ in range(number * (2 if major == MAP else 1)):
        item, at = decode(data, at)
        items.append(item)
    return (dict(zip(items[::2], items[1::2])) if major == MAP else items), at


def head(major, number):
    if number < 24:
        return bytes([major << 5 | number])
    code = 24 if number < 1 << 8 else 25 if number < 1 << 16 else 26 if number < 1 << 32 else 27
    return bytes([major << 5 | code]) + struct.pack(WIDTHS[code], number)


def encode(value):
    if isinstance(value, bool):
        return bytes([SIMPLE << 5 | (21 if value else 20)])
    if isinstance(value, int):
        return head(UINT, value) if value >= 0 else head(NEGATIVE, -1 - value)
    if isinstance(value, bytes):
        return head(BYTES, len(value)) + value
    if isinstance(value, str):
        return head(TEXT, len(value.encode())) + value.encode()
    if isinstance(value, list):
        return head(LIST, len(value)) + b"".join(map(encode, value))
    return head(MAP, len(value)) + b"".join(encode(key) + encode(item) for key, item in value.items())


# ---- files

def content_of(file):
    content, _ = decode(file, 15)
    return decode(content, 0)[0]


def file_of(record):
    content = encode(record)
    checksum = struct.pack("<I", zlib.crc32(content, zlib.crc32(FORMAT)))
    return MAGIC + FORMAT + encode(checksum) + encode(content)


def first(record, name):
    """The first record, in the order of the file, that has a field of this name."""
    if isinstance(record, dict) and name in record:
        return record
    inside = record.values() if isinstance(record, dict) else record if isinstance(record, list) else ()
    for item in inside:
        found = first(item, name)
        if found is not None:
            return found
    return None


def set_number(name, value):
    def change(record):
        where = first(record, name)
        if where is None:
            raise Failed(f"there is no {name} to change")
        if value == 0:
            del where[name]  # what is 0 is left out
        else:
            where[name] = value
    return change


def of_loop(name, value):
    return lambda record: set_number(name, value)(first(record, "nest")["nest"])


def many_loops(record):
    nest = first(record, "nest")["nest"]
    nest["loops"] = nest["loops"][:1] * 65


# Fields stand in their order.
def padding_alone(record):
    descriptor = first(record, "packet_bytes")
    fields = list(descriptor.items())
    descriptor.clear()
    for name, value in fields:
        descriptor[name] = 4 if name == "packet_bytes" else value
        if name == "packet_bytes":
            descriptor["padding_bits"] = 32


def half_as_many(record):
    argument = record["arguments"][0]
    argument["live"] //= 2
    del argument["forms"]


def of_first(holder, name, value):
    """A number of the first record that is the field `holder` of another."""
    return lambda record: set_number(name, value)(first(record, holder)[holder])


def reads_vrf(record):
    """The first step of the Vector Engine that reads VRF."""
    if isinstance(record, dict):
        if any(operand.get("source") == "VRF" for operand in record.get("operands", ())):
            return record
        record = list(record.values())
    found = (reads_vrf(item) for item in record) if isinstance(record, list) else ()
    return next((step for step in found if step), None)


ARRAYS = "and its loops and runs give"  # of no account to a schedule


def long_bitmap(record):
    first(record, "bitmaps")["bitmaps"][0]["slices"] = b"\x55" * (1 << 20)


CASES = {
    "a loop without iterations": (of_loop("size", 0), "pass.fetch.nest.loops[0].size is 0; the least is 1"),
    "a loop with less than none": (of_loop("size", -3), "loops[0].size is -3; the least is 1"),
    "loops beyond all memories": (of_loop("size", 1 << 62), "loops[0].size is 4611686018427387904; the most is"),
    "more loops than there can be": (many_loops, "nest.loops has 65 entries; there may be 0 to 64"),
    "a packet without elements": (set_number("packet_elements", 0), "packet_elements is 0; the least is 1"),
    "slices that the machine does not have": (
        lambda record: set_number("slices", 60000)(first(record, "pass")["pass"]),
        "commands[0].pass.slices is 60000; the most is 256"),
    "an argument without positions": (
        lambda record: set_number("elements", 0)(record["arguments"][0]),
        "arguments[0].elements is 0; the least is 1"),
    "an argument that fits no memory": (
        lambda record: set_number("elements", 1 << 47)(record["arguments"][0]), "arguments[0].elements"),
    "an argument with other elements than it says": (half_as_many, ARRAYS),
    "a descriptor that moves padding alone": (padding_alone, "padding_bits is 32; the most is 31"),
    "a packet of a descriptor without bytes": (set_number("packet_bytes", -1), "packet_bytes is -1; the least is 1"),
    "more packets than can be": (
        lambda record: set_number("time", 1 << 31)(first(record, "fetch")["fetch"]),
        "pass.fetch has too many elements"),
    "an engine that no cluster has": (set_number("engine", 99), ".engine is 99; the most is 3"),
    "slices beyond all clusters": (long_bitmap, "slices has 131072 entries; there may be 0 to 1024"),
    "factors whose products are of another type": (
        lambda record: set_number("type", "i32")(first(record, "trf_read")["trf_read"]),
        "trf_read.type is i32, whose products are not of type", CONTRACTION),
    "rows of a bank that TRF does not have": (
        set_number("bank_row_bytes", 64), "bank_row_bytes is 64, not 32", CONTRACTION),
    "flits longer than any row of TRF": (
        of_first("trf_store", "flit_bytes", 1 << 47), "trf_store.flit_bytes is 140737488355328, not 32", CONTRACTION),
    "more sums than the tree has": (
        of_first("reduce", "tree_outputs", 7), "pass.reduce.tree_outputs is 7, not", CONTRACTION),
    "no sums at all": (of_first("reduce", "tree_outputs", 0), "pass.reduce.tree_outputs is 0, not", CONTRACTION),
    "more packets from VRF than the stream has": (
        lambda record: set_number("time", 1 << 31)(reads_vrf(record)), "].time is 2147483648, not", OPERANDS),
    "wider packets from VRF than the stream has": (
        lambda record: set_number("packet_elements", 512)(reads_vrf(record)),
        "].packet_elements is 512; the most is", OPERANDS),
    "packets that the switch leaves out": (of_first("fetch", "time", 1 << 31), "pass.fetch has too many elements", SWITCHES),
}

# Fields that are for reading only: whatever they are, the same comes out.
IDLE = {
    "the accumulator's figures": (
        [of_first("reduce", name, 1 << 47) for name in ("buffered", "inner_size", "slots", "interleave_steps")],
        CONTRACTION),
    "figures of a load of TRF": (
        [of_first("trf_store", name, 1 << 47) for name in ("row_bytes", "slots_per_element", "elements_per_bank_row")],
        CONTRACTION),
    "figures of a fetch": (
        [of_first("fetch", name, 1 << 47) for name in ("contiguous_bytes", "packet_bytes")], CONTRACTION),
}


def compiled(contra, folder, source):
    """The kernel SOURCE::NAME, or the first one."""
    path = os.path.join(folder, "k.tcpo")
    source, _, name = source.partition("::")
    if not name:
        kernels, _ = contra.json(["run", "--list", source])
        name = kernels["kernels"][0]["name"]
    result = contra.run(["compile", source, "--kernel", name, "-o", path])
    if result.status != 0:
        raise Failed(f"{result}\n  it compiles")
    return path


def crafted(contra, folder, source, *changes):
    path = compiled(contra, folder, source)
    record = content_of(read(path))
    if file_of(record) != read(path):
        raise Failed("what is read and written again does not change")
    for change in changes:
        change(record)
    with open(path, "wb") as file:
        file.write(file_of(record))
    return path


def check(contra, change, words, source=SOURCE):
    with tempfile.TemporaryDirectory() as folder:
        path = crafted(contra, folder, source, change)
        commands = [["sim", path, *more] for more in (["--list"], ["--random", "1"], ["--random", "1", "--sanitize"])]
        for command in commands + ([] if words == ARRAYS else [["schedule", path]]):
            result = contra.run(command)
            if result.status != 1 or "E0855" not in result.err or words not in result.err:
                raise Failed(f"{result}\n  refused with E0855 and the words: {words}")


def endless(record):
    """Loops that stay where they are, and a day's work for every byte of them."""
    descriptor = first(record, "packet_bytes")
    fields = list(descriptor.items())
    descriptor.clear()
    for name, value in fields:
        descriptor[name] = [{"limit": 1 << 16}] * 3 if name == "loops" else value


def too_much_work(contra):
    with tempfile.TemporaryDirectory() as folder:
        path = crafted(contra, folder, SOURCE, endless)
        result = contra.run(["sim", path, "--random", "1"])
        if result.status != 1 or "E0857" not in result.err or "take more than 1099511627776 steps" not in result.err:
            raise Failed(f"{result}\n  refused with E0857, as too much work")


def check_idle(contra, changes, source):
    with tempfile.TemporaryDirectory() as folder:
        run = ["sim", compiled(contra, folder, source), "--random", "1", "--print"]
        wanted = contra.run(run)
        crafted(contra, folder, source, *changes)
        for result in (contra.run(run), contra.run([*run, "--sanitize"])):
            if result.status != 0 or result.out != wanted.out:
                raise Failed(f"{result}\n  exit status 0 expected, and: {wanted.out}")


def tests(contra):
    return ([(f"crafted: {name}", lambda case=case: check(contra, *case)) for name, case in CASES.items()] +
            [(f"crafted, idle: {name}", lambda case=case: check_idle(contra, *case)) for name, case in IDLE.items()] +
            [("crafted: too much work", lambda: too_much_work(contra))])
