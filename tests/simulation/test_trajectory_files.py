"""Trajectories as files: what is saved comes back, other files are refused, suffixes say what is written."""

from __future__ import annotations

import csv
import sys
import zipfile

import numpy as np
import pytest

import soadyn as sd
from small_robots import slider
from soadyn.simulation import Trajectory, simulate


@pytest.mark.parametrize("name", ["planar_two_link", "free_flyer"])
def test_a_saved_trajectory_comes_back_the_same(name, tmp_path):
    robot = sd.load(name)
    run = simulate(robot, robot.neutral(), duration=0.02, step=0.01)
    path = run.save(tmp_path / "run.npz")
    assert Trajectory.load(path).robot is None  # a file holds states, not robots
    back = Trajectory.load(path).of(robot)
    assert [p.name for p in tmp_path.iterdir()] == ["run.npz"]
    for field, value in run.__dict__.items():
        if isinstance(value, np.ndarray):
            np.testing.assert_array_equal(getattr(back, field), value)
        elif field != "derivatives":  # of which derivatives are taken; a file does not hold it
            assert getattr(back, field) == value
    assert repr(back) == repr(run)
    assert repr(run).startswith(f"<Trajectory of {name!r}: 3 records from 0 to 0.02 s, rk4 with steps of 0.01 s")
    assert len(run) == 3


def test_a_trajectory_belongs_to_robots_with_its_coordinates_only():
    run = simulate(slider(), [0.0], duration=0.01, step=0.01)
    with pytest.raises(sd.ArgumentError, match=r"has the coordinates .*, robot 'ur5' has shoulder_pan_joint, "):
        run.of(sd.load("ur5"))
    with pytest.raises(sd.ArgumentError, match=r"of a Robot, as sd\.load makes them, got str"):
        run.of("ur5")


def test_a_row_of_a_batch_is_the_motion_by_itself(rng):
    flyer = sd.load("free_flyer")
    v0 = 0.1 * rng.standard_normal((2, 3, flyer.nv))
    together = simulate(flyer, flyer.neutral(), v0, duration=0.03, step=0.01)
    for row in (4, (1, 1)):
        one, alone = together.row(row), simulate(flyer, flyer.neutral(), v0[1, 1], duration=0.03, step=0.01)
        for name in ("q", "v", "tau", "kinetic", "potential", "work", "momentum", "impulse"):
            np.testing.assert_allclose(getattr(one, name), getattr(alone, name), rtol=1e-12, atol=1e-12)
    failing = simulate(flyer, flyer.neutral(), v0, duration=0.03, step=0.01, failures=[(0.02, "elbow")])
    assert failing.row(4).passive.shape == failing.row(4).v.shape
    with pytest.raises(sd.ArgumentError, match=r"row \(0,\) does not pick one of the batch \(2, 3\)"):
        together.row((0,))


def test_files_that_are_no_trajectory_are_refused(tmp_path):
    stranger = tmp_path / "stranger.npz"
    np.savez(stranger, t=np.zeros(3))
    with pytest.raises(sd.ArgumentError, match=r"stranger\.npz' is not a trajectory that soadyn saved: .*format"):
        Trajectory.load(stranger)
    pickled = tmp_path / "pickled.npz"
    np.savez(pickled, format=np.array("soadyn trajectory 1"), t=np.array([object()]))
    with pytest.raises(sd.ArgumentError, match=r"'t\.npy' claims object"):
        Trajectory.load(pickled)
    text = tmp_path / "text.npz"
    text.write_text("hello")
    with pytest.raises(sd.ArgumentError, match="not a trajectory that soadyn saved: File is not a zip file"):
        Trajectory.load(text)
    with pytest.raises(sd.ArgumentError, match=r"cannot read .*No such file"):
        Trajectory.load(tmp_path / "nothing.npz")
    with pytest.raises(sd.ArgumentError, match=r"cannot read .*directory"):
        Trajectory.load(tmp_path)


