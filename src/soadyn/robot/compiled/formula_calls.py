"""The fast path of compiled formulas: which calls can go straight to a kernel.

It is for vectors over all joints, vectors at operational points and plain numbers. Vectors over active or passive
joints are first brought into their place among zeros; those of links have two axes.
"""

from __future__ import annotations

from soadyn.robot.compiled.choice import Form
from soadyn.robot.compiled.formula_arguments import Argument

AS_THEY_ARE = ("joint", "white joint", "task", "number")


def has_fast_path(form: Form, arguments: list[Argument]) -> bool:
    """Does the program take a call's arguments and give its results as they are?"""
    spaces = [*(x.space for x in arguments if x.space is not None), *(formula.codomain for formula in form.formulas)]
    return all(space.place in AS_THEY_ARE for space in spaces)
