"""The public Robot, its states, and where robots come from."""

from soadyn.robot.robot import Backend, Robot
from soadyn.robot.state import State

__all__ = ["Backend", "Robot", "State"]
