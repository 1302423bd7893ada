"""What formulas are on arms in decimal arithmetic of many digits: written apart from the oracle, to judge `prove` by.

The joint maps, steps and inertias of an arm are doubles; all else is computed from them here. Every operator is an
array of `decimal.Decimal`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, Inexact, Rounded, Subnormal, Underflow, localcontext
from fractions import Fraction
from functools import cache
from typing import Any, Literal, final

import numpy as np

from random_robots import random_model, random_q, random_v
from soadyn.algebra.defining import Numbers
from soadyn.algebra.expressions import Adjoint, Expression, Identity, Inverse, Product, Root, Sum, Symbol
from soadyn.algebra.operators import VECTORS
from soadyn.theory.oracle.dense_robot import DenseRobot
from soadyn.theory.oracle.specimens import Specimen

DIGITS = 100
NOTHING = Decimal("1e-45")  # of the largest number that was met: what is smaller is rounding
NOISE = Decimal("1e-60")  # of the sizes of its factors or terms: where a product or sum is smaller it is exactly zero
CONTEXT = Context(prec=DIGITS, Emax=MAX_EMAX, Emin=MIN_EMIN)
for signal in (Inexact, Rounded, Subnormal, Underflow):
    CONTEXT.traps[signal] = False

Matrix = Any


class NoValueError(ArithmeticError):
    """The formula has an inverse that does not exist on this arm."""


@final
@dataclass(frozen=True)
class Arm:
    """A random arm, rebuilt from a few words; armature is on every joint or none."""

    seed: int
    links: int
    shape: Literal["serial", "tree"]
    root: Literal["fixed", "free"] = "fixed"
    kinds: tuple[str, ...] | None = None
    armature: bool = False

    def values(self, passive: bool, one_frame: bool) -> DecimalValues:
        """What formulas are on it."""
        return _values(self, passive, one_frame)


SINGLE = ("revolute", "prismatic", "helical")
# Small ones first. The trees' branches have two links and more.
ARMS = (
    Arm(1, 3, "serial", kinds=SINGLE),
    Arm(2, 3, "serial", kinds=SINGLE, armature=True),
    Arm(3, 3, "serial", "free", armature=True),
    Arm(11, 6, "tree", "free", armature=True),
    Arm(5, 3, "serial", "free"),
    Arm(10, 6, "tree", armature=True),
    Arm(1, 6, "tree", kinds=SINGLE),
    Arm(22, 6, "tree", "free"),
)


@cache
def _values(arm: Arm, passive: bool, one_frame: bool) -> DecimalValues:
    rng = np.random.default_rng(arm.seed)
    model = random_model(rng, arm.links, arm.kinds, arm.shape, arm.root, fixed_links=0.0)
    robot = DenseRobot(model, random_q(rng, model), random_v(rng, model))
    rotors = np.diag(rng.uniform(0.2, 0.8, robot.nv) if arm.armature else np.zeros(robot.nv))
    leaves = [k for k in range(robot.n) if k not in robot.parents]
    frames = leaves[-1:] if one_frame else leaves[-2:]
    B = np.hstack([_carried(robot, k, rng.uniform(-1, 1, 3)) for k in frames])
    return DecimalValues(robot, rotors, B, np.arange(robot.nv) % 2 == arm.seed % 2, passive)


@cache
def values_on(specimen: Specimen, passive: bool, one_frame: bool) -> DecimalValues:
    """What formulas are on an arm of the prover's own."""
    dense, mask = specimen.values(passive, one_frame), specimen.values(True).passive
    assert mask is not None
    return DecimalValues(dense.robot, dense.robot.A_r, dense.task_map, mask, passive)


