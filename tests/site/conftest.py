"""The site that `make docs` builds; without one it is built here."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DOCS, BUILT = ROOT / "docs", ROOT / "build" / "docs"


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a site that is as new as its sources."""
    if _is_new(BUILT / "index.html"):
        return BUILT
    if importlib.util.find_spec("sphinx") is None:
        pytest.skip("the docs extra is not installed; make docs-check installs it")
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "sphinx", "--fail-on-warning", "--keep-going", "--quiet", "-b", "html"]
    done = subprocess.run([*command, str(DOCS), str(folder)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return folder


def _is_new(page: Path) -> bool:
    sources = [*DOCS.rglob("*.md"), *DOCS.rglob("*.py"), *(ROOT / "src").rglob("*.py"), *ROOT.glob("*.md")]
    return page.exists() and page.stat().st_mtime > max(source.stat().st_mtime for source in sources)
