"""`contra run` on files: arrays go in and come out as the mappings say, whatever their order in the file."""

import json
import os
import resource
import select
import shutil
import signal
import struct
import subprocess
import tempfile
import time

import arrays
from harness import Failed

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
KERNELS = os.path.join(ROOT, "tests", "positive", "run", "kernels.rs")
GENERIC = os.path.join(ROOT, "tests", "positive", "run", "generic.rs")
ADD = os.path.join(ROOT, "examples", "hello", "constant_add.rs")


class Folder:
    """A folder for the files of one test, and `contra run` in it."""

    def __init__(self, contra):
        self.contra = contra

    def __enter__(self):
        self.directory = tempfile.TemporaryDirectory()
        return self

    def __exit__(self, *unused):
        self.directory.cleanup()

    def path(self, name):
        return os.path.join(self.directory.name, name)

    def write(self, name, body):
        with open(self.path(name), "wb") as file:
            file.write(body)

    def read(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def run(self, *args, status=0):
        result = self.contra.run(["run", *args], cwd=self.directory.name)
        if result.status != status:
            raise Failed(f"{result}\n  exit status {status} expected")
        return result

    def expect(self, name, descr, shape, values):
        found = arrays.parse_npy(self.read(name))
        same(found, (descr, shape, values))


def same(found, wanted):
    if found != wanted:
        raise Failed(f"  found    {str(found)[:300]}\n  expected {str(wanted)[:300]}")


def every_order_and_type_of_file(contra):
    """Rows or columns first, either byte order, any width: the same elements."""
    values = [(i * 37) % 100 - 50 for i in range(4096)]
    wanted = [value + 5 for value in values]
    with Folder(contra) as folder:
        for descr in ("<i4", ">i4", "<i8", ">i2", "|i1", "<i2"):
            folder.write("x.npy", arrays.npy(descr, [4096], values, version=2))
            folder.run(ADD, "--kernel", "add_five", "--in", "input=x.npy", "--out", "y.npy")
            folder.expect("y.npy", "<i4", (4096,), wanted)
            os.remove(folder.path("y.npy"))


def columns_first(contra):
    values = list(range(256 * 5))
    columns = [row * 5 + column for column in range(5) for row in range(256)]
    with Folder(contra) as folder:
        folder.write("x.npy", arrays.npy("<i4", [256, 5], columns, fortran=True))
        folder.run(KERNELS, "--kernel", "layouts::padded", "--in", "input=x.npy", "--out", "y.npy")
        folder.expect("y.npy", "<i4", (256, 5), values)


def padding_is_left_out_or_ignored(contra):
    values = list(range(256 * 5))
    padded = [row * 5 + column if column < 5 else -1 for row in range(256) for column in range(8)]
    with Folder(contra) as folder:
        for shape, given in (([256, 5], values), ([256, 8], padded), ([1280], values), ([2048], padded),
                             ([1, 256, 1, 5], values)):
            folder.write("x.npy", arrays.npy("<i4", shape, given))
            folder.run(KERNELS, "--kernel", "layouts::padded", "--in", "input=x.npy", "--out", "y.npy")
            folder.expect("y.npy", "<i4", (256, 5), values)


def axes_in_the_order_of_the_mapping(contra):
    values = list(range(2048))
    turned = [row * 8 + column for column in range(8) for row in range(256)]
    with Folder(contra) as folder:
        for shape in ([16, 16, 8], [256, 8], [2048]):
            folder.write("x.npy", arrays.npy("<i4", shape, values))
            folder.run(KERNELS, "--kernel", "split", "--in", "input=x.npy", "--out", "y.npy")
            folder.expect("y.npy", "<i4", (8, 256), turned)


def padding_in_the_middle(contra):
    """E = 63 in 8 x 8: element 63 is padding, and 0 in the file."""
    values = [row * 63 + e for row in range(256) for e in range(63)]
    wanted = [row * 63 + high * 8 + low if high * 8 + low < 63 else 0
              for row in range(256) for low in range(8) for high in range(8)]
    with Folder(contra) as folder:
        folder.write("x.npy", arrays.npy("<i4", [256, 63], values))
        folder.run(KERNELS, "--kernel", "ragged", "--in", "input=x.npy", "--out", "y.npy", "--compare", "y2.npy",
                   status=1)
        folder.run(KERNELS, "--kernel", "ragged", "--in", "input=x.npy", "--out", "y.npy")
        folder.expect("y.npy", "<i4", (256, 8, 8), wanted)
        folder.run(KERNELS, "--kernel", "ragged", "--in", "input=x.npy", "--compare", "y.npy")


def small_integers(contra):
    nibbles = [i % 16 - 8 for i in range(256 * 16)]
    octets = [i % 256 - 128 for i in range(256 * 8)]
    with Folder(contra) as folder:
        folder.write("n.npy", arrays.npy("|i1", [256, 16], nibbles))
        folder.write("b.npy", arrays.npy("|i1", [256, 8], octets))
        folder.run(KERNELS, "--kernel", "small", "--in", "nibbles=n.npy", "--in", "bytes=b.npy", "--out",
                   "result.0=y0.npy", "--out", "result.1=y1.npy")
        folder.expect("y0.npy", "|i1", (256, 16), nibbles)
        folder.expect("y1.npy", "|i1", (256, 8), octets)
        nibbles[700] = 8
        folder.write("n.npy", arrays.npy("|i1", [256, 16], nibbles))
        result = folder.run(KERNELS, "--kernel", "small", "--in", "nibbles=n.npy", "--in", "bytes=b.npy", status=1)
        if "E0964" not in result.err or "[43, 12]" not in result.err:
            raise Failed(f"{result}\n  the element [43, 12] is 8")


def floats_and_patterns(contra):
    values = [i / 64 - 16 for i in range(2048)]
    bits = [struct.unpack("<I", struct.pack("<f", value))[0] for value in values]
    brain = [(word + 0x7fff + (word >> 16 & 1)) >> 16 for word in bits]  # to nearest, ties to even
    rounded = [struct.unpack("<f", struct.pack("<I", word << 16))[0] for word in brain]
    exact = [float(i % 16) for i in range(2048)]  # in all formats
    with Folder(contra) as folder:
        folder.write("all.safetensors", arrays.safetensors({
            "half": ("F16", [256, 8], exact), "brain": ("F32", [256, 8], values),
            "quarter": ("F64", [256, 8], exact), "f": ("F32", [256, 8], values)}))
        given = [f"--in={name}=all.safetensors" for name in ("half", "brain", "quarter")]
        run = [KERNELS, "--kernel", "floats", *given, "--in", "single=all.safetensors:f"]
        folder.run(*run, "--out", "y.safetensors")
        found = arrays.parse_safetensors(folder.read("y.safetensors"))
        same(sorted(found), [f"result.{i}" for i in range(4)])
        same(found["result.0"], ("F16", (256, 8), exact))
        same(found["result.1"], ("BF16", (256, 8), brain))
        same(found["result.2"][0], "F8_E4M3")
        same(found["result.3"], ("F32", (256, 8), values))
        folder.run(*run, "--out", "result.0=h.npy", "--out", "result.1=b.npy", "--out", "result.2=q.npy")
        folder.expect("h.npy", "<f2", (256, 8), exact)
        folder.expect("b.npy", "<u2", (256, 8), brain)
        folder.run(*run, "--bf16=f32", "--out", "result.1=b32.npy", "--out", "result.2=q32.npy")
        folder.expect("b32.npy", "<f4", (256, 8), rounded)
        folder.expect("q32.npy", "<f4", (256, 8), exact)
        again = [f"--in={name}=y.safetensors:result.{i}" for i, name in enumerate(("half", "brain", "quarter", "single"))]
        folder.run(KERNELS, "--kernel", "floats", *again, "--compare", "result.1=b.npy", "--compare",
                   "result.1=b32.npy", "--compare", "result.2=q.npy", "--compare", "result.0=y.safetensors:result.0",
                   "--compare", "result.0=h.npy")
        folder.run(KERNELS, "--kernel", "floats", "--in", "half=h.npy", *again[1:], "--compare", "result.0=h.npy")


def numbers(contra):
    values = list(range(256 * 64))
    with Folder(contra) as folder:
        folder.write("x.npy", arrays.npy("<i4", [256, 8, 8], values))
        for row, offset, shift in ((0, 0, "false"), (7, -100, "true"), (3, 0x10, "true")):
            folder.run(KERNELS, "--kernel", "pick", "--in", "input=x.npy", "--in", f"row={row}", "--in",
                       f"offset={offset}", "--in", f"shift={shift}", "--out", "y.npy")
            added = offset if shift == "true" else 0
            folder.expect("y.npy", "<i4", (256, 8), [values[s * 64 + row * 8 + a] + added
                                                     for s in range(256) for a in range(8)])
        result = folder.run(KERNELS, "--kernel", "pick", "--in", "input=x.npy", "--in", "row=8", "--in", "offset=0",
                            "--in", "shift=false", "--out", "z.npy", status=1)
        if os.path.exists(folder.path("z.npy")) or "error[" not in result.err:
            raise Failed(f"{result}\n  row 8 does not exist")


def instances(contra):
    """A generic kernel is named with its arguments, whatever is done with it."""
    values = [i * 37 % 1000 - 500 for i in range(256 * 16)]
    wanted = [2 * value + 3 for value in values]
    name = "scaled::<{ layers::TWICE }, m![B]>"
    with Folder(contra) as folder:
        folder.write("x.npy", arrays.npy("<i4", [256, 16], values))
        folder.run(GENERIC, "--kernel", name, "--in", "x=x.npy", "--in", "more=3", "--out", "y.npy")
        folder.expect("y.npy", "<i4", (256, 16), wanted)
        folder.run(GENERIC, "--kernel", "copy::<m![Own]>", "--random", "1")
        folder.run(GENERIC, "--kernel", "layers::copy:: < m![Own] >", "--random", "1")
        for args in (["compile", GENERIC, "--kernel", name, "--in", "more=3", "-o", "k.tcpo"],
                     ["sim", "k.tcpo", "--in", "x=x.npy", "--out", "z.npy"],
                     ["schedule", GENERIC, "--kernel", name, "--in", "more=3"]):
            result = contra.run(args, cwd=folder.directory.name)
            if result.status or (args[0] == "schedule" and not result.out.startswith(f"{name}: ")):
                raise Failed(f"{result}\n  an instance is a kernel like any")
        folder.expect("z.npy", "<i4", (256, 16), wanted)
        for wrong, code, words in (("scaled", "E0967", "--kernel 'scaled::<N, E>'"), ("scaled::<2>", "E0432", "<N, E>"),
                                   ("copy::<m![B]> and more", "E0401", "the end of the name"),
                                   ("copy::<m![A / 3]>", "E0107", "multiple of 3"),
                                   ("other::<2>", "E0965", "`other`"),
                                   ("scaled::<99999999999, m![A]>", "E0460", "ends at 2147483647"),
                                   ("copy::<m![B]>::copy::<m![B]>", "E0965", "`copy::<..>`"),
                                   ("copy::<m![B]>::copy", "E0965", "not the end of the name"),
                                   ("copy<m![B]>", "E0965", "as in a launch: `copy::<m![B]>`"),
                                   ("", "E0965", "`scale::<3>`"), ("::<m![B]>", "E0965", "there is no name")):
            result = folder.run(GENERIC, "--kernel", wrong, "--random", "1", "--in", "more=3", status=1)
            if f"error[{code}]" not in result.err or words not in result.err:
                raise Failed(f"{result}\n  {code} and the words expected: {words}")


def places(contra):
    """A `&mut` parameter is an output, and an input where it is given."""
    with Folder(contra) as folder:
        folder.write("x.npy", arrays.npy("<i4", [256, 4], [7] * 1024))
        folder.write("before.npy", arrays.npy("<i4", [256, 8], list(range(2048))))
        run = [KERNELS, "--kernel", "first_half", "--in", "input=x.npy"]
        result = folder.run(*run, "--out", "output=y.npy")
        if "E0972" not in result.err or "1024 of 2048" not in result.err:
            raise Failed(f"{result}\n  half of it is not written")
        folder.expect("y.npy", "<i4", (256, 8), [7 if i % 8 < 4 else 0 for i in range(2048)])
        folder.run(*run, "--in", "output=before.npy", "--out", "y.npy")
        folder.expect("y.npy", "<i4", (256, 8), [7 if i % 8 < 4 else i for i in range(2048)])


def random_values(contra):
    """As SmallRng draws, over the axes in the order of their names: A, then S."""
    rng = arrays.SmallRng(42)
    drawn = [[rng.next_i32() for _ in range(256)] for _ in range(8)]
    with Folder(contra) as folder:
        folder.run(KERNELS, "--kernel", "split", "--random", "42", "--out", "y.npy")
        folder.expect("y.npy", "<i4", (8, 256), [value for row in drawn for value in row])
        rng = arrays.SmallRng(7)  # T = 4 of 8: the other four are drawn, too, and dropped
        drawn = [rng.next_i32() for _ in range(256 * 8)]
        folder.run(KERNELS, "--kernel", "part", "--random", "7", "--out", "y.npy")
        folder.expect("y.npy", "<i4", (256, 4), [drawn[s * 8 + t] for s in range(256) for t in range(4)])


def random_indices(contra):
    """The index of a gather or scatter names rows that are there: the sanitizer has nothing to say."""
    layouts = os.path.join(ROOT, "tests", "kernels", "layouts.rs")
    rng = arrays.SmallRng(3)
    table = [[rng.next_i32() for _ in range(512)] for _ in range(8)]  # A, then V
    index = [rng.next_i32() % 2**32 % 512 for _ in range(256)]
    with Folder(contra) as folder:
        gather = [layouts, "--kernel", "gather", "--random", "3", "--out", "y.npy"]
        for more in (["--sanitize", "--check-oracle"], ["--backend=oracle"]):
            result = folder.run(*gather, *more)
            if "E0972" in result.err:
                raise Failed(f"{result}\n  rows are missing")
            folder.expect("y.npy", "<i4", (256, 8), [table[a][row] for row in index for a in range(8)])
        for kernel in ("gather", "gather_to_clusters", "scatter", "scatter_bytes", "scatter_two_keys"):
            folder.run(layouts, "--kernel", kernel, "--random", "3", "--sanitize", "--check-oracle")
            for args in (["compile", layouts, "--kernel", kernel, "-o", "k.tcpo"],
                         ["sim", "k.tcpo", "--random", "3", "--sanitize"]):
                result = contra.run(args, cwd=folder.directory.name)
                if result.status:
                    raise Failed(f"{result}\n  every entry names a row")


def numerics_and_threads(contra):
    with Folder(contra) as folder:
        gemv = os.path.join(ROOT, "examples", "hello", "gemv.rs")
        for options in ([], ["--threads", "1"], ["--threads", "3"]):
            folder.run(gemv, "--random", "5", *options, "--out", "y.npy")
            if options:
                folder.run(gemv, "--random", "5", "--compare", "y.npy")
        folder.run(gemv, "--random", "5", "--numerics=sequential", "--compare", "y.npy", "--tolerance", "0.05")


def device_and_oracle(contra):
    """Both backends give the same bytes, from the source and from an object file, whatever the number of threads."""
    with Folder(contra) as folder:
        gemv = os.path.join(ROOT, "examples", "hello", "gemv.rs")
        agrees = os.path.join(ROOT, "tests", "positive", "run", "oracle_agrees.rs")
        folder.run(gemv, "--random", "5", "--out", "device.npy")
        folder.run(gemv, "--random", "5", "--backend=oracle", "--out", "oracle.npy")
        same(folder.read("device.npy"), folder.read("oracle.npy"))
        folder.run(gemv, "--random", "5", "--check-oracle", "--compare", "oracle.npy")
        folder.run(agrees, "--random", "5", "--check-oracle", "--print")
        unwritten = os.path.join(ROOT, "tests", "positive", "run", "unwritten_for_both.rs")
        folder.run(unwritten, "--random", "5", "--check-oracle")
        for words in (["--backend=device", "--numerics=sequential"], ["--backend=device", "--memory=detached"],
                      ["--check-oracle", "--backend=oracle"], ["--check-oracle", "--numerics=sequential"],
                      ["--backend=both"]):
            folder.run(gemv, "--random", "5", *words, status=2)
        for words, backend in ([], "device"), (["--memory=detached"], "oracle"), (["--backend=oracle"], "oracle"):
            result = folder.run(ADD, "--random", "5", *words, "--format=json")
            same(contra.document(result)["backend"], backend)


FILTER = """use furiosa_visa_std::prelude::*;
axes![S = 256, Q = 8, A = 8];

#[device(chip = 1)]
fn keep(ctx: &mut Context, x: &HbmTensor<i32, m![1], m![S, Q, A]>) -> HbmTensor<i32, m![1], m![S, Q, A]> {
    let x = x.to_dm::<m![1 # 2], m![S], m![Q, A]>(&mut ctx.tdma, 0);
    let kept: DmTensor<i32, m![1], m![1 # 2], m![S], m![Q, A]> = ctx
        .CONTEXT
        .begin(x.view())
        .fetch::<i32, m![Q], m![A]>()
        .collect::<m![Q], m![A]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Comparison([
            InputCmp::I32(InputCmpI32::True),
            InputCmp::I32(InputCmpI32::True),
            InputCmp::I32(InputCmpI32::True),
            InputCmp::I32(InputCmpI32::Greater { boundary: 0 }),
        ]))
        .vector_filter::<m![Q]>(ValidBranchIds::ValidGroup { id: GroupId::One })
        .vector_final()
        .commit(0x1000);
    kept.to_hbm(&mut ctx.tdma, 1 << 28)
}
"""


def filters_of_both_contexts(contra):
    """What passes a filter stays in its lane, whichever context commits it, on the device as by the oracle."""
    with Folder(contra) as folder:
        for context in "main", "sub":
            folder.write(f"{context}.rs", FILTER.replace("CONTEXT", context).encode())
            folder.run(f"{context}.rs", "--random", "1", "--check-oracle", "--relax=sub-context", "--out", f"{context}.npy")
        same(folder.read("main.npy"), folder.read("sub.npy"))


HALVES = b"""use furiosa_visa_std::prelude::*;
axes![A = 64];

#[device(chip = 1)]
fn copy(ctx: &mut Context, x: &HbmTensor<i4, m![1], m![A]>) -> HbmTensor<i4, m![1], m![A]> {
    x.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[tokio::main]
async fn main() {
    let mut ctx = Context::acquire();
    let mut values = vec![Opt::Init(i4::from_i32(3)); 64];
    for i in [1, 2, 3, 4] {
        values[i] = Opt::Uninit;
    }
    let x = HostTensor::<i4, m![A]>::from_buf(values).to_hbm::<m![1], m![A]>(&mut ctx.pdma, 0).await;
    let y: HbmTensor<i4, m![1], m![A]> = launch(copy, (&mut ctx, &x)).await;
    println!("{:?}", &y.to_host::<m![A]>(&mut ctx.pdma).await.to_buf()[..6]);
}
"""


def halves_of_bytes(contra):
    """docs/running.md: on the device a byte has a value once a half of it has; the oracle knows elements."""
    with Folder(contra) as folder:
        folder.write("halves.rs", HALVES)
        for words, wanted in (([], "[Init(3), Init(0), Uninit, Uninit, Init(0), Init(3)]"),
                              (["--sanitize"], "[Init(3), Init(0), Uninit, Uninit, Init(0), Init(3)]"),
                              (["--backend=oracle"], "[Init(3), Uninit, Uninit, Uninit, Uninit, Init(3)]")):
            same(folder.run("halves.rs", *words).out.strip(), wanted)
        folder.run("halves.rs", "--check-oracle")


def object_files(contra):
    """`contra sim` draws in the order of the elements, which is that of the axes here."""
    with Folder(contra) as folder:
        compiled = contra.run(["compile", ADD, "-o", folder.path("add.tcpo")])
        same(compiled.status, 0)
        folder.run(ADD, "--random", "3", "--out", "run.npy")
        for words in ([], ["--threads", "1"]):
            result = contra.run(["sim", "add.tcpo", "--random", "3", *words, "--out", "sim.npy"], cwd=folder.directory.name)
            same(result.status, 0)
            same(folder.read("sim.npy"), folder.read("run.npy"))


NUMBER = b"""use furiosa_visa_std::prelude::*;
axes![S = 256, A = 8];

#[device(chip = 1)]
fn copy(ctx: &mut Context, input: &HbmTensor<i32, m![1], m![S, A]>, place: u64) -> HbmTensor<i32, m![1], m![S, A]> {
    input.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, place).to_hbm(&mut ctx.tdma, 1 << 28)
}
"""


def numbers_of_object_files(contra):
    """An object file has the value that it was compiled for, and takes no other."""
    with Folder(contra) as folder:
        folder.write("copy.rs", NUMBER)
        contra.run(["compile", "copy.rs", "--in", "place=256", "-o", "copy.tcpo"], cwd=folder.directory.name)
        for value, status in (("256", 0), ("0256", 0), ("0x100", 0), ("512", 1), ("0x256", 1), ("x.npy", 1)):
            result = contra.run(["sim", "copy.tcpo", "--random", "1", "--in", f"place={value}"],
                                cwd=folder.directory.name)
            same((result.status, "the kernel was compiled for 256" in result.err), (status, status == 1))


def what_an_object_file_was_compiled_for(contra):
    with Folder(contra) as folder:
        folder.write("copy.rs", NUMBER)
        contra.run(["compile", "copy.rs", "--in", "place=256", "-o", "copy.tcpo"], cwd=folder.directory.name)
        listed = contra.run(["sim", "--list", "copy.tcpo"], cwd=folder.directory.name)
        if "fixed   place = 256" not in listed.out:
            raise Failed(f"{listed}\n  the number that it was compiled for is missing")
        listed = contra.run(["sim", "--list", "copy.tcpo", "--format=json"], cwd=folder.directory.name)
        same(json.loads(listed.out)["kernels"][0]["fixed"], {"place": "256"})


def object_files_take_no_other_place(contra):
    """-o writes over object files and nothing else; one that has the name of a source does not hide the others."""
    with Folder(contra) as folder:
        compiling = ["compile", ADD, "--kernel", "add_five", "-o"]
        folder.write("other.rs", b"fn main() {}\n")
        folder.write("x.npy", arrays.npy("<i4", [4], [1, 2, 3, 4]))
        folder.write("empty.tcpo", b"")
        for name, words in (("other.rs", "is no object file"), ("x.npy", "is no object file"),
                            ("new.rs", "the name of a source"), ("new.tcp", "the name of a source"),
                            ("empty.tcpo", ""), ("k.tcpo", ""), ("k.tcpo", "")):
            result = contra.run([*compiling, folder.path(name)])
            if (result.status, words in result.err) != (1 if words else 0, True):
                raise Failed(f"{result}\n  `{words}` expected")
        same(folder.read("other.rs"), b"fn main() {}\n")
        os.rename(folder.path("k.tcpo"), folder.path("k.rs"))
        same(contra.run(["check", folder.directory.name]).status, 0)


def archives_of_arrays(contra):
    with Folder(contra) as folder:
        folder.write("x.npz", b"PK\x03\x04 and so on")
        result = folder.run(ADD, "--in", "input=x.npz", status=1)
        if "np.load(\"x.npz\")" not in result.err:
            raise Failed(f"{result}\n  how to get an array out of it is missing")


def without_the_device(contra):
    """A kernel that is left to the oracle is neither sanitized nor compared, which is said if it was asked for."""
    path = os.path.join(ROOT, "tests", "negative", "run", "not_sanitized.rs")
    words = {"--sanitize": "is sanitized: only the device is watched", "--check-oracle": "compares nothing of it"}
    for asked in ([], ["--sanitize"], ["--check-oracle"], [*words]):
        result = contra.run(["run", path, "--random", "1", "--relax=capacity", *asked])
        same((result.status, [word for word in words if words[word] in result.err]), (0, asked))


def files_that_are_no_sources(contra):
    """One error, whatever the command: what the file is, or that it is no text."""
    with Folder(contra) as folder:
        contra.run(["compile", ADD, "-o", folder.path("k.tcpo")])
        folder.write("x.npy", arrays.npy("<i4", [4], [1, 2, 3, 4]))
        folder.write("latin.rs", "fn main() { println!(\"caf\u00e9\"); }\nfn other() { nothing; }".encode("latin-1"))
        folder.write("wide.rs", "fn main() {}".encode("utf-16"))
        folder.write("latin.tcp", b"program \xe9\nend\n")
        folder.write("user.rs", b"mod latin;\nuse latin::some;\nfn main() { some(); latin::other(); }")
        for name, words in (("k.tcpo", "`contra sim k.tcpo` runs it"), ("x.npy", "--in NAME=x.npy"),
                            ("latin.rs", "latin.rs:1:26"), ("wide.rs", "the text is not UTF-8"),
                            ("latin.tcp", "latin.tcp:1:9"), ("user.rs", "latin.rs:1:26")):
            for command in ("run", "check", "compile", "test"):
                result = contra.run([command, name], cwd=folder.directory.name)
                if result.status != 1 or result.err.count("error[") != 1 or words not in result.err:
                    raise Failed(f"{result}\n  one error expected, with `{words}`")


def as_json(contra):
    with Folder(contra) as folder:
        folder.write("y.npy", arrays.npy("<i4", [4096], list(range(5, 4101))))
        folder.write("x.npy", arrays.npy("<i4", [4096], list(range(4096))))
        result = folder.run(ADD, "--in", "input=x.npy", "--compare", "y.npy", "--format=json")
        document = contra.document(result)
        output = document["outputs"][0]
        same([output[key] for key in ("name", "type", "dtype", "shape", "axes", "min", "max", "uninitialised")],
             ["result", "i32", "int32", [4096], ["Values"], 5, 4100, 0])
        same(document["comparisons"][0]["within"], True)
        folder.write("y.npy", arrays.npy("<i4", [4096], list(range(5, 4100)) + [4107]))
        result = folder.run(ADD, "--in", "input=x.npy", "--compare", "y.npy", "--format=json", status=1)
        document = contra.document(result)
        same(document["comparisons"][0]["worst"],
             {"index": "Values 4095", "found": 4100.0, "expected": 4107.0, "difference": 7.0})
        same([diag["code"] for diag in document["diagnostics"]], ["E0973"])


def differences(contra):
    """The largest difference, and the largest in parts of what was expected; integers stay integers."""
    with Folder(contra) as folder:
        folder.write("x.npy", arrays.npy("<i4", [4096], list(range(4096))))
        wanted = list(range(5, 4101))
        wanted[3], wanted[4000] = 7, 4055
        folder.write("y.npy", arrays.npy("<i4", [4096], wanted))
        run = [ADD, "--in", "input=x.npy", "--compare", "y.npy"]
        result = folder.run(*run, status=1)
        for words in ("2 of 4096 elements of `result` differ from what was expected\n",
                      "the largest difference is 50 (relative 0.0123), at Values 4000: 4005 instead of 4055",
                      "the largest relative difference is 0.143, at Values 3: 8 instead of 7"):
            if words not in result.err:
                raise Failed(f"{result}\n  `{words}` expected")
        comparison = contra.document(folder.run(*run, "--format=json", status=1))["comparisons"][0]
        same((comparison["differing"], comparison["beyond"]), (2, 2))
        same(comparison["worst"], {"index": "Values 4000", "found": 4005, "expected": 4055, "difference": 50})
        same(comparison["worst_relative"]["index"], "Values 3")
        result = folder.run(*run, "--tolerance", "0.1", status=1)
        if "1 of 4096 elements of `result` differ from what was expected by more than the tolerance 0.1" not in result.err:
            raise Failed(f"{result}\n  one is within 0.1")
        result = folder.run(*run, "--tolerance", "1")
        same(result.out, "result: all 4096 elements are within 1; 2 differ, by up to 50 (at Values 4000), relatively by "
                         "up to 0.143 (at Values 3)\n")


def not_numbers(contra):
    """NaN equals NaN and an infinity itself; on one side only they differ by more than any tolerance."""
    nan, infinity = float("nan"), float("inf")
    values = [float(i % 16) for i in range(2048)]
    values[:4] = [nan, infinity, -infinity, 2.0]
    with Folder(contra) as folder:
        given = {"half": "<f2", "brain": "<f4", "quarter": "<f4", "single": "<f4"}
        for name, descr in given.items():
            plain = [float(i % 16) for i in range(2048)]
            folder.write(f"{name}.npy", arrays.npy(descr, [256, 8], values if name == "single" else plain))
        run = [KERNELS, "--kernel", "floats", *[f"--in={name}={name}.npy" for name in given]]
        folder.run(*run, "--compare", "result.3=single.npy")
        document = contra.document(folder.run(*run, "--format=json"))
        output = [one for one in document["outputs"] if one["name"] == "result.3"][0]
        same([output["nan"], output["infinite"], output["mean"]], [1, 2, sum(values[3:]) / 2045])
        printed = folder.run(*run, "--print").out
        if "range    -inf to inf, mean of finite ones" not in printed or "  infinite 2\n  NaN      1\n" not in printed:
            raise Failed(f"{printed}\n  infinities and NaN are counted, and not in the mean")
        values[0], values[1], values[3] = 1.0, -infinity, 3.0
        folder.write("y.npy", arrays.npy("<f4", [256, 8], values))
        result = folder.run(*run, "--compare", "result.3=y.npy", "--tolerance", "1", status=1)
        for words in ("2 of 2048 elements of `result.3` differ",
                      "NaN or an infinity stands on one side of 2 of them, the first at S 0, A 0: nan instead of 1",
                      "the largest difference is 1 (relative 0.333), at S 0, A 3: 2 instead of 3"):
            if words not in result.err:
                raise Failed(f"{result}\n  `{words}` expected")
        document = contra.document(folder.run(*run, "--compare", "result.3=y.npy", "--format=json", status=1))
        same(document["comparisons"][0]["apart"], 2)
        same(document["comparisons"][0]["worst"],
             {"index": "S 0, A 0", "found": None, "expected": 1.0, "difference": None})


def what_was_written(contra):
    with Folder(contra) as folder:
        run = [KERNELS, "--kernel", "small", "--random", "1"]
        nibbles = arrays.npy("|i1", [256, 16], [0] * 4096)
        folder.write("n.npy", nibbles)
        run = [KERNELS, "--kernel", "small", "--in", "nibbles=n.npy", "--random", "1", "--out", "y.safetensors", "--out",
               "result.1=b.npy"]
        same(folder.run(*run).err, "wrote y.safetensors: result.0, int8 (256, 16)\n"
                                   "wrote y.safetensors: result.1, int8 (256, 8)\n"
                                   "wrote b.npy: result.1, int8 (256, 8)\n")
        same(folder.run(*run, "--quiet").err, "")
        written = contra.document(folder.run(*run, "--format=json"))["written"]
        same(written[1], {"file": "b.npy", "arrays": [{"name": "result.1", "dtype": "int8", "shape": [256, 8]}]})


def nothing_is_half_written(contra):
    """A file that cannot be written leaves the old one, and nothing beside it."""
    with Folder(contra) as folder:
        os.mkdir(folder.path("taken"))
        folder.run(ADD, "--random", "1", "--out", "missing/y.npy", status=1)
        folder.run(ADD, "--random", "1", "--out", "taken", status=1)
        os.symlink("real.npy", folder.path("link.npy"))
        folder.write("real.npy", b"old")
        folder.run(ADD, "--random", "1", "--out", "link.npy")
        same(sorted(os.listdir(folder.directory.name)), ["link.npy", "real.npy", "taken"])
        same(os.path.islink(folder.path("link.npy")), True)
        same(folder.read("real.npy")[:6], b"\x93NUMPY")


def through_pipes(contra):
    """What is no ordinary file is read to its end and written to as it is."""
    with Folder(contra) as folder:
        os.mkfifo(folder.path("in.npy"))
        with subprocess.Popen([contra.path, "run", ADD, "--in", "input=in.npy", "--out", "/dev/stdout"],
                              cwd=folder.directory.name, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            folder.write("in.npy", arrays.npy("<i4", [4096], list(range(4096))))
            out, err = process.communicate(timeout=30)
        if process.returncode:
            raise Failed(f"  exit status {process.returncode}: {err.decode()}")
        same(arrays.parse_npy(out), ("<i4", (4096,), list(range(5, 4101))))


def pipes_among_sources(contra):
    """A pipe that a program names is no module, and one that lies in a folder no source: nothing waits for them."""
    with Folder(contra) as folder:
        folder.write("main.rs", b"mod parts;\nfn main() {}\n")
        for name in ("parts.rs", "lone.rs"):
            os.mkfifo(folder.path(name))
        for what in ("main.rs", "."):
            result = contra.run(["check", what], cwd=folder.directory.name)
            if result.status != 1 or "error[E0423]: the file of module `parts` is no ordinary file" not in result.err:
                raise Failed(f"{result}\n  another error expected")
            same(result.err.count("error["), 1)


LONG = """use furiosa_visa_std::prelude::*;
axes![S = 256, A = 4096];

#[device(chip = 1)]
fn long(ctx: &mut Context, input: &HbmTensor<i32, m![1], m![S, A]>, output: &mut HbmTensor<i32, m![1], m![S, A]>) {
    for _ in 0..4000 {
        let dm = input.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 0);
        dm.view().to_hbm_view(&mut ctx.tdma, output.view_mut());
    }
}
"""


def interrupted(contra):
    """Ctrl-C ends a run: status 130, and no file."""
    with Folder(contra) as folder:
        folder.write("long.rs", LONG.encode())
        with subprocess.Popen([contra.path, "run", "long.rs", "--random", "1", "--out", "y.npy"],
                              cwd=folder.directory.name, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            time.sleep(1)
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=30)
        same((process.returncode, out, err), (130, b"", b"contra: interrupted\n"))
        same(os.listdir(folder.directory.name), ["long.rs"])


def program_texts(contra):
    """A program that `contra check --emit=program` printed runs as its source does."""
    with Folder(contra) as folder:
        text = contra.run(["check", "--emit=program", ADD]).out
        folder.write("add.tcp", text.encode())
        folder.run(ADD, "--kernel", "add_five", "--random", "3", "--out", "y.npy")
        folder.run("add.tcp", "--kernel", "add_five", "--random", "3", "--compare", "y.npy")
        names = ["copy::<m![A]>", "copy::<m![B]>"]
        texts = [contra.run(["compile", GENERIC, "--kernel", name, "--emit=program"]).out for name in names]
        folder.write("copies.tcp", "".join(texts).encode())
        for name in names:  # of an instance it has the name of the instance
            folder.run(GENERIC, "--kernel", name, "--random", "3", "--out", "y.npy")
            folder.run("copies.tcp", "--kernel", name, "--random", "3", "--compare", "y.npy")
        refused = folder.run("copies.tcp", "--kernel", "copy", "--random", "3", status=1)
        same("did you mean `layers::copy::<m![A]>`" in refused.err, True)


ARGUMENTS = b"""
fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    println!("{arguments:?}");
    let bytes = std::fs::read(&arguments[0]).unwrap();
    let text = std::fs::read_to_string(&arguments[1]).unwrap_or_else(|error| format!("<{error}>"));
    println!("{bytes:?} {text}");
}
"""


def arguments_and_files_of_programs(contra):
    with Folder(contra) as folder:
        folder.write("p.rs", ARGUMENTS)
        folder.write("some", b"\x00\xff7")
        folder.write("words", "sieben ä".encode())
        same(folder.run("p.rs", "--", "some", "words", "--random").out, '["some", "words", "--random"]\n[0, 255, 55] sieben ä\n')
        same(folder.run("p.rs", "--", "some", "some").out.splitlines()[1], "[0, 255, 55] <stream did not contain valid UTF-8>")
        same(folder.run("p.rs", "--", "some", "none").out.splitlines()[1],
             "[0, 255, 55] <No such file or directory (os error 2)>")
        same(folder.run("p.rs", "--", "some", "/dev/zero").out.splitlines()[1],
             "[0, 255, 55] <not an ordinary file, which others could keep waiting>")
        same(folder.run("--", "p.rs", "some", "words").out.splitlines()[0], '["some", "words"]')
        for two in (["p.rs", "p.rs", "--", "some"], ["p.rs", "p.rs", "--"], ["p.rs", "--quiet", "p.rs"]):
            same("one file or crate at a time" in folder.run(*two, status=2).err, True)
        refused = folder.run("p.rs", "--", ".", "words", status=1)
        same("os error" in refused.err or "code:" in refused.err, True)


FLUSHES = b"""
use std::io::Write;

fn main() {
    print!("at once");
    std::io::stdout().flush().unwrap();
    loop {}
}
"""


def what_is_flushed_is_there_at_once(contra):
    with Folder(contra) as folder:
        folder.write("p.rs", FLUSHES)
        with subprocess.Popen([contra.path, "run", folder.path("p.rs")], stdout=subprocess.PIPE) as process:
            try:
                there, _, _ = select.select([process.stdout], [], [], 60)
                same(os.read(process.stdout.fileno(), 100) if there else b"nothing", b"at once")
            finally:
                process.kill()


def says_that_no_thread_starts(contra):
    """Where the stack of the thread for `main` does not fit into the address space."""
    if "ASAN_OPTIONS" in os.environ:  # sanitizers need more address space than that
        return
    limit = lambda: resource.setrlimit(resource.RLIMIT_AS, (400 << 20, 400 << 20))
    with Folder(contra) as folder:
        folder.write("p.rs", b"fn main() {}\n#[test]\nfn first() {}\n")
        for command in ("run", "test"):
            done = subprocess.run([contra.path, command, folder.path("p.rs")], capture_output=True, text=True, preexec_fn=limit)
            same((done.returncode, "error[E0907]" in done.stdout + done.stderr), (1, True))


def refuse_set(contra, word, *command):
    """The message about an instruction set that cannot be used."""
    result = contra.run([*command], variables={"CONTRA_ISA": word})
    same((result.status, "error[E0906]: CONTRA_ISA is `" + word in result.err), (2, True))
    return result.err


def sets_can_be_forced(contra):
    """The message about an unknown set lists those that this machine has: each is accepted, the others are refused."""
    said = refuse_set(contra, "sse9", "run", ADD)
    same("not the name of an instruction set" in said, True)
    here = said[said.rindex("(") + 1:said.rindex(")")].split(", ")
    same(here[0], "plain")
    for word in ("plain", "avx2", "avx512"):
        if word not in here:
            same("this machine does not have" in refuse_set(contra, word, "run", ADD), True)
            continue
        result = contra.run(["run", ADD], variables={"CONTRA_ISA": word})
        same((result.status, result.out), (0, "0, 1, 2 .. 4095, plus five: 5, 6, 7 .. 4100\n"))
        shown = contra.run(["bench", "mappings"], variables={"CONTRA_ISA": word})
        same(shown.out.splitlines()[0], f"instruction set: {word}")
    for command in (["test", ADD], ["bench", "mappings"], ["sim", "no.tcpo"]):
        refuse_set(contra, "AVX2", *command)
    same(contra.run(["run", ADD], variables={"CONTRA_ISA": ""}).status, 0)
    same(contra.run(["check", ADD], variables={"CONTRA_ISA": "sse9"}).status, 0)  # it does not use the device


def sets_that_a_machine_lacks(contra):
    """The CPU that Valgrind emulates has no AVX-512."""
    if not shutil.which("valgrind") or "ASAN_OPTIONS" in os.environ:
        return
    emulated = type(contra)("valgrind")
    with Folder(contra) as folder:  # Valgrind cannot read the debug information of every compiler
        subprocess.run(["strip", "-o", folder.path("contra"), contra.path], check=True)
        said = refuse_set(emulated, "avx512", "-q", folder.path("contra"), "bench", "mappings")
    same("this machine does not have that instruction set" in said, True)


def tests(contra):
    found = [every_order_and_type_of_file, columns_first, padding_is_left_out_or_ignored,
             axes_in_the_order_of_the_mapping, padding_in_the_middle, small_integers, floats_and_patterns, numbers, instances,
             places, random_values, random_indices, numerics_and_threads, device_and_oracle, filters_of_both_contexts, halves_of_bytes, object_files, numbers_of_object_files, what_an_object_file_was_compiled_for, object_files_take_no_other_place, archives_of_arrays, without_the_device, files_that_are_no_sources, as_json, differences, not_numbers, what_was_written, nothing_is_half_written, through_pipes, pipes_among_sources,
             interrupted, program_texts, arguments_and_files_of_programs, what_is_flushed_is_there_at_once,
             says_that_no_thread_starts, sets_can_be_forced, sets_that_a_machine_lacks]
    return [(f"run: {test.__name__.replace('_', ' ')}", lambda test=test: test(contra)) for test in found]
