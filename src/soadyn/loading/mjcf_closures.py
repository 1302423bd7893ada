"""MJCF's <equality>: closures between bodies or sites, couplings of joints and of fixed tendons.

MuJoCo counts joints and tendons from qpos0. With p the polynomial of `polycoef`:

    joint     q1 - q1_0 = p(q2 - q2_0)                        one joint alone: q1 - q1_0 = p(0)
    tendon    L1 - L1_0 = p(L2 - L2_0),    L = sum of coef q

so that each is a sum of polynomials in single coordinates, if p is a line or its tendon pulls one joint.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, final

import numpy as np
from numpy.polynomial import Polynomial

from soadyn.loading.cutting import check_terms
from soadyn.loading.document import Element
from soadyn.loading.left_out import EQUALITY
from soadyn.loading.mjcf_names import Names, unique
from soadyn.mechanics.spatial.rotation import from_quaternion
from soadyn.model.draft import DraftClosure, DraftCoupling, LeftOut
from soadyn.model.placement import Placement

CONNECT, WELD, JOINT, TENDON = range(4)  # mjtEq; the others hold deformable bodies
ON_SITES = 6  # mjtObj: what a closure holds on to; else bodies
PULLS_JOINT = 1  # mjtWrap
TAGS = ("connect", "weld", "joint", "tendon")
DEGREE = 4
TORQUE_SCALE = 10  # its place in the data of a weld

Terms = dict[int, Polynomial]  # by joint


@final
class MjcfClosures:
    """The equalities of a compiled model, each as a closure, a coupling, or as what is left out."""

    def __init__(self, compiled: Any, documents: Iterable[Element], names: Names) -> None:
        self.compiled, self.names = compiled, names
        found = [x for document in documents for part in document.all("equality") for x in part.children]
        # Sub-models and <replicate> make more of them, in an order of their own.
        self.elements = found if len(found) == compiled.neq else []
        given = compiled.facts["equality"]
        self.terms = 0
        self.called = unique(given, [self._between(k) for k in range(compiled.neq)], set())

    def read(self) -> list[DraftClosure | DraftCoupling | LeftOut]:
        """All of them, in MuJoCo's order."""
        return [self._read(k) for k in range(self.compiled.neq)]

    def _read(self, k: int) -> DraftClosure | DraftCoupling | LeftOut:
        kind = int(self.compiled.eq_type[k])
        on = bool(self.compiled.eq_active0[k]) and "EQUALITY" not in self.compiled.facts["disabled"]
        if kind in (CONNECT, WELD):
            return self._closure(k, kind, on)
        terms = self._joint_terms(k) if kind == JOINT else self._tendon_terms(k) if kind == TENDON else None
        if terms is None or not any(poly.coef[1:].any() for poly in terms.values()):
            return LeftOut(EQUALITY, self._said(k), self._where(k))
        return DraftCoupling(self.called[k], self._named(terms), on=on, where=self._where(k))

    # Closures

    def _closure(self, k: int, kind: int, on: bool) -> DraftClosure:
        m, data = self.compiled, self.compiled.eq_data[k]
        one, other = self._ends(k)
        if int(m.eq_objtype[k]) == ON_SITES:
            bodies = m.site_bodyid[one], m.site_bodyid[other]
            x, y = (_pose(m.site_pos[site], m.site_quat[site]) for site in (one, other))
        elif kind == CONNECT:
            bodies = one, other
            x, y = Placement.of(None, data[0:3]), Placement.of(None, data[3:6])
        else:
            bodies = one, other
            x, y = _pose(data[3:6], data[6:10]), Placement.of(None, data[0:3])
        link, body = (self.names.body[body] if body else None for body in bodies)
        # Without a scale for its torque a weld lets both bodies turn.
        held = "ball" if kind == CONNECT or not data[TORQUE_SCALE] else "weld"
        return DraftClosure(self.called[k], link, body, held, None, x, y, on=on, where=self._where(k))

    # Couplings

    def _joint_terms(self, k: int) -> Terms:
        one, other = self._ends(k)
        p = Polynomial(self.compiled.eq_data[k][: DEGREE + 1])
        if other < 0:
            return {one: self._from_start(one) - p.coef[0]}
        return _sum([(one, self._from_start(one)), (other, -p(self._from_start(other)))])

    def _tendon_terms(self, k: int) -> Terms | None:
        one, other = self._ends(k)
        p = Polynomial(self.compiled.eq_data[k][: DEGREE + 1])
        pulled = self._pulled(one)
        if pulled is None:
            return None
        terms = [(joint, factor * self._from_start(joint)) for joint, factor in pulled]
        leading = [] if other < 0 else self._pulled(other)
        if leading is None or (len(leading) > 1 and p.coef[2:].any()):
            return None
        if len(leading) == 1:
            (joint, factor) = leading[0]
            terms.append((joint, -p(factor * self._from_start(joint))))
        else:
            terms += [(joint, -p.coef[1] * factor * self._from_start(joint)) for joint, factor in leading]
            terms.append((pulled[0][0], Polynomial([-p.coef[0]])))
        return _sum(terms)

    def _from_start(self, joint: int) -> Polynomial:
        """q - q_0 of a joint."""
        return Polynomial([-self.compiled.qpos0[self.compiled.jnt_qposadr[joint]], 1.0])

    def _pulled(self, tendon: int) -> list[tuple[int, float]] | None:
        """The joints of a fixed tendon with their coefficients; None of a spatial one."""
        m = self.compiled
        wraps = range(m.tendon_adr[tendon], m.tendon_adr[tendon] + m.tendon_num[tendon])
        self.terms += len(wraps)
        check_terms(self.terms, self.names.file)
        if any(int(m.wrap_type[w]) != PULLS_JOINT for w in wraps):
            return None
        return [(int(m.wrap_objid[w]), float(m.wrap_prm[w])) for w in wraps]

    def _named(self, terms: Terms) -> dict[str, tuple[float, ...]]:
        """By the joints' names; a joint that has only a constant gives it to the first that has more."""
        moving = [joint for joint, poly in terms.items() if poly.coef[1:].any()]
        terms[moving[0]] = terms[moving[0]] + sum(poly.coef[0] for joint, poly in terms.items() if joint not in moving)
        return {self.names.joint[joint]: tuple(map(float, terms[joint].coef)) for joint in moving}

    # Names

    def _ends(self, k: int) -> tuple[int, int]:
        return int(self.compiled.eq_obj1id[k]), int(self.compiled.eq_obj2id[k])

    def _between(self, k: int) -> str:
        """What an equality without a name is called."""
        m, kind = self.compiled, int(self.compiled.eq_type[k])
        ends = [end for end in self._ends(k) if end >= 0]
        if kind in (CONNECT, WELD):
            on_sites = int(m.eq_objtype[k]) == ON_SITES
            ends = [m.site_bodyid[end] for end in ends] if on_sites else ends
            return "/".join(self.names.body[end] if end else "world" for end in ends)
        if kind == JOINT:
            return "/".join(self.names.joint[end] for end in ends)
        return f"equality{k + 1}"

    def _where(self, k: int) -> str:
        if self.elements:
            return self.elements[k].where
        kind = int(self.compiled.eq_type[k])
        tag = TAGS[kind] if kind < len(TAGS) else "flex"
        return self.names.where(tag, self.compiled.facts["equality"][k])

    def _said(self, k: int) -> str:
        return f"{self.elements[k]!s:.80}" if self.elements else f"equality constraint {self.called[k]!r:.80}"


def _sum(terms: Iterable[tuple[int, Polynomial]]) -> Terms:
    whole: Terms = {}
    for joint, poly in terms:
        whole[joint] = whole.get(joint, Polynomial([0.0])) + poly
    return whole


def _pose(position: Any, quaternion: Any) -> Placement:
    return Placement.of(from_quaternion(np.asarray(quaternion)), position)
