"""The commands of docs/counterfactual.md run, one after the other, with the files that the page prints.

Without UD English EWT, examples of the filter library stand in for it; with it, the output is as printed.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from fictdsl.installation import shipped

PAGE = (Path(__file__).parents[2] / "docs" / "counterfactual.md").read_text("utf-8")
FILE = re.compile(r"`([\w-]+\.(?:fict|toml|csv))`:\n\n```\w+\n(.*?)```", re.DOTALL)
SESSION = re.compile(r"```console\n(.*?)```", re.DOTALL)
EXAMPLES = shipped("filters") / "dative" / "examples" / "all.conllu"
FIRST = "en_ewt-ud-dev.conllu:296"  # the sentence that the page accepts as an example


def commands() -> Iterator[tuple[str, str]]:
    """Yield each command of the page with the output that it shows."""
    for session in SESSION.findall(PAGE):
        for part in re.split(r"^\$ ", session, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            yield command, output


def run(command: str, folder: Path) -> str:
    """Run a command of the page. Return its output, stderr after stdout."""
    fictc = f"{sys.executable} -m fictc"
    shell = re.sub(r"^fictc", fictc, command)
    environment = os.environ | {"COLUMNS": "200", "NO_COLOR": "1"}
    done = subprocess.run(
        ["bash", "-c", shell],
        cwd=folder,
        env=environment,
        capture_output=True,
        encoding="utf-8",
        timeout=170,
        check=False,
    )
    assert done.returncode == 0, (command, done.stdout, done.stderr)
    return done.stdout + done.stderr


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    files = dict(FILE.findall(PAGE))
    assert set(files) == {"before.fict", "to-prepositional.fict", "counterfactual.toml", "alternants.csv"}
    for name, text in files.items():
        (tmp_path / name).write_text(text, "utf-8")
    (tmp_path / "data" / "ud-ewt").mkdir(parents=True)
    return tmp_path


@pytest.mark.slow
def test_every_command_runs(folder: Path) -> None:
    for part in ("train", "dev", "test"):
        shutil.copy(EXAMPLES, folder / "data" / "ud-ewt" / f"en_ewt-ud-{part}.conllu")
    ran = [run(command.replace(FIRST, "en_ewt-ud-dev.conllu:1"), folder) for command, _ in commands()]
    assert len(ran) == 10
    assert "She gave the old book to Mary." in (folder / "rewritten.txt").read_text("utf-8")
    assert (folder / "corpora").is_dir()


@pytest.mark.shared
@pytest.mark.slow
def test_the_output_is_as_printed(folder: Path, data: Path) -> None:
    for path in (data / "ud-ewt").glob("*.conllu"):
        shutil.copy(path, folder / "data" / "ud-ewt")
    for command, output in commands():
        assert output in run(command, folder), command
