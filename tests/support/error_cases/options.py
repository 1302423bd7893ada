"""Names and options of quantities."""

from __future__ import annotations

import soadyn as sd
from error_cases.case import Case

OPTIONS = (
    Case(
        "a frame that is not there",
        'arm.pose(q, "tol")',
        sd.UnknownNameError,
        "unknown frame 'tol' of robot 'planar_two_link'. Did you mean 'tool'",
    ),
    Case("a frame by number", "arm.pose(q, 3)", sd.ArgumentError, r"a frame is a name or \(name, 4x4 offset\), got 3"),
    Case(
        "an offset that is 3x3",
        'arm.pose(q, ("tool", np.eye(3)))',
        sd.ModelError,
        r"the offset of frame 'tool' must be a 4x4 homogeneous matrix, got shape \(3, 3\)",
    ),
    Case(
        "an offset that stretches",
        'arm.pose(q, ("tool", np.diag([2, 2, 2, 1])))',
        sd.ModelError,
        "the offset of frame 'tool' must be a rigid 4x4 pose",
    ),
    Case(
        "a frame's complex offset",
        'arm.pose(q, ("tool", 1j * np.eye(4)))',
        sd.ModelError,
        "the offset of frame 'tool' must be a 4x4 homogeneous matrix of real numbers, but it has dtype complex128",
    ),
    Case(
        "axes that are not there",
        'arm.jacobian(q, "tool", axes="body")',
        sd.UnknownNameError,
        "unknown axes 'body'. Known: 'world', 'local', 'ground'",
    ),
    Case(
        "axes in other capitals",
        'arm.jacobian(q, "tool", axes="Local")',
        sd.UnknownNameError,
        "unknown axes 'Local'. Did you mean 'local'",
    ),
    Case(
        "axes as Pinocchio calls them",
        'arm.jacobian(q, "tool", axes="LOCAL_WORLD_ALIGNED")',
        sd.UnknownNameError,
        "unknown axes 'LOCAL_WORLD_ALIGNED': Pinocchio's LOCAL_WORLD_ALIGNED is axes='world' here",
    ),
    Case(
        "momentum about a name",
        'arm.momentum(q, v, about="tool")',
        sd.ArgumentError,
        r"about must be \"origin\", \"com\" or a point \(\.\.\., 3\), got 'tool'",
    ),
    Case(
        "a square root that does not exist",
        'arm.normalized_rates(q, v, square_root="lower")',
        sd.ArgumentError,
        r"normalized_rates: square_root must be \"cholesky\" or \"symmetric\", got 'lower'",
    ),
    Case(
        "momentum about a point in the plane",
        "arm.momentum(q, v, about=[0.0, 1.0])",
        sd.ShapeError,
        r"'about' has shape \(2,\); expected \(\.\.\., 3\), a point in the world",
    ),
    Case(
        "a wrench on the ground",
        'arm.inverse_dynamics(q, v, a, external={"base": np.ones(6)})',
        sd.ArgumentError,
        "external wrench on 'base': that frame is fixed to the ground, so nothing feels it",
    ),
    Case(
        "a joint that is not there",
        'arm.joint_dofs("elbow")',
        sd.UnknownNameError,
        "unknown joint 'elbow' of robot 'planar_two_link'. Known: 'joint1', 'joint2'",
    ),
    Case(
        "a mass centre without mass",
        "sd.load(\"<robot name='r'><link name='a'/></robot>\", root=\"free\").center_of_mass([1, 0, 0, 0, 0, 0, 0])",
        sd.ModelError,
        "center_of_mass: robot 'r' has no moving mass, so no mass centre",
    ),
    Case(
        "a quantity of the velocity, without one",
        "arm.at(q).bias_force",
        sd.ArgumentError,
        r"bias_force needs velocities; make the state with robot\.at\(q, v\)",
    ),
    Case(
        "forces that a state does not hold",
        "arm.at(q, q).forward_dynamics()",
        sd.ArgumentError,
        r"forward_dynamics needs tau; give it, or make the state with robot.at\(q, v, tau=tau\), which then holds it",
    ),
    Case(
        "a frame left out where accelerations are the state's",
        "arm.at(q, q, a=q).frame_acceleration()",
        sd.ArgumentError,
        "frame_acceleration needs frame; write frame=...",
    ),
    Case(
        "what needs accelerations, together with others at a state without",
        'arm.at(q, q, together=["mass_matrix", "inverse_dynamics"])',
        sd.ArgumentError,
        r"inverse_dynamics needs a; give it, or make the state with robot.at\(q, v, a=a\), which then holds it",
    ),
    Case(
        "what takes passive joints, together with others",
        'arm.at(q, q, together=["hybrid_dynamics"])',
        sd.ArgumentError,
        "hybrid_dynamics takes passive, so it cannot be computed together with others",
    ),
    Case(
        "an unknown quantity explained",
        'sd.explain("inertia_matrix", arm)',
        sd.UnknownNameError,
        "unknown quantity 'inertia_matrix'. Did you mean '.*mass_matrix'",
    ),
)
