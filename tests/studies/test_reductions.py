"""Reductions against NumPy; their bits do not depend on chunks."""

from __future__ import annotations

import numpy as np
import pytest

import soadyn as sd
from soadyn.studies import Function, Histogram, Random, Table
from soadyn.studies.reductions import Sketch, bucket_middle, counted

ROWS = 5000


def wide(values):
    """Numbers of both signs over many decades, NaN in some rows; a list of two."""
    x = np.sinh(30 * (values["u"] - 0.5))
    return {"one": np.where(values["u"] > 0.99, np.nan, x), "two": np.stack([x, 1e9 + x], axis=-1)}


def study(folder, chunk, keep=True, **options):
    scenario = Function(wide, batched=True, keep=keep, histograms={"one": Histogram(-10.0, 10.0, 50)}, **options)
    design = Random({"u": (0.0, 1.0)}, rows=ROWS, seed=7)
    return sd.run_study(scenario, design, folder, chunk=chunk, processes=False, progress=False, workers=1)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    return study(tmp_path_factory.mktemp("studies") / "whole", 8192)


def test_reductions_are_numpys(whole):
    results = whole.results
    good = results.values["one"][np.isfinite(results.values["one"])]
    assert len(results.failures) == ROWS - len(good)
    assert results.failures.counts() == {"the measure 'one' is not finite": ROWS - len(good)}
    for name in ("one", "two"):
        x, found = results.values[name][np.isfinite(results.values["one"])], results.summary[name]
        assert found.count == len(good)
        np.testing.assert_allclose(found.mean, x.mean(axis=0), rtol=1e-12)
        np.testing.assert_allclose(found.variance, x.var(axis=0, ddof=1), rtol=1e-9)
        np.testing.assert_array_equal(found.smallest, x.min(axis=0))
        np.testing.assert_array_equal(found.largest, x.max(axis=0))
        np.testing.assert_array_equal(found.quantile(0.3), np.quantile(x, 0.3, axis=0, method="inverted_cdf"))
    assert results.values["one"][results.summary["one"].largest_row] == results.summary["one"].largest
    counts, edges = np.histogram(good, 50, (-10.0, 10.0))
    np.testing.assert_array_equal(results.summary["one"].histogram, counts)
    np.testing.assert_array_equal(results.summary["one"].edges, edges)
    assert results.summary["one"].outside.tolist() == [(good < -10).sum(), (good > 10).sum()]


@pytest.mark.parametrize("chunk", [64, 1024])
@pytest.mark.heavy(2)
def test_bits_do_not_depend_on_chunks(whole, tmp_path, chunk):
    other = study(tmp_path / "other", chunk, keep=False)
    assert not other.results.values
    for name, found in whole.results.summary.items():
        same = other.results.summary[name]
        for what in ("count", "mean", "variance", "smallest", "largest", "smallest_row", "largest_row"):
            assert getattr(found, what).tobytes() == getattr(same, what).tobytes(), what
    np.testing.assert_array_equal(whole.results.summary["one"].histogram, other.results.summary["one"].histogram)


def test_quantiles_of_the_sketch_are_as_near_as_promised(whole, tmp_path):
    shares = np.linspace(0.0, 1.0, 101)
    exact = whole.results.summary["two"].quantile(shares)
    reduced = study(tmp_path / "sketch", 256, keep=False).results.summary
    sketched = reduced["two"].quantile(shares)
    assert reduced["one"].quantile(0.5).shape == ()
    assert sketched.shape == exact.shape == (101, 2)
    assert (np.abs(sketched - exact) <= 2.0**-11 * np.abs(exact)).all()


def test_buckets_cover_all_numbers_in_order(rng):
    wide = rng.standard_normal(1000) * 10.0 ** rng.integers(-300, 300, 1000)
    x = np.concatenate([wide, [0.0, -0.0, 5e-324, 1.7e308]])
    keys = np.array([counted(np.array([number]))[0][0] for number in np.sort(x)])
    assert (np.diff(keys) >= 0).all()
    normal = np.abs(np.sort(x)) > 1e-290
    middle = bucket_middle(keys)
    assert (np.abs(middle - np.sort(x))[normal] <= 2.0**-11 * np.abs(np.sort(x))[normal]).all()
    node = Sketch().of(x[:, None], np.ones(len(x), bool), 0, 1)
    assert node["count"].sum() == len(x)


def test_a_chunk_in_which_every_row_failed_counts_for_nothing(tmp_path):
    def fails_early(row):
        if row["k"] < 4:
            raise RuntimeError("early")
        return row["k"]

    design = Table({"k": np.arange(10.0)})
    found = sd.run_study(
        Function(fails_early), design, tmp_path / "s", chunk=2, processes=False, progress=False
    ).results
    assert found.summary["result"].count == 6
    assert found.summary["result"].mean == 6.5
    assert np.isnan(found.values["result"][:4]).all()
    assert found.failures.reason(3) == "RuntimeError: early"
    assert found.failures.reason(4) == ""
