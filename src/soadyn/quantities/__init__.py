"""The table of quantities: what a Robot can compute, each row naming its program, arguments, shape, unit and equation.

The methods of `Robot` and `State`, the command line, the docs and the coverage tests are all made from this table.
"""

from types import MappingProxyType

from soadyn.quantities.basic import BASIC
from soadyn.quantities.closures import CLOSURES
from soadyn.quantities.derivatives import DERIVATIVES
from soadyn.quantities.diagonalized import DIAGONALIZED
from soadyn.quantities.links import LINKS
from soadyn.quantities.on_closed_robots import on_closed_robots
from soadyn.quantities.row import ARGUMENTS, Argument, Quantity
from soadyn.quantities.under_actuated import UNDER_ACTUATED

__all__ = ["ARGUMENTS", "CLOSURE_QUANTITIES", "QUANTITIES", "Argument", "Quantity"]

TABLE = tuple(map(on_closed_robots, (*BASIC, *DERIVATIVES, *DIAGONALIZED, *LINKS, *UNDER_ACTUATED)))
CLOSURE_QUANTITIES = MappingProxyType({quantity.name: quantity for quantity in CLOSURES})  # of robots with closures
QUANTITIES = MappingProxyType({quantity.name: quantity for quantity in TABLE})
