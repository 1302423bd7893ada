"""What can be a symbol, and what its symbols are called: the robot's own names with a letter in front."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from soadyn.engine.constants.parameters import shape_of
from soadyn.errors import ArgumentError, unknown_name
from soadyn.model.coordinates import Coordinates
from soadyn.model.model import Model

# Arguments of quantities, by the names of `free` and of programs.
ARGUMENTS: Mapping[str, str] = {"q": "q", "v": "v", "a": "vdot", "tau": "tau"}
# Constants of all links or joints at once: which parameter, and of what.
CLASSES: Mapping[str, tuple[str, str]] = {
    "masses": ("links", "mass"),
    "centres": ("links", "com"),
    "inertias": ("links", "inertia"),
    "lengths": ("joints", "position"),
}
AXES = "xyz"
Wanted = list[tuple[str, np.ndarray]]  # a parameter, and where it has symbols; zeros of the robot stay zeros


def joint_symbols(space: Coordinates, letter: str, of_coordinates: bool) -> list[str]:
    """A name for each coordinate or component: the joint's, numbered where it has several.

    >>> import soadyn as sd
    >>> joint_symbols(sd.load("planar_two_link").engine.coordinates, "q", True)
    ['q_joint1', 'q_joint2']
    """
    names = []
    for joint in space.joint_names:
        places = space.joint_coordinates(joint) if of_coordinates else space.joint_dofs(joint)
        names += [f"{letter}_{joint}" if len(places) == 1 else f"{letter}_{joint}_{i + 1}" for i in range(len(places))]
    return names


def constant_symbols(name: str, shape: tuple[int, ...]) -> np.ndarray:
    """The names of a parameter's entries, in its shape; those of an inertia mirrored.

    >>> constant_symbols("arm.com", (3,)).tolist()
    ['c_arm_x', 'c_arm_y', 'c_arm_z']
    """
    owner, _, kind = name.rpartition(".")
    if name == "gravity":
        return np.array([f"g_{axis}" for axis in AXES], dtype=object)
    if kind == "mass":
        return np.array(f"m_{owner}", dtype=object)
    if kind == "inertia":
        pairs = [[f"J_{owner}_{AXES[min(i, j)]}{AXES[max(i, j)]}" for j in range(3)] for i in range(3)]
        return np.array(pairs, dtype=object)
    if kind == "armature":
        numbered = shape != (1,)
        return np.array([f"A_{owner}_{i + 1}" if numbered else f"A_{owner}" for i in range(*shape)], dtype=object)
    letter = {"com": "c", "position": "l"}[kind]
    return np.array([f"{letter}_{owner}_{axis}" for axis in AXES], dtype=object)


def wanted_constants(model: Model, free: Sequence[str]) -> Wanted:
    """The parameters among `free`, and which of their entries are symbols.

    Of a class ("masses", ...) only entries that are not zero in the robot; of a single name all.
    """
    if isinstance(free, str) or not isinstance(free, Iterable) or not all(isinstance(name, str) for name in free):
        raise ArgumentError(f"symbolic: free takes a list of names, such as ('q', 'masses'), got {free!r:.80}")
    found: Wanted = []
    for name in free:
        if name in ARGUMENTS:
            continue
        if name == "gravity":
            found.append((name, np.array(model.gravity) != 0))
        elif name in CLASSES:
            found += _of_class(model, *CLASSES[name])
        elif "." in name:
            found.append((name, np.ones(shape_of(model, name), dtype=bool)))
        else:
            raise unknown_name("name for `free`", name, [*ARGUMENTS, *CLASSES, "gravity", "LINK.mass"])
    names = [name for name, _ in found]
    if len(set(names)) < len(names):
        raise ArgumentError(f"symbolic was given a constant twice among {', '.join(free)}")
    return found


def _of_class(model: Model, owners: str, kind: str) -> Wanted:
    if owners == "links":
        bodies = [model.links[k - 1] for k in model.visible]
        values: dict[str, Any] = {body.name: getattr(body, kind) for body in bodies}
    else:
        joints = {name: model.joints[parts[0] - 1] for name, parts in model.joint_indices.items()}
        values = {name: x.placement.position for name, x in joints.items()}
    marked = {f"{owner}.{kind}": np.array(value) != 0 for owner, value in values.items()}
    return [(name, mask) for name, mask in marked.items() if mask.any()]


def robot_value(model: Model, name: str) -> np.ndarray:
    """The robot's own value of a parameter."""
    owner, _, kind = name.rpartition(".")
    if name == "gravity":
        return np.array(model.gravity)
    if kind == "armature":
        parts = [model.joints[k - 1].armature for k in model.joint_indices[owner]]
        return np.array([x for part in parts for x in part])
    if kind == "position":
        return np.array(model.joints[model.joint_indices[owner][0] - 1].placement.position)
    frame = model.frame(owner)
    body = model.links[frame.link - 1]
    own = np.array({"mass": body.mass, "com": body.com, "inertia": body.inertia}[kind], dtype=float)
    return own if body.name == owner else np.zeros(own.shape)  # of another frame: a payload, which the robot has not
