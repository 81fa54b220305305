"""`contra schedule` and `contra view`: golden summaries, files, pages and the server.

    python3 tests/cli/scheduling.py --write    writes tests/golden/schedules anew; the diff is reviewed like code
"""

import difflib
import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.parse
from xml.etree import ElementTree

import harness
from harness import Failed
from running import Folder, same

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
GOLDEN = os.path.join(ROOT, "tests", "golden", "schedules")
DOUBLE = "examples/kernels/double_buffered_gemm.rs"
SLOW = "tests/cli/data/gemm4096.rs"  # 64 rounds, each of which waits for the one before
COPIED = "tests/cli/data/copied_gemm.rs"  # bound by DMA

SUMMARIES = [  # source, kernel, cost model
    ("examples/hello/constant_add.rs", "add_five", "manual"),
    ("examples/hello/constant_add.rs", "add_five", "static"),
    ("examples/hello/constant_add.rs", "add_five", "silicon"),
    ("examples/hello/gemm.rs", "gemm", "manual"),
]

KERNELS = [  # those that say at their top how many cycles they take
    ("double_buffered_gemm", "gemm"), ("double_buffered_gemm", "gemm_one_buffer"),
    ("tiling", "tiled_gemm"), ("blocked_gemm", "gemm"), ("blocked_gemm_four", "gemm"), ("decode_gemv", "gemv"), ("softmax", "softmax"), ("norms", "rms_norm"), ("norms", "layer_norm"),
    ("activations", "gelu"), ("activations", "silu"), ("activations", "swiglu"), ("rope", "rope"), ("argmax", "argmax"),
    ("gemv", "vector_in_trf"), ("gemv", "matrix_in_trf"), ("gemv", "rows_in_packets"),
    ("batched_matmul", "k_in_packets"), ("batched_matmul", "v_in_packets"), ("batched_matmul", "m_in_packets"),
    ("convolution", "stride_1"), ("convolution", "stride_2"), ("convolution", "dilation_2"),
    ("convolution", "stride_2_dilation_2"), ("chip_gemm", "chip_gemm"),
    ("quantised_gemm", "corrected_by_sums"), ("quantised_gemm", "zero_points_in_fetch"), ("quantised_gemm", "with_code_book"),
    ("embedding", "embed"), ("causal_mask", "causal_mask"), ("cumulative_sum", "cumulative_sum"),
    ("split_reduce", "layer_norm"), ("split_reduce", "batch_statistics"), ("split_reduce", "expert_sum"),
    ("split_reduce", "window_sums"), ("collectives", "reduce_scatter"), ("collectives", "all_gather"),
    ("collectives", "all_reduce"), ("collectives_eight", "all_reduce"),
    ("fetch_patterns", "turn"), ("fetch_patterns", "turn_in_pieces"), ("fetch_patterns", "full"), ("fetch_patterns", "full_by_halves"),
    ("fetch_patterns", "tail"), ("fetch_patterns", "tail_to_the_byte"), ("fetch_patterns", "segments"), ("fetch_patterns", "one_segment"),
    ("commit_patterns", "turn"), ("commit_patterns", "turn_within_flits"), ("commit_patterns", "sums"), ("commit_patterns", "sums_with_gaps"),
    ("commit_patterns", "tail"), ("commit_patterns", "tail_line_by_line"), ("commit_patterns", "tail_padded"),
    ("commit_patterns", "segments"), ("commit_patterns", "segments_by_themselves"),
    ("kv_cache", "append"), ("kv_cache", "read"), ("top_k", "top_k"),
]
MODELS = [  # likewise
    ("attention/prefill", "prefill"), ("attention/prefill", "prefill_causal"), ("attention/decode", "decode"),
    ("llama/main", "decode::kernels::attention::attention"), ("llama/main", "decode::kernels::mlp::mlp"),
    ("llama/main", "prefill::kernels::attention::attention"), ("llama/main", "prefill::kernels::mlp::mlp"),
    ("llama/llama_8b", "attention"), ("llama/llama_8b", "mlp"), ("llama/llama_8b", "logits"),
    ("mlp/main", "mlp"), ("moe/main", "moe"),
]
EXAMPLES = [(f"examples/kernels/{name}.rs", kernel) for name, kernel in KERNELS]
EXAMPLES += [(f"examples/models/{name}.rs", kernel) for name, kernel in MODELS]
SUMMARIES += [(path, kernel, "manual") for path, kernel in EXAMPLES]
SUMMARIES += [(f"examples/{path}.rs", kernel, "manual") for path, kernel in [  # and those that say nothing of it
    ("kernels/collectives_eight", "reduce_scatter"), ("kernels/collectives_eight", "all_gather"),
    ("models/llama/main", "decode::kernels::ends::embed"), ("models/llama/main", "decode::kernels::ends::logits"),
    ("models/llama/main", "prefill::kernels::ends::embed"), ("models/llama/main", "prefill::kernels::ends::logits"),
    ("models/llama/llama_8b", "embed")]]


