"""Abused arguments of robots, their states, parametric robots and compiled formulas.

A trial makes a call that is right, then replaces one argument. What means the same in another guise (a list, single
precision, fractions, a strided view) must give what the reference gives for plain float64 arrays; what is no such
argument must be refused by an error of soadyn's. Each call is made twice: the first checks, the second may be fast.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cache
from typing import Any

import mpmath
import numpy as np
from fuzz_motion import STRANGE

import soadyn as sd
from soadyn.algebra import H, M, T, a, b, inv, mass, phi, theta_dot
from soadyn.errors import SoadynError
from soadyn.quantities import QUANTITIES

LIMIT = 1e-9
REFUSED = "refused"


@dataclass
class Given:
    """A value for an argument, what it means as plain float64 (or REFUSED), and how closely results agree."""

    value: Any
    meaning: Any
    tolerance: float = LIMIT


# Guises of an array


def _objects(x: np.ndarray, change: Callable[[float], Any]) -> np.ndarray:
    boxed = np.empty(x.shape, dtype=object)
    for index in np.ndindex(x.shape):
        boxed[index] = change(float(x[index]))
    return boxed


def _strided(x: np.ndarray) -> np.ndarray:
    return np.repeat(x, 2, axis=-1)[..., ::2]


def _frozen(x: np.ndarray) -> np.ndarray:
    copy = x.copy()
    copy.setflags(write=False)
    return copy


GUISES: tuple[Callable[[np.ndarray], Given], ...] = (
    lambda x: Given(x.tolist(), x),
    lambda x: Given((x.tolist(), x.tolist()), np.stack([x, x])),
    lambda x: Given(x.astype(np.float32), x, 1e-2),
    lambda x: Given(x.astype(np.float16), x.astype(np.float16).astype(float)),
    lambda x: Given(x.astype(np.longdouble), x),
    lambda x: Given(x.astype(">f8"), x),
    lambda x: Given(x.astype(complex), x),
    lambda x: Given(np.asfortranarray(np.stack([x, x])), np.stack([x, x])),
    lambda x: Given(_strided(x), x),
    lambda x: Given(_frozen(x), x),
    lambda x: Given(_objects(x, float), x),
    lambda x: Given(_objects(x, Fraction), x),
    lambda x: Given(_objects(x, Decimal), x),
    lambda x: Given(_objects(x, mpmath.mpf), x),
    lambda x: Given(np.ma.array(x), x),
    lambda x: Given(np.stack([x, x, x])[::-1], np.stack([x, x, x])),
    lambda x: Given(x[None, None], x[None, None]),
    lambda x: Given(np.zeros((0, *x.shape)), np.zeros((0, *x.shape))),
    lambda x: Given(np.full_like(x, np.nan), np.full_like(x, np.nan)),
    lambda x: Given(np.full_like(x, np.inf), np.full_like(x, np.inf)),
)

STRANGERS: tuple[Callable[[np.ndarray], Any], ...] = (
    lambda x: None,
    lambda x: "0.0",
    lambda x: b"0.0",
    lambda x: object(),
    lambda x: {"joint1": 0.0},
    lambda x: {0.0, 1.0},
    lambda x: len,
    lambda x: sd.load("planar_two_link"),
    lambda x: (value for value in x),
    lambda x: x.astype(bool),
    lambda x: x.astype(str),
    lambda x: np.zeros(x.shape, dtype="datetime64[s]"),
    lambda x: np.zeros(x.shape, dtype=[("x", float)]),
    lambda x: np.ma.array(x, mask=True),
    lambda x: [np.ma.array(x, mask=True)] * 2,
    lambda x: _objects(x, lambda _: None),
    lambda x: _objects(x, lambda _: 10**400),
    lambda x: _objects(x, lambda _: "x"),
    lambda x: _objects(x, lambda _: True),
    lambda x: _objects(x, lambda value: np.array([value, value])),
    lambda x: np.append(x.reshape(-1), 0.0),
    lambda x: [[*x.tolist()], [0.0] * 77],
    lambda x: _deep(80),
    lambda x: np.zeros((*x.shape, 0)),
)


def _deep(levels: int) -> Any:
    nested: Any = 0.0
    for _ in range(levels):
        nested = [nested]
    return nested


def array(rng: random.Random, x: np.ndarray) -> Given:
    if rng.random() < 0.6:
        return rng.choice(GUISES)(x)
    return Given(rng.choice(STRANGERS)(x), REFUSED)


# Other arguments

OFFSET = np.eye(4)


def frame(rng: random.Random, robot: sd.Robot) -> Given:
    name = rng.choice(robot.link_names)
    right = [name, np.str_(name), (name, OFFSET), (name, OFFSET.tolist()), (name, _objects(OFFSET, Fraction)), "ground"]
    wrong = [None, 3, "nowhere", "", name.encode(), (name,), (name, OFFSET, 1), (name, 1j * OFFSET), (3, OFFSET)]
    wrong += [
        (name, np.full((4, 4), np.nan)),
        (name, np.ma.array(OFFSET, mask=True)),
        (name, 0 * OFFSET),
        {name: OFFSET},
    ]
    wrong += [(name, "x"), (name, None), (name, np.eye(3)), object(), np.array(name), (name, OFFSET.astype(bool))]
    if rng.random() < 0.5:
        value = rng.choice(right)
        return Given(value, "ground" if value == "ground" else name)
    return Given(rng.choice(wrong), REFUSED)


def axes(rng: random.Random, robot: sd.Robot) -> Given:
    if rng.random() < 0.3:
        value = rng.choice(["world", "local"])
        return Given(value, value)
    return frame(rng, robot)


def passive(rng: random.Random, robot: sd.Robot) -> Given:
    joint = rng.choice(robot.joint_names)
    dofs = list(robot.joint_dofs(joint))
    mask = np.zeros(robot.nv, dtype=bool)
    mask[dofs] = True
    first = np.zeros(robot.nv, dtype=bool)
    first[dofs[0]] = True
    right = [([joint], mask), ((joint,), mask), ([joint, joint], mask), (mask.copy(), mask), (mask.tolist(), mask)]
    right += [
        ([(joint, 0)], first),
        (iter([joint]), mask),
        ({joint}, mask),
        (np.ma.array(mask), mask),
        ([np.str_(joint)], mask),
    ]
    wrong = [
        joint,
        None,
        0,
        [0],
        [(joint, 0.0)],
        [(joint, False)],
        [(joint, -1)],
        [(joint, 99)],
        [(joint, 0, 0)],
        [None],
    ]
    wrong += [["nothing"], [(joint, None)], mask.astype(int), mask.astype(float), np.append(mask, True), np.array(True)]
    wrong += [
        np.ma.array(mask, mask=True),
        [[joint]],
        [b"root"],
        mask.astype(object),
        robot,
        [("x", 0)],
    ]
    if rng.random() < 0.5:
        value, meaning = rng.choice(right)
        return Given(value, meaning)
    return Given(rng.choice(wrong), REFUSED)


def external(rng: random.Random, robot: sd.Robot) -> Given:
    x = np.array([rng.gauss(0, 1) for _ in range(6 * len(robot.link_names))]).reshape(-1, 6)
    if rng.random() < 0.5:
        return array(rng, x)
    name = robot.link_names[0]
    wrench, plain = array(rng, x[0]), np.zeros_like(x)
    if wrench.meaning is REFUSED or rng.random() < 0.3:
        wrong = [{name: wrench.value}] if wrench.meaning is REFUSED else [{"nowhere": x[0]}, {3: x[0]}, {None: x[0]}]
        return Given(rng.choice(wrong), REFUSED)
    if wrench.meaning.ndim > 1:
        plain = np.zeros((*wrench.meaning.shape[:-1], *plain.shape))
    plain[..., 0, :] = wrench.meaning
    return Given({name: wrench.value}, plain, wrench.tolerance)


def about(rng: random.Random, robot: sd.Robot) -> Given:
    if rng.random() < 0.4:
        value = rng.choice(["origin", "com"])
        return Given(value, value)
    x = array(rng, np.array([0.1, -0.2, 0.3]))
    return Given("here", REFUSED) if isinstance(x.value, str) else x


def square_root(rng: random.Random, robot: sd.Robot) -> Given:
    if rng.random() < 0.2:
        return Given(*[rng.choice(["cholesky", "symmetric"])] * 2)
    return Given(rng.choice(["Cholesky", "", None, 1, b"cholesky", ["cholesky"], ("symmetric",)]), REFUSED)


OPTIONS = {
    "frame": frame,
    "frames": frame,
    "axes": axes,
    "passive": passive,
    "external": external,
    "about": about,
    "square_root": square_root,
}


# Calls


@cache
def robots() -> list[sd.Robot]:
    flyer, builder = sd.load("free_flyer"), sd.Builder("mixed")
    builder.link("trunk", sd.Body(2.0, (0.1, 0.2, 0.3), np.diag([0.3, 0.2, 0.4])), joint="spherical")
    builder.link(
        "hand", sd.Body(1.0, (0.3, 0.0, 0.1), np.diag([0.1, 0.2, 0.2])), "trunk", "cylindrical", origin=(1, 0, 0)
    )
    return [
        sd.load("planar_two_link"),
        flyer.lock(["wheel_x", "wheel_y", "wheel_z"], flyer.neutral()),
        sd.build(builder),
    ]


def right_call(rng: random.Random, robot: sd.Robot, quantity: str) -> dict[str, Any]:
    """Arguments of a quantity as they should be."""
    numbers = np.random.default_rng(rng.randrange(2**32))
    dofs = robot.joint_dofs(robot.joint_names[0])
    na, np_ = robot.nv - len(dofs), len(dofs)
    joint = dict.fromkeys(("v", "a", "tau", "nu", "epsilon", "xi", "kappa"), robot.nv)
    sizes = {**joint, "x": na, "y": np_, "f": 6}
    options = {"frame": robot.link_names[-1], "frames": robot.link_names[-1], "axes": "world", "about": "origin"}
    options |= {"passive": [robot.joint_names[0]], "external": None, "square_root": "cholesky"}
    given: dict[str, Any] = {}
    for argument in QUANTITIES[quantity].parameters:
        name = argument.name
        if name == "q":
            given[name] = robot.random_configuration(numbers)
        else:
            given[name] = numbers.standard_normal(sizes[name]) if name in sizes else options[name]
    return given


def outcome(call: Callable[[], Any]) -> Any:
    try:
        return call()
    except SoadynError as error:
        return error


def compare(found: Any, expected: Any, tolerance: float, what: str) -> None:
    if isinstance(expected, tuple):
        assert isinstance(found, tuple), f"{what}: {found!r}"
        for x, y in zip(found, expected, strict=True):
            compare(x, y, tolerance, what)
        return
    found, expected = np.asarray(found).astype(complex), np.asarray(expected).astype(complex)
    assert found.shape == expected.shape, f"{what}: shape {found.shape}, expected {expected.shape}"
    assert (np.isnan(found) == np.isnan(expected)).all(), f"{what}: NaN elsewhere: {found}, expected {expected}"
    finite = np.isfinite(expected)
    assert (np.isfinite(found) == finite).all(), f"{what}: infinite elsewhere: {found}, expected {expected}"
    off = np.max(abs(found - expected), initial=0.0, where=finite)
    size = np.max(abs(expected), initial=1.0, where=finite)
    assert off <= tolerance * size, f"{what}: off by {off:.2g} of {size:.2g}: {found}, expected {expected}"


def judge(call: Callable[[], Any], expected: Callable[[], Any], given: Given, what: str) -> None:
    """The call gives what the reference gives for the plain argument, or an error of soadyn's; twice."""
    what = f"{what} with {given.value!r:.300}"
    for _ in range(2):
        found = outcome(call)
        if given.meaning is REFUSED:
            assert isinstance(found, SoadynError), f"{what} was not refused: {found!r:.300}"
        elif not isinstance(found, SoadynError):
            wanted = outcome(expected)
            assert not isinstance(wanted, SoadynError), f"{what}: {found!r:.300}, but the reference says {wanted}"
            compare(found, wanted, given.tolerance, what)


