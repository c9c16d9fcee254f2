"""How long `fictc lint` takes over 1,000 files, renamed copies of the shipped filters."""

from __future__ import annotations

import re
import shutil
import tempfile
import time
from pathlib import Path

from click.testing import CliRunner

from benchmarks.processes import spent
from benchmarks.tables import table
from runner.cli.filters.lint import command

FILTERS = Path(__file__).parents[1] / "filters"
FILES = 1_000


def copies(folder: Path, number: int) -> None:
    """Fill a folder with copies of the shipped filters, each filter and file with a name of its own."""
    shutil.copytree(FILTERS / "words", folder / "words")
    (folder / "fictc.toml").touch()
    shipped = sorted(path for path in FILTERS.rglob("*.fict") if path.parent.name != "words")
    for copy in range(number):
        path = shipped[copy % len(shipped)]
        name = f"{path.stem}-c{copy // len(shipped)}"
        place = folder / f"d{copy // len(shipped)}" / path.parent.name / f"{name}.fict"
        place.parent.mkdir(parents=True, exist_ok=True)
        text = path.read_text(encoding="utf-8").replace('"../words/', '"../../words/')
        place.write_text(re.sub(rf"(?m)^filter {path.stem}\b", f"filter {name}", text), encoding="utf-8")


def measure() -> str:
    """The work in this process, and that of the whole command."""
    with tempfile.TemporaryDirectory() as name:
        copies(Path(name), FILES)
        CliRunner().invoke(command, [f"{name}/d0"], standalone_mode=False)  # start up
        begin = time.process_time()
        done = CliRunner().invoke(command, [name], standalone_mode=False)
        work = time.process_time() - begin
        assert done.return_value == 0, done.output
        whole = spent("lint", name)
    return table(["files", "CPU s after start-up", "CPU s, whole command"], [[FILES, work, whole.cpu]])
