"""What the quantities of trees mean on robots with closures: a row for each of them.

tree     what it means on the tree. Geometry, masses, momenta and energies do not know of closures
closed   what it means on the closed robot, by a program of its own
refused  it would be a plausible wrong number; what to ask for instead
"""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType

from soadyn.programs.sweep import constrained
from soadyn.programs.sweep.shut import where_shut
from soadyn.quantities.row import OnClosed, Quantity


def _tree(means: str) -> OnClosed:
    return OnClosed("tree", means)


def _refused(instead: str) -> OnClosed:
    return OnClosed("refused", instead)


_SAME = _tree("the same: it follows from q, v and a, which are those of all joints")
_FACTOR = _tree("that of the tree's mass matrix")
_RATES = _tree("variables of the tree, in which K = 1/2 v* Mass v has the same value")
_OPEN = _refused("robot.open() has the tree's, which knows nothing of the closures")

ON_CLOSED_ROBOTS = MappingProxyType(
    {
        # Inertia, forces and energy
        "mass_matrix": _tree("the tree's; in independent rates X of the closed robot it is X* Mass X"),
        "mass_matrix_inverse": _tree("the inverse of the tree's; forward_dynamics says what forces do"),
        "mass_matrix_factors": _FACTOR,
        "mass_matrix_root": _FACTOR,
        "mass_matrix_log_determinant": _FACTOR,
        "mass_matrix_sensitivities": _FACTOR,
        "christoffel_symbols": _FACTOR,
        "coriolis_matrix": _tree("the tree's: C v are its velocity forces"),
        "inverse_dynamics": _tree(
            "the forces of all joints that give this motion and leave nothing to the closures; "
            "with motors= those of the motors alone"
        ),
        "inverse_dynamics_derivatives": _tree("those of inverse_dynamics"),
        "inertia_regressor": _tree("that of inverse_dynamics: its product with the parameters is the tree's forces"),
        "bias_force": _tree("what inverse_dynamics gives without acceleration"),
        "gravity_force": _tree("what carries the weight and leaves nothing to the closures"),
        "kinetic_energy": _SAME,
        "potential_energy": _SAME,
        "momentum": _SAME,
        "center_of_mass": _SAME,
        "center_of_mass_jacobian": _tree("by all joint rates, whether they keep the closures closed or not"),
        "centroidal_momentum_matrix": _tree("by all joint rates, whether they keep the closures closed or not"),
        # Geometry and motion
        "pose": _SAME,
        "poses": _SAME,
        "jacobian": _tree("by all joint rates, whether they keep the closures closed or not"),
        "frame_velocity": _SAME,
        "frame_acceleration": _SAME,
        "link_velocities": _SAME,
        "link_accelerations": _SAME,
        # Motion under forces
        "forward_dynamics": OnClosed(
            "closed",
            "the accelerations that obey the closures; constrained_dynamics also gives their forces",
            lambda shape: where_shut(constrained.forward_dynamics(shape), shape),
        ),
        "hybrid_dynamics": _refused("give all joint forces to forward_dynamics, or ask robot.open() for the tree's"),
        "forward_dynamics_derivatives": OnClosed(
            "closed",
            "those of the accelerations that obey the closures",
            lambda shape: where_shut(constrained.forward_dynamics_derivatives(shape), shape),
        ),
        "hybrid_dynamics_derivatives": _refused("robot.open() has the tree's"),
        # Variables that decouple the tree
        "normalized_rates": _RATES,
        "rates_from_normalized": _RATES,
        "normalized_forces": _RATES,
        "forces_from_normalized": _RATES,
        "total_rates": _RATES,
        "rates_from_total": _RATES,
        "working_forces": _RATES,
        "forces_from_working": _RATES,
        "normalized_bias": _refused("its equations of motion are those of the tree; ask robot.open()"),
        "total_bias": _refused("its equations of motion are those of the tree; ask robot.open()"),
        "total_accelerations": _refused("forward_dynamics gives its accelerations; robot.open() has the tree's"),
        # Links
        "composite_inertias": _tree("of the links outboard on the tree"),
        "articulated_inertias": _tree("what a link of the tree feels, all closures open"),
        "link_mobilities": _OPEN,
        "link_forces": _refused("they depend on the closures' forces; robot.open() has the tree's"),
        # Frames under forces
        "operational_inertia": _OPEN,
        "operational_bias": _OPEN,
        "operational_inertia_inverse": _OPEN,
        "generalized_jacobian": _OPEN,
        "disturbance_jacobian": _OPEN,
        "generalized_jacobian_times": _OPEN,
        "disturbance_jacobian_times": _OPEN,
        "generalized_jacobian_transposed_times": _OPEN,
        "disturbance_jacobian_transposed_times": _OPEN,
        "generalized_drift": _OPEN,
        "disturbance_drift": _OPEN,
        "actuation_matrices": _OPEN,
        "passive_mass_factors": _OPEN,
    }
)


def on_closed_robots(quantity: Quantity) -> Quantity:
    """The row with what it means on robots with closures."""
    return replace(quantity, on_closed=ON_CLOSED_ROBOTS[quantity.name])
