"""Bad input, one row per kind: what is wrong, the code that provokes it, the error and its words.

`docs/make_errors.py` prints the rows, `test_error_page.py` provokes each and holds the printed page to them. A section
of the page is a tuple in the module of its area; `case.py` says what a row holds and what its code may name.
"""

from __future__ import annotations

from collections.abc import Mapping

from error_cases.arrays import ARRAYS, ROWS
from error_cases.built import MADE
from error_cases.case import Case, message, provoked
from error_cases.closures import CLOSURES
from error_cases.control import CONTROL
from error_cases.derivatives import DERIVATIVES
from error_cases.estimation import ESTIMATION
from error_cases.export import EXPORT
from error_cases.formulas import FORMULAS
from error_cases.loading import FILES, SOURCES, SPOILT, SPOILT_LOOPS, SPOILT_SDF
from error_cases.motion import CAPTURE, KINEMATICS, PATHS, TRAJECTORIES
from error_cases.optimal import OPTIMAL
from error_cases.options import OPTIONS
from error_cases.papers import OBJECTS
from error_cases.passive import PASSIVE
from error_cases.poses import POSES
from error_cases.proofs import PROOFS
from error_cases.robots import PARAMETERS, ROBOTS
from error_cases.simulation import LAWS, SIMULATION
from error_cases.stepping import STEPPING
from error_cases.studies import STUDIES
from error_cases.study_files import STUDY_FILES
from error_cases.viewing import VIEWING
from urdf_cases import ARM

__all__ = ["ARM", "CASES", "SECTIONS", "SPOILT", "Case", "message", "provoked"]

SECTIONS: Mapping[str, tuple[Case, ...]] = {
    "Arrays": ARRAYS,
    "Names and options of quantities": OPTIONS,
    "Passive joints": PASSIVE,
    "Rows without an answer": ROWS,
    "Derivatives": DERIVATIVES,
    "Robots, and robots made from them": ROBOTS,
    "Constants as arguments": PARAMETERS,
    "Robots made in code": MADE,
    "Closures": CLOSURES,
    "What is given to `sd.load`": SOURCES,
    "Files": FILES,
    "A spoilt file": SPOILT,
    "A spoilt loop": SPOILT_LOOPS,
    "A spoilt SDF file": SPOILT_SDF,
    "Mass matrices as objects, papers, symbols": OBJECTS,
    "Simulation": SIMULATION,
    "A step at a time": STEPPING,
    "Parts of trajectories": TRAJECTORIES,
    "Capture": CAPTURE,
    "Rotations and poses": POSES,
    "Inverse kinematics": KINEMATICS,
    "Paths": PATHS,
    "Formulas": FORMULAS,
    "C code": EXPORT,
    "Viewing": VIEWING,
    "Forces in joints": LAWS,
    "Control": CONTROL,
    "Optimal control": OPTIMAL,
    "Estimation": ESTIMATION,
    "Proofs": PROOFS,
    "Studies": STUDIES,
    "Study files": STUDY_FILES,
}
CASES = tuple(case for section in SECTIONS.values() for case in section)
