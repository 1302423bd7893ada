"""From a path, XML text or a built-in robot's name to a Model."""

from __future__ import annotations

import os
from difflib import get_close_matches
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from soadyn.errors import ArgumentError, ModelError, SoadynError, UnknownNameError, unknown_name
from soadyn.loading.builtin import builtin_robots, builtin_source, draft_in_code
from soadyn.loading.document import parse
from soadyn.loading.left_out import OPENED
from soadyn.loading.paths import Roots
from soadyn.loading.source import Source, file_source, text_source
from soadyn.loading.urdf import draft_from_urdf
from soadyn.loading.visuals import add_visuals
from soadyn.mechanics.spatial.reading import real_array
from soadyn.model.assemble import MimicRule, Root, assemble
from soadyn.model.draft import Draft, LeftOut
from soadyn.model.model import Model
from soadyn.model.placement import Vector3, vector3


def load_model(
    source: str | PathLike[str],
    root: Root | None = None,
    mimic: MimicRule = "independent",
    strict: bool = False,
    package_roots: Roots = (),
    gravity: Any = None,
    closures: bool = True,
) -> Model:
    """The model of a URDF, SDF or MJCF file, of XML text (it starts with "<"), or of a built-in robot.

    `root` None is what the catalogue says for a built-in robot, "free" for an SDF model that nothing holds, and "fixed"
    otherwise. `strict` refuses impossible inertias, and files that say more than is modelled. MJCF may read files in
    its own folder and in `package_roots`. `gravity` replaces the file's. Without `closures` the loops are open.
    """
    if not isinstance(closures, bool):
        raise ArgumentError(f"closures must be True or False, got {closures!r:.80}")
    with np.errstate(all="ignore"):  # assemble refuses what overflows
        draft, usual_root, known_impossible = _draft(source, tuple(_roots(package_roots)), root)
    if not closures:
        draft.left_out += [LeftOut(OPENED, f"closure {x.name!r:.80}", x.where) for x in draft.closures]
        draft.closures = []
    if gravity is not None:
        draft.gravity = _gravity(gravity)
    return assemble(draft, usual_root if root is None else root, mimic, strict, known_impossible)


def _draft(
    source: str | PathLike[str], roots: tuple[Path, ...], root: Root | None
) -> tuple[Draft, Root, tuple[str, ...]]:
    """The draft, how its root usually hangs, and the links whose impossible inertia is known."""
    if isinstance(source, str):
        if source.lstrip("\ufeff \t\r\n").startswith("<"):
            return *_read(text_source(source.lstrip("\ufeff \t\r\n")), roots, root), ()
        if robot := builtin_robots().get(source):
            draft = _read(builtin_source(robot), roots, root)[0] if robot.file else draft_in_code()
            draft.gravity = robot.gravity or draft.gravity
            return draft, robot.root, robot.impossible_inertia
    elif not isinstance(source, PathLike):
        raise ArgumentError(
            f"expected a path, XML text or the name of a built-in robot, got {type(source).__name__} {source!r:.80}"
        )
    return *_read(file_source(_path(source)), roots, root), ()


def _read(source: Source, roots: tuple[Path, ...], root: Root | None) -> tuple[Draft, Root]:
    """The draft and how its root usually hangs; the format shows in the root element."""
    document = parse(source)
    match document.tag:
        case "robot":
            draft = draft_from_urdf(document, source)
            add_visuals(draft, document, source, roots)
            return draft, "fixed"
        case "sdf":
            from soadyn.loading.sdf import draft_from_sdf

            return draft_from_sdf(document, source, roots, root)
        case "mujoco":
            from soadyn.loading.mjcf import draft_from_mjcf  # with what it needs, a fifth of the time to import soadyn

            return draft_from_mjcf(document, source, roots), "fixed"
    raise ModelError(
        f"{document.where}: the root element is <{document.tag}>; expected <robot> (URDF), <sdf> or <mujoco> (MJCF)"
    )


def _path(source: str | PathLike[str]) -> Path:
    """The path of an existing file or directory; anything else is explained."""
    given = os.fspath(source)
    if not isinstance(given, str):
        raise ArgumentError(f"expected a path as str, got {type(given).__name__} {given!r:.80}")
    if "\0" in given:
        raise ModelError(f"{given!r} is not a path: it contains a NUL character")
    if not given:
        raise ModelError("the path is empty; expected a path, XML text or the name of a built-in robot")
    path = Path(given)
    try:
        if path.exists():
            return path
    except OSError as error:
        raise ModelError(f"{given[:80]!r} cannot be opened: {error.strerror}") from None
    raise _nothing_there(given, path)


def _nothing_there(given: str, path: Path) -> SoadynError:
    """A name without suffix and folder was meant as a built-in robot, anything else as a file."""
    if path.name == given and not path.suffix:
        unknown = unknown_name("robot", given, builtin_robots())
        return UnknownNameError(f"{unknown} There is no file {given!r} either.")
    if not path.parent.is_dir():
        return ModelError(f"{given}: no such file; there is no folder {str(path.parent)!r} either")
    near = get_close_matches(path.name, os.listdir(path.parent), n=3)
    near += get_close_matches(path.stem, builtin_robots(), n=1) if path.name == given else []
    hint = f" Did you mean {' or '.join(repr(name) for name in near)}?" if near else ""
    return ModelError(f"{given}: no such file.{hint}")


def _roots(package_roots: Roots) -> list[Path]:
    if isinstance(package_roots, (str, PathLike)):
        raise ArgumentError(
            f"package_roots must be a list of folders, got {package_roots!r}; write [{package_roots!r}]"
        )
    try:
        roots = [Path(root) for root in package_roots]
    except TypeError:
        raise ArgumentError(f"package_roots must be a list of folders, got {package_roots!r}") from None
    for root in roots:
        if not root.is_dir():
            raise ArgumentError(f"package_roots names {str(root)!r}, which is not a folder")
    return roots


def _gravity(gravity: Any) -> Vector3:
    try:
        g = real_array(gravity)
    except ValueError:
        g = np.array(np.nan)
    if g.shape != (3,) or not np.isfinite(g).all():
        raise ArgumentError(f"gravity must be three finite numbers (m/s^2), got {gravity!r}")
    return vector3(g)
