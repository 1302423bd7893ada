"""soadyn: robot dynamics as a spatial operator algebra.

>>> import soadyn as sd
>>> arm = sd.load("ur5")
>>> arm.mass_matrix(arm.neutral()).shape
(6, 6)
"""

from typing import TYPE_CHECKING

from soadyn import interop
from soadyn.backends.native.run import set_threads
from soadyn.catalogue import build, chain, from_dh, load, robots
from soadyn.errors import (
    ArgumentError,
    FrozenError,
    ModelError,
    ModelWarning,
    ProgramError,
    ShapeError,
    SingularError,
    SoadynError,
    SpaceError,
    UnknownNameError,
    errstate,
)
from soadyn.explaining import explain_quantity as explain
from soadyn.model.bodies import Body
from soadyn.model.builder import Builder
from soadyn.robot import Robot
from soadyn.simulation import SimulationError, Trajectory, simulate
from soadyn.state import State

if TYPE_CHECKING:
    from soadyn.algebra.proving import prove
    from soadyn.algebra.simplifying import simplify
else:

    def __getattr__(name: str) -> object:
        """Proofs are imported when they are first asked for; they would make up a quarter of the start."""
        if name == "prove":
            from soadyn.algebra.proving import prove

            return prove
        if name == "simplify":
            from soadyn.algebra.simplifying import simplify

            return simplify
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__version__ = "0.1.0"

__all__ = [
    "ArgumentError",
    "Body",
    "Builder",
    "FrozenError",
    "ModelError",
    "ModelWarning",
    "ProgramError",
    "Robot",
    "ShapeError",
    "SimulationError",
    "SingularError",
    "SoadynError",
    "SpaceError",
    "State",
    "Trajectory",
    "UnknownNameError",
    "build",
    "chain",
    "errstate",
    "explain",
    "from_dh",
    "interop",
    "load",
    "prove",
    "robots",
    "set_threads",
    "simplify",
    "simulate",
]
