"""Level 4 - a program printed as the papers print it: loops over the links, and the equations of each step.

The equations are those of the steps' docstrings, so that what is printed is what is written where it is computed.
"""

from __future__ import annotations

import inspect
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from soadyn.programs.sweep.inputs import share_of
from soadyn.programs.sweep.loops import loops
from soadyn.programs.sweep.program import Climb, Output, Pairs, Program, Stage, Step, Sweep, step_of
from soadyn.programs.sweep.vector_names import OF_SYMBOL, OF_VALUE

if TYPE_CHECKING:
    from soadyn.model.model import Model

WIDTH = 100
INDENT = "    "
NUMBERING = (
    "Links are counted as in the papers, from the tips to the base: k = 1 is a tip, p the link that carries k\n"
    "(k + 1 in a chain, the ground at last), j a link that k carries."
)
# How the papers write what the code calls otherwise.
LETTERS = {
    **{name: OF_VALUE[name].letter for name in ("vdot", "tau", "f_external")},
    **{name: OF_SYMBOL[name].letter for name in ("alpha", "theta_ddot")},
    "mass": "Mass",
    "D_block": "D",
    "energy": "E",
    "com": "c",
    "momentum": "h",
    "J_com": "J_c",
    "pose_frame": "pose",
    "pose_link": "pose",
    "V_frame": "V",
    "alpha_frame": "α",
    "about_com": "about",
    "V_shown": "V_link",
    "alpha_link": "α_link",
    "Upsilon_link": "Υ_link",
    "Lambda": "Λ",
    "Lambda_inverse": "Λ⁻¹",
    "V_new": "V",
    "q_new": "q",
    "v_new": "v",
}
ON_THE_GROUND = {"resting": "0", "upward": "[0; -g]", "world": "identity"}


def explain(program: Program, model: Model | None = None) -> str:
    """The program as text: for each loop its direction and equations, with the papers' equation numbers at the right.

    With a model also its links in the order of the walk.

    >>> from soadyn.programs.sweep.algorithms import MASS_MATRIX
    >>> print(explain(MASS_MATRIX).splitlines()[0])
    mass_matrix:  q → Mass
    """
    letters = {**LETTERS, **{k: x for stage in program.stages for k, x in _own_letters(stage).items()}}
    results = ", ".join(_result(out, letters) for out in program.outputs)
    inputs = ", ".join(dict.fromkeys(LETTERS.get(name, name) for name in program.inputs if share_of(name) != "each"))
    lines = [f"{program.name}:  {inputs} → {results}", "", *recursion(program)]
    if model is not None:
        lines += ["", *_model_lines(model)]
    return "\n".join(lines) + "\n"


def recursion(program: Program) -> list[str]:
    """The loops of a program, and how links are counted in them."""
    lines = [NUMBERING]
    for loop in loops(program):
        lines += ["", loop.header]
        for stage in loop.stages:
            lines += [INDENT + line for line in _stage_lines(stage)]
    return lines


def _own_letters(stage: Stage) -> dict[str, str]:
    """The letters of a step that was made from a formula."""
    return getattr(stage.step, "letters", {}) if isinstance(stage, Sweep) else {}


def _result(output: Output, letters: Mapping[str, str]) -> str:
    letter = letters.get(output.value, output.value)
    return f"{letter} (a column for each joint component)" if output.layout == "joint matrix" else letter


def _stage_lines(stage: Stage) -> Iterator[str]:
    """Equations, remarks and constants of a stage."""
    equations, remarks, reference = documented(step_of(stage))
    if isinstance(stage, Climb | Pairs):
        equations = [*equations, *_climbing(stage, equations)]
    yield from _with_reference(equations, reference)
    yield from (INDENT + line for line in remarks)
    constants = _constants(stage)
    if constants:
        yield f"{INDENT}with {', '.join(constants)}"


