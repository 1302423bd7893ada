"""Rows of the table of quantities that only robots with closures have."""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn

from soadyn.errors import ArgumentError
from soadyn.programs.sweep import closed as sweeps
from soadyn.programs.sweep import constrained
from soadyn.programs.sweep.closed import Shape
from soadyn.programs.sweep.program import Program
from soadyn.programs.sweep.shut import where_shut
from soadyn.quantities.row import OnClosed, Quantity

_BAR = """>>> import soadyn as sd
>>> b, beam = sd.Builder("four-bar"), sd.Body(1.0, com=(0.2, 0.0, 0.0))
>>> crank = b.link("crank", beam)
>>> coupler = b.link("coupler", beam, crank, origin=(0.3, 0, 0))
>>> rocker = b.link("rocker", beam, origin=(0.8, 0, 0))
>>> pin = b.loop("pin", coupler, rocker, "point on line", origin=(0.9, 0, 0), other_origin=(0.7, 0, 0))
>>> bar = b.robot()
>>> q = [0.3, 0.4, 1.0]
"""


def _none(name: str) -> Callable[[], NoReturn]:
    def no_program() -> NoReturn:
        raise ArgumentError(
            f"{name} is about closures, and this robot has none; Robot.close and Builder.loop make them"
        )

    return no_program


def _closed(program: Callable[[Shape], Program]) -> OnClosed:
    return OnClosed("closed", "of robots with closures alone", program)


CLOSURES = (
    Quantity(
        "closure_error",
        _none("closure_error"),
        ("q",),
        ("(rows,)",),
        "m or 1",
        "Phi",
        "How far the closures are from being closed, row by row in the order of `closures`: slides in m, turns as "
        "products of axes, about in rad. Rows that hold rates alone are zero.",
        _BAR + ">>> bar.closure_error(q).round(3)\narray([ 0.104, -0.192])",
        on_closed=_closed(sweeps.closure_error),
    ),
    Quantity(
        "closure_jacobian",
        _none("closure_jacobian"),
        ("q",),
        ("(rows, nv)",),
        "m or 1",
        "J_c = Q B* phi* H* + E_c",
        "The closures' Jacobian: the rate of `closure_error` is J_c v, on the closures and off them.",
        _BAR + ">>> bar.closure_jacobian(q).shape\n(2, 3)",
        on_closed=_closed(sweeps.closure_jacobian),
    ),
    Quantity(
        "closure_drift",
        _none("closure_drift"),
        ("q", "v"),
        ("(rows,)",),
        "m/s^2 or 1/s^2",
        "dJ_c/dt v = Q B* phi* a + a_Q",
        "What the rate of `closure_error` does while no joint accelerates.",
        _BAR + ">>> bar.closure_drift(q, [0.1, 0.2, 0.3]).shape\n(2,)",
        on_closed=_closed(sweeps.closure_drift),
    ),
    Quantity(
        "closure_inertia_inverse",
        _none("closure_inertia_inverse"),
        ("q",),
        ("(rows, rows)",),
        "inverse of kg, kg m^2",
        "Lambda_Q^-1 = J_c Mass^-1 J_c* = Y* D^-1 Y",
        "What unit forces of the closures do to the closures themselves, the mass matrix never formed: the Delassus "
        "operator.",
        _BAR + ">>> bar.closure_inertia_inverse(q).shape\n(2, 2)",
        on_closed=_closed(sweeps.closure_inertia_inverse),
    ),
    Quantity(
        "constrained_dynamics",
        _none("constrained_dynamics"),
        ("q", "v", "tau", "external"),
        ("(nv,)", "(rows,)"),
        "rad/s^2 or m/s^2; N or N m",
        "a = a_free + Mass^-1 J_c* lambda,  J_c a = -dJ_c/dt v",
        "The joint accelerations that given forces produce, as `forward_dynamics` gives them, and the closures' "
        "forces; those of rows that follow from others are zero.",
        _BAR + ">>> a, lam = bar.constrained_dynamics(q, [0.0] * 3, [0.0] * 3)\n>>> a.shape, lam.shape\n((3,), (2,))",
        on_closed=_closed(lambda shape: where_shut(constrained.constrained_dynamics(shape), shape)),
    ),
)
