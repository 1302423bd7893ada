"""Random formulas whose spaces fit, for hypothesis."""

from __future__ import annotations

from hypothesis import strategies as st

from soadyn.algebra import D, Expression, H, I_joint, K, M, P, inv, phi, sqrt
from soadyn.algebra.defining import operator, vector
from soadyn.algebra.expressions import Symbol
from soadyn.algebra.numbers import Number
from soadyn.algebra.operators import IDENTITIES_OF_SPACES, NAMES
from soadyn.algebra.spaces import Space

DAMPING = operator("damping", [0.1, 0.2])
SKEW = operator("skew", [[0.0, 1.0], [-1.0, 0.0]])
FACTOR = operator("factor", I_joint + H @ phi @ K)
LOAD = vector("load_on_joints", "joint force")
OWN: tuple[Symbol, ...] = (DAMPING, SKEW, FACTOR, LOAD)

_SYMBOLS = (*NAMES.values(), *OWN, *(sqrt(x) for x in (D, M, P)))
ATOMS: tuple[Expression, ...] = tuple(dict.fromkeys(y for x in _SYMBOLS for y in (x, x.T)))
STEPS = ("outer", "inner", "sum", "identity", "scale", "adjoint", "inverse", "join")

numbers: st.SearchStrategy[Number] = st.one_of(
    st.integers(-9, 9).filter(bool),
    st.fractions(-3, 3, max_denominator=9).filter(bool),
    st.floats(-1e6, 1e6).filter(lambda x: abs(x) > 1e-6),
    st.sampled_from([1e-20, 2.5e17]),
)


@st.composite
def formulas(draw: st.DrawFn, depth: int = 2) -> Expression:
    """A formula, grown step by step from a symbol; a step that does not fit changes nothing."""
    x: Expression = draw(st.sampled_from(ATOMS))
    for step in draw(st.lists(st.sampled_from(STEPS), max_size=4)):
        match step:
            case "scale":
                x = draw(numbers) * x
            case "adjoint":
                x = x.T
            case "inverse":
                x = inv(x) if _is_square(x) else x
            case "identity":
                x = draw(st.sampled_from([x, *_with_identity(x)]))
            case "join" if depth == 0:
                pass
            case _:
                y = draw(formulas(depth - 1)) if step == "join" else draw(st.sampled_from(_neighbours(x, step) or [x]))
                x = draw(st.sampled_from(_joined(x, y) or [x]))
    return x


def _neighbours(x: Expression, step: str) -> list[Expression]:
    """The symbols that fit before x, behind x, or beside it in a sum."""
    match step:
        case "outer":
            return [y for y in ATOMS if y.domain == x.codomain]
        case "inner":
            return [y for y in ATOMS if y.codomain == x.domain]
        case _:
            return [y for y in ATOMS if _maps(y) == _maps(x)]


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


def _is_square(x: Expression) -> bool:
    places = {space.place.removeprefix("white ") for space in (x.domain, x.codomain)}
    return len(places) == 1 and not x.is_vector


def _maps(x: Expression) -> tuple[Space, Space]:
    return x.domain, x.codomain
