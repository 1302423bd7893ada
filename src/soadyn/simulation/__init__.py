"""Simulation: a robot's motion in time under joint forces, and the record of it."""

from soadyn.simulation.simulating import SimulationStopped, simulate
from soadyn.simulation.trajectory import Trajectory

__all__ = ["SimulationStopped", "Trajectory", "simulate"]
