"""C code."""

from __future__ import annotations

import soadyn as sd
from error_cases.case import Case
from urdf_cases import ARM

EXPORT = (
    Case(
        "a result instead of a method",
        'sd.export_c(arm.gravity_force(q), "hold")',
        sd.ArgumentError,
        r"such as arm.forward_dynamics \(not called\), a compiled formula, a feedback or an estimator, got array",
    ),
    Case(
        "C of an observer that asks Python",
        'sd.export_c(sd.estimation.MomentumObserver(arm, 9.0, joint_forces=lambda t, q, v: -v), "observer")',
        sd.ArgumentError,
        "MomentumObserver: joint_forces asks Python, of which code without Python knows nothing; sd.JointForces of",
    ),
    Case(
        "C of an estimator with options of quantities",
        'sd.export_c(sd.estimation.MomentumObserver(arm, 9.0), "observer", frame="tool")',
        sd.ArgumentError,
        "export_c: an estimator has no option 'frame'; it has its own when it is made",
    ),
    Case(
        "references of what has none",
        'sd.export_c(arm.mass_matrix, "mass", given=["q"])',
        sd.ArgumentError,
        "export_c: given= names references of a feedback; what is exported here has none",
    ),
    Case(
        "references of a feedback as one word",
        'sd.export_c(sd.control.JointFeedback(arm, q, stiffness=9.0, damping=6.0), "hold", given="q")',
        sd.ArgumentError,
        "export_c: given is a list of references of the JointFeedback, got 'q'",
    ),
    Case(
        "samples in time folded into C",
        "hold = sd.control.JointFeedback(arm, sd.TimeSeries([0.0, 1.0], [q, q]), stiffness=9.0, damping=6.0)\n"
        'sd.export_c(hold, "hold", given=[])',
        sd.ArgumentError,
        "export_c: reference '.*' of the JointFeedback is samples in time, which cannot be folded in; name it in",
    ),
    Case(
        "C without the frame that is needed",
        'sd.export_c(arm.pose, "tool")',
        sd.ArgumentError,
        r"pose needs a frame: export_c\(\.\.\., frame=NAME\)",
    ),
    Case(
        "C with an argument the quantity does not have",
        'sd.export_c(arm.mass_matrix, "mass", frame="tool")',
        sd.ArgumentError,
        "mass_matrix has no argument 'frame'",
    ),
    Case(
        "C in numbers that C does not have",
        'sd.export_c(arm.mass_matrix, "mass", real="float64")',
        sd.ArgumentError,
        'real must be "double" or "float", got \'float64\'',
    ),
    Case(
        "a word of C as a function's name",
        'sd.export_c(arm.mass_matrix, "mass", name="double")',
        sd.ArgumentError,
        "name 'double' cannot name a C function",
    ),
    Case(
        "a directory for C",
        'sd.export_c(arm.mass_matrix, ".")',
        sd.ArgumentError,
        "'.' is a directory; give the name of a file in it",
    ),
    Case(
        "a name that no #include can hold",
        """sd.export_c(arm.mass_matrix, 'mass"')""",
        sd.ArgumentError,
        "cannot stand in an #include",
    ),
    Case(
        "a folder for C that is not there",
        'sd.export_c(arm.mass_matrix, "nowhere/mass")',
        sd.ArgumentError,
        "cannot write '.*mass.c': No such file or directory",
    ),
    Case(
        "C for a batch of masks",
        'sd.export_c(arm.hybrid_dynamics, "half", passive=np.eye(2, dtype=bool))',
        sd.ArgumentError,
        r"folds in one value of 'passive', got a batch of shape \(2, 2\)",
    ),
    Case(
        "C that never has an answer",
        'sd.export_c(weak.forward_dynamics, "weak")',
        sd.SingularError,
        "forward_dynamics of robot 'weak' has no answer at any state: along some joint nothing has inertia",
    ),
    Case(
        "C in single precision for a constant beyond it",
        'heavy = arm.with_payload("tool", 1e39)\nsd.export_c(heavy.gravity_force, "heavy", real="float")',
        sd.ArgumentError,
        "a constant of the robot, .*, does not fit into a C float",
    ),
    Case(
        "C for tied joints",
        'tied = sd.load("arm.urdf", mimic="tie")\nsd.export_c(tied.mass_matrix, "tied")',
        sd.ArgumentError,
        "has tied mimic joints, which have no straight-line code",
        {"arm.urdf": ARM.replace('<child link="lower"/>', '<child link="lower"/><mimic joint="shoulder"/>')},
        '`<mimic joint="shoulder"/>` is added to joint `elbow`.',
    ),
    Case(
        "a feedback for tied joints",
        'tied = sd.load("arm.urdf", mimic="tie")\nsd.control.RateFeedback(tied, 1.0)',
        sd.ArgumentError,
        "RateFeedback: robot '.*' has tied joints; load it with mimic='independent'",
        {"arm.urdf": ARM.replace('<child link="lower"/>', '<child link="lower"/><mimic joint="shoulder"/>')},
        '`<mimic joint="shoulder"/>` is added to joint `elbow`.',
    ),
    Case(
        "C for a robot that does not move",
        'rock = arm.lock(["joint1", "joint2"], q)\nsd.export_c(rock.poses, "rock")',
        sd.ArgumentError,
        "robot 'planar_two_link' has no moving joint, so there is nothing to compute",
    ),
    Case(
        "an inverse at frames as C",
        'sd.export_c(sd.compile(inv(B.T @ Omega @ B), arm, frames=["tool"]), "inertia")',
        sd.ArgumentError,
        r"inv\(B.T @ Omega @ B\) is solved numerically around the program; export B.T @ Omega @ B",
    ),
    Case(
        "a file without a name",
        "sd.export_c(arm.bias_force, None)",
        sd.ArgumentError,
        r"export_c takes the path of a file to write, got None",
    ),
)
