"""Robots with tied mimic joints: the sweeps run on all joints, their results are condensed.

    v_all = E v,    Mass = E* Mass_all E,    T = E* T_all,    J = J_all E

A tie couples joints anywhere in the tree, so D is no longer block diagonal by joint and there is no O(N) inverse:
what needs Mass⁻¹ is solved densely here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from soadyn.engine.constants.constants import Constants
from soadyn.engine.reference import checks
from soadyn.engine.reference import run as reference
from soadyn.engine.reference.faults import Faults
from soadyn.errors import ArgumentError
from soadyn.mechanics.link.operational import operational_inertia
from soadyn.mechanics.spatial.arithmetic import PIVOT_ROUNDINGS, Array, factor, log, real, solve_factored, symmetric
from soadyn.model.coordinates import Coordinates
from soadyn.programs.sweep import algorithms, derivatives, newton_euler
from soadyn.programs.sweep.program import Program

Batch = tuple[int, ...]


def run(
    program: Program, constants: Constants, space: Coordinates, inputs: Mapping[str, Any], batch: Batch
) -> tuple[list[Array], Faults]:
    """The program's outputs in the free coordinates, and the bad rows."""
    if program.name in DENSE:
        return _Condensed(constants, space, inputs, batch).dense(program)
    if any("D" in stage.writes for stage in program.stages):
        raise ArgumentError(
            f"{program.name} inverts the joint inertias D one by one, but tied mimic joints couple them; "
            f"there is no such quantity for robot {constants.model.name!r}"
        )
    outputs, faults = reference.run(program, constants, _expanded(space, inputs), batch)
    condensed = []
    for value, output in zip(outputs, program.outputs, strict=True):
        match output.layout:
            case "joint":
                condensed.append((value[..., None, :] @ space.E)[..., 0, :])
            case "columns":
                condensed.append(value @ space.E)
            case "symmetric":
                condensed.append(symmetric(space.E.T @ value @ space.E))
            case "pairs":
                condensed.append(space.E.T @ value @ space.E)
            case "matrix":
                condensed.append(space.E.T @ value)
            case _:
                condensed.append(value)
    return condensed, faults


def _expanded(space: Coordinates, inputs: Mapping[str, Any]) -> dict[str, Any]:
    wider = dict(inputs)
    wider["q"] = space.expand(inputs["q"])
    for name in ("v", "vdot"):
        if name in inputs:
            wider[name] = (space.E @ inputs[name][..., None])[..., 0]
    return wider


