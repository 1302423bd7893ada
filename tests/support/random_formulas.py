"""Random formulas whose spaces fit: for hypothesis, and for anything else that can choose."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from hypothesis import strategies as st

from soadyn.algebra import D, Expression, H, I_joint, K, M, P, inv, phi, sqrt
from soadyn.algebra.defining import operator, vector
from soadyn.algebra.expressions import Symbol, is_square
from soadyn.algebra.numbers import Number
from soadyn.algebra.operators import IDENTITIES_OF_SPACES, NAMES
from soadyn.algebra.spaces import Space

DAMPING = operator("damping", [0.1, 0.2])
SKEW = operator("skew", [[0.0, 1.0], [-1.0, 0.0]])
FACTOR = operator("factor", I_joint + H @ phi @ K)
LOAD = vector("load_on_joints", "joint force")
OWN: tuple[Symbol, ...] = (DAMPING, SKEW, FACTOR, LOAD)
STEPS = ("outer", "inner", "sum", "identity", "scale", "adjoint", "inverse", "join")
MOST_STEPS = 4

Pick = Callable[[Sequence[Any]], Any]


def atoms_of(symbols: Sequence[Expression]) -> tuple[Expression, ...]:
    """Symbols, some roots, and their adjoints."""
    return tuple(dict.fromkeys(y for x in (*symbols, *(sqrt(x) for x in (D, M, P))) for y in (x, x.T)))


ATOMS = atoms_of((*NAMES.values(), *OWN))

numbers: st.SearchStrategy[Number] = st.one_of(
    st.integers(-9, 9).filter(bool),
    st.fractions(-3, 3, max_denominator=9).filter(bool),
    st.floats(-1e6, 1e6).filter(lambda x: abs(x) > 1e-6),
    st.sampled_from([1e-20, 2.5e17]),
)


@st.composite
def formulas(draw: st.DrawFn, depth: int = 2) -> Expression:
    """A random formula."""
    return grown(lambda options: draw(st.sampled_from(options)), lambda: draw(numbers), ATOMS, depth)


def grown(pick: Pick, number: Callable[[], Number], atoms: Sequence[Expression], depth: int = 2) -> Expression:
    """A formula, grown step by step from a symbol; a step that does not fit changes nothing."""
    x: Expression = pick(atoms)
    for step in [pick(STEPS) for _ in range(pick(range(MOST_STEPS + 1)))]:
        match step:
            case "scale":
                x = number() * x
            case "adjoint":
                x = x.T
            case "inverse":
                x = inv(x) if is_square(x) and not x.is_vector else x
            case "identity":
                x = pick([x, *_with_identity(x)])
            case "join" if depth == 0:
                pass
            case _:
                y = (
                    grown(pick, number, atoms, depth - 1)
                    if step == "join"
                    else pick(_neighbours(x, step, atoms) or [x])
                )
                x = pick(_joined(x, y) or [x])
    return x


def _neighbours(x: Expression, step: str, atoms: Sequence[Expression]) -> list[Expression]:
    """The symbols that fit before x, behind x, or beside it in a sum."""
    match step:
        case "outer":
            return [y for y in atoms if y.domain == x.codomain]
        case "inner":
            return [y for y in atoms if y.codomain == x.domain]
        case _:
            return [y for y in atoms if _maps(y) == _maps(x)]


def _joined(x: Expression, y: Expression) -> list[Expression]:
    sums = [x + y, x - y] if _maps(x) == _maps(y) else []
    products = [left @ right for left, right in ((x, y), (y, x)) if left.domain == right.codomain]
    return sums + products


def _with_identity(x: Expression) -> list[Expression]:
    """Sums with the identity of forces, whichever side x is of."""
    if x.domain != x.codomain:
        return []
    own = [y for y in IDENTITIES_OF_SPACES.values() if y.domain.place == x.domain.place]
    return [z for y in own for z in (x - y, y + x, 2 * y - x, (2 * y) @ x)]


def _maps(x: Expression) -> tuple[Space, Space]:
    return x.domain, x.codomain