def call(contra, *args, status=0):
    result = contra.run(list(args), cwd=ROOT)
    if result.status != status:
        raise Failed(f"{result}\n  exit status {status} expected")
    return result


def golden_path(source, kernel, cost):
    folder, file = os.path.split(source)
    name = os.path.basename(folder) if file == "main.rs" else os.path.splitext(file)[0]
    return os.path.join(GOLDEN, f"{name}.{kernel.replace('::', '.')}.{cost}.txt")


def summary(contra, source, kernel, cost):
    return call(contra, "schedule", source, "--kernel", kernel, f"--cost={cost}").out


def summary_is_golden(contra, source, kernel, cost):
    with open(golden_path(source, kernel, cost), encoding="utf-8") as file:
        wanted = file.read()
    found = summary(contra, source, kernel, cost)
    if found != wanted:
        raise Failed("".join(difflib.unified_diff(wanted.splitlines(True), found.splitlines(True), "golden", "now")))


def document(contra, *args):
    return json.loads(call(contra, "schedule", *args, "--format=json").out)


def operations_of(schedule):
    """With what their kinds have, and one use for each lane."""
    return [{**schedule["kinds"][op["kind"]], **op, "uses": lanes_of(op)} for op in schedule["operations"]]


def lanes_of(op):
    return [(lane + i, begin, end) for lane, begin, end, *count in op["uses"] for i in range(*count or (1,))]


def two_buffers_overlap(contra):
    """From the first pass to the last, main never waits, and DMA and the sub context run beside it; with one buffer each load
    and each pass waits for what was in its place before."""
    two, one = (document(contra, DOUBLE, "--kernel", kernel) for kernel in ("gemm", "gemm_one_buffer"))
    same(two["cycles"] < 0.75 * one["cycles"], True)

    def of(schedule, context):
        return [op for op in operations_of(schedule) if op["context"] == context]

    def held_up_by(schedule, context):
        return {op["waits"][0]["kind"] for op in of(schedule, context)[2:]}

    passes = of(two, "main")
    same([b["begin"] - a["end"] for a, b in zip(passes, passes[1:])], [0] * 15)
    for context, before in (("tdma", 3), ("sub", 2)):  # two tiles and the rows; and the last results
        others = of(two, context)[before:]
        outside = [op for op in others if op["begin"] < passes[0]["begin"] or op["end"] > passes[-1]["end"]]
        same(len(outside), 1 if context == "tdma" else 0)
    same(held_up_by(two, "main"), {"lane"})
    same("war" in held_up_by(one, "main") | held_up_by(one, "sub"), True)


def examples_say_how_long_they_take(contra):
    """The cycles in the words above a kernel are those that are predicted."""
    for path, kernel in EXAMPLES:
        cycles = document(contra, path, "--kernel", kernel)["cycles"]
        with open(os.path.join(ROOT, path), encoding="utf-8") as file:
            words = "".join(line for line in file if line.startswith("//!"))
        if not re.search(rf"\b{cycles:,}\b", words):
            raise Failed(f"{path}: {kernel} takes {cycles:,} cycles, which it does not say")


