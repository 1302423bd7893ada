"""Which combinations of inertial parameters joint torques depend on at all (theory: what a joint does not feel)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from soadyn.estimation.regression import Columns
from soadyn.robot import Robot

RANK = 1e-9  # of the largest column
PARAMETERS = ("m", "mcx", "mcy", "mcz", "Jxx", "Jxy", "Jyy", "Jxz", "Jyz", "Jzz")


@final
@dataclass(frozen=True, eq=False)
class BaseParameters:
    """Independent columns of the regressor, Y = Y[:, chosen] @ combination: base parameters are combination @ π.

    names        of the chosen parameters, such as "forearm_link.mcx"; each stands for its combination
    chosen       their places among the parameters
    combination  (base, parameters)
    """

    names: tuple[str, ...]
    chosen: np.ndarray
    combination: np.ndarray


def parameter_names(robot: Robot) -> tuple[str, ...]:
    """What the entries of `robot.inertial_parameters()` are called."""
    return tuple(f"{link}.{parameter}" for link in robot.link_names for parameter in PARAMETERS)


def base_parameters(robot: Robot, own: Columns | None = None, samples: int = 200) -> BaseParameters:
    """Numerically, by the QR decomposition of regressors at random states (Gautier 1991).

    With the joints' `own` columns these follow the inertial parameters: a rotor's inertia may depend on the links'.
    """
    rng = np.random.default_rng(0)
    q = robot.random_configuration(rng, samples)
    v, a = rng.standard_normal((2, samples, robot.nv))
    Y = robot.inertia_regressor(q, v, a)
    names = parameter_names(robot)
    if own is not None:
        Y, names = np.concatenate([Y, own.matrix(v, a)], axis=-1), (*names, *own.names)
    Y = Y.reshape(samples * robot.nv, -1)
    # From the last parameter to the first: what depends on others is named by links nearer to the base.
    order = np.arange(Y.shape[1])[::-1]
    R = np.linalg.qr(Y[:, order], mode="r")
    size = np.abs(np.diag(R))
    kept = size > RANK * size.max()
    chosen = np.sort(order[: len(size)][kept])
    combination = np.linalg.lstsq(Y[:, chosen], Y, rcond=None)[0]
    combination[np.abs(combination) < 1e-8] = 0.0
    return BaseParameters(tuple(names[i] for i in chosen), chosen, combination)
