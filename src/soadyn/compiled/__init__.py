"""Formulas compiled for a robot: called like functions, applied like matrices, explained."""

from soadyn.compiled.compile import compile_formulas
from soadyn.compiled.compiled import Compiled

__all__ = ["Compiled", "compile_formulas"]
