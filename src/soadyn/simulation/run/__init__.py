"""A simulation put together and run: its problem, the methods, and the ways to take its steps."""
