"""The papers' operators and vectors by name, each with its definition, its equation and what it is in physics."""

from __future__ import annotations

from soadyn.algebra.expressions import Expression, Identity, Symbol
from soadyn.algebra.meanings import Meaning
from soadyn.algebra.spaces import (
    ACTIVE_FORCE,
    ACTIVE_MOTION,
    JOINT_FORCE,
    JOINT_MOTION,
    LINK_FORCE,
    LINK_MOTION,
    NUMBER,
    PASSIVE_FORCE,
    PASSIVE_MOTION,
    POSE_MOTION,
    TASK_FORCE,
    TASK_MOTION,
    WHITE_JOINT,
    WHITE_LINK,
    Space,
)
from soadyn.algebra.velocity_operators import VELOCITY_OPERATORS, d_theta


def _operator(
    name: str, maps: tuple[Space, Space], meaning: Meaning, *, symmetric: bool = False, local: bool = False
) -> Symbol:
    return Symbol(name, *maps, symmetric=symmetric, local=local, meaning=meaning)


def _vector(name: str, space: Space, meaning: Meaning) -> Symbol:
    return Symbol(name, NUMBER, space, meaning=meaning)


_FORCES = (LINK_FORCE, LINK_FORCE)
_INERTIA = (LINK_MOTION, LINK_FORCE)

# Kinematics
H = _operator(
    "H",
    (LINK_FORCE, JOINT_FORCE),
    Meaning("H", "block diagonal, H(k)", "001 (13), (18)", "what a joint feels of a link's force"),
    local=True,
)
phi = _operator(
    "phi",
    _FORCES,
    Meaning(r"\phi", "phi = inv(I_link - E_phi)", "001 (17); 000 (4.6)", "forces carried inward past locked joints"),
)
E_phi = _operator(
    "E_phi",
    _FORCES,
    Meaning(
        r"\mathcal{E}_\phi", "phi(p(k),k) at (p(k),k)", "000 (4.7); 003 section 4", "forces carried to the next link"
    ),
)
phi_tilde = _operator(
    "phi_tilde",
    _FORCES,
    Meaning(
        r"\tilde\phi",
        "phi_tilde = phi - I_link = E_phi @ phi",
        "001 (28); 000 (A.11)",
        "forces of all links beyond one",
    ),
)
B = _operator(
    "B",
    (TASK_FORCE, LINK_FORCE),
    Meaning("B", "phi(k,frame) at the frame's link", "001 (18)", "forces at operational points"),
)
L_Y = _operator(
    "L_Y",
    (TASK_MOTION, POSE_MOTION),
    Meaning(
        "L_Y",
        "[0, I; -y_1~, 0; -y_2~, 0; -y_3~, 0] of the frame's axes y_1, y_2, y_3 (k)",
        "000 (8.5)",
        "how a frame's pose changes with its velocity",
    ),
)

# Inertias
M = _operator(
    "M",
    _INERTIA,
    Meaning("M", "block diagonal, M(k)", "001 (2)", "the links' inertias"),
    symmetric=True,
    local=True,
)
R = _operator(
    "R",
    _INERTIA,
    Meaning("R", "M = R - E_phi @ R @ E_phi.T", "001 (29)-(31); 003 (6.1)", "inertias with all joints beyond locked"),
    symmetric=True,
    local=True,
)
A_r = _operator(
    "A_r",
    (JOINT_MOTION, JOINT_FORCE),
    Meaning("A_r", "block diagonal, A_r(k)", "armature", "rotor inertias; the filter's measurement noise"),
    symmetric=True,
    local=True,
)
mass = _operator(
    "mass",
    (JOINT_MOTION, JOINT_FORCE),
    Meaning(r"\mathcal{M}", "mass = H @ phi @ M @ phi.T @ H.T + A_r", "001 (22)", "the joint-space mass matrix"),
    symmetric=True,
)

