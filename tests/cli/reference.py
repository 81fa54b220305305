"""What a mapping means, by brute force: the judge of `contra map` in these tests.

It is written from the documents, shares nothing with the C code and enumerates everything, so it is only
good for small sizes. The rules (api 2.2-2.6; errata E001, E002, E006, E010, E011, E036-E041):

  * A mapping of size n gives each position 0..n-1 a cell: an index of the tensor, or padding.
  * `X / n` at i and `X % n` at i do not look inside X: they contribute i*n and i to the *atom* X. Padding after X does
    not make it another atom, for a composite as for an axis: a position of `X # n` is that position of X, or padding.
    Contributions to one atom add up over the whole expression. Then atoms are opened, the largest first: the sum is a
    position of the atom, which is padding there, or contributes to smaller atoms and at last to axes.
  * An axis whose contributions add up to its size or more makes the cell padding; an axis at 0 counts as absent.
  * `X = n` may enlarge; what lies beyond X is padding. `X # n` never shrinks.
  * `$(X:n, Y:m)` lets several indices share a position, so a cell is a set of indices; the empty set is padding.
  * The skewed axis B' = B - A stands for B = (B' + A) mod |B|.

An expression is a tuple: ("1",), ("axis", name), ("/" | "%" | "=" | "#" | "@", X, n), ("pick", X, (k, ...)),
("pads", before, X, after), ("list", (X, ...)), ("lin", ((X, n), ...)).
"""

import itertools
import re
from fractions import Fraction

ONE = ("1",)


class Refused(Exception):
    """The expression is not a mapping; args[0] is the diagnostic code that says why."""


# ---- text to expression -------------------------------------------------------------------------------------------

_TOKEN = re.compile(r"\s*(?:([A-Za-z_][A-Za-z0-9_]*'*)|(\d+)|(#_|[/%=#@,:+$(){}\[\]]))")
_NAME = re.compile(r"[A-Z][A-Za-z0-9_]*'*\Z")


def tokens(text):
    found, at = [], 0
    text = text.rstrip()
    while at < len(text):
        match = _TOKEN.match(text, at)
        if not match:
            raise Refused("E0101", f"at {text[at:]!r}")
        found.append(match.group(match.lastindex))
        at = match.end()
    return found


class Axes:
    """The axes of one command, with the skewed ones and the named definitions."""

    def __init__(self, sizes=None, skews=None, lets=None):
        self.sizes = dict(sizes or {})
        self.skews = dict(skews or {})  # B' -> (B, A) for B' = B - A
        self.lets = dict(lets or {})    # name -> text

    @staticmethod
    def parse(text, lets=()):
        axes = Axes()
        for item in filter(None, (part.strip() for part in text.split(","))):
            name, _, value = (part.strip() for part in item.partition("="))
            if "-" in value:
                base, minus = (part.strip() for part in value.split("-"))
                axes.skews[name] = (base, minus)
                axes.sizes[name] = axes.sizes[base]
            else:
                axes.sizes[name] = int(value)
        for let in lets:
            name, _, value = let.partition("=")
            axes.lets[name.strip()] = value.strip()
        return axes

    def option(self):
        """The value of --axes."""
        items = [f"{name}={size}" for name, size in self.sizes.items() if name not in self.skews]
        items += [f"{name}={base}-{minus}" for name, (base, minus) in self.skews.items()]
        return ",".join(items)


