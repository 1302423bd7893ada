"""Random formulas compiled for random robots: each is computed as the dense oracle says, or refused."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

import soadyn as sd
from random_formulas import atoms_of, grown
from random_robots import random_model
from soadyn.algebra.expressions import Expression, Symbol, inv, sqrt, walk
from soadyn.algebra.numbers import Number
from soadyn.algebra.operators import NAMES, PASSIVE_NAMES, WHOLE_ARM_NAMES
from soadyn.algebra.reading import formula as read
from soadyn.errors import SingularError, SoadynError
from soadyn.robot import Robot
from soadyn.robot.compiled.dense_way import dense_results
from soadyn.robot.compiled.formula_arguments import arguments_named, vectors_in
from soadyn.theory.oracle.dense_robot import DenseRobot
from soadyn.theory.oracle.dense_value import DenseValues

KINDS = ("revolute", "prismatic", "helical", "cylindrical", "planar", "spherical")
ROBOTS = 16
NUMBERS: tuple[Number, ...] = (2, -1, -3, 0.1, -0.5, 1e6, 1e-9, 7)
NATIVE = 0.05  # share of the trials in machine code, which takes long to compile
MOVED = 1e-9  # how far coordinates are moved to see how much rounding can matter
BOUND = 1e-9  # of the difference, beside the sizes of all that is added up
LETTERS = "φψτθαΩΥ𝓜𝓔⁺⁻¹^*.T@+-·*/()[]{} 0123456789eE_HKDMPGinvsqrt\n\x00"


@cache
def robot(number: int) -> Robot:
    rng = np.random.default_rng(number)
    root = "free" if number % 2 else "fixed"
    armature, shape = number % 3 != 0, ("tree", "serial", "star")[number % 3]
    model = random_model(rng, 1 + number % 5, kinds=KINDS, root=root, armature=armature, shape=shape)  # type: ignore[arg-type]
    return Robot(model, backend="numpy")


@cache
def atoms(number: int, passive: bool) -> tuple[Expression, ...]:
    """What formulas for a robot are made of."""
    arm = robot(number)
    rng = np.random.default_rng(number)
    own: list[Expression] = [
        sd.operator("damping", rng.uniform(0.5, 2.0, arm.nv)),
        sd.operator("stiffness", np.diag(rng.uniform(0.5, 2.0, arm.nv))),
        sd.operator("weights", rng.uniform(0.5, 2.0, arm.nv), maps=("white joint", "white joint")),
        sd.operator("drag", rng.normal(size=(len(arm.link_names), 6, 6))),
        sd.vector("load", "joint force"),
        sd.vector("wind", "link force"),
        sd.vector("push", "task force"),
        sd.vector("bias", NAMES["T"] - NAMES["H"] @ NAMES["b"]),
    ]
    other = WHOLE_ARM_NAMES if passive else PASSIVE_NAMES
    known = [x for name, x in NAMES.items() if name not in other]
    inverses = [inv(NAMES[name]) for name in ("mass", "phi", "psi", "D_p" if passive else "D")]
    found = atoms_of([*known, *own, *inverses])
    return tuple(x for x in found if not (passive and "D" in str(x) and x in (sqrt(NAMES["D"]), sqrt(NAMES["D"]).T)))


@dataclass(frozen=True)
class Case:
    """A random robot with random options, and numbers for whatever is asked."""

    number: int
    arm: Robot
    options: dict[str, Any]
    rng: random.Random

    def formula(self, depth: int = 2) -> Expression:
        passive = "passive" in self.options
        return grown(self.rng.choice, lambda: self.rng.choice(NUMBERS), atoms(self.number, passive), depth)

    def array(self, *shape: int) -> np.ndarray:
        return np.random.default_rng(self.rng.randrange(2**32)).normal(size=shape)


def random_case(rng: random.Random) -> Case:
    number = rng.randrange(ROBOTS)
    arm = robot(number)
    options: dict[str, Any] = {}
    if rng.random() < 0.5:
        options["passive"] = np.array([rng.random() < 0.5 for _ in range(arm.nv)], dtype=bool)
    if rng.random() < 0.7:
        options["frames"] = [rng.choice(list(arm.frame_names)) for _ in range(rng.choice((1, 1, 2)))]
    if rng.random() < 0.2:
        options["as_written"] = True
    if rng.random() < 0.2:
        options["given"] = rng.sample(["a", "b", "V", "alpha", "f"], rng.randint(1, 3))
    if rng.random() < NATIVE:
        options["backend"] = rng.choice(("rolled", "straight"))
    return Case(number, arm, options, rng)


def compiled(x: Any, case: Case) -> sd.Compiled | None:
    """The formula compiled, densely if there is no other way; None if it is refused."""
    try:
        return sd.compile(x, case.arm, dense=True, **case.options)
    except SoadynError:
        return None


def compare(f: sd.Compiled, case: Case) -> None:
    """A function of vectors beside the oracle."""
    wanted = arguments_named(vectors_in(f.formulas), f.reading.given, f.reading.points > 0)
    q = case.arm.random_configuration(np.random.default_rng(case.rng.randrange(2**32)))
    given = {x.name: q if x.space is None else case.array(*f.setting.shape(x.space)) for x in wanted}
    try:
        expected = dense_results(f.formulas, f.setting, wanted, given)
        moved = dense_results(f.formulas, f.setting, wanted, {**given, "q": moved_a_little(case.arm, q)})
        sizes = [size(x, f, given) for x in f.formulas]
    except SingularError:
        expected = None
    try:
        found = f(**{x.name: given[x.name] for x in f.arguments})
    except SingularError:
        return
    if expected is None:
        return
    results = found if isinstance(found, tuple) else (found,)
    for x, result, dense, after, scale in zip(f.formulas, results, expected, moved, sizes, strict=True):
        assert result.shape == dense.shape, f"{x}: shapes {result.shape} and {dense.shape}"
        tolerance = BOUND * max(scale, 1e-30) + 10 * abs(after - dense).max(initial=0.0)
        apart = abs(result - dense).max(initial=0.0)
        if np.isfinite(dense).all() and np.isfinite(tolerance):
            assert apart <= tolerance, f"{x} with {case.options}: {apart:.3g} apart, sizes {scale:.3g}"


def moved_a_little(arm: Robot, q: np.ndarray) -> np.ndarray:
    return arm.integrate(q, np.full(arm.nv, MOVED))


def size(x: Expression, f: sd.Compiled, given: dict[str, np.ndarray]) -> float:
    """The largest sum of the sizes of what is added up in a formula."""
    robot = DenseRobot(f.robot.model, given["q"], given.get("v"))
    frames = [point.given for point in f.setting.points]
    vectors = {
        name: robot.external_force(y) if y.ndim == 2 else y for name, y in given.items() if name not in ("q", "v")
    }
    return float(DenseValues(robot, f.setting.passive, frames, vectors)._size(x).max(initial=0.0))


# Cases


def formulas_agree_with_the_oracle(rng: random.Random) -> None:
    case = random_case(rng)
    x = case.formula()
    f = compiled(x, case)
    if f is not None and not f.is_operator:
        compare(f, case)
    elif f is not None:
        compare_operator(f, case)


def compare_operator(f: sd.Compiled, case: Case) -> None:
    """An operator applied, made dense and transposed, beside the oracle."""
    x = sd.vector("x_applied", f.formulas[0].domain)
    q = case.arm.random_configuration(np.random.default_rng(case.rng.randrange(2**32)))
    y = case.array(*f.setting.shape(x.codomain))
    state = {x.name: q if x.space is None else case.array(*f.setting.shape(x.space)) for x in f.called_with}
    try:
        X = f(**state)
        found = X @ y
        matrix = np.asarray(X)
    except SingularError:
        return
    try:
        scale = size(f.formulas[0], f, state) * abs(y).max(initial=0.0)
    except SingularError:
        return
    apart = abs(matrix @ y.reshape(-1) - found.reshape(-1)).max(initial=0.0)
    if np.isfinite(scale) and np.isfinite(matrix).all():
        assert apart <= 1e-6 * scale, f"{f.formulas[0]} with {case.options}: applied and dense differ by {apart:.3g}"
    g = compiled(f.formulas[0] @ x, case)
    assert g is not None, f"{f.formulas[0]} @ x is refused, the operator is not"
    compare(g, case)


def several_formulas_at_once(rng: random.Random) -> None:
    case = random_case(rng)
    vectors = [x for x in (case.formula() for _ in range(8)) if x.is_vector][:3]
    f = compiled(vectors, case) if vectors else None
    if f is not None:
        compare(f, case)


def formulas_are_explained(rng: random.Random) -> None:
    case = random_case(rng)
    f = compiled(case.formula(), case)
    if f is not None and not f.is_dense:
        assert sd.explain(f)
        assert sd.explain(f, latex=True)


def texts_are_read_or_refused(rng: random.Random) -> None:
    case = random_case(rng)
    x = case.formula()
    text = str(x)
    for _ in range(rng.randrange(4)):
        at = rng.randrange(len(text) + 1)
        text = text[:at] + rng.choice((rng.choice(LETTERS), "", text[at : at + 9])) + text[at + rng.randrange(3) :]
    own = [y for y in walk(x) if isinstance(y, Symbol) and y.name not in NAMES]
    try:
        y = read(text, own)
    except SoadynError:
        assert text != str(x) or str(x) == "0", f"{text!r} is not read back"
        return
    assert str(y) == "0" or read(str(y), own) == y, f"{y} is not read back"


JUNK: tuple[Any, ...] = (
    None,
    0,
    -1,
    "q",
    "",
    [],
    {},
    (),
    object(),
    np.nan,
    [None],
    np.zeros(0),
    b"x",
    1j,
    [1, 2],
    ["a"],
)


def strange_options_are_refused(rng: random.Random) -> None:
    case = random_case(rng)
    names = ("frames", "passive", "given", "backend", "dense", "as_written")
    options = {**case.options, rng.choice(names): rng.choice(JUNK)}
    formula = case.formula(0) if rng.random() < 0.8 else rng.choice(JUNK)
    try:
        f = sd.compile(formula, case.arm, **options)
    except SoadynError:
        return
    arguments = [rng.choice((*JUNK, case.array(case.arm.nv))) for _ in range(rng.randrange(4))]
    try:
        f(*arguments)
    except SoadynError:
        return


CASES = {
    "a formula agrees with the oracle": formulas_agree_with_the_oracle,
    "several formulas agree with the oracle": several_formulas_at_once,
    "a formula is explained": formulas_are_explained,
    "a formula's text is read or refused": texts_are_read_or_refused,
    "strange options of compile are refused": strange_options_are_refused,
}
