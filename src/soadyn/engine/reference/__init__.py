"""The definition of what a program computes, on NumPy arrays."""
