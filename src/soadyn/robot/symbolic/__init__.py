"""Quantities and formulas as symbolic expressions (SymPy), through the same link functions as numbers."""
