"""Straight-line kernels: one robot's whole trace with its constants folded."""
