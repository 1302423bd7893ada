"""Parts of trajectories, capture, inverse kinematics, paths."""

from __future__ import annotations

import soadyn as sd
from error_cases.case import Case

FALL = "fall = sd.simulate(arm, q, duration=0.1, step=0.01)\n"
TRAJECTORIES = (
    Case(
        "a record that is not there",
        f"{FALL}fall[99]",
        sd.ArgumentError,
        r"\[99\] does not pick from 11 records of a batch \(\)",
    ),
    Case("no records", f"{FALL}fall[5:5]", sd.ArgumentError, r"\[slice\(5, 5, None\)\] leaves no records of 11"),
    Case("time run backwards", f"{FALL}fall[::-1]", sd.ArgumentError, "leaves times that do not ascend"),
    Case(
        "a time after the end",
        f"{FALL}fall.at(0.2)",
        sd.ArgumentError,
        r"the trajectory lasts from 0 to 0\.1 s, got the time 0\.2 s",
    ),
    Case("a time in words", f"{FALL}fall.at('noon')", sd.ArgumentError, "times are numbers in seconds, got 'noon'"),
    Case(
        "a span that ends before it begins",
        f"{FALL}fall.between(0.05, 0.02)",
        sd.ArgumentError,
        r"between takes a start and a later end, got 0\.05 and 0\.02 s",
    ),
    Case("no time between records", f"{FALL}fall.resample(0)", sd.ArgumentError, "records every 0 s cannot be made"),
    Case(
        "times that do not ascend",
        f"{FALL}fall.resample([0.05, 0.02])",
        sd.ArgumentError,
        r"resample takes a distance in seconds or ascending times \(n,\)",
    ),
    Case(
        "the end of a trajectory from a file",
        f"{FALL}sd.Trajectory.load(fall.save('fall.npz')).end",
        sd.ArgumentError,
        r"the trajectory of 'planar_two_link' does not know its robot; give it one with trajectory\.of\(robot\)",
    ),
    Case(
        "motions that do not meet",
        f"{FALL}fall.joined(fall)",
        sd.ArgumentError,
        "cannot join: the first motion of 'planar_two_link' ends with 'joint.' elsewhere than the second begins",
    ),
    Case(
        "motions of different robots",
        f"{FALL}fall.joined(sd.simulate(flyer, flyer.neutral(), duration=0.01, step=0.01))",
        sd.ArgumentError,
        r"they have other coordinates; sd\.Phases\(\[first, then\]\) keeps motions of robots that change",
    ),
    Case("phases of nothing", "sd.Phases([])", sd.ArgumentError, "Phases takes trajectories, one after another"),
    Case(
        "too few robots for phases",
        f"{FALL}sd.Phases([fall]).of()",
        sd.ArgumentError,
        "1 phases are of 1 robots, got 0",
    ),
)

BOTH = 'both = flyer.attach(sd.chain(1, root="free"), "ground", name_prefix="t_")\n'
STATE = "both.neutral(), np.zeros(both.nv)"
CAPTURE = (
    Case(
        "a body that hangs on something",
        'sd.capture(arm, q, v, "link2", "link1")',
        sd.ModelError,
        "'link2' hangs on the revolute joint 'joint2'; a body to hold moves freely in the ground, as no link of this "
        "robot does",
    ),
    Case(
        "a body held by the ground",
        f'{BOTH}sd.capture(both, {STATE}, "t_base", "ground")',
        sd.ModelError,
        "frame 'ground' is fixed in the ground; a moving link must hold 't_base'",
    ),
    Case(
        "a body held by itself",
        f'{BOTH}sd.capture(both, {STATE}, "t_base", "t_link_1")',
        sd.ModelError,
        "frame 't_link_1' belongs to 't_base' itself, or hangs on it",
    ),
    Case(
        "several states at once",
        f'{BOTH}sd.capture(both, [both.neutral()] * 2, np.zeros(both.nv), "t_base", "tool")',
        sd.ShapeError,
        r"capture takes one state, on which the robot depends; 'q' has shape \(2, \d+\)",
    ),
)

