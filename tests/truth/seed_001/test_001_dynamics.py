"""001 sections VII-IX: forward dynamics, mobile bases, levels."""

from __future__ import annotations

import numpy as np
import pytest

import soadyn as sd
from agreement import error
from random_robots import random_model
from soadyn.algebra import D, H, I_joint, K, P, T, inv, mass, psi
from soadyn.theory.literature.entry import PaperFormula, PaperProgram
from soadyn.theory.oracle.dense_robot import DenseRobot
from systems_001 import TOLERANCE, System, system


def same(x: object, y: object) -> bool:
    return error(x, y) <= TOLERANCE


def algorithm(s: System, number: int) -> np.ndarray:
    entry = sd.papers[f"001 Algorithm {number}"]
    assert isinstance(entry, PaperFormula)
    return np.asarray(sd.compile(entry, s.robot)(s.q, s.v, s.tau))


def test_001_algorithm_1(s: System) -> None:
    assert same(algorithm(s, 1), s.d.forward_dynamics(s.tau))


@pytest.mark.heavy(2)
def test_001_section_VII_A(s: System) -> None:
    """z is the force that locked joints inboard would have to give, λ what accelerates the links."""
    assert same(s.robot.forward_dynamics(s.q, s.v, s.tau), s.d.forward_dynamics(s.tau))
    s.agrees(psi @ K @ T)
    s.agrees(psi.T @ H.T @ inv(D) @ (I_joint - H @ psi @ K) @ T)
    assert sd.prove(psi @ K @ T + P @ psi.T @ H.T @ inv(D) @ (I_joint - H @ psi @ K) @ T, _smoothed())


def _smoothed() -> object:
    from soadyn.algebra import M, phi

    return phi @ M @ phi.T @ H.T @ inv(mass) @ T


def test_001_algorithm_2(s: System) -> None:
    entry = sd.papers["001 Algorithm 2"]
    assert isinstance(entry, PaperFormula)
    s.agrees(entry.formula, as_written=True)
    assert algorithm(s, 2).shape == (len(s.robot.link_names), 6)


@pytest.mark.heavy(2)
def test_001_eq_57_59(s: System) -> None:
    """The formula's accelerations hold gravity's offset [0; -g]; those of `frame_acceleration` do not."""
    entry = sd.papers["001 Algorithm 2, tip acceleration"]
    assert isinstance(entry, PaperFormula)
    found = sd.compile(entry, s.robot, frames=["tool"])(s.q, s.v, s.tau)
    expected = s.d.frame_acceleration(s.d.forward_dynamics(s.tau), "tool")
    assert same(found, expected - np.concatenate([np.zeros(3), s.robot.gravity]))
    a = s.robot.forward_dynamics(s.q, s.v, s.tau)
    assert same(s.robot.frame_acceleration(s.q, s.v, a, "tool"), expected)


def test_001_algorithm_3(s: System) -> None:
    assert same(algorithm(s, 3), s.d.forward_dynamics(s.tau))


def test_001_algorithm_4(s: System) -> None:
    assert same(algorithm(s, 4), s.d.forward_dynamics(s.tau))


def test_001_algorithms_by_name() -> None:
    assert [f"001 Algorithm {i}" in sd.papers for i in range(1, 5)] == [True] * 4
    with pytest.raises(sd.UnknownNameError):
        sd.papers["001 another algorithm"]


def test_001_section_VII_D(s: System) -> None:
    entry = sd.papers["001 two sweeps without velocities"]
    assert isinstance(entry, PaperProgram)
    two = sd.compile(entry, s.robot)
    assert two.sweeps == 2
    assert same(two(s.q, s.v, s.tau), s.d.forward_dynamics(s.tau))


def test_001_section_VII_D_merged(s: System) -> None:
    one_step = {"control": s.tau, "duration": 0.01, "step": 0.01, "method": "two-sweep", "joint_forces": False}
    for external in (None, s.external):
        run = sd.simulate(s.robot, s.q, s.v, external=external, **one_step)
        v = s.v + 0.01 * s.d.forward_dynamics(s.tau, external)
        assert same(run.v[-1], v)
        assert same(run.q[-1], s.robot.integrate(s.q, 0.01 * v))


