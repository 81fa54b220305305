"""moves_of_types.rs, casts.rs, transposes.rs, commits.rs, fetches.rs, layouts.rs, switches.rs: the same elements,
elsewhere."""

import numpy as np

from . import numbers as n
from .case import F32_EDGES, I32_EDGES, File, ints, near_powers, normal, patterns

S = 256
FLIT = {"i4": 64, "i8": 32, "u8": 32, "f8e4m3": 32, "f8e5m2": 32, "f8": 32, "i16": 16, "bf16": 16, "f16": 16,
        "i32": 8, "f32": 8}
STORED = {"i4": np.int8, "i8": np.int8, "u8": np.uint8, "f8e4m3": np.uint8, "f8e5m2": np.uint8, "f8": np.uint8,
          "i16": np.int16, "bf16": np.uint16, "f16": np.uint16, "i32": np.int32, "f32": np.float32}


def anything(rng, kind, shape):
    """Any value of a type; any bits but those of signalling NaNs for f32."""
    if kind == "i4":
        return ints(rng, shape, -8, 8, np.int8)
    if kind == "f32":
        raw = n.from_bits(patterns(rng, shape, np.uint32))
        return np.where(np.isnan(raw), np.float32(np.nan), raw)
    return patterns(rng, shape, STORED[kind])


moves = File("moves_of_types.rs")


def through(kind):
    def build(rng):
        x = anything(rng, kind, (S, 4, FLIT[kind]))
        return {"x": x}, x.transpose(1, 0, 2)
    return build


for kind in FLIT:
    moves.add(f"move_{kind}", through(kind), exact=True)

casts = File("casts.rs")
SHAPE = (S, 16, 8)
WIDEN = {"f8e4m3": n.f8e4m3_to_f32, "f8e5m2": n.f8e5m2_to_f32, "bf16": n.bf16_to_f32, "f16": n.f16_to_f32}
NARROW = {"i4": n.to_i4, "i8": n.to_i8, "i16": n.to_i16, "i32": lambda x: x, "f8e4m3": n.f32_to_f8e4m3,
          "f8e5m2": n.f32_to_f8e5m2, "bf16": n.f32_to_bf16, "f16": n.f32_to_f16, "f32": lambda x: x}