IK = "arm.inverse_kinematics"
KINEMATICS = (
    Case("no target", f"{IK}({{}})", sd.ArgumentError, r"needs at least one target: \{frame: pose\}, or com="),
    Case("a pose without a frame", f"{IK}(np.eye(4))", sd.ArgumentError, r"takes \{frame: target\}, got array"),
    Case("an unknown frame", f'{IK}({{"tol": np.eye(4)}})', sd.UnknownNameError, "unknown frame 'tol'.* 'tool'"),
    Case(
        "a frame that nothing moves",
        f'{IK}({{"ground": np.eye(4)}})',
        sd.ArgumentError,
        "frame 'ground' is fixed in the ground; no joint moves it",
    ),
    Case(
        "a pose of the wrong shape",
        f'{IK}({{"tool": np.eye(5)}})',
        sd.ShapeError,
        r"target of 'tool' has shape \(5, 5\); expected \(\.\.\., 4, 4\)",
    ),
    Case(
        "a rotation where a pose is wanted",
        f'{IK}({{"tool": np.eye(3)}})',
        sd.ShapeError,
        r"expected \(\.\.\., 4, 4\); for a rotation alone write sd\.kinematics\.Orientation\(R\)$",
    ),
    Case("a turn that is none", f'{IK}({{"tool": 2 * np.eye(4)}})', sd.ArgumentError, "the rotation is none, got"),
    Case(
        "a target at infinity",
        f'{IK}({{"tool": [np.inf, 0, 0]}})',
        sd.ArgumentError,
        "target of 'tool' has numbers that are not finite",
    ),
    Case(
        "a direction of no length",
        f'{IK}({{"tool": sd.kinematics.Direction([0, 0, 0])}})',
        sd.ArgumentError,
        "a direction of 'tool' has no length",
    ),
    Case(
        "a target without weight",
        f'{IK}({{"tool": sd.kinematics.Position([1, 0, 0], weight=0)}})',
        sd.ArgumentError,
        "the weight of a target must be positive, got 0 for 'tool'",
    ),
    Case(
        "a robot that cannot move",
        'arm.lock(["joint1", "joint2"], q).inverse_kinematics({"tool": [1, 0, 0]})',
        sd.ArgumentError,
        "inverse_kinematics: robot 'planar_two_link' has no joints",
    ),
    Case(
        "nowhere to start",
        f'{IK}({{"tool": [1, 0, 0]}}, restarts=0)',
        sd.ArgumentError,
        "without q0 the search needs restarts",
    ),
    Case(
        "a tolerance of zero",
        f'{IK}({{"tool": [1, 0, 0]}}, tolerance=0)',
        sd.ArgumentError,
        "inverse_kinematics: tolerance must be a positive number, got 0",
    ),
)

LINE = "path = sd.paths.line(arm, [0, 0], [1, 1])\n"
PATHS = (
    Case(
        "a way of one point", "sd.paths.spline(arm, [[0, 0]])", sd.ShapeError, r"at least two configurations \(n, 2\)"
    ),
    Case(
        "a point twice",
        "sd.paths.spline(arm, [[0, 0], [1, 0], [1, 0]])",
        sd.ArgumentError,
        "spline: points 1 and 2 are the same",
    ),
    Case(
        "knots that do not ascend",
        "sd.paths.spline(arm, [[0, 0], [1, 0], [1, 1]], knots=[0, 0.5, 0.4])",
        sd.ArgumentError,
        "spline: 3 points need as many knots that ascend from 0 to 1",
    ),
    Case("a motion in no time", f"{LINE}sd.paths.quintic(path, 0)", sd.ArgumentError, "duration must be a positive"),
    Case("a path in words", "sd.paths.quintic('home', 1.0)", sd.ArgumentError, "quintic takes a Path, .* got str"),
    Case(
        "a motion without an acceleration",
        f"{LINE}sd.paths.trapezoidal(path, None)",
        sd.ArgumentError,
        "trapezoidal needs an acceleration_limit, the largest of each joint",
    ),
    Case(
        "limits in words",
        f'{LINE}sd.paths.time_optimal(path, effort_limit="own")',
        sd.ArgumentError,
        "time_optimal: effort_limit must be \"robot\", positive numbers or None, got 'own'",
    ),
    Case(
        "a limit below zero",
        f"{LINE}sd.paths.trapezoidal(path, acceleration_limit=-1.0)",
        sd.ArgumentError,
        r"trapezoidal: acceleration_limit must be positive, got -1\.0",
    ),
    Case(
        "limits of another robot",
        f"{LINE}sd.paths.time_optimal(path, effort_limit=np.ones(6))",
        sd.ShapeError,
        r"time_optimal: effort_limit has shape \(6,\); expected one number, or one for each of 2 joint components",
    ),
    Case(
        "a time after a motion's end",
        f"{LINE}sd.paths.quintic(path, 1.0).at(2.0)",
        sd.ArgumentError,
        "the motion lasts from 0 to 1 s",
    ),
    Case(
        "a path that gravity forbids",
        "path = sd.paths.line(arm, [-1.5, 0], [1.5, 0])\nsd.paths.time_optimal(path, effort_limit=5.0)",
        sd.ArgumentError,
        "cannot be followed within the limits: at s = .* no speed leads on",
    ),
    Case(
        "a line that leaves the reach",
        'ur5 = sd.load("ur5")\nsd.paths.cartesian_line(ur5, [0, -1, 1, 0, 1, 0], "tool0", [2, 0, 0])',
        sd.ArgumentError,
        r"the frame 'tool0' cannot follow: at s = .* it misses by .* within joint limits",
    ),
    Case(
        "poses that are no numbers",
        'ur5 = sd.load("ur5")\nsd.paths.through_poses(ur5, [0, -1, 1, 0, 1, 0], "tool0", "here")',
        sd.ShapeError,
        r"argument 'poses' has dtype",
    ),
    Case(
        "a place on a path that is no number",
        'sd.paths.line(arm, [0, 0], [1, 1]).at("middle")',
        sd.ShapeError,
        r"argument 's' has dtype",
    ),
    Case(
        "a grid of too many intervals",
        "sd.paths.time_optimal(sd.paths.line(arm, [0, 0], [1, 1]), effort_limit=[50, 50], grid=10**12)",
        sd.ArgumentError,
        r"time_optimal: a grid has 1 to 1,000,000 intervals, got 1000000000000",
    ),
)
