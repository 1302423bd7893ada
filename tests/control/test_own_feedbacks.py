"""Feedbacks that users write: frames by name, functions of numbers that are not known yet, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import soadyn as sd
from soadyn.control import functions

Law = Callable[[Any, Any, Any], Any]
OFFSET = np.array([[0, -1, 0, 0.1], [1, 0, 0, 0.2], [0, 0, 1, -0.3], [0, 0, 0, 1.0]])


class Own(sd.control.Feedback):
    def __init__(self, robot: sd.Robot, law: Law, name: str) -> None:
        super().__init__(robot, {})
        self.law, self.name = law, name

    def torque(self, dynamics: Any, q: Any, v: Any, references: Any) -> Any:
        return self.law(dynamics, q, v)

    def content(self) -> tuple[Any, ...]:
        return ("own", self.name)


LAWS: dict[str, Law] = {
    "pose": lambda d, q, v: d.pose(q, "tool0")[..., :2, :3].reshape(6),
    "pose with an offset": lambda d, q, v: d.pose(q, ("tool0", OFFSET))[..., 1:3, 1:].reshape(6),
    "jacobian": lambda d, q, v: d.jacobian(q, "tool0")[3],
    "jacobian along its own axes": lambda d, q, v: d.jacobian(q, "forearm_link", axes="local")[2],
    "frame velocity": lambda d, q, v: d.frame_velocity(q, v, "tool0"),
    "a quantity of a frame": lambda d, q, v: d.quantity("jacobian", q=q, frame="tool0")[4],
    "a quantity of several frames": lambda d, q, v: d.quantity(
        "operational_inertia_inverse", q=q, frames=["tool0", "forearm_link"]
    )[1, 6:],
    "functions": lambda d, q, v: (
        functions.tanh(v)
        + functions.sqrt(1 + q * q) * functions.arctan(v)
        + functions.log(2 + functions.sin(q)) * functions.exp(-v)
        - functions.cos(v)
    ),
    "choices": lambda d, q, v: (
        functions.chosen(v, q, 2 * q)
        + functions.minimum(q, v)
        - functions.maximum(q, 0.1)
        + functions.clipped(q, 0.5)
        + functions.ramp(v) * functions.sign(q)
    ),
    "powers": lambda d, q, v: v**3 + (-q) ** 2 - q**1.0,
}


@pytest.mark.parametrize("name", LAWS)
def test_a_law_is_the_same_on_numbers_and_as_machine_code(name: str, rng: np.random.Generator) -> None:
    arm = sd.load("ur5")
    feedback = Own(arm, LAWS[name], name)
    compiled = feedback.compiled()
    for _ in range(3):
        q, v = rng.standard_normal((2, 6))
        np.testing.assert_allclose(compiled(0.0, q, v), feedback(0.0, q, v), rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize(
    ("name", "law", "words"),
    [
        ("np.sqrt", lambda d, q, v: np.sqrt(1 + v * v), "NumPy's sqrt .* use sqrt of sd.control.functions"),
        ("np.tanh", lambda d, q, v: np.tanh(v), "NumPy's tanh .* use tanh of sd.control.functions"),
        ("np.tan", lambda d, q, v: np.tan(v), "NumPy's tan .* use what there is of sd.control.functions"),
        ("np.maximum", lambda d, q, v: np.maximum(v, 0.0), "a comparison .* use is_positive, maximum"),
        ("np.abs", lambda d, q, v: np.abs(v), r"abs .* use x \* sign\(x\) of sd.control.functions"),
        ("a root", lambda d, q, v: v**0.5, r"\*\* .* multiply, up to the power 8, or write sqrt"),
        ("no quantity", lambda d, q, v: d.quantity("jacobean", q=q), "unknown quantity 'jacobean'.*'jacobian'"),
    ],
)
def test_what_cannot_be_recorded_says_what_to_use(name: str, law: Law, words: str) -> None:
    with pytest.raises(sd.SoadynError, match=words):
        Own(sd.load("ur5"), law, f"refused {name}").compiled()


def test_functions_take_numbers_and_batches() -> None:
    x = np.array([[-1.0, 0.0, 2.0]])
    assert functions.minimum(x, 1.0).tolist() == [[-1.0, 0.0, 1.0]]
    assert functions.chosen(x, 5.0, x).tolist() == [[-1.0, 0.0, 5.0]]
    assert functions.clipped(x, 1.0).tolist() == [[-1.0, 0.0, 1.0]]


def test_a_bound_is_met_exactly_however_far_beyond_it_a_number_is(rng: np.random.Generator) -> None:
    far = np.array([-1e300, -1e20, -12.0, 11.0, 1e9, 1e40])
    assert functions.clipped(far, 7.3).tolist() == [-7.3, -7.3, -7.3, 7.3, 7.3, 7.3]
    arm, q = sd.load("ur5"), rng.standard_normal(6)
    law = Own(arm, lambda d, q, v: 1e30 * v, "a drive")
    for compiled in (law, law.__call__):
        run = sd.simulate(arm, q, np.ones(6), control=compiled, duration=0.002, step=0.001, joint_forces=True)
        np.testing.assert_array_equal(run.tau[0], arm.effort_limit)
