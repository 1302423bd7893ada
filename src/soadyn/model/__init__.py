"""The immutable robot: tree, joints, inertias, frames, limits, armature, gravity. No algorithms."""

from soadyn.model.draft import Draft, DraftJoint, DraftLink
from soadyn.model.model import Frame, Joint, Link, Model
from soadyn.model.placement import Placement

__all__ = ["Draft", "DraftJoint", "DraftLink", "Frame", "Joint", "Link", "Model", "Placement"]
