"""The method by which a robot finds configurations for poses of its frames."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from soadyn.engine.engine import Engine
from soadyn.errors import ArgumentError
from soadyn.kinematics.result import IKResult
from soadyn.kinematics.search import SearchOptions, inverse_kinematics
from soadyn.robot.arguments.plain_values import positive


class Kinematic:
    """Inverse kinematics of `Robot`."""

    engine: Engine

    def inverse_kinematics(
        self,
        targets: Any,
        q0: ArrayLike | None = None,
        limits: bool = True,
        *,
        com: ArrayLike | None = None,
        posture: ArrayLike | None = None,
        tolerance: float = 1e-8,
        restarts: int = 100,
        rng: np.random.Generator | int | None = 0,
    ) -> IKResult:
        """Configurations in which frames are where they are wanted; batched, all of them at once.

        targets: {frame: pose (..., 4, 4) or position (..., 3)}, or `sd.kinematics.Position`, `Orientation`, `Pose`,
            `Direction`, or a list of these
        q0: where the search begins, (..., nq); beyond it, and without it, random configurations
        limits: stay within the position limits
        com: where the mass centre is to be, (..., 3)
        posture: a configuration to lean to with whatever freedom the targets leave, (..., nq)
        tolerance: how near all targets must come, m and rad
        restarts: from how many random configurations to start, at most, before a target counts as out of reach
        rng: where these come from, a generator or its seed; None: others at every call

        `success` says which targets are met; of the others `q` is the nearest that was found, `error` how near it is.

        >>> import soadyn as sd
        >>> arm = sd.load("ur5")
        >>> wanted = arm.pose([0.3, -1.2, 1.1, 0.2, 0.5, 0.1], "tool0")
        >>> found = arm.inverse_kinematics({"tool0": wanted})
        >>> bool(found.success), bool(abs(arm.pose(found.q, "tool0") - wanted).max() < 1e-7)
        (True, True)
        >>> arm.inverse_kinematics({"tool0": [3.0, 0.0, 0.0]}, restarts=8).success.item()
        False
        """
        if closures := self.engine.model.closures:
            raise ArgumentError(
                f"inverse_kinematics knows no closures yet, and robot {self.engine.model.name!r} has "
                f"{closures[0].name!r}; robot.open() is the tree"
            )
        if isinstance(restarts, bool) or not isinstance(restarts, int | np.integer) or restarts < 0:
            raise ArgumentError(f"inverse_kinematics: restarts is a whole number, zero or more, got {restarts!r:.60}")
        near = positive("tolerance", tolerance, "inverse_kinematics")
        if q0 is None and restarts == 0:
            raise ArgumentError("inverse_kinematics: without q0 the search needs restarts")
        if not isinstance(limits, bool | np.bool_):
            raise ArgumentError(f"inverse_kinematics: limits is True or False, got {limits!r:.60}")
        search = SearchOptions(near, int(restarts), np.random.default_rng(rng))
        return inverse_kinematics(self.engine, targets, q0, com, posture, bool(limits), search)
