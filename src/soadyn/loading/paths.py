"""Paths named inside robot files, kept within the folders the caller allows."""

from __future__ import annotations

import re
from collections.abc import Iterable
from os import PathLike
from pathlib import Path
from urllib.parse import unquote

from soadyn.errors import ModelError

Roots = Iterable[str | PathLike[str]]
SCHEME = re.compile(r"^([A-Za-z][A-Za-z0-9+.-]+)://")


def resolve_package_path(uri: str, file: str | PathLike[str], package_roots: Roots = (), where: str = "") -> Path:
    """The file that `uri`, found in the robot file `file`, stands for.

    `package://pkg/path` is looked for as `root/pkg/path` in each of `package_roots`, in roots that are themselves the
    package's folder, and in the folder `pkg` that holds `file`, if it lies in one. `file://` and plain paths are
    absolute or relative to `file`. The result exists and, with links followed, lies in the folder of `file`, in its
    package, or in a root: a robot file from elsewhere must not read the rest of the disk.
    """
    where = where or str(file)
    if "\0" in uri or not uri.strip():
        raise ModelError(f"{where}: {uri!r} is not a path")
    folder = Path(file).absolute().parent
    roots = [folder, *(Path(root).absolute() for root in package_roots)]
    scheme = SCHEME.match(uri)
    match scheme and scheme[1].lower():
        case "package":
            candidates, more = _in_packages(uri, folder, roots[1:], where)
            roots += more
        case "file":
            candidates = [folder / unquote(uri[len("file://") :])]
        case None:
            candidates = [folder / uri]
        case _:
            raise ModelError(f"{where}: {uri!r} is neither a path nor a package:// or file:// address")
    return first_existing(uri, candidates, roots, where)


def inside(path: Path, roots: Iterable[Path]) -> bool:
    """Does the path, with links and `..` followed, lie in one of the folders?"""
    try:
        real = path.resolve()
        return any(real.is_relative_to(root.resolve()) for root in roots)
    except (OSError, RuntimeError):  # a circle of links lies nowhere
        return False


def is_file(path: Path) -> bool:
    """Is there a regular file? A path that the system cannot even look up, such as one too long, is none."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def escape(uri: str, roots: Iterable[Path], where: str) -> ModelError:
    """The error for a path that leaves the allowed folders."""
    allowed = ", ".join(str(root) for root in dict.fromkeys(roots))
    return ModelError(
        f"{where}: path {uri!r} leaves the allowed folders ({allowed}); "
        "name its folder in package_roots if you trust the file"
    )


def _in_packages(uri: str, folder: Path, roots: list[Path], where: str) -> tuple[list[Path], list[Path]]:
    """Where a package:// address may point, and the package's own folder if the robot file lies in it."""
    package, _, rest = uri[len("package://") :].partition("/")
    own = [parent for parent in (folder, *folder.parents) if parent.name == package][:1]
    candidates = [root / package / rest for root in roots]
    candidates += [root / rest for root in [*roots, *own] if root.name == package]
    if not candidates:
        raise ModelError(
            f"{where}: {uri!r} is in package {package!r}, and the robot file is not; "
            "give the folder that holds the package in package_roots"
        )
    return candidates, own


def first_existing(uri: str, candidates: Iterable[Path], roots: Iterable[Path], where: str) -> Path:
    """The first of the candidates that lies in one of the folders and is a file, with links followed."""
    allowed = [path for path in candidates if inside(path, roots)]
    if not allowed:
        raise escape(uri, roots, where)
    for path in allowed:
        if is_file(path):
            return path.resolve()
    looked = ", ".join(str(path) for path in allowed)
    raise ModelError(f"{where}: no file for {uri!r}; looked for {looked}")
