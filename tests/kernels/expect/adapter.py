"""adapter.tcp: tables, zero points of nibbles, and execution ids from registers."""

import numpy as np

from . import numbers as n
from .case import File, ints

adapter = File("adapter.tcp")


@adapter
def square_of_nibbles(rng):
    x = ints(rng, (256, 64), -8, 8, np.int8)
    return {"x": x}, (x.astype(np.int32) ** 2).astype(np.int8)


@adapter
def zero_point_of_nibbles(rng):
    x = ints(rng, (256, 64), -8, 8, np.int8)
    return {"x": x}, x.astype(np.int32) + 3


@adapter
def ids_from_registers(rng):
    x, ids = ints(rng, (256, 4, 8)), ints(rng, (256, 8), 0, 16)
    odd = (ids & 8 != 0)[:, None]
    return {"x": x, "ids": ids}, np.where(odd, n.FXP["AddFxp"](x, 100), n.FXP["AddFxp"](x, -1))
