"""A formula or a program of the papers, and where it is printed."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import final

from soadyn.algebra.expressions import Expression
from soadyn.programs.sweep.program import Program
from soadyn.theory.literature.references import cited_tags, legend


@dataclass(frozen=True, slots=True)
class Named(ABC):
    """What a paper has under a name, and where it is printed; abstract.

    `others` are the names of what else is printed at the number under which it was looked up.
    """

    name: str
    reference: str
    others: tuple[str, ...] = field(default=(), compare=False, kw_only=True)

    @property
    def key(self) -> str:
        """The name under which `sd.papers` has it."""
        return f"{cited_tags(self.reference)[0]} {self.name}"

    @property
    def citation(self) -> str:
        """The papers that have it, as people cite them."""
        return legend(self.reference)

    @property
    @abstractmethod
    def said(self) -> str:
        """What it is, in a line."""

    def __str__(self) -> str:
        others = f"\n    printed there too: {', '.join(map(repr, self.others))}" if self.others else ""
        return f"{self.key}  [{self.reference}]\n    {self.said}{others}"


@final
@dataclass(frozen=True, slots=True)
class PaperFormula(Named):
    """A formula, where it is printed, and whether it needs a passive set or operational points.

    `as_written`: vectors that have a name in the paper are computed in walks of their own, as the paper does.
    `equal` is the other side of an identity. `sd.compile(sd.papers[...], robot)` makes a function of the formula.

    >>> import soadyn as sd
    >>> print(sd.papers["001 (20)"].formula)
    B.T @ phi.T @ H.T @ theta_dot
    """

    formula: Expression
    passive: bool = False
    points: bool = False
    as_written: bool = False
    equal: Expression | None = None

    @property
    def said(self) -> str:
        return str(self.formula) if self.equal is None else f"{self.formula} = {self.equal}"


@final
@dataclass(frozen=True, slots=True)
class PaperProgram(Named):
    """An algorithm that a paper describes without a formula, as a program; `sd.compile` makes a function of it."""

    program: Program

    @property
    def said(self) -> str:
        return f"{self.program.name}: {', '.join(self.program.inputs)}"


Entry = PaperFormula | PaperProgram
