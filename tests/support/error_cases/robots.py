"""Robots, how they are computed, and constants as arguments."""

from __future__ import annotations

import soadyn as sd
from error_cases.case import Case

# Robots and how they are computed

ROBOTS = (
    Case(
        "changing a robot",
        "arm.gravity = [0, 0, 0]",
        AttributeError,
        r"a Robot cannot be changed \(setting 'gravity'\)",
    ),
    Case("changing a state", "arm.at(q).q = q", AttributeError, r"a State cannot be changed \(setting 'q'\)"),
    Case(
        "a backend that is not there",
        'arm.with_backend("jax")',
        sd.ArgumentError,
        "a backend is one of 'auto', 'numpy', 'rolled', 'straight', got 'jax'",
    ),
    Case("no threads", "sd.set_threads(0)", sd.ArgumentError, "set_threads takes a whole number, one or more, got 0"),
    Case(
        "a seed for a generator",
        "arm.random_configuration(0)",
        sd.ArgumentError,
        r"random_configuration takes a numpy\.random\.Generator, got 0",
    ),
    Case(
        "a payload on the ground",
        'arm.with_payload("base", 1.0)',
        sd.ModelError,
        "a payload on 'base' would change nothing: that frame is fixed in the ground",
    ),
    Case(
        "a payload of negative mass",
        'arm.with_payload("tool", -1.0)',
        sd.ModelError,
        r"a body's mass must be a finite number, zero or more \(kg\), got -1\.0",
    ),
    Case(
        "a lopsided moment of inertia",
        'arm.with_payload("tool", 1.0, inertia=[[1, 2, 3], [0, 1, 0], [0, 0, 1]])',
        sd.ModelError,
        "a body's inertia must be symmetric",
    ),
    Case(
        "gravity as one number",
        "arm.with_gravity(9.81)",
        sd.ModelError,
        r"gravity of robot 'planar_two_link' \(m/s\^2\) must be three finite numbers, got 9\.81",
    ),
    Case(
        "more random configurations than memory holds",
        "arm.random_configuration(size=10**12)",
        sd.ArgumentError,
        r"size 1000000000000 is more than 1e\+10 numbers, or more than 32 axes",
    ),
    Case(
        "a joint by an array",
        "arm.joint_dofs(np.zeros(2))",
        sd.UnknownNameError,
        r"unknown joint array\(\[0\., 0\.\]\) of robot 'planar_two_link'",
    ),
    Case(
        "neither welded nor not",
        'arm.attach(arm, "tool", "upper_", weld="yes")',
        sd.ArgumentError,
        "attach: weld is True or False, got 'yes'",
    ),
    Case(
        "a chain longer than memory",
        "sd.chain(10**9)",
        sd.ArgumentError,
        "a chain has 10,000,000 links at most, got 1000000000",
    ),
    Case(
        "a configuration with an unknown joint",
        'arm.configuration({"joint": 0.3})',
        sd.UnknownNameError,
        "unknown joint 'joint' of robot 'planar_two_link'. Did you mean 'joint2' or 'joint1'",
    ),
    Case(
        "a configuration with too many numbers",
        'arm.configuration({"joint1": [0.3, 0.4]})',
        sd.ShapeError,
        r"joint 'joint1' has 1 coordinates, got \[0.3, 0.4\]",
    ),
    Case(
        "a configuration without names",
        "arm.configuration([0.3, 0.4])",
        sd.ArgumentError,
        r"configuration takes {joint: coordinates}, got \[0.3, 0.4\]",
    ),
    Case(
        "locking an unknown joint",
        'arm.lock("elbow", q)',
        sd.UnknownNameError,
        "unknown joint 'elbow' of robot 'planar_two_link'",
    ),
    Case(
        "locking without a value",
        'arm.lock("joint1", {"joint2": 0.5})',
        sd.ArgumentError,
        "no value is given for the joint 'joint1'; q has 'joint2'",
    ),
    Case(
        "locking at a word",
        'arm.lock("joint1", {"joint1": "up"})',
        sd.ShapeError,
        "joint 'joint1' cannot be placed at 'up': expected numbers",
    ),
    Case(
        "locking at NaN",
        'arm.lock("joint1", [np.nan, 0.0])',
        sd.ModelError,
        r"joint 'joint1' cannot be placed at \[nan\]: not finite",
    ),
    Case(
        "locking at a vanishing quaternion",
        'flyer.lock("root", np.zeros(17))',
        sd.ModelError,
        "joint 'root' cannot be placed at .*: its quaternion vanishes",
    ),
    Case(
        "locking joints by number",
        "arm.lock(1, q)",
        sd.ArgumentError,
        "lock takes a joint's name or a list of names, got 1",
    ),
    Case(
        "the subtree of a frame",
        'arm.subtree("tool")',
        sd.ModelError,
        "'tool' is a frame of link 'link2', not a moving link itself",
    ),
    Case(
        "attaching a robot of the same names",
        'arm.attach(arm, "tool")',
        sd.ModelError,
        "both have a link or frame named 'base', 'link1', 'link2', 'tool'; give a name_prefix, such as \"hand_\"",
    ),
    Case(
        "attaching at an unknown frame",
        'arm.attach(flyer, "tol", "flyer_")',
        sd.UnknownNameError,
        "unknown frame 'tol' of robot 'planar_two_link'. Did you mean 'tool'",
    ),
    Case(
        "splitting a simple joint",
        'arm.split_joint("joint1")',
        sd.ModelError,
        "joint 'joint1' is revolute: it has one degree of freedom and cannot be split",
    ),
)

# Constants as arguments

PARAMETERS = (
    Case(
        "a parameter of nothing",
        'arm.parametric("tool.weight")',
        sd.UnknownNameError,
        "unknown parameter 'tool.weight'. Did you mean",
    ),
    Case(
        "a parameter of the ground",
        'arm.parametric("base.mass")',
        sd.ArgumentError,
        "parameter 'base.mass': 'base' is fixed to the ground, so nothing depends on it",
    ),
    Case(
        "a parameter without a value",
        'arm.parametric("tool.mass").gravity_force(q)',
        sd.ArgumentError,
        "gravity_force takes q, tool.mass; got 1 values",
    ),
    Case(
        "a mass centre of two numbers",
        'arm.parametric("tool.com").gravity_force(q, [1.0, 2.0])',
        sd.ShapeError,
        r"'tool.com' has shape \(2,\); expected \(\.\.\., 3\)",
    ),
)
