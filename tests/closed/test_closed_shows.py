"""Two hundred random closed robots beside the dense oracle; the same robot cut elsewhere or held twice."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from test_closed_dynamics import EPS, prepared
from test_elimination import with_homes

import soadyn as sd
from agreement import error
from closed_robots import random_closed
from soadyn.mechanics.joint.closure_kinds import CLOSURE_KINDS
from soadyn.model.closing import with_closure
from soadyn.theory.oracle.dense_closures import DenseClosures

KINDS = [*CLOSURE_KINDS, "other"]


@pytest.mark.slow
@pytest.mark.parametrize("share", range(10))
def test_two_hundred_random_robots_move_as_the_dense_oracle_says(share: int) -> None:
    for seed in range(20 * share, 20 * share + 20):
        rng = np.random.default_rng(seed)
        cuts, root = 1 + seed % 6, ("fixed", "free")[seed % 2]
        kind = KINDS[seed % len(KINDS)] if cuts == 1 else None
        model, q = random_closed(rng, 5 + 2 * cuts, cuts, seed % 3, kind, mobile=True, root=root, armature=seed % 4 > 1)
        if seed % 5 == 0:  # one closure twice
            model = replace(with_closure(model, replace(model.closures[0], name="again")), superfluous=())
        robot, v, tau, condition = prepared(rng, model, q)
        dense = DenseClosures(model, q, v)
        J, M, C = dense.jacobian, dense.dense.mass_matrix, dense.dense.bias_force(None)
        expected, multipliers = dense.forward_dynamics(tau)
        programs = [robot, sd.Robot(with_homes(robot.model, q), "straight")]
        for same in programs:
            a, lam = same.constrained_dynamics(q, v, tau)
            assert error(a, expected) < max(100 * EPS * condition, 1e-13), seed
            assert error(J.T @ lam, J.T @ multipliers) < max(100 * EPS * condition, 1e-13) * max(
                1.0, np.abs(tau).max() / np.abs(J.T @ multipliers).max()
            ), seed
            sizes = np.abs(M) @ np.abs(a) + np.abs(tau) + np.abs(C) + np.abs(J.T) @ np.abs(lam)
            assert np.abs(M @ a + C - tau - J.T @ lam).max() < 1e-12 * sizes.max(), seed
            # Rows are of the order of 1: what their frames accelerate with is of that of joints and of squared rates.
            size = (1 + np.abs(J).max()) * np.abs(a).max() + np.abs(dense.drift).max() + np.abs(v).max() ** 2
            assert np.abs(J @ a + dense.drift).max() < max(1e-12, EPS * condition) * size, seed
