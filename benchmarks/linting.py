"""Benchmark of `fictc lint` on 1,000 files, renamed copies of the shipped filters."""

from __future__ import annotations

import re
import shutil
import tempfile
import time
from pathlib import Path

from click.testing import CliRunner

from benchmarks.processes import run_fictc
from benchmarks.tables import table
from runner.cli.lint import command

FILTERS = Path(__file__).parents[1] / "filters"
FILES = 1_000


def write_copies(folder: Path, count: int) -> None:
    """Fill a folder with copies of the shipped filters; the names of filters and files are unique."""
    shutil.copytree(FILTERS / "words", folder / "words")
    (folder / "fictc.toml").touch()
    shipped = sorted(path for path in FILTERS.rglob("*.fict") if path.parent.name != "words")
    for index in range(count):
        path = shipped[index % len(shipped)]
        name = f"{path.stem}-c{index // len(shipped)}"
        target = folder / f"d{index // len(shipped)}" / path.parent.name / f"{name}.fict"
        target.parent.mkdir(parents=True, exist_ok=True)
        text = path.read_text(encoding="utf-8").replace('"../words/', '"../../words/')
        target.write_text(re.sub(rf"(?m)^filter {path.stem}\b", f"filter {name}", text), encoding="utf-8")


def measure() -> str:
    """Return a table of the CPU seconds of linting: in this process after start-up, and of the whole command."""
    with tempfile.TemporaryDirectory() as folder:
        write_copies(Path(folder), FILES)
        CliRunner().invoke(command, [f"{folder}/d0"], standalone_mode=False)  # start up
        start = time.process_time()
        result = CliRunner().invoke(command, [folder], standalone_mode=False)
        cpu_seconds = time.process_time() - start
        assert result.return_value == 0, result.output
        process = run_fictc("lint", folder)
    return table(["files", "CPU s after start-up", "CPU s, whole command"], [[FILES, cpu_seconds, process.cpu]])
