"""Operational quantities of lists of frames: against J Mass⁻¹ J*, on every backend, with offsets and axes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import soadyn as sd
from agreement import error, random_state
from soadyn.programs.sweep.several_frames import program_of

OFFSET = np.array([[0, -1, 0, 0.1], [1, 0, 0, 0.2], [0, 0, 1, -0.3], [0, 0, 0, 1.0]])


def by_matrices(robot: sd.Robot, s: dict[str, Any], frames: list[Any], axes: Any) -> tuple[np.ndarray, np.ndarray]:
    """Λ⁻¹, and what the frames do without joint forces."""
    J = np.concatenate([robot.jacobian(s["q"], frame, axes=axes) for frame in frames], axis=-2)
    fall = robot.forward_dynamics(s["q"], s["v"], np.zeros(robot.nv), s["external"])
    alpha = [robot.frame_acceleration(s["q"], s["v"], fall, frame, axes=axes) for frame in frames]
    return J @ np.linalg.solve(robot.mass_matrix(s["q"]), J.mT), np.concatenate(alpha, axis=-1)


@pytest.mark.parametrize("axes", ["world", "local", "base_link"])
@pytest.mark.parametrize("backend", ["numpy", "rolled", "straight"])
def test_lists_of_frames_respond_as_jacobians_and_mass_say(backend: Any, axes: str, rng: np.random.Generator) -> None:
    """Frames on the same branch, on others, and with an offset."""
    base = sd.load("dual_arm_flyer")
    robot = base.with_backend(backend)
    links = robot.link_names
    frames = [links[-1], (links[len(links) // 2], OFFSET), links[2]]
    axes = links[1] if axes == "base_link" else axes
    s = random_state(rng, robot, (2,))
    Lambda_inverse, _ = by_matrices(base, s, frames, axes)
    for m in (3, 2, 1):
        block = Lambda_inverse[..., : 6 * m, : 6 * m]
        found = robot.operational_inertia_inverse(s["q"], frames[:m], axes=axes)
        assert error(found, block) <= 1e-10
        np.testing.assert_array_equal(found, found.mT)
    inertia = robot.operational_inertia(s["q"], frames[:2], axes=axes)
    assert abs(inertia @ Lambda_inverse[..., :12, :12] - np.eye(12)).max() <= 1e-8
    for external in (None, s["external"]):
        _, alpha = by_matrices(base, {**s, "external": external}, frames[:2], axes)
        bias = robot.operational_bias(s["q"], s["v"], frames[:2], external, axes=axes)
        assert error(bias, -(inertia @ alpha[..., None])[..., 0]) <= 1e-8


def test_a_list_of_frames_is_one_program_however_often_it_is_asked_for() -> None:
    assert program_of("operational_inertia", 2) is program_of("operational_inertia", 2)
