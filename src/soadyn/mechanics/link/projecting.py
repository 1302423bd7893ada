"""Level 6 - closures that open: the rates of their errors, and how large these may be."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, final

from soadyn.mechanics.joint import JointKind
from soadyn.mechanics.spatial.arithmetic import Array, cross, guarded_pivot, real, rows_of, stacked
from soadyn.mechanics.spatial.transform import Transform
from soadyn.mechanics.spatial.vector import Spatial


@final
@dataclass(frozen=True, slots=True)
class CutRate:
    """Level 6 - the rates of a cut's errors; `count` of its six columns are rows.

    Φ̇ = J_c v = Q [φ*(j,y) V(j) - φ*(i,y) V(i)]
    """

    __name__: ClassVar[str] = "cut_rate"
    count: int

    def __call__(
        self,
        wrenches: Spatial,
        pose_i: Transform,
        V_i: Spatial,
        x: Transform,
        pose_j: Transform,
        V_j: Spatial,
        y: Transform,
    ) -> tuple[Array]:
        point = pose_j.then(y).l
        at_y = []
        for pose, V in ((pose_i, V_i), (pose_j, V_j)):
            turning = pose.R @ V.angular
            at_y.append(Spatial(turning, pose.R @ V.linear + cross(turning, point - pose.l)))
        return ((wrenches.mT @ (at_y[1] - at_y[0]))[..., : self.count, :],)


# States farther off a closure have no accelerations: m, products of axes, or the units of a coupling.
SHUT = 1e-3


@final
@dataclass(frozen=True, slots=True)
class Shut:
    """Level 6 - the errors of all groups' rows, so many each, and for each a number that is positive where it is small.

    Φ² < bound²
    """

    __name__: ClassVar[str] = "shut"
    counts: tuple[int, ...]

    def __call__(self, *groups: Any) -> tuple[Array, list[Array]]:
        rows: list[Array] = []
        for count, group in zip(self.counts, groups, strict=True):
            rows += rows_of((Spatial.zero() + group).dense() if isinstance(group, Spatial | int) else group)[:count]
        errors = [x[..., 0] for x in rows]
        return stacked(rows), [guarded_pivot(SHUT**2 - real(x) * real(x), 0.0) for x in errors]


def coupling_rate(joint: JointKind, E: Array, v: Array) -> tuple[Spatial]:
    """Level 6 - a joint's share of the rates of couplings.

    Φ̇ = Σₖ E_c(k) v(k)
    """
    return (Spatial.of(E.mT @ v),)
