"""Level 4: programs, which are lists of walks over the tree. Knows nothing of array libraries."""

from soadyn.programs.sweep.program import Climb, Direction, Once, Output, Pairs, Program, Stage, Substitution, Sweep

__all__ = ["Climb", "Direction", "Once", "Output", "Pairs", "Program", "Stage", "Substitution", "Sweep"]
