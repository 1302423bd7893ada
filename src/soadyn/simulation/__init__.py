"""Simulation: a robot's motion in time under joint forces or with prescribed accelerations, and the record of it."""

from soadyn.simulation.capturing import Capture, capture
from soadyn.simulation.drive.samples import Samples
from soadyn.simulation.laws.forces import JointForces
from soadyn.simulation.laws.laws import Backlash, Damper, Friction, Spring
from soadyn.simulation.laws.limits import Stops
from soadyn.simulation.record.phases import Phases
from soadyn.simulation.record.trajectory import Trajectory
from soadyn.simulation.run.events import Event
from soadyn.simulation.run.stepper import Stepper
from soadyn.simulation.simulating import SimulationError, simulate

__all__ = [
    "Backlash",
    "Capture",
    "Damper",
    "Event",
    "Friction",
    "JointForces",
    "Phases",
    "Samples",
    "SimulationError",
    "Spring",
    "Stepper",
    "Stops",
    "Trajectory",
    "capture",
    "simulate",
]
