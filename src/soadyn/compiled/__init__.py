"""Formulas compiled for a robot."""

from soadyn.compiled.compiled import Compiled, compile_formulas

__all__ = ["Compiled", "compile_formulas"]