def the_large_products_keep_the_chip_busy(contra):
    """The multipliers of one, HBM of the other; loads run beside passes, all but those of the first tile."""
    product = document(contra, "examples/kernels/blocked_gemm.rs")
    same(product["summary"]["macs"] >= 0.9 * product["summary"]["peak_macs"], True)
    operations = operations_of(product)
    passes = [op for op in operations if op["context"] == "main"]
    first = min(op["begin"] for op in passes)
    idle = sum(max(0, b["begin"] - a["end"]) for a, b in zip(passes, passes[1:]))
    same(first < 20000 and idle < 10000, True)
    on_four = document(contra, "examples/kernels/blocked_gemm_four.rs")
    same(on_four["summary"]["macs"], 4 * product["summary"]["macs"])
    same(on_four["cycles"] < 1.001 * product["cycles"], True)
    on_chips = document(contra, "examples/kernels/chip_gemm.rs")
    passes = [op for op in operations_of(on_chips) if op["context"] == "main"]
    same([b["begin"] - a["end"] for a, b in zip(passes, passes[1:])], [0] * 15)
    same(on_chips["summary"]["macs"] >= 0.67 * on_chips["summary"]["peak_macs"], True)
    vector = document(contra, "examples/kernels/decode_gemv.rs")["summary"]
    same(vector["hbm_bytes"] >= 0.85 * vector["hbm_peak_bytes"], True)
    for kernel in ("prefill", "prefill_causal"):
        attention = document(contra, "examples/models/attention/prefill.rs", "--kernel", kernel)["summary"]
        same(attention["macs"] >= 0.6 * attention["peak_macs"], True)
    decode = document(contra, "examples/models/attention/decode.rs")["summary"]
    same(decode["hbm_bytes"] >= 0.9 * decode["hbm_peak_bytes"], True)
    for kernel, share in (("attention", 0.75), ("mlp", 0.89), ("logits", 0.97)):
        layer = document(contra, "examples/models/llama/llama_8b.rs", "--kernel", kernel)["summary"]
        same(layer["hbm_bytes"] >= share * layer["hbm_peak_bytes"], True)


def hazards_are_told_beside_what_both_occupy(contra):
    """A pass that reads what the one before it writes says so, and then that both need the main context."""
    second = document(contra, "examples/hello/sanitizer.rs", "--kernel", "forgets")["operations"][2]
    held = [(wait["kind"], wait["operation"]) for wait in second["waits"] if wait["until"] == second["begin"]]
    same(held, [("raw", 1), ("lane", 1)])
    printed = summary(contra, "examples/hello/sanitizer.rs", "forgets", "manual")
    path = printed[printed.index("Critical path"):].splitlines()
    row = next(i for i, line in enumerate(path) if line.split()[:1] == ["#2"])
    same("waited for #1" in path[row + 1] and "reads what it writes" in path[row + 1], True)
    same(path[row + 2].endswith("has main"), True)


def hazards_say_that_there_are_more_pieces(contra):
    """The store of a result reads all rows of it that a pass wrote; the pass wrote them in pieces of 32 bytes."""
    schedule = document(contra, COPIED)
    wait = operations_of(schedule)[25]["waits"][0]
    same((wait["operation"], wait["to"] - wait["from"]), (24, 32))
    same(wait["low"] <= wait["from"] and wait["high"] >= wait["to"] and wait["high"] - wait["low"] > 63 * 32, True)
    same(f", such as {wait['from']:#x}..{wait['to'] - 1:#x})" in summary(contra, COPIED, "gemm", "manual"), True)


def advice_is_of_lines_and_can_be_followed(contra):
    def advice(source, *args):
        return document(contra, source, *args)["summary"]["advice"]

    of_line = [text for text in advice(SLOW) if "(line 50, 93.2 % of the time)" in text]
    same(len(of_line), 4)  # 64 rounds, of which none takes long by itself
    same(any("to_hbm" in text and "row switches" in text for text in advice(COPIED)), True)
    for name in ("transpose", "constant_add", "dot_product"):  # one load of each tensor, one store, no tiles
        same([text for text in advice(f"examples/hello/{name}.rs") if "longer transfers" in text or "next tile" in text], [])


def gaps_say_how_many_there_are(contra):
    """Each gap of 64 rounds on some engines of DMA, which are told together."""
    schedule = document(contra, SLOW)
    free, found = {}, set()
    for op in sorted(operations_of(schedule), key=lambda op: op["begin"]):
        for lane, begin, end in op["uses"]:
            if begin > free.get(lane, 0) and schedule["lanes"][lane]["name"].startswith("DMA"):
                found.add((free.get(lane, 0), begin))
            free[lane] = max(free.get(lane, 0), end)
    same((len(schedule["gaps"]), schedule["gap_count"] >= len(found) >= 64), (10, True))
    same(all(gap["lane"] + gap.get("lanes", 1) <= len(schedule["lanes"]) for gap in schedule["gaps"]), True)
    same(any(gap.get("lanes", 1) > 1 for gap in schedule["gaps"]), True)
    printed = summary(contra, SLOW, schedule["kernel"], "manual")
    same(f"  and {schedule['gap_count'] - 5} more that are as long or shorter" in printed, True)


def object_files_are_scheduled_alike(contra):
    with Folder(contra) as folder:
        path = folder.path("k.tcpo")
        call(contra, "compile", DOUBLE, "--kernel", "gemm", "-o", path)
        same(document(contra, path), document(contra, DOUBLE, "--kernel", "gemm"))