# Articulated bodies
P = _operator(
    "P",
    _INERTIA,
    Meaning(
        "P", "M = P - E_phi @ P_plus @ E_phi.T", "001 (35); 000 (4.8)-(4.9)", "inertias with the joints beyond free"
    ),
    symmetric=True,
    local=True,
)
P_plus = _operator(
    "P_plus",
    _INERTIA,
    Meaning("P^+", "P_plus = P - G @ D @ G.T", "000 (4.8); 003 (9.4)", "articulated inertia seen across its own joint"),
    symmetric=True,
    local=True,
)
D = _operator(
    "D",
    (JOINT_MOTION, JOINT_FORCE),
    Meaning(
        "D",
        "D = H @ P @ H.T + A_r",
        "000 (4.10); 003 (9.6)",
        "articulated inertia along the joint; the innovations' covariance",
    ),
    symmetric=True,
    local=True,
)
G = _operator(
    "G",
    (JOINT_FORCE, LINK_FORCE),
    Meaning("G", "G = P @ H.T @ inv(D)", "001 (36)", "the Kalman gain: link force that goes with a joint force"),
    local=True,
)
K = _operator(
    "K",
    (JOINT_FORCE, LINK_FORCE),
    Meaning("K", "K = E_phi @ G", "000 (4.10); 003 section 8", "the gain, carried to the next link"),
)
tau = _operator(
    "tau",
    _FORCES,
    Meaning(r"\tau", "tau = G @ H", "000 (4.8); 003 section 8", "the part of a link force that the joint gives way to"),
    local=True,
)
tau_bar = _operator(
    "tau_bar",
    _FORCES,
    Meaning(
        r"\bar\tau",
        "tau_bar = I_link - G @ H",
        "000 (4.10); 001 (39)",
        "the part of a link force that crosses the joint",
    ),
    local=True,
)
E_psi = _operator(
    "E_psi",
    _FORCES,
    Meaning(
        r"\mathcal{E}_\psi",
        "E_psi = E_phi @ tau_bar",
        "000 (4.10); 003 section 8",
        "forces carried to the next link past its joint",
    ),
)
psi = _operator(
    "psi",
    _FORCES,
    Meaning(
        r"\psi", "psi = inv(I_link - E_psi)", "001 (38)-(40); 000 (4.10)", "forces carried inward past free joints"
    ),
)
psi_tilde = _operator(
    "psi_tilde",
    _FORCES,
    Meaning(r"\tilde\psi", "psi_tilde = psi - I_link = psi @ E_psi", "003 Lemma 8", "psi of all links beyond"),
)
Upsilon = _operator(
    "Upsilon",
    (LINK_FORCE, LINK_MOTION),
    Meaning(
        r"\Upsilon",
        "Upsilon(k) = psi*(p,k) Upsilon(p) psi(p,k) + H*(k) inv(D(k)) H(k)",
        "003 (10.2)-(10.3)",
        "inverse operational inertia at each link",
    ),
    symmetric=True,
    local=True,
)
Omega = _operator(
    "Omega",
    (LINK_FORCE, LINK_MOTION),
    Meaning(
        r"\Omega",
        "Omega = psi.T @ H.T @ inv(D) @ H @ psi",
        "003 (10.1); 004 Lemma 5.1",
        "link accelerations per link force",
    ),
    symmetric=True,
)

# Active and passive joints (004). With a passive set P, psi, tau and Omega are those of the passive arm.
H_a = _operator(
    "H_a",
    (LINK_FORCE, ACTIVE_FORCE),
    Meaning("H_a", "the active rows of H", "004 (4.1)", "what the active joints feel"),
    local=True,
)
H_p = _operator(
    "H_p",
    (LINK_FORCE, PASSIVE_FORCE),
    Meaning("H_p", "the passive rows of H", "004 (4.1)", "what the passive joints feel"),
    local=True,
)
A_ra = _operator(
    "A_ra",
    (ACTIVE_MOTION, ACTIVE_FORCE),
    Meaning("A_{ra}", "the active part of A_r", "armature", "rotor inertias of the active joints"),
    symmetric=True,
    local=True,
)
A_rp = _operator(
    "A_rp",
    (PASSIVE_MOTION, PASSIVE_FORCE),
    Meaning("A_{rp}", "the passive part of A_r", "armature", "rotor inertias of the passive joints"),
    symmetric=True,
    local=True,
)
D_p = _operator(
    "D_p",
    (PASSIVE_MOTION, PASSIVE_FORCE),
    Meaning("D_p", "D_p = H_p @ P @ H_p.T + A_rp", "004 (4.7)", "articulated inertia along the passive joints"),
    symmetric=True,
    local=True,
)
G_p = _operator(
    "G_p",
    (PASSIVE_FORCE, LINK_FORCE),
    Meaning("G_p", "G_p = P @ H_p.T @ inv(D_p)", "004 (4.7)", "the passive arm's gain"),
    local=True,
)
K_p = _operator(
    "K_p",
    (PASSIVE_FORCE, LINK_FORCE),
    Meaning("K_p", "K_p = E_phi @ G_p", "004 (4.7)", "the passive arm's gain, carried on"),
)

