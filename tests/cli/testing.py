"""`contra test`, `contra run` and `contra check` on crates and folders: what is found there, and how it ends."""

import json
import os
import signal
import subprocess
import time

from harness import Failed
from running import Folder, same

LIBRARY = """
pub mod part;

/// ```
/// panic!("the text of a comment is no test");
/// ```
pub fn down(n: u64) -> u64 {
    if n == 0 { 0 } else { 1 + down(n - 1) }
}

pub fn forever(n: u64) -> u64 {
    1 + forever(n + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deep() {
        assert_eq!(down(10_000), 10_000);
    }

    #[test]
    fn endless() {
        let mut i = 0u64;
        loop {
            i = i.wrapping_add(2);
            if i == 1 { break; }
        }
    }

    #[test]
    fn overflows() {
        forever(0);
    }

    #[test]
    fn overflows_in_a_closure() {
        fn again(n: u64) -> u64 {
            vec![1, 2].iter().fold(0, |sum, item| sum + item + again(n + 1))
        }
        again(0);
    }

    #[test]
    #[ignore = "takes a day"]
    fn slow() {}

    #[test]
    fn talks() {
        println!("{}", "é".repeat(1_500_000));
        panic!("enough said");
    }
}
"""

CRATE = {
    "Cargo.toml": '[package]\nname = "made"\nversion = "0.1.0"\nedition = "2021"\n',
    "src/lib.rs": LIBRARY,
    "src/part.rs": "#[test]\nfn in_part() {}\n",
    "tests/common/mod.rs": "pub fn seven() -> u64 {\n    7\n}\n",
    "tests/whole.rs": "mod common;\n\n#[test]\nfn shared() {\n    assert_eq!(made::down(7), common::seven());\n}\n",
}
KERNEL = """use furiosa_visa_std::prelude::*;
axes![S = 256, A = 8];
#[device(chip = 1)]
fn copy(ctx: &mut Context, x: &HbmTensor<i8, m![1], m![S, A]>) -> HbmTensor<i8, m![1], m![S, A]> {
    x.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 0).to_hbm(&mut ctx.tdma, 1 << 20)
}
"""
MAIN = 'fn main() {\n    println!("this is %s");\n}\n'


class Crate(Folder):
    def __enter__(self):
        super().__enter__()
        for name, text in CRATE.items():
            self.add(name, text)
        return self

    def add(self, name, text):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        self.write(name, text.encode())

    def call(self, *args, status=0, cwd=""):
        result = self.contra.run(list(args), cwd=self.path(cwd))
        if result.status != status:
            raise Failed(f"{result}\n  exit status {status} expected")
        return result


def expect(result, *words):
    for word in words:
        if word not in result.out + result.err:
            raise Failed(f"{result}\n  `{word}` expected")


def names_do_not_depend_on_the_path(contra):
    library = ["part::in_part", "tests::deep", "tests::endless", "tests::overflows", "tests::overflows_in_a_closure",
               "tests::slow (ignored)", "tests::talks"]
    whole = ["tests/whole::shared"]
    with Crate(contra) as crate:
        for args, cwd, wanted in (
                ([], "", library + whole), (["."], "", library + whole), (["src"], "", library),
                (["src/lib.rs"], "", library), (["./src/lib.rs"], "", library), (["lib.rs"], "src", library),
                (["tests"], "", whole), (["tests/whole.rs"], "", whole), (["whole.rs"], "tests", whole),
                (["src/lib.rs", "tests/whole.rs"], "", library + whole), (["src/part.rs"], "", library[:1])):
            same((args, crate.call("test", "--list", *args, cwd=cwd).out.splitlines()), (args, wanted))


def modules_that_a_path_names(contra):
    """In a folder they are parts of the files that name them, by whatever way, and no files of their own."""
    shared = {"one.rs": "mod kernel;\nconst SIZE: usize = 1;\n", "kernel/mod.rs": '#[path = "../shared/part.rs"]\nmod part;\n',
              "two.rs": '#[path = "./shared/../shared/part.rs"]\nmod part;\n', "shared/part.rs": "#[test]\nfn here() {}\n"}
    with Crate(contra) as crate:
        for name, text in shared.items():
            crate.add(f"parts/{name}", text)
        for args, cwd in ((["parts"], ""), (["./parts/"], ""), (["."], "parts"), (["../parts"], "src")):
            found = crate.call("test", "--list", *args, cwd=cwd).out.splitlines()
            same((args, found), (args, ["one::kernel::part::here", "two::part::here"]))