def long_gemm(folder, rounds):
    """The path of a kernel of 129 operations for each round."""
    with open(os.path.join(ROOT, SLOW), encoding="utf-8") as file:
        text = file.read().replace("for rows in 0..2 {", f"for round in 0..{rounds} {{\n        let rows = round % 2;")
    path = folder.path(f"long{rounds}.rs")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def work_that_nobody_does_is_no_limit(contra):
    """More steps all told than `contra sim` executes: a schedule only counts them."""
    with Folder(contra) as folder:
        source, path = long_gemm(folder, 36), folder.path("long.tcpo")
        call(contra, "compile", source, "-o", path)
        same("its commands together take more than" in call(contra, "sim", path, status=1).err, True)
        same(call(contra, "schedule", path).out, call(contra, "schedule", source).out)


def peak_of(contra, *args):
    """Bytes of memory that a command needs at most."""
    with subprocess.Popen([contra.path, *args], stdout=subprocess.DEVNULL, cwd=ROOT) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    same(process.returncode, 0)
    return usage.ru_maxrss * 1024


def unrolled_loops_take_little_memory(contra):
    """What is only needed while an operation is lowered is not kept: 50,000 of them are no matter."""
    if "ASAN_OPTIONS" in os.environ:  # sanitizers keep what is freed
        return
    with Folder(contra) as folder:
        few, many = (peak_of(contra, "schedule", long_gemm(folder, rounds)) for rounds in (8, 40))
        same((many - few) / (40 - 8) / 129 < 30000, True)  # 1.5 GB of 50,000


def documents_hold_together(contra):
    """What names another thing by its number names one that is there."""
    for source, kernel, cost in SUMMARIES:
        schedule = document(contra, source, "--kernel", kernel, f"--cost={cost}")
        operations, texts, lanes = operations_of(schedule), schedule["texts"], schedule["lanes"]
        tensors = {tensor["id"] for tensor in schedule["tensors"]}
        for number, op in enumerate(operations):
            same(isinstance(texts[op["source"]], str) and -1 <= op["file"] < len(schedule["files"]), True)
            same(-1 <= op["listing"] < len(texts) and all(0 <= cost < len(schedule["costs"]) for cost in op["commands"]), True)
            same(set(op["reads"]) <= tensors and op["writes"] in tensors | {-1}, True)
            for lane, begin, end in op["uses"]:
                same(0 <= lane < len(lanes) and op["begin"] <= begin <= end <= op["end"], True)
            for wait in op["waits"]:
                same(-1 <= wait.get("operation", -1) < number and wait["until"] <= op["begin"], True)
        for number, lane in enumerate(lanes):
            same(lane["busy"], sum(end - begin for op in operations for use, begin, end in op["uses"] if use == number))
        same(max(op["end"] for op in operations) <= schedule["cycles"], True)
        same([memory["memory"] for memory in schedule["memories"]], ["DM", "HBM", "TRF", "VRF"])
        for name in ("macs", "peak_macs", "hbm_bytes", "hbm_peak_bytes"):
            rate = schedule["summary"][f"{name}_per_cycle"]
            same(abs(rate * schedule["cycles"] - schedule["summary"][name]) <= 1e-6 * schedule["summary"][name], True)
        same(all(isinstance(texts[line], str) for text in texts if isinstance(text, list) for line in text), True)
        same([number for number, op in enumerate(operations) if op.get("critical")], sorted(schedule["critical"]))


def axes_are_those_of_the_program(contra):
    schedule = document(contra, DOUBLE, "--kernel", "gemm")
    same({axis["name"]: axis["size"] for axis in schedule["axes"]}, {"I": 16384, "J": 512, "K": 512})
    same(any("axes" in tensor for tensor in schedule["tensors"]), False)


def files_are_written(contra):
    with Folder(contra) as folder:
        names = {form: folder.path(f"out.{form}") for form in ("json", "trace", "html")}
        args = [word for form, path in names.items() for word in (f"--{form}", path)]
        printed = call(contra, "schedule", DOUBLE, "--kernel", "gemm", *args).out
        same(printed, summary(contra, DOUBLE, "gemm", "manual"))
        schedule = json.loads(folder.read("out.json"))
        events = json.loads(folder.read("out.trace"))["traceEvents"]
        same(sum(event["ph"] == "X" for event in events), sum(len(op["uses"]) for op in operations_of(schedule)))
        page = folder.read("out.html").decode()
        start = page.index('id="schedule">') + len('id="schedule">')
        embedded = page[start:page.index("</script>", start)]
        same(json.loads(embedded), schedule)
        same("<" in embedded, False)
        call(contra, "schedule", DOUBLE, "--kernel", "gemm", "--html", "/nowhere/at/all.html", status=1)


