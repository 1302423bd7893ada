"""soadyn: robot dynamics as a spatial operator algebra.

>>> import soadyn as sd
>>> arm = sd.load("ur5")
>>> arm.mass_matrix(arm.neutral()).shape
(6, 6)
"""

from typing import TYPE_CHECKING

from soadyn import algebra, control, interop, view
from soadyn.algebra.defining import operator, vector
from soadyn.algebra.proving import prove
from soadyn.algebra.simplifying import simplify
from soadyn.backends.native.run import set_threads
from soadyn.catalogue import build, chain, from_dh, load, robots
from soadyn.errors import (
    ArgumentError,
    FormulaError,
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
from soadyn.explaining import explain
from soadyn.exporting import export_c
from soadyn.model.bodies import Body
from soadyn.model.builder import Builder
from soadyn.pipeline import Compiled
from soadyn.pipeline import compile_formulas as compile
from soadyn.robot import Robot
from soadyn.simulation import (
    Backlash,
    Damper,
    Friction,
    JointForces,
    SimulationError,
    Spring,
    Trajectory,
    simulate,
)
from soadyn.state import State
from soadyn.version import __version__ as __version__

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


__all__ = [
    "ArgumentError",
    "Backlash",
    "Body",
    "Builder",
    "Compiled",
    "Damper",
    "FormulaError",
    "Friction",
    "FrozenError",
    "JointForces",
    "ModelError",
    "ModelWarning",
    "ProgramError",
    "Robot",
    "ShapeError",
    "SimulationError",
    "SingularError",
    "SoadynError",
    "SpaceError",
    "Spring",
    "State",
    "Trajectory",
    "UnknownNameError",
    "algebra",
    "build",
    "chain",
    "compile",
    "control",
    "errstate",
    "explain",
    "export_c",
    "from_dh",
    "interop",
    "load",
    "operator",
    "prove",
    "robots",
    "set_threads",
    "simplify",
    "simulate",
    "vector",
    "view",
]
