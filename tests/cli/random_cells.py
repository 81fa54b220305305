"""Random small expressions: `contra map` against the brute-force reference.

Three kinds of tests, each from a number that is printed in its name:
  cells     --cells, the normal form, --split, --equal and --prefix-of of one expression
  sequence  --sequence of a buffer and a stream made of the same axes: the loop nest is run, and a refusal is
            believed only when no strides can be found
  write     the same with --engine write; refusals are not judged

What random tests have found once is kept in FOUND_CELLS and FOUND_STREAMS, and always checked.
"""

import math
import random

import reference
from harness import Failed, diagnostic_codes

SEED = 20240
COUNT = 120


FOUND_CELLS = [  # axes, expression
    ("A=3", "[A @ 1] # 6 / 2 # 5, [[A @ 1] # 6 % 2 @ 1]"),
    ("A=4", "$([A @ [2, 3, 0]] # 9 % 3 : 2, [A @ [2, 3, 0]] # 9 / 3 : 2)"),
    ("A=12,B=5", "[# 1 + B + # 2] / 4 = 1, $([# 1 + B + # 2] % 4 : 1, A : 1)"),
    ("A=4,B=3", "[[A @ 2], B] % 3 # 6, [[[A @ 2], B] / 3 @ [1]]"),
    ("A=5,B=4", "[[A, B] # 20 / 4, [A, B] # 20 % 4] # 24 % 6 # 8 / 2, [[A, B] # 20 / 4, [A, B] # 20 % 4] # 24 / 6"),
    ("A=8,B=4", "[A, B] # 33 % 11 = 8 = 6, [A, B] # 33 / 11"),
    ("A=5,B=12", "$(B : 1, A : 2) / 5, $(B : 1, A : 2) % 5 # 9 / 3, $(B : 1, A : 2) % 5 # 9 % 3"),
]

FOUND_STREAMS = [  # axes, buffer, time, packet, engine
    ("A=6,B=2", "[A, B] # 12", "[A, B] # 12 / 6, [A, B] # 12 % 3, [A, B] # 12 / 3 % 2", "1", "read"),
    ("A=8,B=6", "[A, B] # 52 / 2, [A, B] # 52 % 2", "[A, B] # 52 / 26", "[A, B] # 52 % 26", "read"),
    ("A=2,B=6", "[A, B] / 4 # 5, [A, B] % 2, [A, B] / 2 % 2", "[A, B]", "1", "read"),
    ("A=2,B=8", "[A, B] # 18 % 3, [A, B] # 18 / 3", "[A, B] # 18 @ 3", "1 # 5", "read"),
    ("A=6", "A # 9", "1", "[A @ 4] # 7", "write"),
    ("A=2,B=6", "A, B", "A = 1", "[B @ 2] # 6", "write"),
    ("A=8", "A", "1", "[A / 2 = 3, A % 2] # 7", "write"),
]


def tests(contra, seed, count):
    found = []
    for row in FOUND_CELLS:
        found.append((f"found cells {row[1]}", lambda row=row: check_found_cells(contra, *row)))
    for row in FOUND_STREAMS:
        found.append((f"found {' | '.join(row[1:])}", lambda row=row: check_found_stream(contra, *row)))
    for k in range(count):
        found.append((f"random cells {seed + k}", lambda n=seed + k: check_cells(contra, n)))
        found.append((f"random sequence {seed + k}", lambda n=seed + k: check_sequence(contra, n, "read")))
        if k % 3 == 0:
            found.append((f"random write {seed + k}", lambda n=seed + k: check_sequence(contra, n, "write")))
    return found


# ---- expressions --------------------------------------------------------------------------------------------------

def divisors(n):
    return [k for k in range(2, n) if n % k == 0]


