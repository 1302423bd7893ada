"""Folders of studies that others had a hand in: copies, links, pipes, changed plans cost no row, no wait, no file."""

from __future__ import annotations

import errno
import json
import os
import shutil
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from soadyn.files import read_regular
from soadyn.studies import Study, StudyError, chunk_files
from study_driver import noisy_study, opened_study

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="links and pipes are those of POSIX")
CHUNKS = 8
FIRST = Path("chunks", "000000")
THIRD = FIRST / "000000003.npz"


@pytest.fixture(autouse=True)
def nothing_waits() -> Iterator[None]:
    """A pipe that is opened to be read would wait for ever."""

    def stop(*_: object) -> None:
        raise AssertionError("it hangs")

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(30)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    noisy_study(tmp_path / "study", CHUNKS, processes=False)
    return tmp_path / "study"


def opened(folder: Path, run: bool = False) -> Study:
    return noisy_study(folder, CHUNKS, processes=False) if run else opened_study(folder, CHUNKS)


@pytest.mark.parametrize(
    "copy",
    ["000000/3.npz", "000000/0000000003.npz", "backup/000000003.npz", "000001/000000003.npz", "000000/².npz"],
)
def test_a_copy_of_a_chunk_counts_for_nothing_and_is_named(folder: Path, copy: str) -> None:
    whole = opened(folder).results.summary["product"]
    target = folder / "chunks" / copy
    target.parent.mkdir(exist_ok=True)
    shutil.copy(folder / THIRD, target)
    for run in (False, True):
        study = opened(folder, run)
        found = study.results.summary["product"]
        assert found.count.item() == 2 * CHUNKS
        assert found.mean.tobytes() == whole.mean.tobytes()
        assert study.status.chunks == (CHUNKS, CHUNKS)
        assert study.status.ignored == (f"chunks/{copy}",)
        assert f"no chunks, ignored: 'chunks/{copy}'" in str(study.status)
        assert target.exists()


@pytest.mark.parametrize("rows", [CHUNKS, 4 * CHUNKS])
def test_a_plan_of_other_rows_than_the_design_is_refused(folder: Path, rows: int) -> None:
    file = folder / "study.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | {"rows": rows}))
    with pytest.raises(StudyError, match=f"another study, with other rows {rows} there, {2 * CHUNKS} here"):
        opened(folder, run=True)


def test_sound_chunks_are_not_dropped_for_a_plan_of_chunks_of_another_length(folder: Path) -> None:
    file = folder / "study.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | {"chunk": 4}))
    with pytest.raises(StudyError, match=r"study\.json tells of chunks of 4 rows; was one of them changed"):
        opened(folder, run=True)
    assert len(list(folder.glob("chunks/*/*.npz"))) == CHUNKS


@pytest.mark.parametrize("chunk", [2, 4, None])
def test_chunks_without_a_plan_get_no_new_one(folder: Path, chunk: int | None) -> None:
    file = folder / "study.json"
    plan, chunks = file.read_bytes(), {path: path.read_bytes() for path in folder.glob("chunks/*/*.npz")}
    file.unlink()
    with pytest.raises(StudyError, match=r"holds chunks, but no study\.json .*put it back, or take another folder"):
        noisy_study(folder, CHUNKS, processes=False, chunk=chunk)
    assert not file.exists()
    assert {path: path.read_bytes() for path in folder.glob("chunks/*/*.npz")} == chunks
    file.write_bytes(plan)
    assert opened(folder, run=True).results.complete


