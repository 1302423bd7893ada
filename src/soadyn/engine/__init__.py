"""Run or compile a Program for a Model. Knows nothing of formulas."""