class Maker:
    """Makes expressions that are never refused: axes and composites are cut into pieces that do not overlap."""

    LARGEST = 240

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.axes = reference.Axes()

    def size(self, x):
        return reference.size(x, self.axes)

    def add_axes(self, count, sizes):
        for name in "ABC"[:count]:
            self.axes.sizes[name] = self.random.choice(sizes)

    def expression(self):
        rnd = self.random
        self.add_axes(rnd.choice((1, 2, 2, 3)), (2, 3, 4, 5, 6, 8, 12))
        pool = [("axis", name) for name in self.axes.sizes]
        if len(pool) > 1 and rnd.random() < 0.1:
            self.axes.sizes["B'"] = self.axes.sizes["B"]
            self.axes.skews["B'"] = ("B", "A")
            pool[1] = ("axis", "B'")
        steps = [self.cut, self.cut, self.cut, self.group, self.group, self.pad, self.pad]
        if not self.axes.skews:  # B' = 1 may or may not count as B' (where does B = A come from?), so keep B' whole
            steps += [self.resize, self.offset, self.surround, self.pick, self.combine]
        for _ in range(rnd.randint(1, 6)):
            step = rnd.choice(steps)
            made = step(list(pool))
            total = math.prod(self.size(x) for x in made)
            if made and total <= self.LARGEST:
                pool = made
        rnd.shuffle(pool)
        return reference.pair(*pool)

    def take(self, pool):
        return pool.pop(self.random.randrange(len(pool)))

    def cut(self, pool):
        """X becomes X / n and X % n, or three pieces; sometimes padded first, sometimes one piece is lost."""
        x = self.take(pool)
        if self.random.random() < 0.3:
            x = ("#", x, self.random.randint(self.size(x), self.size(x) + 6))
        choices = divisors(self.size(x))
        if not choices:
            return pool + [x]
        n = self.random.choice(choices)
        inner = divisors(self.size(x) // n)
        if inner and self.random.random() < 0.4:
            m = self.random.choice(inner)
            pieces = [("/", x, n * m), ("%", ("/", x, n), m), ("%", x, n)]
        else:
            pieces = [("/", x, n), ("%", x, n)]
        if self.random.random() < 0.1 and not self.axes.skews:
            self.take(pieces)
        return pool + pieces

    def group(self, pool):
        if len(pool) < 2:
            return pool
        x = reference.pair(self.take(pool), self.take(pool))
        if self.random.random() < 0.6:
            x = ("#", x, self.size(x) + self.random.randint(0, 6))
        return pool + [x] if x[0] != "list" else self.cut(pool + [x])

    def pad(self, pool):
        x = self.take(pool)
        return pool + [("#", x, self.size(x) + self.random.randint(0, 4))]

    def resize(self, pool):
        x = self.take(pool)
        return pool + [("=", x, self.random.randint(1, self.size(x) + 2))]

    def offset(self, pool):
        x = self.take(pool)
        return pool + [("@", x, self.random.randrange(self.size(x)))]

    def surround(self, pool):
        x = self.take(pool)
        before, after = self.random.randint(0, 3), self.random.randint(0, 3)
        return pool + [("pads", before, x, after) if before or after else x]

    def pick(self, pool):
        x = self.take(pool)
        n = self.size(x)
        return pool + [("pick", x, tuple(self.random.sample(range(n), self.random.randint(1, min(n, 4)))))]

    def combine(self, pool):
        if len(pool) < 2 or self.random.random() < 0.5:
            return pool
        terms = tuple((self.take(pool), self.random.randint(1, 3)) for _ in range(2))
        return pool + [("lin", terms)]


# ---- cells --------------------------------------------------------------------------------------------------------

def check_cells(contra, seed):
    maker = Maker(seed)
    check_expression(contra, maker, maker.expression())


def check_found_cells(contra, axes, text):
    maker = Maker(0)
    maker.axes = reference.Axes.parse(axes)
    check_expression(contra, maker, reference.parse(text, maker.axes))


def check_expression(contra, maker, x):
    axes, rnd = maker.axes, maker.random
    text, n = reference.text(x), reference.size(x, axes)
    wanted = reference.cells(x, axes)
    base = ["map", text, "--axes", axes.option()]

    document, result = contra.json([*base, "--cells"])
    compare_cells(result, document, wanted)
    first = rnd.randrange(n)
    document, result = contra.json([*base, "--cells", "--from", str(first), "--first", "3"])
    if [reference.cell_of_json(cell) for cell in document["cells"]] != wanted[first:first + 3]:
        shown = [reference.show(one) for one in wanted[first:first + 3]]
        raise Failed(f"{result}\n  the cells from {first} on are {shown}")

    document, result = contra.json(base)
    if document["size"] != n:
        raise Failed(f"{result}\n  size {n} expected")
    same_cells(contra, result, "normal", document["normal"], wanted, axes)

    if divisors(n) and not axes.skews:  # half of [A, B'] does not tell whether B' is there
        at = rnd.choice(divisors(n))
        document, result = contra.json([*base, "--split", str(at)])
        same_cells(contra, result, "inner", document["inner"], reference.cells(("%", x, at), axes), axes)
        same_cells(contra, result, "outer", document["outer"], reference.cells(("/", x, at), axes), axes)
        if (document["inner_size"], document["outer_size"]) != (at, n // at):
            raise Failed(f"{result}\n  sizes {at} and {n // at} expected")

    check_equal(contra, base, x, relative(maker, x), wanted, axes)
    y = relative(maker, x)
    wanted_prefix = reference.is_prefix(x, y, axes)
    if wanted_prefix is not None:
        document, result = contra.json([*base, "--prefix-of", reference.text(y)], (0, 1))
        if document.get("prefix") != wanted_prefix or result.status != (0 if wanted_prefix else 1):
            raise Failed(f"{result}\n  prefix {wanted_prefix} expected")


def relative(maker, x):
    """Something that may well equal x, or begin like it: another way to write it, or something near."""
    rnd, n = maker.random, maker.size(x)
    ways = [x, ("#", x, n), ("=", x, n), ("#", x, n + rnd.randint(0, 3)), ("=", x, n + rnd.randint(0, 2)),
            ("@", x, rnd.randint(0, min(1, n - 1))), ("=", x, max(1, n - 1)), reference.pair(reference.ONE, x)]
    if divisors(n):
        at = rnd.choice(divisors(n))
        ways += [reference.pair(("/", x, at), ("%", x, at))] * 3
    if x[0] == "list":
        swapped = list(x[1])
        k = rnd.randrange(len(swapped) - 1)
        swapped[k], swapped[k + 1] = swapped[k + 1], swapped[k]
        ways += [("list", tuple(swapped))] * 2
        ways += [("list", x[1][1:])] if len(x[1]) > 2 else []
    return rnd.choice(ways)


def check_equal(contra, base, x, y, wanted, axes):
    other = reference.cells(y, axes)
    document, result = contra.json([*base, "--equal", reference.text(y)], (0, 1))
    if document.get("equal") != (wanted == other) or result.status != (0 if wanted == other else 1):
        raise Failed(f"{result}\n  equal {wanted == other} expected; the reference has\n"
                     f"  {[reference.show(c) for c in wanted]}\n  {[reference.show(c) for c in other]}")
    if document["sizes"] != [len(wanted), len(other)]:
        raise Failed(f"{result}\n  sizes {[len(wanted), len(other)]} expected")
    if len(wanted) == len(other) and wanted != other:
        where = document["difference"]
        sides = (wanted[where["position"]], other[where["position"]])
        told = (reference.cell_of_json(where["left"]), reference.cell_of_json(where["right"]))
        if sides[0] == sides[1] or sides != told:
            raise Failed(f"{result}\n  at {where['position']} the reference has {[reference.show(c) for c in sides]}")


def compare_cells(result, document, wanted):
    found = [reference.cell_of_json(cell) for cell in document["cells"]]
    if document["size"] != len(wanted) or found != wanted:
        at = next((i for i, (a, b) in enumerate(zip(found, wanted)) if a != b), min(len(found), len(wanted)))
        shown = [reference.show(side[at]) if at < len(side) else "no cell" for side in (wanted, found)]
        raise Failed(f"{result}\n  size {len(wanted)}; at position {at} {shown[0]} expected, got {shown[1]}")


def same_cells(contra, result, what, text, wanted, axes):
    document, again = contra.json(["map", text, "--axes", axes.option(), "--cells"])
    compare_cells(again, document, wanted)
    if set("@+$") & set(text):
        # The reference keeps whole only what is split; a normal form may name an offset, a list or a combination
        # whole that the expression splits elsewhere. What contra reads back from it was judged above.
        return
    try:
        x = reference.parse(text, axes)
    except reference.Refused as reason:
        raise Failed(f"{result}\n  {what}: {text} is no mapping: {reason}") from None
    found = reference.cells(x, axes)
    if found != wanted:
        at = next((i for i, (a, b) in enumerate(zip(found, wanted)) if a != b), min(len(found), len(wanted)))
        raise Failed(f"{result}\n  {what}: {text} has size {len(found)} (expected {len(wanted)}) "
                     f"and other cells at position {at}")


# ---- sequencer ----------------------------------------------------------------------------------------------------

class StreamMaker(Maker):
    """A buffer and a stream over the same axes, cut in ways that may or may not fit together."""

    def pieces(self, x):
        """X cut into one to three pieces at random places, outermost first."""
        n = self.size(x)
        outer = self.random.choice(divisors(n)) if divisors(n) and self.random.random() < 0.6 else None
        if outer is None:
            return [x]
        inner = divisors(outer)
        if inner and self.random.random() < 0.4:
            k = self.random.choice(inner)
            return [("/", x, outer), ("%", ("/", x, k), outer // k), ("%", x, k)]
        return [("/", x, outer), ("%", x, outer)]

    def stream(self):
        rnd = self.random
        self.add_axes(rnd.choice((1, 2, 2, 3)), (2, 3, 4, 4, 6, 6, 8))
        atoms = [("axis", name) for name in self.axes.sizes]
        if len(atoms) > 1 and rnd.random() < 0.2:  # a composite that buffer and stream both cut
            whole = reference.pair(*atoms[:2])
            atoms = [("#", whole, self.size(whole) + rnd.randint(0, 4))] + atoms[2:]
        buffer = [piece for atom in atoms for piece in self.pieces(atom)]
        rnd.shuffle(buffer)
        buffer = [self.dress(piece, 0.25, 0.05, 0) for piece in buffer]
        same = rnd.random() < 0.1
        if same:
            buffer = [self.dress(piece, 0, 0, 0.3) for piece in buffer]
            cuts = list(buffer)
        else:
            cuts = [piece for atom in atoms for piece in self.pieces(atom)]
            rnd.shuffle(cuts)
            cuts = [self.dress(piece, 0.1, 0.12, 0.05) for piece in cuts]
        if len(cuts) > 1 and not same and rnd.random() < 0.1:
            self.take(cuts)
        if rnd.random() < 0.15:
            self.axes.sizes["Z"] = rnd.choice((2, 3))
            cuts.insert(rnd.randint(0, len(cuts)), ("axis", "Z"))
        at = rnd.randint(0, len(cuts))
        packet = reference.pair(*(cuts[at:] or [reference.ONE]))
        if rnd.random() < 0.3:
            packet = ("#", packet, self.size(packet) + rnd.randint(0, 5))
        time = reference.pair(*(cuts[:at] or [reference.ONE]))
        return reference.pair(*buffer), time, packet

    def dress(self, x, padded, resized, offset):
        if self.random.random() < padded:
            return ("#", x, self.size(x) + self.random.randint(1, 3))
        if self.random.random() < resized and self.size(x) > 1:
            return ("=", x, self.random.randint(1, self.size(x) - 1))
        if self.random.random() < offset:
            return ("@", x, self.random.randrange(self.size(x)))
        return x


def check_sequence(contra, seed, engine):
    maker = StreamMaker(seed * 2 + (engine == "write"))
    while True:
        buffer, time, packet = maker.stream()
        if max(maker.size(buffer), maker.size(time) * maker.size(packet)) <= 300:
            break
        maker.axes.sizes.clear()
    check_stream(contra, maker.axes, buffer, time, packet, engine)


def check_found_stream(contra, axes_text, buffer, time, packet, engine):
    axes = reference.Axes.parse(axes_text)
    check_stream(contra, axes, *(reference.parse(text, axes) for text in (buffer, time, packet)), engine)


def check_stream(contra, axes, buffer, time, packet, engine):
    args = ["map", "--sequence", "--axes", axes.option(), "--buffer", reference.text(buffer),
            "--time", reference.text(time), "--packet", reference.text(packet), "--engine", engine]
    document, result = contra.json(args, (0, 1))
    if result.status == 1:
        codes = diagnostic_codes(document)
        if engine == "read":
            check_refusal(result, codes, buffer, time, packet, axes)
        return
    problem = reference.loop_nest_problem(buffer, time, packet, document["entries"], document["base_offset"], axes,
                                          engine == "write")
    if problem:
        raise Failed(f"{result}\n  {problem}")
    steps, length = reference.size(time, axes), reference.size(packet, axes)
    if document["time_steps"] != steps:
        raise Failed(f"{result}\n  time_steps {steps} expected")
    if engine == "read":
        check_fetch(result, document, steps, length)


def check_refusal(result, codes, buffer, time, packet, axes):
    if not codes or not set(codes) <= {"E0201", "E0202"}:
        raise Failed(f"{result}\n  a small read can only be refused with E0201 or E0202")
    if reference.loop_nest_exists(buffer, time, packet, axes):
        raise Failed(f"{result}\n  but there are strides that read this stream from this buffer")


def check_fetch(result, document, steps, packet_bytes):
    """Sizes and cycles of a read of one-byte elements (Fetch Engine: fetch_size divides packet and contiguous run)."""
    entries = document["entries"]
    if document["packet_bytes"] != packet_bytes:
        raise Failed(f"{result}\n  packet_bytes {packet_bytes} expected")
    plain = all("stride" in entry and entry["size"] > 1 for entry in entries)
    if plain and entries and entries[-1]["stride"]:
        run = entries[-1]["size"] if entries[-1]["stride"] == 1 else 1
        if run > 1:
            for outer, inner in zip(entries[-2::-1], entries[:0:-1]):
                if outer["stride"] != inner["size"] * inner["stride"]:
                    break
                run *= outer["size"]
        if document["contiguous_sram_access_size"] != run:
            raise Failed(f"{result}\n  contiguous_sram_access_size {run} expected")
    run = math.gcd(packet_bytes, document["contiguous_sram_access_size"])
    fetch = max(n for n in (1, 2, 4, 8, 16, 32) if run % n == 0)
    if document["fetch_size"] != fetch or document["fetches_per_packet"] != packet_bytes // fetch:
        raise Failed(f"{result}\n  fetch_size {fetch} expected, {packet_bytes // fetch} a packet")
    if document["fetch_cycles"] != steps * (packet_bytes // fetch):
        raise Failed(f"{result}\n  fetch_cycles {steps * (packet_bytes // fetch)} expected")
