"""The coordinates a user sees: all joints' own, or fewer where mimic joints are tied to their leaders.

q_all = expand(q),    v_all = E v,    T = E* T_all
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from soadyn.errors import ArgumentError, check_name
from soadyn.fork_safe import cached_property
from soadyn.mechanics.spatial.arithmetic import Array
from soadyn.model.model import Model


@final
@dataclass(frozen=True)
class Coordinates:
    """Which of the model's coordinates are free, and what the tied ones follow from."""

    model: Model

    @cached_property
    def tied(self) -> frozenset[int]:
        """The joints (1..n) that follow others."""
        return frozenset(tie.joint for tie in self.model.ties)

    @cached_property
    def q_kept(self) -> np.ndarray:
        """The places in the full q that are free."""
        return self._kept(self.model.q_slices)

    @cached_property
    def v_kept(self) -> np.ndarray:
        """The places in the full v that are free."""
        return self._kept(self.model.v_slices)

    def _kept(self, slices: tuple[slice, ...]) -> np.ndarray:
        places = [range(s.start, s.stop) for k, s in enumerate(slices, start=1) if k not in self.tied]
        return np.array([i for place in places for i in place], dtype=int)

    @cached_property
    def nq(self) -> int:
        return len(self.q_kept)

    @cached_property
    def nv(self) -> int:
        return len(self.v_kept)

    @cached_property
    def E(self) -> np.ndarray:
        """v_all = E v, (all nv, nv)."""
        E = np.zeros((self.model.nv, self.nv))
        E[self.v_kept, np.arange(self.nv)] = 1.0
        for tie in self.model.ties:
            joint, leader = self.model.v_slices[tie.joint - 1].start, self.model.v_slices[tie.leader - 1].start
            E[joint] = tie.multiplier * E[leader]
        return E

    def expand(self, q: Array) -> Array:
        """All coordinates from the free ones."""
        if not self.tied:
            return q
        everything = np.zeros((*q.shape[:-1], self.model.nq), dtype=q.dtype)
        everything[..., self.q_kept] = q
        for tie in self.model.ties:
            joint, leader = self.model.q_slices[tie.joint - 1].start, self.model.q_slices[tie.leader - 1].start
            everything[..., joint] = tie.multiplier * everything[..., leader] + tie.offset
        return everything

    @cached_property
    def joint_names(self) -> tuple[str, ...]:
        """The joints with coordinates of their own."""
        followers = {self.model.joints[k - 1].name for k in self.tied}
        return tuple(name for name in self.model.joint_names if name not in followers)

    def joint_dofs(self, name: str) -> range:
        """The places in v of a joint's components."""
        return self._places(name, self.v_kept, self.model.v_slices)

    def component(self, name: str, component: int | None) -> int:
        """The place in v of one component of a joint; None will do where it has only one."""
        dofs = self.joint_dofs(name)
        if component is None and len(dofs) != 1:
            raise ArgumentError(
                f"joint {name!r} has {len(dofs)} components: name one, ({name!r}, 0)"
                if dofs
                else f"joint {name!r} has no components"
            )
        if component is not None and not 0 <= component < len(dofs):
            raise ArgumentError(f"joint {name!r} has {len(dofs)} components, counted from 0; got {component}")
        return dofs[component or 0]

    def joint_coordinates(self, name: str) -> range:
        """The places in q of a joint's coordinates."""
        return self._places(name, self.q_kept, self.model.q_slices)

    def _places(self, name: str, kept: np.ndarray, slices: tuple[slice, ...]) -> range:
        check_name("joint", name, self.joint_names, of=f"robot {self.model.name!r}")
        joints = self.model.joint_indices[name]
        start = int(np.searchsorted(kept, slices[joints[0] - 1].start))
        return range(start, start + slices[joints[-1] - 1].stop - slices[joints[0] - 1].start)
