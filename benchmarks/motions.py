"""Small calls at one state: moving and comparing configurations, a state's quantities, wrenches by name.

Run it with `.venv/bin/python benchmarks/motions.py`; it prints Markdown. Processor time, the best of many rounds that
take turns. Pinocchio moves the same number of joints, called from Python as well.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from rounds import best

import soadyn as sd

ROUNDS, CALLS, ROWS = 15, 1000, 1000


def measured(functions: dict[str, Callable[[], Any]], calls: int = CALLS) -> dict[str, float]:
    """Microseconds of a call of each, the best of rounds in which they take turns."""

    def many(function: Callable[[], Any]) -> Callable[[], None]:
        def repeated() -> None:
            for _ in range(calls):
                function()

        return repeated

    found = best({name: many(function) for name, function in functions.items()}, ROUNDS)
    return {name: 1e6 * x / calls for name, x in found.items()}


def calls_of(robot: sd.Robot, rng: np.random.Generator) -> dict[str, Callable[[], Any]]:
    q, q1 = robot.random_configuration(rng), robot.random_configuration(rng)
    v, tau, tip = rng.standard_normal(robot.nv), rng.standard_normal(robot.nv), robot.link_names[-1]
    wrench = {tip: np.array([0.0, 0.0, 0.0, 0.0, 0.0, 1.0])}
    compute: Any = robot

    def plain() -> None:
        compute.mass_matrix(q)
        compute.bias_force(q, v)
        compute.pose(q, tip)

    def state() -> None:
        s: Any = robot.at(q, v)
        _ = s.mass_matrix, s.bias_force, s.pose(tip)

    return {
        "integrate": lambda: robot.integrate(q, v),
        "difference": lambda: robot.difference(q, q1),
        "normalize": lambda: robot.normalize(q),
        "mass matrix, bias force, pose": plain,
        "the same from `at(q, v)`": state,
        "forward dynamics": lambda: compute.forward_dynamics(q, v, tau),
        "with a wrench by name": lambda: compute.forward_dynamics(q, v, tau, external=wrench),
    }


def pinocchio_calls(robot: sd.Robot, rng: np.random.Generator) -> dict[str, Callable[[], Any]]:
    """The same numbers of revolute joints, on a free base where ours has one."""
    try:
        import pinocchio as pin
    except ImportError:
        return {}
    model, joint = pin.Model(), 0
    for ours in robot.model.joints:
        kind = pin.JointModelFreeFlyer() if ours.kind == "free" else pin.JointModelRZ()
        joint = model.addJoint(joint, kind, pin.SE3.Identity(), ours.name)
    q, v = pin.neutral(model), rng.standard_normal(model.nv)
    q1 = pin.integrate(model, q, rng.standard_normal(model.nv))
    return {
        "Pinocchio, integrate": lambda: pin.integrate(model, q, v),
        "Pinocchio, difference": lambda: pin.difference(model, q, q1),
    }


def main() -> None:
    print("| robot | call | µs |\n|---|---|---|")
    for name in ("ur5", "free_flyer"):
        robot, rng = sd.load(name), np.random.default_rng(0)
        for call, found in measured({**calls_of(robot, rng), **pinocchio_calls(robot, rng)}).items():
            print(f"| {name} | {call} | {found:.2f} |")
        q, v = robot.random_configuration(rng, ROWS), rng.standard_normal((ROWS, robot.nv))
        batch = {
            f"integrate, {ROWS} rows, each": lambda robot=robot, q=q, v=v: robot.integrate(q, v),
            f"difference, {ROWS} rows, each": lambda robot=robot, q=q: robot.difference(q, q[::-1]),
        }
        for call, found in measured(batch, 20).items():
            print(f"| {name} | {call} | {found / ROWS:.4f} |")


if __name__ == "__main__":
    main()
