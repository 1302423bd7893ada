"""Simulation: a robot's motion in time under joint forces or with prescribed accelerations, and the record of it."""

from soadyn.simulation.capturing import Capture, capture
from soadyn.simulation.events import Event
from soadyn.simulation.forces import JointForces
from soadyn.simulation.laws import Backlash, Damper, Friction, Spring
from soadyn.simulation.limits import Stops
from soadyn.simulation.phases import Phases
from soadyn.simulation.samples import Samples
from soadyn.simulation.simulating import SimulationError, simulate
from soadyn.simulation.stepper import Stepper
from soadyn.simulation.trajectory import Trajectory

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
