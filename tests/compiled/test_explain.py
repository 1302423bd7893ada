"""Programs printed as the papers print them."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

import soadyn as sd
from soadyn.programs.sweep import algorithms, newton_euler
from soadyn.programs.sweep.loops import HEADERS, loops
from soadyn.programs.sweep.printing import documented, explain
from soadyn.programs.sweep.program import Direction, step_of
from soadyn.quantities import QUANTITIES
from soadyn.robot.compiled.explaining import explain as explain_quantity
from soadyn.view.display.equations import equation

GOLDEN = Path(__file__).resolve().parents[1] / "golden"


@pytest.mark.parametrize("quantity", ["forward_dynamics", "mass_matrix"])
def test_the_printed_recursion_is_the_agreed_one(quantity):
    """SOADYN_UPDATE_GOLDEN=1 writes the file anew."""
    text = explain_quantity(quantity, sd.load("planar_two_link"))
    path = GOLDEN / f"explain_{quantity}_planar_two_link.txt"
    if os.environ.get("SOADYN_UPDATE_GOLDEN"):
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("quantity", QUANTITIES)
def test_every_quantity_can_be_explained(quantity):
    text = explain_quantity(quantity)
    program = QUANTITIES[quantity].program
    assert QUANTITIES[quantity].equation in text
    assert "k = 1 is a tip" in text
    for stage in program.stages:
        step = step_of(stage)
        equations, _, reference = documented(step)
        assert equations, f"{step.__name__} has no equation in its docstring"
        assert all(line.split("  [")[0].rstrip() in text for line in equations)
        assert reference in text or any(re.search(r"  \[00\d ", line) for line in equations)


def test_forward_dynamics_is_three_loops():
    headers = [loop.header for loop in loops(QUANTITIES["forward_dynamics"].program)]
    outward, inward = HEADERS[Direction.BASE_TO_TIP], HEADERS[Direction.TIP_TO_BASE]
    assert headers == [outward, inward, outward]


def test_loops_hold_all_stages_in_their_order():
    for quantity in QUANTITIES.values():
        found = [stage for loop in loops(quantity.program) for stage in loop.stages]
        assert tuple(found) == quantity.program.stages


def test_what_arrives_at_the_ground_is_read_after_the_loop():
    headers = [loop.header for loop in loops(algorithms.CENTER_OF_MASS)]
    assert headers == [HEADERS[Direction.TIP_TO_BASE], "once"]


def test_constants_are_said():
    assert "with every joint free to move" in explain(QUANTITIES["forward_dynamics"].program)
    assert "α(ground) = [0; -g]" in explain(newton_euler.HYBRID_DYNAMICS)
    assert "T = I (a column for each joint component)" in explain(algorithms.MASS_MATRIX_INVERSE)
    assert "passive = 1" not in explain(newton_euler.HYBRID_DYNAMICS)


def test_words_of_recursions_are_typeset_with_their_spaces():
    assert equation("H(k) = the joint's map, link force to joint force") == (
        r"H(k) = \text{the joint's map, link force to joint force}"
    )
    assert equation("[R, l̃ R; 0, R],    R and l from q(k)") == (
        r"[R, \tilde l R; 0, R], \quad R\text{ and }l\text{ from }q(k)"
    )
    assert equation("0 if p is the ground") == r"0\text{ if }p\text{ is the ground}"
    assert equation("H_a*(k) theta_ddot_a(k)") == r"H_a^*(k) \ddot\theta_a(k)"


def test_a_robot_shows_its_links_in_the_papers_order():
    text = explain_quantity("mass_matrix", sd.load("free_flyer")).partition("\nPapers\n")[0]
    assert "n = 11 links, joints: 1 free, 7 revolute, 3 continuous" in text
    lines = [line.split() for line in text.splitlines()[-11:]]
    assert [line[0] for line in lines] == [str(k) for k in range(1, 12)]
    assert lines[-1][1] == "base"
    assert "on the ground" in text.splitlines()[-1]


def test_a_program_can_be_explained_itself():
    text, _, papers = explain_quantity(algorithms.MASS_MATRIX).partition("\nPapers\n")
    assert text == explain(algorithms.MASS_MATRIX)
    assert "Kreutz-Delgado" in papers


def test_strangers_are_refused():
    with pytest.raises(sd.UnknownNameError, match=r"unknown quantity 'mass_matrx'. Did you mean 'mass_matrix'"):
        explain_quantity("mass_matrx")
    with pytest.raises(sd.ArgumentError, match="name of a quantity, a formula or a Program, got int"):
        explain_quantity(3)
    with pytest.raises(sd.ArgumentError, match=r"explain takes a Robot, as sd.load makes them, got str"):
        explain_quantity("mass_matrix", "ur5")
