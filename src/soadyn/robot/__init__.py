"""The public Robot, its states, and where robots come from."""

from soadyn.backends.engine import Backend
from soadyn.robot.robot import Robot
from soadyn.robot.state import State

__all__ = ["Backend", "Robot", "State"]
