"""Studies: scenarios for very many rows of parameters, on one machine or many, and nothing lost.

Designs are fixed beforehand: no row depends on the results of others.

>>> import soadyn as sd
>>> from soadyn.studies import Grid, Measure, Quantities
>>> arm = sd.load("planar_two_link")
>>> weight = Quantities(arm, {"torque": Measure("gravity_force", entry=0)})
>>> study = sd.run_study(weight, Grid({"q.joint1": [0.0, 0.5, 1.0], "link2.mass": [1.0, 2.0]}), folder="weights")
>>> study.results.values["torque"].shape
(6,)
"""

from soadyn.studies.designs import Design, Grid, LatinHypercube, Random, Sobol, Table
from soadyn.studies.distributions import Distribution
from soadyn.studies.failures import Failures, StudyError
from soadyn.studies.measures import Measure
from soadyn.studies.reduction_kinds import Histogram
from soadyn.studies.results import StudyResults, Summary
from soadyn.studies.scenario import Scenario
from soadyn.studies.scenario_function import Function
from soadyn.studies.scenario_quantities import Quantities
from soadyn.studies.scenario_simulation import Simulation
from soadyn.studies.status import Status
from soadyn.studies.study import Study, run_study
from soadyn.studies.study_files import load_study

__all__ = [
    "Design",
    "Distribution",
    "Failures",
    "Function",
    "Grid",
    "Histogram",
    "LatinHypercube",
    "Measure",
    "Quantities",
    "Random",
    "Scenario",
    "Simulation",
    "Sobol",
    "Status",
    "Study",
    "StudyError",
    "StudyResults",
    "Summary",
    "Table",
    "load_study",
    "run_study",
]
