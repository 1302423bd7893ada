"""Rolled kernels: loops over the links, shared by all robots with the same kinds of joints."""
