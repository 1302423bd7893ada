"""Methods of a robot that return objects: its mass matrix, Saha's decomposition, expressions, configurations found."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from soadyn.engine.engine import Engine
from soadyn.errors import ArgumentError
from soadyn.kinematics.result import IKResult
from soadyn.kinematics.search import SearchOptions, inverse_kinematics
from soadyn.robot.arguments.plain_values import flag, positive, whole
from soadyn.robot.identification.base_parameters import BaseParameters, base_parameters
from soadyn.robot.mass import MassMatrix
from soadyn.robot.mass.at_configuration import AtConfiguration
from soadyn.robot.mass.decoupled_complement import DecoupledComplement
from soadyn.robot.mass.elimination import Elimination, elimination

if TYPE_CHECKING:
    from soadyn.algebra.expressions import Expression
    from soadyn.robot.symbolic.symbolic import Symbolic


class Objects:
    """Methods of `Robot` that return objects rather than arrays."""

    engine: Engine

    def mass(self, q: ArrayLike) -> MassMatrix:
        """The mass matrix at q as an operator: products, solutions, roots, elements and determinant by O(N) sweeps.

        >>> import numpy as np, soadyn as sd
        >>> arm = sd.load("ur5")
        >>> m = arm.mass(np.zeros((100, 6)))
        >>> m.shape, m.solve(np.ones(6)).shape, m.log_determinant().shape
        ((100, 6, 6), (100, 6), (100,))
        """
        return MassMatrix(AtConfiguration(self.engine, q, lambda name, at: getattr(self, name)(at)))

    def decoupled_complement(self, q: ArrayLike) -> DecoupledComplement:
        """Saha's T_l and T_d (002): twists of the links at their mass centres, along world axes, are T_l T_d v.

        >>> import numpy as np, soadyn as sd
        >>> arm = sd.load("planar_two_link")
        >>> T_l, T_d = arm.decoupled_complement([0.0, 0.5])
        >>> T_l.shape, T_d.shape
        ((12, 12), (12, 2))
        """
        return DecoupledComplement(AtConfiguration(self.engine, q))

    def elimination(self, q: ArrayLike, joint: str) -> Elimination:
        """The step E_k of the reverse Gaussian elimination of Mass that eliminates a joint, and what it leaves (002).

        Joints are eliminated from the last one in the order of v to the first; L = E_k ... E_n Mass.

        >>> import numpy as np, soadyn as sd
        >>> arm = sd.load("ur5")
        >>> q = [0.1, -1.0, 1.2, 0.3, 0.8, 0.2]
        >>> E, L = arm.elimination(q, "shoulder_lift_joint")
        >>> bool(abs(np.triu(L, 1)).max() < 1e-12)
        True
        """
        return elimination(AtConfiguration(self.engine, q), joint)

    def base_parameters(self) -> BaseParameters:
        """Which inertial parameters the joint forces depend on, grouped and named, beside `inertia_regressor`.

        >>> import soadyn as sd
        >>> arm = sd.load("planar_two_link")
        >>> base = arm.base_parameters()
        >>> len(base), base.names[-1]
        (6, 'Jyy(link2)')
        """
        return base_parameters(self.engine)

    def symbolic(
        self, what: str | Expression, free: Sequence[str] = ("q", "v", "a", "tau"), **options: Any
    ) -> Symbolic:
        """A quantity or a formula as SymPy expressions, through the same link functions (`pip install sympy`).

        `free` says what is a symbol: the arguments "q", "v", "a", "tau", those left out being zero (q: neutral); of
        all links or joints "masses", "centres", "inertias", "lengths"; "gravity"; or single constants as `parametric`
        takes them. Entries of the classes and of gravity that are zero in the robot stay zero. Frames and other
        options are given as the quantity takes them.

        >>> import soadyn as sd
        >>> arm = sd.load("planar_two_link")
        >>> arm.symbolic("gravity_force", free=("q", "masses", "gravity")).simplified()[1]
        -g_z*m_link2*cos(q_joint1 + q_joint2)/2
        """
        from soadyn.robot.symbolic.tracing import symbolic

        return symbolic(self.engine, what, free, options)

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

        Closures of the robot are targets as well, "closures" among the result's `errors`.

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
        most = whole("inverse_kinematics: restarts", restarts, 0)
        near = positive("tolerance", tolerance, "inverse_kinematics")
        if q0 is None and most == 0:
            raise ArgumentError("inverse_kinematics: without q0 the search needs restarts")
        within = flag("inverse_kinematics: limits", limits)
        search = SearchOptions(near, most, np.random.default_rng(rng))
        return inverse_kinematics(self.engine, targets, q0, com, posture, within, search)
