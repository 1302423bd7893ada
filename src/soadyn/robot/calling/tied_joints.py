"""Robots with tied mimic joints: the sweeps run on all joints, their results are condensed.

    v_all = E v,    Mass = E* Mass_all E,    T = E* T_all,    J = J_all E

A tie couples joints anywhere in the tree, so D is no longer block diagonal by joint and there is no O(N) inverse:
what needs Mass⁻¹ is solved densely here.
"""

from __future__ import annotations

from collections.abc import Mapping
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
from soadyn.robot.arguments import arguments

Batch = tuple[int, ...]


def run(
    program: Program, constants: Constants, space: Coordinates, inputs: Mapping[str, Any], batch: Batch
) -> tuple[list[Array], Faults]:
    """The program's outputs in the free coordinates, and the bad rows."""
    if hasattr(_Condensed, program.name):
        return _Condensed(constants, space, inputs, batch)(program.name)
    if any("D" in stage.writes for stage in program.stages):
        raise ArgumentError(
            f"{program.name} inverts the joint inertias D one by one, but tied mimic joints couple them; "
            f"there is no such quantity for robot {constants.model.name!r}"
        )
    wider = {**inputs, "q": space.expand(inputs["q"])}
    wider |= {name: _times(space.E, inputs[name]) for name in ("v", "vdot") if name in inputs}
    outputs, faults = reference.run(program, constants, wider, batch)
    return [_condensed(x, output.layout, space.E) for x, output in zip(outputs, program.outputs, strict=True)], faults


def _condensed(x: Array, layout: str, E: Array) -> Array:
    """A result of all joints as one of the free coordinates."""
    if layout == "joint":
        return np.asarray((x[..., None, :] @ E)[..., 0, :])
    if layout in ("symmetric", "pairs", "matrix"):
        x = E.T @ x
    if layout in ("symmetric", "pairs", "columns"):
        x = x @ E
    return symmetric(x) if layout == "symmetric" else x


def _times(A: Array, x: Array) -> Array:
    """A x of a batch of vectors."""
    return np.asarray((A @ x[..., None])[..., 0])


