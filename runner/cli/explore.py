"""`fictc explore`: search stores on a page in the browser."""

from __future__ import annotations

import webbrowser
from pathlib import Path

import click

from runner.cli.options import FILE, FOLDER, PATH, BoundedInt, relations
from runner.cli.query_options import limits_options, open_corpus
from runner.cli.terminal import print_message
from runner.corpus.limits import Limits
from runner.corpus.store import Store
from runner.machine import available_cores

_TIMEOUT = 60.0  # seconds per query
_MAX_PROCESSES = 32


@click.command(
    name="explore",
    help="""Open a page that searches corpus stores: matches in context, dependency trees, counts, near
    misses, differences.

    The command serves the page until it is interrupted. By default, only this machine can open the page (see --host).
    The URL that the command prints contains a secret; whoever knows it can search the stores. STORE may also be a
    CoNLL-U file or a folder of them, which is imported into the cache once.

    \b
    Examples:
      fictc explore stores/ewt
      fictc explore stores/ewt stores/childes --port 8000 --no-browser
      fictc explore --runs runs
      fictc explore stores/ewt --audit passive-audit.csv
    """,
)
@click.argument("stores", nargs=-1, type=PATH, metavar="[STORE]...")
@click.option(
    "--port",
    type=BoundedInt(0, 65535, "the ports of TCP"),
    default=0,
    show_default=False,
    help="Port to listen on [default: any free one].",
)
@click.option(
    "--host",
    default="127.0.0.1",
    metavar="ADDRESS",
    help="Address to listen on. The page is served over HTTP, without encryption.",
)
@click.option("--no-browser", is_flag=True, help="Only print the URL.")
@click.option(
    "--processes",
    type=BoundedInt(1, _MAX_PROCESSES, "each is a process with a database"),
    metavar="N",
    help="Number of queries that run at the same time [default: one per processor, from 2 to 4].",
)
@click.option(
    "--save",
    type=FOLDER,
    metavar="FOLDER",
    help="Folder in which the page may save filters and their examples [default: the page saves nothing].",
)
@click.option(
    "--runs",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    metavar="FOLDER",
    help="Folder of finished runs to show, with trees of their pairs. Without STORE, their corpora are searched.",
)
@click.option(
    "--audit", type=FILE, metavar="SHEET", help="Sheet of `fictc audit sheet` to judge; each judgement is saved in it."
)
@click.option("--suite", type=PATH, metavar="SUITE", help="Benchmark for the Coverage tab.")
@click.option(
    "--parses",
    type=PATH,
    metavar="STORE",
    help="Corpus store of the parsed sentences of --suite, or of the suites of --runs.",
)
@limits_options(timeout=_TIMEOUT)
@relations("--audit requires STORE", "--suite requires --parses", "--parses requires --suite or --runs")
def command(
    stores: tuple[Path, ...],
    port: int,
    host: str,
    processes: int | None,
    save: Path | None,
    runs: Path | None,
    audit: Path | None,
    suite: Path | None,
    parses: Path | None,
    limits: Limits,
    *,
    no_browser: bool,
) -> None:
    from fictdsl.installation import filter_library
    from runner.explore.query import ExplorerSettings
    from runner.explore.runs import run_stores, runs_below
    from runner.explore.server import serve
    from runner.score.pair_formats import load_suite

    if not stores and runs is None:
        raise click.UsageError("STORE or --runs is required")
    finished_runs = () if runs is None else runs_below(runs.resolve())
    if runs is not None and not finished_runs:
        raise click.UsageError(f"--runs: no run with results is in {runs}")
    store_labels = {open_corpus([path], limits).path.resolve(): path.name or str(path) for path in stores}
    store_labels = store_labels or run_stores(finished_runs)
    if audit is not None:
        _check_audit(audit, next(iter(store_labels)))
    benchmark = None if suite is None or parses is None else (suite.resolve(), parses.resolve())
    if parses is not None:
        Store.open(parses)
    if benchmark is not None:
        load_suite(benchmark[0])  # raises InputError before the server starts
    save_folder = save and save.resolve()
    if save is not None and not save.exists():
        print_message(f"note: {save} does not exist; the page creates it when it saves a file", err=True)
    settings = ExplorerSettings(
        tuple(store_labels),
        tuple(filter_library()),
        limits,
        save_folder,
        benchmark,
        finished_runs,
        parses and parses.resolve(),
        audit and audit.resolve(),
        tuple(store_labels.values()),
    )

    def on_started(url: str) -> None:
        click.echo(url)
        click.echo("Ctrl-C ends the server.", err=True)
        if not no_browser:
            webbrowser.open(url)

    serve(settings, host, port, processes or min(4, max(2, available_cores())), on_started)


def _check_audit(path: Path, store: Path) -> None:
    from runner.audit.sheet import read_sheet

    sheet = read_sheet(path, is_open=True)
    if Store.open(store).key != sheet.corpus_key:
        raise click.UsageError(f"--audit {path} was drawn from {sheet.corpus}; name that store first, as it was then")
