"""Scenarios: rows are what direct calls give; rows that fail say why and leave the others alone."""

from __future__ import annotations

import numpy as np
import pytest

import soadyn as sd
from soadyn.studies import Function, Grid, Measure, Quantities, Random, Simulation, Status, Table


def run(scenario, design, folder, **options):
    return sd.run_study(scenario, design, folder, **{"progress": False, "processes": False, **options})


@pytest.fixture(scope="module")
def arm():
    return sd.load("planar_two_link")


def test_quantities_are_those_of_the_robot_with_each_rows_constants(arm, tmp_path, rng):
    rows = 3000
    design = Random({"q": ([-3, -3], [3, 3]), "link2.mass": (0.5, 2.0), "v.joint2": (-1, 1)}, rows=rows, seed=1)
    measures = {"weight": Measure("gravity_force"), "bias": Measure("bias_force", norm=True), "v": Measure("v")}
    found = run(Quantities(arm, measures, v=[0.5, 0.0]), design, tmp_path / "s", chunk=1024).results
    x = found.parameters
    v = np.stack([np.full(rows, 0.5), x["v.joint2"]], axis=-1)
    parametric = arm.with_backend("numpy").parametric("link2.mass")
    np.testing.assert_array_equal(found.values["v"], v)
    np.testing.assert_allclose(found.values["weight"], parametric.gravity_force(x["q"], x["link2.mass"]), atol=1e-12)
    bias = np.linalg.norm(parametric.bias_force(x["q"], v, x["link2.mass"]), axis=-1)
    np.testing.assert_allclose(found.values["bias"], bias, atol=1e-12)


def test_simulations_are_those_of_simulate(arm, tmp_path):
    options = {"duration": 0.5, "step": 0.01, "record_every": 0.1, "stops": False, "effort_limit": None}
    goal = [1.0, 0.0, 0.5]
    measures = {
        "end": Measure("q"),
        "all": Measure("v", over="all"),
        "far": Measure("position", frame="link2", minus=goal, norm=True, over="largest"),
        "drift": Measure("energy_drift", over="smallest"),
        "first": Measure("q", entry=0, over="mean"),
    }
    follow = sd.control.ComputedTorque(arm, [0.4, -0.2])
    design = Grid({"link2.mass": [0.8, 1.0, 1.3], "q0.joint2": [-0.2, 0.0, 0.4, 0.9]})
    scenario = Simulation(arm, measures, q0=[0.1, 0.0], control=follow, **options)
    study = run(scenario, design, tmp_path / "s")
    found, x = study.results, study.results.parameters
    q0 = np.stack([np.full(12, 0.1), x["q0.joint2"]], axis=-1)
    varied = arm.parametric("link2.mass")
    direct = sd.simulate(varied, q0, control=follow, parameters={"link2.mass": x["link2.mass"]}, **options)
    np.testing.assert_allclose(found.values["end"], direct.q[-1], rtol=1e-11, atol=1e-13)
    np.testing.assert_allclose(found.values["all"], direct.v.swapaxes(0, 1), rtol=1e-10, atol=1e-12)
    far = np.linalg.norm(arm.pose(direct.q, "link2")[..., :3, 3] - goal, axis=-1).max(axis=0)
    np.testing.assert_allclose(found.values["far"], far, rtol=1e-11)
    np.testing.assert_allclose(found.values["first"], direct.q[..., 0].mean(axis=0), rtol=1e-10)
    cube = found.to_xarray()
    assert cube["end"].dims == ("link2.mass", "q0.joint2", "end_0")
    np.testing.assert_array_equal(cube["far"].sel({"link2.mass": 1.3, "q0.joint2": 0.4}), found.values["far"][10])


