"""`contra compile` and `contra objdump` on every example and kernel of the tests: files, JSON, program text."""

import glob
import json
import os
import re
import struct
import tempfile
import zlib
from xml.etree import ElementTree

from harness import Failed

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
SCHEMA = os.path.join(ROOT, "docs", "compile.schema.json")
MAGIC = b"\xd9\xd9\xf7\x84\x64tcpo"
FORMAT = b"\x02"
# the models in their small sizes: others have the same kernels
PROGRAMS = ["examples/*/*.rs", "examples/models/*/*_small.rs", "tests/kernels/*.rs", "tests/kernels/*.tcp",
            "tests/positive/compile/*.tcp"]
NUMBERS = {"bool": "true"}  # what a kernel is compiled for where it takes a number


# ---- a schema, as far as ours goes

TYPES = {"object": dict, "array": list, "string": str, "integer": int, "boolean": bool}


def validate(schema, value, root, path="$"):
    if "$ref" in schema:
        validate(root["$defs"][schema["$ref"].rsplit("/", 1)[1]], value, root, path)
        return
    if "enum" in schema and value not in schema["enum"]:
        raise Failed(f"{path}: {value!r} is none of {schema['enum']}")
    wanted = TYPES.get(schema.get("type"))
    if wanted and (not isinstance(value, wanted) or (wanted is int and isinstance(value, bool))):
        raise Failed(f"{path}: {value!r} is no {schema['type']}")
    if "pattern" in schema and not re.search(schema["pattern"], value):
        raise Failed(f"{path}: {value!r} does not match {schema['pattern']}")
    for name in schema.get("required", []):
        if name not in value:
            raise Failed(f"{path}: {name} is missing")
    for name, part in value.items() if isinstance(value, dict) else ():
        if name not in schema["properties"]:
            raise Failed(f"{path}: {name} is not in the schema")
        validate(schema["properties"][name], part, root, f"{path}.{name}")
    for index, part in enumerate(value if isinstance(value, list) else ()):
        validate(schema["items"], part, root, f"{path}[{index}]")


# ---- one kernel

class Kernel:
    def __init__(self, contra, path, kernel):
        self.contra, self.path, self.name = contra, path, kernel["name"]
        self.numbers = [f"--in={param['name']}={NUMBERS.get(param['type'], '0')}"
                        for param in kernel["parameters"] if not param["tensor"]]

    def compile(self, *options, path=None):
        args = ["compile", path or self.path, "--kernel", self.name, *self.numbers, *options]
        result = self.contra.run(args, cwd=ROOT)
        if result.status != 0:
            raise Failed(f"{result}\n  what is accepted compiles")
        return result


def kernels_of(contra, path):
    document, _ = contra.json(["run", "--list", path], status=(0, 1))
    return [Kernel(contra, path, kernel) for kernel in document.get("kernels", [])]


def crc_holds(content):
    if not content.startswith(MAGIC) or content[9:10] != FORMAT or content[10] != 0x44:
        raise Failed("the head of the object file is not as docs/compiling.md says")
    (stored,) = struct.unpack("<I", content[11:15])
    size = {0x58: 1, 0x59: 2, 0x5a: 4}.get(content[15], 0)
    if zlib.crc32(content[16 + size:], zlib.crc32(content[9:10])) != stored:
        raise Failed("the checksum is not that of docs/compiling.md")


def read(path):
    with open(path, "rb") as file:
        return file.read()


def check_kernel(kernel, folder, schema):
    first, second = os.path.join(folder, "a.tcpo"), os.path.join(folder, "b.tcpo")
    kernel.compile("-o", first)
    kernel.compile("-o", second)
    if read(first) != read(second):
        raise Failed(f"{kernel.path} {kernel.name}: two compilations differ")
    crc_holds(read(first))
    document = json.loads(kernel.compile("--emit=json").out)
    validate(schema, document, schema)
    dumped = kernel.contra.run(["objdump", "--format=json", first])
    if dumped.status != 0 or json.loads(dumped.out) != document:
        raise Failed(f"{dumped}\n  the file has something else than --emit=json")


def check_listing(kernel, first):
    listing = kernel.compile().out
    dump = kernel.contra.run(["objdump", first]).out
    if re.sub(r"(?m)^file .*\n", "", dump) != listing:
        raise Failed(f"{kernel.path} {kernel.name}: objdump lists something else than compile")