class _Parser:
    def __init__(self, text, axes):
        self.toks, self.at, self.axes = tokens(text), 0, axes

    def peek(self):
        return self.toks[self.at] if self.at < len(self.toks) else None

    def take(self, want=None):
        tok = self.peek()
        if tok is None or (want is not None and tok != want):
            raise Refused("E0101", f"expected {want}, found {tok}")
        self.at += 1
        return tok

    def number(self):
        tok = self.take()
        if not tok.isdigit():
            raise Refused("E0101", f"expected a number, found {tok}")
        return int(tok)

    def mapping(self):
        items = [self.item()]
        while self.peek() == ",":
            self.take()
            items.append(self.item())
        return pair(*items)

    def item(self):  # ["#" n "+"] expr ["+" "#" m]
        before = after = 0
        if self.peek() == "#":
            self.take()
            before = self.number()
            self.take("+")
        inner = self.expr()
        if self.peek() == "+":
            self.take()
            self.take("#")
            after = self.number()
        return ("pads", before, inner, after) if before or after else inner

    def expr(self):
        left = self.primary()
        while self.peek() in ("/", "%", "=", "#", "#_", "@"):
            op = self.take()
            if op == "@" and self.peek() == "[":
                self.take()
                picks = [self.number()]
                while self.peek() == ",":
                    self.take()
                    picks.append(self.number())
                self.take("]")
                left = ("pick", left, tuple(picks))
            else:
                left = ("#" if op == "#_" else op, left, self.number())
        return left

    def primary(self):
        tok = self.take()
        if tok in ("(", "["):
            inner = self.mapping()
            self.take(")" if tok == "(" else "]")
            return inner
        if tok == "{":
            inner = self.name(self.take())
            self.take("}")
            return inner
        if tok == "$":
            self.take("(")
            terms = []
            while True:
                inner = self.expr()
                self.take(":")
                terms.append((inner, self.number()))
                if self.peek() != ",":
                    break
                self.take()
            self.take(")")
            return ("lin", tuple(terms))
        if tok.isdigit():
            if tok != "1":
                raise Refused("E0106", tok)
            return ONE
        return self.name(tok)

    def name(self, tok):
        if tok in self.axes.lets:
            return parse(self.axes.lets[tok], self.axes)
        if not _NAME.match(tok) or tok not in self.axes.sizes:
            raise Refused("E0102", tok)
        return ("axis", tok)


def parse(text, axes):
    parser = _Parser(text, axes)
    result = parser.mapping()
    if parser.peek() is not None:
        raise Refused("E0101", f"unexpected {parser.peek()}")
    size(result, axes)
    return result


def pair(*items):
    """[X, Y, ..]: nested lists are flattened, since pairs associate; `1` is kept as written."""
    flat = []
    for item in items:
        flat.extend(item[1] if item[0] == "list" else [item])
    return flat[0] if len(flat) == 1 else ("list", tuple(flat))


# ---- expression to text -------------------------------------------------------------------------------------------

def text(x):
    kind = x[0]
    if kind == "1":
        return "1"
    if kind == "axis":
        return x[1]
    if kind == "list":
        return "[" + ", ".join(text(item) for item in x[1]) + "]"
    if kind == "lin":
        return "$(" + ", ".join(f"{text(item)} : {n}" for item, n in x[1]) + ")"
    if kind == "pads":
        before = f"# {x[1]} + " if x[1] else ""
        after = f" + # {x[3]}" if x[3] else ""
        return f"[{before}{text(x[2])}{after}]"
    if kind == "pick":
        return f"[{text(x[1])} @ [{', '.join(map(str, x[2]))}]]"
    if kind == "@":
        return f"[{text(x[1])} @ {x[2]}]"
    return f"{text(x[1])} {kind} {x[2]}"


# ---- size and cells -----------------------------------------------------------------------------------------------

def size(x, axes):
    kind = x[0]
    if kind == "1":
        return 1
    if kind == "axis":
        return axes.sizes[x[1]]
    if kind == "list":
        total = 1
        for item in x[1]:
            total *= size(item, axes)
        return total
    if kind == "lin":
        return 1 + sum((size(item, axes) - 1) * n for item, n in x[1])
    if kind == "pads":
        return x[1] + size(x[2], axes) + x[3]
    inner = size(x[1], axes)
    if kind == "pick":
        if any(k >= inner for k in x[2]):
            raise Refused("E0114", text(x))
        return len(x[2])
    n = x[2]
    if kind == "@":
        if n >= inner:
            raise Refused("E0114", text(x))
        return inner - n
    if n == 0:
        raise Refused("E0112", text(x))
    if kind in "/%" and inner % n:
        raise Refused("E0107", text(x))
    if kind == "#" and n < inner:
        raise Refused("E0108", text(x))
    return inner // n if kind == "/" else n


def _nodes(x):
    """The number of parts of an expression; a part has fewer than the whole."""
    return 1 + sum(_nodes(part) for part in _parts_of(x))


def _parts_of(x):
    kind = x[0]
    if kind in ("1", "axis"):
        return ()
    if kind == "list":
        return x[1]
    if kind == "lin":
        return tuple(item for item, _ in x[1])
    return (x[2],) if kind == "pads" else (x[1],)


def _unpadded(x):
    while x[0] == "#" or (x[0] == "pads" and x[1] == 0):
        x = x[1] if x[0] == "#" else x[2]
    return x


def _sum(*dicts):
    total = {}
    for one in dicts:
        for atom, value in one.items():
            total[atom] = total.get(atom, 0) + value
    return total


