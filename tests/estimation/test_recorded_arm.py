"""The example for recordings of real arms, on recordings that are made up: gains, load and pushes are found again."""

from __future__ import annotations

import numpy as np
import pytest

import soadyn as sd
from soadyn.estimation import design_excitation, identify_drive_gains

pytest.importorskip("matplotlib")
recorded_arm = pytest.importorskip("recorded_arm")

GAINS = np.array([11.0, 12.0, 9.5, 10.0, 10.5, 9.8])
LOAD = 2.0
COULOMB, VISCOUS = np.array([8.0, 8.0, 4.0, 2.0, 2.0, 1.5]), np.array([10.0, 10.0, 6.0, 2.0, 2.0, 2.0])


def true_arm():
    """A UR10e's kinematics with bodies of its size."""
    masses = (7.0, 12.0, 4.0, 2.0, 2.0, 0.6)
    bodies = [
        sd.Body(m, (0.3 * (k in (1, 2)), 0.01, 0.02), 0.02 * m * np.diag([0.5, 1, 1])) for k, m in enumerate(masses)
    ]
    return sd.from_dh(recorded_arm.UR10E, bodies=bodies, degrees=True)


def write(path, t, q, v, tau, rng):
    noise = 0.05 * rng.standard_normal(tau.shape)
    np.savetxt(path, np.column_stack([t, q, v, tau / GAINS + noise]), delimiter=",", fmt="%.6f")


@pytest.fixture(scope="module")
def recordings(tmp_path_factory):
    """Files as they come from a robot: two motions, one of them with a load too, and pushes on an arm at rest."""
    folder, rng, arm = tmp_path_factory.mktemp("recordings"), np.random.default_rng(8), true_arm()
    t = np.arange(0.0, 20.0, 0.01)

    def torques(robot, q, v, a):
        return robot.inverse_dynamics(q, v, a) + COULOMB * np.tanh(v / 0.01) + VISCOUS * v

    motions = [design_excitation(arm, 20.0, 5, rng, trials=8, acceleration_limit=4.0)(t) for _ in range(2)]
    heavy = arm.with_payload(arm.link_names[-1], LOAD, (0.02, 0.0, 0.06), 0.005 * np.eye(3))
    for name, robot, motion in (("first", arm, 0), ("other", arm, 1), ("loaded", heavy, 1)):
        write(folder / f"{name}.csv", t, *motions[motion][:2], torques(robot, *motions[motion]), rng)
    t = np.arange(0.0, 8.0, 0.01)
    q = np.tile([-0.3, -1.9, -1.6, -1.5, 1.0, 0.4], (len(t), 1))
    pushed = ((t > 2.5) & (t < 3.2)) | ((t > 5.5) & (t < 6.2))
    J = arm.jacobian(q[0], arm.link_names[-1])[3:]
    tau = arm.gravity_force(q) - np.outer(pushed, J.T @ [15.0, 25.0, -40.0])
    write(folder / "push.csv", t, q, 0 * q, tau, rng)
    return folder


@pytest.mark.slow
def test_a_recorded_arm_is_identified_validated_weighed_and_its_pushes_found(recordings, tmp_path):
    figures = recorded_arm.main(
        tmp_path,
        recordings / "first.csv",
        recordings / "other.csv",
        recordings / "loaded.csv",
        recordings / "push.csv",
        gains=GAINS,
        load_mass=LOAD,
    )
    assert (tmp_path / "recorded_arm.png").stat().st_size > 10_000
    assert max(figures[f"relative residual, joint {j}"] for j in range(1, 7)) < 0.25
    assert figures["bodies that are possible"] == 6
    assert figures["load, by these gains (kg)"] == pytest.approx(LOAD, rel=0.06)
    assert abs(figures["load where there is none (kg)"]) < 0.1
    found = [figures[f"drive gain from the load (N m/A), joint {j}"] for j in range(2, 7)]
    assert np.allclose(found, GAINS[1:], rtol=0.08)
    assert figures["pushes found"] == 2
    begins = [value for name, value in figures.items() if "begins" in name]
    assert np.allclose(begins, [2.5, 5.5], atol=0.2)


def test_drive_gains_come_out_of_currents_without_noise(rng):
    arm = sd.load("ur5")
    q, (v, a) = arm.random_configuration(rng, 300), rng.standard_normal((2, 300, 6))
    heavy = arm.with_payload("tool0", 3.0, (0.0, 0.05, 0.1), 0.01 * np.eye(3))
    runs = [
        (q, v, a, (robot.inverse_dynamics(q, v, a) + COULOMB * np.tanh(v / 0.01)) / GAINS) for robot in (arm, heavy)
    ]
    found = identify_drive_gains(arm, *runs, 3.0, "tool0", terms=("coulomb",))
    assert np.allclose(found.gains, GAINS, rtol=1e-4)
    assert np.allclose(found.com, [0.0, 0.05, 0.1], atol=1e-4)
