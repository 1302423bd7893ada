"""Simulation, and forces in joints."""

from __future__ import annotations

import soadyn as sd
from error_cases.case import Case
from urdf_cases import ARM

# Simulation

SIMULATION = (
    Case(
        "bad rows that should do something else",
        'sd.simulate(arm, q, duration=5.0, bad_rows="skip")',
        sd.ArgumentError,
        'bad_rows is "raise" or "nan", got \'skip\'',
    ),
    Case(
        "an event that is no number",
        'sd.simulate(arm, q, duration=5.0, events=sd.Event(lambda t, q, v: "high"))',
        sd.ArgumentError,
        "must be a finite number at t = 0 s",
    ),
    Case(
        "an event that gives half a state",
        "sd.simulate(arm, q, duration=5.0, events=sd.Event(lambda t, q, v: t - 0.1, do=lambda t, q, v: 7))",
        sd.ArgumentError,
        "returns None or \\(q, v\\), got 7",
    ),
    Case(
        "a stop without damping to be had",
        "sd.Stops(damping=-1.0)",
        sd.ArgumentError,
        "Stops: damping must be a positive number or zero, got -1.0",
    ),
    Case(
        "parameters that are no dict",
        'sd.simulate(arm.parametric("gravity"), q, duration=5.0, parameters=[0.0])',
        sd.ArgumentError,
        "parameters are a dict of values by name, got list",
    ),
    Case(
        "samples out of order",
        "sd.TimeSeries([0.0, 0.0], [[1.0], [2.0]])",
        sd.ArgumentError,
        "TimeSeries: times must be increasing numbers, at least one",
    ),
    Case(
        "samples without a row for each time",
        "sd.TimeSeries([0.0, 1.0], [1.0, 2.0])",
        sd.ShapeError,
        "TimeSeries: values have shape \\(2,\\); expected a row for each of the 2 times",
    ),
    Case(
        "samples that are not finite",
        "sd.TimeSeries([0.0, 1.0], [[np.nan], [2.0]])",
        sd.ArgumentError,
        "TimeSeries: values must be finite real numbers",
    ),
    Case(
        "a stop that pulls",
        "sd.Stops(stiffness=-1.0)",
        sd.ArgumentError,
        "Stops: stiffness must be a positive number, got -1.0",
    ),
    Case(
        "limits of an unknown kind",
        'sd.simulate(arm, q, duration=5.0, stops="all")',
        sd.ArgumentError,
        "stops are True, False or .* got 'all'",
    ),
    Case(
        "parameters of a robot that has none",
        'sd.simulate(arm, q, duration=5.0, parameters={"link2.mass": 1.0})',
        sd.ArgumentError,
        "robot 'planar_two_link' are none: take robot\\.parametric",
    ),
    Case(
        "a parametric robot without its values",
        'sd.simulate(arm.parametric("link2.mass"), q, duration=5.0)',
        sd.ArgumentError,
        "robot 'planar_two_link' are 'link2\\.mass'; got none",
    ),
    Case(
        "damping that drives",
        'sd.simulate(arm.parametric("joint1.damping"), q, duration=5.0, parameters={"joint1.damping": [-1.0]})',
        sd.ArgumentError,
        "'joint1\\.damping' must be zero or more, got -1\\.0",
    ),
    Case(
        "an event without a function",
        "sd.Event(3.0)",
        sd.ArgumentError,
        "Event: when is a function of \\(t, q, v\\), got 3\\.0",
    ),
    Case(
        "an event that does something unknown",
        'sd.Event(lambda t, q, v: q[0], do="jump")',
        sd.ArgumentError,
        'do is "stop", "note" or a function',
    ),
    Case(
        "an event in an unknown direction",
        "sd.Event(lambda t, q, v: q[0], direction=2)",
        sd.ArgumentError,
        "Event: direction is 1, -1 or 0, got 2",
    ),
    Case(
        "an event of a batch",
        "sd.simulate(arm, [q, q], duration=5.0, events=sd.Event(lambda t, q, v: q[0]))",
        sd.ArgumentError,
        "events are of one motion, not of a batch \\(2,\\)",
    ),
    Case(
        "something else than events",
        'sd.simulate(arm, q, duration=5.0, events=["stop"])',
        sd.ArgumentError,
        "events are a list of sd.Event",
    ),
    Case(
        "a rollout's derivative by what it has not",
        "sd.simulate(arm, q, duration=0.02, step=0.01).jvp(control=[1.0, 0.0])",
        sd.ArgumentError,
        "there is no 'control' here; directions are of q0, v0",
    ),
    Case(
        "a rollout's weights of another shape",
        "sd.simulate(arm, q, duration=0.02, step=0.01).vjp([1.0])",
        sd.ShapeError,
        "weights of q have shape \\(1,\\); expected \\(2,\\)",
    ),
    Case(
        "the derivative of a part of a rollout",
        "sd.simulate(arm, q, duration=0.02, step=0.01)[:2].vjp([1.0, 0.0])",
        sd.ArgumentError,
        "derivatives are of a whole simulation",
    ),
    Case(
        "a rollout with a Python function differentiated",
        "sd.simulate(arm, q, control=lambda t, q, v: -v, duration=0.02, step=0.01).vjp([1.0, 0.0])",
        sd.ArgumentError,
        "cannot be machine code, which derivatives are made of",
    ),
    Case(
        "a feedback that pushes away",
        "sd.control.JointFeedback(arm, q, stiffness=-1.0, damping=1.0)",
        sd.ArgumentError,
        "JointFeedback: stiffness must be zero or more, got -1.0",
    ),
    Case(
        "a feedback along samples of another size",
        "sd.control.ComputedTorque(arm, sd.TimeSeries([0.0], [[1.0, 2.0, 3.0]]))",
        sd.ShapeError,
        "ComputedTorque: samples of q have 3 numbers each; expected 2",
    ),
    Case(
        "a feedback at no time",
        "sd.control.ComputedTorque(arm, q).compiled()(float('nan'), q, q)",
        sd.ArgumentError,
        "ComputedTorque: t must be a time in seconds, got nan",
    ),
    Case(
        "a feedback of another robot",
        "sd.simulate(arm, q, duration=5.0, control=sd.control.ComputedTorque(flyer, flyer.neutral()))",
        sd.ArgumentError,
        "the ComputedTorque is for robot 'free_flyer' with joints .*; robot 'planar_two_link' has .*'joint2'",
    ),
    Case(
        "a delay of a torque that is not sampled",
        "sd.simulate(arm, q, duration=5.0, control=sd.control.ComputedTorque(arm, q), delay=1)",
        sd.ArgumentError,
        "simulate: a delay counts the steps of a sampled control; give sampled=True as well",
    ),
    Case(
        "half a step of delay",
        "sd.simulate(arm, q, duration=5.0, control=sd.control.ComputedTorque(arm, q), sampled=True, delay=0.5)",
        sd.ArgumentError,
        "simulate: delay must be a whole number from 0 to 1000, got 0.5",
    ),
    Case(
        "a delay beside failures",
        'sd.simulate(arm, q, duration=5.0, sampled=True, delay=1, failures=[(0.1, "joint1")])',
        sd.ArgumentError,
        "simulate: a delay of the control does not go with failures",
    ),
    Case(
        "a feedback that is no formula",
        "sd.control.FormulaFeedback(arm.mass_matrix)",
        sd.ArgumentError,
        "a FormulaFeedback takes one compiled formula",
    ),
    Case(
        "a formula's references that are missing",
        'sd.control.FormulaFeedback(sd.compile(sd.vector("u", "joint force"), arm))',
        sd.ArgumentError,
        "references are \\['u'\\], got none",
    ),
    Case(
        "friction that sticks in total rates",
        'sd.simulate(arm, q, duration=5.0, joint_forces=[sd.Friction("joint1", 1.0)], method="diagonalized")',
        sd.ArgumentError,
        "knows neither joints that stick",
    ),
    Case(
        "a name for a robot",
        'sd.simulate("ur5", q, duration=5.0)',
        sd.ArgumentError,
        "simulate takes a Robot, .* got str",
    ),
    Case(
        "no time at all",
        "sd.simulate(arm, q, duration=0)",
        sd.ArgumentError,
        "simulate: duration must be a positive number, got 0",
    ),
    Case(
        "steps that never end",
        "sd.simulate(arm, q, duration=5.0, step=1e-320)",
        sd.ArgumentError,
        "simulate: step = 9.99989e-321 s divides the duration of 5 s into inf steps; expected at most 1e.10",
    ),
    Case(
        "progress shown in an unknown way",
        'sd.simulate(arm, q, duration=5.0, progress="loudly")',
        sd.ArgumentError,
        r'progress takes True, False, "always" or a function of \(t, duration\), got \'loudly\'',
    ),
    Case(
        "a trajectory in a file of unknown kind",
        "sd.simulate(arm, q, duration=0.1, step=0.01).save('fall.txt')",
        sd.ArgumentError,
        r"cannot write a trajectory to 'fall\.txt': its suffix is '\.txt'; expected \.npz, \.csv or \.parquet",
    ),
    Case(
        "a batch as a table",
        "sd.simulate(arm, [q, q], duration=0.1, step=0.01).save('falls.csv')",
        sd.ArgumentError,
        r"a table holds one motion, this is a batch of shape \(2,\); save trajectory\.row\(0\), or all as \.npz",
    ),
    Case(
        "a picture of what a trajectory has not",
        "sd.simulate(arm, q, duration=0.1, step=0.01).plot(what='torque')",
        sd.UnknownNameError,
        r"unknown part of a picture 'torque'",
    ),
    Case(
        "a picture of nothing",
        "sd.simulate(arm, q, duration=0.1, step=0.01).plot(what=())",
        sd.ArgumentError,
        r"plot: what=\(\) names nothing to draw; choose of q, v, tau, energy, momentum",
    ),
    Case(
        "a picture of the momentum of an arm on the ground",
        "sd.simulate(arm, q, duration=0.1, step=0.01).plot(what='momentum')",
        sd.ArgumentError,
        r"the motion of 'planar_two_link' has no 'momentum': its base is not free",
    ),
    Case(
        "a file that is no trajectory",
        "np.savez('fall.npz', q=np.zeros((3, 2)))\nsd.Trajectory.load('fall.npz')",
        sd.ArgumentError,
        r"'fall\.npz' is not a trajectory that soadyn saved: it does not name its format",
    ),
    Case(
        "a trajectory whose coordinates are text",
        "fall = dict(np.load(sd.simulate(arm, q, duration=0.1, step=0.01).save('fall.npz')))\n"
        "np.savez('fall.npz', **{**fall, 'q': fall['q'].astype(str)})\n"
        "sd.Trajectory.load('fall.npz')",
        sd.ArgumentError,
        r"is not a trajectory that soadyn saved: q holds <U32, expected numbers \(float64\)",
    ),
    Case(
        "a method that is not there",
        'sd.simulate(arm, q, duration=5.0, method="euler")',
        sd.UnknownNameError,
        "unknown method of simulate 'euler'. Known: 'auto', 'rk4', 'semi-implicit', 'rosenbrock'",
    ),
    Case(
        "accelerations in diagonalized equations",
        'sd.simulate(arm, q, duration=5.0, prescribed=sd.Prescribed([1.0, 0.0]), method="diagonalized")',
        sd.ArgumentError,
        'method "diagonalized" takes joint forces; prescribed accelerations need "rk4"',
    ),
    Case(
        "a controller that returns nothing",
        "sd.simulate(arm, q, duration=5.0, control=lambda t, q, v: None)",
        sd.ArgumentError,
        "gave None at t = 0 s; is a `return` missing",
    ),
    Case(
        "a controller that returns too little",
        "sd.simulate(arm, q, duration=5.0, control=lambda t, q, v: [0.0])",
        sd.ShapeError,
        r"control\(t, q, v\).* has shape \(1,\); expected \(\.\.\., 2\)",
    ),
    Case(
        "accelerations without their name",
        "sd.simulate(arm, q, duration=5.0, prescribed=a)",
        sd.ArgumentError,
        r"prescribed takes sd\.Prescribed\(acceleration, passive=\.\.\.\), got",
    ),
    Case(
        "a planner that is not told the passive joints",
        "sd.simulate(arm, q, duration=5.0, prescribed=sd.Prescribed(lambda t, q, v: a))",
        sd.ArgumentError,
        r"acceleration is a function of \(t, q, v, passive\)",
    ),
    Case(
        "a schedule of passive joints that starts late",
        'sd.simulate(arm, q, duration=5.0, prescribed=sd.Prescribed(a, passive={0.5: ["joint2"]}))',
        sd.ArgumentError,
        "the schedule of passive joints starts at 0.5 s; it needs an entry for 0",
    ),
    Case(
        "an acceleration that is not a number",
        "sd.simulate(arm, q, duration=5.0, prescribed=sd.Prescribed([np.nan, 0.0]))",
        sd.SimulationError,
        "at t = 0 s the acceleration of joint 'joint1' is nan",
    ),
    Case(
        "a step too long for a spring",
        'sd.simulate(arm, q, duration=5.0, joint_forces=[sd.Spring("joint2", 1e8, 0.1)], stops=False, '
        'effort_limit=None, method="rk4")',
        sd.SimulationError,
        r"the step of 0\.002 s is too long for joint 'joint2', about h = \S+ s or method=\"implicit\" would do",
    ),
    Case(
        "forces that no step is short enough for",
        "sd.simulate(arm, q, control=lambda t, q, v: [0.0, 1e6 * (t > 0.01)], stops=False, effort_limit=None, "
        "duration=1.0, method=sd.Adaptive(rtol=1e-13, atol=1e-16))",
        sd.SimulationError,
        r"at t = \S+ s no step is short enough to keep the error of joint '\w+' within rtol = 1e-13 and atol = 1e-16",
    ),
    Case(
        "a tolerance of nothing",
        "sd.simulate(arm, q, duration=5.0, method=sd.Adaptive(rtol=0.0))",
        sd.ArgumentError,
        "Adaptive: rtol must be a positive number, got 0",
    ),
    Case(
        "a failure without a time",
        'sd.simulate(arm, q, duration=5.0, failures=["joint2"])',
        sd.ArgumentError,
        r"failures are a list of \(time, joint\), got 'joint2'",
    ),
    Case(
        "a failure before the start",
        'sd.simulate(arm, q, duration=5.0, failures=[(-1.0, "joint2")])',
        sd.ArgumentError,
        "a time in failures must be zero or more, in seconds, got -1.0",
    ),
    Case(
        "an effort limit by a word",
        'sd.simulate(arm, q, duration=1.0, effort_limit="none")',
        sd.ArgumentError,
        r"effort_limit is \"robot\", None or numbers \(nv,\), got 'none'",
    ),
    Case(
        "an effort limit below zero",
        "sd.simulate(arm, q, duration=1.0, effort_limit=[-1.0, 2.0])",
        sd.ArgumentError,
        r"effort_limit must be zero or more in each joint, \(nv,\), got \[-1.0, 2.0\]",
    ),
    Case(
        "a direction of samples that is a vector",
        "run = sd.simulate(arm, q, control=sd.TimeSeries([0.0, 1.0], np.zeros((2, 2))), duration=0.1, step=0.01)\n"
        "run.jvp(control=[1.0, 0.0])",
        sd.ArgumentError,
        r"the direction of what is given as sd.TimeSeries is sd.TimeSeries too, got \[1.0, 0.0\]",
    ),
    Case(
        "a time series of what a motion has not",
        'sd.TimeSeries.of(sd.simulate(arm, q, duration=0.02, step=0.01), "jolt")',
        sd.ArgumentError,
        "TimeSeries.of: a Trajectory has no 'jolt' over times `t`",
    ),
    Case(
        "two sweeps with a hidden link",
        'sd.simulate(sd.chain(1, kind="universal"), q, duration=1.0, method="two-sweep")',
        sd.ArgumentError,
        "two sweeps keep the velocity of every link, but robot 'chain_1' has hidden links, at 'joint_1",
    ),
    Case(
        "symplectic steps with tied joints",
        'tied = sd.load("arm.urdf", mimic="tie")\nsd.simulate(tied, [0.1], duration=1.0, method="symplectic")',
        sd.ArgumentError,
        "method \"symplectic\" takes each joint by itself, but robot '.*' has tied mimic joints",
        {"arm.urdf": ARM.replace('<child link="lower"/>', '<child link="lower"/><mimic joint="shoulder"/>')},
    ),
    Case(
        "implicit steps with tied joints",
        'tied = sd.load("arm.urdf", mimic="tie")\nsd.simulate(tied, [0.1], duration=1.0, method="implicit")',
        sd.ArgumentError,
        "method \"implicit\" takes each joint by itself, but robot '.*' has tied mimic joints",
        {"arm.urdf": ARM.replace('<child link="lower"/>', '<child link="lower"/><mimic joint="shoulder"/>')},
    ),
    Case(
        "samples at no time",
        'sd.TimeSeries([0.0, 1.0], [[0.0], [1.0]])("soon")',
        sd.ArgumentError,
        r"Samples are asked for values at a time in seconds, got 'soon'",
    ),
)