def _contributions(x, i, axes):
    """The ways position i of x can be told: a list of {atom: value}; an empty list is padding."""
    if not 0 <= i < size(x, axes):
        return []
    kind = x[0]
    if kind == "1":
        return [{}]
    if kind == "axis":
        return [{x: i}]
    if kind in "/%":
        return [{_unpadded(x[1]): i * x[2] if kind == "/" else i}]
    if kind in "=#":
        return _contributions(x[1], i, axes)
    if kind == "@":
        return _contributions(x[1], i + x[2], axes)
    if kind == "pick":
        return _contributions(x[1], x[2][i], axes)
    if kind == "pads":
        return _contributions(x[2], i - x[1], axes)
    if kind == "list":
        choices = []
        for item in reversed(x[1]):
            n = size(item, axes)
            choices.append(_contributions(item, i % n, axes))
            i //= n
        return [_sum(*choice) for choice in itertools.product(*choices)]
    found = []  # a linear combination: every way to make i of the weighted positions
    for where in itertools.product(*(range(size(item, axes)) for item, _ in x[1])):
        if sum(k * n for k, (_, n) in zip(where, x[1])) == i:
            choices = [_contributions(item, k, axes) for k, (item, _) in zip(where, x[1])]
            found += [_sum(*choice) for choice in itertools.product(*choices)]
    return found


def _open(ways, axes):
    """Opens composite atoms, the largest first, until only axes are left."""
    done = []
    ways = list(ways)
    while ways:
        way = ways.pop()
        composites = [atom for atom in way if atom[0] != "axis"]
        if not composites:
            done.append(way)
            continue
        atom = max(composites, key=_nodes)
        rest = {other: value for other, value in way.items() if other != atom}
        ways += [_sum(rest, inner) for inner in _contributions(atom, way[atom], axes)]
    return done


def cell(x, i, axes):
    """The cell at position i: a frozenset of indices, each a frozenset of (axis, value) without zeros."""
    indices = set()
    for way in _open(_contributions(x, i, axes), axes):
        index = {atom[1]: value for atom, value in way.items()}
        if any(value >= axes.sizes[name] for name, value in index.items()):
            continue
        for name, (base, minus) in axes.skews.items():
            if name in index:
                skewed = index.pop(name) + index.get(minus, 0)
                index[base] = (index.get(base, 0) + skewed) % axes.sizes[base]
        indices.add(frozenset((name, value) for name, value in index.items() if value))
    return frozenset(indices)


def cells(x, axes):
    return [cell(x, i, axes) for i in range(size(x, axes))]


def cell_of_json(value):
    """A cell as `contra map --format=json` prints it, in the form of cell()."""
    if value is None:
        return frozenset()
    indices = value if isinstance(value, list) else [value]
    return frozenset(frozenset((k, v) for k, v in index.items() if v) for index in indices)


def show(one_cell):
    if not one_cell:
        return "padding"
    return " or ".join(sorted("{" + ", ".join(f"{k}:{v}" for k, v in sorted(index)) + "}" for index in one_cell))


# ---- questions about two mappings ---------------------------------------------------------------------------------

def first_difference(x, y, axes, axes_y=None):
    """The first position where two mappings of one size differ, or None."""
    for i in range(size(x, axes)):
        if cell(x, i, axes) != cell(y, i, axes_y or axes):
            return i
    return None


def equal(x, y, axes):
    return size(x, axes) == size(y, axes) and first_difference(x, y, axes) is None


def is_prefix(x, y, axes):
    """Whether x is the beginning of y; None where the documents leave it open (x longer, only by padding)."""
    n, m = size(x, axes), size(y, axes)
    for i in range(n):
        other = cell(y, i, axes) if i < m else frozenset()
        if cell(x, i, axes) != other:
            return False
    return True if n <= m else None


def axes_in(x, axes):
    """The axes that a mapping has: those that are not 0 throughout, so that `B = 1` has none."""
    return {name for indices in cells(x, axes) for index in indices for name, _ in index}


def items(x):
    """The written terms of a mapping, outermost first."""
    return [item for item in (x[1] if x[0] == "list" else (x,))]


# ---- loop nests ---------------------------------------------------------------------------------------------------

def addresses(entries, base=0):
    """The addresses a loop nest visits, in order. An entry has a size and a stride, or a list of offsets."""
    steps = [entry["offsets"] if "offsets" in entry else [k * entry["stride"] for k in range(entry["size"])]
             for entry in entries]
    return [base + sum(choice) for choice in itertools.product(*steps)]