def abused(rng: random.Random, robot: sd.Robot, given: dict[str, Any], name: str) -> Given:
    found = OPTIONS[name](rng, robot) if name in OPTIONS else array(rng, given[name])
    # None stands for an argument that is not needed.
    return Given("0.0", REFUSED) if found.value is None and name in ("a", "tau", "external") else found


def quantity(rng: random.Random) -> None:
    """A quantity of a robot, or of its state."""
    robot = rng.choice(robots())
    name = rng.choice(list(QUANTITIES))
    given = right_call(rng, robot, name)
    argument = rng.choice(list(given))
    strange = abused(rng, robot, given, argument)
    plain = {**given, argument: strange.meaning}
    reference = robot.with_backend("numpy")
    if isinstance(strange.value, type(iter([]))):  # an iterator serves one call
        strange = Given(list(strange.value), strange.meaning, strange.tolerance)
    options = {key: value for key, value in given.items() if key not in ("q", "v")}

    def of_state() -> Any:
        changed = {**given, argument: strange.value}
        state = robot.at(changed["q"], changed.get("v"))
        rest = {key: changed[key] for key in options}
        return getattr(state, name)(**rest) if rest else getattr(state, name)

    def of_robot() -> Any:
        return getattr(robot, name)(**{**given, argument: strange.value})

    use_state = rng.random() < 0.3
    judge(
        of_state if use_state else of_robot,
        lambda: getattr(reference, name)(**plain),
        strange,
        f"{robot.name}.{'at().' if use_state else ''}{name}: {argument}",
    )


