"""What tables and pictures of studies call things, and what a study's folder tells those who find it."""

from __future__ import annotations

import json

import numpy as np
import pytest
from scipy.stats import norm

import soadyn as sd
from soadyn.errors import ArgumentError, UnknownNameError
from soadyn.robot.labels import coordinate_names, coordinate_units, rate_names, rate_units
from soadyn.studies import Function, Grid, Measure, Quantities, Random, Table
from soadyn.studies.study import Study


@pytest.fixture(scope="module")
def mixed() -> sd.Robot:
    """A rail, a hinge and a ball, one on the other."""
    b = sd.Builder("mixed")
    body = sd.Body(1.0, com=(0.1, 0.0, 0.2), inertia=np.diag([0.1, 0.2, 0.25]))
    rail = b.link("carriage", body, joint="prismatic", axis=(1, 0, 0), joint_name="rail")
    arm = b.link("upper", body, parent=rail, axis=(0, 1, 0), joint_name="elbow")
    b.link("hand", body, parent=arm, joint="spherical", joint_name="wrist")
    return b.robot()


def run(scenario, design, folder) -> Study:
    return sd.run_study(scenario, design, folder, progress=False, workers=1)


@pytest.fixture
def weights(mixed, tmp_path) -> Study:
    measures = {
        "torque": Measure("gravity_force"),
        "where": Measure("position", frame="hand"),
        "q": Measure("q"),
        "size": Measure("gravity_force", norm=True),
        "first": Measure("gravity_force", entry=0),
    }
    design = Random({"q.elbow": (-1.0, 1.0), "upper.mass": norm(2.0, 0.1), "v": ([0.0] * 5, [1.0] * 5)}, 40, 7)
    return run(Quantities(mixed, measures), design, tmp_path / "s")


@pytest.mark.parametrize("name", ["free_flyer", "ur5", "planar_two_link"])
def test_every_coordinate_and_rate_has_a_unit(name):
    robot = sd.load(name)
    assert len(coordinate_units(robot)) == len(coordinate_names(robot)) == robot.nq
    assert len(rate_units(robot, "N m", "N")) == len(rate_names(robot)) == robot.nv


def test_units_are_those_of_the_joints(mixed):
    assert coordinate_units(mixed) == ("m", "rad", "", "", "", "")
    assert rate_units(mixed, "rad/s", "m/s") == ("m/s", "rad/s", "rad/s", "rad/s", "rad/s")


def test_columns_are_called_after_joints(weights):
    pytest.importorskip("pandas")
    frame = weights.results.to_dataframe()
    rates = ["rail", "elbow", "wrist.wx", "wrist.wy", "wrist.wz"]
    coordinates = ["rail", "elbow", "wrist.w", "wrist.x", "wrist.y", "wrist.z"]
    assert list(frame.columns) == [
        "q.elbow",
        "upper.mass",
        *(f"v.{x}" for x in rates),
        *(f"torque.{x}" for x in rates),
        "where.x",
        "where.y",
        "where.z",
        *(f"q.{x}" if x != "elbow" else "q[1]" for x in coordinates),  # q.elbow is the parameter
        "size",
        "first",
    ]
    np.testing.assert_array_equal(frame["torque.elbow"], weights.results.values["torque"][:, 1])


def test_xarray_finds_entries_by_joints(weights):
    pytest.importorskip("xarray")
    found = weights.results.to_xarray()
    np.testing.assert_array_equal(found.torque.sel(torque_0="elbow"), weights.results.values["torque"][:, 1])
    assert found.where_0.to_numpy().tolist() == ["x", "y", "z"]


def test_records_are_numbered_and_joints_named(mixed, tmp_path):
    pytest.importorskip("pandas")
    swing = sd.studies.Simulation(mixed, {"v": Measure("v", over="all")}, duration=0.02, step=0.01, record_every=0.01)
    found = run(swing, Table({"v0.rail": [0.1, 0.2]}), tmp_path / "s").results
    assert list(found.to_dataframe().columns)[1:3] == ["v[0].rail", "v[0].elbow"]


def labels_of(picture, panel=0):
    ax = picture.figure.axes[panel]
    legend = ax.get_legend()
    return ax.get_xlabel(), ax.get_ylabel(), [x.get_text() for x in legend.get_texts()] if legend else []


def test_a_distribution_names_joints_and_units(weights):
    pytest.importorskip("matplotlib")
    names = ["rail (N)", "elbow (N m)", "wrist.wx (N m)", "wrist.wy (N m)", "wrist.wz (N m)"]
    assert labels_of(weights.plot(measure="torque")) == ("torque", "rows", names)
    assert labels_of(weights.plot(measure="where")) == ("where (m)", "rows", ["x", "y", "z"])
    assert labels_of(weights.plot(measure="first")) == ("first (N)", "rows", [])
    assert labels_of(weights.plot(measure="size"))[0] == "size"  # newtons and newton metres have no common length