# Forces in joints

LAWS = (
    Case(
        "a spring that pushes",
        'sd.Spring("joint2", -10.0)',
        sd.ArgumentError,
        "Spring of 'joint2': stiffness must be zero or more, got -10.0",
    ),
    Case(
        "friction without a smoothing speed",
        'sd.Friction("joint2", 1.0, smoothing_speed=0.0)',
        sd.ArgumentError,
        "Friction of 'joint2': smoothing_speed must be a positive number, got 0.0",
    ),
    Case(
        "a law that acts nowhere",
        "sd.Damper(2, 1.0)",
        sd.ArgumentError,
        r"a Damper acts in a joint, given as a name or \(name, component\), got 2",
    ),
    Case(
        "a law in a joint that is not there",
        'sd.JointForces(arm, [sd.Damper("joint3", 1.0)])',
        sd.UnknownNameError,
        "unknown joint 'joint3' of robot 'planar_two_link'",
    ),
    Case(
        "a law in a component that is not there",
        'sd.JointForces(flyer, [sd.Damper(("root", 6), 1.0)])',
        sd.ArgumentError,
        r"Damper of \('root', 6\): joint 'root' has components 0 to 5, got 6",
    ),
    Case(
        "too few figures",
        'sd.JointForces(flyer, [sd.Spring("root", (1.0, 2.0))])',
        sd.ShapeError,
        r"stiffness has shape \(2,\); expected one number, or one for each of its 6 components",
    ),
    Case(
        "a rest position that is none",
        'sd.JointForces(flyer, [sd.Spring("root", 1.0, rest=0.5)])',
        sd.ShapeError,
        "rest must be 7 finite coordinates, a quaternion w, x, y, z first, got 0.5",
    ),
    Case(
        "a spring that rests nowhere",
        'sd.Spring("joint2", 10.0, rest=float("inf"))',
        sd.ArgumentError,
        "Spring of 'joint2': rest must be finite numbers, got inf",
    ),
    Case(
        "complex rates",
        'sd.JointForces(arm, [sd.Damper("joint2", 1.0)])(0.0, q, 1j * v)',
        sd.ShapeError,
        "argument 'v' has dtype complex128; JointForces takes real numbers",
    ),
    Case(
        "something else than a law",
        "sd.JointForces(arm, [10.0])",
        sd.ArgumentError,
        "joint forces are a list of Spring, Damper, Friction and Backlash",
    ),
    Case(
        "the forces of another robot",
        "sd.simulate(arm, q, duration=5.0, joint_forces=sd.JointForces(flyer))",
        sd.ArgumentError,
        "joint_forces were made for robot 'free_flyer', which is not this 'planar_two_link'",
    ),
)