PARAMETERS = ("gravity", "link2.mass", "link1.com", "link2.inertia", "joint1.armature", "joint2.position")


@cache
def parametric(name: str) -> sd.robot.ParametricRobot:
    return sd.load("planar_two_link").parametric(name)


def parameter(rng: random.Random) -> None:
    """A parameter's value, and the state beside it, of a parametric robot."""
    name, quantity = rng.choice(PARAMETERS), rng.choice(("gravity_force", "mass_matrix", "potential_energy"))
    robot = parametric(name)
    shape = robot.shapes[name]
    right = np.eye(3) if shape == (3, 3) else np.full(shape or (1,), 0.3)
    given = {"q": np.array([0.3, 0.4]), "value": right}
    which = rng.choice(list(given))
    strange = array(rng, given[which])
    if which == "value" and shape in ((), (1,)) and strange.meaning is REFUSED and is_numbers(strange.value):
        return  # any array of numbers is a batch of values
    method = getattr(robot, quantity)
    values = {**given, which: strange.value}
    plain = {**given, which: strange.meaning}
    judge(
        lambda: method(values["q"], values["value"]),
        lambda: getattr(reference_parametric(name), quantity)(plain["q"], plain["value"]),
        strange,
        f"parametric({name!r}).{quantity}: {which}",
    )


