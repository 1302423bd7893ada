"""Regulators and motions of least cost."""

from __future__ import annotations

import soadyn as sd
from error_cases.case import Case
from urdf_cases import ARM

_COST = "cost = sd.optimal.Cost(arm, [0.5, 0.2], state_weight=1.0, effort_weight=1.0)\n"
OPTIMAL = (
    Case(
        "a goal at which the robot cannot rest",
        'cost = sd.optimal.Cost(arm, [0.3, 0.0], state_weight=1.0, effort_weight=1.0, passive=["joint1"])\n'
        "sd.optimal.lqr(cost)",
        sd.ArgumentError,
        r"lqr: robot 'planar_two_link' cannot rest at the goal: 'joint1' needs a force of 18.74 there and has no motor",
    ),
    Case(
        "the cost of a robot with tied joints",
        'sd.optimal.Cost(sd.load("arm.urdf", mimic="tie"), [0.1], state_weight=1.0, effort_weight=1.0)',
        sd.ArgumentError,
        r"Cost: robot '.*' has tied joints; load it with mimic='independent'$",
        {"arm.urdf": ARM.replace('<child link="lower"/>', '<child link="lower"/><mimic joint="shoulder"/>')},
    ),
    Case(
        "a goal that the motors cannot hold",
        "cost = sd.optimal.Cost(flyer, flyer.neutral(), state_weight=1.0, effort_weight=1.0, passive=['root'])\n"
        "sd.optimal.lqr(cost)",
        sd.ArgumentError,
        r"lqr: the motors of robot 'free_flyer' cannot hold it at the goal: they do not reach the motion of 'root",
    ),
    Case(
        "weights of effort that let a motor work for nothing",
        "sd.optimal.Cost(arm, [0.5, 0.2], state_weight=1.0, effort_weight=[1.0, 0.0])",
        sd.ArgumentError,
        r"Cost: effort_weight must be positive in every direction; its smallest eigenvalue is 0",
    ),
    Case(
        "weights of a wrong size",
        "sd.optimal.Cost(arm, [0.5, 0.2], state_weight=[1.0, 1.0], effort_weight=1.0)",
        sd.ArgumentError,
        r"Cost: state_weight must be a number, 4 numbers, or a symmetric \(4, 4\) matrix",
    ),
    Case(
        "a cost without a motor",
        'sd.optimal.Cost(arm, [0.5, 0.2], state_weight=1.0, effort_weight=1.0, passive=["joint1", "joint2"])',
        sd.ArgumentError,
        r"Cost: every joint of robot 'planar_two_link' is passive: nothing can be controlled",
    ),
    Case(
        "bounds of a motion of least cost that are no bounds",
        _COST + "sd.optimal.ilqr(cost, q, duration=1.0, effort_limit=[1.0, -1.0])",
        sd.ArgumentError,
        r"optimal control: effort_limit must be positive, got \[1.0, -1.0\]",
    ),
    Case(
        "first torques of a motion of least cost, of other steps",
        _COST + "sd.optimal.ilqr(cost, q, duration=1.0, step=0.1, tau0=np.zeros((7, 2)))",
        sd.ShapeError,
        r"ilqr: tau0 has shape \(7, 2\); expected \(10, ..., 2\)",
    ),
    Case(
        "starts that do not fit the states to begin with",
        _COST + "sd.optimal.ilqr(cost, np.zeros((3, 2)), duration=1.0, starts=4)",
        sd.ShapeError,
        r"ilqr: q0 is a batch \(3,\), the starts are \(4,\): they do not fit",
    ),
    Case(
        "random starts from no generator",
        _COST + 'sd.optimal.ilqr(cost, q, duration=1.0, starts=4, rng="dice")',
        sd.ArgumentError,
        r"ilqr: rng is a numpy.random.Generator or a seed, got 'dice'",
    ),
    Case(
        "random starts of a size for each of other motors",
        _COST + "sd.optimal.ilqr(cost, q, duration=1.0, starts=4, amplitude=[1.0, 2.0, 3.0])",
        sd.ShapeError,
        r"ilqr: amplitude has shape \(3,\); expected one number, or one for each of 2 motors",
    ),
    Case(
        "a regulator of a robot without a cost",
        "sd.optimal.lqr(arm)",
        sd.ArgumentError,
        r"lqr takes a Cost, got Robot",
    ),
    Case(
        "a motion whose states and forces do not fit",
        _COST + "sd.optimal.lqr_along(cost, np.zeros((5, 2)), np.zeros((5, 2)), np.zeros((5, 2)), step=0.1)",
        sd.ShapeError,
        r"lqr_along: q \(5, 2\) and v \(5, 2\) are states at the beginning of each step and at the end",
    ),
    Case(
        "a search that runs away from every start",
        _COST + "sd.optimal.ilqr(cost, q, duration=1.0, step=0.1, tau0=np.full((10, 2), 1e200), limits=False)",
        sd.ArgumentError,
        r"ilqr: the motion of planar_two_link runs away from every start",
    ),
    Case(
        "a regulator of a step that is too short",
        "sd.optimal.lqr(sd.optimal.Cost(arm, q, state_weight=1.0, effort_weight=1.0), step=1e-300)",
        sd.ArgumentError,
        r"lqr: step must be at least 1e-09 s, got 1e-300",
    ),
    Case(
        "no start at all",
        "sd.optimal.ilqr(sd.optimal.Cost(arm, q, state_weight=1.0, effort_weight=1.0), np.zeros((0, 2)), duration=0.1)",
        sd.ShapeError,
        r"ilqr: q0 and the starts are an empty batch \(0,\)",
    ),
)
