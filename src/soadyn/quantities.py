"""The table of quantities: what a Robot can compute, each row naming its program, arguments, shape, unit and equation.

The methods of `Robot` and `State`, the command line, the docs and the coverage tests are all made from this table.
"""

from __future__ import annotations

from types import MappingProxyType

from soadyn.formula import dynamics
from soadyn.quantity import ARGUMENTS, Argument, Quantity
from soadyn.sweep import algorithms as sweeps
from soadyn.under_actuated import UNDER_ACTUATED

__all__ = ["ARGUMENTS", "QUANTITIES", "Argument", "Quantity"]

_ARM = '>>> import soadyn as sd\n>>> arm = sd.load("planar_two_link")\n'

QUANTITIES = MappingProxyType(
    {
        quantity.name: quantity
        for quantity in (
            Quantity(
                "mass_matrix",
                sweeps.MASS_MATRIX,
                ("q",),
                ("(nv, nv)",),
                "kg m^2, kg m, kg",
                "Mass = H phi M phi* H* + A_r",
                "The joint-space mass matrix, by composite bodies.",
                _ARM + ">>> arm.mass_matrix([0.0, 0.5]).shape\n(2, 2)",
            ),
            Quantity(
                "mass_matrix_inverse",
                sweeps.MASS_MATRIX_INVERSE,
                ("q",),
                ("(nv, nv)",),
                "inverse of the mass matrix's",
                "Mass^-1 = (I - H psi K)* D^-1 (I - H psi K)",
                "The inverse of the mass matrix, by the innovations sweeps; the mass matrix itself is never formed.",
                _ARM + ">>> q = [0.0, 0.5]\n>>> bool(abs(arm.mass_matrix_inverse(q) @ arm.mass_matrix(q)"
                " - [[1, 0], [0, 1]]).max() < 1e-12)\nTrue",
            ),
            Quantity(
                "mass_matrix_factors",
                sweeps.MASS_MATRIX_FACTORS,
                ("q",),
                ("(nv, nv)", "(nv, nv)"),
                "1; the mass matrix's",
                "Mass = U D U*,  U = I + H phi K",
                "The innovations factors U (unit upper triangular in storage order) and D (block diagonal).",
                _ARM + ">>> U, D = arm.mass_matrix_factors([0.0, 0.5])\n"
                ">>> bool(abs(U @ D @ U.T - arm.mass_matrix([0.0, 0.5])).max() < 1e-12)\nTrue",
            ),
            Quantity(
                "inverse_dynamics",
                dynamics.inverse_dynamics,
                ("q", "v", "a", "external"),
                ("(nv,)",),
                "N m or N",
                "T = H phi [M phi* (H* a + a_c) + b] + A_r a",
                "The joint forces that produce given accelerations, by Newton-Euler.",
                _ARM + ">>> arm.inverse_dynamics([0.0, 0.5], [0.0, 0.0], [0.0, 0.0]).shape\n(2,)",
            ),
            Quantity(
                "forward_dynamics",
                dynamics.forward_dynamics,
                ("q", "v", "tau", "external"),
                ("(nv,)",),
                "rad/s^2 or m/s^2",
                "a = (I - H psi K)* D^-1 (I - H psi K) (T - C)",
                "The joint accelerations that given forces produce, by articulated bodies.",
                _ARM + ">>> arm.forward_dynamics([0.0, 0.5], [0.0, 0.0], [0.0, 0.0]).shape\n(2,)",
            ),
            Quantity(
                "hybrid_dynamics",
                sweeps.HYBRID_DYNAMICS,
                ("q", "v", "a?", "tau?", "passive", "external"),
                ("(nv,)", "(nv,)"),
                "rad/s^2 or m/s^2; N m or N",
                "[T_a; a_p] = [S_aa, S_ap; -S_ap*, S_pp] [a_a; T_p] + bias",
                "Accelerations and forces of all joints, from the forces of the passive ones and the accelerations of "
                "the others. Entries that are not needed are ignored, NaN included.",
                _ARM + ">>> a, tau = arm.hybrid_dynamics([0.0, 0.5], [0.0, 0.0], a=[1.0, 0.0], tau=[0.0, 0.0], "
                'passive=["joint2"])\n>>> float(a[0]), float(tau[1])\n(1.0, 0.0)',
            ),
            Quantity(
                "bias_force",
                dynamics.bias_force,
                ("q", "v"),
                ("(nv,)",),
                "N m or N",
                "C = H phi [M phi* a_c + b]",
                "Coriolis, centrifugal and gravity forces: inverse_dynamics(q, v, 0).",
                _ARM + ">>> arm.bias_force([0.0, 0.5], [1.0, 0.0]).shape\n(2,)",
            ),
            Quantity(
                "gravity_force",
                sweeps.GRAVITY_FORCE,
                ("q",),
                ("(nv,)",),
                "N m or N",
                "T_g = -H phi M [0; g]",
                "The joint forces that hold the robot still: inverse_dynamics(q, 0, 0).",
                _ARM + ">>> arm.gravity_force([0.0, 0.5]).shape\n(2,)",
            ),
            Quantity(
                "kinetic_energy",
                dynamics.kinetic_energy,
                ("q", "v"),
                ("()",),
                "J",
                "E = 1/2 V* M V + 1/2 v* A_r v",
                "The kinetic energy of links and rotors.",
                _ARM + ">>> float(arm.kinetic_energy([0.0, 0.5], [0.0, 0.0]))\n0.0",
            ),
            Quantity(
                "potential_energy",
                sweeps.POTENTIAL_ENERGY,
                ("q",),
                ("()",),
                "J",
                "E = - sum m g . c",
                "The potential energy, zero at the world's origin.",
                _ARM + ">>> arm.potential_energy([0.0, 0.5]).shape\n()",
            ),
            Quantity(
                "momentum",
                sweeps.MOMENTUM,
                ("q", "v", "about"),
                ("(6,)",),
                "kg m^2/s; kg m/s",
                "h = phi(0,.) M V",
                "The momentum [angular; linear] of the links in world axes, about a point; rotors are not counted.",
                _ARM + '>>> arm.momentum([0.0, 0.5], [1.0, 0.0], about="com").shape\n(6,)',
            ),
            Quantity(
                "center_of_mass",
                sweeps.CENTER_OF_MASS,
                ("q",),
                ("(3,)",),
                "m",
                "c = sum m c / sum m",
                "The mass centre of the moving links in the world.",
                _ARM + ">>> arm.center_of_mass([0.0, 0.5]).shape\n(3,)",
            ),
            Quantity(
                "center_of_mass_jacobian",
                sweeps.CENTER_OF_MASS_JACOBIAN,
                ("q",),
                ("(3, nv)",),
                "m or 1",
                "J_c = A_linear / m",
                "The Jacobian of the mass centre: its velocity is J_c v.",
                _ARM + ">>> arm.center_of_mass_jacobian([0.0, 0.5]).shape\n(3, 2)",
            ),
            Quantity(
                "centroidal_momentum_matrix",
                sweeps.CENTROIDAL_MOMENTUM_MATRIX,
                ("q",),
                ("(6, nv)",),
                "kg m^2 or kg m",
                "A = phi(c,.) R H*",
                'The matrix A with momentum(q, v, about="com") = A v.',
                _ARM + ">>> arm.centroidal_momentum_matrix([0.0, 0.5]).shape\n(6, 2)",
            ),
            Quantity(
                "pose",
                sweeps.POSE_OF,
                ("q", "frame"),
                ("(4, 4)",),
                "1; m",
                "phi(0,k) = prod of phi(p,k)",
                "The pose of a frame in the world, 4x4.",
                _ARM + '>>> arm.pose([0.0, 0.0], "tool").shape\n(4, 4)',
            ),
            Quantity(
                "poses",
                sweeps.POSES,
                ("q",),
                ("(links, 4, 4)",),
                "1; m",
                "phi(0,k) = prod of phi(p,k)",
                "The poses of all links in the world, in the order of link_names.",
                _ARM + ">>> arm.poses([0.0, 0.0]).shape\n(2, 4, 4)",
            ),
            Quantity(
                "jacobian",
                sweeps.JACOBIAN,
                ("q", "frame", "axes"),
                ("(6, nv)",),
                "1; m or 1",
                "J = B* phi* H*",
                "The Jacobian [angular; linear] of a frame's origin.",
                _ARM + '>>> arm.jacobian([0.0, 0.0], "tool").shape\n(6, 2)',
            ),
            Quantity(
                "frame_velocity",
                sweeps.FRAME_VELOCITY,
                ("q", "v", "frame", "axes"),
                ("(6,)",),
                "rad/s; m/s",
                "V = B* phi* H* v",
                "The velocity [angular; linear] of a frame and its origin.",
                _ARM + '>>> arm.frame_velocity([0.0, 0.0], [1.0, 0.0], "tool").shape\n(6,)',
            ),
            Quantity(
                "frame_acceleration",
                sweeps.FRAME_ACCELERATION,
                ("q", "v", "a", "frame", "axes"),
                ("(6,)",),
                "rad/s^2; m/s^2",
                "alpha = B* phi* (H* a + a_c) + a_0",
                "The time derivative of frame_velocity in world axes; `axes` only rotates it.",
                _ARM + '>>> arm.frame_acceleration([0.0, 0.0], [1.0, 0.0], [0.0, 0.0], "tool").shape\n(6,)',
            ),
            Quantity(
                "inertia_regressor",
                sweeps.REGRESSOR,
                ("q", "v", "a"),
                ("(nv, 10 links)",),
                "joint force per inertial parameter",
                "T = Y pi + A_r a",
                "The matrix Y with inverse_dynamics(q, v, a) = Y pi + armature * a, pi = inertial_parameters().",
                _ARM + ">>> arm.inertia_regressor([0.0, 0.0], [1.0, 0.0], [0.0, 0.0]).shape\n(2, 20)",
            ),
            *UNDER_ACTUATED,
        )
    }
)
