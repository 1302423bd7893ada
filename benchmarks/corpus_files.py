"""The robots of example-robot-data, as files."""

from __future__ import annotations

import sysconfig
from pathlib import Path


def corpus() -> dict[str, Path]:
    """Every URDF of example-robot-data with a robot in it, by folder and file."""
    for folder in {sysconfig.get_paths()["purelib"], sysconfig.get_paths()["platlib"]}:
        robots = Path(folder) / "cmeel.prefix" / "share" / "example-robot-data" / "robots"
        if robots.is_dir():
            files = sorted(path for path in robots.rglob("*.urdf") if path.name != "ur3.urdf")
            return {f"{path.parts[-3].removesuffix('_description')}/{path.stem}": path for path in files}
    return {}