@pytest.fixture
def saved(tmp_path):
    """The arrays of a saved trajectory, and a function that loads them again with some changed or left out."""
    flyer = sd.load("free_flyer")
    path = tmp_path / "run.npz"
    simulate(flyer, flyer.neutral(), duration=0.02, step=0.01).save(path)
    with np.load(path) as file:
        arrays = dict(file)

    def again(without=(), **changed):
        kept = {name: x for name, x in {**arrays, **changed}.items() if name not in without}
        np.savez(path, **kept)
        return Trajectory.load(path)

    return arrays, again


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"q": np.array("far out")}, r"q holds <U7, expected numbers \(float64\)"),
        ({"q": np.full((3, 17), "x")}, r"q holds <U1, expected numbers"),
        ({"q": np.zeros((3, 17), dtype=complex)}, "q holds complex128, expected numbers"),
        ({"q": np.zeros((3, 17), dtype=np.float32)}, "q holds float32, expected numbers"),
        ({"q": np.zeros((3, 16))}, r"q has shape \(3, 16\), expected \(3, 17\)"),
        ({"q": np.zeros(())}, r"q has shape \(\), expected \(3, 17\)"),
        ({"v": np.zeros((2, 16))}, r"v has shape \(2, 16\), expected \(3, 16\)"),
        ({"tau": np.zeros((3, 4, 16))}, r"tau has shape \(3, 4, 16\), expected \(3, 16\)"),
        ({"kinetic": np.zeros((3, 1))}, r"kinetic has shape \(3, 1\), expected \(3,\)"),
        ({"momentum": np.zeros((3, 3))}, r"momentum has shape \(3, 3\), expected \(3, 6\)"),
        ({"passive": np.zeros((3, 16))}, "passive holds float64, expected booleans"),
        ({"t": np.array([0.0, 0.02, 0.01])}, "its times do not ascend"),
        ({"t": np.array([0.0, np.nan, 0.02])}, "t has numbers that are not finite"),
        ({"t": np.array("now")}, r"t holds <U3, expected numbers"),
        ({"q": np.full((3, 17), np.inf)}, "q has numbers that are not finite"),
        ({"step": np.array([0.01])}, r"step has shape \(1,\), expected \(\)"),
        ({"step": np.array(np.nan)}, "step has numbers that are not finite"),
        ({"interrupted": np.array("no")}, "interrupted holds <U2, expected booleans"),
        ({"robot_name": np.array(5.0)}, "robot_name holds float64, expected text"),
        ({"q_names": np.array(["a"])}, r"q has shape \(3, 17\), expected \(3, 1\)"),
        ({"mood": np.zeros(3)}, "it holds 'mood', which no trajectory has"),
        ({"without": ("impulse",)}, "it has only one of momentum and impulse"),
        ({"without": ("tau", "v")}, "v, tau missing"),
        ({"format": np.array("soadyn trajectory 99")}, "its format is 'soadyn trajectory 99'"),
        ({"format": np.zeros((40, 40))}, "its format is "),
    ],
    ids=lambda x: x if isinstance(x, str) else "",
)
def test_a_spoilt_trajectory_is_refused_by_the_name_of_what_is_wrong(saved, changed, words):
    with pytest.raises(sd.ArgumentError, match=f"run.npz' is not a trajectory that soadyn saved: {words}"):
        saved[1](**changed)


def test_a_trajectory_of_no_records_is_refused(saved):
    empty = {name: x[:0] for name, x in saved[0].items() if x.ndim and x.shape[0] == 3}
    with pytest.raises(sd.ArgumentError, match="it has no records"):
        saved[1](**empty)


def test_a_trajectory_of_other_byte_order_is_the_same(saved):
    arrays, again = saved
    back = again(q=arrays["q"].astype(">f8"), t=np.asfortranarray(arrays["t"].astype(">f8")))
    np.testing.assert_array_equal(back.q, arrays["q"])
    assert back.q.dtype.isnative
    assert back.q.flags.writeable


def spoilt_header(path, name, old, new):
    """The npz file with other words, as long, in the header of one of its arrays."""
    assert len(old) == len(new)
    with zipfile.ZipFile(path) as archive:
        members = {info.filename: archive.read(info) for info in archive.infolist()}
    assert old in members[name]
    members[name] = members[name].replace(old, new, 1)
    with zipfile.ZipFile(path, "w") as archive:
        for member, data in members.items():
            archive.writestr(member, data)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"(3, 17), }          ", b"(9999999999999, 17)}"),
        (b"(3, 17), }", b"(-3, -17)}"),
        (b"'<f8'", b"'|O8'"),
        (b"(3, 17)", b"((((((("),
        (b"(3, 17), }", b"(3, 17.0)}"),
        (b"'descr'", b"'dexcr'"),
    ],
)
def test_a_lying_header_is_told_before_memory_is_taken(saved, tmp_path, old, new):
    saved[1]()
    spoilt_header(tmp_path / "run.npz", "q.npy", old, new)
    with pytest.raises(sd.ArgumentError, match=r"run\.npz' is not a trajectory that soadyn saved: "):
        Trajectory.load(tmp_path / "run.npz")


def test_a_cut_or_overwritten_file_is_refused_or_loads_the_same(saved, tmp_path, rng):
    saved[1]()
    whole = (tmp_path / "run.npz").read_bytes()
    held = vars(Trajectory.load(tmp_path / "run.npz"))
    spoilt = tmp_path / "spoilt.npz"
    refused = 0
    for _ in range(300):
        data = bytearray(whole[: rng.integers(len(whole))] if rng.random() < 0.3 else whole)
        for place in rng.integers(len(data), size=rng.integers(1, 20)) if data else ():
            data[place] = rng.integers(256)
        spoilt.write_bytes(data)
        try:
            loaded = vars(Trajectory.load(spoilt))
        except sd.ArgumentError:
            refused += 1
        else:  # bytes that mean nothing, such as a member's date
            for name, x in held.items():
                np.testing.assert_array_equal(loaded[name], x, err_msg=name)
    assert refused > 200


