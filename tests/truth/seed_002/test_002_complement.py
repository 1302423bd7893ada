"""002 sections 1-3: twists at mass centres, the decoupled complement, composite masses."""

from __future__ import annotations

import numpy as np
import pytest

import soadyn as sd
from agreement import error
from soadyn.robot.mass.decoupled_complement import DecoupledComplement
from systems_001 import TOLERANCE, System, system


def same(x: object, y: object) -> bool:
    return error(x, y) <= TOLERANCE


def block(X: np.ndarray, i: int, j: int) -> np.ndarray:
    return X[6 * i : 6 * i + 6, 6 * j : 6 * j + 6]


def centre(s: System, i: int) -> tuple[str, np.ndarray]:
    """The mass centre of a link as a frame."""
    offset = np.eye(4)
    offset[:3, 3] = s.robot.model.links[i].com
    return s.robot.link_names[i], offset


def carriers(s: System, i: int) -> set[int]:
    return {k - 1 for k in s.robot.model.ancestors(i + 1) if k}


@pytest.fixture
def c(s: System) -> DecoupledComplement:
    return s.robot.decoupled_complement(s.q)


def test_002_abstract() -> None:
    sympy = pytest.importorskip("sympy")
    U, D = sd.load("planar_two_link").symbolic("mass_matrix_factors", free=("q",)).expressions
    M = sd.load("planar_two_link").symbolic("mass_matrix", free=("q",)).expressions
    assert sympy.simplify(U * D * U.T - M) == sympy.zeros(2, 2)


def test_002_figures(s: System) -> None:
    assert same(s.robot.poses(s.q), s.d.poses)


def test_002_eq_1(s: System, c: DecoupledComplement) -> None:
    expected = [s.d.frame_velocity(centre(s, i)) for i in range(s.d.n)]
    assert same(c.twists(s.v), expected)


def test_002_eq_2(s: System, c: DecoupledComplement) -> None:
    """ω_i = ω_j + e θ̇, ċ_i = ċ_j + ω_j × (c_i - c_j) + what the joint adds."""
    t = c.twists(s.v)
    for i, name in enumerate(s.robot.link_names):
        p = s.robot.model.parents[i] - 1
        if p >= 0:
            own = t[i] - np.concatenate([t[p, :3], t[p, 3:] + np.cross(t[p, :3], c.centres[i] - c.centres[p])])
            assert same(own, c.p(name) @ s.v[list(_components(s, i))])


def _components(s: System, i: int) -> list[int]:
    at = s.robot.model.v_slices[i]
    return list(range(at.start, at.stop))


def test_002_eq_3(s: System, c: DecoupledComplement) -> None:
    t = c.twists(s.v)
    for i, name in enumerate(s.robot.link_names):
        p = s.robot.model.parents[i] - 1
        carried = c.B(name, s.robot.link_names[p]) @ t[p] if p >= 0 else 0
        assert same(t[i], carried + c.p(name) @ s.v[_components(s, i)])


def test_002_eq_4(s: System, c: DecoupledComplement) -> None:
    names = s.robot.link_names
    B = c.B(names[-1], names[0])
    l = c.centres[0] - c.centres[-1]
    assert same(B, np.block([[np.eye(3), np.zeros((3, 3))], [np.cross(l, np.eye(3)).T, np.eye(3)]]))
    assert same(c.p(names[-1]), s.d.jacobian(centre(s, s.d.n - 1))[:, _components(s, s.d.n - 1)])


def test_002_eq_5(s: System, c: DecoupledComplement) -> None:
    names, y = s.robot.link_names, s.rng.standard_normal(3)
    lower = c.B(names[-1], names[0])[3:, :3]
    assert same(lower @ y, np.cross(c.centres[0] - c.centres[-1], y))


def test_002_eq_6(s: System, c: DecoupledComplement) -> None:
    first, middle, last = s.robot.link_names[0], s.robot.link_names[3], s.robot.link_names[-1]
    assert same(c.B(last, middle) @ c.B(middle, first), c.B(last, first))
    assert same(c.B(first, first), np.eye(6))


def test_002_eq_7(s: System, c: DecoupledComplement) -> None:
    assert c.twists(s.v).shape == (s.d.n, 6)
    assert same(c.twists(s.v).reshape(-1), c.T_l @ c.T_d @ s.v)


def test_002_eq_8(s: System, c: DecoupledComplement) -> None:
    T_l, T_d = c
    assert same(T_l @ T_d, np.concatenate([s.d.jacobian(centre(s, i)) for i in range(s.d.n)]))


