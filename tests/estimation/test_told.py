"""What a recording does not tell is refused by name, and deviations are those that repetitions have."""

from __future__ import annotations

import numpy as np
import pytest

import soadyn as sd
from soadyn.estimation import identify
from soadyn.estimation.identifiability import Told


def rank(A):
    """By singular values of the columns scaled to length one, those that vanish left out."""
    A = A[:, np.abs(A).max(0) > 1e-12]
    return int((np.linalg.svd(A / np.linalg.norm(A, axis=0), compute_uv=False) > 1e-9).sum())


def regressor(arm, q, v, a):
    """Every column, base parameter or not, of bodies and of dry, viscous and offset, (equations, columns)."""
    own = [x[..., None] * np.eye(arm.nv) for x in (np.tanh(v / 0.01), v, np.ones_like(v))]
    return np.concatenate([arm.inertia_regressor(q, v, a), *own], axis=-1).reshape(v.size, -1)


def still(x):
    x[:, :, 1] = x[:, :1, 1] * np.array([1, 0, 0])[:, None]  # the second joint stays where it is
    return x


RECORDINGS = {
    "rich": lambda x: x,
    "six records": lambda x: x[:, :6],  # for two joints as many equations as unknowns
    "five records": lambda x: x[:, :5],
    "one record": lambda x: x[:, :1],
    "one record, repeated": lambda x: np.repeat(x[:, :1], 40, axis=1),
    "three records, each twice": lambda x: np.concatenate([x[:, :3], x[:, :3]], axis=1),
    "constant posture": lambda x: np.stack([0 * x[0] + x[0, 0], 0 * x[1], 0 * x[2]]),
    "one joint still": still,
    "one speed to and fro": lambda x: np.stack([x[0], np.sign(x[1]), x[2]]),
}


@pytest.mark.parametrize("kind", RECORDINGS)
@pytest.mark.parametrize("name", ["planar_two_link", "ur5"])
def test_identify_takes_a_recording_if_and_only_if_its_rank_is_that_of_any_motion(name, kind):
    arm, rng = sd.load(name), np.random.default_rng(7)
    rich = rng.standard_normal((3, 60, arm.nv))
    q, v, a = RECORDINGS[kind](rich.copy())
    found, needed = rank(regressor(arm, q, v, a)), rank(regressor(arm, *rich))
    tau = arm.inverse_dynamics(q, v, a) + 0.3 * v
    if found == needed:
        true = arm.base_parameters().values
        assert np.allclose(identify(arm, q, v, a, tau).base[: len(true)], true, atol=1e-9)
        return
    with pytest.raises(sd.ArgumentError) as refused:
        identify(arm, q, v, a, tau)
    assert f"{v.size} equations for {needed} unknowns have rank {found};" in str(refused.value)


def test_the_names_of_what_is_left_open_are_told():
    arm = sd.load("planar_two_link")
    x = np.random.default_rng(7).standard_normal((3, 60, 2))
    resting, to_and_fro = still(x.copy()), RECORDINGS["one speed to and fro"](x)
    with pytest.raises(sd.ArgumentError, match=r"nothing is told of joint2.coulomb, joint2.viscous;"):
        identify(arm, *resting, resting[0])
    both = "joint1.coulomb, joint2.coulomb, joint1.viscous, joint2.viscous"
    with pytest.raises(sd.ArgumentError, match=rf"have rank 10; combinations alone are told of {both};"):
        identify(arm, *to_and_fro, x[0])


def test_an_unknown_is_told_if_and_only_if_its_own_row_adds_nothing_to_the_equations(rng):
    for _ in range(40):
        A = rng.standard_normal((int(rng.integers(1, 9)), 6)) * 10.0 ** rng.integers(-4, 4, 6)
        A[:, 2] = A[:, 1] * rng.choice([0.0, 2.0])
        A[:, 4] *= rng.choice([0.0, 1.0])
        told, names = Told.of(A, "abcdef"), set("abcdef")
        assert (told.equations, told.unknowns, told.rank) == (*A.shape, rank(A))
        size = np.where(np.abs(A).max(0) > 0, np.abs(A).max(0), 1.0)
        adds = {x for x, row in zip("abcdef", np.eye(6), strict=True) if rank(np.vstack([A / size, row])) > rank(A)}
        assert set(told.open) == adds <= names
        assert set(told.without) == {x for x, column in zip("abcdef", A.T, strict=True) if not column.any()}


def test_deviations_are_those_of_two_hundred_repetitions_where_few_equations_are_left():
    """24 equations, 8 unknowns. 200 repetitions tell a deviation to 5 % (one sigma), the weights cost a few more."""
    arm, rng, noise = sd.load("planar_two_link"), np.random.default_rng(1), np.array([0.3, 0.1])
    q, v, a = rng.standard_normal((3, 12, 2))
    true = arm.inverse_dynamics(q, v, a)
    runs = [
        identify(arm, q, v, a, true + noise * rng.standard_normal(true.shape), terms=("viscous",)) for _ in range(200)
    ]
    stated = np.sqrt(np.mean([run.base_std**2 for run in runs], axis=0))
    ratio = stated / np.std([run.base for run in runs], axis=0)
    assert ((ratio > 0.8) & (ratio < 1.2)).all(), ratio
    assert 0.92 < np.exp(np.log(ratio).mean()) < 1.08, ratio
    assert np.allclose(np.sqrt(np.mean([run.torque_std**2 for run in runs], axis=0)), noise, rtol=0.1)


def test_deviations_are_infinite_where_no_equation_is_left_to_tell_the_noise():
    arm, rng = sd.load("planar_two_link"), np.random.default_rng(7)
    q, v, a = rng.standard_normal((3, 6, 2))
    found = identify(arm, q, v, a, arm.inverse_dynamics(q, v, a))  # 12 equations, 12 unknowns
    assert np.isnan(found.torque_std).all()
    assert np.isposinf(found.base_std).all()