def free(rng: np.random.Generator) -> System:
    return system(rng, root="free", kinds=["revolute", "prismatic"])


def test_001_eq_74(rng: np.random.Generator) -> None:
    s = free(rng)
    assert s.robot.joint_names[0] == "root"
    assert same(s.robot.jacobian(s.q, "base", axes="local")[:, :6], np.eye(6))
    assert same(s.robot.mass_matrix(s.q), s.d.mass_matrix)


def test_001_section_VIII(rng: np.random.Generator) -> None:
    model = random_model(rng, 5, kinds=["planar"], shape="serial", fixed_links=0.0)
    s = system(rng, sd.Robot(model, backend="numpy"))
    assert same(s.robot.mass_matrix(s.q), s.d.mass_matrix)


def test_001_eq_75_76(rng: np.random.Generator) -> None:
    s = free(rng)
    found = s.robot.link_accelerations(s.q, s.v, s.a)
    assert same(found, [s.d.frame_acceleration(s.a, name, "local") for name in s.robot.link_names])


def test_001_eq_77_78(rng: np.random.Generator) -> None:
    s = free(rng)
    assert same(s.robot.inverse_dynamics(s.q, s.v, s.a, s.external), s.d.inverse_dynamics(s.a, s.external))


def test_001_eq_79(rng: np.random.Generator) -> None:
    s = free(rng)
    assert same(s.robot.forward_dynamics(s.q, s.v, s.tau, s.external), s.d.forward_dynamics(s.tau, s.external))


def test_001_section_IX(s: System) -> None:
    text = sd.explain(inv(mass) @ T, s.robot)
    parts = ["Formula", "Identities applied", "Operators recognised", "Recursion", "Operations"]
    places = [text.index(f"{part}\n") for part in parts]
    assert places == sorted(places)


def test_001_section_IX_counts() -> None:
    """Twice the links, twice the operations."""
    counts = [
        sum(n for part in sd.chain(size).operation_counts("forward_dynamics").values() for n in part.values())
        for size in (10, 20, 40)
    ]
    assert 1.8 < (counts[2] - counts[1]) / (counts[1] - counts[0]) < 2.2


@pytest.mark.heavy(2)
def test_001_section_IX_frames(s: System) -> None:
    """Frames may be chosen freely: results are the same, fewer numbers are left to compute with."""
    native = s.robot.with_backend("rolled")
    assert same(native.mass_matrix(s.q), s.d.mass_matrix)
    assert same(s.robot.mass_matrix(s.q), s.d.mass_matrix)


def test_001_section_I_C_linearization(rng: np.random.Generator) -> None:
    """Against complex steps of forward dynamics."""
    s = system(rng, sd.load("ur5").with_backend("numpy"))
    derivatives = s.robot.forward_dynamics_derivatives(s.q, s.v, s.tau)
    h, e = 1e-30, np.eye(6)
    by_q = [s.robot.forward_dynamics(s.q + 1j * h * x, s.v, s.tau).imag / h for x in e]
    by_v = [s.robot.forward_dynamics(s.q, s.v + 1j * h * x, s.tau).imag / h for x in e]
    for found, expected in zip(
        derivatives, (np.array(by_q).T, np.array(by_v).T, np.linalg.inv(s.d.mass_matrix)), strict=True
    ):
        assert same(found, expected)


def test_001_section_I_C_control(rng: np.random.Generator) -> None:
    """Computed torque: on the dense robot the error of the joints obeys ë = -K e - B ė, whatever the state."""
    arm = sd.load("puma560").with_backend("numpy")
    q, v, wanted, rate, a = rng.standard_normal((5, 6))
    law = sd.control.ComputedTorque(arm, wanted, rate, a, bandwidth=4.0, damping_ratio=0.875)
    found = DenseRobot(arm.model, q, v).forward_dynamics(law(0.3, q, v))
    assert same(found, a + 16.0 * (wanted - q) + 7.0 * (rate - v))
