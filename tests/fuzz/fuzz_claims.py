"""What is called solved, told or complete, measured again by other means: half turns, symmetries, copied files.

A trial makes a problem with something exact about it (a half turn, a straight arm, a limit, fewer equations than
unknowns, a copy of a file, no rows or one) and checks the claim with NumPy alone.
"""

from __future__ import annotations

import random
import shutil
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import soadyn as sd
from soadyn.errors import SoadynError
from soadyn.estimation import identify
from soadyn.kinematics import Direction, Orientation, Position
from soadyn.studies import Measure, Quantities, Random

FRAMES = {"ur5": "tool0", "panda": "panda_link8", "ssrms": "B8", "planar_two_link": "tool"}
TOLERANCE = 1e-8
ROUNDING = 1e-10


@cache
def arm_of(name: str) -> sd.Robot:
    return sd.load(name)


def chosen_axis(rng: random.Random) -> np.ndarray:
    """A unit vector, often one with an exact symmetry."""
    exact = rng.choice([(1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 0), (0, 1, -1), (1, 1, 1), (3, 4, 0), None])
    x = np.array(exact if exact else [rng.gauss(0, 1) for _ in range(3)], dtype=float)
    return x / np.linalg.norm(x)


def start_of(arm: sd.Robot, rng: random.Random) -> np.ndarray:
    """A configuration: random, straight, or with joints at limits."""
    lower, upper = np.maximum(arm.lower, -np.pi), np.minimum(arm.upper, np.pi)
    q = np.array([rng.uniform(a, b) for a, b in zip(lower, upper, strict=True)])
    match rng.randrange(3):
        case 0:
            return q
        case 1:
            return np.clip(np.zeros(arm.nq), lower, upper)
        case _:
            at = np.array([rng.randrange(3) for _ in q])
            return np.where(at == 0, lower, np.where(at == 1, upper, q))


def inverse_kinematics(rng: random.Random) -> None:
    name = rng.choice([*FRAMES])
    arm, frame = arm_of(name), FRAMES[name]
    q0 = start_of(arm, rng)
    pose = arm.pose(q0, frame)
    n = chosen_axis(rng)
    wanted = pose.copy()
    wanted[:3, :3] = pose[:3, :3] @ (2 * np.outer(n, n) - np.eye(3))
    if rng.random() < 0.3:
        wanted[:3, 3] = arm.pose(start_of(arm, rng), frame)[:3, 3]
    kind = rng.choice(["pose", "orientation", "direction", "position"])
    target: Any = {
        "pose": wanted,
        "orientation": Orientation(wanted[:3, :3]),
        "direction": Direction(-pose[:3, :3] @ n, axis=n),
        "position": Position(wanted[:3, 3]),
    }[kind]
    limits = rng.random() < 0.7
    found = arm.inverse_kinematics({frame: target}, q0=q0, limits=limits, restarts=rng.choice([0, 1, 20]))
    if not found.success:
        return
    reached = arm.with_backend("numpy").pose(found.q, frame)
    bound = TOLERANCE + ROUNDING
    if kind in ("pose", "position"):
        assert np.linalg.norm(reached[:3, 3] - wanted[:3, 3]) <= bound
    if kind in ("pose", "orientation"):  # 2 √2 sin(angle/2)
        assert np.linalg.norm(reached[:3, :3] - wanted[:3, :3]) <= np.sqrt(2) * bound
    if kind == "direction":
        assert np.linalg.norm(reached[:3, :3] @ n + pose[:3, :3] @ n) <= bound
    assert not limits or ((found.q >= arm.lower) & (found.q <= arm.upper)).all()


def identification(rng: random.Random) -> None:
    """Records that tell too little are refused: by rank of the regressor's base columns, computed here."""
    arm = arm_of("planar_two_link")
    records = rng.choice([1, 2, 3, 5, 6, 7, 20])
    numbers = np.random.default_rng(rng.randrange(2**32))
    q, v, a = numbers.uniform(-2, 2, (3, records, 2))
    match rng.randrange(5):
        case 0:
            q[:], v[:], a[:] = q[0], v[0], a[0]
        case 1:
            v[:], a[:] = 0.0, 0.0
        case 2:
            v[:, 1], a[:, 1], q[:, 1] = 0.0, 0.0, 0.3
        case _:
            pass
    tau = arm.inverse_dynamics(q, v, a)
    many = numbers.uniform(-2, 2, (3, 100, 2))
    Y = [arm.inertia_regressor(*x).reshape(-1, 20) for x in ((q, v, a), many)]
    told, possible = (np.linalg.matrix_rank(y, tol=1e-9 * np.linalg.norm(y)) for y in Y)
    try:
        found = identify(arm, q, v, a, tau, terms=())
    except SoadynError:
        return
    assert told == possible
    assert (np.isfinite(found.base_std) | np.isinf(found.base_std)).all()


def study(rng: random.Random) -> None:
    """A study of none, one or a few rows counts each once, whatever copies lie beside its chunks."""
    arm = arm_of("planar_two_link")
    rows = rng.choice([1, 2, 1024, 1025, 4096])
    scenario = Quantities(arm, {"t": Measure("gravity_force", norm=True)})
    design = Random({"q": ([-3] * 2, [3] * 2)}, rows=rows, seed=rng.randrange(1000))
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "s"
        sd.run_study(scenario, design, folder=folder, chunk=1024, progress=False)
        first = sd.studies.Study(scenario, design, folder=folder).results.summary["t"]
        chunks = sorted((folder / "chunks").glob("*/*.npz"))
        one = rng.choice(chunks)
        match rng.randrange(4):
            case 0:
                shutil.copy(one, one.with_name(rng.choice(["1.npz", "copy.npz", "².npz", "0000000000.npz"])))
            case 1:
                shutil.copytree(one.parent, folder / "chunks" / rng.choice(["backup", "000001", "1"]))
            case 2:
                other = rng.choice(chunks)
                content = other.read_bytes()
                one.write_bytes(content)  # another chunk under this one's name
            case _:
                one.write_bytes(one.read_bytes()[: rng.randrange(100)])
        try:
            study = sd.studies.Study(scenario, design, folder=folder)
            again = (study.run(progress=False) if rng.random() < 0.5 else study).results
        except SoadynError:
            return
        if again.complete:
            assert again.summary["t"].count == rows
            assert again.summary["t"].mean == first.mean


def empty_batch(rng: random.Random) -> None:
    """Batches without rows, or with one, have results of their shape."""
    arm = arm_of(rng.choice(["planar_two_link", "ur5"]))
    shape = rng.choice([(0,), (1,), (3, 0), (0, 2), (1, 1)])
    steps = rng.choice([1, 5, 200])
    run = sd.simulate(arm, np.zeros((*shape, arm.nq)), duration=steps * 1e-3, step=1e-3, record_every=steps * 1e-3)
    assert run.q.shape == (2, *shape, arm.nq)
    assert np.isfinite(run.q).all()


CASES = {
    "inverse_kinematics": inverse_kinematics,
    "identification": identification,
    "study": study,
    "empty_batch": empty_batch,
}
