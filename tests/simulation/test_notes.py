"""What of a simulation ran in Python: the trajectory says so, why, and what to do about it."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import soadyn as sd
from small_robots import ball
from soadyn.engine.engine import Engine
from soadyn.model.draft import Mimic
from soadyn.simulation import Trajectory
from soadyn.simulation.run import adaptive, rollout, running, staged, stepwise

ARM = "planar_two_link"
LONG = {"duration": 0.5, "step": 0.002, "record_every": 0.25}
WAYS = {"adaptive": adaptive.run, "rollout": rollout.run, "staged": staged.run, "stepwise": stepwise.run}
PAGE = Path(__file__).resolve().parents[2] / "docs" / "guides" / "simulation.md"


def still(t: float, q: np.ndarray, v: np.ndarray, *_: Any) -> np.ndarray:
    return 0 * v


def wrench(t: float, q: np.ndarray, v: np.ndarray) -> dict[str, np.ndarray]:
    return {"tool": np.zeros(6)}


def tied() -> sd.Robot:
    b = sd.Builder("gripper")
    body = sd.Body(1.0, com=(0.1, 0.0, 0.0), inertia=np.diag([0.01, 0.01, 0.01]))
    b.link("left", body, axis=(0, 0, 1), joint_name="left_joint")
    b.link("right", body, axis=(0, 0, 1), joint_name="right_joint", mimic=Mimic("left_joint", -1.0, 0.0))
    return b.robot(mimic="tie")


def run(robot: str | sd.Robot = ARM, **options: Any) -> Callable[[], Trajectory]:
    def made() -> Trajectory:
        one = sd.load(robot) if isinstance(robot, str) else robot
        return sd.simulate(one, one.neutral(), **LONG | options)

    return made


# How it is simulated, the way it then goes, and what the notes say.
REASONS: dict[str, tuple[Callable[[], Trajectory], str, list[str]]] = {
    "machine code": (run(), "rollout", []),
    "torque": (
        run(control=still),
        "staged",
        [r"control is a Python function, asked 4 times a step: sampled=True asks once, and a feedback of sd\.control"],
    ),
    "sampled torque": (
        run(control=still, sampled=True),
        "staged",
        [r"control is a Python function, asked once a step: a feedback of sd\.control or sd\.TimeSeries runs in"],
    ),
    "external": (
        run(external=wrench),
        "staged",
        [r"external is a Python function, asked 4 times a step: a constant or sd\.TimeSeries runs in machine code"],
    ),
    "acceleration and passive": (
        run(prescribed=sd.Prescribed(still, passive=lambda t: ["joint2"]), method="semi-implicit"),
        "staged",
        [
            r"acceleration is a Python function, asked once a step: a constant runs",
            r"passive is a Python function, asked once a step: a schedule \{time: joints\} runs in machine code",
        ],
    ),
    "symplectic": (
        run(control=still, external=wrench, method="symplectic", duration=0.1),
        "stepwise",
        [
            r'method "symplectic" asks control and external many times a step: step by step in Python',
            r"only 50 steps",
            r"control is a Python function, asked at every evaluation",
            r"external is a Python function, asked at every evaluation",
        ],
    ),
    "few steps": (run(duration=0.08), "stepwise", [r"only 40 steps: not worth compiling; sd\.Stepper"]),
    "events": (
        run(events=[sd.Event(lambda t, q, v: q[0] - 9.0, name="far")]),
        "stepwise",
        [r"events \('far'\) are looked for in every step: step by step in Python"],
    ),
    "two-sweep": (
        run(method="two-sweep", stops=False, effort_limit=None, duration=0.02),
        "stepwise",
        [r'method "two-sweep" steps in Python: "semi-implicit" is the same motion', r"only 10 steps"],
    ),
    "adaptive": (
        run(method="adaptive", control=still),
        "adaptive",
        [r'method "adaptive" chooses its steps in Python', r"control is a Python function"],
    ),
    "tied joints": (
        lambda: run(tied(), duration=0.02)(),
        "stepwise",
        [r"tied mimic joint 'right_joint': step by step in Python; .* mimic=\"independent\"", r"only 10 steps"],
    ),
    "turning springs": (
        lambda: run(ball("spherical", stiffness=(1.0, 2.0, 3.0)), duration=0.02)(),
        "stepwise",
        [r"springs in joint 'joint', which turn freely: step by step in Python", r"only 10 steps"],
    ),
    "the reference": (
        lambda: run(sd.load(ARM).with_backend("numpy"), duration=0.02)(),
        "stepwise",
        [r'backend "numpy": step by step in Python; robot\.with_backend\("auto"\)', r"only 10 steps"],
    ),
}


@pytest.mark.parametrize("name", REASONS)
def test_the_way_and_the_notes_are_one_decision(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    simulated, way, notes = REASONS[name]
    ran = []
    for one, function in WAYS.items():
        module = {"adaptive": adaptive, "rollout": rollout, "staged": staged, "stepwise": stepwise}[one]
        monkeypatch.setattr(module, "run", lambda *given, one=one, run=function: ran.append(one) or run(*given))
    found = simulated()
    assert ran == [way]
    assert len(found.notes) == len(notes), found.notes
    for said, expected in zip(found.notes, notes, strict=True):
        assert re.match(expected, said), said


def test_without_native_code_or_joints_the_notes_say_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Engine, "kernels", None)
    assert re.match("there is no native code here, for which soadyn needs llvmlite", run(duration=0.02)().notes[0])
    monkeypatch.undo()
    b = sd.Builder("stone")
    b.link("rock", sd.Body(1.0, inertia=np.diag([0.01, 0.01, 0.01])), joint="fixed")
    assert run(sd.build(b), duration=0.02)().notes[0] == "a robot without joints: step by step in Python"


def test_the_guide_has_a_row_for_every_reason() -> None:
    """The words by which a note is found on the page."""
    page = PAGE.read_text().partition("## What runs in Python")[2].partition("\n## ")[0]
    for word in ("control", "external", "acceleration", "passive", "symplectic", "steps", "events", "two-sweep",
                 "adaptive", "mimic", "turn freely", "numpy", "llvmlite"):  # fmt: skip
        assert word in page, word


def test_notes_are_shown_kept_and_joined(tmp_path: Path) -> None:
    few = run(duration=0.08, record_every=0.04, control=still)()
    assert len(few.notes) == 2
    assert repr(few).endswith(f"; {few.notes[0]} (and 1 more; see notes)>")
    assert "\n" not in repr(few)
    assert few._repr_html_().count("in Python</") == 2
    assert few[:2].notes == few.between(0.01, 0.02).notes == few.notes
    assert Trajectory.load(few.save(tmp_path / "few.npz")).notes == few.notes
    longer = run(control=still)()
    assert few.joined(sd.simulate(sd.load(ARM), few.end.q, few.end.v, **LONG)).notes == few.notes
    assert few.joined(sd.simulate(sd.load(ARM), few.end.q, few.end.v, control=still, **LONG)).notes == (
        *few.notes, *(note for note in longer.notes if note not in few.notes)
    )  # fmt: skip


def test_a_file_without_notes_is_one_of_before(tmp_path: Path) -> None:
    whole = run()()
    path = whole.save(tmp_path / "whole.npz")
    with np.load(path) as file:
        assert "notes" not in file.files
    assert Trajectory.load(path).notes == ()
    phases = sd.Phases([run(duration=0.08)(), whole])
    assert [part.notes for part in sd.Phases.load(phases.save(tmp_path / "phases.npz")).parts] == [
        part.notes for part in phases.parts
    ]


def test_what_was_done_before_an_error_has_notes(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(sd.SimulationError) as caught:
        run(control=lambda t, q, v: v * np.nan if t > 0.1 else v)()
    assert caught.value.trajectory is not None
    assert caught.value.trajectory.notes[0].startswith("control is a Python function")
    assert running.way_of(run()().derivatives.problem)[1] == ()
