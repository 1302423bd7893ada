"""Which variants of a test are left to `make test-all`: tests/slow_variants.txt, from processor times of a whole run.

    SOADYN_CACHE=/tmp/empty .venv/bin/python -m pytest -n auto --processor-times /tmp/times
    .venv/bin/python tests/support/slow_variants.py /tmp/times

Of a test with several variants those go that take longer than `LONG`, the longest first, as long as a third stays.
Pages and examples always run.
"""

from __future__ import annotations

import resource
import sys
from collections import defaultdict
from math import ceil
from pathlib import Path

TABLE = Path(__file__).resolve().parents[1] / "slow_variants.txt"
LONG = 0.2  # seconds of processor time, kernels compiled anew
ALWAYS = (
    "tests/test_doctests.py",
    "tests/test_error_page.py",
    "tests/test_walks.py",
    "tests/test_layers.py",
    "tests/test_names.py",
)
# Every quantity in loops, which are what large robots run.
KEPT = frozenset(
    {"tests/engine/native/test_bits.py::test_a_state_has_the_same_bits_in_every_quantity_alone_and_in_a_batch[rolled-]"}
)


def processor_time() -> float:
    """Seconds of processor time of this process and of those that it started."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(x.ru_utime + x.ru_stime for x in used)


def listed() -> frozenset[str]:
    """The variants in the table."""
    return frozenset(TABLE.read_text(encoding="utf-8").splitlines())


def chosen(times: dict[str, float]) -> list[str]:
    """The variants that are left out, from the times of all tests."""
    kin: defaultdict[str, list[str]] = defaultdict(list)
    for name in sorted(times, key=lambda name: -times[name]):
        kin[name.partition("[")[0]].append(name)
    found: list[str] = []
    for test, variants in kin.items():
        if test.startswith(ALWAYS):
            continue
        free = [name for name in variants if name not in KEPT]
        stay = max(1, ceil(len(variants) / 3)) - (len(variants) - len(free))
        found += [name for name in free[: len(free) - max(0, stay)] if times[name] >= LONG]
    return sorted(found)


def read(folder: Path) -> dict[str, float]:
    """The times that a run wrote, one file for each of its processes."""
    lines = [line for file in folder.glob("*.txt") for line in file.read_text(encoding="utf-8").splitlines()]
    return {name: float(seconds) for seconds, _, name in (line.partition("\t") for line in lines)}


if __name__ == "__main__":
    TABLE.write_text("".join(f"{name}\n" for name in chosen(read(Path(sys.argv[1])))), encoding="utf-8")
