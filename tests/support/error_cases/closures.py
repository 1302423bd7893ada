"""Closures, and robots that have some."""

from __future__ import annotations

import soadyn as sd
from error_cases.case import Case

SLIDER = "bar = arm.close(('tool', 'ground'), free=('y', 'z', 'rx', 'ry', 'rz'), name='wall'); "
RAIL = "bar = arm.close(('ground', 'tool'), free=('y', 'z', 'rx', 'ry', 'rz'), name='wall'); "

CLOSURES = (
    Case(
        "an unknown closure to be switched off",
        SLIDER + "bar.with_closures(off='wal')",
        sd.UnknownNameError,
        "unknown closure 'wal' of robot 'planar_two_link'. Did you mean 'wall'",
    ),
    Case(
        "a closure to be switched on and off",
        SLIDER + "bar.with_closures(on='wall', off='wall')",
        sd.ArgumentError,
        "closure 'wall' is to be switched on and off; expected one of both",
    ),
    Case(
        "a closure without a name", 'b.loop("", "upper", None, "ball")', sd.ModelError, "a closure needs a name, got ''"
    ),
    Case(
        "a closure twice",
        'b.loop("pin", "upper", None, "ball"); b.loop("pin", "upper", None, "ball")',
        sd.ModelError,
        "robot 'mine' has a closure 'pin' already",
    ),
    Case(
        "a closure of a link with itself",
        'b.loop("pin", "upper", "upper", "ball")',
        sd.ModelError,
        "closure 'pin' joins 'upper' to itself; its frames must move apart",
    ),
    Case(
        "two frames of one link",
        'arm.close(("tool", "link2"), "ball")',
        sd.ModelError,
        "closure 'tool to link2' joins 'link2' to itself",
    ),
    Case(
        "a closure in an unknown link",
        'b.loop("pin", "uper", None, "ball")',
        sd.ModelError,
        "closure 'pin': unknown link 'uper'. Did you mean 'upper'",
    ),
    Case(
        "a closure at an unknown frame",
        'arm.close(("tol", "ground"), "ball")',
        sd.UnknownNameError,
        "unknown frame 'tol' of robot 'planar_two_link'. Did you mean 'tool'",
    ),
    Case(
        "one frame to close",
        'arm.close(("tool",), "ball")',
        sd.ArgumentError,
        r"close takes two frames, \(frame, other\), got \('tool',\)",
    ),
    Case(
        "an unknown kind of closure",
        'b.loop("pin", "upper", None, "revolute")',
        sd.UnknownNameError,
        "unknown kind of closure 'revolute' of closure 'pin'",
    ),
    Case(
        "an unknown free component",
        'b.loop("pin", "upper", None, free=("rw",))',
        sd.UnknownNameError,
        "unknown component 'rw' of closure 'pin'",
    ),
    Case(
        "a kind and free components",
        'b.loop("pin", "upper", None, "ball", free=("x",))',
        sd.ArgumentError,
        "closure 'pin' takes a kind or its free components, one of both",
    ),
    Case(
        "a closure that holds nothing",
        'b.loop("pin", "upper", None, free=("x", "y", "z", "rx", "ry", "rz"))',
        sd.ArgumentError,
        "closure 'pin' leaves all six components free: it holds nothing",
    ),
    Case(
        "a distance without its length",
        'b.loop("rod", "upper", None, "distance")',
        sd.ArgumentError,
        "closure 'rod' of kind 'distance' needs its length",
    ),
    Case(
        "a ball with a length",
        'b.loop("pin", "upper", None, "ball", length=1.0)',
        sd.ArgumentError,
        "closure 'pin' of kind 'ball' has no length",
    ),
    Case(
        "a rod of length zero",
        'b.loop("rod", "upper", None, "distance", length=0.0)',
        sd.ModelError,
        r"closure 'rod' has length 0\.0; expected a positive number",
    ),
    Case(
        "a screw without pitch",
        'b.loop("screw", "upper", None, "helical", pitch=0.0)',
        sd.ModelError,
        r"closure 'screw' has pitch 0\.0; expected a finite number that is not zero",
    ),
    Case(
        "a closure's axis without direction",
        'b.loop("pin", "upper", None, "hinge", axis=(0, 0, 0))',
        sd.ModelError,
        "closure 'pin' has axis .*; an axis must be finite and not zero",
    ),
    Case(
        "keep that is a word",
        'b.loop("pin", "upper", None, "ball", keep="yes")',
        sd.ArgumentError,
        "closure 'pin': keep is True or False, got 'yes'",
    ),
    Case(
        "a coupling of an unknown joint",
        'b.couple("gear", {"uper_joint": 1.0})',
        sd.UnknownNameError,
        "unknown joint 'uper_joint' of coupling 'gear'. Did you mean 'upper_joint'",
    ),
    Case(
        "a coupling without joints",
        'b.couple("gear", 3.0); b.robot()',
        sd.ArgumentError,
        r"coupling 'gear' takes a dictionary of joints and coefficients, got 3\.0",
    ),
    Case(
        "a coupling that is kept by a word",
        'b.couple("gear", {"upper_joint": 1.0}, keep="yes"); b.robot()',
        sd.ArgumentError,
        "coupling 'gear': keep is True or False, got 'yes'",
    ),
    Case(
        "a coupling of a joint with several coordinates",
        'b.link("puck", sd.Body(1.0), joint="planar"); b.couple("gear", {"puck_joint": 1.0}); b.robot()',
        sd.ModelError,
        "coupling 'gear': joint 'puck_joint' has several coordinates; only single ones can be coupled",
    ),
    Case(
        "a coupling with nothing but a constant",
        'b.couple("gear", {"upper_joint": [1.0]}); b.robot()',
        sd.ModelError,
        "coupling 'gear': the coefficients of joint 'upper_joint' must be a number or a list",
    ),
    Case(
        "a circle of couplings",
        'b.link("lower", sd.Body(1.0, com=(0, 0, 1))); b.couple("a", {"upper_joint": 1, "lower_joint": -2}); '
        'b.couple("b", {"lower_joint": 1, "upper_joint": 3}); b.robot()',
        sd.ModelError,
        "coupling 'b' of joints 'lower_joint' and 'upper_joint' closes a circle of couplings",
    ),
    Case(
        "a loop that cannot be closed",
        'b.loop("reach", "upper", None, "ball", other_origin=(5, 0, 0)); b.robot()',
        sd.ModelError,
        "robot 'mine' cannot be closed: from 256 random starts closure 'reach' stays open by 5 m at least",
    ),
    Case(
        "a subtree that is held from outside",
        SLIDER + 'bar.subtree("link2")',
        sd.ModelError,
        "closure 'wall' holds the subtree of 'link2' to what is left behind; open it",
    ),
    Case(
        "all joints of a loop locked",
        SLIDER + 'bar.lock(["joint1", "joint2"], q)',
        sd.ModelError,
        "locking these joints leaves closure 'wall' nothing to hold; open it, or leave one of its joints free",
    ),
    Case(
        "a closure's error of a robot without closures",
        "arm.closure_error(q)",
        sd.ArgumentError,
        "closure_error is about closures, and this robot has none; Robot.close and Builder.loop make them",
    ),
    Case(
        "what a tree's frame feels, of a closed robot",
        SLIDER + 'bar.operational_inertia(q, "tool")',
        sd.ArgumentError,
        "operational_inertia of robot 'planar_two_link', which has closures: robot.open\\(\\) has the tree's",
    ),
    Case(
        "the wrench of an unknown closure",
        SLIDER + 'bar.closure_wrench(q, [0.0], "wal")',
        sd.UnknownNameError,
        "unknown cut 'wal' of robot 'planar_two_link'. Did you mean 'wall'",
    ),
    Case(
        "forces for too many rows",
        SLIDER + 'bar.closure_wrench(q, [0.0, 1.0], "wall")',
        sd.ShapeError,
        r"argument 'lam' has shape \(2,\); expected \(\.\.\., 1\), a number for each row of the closures",
    ),
    Case(
        "a start that is not closed",
        RAIL + "sd.simulate(bar, [0.3, 0.5], duration=1.0)",
        sd.ArgumentError,
        r"simulate: q0 leaves closure 'wall' of robot 'planar_two_link' open by .* m; robot.closed\(q0\) is",
    ),
    Case(
        "rates that open a closure",
        RAIL + "sd.simulate(bar, bar.closed([1.2, 0.5]), [1.0, 0.0], duration=1.0)",
        sd.ArgumentError,
        r"simulate: v0 leaves closure 'wall' .* open by .* m/s; robot.consistent\(q0, v0\) is the nearest",
    ),
    Case(
        "a method that knows no closures",
        RAIL + "sd.simulate(bar, bar.closed([1.2, 0.5]), duration=1.0, method='symplectic')",
        sd.ArgumentError,
        "simulate: method \"symplectic\" knows no closures yet, and robot 'planar_two_link' has 'wall'; take \"rk4\"",
    ),
    Case(
        "prescribed accelerations of a closed robot",
        RAIL + "sd.simulate(bar, bar.closed([1.2, 0.5]), duration=1.0, prescribed=sd.Prescribed([1.0, 0.0]))",
        sd.ArgumentError,
        "simulate: prescribed accelerations know no closures yet, and robot 'planar_two_link' has 'wall'",
    ),
    Case(
        "joints of a closed robot that stick",
        RAIL + "sd.simulate(bar, bar.closed([1.2, 0.5]), duration=1.0, joint_forces=[sd.Friction('joint1', 0.1)])",
        sd.ArgumentError,
        "simulate: joints of a robot with closures cannot stick; smooth the friction",
    ),
    Case(
        "an estimator of a closed robot",
        RAIL + "sd.estimation.MomentumObserver(bar, 10.0)",
        sd.ArgumentError,
        r"MomentumObserver knows no closures yet, and robot 'planar_two_link' has 'wall'; robot.open\(\) is the tree",
    ),
    Case(
        "closures that contradict each other",
        "far = arm.close(('tool', 'ground'), 'distance', length=1.0); "
        "far.close(('tool', 'ground'), 'distance', length=1.5, name='farther')",
        sd.ModelError,
        "robot 'planar_two_link' cannot be closed: from 256 random starts closure .* stays open by .* m at least; if",
    ),
    Case(
        "a state that is off its closure",
        RAIL + '\nwith sd.errstate("raise"):\n    bar.forward_dynamics([0.3, 0.5], v, tau)',
        sd.SingularError,
        "forward_dynamics: closure 'wall' is open by .* \\(m, or products of axes\\); robot.closed\\(q\\) closes it",
    ),
    Case(
        "free components that are a number",
        "arm.close(('tool', 'ground'), free=0.0)",
        sd.ArgumentError,
        r"closure 'tool to ground': free are components such as \('x', 'rz'\), got 0.0",
    ),
    Case(
        "a closure near several configurations",
        "arm.close(('tool', 'ground'), 'ball', near=[[0.0, 0.0], [1.0, 1.0]])",
        sd.ArgumentError,
        "close: near is one configuration of 2 finite numbers",
    ),
    Case(
        "a configuration that cannot be closed where it is held",
        SLIDER + '\nwith sd.errstate("raise"):\n    bar.closed(q, hold=["joint1", "joint2"])',
        sd.SingularError,
        "closed: closure 'wall' stays open by .* m at least, or its axes point the other way",
    ),
    Case(
        "a posture where a closure is singular",
        'bar = arm.close(("ground", "tool"), free=("x", "y", "rx", "ry", "rz"), name="rail")\n'
        'with sd.errstate("raise"):\n    bar.forward_dynamics([np.pi / 2, np.pi], v, tau)',
        sd.SingularError,
        "closure 'rail' is singular here: its rows follow from those of the closures before it, or no joint can",
    ),
    Case(
        "motors that are none",
        SLIDER + "bar.inverse_dynamics(q, v, v, motors=[])",
        sd.ArgumentError,
        "inverse_dynamics: no joint has a motor; motors are joint names",
    ),
    Case(
        "weights of other motors",
        SLIDER + 'bar.inverse_dynamics(q, v, v, motors=["joint1"], weights=[1.0, 2.0])',
        sd.ShapeError,
        "inverse_dynamics: weights are 1 positive numbers, one for each motor in the order of v",
    ),
    Case(
        "accelerations that motors cannot produce",
        'with sd.errstate("raise"):\n    arm.inverse_dynamics(q, v, [1.0, 2.0], motors=["joint1"])',
        sd.SingularError,
        "inverse_dynamics: its 1 motors and its closures cannot produce these accelerations",
    ),
    Case(
        "second derivatives of a closed robot",
        SLIDER + "bar.forward_dynamics_second_derivatives(q, v, tau)",
        sd.ArgumentError,
        "forward_dynamics_second_derivatives knows no closures yet, and robot 'planar_two_link' has 'wall'",
    ),
    Case(
        "a step of a closed robot, linearized",
        SLIDER + "bar.linearize(q, v, tau, step=0.01)",
        sd.ArgumentError,
        "linearize with a step knows no closures yet, and robot 'planar_two_link' has 'wall'",
    ),
    Case(
        "a formula of a closed robot",
        SLIDER + "sd.compile(inv(mass), bar)",
        sd.ArgumentError,
        "compile knows no closures yet, and robot 'planar_two_link' has 'wall'",
    ),
)
