"""Programs of sweeps over the links: those written by hand, from formulas, and derivatives of programs."""
