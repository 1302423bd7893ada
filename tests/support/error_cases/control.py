"""Demands and plans of a free flyer."""

from __future__ import annotations

import soadyn as sd
from error_cases.case import Case

_BENT = """q = flyer.neutral()
q[7:14] = -0.3, -0.6, -1.3, -1.6, -0.2, 1.4, 1.2
"""
_REACH = (
    _BENT
    + """there = flyer.pose(q, "tool")
"""
)
CONTROL = (
    Case(
        "a gain that is not positive",
        "sd.control.RateFeedback(arm, [1.0, -1.0])",
        sd.ArgumentError,
        r"RateFeedback: gain must be positive in every direction; its smallest eigenvalue is -1",
    ),
    Case(
        "too many gains",
        "sd.control.RateFeedback(arm, [1.0, 1.0, 1.0])",
        sd.ArgumentError,
        r"RateFeedback: gain must be a number, 2 numbers, or a symmetric \(2, 2\) matrix",
    ),
    Case(
        "gravity on a joint without a motor",
        'sd.control.RateFeedback(arm, 1.0, passive=["joint1"])',
        sd.ArgumentError,
        "RateFeedback: gravity acts on the passive joints of robot 'planar_two_link' and no motor can cancel it there",
    ),
    Case(
        "a pose to reach with a passive elbow",
        "weightless = arm.with_gravity([0, 0, 0])\n"
        'sd.control.PoseFeedback(weightless, "tool", weightless.pose(q, "tool"), passive=["joint2"])',
        sd.ArgumentError,
        "PoseFeedback: the Lyapunov function falls with a passive free root.*other passive joints are not allowed",
    ),
    Case(
        "a target without its frame",
        "sd.control.OperationalSpace(arm, np.eye(4))",
        sd.ArgumentError,
        r"OperationalSpace takes \{frame: target\}, got array",
    ),
    Case(
        "a feedback without a task",
        "sd.control.OperationalSpace(arm, {})",
        sd.ArgumentError,
        "OperationalSpace needs at least one target",
    ),
    Case(
        "a frame brought to a direction",
        'sd.control.OperationalSpace(arm, {"tool": sd.kinematics.Direction([0, 0, 1])})',
        sd.ArgumentError,
        "OperationalSpace: a frame is brought to a Position, Orientation or Pose, not a Direction",
    ),
    Case(
        "a frame that the robot does not have, in operational space",
        'sd.control.OperationalSpace(arm, {"tol": [0.0, 0.0, 1.0]})',
        sd.UnknownNameError,
        "unknown frame 'tol'.*Did you mean 'tool'",
    ),
    Case(
        "samples that are no places",
        'sd.control.OperationalSpace(arm, {"tool": sd.TimeSeries([0.0, 1.0], [[1.0, 2.0], [3.0, 4.0]])})',
        sd.ShapeError,
        r"OperationalSpace: samples have shape \(2,\) each; expected positions",
    ),
    Case(
        "too many gains of rows",
        'sd.control.OperationalSpace(arm, {"tool": [1.0, 0.0, 1.0]}, bandwidth=[1.0, 2.0])',
        sd.ShapeError,
        r"OperationalSpace: bandwidth has shape \(2,\); expected one number, or one for each of 3 rows",
    ),
    Case(
        "a posture that pushes away",
        'sd.control.OperationalSpace(arm, {"tool": [1.0, 0.0, 1.0]}, posture=q, posture_bandwidth=-1.0)',
        sd.ArgumentError,
        "OperationalSpace: posture_bandwidth must be zero or more, got -1.0",
    ),
    Case(
        "no motor left",
        'sd.control.ResolvedRate(arm, {"tool": [1.0, 0.0, 1.0]}, passive=["joint1", "joint2"])',
        sd.ArgumentError,
        "ResolvedRate: every joint of robot 'planar_two_link' is passive: none is left to move",
    ),
    Case(
        "a floor of zero",
        'sd.control.ResolvedAcceleration(arm, {"tool": [1.0, 0.0, 1.0]}, singular=0.0)',
        sd.ArgumentError,
        "ResolvedAcceleration: singular must be a positive number, got 0.0",
    ),
    Case(
        "a stiffness that is not symmetric",
        'sd.control.Impedance(arm, "tool", arm.pose(q, "tool"), stiffness=np.eye(6, k=1), damping=[1] * 6)',
        sd.ArgumentError,
        r"Impedance: stiffness must be a number, 6 numbers, or a symmetric \(6, 6\) matrix",
    ),
    Case(
        "a damping that drives",
        'sd.control.Impedance(arm, "tool", arm.pose(q, "tool"), stiffness=[1] * 6, damping=[1, 1, 1, 1, 1, -1])',
        sd.ArgumentError,
        r"Impedance: damping must be zero or more in every direction; its smallest eigenvalue is -1",
    ),
    Case(
        "an inertia that is not positive",
        'sd.control.Impedance(arm, "tool", arm.pose(q, "tool"), stiffness=[1] * 6, damping=[1] * 6, '
        "inertia=[1, 1, 1, 1, 1, 0], wrench=[0] * 6)",
        sd.ArgumentError,
        "Impedance: inertia must be positive in every direction",
    ),
    Case(
        "an inertia without the wrench that is measured",
        'sd.control.Impedance(arm, "tool", arm.pose(q, "tool"), stiffness=[1] * 6, damping=[1] * 6, inertia=[1] * 6)',
        sd.ArgumentError,
        "Impedance: a wanted inertia needs the wrench that is measured, and only it does",
    ),
    Case(
        "samples of a wrench of five numbers",
        'sd.control.Impedance(arm, "tool", arm.pose(q, "tool"), stiffness=[1] * 6, damping=[1] * 6, inertia=[1] * 6, '
        "wrench=sd.TimeSeries([0.0], [[1.0] * 5]))",
        sd.ShapeError,
        "Impedance: samples of the wrench have 5 numbers each; expected 6",
    ),
    Case(
        "an impedance along unknown axes",
        'sd.control.Impedance(arm, "tool", arm.pose(q, "tool"), stiffness=[1] * 6, damping=[1] * 6, axes="tool")',
        sd.ArgumentError,
        'Impedance: axes must be "world" or "target", got \'tool\'',
    ),
    Case(
        "an unknown way of holding in reaction mode",
        'sd.control.ReactionMode(flyer, {"tool": [1.0, 0.0, 1.0]}, flyer.neutral(), "atitude")',
        sd.UnknownNameError,
        "unknown hold 'atitude'. Did you mean 'attitude'",
    ),
    Case(
        "holding a joint that has a motor",
        'sd.control.ReactionMode(flyer, {"tool": [1.0, 0.0, 1.0]}, flyer.neutral(), ["elbow"])',
        sd.ArgumentError,
        "ReactionMode: hold names passive components, at least one, and no others",
    ),
    Case(
        "a feedback exported with options of quantities",
        'sd.export_c(sd.control.RateFeedback(arm, 1.0), "stop", frame="tool")',
        sd.ArgumentError,
        "export_c: a feedback has no option 'frame'; it has its own when it is made",
    ),
    Case(
        "flat coordinates of a curved robot",
        "sd.FlatCoordinates(arm, q)",
        sd.ArgumentError,
        "robot 'planar_two_link' has no flat coordinates: a Riemann symbol is",
    ),
    Case(
        "the curvature of a free flyer",
        "flyer.mass_matrix_curvature(flyer.neutral())",
        sd.ArgumentError,
        "robot '.*' has the spherical or free joints 'root'",
    ),
    Case(
        "whether a model is flat",
        "sd.is_flat(arm.model)",
        sd.ArgumentError,
        "is_flat takes a Robot, as sd.load makes them, got Model",
    ),
    Case(
        "demands that depend on each other",
        'sd.control.solve_demands([[1, 0], [1, 0]], [1, 1], names=("reach", "turn"))',
        sd.SingularError,
        "the demands depend on each other: .* 2 joint components has rank 1; .*mostly '.*'. regularization=",
    ),
    Case(
        "demands with negative regularization",
        "sd.control.solve_demands([[1, 0]], [1], regularization=-1)",
        sd.ArgumentError,
        "regularization must be zero or more, got -1",
    ),
    Case(
        "a weight of zero",
        "sd.control.solve_demands([[1, 0]], [1], weights=[1, 0])",
        sd.ArgumentError,
        "solve_demands: weights must be positive, got",
    ),
    Case(
        "a vector for a Jacobian",
        "sd.control.solve_demands([1, 0], [1])",
        sd.ShapeError,
        r"argument 'J' has shape \(2,\); expected \(\.\.\., rows, n\)",
    ),
    Case(
        "holding what is not passive",
        'sd.control.Demands(flyer, "tool", hold=["elbow"])',
        sd.ArgumentError,
        "hold names 'elbow', which passive does not: it is active",
    ),
    Case(
        "an unknown way of holding",
        'sd.control.Demands(flyer, "tool", hold="atitude")',
        sd.UnknownNameError,
        "unknown hold 'atitude'. Did you mean 'attitude'",
    ),
    Case(
        "an unknown part of a frame's motion",
        'sd.control.Demands(flyer, "tool", "orientations")',
        sd.UnknownNameError,
        "unknown part of a frame's motion 'orientations'. Did you mean 'orientation'",
    ),
    Case(
        "an attitude without a free root",
        'sd.control.Demands(arm, "tool", passive=["joint2"], hold="attitude")',
        sd.ArgumentError,
        "hold='attitude' is about the free root that carries the frame, but robot 'planar_two_link' has no free root; "
        r"name what is held by components of joints.*: hold=\[\('joint', 0\), ...\]",
    ),
    Case(
        "an attitude of one of two free roots, of which none carries the frame",
        'sd.control.Demands(arm.attach(flyer, "ground", "a_").attach(flyer, "ground", "b_"), "tool", hold="attitude")',
        sd.ArgumentError,
        r"has 2 free roots, and none carries it; name what is held.*: hold=\[\('a_root', 0\), ...\]",
    ),
    Case(
        "no joint left to move",
        'sd.control.Demands(arm, "tool", passive=["joint1", "joint2"])',
        sd.ArgumentError,
        "every joint of robot 'planar_two_link' is passive: none is left to move",
    ),
    Case(
        "no demand at all",
        'sd.control.Demands(flyer, "tool", "none")',
        sd.ArgumentError,
        "nothing is demanded",
    ),
    Case(
        "a target of the wrong shape",
        _BENT + 'sd.control.plan_reach(flyer, q, "tool", [0.1, 0.2], 10.0)',
        sd.ShapeError,
        r"the target has shape \(2,\); expected a position \(3,\) or a pose \(4, 4\)",
    ),
    Case(
        "no time to reach",
        _REACH + 'sd.control.plan_reach(flyer, q, "tool", there, 0.0)',
        sd.ArgumentError,
        "duration must be a positive number, got 0.0",
    ),
    Case(
        "a plan from nowhere",
        _REACH + 'q[8] = np.nan\nsd.control.plan_reach(flyer, q, "tool", there, 10.0)',
        sd.ArgumentError,
        r"a plan starts at finite coordinates, got q0 = \[1.0, .*nan",
    ),
    Case(
        "a plan for a passive elbow",
        _REACH + 'sd.control.plan_reach(flyer, q, "tool", there, 10.0, passive=["root", "elbow"])',
        sd.ArgumentError,
        "takes the free root as the passive joint, all of it and nothing else; passive names .*'elbow'",
    ),
    Case(
        "a plan under gravity",
        _REACH + 'sd.control.plan_reach(flyer.with_gravity([0, 0, -9.81]), q, "tool", there, 10.0)',
        sd.ArgumentError,
        r"needs a robot without weight, but gravity is \[0.0, 0.0, -9.81\]",
    ),
    Case(
        "a plan for a robot on the ground",
        'sd.control.plan_reach(arm, q, "tool", [0.5, 0, 0], 10.0, passive=["joint2"], hold="none")',
        sd.ArgumentError,
        "planning at zero momentum is about a base that floats, but robot 'planar_two_link' has no free root",
    ),
    Case(
        "more demands than joints",
        _REACH + 'sd.control.plan_reach(flyer, q, "tool", there, 10.0, hold="pose")',
        sd.ArgumentError,
        "12 demands on 10 active components of robot 'free_flyer': not all can be met",
    ),
    Case(
        "too little time to reach",
        _REACH + 'there[0, 3] += 0.3\nsd.control.plan_reach(flyer, q, "tool", there, 0.1)',
        sd.control.ReachError,
        r"the motion of 'tool' ends .* mm .*from its target: .*speed limits held it back from t = ",
    ),
    Case(
        "a way beyond a position limit",
        _REACH + 'there[:3, 3] += 0, -0.4, -0.3\nsd.control.plan_reach(flyer, q, "tool", there, 15.0, step=0.15)',
        sd.control.ReachError,
        r"the motion of 'tool' takes joint '.*' past its position limit at t = .* is outside of",
    ),
    Case(
        "a start without a way out",
        "q = flyer.neutral()[:14]\n"
        'locked = flyer.lock(["wheel_x", "wheel_y", "wheel_z"], flyer.neutral())\n'
        'sd.control.plan_reach(locked, q, "tool", [0.4, 0.1, 1.5], 10.0)',
        sd.control.ReachError,
        "the motion stops at t = 0 s of 10 s: the demands depend on each other",
    ),
    Case(
        "a motion that takes more force than a motor has",
        'loaded = sd.load("ur5").with_payload("tool0", mass=60.0)\n'
        "q = [0.1, -0.5, 1.2, -0.5, 0.8, 0.2]\n"
        'there = loaded.pose(q, "tool0")[:3, 3] + [0.0, 0.0, 0.05]\n'
        'sd.control.plan_reach(loaded, q, "tool0", there, 2.0, step=0.1)',
        sd.control.ReachError,
        r"takes .* N m or N of joint 'shoulder_lift_joint' at t = .* s, which has 150; its load's weight alone takes",
    ),
    Case(
        "a plan that is not finite",
        _REACH
        + 'from dataclasses import replace\nplan = sd.control.plan_reach(flyer, q, "tool", there, 2.0, step=0.5)\n'
        + "sd.control.execute(replace(plan, v=np.nan * plan.v))",
        sd.ArgumentError,
        "TimeSeries: values must be finite real numbers, got",
    ),
    Case(
        "a tolerance of one number",
        _REACH + 'sd.control.plan_reach(flyer, q, "tool", there, 10.0, step=1.0, tolerance=1e-3)',
        sd.ArgumentError,
        r"tolerance must be two positive numbers, \(metres, radians\), got 0.001",
    ),
    Case(
        "a preferred motion that is no function",
        _REACH + 'sd.control.plan_reach(flyer, q, "tool", there, 10.0, preferred=np.zeros(10))',
        sd.ArgumentError,
        "preferred must be a function of q, got array",
    ),
    Case(
        "control of something else than demands",
        'sd.control.measure_singularity("tool", q)',
        sd.ArgumentError,
        "measure_singularity takes Demands, got str",
    ),
    Case(
        "a least disturbance of nothing",
        _REACH + 'sd.control.plan_least_disturbance(flyer, q, "tool", there, 10.0, hold="none")',
        sd.ArgumentError,
        "least disturbance of what",
    ),
    Case(
        "something else than a plan",
        'sd.control.execute("plan")',
        sd.ArgumentError,
        "execute takes a Plan, as plan_reach makes them, got str",
    ),
    Case(
        "a base control with a negative bound",
        "sd.control.BaseControl(angle=-0.1)",
        sd.ArgumentError,
        "BaseControl: angle must be zero or more, got -0.1",
    ),
    Case(
        "a map without positions",
        'sd.control.workspace_map(sd.control.Demands(flyer, "tool", "orientation"), flyer.neutral(), x=[0.0], z=[0.0])',
        sd.ArgumentError,
        "a workspace map needs demands on the frame's position",
    ),
    Case(
        "gains for other joints",
        "sd.control.JointFeedback(arm, q, stiffness=[1.0, 2.0, 3.0], damping=1.0)",
        sd.ShapeError,
        r"JointFeedback: stiffness has shape \(3,\); expected one number, or one for each of 2",
    ),
    Case(
        "a motion with rates beside it",
        "motion = sd.paths.quintic(sd.paths.line(arm, [0.0, 0.0], [1.0, 1.0]), 1.0)\n"
        "sd.control.ComputedTorque(arm, motion, [0.0, 0.0])",
        sd.ArgumentError,
        "ComputedTorque: a motion has its rates and accelerations; give q alone",
    ),
    Case(
        "a gain that is text",
        'sd.control.RateFeedback(arm, "high")',
        sd.ShapeError,
        r"argument 'gain' has dtype",
    ),
    Case(
        "a posture gain of resolved rates that pushes away",
        'sd.control.ResolvedRate(arm, {"tool": [1.0, 0.0, 1.0]}, posture=q, posture_bandwidth=-1.0)',
        sd.ArgumentError,
        r"ResolvedRate: posture_bandwidth must be zero or more, got -1.0",
    ),
    Case(
        "an impedance of several frames",
        'sd.control.Impedance(arm, ["tool"], arm.pose(q, "tool"), stiffness=[1] * 6, damping=[1] * 6)',
        sd.ArgumentError,
        r"a frame is a name or \(name, 4x4 offset\), got \['tool'\]",
    ),
    Case(
        "a map along one axis",
        'sd.control.workspace_map(sd.control.Demands(arm, "tool", "position"), q, x=[1.0])',
        sd.ArgumentError,
        "a workspace map takes positions along two of x, y, z, got 1 of them",
    ),
    Case(
        "a configuration to hold that is not finite",
        "sd.control.JointFeedback(arm, [np.nan, 0.0], stiffness=1.0, damping=1.0)",
        sd.ArgumentError,
        "JointFeedback: q to be followed holds numbers that are not finite",
    ),
    Case(
        "NumPy's functions in a feedback that becomes machine code",
        "class Own(sd.control.Feedback):\n    def torque(self, dynamics, q, v, references):\n"
        "        return np.tanh(v)\n    def content(self):\n        return ('tanh of v',)\nOwn(arm, {}).compiled()",
        sd.ArgumentError,
        r"NumPy's tanh of a number that is not known yet, .*: use tanh of sd\.control\.functions$",
    ),
    Case(
        "a motor of less than no force",
        "sd.control.RateFeedback(arm, 2.0, effort_limit=[-1.0, 5.0])",
        sd.ArgumentError,
        "RateFeedback: effort_limit must be zero or more, got",
    ),
)
