"""The page on other trainers, followed literally: corpora out, models of a script back into the report of the run."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "other-trainers.md").read_text(encoding="utf-8")
SHELL = 'set -e\nfictc() { "$PYTHON" -m runner.cli "$@"; }\npython() { "$PYTHON" "$@"; }\n'


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)


def shell(folder, text):
    environment = {
        **os.environ, "PYTHON": sys.executable, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1",
        "HF_HOME": str(folder / "hf"), "HF_HUB_OFFLINE": "1",
    }  # fmt: skip
    done = subprocess.run(
        ["sh", "-c", SHELL + text], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def items(scores):
    """Return the scores of the pairs that can be told apart, by paradigm and item."""
    pairs = [row for row in scores if row["score_good"] is not None]
    return {(row["paradigm"], row["item"]): (row["score_good"], row["score_bad"]) for row in pairs}


def accuracies(tables, model):
    rows = [row for row in tables["accuracy"] if row["level"] == "paradigm" and row["model"] == model]
    return {(row["condition"], row["name"]): row["accuracy"] for row in rows}


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_models_of_a_script_give_the_figures_of_the_cells_that_fictc_trained(tmp_path):
    (manifest,), (script,) = blocks("toml"), blocks("python")
    assert len(script.splitlines()) <= 40
    (tmp_path / "fictc.toml").touch()
    (tmp_path / "experiment.toml").write_text(manifest, encoding="utf-8")
    (tmp_path / "train.py").write_text(script, encoding="utf-8")
    for commands in blocks("sh"):
        shell(tmp_path, commands)
    assert 'id="table-models-gpt2-script"' in (tmp_path / "report.html").read_text(encoding="utf-8")
    for condition in ("full", "no-passive"):
        scripted = items(pq.read_table(tmp_path / f"scores/{condition}.parquet").to_pylist())
        ours = items(pq.read_table(tmp_path / f"runs/no-passive/cells/{condition}/gpt2/1/pairs.parquet").to_pylist())
        assert ours.keys() == scripted.keys() and len(ours) > 1000
        both = np.array([(ours[pair], scripted[pair]) for pair in ours])  # (pairs, trainers, good and bad)
        assert both.std(axis=0).min() > 1, "scores differ between pairs, so that agreement says something"
        assert np.abs(both[:, 0] - both[:, 1]).max() < 1e-3  # nats
        difference = both[:, :, 0] - both[:, :, 1]
        decided = np.abs(difference).min(axis=1) > 1e-3
        assert decided.mean() > 0.8 and (np.sign(difference[decided, 0]) == np.sign(difference[decided, 1])).all()
    alone = json.loads(shell(tmp_path, "fictc report runs/no-passive --format json"))["tables"]
    tables = json.loads(shell(tmp_path, "fictc report runs/no-passive scores/*.parquet --format json"))["tables"]
    assert accuracies(tables, "gpt2") == accuracies(alone, "gpt2"), "models from elsewhere change no figure of the run"
    assert accuracies(tables, "gpt2") == accuracies(tables, "script")
    assert {row["model"] for row in tables["headlines"]} == {"gpt2", "script"}
    assert min(row["r_full"] for row in tables["models-gpt2-script"]) > 0.999