def drawings_show_every_operation(contra):
    """A bar for each use of a lane that is wide enough; as many as fit, however many there are."""
    def shapes(source, kernel):
        text = call(contra, "schedule", source, "--kernel", kernel, "--svg", "-").out
        root = ElementTree.fromstring(text)
        space = "{http://www.w3.org/2000/svg}"
        return {title.text.split(",")[0] for title in root.iter(space + "title")}, len(text)
    titles, _ = shapes(DOUBLE, "gemm")
    operations = operations_of(document(contra, DOUBLE, "--kernel", "gemm"))
    same(titles, {f"#{number} {op['method']}" for number, op in enumerate(operations)})
    with Folder(contra) as folder:
        sizes = [shapes(long_gemm(folder, rounds), "gemm4096")[1] for rounds in (8, 80)]
        same(sizes[1] < 2 * sizes[0] < 1 << 20, True)
        bare = folder.path("bare.tcpo")
        call(contra, "compile", DOUBLE, "--kernel", "gemm", "--no-source-map", "-o", bare)
        text = call(contra, "schedule", bare, "--svg", "-").out  # by methods, as no line is known
        same(("line 0" in text, len(set(re.findall(r"hsl\((\d+)", text)))), (False, 4))


def drawing_of(contra, command, path, kernel, *options):
    return ElementTree.fromstring(call(contra, command, path, "--kernel", kernel, *options).out)


def fills_of(root):
    """The colours of bars, and those of the legend, which are small squares."""
    rects = [(rect.get("height"), rect.get("fill")) for rect in root.iter("{http://www.w3.org/2000/svg}rect")]
    return {fill for height, fill in rects if height == "20"}, [fill for height, fill in rects if height == "12"]


def legends_explain_every_colour(contra):
    """No two lines have the same one, however many lines there are; and each is seen, however short its operations are."""
    for path, kernel in (("examples/models/llama/main.rs", "decode::kernels::attention::attention"),
                         ("examples/models/attention/prefill.rs", "prefill"), ("examples/kernels/softmax.rs", "softmax")):
        drawn, explained = fills_of(drawing_of(contra, "schedule", path, kernel, "--svg", "-"))
        same(len(explained), len(set(explained)))
        same(drawn, set(explained))


def long_schedules_show_their_beginning(contra):
    """Where bars are too short to be seen; all of the first of them are named there."""
    long = drawing_of(contra, "schedule", "examples/models/attention/prefill.rs", "prefill", "--svg", "-")
    short = drawing_of(contra, "schedule", DOUBLE, "gemm", "--svg", "-")
    texts = [[text.text for text in root.iter("{http://www.w3.org/2000/svg}text")] for root in (long, short)]
    same([any(text.startswith("the first 48 operations, ") for text in one) for one in texts], [True, False])
    titles = {title.text.split()[0] for title in long.iter("{http://www.w3.org/2000/svg}title")}
    same({f"#{number}" for number in range(20)} <= titles, True)


def drawings_name_the_same_lines(contra):
    """That of mappings and that of the schedule: a pass stands where it begins, also where another function ends it."""
    for path, kernel in (("examples/kernels/blocked_gemm.rs", "gemm"), ("examples/kernels/softmax.rs", "softmax")):
        mapped, scheduled = (
            {found.groups() for text in root.iter("{http://www.w3.org/2000/svg}" + tag) for found in [re.search(pattern, text.text or "")] if found}
            for root, tag, pattern in (
                (drawing_of(contra, "compile", path, kernel, "--emit=svg"), "text", r"^(\w+) \(\w+\), line (\d+)"),
                (drawing_of(contra, "schedule", path, kernel, "--svg", "-"), "title", r"^#\d+ (\w+), line (\d+)")))
        same(len(scheduled) > 4 and scheduled <= mapped, True)


def legends_say_what_goes_in_and_out(contra):
    """Of a pass the line that it begins on says little; of each operation there are names."""
    path = os.path.join(ROOT, "examples", "kernels", "softmax.rs")
    root = ElementTree.fromstring(call(contra, "schedule", path, "--svg", "-").out)
    texts = [text.text or "" for text in root.iter("{http://www.w3.org/2000/svg}text")]
    legend = [text.split(": ", 1)[1] for text in texts if re.match(r"line \d+: ", text)]
    same(legend, ["to_dm_view: x → DM", "to_vrf: DM → largest", "to_vrf: DM, largest → scale",
                  "commit: DM, largest, scale → results", "to_hbm_view: results → y"])


