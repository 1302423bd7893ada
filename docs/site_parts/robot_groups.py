"""The members of `Robot` and `State` by what they are about; each goes to the first group one of whose words fits."""

from __future__ import annotations

import re

GROUPS = {
    "What it is": "name|nq|nv|.*_names|notes|backend|total_mass|gravity|lower|upper|rest|.*_limit|armature|damping|"
    "friction|stiffness|joint_dofs|joint_coordinates|model|engine",
    "State": "neutral|configuration|random_configuration|integrate|difference|normalize|at|q|v|a|tau|external",
    "Derivatives": "jvp|vjp|hvp|linearize|.*_derivatives|.*_sensitivities|christoffel_symbols|mass_matrix_curvature",
    "Free-flyers and passive joints": "hybrid_dynamics|generalized_.*|disturbance_.*|reaction_.*|actuation_matrices|"
    "passive_mass_factors|passive_arm|active_arm",
    "Diagonalized dynamics": "normalized_.*|.*_from_normalized|total_(rates|bias|accelerations)|.*_from_total|"
    "working_forces|.*_from_working",
    "Kinematics": "pose|poses|jacobian.*|frame_.*|link_(velocities|accelerations)|inverse_kinematics|center_of_mass.*",
    "Loops": "close|closed|open|clos.*|constrained_dynamics|consistent|internal_torques|mobility|with_closures",
    "Dynamics": "mass.*|.*_dynamics|.*_force|.*_energy|.*momentum.*|coriolis_matrix|link_forces|.*_inertias|"
    "link_mobilities|operational_.*|inertia_regressor|inertial_parameters|base_parameters",
    "Making robots from it": "with_.*|lock|attach|subtree|split_joint|parametric|specialize",
    "Looking and asking": "show|save_view|symbolic|operation_counts|elimination|decoupled_complement",
}
ORDER = (
    "State", "Dynamics", "Kinematics", "Derivatives", "Free-flyers and passive joints", "Loops",
    "Diagonalized dynamics", "Making robots from it", "What it is", "Looking and asking",
)  # fmt: skip
OTHERS = "More"


def grouped(members: list[str]) -> dict[str, list[str]]:
    """Members by group, in the order in which people look for them; what fits nowhere comes last."""
    found: dict[str, list[str]] = {title: [] for title in (*ORDER, OTHERS)}
    for member in members:
        found[next((title for title, words in GROUPS.items() if re.fullmatch(words, member)), OTHERS)].append(member)
    return {title: names for title, names in found.items() if names}
