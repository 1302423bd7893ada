"""Simulation: a robot's motion in time under joint forces or with prescribed accelerations, and the record of it."""

from soadyn.simulation.capturing import CaptureResult, capture
from soadyn.simulation.drive.actuation import Prescribed
from soadyn.simulation.drive.time_series import TimeSeries
from soadyn.simulation.laws.forces import JointForces
from soadyn.simulation.laws.laws import Backlash, Damper, Friction, Spring
from soadyn.simulation.laws.limits import Stops
from soadyn.simulation.record.phases import Phases
from soadyn.simulation.record.trajectory import Trajectory
from soadyn.simulation.run.events import Event
from soadyn.simulation.run.integrators import INTEGRATORS, Adaptive, Integrator
from soadyn.simulation.run.stepper import Stepper
from soadyn.simulation.simulating import SimulationError, simulate

__all__ = [
    "INTEGRATORS",
    "Adaptive",
    "Backlash",
    "CaptureResult",
    "Damper",
    "Event",
    "Friction",
    "Integrator",
    "JointForces",
    "Phases",
    "Prescribed",
    "SimulationError",
    "Spring",
    "Stepper",
    "Stops",
    "TimeSeries",
    "Trajectory",
    "capture",
    "simulate",
]
