"""chips.rs, passes.rs: several chips, several passes."""

import numpy as np

from . import numbers as n
from .case import File, ints, normal
from .movement import anything
from .products import summed, values
from .sums import packets

S = 256
chips = File("chips.rs")
add = n.FXP["AddFxp"]


def of_chips(kind, shape, function):
    def build(rng):
        x = anything(rng, kind, shape)
        return {"x": x}, function(x)
    return build


chips.add("rotate", of_chips("i32", (4, S, 8), lambda x: x[[1, 2, 3, 0]]))
chips.add("copies_of_chips", of_chips("f32", (4, S, 8), lambda x: x[[2, 2, 0, 0]]))
chips.add("swap_clusters", of_chips("i8", (2, S, 8), lambda x: x[::-1]))
chips.add("diagonal_of_chips", of_chips(
    "i32", (4, S, 4, 8), lambda x: np.stack([x[chip, :, row] for chip, row in enumerate((3, 0, 1, 2))])))
chips.add("rows_of_clusters", of_chips(
    "i32", (2, S, 4, 8), lambda x: np.stack([x[cluster, :, row] for cluster, row in enumerate((3, 1))])))
chips.add("on_every_chip", of_chips(
    "i32", (4, S, 32), lambda x: add(x, np.array([1, -1, 1, -1]).reshape(4, 1, 1))))
chips.add("all_reduce", of_chips(
    "i32", (4, S, 8), lambda x: np.broadcast_to(n.i32(x.astype(np.int64).sum(axis=0)), (4, S, 8))))
chips.add("to_all_chips", of_chips("i32", (S, 8), lambda x: n.FXP["MulInt"](x, -2)))
chips.add("hbm_of_chips", of_chips("i32", (4, S, 8), lambda x: x[[3, 0, 1, 2]]))

passes = File("passes.rs")


@passes
def softmax(rng, numerics):
    x = normal(rng, (S, 64), 4)
    powers = n.exp(n.sub(x, x.max(axis=1, keepdims=True)))
    return {"x": x}, n.div(powers, packets(n.add, powers, 4, numerics)[:, None])


@passes
def two_layers(rng):
    x, w, v = (ints(rng, shape, -128, 128, np.int8) for shape in ((S, 4, 64), (8, 64), (8, 8)))
    hidden = np.clip(summed(x[:, :, None], w.astype(np.int32), "i8", "tree") >> 8, 0, 127)
    return {"x": x, "w": w, "v": v}, summed(hidden[:, :, None], v.astype(np.int32), "i8", "tree")


@passes
def weights_in_turns(rng, numerics):
    x, fx = values(rng, "bf16", (S, 4, 64))
    w, fw = values(rng, "bf16", (32, 64))
    y = summed(fx[:, :, None], fw, "bf16", numerics)  # S, M, N
    return {"x": x, "w": w}, y.reshape(S, 4, 4, 8).transpose(0, 2, 1, 3)


@passes
def operand_again(rng):
    x, y = ints(rng, (S, 4, 4, 8)), ints(rng, (4, 8))
    return {"x": x, "y": y}, {"": add(x, y), "product": n.FXP["MulInt"](x, y)}


@passes
def two_results(rng):
    x = ints(rng, (S, 8))
    return {"x": x}, {"result.0": x >> 1, "result.1": n.to_i8(x).T}


@passes
def running_sum(rng):
    x = normal(rng, (S, 4, 8))
    sums = [x[:, 0]]
    for i in range(1, 4):
        sums.append(n.add(x[:, i], sums[-1]))
    return {"x": x}, np.stack(sums, axis=1)


@passes
def layer_norm(rng, numerics):
    x = n.f32_to_bf16(normal(rng, (S, 64), 3))
    scale, shift = normal(rng, 64), normal(rng, 64)
    mean = n.div(packets(n.add, n.bf16_to_f32(x), 4, numerics), 64)
    centred = n.sub(n.bf16_to_f32(x), mean[:, None])
    variance = n.div(packets(n.add, n.mul(centred, centred), 4, numerics), 64)
    deviation = n.sqrt(n.add(variance, 0.00001))
    y = n.add(n.div(n.mul(centred, scale), deviation[:, None]), shift)
    return {"x": x, "scale": scale, "shift": shift}, n.f32_to_bf16(y)
