"""The table of quantities: what a Robot can compute, each row naming its program, arguments, shape, unit and equation.

The methods of `Robot` and `State`, the command line, the docs and the coverage tests are all made from this table.
"""

from types import MappingProxyType

from soadyn.quantities.basic import BASIC
from soadyn.quantities.derivatives import DERIVATIVES
from soadyn.quantities.diagonalized import DIAGONALIZED
from soadyn.quantities.links import LINKS
from soadyn.quantities.row import ARGUMENTS, Argument, Quantity
from soadyn.quantities.under_actuated import UNDER_ACTUATED

__all__ = ["ARGUMENTS", "QUANTITIES", "Argument", "Quantity"]

TABLE = (*BASIC, *DERIVATIVES, *DIAGONALIZED, *LINKS, *UNDER_ACTUATED)
QUANTITIES = MappingProxyType({quantity.name: quantity for quantity in TABLE})
