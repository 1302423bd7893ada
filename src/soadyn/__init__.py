"""soadyn: robot dynamics as a spatial operator algebra.

>>> import soadyn as sd
>>> arm = sd.load("ur5")
>>> arm.mass_matrix(arm.neutral()).shape
(6, 6)
"""

from typing import TYPE_CHECKING

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
from soadyn.later import imported_later
from soadyn.version import __version__ as __version__

if TYPE_CHECKING:
    from soadyn import algebra, control, estimation, interop, kinematics, optimal, paths, spatial, studies, view
    from soadyn.algebra.calculus import diff
    from soadyn.algebra.defining import operator, vector
    from soadyn.engine.engine import set_threads
    from soadyn.exporting import export_c
    from soadyn.model.bodies import Body
    from soadyn.robot import Robot, State
    from soadyn.robot.compiled import Compiled
    from soadyn.robot.compiled import compile_formulas as compile
    from soadyn.robot.compiled.explaining import explain
    from soadyn.robot.flatness import FlatCoordinates, is_flat
    from soadyn.robot.sources import Builder, build, chain, from_dh, load, robots
    from soadyn.simulation import (
        Adaptive,
        Backlash,
        Damper,
        Event,
        Friction,
        JointForces,
        Phases,
        Prescribed,
        SimulationError,
        Spring,
        Stepper,
        Stops,
        TimeSeries,
        Trajectory,
        capture,
        simulate,
    )
    from soadyn.studies import run_study
    from soadyn.theory.literature.table import papers
    from soadyn.theory.proof.proving import prove
    from soadyn.theory.proof.simplifying import simplify
else:
    # Imported when they are first asked for, so that `import soadyn` takes little more than NumPy.
    __getattr__, __dir__ = imported_later(
        globals(),
        {
            "Adaptive": "soadyn.simulation:Adaptive",
            "Backlash": "soadyn.simulation:Backlash",
            "Body": "soadyn.model.bodies:Body",
            "Builder": "soadyn.robot.sources:Builder",
            "Compiled": "soadyn.robot.compiled:Compiled",
            "Damper": "soadyn.simulation:Damper",
            "Event": "soadyn.simulation:Event",
            "Friction": "soadyn.simulation:Friction",
            "JointForces": "soadyn.simulation:JointForces",
            "Phases": "soadyn.simulation:Phases",
            "Prescribed": "soadyn.simulation:Prescribed",
            "Robot": "soadyn.robot:Robot",
            "TimeSeries": "soadyn.simulation:TimeSeries",
            "SimulationError": "soadyn.simulation:SimulationError",
            "Spring": "soadyn.simulation:Spring",
            "State": "soadyn.robot:State",
            "Stepper": "soadyn.simulation:Stepper",
            "Stops": "soadyn.simulation:Stops",
            "Trajectory": "soadyn.simulation:Trajectory",
            "algebra": "soadyn.algebra",
            "build": "soadyn.robot.sources:build",
            "capture": "soadyn.simulation:capture",
            "chain": "soadyn.robot.sources:chain",
            "compile": "soadyn.robot.compiled:compile_formulas",
            "control": "soadyn.control",
            "diff": "soadyn.algebra.calculus:diff",
            "estimation": "soadyn.estimation",
            "FlatCoordinates": "soadyn.robot.flatness:FlatCoordinates",
            "explain": "soadyn.robot.compiled.explaining:explain",
            "export_c": "soadyn.exporting:export_c",
            "from_dh": "soadyn.robot.sources:from_dh",
            "interop": "soadyn.interop",
            "kinematics": "soadyn.kinematics",
            "load": "soadyn.robot.sources:load",
            "operator": "soadyn.algebra.defining:operator",
            "optimal": "soadyn.optimal",
            "papers": "soadyn.theory.literature.table:papers",
            "paths": "soadyn.paths",
            "is_flat": "soadyn.robot.flatness:is_flat",
            "prove": "soadyn.theory.proof.proving:prove",
            "robots": "soadyn.robot.sources:robots",
            "set_threads": "soadyn.engine.engine:set_threads",
            "simplify": "soadyn.theory.proof.simplifying:simplify",
            "simulate": "soadyn.simulation:simulate",
            "spatial": "soadyn.spatial",
            "studies": "soadyn.studies",
            "run_study": "soadyn.studies:run_study",
            "vector": "soadyn.algebra.defining:vector",
            "view": "soadyn.view",
        },
    )


__all__ = [
    "Adaptive",
    "ArgumentError",
    "Backlash",
    "Body",
    "Builder",
    "Compiled",
    "Damper",
    "Event",
    "FlatCoordinates",
    "FormulaError",
    "Friction",
    "FrozenError",
    "JointForces",
    "ModelError",
    "ModelWarning",
    "Phases",
    "Prescribed",
    "ProgramError",
    "Robot",
    "ShapeError",
    "SimulationError",
    "SingularError",
    "SoadynError",
    "SpaceError",
    "Spring",
    "State",
    "Stepper",
    "Stops",
    "TimeSeries",
    "Trajectory",
    "UnknownNameError",
    "algebra",
    "build",
    "capture",
    "chain",
    "compile",
    "control",
    "diff",
    "errstate",
    "estimation",
    "explain",
    "export_c",
    "from_dh",
    "interop",
    "is_flat",
    "kinematics",
    "load",
    "operator",
    "optimal",
    "papers",
    "paths",
    "prove",
    "robots",
    "run_study",
    "set_threads",
    "simplify",
    "simulate",
    "spatial",
    "studies",
    "vector",
    "view",
]
