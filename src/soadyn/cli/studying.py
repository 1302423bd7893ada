"""`soadyn study run|status|results FILE.toml`: studies that files describe."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from cyclopts import App, Parameter
from rich.table import Table
from rich.text import Text

from soadyn.cli.motion import INTERRUPTED
from soadyn.cli.terminal import OUT, JsonOption, out, plain_table, print_json
from soadyn.errors import ArgumentError
from soadyn.later import optional
from soadyn.studies import StudyError, StudyResults
from soadyn.studies.labels import entries
from soadyn.studies.results import Summary
from soadyn.studies.study_files import load_study
from soadyn.view.display.tables import number

SHARES = (0.05, 0.5, 0.95)
StudyFile = Annotated[Path, Parameter(help="A TOML file that describes the study; the guide to studies says how.")]

app = App(name="study", help="Very many rows of parameters, from a TOML file; what is done is never lost.")


@app.command(name="run")
def run_study(
    file: StudyFile,
    *,
    workers: Annotated[int | None, Parameter(help="Threads; as many as there are processors if omitted.")] = None,
    chunk: Annotated[int | None, Parameter(help="Rows of a chunk; by a trial if omitted.")] = None,
    scheduler: Annotated[str | None, Parameter(help="The address of a Dask scheduler, to run on its workers.")] = None,
) -> int:
    """Compute what is missing; Ctrl-C keeps what is done."""
    with _client(scheduler) as client:
        study = load_study(file, chunk).run(client, workers=workers)
    status = study.status
    out.print(Text(f"{status}; {study.folder}"), soft_wrap=True)
    if not status.complete:
        out.print("not complete: run it again to go on", style="yellow")
        return INTERRUPTED
    return 0


@app.command(name="status")
def show_status(file: StudyFile, *, json: JsonOption = False) -> int:
    """How far the study is."""
    status = load_study(file).status
    if json:
        names = ("rows", "done", "failed", "processors", "complete")
        print_json({name: getattr(status, name) for name in names} | {"chunks": list(status.chunks)})
    else:
        out.print(Text(str(status)), soft_wrap=True)
    return 0


@app.command(name="results")
def show_results(
    file: StudyFile,
    *,
    out_file: Annotated[Path | None, Parameter(name=OUT, help="Where to write all rows: .npz.")] = None,
    plot: Annotated[Path | None, Parameter(help="Where to draw the first measure, or the one that is named.")] = None,
    measure: Annotated[str | None, Parameter(help="The measure to draw.")] = None,
    against: Annotated[str | None, Parameter(help="Draw it over this parameter.")] = None,
    json: JsonOption = False,
) -> int:
    """Mean, spread, extremes and quantiles of every measure, and why rows failed."""
    study = load_study(file)
    results = study.results
    if json:
        print_json(_as_data(results))
    else:
        out.print(_as_table(results))
        for reason, count in sorted(results.failures.counts().items(), key=lambda x: -x[1])[:10]:
            out.print(Text(f"{count:,} rows failed: {reason}", style="yellow"), soft_wrap=True)
        if not results.complete:
            out.print("not complete: `soadyn study run` goes on", style="yellow")
    if out_file is not None:
        out.print(Text(f"rows     {results.save(out_file)}"), soft_wrap=True)
    if plot is not None:
        out.print(Text(f"picture  {study.plot(plot, measure, against)}"), soft_wrap=True)
    return 0


@contextlib.contextmanager
def _client(address: str | None) -> Iterator[Any]:
    if address is None:
        yield None
        return
    distributed = optional("distributed", "--scheduler")
    try:
        client: Any = distributed.Client(address, timeout=10)
    except (OSError, ValueError) as error:
        raise StudyError(f"no Dask scheduler answers at {address!r}: {error}") from None
    with client:
        yield client


def _figures(reduced: Summary) -> dict[str, np.ndarray | None]:
    found = {name: getattr(reduced, name) for name in ("mean", "std", "smallest")}
    with contextlib.suppress(ArgumentError):  # no quantiles were asked for
        found |= {f"{share:.0%}": reduced.quantile(share) for share in SHARES}
    return found | {"largest": reduced.largest}


def _as_data(results: StudyResults) -> dict[str, Any]:
    measures = {}
    for name, reduced in results.summary.items():
        measures[name] = {figure: x.tolist() for figure, x in _figures(reduced).items() if x is not None}
    return {"complete": results.complete, "failures": results.failures.counts(), "measures": measures}


def _as_table(results: StudyResults) -> Table:
    rows = {name: _figures(reduced) for name, reduced in results.summary.items()}
    columns = list(dict.fromkeys(column for figures in rows.values() for column in figures))
    table = plain_table("measure", *columns, right=True)
    for name, figures in rows.items():
        shape = next(np.shape(x) for x in figures.values() if x is not None)
        for k, label in enumerate(entries(name, shape, results.labels).values()):
            cells = [figures.get(column) for column in columns]
            shown = ["" if x is None else number(float(np.reshape(x, -1)[k])) for x in cells]
            table.add_row(Text(label), *shown)
    return table