def test_a_distribution_has_the_same_bins_for_all_joints(weights):
    pytest.importorskip("matplotlib")
    ax = weights.plot(measure="torque").figure.axes[0]
    bins = [np.unique(patch.get_xy()[:, 0]) for patch in ax.patches]
    assert len(bins) == 5
    for other in bins[1:]:
        np.testing.assert_array_equal(bins[0], other)


def test_quantiles_name_joints_too(mixed, tmp_path):
    pytest.importorskip("matplotlib")
    study = run(
        Quantities(mixed, {"torque": Measure("gravity_force")}, keep=False),
        Table({"q.elbow": [0.1, 0.2]}),
        tmp_path / "s",
    )
    assert labels_of(study.plot())[1:] == (
        "share of rows below",
        ["rail (N)", "elbow (N m)", "wrist.wx (N m)", "wrist.wy (N m)", "wrist.wz (N m)"],
    )
    with pytest.raises(ArgumentError, match=r"'torque' has no rows to draw over 'q\.elbow'; the study kept none"):
        study.plot(against="q.elbow")


def test_a_measure_over_a_parameter(weights, tmp_path):
    pytest.importorskip("matplotlib")
    picture = weights.plot(measure="torque", against="q.elbow")
    assert [ax.get_title() for ax in picture.figure.axes[:2]] == ["rail (N)", "elbow (N m)"]
    assert labels_of(picture)[:2] == ("q.elbow (rad)", "torque")
    assert labels_of(weights.plot(measure="first", against="upper.mass"))[:2] == ("upper.mass (kg)", "first (N)")
    assert labels_of(weights.plot(measure="first", against="v.rail"))[:2] == ("v.rail (m/s)", "first (N)")
    x, y = picture.figure.axes[1].lines[0].get_data()
    np.testing.assert_array_equal(x, weights.results.parameters["q.elbow"])
    np.testing.assert_array_equal(y, weights.results.values["torque"][:, 1])
    assert weights.plot(tmp_path / "x.png", "size", "q.elbow").stat().st_size > 1000
    with pytest.raises(UnknownNameError, match=r"unknown parameter 'q\.elbo'\. Did you mean 'q\.elbow'"):
        weights.plot(against="q.elbo")


def test_many_rows_become_hexagons(mixed, tmp_path):
    pytest.importorskip("matplotlib")
    scenario = Quantities(mixed, {"torque": Measure("gravity_force", entry=1)})
    study = run(scenario, Random({"q.elbow": (-1.0, 1.0)}, 4000), tmp_path / "s")
    ax, bar = study.plot(against="q.elbow").figure.axes
    assert ax.collections[0].get_array().sum() == 4000
    assert bar.get_ylabel() == "rows"


def test_functions_keep_numbers(tmp_path):
    pytest.importorskip("matplotlib")
    study = run(Function(lambda row: {"both": [row["a"], 2 * row["a"]]}), Grid({"a": [1.0, 2.0, 3.0]}), tmp_path / "s")
    assert labels_of(study.plot()) == ("both", "rows", ["both[0]", "both[1]"])


def test_a_study_says_what_it_was(weights):
    told = json.loads((weights.folder / "study.json").read_text())["about"]
    assert told == json.loads(json.dumps(weights.about))
    assert told["scenario"]["kind"] == "Quantities"
    assert told["scenario"]["robot"] == "mixed"
    assert told["scenario"]["measures"]["where"] == {"of": "position", "frame": "hand", "over": "last"}
    assert told["parameters"]["design"] == "Random"
    assert (told["parameters"]["rows"], told["parameters"]["seed"]) == (40, 7)
    assert told["parameters"]["values"]["upper.mass"] == "norm(2.0, 0.1)"
    for words in (
        "40 rows",
        "Quantities of 'mixed'",
        "measures torque, where",
        "upper.mass norm(2.0, 0.1)",
        "seed 7",
    ):
        assert words in repr(weights)


def test_folders_without_that_text_and_with_another_are_the_same_study(weights):
    file = weights.folder / "study.json"
    plan = json.loads(file.read_text())
    for about in (None, "anything", {"scenario": 7}):
        plan.pop("about", None)
        file.write_text(json.dumps(plan if about is None else plan | {"about": about}))
        again = run(weights.scenario, weights.design, weights.folder)
        assert again.status.complete


def test_what_a_study_says_of_itself_is_short(mixed, tmp_path):
    wide = {f"x{k}": np.linspace(0.0, 1.0, 1000) for k in range(500)}
    study = run(Function(lambda row: row["x0"]), Table(wide), tmp_path / "s")
    assert (study.folder / "study.json").stat().st_size < 5000
    assert len(repr(study)) < 2000
