"""Hostile inputs: what Contra prints for them, and which files it leaves."""

import json
import os
import pty
import resource
import select
import shlex
import subprocess
import tempfile

from harness import Failed

# a clear screen, a title, a C1 control sequence, text from right to left, an isolate, a mark
EVIL = "\x1b[2J\x1b]0;title\x07\x9b31m\u202eabc\u2066\u200f\u0085\u2028"
ESCAPED = r"\u001b[2J\u001b]0;title\u0007\u009b31m\u202eabc\u2066\u200f\u0085\u2028"
HIDDEN = [chr(c) for c in [*range(0x09), *range(0x0B, 0x20), *range(0x7F, 0xA0), 0x061C, 0x200E, 0x200F,
                           *range(0x2028, 0x202F), *range(0x2066, 0x206A), 0xFEFF]]


def same(found, wanted):
    if found != wanted:
        raise Failed(f"  found    {found!r}\n  expected {wanted!r}")


def must(condition, words):
    if not condition:
        raise Failed(f"  {words}")


def spoken(contra, *args, stdin=b""):
    """The exit status and the output, as bytes."""
    done = subprocess.run([contra.path, *args], input=stdin, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60)
    return done.returncode, done.stdout


def seen(contra, *args):
    """The output as text, which must not contain hidden characters."""
    _, out = spoken(contra, *args)
    text = out.decode()
    must(not set(text) & set(HIDDEN), f"{args}: {text!r}")
    return text


class Folder:
    def __init__(self, **files):
        self.files = files

    def __enter__(self):
        self.temporary = tempfile.TemporaryDirectory()
        for name, content in self.files.items():
            self.put(name.replace("__", "."), content)
        return self

    def __exit__(self, *_):
        self.temporary.cleanup()

    def at(self, name):
        return os.path.join(self.temporary.name, name)

    def put(self, name, content):
        with open(self.at(name), "wb") as file:
            file.write(content if isinstance(content, bytes) else content.encode())
        return self.at(name)


# ---- the terminal

def names_are_written_out(contra):
    """Hostile names of existing and missing files, in every command that takes a file."""
    with Folder() as folder:
        missing = folder.at(EVIL)
        for command in (["check"], ["run"], ["test"], ["compile"], ["objdump"], ["sim"], ["schedule"], ["view"],
                        ["schedule", "--compare", "x"], ["machine", "--machine"], ["machine"],
                        ["explain"], ["completions"], ["help"], ["bench"]):
            must(ESCAPED in seen(contra, *command, missing), f"{command} does not name the file")
        for command in (["map"], ["map", "A", "--axes"], ["map", "A", "--relax"], ["check", "--rules"]):
            seen(contra, *command, EVIL)
        must(ESCAPED in seen(contra, EVIL), "the command is not named")
        must(ESCAPED in seen(contra, "check", "--" + EVIL), "the option is not named")
        folder.put(EVIL + ".rs", "fn main() { missing() }\n")
        for form in ("--format=text", "--color=always"):
            text = spoken(contra, "check", form, folder.at(EVIL + ".rs"))[1].decode()
            must(f"{ESCAPED}.rs:1:13" in text and EVIL not in text, text)
        text = seen(contra, "check", "--format=json", folder.at(EVIL + ".rs"))
        same(json.loads(text)["diagnostics"][0]["span"]["file"], folder.at(EVIL + ".rs"))
        latin = folder.temporary.name.encode() + b"/caf\xe9.rs"
        must(r"caf\xe9.rs" in seen(contra, "check", latin), "bytes that are not UTF-8")


def carets_stay_below_what_they_mark(contra):
    with Folder(a__rs="fn main() {\n    /* \u202e\u2066é\t */ missing();\n}\n") as folder:
        lines = seen(contra, "check", folder.at("a.rs")).splitlines()
        row = next(i for i, line in enumerate(lines) if "missing();" in line)
        must(r"/* \u202e\u2066é  */ missing" in lines[row], lines[row])
        same(lines[row + 1].index("^"), lines[row].index("missing"))
        same(lines[row + 1].count("^"), len("missing"))


def contents_are_written_out(contra):
    """Files of every kind with hidden characters in their texts."""
    with Folder(a__json=json.dumps({"name": EVIL, EVIL: 1}), s__json=json.dumps({"format": EVIL}), a__tcp=f"axis {EVIL} = 4\n",
                a__npy=b"\x93NUMPY\x01\x00\x40\x00" + f"{{'descr': '{EVIL}', ".encode() + b" " * 60,
                k__rs=f"#[test]\nfn t() {{ panic!(\"{EVIL}\") }}\n") as folder:
        for args in (["machine", "--machine", "a.json"], ["view", "s.json"], ["check", "a.tcp"], ["test", "k.rs"]):
            seen(contra, *args[:-1], folder.at(args[-1]))
        must(r"\u202eabc" in seen(contra, "test", folder.at("k.rs")), "the message of a panic is not shown")


