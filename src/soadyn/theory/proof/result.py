"""What `prove` returns: a chain of named identities, an arm on which the formulas differ, or why there is neither."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from typing import Literal, final

from soadyn.algebra.expressions import Expression
from soadyn.algebra.rewriting.rules import Reason
from soadyn.algebra.writing import latex
from soadyn.theory.proof.comparing import Counterexample
from soadyn.view.display.mathml import mathml
from soadyn.view.display.tables import heading, shown, text

WIDTH = 110


@final
@dataclass(frozen=True, slots=True)
class ProofStep:
    """= formula, for a reason."""

    formula: Expression
    reason: Reason


@final
@dataclass(frozen=True, slots=True)
class Proof:
    """The outcome of `prove`; true if the formulas are proved to be equal and so is every lemma that was given.

    | status | what it says |
    |---|---|
    | proved | equal on every arm on which both have a value; `steps` is the chain, `given` the lemmas it rests on |
    | refuted | different on the arm of `counterexample` |
    | undefined | the inverses in `undefined` exist on none of the arms tried, so that there is nothing to compare |
    | unknown | equal on the arms tried, but no chain was found; or not looked at, for `reason` |

    >>> import soadyn as sd
    >>> from soadyn.algebra import H, I_joint, K, phi, psi
    >>> print(sd.prove((I_joint - H @ psi @ K) @ H @ phi, H @ psi))
    proved:
      (I_joint - H @ psi @ K) @ H @ phi
      = H @ phi - H @ psi @ K @ H @ phi
          multiplied out
      = H @ psi
          locked less free [000 (B.5); 003 Lemma 6; 004 (A.2)]
    """

    status: Literal["proved", "refuted", "undefined", "unknown"]
    left: Expression
    right: Expression
    steps: tuple[ProofStep, ...] = ()
    counterexample: Counterexample | None = None
    assumed: tuple[str, ...] = ()
    given: tuple[str, ...] = ()  # lemmas that hold on all arms tried but were not proved
    because: Proof | None = None  # inv(X) = Y because X @ Y = I
    tried: int = 0  # arms on which the two sides were compared
    undefined: tuple[Expression, ...] = ()
    reason: str = ""  # why the search for a chain was given up
    multiplied_out: Proof | None = None  # the longer chain, where `steps` puts in identities factor by factor

    def __bool__(self) -> bool:
        return self.status == "proved" and not self.given

    @property
    def full(self) -> Proof:
        """The proof with all products multiplied out; the same where no shorter one was found."""
        return self.multiplied_out or self

    @property
    def identities(self) -> tuple[str, ...]:
        """The names of the identities used, in order."""
        names = [step.reason.name for step in self.steps if step.reason.reference]
        return tuple(dict.fromkeys([*(self.because.identities if self.because else ()), *names]))

    def __str__(self) -> str:
        conditions = [*(f"assuming {x}" for x in self.assumed), *(f"given {x}" for x in self.given)]
        head = f"{self.status}{', ' + ', '.join(conditions) if conditions else ''}:"
        lines = [head, _indented(str(self.left), "  ")]
        if self.status == "proved":
            return "\n".join([*lines, *self._chain_lines()])
        return "\n".join([*lines, _indented(f"= {self.right} ?", "  "), self._explanation()])

    def _explanation(self) -> str:
        """Why the two sides are not proved to be equal."""
        if self.counterexample is not None:
            return str(self.counterexample)
        if self.undefined:
            parts = ", ".join(map(str, self.undefined))
            if len(self.undefined) == 1:
                return f"{parts} exists on none of the random arms tried"
            return f"on each of the random arms tried one of these does not exist: {parts}"
        agree = f"the sides agree on {self.tried} random arms, but " if self.tried else ""
        return agree + (self.reason or "no chain of identities was found")

    def _chain_lines(self) -> list[str]:
        lines: list[str] = []
        for step in self.steps:
            lines += [_indented(f"= {step.formula}", "  "), f"      {step.reason}"]
        if self.because is not None:
            lines += [_indented(str(self.because.left), "  "), *self.because._chain_lines()]
        return lines

    def _repr_html_(self) -> str:
        """The chain typeset, a reason beside each step; or both sides, and why they are not proved to be equal."""
        if self.status != "proved":
            sign = r"\neq" if self.status == "refuted" else "="
            sides = mathml(f"{latex(self.left)} {sign} {latex(self.right)}", block=True)
            why = f'<pre style="white-space:pre-wrap">{text(self._explanation())}</pre>'
            return shown(heading(self.status), sides, why)
        conditions = [*(f"assuming {x}" for x in self.assumed), *(f"given {x}" for x in self.given)]
        rows = "".join(
            f'<div>{formula}</div><div style="margin-left:3em;opacity:0.7">{text(reason)}</div>'
            for formula, reason in self._html_rows()
        )
        return shown(heading(self.status, ", ".join(conditions)), f'<div style="overflow-x:auto">{rows}</div>')

    def _html_rows(self) -> list[tuple[str, object]]:
        rows: list[tuple[str, object]] = [(mathml(latex(self.left)), "")]
        rows += [(mathml(f"= {latex(step.formula)}"), step.reason) for step in self.steps]
        return rows + (self.because._html_rows() if self.because is not None else [])

    def _repr_latex_(self) -> str:
        if self.status != "proved":
            sign = r"\neq" if self.status == "refuted" else r"\stackrel{?}{=}"
            return f"${latex(self.left)} {sign} {latex(self.right)}$"
        body = " \\\\\n".join(self._latex_rows())
        return f"$$\\begin{{aligned}}\n{body}\n\\end{{aligned}}$$"

    def _latex_rows(self) -> list[str]:
        rows = [f"& {latex(self.left)}"]
        rows += [rf"&= {latex(x.formula)} && \text{{{_latex_text(str(x.reason))}}}" for x in self.steps]
        return rows + (self.because._latex_rows() if self.because is not None else [])


def _indented(text: str, margin: str) -> str:
    return textwrap.fill(text, WIDTH, initial_indent=margin, subsequent_indent=margin + "    ", break_long_words=False)


def _latex_text(text: str) -> str:
    return text.replace("_", r"\_").replace("@", "").replace("  ", " ")