def without_source(operations):
    return [{name: value for name, value in operation.items() if name not in ("file", "line", "text")}
            for operation in operations]


def check_program(kernel, folder):
    """The program text of a kernel is read back, and compiles to the same commands."""
    text = kernel.compile("--emit=program").out
    path = os.path.join(folder, "k.tcp")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    again = kernel.contra.run(["compile", path, "--emit=program"])
    if again.out != text:
        raise Failed(f"{again}\n  the program text changed")
    compiled = kernel.contra.run(["compile", path, "--emit=json", "--no-source-map"])
    stripped = json.loads(kernel.compile("--emit=json", "--no-source-map").out)
    if without_source(json.loads(compiled.out)["operations"]) != without_source(stripped["operations"]):
        raise Failed(f"{compiled}\n  the program text compiles to other commands")


def check_picture(kernel):
    """A drawing is XML, and names every axis of the program."""
    root = ElementTree.fromstring(kernel.compile("--emit=svg").out)
    words = {text.text or "" for text in root.iter("{http://www.w3.org/2000/svg}text")}
    program = kernel.compile("--emit=program").out
    mappings = re.findall(r"(?:time|packet|element|slice) \[(.*?)\]", program)
    for mapping in mappings:
        first = mapping.split(", ")[0]
        if "{" not in mapping and "(" not in mapping and "[" not in mapping and first not in words:
            raise Failed(f"{kernel.path} {kernel.name}: `{first}` is not in the drawing")


PAGE_HEIGHT = 1500  # a drawing that is higher is one to scroll, not to look at
DRAWN = [  # example, kernel; what its drawing says, in this order
    ("models/moe/main.rs", "moe", [r"score \(route/mod\.rs\)", r"commit \(main\), line \d+: x → fixed", r"\.fetch",
                                   r"experts \(experts/mod\.rs\)", r"dma_gather \(tdma\), line \d+: gate by owners → gate"]),
    ("models/attention/prefill.rs", "prefill", [r"largest \(online_softmax/mod\.rs\)", r"\.fetch\.collect", "to f32",
                                                r".*weight → inverse, through the stages of line \d+ of online_softmax/mod\.rs"]),
    ("kernels/softmax.rs", "softmax", ["Element, 2097152", "softmax_of_tile", r"to_vrf \(main\), line \d+: DM at 0x0 → largest",
                                       r"\.fetch\.collect", r"to_vrf .*→ scale, through the stages of line \d+", "scale"]),
    ("kernels/gemv.rs", "rows_in_packets", ["x", "Element, .*"]),
]


def check_page(contra, path, kernel, wanted):
    """All of a drawing is seen at once, by function, and each thing once."""
    result = contra.run(["compile", os.path.join(ROOT, "examples", path), "--kernel", kernel, "--emit=svg"])
    root = ElementTree.fromstring(result.out)
    if int(root.get("height")) > PAGE_HEIGHT:
        raise Failed(f"{result}\n  a drawing of {root.get('height')} pixels")
    texts = [text.text or "" for text in root.iter("{http://www.w3.org/2000/svg}text")]
    rest = iter(texts)
    for pattern in wanted:
        if not any(re.fullmatch(pattern, text) for text in rest):
            raise Failed(f"{result}\n  no `{pattern}` (any more) in the drawing")
    titles = [text for text in texts if re.search(r", line \d+: ", text)]
    if len(titles) != len(set(titles)):
        raise Failed(f"{result}\n  an operation is drawn twice")


def check_file(contra, path):
    with open(SCHEMA, encoding="utf-8") as file:
        schema = json.load(file)
    with tempfile.TemporaryDirectory() as folder:
        kernels = kernels_of(contra, path)
        for kernel in kernels:
            check_kernel(kernel, folder, schema)
        for kernel in kernels[-1:]:
            check_listing(kernel, os.path.join(folder, "a.tcpo"))
            check_program(kernel, folder)
            check_picture(kernel)


# ---- colours

def colour(contra, options, wanted):
    result = contra.run(["objdump", os.path.join(HERE, "data", "nothing.tcpo"), *options])
    if ("\x1b[" in result.out) != wanted:
        raise Failed(f"{result}\n  escape sequences {'expected' if wanted else 'not expected'}")


