"""Sweeps for the operators that are linear in the joint rates, along the motion or along one joint component.

Along a component the rates are an input of their own, joint$0, and every value made from them is called otherwise:
lambda_dot of joint$0 is lambda_dot~of0.
"""

from __future__ import annotations

from collections.abc import Iterable

from soadyn.mechanics.link import rates
from soadyn.programs.lowering.walks import INWARD, OUTWARD, Base
from soadyn.programs.sweep.combine import renamed
from soadyn.programs.sweep.diagonalized import INERTIA_RATE
from soadyn.programs.sweep.program import Direction, Stage, Sweep
from soadyn.programs.sweep.two_sweeps import LINK_VELOCITY

ALONG = " along "  # in the name of a node: "X_delta along joint$0"
ACROSS = Sweep(Direction.EVERY_LINK, rates.across, ("H", "v"), ("Delta", "Delta_H", "eta"))
ROOT = Sweep(Direction.EVERY_LINK, rates.turning_root, ("H", "A_r", "D", "v", "lambda_dot"), ("Z",))

RATE_BASE: dict[str, Base] = {
    **dict.fromkeys(("Delta", "Delta_H", "eta"), Base(None, ("H",))),
    "lambda_dot": Base(INWARD, ("P", "G")),
    "Z": Base(None, ("D", "lambda_dot")),
}
RATE_STAGES: dict[str, Stage] = {
    **dict.fromkeys(("Delta", "Delta_H", "eta"), ACROSS),
    "lambda_dot": INERTIA_RATE,
    "Z": ROOT,
}
# Values made from joint rates; of those along a component link velocities have a sweep of their own.
_BASE = {**RATE_BASE, "V": Base(OUTWARD)}
_STAGES = {**RATE_STAGES, "V": LINK_VELOCITY}


def place_along(operator: str) -> str:
    """The input that holds the rates of a node's operator."""
    return operator.partition(ALONG)[2]


def values_along(values: tuple[str, ...], place: str) -> tuple[str, ...]:
    """What values are called along the rates of an input."""
    return tuple(_name(value, place) for value in values)


def bases_along(places: Iterable[str]) -> dict[str, Base]:
    """The base values along the rates of some inputs."""
    return {
        _name(value, place): Base(base.direction, values_along(base.needs, place))
        for place in places
        for value, base in _BASE.items()
    }


def stages_along(places: Iterable[str]) -> dict[str, Stage]:
    """The sweeps that compute these."""
    found: dict[str, Stage] = {}
    for place in places:
        names = {"v": place, "phi_lambda": f"phi_lambda~{_suffix(place)}"}
        names |= {value: _name(value, place) for value in _BASE}
        found |= {names[value]: renamed(stage, names) for value, stage in _STAGES.items()}
    return found


def _name(value: str, place: str) -> str:
    return f"{value}~{_suffix(place)}" if value in _BASE else value


def _suffix(place: str) -> str:
    return f"of{place.partition('$')[2]}"
