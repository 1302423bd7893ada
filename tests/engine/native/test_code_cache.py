"""Compiled code on disk: whatever happens to it, the next call is right, with at most a warning."""

from __future__ import annotations

import errno
import gc
import hashlib
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import soadyn as sd
from soadyn.engine.cache import code_cache
from soadyn.engine.cache import folder as cache_folder
from soadyn.engine.cache.fingerprint import fingerprint
from soadyn.engine.native import kernel, passes
from soadyn.engine.native.llvm import machine_code
from soadyn.engine.native.llvm.machine_code import Loaded

pytestmark = pytest.mark.usefixtures("llvm")


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of its own, and a memory that has forgotten everything but what processes need once."""
    folder = tmp_path / "cache"
    assert kernel.available()
    assert fingerprint("anything")
    monkeypatch.setenv("SOADYN_CACHE", str(folder))
    monkeypatch.setattr(code_cache, "_memory", {})
    monkeypatch.setattr(cache_folder, "_warned", set())
    monkeypatch.setattr(cache_folder, "LOOK_EVERY", 1)  # whether there is room is looked at with every write
    passes._looped.cache_clear()
    yield folder
    passes._looped.cache_clear()


def forget(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if in a new process."""
    monkeypatch.setattr(code_cache, "_memory", {})
    monkeypatch.setattr(cache_folder, "_warned", set())
    passes._looped.cache_clear()


def right() -> bool:
    """A fresh robot's energy, in both forms of code: small kernels, so that compiling takes no time."""
    robot = sd.load("planar_two_link")
    q = np.linspace(0, 1, 10).reshape(5, 2)
    expected = robot.with_backend("numpy").potential_energy(q)
    forms = [robot.with_backend(form).potential_energy(q) for form in ("rolled", "straight")]
    return all(np.abs(x - expected).max() < 1e-14 for x in forms)