def whatever_a_test_does_the_others_run(contra):
    seconds = "30" if "ASAN_OPTIONS" in os.environ else "4"  # deep calls are slow under sanitizers
    with Crate(contra) as crate:
        result = crate.call("test", "--timeout", seconds, "--format=json", status=1)
        document = contra.document(result)
        tests = {test["name"]: test for test in document["tests"]}
        same({name: test["result"] for name, test in tests.items()},
             {"part::in_part": "passed", "tests::deep": "passed", "tests::endless": "timeout",
              "tests::overflows": "failed", "tests::overflows_in_a_closure": "failed", "tests::slow": "ignored",
              "tests::talks": "failed", "tests/whole::shared": "passed"})
        same(tests["tests::slow"]["reason"], "takes a day")
        for name in ("tests::overflows", "tests::overflows_in_a_closure"):
            same("the stack overflows" in tests[name]["message"], True)
        talks = tests["tests::talks"]
        same((len(talks["output"].encode()) + talks["output_cut"], talks["output"][:2]), (3_000_001, "\u00e9\u00e9"))
        result = crate.call("test", "--exact", "--filter", "tests::overflows", "--filter", "tests::talks", status=1)
        expect(result, "1951425 bytes more were printed", "enough said", "\nfailed:\n  tests::overflows\n  tests::talks\n")


def timeouts_may_be_long(contra):
    """Seconds that do not fit a timer of the system are no reason to end a test early."""
    with Crate(contra) as crate:
        crate.add("long.rs", "#[test]\nfn long() {\n    let start = std::time::Instant::now();\n"
                             "    while start.elapsed().as_millis() < 1500 {}\n}\n")
        for seconds in ("4294967287", "99999999999", str(2 ** 63 - 1)):
            expect(crate.call("test", "--timeout", seconds, "long.rs"), "1 passed, 0 failed")


def ignored_tests(contra):
    with Crate(contra) as crate:
        expect(crate.call("test", "--filter", "slow"), "ignored", "tests::slow: takes a day", "0 passed, 0 failed, 1 ignored")
        expect(crate.call("test", "--ignored"), "1 passed, 0 failed, 0 ignored")
        expect(crate.call("test", "--include-ignored", "--filter", "slow", "--filter", "part"), "2 passed, 0 failed")


def interrupted_tests(contra):
    """Ctrl-C ends all of it with a summary, however often it is sent, and leaves no process."""
    with Crate(contra) as crate:
        for options in ([], ["--format=json"]):
            with subprocess.Popen([contra.path, "test", "--jobs", "2", "--filter", "part", "--filter", "endless", *options],
                                  cwd=crate.path(""), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                  start_new_session=True) as process:
                time.sleep(1)
                process.send_signal(signal.SIGINT)
                os.killpg(process.pid, signal.SIGINT)
                out, err = process.communicate(timeout=30)
            same((process.returncode, err.decode()), (130, "contra: interrupted\n"))
            if options:
                document = json.loads(out)
                same((document["interrupted"], document["passed"], document["failed"], document["not_run"]),
                     (True, 1, 0, 1))
            else:
                same(out.decode().splitlines()[-1], "1 passed, 0 failed, 0 ignored, 1 not run")
            time.sleep(0.1)
            try:
                os.killpg(process.pid, 0)
                raise Failed("  a test still runs")
            except ProcessLookupError:
                pass


def which_main_runs(contra):
    with Crate(contra) as crate:
        expect(crate.call("run", ".", status=1), "E0975", "has no function `main`")
        crate.add("examples/shown.rs", MAIN % "an example")
        result = crate.call("run", ".")
        same((result.out, result.err), ("this is an example\n", "running examples/shown.rs\n"))
        crate.add("src/main.rs", MAIN % "the program")
        crate.add("tests/broken.rs", "fn broken() {\n    unknown();\n}\n")  # no part of the program
        result = crate.call("run", ".", "--quiet")
        same((result.out, result.err), ("this is the program\n", ""))
        same(contra.document(crate.call("run", ".", "--format=json"))["file"], "src/main.rs")
        crate.add("src/bin/other.rs", MAIN % "another")
        expect(crate.call("run", ".", status=1), "2 programs with a `main`", "src/main.rs", "src/bin/other.rs")
        result = crate.call("run", "src/bin/other.rs")
        same((result.out, result.err), ("this is another\n", ""))


def which_files_are_refused(contra):
    with Crate(contra) as crate:
        for name in ("a", "b", "c"):
            crate.add(f"many/{name}.rs", MAIN % name)
        expect(crate.call("check", "many"), "accepted: 0 errors, 0 warnings in 3 files")
        crate.add("many/b.rs", "fn main() {\n    unknown();\n}\n")
        expect(crate.call("check", "many", status=1), "refused: 1 error, 0 warnings in 3 files",
               "the errors are in many/b.rs; the other 2 files are accepted")
        crate.add("many/c.rs", "fn main() {\n")
        expect(crate.call("check", "many", status=1), "2 of 3 files have errors")
        same(contra.document(crate.call("check", "many", "--format=json", status=1))["files_refused"], 2)


