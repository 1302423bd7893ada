"""Names and units of the entries of measures and parameters: a joint's name says more than a number."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import final

import numpy as np

from soadyn.quantities import QUANTITIES
from soadyn.robot import Robot
from soadyn.robot.labels import PER_RATE, coordinate_names, coordinate_units, rate_names, rate_units
from soadyn.studies.measures import POSITION, Measure

LIKE = {"q0": "q", "v0": "v", "control": "tau"}
ENERGIES = ("kinetic", "potential", "work", "energy", "energy_drift")
CONSTANTS = {"mass": "kg", "com": "m", "inertia": "kg m^2", "gravity": "m/s^2"}


@final
@dataclass(frozen=True, slots=True)
class Entries:
    """The names of the entries along the last axis, none of a single number, and their units, none if not known."""

    names: tuple[str, ...] = ()
    units: tuple[str, ...] = ()

    @property
    def unit(self) -> str:
        """The unit that all entries have; empty if there is none."""
        return self.units[0] if len(set(self.units)) == 1 else ""

    def named(self, k: int) -> str:
        """An entry's name with its unit.

        >>> Entries(("elbow", "rail"), ("rad", "m")).named(1)
        'rail (m)'
        """
        return self.names[k] + (f" ({self.units[k]})" if self.units and self.units[k] else "")


def of_measure(robot: Robot, measure: Measure) -> Entries:
    """The entries of a measure of a robot."""
    whole = _of_field(robot, measure.of)
    if measure.entry is not None and not measure.norm:
        inside = -len(whole.units) <= measure.entry < len(whole.units)
        return Entries(units=(whole.units[measure.entry],) if inside else ())
    return Entries(units=(whole.unit,)) if measure.norm else whole


def of_vector(robot: Robot, name: str) -> Entries:
    """The entries of a parameter: a vector such as "q0", a joint's part of one, or a constant of the robot."""
    vector, _, joint = name.partition(".")
    field = LIKE.get(vector, vector)
    if field != "q" and field not in PER_RATE:
        return Entries(units=(CONSTANTS.get(name.rpartition(".")[2], ""),))
    whole = _of_field(robot, field)
    if not joint:
        return whole
    places = robot.joint_coordinates(joint) if field == "q" else robot.joint_dofs(joint)
    names = tuple(whole.names[k].rpartition(".")[2] for k in places) if len(places) > 1 else ()
    return Entries(names, tuple(whole.units[k] for k in places))


def _of_field(robot: Robot, of: str) -> Entries:
    if of == "q":
        return Entries(coordinate_names(robot), coordinate_units(robot))
    if of in PER_RATE:
        return Entries(rate_names(robot), rate_units(robot, *PER_RATE[of]))
    if of in ENERGIES:
        return Entries(units=("J",))
    if of == POSITION:
        return Entries(("x", "y", "z"), ("m",) * 3)
    row = QUANTITIES[of]
    unit = row.unit.split(" or ")
    match row.results:
        case ("(nv,)",):
            units = rate_units(robot, unit[0], unit[-1]) if len(unit) <= 2 else ()
            return Entries(rate_names(robot), units)
        case ("()",):
            return Entries(units=(row.unit,))
    return Entries()


def columns(arrays: Mapping[str, np.ndarray], labels: Mapping[str, Entries]) -> dict[str, np.ndarray]:
    """Columns of numbers, (rows,) each; entries are told apart by joints, "q.elbow", or by places, "q[2]".

    >>> columns({"q": np.zeros((5, 2))}, {"q": Entries(("hip", "knee"))}).keys()
    dict_keys(['q.hip', 'q.knee'])
    """
    found: dict[str, np.ndarray] = {}
    for name, x in arrays.items():
        flat = x.reshape(len(x), -1)
        for k, (place, label) in enumerate(entries(name, x.shape[1:], labels).items()):
            # A parameter "q.elbow" may stand beside a measure "q": what comes second has its place instead.
            free = label if label not in found else f"{name}[{','.join(map(str, place))}]"
            found[free] = flat[:, k]
    return found


def entries(name: str, shape: tuple[int, ...], labels: Mapping[str, Entries]) -> dict[tuple[int, ...], str]:
    """What the entries of a measure or parameter are called, by their places."""
    last = labels.get(name, Entries()).names
    named = bool(shape) and len(last) == shape[-1]
    found = {}
    for place in np.ndindex(shape):
        numbers = place[:-1] if named else place
        of = f"{name}[{','.join(map(str, numbers))}]" if numbers else name
        found[place] = f"{of}.{last[place[-1]]}" if named else of
    return found
