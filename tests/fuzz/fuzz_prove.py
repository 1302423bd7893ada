"""Random claims: no verdict of `prove` is wrong, and what `simplify` makes of a formula is equal to it.

A claim is two random formulas of the same spaces: equal by an identity or by algebra, spoilt somewhere, or unrelated.
What is true of it is decided by decimal arithmetic on other arms (`decimal_values`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from functools import cache
from itertools import islice, pairwise
from random import Random
from typing import Literal

import soadyn as sd
from decimal_values import ARMS, DecimalValues, NoValueError, values_on
from soadyn.algebra.defining import operator, vector
from soadyn.algebra.expressions import Expression, Identity, Number, Product, Sum, inv, product, sqrt, total, walk, zero
from soadyn.algebra.identities import IDENTITIES
from soadyn.algebra.identities.row import Row
from soadyn.algebra.operators import NAMES, PASSIVE_NAMES, WHOLE_ARM_NAMES
from soadyn.algebra.spaces import Space
from soadyn.errors import ArgumentError, SingularError, SpaceError
from soadyn.theory.oracle.specimens import Specimen
from soadyn.theory.proof.result import Proof

Claim = tuple[Expression, Expression]

OWN = (
    operator("damping", [0.1, 0.2]),
    operator("stiffness", [[2.0, 1.0], [1.0, 3.0]]),
    operator("skew", [[0.0, 1.0], [-1.0, 0.0]]),
    vector("load", "joint force"),
    vector("push", "link force"),
)
ROOTS = tuple(sqrt(NAMES[name]) for name in ("M", "P", "R", "D", "A_r", "P_plus"))  # type: ignore[arg-type]
ASSUMPTIONS: tuple[tuple[str, ...], ...] = (
    (),
    (),
    (),
    ("A_r = 0",),
    ("serial",),
    ("A_r = 0", "serial"),
    ("one frame",),
)
NUMBERS: tuple[Number, ...] = (2, -1, 3, Fraction(1, 3), 0.1, -0.5, 1e10, 1e-9, 123456789)
LEAST: Number = 1 + 2**-40  # what a spoilt number is multiplied by
MOST_ARMS = 3  # on which equality is confirmed
LONGEST_SMALL = 30  # symbols of a small claim
BARELY, CLEARLY = 1e-9, 1e-5  # how far sides are apart, relative, that are equal in doubles, and that are not


@cache
def atoms(passive: bool) -> tuple[Expression, ...]:
    """Symbols, roots and their adjoints that may stand in a formula of the whole or the passive arm."""
    without = WHOLE_ARM_NAMES if passive else PASSIVE_NAMES
    symbols = [x for name, x in NAMES.items() if name not in without and not isinstance(x, Identity)]
    roots = [x for x in ROOTS if x.of.name not in without]
    return tuple(dict.fromkeys(y for x in (*symbols, *OWN, *roots) for y in (x, x.T)))


# Random formulas


def formula(rng: Random, passive: bool, domain: Space, codomain: Space, depth: int) -> Expression:
    """A formula that maps one space to another; zero if none is found."""
    fitting = [x for x in atoms(passive) if x.domain == domain and x.codomain == codomain]
    fitting += [Identity(domain)] if domain == codomain and domain.place != "number" else []
    kinds = ["atom"] * 3 if fitting else []
    kinds += ["product", "product", "sum", "scaled"] if depth > 0 else []
    square = domain.place.removeprefix("white ") == codomain.place.removeprefix("white ") != "number"
    kinds += ["inverse"] if depth > 0 and square else []
    match rng.choice(kinds or ["product" if depth > -4 else "zero"]):
        case "atom":
            return rng.choice(fitting)
        case "product":
            first = [x for x in atoms(passive) if x.codomain == codomain and x.domain.place != "number"]
            if not first:
                return zero(domain, codomain)
            left = rng.choice(first)
            return product(left, formula(rng, passive, domain, left.domain, depth - 1))
        case "sum":
            terms = [(rng.choice((1, 1, -1)), formula(rng, passive, domain, codomain, depth - 1)) for _ in range(2)]
            return total(tuple(terms))
        case "scaled":
            return total(((rng.choice(NUMBERS), formula(rng, passive, domain, codomain, depth - 1)),))
        case "inverse":
            inner = formula(rng, passive, codomain, domain, depth - 1)
            return zero(domain, codomain) if isinstance(inner, Sum) and not inner.terms else inv(inner)
    return zero(domain, codomain)


def any_formula(rng: Random, passive: bool, depth: int) -> Expression:
    """A formula between the spaces of a random symbol."""
    like = rng.choice(atoms(passive))
    return formula(rng, passive, like.domain, like.codomain, depth)


def around(rng: Random, passive: bool, left: Expression, right: Expression) -> Claim:
    """Two formulas of the same spaces, the same factors before and behind them and the same terms beside them."""
    for _ in range(rng.randint(0, 2)):
        before = [x for x in atoms(passive) if x.domain == left.codomain]
        behind = [x for x in atoms(passive) if x.codomain == left.domain]
        match rng.choice(("before", "behind", "beside", "scaled", "inverse")):
            case "before" if before:
                x = rng.choice(before)
                left, right = product(x, left), product(x, right)
            case "behind" if behind:
                x = rng.choice(behind)
                left, right = product(left, x), product(right, x)
            case "beside":
                x = formula(rng, passive, left.domain, left.codomain, 1)
                left, right = left + x, right + x
            case "scaled":
                number = rng.choice(NUMBERS)
                left, right = number * left, number * right
            case "inverse" if left.domain.place == left.codomain.place and not left.is_vector:
                if not any(isinstance(x, Sum) and not x.terms for x in (left, right)):
                    left, right = inv(left), inv(right)
    return left, right


# Equal and spoilt


def identity_claim(rng: Random, passive: bool, assumed: tuple[str, ...]) -> Claim:
    """A row of the table that holds."""
    row = rng.choice(rows(passive, assumed))
    left, right = (row.left, row.right) if rng.random() < 0.5 else (row.left.T, row.right.T)
    return (left, right) if rng.random() < 0.5 else (right, left)


def algebra_claim(rng: Random, passive: bool, assumed: tuple[str, ...]) -> Claim:
    """Something that holds whatever the operators are."""
    x = any_formula(rng, passive, 2)
    y = formula(rng, passive, x.domain, x.codomain, 1)
    z = formula(rng, passive, x.domain, x.codomain, 1)
    match rng.randint(0, 5):
        case 0:
            number = rng.choice(NUMBERS)
            return x + number * y - number * y, x
        case 1:
            behind = [w for w in atoms(passive) if w.codomain == x.domain]
            w = rng.choice(behind) if behind else Identity(x.domain)
            return product(x + y, w), product(y, w) + product(x, w)
        case 2:
            return (x + y) + z, z + (y + x)
        case 3:
            square = formula(rng, passive, x.codomain, x.codomain, 2) if x.codomain.place != "number" else None
            if square is None or (isinstance(square, Sum) and not square.terms):
                return x, x
            return product(inv(square), product(square, x)), x
        case 4:
            squares = [w for w in atoms(passive) if w.domain.place == w.codomain.place != "number"]
            first = rng.choice(squares)
            second = rng.choice([w for w in squares if w.codomain == first.domain] or [inv(first)])
            return inv(product(first, second)), product(inv(second), inv(first))
    number = rng.choice(NUMBERS)
    return number * (x + y) - number * x, number * y


def spoilt(rng: Random, passive: bool, x: Expression) -> Expression:
    """The formula with something in it changed; it may by chance be equal."""
    match x:
        case Sum() if x.terms and rng.random() < 0.6:
            i = rng.randrange(len(x.terms))
            terms = list(x.terms)
            number, term = terms[i]
            change = rng.choice(("sign", "number", "drop", "inside"))
            if change == "drop" and len(terms) > 1:
                del terms[i]
            elif change == "inside":
                terms[i] = number, spoilt(rng, passive, term)
            else:
                terms[i] = -number if change == "sign" else number * LEAST, term
            return total(tuple(terms))
        case Product() if rng.random() < 0.8:
            i = rng.randrange(len(x.factors))
            factors = [*x.factors]
            factors[i] = spoilt(rng, passive, factors[i])
            result = factors[0]
            for factor in factors[1:]:
                result = product(result, factor)
            return result
    others = [y for y in atoms(passive) if (y.domain, y.codomain) == (x.domain, x.codomain) and y != x]
    return rng.choice(others) if others and rng.random() < 0.7 else total(((LEAST, x),))


@cache
def rows(passive: bool, assumed: tuple[str, ...]) -> tuple[Row, ...]:
    """Those of the table that hold on the whole or the passive arm."""
    return tuple(row for row in IDENTITIES.values() if passive in row.arms and set(row.needs) <= set(assumed))


# What is true


def other_arms(passive: bool, assumed: tuple[str, ...]) -> Iterator[DecimalValues]:
    """Arms of which all is true that is assumed."""
    for arm in ARMS:
        if not (arm.armature and "A_r = 0" in assumed) and not (arm.shape == "tree" and "serial" in assumed):
            yield arm.values(passive, "one frame" in assumed)


def outcomes(claim: Claim, arms: Iterable[DecimalValues]) -> Iterator[bool]:
    """On each arm that has both sides, whether they are equal."""
    for values in arms:
        try:
            yield values.same(*claim)
        except NoValueError:
            continue


def judge(answer: Proof, claim: Claim, passive: bool, assumed: tuple[str, ...]) -> None:
    """AssertionError if the answer is wrong."""
    found = outcomes(claim, other_arms(passive, assumed))
    told = f"{answer.status}, assuming {assumed}:\n  {claim[0]}\n= {claim[1]}\n{answer}"
    match answer.status:
        case "proved":
            first = list(islice(found, MOST_ARMS))
            assert first, f"no arm has both sides; {told}"
            assert all(first), f"the sides differ; {told}"
            for step in steps(answer):
                found = next(outcomes(step, other_arms(passive, assumed)), True)
                assert found, f"a step is wrong: {step[0]} = {step[1]}; {told}"
        case "refuted":
            assert answer.counterexample is not None
            arm = values_on(answer.counterexample.specimen, passive, "one frame" in assumed)
            assert not arm.same(*claim), f"the sides are equal; {told}"
        case "undefined":
            assert next(found, None) is None, f"an arm has both sides; {told}"


def steps(answer: Proof) -> Iterator[Claim]:
    """What follows from what in a short chain; long ones have hundreds of terms, and tests of their own."""
    if answer.multiplied_out is not None:
        yield from pairwise((answer.left, *(step.formula for step in answer.steps)))


def question(rng: Random) -> tuple[bool, tuple[str, ...]]:
    return rng.random() < 0.3, rng.choice(ASSUMPTIONS)


def split(*sides: Expression) -> bool:
    """Whether formulas speak of active and passive joints."""
    spaces = {space.place for side in sides for x in walk(side) for space in (x.domain, x.codomain)}
    return not spaces.isdisjoint(("active joint", "passive joint"))


def asked(rng: Random, make: Callable[[Random, bool, tuple[str, ...]], Claim]) -> None:
    """One claim, proved and judged."""
    passive, assumed = question(rng)
    try:
        claim = make(rng, passive, assumed)
    except SpaceError:  # numbers that leave the range of doubles, inverses of zero
        return
    judge(sd.prove(*claim, assume=assumed), claim, split(*claim), assumed)


def equal(rng: Random, passive: bool, assumed: tuple[str, ...]) -> Claim:
    make = rng.choice((identity_claim, algebra_claim))
    return around(rng, passive, *make(rng, passive, assumed))


def nearly_equal(rng: Random, passive: bool, assumed: tuple[str, ...]) -> Claim:
    left, right = rng.choice((identity_claim, algebra_claim))(rng, passive, assumed)
    return around(rng, passive, left, spoilt(rng, passive, right))


def under_another_assumption(rng: Random, passive: bool, assumed: tuple[str, ...]) -> Claim:
    """A row that holds under assumptions that may not be made."""
    return around(rng, passive, *identity_claim(rng, passive, ("A_r = 0", "serial", "one frame")))


def unrelated(rng: Random, passive: bool, assumed: tuple[str, ...]) -> Claim:
    left = any_formula(rng, passive, 3)
    return left, formula(rng, passive, left.domain, left.codomain, 3)


def lemmas(rng: Random) -> None:
    """A lemma that is given and false is refused; what is proved with one that is true is true."""
    passive, assumed = question(rng)
    try:
        claim = around(rng, passive, *identity_claim(rng, passive, assumed))
        lemma = identity_claim(rng, passive, assumed)
        if rng.random() < 0.3:
            lemma = lemma[0], spoilt(rng, passive, lemma[1])
    except SpaceError:
        return
    passive = split(*claim, *lemma)
    try:
        answer = sd.prove(*claim, via=[lemma], assume=assumed)
    except ArgumentError:
        found = list(outcomes(lemma, other_arms(passive, assumed)))
        assert not all(found) or not found, f"a true lemma is refused: {lemma[0]} = {lemma[1]}"
        return
    if answer or answer.status != "proved":
        judge(answer, claim, passive, assumed)


def simplified(rng: Random) -> None:
    passive, assumed = question(rng)
    try:
        x = rng.choice((any_formula(rng, passive, 3), identity_claim(rng, passive, assumed)[0]))
    except SpaceError:
        return
    arms = other_arms(split(x), assumed)
    try:
        found = sd.simplify(x, assume=assumed)
    except SpaceError:
        assert not any(values.has(x) for values in arms), f"an arm has {x}, assuming {assumed}"
        return
    first = list(islice(outcomes((x, found), arms), MOST_ARMS))
    assert first and all(first), f"{x} is simplified to {found}, assuming {assumed}"  # noqa: PT018


def small(rng: Random) -> None:
    """A short claim, true or spoilt; the verdict is compared in doubles first, which is a hundred times quicker."""
    passive, assumed = question(rng)
    try:
        left, right = rng.choice((identity_claim, algebra_claim))(rng, passive, assumed)
        claim = left, spoilt(rng, passive, right) if rng.random() < 0.5 else right
    except SpaceError:
        return
    if sum(side.size for side in claim) > LONGEST_SMALL:
        return
    answer = sd.prove(*claim, assume=assumed)
    apart = {"proved": 0.0, "refuted": 1.0}.get(answer.status)
    if apart is None or apart != in_doubles(rng, claim, split(*claim), assumed):
        judge(answer, claim, split(*claim), assumed)


def in_doubles(rng: Random, claim: Claim, passive: bool, assumed: tuple[str, ...]) -> float | None:
    """0 if the sides are equal on random arms, 1 if they are not on one of them, None if doubles cannot tell."""
    shapes: list[Literal["short chain", "chain", "fork"]] = ["short chain", "chain", "fork"]
    found = []
    for _ in range(MOST_ARMS):
        armature = "A_r = 0" not in assumed and rng.random() < 0.5
        shape = rng.choice(shapes[:2] if "serial" in assumed else shapes)
        specimen = Specimen(rng.randrange(1000, 1008), shape, rng.choice(("fixed", "free")), armature=armature)
        try:
            found.append(specimen.values(passive, "one frame" in assumed).apart(*claim))
        except SingularError:
            continue
    if not found or BARELY < max(found) < CLEARLY:
        return None
    return float(max(found) >= CLEARLY)


CASES: dict[str, Callable[[Random], None]] = {
    "prove what is equal": lambda rng: asked(rng, equal),
    "prove what is spoilt": lambda rng: asked(rng, nearly_equal),
    "prove what needs an assumption": lambda rng: asked(rng, under_another_assumption),
    "prove what is unrelated": lambda rng: asked(rng, unrelated),
    "prove what is small": small,
    "prove with a lemma": lemmas,
    "simplify": simplified,
}