def is_numbers(x: Any) -> bool:
    """Is it an array of floats, none of which is masked?"""
    return type(x) is np.ndarray and x.dtype == float


@cache
def reference_parametric(name: str) -> sd.robot.ParametricRobot:
    return sd.load("planar_two_link").with_backend("numpy").parametric(name)


@cache
def formulas() -> dict[str, tuple[Any, Any, int]]:
    """Compiled formulas, the same as computed by the reference, and how many joint vectors each takes after q."""
    arm = sd.load("planar_two_link")
    written = {
        "bias": (H @ phi @ (M @ phi.T @ a + b), 1),
        "accelerations": (inv(mass) @ T, 1),
        "momenta": (mass @ theta_dot, 1),
    }
    return {
        name: (sd.compile(formula, arm), sd.compile(formula, arm.with_backend("numpy")), vectors)
        for name, (formula, vectors) in written.items()
    }


def compiled(rng: random.Random) -> None:
    """The arguments of a compiled formula."""
    name = rng.choice(list(formulas()))
    fast, slow, vectors = formulas()[name]
    given = [np.array([0.3, 0.4])] + [np.array([0.5, -0.6])] * vectors
    which = rng.randrange(len(given))
    strange = array(rng, given[which])
    values, plain = list(given), list(given)
    values[which], plain[which] = strange.value, strange.meaning
    judge(lambda: fast(*values), lambda: slow(*plain), strange, f"compiled {name}: argument {which}")