def pages_are_compared_as_documents_are(contra):
    with Folder(contra) as folder:
        for name, kernel in (("one", "gemm_one_buffer"), ("two", "gemm")):
            call(contra, "schedule", DOUBLE, "--kernel", kernel, "--json", folder.path(name + ".json"), "--html", folder.path(name + ".html"))
        texts = call(contra, "schedule", "--compare", folder.path("one.json"), folder.path("two.json")).out
        pages = call(contra, "schedule", "--compare", folder.path("one.html"), folder.path("two.html")).out
        same(pages.replace(".html", ".json"), texts)


def comparisons_show_what_changed(contra):
    with Folder(contra) as folder:
        names = [folder.path(f"{kernel}.json") for kernel in ("gemm_one_buffer", "gemm")]
        for kernel, name in zip(("gemm_one_buffer", "gemm"), names):
            call(contra, "schedule", DOUBLE, "--kernel", kernel, "--json", name)
        text = call(contra, "schedule", "--compare", *names).out
        same(re.findall(r"\d{4,}", text.replace(folder.path(""), "")), [])  # 47,120
        busy = [line.split(" busy ")[0].strip() for line in text.splitlines() if " busy " in line]
        same(len([name for name in busy if name.startswith("DMA")]), 1)  # eight engines that are alike
        same(" busy " in call(contra, "schedule", "--compare", names[0], names[0]).out, False)
    head = summary(contra, SLOW, "gemm4096", "manual").splitlines()[0]
    same(" 37.5 ms " in head, True)  # as on the page


ROUND_TRIP = """use furiosa_visa_std::prelude::*;
axes![S = 256, R = 64];
#[device(chip = 1)]
fn round_trip(ctx: &mut Context, x: &HbmTensor<i32, m![1], m![S, R]>) -> HbmTensor<i32, m![1], m![S, R]> {
    let a = x.to_dm::<m![1 # 2], m![S], m![R]>(&mut ctx.tdma, 0);
    let h = a.to_hbm::<m![S, R]>(&mut ctx.tdma, 1 << 28);
    let b = h.to_dm::<m![1 # 2], m![S], m![R]>(&mut ctx.tdma, 0x1000);
    b.to_hbm(&mut ctx.tdma, 1 << 29)
}
"""


def comparisons_account_for_every_cycle(contra):
    """Rows add up to what the kernels take and to what changed, in each model: its start, waits and end are rows, too."""
    with Folder(contra) as folder:
        paths, source = [], folder.path("round_trip.rs")
        with open(source, "w", encoding="utf-8") as file:
            file.write(ROUND_TRIP)
        for source, kernel, cost in SUMMARIES + [(source, "round_trip", "static"), (source, "round_trip", "silicon")]:
            paths.append(folder.path(f"{len(paths)}.json"))
            call(contra, "schedule", source, "--kernel", kernel, f"--cost={cost}", "--json", paths[-1])
        kinds = set()
        for first, second in zip(paths, paths[1:] + paths[:1]):
            found = json.loads(call(contra, "schedule", "--compare", "--format=json", first, second).out)
            takes = [schedule["cycles"] for schedule in found["schedules"]]
            same([sum(row["critical"][side] for row in found["rows"]) for side in (0, 1)], takes)
            same(sum(row["change"] for row in found["rows"]), takes[1] - takes[0])
            kinds |= {row["kind"] for row in found["rows"]}
        same(kinds, {"line", "start", "sync", "end"})


def request(url, method, path, body=None, **headers):
    connection = http.client.HTTPConnection(url.hostname, url.port, timeout=30)
    connection.request(method, path, body, headers)
    response = connection.getresponse()
    return response.status, response.read()


def announce(url, length, **headers):
    """The answer to a POST of so many bytes, none of which is ever sent."""
    connection = http.client.HTTPConnection(url.hostname, url.port, timeout=30)
    connection.putrequest("POST", "/open")
    for name, value in {**headers, "Content-Length": str(length)}.items():
        connection.putheader(name, value)
    connection.endheaders()
    return connection.getresponse().status


