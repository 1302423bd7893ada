"""Simulation: a robot's motion in time under joint forces, and the record of it."""

from soadyn.simulation.simulating import SimulationError, simulate
from soadyn.simulation.trajectory import Trajectory

__all__ = ["SimulationError", "Trajectory", "simulate"]
