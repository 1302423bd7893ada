"""Derivatives of simulations: steps differentiated, and the way back through them."""
