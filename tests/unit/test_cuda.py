"""The parts of `make test-cuda` with tiny models on the CPU, and what they say where something is missing."""

from __future__ import annotations

import builtins
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cuda import parts, report

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("part", ["scores", "training", "paper", "blimp"])
def test_a_part_runs_on_any_device(part, monkeypatch):
    monkeypatch.delenv("FICTC_DATA", raising=False)
    rows = list(report.run(part, "cpu", tiny=True))
    assert [row for row in rows if row.ok is False] == []
    assert rows[-1].case == "seconds"
    assert len(rows) > 1


def test_another_score_or_decision_fails(monkeypatch):
    def other(model, device):
        if device != "cpu":
            model.model.get_input_embeddings().weight.data.add_(0.5)
        return model

    monkeypatch.setattr(parts, "moved", other)
    monkeypatch.setattr(parts, "LSTM", parts.GPT2)
    rows = [row for row in parts.scores("other", True) if row.ok is False]
    assert rows


def test_what_cannot_be_imported_is_skipped_by_name(monkeypatch):
    real = builtins.__import__

    def without(name, *rest):
        if name.partition(".")[0] == "stanza":
            raise ModuleNotFoundError(f"No module named '{name}'", name=name)
        return real(name, *rest)

    for name in [name for name in sys.modules if name.partition(".")[0] == "stanza"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(builtins, "__import__", without)
    first, _ = report.run("stanza", "cpu", tiny=True)
    assert (first.case, first.result, first.ok) == ("skipped", "`stanza` cannot be imported", None)


def test_a_part_that_fails_is_a_row_and_the_exit_code(monkeypatch, capsys):
    monkeypatch.setattr(report, "PARTS", ("scores",))
    monkeypatch.setattr(parts, "scores", lambda *_: (_ for _ in ()).throw(ValueError("out of memory\nmore")))
    assert report.main(["--device", "cpu", "--tiny"]) == 1
    assert "| scores | ValueError | out of memory |  | FAILED |" in capsys.readouterr().out


def test_without_a_gpu_it_says_so_and_succeeds(monkeypatch):
    import torch

    if torch.cuda.is_available():
        pytest.skip("this machine has a GPU")
    done = subprocess.run([sys.executable, "-m", "tests.cuda"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, f"skipped: torch {torch.__version__} finds no GPU\n")


def test_make_installs_nothing_for_it():
    recipe = (ROOT / "Makefile").read_text().split("\ntest-cuda:", 1)[1].split("\n\n", 1)[0]
    assert recipe == "\n\t$(PYTHON) -m tests.cuda"
