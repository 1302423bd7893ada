"""How large and how thick to draw what has a mass but no shape."""

from __future__ import annotations

import numpy as np

from soadyn.model.model import Link, Model
from soadyn.model.placement import Placement

# Shares of the robot's size, between which the radius of a link without a shape lies.
THINNEST, THICKEST = 0.014, 0.045
USUAL = 0.022  # of a link without inertia


def equivalent_box(link: Link) -> tuple[np.ndarray, Placement] | None:
    """Edges and place of the uniform box with the link's mass and moments of inertia; None without either.

        Jₓ = m (b² + c²) / 12, ...,  so  a² = 6 (J_y + J_z − Jₓ) / m

    >>> from soadyn.model.shapes import box
    >>> body = box((1.0, 2.0, 3.0), mass=4.0)
    >>> edges, _ = equivalent_box(Link("brick", body.mass, body.com, body.inertia))
    >>> sorted(round(edge, 9) for edge in edges.tolist())
    [1.0, 2.0, 3.0]
    """
    inertia = np.array(link.inertia)
    if link.mass <= 0 or not inertia.any():
        return None
    moments, axes = np.linalg.eigh(inertia)
    if np.linalg.det(axes) < 0:
        axes[:, 0] *= -1
    # Moments that no body can have would give a negative square.
    edges = np.sqrt(np.maximum(6 * (moments.sum() - 2 * moments) / link.mass, 0.0))
    return edges, Placement.of(axes, link.com)


def size_of(model: Model) -> float:
    """The robot's reach: the longest way along its joints, or its largest body; 1 m if it has neither."""
    reach = [0.0] * (model.n + 1)
    for k, (joint, parent) in enumerate(zip(model.joints, model.parents, strict=True), start=1):
        steps = np.linalg.norm(joint.placement.position) + np.linalg.norm(joint.offset.position)
        reach[k] = reach[parent] + float(steps)
    for k, link in enumerate(model.links, start=1):
        reach[k] += float(np.linalg.norm(link.com))
    for frame in model.frames:
        reach.append(reach[frame.link] + float(np.linalg.norm(frame.placement.position)))
    boxes = [found[0] for link in model.links if (found := equivalent_box(link)) is not None]
    largest = max((float(edges.max()) for edges in boxes), default=0.0)
    return max(*reach, largest) or 1.0


def radius_of(link: Link, size: float) -> float:
    """Half the mean of the two smaller edges of the equivalent box, within bounds."""
    found = equivalent_box(link)
    wanted = USUAL * size if found is None else float(np.sort(found[0])[:2].mean()) / 2
    return float(np.clip(wanted, THINNEST * size, THICKEST * size))
