"""The table's rows on operational space and on robots with passive joints (004)."""

from __future__ import annotations

from soadyn.programs.sweep import under_actuated as sweeps
from soadyn.quantities.row import Quantity

_ARM = '>>> import soadyn as sd\n>>> arm = sd.load("ets_vii")\n>>> q = arm.neutral()\n'

UNDER_ACTUATED = (
    Quantity(
        "operational_inertia_inverse",
        sweeps.OPERATIONAL_INERTIA_INVERSE,
        ("q", "frames", "axes"),
        ("(6 m, 6 m)",),
        "inverse of kg m^2, kg m, kg",
        "Lambda^-1 = J Mass^-1 J* = B* Omega B",
        "The accelerations [angular; linear] that unit wrenches on frames cause, the mass matrix never formed: "
        "(..., 6, 6) for a frame, (..., 6 m, 6 m) for a list of m frames.",
        _ARM + '>>> arm.operational_inertia_inverse(q, "link_ee").shape\n(6, 6)\n'
        '>>> arm.operational_inertia_inverse(q, ["Base_SC", "link_ee"]).shape\n(12, 12)',
    ),
    Quantity(
        "generalized_jacobian",
        sweeps.GENERALIZED_JACOBIAN,
        ("q", "frame", "passive set", "axes"),
        ("(6, Na)",),
        "1; m or 1",
        "J_G = B* [psi* - Omega P] H_a* = J_a + J_p J_D",
        "The Jacobian [angular; linear] of a frame's origin for the active joints, the passive ones moving as the "
        "robot's inertia makes them: frame acceleration = J_G a_a + generalized_drift; if momentum is zero and the "
        "base the only passive joint, frame velocity = J_G v_a. Columns in the order of v.",
        _ARM + '>>> arm.generalized_jacobian(q, "link_ee", passive=["root"]).shape\n(6, 6)',
        (".a",),
    ),
    Quantity(
        "disturbance_jacobian",
        sweeps.DISTURBANCE_JACOBIAN,
        ("q", "passive set"),
        ("(Np, Na)",),
        "1, m or 1/m",
        "J_D = -S_ap* = -Mass_pp^-1 Mass_pa",
        "How the active joints' accelerations disturb the passive ones: a_p = J_D a_a + disturbance_drift. Rows and "
        "columns in the order of v.",
        _ARM + '>>> arm.disturbance_jacobian(q, passive=["root"]).shape\n(6, 6)',
        ("pa",),
    ),
    Quantity(
        "generalized_jacobian_times",
        sweeps.GENERALIZED_JACOBIAN_TIMES,
        ("q", "x", "frame", "passive set", "axes"),
        ("(6,)",),
        "as J_G x",
        "J_G x = B* alpha",
        "The generalized Jacobian times a vector of the active joints, in O(N).",
        _ARM + '>>> arm.generalized_jacobian_times(q, [1.0] * 6, "link_ee", passive=["root"]).shape\n(6,)',
    ),
    Quantity(
        "disturbance_jacobian_times",
        sweeps.DISTURBANCE_JACOBIAN_TIMES,
        ("q", "x", "passive set"),
        ("(Np,)",),
        "as J_D x",
        "J_D x = nu - K_p* alpha",
        "The disturbance Jacobian times a vector of the active joints, in O(N).",
        _ARM + '>>> arm.disturbance_jacobian_times(q, [1.0] * 6, passive=["root"]).shape\n(6,)',
        ("p",),
    ),
    Quantity(
        "generalized_jacobian_transposed_times",
        sweeps.GENERALIZED_JACOBIAN_TRANSPOSED_TIMES,
        ("q", "f", "frame", "passive set", "axes"),
        ("(Na,)",),
        "N m or N",
        "J_G* f = -T_a",
        "The transposed generalized Jacobian times a wrench at the frame, in O(N): the active joints' forces that hold "
        "against -f on a robot whose passive joints give way.",
        _ARM + '>>> arm.generalized_jacobian_transposed_times(q, [1.0] * 6, "link_ee", passive=["root"]).shape\n(6,)',
        ("-a",),
    ),
    Quantity(
        "disturbance_jacobian_transposed_times",
        sweeps.DISTURBANCE_JACOBIAN_TRANSPOSED_TIMES,
        ("q", "y", "passive set"),
        ("(Na,)",),
        "as J_D* y",
        "J_D* y = -S_ap y",
        "The transposed disturbance Jacobian times a vector of the passive joints, in O(N).",
        _ARM + '>>> arm.disturbance_jacobian_transposed_times(q, [1.0] * 6, passive=["root"]).shape\n(6,)',
        ("-a",),
    ),
    Quantity(
        "generalized_drift",
        sweeps.GENERALIZED_DRIFT,
        ("q", "v", "frame", "passive set", "passive tau", "external", "axes"),
        ("(6,)",),
        "rad/s^2; m/s^2",
        "drift = B* {psi* H_p* D_p^-1 A_p^-1 T_p - Omega (b + P a) + psi* a} + a_0",
        "The acceleration of a frame, as `frame_acceleration` has it, while the active joints do not accelerate; `tau` "
        "None means no force at the passive joints.",
        _ARM + '>>> arm.generalized_drift(q, [0.0] * 12, "link_ee", passive=["root"]).shape\n(6,)',
    ),
    Quantity(
        "disturbance_drift",
        sweeps.DISTURBANCE_DRIFT,
        ("q", "v", "passive set", "passive tau", "external"),
        ("(Np,)",),
        "rad/s^2 or m/s^2",
        "drift_p = S_pp (T_p - C_p)",
        "The accelerations of the passive joints while the active ones do not accelerate; `tau` "
        "None means no force at the passive joints.",
        _ARM + '>>> arm.disturbance_drift(q, [0.0] * 12, passive=["root"]).shape\n(6,)',
        ("p",),
    ),
    Quantity(
        "actuation_matrices",
        sweeps.ACTUATION_MATRICES,
        ("q", "passive set"),
        ("(Na, Na)", "(Na, Np)", "(Np, Np)"),
        "the mass matrix's; 1, m or 1/m; inverse of the mass matrix's",
        "[T_a; a_p] = [S_aa, S_ap; -S_ap*, S_pp] [a_a; T_p] + bias",
        "The matrices S_aa (the mass matrix that the motors feel), S_ap and S_pp = Mass_pp^-1.",
        _ARM + '>>> S_aa, S_ap, S_pp = arm.actuation_matrices(q, passive=["root"])\n'
        ">>> S_aa.shape, S_ap.shape, S_pp.shape\n((6, 6), (6, 6), (6, 6))",
        ("aa", "-ap", "-pp"),
    ),
    Quantity(
        "passive_mass_factors",
        sweeps.PASSIVE_MASS_FACTORS,
        ("q", "passive set"),
        ("(Np, Np)", "(Np, Np)"),
        "1; the mass matrix's",
        "Mass_pp = A_p D_p A_p*,  A_p = I + H_p phi K_p",
        "The innovations factors of the passive arm's mass matrix: A_p unit upper triangular, D_p block diagonal.",
        _ARM + '>>> A_p, D_p = arm.passive_mass_factors(q, passive=["root"])\n'
        ">>> bool(abs(A_p @ D_p @ A_p.T - arm.mass_matrix(q)[:6, :6]).max() < 1e-9)\nTrue",
        ("pp", "pp"),
    ),
)
