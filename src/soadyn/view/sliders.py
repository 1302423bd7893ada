"""Sliders for the joints of a robot that stands still in a live view."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, final

import numpy as np

from soadyn.model.coordinates import Coordinates
from soadyn.view.motions import ShownMotion

FULL_TURN, SLIDE = np.pi, 1.0  # how far a joint without limits goes each way: rad, and shares of the scene's size
STEPS = 1000
FAR = 1e3  # files write numbers such as 1e16 for "no limit"


@final
class Sliders:
    """A slider for each coordinate of a robot that is an angle or a length; quaternions stay as they are."""

    def __init__(self, gui: Any, motion: ShownMotion, size: float, moved: Callable[[np.ndarray], None]) -> None:
        self._start, self._moved = motion.q[0].copy(), moved
        self._q = motion.q[0].copy()
        self._handles: dict[int, Any] = {}
        with gui.add_folder(motion.label or motion.robot.name):
            for place, label, low, high in _scales(motion, size):
                value = float(np.clip(self._q[place], low, high))
                step = (high - low) / STEPS
                handle = gui.add_slider(label, min=low, max=high, step=step, initial_value=value)
                handle.on_update(self._follow(place, handle))
                self._handles[place] = handle
            gui.add_button("back to the start").on_click(lambda _: self._back())

    def put(self, q: np.ndarray) -> None:
        """Show another configuration on the sliders."""
        self._q = q.copy()
        for place, handle in self._handles.items():
            handle.value = float(np.clip(q[place], handle.min, handle.max))

    def _follow(self, place: int, handle: Any) -> Callable[[Any], None]:
        def follow(event: Any) -> None:
            if event.client is not None:  # a person moved it; what `put` does comes back here too
                self._q[place] = handle.value
                self._moved(self._q)

        return follow

    def _back(self) -> None:
        self.put(self._start)
        self._moved(self._q)


def _scales(motion: ShownMotion, size: float) -> Iterator[tuple[int, str, float, float]]:
    """Place in q, label, and both ends of each slider."""
    model = motion.robot.model
    space = Coordinates(model)
    for k, (joint, part) in enumerate(zip(model.joints, model.q_slices, strict=True), start=1):
        if k in space.tied:
            continue
        start = int(np.searchsorted(space.q_kept, part.start))
        count, quaternion = joint.behaviour.nq, joint.behaviour.quaternion() or slice(0)
        for n in range(count):
            if n in range(count)[quaternion]:
                continue
            reach = FULL_TURN if joint.behaviour.is_angle(n) else SLIDE * size
            low = joint.lower[n] if abs(joint.lower[n]) < FAR else -reach
            high = joint.upper[n] if abs(joint.upper[n]) < FAR else reach
            if low < high:
                yield start + n, joint.name if count == 1 else f"{joint.name} {n + 1}", low, high