class _Condensed:
    """The condensed mass matrix and bias force at the call's state, and what follows from them."""

    def __init__(self, constants: Constants, space: Coordinates, inputs: Mapping[str, Any], batch: Batch) -> None:
        self.constants, self.space = constants, space
        self.inputs, self.batch, self.nv = inputs, batch, space.nv
        motion = {"q": inputs["q"]}
        (self.mass,), self.faults = run(algorithms.MASS_MATRIX, constants, space, motion, batch)
        if "v" in inputs:
            motion = {"q": inputs["q"], "v": inputs["v"], "vdot": np.zeros(space.nv)}
            program = algorithms.without_external(newton_euler.INVERSE_DYNAMICS)
            if "external" in inputs:
                motion["external"] = inputs["external"]
                program = newton_euler.INVERSE_DYNAMICS
            (self.bias,), self.faults = run(program, constants, space, motion, batch)

    def dense(self, program: Program) -> tuple[list[Array], Faults]:
        results = DENSE[program.name](self)
        checks.inputs(self.inputs, None, self.faults)
        checks.overflow(results, self.batch, self.faults)
        return [checks.with_bad_rows(result, self.batch, self.faults) for result in results], self.faults

    def forward(self) -> list[Array]:
        return [self._solved(self.mass, (self.inputs["tau"] - self.bias)[..., None])[..., 0]]

    def inverse(self) -> list[Array]:
        return [symmetric(self._solved(self.mass, np.eye(self.nv)))]

    def _passive_mass(self) -> Array:
        """Mass_pp; active rows are replaced by the identity, as in the sweeps."""
        passive = self.inputs["passive"][..., None]
        return passive * self.mass * passive.mT + np.eye(self.nv) * (1 - passive)

    def _passive_solved(self, B: Array) -> Array:
        """Mass_pp⁻¹ B, zero in active rows."""
        return self._solved(self._passive_mass(), self.inputs["passive"][..., None] * B)

    def hybrid(self) -> list[Array]:
        passive = self.inputs["passive"][..., None]
        known = self.inputs["vdot"][..., None] if "vdot" in self.inputs else np.zeros((self.nv, 1))
        rest = self.inputs["tau"][..., None] - self.bias[..., None] - self.mass @ known
        a = known + self._passive_solved(rest)
        force = self.mass @ a + self.bias[..., None]
        tau = passive * self.inputs["tau"][..., None] + (1 - passive) * force
        return [np.broadcast_to(x[..., 0], (*self.batch, self.nv)) for x in (a, tau)]

    def _force_changes(self, a: Array) -> tuple[Array, Array]:
        """The derivatives of the joint forces by q and v, at these accelerations."""
        program = derivatives.INVERSE_DYNAMICS_DERIVATIVES
        motion = {**self.inputs, "vdot": a}
        if "external" not in motion:
            program = algorithms.without_external(program)
        given = {name: motion[name] for name in program.inputs}
        (dq, dv, _), _ = run(program, self.constants, self.space, given, self.batch)
        return dq, dv

    def forward_changes(self) -> list[Array]:
        dq, dv = self._force_changes(self.forward()[0])
        return [-self._solved(self.mass, dq), -self._solved(self.mass, dv), *self.inverse()]

    def hybrid_changes(self) -> list[Array]:
        """By q and v, then by the active accelerations and the passive forces."""
        passive = self.inputs["passive"][..., None]
        unit = np.eye(self.nv)
        sides = self._force_changes(self.hybrid()[0])
        changes = [-self._passive_solved(E) for E in sides]
        forces = [(1 - passive) * (E + self.mass @ x) for E, x in zip(sides, changes, strict=True)]
        a = self._following() + passive.mT * self._passive_solved(unit)
        tau = (1 - passive) * (self.mass @ a) + passive * unit
        shape = (*self.batch, self.nv, self.nv)
        return [np.broadcast_to(x, shape) for x in (*changes, a, *forces, tau)]

    def log_determinant(self) -> list[Array]:
        _, d = self._factored(self.mass)
        return [np.broadcast_to(sum(log(pivot) for pivot in d), self.batch)]

    def _solved(self, A: Array, B: Array) -> Array:
        with np.errstate(all="ignore"):
            L, d = self._factored(A)
            return solve_factored(L, d, np.broadcast_to(B, self.batch + B.shape[-2:]))

    def _factored(self, A: Array) -> tuple[list[list[Any]], list[Any]]:
        L, d, scale = factor(A, [real(A[..., i, i]) for i in range(self.nv)])
        eps = PIVOT_ROUNDINGS * checks.rounding(A.dtype)
        for i, pivot in enumerate(d):
            singular = ~np.asarray(real(pivot) > eps * scale[i], dtype=bool)
            self.faults.add(f"the condensed mass matrix is singular at component {i}", singular)
        return L, d

    def _following(self) -> Array:
        """I + J_D: the active columns of the identity, with the passive components that follow."""
        active = 1 - self.inputs["passive"][..., None, :]
        return active * (np.eye(self.nv) - self._passive_solved(self.mass))

    def actuation(self) -> list[Array]:
        """[S_aa, -S_ap; -S_ap*, -S_pp]."""
        passive, whole = self.inputs["passive"], self._following()
        along_p, along_a = passive[..., None, :], (1 - passive)[..., None, :]
        S_aa = along_a.mT * (self.mass @ whole)
        J_D = along_p.mT * whole
        S_pp = along_p * self._passive_solved(np.eye(self.nv))
        return [np.broadcast_to(symmetric(S_aa + J_D + J_D.mT - S_pp), (*self.batch, self.nv, self.nv))]

    def _jacobian(self, frame: str = "frame", axes: str = "axes") -> Array:
        place = self.inputs[frame]
        path = set(self.constants.model.ancestors(place[0]))
        on_path = [float(k in path) for k in range(self.constants.model.n + 1)]
        given = {"q": self.inputs["q"], "frame": place, "axes": self.inputs[axes], "on_path": on_path}
        (J,), _ = run(algorithms.JACOBIAN, self.constants, self.space, given, self.batch)
        return J

    def _frames(self) -> list[tuple[str, str]]:
        """The inputs that are the frames of the call, and those that are the axes of each."""
        several = [name for name in self.inputs if name.startswith("point$")]
        return [(name, name.replace("point", "axes")) for name in several] or [("frame", "axes")]

    def generalized(self) -> list[Array]:
        return [self._jacobian() @ self._following()]

    def disturbed(self) -> list[Array]:
        return [(self._following() @ self.inputs["x"][..., None])[..., 0]]

    def generalized_times(self) -> list[Array]:
        return [(self._jacobian() @ self.disturbed()[0][..., None])[..., 0]]

    def generalized_transposed(self) -> list[Array]:
        """- J_G* f, as the sweeps' forces have it."""
        return [-(self.generalized()[0].mT @ self.inputs["f"])[..., 0]]

    def disturbed_transposed(self) -> list[Array]:
        """S_ap y, as the sweeps' forces have it."""
        return [-(self._following().mT @ self.inputs["y"][..., None])[..., 0]]

    def disturbance_drift(self) -> list[Array]:
        return self.hybrid()[:1]

    def generalized_drift(self) -> list[Array]:
        given = {**self.inputs, "vdot": self.hybrid()[0]}
        return run(algorithms.FRAME_ACCELERATION, self.constants, self.space, given, self.batch)[0]

    def operational(self) -> list[Array]:
        J = np.concatenate([self._jacobian(frame, axes) for frame, axes in self._frames()], axis=-2)
        return [J @ self._solved(self.mass, J.mT)]

    def operational_inertia(self) -> list[Array]:
        pivot, Lambda = operational_inertia(self.operational()[0])
        checks.task_pivots(pivot, self.faults)
        return [Lambda]

    def operational_bias(self) -> list[Array]:
        """- Λ α, α being the frames' accelerations without joint forces."""
        a = self._solved(self.mass, -self.bias[..., None])[..., 0]
        given = {"q": self.inputs["q"], "v": self.inputs["v"], "vdot": a}
        alphas = [
            run(
                algorithms.FRAME_ACCELERATION,
                self.constants,
                self.space,
                {**given, "frame": self.inputs[frame], "axes": self.inputs[axes]},
                self.batch,
            )[0][0]
            for frame, axes in self._frames()
        ]
        return [-(self.operational_inertia()[0] @ np.concatenate(alphas, axis=-1)[..., None])[..., 0]]

    def root(self) -> list[Array]:
        U, D = self.factors()
        return [U @ np.sqrt(D)]

    def factors(self) -> list[Array]:
        return self._factors_of(self.mass)

    def passive_factors(self) -> list[Array]:
        return self._factors_of(self._passive_mass())

    def _factors_of(self, mass: Array) -> list[Array]:
        """U D U* by the elimination of the last component first, the order of the sweeps."""
        L, d = self._factored(mass[..., ::-1, ::-1])
        U, D = np.zeros_like(mass), np.zeros_like(mass)
        last = self.nv - 1
        for i in range(self.nv):
            U[..., last - i, last - i] = 1
            D[..., last - i, last - i] = d[i]
            for j in range(i):
                U[..., last - i, last - j] = L[i][j]
        return [U, D]


