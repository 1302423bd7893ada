"""Passive joints."""

from __future__ import annotations

import soadyn as sd
from error_cases.case import Case

PASSIVE = (
    Case(
        "passive joints as a text",
        'arm.hybrid_dynamics(q, v, a, tau, passive="joint2")',
        sd.ArgumentError,
        r"passive takes a list of joint names, got the text 'joint2'; write \['joint2'\]",
    ),
    Case(
        "an unknown passive joint",
        'arm.hybrid_dynamics(q, v, a, tau, passive=["elbow"])',
        sd.UnknownNameError,
        "unknown joint 'elbow' of robot 'planar_two_link'",
    ),
    Case(
        "a component the joint does not have",
        'flyer.hybrid_dynamics(flyer.neutral(), np.zeros(16), passive=[("root", 6)])',
        sd.ArgumentError,
        r"passive component \('root', 6\): joint 'root' has components 0 to 5",
    ),
    Case(
        "a masked mask",
        "arm.hybrid_dynamics(q, v, a, tau, passive=np.ma.array([True, False], mask=[True, False]))",
        sd.ShapeError,
        r"passive has masked entries; expected booleans \(\.\.\., 2\) or joint names",
    ),
    Case(
        "rolled kernels for one passive set",
        'arm.specialize(False, passive=["joint2"])',
        sd.ArgumentError,
        "specialize: rolled kernels serve any passive set; leave `passive` out",
    ),
    Case(
        "several passive sets to specialise for",
        "arm.specialize(passive=np.zeros((3, 2), dtype=bool))",
        sd.ShapeError,
        r"specialize takes one passive set for all states, booleans \(2,\); got shape \(3, 2\)",
    ),
    Case(
        "a mask of numbers",
        "arm.hybrid_dynamics(q, v, a, tau, passive=np.array([0.0, 1.0]))",
        sd.ShapeError,
        r"passive has dtype float64 and shape \(2,\); expected booleans \(\.\.\., 2\) or joint names",
    ),
    Case(
        "a mask of the wrong length",
        "arm.hybrid_dynamics(q, v, a, tau, passive=[True, False, True])",
        sd.ShapeError,
        r"passive has dtype bool and shape \(3,\); expected booleans \(\.\.\., 2\)",
    ),
    Case(
        "passive joints by number",
        "arm.hybrid_dynamics(q, v, a, tau, passive=[0])",
        sd.ArgumentError,
        r"passive takes a list of joint names and \(name, component\) pairs, or a boolean array, got an entry 0",
    ),
    Case(
        "no list at all",
        "arm.hybrid_dynamics(q, v, a, tau, passive=None)",
        sd.ArgumentError,
        "passive takes a list of joint names .* got None",
    ),
    Case(
        "the accelerations of active joints are missing",
        'arm.hybrid_dynamics(q, v, tau=tau, passive=["joint2"])',
        sd.ArgumentError,
        "hybrid_dynamics needs 'a': the accelerations of the active joints 'joint1'",
    ),
    Case(
        "the forces of passive joints are missing",
        'arm.hybrid_dynamics(q, v, a=a, passive=["joint2"])',
        sd.ArgumentError,
        "hybrid_dynamics needs 'tau': the forces of the passive joints 'joint2'",
    ),
    Case(
        "a disturbance Jacobian without passive joints",
        "arm.disturbance_jacobian(q)",
        sd.ArgumentError,
        "disturbance_jacobian needs at least one passive joint; none is",
    ),
    Case(
        "a generalized Jacobian without active joints",
        'arm.generalized_jacobian(q, "tool", passive=["joint1", "joint2"])',
        sd.ArgumentError,
        "generalized_jacobian needs at least one active joint; all 2 components are passive",
    ),
    Case(
        "a passive set for each state where there can be only one",
        'arm.generalized_jacobian(q, "tool", passive=np.array([[True, False]]))',
        sd.ShapeError,
        r"generalized_jacobian takes one passive set for all states, booleans \(2,\); got shape \(1, 2\)",
    ),
    Case(
        "a vector for all joints where it is for the active ones",
        'arm.disturbance_jacobian_times(q, [1.0, 2.0], passive=["joint2"])',
        sd.ShapeError,
        r"argument 'x' has shape \(2,\); expected \(\.\.\., 1\), one number for each of the 1 active components",
    ),
    Case(
        "half a joint as an arm",
        'flyer.passive_arm([("root", 0)], flyer.neutral())',
        sd.ArgumentError,
        r"passive_arm: joint 'root' is passive in some of its components only; make single joints .* split_joint",
    ),
    Case(
        "a passive set for each state as an arm",
        "arm.active_arm(np.array([[True, False]]), q)",
        sd.ShapeError,
        r"active_arm takes one passive set for all states, booleans \(2,\); got shape \(1, 2\)",
    ),
    Case(
        "an active joint that is to be left undisturbed",
        'flyer.reaction_null_space(flyer.neutral(), undisturbed=["elbow"])',
        sd.ArgumentError,
        "reaction_null_space: undisturbed names components that are not passive, of 'elbow'",
    ),
    Case(
        "an operational inertia of no frame",
        "arm.operational_inertia_inverse(q, [])",
        sd.ArgumentError,
        "operational_inertia_inverse takes a frame or a list of at least one, got an empty list",
    ),
    Case(
        "a passive part without inertia, told to raise",
        'with sd.errstate("raise"):\n    weak.disturbance_jacobian(np.zeros(weak.nq), passive=[weak.joint_names[-1]])',
        sd.SingularError,
        "disturbance_jacobian: D is singular at link 'hand'",
    ),
)
