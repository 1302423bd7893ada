"""The public Robot, its states, and where robots come from."""

from typing import TYPE_CHECKING

from soadyn.later import imported_later

if TYPE_CHECKING:
    from soadyn.engine.engine import Backend
    from soadyn.robot.robot import Robot
    from soadyn.robot.state import State
else:
    # Rooms within this one stand below the robot: whoever imports one does not import the robot.
    __getattr__, __dir__ = imported_later(
        globals(),
        {
            "Backend": "soadyn.engine.engine:Backend",
            "Robot": "soadyn.robot.robot:Robot",
            "State": "soadyn.robot.state:State",
        },
    )

__all__ = ["Backend", "Robot", "State"]
