"""Recorded scalars: the link functions run on them once and leave a list of operations behind."""

from soadyn.tracing.functions import tracing_into
from soadyn.tracing.scalar import Graph, Scalar, TooLongError

__all__ = ["Graph", "Scalar", "TooLongError", "tracing_into"]
