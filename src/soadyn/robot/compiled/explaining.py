"""Quantities and formulas explained: from the formula down to the recursion, and what it costs."""

from __future__ import annotations

from itertools import islice
from textwrap import indent

from soadyn.algebra.expressions import Expression, Symbol, walk
from soadyn.algebra.identities import IDENTITIES
from soadyn.algebra.operators import OPERATORS
from soadyn.algebra.rewriting.rules import Reason
from soadyn.engine.policy import MANY_STATES
from soadyn.errors import ArgumentError, unknown_name
from soadyn.programs.sweep.loops import loops
from soadyn.programs.sweep.printing import explain as explain_program
from soadyn.programs.sweep.printing import recursion
from soadyn.programs.sweep.program import Program
from soadyn.quantities import QUANTITIES
from soadyn.robot import Robot
from soadyn.robot.checked import checked_robot
from soadyn.robot.compiled import Compiled, compile_formulas
from soadyn.robot.compiled.typesetting import typeset
from soadyn.theory.literature.entry import Entry, PaperFormula, PaperProgram
from soadyn.theory.literature.references import is_citation, legend
from soadyn.theory.literature.table import papers
from soadyn.view.display.equations import Explanation
from soadyn.view.display.tables import aligned


def explain(
    what: str | Program | Expression | Compiled | Entry,
    robot: Robot | None = None,
    latex: bool = False,
    code: bool = False,
) -> str:
    """How a quantity, a program or a formula is computed, as the papers print it; `latex=True` typesets formulas.

    A quantity or program: its recursion, with a robot also the links it walks over. A formula: the formula, the
    identities applied, the operators recognised, the recursion with its equation numbers, and the operations it takes
    on the robot, sweep by sweep. A name of `sd.papers`: what the paper prints there. At the end the papers cited.
    Notebooks show the text with its equations typeset. With `code=True` also the form of machine code that computes it
    for one state, some and many; what is not there yet is compiled.

    >>> import soadyn as sd
    >>> from soadyn.algebra import T, inv, mass
    >>> text = sd.explain(inv(mass) @ T, sd.load("ur5"))
    >>> "z(k) = Σⱼ φ(k,j) [z(j) + G(j) ε(j)]" in text
    True
    """
    if robot is not None:
        checked_robot(robot, "explain")
    if isinstance(what, str) and is_citation(what):
        what = papers[what]
    if isinstance(what, Expression):
        if robot is None:
            raise ArgumentError("explain needs the robot for which a formula is computed: sd.explain(formula, robot)")
        what = compile_formulas(what, robot)
    if isinstance(what, PaperFormula | PaperProgram):
        text = _explained_entry(what, robot, latex)
    else:
        text = _explained(what, robot, latex)
        text = text if latex else with_legend(text)
    if code:
        text += _code(what, robot)
    return text if latex else Explanation(text)


def with_legend(text: str) -> str:
    """A text, and how the papers that it cites are cited by people."""
    papers_cited = legend(text)
    return f"{text}\nPapers\n\n{indent(papers_cited, '    ')}\n" if papers_cited else text


def _explained_entry(entry: Entry, robot: Robot | None, latex: bool) -> str:
    """What a paper prints under a name, on a robot; tips and passive sets are the robot's last link and first joint."""
    others = f"\nprinted there too: {', '.join(entry.others)}" if entry.others else ""
    heading = f"{entry.key}  [{entry.reference}]{others}\n\n"
    if isinstance(entry, PaperProgram):
        return heading + explain(entry.program, robot, latex)
    if robot is None:
        return with_legend(heading + f"    {entry.said}\n")
    frames = robot.link_names[-1:] if entry.points else ()
    passive = robot.joint_names[:1] if entry.passive else ()
    compiled = compile_formulas(entry, robot, frames=frames, passive=passive)
    return typeset(compiled) if latex else with_legend(heading + explain_formula(compiled))


