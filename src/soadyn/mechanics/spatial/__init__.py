"""3-D and 6-D arithmetic on 3x3 blocks, which knows nothing of links.

A 3-vector is a column of shape (..., 3, 1), several of them side by side are (..., 3, m). The same lines run on floats,
complex numbers, long doubles, mpmath objects and recorded scalars. `soadyn.spatial` has
what users ask of rotations and poses.
"""

from soadyn.mechanics.spatial.inertia import ArticulatedInertia, Inertia
from soadyn.mechanics.spatial.quadratic import Quadratic
from soadyn.mechanics.spatial.transform import Transform
from soadyn.mechanics.spatial.vector import Rows, Spatial

__all__ = ["ArticulatedInertia", "Inertia", "Quadratic", "Rows", "Spatial", "Transform"]
