"""Programs are checked when they are made: each malformed one gets the error that says what is wrong with it."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, replace
from typing import Any

import numpy as np
import pytest

import soadyn as sd
from soadyn.engine.constants.constants import constants_of
from soadyn.engine.reference import run as reference
from soadyn.programs.sweep import Climb, Direction, Once, Output, Program, Sweep, newton_euler, under_actuated
from soadyn.programs.sweep import algorithms as named
from soadyn.programs.sweep.inputs import INPUTS
from soadyn.programs.sweep.program import CONSTANTS
from soadyn.quantities import QUANTITIES
from soadyn.theory.formula import dynamics

INWARD, OUTWARD, EVERY = Direction.TIP_TO_BASE, Direction.BASE_TO_TIP, Direction.EVERY_LINK


def count(joint: Any, *read: Any) -> tuple[Any]:
    """A step: one more than the sum of what it reads."""
    return (np.ones((1, 1)) + sum(read),)


def zero(gravity: Any) -> Any:
    return np.zeros((1, 1))


# Links share values of known names only, so the depth of a link travels as alpha and the size of its subtree as phi_f.
DEPTH = Sweep(OUTWARD, count, ("parent.alpha",), ("alpha",), ground=(("alpha", zero),))
SIZE = Sweep(INWARD, count, ("children.phi_f",), ("phi_f",))
DOUBLE = Sweep(EVERY, lambda joint, x: (2 * x,), ("phi_f",), ("double",))


@pytest.mark.parametrize(
    ("stages", "outputs", "words"),
    [
        pytest.param((DOUBLE,), (), r"reads 'phi_f' before it is written", id="read before written"),
        pytest.param((DOUBLE, SIZE), (), r"reads 'phi_f' before it is written", id="stages in the wrong order"),
        pytest.param((SIZE, SIZE), (), r"writes 'phi_f', which is defined already", id="written twice"),
        pytest.param(
            (replace(SIZE, writes=("q",)),),
            (),
            r"reads 'children.phi_f' before 'phi_f' is written",
            id="children unwritten",
        ),
        pytest.param(
            (Sweep(EVERY, count, (), ("q",)),), (), r"writes 'q', which is defined already", id="an input overwritten"
        ),
        pytest.param(
            (Sweep(EVERY, count, (), ("M",)),), (), r"writes 'M', which is defined already", id="a constant overwritten"
        ),
        pytest.param(
            (replace(SIZE, direction=OUTWARD),),
            (),
            r"reads 'children.phi_f', but only a sweep tip to base can",
            id="children read outward",
        ),
        pytest.param(
            (replace(DEPTH, direction=INWARD),),
            (),
            r"reads 'parent.alpha', but only a sweep base to tip can",
            id="parent read inward",
        ),
        pytest.param(
            (replace(DEPTH, direction=EVERY),),
            (),
            r"reads 'parent.alpha', but only a sweep base to tip can",
            id="parent read in no order",
        ),
        pytest.param(
            (SIZE, Once(lambda x: (x,), ("children.phi_f",), ("whole",))),
            (),
            r"reads 'children.phi_f', but only a sweep",
            id="children read once",
        ),
        pytest.param(
            (replace(DEPTH, ground=()),),
            (),
            r"reads 'parent.alpha', but nothing says what the ground's 'alpha' is",
            id="no ground",
        ),
        pytest.param(
            (SIZE, Sweep(OUTWARD, count, ("parent.phi_f",), ("other",))),
            (),
            r"nothing says what the ground's 'phi_f' is",
            id="no ground for another's value",
        ),
        pytest.param(
            (Once(lambda x: (x,), ("ground.phi_f",), ("whole",)),),
            (),
            r"reads 'ground.phi_f' before 'phi_f' is written",
            id="ground unwritten",
        ),
        pytest.param(
            (Once(lambda x: (x,), ("frame.pose",), ("whole",)),),
            (),
            r"reads 'frame.pose' before 'pose' is written",
            id="frame unwritten",
        ),
        pytest.param(
            (SIZE, Once(lambda x: (x,), ("sibling.phi_f",), ("whole",))),
            (),
            r"no such prefix as 'sibling'",
            id="unknown prefix",
        ),
        pytest.param(
            (SIZE,), (Output("alpha", "sum"),), r"returns 'alpha', which nothing writes", id="output unwritten"
        ),
        pytest.param(
            (SIZE,), (Output("phi_f", "whole"),), r"returns 'phi_f' whole and does not say its shape", id="no shape"
        ),
        pytest.param(
            (Climb(count, ("H",), count, ("H",), ("matrix",)),),
            (),
            r"reads 'H' before it is written",
            id="climb too early",
        ),
    ],
)
def test_a_malformed_program_is_refused(stages: Any, outputs: Any, words: str) -> None:
    with pytest.raises(sd.ProgramError, match=rf"^program 'wrong'.*{words}"):
        Program("wrong", stages, outputs)


def test_a_program_error_names_the_step() -> None:
    with pytest.raises(sd.ProgramError, match=r"step 'count'"):
        Program("wrong", (SIZE, SIZE), ())


def test_every_named_program_is_well_formed_and_reads_known_inputs() -> None:
    programs = [x for module in (named, under_actuated) for x in vars(module).values() if isinstance(x, Program)]
    programs += [quantity.program for quantity in QUANTITIES.values()]
    assert len(programs) >= len({quantity.program.name for quantity in QUANTITIES.values()})
    for program in programs:
        Program(program.name, program.stages, program.outputs)
        assert set(program.inputs) <= set(INPUTS)
        assert "q" in program.inputs


def test_a_constant_given_to_a_stage_is_no_longer_an_input() -> None:
    assert "passive" in newton_euler.HYBRID_DYNAMICS.inputs
    assert "passive" not in dynamics.forward_dynamics().inputs
    assert "vdot" not in dynamics.forward_dynamics().inputs
    assert named.MASS_MATRIX_INVERSE.inputs == ("q",)
    assert newton_euler.BIAS_FORCE.inputs == ("q", "v")


def test_inputs_and_constants_have_different_names() -> None:
    assert not set(INPUTS) & set(CONSTANTS)


def test_a_program_cannot_be_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        named.MASS_MATRIX.name = "other"  # type: ignore[misc]


def ran(program: Program) -> list[list[float]]:
    """The outputs on a tree in which b and d hang on a, and c on b."""
    builder = sd.Builder("tree")
    for name, parent in (("a", None), ("b", "a"), ("c", "b"), ("d", "a")):
        builder.link(name, sd.Body(1.0, inertia=np.eye(3)), parent=parent)
    outputs, faults = reference.run(program, constants_of(builder.model()), {"q": np.zeros(4)}, ())
    assert not faults
    return [output.tolist() for output in outputs]


def test_outward_sweeps_see_parents_and_inward_ones_children() -> None:
    outputs = tuple(Output(name, "joint") for name in ("alpha", "phi_f", "double"))
    depth, size, double = ran(Program("walks", (DEPTH, SIZE, DOUBLE), outputs))
    assert depth == [1, 2, 3, 2]
    assert size == [4, 2, 1, 1]
    assert double == [8, 4, 2, 2]


def test_a_once_sees_what_arrives_at_the_ground() -> None:
    whole = Once(lambda x: (x,), ("ground.phi_f",), ("whole",))
    assert ran(Program("whole", (SIZE, whole), (Output("whole", "whole", ()),))) == [4]


def test_a_later_sweep_can_read_the_children_of_an_earlier_one() -> None:
    brood = Sweep(INWARD, lambda joint, x: (x + np.zeros((1, 1)),), ("children.phi_f",), ("brood",))
    assert ran(Program("brood", (SIZE, brood), (Output("brood", "joint"),))) == [[3, 1, 0, 0]]