def test_a_row_that_runs_away_says_so_and_the_others_are_as_without_it(arm, tmp_path):
    speeds = np.array([0.1, 1e160, 0.3, 0.4, -0.5, 1e170])
    scenario = Simulation(
        arm, {"q": Measure("q")}, duration=0.5, step=0.01, record_every=0.1, stops=False, effort_limit=None
    )
    study = run(scenario, Table({"v0.joint2": speeds}), tmp_path / "s")
    found = study.results
    assert found.failures.rows.tolist() == [1, 5]
    assert "not finite by t = 0.1 s" in found.failures.reason(1)
    assert study.status.failed == 2
    assert "2 failed" in str(study.status)
    assert "2 rows failed" in repr(found)
    good = np.delete(speeds, [1, 5])
    alone = run(scenario, Table({"v0.joint2": good}), tmp_path / "alone").results
    np.testing.assert_array_equal(alone.values["q"], np.delete(found.values["q"], [1, 5], axis=0))
    assert found.summary["q"].count == 4


def test_rows_with_impossible_parameters_fail_alone(arm, tmp_path):
    scenario = Quantities(arm, {"weight": Measure("gravity_force")}, q=[0.3, 0.1])
    found = run(scenario, Table({"link2.mass": [1.0, -1.0, 2.0, -3.0, 0.0]}), tmp_path / "s").results
    assert found.failures.rows.tolist() == [1, 3]
    assert "a mass must be zero or more" in found.failures.reason(3)
    assert np.isfinite(found.values["weight"][[0, 2, 4]]).all()


def test_singular_rows_name_the_link(tmp_path):
    weak = sd.Builder("weak")
    weak.link("upper", sd.Body(1.0, com=(0, 0, -1)), axis=(0, 1, 0))
    weak.link("hand", sd.Body(1.0, com=(0, 0, -1)), parent="upper", axis=(0, 1, 0))
    scenario = Quantities(weak.robot(), {"a": Measure("mass_matrix_inverse")})
    design = Table({"hand.mass": [1.0, 0.0], "q.hand_joint": [0.0, 0.1]})
    found = run(scenario, design, tmp_path / "s").results
    assert found.failures.rows.tolist() == [1]
    assert "hand" in found.failures.reason(1)


def test_functions_get_a_generator_that_depends_on_the_row_alone(tmp_path):
    def drawn(row, rng):
        return rng.random()

    design = Table({"k": np.arange(20.0)}, seed=3)
    one = run(Function(drawn), design, tmp_path / "one", chunk=1).results.values["result"]
    two = run(Function(drawn), design, tmp_path / "two", chunk=16).results.values["result"]
    np.testing.assert_array_equal(one, two)
    assert len(np.unique(one)) == 20


def test_batched_functions_find_the_row_that_fails(tmp_path):
    def root(values, seeds):
        if (values["x"] < 0).any():
            raise ValueError("negative")
        return {"root": np.sqrt(values["x"]), "seed": seeds % 1000}

    found = run(Function(root, batched=True), Table({"x": [1.0, -1.0, 4.0]}), tmp_path / "s").results
    assert found.failures.rows.tolist() == [1]
    assert found.failures.reason(1) == "ValueError: negative"
    np.testing.assert_array_equal(found.values["root"][[0, 2]], [1.0, 2.0])


def test_progress_is_told_after_every_chunk(tmp_path):
    told: list[Status] = []
    run(Function(lambda row: row["k"]), Table({"k": np.arange(8.0)}), tmp_path / "s", chunk=2, progress=told.append)
    assert [status.chunks for status in told] == [(1, 4), (2, 4), (3, 4), (4, 4)]
    assert [status.done for status in told] == [2, 4, 6, 8]
    assert told[-1].complete
    assert told[0].rate > 0


def test_results_become_tables_files_and_pictures(tmp_path):
    def pair(row):
        return {"sum": row["a"] + row["b"], "both": [row["a"], row["b"]]}

    study = run(Function(pair), Grid({"a": [1.0, 2.0], "b": [0.0, 1.0, 2.0]}), tmp_path / "s")
    frame = study.results.to_dataframe()
    assert list(frame.columns) == ["a", "b", "sum", "both[0]", "both[1]"]
    np.testing.assert_array_equal(frame["sum"], frame["a"] + frame["b"])
    with np.load(study.results.save(tmp_path / "all.npz")) as arrays:
        np.testing.assert_array_equal(arrays["measure both"][:, 1], arrays["parameter b"])
    pytest.importorskip("matplotlib")
    for measure in ("sum", "both"):
        assert study.plot(tmp_path / f"{measure}.png", measure).stat().st_size > 1000
    assert "Picture" in repr(study.plot())
