"""What Pinocchio, MuJoCo and Drake call a robot's methods: whoever asks for one is told its name here."""

from __future__ import annotations

from typing import Any, Never, final

# By library and its name: what to write instead. `docs/start/coming_from.md` has the same pairs, and conventions.
PEER_NAMES: dict[str, dict[str, str]] = {
    "Pinocchio": {
        "crba": "mass_matrix",
        "rnea": "inverse_dynamics",
        "aba": "forward_dynamics",
        "nonLinearEffects": "bias_force",
        "computeGeneralizedGravity": "gravity_force",
        "computeMinverse": "mass_matrix_inverse",
        "computeCoriolisMatrix": "coriolis_matrix",
        "computeJointJacobians": "jacobian",
        "computeFrameJacobian": "jacobian",
        "getFrameJacobian": "jacobian",
        "forwardKinematics": "poses",
        "framesForwardKinematics": "pose",
        "getFrameVelocity": "frame_velocity",
        "getFrameClassicalAcceleration": "frame_acceleration",
        "com": "center_of_mass",
        "centerOfMass": "center_of_mass",
        "jacobianCenterOfMass": "center_of_mass_jacobian",
        "computeKineticEnergy": "kinetic_energy",
        "computePotentialEnergy": "potential_energy",
        "computeCentroidalMomentum": "momentum",
        "ccrba": "centroidal_momentum_matrix",
        "computeJointTorqueRegressor": "inertia_regressor",
        "computeRNEADerivatives": "inverse_dynamics_derivatives",
        "computeABADerivatives": "forward_dynamics_derivatives",
        "randomConfiguration": "random_configuration",
    },
    "MuJoCo": {
        "mj_fullM": "mass_matrix",
        "mj_inverse": "inverse_dynamics",
        "mj_rne": "inverse_dynamics",
        "mj_forward": "forward_dynamics",
        "qfrc_bias": "bias_force",
        "mj_solveM": "mass_matrix_inverse",
        "mj_jac": "jacobian",
        "subtree_com": "center_of_mass",
        "mj_integratePos": "integrate",
        "mj_differentiatePos": "difference",
    },
    "Drake": {
        "CalcMassMatrix": "mass_matrix",
        "CalcInverseDynamics": "inverse_dynamics",
        "CalcBiasTerm": "bias_force",
        "CalcGravityGeneralizedForces": "gravity_force",
        "CalcJacobianSpatialVelocity": "jacobian",
        "CalcSpatialAcceleration": "frame_acceleration",
        "CalcCenterOfMassPositionInWorld": "center_of_mass",
        "CalcKineticEnergy": "kinetic_energy",
        "CalcPotentialEnergy": "potential_energy",
    },
}


@final
class PeerName:
    """An attribute that a robot has not; asking for it tells what it is called here."""

    def __init__(self, library: str, name: str, here: str) -> None:
        self.message = f"a Robot has no {name!r}: {library}'s {name} is {here}; see docs/start/coming_from.md"
        self.__doc__ = None

    def __get__(self, robot: Any, owner: type) -> Never:
        raise AttributeError(self.message)


class PeerNames:
    """Tells what other libraries' names are here; without a `__getattr__`, which would make every attribute slower."""

    __slots__ = ()

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__()} - {name for names in PEER_NAMES.values() for name in names})


for _library, _names in PEER_NAMES.items():
    for _name, _here in _names.items():
        setattr(PeerNames, _name, PeerName(_library, _name, _here))
