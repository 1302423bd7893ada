"""Files that others may have had a hand in.

Those to read are regular files of bounded size: a pipe does not block, a folder or a device is named. Those to write
appear whole or not at all, and no link leads them elsewhere; what killed writers left goes with the next one.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import threading
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import IO, Any

from soadyn.errors import ArgumentError

fcntl: Any  # None on Windows, which locks otherwise
try:
    import fcntl
except ImportError:
    fcntl = None


def target_file(path: Any, what: str, suffixes: Collection[str]) -> Path:
    """The path to write `what` to, checked before the work begins: a suffix that is known, in a folder that exists.

    >>> target_file("run.txt", "a trajectory", (".npz", ".csv"))
    Traceback (most recent call last):
    soadyn.errors.ArgumentError: cannot write a trajectory to 'run.txt': its suffix is '.txt'; expected .npz or .csv
    """
    target = path_of(path, f"cannot write {what}")
    if target.suffix.lower() not in suffixes:
        found = f"its suffix is {target.suffix!r}" if target.suffix else "it has no suffix"
        raise ArgumentError(f"cannot write {what} to {str(target)!r}: {found}; expected {_listed(suffixes)}")
    if not target.parent.is_dir():
        raise ArgumentError(f"cannot write {str(target)!r}: there is no folder {str(target.parent)!r}")
    return target


def path_of(path: Any, problem: str) -> Path:
    """The path of a file; numbers are refused, which Python would open as the files that have them."""
    if not isinstance(path, str | os.PathLike) or "\0" in str(path):
        raise ArgumentError(f"{problem}: expected the path of a file, got {path!r:.80}")
    return Path(path)


def open_regular(path: str | os.PathLike[str], *, links: bool = False) -> IO[bytes]:
    """A regular file, open to be read. Whatever else has its name is an `OSError` that says what it is.

    links: follow a link in the file's place. Not for names that soadyn chose itself: it never makes links.
    """
    follow = 0 if links else getattr(os, "O_NOFOLLOW", 0)
    flags = os.O_RDONLY | follow | _PLAIN
    try:
        file = os.open(path, flags)
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.EMLINK) and not links:
            raise OSError(errno.ELOOP, "it is a link, expected a regular file") from None
        raise
    mode = os.fstat(file).st_mode
    if not stat.S_ISREG(mode):
        os.close(file)
        raise OSError(errno.EINVAL, f"it is {kind_of(mode)}, expected a regular file")
    return os.fdopen(file, "rb")


# O_NONBLOCK: opening a pipe would wait for a writer. Not every system has every flag.
_PLAIN = sum(getattr(os, name, 0) for name in ("O_NONBLOCK", "O_CLOEXEC", "O_BINARY"))
_KINDS = {stat.S_IFREG: "a file", stat.S_IFDIR: "a directory", stat.S_IFLNK: "a link", stat.S_IFIFO: "a pipe"}


def kind_of(mode: int) -> str:
    """What a file's mode says that it is.

    >>> kind_of(os.lstat(".").st_mode)
    'a directory'
    """
    return _KINDS.get(stat.S_IFMT(mode), "a device or a socket")


def read_regular(path: str | os.PathLike[str], limit: int, *, links: bool = False) -> bytes:
    """All of a regular file of at most `limit` bytes; an `OSError` says what is there instead.

    >>> try:
    ...     read_regular(".", 100)
    ... except OSError as error:
    ...     print(error.strerror)
    it is a directory, expected a regular file
    """
    with open_regular(path, links=links) as file:
        size = os.fstat(file.fileno()).st_size
        data = file.read(min(size, limit) + 1)  # no more memory than the file has bytes
    if max(size, len(data)) > limit:
        raise OSError(errno.EFBIG, f"it has {max(size, len(data))} bytes, expected at most {limit}")
    return data


def new_file(path: Path) -> IO[bytes]:
    """A file made anew to be written, in the place of one that a killed process left; nothing that has its name is
    written to."""
    path.unlink(missing_ok=True)
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _PLAIN, 0o666), "wb")


def _listed(suffixes: Collection[str]) -> str:
    *others, last = suffixes
    return f"{', '.join(others)} or {last}" if others else last


@contextlib.contextmanager
def whole_file(target: Path) -> Iterator[IO[bytes]]:
    """A file to write to beside the target, moved there in one go when the block ends without an error."""
    try:
        beside, file = unfinished_file(target)
        with file:
            try:
                yield file
                file.flush()
                os.fsync(file.fileno())
                if fcntl is None:  # only an open file is locked, but no open one is moved there
                    file.close()
                os.replace(beside, target)
            except BaseException:
                with contextlib.suppress(OSError):
                    beside.unlink(missing_ok=True)
                raise
    except OSError as error:
        raise ArgumentError(f"cannot write {str(target)!r}: {error.strerror or error}") from None


def unfinished_file(target: Path) -> tuple[Path, IO[bytes]]:
    """The path of a new file beside the target, and the file, open to be written.

    Each writer of the target takes the same name, so that what a killed one left does not stay: a lock, which the
    system takes from the dead, tells it from the file of a writer at work. That one's is left alone, and ours has a
    name of its own.
    """
    beside = target.with_name(f".{target.name}.part")
    file = _locked_new_file(beside)
    if file is None:
        beside = target.with_name(f".{target.name}.{os.getpid()}.{threading.get_ident()}.part")
        file = new_file(beside)
    return beside, file


def _locked_new_file(path: Path) -> IO[bytes] | None:
    """A file made anew and locked; None if another writer has it, it is no file, or there are no locks."""
    if fcntl is None:
        return None
    try:
        with contextlib.suppress(FileNotFoundError), open_regular(path) as left:
            if _locked(left, path):
                path.unlink()
        file = os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _PLAIN, 0o666), "wb")
    except OSError:
        return None
    try:
        if _locked(file, path):
            return file
    except BlockingIOError:  # another writer takes it for one that was left, and removes it
        pass
    except OSError:  # not every file system has locks
        path.unlink(missing_ok=True)
    file.close()
    return None


def _locked(file: IO[bytes], path: Path) -> bool:
    """Lock a file, an `OSError` if another has; False if it is no longer the one of that name."""
    assert fcntl is not None
    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    try:
        return os.path.samestat(os.fstat(file.fileno()), os.lstat(path))
    except FileNotFoundError:
        return False
