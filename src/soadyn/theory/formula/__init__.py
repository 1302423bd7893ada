"""Level 1: the physics as operator formulas. A named quantity that is one of these has no program written by hand."""