def the_page_is_served_here_only(contra):
    with Folder(contra) as folder:
        path = folder.path("k.tcpo")
        call(contra, "compile", DOUBLE, "--kernel", "gemm", "-o", path)
        server = subprocess.Popen([contra.path, "view", path], stdout=subprocess.PIPE, text=True)
        try:
            url = urllib.parse.urlparse(server.stdout.readline().strip())
            same(url.hostname, "127.0.0.1")
            status, page = request(url, "GET", "/")
            same((status, b"<!doctype html" in page.lower(), b'"contra-schedule"' in page), (200, True, True))
            same(request(url, "GET", "/", Host="elsewhere.example")[0], 403)
            same(request(url, "POST", "/open", b"x", Origin="http://elsewhere.example")[0], 403)
            same(request(url, "POST", "/open", b"x", Origin=f"http://{url.netloc}")[0], 422)
            same(announce(url, 1000, Origin="http://elsewhere.example"), 403)
            same(announce(url, 1 << 40), 413)
            same(request(url, "GET", "/etc/passwd")[0], 404)
            same(request(url, "GET", "/", b"something beside")[0], 200)
            same(request(url, "DELETE", "/")[0], 405)
            status, text = request(url, "POST", "/open", folder.read("k.tcpo"))
            same((status, json.loads(text)["kernel"]), (200, "gemm"))
            status, text = request(url, "POST", "/open", b"nothing that was compiled")
            same((status, b"E0851" in text), (422, True))
            status, text = request(url, "POST", "/open?name=my%20kernel.tcpo", b"nothing that was compiled")
            same([(one["code"], one["message"]) for one in json.loads(text)], [("E0851", "`my kernel.tcpo` is no object file")])
            same(request(url, "GET", "/")[0], 200)
            server.send_signal(signal.SIGINT)
            same(server.wait(timeout=30), 0)
        finally:
            server.kill()
            server.wait()
        same("cannot read" in call(contra, "view", folder.path("missing.json"), status=1).err, True)


def seconds_until_closed(connection):
    begin = time.monotonic()
    connection.settimeout(30)
    try:
        while connection.recv(1 << 16):
            pass
    except ConnectionResetError:
        pass
    return time.monotonic() - begin


def request_again(url):
    """The HTTP status of the page; retries for a while if the connection is refused."""
    end = time.monotonic() + 30
    while True:
        try:
            return request(url, "GET", "/")[0]
        except (ConnectionError, http.client.HTTPException):
            if time.monotonic() > end:
                raise
            time.sleep(0.2)


