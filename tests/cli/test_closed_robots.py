"""What the command line says of robots with closures."""

from __future__ import annotations

import json

import numpy as np
import pytest

import soadyn as sd
from closed_robots import four_bar
from loop_cases import FOURBAR
from soadyn.cli import closed_checks
from soadyn.cli.case import Case


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "fourbar.urdf"
    path.write_text(FOURBAR)
    return str(path)


def test_info_lists_the_closures(soadyn, file):
    code, printed, _ = soadyn("info", file)
    assert code == 0
    assert "pin      hinge  coupler, rocker  5     3" in printed
    assert "mobility 1" in printed
    told = json.loads(soadyn("info", file, "--json")[1])
    between = ["coupler", "rocker"]
    assert told["closures"] == [{"name": "pin", "kind": "hinge", "between": between, "rows": 5, "superfluous": 3}]
    assert told["mobility"] == 1


def test_check_looks_at_the_tree_and_at_the_closed_robot(soadyn, file):
    code, printed, _ = soadyn("check", file, "--states", "3")
    assert code == 0
    assert "at 3 random states, its closures open" in printed
    assert "with 1 closure, where it is closed" in printed
    assert all(check.fact in printed for check in closed_checks.CHECKS)


class Elsewhere:
    """Stands for a robot whose closures and accelerations are wrong by a tenth."""

    def __init__(self, robot):
        self._robot = robot

    def __getattr__(self, name):
        found = getattr(self._robot, name)
        if name not in ("closure_jacobian", "forward_dynamics", "constrained_dynamics", "closure_inertia_inverse"):
            return found

        def wrong(*given):
            result = found(*given)
            return tuple(1.1 * x for x in result) if isinstance(result, tuple) else 1.1 * result

        return wrong


@pytest.mark.parametrize("check", closed_checks.CHECKS, ids=lambda check: check.error.__name__)
def test_what_is_wrong_on_a_closed_robot_is_found(check):
    robot = four_bar()
    case = closed_checks.closed_case(robot, 4, 0)
    assert isinstance(case, Case)
    assert np.max(check.error(case)) < check.allowed
    case.compute = Elsewhere(robot)
    assert np.max(check.error(case)) > 1e-3


def test_a_robot_that_cannot_be_closed_is_refused_with_a_way_out(tmp_path):
    path = tmp_path / "apart.urdf"
    path.write_text(FOURBAR.replace('xyz="0.9 0 0"', 'xyz="9 0 0"'))
    with pytest.raises(sd.ModelError, match=r"closure 'pin' stays open by .*; closures=False loads the tree"):
        sd.load(path)
    assert sd.load(path, closures=False).nv == 3