def _explained(what: str | Program | Compiled, robot: Robot | None, latex: bool) -> str:
    if isinstance(what, Compiled):
        return typeset(what) if latex else explain_formula(what)
    if latex:
        raise ArgumentError("latex=True is for formulas; quantities and programs are explained as text")
    model = None if robot is None else robot.model
    tied = _tied(robot) if robot is not None and robot.model.ties else ""
    if isinstance(what, Program):
        return explain_program(what, model) + tied
    if not isinstance(what, str):
        raise ArgumentError(f"explain takes the name of a quantity, a formula or a Program, got {type(what).__name__}")
    if what not in QUANTITIES:
        raise unknown_name("quantity", what, QUANTITIES)
    row = QUANTITIES[what]
    program = row.program if model is None else row.program_on(model)
    return f"{row.doc}\n\n    {row.equation}        in {row.unit}\n\n{explain_program(program, model)}{tied}"


def _code(what: str | Program | Compiled | Entry, robot: Robot | None) -> str:
    """The form of machine code that serves each size of batch."""
    if isinstance(what, Compiled):
        program, robot = what.program, what.robot
    elif robot is not None and isinstance(what, str | Program):
        program = QUANTITIES[what].program_on(robot.model) if isinstance(what, str) else what
    else:
        raise ArgumentError("code=True is for quantities, programs and formulas of a robot")
    kernels = robot.engine.kernels
    forms = kernels.forms(program) if kernels else {"any number": "NumPy, the reference"}
    sizes = {"one": "one state", "some": "some states", "many": f"{MANY_STATES} states and more"}
    return "\n".join(
        ["", "Code", "", *aligned([(f"    {sizes.get(size, size)}", form) for size, form in forms.items()]), ""]
    )


def explain_formula(compiled: Compiled) -> str:
    """A compiled formula, level by level."""
    form = compiled.form
    lines = ["Formula", "", *(f"    {formula}" for formula in compiled.formulas), "", f"    {compiled.signature}", ""]
    if form.way.given_up:
        lines += ["Identities", "", f"    not tried beyond inverses: {form.way.given_up}", ""]
    if form.way.used:
        lines += ["Identities applied", ""]
        lines += [f"    {identity_said(x)}  [{x.reference}]" for x in form.way.used]
        lines += ["", "Rewritten", "", *(f"    {line}" for line in form.collected), ""]
    lines += ["Operators recognised", "", *(f"    {line}" for line in _operators(compiled)), ""]
    lines += ["Recursion", "", *recursion(compiled.program), ""]
    lines += ["Operations", "", *(f"    {line}".rstrip() for line in _costs(compiled))]
    return "\n".join(lines) + "\n"


def identity_said(x: Reason) -> str:
    """An identity's name and its two sides."""
    row = IDENTITIES.get(x.name)
    return x.name if row is None else f"{x.name}: {row.left} = {row.right}"


def _operators(compiled: Compiled) -> list[str]:
    names = {x.name for formula in compiled.form.formulas for x in walk(formula) if isinstance(x, Symbol)}
    rows = [(x.name, x.meaning.definition, x.meaning.physics) for x in OPERATORS.values() if x.name in names]
    return aligned(rows)


def _costs(compiled: Compiled) -> list[str]:
    """Operations of each loop, and how their number grows."""
    counts = iter(compiled.operations_by_stage())
    rows = [(loop.header, sum(islice(counts, len(loop.stages)))) for loop in loops(compiled.program)]
    wide = max(len(header) for header, _ in rows)
    total, n = sum(count for _, count in rows), compiled.robot.model.n
    lines = [f"{header:<{wide}}  {count:>7,}" for header, count in rows]
    lines.append(f"{'total':<{wide}}  {total:>7,}")
    if n:
        lines += [
            "",
            f"{n} links, about {total / n:.0f} operations for each: every loop does the same work at every link,",
        ]
        lines.append("so the number grows in proportion to the links, O(N).")
    return lines


def _tied(robot: Robot) -> str:
    joints = ", ".join(repr(robot.model.joints[tie.joint - 1].name) for tie in robot.model.ties)
    return (
        f"\nMimic joints tied to others: {joints}. The sweeps run on all joints and their results are condensed,\n"
        "v_all = E v, Mass = E* Mass_all E, T = E* T_all; what needs the inverse of Mass is solved densely.\n"
    )
