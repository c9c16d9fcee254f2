"""From raw text to matches: models trained here, `fictc annotate`, then a shipped filter on what they parsed."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.support import tiny_stanza

pytestmark = pytest.mark.stanza
ROOT = Path(__file__).parents[2]
TEXT = (
    "The dogs of the teacher see a cat. The teacher likes the river.\n\n"
    " A child wants the garden.  The report of the dogs helps a teacher. \n"
    "The cats find the garden.\n"
)


@pytest.fixture(scope="session")
def tiny(request: pytest.FixtureRequest) -> Path:
    return tiny_stanza.models(Path(request.config.cache.mkdir("stanza")))


def fictc(*arguments: object, check: bool = True) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "runner.cli", *map(str, arguments)]
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    return subprocess.run(command, capture_output=True, text=True, check=check, cwd=ROOT, env=environment)


def annotate(text: Path, models: Path, store: Path, *more: object) -> subprocess.CompletedProcess[str]:
    return fictc("annotate", text, "--models", models, "--package", "tiny", "--output", store, *more)


def test_from_text_to_matches(tiny: Path, tmp_path: Path) -> None:
    text = tmp_path / "text.txt"
    text.write_text(TEXT)
    ended = annotate(text, tiny, tmp_path / "store")
    assert ended.stdout == ""
    assert "5 sentences, 36 words" in ended.stderr
    assert fictc("export", tmp_path / "store", "--format", "original").stdout == TEXT
    shipped = ROOT / "filters/fict15/agr-pp-mod.fict"
    found = fictc("match", shipped, "--corpus", tmp_path / "store", "--format", "ids").stdout
    assert found == "text.txt-1-1\ntext.txt-3-2\n"


@pytest.mark.slow
def test_other_ways_of_reading(tiny: Path, tmp_path: Path) -> None:
    text = tmp_path / "text.txt"
    text.write_text(TEXT)
    for mode, sentences in (("sentences", 3), ("pretokenized", 3), ("text", 5)):
        ended = annotate(text, tiny, tmp_path / mode, "--input", mode)
        assert f"{sentences} sentences" in ended.stderr
        assert fictc("export", tmp_path / mode, "--format", "original").stdout == TEXT


@pytest.mark.slow
def test_killed_and_resumed(tiny: Path, tmp_path: Path) -> None:
    """`kill -9` in the middle, then the same command: the bytes of an uninterrupted run."""
    text = tmp_path / "text.txt"
    text.write_text(TEXT * 130)  # one full shard and a bit
    command = [sys.executable, "-m", "runner.cli", "annotate", str(text), "--models", str(tiny)]
    command += ["--package", "tiny", "--output", str(tmp_path / "store")]
    process = subprocess.Popen(command, cwd=ROOT, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 60
    while not list(tmp_path.glob("store.unfinished/*.gz")) and time.monotonic() < deadline:
        time.sleep(0.01)
    process.kill()
    process.wait()
    assert not (tmp_path / "store").exists()
    annotate(text, tiny, tmp_path / "store")
    annotate(text, tiny, tmp_path / "whole")
    for path in (tmp_path / "whole").rglob("*"):
        if path.is_file():
            assert path.read_bytes() == (tmp_path / "store" / path.relative_to(tmp_path / "whole")).read_bytes()


def test_mistakes_are_one_message(tiny: Path, tmp_path: Path) -> None:
    text = tmp_path / "text.txt"
    text.write_text(TEXT)
    for models, package, code in ((tmp_path, "tiny", "FICT751"), (tiny, "tyni", "FICT752")):
        ended = fictc("annotate", text, "--models", models, "--package", package, "-o", tmp_path / "s", check=False)
        assert ended.returncode == 2
        assert ended.stderr.count("error[") == 1
        assert code in ended.stderr
        assert "Traceback" not in ended.stderr
        assert ended.stdout == ""