@final
class DecimalValues:
    """The values of formulas on one arm; a user's own symbols get random values."""

    def __init__(self, robot: DenseRobot, A_r: np.ndarray, B: np.ndarray, mask: np.ndarray, passive: bool) -> None:
        self._robot, self._mask = robot, mask
        self._n, self._nv, self._parents = 6 * robot.n, robot.nv, robot.parents
        self._rows = [list(range(s.start, s.stop)) for s in robot.model.v_slices]
        M, rotors = exact(robot.M), exact(A_r)
        with localcontext(CONTEXT):
            H = self._joint_maps()
            self._all = {"H": H, "M": (M + M.T) / 2, "E_phi": exact(robot.E_phi), "A_r": rotors, "B": exact(B)}
            self._all |= {"H_a": H[~mask], "A_ra": rotors[np.ix_(~mask, ~mask)]}
            self._articulate(mask if passive else np.ones(robot.nv, dtype=bool), "_p" if passive else "")
            self._move(exact(robot.v)[:, None], passive)
        self._start()

    def _start(self) -> None:
        self._kept: dict[Expression, Matrix] = {}
        self._largest = Decimal(1)
        self._rng = np.random.default_rng(8)

    def same(self, left: Expression, right: Expression) -> bool:
        """Whether two formulas are equal but for rounding; NoValueError if one has no value."""
        self._start()
        with localcontext(CONTEXT):
            x, y = self._of(left), self._of(right)
            return largest(x - y) <= NOTHING * self._largest

    def has(self, x: Expression) -> bool:
        """Whether a formula has a value."""
        try:
            self.same(x, x)
        except NoValueError:
            return False
        return True

    def _of(self, x: Expression) -> Matrix:
        if x not in self._kept:
            self._kept[x] = value = self._computed(x)
            self._largest = max(self._largest, largest(value))
        return self._kept[x]

    def _computed(self, x: Expression) -> Matrix:
        match x:
            case Identity():
                return eye(self._size(x.domain.place))
            case Adjoint():
                return self._of(x.of).T
            case Product():
                value = self._of(x.factors[-1])
                size = largest(value)
                for factor in x.factors[-2::-1]:
                    value = self._of(factor) @ value
                    size *= largest(self._of(factor))
                return without_noise(value, size)
            case Sum():
                value = zeros(self._size(x.codomain.place), self._size(x.domain.place))
                size = Decimal(0)
                for number, term in x.terms:
                    part = Fraction(number)
                    scaled = self._of(term) * (Decimal(part.numerator) / Decimal(part.denominator))
                    value, size = value + scaled, max(size, largest(scaled))
                return without_noise(value, size)
            case Inverse():
                return inverse(self._of(x.of))
            case Root():
                return self._root(self._of(x.of), x.of.domain.place)
            case Symbol(formula=formula) if formula is not None:
                return self._of(formula)
            case Symbol(name="L_Y"):
                return self._pose_map()
            case Symbol() if x.name in self._all:
                return self._all[x.name]
            case Symbol():
                return self._vector(x) if x.is_vector else self._own(x)
        raise TypeError(type(x).__name__)

    def _size(self, place: str) -> int:
        sizes = {"link": self._n, "joint": self._nv, "number": 1, "task": self._all["B"].shape[1]}
        sizes["pose"] = 2 * sizes["task"]
        sizes |= {"active joint": int((~self._mask).sum()), "passive joint": int(self._mask.sum())}
        return sizes[place.removeprefix("white ")]

    def _blocks(self, place: str) -> list[list[int]]:
        links = [list(range(i, i + 6)) for i in range(0, self._n, 6)]
        return links if place.endswith("link") else self._rows

    # Operators

    def _joint_maps(self) -> Matrix:
        """H, in which a screw's slide is along its axis and a plane's axes are orthonormal to all digits."""
        H = exact(self._robot.H)
        for k, joint in enumerate(self._robot.model.joints):
            turn, slide = (slice(6 * k + i, 6 * k + i + 3) for i in (0, 3))
            mine = self._rows[k]
            if joint.kind == "helical":
                along = int(np.argmax(abs(H[mine[0], turn])))
                H[mine[0], slide] = H[mine[0], turn] * (H[mine[0], slide][along] / H[mine[0], turn][along])
            if joint.kind == "planar":
                e1 = H[mine[0], slide] / (H[mine[0], slide] @ H[mine[0], slide]).sqrt()
                e2 = H[mine[1], slide] - e1 * (e1 @ H[mine[1], slide])
                e2 = e2 / (e2 @ e2).sqrt()
                H[mine[0], slide], H[mine[1], slide], H[mine[2], turn] = e1, e2, crossing(e1) @ e2
        return H

    def _articulate(self, free: np.ndarray, suffix: str) -> None:
        """All operators from H, M, E_phi and A_r; those of the articulated arm whose free components these are."""
        x, one = self._all, eye(self._n)
        H, A_r, E = x["H"][free], x["A_r"][np.ix_(free, free)], x["E_phi"]
        P, R = x["M"].copy(), x["M"].copy()
        D, G = zeros(len(H), len(H)), zeros(self._n, len(H))
        counts = np.concatenate([[0], np.cumsum(free)])
        for k, p in reversed(list(enumerate(self._parents))):
            at = slice(6 * k, 6 * k + 6)
            mine = slice(counts[self._rows[k][0]], counts[self._rows[k][-1] + 1])
            D[mine, mine] = H[mine, at] @ P[at, at] @ H[mine, at].T + A_r[mine, mine]
            G[at, mine] = P[at, at] @ H[mine, at].T @ inverse(D[mine, mine])
            if p >= 0:
                on, step = slice(6 * p, 6 * p + 6), E[6 * p : 6 * p + 6, at]
                P[on, on] += step @ (P[at, at] - G[at, mine] @ D[mine, mine] @ G[at, mine].T) @ step.T
                R[on, on] += step @ R[at, at] @ step.T
        phi, E_psi = powers(E), E - E @ G @ H
        psi, inner = powers(E_psi), H.T @ inverse(D) @ H
        Upsilon = inner.copy()
        for k, p in enumerate(self._parents):
            if p >= 0:
                at, on = slice(6 * k, 6 * k + 6), slice(6 * p, 6 * p + 6)
                Upsilon[at, at] += E_psi[on, at].T @ Upsilon[on, on] @ E_psi[on, at]
        mass = x["H"] @ phi @ x["M"] @ phi.T @ x["H"].T + x["A_r"]
        x |= {"P": P, "R": R, "phi": phi, "phi_tilde": phi - one, "psi": psi, "psi_tilde": psi - one, "mass": mass}
        x |= {"E_psi": E_psi, "tau": G @ H, "tau_bar": one - G @ H, "P_plus": P - G @ D @ G.T, "Upsilon": Upsilon}
        x |= {"Omega": psi.T @ inner @ psi, "D" + suffix: D, "G" + suffix: G, "K" + suffix: E @ G}
        x |= {"H_p": H, "A_rp": A_r} if suffix else {}

    def _move(self, v: Matrix, passive: bool) -> None:
        """The operators that are linear in the joint rates; those of the articulated arm only with all joints free."""
        x, H = self._all, self._all["H"]
        V, across = x["phi"].T @ (H.T @ v), H.T @ v
        names = ("V_tilde", "W_omega", "W_s", "W_delta", "N_delta", "X_delta", "Y_delta")
        x |= {name: zeros(self._n, self._n) for name in names} | {"eta_delta": zeros(self._nv, self._nv)}
        for k, p in enumerate(self._parents):
            at = slice(6 * k, 6 * k + 6)
            turn, none = crossing(V[at, 0][:3]), zeros(3, 3)
            x["V_tilde"][at, at] = np.block([[turn, none], [crossing(V[at, 0][3:]), turn]])
            x["W_omega"][at, at] = np.block([[turn, none], [none, turn]])
            x["W_s"][at, at] = x["W_omega"][6 * p : 6 * p + 6, 6 * p : 6 * p + 6] if p >= 0 else zeros(6, 6)
            x["N_delta"][at, at] = np.block([[none, crossing(across[at, 0][3:])], [none, none]])
            x["W_delta"][at, at] = np.kron(eye(2), crossing(across[at, 0][:3]))
            fixed = self._robot.model.joints[k].kind in ("spherical", "free")
            x["X_delta"][at, at] = x["W_delta"][at, at] + x["N_delta"][at, at]
            x["Y_delta"][at, at] = x["X_delta" if fixed else "N_delta"][at, at]
            mine = slice(self._rows[k][0], self._rows[k][-1] + 1)
            rows = H[mine, at]
            x["eta_delta"][mine, mine] = inverse(rows @ rows.T) @ rows @ x["Y_delta"][at, at].T @ rows.T
        if not passive:
            self._move_articulated(x["A_r"] @ x["eta_delta"])

    def _move_articulated(self, half: Matrix) -> None:
        """lambda_dot by powers of E_psi, which vanish in the end; Z from the rate of D."""
        x = self._all
        changed = x["X_delta"] @ x["P"] + (x["X_delta"] @ x["P"]).T + x["K"] @ (half + half.T) @ x["K"].T
        x["lambda_dot"] = changed
        for _ in self._parents:
            x["lambda_dot"] = changed + x["E_psi"] @ x["lambda_dot"] @ x["E_psi"].T
        moved = x["Y_delta"] @ x["P"]
        D_rate = x["H"] @ (x["lambda_dot"] - moved - moved.T) @ x["H"].T
        L = self._root(x["D"], "joint")
        turned = inverse(L) @ D_rate @ inverse(L).T / 2
        x["Z"] = np.tril(turned, -1) - np.triu(turned, 1)

    def _vector(self, x: Symbol) -> Matrix:
        robot, all_ = self._robot, self._all
        made: dict[str, Callable[[], Matrix]] = {
            "theta_dot": lambda: exact(robot.v)[:, None],
            "a": lambda: exact(robot.a + robot.a_g)[:, None],
            "b": lambda: exact(robot.b)[:, None],
            "V": lambda: all_["phi"].T @ all_["H"].T @ self._named("theta_dot"),
            "alpha": lambda: all_["phi"].T @ (all_["H"].T @ self._named("theta_ddot") + self._named("a")),
            "f": lambda: all_["phi"] @ (
                all_["M"] @ self._named("alpha") + self._named("b") + all_["B"] @ self._named("f_tip")
            ),
            "T": lambda: all_["H"] @ self._named("f") + all_["A_r"] @ self._named("theta_ddot"),
            "T_p": lambda: self._named("T")[self._mask],
            "theta_dot_a": lambda: self._named("theta_dot")[~self._mask],
            "theta_ddot_a": lambda: self._named("theta_ddot")[~self._mask],
        }  # fmt: skip
        if x.name not in made:
            return exact(self._rng.standard_normal((self._size(x.codomain.place), 1)))
        return made[x.name]()

    def _pose_map(self) -> Matrix:
        """How twelve numbers for each frame, a position and three axes, change with the frame's velocity."""
        Y, found = self._named("Y")[:, 0], zeros(self._size("pose"), self._size("task"))
        for i in range(self._size("task") // 6):
            found[12 * i : 12 * i + 3, 6 * i + 3 : 6 * i + 6] = eye(3)
            for j in (3, 6, 9):
                rows = slice(12 * i + j, 12 * i + j + 3)
                found[rows, 6 * i : 6 * i + 3] = -crossing(Y[rows])
        return found

    def _named(self, name: str) -> Matrix:
        return self._of(VECTORS[name])

    def _own(self, x: Symbol) -> Matrix:
        """A user's operator; what is symmetric is positive definite, what is one number for each component diagonal."""
        value = zeros(self._size(x.codomain.place), self._size(x.domain.place))
        diagonal = isinstance(x.blocks, Numbers) and x.blocks.array.ndim == 1
        for at in [[i] for i in range(self._nv)] if diagonal else self._blocks(x.domain.place):
            block = exact(self._rng.standard_normal((len(at), len(at))))
            value[np.ix_(at, at)] = block @ block.T + eye(len(at)) if x.symmetric else block
        return value

    def _root(self, value: Matrix, place: str) -> Matrix:
        root = zeros(*value.shape)
        for at in self._blocks(place):
            block, L = value[np.ix_(at, at)], zeros(len(at), len(at))
            for j in range(len(at)):
                rest = block[j:, j] - L[j:, :j] @ L[j, :j]
                if rest[0] > NOTHING * max(largest(block), Decimal(1)):
                    L[j:, j] = rest / rest[0].sqrt()
            root[np.ix_(at, at)] = L
        return root


# Matrices of decimals


def exact(x: Matrix) -> Matrix:
    return np.frompyfunc(Decimal, 1, 1)(np.asarray(x, dtype=float).astype(object))


def crossing(x: Matrix) -> Matrix:
    """The matrix of the cross product with a 3-vector."""
    a, b, c = x
    none = Decimal(0)
    return np.array([[none, -c, b], [c, none, -a], [-b, a, none]], dtype=object)


def zeros(*shape: int) -> Matrix:
    return np.full(shape, Decimal(0), dtype=object)


def eye(n: int) -> Matrix:
    return exact(np.eye(n))


def largest(x: Matrix) -> Decimal:
    return max((abs(value) for value in x.reshape(-1)), default=Decimal(0))


def without_noise(x: Matrix, size: Decimal) -> Matrix:
    """Zero where numbers are nothing beside this size: an inverse would make something of them."""
    return np.where(np.abs(x) > NOISE * size, x, Decimal(0))


def powers(E: Matrix) -> Matrix:
    """I + E + E² + ..., which ends."""
    total = power = eye(len(E))
    while largest(power):
        power = E @ power
        total = total + power
    return total


def inverse(X: Matrix) -> Matrix:
    """By Gauss and Jordan with pivots; NoValueError if one vanishes beside its row."""
    n = len(X)
    rows = np.hstack([X, eye(n)])
    sizes = [largest(row) for row in X]
    for j in range(n):
        i = max(range(j, n), key=lambda i: abs(rows[i, j]) / sizes[i] if sizes[i] else Decimal(0))
        if not sizes[i] or abs(rows[i, j]) <= NOTHING * sizes[i]:
            raise NoValueError
        rows[[i, j]] = rows[[j, i]]
        sizes[i], sizes[j] = sizes[j], sizes[i]
        rows[j] = rows[j] / rows[j, j]
        for k in range(n):
            if k != j and rows[k, j]:
                rows[k] = rows[k] - rows[k, j] * rows[j]
    return rows[:, n:]


def _carried(robot: DenseRobot, k: int, l: np.ndarray) -> np.ndarray:
    """B of a point at l beside O(k)."""
    x, y, z = l
    B = np.zeros((6 * robot.n, 6))
    B[6 * k : 6 * k + 6] = np.eye(6)
    B[6 * k : 6 * k + 3, 3:] = [[0, -z, y], [z, 0, -x], [-y, x, 0]]
    return B