def loop_nest_problem(buffer, time, packet, entries, base, axes, write=False):
    """What is wrong with a loop nest that shall move the stream [time, packet] from (or to) the buffer, or None.

    Every position of the stream that holds an element must meet that element in the buffer. Axes that the buffer does
    not have are broadcast. A write may cover only the first part of each packet (errata E057, E084): it must not drop
    what the buffer has a place for, nor write padding outside the buffer or over elements.
    """
    steps, length = size(time, axes), size(packet, axes)
    found = addresses(entries, base)
    if len(found) % steps or not (0 < len(found) // steps <= length) or (not write and len(found) != steps * length):
        return f"{len(found)} iterations for {steps} packets of {length}"
    covered = len(found) // steps
    names, room = axes_in(buffer, axes), size(buffer, axes)
    stream = pair(time, packet)
    held = set().union(*cells(buffer, axes)) if write and covered < length else set()
    for position in range(steps * length):
        step, lane = divmod(position, length)
        indices = cell(stream, position, axes)
        wanted = {frozenset((name, value) for name, value in index if name in names) for index in indices}
        if lane >= covered:
            if wanted & held:
                return f"packet {step} lane {lane} holds {show(indices)}, which is not written"
            continue
        address = found[step * covered + lane]
        inside = 0 <= address < room
        there = cell(buffer, address, axes) if inside else frozenset()
        if wanted and not wanted <= there:
            return f"packet {step} lane {lane} is {show(indices)}, address {address} holds {show(there)}"
        if write and not wanted and (there or not inside):
            return f"packet {step} lane {lane} is padding and is written to address {address}: {show(there)}"
    return None


def loop_nest_exists(buffer, time, packet, axes, limit=400):
    """Whether strides exist for the stream, each written term cut into loops in any way; None when undecided.

    Undecided are streams and buffers where one position has several indices, buffers that hold an element twice,
    searches beyond `limit` ways to cut, and strides that fit by chance only: where the stream does not walk the whole
    of every axis of the buffer (any two positions are a loop), or pads a list of pieces.
    """
    names = axes_in(buffer, axes)
    place = {}
    for address, indices in enumerate(cells(buffer, axes)):
        for index in indices:
            if len(indices) > 1 or index in place:
                return None
            place[index] = address
    stream = pair(time, packet)
    wanted = {}  # position -> address
    for position, indices in enumerate(cells(stream, axes)):
        if len(indices) > 1:
            return None
        for index in indices:
            address = place.get(frozenset((name, value) for name, value in index if name in names))
            if address is None:
                return False
            wanted[position] = address
    whole = 1
    for name in names:
        whole *= axes.sizes[name]
    padded = [item[1][1] for item in items(stream) if item[0] == "#" and item[1][0] == "list"]
    if len(set(wanted.values())) < whole or any(part[0] != "axis" for parts in padded for part in parts):
        return None
    choices = [_loop_cuts(size(item, axes)) for item in items(stream)]
    ways = 1
    for choice in choices:
        ways *= len(choice)
    if ways > limit:
        return None
    answers = [_affine(sum(cut, ()), wanted) for cut in itertools.product(*choices)]
    return True if True in answers else None if None in answers else False


def _loop_cuts(n):
    """The ways to write n as a product of primes in order; a coarser loop is a special case of finer ones."""
    factors, k = [], 2
    while n > 1:
        while n % k == 0:
            factors.append(k)
            n //= k
        k += 1
    return sorted(set(itertools.permutations(factors)))


def _affine(sizes, wanted):
    """Whether base + sum(digit * stride) can give every wanted address; None when only with fractions."""
    rows = []
    for position, address in wanted.items():
        digits = []
        for n in reversed(sizes):
            digits.append(position % n)
            position //= n
        rows.append([Fraction(v) for v in (1, *digits, address)])
    solved, columns = 0, len(sizes) + 1
    for column in range(columns):
        pivot = next((r for r in range(solved, len(rows)) if rows[r][column]), None)
        if pivot is None:
            continue
        rows[solved], rows[pivot] = rows[pivot], rows[solved]
        rows[solved] = [v / rows[solved][column] for v in rows[solved]]
        for r in range(len(rows)):
            if r != solved and rows[r][column]:
                rows[r] = [a - rows[r][column] * b for a, b in zip(rows[r], rows[solved])]
        solved += 1
    if any(row[-1] for row in rows[solved:]):
        return False
    whole = all(row[-1].denominator == 1 for row in rows[:solved])
    return True if whole else (False if solved == columns else None)
