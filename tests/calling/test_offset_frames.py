"""Frames given as (name, offset), and lists of frames: the way that takes microseconds changes no result."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import soadyn as sd
from soadyn.engine.engine import Prepared
from soadyn.robot.calling import quantity_functions
from soadyn.robot.calling.function import Function
from soadyn.robot.calling.quantity_functions import MOST_KEPT

FRAME = "tool0"
EXACT = {"rtol": 0, "atol": 1e-14}


def shifted(x: float = 0.1, angle: float = 0.3) -> np.ndarray:
    T = np.eye(4)
    T[:2, :2] = [[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]
    T[:3, 3] = [x, 0.2, -0.3]
    return T


@pytest.fixture
def arm() -> sd.Robot:
    return sd.load("ur5")


@pytest.fixture
def q(arm: sd.Robot, rng: np.random.Generator) -> np.ndarray:
    """A configuration at which the tool can be moved in every direction, so that operational inertias are exact."""
    tried = (arm.random_configuration(rng) for _ in range(100))
    return max(tried, key=lambda q: np.linalg.svd(arm.jacobian(q, FRAME), compute_uv=False)[-1])


def met(arm: sd.Robot, q: np.ndarray, offset: Any) -> None:
    """Let the robot keep a kernel for the poses of this frame."""
    for _ in range(3):
        arm.pose(q, (FRAME, offset))


@pytest.fixture
def checked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The quantities that were evaluated with all their checks."""
    seen: list[str] = []
    evaluate = Function.checked

    def noted(function: Function, *values: Any, **options: Any) -> Any:
        seen.append(function.name)
        return evaluate(function, *values, **options)

    monkeypatch.setattr(Function, "checked", noted)
    return seen


def test_the_pose_is_the_frames_times_the_offset(arm: sd.Robot, q: np.ndarray) -> None:
    T = shifted()
    for _ in range(4):
        np.testing.assert_allclose(arm.pose(q, (FRAME, T)), arm.pose(q, FRAME) @ T, **EXACT)


@pytest.mark.parametrize(
    ("name", "states", "rest"),
    [
        ("pose", "q", ()),
        ("jacobian", "q", ()),
        ("jacobian", "q", ("local",)),
        ("jacobian", "q", ((FRAME, shifted(0.4, 1.0)),)),
        ("frame_velocity", "qv", ("local",)),
        ("frame_acceleration", "qva", ()),
        ("operational_inertia", "q", ()),
        ("operational_bias", "qv", ({"forearm_link": np.arange(6.0)},)),
        ("generalized_jacobian", "q", (["elbow_joint"],)),
        ("generalized_jacobian_times", "qx", (["elbow_joint"],)),
    ],
)
def test_later_calls_have_the_bits_of_the_first_and_check_nothing(
    arm: sd.Robot, q: np.ndarray, rng: np.random.Generator, checked: list[str], name: str, states: str, rest: Any
) -> None:
    given = {"q": q, "v": rng.standard_normal(6), "a": rng.standard_normal(6), "x": rng.standard_normal(5)}
    state = [given[letter] for letter in states]
    compute = getattr(arm, name)
    first = compute(*state, (FRAME, shifted()), *rest)
    for _ in range(3):
        np.testing.assert_array_equal(compute(*state, (FRAME, shifted()), *rest), first)
    assert checked == [name, name]
    in_full = getattr(arm.with_backend("numpy"), name)(*state, (FRAME, shifted()), *rest)
    np.testing.assert_allclose(first, in_full, rtol=1e-11, atol=1e-12)


LEFT, RIGHT = "left_wrist_roll_link", "right_wrist_roll_link"