def a_shared_module_is_refused_once(contra):
    """A library and a program of a crate may name the same module: what is wrong with it is said once."""
    with Crate(contra) as crate:
        crate.add("src/lib.rs", "pub mod part;\n")
        crate.add("src/main.rs", "mod part;\nfn main() {}\n")
        crate.add("src/part.rs", "pub fn first() {\n    unknown();\n}\npub fn second() -> u8 {\n    crate::main();\n    300\n}\n")
        found = contra.document(crate.call("check", ".", "--format=json", status=1))["diagnostics"]
        same(sorted(diag["code"] for diag in found if diag["span"]["file"].endswith("part.rs")), ["E0420", "E0420", "E0460"])


def what_a_crate_asserts_guards_its_programs_and_tests(contra):
    program = "const N: usize = %s;\nconst _: () = assert!(N > 5);\n#[test]\nfn fine() {}\nfn main() {\n    println!(\"ran\");\n}\n"
    with Crate(contra) as crate:
        for value, status, code in (("6", 0, ""), ("5", 1, "E0454"), ("unknown", 1, "E0420")):
            crate.add("guarded.rs", program % value)
            expect(crate.call("run", "guarded.rs", status=status), code or "ran")
            expect(crate.call("test", "guarded.rs", status=status), code or "1 passed")


def errors_without_number(contra):
    """What an error costs does not grow with the number of errors."""
    count = 120_000
    with Crate(contra) as crate:
        crate.add("many.rs", "fn main() {\n" + "    let _: i8 = 300;\n" * count + "}\n")
        expect(crate.call("check", "many.rs", status=1), f"refused: {count} errors, 0 warnings in 1 file")


def texts_that_hide_tests(contra):
    """A file that cannot be read may hold tests: other tests run, but the run does not count as passed."""
    with Crate(contra) as crate:
        crate.add("src/part.rs", "pub fn open( -> u64 {}\n\n#[test]\nfn in_part() {}\n")
        for more in ([], ["--format=json"], ["--list"]):
            result = crate.call("test", "--filter", "deep", *more, status=1)
            expect(result, "tests::deep", "error[E0403]", "these errors may hide tests")
        for more in ([], ["--list"]):
            document = contra.document(crate.call("test", "--filter", "deep", "--format=json", *more, status=1))
            same([found["code"] for found in document["diagnostics"]], ["E0403"])
        crate.add("src/part.rs", "pub fn wrong() -> u64 { missing }\n\n#[test]\nfn in_part() {}\n")
        result = crate.call("test", "--filter", "deep", "--filter", "in_part")
        expect(result, "2 passed, 0 failed", "the program has 1 error; tests that do not depend on it ran")
        same(contra.document(crate.call("test", "--filter", "deep", "--format=json"))["diagnostics"], [])


def errors_that_main_does_not_meet(contra):
    """What does not depend on an error runs, and is told that there is one: `run` says it as `test` does."""
    line = "contra run: the program has 1 error; code that does not depend on it ran anyway (`contra check` lists it)"
    with Crate(contra) as crate:
        for main, status in (("println!(\"ran\");", 0), ("wrong();", 1)):
            crate.add("lone.rs", "fn wrong() -> u64 {\n    missing\n}\nfn main() {\n    %s\n}\n" % main)
            result = crate.call("run", "lone.rs", status=status)
            same(line in result.err, status == 0)
        crate.add("lone.rs", MAIN % "fine")
        same(crate.call("run", "lone.rs").err, "")
        crate.add("kernel.rs", KERNEL + "fn wrong() -> u64 {\n    missing\n}\n")
        expect(crate.call("run", "kernel.rs", "--random", "1"), line)
        same(crate.call("run", "kernel.rs", "--random", "1", "--quiet").err, "")


def tests(contra):
    found = [names_do_not_depend_on_the_path, modules_that_a_path_names, whatever_a_test_does_the_others_run,
             ignored_tests, timeouts_may_be_long, interrupted_tests, which_main_runs, which_files_are_refused,
             a_shared_module_is_refused_once,
             what_a_crate_asserts_guards_its_programs_and_tests, errors_without_number, texts_that_hide_tests,
             errors_that_main_does_not_meet]
    return [(f"test: {test.__name__.replace('_', ' ')}", lambda test=test: test(contra)) for test in found]
