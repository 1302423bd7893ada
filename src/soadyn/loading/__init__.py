"""Loading robots: URDF, SDF and MJCF files, XML text, built-in robots."""

from soadyn.loading.builtin import BuiltinRobot, builtin_robots
from soadyn.loading.loader import load_model
from soadyn.loading.mesh_references import MeshReference, meshes
from soadyn.loading.paths import resolve_package_path

__all__ = ["BuiltinRobot", "MeshReference", "builtin_robots", "load_model", "meshes", "resolve_package_path"]