@pytest.mark.parametrize("frames", [[LEFT, RIGHT], [LEFT, (RIGHT, shifted())]])
@pytest.mark.parametrize(
    ("name", "states", "rest"),
    [
        ("operational_inertia_inverse", "q", ()),
        ("operational_inertia_inverse", "q", ("local",)),
        ("operational_inertia_inverse", "q", ((LEFT, shifted(0.4, 1.0)),)),
        ("operational_inertia", "q", ()),
        ("operational_bias", "qv", ()),
        ("operational_bias", "qv", ({RIGHT: np.arange(6.0)},)),
    ],
)
def test_later_calls_with_a_list_of_frames_have_the_bits_of_the_first_and_check_nothing(
    rng: np.random.Generator, checked: list[str], frames: list[Any], name: str, states: str, rest: Any
) -> None:
    """A new list with the same entries is the same, one in another order is not."""
    flyer = sd.load("dual_arm_flyer")
    given = {"q": flyer.random_configuration(rng), "v": rng.standard_normal(flyer.nv)}
    state = [given[letter] for letter in states]
    compute = getattr(flyer, name)
    first = compute(*state, frames, *rest)
    for _ in range(3):
        np.testing.assert_array_equal(compute(*state, list(frames), *rest), first)
    assert checked == [name, name]
    other = compute(*state, frames[::-1], *rest)
    assert checked == [name, name, name]
    scale = abs(first).max()
    np.testing.assert_allclose(np.roll(first, 6, axis=tuple(range(first.ndim))), other, rtol=0, atol=1e-9 * scale)


def test_an_offset_that_is_written_to_is_read_again(arm: sd.Robot, q: np.ndarray) -> None:
    T = shifted()
    met(arm, q, T)
    for x in (0.5, 0.6, 0.5, 0.1):
        T[0, 3] = x
        for _ in range(3):
            np.testing.assert_allclose(arm.pose(q, (FRAME, T)), arm.pose(q, FRAME) @ T, **EXACT)


@pytest.mark.parametrize(
    "written",
    [np.asfortranarray, np.ndarray.tolist, lambda T: tuple(map(tuple, T.tolist())), lambda T: T.astype(">f8")],
)
def test_other_ways_to_write_the_same_offset_give_the_same(
    arm: sd.Robot, q: np.ndarray, checked: list[str], written: Callable[[np.ndarray], Any]
) -> None:
    met(arm, q, shifted())
    found = arm.pose(q, (FRAME, written(shifted())))
    np.testing.assert_array_equal(found, arm.pose(q, (FRAME, shifted())))
    assert checked == ["pose", "pose"]


def test_an_offset_is_not_taken_for_its_transpose_or_other_numbers(arm: sd.Robot, q: np.ndarray) -> None:
    turned = shifted()
    turned[:3, 3] = 0.0
    rounded = np.rint(shifted(2.0, 0.0))
    for T in (turned, turned.T, rounded, rounded.astype(int), rounded.astype(np.float32)):
        for _ in range(3):
            np.testing.assert_allclose(arm.pose(q, (FRAME, T)), arm.pose(q, FRAME) @ T, **EXACT)


def test_batches_single_precision_and_lists_after_a_single_state(arm: sd.Robot, rng: np.random.Generator) -> None:
    many = np.stack([arm.random_configuration(rng) for _ in range(5)])
    T = shifted()
    met(arm, many[0], T)
    for _ in range(3):
        np.testing.assert_allclose(arm.pose(many, (FRAME, T)), arm.pose(many, FRAME) @ T, **EXACT)
        np.testing.assert_allclose(arm.pose(many[0].tolist(), (FRAME, T)), arm.pose(many[0], FRAME) @ T, **EXACT)
        single = arm.pose(many.astype(np.float32), (FRAME, T))
        assert single.dtype == np.float32
        np.testing.assert_allclose(single, arm.pose(many, FRAME) @ T, atol=1e-5)


