"""A robot's constants as arrays, in the frames that the engine computes in."""