def test_a_file_whose_list_passes_over_arrays_is_refused(saved, tmp_path):
    """A comment of the array before them, as long as their entries, hides those that a trajectory may lack."""
    path = tmp_path / "run.npz"
    with zipfile.ZipFile(path) as archive:
        names = [member.filename for member in archive.infolist()]
    assert names[-3:] == ["momentum.npy", "impulse.npy", "notes.npy"]
    data = bytearray(path.read_bytes())
    entries = [data.rindex(name.encode()) - 46 for name in names[-4:]]
    hidden = data.rindex(b"PK\x05\x06") - entries[1]
    data[entries[0] + 32 : entries[0] + 34] = hidden.to_bytes(2, "little")
    path.write_bytes(data)
    with zipfile.ZipFile(path) as archive:
        assert archive.namelist() == names[:-3]
    with pytest.raises(sd.ArgumentError, match=f"it counts {len(names)} arrays, but lists {len(names) - 3}"):
        Trajectory.load(path)


# Suffixes


@pytest.mark.parametrize("name", ["run.txt", "run", "run.npz.bak", "run.json"])
def test_an_unknown_suffix_is_refused(tmp_path, name):
    run = simulate(slider(), [0.0], duration=0.01, step=0.01)
    with pytest.raises(sd.ArgumentError, match=r"cannot write a trajectory to .*; expected \.npz, \.csv or \.parquet"):
        run.save(tmp_path / name)
    assert not list(tmp_path.iterdir())


def test_a_path_that_is_none_and_a_folder_that_is_not_there_are_named(tmp_path):
    run = simulate(slider(), [0.0], duration=0.01, step=0.01)
    with pytest.raises(sd.ArgumentError, match=r"cannot write .*x\.npz': there is no folder '.*nowhere'"):
        run.save(tmp_path / "nowhere" / "x.npz")
    with pytest.raises(sd.ArgumentError, match="cannot write a trajectory: expected the path of a file, got 5"):
        run.save(5)


def test_a_csv_file_is_a_table_of_the_records(tmp_path):
    flyer = sd.load("free_flyer")
    run = simulate(flyer, flyer.neutral(), 0.1 * np.ones(flyer.nv), duration=0.03, step=0.01, failures=[(0.0, "elbow")])
    with open(run.save(tmp_path / "run.csv"), newline="", encoding="utf-8") as file:
        head, *rows = csv.reader(file)
    table = dict(zip(head, zip(*rows, strict=True), strict=True))
    assert [float(x) for x in table["t"]] == run.t.tolist()
    assert [float(x) for x in table["q.root.px"]] == run.q[:, 4].tolist()
    assert [float(x) for x in table["tau.elbow"]] == run.tau[:, run.v_names.index("elbow")].tolist()
    assert [float(x) for x in table["work"]] == run.work.tolist()
    assert [float(x) for x in table["momentum.linear_z"]] == run.momentum[:, 5].tolist()
    assert set(table["passive.elbow"]) == {"True"}
    assert len(head) == 1 + flyer.nq + 3 * flyer.nv + 3 + 2 * 6
    with pytest.raises(sd.ArgumentError, match="is not a trajectory that soadyn saved"):
        Trajectory.load(tmp_path / "run.csv")


def test_a_batch_is_no_table(tmp_path):
    run = simulate(slider(), np.zeros((2, 1)), duration=0.01, step=0.01)
    with pytest.raises(sd.ArgumentError, match=r"a table holds one motion, this is a batch of shape \(2,\)"):
        run.save(tmp_path / "run.csv")
    assert not list(tmp_path.iterdir())
    assert run.row(1).save(tmp_path / "run.csv").read_text().startswith("t,q.slide,v.slide,tau.slide,kinetic,")


# Pictures


def test_a_trajectory_draws_itself(tmp_path):
    pytest.importorskip("matplotlib")
    robot = sd.load("free_flyer")
    run = simulate(robot, np.tile(robot.neutral(), (2, 1)), 0.1 * np.ones(robot.nv), duration=0.02, step=0.01)
    assert run.plot(tmp_path / "run.png", row=1).stat().st_size > 10_000
    for name in ("run.nonsense", "run"):  # matplotlib itself would write run.png for the second
        with pytest.raises(sd.ArgumentError, match=r"cannot write a picture to .*expected \.png, \.pdf, "):
            run.plot(tmp_path / name)
    assert [path.name for path in tmp_path.iterdir()] == ["run.png"]
    with pytest.raises(sd.ArgumentError, match=r"row 5 does not pick one of the batch \(2,\)"):
        run.plot(tmp_path / "run.png", row=5)


def test_without_matplotlib_the_error_says_how_to_get_it(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    run = simulate(slider(), [0.0], duration=0.01, step=0.01)
    with pytest.raises(sd.ArgumentError, match=r"pip install matplotlib"):
        run.plot(tmp_path / "run.png")