@pytest.mark.parametrize(
    ("frame", "error", "words"),
    [
        ((FRAME, np.ma.array(shifted(), mask=np.eye(4))), sd.ModelError, "has masked entries"),
        ((FRAME, shifted() + 0j), sd.ModelError, "has dtype complex128"),
        ((FRAME, shifted().reshape(2, 8)), sd.ModelError, r"got shape \(2, 8\)"),
        ((FRAME, shifted().ravel()), sd.ModelError, r"got shape \(16,\)"),
        ((FRAME, 2 * shifted()), sd.ModelError, "must be a rigid 4x4 pose"),
        ((FRAME, np.full((4, 4), np.nan)), sd.ModelError, "must be a rigid 4x4 pose"),
        ((FRAME, "flange"), sd.ModelError, "the offset of frame 'tool0'"),
        (("tool", shifted()), sd.SoadynError, "tool"),
        ((FRAME, shifted(), 1), sd.ArgumentError, "a frame is a name or"),
    ],
)
def test_a_bad_frame_after_a_good_one_is_still_named(
    arm: sd.Robot, q: np.ndarray, frame: Any, error: type[Exception], words: str
) -> None:
    met(arm, q, shifted())
    for _ in range(3):
        with pytest.raises(error, match=words):
            arm.pose(q, frame)


def test_a_bad_state_after_a_good_one_is_still_named(arm: sd.Robot, q: np.ndarray) -> None:
    met(arm, q, shifted())
    for bad, error in (([0.0] * 5, sd.ShapeError), (np.ma.array(q, mask=True), sd.ShapeError)):
        with pytest.raises(error, match="'q'"):
            arm.pose(bad, (FRAME, shifted()))


def test_no_more_offsets_are_kept_than_stated(arm: sd.Robot, q: np.ndarray, monkeypatch: pytest.MonkeyPatch) -> None:
    most = min(MOST_KEPT, 64)
    monkeypatch.setattr(quantity_functions, "MOST_KEPT", most)
    for i in range(3 * most):
        for _ in range(2):
            arm.pose(q, (FRAME, shifted(i / 100)))
    assert len(arm._functions._kept) <= most
    assert len(arm._quick["pose"]) <= most


def test_an_offset_that_never_comes_again_is_not_prepared(
    arm: sd.Robot, q: np.ndarray, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[Any] = []
    monkeypatch.setattr(Prepared, "keep", lambda *given: made.append(given))
    for i in range(10):
        arm.pose(q, (FRAME, shifted(i / 10)))
    assert not made


def test_threads_with_many_offsets_agree(arm: sd.Robot, q: np.ndarray) -> None:
    wrong: list[float] = []
    base = arm.pose(q, FRAME)

    def work(k: int) -> None:
        for i in range(300):
            T = shifted((i * k % 150) / 10)
            wrong.append(np.abs(arm.pose(q, (FRAME, T)) - base @ T).max())

    threads = [threading.Thread(target=work, args=(k,)) for k in (1, 7, 11)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(wrong) == 900
    assert max(wrong) < 1e-13


@pytest.mark.parametrize("frame", [[], [FRAME], [FRAME, FRAME], np.array(FRAME), np.array([FRAME]), np.zeros((2, 2))])
def test_what_is_no_frame_is_refused(arm: sd.Robot, q: np.ndarray, frame: Any) -> None:
    """A list is none where one frame is asked for; an array never is."""
    v = np.zeros(6)
    for backend in ("auto", "numpy"):
        robot = arm.with_backend(backend)
        with pytest.raises(sd.ArgumentError, match=r"a frame is a name or \(name, 4x4 offset\), got"):
            robot.pose(q, frame)
        if not (isinstance(frame, list) and frame):
            with pytest.raises(sd.ArgumentError, match=r"a frame is a name or|takes a frame or a list of at least one"):
                robot.operational_bias(q, v, frames=frame)


@pytest.mark.parametrize(
    "root", [np.array("cholesky"), np.array(["cholesky", "symmetric"]), ["cholesky"], np.array([])]
)
def test_a_square_root_is_a_word(arm: sd.Robot, q: np.ndarray, root: Any) -> None:
    with pytest.raises(sd.ArgumentError, match='square_root must be "cholesky" or "symmetric", got'):
        arm.normalized_bias(q, np.zeros(6), square_root=root)
