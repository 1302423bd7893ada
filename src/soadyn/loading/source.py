"""Where a robot's description comes from: its bytes, and a name to show in messages."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import final

from soadyn.errors import ModelError

# The largest robot files people use are below one megabyte; a mesh or a log given by mistake is larger than this.
MAX_BYTES = 64 * 2**20
SUFFIXES = (".urdf", ".sdf", ".xml", ".mjcf")
TEXT = "<string>"  # the name of XML given as text


@final
@dataclass(frozen=True, slots=True)
class Source:
    """The bytes of a description. `path` is None for text given directly and for files inside the package."""

    name: str
    data: bytes
    path: Path | None = None

    @property
    def stem(self) -> str:
        """The name without folders and suffix, to name a robot that has no name of its own."""
        return "robot" if self.name == TEXT else Path(self.name).stem

    @property
    def directory(self) -> Path | None:
        """Where files that the description refers to by relative paths are looked for."""
        return None if self.path is None else self.path.absolute().parent


def text_source(text: str) -> Source:
    """XML given as text."""
    return checked(Source(TEXT, text.encode("utf-8", errors="surrogatepass")))


def file_source(path: Path, name: str | None = None) -> Source:
    """A whole file; its size is checked before it is read. `name` is shown in messages."""
    name = name or str(path)
    try:
        status = os.stat(path)
    except FileNotFoundError:
        raise ModelError(f"{name}: no such file") from None
    except (OSError, ValueError) as error:
        raise ModelError(f"{name!r} cannot be opened: {_reason(error)}") from None
    if stat.S_ISDIR(status.st_mode):
        raise ModelError(f"{name} is a directory; expected a URDF, SDF or MJCF file{_inside(path)}")
    if not stat.S_ISREG(status.st_mode):
        raise ModelError(f"{name} is not a regular file; expected a URDF, SDF or MJCF file")
    _check_size(name, status.st_size)
    try:
        with open(path, "rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except OSError as error:
        raise ModelError(f"{name} cannot be read: {_reason(error)}") from None
    return checked(Source(name, data, path))


def checked(source: Source) -> Source:
    """The same source, unless it cannot be XML at all."""
    _check_size(source.name, len(source.data))
    if not source.data.strip():
        raise ModelError(f"{source.name} is empty; expected a URDF, SDF or MJCF file")
    utf16 = source.data.startswith((b"\xff\xfe", b"\xfe\xff"))
    if b"\0" in source.data[:4096] and not utf16:
        raise ModelError(f"{source.name} is binary; expected a URDF, SDF or MJCF file, which are XML text")
    return source


def _check_size(name: str, size: int) -> None:
    if size > MAX_BYTES:
        raise ModelError(
            f"{name} has {size / 2**20:.0f} MB; robot files of more than {MAX_BYTES // 2**20} MB are refused "
            "(is it a mesh or a log?)"
        )


def _reason(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)


def _inside(directory: Path) -> str:
    """A hint at the robot files a directory holds."""
    try:
        names = sorted(
            entry.name for entry in directory.iterdir() if entry.suffix in (".urdf", ".sdf", ".xml", ".mjcf")
        )
    except OSError:
        return ""
    return f", such as {', '.join(names[:3])} in it" if names else ""
