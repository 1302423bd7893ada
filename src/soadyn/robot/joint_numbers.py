"""Figures of a robot's joints, side by side in the order of q or v."""

from __future__ import annotations

from typing import Any, Literal, final

import numpy as np


@final
class JointNumbers:
    """An attribute of a robot: one figure of every joint, for each coordinate or each rate that is free."""

    def __init__(self, name: str, of: Literal["q", "v"], doc: str) -> None:
        self.name, self.of = name, of
        self.__doc__ = doc

    def __get__(self, robot: Any, owner: type | None = None) -> np.ndarray:
        if robot is None:
            return self  # type: ignore[return-value]  # asked of the class: what `help` reads
        values = [x for joint in robot.model.joints for x in getattr(joint, self.name)]
        space = robot.engine.coordinates
        return np.array(values, dtype=float)[space.q_kept if self.of == "q" else space.v_kept]
