"""Robots with closures: which of their rows follow from others, how they are assembled, what users ask of them."""
