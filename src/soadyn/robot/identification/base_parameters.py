"""The base parameters: the fewest combinations of inertial parameters that give the joint forces.

They are found as M. Gautier did (Numerical calculation of the base inertial parameters of robots, Journal of Robotic
Systems 8(4), 1991): the regressor at many random states, W, is decomposed into orthogonal factors, columns in a chosen
order. A column that depends on earlier ones gives its parameter to theirs,

    T = W_1 (π_1 + K π_2),    W_2 = W_1 K

The order takes links from the base and, of a link, the parameters last that a revolute joint about z does not feel, so
that the groups are those that W. Khalil and M. Gautier print (Direct calculation of minimum set of inertial parameters
of serial robots, IEEE Transactions on Robotics and Automation 6(3), 1990).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, final

import numpy as np
from numpy.typing import ArrayLike

from soadyn.engine.engine import Engine
from soadyn.model import configuration
from soadyn.model.parameters import inertial_parameters
from soadyn.quantities import QUANTITIES
from soadyn.robot.calling.quantity_functions import evaluate
from soadyn.robot.identification.symbolic_groups import symbolic_groups

# A link's parameters, in the order of `inertial_parameters`.
LETTERS = ("m", "mx", "my", "mz", "Jxx", "Jxy", "Jyy", "Jxz", "Jyz", "Jzz")
# Those that become dependent come last.
ORDER = ("Jzz", "Jxz", "Jyz", "Jxy", "Jxx", "mx", "my", "Jyy", "mz", "m")
# A column of which less than this part of the largest is left beside earlier ones depends on them.
DEPENDENT = 1e-9
# States at which the regressor is evaluated have so many times as many rows as there are parameters.
EXCESS = 4


@final
@dataclass(frozen=True, slots=True, eq=False)
class BaseParameters:
    """The base parameters of a robot; made by `Robot.base_parameters`.

        inverse_dynamics(q, v, a) = regressor(q, v, a) @ values + armature * a,    values = matrix @ π

    `names` are the parameters that each group starts with, `groups` the whole groups.

    >>> import soadyn as sd
    >>> base = sd.load("planar_two_link").base_parameters()
    >>> len(base), base.matrix.shape
    (6, (6, 20))
    >>> print(base)
    mx(link1) + m(link2)
    mz(link1)
    Jyy(link1) + m(link2)
    mx(link2)
    mz(link2)
    Jyy(link2)
    """

    names: tuple[str, ...]
    groups: tuple[str, ...]
    matrix: np.ndarray
    values: np.ndarray
    columns: np.ndarray
    engine: Engine

    def __len__(self) -> int:
        return len(self.names)

    def __str__(self) -> str:
        return "\n".join(self.groups)

    def symbolic(self) -> dict[str, Any]:
        """The groups as SymPy expressions with the robot's lengths as symbols, by their leading parameter.

        >>> import soadyn as sd
        >>> sd.load("planar_two_link").base_parameters().symbolic()["Jyy(link1)"]
        Jyy(link1) + l_joint2_x**2*m(link2)
        """
        return symbolic_groups(self.engine.model, self.names)

    def regressor(self, q: ArrayLike, v: ArrayLike, a: ArrayLike) -> np.ndarray:
        """The joint forces per base parameter, (..., nv, count)."""
        Y = evaluate(self.engine, QUANTITIES["inertia_regressor"], {"q": q, "v": v, "a": a})
        return np.ascontiguousarray(Y[..., self.columns])


def base_parameters(engine: Engine, seed: int = 0) -> BaseParameters:
    """Which inertial parameters the joint forces depend on, grouped and named."""
    links = engine.model.link_names
    order = [10 * i + LETTERS.index(letter) for i in range(len(links)) for letter in ORDER]
    W = _regressor_rows(engine, np.random.default_rng(seed))
    kept, lost = _independent(W, order)
    K = np.linalg.lstsq(W[:, kept], W[:, lost], rcond=None)[0]
    K = np.where(abs(K) <= DEPENDENT * max(1.0, abs(K).max(initial=0.0)), 0.0, K)
    # Back to the order of inertial_parameters, link by link.
    rank = np.argsort(kept)
    kept, K = kept[rank], K[rank]
    matrix = np.zeros((len(kept), W.shape[1]))
    matrix[np.arange(len(kept)), kept] = 1.0
    matrix[:, lost] = K
    names = [f"{letter}({link})" for link in links for letter in LETTERS]
    groups = tuple(_group(row, names, first) for row, first in zip(matrix, kept, strict=True))
    values = matrix @ inertial_parameters(engine.model)
    return BaseParameters(tuple(names[i] for i in kept), groups, matrix, values, kept, engine)


def _regressor_rows(engine: Engine, rng: np.random.Generator) -> np.ndarray:
    space = engine.coordinates
    columns = 10 * len(engine.model.link_names)
    states = EXCESS * columns // max(space.nv, 1) + 1
    q = configuration.random_configuration(space, rng, states)
    v, a = rng.standard_normal((2, states, space.nv))
    few = Engine(engine.model, "numpy")  # so few states are not worth compiling a kernel for
    Y: np.ndarray = evaluate(few, QUANTITIES["inertia_regressor"], {"q": q, "v": v, "a": a})
    return Y.reshape(states * space.nv, columns)


def _independent(W: np.ndarray, order: list[int]) -> tuple[np.ndarray, np.ndarray]:
    """Columns of W that do not depend on those before them in the order, and the others."""
    R = np.linalg.qr(W[:, order], mode="r")
    left = np.zeros(len(order))
    left[: len(R)] = abs(np.diagonal(R))
    independent = left > DEPENDENT * np.linalg.norm(W, axis=0).max(initial=0.0)
    places = np.array(order, dtype=int)
    return places[independent], places[~independent]


def _group(row: np.ndarray, names: list[str], first: int) -> str:
    """A group as text, its leading parameter first."""
    terms = [names[first]]
    for i in np.flatnonzero(row):
        if i != first:
            sign, size = ("-", -row[i]) if row[i] < 0 else ("+", row[i])
            terms.append(f"{sign} {names[i]}" if abs(size - 1) < DEPENDENT else f"{sign} {size:.6g} {names[i]}")
    return " ".join(terms)