class _Condensed:
    """The condensed mass matrix and bias force at the call's state, and what follows from them.

    Its methods without an underscore are the programs of these names.
    """

    def __init__(self, constants: Constants, space: Coordinates, inputs: Mapping[str, Any], batch: Batch) -> None:
        self._constants, self._space = constants, space
        self._inputs, self._batch, self._nv = inputs, batch, space.nv
        self._passive = inputs["passive"][..., None] if "passive" in inputs else np.zeros((space.nv, 1))
        (self._mass,), self._faults = run(algorithms.MASS_MATRIX, constants, space, {"q": inputs["q"]}, batch)
        if "v" in inputs:
            self._bias, self._faults = self._ran(newton_euler.INVERSE_DYNAMICS, vdot=np.zeros(space.nv))

    def _ran(self, program: Program, **further: Any) -> tuple[Any, Faults]:
        """What a program that needs no inverse gives, a single output as it is, and its bad rows."""
        inputs = {**self._inputs, **further}
        if "external" not in inputs and "external" in program.inputs:
            program = algorithms.without_external(program)
        given = {name: inputs[name] for name in program.inputs}
        outputs, faults = run(program, self._constants, self._space, given, self._batch)
        return outputs[0] if len(outputs) == 1 else outputs, faults

    def __call__(self, name: str) -> tuple[list[Array], Faults]:
        results = getattr(self, name)()
        checks.inputs(self._inputs, None, self._faults)
        checks.overflow(results, self._batch, self._faults)
        return [checks.with_bad_rows(result, self._batch, self._faults) for result in results], self._faults

    def _solved(self, A: Array, B: Array) -> Array:
        with np.errstate(all="ignore"):
            L, d = self._factored(A)
            return solve_factored(L, d, np.broadcast_to(B, self._batch + B.shape[-2:]))

    def _factored(self, A: Array) -> tuple[list[list[Any]], list[Any]]:
        L, d, scale = factor(A, [real(A[..., i, i]) for i in range(self._nv)])
        eps = PIVOT_ROUNDINGS * checks.rounding(A.dtype)
        for i, pivot in enumerate(d):
            singular = ~np.asarray(real(pivot) > eps * scale[i], dtype=bool)
            self._faults.add(f"the condensed mass matrix is singular at component {i}", singular)
        return L, d

    # All joints driven

    def forward_dynamics(self) -> list[Array]:
        return [self._solved(self._mass, (self._inputs["tau"] - self._bias)[..., None])[..., 0]]

    def mass_matrix_inverse(self) -> list[Array]:
        return [symmetric(self._solved(self._mass, np.eye(self._nv)))]

    def _force_changes(self, a: Array) -> list[Array]:
        """The derivatives of the joint forces by q and v, at these accelerations."""
        changes, _ = self._ran(derivatives.INVERSE_DYNAMICS_DERIVATIVES, vdot=a)
        return list(changes[:2])

    def forward_dynamics_derivatives(self) -> list[Array]:
        changes = self._force_changes(self.forward_dynamics()[0])
        return [*(-self._solved(self._mass, E) for E in changes), *self.mass_matrix_inverse()]

    def mass_matrix_log_determinant(self) -> list[Array]:
        _, d = self._factored(self._mass)
        return [np.broadcast_to(sum(log(pivot) for pivot in d), self._batch)]

    def mass_matrix_root(self) -> list[Array]:
        U, D = self.mass_matrix_factors()
        return [U @ np.sqrt(D)]

    def mass_matrix_factors(self) -> list[Array]:
        return self._factors_of(self._mass)

    def _factors_of(self, mass: Array) -> list[Array]:
        """U D U* by the elimination of the last component first, the order of the sweeps."""
        L, d = self._factored(mass[..., ::-1, ::-1])
        U, D = np.zeros_like(mass), np.zeros_like(mass)
        last = self._nv - 1
        for i in range(self._nv):
            U[..., last - i, last - i] = 1
            D[..., last - i, last - i] = d[i]
            for j in range(i):
                U[..., last - i, last - j] = L[i][j]
        return [U, D]

    # Passive joints

    def _passive_mass(self) -> Array:
        """Mass_pp; active rows are replaced by the identity, as in the sweeps."""
        passive = self._passive
        return np.asarray(passive * self._mass * passive.mT + np.eye(self._nv) * (1 - passive))

    def passive_mass_factors(self) -> list[Array]:
        return self._factors_of(self._passive_mass())

    def _passive_solved(self, B: Array) -> Array:
        """Mass_pp⁻¹ B, zero in active rows."""
        return self._solved(self._passive_mass(), self._passive * B)

    def _following(self) -> Array:
        """I + J_D: the active columns of the identity, with the passive components that follow."""
        return np.asarray((1 - self._passive.mT) * (np.eye(self._nv) - self._passive_solved(self._mass)))

    def hybrid_dynamics(self) -> list[Array]:
        passive, tau, bias = self._passive, self._inputs["tau"][..., None], self._bias[..., None]
        known = self._inputs["vdot"][..., None] if "vdot" in self._inputs else np.zeros((self._nv, 1))
        a = known + self._passive_solved(tau - bias - self._mass @ known)
        forces = passive * tau + (1 - passive) * (self._mass @ a + bias)
        return [np.broadcast_to(x[..., 0], (*self._batch, self._nv)) for x in (a, forces)]

    def hybrid_dynamics_derivatives(self) -> list[Array]:
        """By q and v, then by the active accelerations and the passive forces."""
        passive, unit = self._passive, np.eye(self._nv)
        sides = self._force_changes(self.hybrid_dynamics()[0])
        changes = [-self._passive_solved(E) for E in sides]
        forces = [(1 - passive) * (E + self._mass @ x) for E, x in zip(sides, changes, strict=True)]
        a = self._following() + passive.mT * self._passive_solved(unit)
        tau = (1 - passive) * (self._mass @ a) + passive * unit
        return [np.broadcast_to(x, (*self._batch, self._nv, self._nv)) for x in (*changes, a, *forces, tau)]

    def actuation_matrices(self) -> list[Array]:
        """[S_aa, -S_ap; -S_ap*, -S_pp]."""
        passive, whole = self._passive, self._following()
        S_aa = (1 - passive) * (self._mass @ whole)
        J_D = passive * whole
        S_pp = passive.mT * self._passive_solved(np.eye(self._nv))
        return [np.broadcast_to(symmetric(S_aa + J_D + J_D.mT - S_pp), (*self._batch, self._nv, self._nv))]

    disturbance_jacobian = actuation_matrices

    def disturbance_jacobian_times(self) -> list[Array]:
        return [_times(self._following(), self._inputs["x"])]

    def disturbance_jacobian_transposed_times(self) -> list[Array]:
        """S_ap y, as the sweeps' forces have it."""
        return [-_times(self._following().mT, self._inputs["y"])]

    def disturbance_drift(self) -> list[Array]:
        return self.hybrid_dynamics()[:1]

    def generalized_jacobian(self) -> list[Array]:
        return [self._jacobian() @ self._following()]

    def generalized_jacobian_times(self) -> list[Array]:
        return [_times(self._jacobian(), self.disturbance_jacobian_times()[0])]

    def generalized_jacobian_transposed_times(self) -> list[Array]:
        """- J_G* f, as the sweeps' forces have it."""
        return [-(self.generalized_jacobian()[0].mT @ self._inputs["f"])[..., 0]]

    def generalized_drift(self) -> list[Array]:
        return [self._ran(algorithms.FRAME_ACCELERATION, vdot=self.hybrid_dynamics()[0])[0]]

    # Frames

    def _jacobian(self, frame: str = "frame", axes: str = "axes") -> Array:
        place = self._inputs[frame]
        on_path = arguments.marked(self._constants, self._constants.model.ancestors(place[0]))
        J, _ = self._ran(algorithms.JACOBIAN, frame=place, axes=self._inputs[axes], on_path=on_path)
        return np.asarray(J)

    def _frames(self) -> list[tuple[str, str]]:
        """The inputs that are the frames of the call, and those that are the axes of each."""
        several = [name for name in self._inputs if name.startswith("point$")]
        return [(name, name.replace("point", "axes")) for name in several] or [("frame", "axes")]

    def operational_inertia_inverse(self) -> list[Array]:
        J = np.concatenate([self._jacobian(frame, axes) for frame, axes in self._frames()], axis=-2)
        return [J @ self._solved(self._mass, J.mT)]

    def operational_inertia(self) -> list[Array]:
        pivot, Lambda = operational_inertia(self.operational_inertia_inverse()[0])
        checks.task_pivots(pivot, self._faults)
        return [Lambda]

    def operational_bias(self) -> list[Array]:
        """- Λ α, α being the frames' accelerations without joint forces."""
        a = self._solved(self._mass, -self._bias[..., None])[..., 0]
        places = [{"frame": self._inputs[frame], "axes": self._inputs[axes]} for frame, axes in self._frames()]
        alphas = [self._ran(algorithms.FRAME_ACCELERATION, vdot=a, **place)[0] for place in places]
        return [-_times(self.operational_inertia()[0], np.concatenate(alphas, axis=-1))]