DENSE: dict[str, Callable[[_Condensed], list[Array]]] = {
    "forward_dynamics": _Condensed.forward,
    "hybrid_dynamics": _Condensed.hybrid,
    "forward_dynamics_derivatives": _Condensed.forward_changes,
    "hybrid_dynamics_derivatives": _Condensed.hybrid_changes,
    "mass_matrix_log_determinant": _Condensed.log_determinant,
    "mass_matrix_inverse": _Condensed.inverse,
    "mass_matrix_factors": _Condensed.factors,
    "mass_matrix_root": _Condensed.root,
    "operational_inertia": _Condensed.operational_inertia,
    "operational_bias": _Condensed.operational_bias,
    "operational_inertia_inverse": _Condensed.operational,
    "generalized_jacobian": _Condensed.generalized,
    "generalized_jacobian_times": _Condensed.generalized_times,
    "generalized_jacobian_transposed_times": _Condensed.generalized_transposed,
    "disturbance_jacobian_transposed_times": _Condensed.disturbed_transposed,
    "generalized_drift": _Condensed.generalized_drift,
    "disturbance_jacobian": _Condensed.actuation,
    "disturbance_jacobian_times": _Condensed.disturbed,
    "disturbance_drift": _Condensed.disturbance_drift,
    "actuation_matrices": _Condensed.actuation,
    "passive_mass_factors": _Condensed.passive_factors,
}