def programs_print_what_they_like(contra):
    """The output of a program or a test passes unchanged; everything else in the same run is escaped."""
    source = "fn main() { println!(\"\\u{1b}[31mred\\u{202e}\"); println!(\"\\u{9b}\"); missing() }\n"
    with Folder(a__rs=source.replace(" missing()", ""), t__rs="#[test]\nfn t() { println!(\"\\u{1b}[31mred\"); panic!(\"\\u{1b}[0m\") }\n") as folder:
        status, out = spoken(contra, "run", folder.at("a.rs"))
        same((status, out), (0, "\x1b[31mred\u202e\n\u009b\n".encode()))
        status, out = spoken(contra, "test", folder.at("t.rs"))
        must(status == 1 and b"\x1b[31mred\n" in out and b"\\u001b[0m" in out and b"\x1b[0m" not in out, out)
        text = seen(contra, "run", "--format=json", folder.at("a.rs"))
        same(json.loads(text)["output"], "\x1b[31mred\u202e\n\u009b\n")


def terminals_get_our_colors_and_nothing_else(contra):
    with Folder() as folder:
        path = folder.put("\x1b[2J\x1b[5m.rs", "fn main() { missing() }\n")
        ours, theirs = pty.openpty()
        process = subprocess.Popen([contra.path, "check", path], stdin=subprocess.DEVNULL, stdout=theirs, stderr=theirs,
                                   env={name: value for name, value in os.environ.items() if name != "NO_COLOR"})
        os.close(theirs)
        text = b""
        while select.select([ours], [], [], 60)[0]:
            try:
                part = os.read(ours, 4096)
            except OSError:
                break
            if not part:
                break
            text += part
        process.wait()
        os.close(ours)
        must(b"\x1b[1;31m" in text and b"\x1b[2J" not in text and b"\x1b[5m" not in text and rb"\u001b[2J" in text, text)


# ---- files

KERNEL = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), "examples", "hello", "constant_add.rs")


def writers(folder, name):
    """Commands that write a file."""
    path = folder.at(name)
    return (["compile", KERNEL, "--kernel", "add_five", "-o", path], ["schedule", KERNEL, "--kernel", "add_five", "--json", path],
            ["schedule", KERNEL, "--kernel", "add_five", "--html", path], ["map", "A / 8, A % 8", "--axes", "A=64", "--svg", path],
            ["run", KERNEL, "--kernel", "add_five", "--random", "1", "--out", path + ".npy"])


def contents(folder):
    found = {}
    for name in os.listdir(folder.temporary.name):
        with open(folder.at(name), "rb") as file:
            found[name] = file.read()
    return found


def a_full_disk_leaves_what_was_there(contra):
    """A failed write leaves an old file unchanged, and no other file."""
    limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (64, 64))
    for is_there in (True, False):
        with Folder() as folder:
            for args in writers(folder, "out"):
                if is_there:
                    subprocess.run([contra.path, *args], check=True, capture_output=True, timeout=60)
                before = contents(folder)
                done = subprocess.run([contra.path, *args], capture_output=True, timeout=60, preexec_fn=limit)
                must(done.returncode == 1 and b"File too large" in done.stderr, f"{args}: {done}")
                same(contents(folder) == before, True)


def many_at_once_leave_one_whole_file(contra):
    with Folder() as folder:
        for args in writers(folder, "same"):
            running = [subprocess.Popen([contra.path, *args], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) for _ in range(6)]
            same([each.wait(60) for each in running], [0] * len(running))
            with open(args[-1], "rb") as file:
                together = file.read()
            subprocess.run([contra.path, *args], check=True, capture_output=True, timeout=60)
            with open(args[-1], "rb") as file:
                same(file.read() == together, True)
        same(sorted(os.listdir(folder.temporary.name)), ["same", "same.npy"])


def closed_streams_are_not_files(contra):
    """If standard output is closed, output does not go to a file that was opened later."""
    with Folder() as folder:
        for args in writers(folder, "out"):
            subprocess.run([contra.path, *args], check=True, capture_output=True, timeout=60)
            with open(args[-1], "rb") as file:
                expected = file.read()
            words = " ".join(shlex.quote(each) for each in [contra.path, *args])
            subprocess.run(["/bin/sh", "-c", f"{words} <&- >&- 2>&-"], timeout=60)
            with open(args[-1], "rb") as file:
                same(file.read() == expected, True)


def written(contra, args, **more):
    """How a command ended that writes a file, and what is in it then."""
    done = subprocess.run([contra.path, *args], capture_output=True, timeout=60, **more)
    with open(args[-1], "rb") as file:
        return done.returncode, done.stderr.decode(), file.read()


