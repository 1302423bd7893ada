"""Levels 5-7: one link's share of every sweep. Plain arithmetic on one link's values; knows nothing of the tree.

Each step takes the joint kind and then values in the order its sweep reads them. Everything is along the link's own
axes. A value named `phi_x` is x carried to the parent, φ(p,k) x(k); summed over the children it is what a parent reads.
"""
