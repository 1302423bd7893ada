"""Level 4 - configurations moved and compared, joint by joint; no joint needs another."""

from __future__ import annotations

from soadyn.mechanics.link import moving
from soadyn.programs.sweep.algorithms import EVERY
from soadyn.programs.sweep.program import Output, Program, Sweep

INTEGRATE = Program(
    "integrate", (Sweep(EVERY, moving.moved, ("q", "v"), ("q_moved",)),), (Output("q_moved", "coordinates"),)
)
DIFFERENCE = Program(
    "difference", (Sweep(EVERY, moving.apart, ("q", "q_end"), ("v_apart",)),), (Output("v_apart", "joint"),)
)
