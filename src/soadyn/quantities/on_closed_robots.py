"""What the quantities of trees mean on robots with closures.

Where nothing is said here, a quantity means what it means on the tree: geometry, masses, momenta and energies do not
know of closures, and `inverse_dynamics` gives the forces of all joints that leave nothing to the closures.
"""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType

from soadyn.programs.sweep import constrained
from soadyn.quantities.row import Quantity

# Those that have a program of their own there.
CLOSED = MappingProxyType(
    {
        "forward_dynamics": constrained.forward_dynamics,
        "forward_dynamics_derivatives": constrained.forward_dynamics_derivatives,
    }
)
_TREES = "robot.open() has the tree's, which knows nothing of the closures"
# Those that are refused, and what to ask for instead.
REFUSED = MappingProxyType(
    {
        "hybrid_dynamics": "give all joint forces to forward_dynamics, or ask robot.open() for the tree's",
        "hybrid_dynamics_derivatives": "robot.open() has the tree's",
        "normalized_bias": "its equations of motion are those of the tree; ask robot.open()",
        "total_bias": "its equations of motion are those of the tree; ask robot.open()",
        "total_accelerations": "forward_dynamics gives its accelerations; robot.open() has the tree's",
        "link_mobilities": _TREES,
        "link_forces": "they depend on the closures' forces; robot.open() has the tree's",
        "operational_inertia": _TREES,
        "operational_bias": _TREES,
        "operational_inertia_inverse": _TREES,
        "generalized_jacobian": _TREES,
        "disturbance_jacobian": _TREES,
        "generalized_jacobian_times": _TREES,
        "disturbance_jacobian_times": _TREES,
        "generalized_jacobian_transposed_times": _TREES,
        "disturbance_jacobian_transposed_times": _TREES,
        "generalized_drift": _TREES,
        "disturbance_drift": _TREES,
        "actuation_matrices": _TREES,
        "passive_mass_factors": _TREES,
    }
)


def on_closed_robots(quantity: Quantity) -> Quantity:
    """The row with what it means on robots with closures."""
    return replace(quantity, closed=CLOSED.get(quantity.name), refused=REFUSED.get(quantity.name, ""))
