"""Proving and simplifying operator formulas."""
