"""3-D and 6-D arithmetic on 3x3-block values; knows nothing of links.

Arrays carry leading batch axes. A 3-vector is a column of shape (..., 3, 1), several of them side by side are
(..., 3, m). The same lines run on floats, complex numbers, long doubles, mpmath objects and recorded scalars.
"""

from soadyn.spatial.inertia import ArticulatedInertia, Inertia
from soadyn.spatial.quadratic import Quadratic
from soadyn.spatial.transform import Transform
from soadyn.spatial.vector import Rows, Spatial

__all__ = ["ArticulatedInertia", "Inertia", "Quadratic", "Rows", "Spatial", "Transform"]
