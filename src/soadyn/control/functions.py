"""Functions for the torques of one's own feedbacks: on numbers, batches, and what becomes machine code or C.

NumPy's functions know numbers alone. What depends on a sign has no branch: it is a sum of products.

>>> import numpy as np
>>> from soadyn.control import functions
>>> functions.tanh(np.array([0.0, 100.0])), functions.minimum(2.0, np.array([1.0, 3.0]))
(array([0., 1.]), array([1., 2.]))
>>> functions.chosen(np.array([-1.0, 2.0]), 10.0, 20.0)  # by the sign of the first
array([20., 10.])
"""

from __future__ import annotations

from soadyn.mechanics.spatial.arithmetic import (
    Array,
    arctan,
    clipped,
    cos,
    exp,
    is_positive,
    log,
    maximum,
    ramp,
    sign,
    sin,
    sqrt,
    tanh,
)

__all__ = [
    "arctan",
    "chosen",
    "clipped",
    "cos",
    "exp",
    "is_positive",
    "log",
    "maximum",
    "minimum",
    "ramp",
    "sign",
    "sin",
    "sqrt",
    "tanh",
]


def minimum(x: Array, y: Array) -> Array:
    """The smaller of two numbers.

    >>> float(minimum(1.0, 2.0))
    1.0
    """
    return -maximum(-x, -y)


def chosen(by: Array, positive: Array, otherwise: Array) -> Array:
    """`positive` where `by` is positive, `otherwise` elsewhere; both are computed and must be finite.

    >>> float(chosen(-1.0, 3.0, 4.0))
    4.0
    """
    first = is_positive(by)
    return first * positive + (1.0 - first) * otherwise
