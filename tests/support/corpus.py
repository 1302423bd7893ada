"""The robots of example-robot-data, and Pinocchio's reading of them."""

from __future__ import annotations

import sysconfig
from pathlib import Path
from typing import Any

from soadyn.cli.peer_checks import quiet


def corpus_root() -> Path | None:
    """The folder that holds `example-robot-data/robots`; None if the package is not installed."""
    for folder in sysconfig.get_paths()["purelib"], sysconfig.get_paths()["platlib"]:
        share = Path(folder) / "cmeel.prefix" / "share"
        if (share / "example-robot-data" / "robots").is_dir():
            return share
    return None


def corpus_urdfs() -> list[Path]:
    """Every URDF of the corpus, sorted; `ur3.urdf` is an empty robot that nobody can load."""
    root = corpus_root()
    return sorted((root / "example-robot-data" / "robots").rglob("*.urdf")) if root else []


def loadable_urdfs() -> list[Path]:
    """Those with a robot in them."""
    return [path for path in corpus_urdfs() if path.name != "ur3.urdf"]


def short_name(path: Path) -> str:
    """A test id: the robot's folder and file."""
    return f"{path.parts[-3].removesuffix('_description')}/{path.stem}"


def pin_model(path: Path, free: bool = False) -> Any:
    """Pinocchio's model, with mimic joints independent; a free root is named "root" as here."""
    import pinocchio

    with quiet():
        if free:
            return pinocchio.buildModelFromUrdf(str(path), pinocchio.JointModelFreeFlyer(), "root")
        return pinocchio.buildModelFromUrdf(str(path))