def compilations(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """What is compiled from now on."""
    seen: list[bytes] = []
    compile_one = machine_code.object_code

    def counted(text: str, *rest: Any) -> bytes:
        seen.append(compile_one(text, *rest))
        return seen[-1]

    monkeypatch.setattr(machine_code, "object_code", counted)
    return seen


def test_code_is_compiled_once_and_found_again(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = compilations(monkeypatch)
    assert right()
    files = list(cache.iterdir())
    assert len(seen) == len(files) == 2
    assert {path.read_bytes()[32:] for path in files} == set(seen)
    assert cache.stat().st_mode & 0o777 == 0o700
    for path in files:
        content = path.read_bytes()
        assert hashlib.sha256(path.name.encode() + b"\0" + content[32:]).digest() == content[:32]
        assert path.stat().st_mode & 0o077 == 0
    forget(monkeypatch)
    assert right()
    assert len(seen) == 2


@pytest.mark.parametrize(
    "damage",
    [
        lambda content: b"",
        lambda content: content[:17],
        lambda content: content[:32],
        lambda content: content[: len(content) // 2],
        lambda content: content[:-1],
        lambda content: content + b"\0",
        lambda content: content[:33] + bytes([content[33] ^ 1]) + content[34:],
        lambda content: bytes(len(content)),
        lambda content: b"\xff" + content[1:],
    ],
    ids=["empty", "stump", "hash only", "half", "one short", "one more", "one bit", "zeros", "wrong hash"],
)
def test_damaged_files_are_compiled_again_and_replaced(
    damage: Callable[[bytes], bytes], cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert right()
    files = {path: path.read_bytes() for path in cache.iterdir()}
    for path, content in files.items():
        path.write_bytes(damage(content))
    forget(monkeypatch)
    seen = compilations(monkeypatch)
    assert right()
    assert len(seen) == 2
    assert {path: path.read_bytes() for path in cache.iterdir()} == files


def test_files_of_another_robot_under_this_ones_name_cannot_be_there() -> None:
    """A name is the hash of all that makes the code: text, processor, versions."""
    target = kernel.processor()
    other = machine_code.Processor(target.name + "x", target.features, target.vector_bytes, target.fused)
    names = {
        machine_code.name_of(text, cpu, optimise)
        for text in "ab"
        for cpu in (target, other)
        for optimise in (True, False)
    }
    assert len(names) == 8


@pytest.mark.parametrize("failing", ["write", "replace", "mkstemp"])
def test_a_full_disk_costs_a_warning(failing: str, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any, **__: Any) -> Any:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    if failing == "write":
        # /dev/full takes an open file and refuses every byte
        real = os.fdopen
        monkeypatch.setattr(
            code_cache.os,
            "fdopen",
            lambda handle, mode: (os.close(handle), real(os.open("/dev/full", os.O_WRONLY), mode))[1],
        )
    else:
        owner, name = (code_cache.os, "replace") if failing == "replace" else (code_cache.tempfile, "mkstemp")
        monkeypatch.setattr(owner, name, full)
    with pytest.warns(
        RuntimeWarning, match=r"soadyn keeps no compiled code on disk: .*No space left on device"
    ) as told:
        assert right()
    assert len(told) == 1
    assert list(cache.iterdir()) == []
    monkeypatch.undo()


def mounted(folder: Path, size: str) -> bool:
    folder.mkdir()
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={size},mode=0700", "tmpfs", str(folder)], capture_output=True
    )
    return done.returncode == 0


def test_a_disk_that_is_really_full_costs_a_warning(python: Any, tmp_path: Path) -> None:
    folder = tmp_path / "tiny"
    if os.name != "posix" or not hasattr(os, "getuid") or os.getuid() != 0 or not mounted(folder, "8k"):
        pytest.skip("a small disk cannot be mounted here")
    try:
        done = python(RIGHT, SOADYN_CACHE=folder, flags=("-W", "always"))
        assert done.stdout.strip() == "True"
        assert done.stderr.count("No space left on device") == 1
        assert not list(folder.glob(".soadyn-new-*"))
    finally:
        subprocess.run(["umount", str(folder)], check=True)


RIGHT = f"""
import sys
sys.path.insert(0, {str(Path(__file__).parent)!r})
import test_code_cache
print(test_code_cache.right())
"""


@pytest.mark.parametrize("case", ["foreign", "world-writable", "group-writable", "a file", "below a file"])
def test_a_folder_that_is_not_the_users_alone_is_not_used(
    case: str, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not hasattr(os, "getuid"):
        pytest.skip("folders have no owners here")
    words = "must belong to the user alone"
    match case:
        case "foreign":
            if os.getuid() != 0:
                pytest.skip("only root can give a folder away")
            cache.mkdir(mode=0o700)
            os.chown(cache, 4321, 4321)
        case "world-writable" | "group-writable":
            cache.mkdir()
            cache.chmod(0o777 if case == "world-writable" else 0o770)
        case "a file":
            cache.write_text("mine")
            words = "File exists|Not a directory"
        case "below a file":
            cache.write_text("mine")
            monkeypatch.setenv("SOADYN_CACHE", str(cache / "folder"))
            words = "Not a directory"
    with pytest.warns(RuntimeWarning, match=rf"soadyn keeps no compiled code on disk: .*({words})") as told:
        assert right()
    assert len(told) == 1
    assert cache.is_file() or list(cache.iterdir()) == []


def test_a_file_of_somebody_else_is_not_run(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not hasattr(os, "getuid") or os.getuid() != 0:
        pytest.skip("only root can give a file away")
    assert right()
    for path in cache.iterdir():
        os.chown(path, 4321, 4321)
    forget(monkeypatch)
    seen = compilations(monkeypatch)
    assert right()
    assert len(seen) == 2


READ_ONLY = """
import os, sys, numpy as np, soadyn as sd
robot = sd.load("planar_two_link")
q = np.ones((3, 2))
robot.mass_matrix(q)  # everything is imported now
if os.getuid() == 0:  # root may write anywhere
    os.setgid(65534)
    os.setuid(65534)
os.environ["SOADYN_CACHE"] = sys.argv[1]
print(abs(robot.potential_energy(q) - robot.with_backend("numpy").potential_energy(q)).max() < 1e-14)
"""


def test_a_read_only_folder_costs_a_warning(python: Any) -> None:
    if not hasattr(os, "getuid"):
        pytest.skip("folders have no owners here")
    folder = Path(tempfile.mkdtemp())
    try:
        if os.getuid() == 0:
            os.chown(folder, 65534, 65534)
        folder.chmod(0o500)
        done = python(READ_ONLY, folder, SOADYN_CACHE="off", flags=("-W", "always"))
        assert done.stdout.strip() == "True"
        assert done.stderr.count("Warning: soadyn keeps no compiled code on disk") == 1
        assert "Permission denied" in done.stderr
        assert list(folder.iterdir()) == []
    finally:
        folder.rmdir()


def test_without_a_cache_nothing_is_written(
    cache: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, recwarn: pytest.WarningsRecorder
) -> None:
    monkeypatch.setenv("SOADYN_CACHE", "off")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    seen = compilations(monkeypatch)
    assert right()
    assert seen
    assert list(tmp_path.iterdir()) == []
    assert not recwarn.list


def test_the_folder_follows_the_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("SOADYN_CACHE", raising=False)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert cache_folder.folder() == tmp_path / ".cache" / "soadyn"
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert cache_folder.folder() == tmp_path / "xdg" / "soadyn"
    monkeypatch.setenv("SOADYN_CACHE", str(tmp_path / "here"))
    assert cache_folder.folder() == tmp_path / "here"
    monkeypatch.setenv("SOADYN_CACHE", "off")
    assert cache_folder.folder() is None


@pytest.mark.parametrize("home", [None, "", "/nowhere/at/all", "relative"])
def test_a_home_that_is_missing_does_no_harm(home: str | None, python: Any, tmp_path: Path) -> None:
    if home == "/nowhere/at/all" and hasattr(os, "getuid") and os.getuid() == 0:
        home = "/proc/nowhere"  # root could make the other
    text = f"import os; os.chdir({str(tmp_path)!r})\n{RIGHT}"
    done = python(
        text, SOADYN_CACHE=None, XDG_CACHE_HOME=None if home is None else home, HOME=home, flags=("-W", "always")
    )
    assert done.stdout.strip() == "True"
    assert done.stderr.count("Warning") <= 1


def test_the_oldest_files_make_room(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert right()
    used = {path.name: path.stat().st_size for path in cache.iterdir()}
    now = time.time()
    for i in range(20):
        old = cache / f"{i:064x}"
        old.write_bytes(cache_folder.sealed(old.name, bytes(10_000 - 32)))
        os.utime(old, (now - 1000 + i, now - 1000 + i))
    monkeypatch.setattr(cache_folder, "LARGEST_TOTAL", sum(used.values()) + 20_000 + 5 * 10_000)
    code_cache._to_disk("f" * 64, bytes(15_000))
    kept = {path.name for path in cache.iterdir()}
    assert sum(path.stat().st_size for path in cache.iterdir()) <= cache_folder.LARGEST_TOTAL
    assert {*used, "f" * 64} <= kept
    assert kept - {*used, "f" * 64} == {f"{i:064x}" for i in range(15, 20)}
    forget(monkeypatch)
    assert right()


def test_code_under_another_name_is_not_run(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert right()
    contents = {path: path.read_bytes() for path in cache.iterdir()}
    for name in contents:
        for other in contents.keys() - {name}:
            for path, content in contents.items():
                path.write_bytes(content)
            name.write_bytes(contents[other])
            forget(monkeypatch)
            assert code_cache._from_disk(name.name) is None
            name.write_bytes(contents[other])
            assert right()
            assert name.read_bytes() == contents[name]  # made again


@pytest.mark.parametrize("kind", ["fifo", "folder", "link"])
def test_what_is_no_file_is_not_read(kind: str, cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert right()
    path = max(cache.iterdir(), key=lambda path: path.stat().st_size)
    (tmp_path / "elsewhere").write_bytes(path.read_bytes())
    path.unlink()
    match kind:
        case "fifo":
            os.mkfifo(path)
        case "folder":
            path.mkdir()
        case _:
            path.symlink_to(tmp_path / "elsewhere")
    forget(monkeypatch)
    assert code_cache._from_disk(path.name) is None
    if kind == "folder":  # code is not kept, which is said
        with pytest.warns(RuntimeWarning, match="keeps no compiled code"):
            assert right()
    else:
        assert right()


USERS = {"thesis.txt": 5_000_000, ".new-idea": 3, "f" * 63: 20_000, "e" * 64: 30_000, "F" * 64: 10_000}


def put_users_files(folder: Path) -> dict[str, bytes]:
    """Files that are not soadyn's, all older than what soadyn writes."""
    folder.mkdir(parents=True, exist_ok=True)
    contents = {name: bytes([i]) * size for i, (name, size) in enumerate(USERS.items())}
    for name, content in contents.items():
        (folder / name).write_bytes(content)
        os.utime(folder / name, (1, 1))
    return contents


def test_a_folder_with_other_things_in_it_is_not_used(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    contents = put_users_files(cache)
    cache.chmod(0o700)
    (cache / "notes").mkdir()
    monkeypatch.setattr(cache_folder, "LARGEST_TOTAL", 1000)
    with pytest.warns(RuntimeWarning, match="which is not soadyn's; name a new or empty folder") as told:
        assert right()
    assert len(told) == 1
    (cache / "notes").rmdir()
    assert {path.name: path.read_bytes() for path in cache.iterdir()} == contents


def test_only_files_of_soadyns_naming_and_content_make_room(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever puts files into the folder later keeps them, a file that happens to be named like a hash included."""
    assert right()
    own = {path.name for path in cache.iterdir()}
    contents = put_users_files(cache)
    (cache / ("d" * 64)).symlink_to(cache / "thesis.txt")
    monkeypatch.setattr(cache_folder, "LARGEST_TOTAL", 1000)
    code_cache._to_disk("a" * 64, b"code")
    assert not own & {path.name for path in cache.iterdir()}
    assert {name: (cache / name).read_bytes() for name in contents} == contents
    assert (cache / ("d" * 64)).is_symlink()


def test_the_usual_folder_may_hold_other_things(
    cache: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, recwarn: pytest.WarningsRecorder
) -> None:
    monkeypatch.delenv("SOADYN_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    usual = tmp_path / "xdg" / "soadyn"
    usual.mkdir(parents=True, mode=0o700)
    (usual / ".DS_Store").write_bytes(b"Finder's")
    assert right()
    assert len(list(usual.iterdir())) > 2
    assert not recwarn.list


@pytest.mark.parametrize("target", ["folder", "nothing"])
def test_a_symbolic_link_is_not_followed(target: str, cache: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    if target == "folder":
        home.mkdir(mode=0o700)
    cache.symlink_to(home)
    with pytest.warns(RuntimeWarning, match=r"cache: a symbolic link; name the folder itself") as told:
        assert right()
    assert len(told) == 1
    assert not home.exists() or list(home.iterdir()) == []


def test_code_kept_in_memory_is_bounded(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Kernels of robots that are gone leave nothing behind but the latest machine code."""
    monkeypatch.setattr(code_cache, "LARGEST_IN_MEMORY", 40_000)
    arm = sd.load("planar_two_link")
    for i in range(12):
        arm.with_payload("tool", 1.0 + i).with_backend("straight").mass_matrix(np.zeros((3, 2)))
        gc.collect()
        assert sum(map(len, code_cache._memory.values())) <= 40_000
    assert len(code_cache._memory) > 1
    seen = compilations(monkeypatch)
    arm.with_payload("tool", 12.0).with_backend("straight").mass_matrix(np.zeros((3, 2)))
    assert not seen


def test_machine_code_goes_with_the_last_robot_that_uses_it(cache: Path) -> None:
    def loaded() -> int:
        gc.collect()
        return sum(type(x) is Loaded for x in gc.get_objects())

    sd.load("planar_two_link").gravity_force(np.zeros(2))  # what is compiled once for all robots is there now
    arm = sd.load("planar_two_link").with_backend("straight")
    before = loaded()
    arm.mass_matrix(np.zeros((3, 2)))
    arm.gravity_force(np.zeros(2))
    assert loaded() == before + 2
    del arm
    assert loaded() == before


def test_what_killed_writers_left_behind_is_cleared_away(cache: Path) -> None:
    assert right()
    left, fresh = cache / ".soadyn-new-killed", cache / ".soadyn-new-working"
    for path, age in ((left, 7200), (fresh, 10)):
        path.write_bytes(b"half")
        os.utime(path, (time.time() - age,) * 2)
    code_cache._to_disk("f" * 64, b"code")
    assert not left.exists()
    assert fresh.exists()


WRITER = """
import os, sys
from pathlib import Path
from soadyn.engine.cache import code_cache
from soadyn.engine.native.llvm import machine_code
code = os.urandom(1) * 3_000_000
code_cache._to_disk("a" * 64, code)  # one at least, however busy the machine is
print("ready", flush=True)
while True:
    for name in ("a" * 64, "b" * 64):
        code_cache._to_disk(name, code)
"""


def test_a_writer_killed_at_any_moment_leaves_whole_files(cache: Path, tmp_path: Path) -> None:
    """Every file under its final name is whole, whenever the process dies."""
    if not hasattr(signal, "SIGKILL"):
        pytest.skip("there is no SIGKILL here")
    rng = np.random.default_rng(5)
    seen = 0
    for _ in range(12):
        writer = subprocess.Popen([sys.executable, "-c", WRITER], stdout=subprocess.PIPE, text=True)
        assert writer.stdout is not None
        assert writer.stdout.readline() == "ready\n"
        time.sleep(float(rng.uniform(0.001, 0.05)))
        writer.send_signal(signal.SIGKILL)
        writer.wait()
        writer.stdout.close()
        for path in cache.glob("[ab]*"):
            content = path.read_bytes()
            assert hashlib.sha256(path.name.encode() + b"\0" + content[32:]).digest() == content[:32]
            seen += 1
    assert seen
    assert right()


def test_a_process_killed_while_compiling_leaves_a_cache_that_works(python: Any, tmp_path: Path, cache: Path) -> None:
    if not hasattr(signal, "SIGKILL"):
        pytest.skip("there is no SIGKILL here")
    for delay in (0.25, 0.35, 0.5):
        victim = subprocess.Popen([sys.executable, "-c", "import soadyn as sd\nsd.load('ur5').mass_matrix([0.0] * 6)"])
        time.sleep(delay)
        victim.send_signal(signal.SIGKILL)
        victim.wait()
    done = python(RIGHT, SOADYN_CACHE=cache)
    assert done.stdout.strip() == "True"