def configurations(rng: random.Random) -> None:
    """integrate, difference and the null space."""
    robot = rng.choice(robots())
    numbers = np.random.default_rng(rng.randrange(2**32))
    q, other = robot.random_configuration(numbers, 2)
    dv = numbers.standard_normal(robot.nv)
    method, given = rng.choice(
        [("integrate", {"q": q, "dv": dv}), ("difference", {"q0": q, "q1": other}), ("reaction_null_space", {"q": q})]
    )
    fixed = {"passive": [robot.joint_names[0]]} if method == "reaction_null_space" else {}
    argument = rng.choice(list(given))
    strange = array(rng, given[argument])
    judge(
        lambda: getattr(robot, method)(**{**given, **fixed, argument: strange.value}),
        lambda: getattr(robot, method)(**{**given, **fixed, argument: strange.meaning}),
        strange,
        f"{robot.name}.{method}: {argument}",
    )


@cache
def others() -> list[tuple[Callable[..., Any], dict[str, Any]]]:
    """Calls that take more than states, each with arguments that are right."""
    arm, other = sd.load("planar_two_link"), sd.load("free_flyer")
    q = [0.1, 0.2]
    return [
        (arm.at, {"q": q, "v": q, "together": ["mass_matrix", ("pose", "tool")]}),
        (arm.configuration, {"joints": {"joint1": 0.3}}),
        (lambda at: arm.configuration({"joint1": at}), {"at": 0.3}),
        (arm.random_configuration, {"rng": np.random.default_rng(0), "size": (2, 3)}),
        (arm.with_gravity, {"gravity": [0, 0, -9.81]}),
        (arm.with_payload, {"link": "tool", "mass": 1.0, "com": [0, 0, 0.1], "inertia": np.eye(3)}),
        (arm.lock, {"joints": ["joint1"], "q": q}),
        (lambda at: arm.lock("joint1", {"joint1": at}), {"at": 0.3}),
        (arm.subtree, {"link": "link2", "q": q}),
        (arm.attach, {"other": other, "frame": "tool", "name_prefix": "hand_", "weld": True}),
        (arm.split_joint, {"joint": "joint1"}),
        (arm.passive_arm, {"passive": ["joint1"], "q": q}),
        (arm.active_arm, {"passive": ["joint1"], "q": q}),
        (other.reaction_null_space, {"q": other.neutral(), "passive": ["root"], "undisturbed": ["root"]}),
        (arm.joint_dofs, {"joint": "joint1"}),
        (arm.joint_coordinates, {"joint": "joint1"}),
        (arm.operation_counts, {"quantity": "jacobian", "frame": "tool"}),
        (arm.with_backend, {"backend": "numpy"}),
        (lambda name: arm.parametric(name), {"name": "gravity"}),
        (sd.Robot, {"model": arm.model, "backend": "auto"}),
        (sd.chain, {"n": 3, "root": "fixed"}),
        (sd.Body, {"mass": 1.0, "com": (0, 0, 0), "inertia": np.eye(3)}),
        (sd.explain, {"what": "mass_matrix", "robot": arm}),
        (lambda bad_rows: sd.errstate(bad_rows).__enter__(), {"bad_rows": "warn"}),
        (lambda quantity: sd.errstate("warn") and arm.operation_counts(quantity), {"quantity": "mass_matrix"}),
    ]


def anything(rng: random.Random) -> None:
    """Anything at all for one argument of the other methods: a result, or an error of soadyn's."""
    function, given = rng.choice(others())
    name = rng.choice(list(given))
    strange = rng.choice(STRANGE)
    try:
        function(**{**given, name: strange})
    except SoadynError:
        pass
    except Exception as error:
        called = getattr(function, "__name__", str(function))
        raise AssertionError(f"{called}: {name} = {strange!r:.200} raises {type(error).__name__}: {error}") from error


CASES: dict[str, Callable[[random.Random], None]] = {
    "arguments of quantities": quantity,
    "arguments of parametric robots": parameter,
    "arguments of compiled formulas": compiled,
    "arguments of configurations": configurations,
    "arguments of other methods": anything,
}
