"""`fictc import` and `fictc export` as a person calls them: bytes in, bytes out, mistakes in one message."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.command import fictc
from tests.unit.runner.corpus.test_conllu_reader import GOOD

ROOT = Path(__file__).parents[2]


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "corpus.conllu"
    path.write_text(f"{GOOD}\n{GOOD.replace('s1', 's2')}\n")
    return path


def test_there_and_back(source: Path, tmp_path: Path) -> None:
    ended = fictc("import", source, "--output", tmp_path / "store")
    assert (ended.returncode, ended.stdout) == (0, "")
    assert "2 sentences, 12 words, from 1 source" in ended.stderr
    assert fictc("export", tmp_path / "store").stdout == "The dogs can't bark.\n" * 2
    out = tmp_path / "out.conllu"
    assert fictc("export", tmp_path / "store", "--format", "conllu", "--output", out).returncode == 0
    assert out.read_bytes() == source.read_bytes()


def test_standard_input(source: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "runner.cli", "import", "-", "--output", str(tmp_path / "store")]
    with source.open("rb") as file:
        subprocess.run(command, stdin=file, check=True, cwd=ROOT)
    out = fictc("export", tmp_path / "store", "--format", "conllu").stdout
    assert out == source.read_text()
    found = json.loads(fictc("store", "info", tmp_path / "store", "--format", "json").stdout)
    assert found["sources"][0]["sha256"] == hashlib.sha256(source.read_bytes()).hexdigest()


def test_a_malformed_tree_is_one_message(source: Path, tmp_path: Path) -> None:
    source.write_text(source.read_text().replace("\t5\tnsubj", "\t9\tnsubj", 1))
    ended = fictc("import", source, "--output", tmp_path / "store")
    assert ended.returncode == 2
    assert ended.stdout == ""
    assert ended.stderr.count("error[") == 1
    assert f"{source}:4:" in ended.stderr
    assert "FICT712" in ended.stderr
    assert "dogs" in ended.stderr
    assert "Traceback" not in ended.stderr
    assert not (tmp_path / "store").exists()
    ended = fictc("import", source, "--output", tmp_path / "store", "--on-error", "skip")
    assert ended.returncode == 0
    assert "FICT734" in ended.stderr
    assert fictc("export", tmp_path / "store").stdout == "The dogs can't bark.\n"


def test_a_damaged_store_is_one_message(source: Path, tmp_path: Path) -> None:
    fictc("import", source, "--output", tmp_path / "store")
    path = tmp_path / "store/sentences/00000.parquet"
    data = bytearray(path.read_bytes())
    data[100] ^= 1
    path.write_bytes(data)
    ended = fictc("export", tmp_path / "store")
    assert (ended.returncode, ended.stdout) == (2, "")
    assert "FICT742" in ended.stderr
    assert "fictc store verify" in ended.stderr
    assert "Traceback" not in ended.stderr
    ended = fictc("store", "verify", tmp_path / "store")
    assert (ended.returncode, ended.stdout) == (2, "")
    assert "sentences/00000.parquet" in ended.stderr


def test_what_a_store_holds(source: Path, tmp_path: Path) -> None:
    fictc("import", source, "--output", tmp_path / "store")
    shown = fictc("store", "info", tmp_path / "store").stdout
    assert "corpus.conllu: 2 sentences, 12 words" in shown
    assert "Number: Plur 2" in shown
    found = json.loads(fictc("store", "info", tmp_path / "store", "--format", "json").stdout)
    assert (found["sentences"], found["sources"][0]["label"]) == (2, "corpus.conllu")
    ended = fictc("store", "verify", tmp_path / "store")
    assert (ended.returncode, "7 files" in ended.stderr) == (0, True)


def test_progress_for_logs_is_json_lines(source: Path, tmp_path: Path) -> None:
    ended = fictc("import", source, "--output", tmp_path / "store", "--progress", "json")
    events = [json.loads(line) for line in ended.stderr.splitlines() if line.startswith("{")]
    assert events
    assert events[-1]["done"] == events[-1]["total"] == source.stat().st_size


def test_output_can_be_cut_off(source: Path, tmp_path: Path) -> None:
    """`fictc export | head -1` ends quietly."""
    source.write_text((GOOD + "\n") * 5000)
    fictc("import", source, "--output", tmp_path / "store")
    command = f"{sys.executable} -m runner.cli export {tmp_path / 'store'} | head -1"
    ended = subprocess.run(command, shell=True, capture_output=True, text=True, cwd=ROOT, check=False)
    assert (ended.stdout, ended.stderr) == ("The dogs can't bark.\n", "")