I_joint = Identity(JOINT_FORCE)
I_link = Identity(LINK_FORCE)
I_active = Identity(ACTIVE_FORCE)
I_passive = Identity(PASSIVE_FORCE)
I_task = Identity(TASK_FORCE)
I_white_joint = Identity(WHITE_JOINT)
I_white_link = Identity(WHITE_LINK)

# Vectors
theta_dot = _vector("theta_dot", JOINT_MOTION, Meaning(r"\dot\theta", "", "001 (7)", "joint rates"))
theta_ddot = _vector("theta_ddot", JOINT_MOTION, Meaning(r"\ddot\theta", "", "001 (8)", "joint accelerations"))
T = _vector("T", JOINT_FORCE, Meaning("T", "T = H @ f + A_r @ theta_ddot", "001 (12), (24)", "joint forces"))
V = _vector("V", LINK_MOTION, Meaning("V", "V = phi.T @ H.T @ theta_dot", "001 (21)", "link velocities"))
a = _vector("a", LINK_MOTION, Meaning("a", "", "001 (8)", "Coriolis accelerations; at the roots also gravity, [0; -g]"))
b = _vector("b", LINK_FORCE, Meaning("b", "", "001 (11)", "gyroscopic forces"))
alpha = _vector(
    "alpha", LINK_MOTION, Meaning(r"\alpha", "alpha = phi.T @ (H.T @ theta_ddot + a)", "001 (25)", "link accelerations")
)
f = _vector("f", LINK_FORCE, Meaning("f", "f = phi @ (M @ alpha + b + B @ f_tip)", "001 (24)", "link forces"))
f_tip = _vector("f_tip", TASK_FORCE, Meaning("f(0)", "", "001 (10)", "what the tip exerts on the environment"))
a_tip = _vector(
    "a_tip", TASK_MOTION, Meaning("a(0)", "", "001 (9)", "what the points' links, turning, add to their accelerations")
)
f_x = _vector("f_x", LINK_FORCE, Meaning("f_x", "", "001 (11)", "forces on the links from outside"))
Y = _vector("Y", POSE_MOTION, Meaning("Y", "", "000 (8.5)", "the frames' poses: position and three axes, in the world"))
theta_dot_a = _vector("theta_dot_a", ACTIVE_MOTION, Meaning(r"\dot\theta_a", "", "004 (4.1)", "active joint rates"))
theta_ddot_a = _vector(
    "theta_ddot_a", ACTIVE_MOTION, Meaning(r"\ddot\theta_a", "", "004 (4.4)", "active joint accelerations")
)
T_p = _vector("T_p", PASSIVE_FORCE, Meaning("T_p", "", "004 (4.2)", "passive joint forces"))

OPERATORS: dict[str, Symbol] = {
    x.name: x
    for x in (
        *(H, phi, E_phi, phi_tilde, B, L_Y, M, R, A_r, mass, P, P_plus, D, G, K, tau, tau_bar, E_psi, psi, psi_tilde),
        *(Upsilon, Omega, *VELOCITY_OPERATORS.values(), H_a, H_p, A_ra, A_rp, D_p, G_p, K_p),
    )
}
VECTORS: dict[str, Symbol] = {
    x.name: x
    for x in (
        *(theta_dot, theta_ddot, T, V, a, b, alpha, f, f_tip, a_tip, f_x, Y),
        *(theta_dot_a, theta_ddot_a, T_p),
    )
}
IDENTITIES_OF_SPACES: dict[str, Identity] = {
    "I_joint": I_joint,
    "I_link": I_link,
    "I_active": I_active,
    "I_passive": I_passive,
    "I_task": I_task,
    "I_white_joint": I_white_joint,
    "I_white_link": I_white_link,
}
NAMES: dict[str, Expression] = {**OPERATORS, **VECTORS, d_theta.name: d_theta, **IDENTITIES_OF_SPACES}

# Operators that only a passive set gives a meaning, and those of the whole arm that mean nothing beside them.
PASSIVE_NAMES = frozenset({"H_a", "H_p", "A_ra", "A_rp", "D_p", "G_p", "K_p", "theta_dot_a", "theta_ddot_a", "T_p"})
WHOLE_ARM_NAMES = frozenset({"D", "G", "K", "lambda_dot", "Z"})


def belongs_to_the_whole_arm(name: str) -> str:
    """What to say of an operator of the whole arm that stands beside a passive set.

    >>> belongs_to_the_whole_arm("D"), belongs_to_the_whole_arm("lambda_dot")
    ('D belongs to the whole arm; with a passive set it is D_p', 'lambda_dot belongs to the whole arm')
    """
    other = f"; with a passive set it is {name}_p" if f"{name}_p" in NAMES else ""
    return f"{name} belongs to the whole arm{other}"
