"""The version of soadyn."""

__version__ = "1.0.0"
