"""The order in which the hardware reduces.

tree: neighbours pairwise, level by level, then the results of time steps one after the other (the default, and what
the chip does). sequential: one element after the other in ascending order of the logical index.
Manual: Reducer, Spatial Reduction; Intra-Slice Reduce, Conceptual Operation.
"""

from functools import reduce

import numpy as np


def fold(op, values, axis):
    """((v0 op v1) op v2) op ..."""
    return reduce(op, np.moveaxis(values, axis, 0))


def tree(op, values, axis):
    """Neighbours pairwise until one is left; a last one without a neighbour goes up a level alone."""
    level = list(np.moveaxis(values, axis, 0))
    while len(level) > 1:
        pairs = [op(a, b) for a, b in zip(level[::2], level[1::2])]
        level = pairs + ([level[-1]] if len(level) % 2 else [])
    return level[0]


def packets(op, values, size, numerics):
    """Reduces the last axis: packets of `size` by a tree, then packet after packet; or all in a row."""
    if numerics == "sequential":
        return fold(op, values, -1)
    cuts = [values[..., i:i + size] for i in range(0, values.shape[-1], size)]
    return reduce(op, [tree(op, cut, -1) for cut in cuts])

