"""Times exported C: one state after another, in a loop written in C, gcc -O2 -march=native.

Run it with `.venv/bin/python benchmarks/exported.py`; it prints a table in Markdown.
"""

from __future__ import annotations

import re
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import soadyn as sd

FLAGS = ("-std=c99", "-O2", "-march=native", "-ffp-contract=off")
ROWS = (
    ("ur5", "forward_dynamics"),
    ("ur5", "inverse_dynamics"),
    ("ur5", "mass_matrix"),
    ("ets_vii", "forward_dynamics"),
)

MAIN = """#define _POSIX_C_SOURCE 199309L
#include "code.h"
#include <stdio.h>
#include <time.h>
int main(void)
{{
    double {arrays};
    double best = 1e9;
    int round, call, i, bad = 0;
    for (round = 0; round < 20; ++round) {{
        struct timespec start, end;
        double took;
        clock_gettime(CLOCK_MONOTONIC, &start);
        for (call = 0; call < {calls}; ++call) {{
            for (i = 0; i < {nq}; ++i) q[i] = 0.1 + 1e-6 * (call + i);
            bad += f({names});
        }}
        clock_gettime(CLOCK_MONOTONIC, &end);
        took = (end.tv_sec - start.tv_sec) + 1e-9 * (end.tv_nsec - start.tv_nsec);
        if (took < best) best = took;
    }}
    printf("%g\\n", best / {calls});
    return bad;
}}
"""


def seconds(function: Any, calls: int = 20_000, **options: Any) -> float:
    """The best of twenty rounds, for one call."""
    with tempfile.TemporaryDirectory() as folder:
        _, header = sd.export_c(function, Path(folder, "code"), name="f", **options)
        arrays = re.findall(r"double (\w+)\[(\d+)\]", header.read_text(encoding="utf-8").rpartition("int f(")[2])
        main = MAIN.format(
            arrays=", ".join(f"{name}[{size}] = {{0}}" for name, size in arrays),
            names=", ".join(name for name, _ in arrays),
            nq=arrays[0][1],
            calls=calls,
        )
        Path(folder, "main.c").write_text(main, encoding="utf-8")
        subprocess.run(["gcc", *FLAGS, "code.c", "main.c", "-lm", "-o", "main"], cwd=folder, check=True)
        return float(subprocess.run([Path(folder, "main")], capture_output=True, text=True, check=True).stdout)


if __name__ == "__main__":
    print("| robot | quantity | polynomials | `libm=True` |\n|---|---|---|---|")
    for name, quantity in ROWS:
        function = getattr(sd.load(name), quantity)
        own, library = (1e9 * seconds(function, libm=libm) for libm in (False, True))
        print(f"| {name} | `{quantity}` | {own:.0f} ns | {library:.0f} ns |")