def floats_around(rng, kind):
    """Edges, all magnitudes, and the middle between neighbours of the narrow type, where ties are decided."""
    count = int(np.prod(SHAPE))
    edges = np.array(F32_EDGES + [448, 464, 480, 447.9, -449, 57344, 61440, 61439, 65504, 65520, 65519], np.float32)
    tie_step = {"bf16": 0x8000, "f16": 0x1000, "f8e4m3": 0x80000, "f8e5m2": 0x100000, "f32": 1}[kind]
    base = n.bits(normal(rng, count // 2, 30)) & ~np.uint32(tie_step * 2 - 1)
    ties = n.from_bits(base + np.uint32(tie_step))
    x = np.concatenate([edges, ties, near_powers(rng, 4000), normal(rng, count, 0.01)])[:count]
    if kind in ("f8e5m2", "f16"):
        x = np.where(np.isnan(x), np.float32(7), x)  # nobody says which NaN they make of it
    return x.reshape(SHAPE).astype(np.float32)


def fetched(kind):
    def build(rng):
        x = anything(rng, kind, SHAPE)
        return {"x": x}, WIDEN[kind](x) if kind in WIDEN else x.astype(np.int32)
    return build


def narrowed(source, kind):
    def build(rng):
        if source == "f32":
            x = floats_around(rng, kind)
        else:
            x = ints(rng, SHAPE)
            x.flat[:len(I32_EDGES)] = I32_EDGES
            x[100:] = ints(rng, x[100:].shape, -300, 300)
        return {"x": x}, NARROW[kind](x)
    return build


for kind in ("i4", "i8", "i16"):
    casts.add(f"fetch_{kind}_to_i32", fetched(kind))
for kind in WIDEN:
    casts.add(f"fetch_{kind}_to_f32", fetched(kind))
casts.add("fetch_f32_to_bf16", narrowed("f32", "bf16"))
for kind in ("i4", "i8", "i16", "i32"):
    casts.add(f"cast_i32_to_{kind}", narrowed("i32", kind))
for kind in ("f8e4m3", "f8e5m2", "bf16", "f16", "f32"):
    casts.add(f"cast_f32_to_{kind}", narrowed("f32", kind))


@casts
def cast_after_vector(rng):
    x = n.f32_to_bf16(floats_around(rng, "bf16"))
    return {"x": x}, n.f32_to_f8e4m3(n.add(n.bf16_to_f32(x), 1))


transposes = File("transposes.rs")


def turned(kind, shape, order):
    def build(rng):
        x = anything(rng, kind, (S, *shape))
        return {"x": x}, x.transpose(0, *(1 + i for i in order))
    return build


for name, kind, shape, order in (
    ("bytes_8_by_8", "i8", (8, 8, 8), (0, 2, 1)),
    ("bytes_4_by_8", "i8", (8, 4, 8), (0, 2, 1)),
    ("bytes_8_by_16", "i8", (8, 2, 8), (1, 2, 0)),
    ("bytes_8_by_32", "f8e4m3", (2, 8, 4, 8), (0, 2, 3, 1)),
    ("halves_4_by_8", "bf16", (8, 4, 8), (0, 2, 1)),
    ("halves_2_by_16", "i16", (8, 2, 2, 8), (0, 2, 3, 1)),
    ("words_2_by_8", "i32", (8, 2, 8), (0, 2, 1)),
    ("floats_2_by_32", "f32", (8, 2, 4, 8), (0, 2, 3, 1)),
    ("nibbles_16_by_16", "i4", (8, 16, 16), (0, 2, 1)),
    ("nibbles_16_by_32", "i4", (16, 2, 16), (1, 2, 0)),
    ("three_rows", "f16", (8, 3, 8), (0, 2, 1)),
    ("trimmed", "i8", (8, 3), (1, 0)),
):
    transposes.add(name, turned(kind, shape, order), exact=True)


@transposes
def after_vector(rng):
    x = ints(rng, (S, 8, 2, 8))
    return {"x": x}, n.FXP["SubFxp"](x, 1).transpose(0, 1, 3, 2)


def cast_and_turned(kind, shape, order, low, high):
    def build(rng):
        x = ints(rng, (S, *shape), low, high)
        return {"x": x}, NARROW[kind](x).transpose(0, *(1 + i for i in order))
    return build


transposes.add("cast_to_bytes", cast_and_turned("i8", (8, 8, 8), (0, 2, 1), -300, 300))
transposes.add("cast_to_nibbles", cast_and_turned("i4", (8, 16, 8), (0, 2, 1), -20, 20))


@transposes
def cast_after_vector(rng):
    x = normal(rng, (S, 2, 4, 4, 8), 10)
    return {"x": x}, n.f32_to_bf16(n.add(x, np.float32(1.5))).transpose(0, 1, 3, 4, 2)


def products(rng, shape, spread):
    x, w = ints(rng, (S, *shape, 64), -spread, spread, np.int8), ints(rng, (8, 64), -spread, spread, np.int8)
    return {"x": x, "w": w}, (x.astype(np.int32) @ w.T.astype(np.int32)).swapaxes(2, 3)


@transposes
def sums(rng):
    return products(rng, (8, 2), 128)


@transposes
def narrow_sums(rng):
    inputs, total = products(rng, (2, 8), 4)
    return inputs, n.to_i8(total)


commits = File("commits.rs")


@commits
def truncated(rng):
    x = normal(rng, (S, 4, 2, 8))
    return {"x": x}, x[..., :4]


@commits
def three_quarters(rng):
    x = anything(rng, "i8", (S, 4, 32))
    return {"x": x}, x[..., :24]


@commits
def permuted_and_truncated(rng):
    x = anything(rng, "bf16", (S, 4, 2, 16))
    return {"x": x}, x.transpose(0, 2, 1, 3)[..., :8]


@commits
def permuted(rng):
    x = ints(rng, (S, 4, 2, 16))
    return {"x": x}, x.reshape(S, 4, 2, 2, 8).transpose(0, 3, 2, 1, 4)


@commits
def in_pieces(rng):
    x = anything(rng, "i8", (S, 2, 4, 8))
    return {"x": x}, x


@commits
def into_views(rng):
    x = ints(rng, (S, 4, 8))
    return {"x": x}, np.stack([x, n.shift_left(x, 1)], axis=1)


@commits
def over_a_part(rng):
    x = ints(rng, (S, 4, 8))
    y = x.copy()
    y[:, 1] = n.FXP["SubFxp"](0, x[:, 2])
    return {"x": x}, y


@commits
def in_place(rng):
    x = ints(rng, (S, 4, 8))
    return {"x": x}, n.FXP["MulInt"](x, 3)


@commits
def by_the_sub_context(rng):
    x = anything(rng, "i8", (S, 4, 32))
    return {"x": x}, x.reshape(S, 4, 4, 8).transpose(0, 2, 1, 3)


@commits
def sub_copy(rng):
    x = normal(rng, (S, 4, 8))
    return {"x": x}, x.transpose(0, 2, 1)


fetches = File("fetches.rs")


def reordered(kind, shape, function):
    def build(rng):
        x = anything(rng, kind, (S, *shape))
        return {"x": x}, function(x)
    return build


fetches.add("permuted", reordered("i8", (4, 3, 4, 8), lambda x: x.transpose(0, 2, 1, 3, 4)))
fetches.add("single_bytes", reordered("i8", (4, 4, 8), lambda x: x.transpose(0, 1, 3, 2)))
fetches.add("repeated", reordered("i32", (4, 8), lambda x: np.repeat(x[:, :, None], 4, axis=2)))
fetches.add("repeated_in_packet", reordered("i32", (4, 4), lambda x: np.repeat(x[..., None], 2, axis=-1)))
fetches.add("odd_bytes", reordered("i8", (63,), lambda x: x))
fetches.add("five_by_seven", reordered("i32", (5, 7), lambda x: n.FXP["MulInt"](x, 3).transpose(0, 2, 1)))
fetches.add("twenty_five", reordered("f32", (5, 5), lambda x: n.add(x, 1).transpose(0, 2, 1)))
fetches.add("three_reads", reordered("i8", (3, 4, 8), lambda x: x.transpose(0, 2, 1, 3)))
fetches.add("zero_point_i8", reordered("i8", (4, 8), lambda x: x.astype(np.int32) - 10))

fetches.add("a_part", reordered("i32", (4, 8), lambda x: x[:, :3, :4]))
fetches.add("of_views", reordered("i32", (4, 8), lambda x: np.stack([x[:, 1:3], x[:, 2:4]], axis=1)))


@fetches
def interleaved(rng):
    x, y = ints(rng, (S, 4, 8)), ints(rng, (S, 4, 8))
    return {"x": x, "y": y}, np.stack([x, y], axis=2)


@fetches
def interleaved_sum(rng):
    x, y = normal(rng, (S, 4, 4)), normal(rng, (S, 4, 4))
    return {"x": x, "y": y}, x + y


@fetches
def two_zero_points(rng):
    x, y = anything(rng, "i8", (S, 4, 8)), anything(rng, "i8", (S, 4, 8))
    return {"x": x, "y": y}, (x.astype(np.int32) - 100) * (y.astype(np.int32) + 100)


layouts = File("layouts.rs")


def moved(kind, shape, function):
    def build(rng):
        x = anything(rng, kind, shape)
        return {"x": x}, function(x)
    return build


layouts.add("hbm_to_hbm", moved("i8", (8, 16, 32), lambda x: x.transpose(2, 0, 1)))
layouts.add("odd_hbm", moved("i16", (5, 7, 63), lambda x: x.transpose(1, 2, 0)))
layouts.add("broadcast_in_hbm", moved("bf16", (8, 5), lambda x: np.broadcast_to(x[None, :, :, None], (2, 8, 5, 4))))
layouts.add("slices_and_elements", moved(
    "i32", (16, S, 8), lambda x: x.reshape(16, 16, 16, 8).transpose(0, 2, 3, 1)))  # B, S / 16, S % 16, A
layouts.add("both_clusters", moved("f32", (S, 512), lambda x: x.T))
layouts.add("broadcast_to_slices", moved("i8", (32,), lambda x: np.broadcast_to(x, (2, S, 32))))
layouts.add("dm_to_dm", moved("i8", (S, 16, 8), lambda x: x))
layouts.add("renamed", moved("i8", (S, 64), lambda x: x.T))
layouts.add("five_hundred", moved(
    "i32", (500, 8), lambda x: n.FXP["AddFxp"](x, np.arange(500)[:, None] % 2).T))
layouts.add("two_thousand_and_one", moved("f32", (2001,), lambda x: n.add(x, 0.5)))
layouts.add("two_hundred_in_rings", moved(
    "i8", (200, 32), lambda x: np.repeat(x.reshape(50, 1, 4, 32), 4, axis=1)))
layouts.add("padded_rows", moved("f32", (S, 63), lambda x: x.T))


@layouts
def tiles_in_a_loop(rng):
    x = ints(rng, (16, S, 8))
    return {"x": x}, {"out": n.FXP["AddFxp"](x, 1000)[::-1]}


@layouts
def overlapping_tiles(rng):
    x = anything(rng, "i8", (16, 32))
    before = anything(rng, "i8", (8, 4, 32))
    after = before.copy()
    for i in range(7):
        after[i] = x[2 * i:2 * i + 4]
    return {"x": x, "out": before}, {"out": after}


@layouts
def gather(rng):
    table, index = ints(rng, (512, 8)), ints(rng, S, 0, 512)
    return {"table": table, "index": index}, table[index]


@layouts
def gather_to_clusters(rng):
    table, index = ints(rng, (512, 8)), ints(rng, 2048, 0, 512)
    return {"table": table, "index": index}, table[index]


@layouts
def scatter_two_keys(rng):
    """Every place of the table is written once, in any order."""
    x, index = ints(rng, (S, 8, 8)), rng.permutation(2048).astype(np.int32).reshape(S, 8)
    table = np.empty((2048, 8), np.int32)
    table[index] = x
    return {"x": x, "index": index, "table": ints(rng, (2048, 8))}, {"table": table}


def scattered(x, index, table):
    result = table.copy()
    for k, place in enumerate(index):  # in this order: the last one counts
        result[place] = x[k]
    return result


@layouts
def scatter(rng):
    x, index, table = ints(rng, (S, 8)), ints(rng, S, 0, 512), ints(rng, (512, 8))
    return {"x": x, "index": index, "table": table}, {"table": scattered(x, index, table)}


@layouts
def scatter_bytes(rng):
    x, index, table = anything(rng, "bf16", (S, 32)), ints(rng, S, 0, 512), anything(rng, "bf16", (512, 32))
    return {"x": x, "index": index * 64, "table": table}, {"table": scattered(x, index, table)}


switches = File("switches.rs")
C3 = (S, 8, 32)  # C, A, D


def switched(shape, function, kind="i8"):
    return moved(kind, shape, function)


def split(x, *sizes):
    """The first axis in parts, outermost first."""
    return x.reshape(*sizes, *x.shape[1:])


def copies(x, axis, count):
    return np.repeat(np.expand_dims(x, axis), count, axis=axis)


switches.add("broadcast01_all", switched((S, 32), lambda x: copies(x, 0, 256)))
switches.add("broadcast01_pairs", switched(C3, lambda x: copies(split(x, 64, 4).transpose(0, 2, 1, 3), 1, 4)))
switches.add("broadcast01_padding", switched(C3, lambda x: x))
switches.add("broadcast01_inner", switched(C3, lambda x: copies(split(x, 16, 16).transpose(0, 2, 1, 3), 1, 16)))
switches.add("broadcast1", switched(C3, lambda x: copies(split(x, 16, 4, 4).transpose(0, 2, 3, 1, 4), 1, 4)))
switches.add("broadcast1_outer", switched(C3, lambda x: copies(x.transpose(1, 0, 2), 0, 4)))
switches.add("transpose", switched(C3, lambda x: split(x, 4, 32, 2).transpose(0, 2, 1, 3, 4)))
switches.add("transpose_square", switched(C3, lambda x: split(x, 16, 16).transpose(1, 0, 2, 3)))
switches.add("inter_transpose", switched(C3, lambda x: x))
switches.add("inter_transpose_outer", switched(C3, lambda x: x.transpose(1, 0, 2)))
switches.add("transposed_broadcast1", switched(C3, lambda x: copies(split(x, 4, 4, 16).transpose(0, 1, 3, 2, 4), 1, 16)))
switches.add("transposed_broadcast1_all", switched(
    C3, lambda x: copies(split(x, 16, 8, 2).transpose(0, 1, 3, 2, 4), 1, 2)))
switches.add("custom_permutation", switched((16, 16, 8, 32), lambda x: x.transpose(1, 0, 2, 3)))
switches.add("custom_inner", switched((8, 8, 4, 8, 32), lambda x: x.transpose(0, 2, 1, 3, 4)))
switches.add("custom_copies", switched((16, 16, 8, 32), lambda x: np.broadcast_to(x, (2, 2, *x.shape))))
switches.add("custom_three_of_four", switched(
    (16, 16, 8, 32), lambda x: copies(x.reshape(16, 4, 4, 8, 32)[:, :, :3].transpose(0, 1, 3, 2, 4), 2, 4)))
switches.add("custom_dropped", switched(
    (16, 16, 8, 32), lambda x: np.broadcast_to(x[::2], (2, 2, 8, 16, 8, 32))))
switches.add("custom_ring_of_one", switched(C3, lambda x: x))
switches.add("floats_around", switched(
    (S, 8, 4), lambda x: copies(split(x, 16, 2, 8).transpose(0, 2, 3, 1, 4), 1, 2), kind="f32"))