def test_a_chunk_that_may_not_be_read_is_named_and_stays(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    third = folder / THIRD
    content, inode = third.read_bytes(), third.stat().st_ino

    def read(path: Path, limit: int) -> bytes:
        if path == third:  # permissions do not stop everyone who runs tests
            raise PermissionError(errno.EACCES, "Permission denied")
        return read_regular(path, limit)

    monkeypatch.setattr(chunk_files, "read_regular", read)
    for run in (False, True):
        with pytest.raises(StudyError, match=r"000000003\.npz': Permission denied; make it readable, or move it away"):
            _ = opened(folder, run).results
    assert third.read_bytes() == content
    assert third.stat().st_ino == inode


@pytest.mark.parametrize(
    ("content", "words"),
    [("[" * 400_000, "recursion"), ("{}", "format"), ("[1]", ""), ("\udcff", ""), (" " * 1_000_001, "at most 1000000")],
    ids=["nested", "empty", "a list", "no text", "large"],
)
def test_a_plan_that_is_none_is_named(folder: Path, content: str, words: str) -> None:
    (folder / "study.json").write_bytes(content.encode(errors="surrogateescape"))
    with pytest.raises(StudyError, match=f"study.json' is not a study's plan: .*{words}"):
        opened(folder)


def put(kind: str, place: Path, elsewhere: Path) -> None:
    """Something in a file's place that is none."""
    if place.is_dir():
        shutil.move(place, elsewhere)
    elif place.exists():
        place.rename(elsewhere)
    if kind == "a pipe":
        os.mkfifo(place)
    elif kind == "a link":
        place.symlink_to(elsewhere)
    else:
        place.mkdir()


@pytest.mark.parametrize("kind", ["a pipe", "a link", "a directory"])
def test_what_is_no_file_in_a_chunks_place_is_named_and_stays(folder: Path, tmp_path: Path, kind: str) -> None:
    put(kind, folder / THIRD, tmp_path / "elsewhere")
    before = os.lstat(folder / THIRD)
    with pytest.raises(StudyError, match=rf"000000003\.npz': it is {kind}, expected a regular file"):
        _ = opened(folder).results
    with pytest.raises(StudyError, match=rf"000000003\.npz' is {kind} in a chunk's place; move it away"):
        opened(folder, run=True)
    assert os.lstat(folder / THIRD).st_ino == before.st_ino


@pytest.mark.parametrize("kind", ["a pipe", "a link", "a directory"])
def test_what_is_no_file_in_the_plans_place_is_named(folder: Path, tmp_path: Path, kind: str) -> None:
    put(kind, folder / "study.json", tmp_path / "elsewhere")
    with pytest.raises(StudyError, match=rf"is not a study's plan: it is {kind}, expected a regular file"):
        opened(folder, run=True)


@pytest.mark.parametrize("place", ["chunks", "chunks/000000"])
def test_files_behind_a_linked_folder_stay_as_they_are(folder: Path, tmp_path: Path, place: str) -> None:
    put("a link", folder / place, tmp_path / "elsewhere")
    chunk = next((tmp_path / "elsewhere").rglob("000000003.npz"))
    chunk.write_text("precious")
    with pytest.raises(StudyError, match=r"is a link, expected a folder with chunks; move it away"):
        opened(folder, run=True)
    assert chunk.read_text() == "precious"


def test_claims_are_not_made_through_a_link(folder: Path, tmp_path: Path) -> None:
    (folder / "claims").unlink()
    (folder / "claims").symlink_to(tmp_path / "elsewhere")
    (folder / THIRD).unlink()
    with pytest.raises(StudyError, match=r"cannot write '.*claims'"):
        opened(folder, run=True)
    assert not (tmp_path / "elsewhere").exists()


def test_a_link_in_the_place_of_an_unfinished_file_is_not_written_through(folder: Path, tmp_path: Path) -> None:
    import threading

    (folder / THIRD).unlink()
    precious = tmp_path / "precious"
    precious.write_text("precious")
    others = ("", f".{os.getpid()}.{threading.get_ident()}")
    for other in others:
        (folder / FIRST / f".{THIRD.name}{other}.part").symlink_to(precious)
    assert opened(folder, run=True).results.complete
    assert precious.read_text() == "precious"


def test_a_file_is_read_up_to_its_limit(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"12345")
    assert read_regular(file, 5) == b"12345"
    with pytest.raises(OSError, match="it has 5 bytes, expected at most 4"):
        read_regular(file, 4)
    (tmp_path / "link").symlink_to(file)
    assert read_regular(tmp_path / "link", 5, links=True) == b"12345"
    with pytest.raises(OSError, match="it is a link"):
        read_regular(tmp_path / "link", 5)
    with pytest.raises(FileNotFoundError):
        read_regular(tmp_path / "none", 5)