def browsers_leave_out_the_port_of_http(contra):
    """At port 80 the Host header has no port. The test needs that port."""
    with subprocess.Popen([contra.path, "view", "--port", "80"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as server:
        try:
            line = server.stdout.readline()
            if not line:  # taken, or for root alone
                same("cannot listen on port 80: " in server.stderr.read(), True)
                return
            url = urllib.parse.urlparse(line.strip())
            answers = [request(url, "GET", "/", Host=host)[0] for host in ("localhost", "127.0.0.1", "localhost:80", "localhost:8080")]
            same(answers, [200, 200, 200, 403])
        finally:
            server.kill()


def silent_connections_are_closed(contra):
    """Clients that send nothing, half a header or half a body, or do not read the answer, even on all connections."""
    server = subprocess.Popen([contra.path, "view"], stdout=subprocess.PIPE, text=True)
    try:
        url = urllib.parse.urlparse(server.stdout.readline().strip())
        head = f"Host: {url.netloc}\r\n"
        starts = ["", "GET / HTT", f"GET / HTTP/1.1\r\n{head}", f"POST /open HTTP/1.1\r\n{head}Content-Length: 100\r\n\r\nhalf"]
        connections = []
        for i in range(100):
            connection = socket.create_connection((url.hostname, url.port), timeout=30)
            connection.sendall(starts[i % len(starts)].encode())
            connections.append(connection)
        same(request_again(url), 200)  # once the silent ones are closed
        same([seconds_until_closed(connection) < 25 for connection in connections], [True] * len(connections))

        greedy = socket.create_connection((url.hostname, url.port), timeout=30)
        asked = 300
        greedy.sendall(f"GET / HTTP/1.1\r\n{head}\r\n".encode() * asked)
        time.sleep(10)
        answers = b""
        try:
            while part := greedy.recv(1 << 20):
                answers += part
        except ConnectionResetError:
            pass
        same(0 < answers.count(b"HTTP/1.1 200") < asked, True)  # the server gave up the others
        same(request_again(url), 200)
    finally:
        server.kill()
        server.wait()


def dripping_connections_are_closed(contra):
    """Clients that send a header or a body byte by byte are never silent; they take all connections, but not for long."""
    server = subprocess.Popen([contra.path, "view"], stdout=subprocess.PIPE, text=True)
    try:
        url = urllib.parse.urlparse(server.stdout.readline().strip())
        starts = ["", f"POST /open HTTP/1.1\r\nHost: {url.netloc}\r\nContent-Length: 1000\r\n\r\n"]
        begin = time.monotonic()
        connections = set()
        for i in range(64):
            connection = socket.create_connection((url.hostname, url.port), timeout=30)
            connection.sendall(starts[i % len(starts)].encode())
            connections.add(connection)
        while connections and time.monotonic() - begin < 40:
            for connection in list(connections):
                try:
                    connection.sendall(b"G")
                except ConnectionError:
                    connections.remove(connection)
            time.sleep(0.5)
        same(len(connections), 0)
        same(time.monotonic() - begin > 6, True)  # slow clients get some time
        same(request_again(url), 200)
    finally:
        server.kill()
        server.wait()


def an_interrupt_at_once_is_heard(contra):
    for number in (signal.SIGINT, signal.SIGTERM) * 5:
        server = subprocess.Popen([contra.path, "view"], stdout=subprocess.PIPE, text=True)
        server.stdout.readline()
        server.send_signal(number)
        same(server.wait(timeout=30), 0)


def what_is_no_schedule_is_not_served(contra):
    with Folder(contra) as folder:
        call(contra, "schedule", DOUBLE, "--kernel", "gemm", "--json", folder.path("k.json"), "--html", folder.path("k.html"))
        whole = folder.read("k.json")
        newer = json.dumps({**json.loads(whole), "version": 99}).encode()
        files = {"cut.json": whole[:5000], "notes.md": b"# Notes\n", "other.json": b'{"format": "elf"}', "newer.json": newer,
                 "empty.json": b"", "kernel.rs": b"fn kernel() {}\n", "list.json": b"[]", "bare.json": b'{"format": "contra-schedule", "version": 1}'}
        for name, content in files.items():
            with open(folder.path(name), "wb") as file:
                file.write(content)
        refusals = {"cut.json": "is no schedule: line ", "notes.md": "is no schedule: line 1", "other.json": '"contra-schedule"',
                    "newer.json": "newer version", "empty.json": "is no schedule", "kernel.rs": "contra schedule FILE",
                    "list.json": '"contra-schedule"', "bare.json": "lacks `cycles`", "k.html": "is a page"}
        for name, words in refusals.items():
            done = call(contra, "view", folder.path(name), status=1)
            same((words in done.err, done.out), (True, ""))
        done = call(contra, "view", "--cost=static", folder.path("k.json"), status=2)
        same("--cost is of object files" in done.err, True)
        server = subprocess.Popen([contra.path, "view", folder.path("k.json")], stdout=subprocess.PIPE, text=True)
        try:
            same(server.stdout.readline().startswith("http://127.0.0.1:"), True)  # what contra writes is served
        finally:
            server.kill()
            server.wait()


def summaries(contra):
    return [(f"schedule of {source} {kernel} {cost}",
             lambda row=(source, kernel, cost): summary_is_golden(contra, *row)) for source, kernel, cost in SUMMARIES]


def tests(contra):
    checks = [two_buffers_overlap, examples_say_how_long_they_take, the_large_products_keep_the_chip_busy,
              hazards_are_told_beside_what_both_occupy, hazards_say_that_there_are_more_pieces,
              advice_is_of_lines_and_can_be_followed, gaps_say_how_many_there_are, object_files_are_scheduled_alike,
              work_that_nobody_does_is_no_limit, unrolled_loops_take_little_memory, documents_hold_together,
              axes_are_those_of_the_program, files_are_written, drawings_show_every_operation,
              legends_explain_every_colour, long_schedules_show_their_beginning, drawings_name_the_same_lines,
              legends_say_what_goes_in_and_out, pages_are_compared_as_documents_are,
              comparisons_show_what_changed, comparisons_account_for_every_cycle, the_page_is_served_here_only,
              browsers_leave_out_the_port_of_http,
              silent_connections_are_closed, dripping_connections_are_closed, an_interrupt_at_once_is_heard,
              what_is_no_schedule_is_not_served]
    return [(f"schedule: {test.__name__.replace('_', ' ')}", lambda test=test: test(contra)) for test in checks]


def write():
    os.makedirs(GOLDEN, exist_ok=True)
    contra = harness.Contra(os.environ.get("CONTRA", os.path.join(ROOT, "build", "contra")))
    for row in SUMMARIES:
        with open(golden_path(*row), "w", encoding="utf-8") as file:
            file.write(summary(contra, *row))


if __name__ == "__main__":
    if sys.argv[1:] != ["--write"]:
        sys.exit(__doc__)
    write()
