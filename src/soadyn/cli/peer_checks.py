"""The same quantities from Pinocchio, if it is installed and the robot comes from a URDF file."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from soadyn.cli.case import Case, apart
from soadyn.errors import SoadynError
from soadyn.interop.pinocchio import Pinocchio
from soadyn.later import install
from soadyn.loading.builtin import builtin_source
from soadyn.robot.sources import robots


def pinocchio_errors(case: Case, source: str) -> tuple[list[tuple[str, float]], str]:
    """Each fact with its worst error; or none, and why."""
    try:
        import pinocchio
    except ImportError:
        return [], f"Pinocchio is not installed ({install('pinocchio')})"
    text = urdf_of(source)
    if text is None:
        return [], "the robot does not come from a URDF file"
    if case.robot.model.ties:
        return [], "mimic joints are tied"
    try:
        with quiet():
            free = (pinocchio.JointModelFreeFlyer(), "root") if "root" in case.robot.joint_names else ()
            model = pinocchio.buildModelFromXML(text, *free)
        peer = Pinocchio(case.robot, model)
    except (SoadynError, ValueError, RuntimeError) as error:
        return [], str(error)
    return list(_errors(pinocchio, model, peer, case)), ""


def _errors(pinocchio: Any, model: Any, peer: Pinocchio, case: Case) -> Iterator[tuple[str, float]]:
    q, v, a = case.q, case.v, case.a
    model.gravity.linear = case.robot.gravity
    # URDF has no place for armature that Pinocchio would read.
    still = case.robot.neutral()
    model.armature = np.diag(peer.matrix_to(still, np.diag(case.robot.armature)))
    data = model.createData()
    states = list(zip(peer.q_to(q), peer.v_to(q, v), peer.a_to(q, v, a), strict=True))
    weight = case.robot.total_mass * 9.81

    def each(f: Callable[..., Any]) -> np.ndarray:
        return np.array([f(*state) for state in states])

    def mass(q: Any, v: Any, a: Any) -> Any:
        M = np.triu(pinocchio.crba(model, data, q))
        return M + np.triu(M, 1).T

    yield "mass matrix", float(apart(case.mass, peer.matrix_from(q, each(mass))))
    forces = peer.force_from(q, each(lambda q, v, a: pinocchio.rnea(model, data, q, v, a).copy()))
    yield "inverse dynamics", float(apart(case.compute.inverse_dynamics(q, v, a), forces, weight))
    forces = peer.force_from(q, each(lambda q, v, a: pinocchio.computeGeneralizedGravity(model, data, q).copy()))
    yield "gravity force", float(apart(case.compute.gravity_force(q), forces, weight))
    if case.robot.total_mass > 0:
        centre = each(lambda q, v, a: pinocchio.centerOfMass(model, data, q).copy())
        yield "mass centre", float(apart(case.compute.center_of_mass(q), centre))
    energy = each(lambda q, v, a: pinocchio.computeKineticEnergy(model, data, q, v))
    yield "kinetic energy", float(apart(case.compute.kinetic_energy(q, v), energy))


def urdf_of(source: str) -> str | None:
    """The text of a URDF file or of a built-in robot."""
    builtin = robots().get(source)
    if builtin is not None:
        return builtin_source(builtin).data.decode() if builtin.file else None
    path = Path(source)
    return path.read_text(encoding="utf-8", errors="replace") if path.suffix == ".urdf" and path.is_file() else None


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Without the console noise of Pinocchio's URDF reader, which writes to file descriptor 2."""
    saved, null = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(null, 2)
        yield
    finally:
        os.dup2(saved, 2)
        os.close(saved)
        os.close(null)
