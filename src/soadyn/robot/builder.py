"""Robots built in code."""

from __future__ import annotations

from typing import final

from soadyn.model.assemble import MimicRule, Root
from soadyn.model.drafting import Drafting
from soadyn.robot.robot import Robot


@final
class Builder(Drafting):
    """Collects links, joints and frames; every call checks what it is given. `robot()` makes the robot.

    >>> import soadyn as sd
    >>> b = sd.Builder("double pendulum")
    >>> upper = b.link("upper", sd.Body(1.0, com=(0, 0, -1)), axis=(0, 1, 0))
    >>> lower = b.link("lower", sd.Body(1.0, com=(0, 0, -1)), parent=upper, axis=(0, 1, 0), origin=(0, 0, -1))
    >>> b.robot().joint_names
    ('upper_joint', 'lower_joint')
    """

    def robot(self, root: Root = "fixed", mimic: MimicRule = "independent", strict: bool = False) -> Robot:
        """The robot of what was collected so far; `root`, `mimic` and `strict` as in `sd.load`.

        `root="free"` puts a free joint in place of the first link's weld to the ground.

        >>> import soadyn as sd
        >>> b = sd.Builder("pendulum")
        >>> bob = b.link("bob", sd.Body(1.0, com=(0, 0, -1)), axis=(0, 1, 0))
        >>> b.robot().mass_matrix([0.0])
        array([[1.]])
        """
        return Robot(self.model(root, mimic, strict))