# ---- what a file asserts of its sizes

GUARDED = """use furiosa_visa_std::prelude::*;
axes![S = 256, A = 16];
mod sizes { const _: () = assert!(super::A::SIZE %% %d == 0); }
#[device(chip = 1)]
fn there_and_back(ctx: &mut Context, a: &HbmTensor<i32, m![1], m![S, A]>) -> HbmTensor<i32, m![1], m![S, A]> {
    let rows = a.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 0);
    rows.to_hbm(&mut ctx.tdma, 1 << 28)
}
"""


def assertions_guard_kernels(contra):
    """Constants without a name are worked out for everybody who takes a kernel out of the file."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "guarded.rs")
        for divisor in (16, 32):
            with open(path, "w", encoding="utf-8") as file:
                file.write(GUARDED % divisor)
            for words in (["schedule", path], ["compile", path, "--emit=config"],
                          ["run", path, "--kernel", "there_and_back", "--random", "1"]):
                result = contra.run(words)
                if (result.status, "E0454" in result.err) != ((0, False) if divisor == 16 else (1, True)):
                    raise Failed(f"{result}\n  refused only where 16 is no multiple of {divisor}")


def shared_modules(contra):
    """A module that a library and a program share counts as one; two kernels of the same name are listed once each."""
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(os.path.join(folder, "src"))
        texts = {"Cargo.toml": "[package]\nname = \"shared\"\n", "src/lib.rs": "pub mod one;\n",
                 "src/main.rs": "mod one;\nfn main() {}\n", "src/one.rs": GUARDED % 16}
        for more in ({}, {"src/lib.rs": "pub mod one;\npub mod two;\n", "src/two.rs": GUARDED % 16}):
            for name, text in {**texts, **more}.items():
                with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                    file.write(text)
            result = contra.run(["run", folder, "--kernel", "there_and_back", "--random", "1"])
            listed = [result.err.count(f"`{module}::there_and_back` in") for module in ("one", "two")]
            if (result.status, listed) != ((1, [1, 1]) if more else (0, [0, 0])):
                raise Failed(f"{result}\n  each is listed {listed} times")
            for words in (["run", folder, "--random", "1"], ["compile", folder], ["schedule", folder]):
                result = contra.run(words)
                if result.status != (2 if more else 0):
                    raise Failed(f"{result}\n  --kernel should be optional: there is only one kernel")
            result = contra.run(["run", "--list", folder])
            listed = [result.out.count(f"{module}::there_and_back") for module in ("one", "two")]
            if listed != [1, 1 if more else 0]:
                raise Failed(f"{result}\n  each is listed {listed} times")
        with open(os.path.join(folder, "src/main.rs"), "w", encoding="utf-8") as file:
            file.write("mod one {\n" + GUARDED % 16 + "}\nfn main() {}\n")
        result = contra.run(["run", folder + "/src/main.rs", "--random", "1"])
        if result.status:
            raise Failed(f"{result}\n  the file has one kernel")
        with open(os.path.join(folder, "src/lib.rs"), "w", encoding="utf-8") as file:
            file.write("pub mod one;\n")
        result = contra.run(["run", folder, "--kernel", "there_and_back", "--random", "1"])
        if result.status != 1 or "name only the file" not in result.err:
            raise Failed(f"{result}\n  both have the same path, so only their files tell them apart")


def tests(contra):
    found = [(f"compile {os.path.relpath(path, ROOT)}", lambda path=path: check_file(contra, path))
             for pattern in PROGRAMS for path in sorted(glob.glob(os.path.join(ROOT, pattern)))]
    found += [(f"a drawing to look at: {kernel} of {path}", lambda row=(path, kernel, wanted): check_page(contra, *row))
              for path, kernel, wanted in DRAWN]
    found.append(("assertions of a file guard its kernels", lambda: assertions_guard_kernels(contra)))
    found.append(("modules that a library and a program share", lambda: shared_modules(contra)))
    found.append(("objdump: colours for terminals only", lambda: colour(contra, [], False)))
    found.append(("objdump: colours with --color=always", lambda: colour(contra, ["--color=always"], True)))
    return found