def test_002_eq_9a(s: System, c: DecoupledComplement) -> None:
    for i, name in enumerate(s.robot.link_names):
        for j, other in enumerate(s.robot.link_names):
            expected = c.B(name, other) if j in carriers(s, i) else np.zeros((6, 6))
            assert same(block(c.T_l, i, j), expected)


def test_002_eq_9b(s: System, c: DecoupledComplement) -> None:
    for i, name in enumerate(s.robot.link_names):
        rows = c.T_d[6 * i : 6 * i + 6]
        assert same(rows[:, _components(s, i)], c.p(name))
        assert same(np.delete(rows, _components(s, i), axis=1), np.zeros((6, s.robot.nv - len(_components(s, i)))))


@pytest.mark.parametrize("kind", ["prismatic", "spherical", "planar", "universal", "cylindrical"])
def test_002_eq_9c(kind: str, rng: np.random.Generator) -> None:
    robot = system(rng, kinds=[kind]).robot
    q = robot.random_configuration(rng)
    T_l, T_d = complement = robot.decoupled_complement(q)
    assert same(T_d.T @ T_l.T @ complement.M @ T_l @ T_d, robot.mass_matrix(q))


def test_002_eq_10(s: System, c: DecoupledComplement) -> None:
    T_l, T_d = c
    assert same(s.robot.mass_matrix(s.q), s.d.mass_matrix)
    assert same(T_d.T @ T_l.T @ c.M @ T_l @ T_d + s.d.A_r, s.d.mass_matrix)


def test_002_eq_11(s: System, c: DecoupledComplement) -> None:
    assert c.M.shape == (6 * s.d.n, 6 * s.d.n)
    t = c.twists(s.v).reshape(-1)
    assert same(t @ c.M @ t / 2, s.d.kinetic_energy - s.v @ s.d.A_r @ s.v / 2)


def test_002_eq_12(s: System, c: DecoupledComplement) -> None:
    for i in range(s.d.n):
        body, R = s.robot.model.links[i], s.d.link_poses[i][:3, :3]
        expected = np.zeros((6, 6))
        expected[:3, :3], expected[3:, 3:] = R @ np.array(body.inertia) @ R.T, body.mass * np.eye(3)
        assert same(block(c.M, i, i), expected)


def composite_masses(s: System, c: DecoupledComplement) -> list[np.ndarray]:
    """M̃_i, from the tips (002 eq. 15)."""
    found = [block(c.M, i, i) for i in range(s.d.n)]
    for i in reversed(range(s.d.n)):
        p = s.robot.model.parents[i] - 1
        if p >= 0:
            B = c.B(s.robot.link_names[i], s.robot.link_names[p])
            found[p] = found[p] + B.T @ found[i] @ B
    return found


def test_002_eq_13(s: System, c: DecoupledComplement) -> None:
    whole = c.T_l.T @ c.M @ c.T_l
    assert same(c.T_d.T @ whole @ c.T_d + s.d.A_r, s.d.mass_matrix)


def test_002_eq_14(s: System, c: DecoupledComplement) -> None:
    whole, masses = c.T_l.T @ c.M @ c.T_l, composite_masses(s, c)
    for i, name in enumerate(s.robot.link_names):
        for j in carriers(s, i):
            assert same(block(whole, i, j), masses[i] @ c.B(name, s.robot.link_names[j]))


def test_002_eq_15(s: System, c: DecoupledComplement) -> None:
    assert same(c.at_mass_centres(s.robot.composite_inertias(s.q)), composite_masses(s, c))


def test_002_section_3(s: System, c: DecoupledComplement) -> None:
    """A composite mass holds the mass of all links that it carries."""
    masses = s.robot.composite_inertias(s.q)[:, 5, 5]
    for i in range(s.d.n):
        assert same(masses[i], sum(s.robot.model.links[j].mass for j in range(s.d.n) if i in carriers(s, j)))


def test_002_eq_16(s: System, c: DecoupledComplement) -> None:
    M = s.robot.mass_matrix(s.q) - s.d.A_r
    masses, names = composite_masses(s, c), s.robot.link_names
    for i in range(s.d.n):
        for j in carriers(s, i):
            expected = c.p(names[i]).T @ masses[i] @ c.B(names[i], names[j]) @ c.p(names[j])
            assert same(M[np.ix_(_components(s, i), _components(s, j))], expected)
