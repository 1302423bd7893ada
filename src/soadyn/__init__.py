"""soadyn: robot dynamics as a spatial operator algebra.

>>> import soadyn as sd
>>> arm = sd.load("ur5")
>>> arm.mass_matrix(arm.neutral()).shape
(6, 6)
"""

from typing import TYPE_CHECKING

from soadyn import algebra, interop, view
from soadyn.algebra.defining import operator, vector
from soadyn.backends.engine import set_threads
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
from soadyn.model.bodies import Body
from soadyn.robot import Robot, State
from soadyn.robot.builder import Builder
from soadyn.robot.sources import build, chain, from_dh, load, robots
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
from soadyn.version import __version__ as __version__

if TYPE_CHECKING:
    from soadyn import control
    from soadyn.compiled import Compiled
    from soadyn.compiled import compile_formulas as compile
    from soadyn.compiled.explaining import explain
    from soadyn.exporting import export_c
    from soadyn.proof.proving import prove
    from soadyn.proof.simplifying import simplify
else:
    # Imported when they are first asked for: they would make up half of the start.
    _LATER = {
        "control": ("soadyn.control", None),
        "prove": ("soadyn.proof.proving", "prove"),
        "simplify": ("soadyn.proof.simplifying", "simplify"),
        "explain": ("soadyn.compiled.explaining", "explain"),
        "export_c": ("soadyn.exporting", "export_c"),
        "Compiled": ("soadyn.compiled", "Compiled"),
        "compile": ("soadyn.compiled", "compile_formulas"),
    }

    def __getattr__(name: str) -> object:
        from importlib import import_module

        if name not in _LATER:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        module, attribute = _LATER[name]
        found = import_module(module)
        globals()[name] = found if attribute is None else getattr(found, attribute)
        return globals()[name]

    def __dir__() -> list[str]:
        return sorted({*globals(), *_LATER})


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
