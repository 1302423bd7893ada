"""Arguments for each quantity of the table, of random robots; frames are `tool`, or the last link of those without."""

from __future__ import annotations

from typing import Any

import numpy as np

import soadyn as sd
from soadyn.quantities import QUANTITIES

# Each quantity's arguments beyond q, v, a, tau, which are taken by name.
MORE = {
    "pose": {"frame": "tool"},
    "jacobian": {"frame": "tool"},
    "frame_velocity": {"frame": "tool", "axes": "local"},
    "frame_acceleration": {"frame": "tool"},
    "momentum": {"about": "com"},
    "operational_inertia_inverse": {"frames": ["tool", "second"]},
    "operational_inertia": {"frames": "tool"},
    "operational_bias": {"frames": "tool"},
    "generalized_jacobian": {"frame": "tool"},
    "generalized_jacobian_times": {"frame": "tool", "axes": "local"},
    "generalized_jacobian_transposed_times": {"frame": "tool", "axes": "local"},
    "generalized_drift": {"frame": "tool"},
}


def arguments(name: str, state: dict[str, Any], robot: sd.Robot) -> dict[str, Any]:
    """The arguments of a quantity at a state."""
    names = [argument.name for argument in QUANTITIES[name].parameters]
    found = {argument: state[argument] for argument in names if argument in state}
    like = {"nu": "v", "xi": "v", "epsilon": "tau", "kappa": "tau"}
    found |= {argument: state[like[argument]] for argument in names if argument in like}
    if "passive" in names:
        found["passive"] = np.arange(robot.nv) % 2 == 0
    vectors = {
        "x": lambda x: x[..., ~found["passive"]],
        "y": lambda x: x[..., found["passive"]],
        "f": lambda x: x[..., :6],
    }
    for key in set(vectors) & set(QUANTITIES[name].arguments):
        found[key] = vectors[key](np.asarray(state["tau"]))
    return found | {key: _frames(x, robot) for key, x in MORE.get(name, {}).items()}


def _frames(x: Any, robot: sd.Robot) -> Any:
    """The frames of this robot in an argument."""
    links = robot.link_names
    here = {"tool": "tool" if "tool" in robot.frame_names else links[-1], "second": links[min(1, len(links) - 1)]}
    return [here[name] for name in x] if isinstance(x, list) else here.get(x, x)


def results(x: Any) -> tuple[Any, ...]:
    """All results of a call, those of tuples in tuples one after the other."""
    return tuple(y for part in x for y in results(part)) if isinstance(x, tuple) else (x,)


def called(robot: sd.Robot, name: str, state: dict[str, Any]) -> tuple[Any, ...]:
    return results(getattr(robot, name)(**arguments(name, state, robot)))