def files_are_written_where_no_other_can_be(contra):
    """The file is written even if the folder takes no second file or no longer name, or a link points to a missing file."""
    somebody = {"user": 65534, "group": 65534} if os.geteuid() == 0 else {}
    same_file = lambda one, other: must(one[0] == other[0] == 0 and one[2] == other[2], one[:2])
    with Folder() as folder:
        os.chmod(folder.temporary.name, 0o755)
        wanted = [written(contra, args) for args in writers(folder, "plain")]
        long = writers(folder, "x" * 247)
        for args, plain in zip(long, wanted):
            same_file(written(contra, args), plain)
        for args, plain in zip(writers(folder, "link"), wanted):
            os.symlink("target", args[-1])
            same_file(written(contra, args), plain)
            same(os.readlink(args[-1]), "target")
            os.remove(args[-1])
            os.remove(folder.at("target"))
        closed = folder.at("closed")
        os.mkdir(closed)
        for args, plain in zip(writers(folder, "closed/old"), wanted):
            inside = folder.put(os.path.relpath(args[-1], folder.temporary.name), plain[2])
            os.chmod(inside, 0o666)
            os.chmod(closed, 0o555)
            try:
                same_file(written(contra, args, **somebody), plain)
            finally:
                os.chmod(closed, 0o755)
        same(sorted(os.listdir(closed)), ["old", "old.npy"])
        same(sorted(os.listdir(folder.temporary.name)), sorted(["closed", "plain", "plain.npy", "x" * 247, "x" * 247 + ".npy"]))


def files_keep_their_modes_and_may_be_protected(contra):
    """A file that its owner must not write to is refused, though the folder would take another one in its place."""
    somebody = {"user": 65534, "group": 65534} if os.geteuid() == 0 else {}
    with Folder() as folder:
        os.chmod(folder.temporary.name, 0o777)
        for args in writers(folder, "old"):
            path = args[-1]
            written(contra, args)
            os.chmod(path, 0o666)
            same((written(contra, args)[0], os.stat(path).st_mode & 0o777), (0, 0o666))
            os.chmod(path, 0o444)
            before = os.stat(path)
            status, said, _ = written(contra, args, **somebody)
            must(status == 1 and "Permission denied" in said, f"{args}: {said}")
            same((os.stat(path).st_ino, os.stat(path).st_mtime_ns), (before.st_ino, before.st_mtime_ns))
            os.remove(path)


# ---- programs

def predicates_may_be_nested(contra):
    """Predicates of cfg have the same limit of nesting as everything else, and are evaluated quickly."""
    texts = ("#[cfg(%s)]\nfn left() {}\nfn main() {}\n", "fn main() { cfg!(%s); }\n", "#[cfg_attr(%s, test)]\nfn left() {}\nfn main() {}\n")
    for text in texts:
        for depth, status in ((200, 0), (300, 1), (100000, 1)):
            with Folder(deep__rs=text % ("not(" * depth + "unix" + ")" * depth)) as folder:
                found, out = spoken(contra, "check", folder.at("deep.rs"))
                must(found == status and (status == 0 or b"E0408" in out), f"{depth}: {found} {out[-300:]}")
    with Folder(deep__rs="#[" + "cfg_attr(all()," * 50000 + "test" + ")" * 50000 + "]\nfn left() {}\nfn main() {}\n") as folder:
        found, out = spoken(contra, "check", folder.at("deep.rs"))
        must(found == 1 and b"E0408" in out, f"{found} {out[-300:]}")


def settings_are_names(contra):
    """`--cfg` takes names and values that a predicate can ask for."""
    with Folder(main__rs="#[cfg(not(feature = \"a b\"))]\nfn broken(x: Nothing) {}\nfn main() {}\n") as folder:
        for setting, status in (("feature=a b", 0), ("fast,feature=\"a b\"", 0), ("fast", 1), ("a b", 2), ("\"fast\"", 2), ("a,,b", 2), ("1", 2)):
            found, out = spoken(contra, "check", "--cfg", setting, folder.at("main.rs"))
            must(found == status and (status < 2 or b"NAME=VALUE" in out), f"{setting}: {found} {out[-300:]}")


def a_check_reserves_little(contra):
    """A check keeps no room for lists that a run would fill."""
    if "ASAN_OPTIONS" in os.environ:  # sanitizers need more address space
        return
    limit = lambda: resource.setrlimit(resource.RLIMIT_AS, (400 << 20, 400 << 20))
    lines = "    let _ = std::collections::VecDeque::<u64>::with_capacity(1 << 40);\n" * 3
    with Folder(lists__rs="fn main() {\n" + lines + "}\n") as folder:
        done = subprocess.run([contra.path, "check", folder.at("lists.rs")], capture_output=True, timeout=60, preexec_fn=limit)
        same(done.returncode, 0)


def tests(contra):
    checks = [names_are_written_out, carets_stay_below_what_they_mark, contents_are_written_out,
              programs_print_what_they_like, terminals_get_our_colors_and_nothing_else, a_full_disk_leaves_what_was_there,
              many_at_once_leave_one_whole_file, closed_streams_are_not_files, files_are_written_where_no_other_can_be,
              files_keep_their_modes_and_may_be_protected,
              predicates_may_be_nested, settings_are_names, a_check_reserves_little]
    return [(f"hostile: {test.__name__.replace('_', ' ')}", lambda test=test: test(contra)) for test in checks]
