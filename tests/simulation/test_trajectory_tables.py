"""Trajectories as tables, and files that survive being killed while they are written."""

from __future__ import annotations

import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import soadyn as sd
from soadyn.simulation import Trajectory, simulate

SAVING = """
import sys, soadyn as sd
run = sd.Trajectory.load(sys.argv[1])
print("ready", flush=True)
while True:
    run.save(sys.argv[2])
"""


@pytest.fixture
def flight(rng):
    flyer = sd.load("free_flyer")
    return simulate(flyer, flyer.neutral(), 0.3 * rng.standard_normal((2, 3, flyer.nv)), duration=0.03, step=0.01)


def test_a_dataframe_has_a_column_for_every_entry(flight):
    one = flight.row((1, 2)).to_dataframe()
    assert list(one.columns[:3]) == ["t", "q.root.w", "q.root.x"]
    np.testing.assert_array_equal(one["momentum.linear_z"], flight.momentum[:, 1, 2, 5])
    every = flight.to_dataframe()
    fifth = every[every["row"] == 5]
    np.testing.assert_array_equal(fifth["v.elbow"], one["v.elbow"])
    assert len(every) == 6 * len(flight)


def test_a_dataset_names_its_axes(flight):
    data = flight.to_xarray()
    assert dict(data.sizes) == {"time": 4, "row_0": 2, "row_1": 3, "coordinate": 17, "rate": 16, "part": 6}
    np.testing.assert_array_equal(
        data.v.sel(rate="elbow").isel(row_0=1), flight.v[:, 1, :, flight.v_names.index("elbow")]
    )
    assert data.attrs["robot_name"] == "free_flyer"
    assert dict(flight.row((0, 1)).to_xarray().sizes)["time"] == 4


def test_parquet_files_hold_what_dataframes_do(flight, tmp_path):
    import pandas
    import pyarrow.parquet as parquet

    back = pandas.read_parquet(flight.save(tmp_path / "flight.parquet"))
    assert back.equals(flight.to_dataframe())
    assert parquet.read_metadata(tmp_path / "flight.parquet").metadata[b"soadyn.robot_name"] == b"free_flyer"


@pytest.mark.parametrize(
    ("package", "call"),
    [
        ("pandas", lambda run, folder: run.to_dataframe()),
        ("xarray", lambda run, folder: run.to_xarray()),
        ("pyarrow", lambda run, folder: run.save(folder / "run.parquet")),
    ],
)
def test_a_missing_package_is_named_with_how_to_get_it(flight, tmp_path, monkeypatch, package, call):
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(sd.ArgumentError, match=rf"needs? {package}; install it with: pip install {package}"):
        call(flight, tmp_path)
    assert not list(tmp_path.iterdir())


def test_a_process_killed_while_saving_loses_nothing_finished(tmp_path, rng):
    arm = sd.load("planar_two_link")
    run = simulate(arm, rng.standard_normal((4000, 2)), duration=0.2, step=0.01)
    source, target = run.save(tmp_path / "source.npz"), tmp_path / "target.npz"
    run.save(target)
    for _ in range(4):
        with subprocess.Popen([sys.executable, "-c", SAVING, source, target], stdout=subprocess.PIPE) as child:
            assert child.stdout is not None
            child.stdout.readline()
            time.sleep(float(rng.uniform(0.02, 0.1)))
            child.send_signal(signal.SIGKILL)
        np.testing.assert_array_equal(Trajectory.load(target).q, run.q)
