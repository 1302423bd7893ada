"""Designs: values of a row depend on its number alone, and are spread as told."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from soadyn.studies import Grid, LatinHypercube, Random, Sobol, Table
from soadyn.studies.seeds import row_generator, row_seeds

PARAMETERS = {
    "mass": stats.norm(2.0, 0.1),
    "q0": ([-1.0, 0.0, 3.0], [1.0, 0.0, 4.0]),
    "gain": stats.loguniform(1.0, 1e3),
}
DESIGNS = [
    Random(PARAMETERS, rows=1000, seed=4),
    LatinHypercube(PARAMETERS, rows=1000, seed=4),
    Sobol(PARAMETERS, rows=1000, seed=4),
    Grid({"a": np.arange(10.0), "b": np.arange(20.0).reshape(10, 2), "c": [1.0, 2.0, 3.0]}),
    Table({"a": np.arange(7.0), "b": np.ones((7, 2))}),
]


@pytest.mark.parametrize("design", DESIGNS, ids=lambda design: type(design).__name__)
def test_a_rows_values_do_not_depend_on_the_rows_asked_for_with_it(design, rng):
    whole = design.values(0, design.rows)
    for _ in range(20):
        begin, end = sorted(rng.integers(0, design.rows + 1, 2))
        some = design.values(begin, end)
        for name, x in whole.items():
            np.testing.assert_array_equal(some[name], x[begin:end], strict=True)
            assert some[name].shape[1:] == design.shapes[name]


def test_random_rows_are_distributed_as_told():
    x = Random(PARAMETERS, rows=20_000, seed=1).values(0, 20_000)
    assert stats.kstest(x["mass"], stats.norm(2.0, 0.1).cdf).pvalue > 1e-3
    assert stats.kstest(x["q0"][:, 2], stats.uniform(3.0, 1.0).cdf).pvalue > 1e-3
    assert stats.kstest(x["gain"], stats.loguniform(1.0, 1e3).cdf).pvalue > 1e-3
    assert (x["q0"][:, 1] == 0).all()
    assert abs(np.corrcoef(x["mass"], x["gain"])[0, 1]) < 0.03
    assert abs(np.corrcoef(x["mass"][1:], x["mass"][:-1])[0, 1]) < 0.03


def test_latin_hypercubes_have_a_row_in_each_slice_and_sobol_rows_in_each_box():
    x = LatinHypercube({"x": (0.0, 1.0), "y": (0.0, 1.0)}, rows=512, seed=2).values(0, 512)
    assert all((np.sort(np.floor(512 * x[name])) == np.arange(512)).all() for name in "xy")
    x = Sobol({"x": (0.0, 1.0), "y": (0.0, 1.0)}, rows=1024, seed=2).values(0, 1024)
    assert (np.histogram2d(x["x"], x["y"], bins=16, range=[(0, 1), (0, 1)])[0] == 4).all()


def test_seeds_change_the_rows_and_far_rows_cost_nothing():
    one, two = (Random({"x": (0.0, 1.0)}, rows=10**15, seed=seed) for seed in (1, 2))
    assert not (one.values(0, 100)["x"] == two.values(0, 100)["x"]).any()
    assert len(np.unique(one.values(10**15 - 100, 10**15)["x"])) == 100


def test_rows_have_generators_of_their_own():
    seeds = row_seeds(3, 0, 10_000)
    assert len(np.unique(seeds)) == 10_000
    assert not (row_seeds(4, 0, 10_000) == seeds).any()
    first, second = (row_generator(int(seed)).random(1000) for seed in seeds[:2])
    assert abs(np.corrcoef(first, second)[0, 1]) < 0.1


def test_a_grid_has_every_combination_once():
    x = Grid({"a": [1.0, 2.0], "b": [3.0, 4.0, 5.0]}).values(0, 6)
    assert set(zip(x["a"].tolist(), x["b"].tolist(), strict=True)) == {(a, b) for a in (1, 2) for b in (3, 4, 5)}


def test_what_has_quantiles_is_a_distribution_and_its_arrays_are_vectors():
    class Triangle:
        """Between 0 and 1, the density rising."""

        def ppf(self, u):
            return np.sqrt(u)

    design = Sobol({"x": Triangle(), "pair": stats.norm([0.0, 5.0], [1.0, 2.0])}, rows=4096, seed=3)
    x = design.values(0, 4096)
    assert design.shapes == {"x": (), "pair": (2,)}
    assert stats.kstest(x["x"], lambda s: s**2).pvalue > 0.1
    np.testing.assert_allclose(x["pair"].mean(0), [0.0, 5.0], atol=0.02)
    np.testing.assert_allclose(x["pair"].std(0), [1.0, 2.0], rtol=0.02)


def test_no_row_is_infinite_where_a_quantile_is():
    design = Random({"x": stats.norm()}, rows=1)
    found = design._distributions["x"].quantile(np.array([0.0, 0.5, 1 - 2.0**-53]))
    assert np.isfinite(found).all()
    assert found[1] == 0


def test_designs_of_other_distributions_have_another_content():
    def content(law):
        return repr(Random({"x": law}, rows=3).content())

    assert content(stats.norm(2.0, 0.1)) == content(stats.norm(loc=2.0, scale=0.1))
    assert (
        len({content(law) for law in (stats.norm(2.0, 0.1), stats.norm(2.0, 0.2), stats.uniform(2.0, 0.1), (2.0, 2.1))})
        == 4
    )