def _with_reference(equations: list[str], reference: str) -> Iterator[str]:
    """References stand at the right: each line's own, or the step's at the first equation that leaves room for it."""
    own = [re.fullmatch(r"(.*?)  +\[(\d{3} .*)\]", line) for line in equations]
    if any(own):
        for line, found in zip(equations, own, strict=True):
            yield line if found is None else _aligned(found.group(1), found.group(2))
        return
    room = WIDTH - len(INDENT) - len(reference)
    chosen = next((i for i, line in enumerate(equations) if _shown(line) < room - 1), None) if reference else None
    for i, line in enumerate(equations):
        yield _aligned(line, reference) if i == chosen else line
    if reference and chosen is None:
        yield " " * room + reference


def _aligned(line: str, reference: str) -> str:
    return line + " " * max(WIDTH - len(INDENT) - len(reference) - _shown(line), 2) + reference


def _shown(line: str) -> int:
    """How many places a line takes on the screen: accents take none."""
    return sum(not unicodedata.combining(letter) for letter in line)


def documented(step: Step) -> tuple[list[str], list[str], str]:
    """A step's equations, the remarks after them, and the papers' equation numbers, from its docstring."""
    first, *blocks = inspect.cleandoc(step.__doc__ or step.__name__).split("\n\n")
    found = re.search(r"\(\d{3} (?:eqs?\.|section)[^)]*\)", " ".join(first.split()))
    equations = [line.strip() for line in blocks[0].splitlines()] if blocks else []
    remarks = [line.strip() for block in blocks[1:] for line in block.splitlines()]
    return equations, remarks, found.group() if found else ""


def _climbing(stage: Climb | Pairs, own: list[str]) -> list[str]:
    """What an ancestor adds, under the letter of the matrix that is filled; nothing if the step has said it."""
    if any("(i,k)" in line for line in own):
        return []
    diagonal = re.search(r"(\w+)\(k,k\)", " ".join(own))
    letter = diagonal.group(1) if diagonal else LETTERS.get(stage.writes[0], stage.writes[0])
    equations, _, _ = documented(stage.row)
    return [re.sub(r"\w+\(i,k\)", f"{letter}(i,k)", line) for line in equations]


def _constants(stage: Stage) -> list[str]:
    """What is given instead of computed, and what the ground supplies."""
    said = []
    for name, value in stage.given:
        if (name, value) == ("passive", 1.0):
            said.append("every joint free to move")
            continue
        letter = LETTERS.get(name, name)
        if name == "vdot" and "passive" in stage.reads:
            letter = "θ̈_active"
        if value == "identity":
            said.append(f"{letter} = I (a column for each joint component)")
        else:
            said.append(f"{letter} = {value:g}" if isinstance(value, float) else f"{letter} = {value}")
    if isinstance(stage, Sweep):
        for name, ground in stage.ground:
            letter = (_own_letters(stage) or LETTERS).get(name, name)
            said.append(f"{letter}(ground) = {ON_THE_GROUND.get(ground.__name__, ground.__name__)}")
    return said


def _model_lines(model: Model) -> Iterator[str]:
    """The robot's links in the order of the walk, tip to base, with the papers' numbers."""
    kinds = Counter(joint.kind for joint in model.joints)
    counted = ", ".join(f"{count} {kind}" for kind, count in kinds.items())
    hidden = model.n - len(model.visible)
    aside = f" ({hidden} of them hidden, between the joints of one)" if hidden else ""
    yield f"robot {model.name!r}: n = {model.n} links{aside}, joints: {counted or 'none'}"
    if not model.n:
        return
    yield "tip to base, k = 1 ... n:"
    rows = []
    for index in range(model.n, 0, -1):
        joint, parent = model.joints[index - 1], model.parents[index - 1]
        carrier = f"p = {model.n + 1 - parent} {model.links[parent - 1].name}" if parent else "on the ground"
        rows.append((str(model.n + 1 - index), model.links[index - 1].name, f"{joint.name} ({joint.kind})", carrier))
    widths = [max(len(row[i]) for row in rows) for i in range(3)]
    for number, link, joint_text, carrier in rows:
        yield f"{INDENT}{number:>{widths[0]}}  {link:<{widths[1]}}  {joint_text:<{widths[2]}}  {carrier}"
