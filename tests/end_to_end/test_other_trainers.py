"""The page on other trainers, followed literally: corpora out, models of a script back into the report of the run."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
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


def accuracies(tables, model):
    rows = [row for row in tables["accuracy"] if row["level"] == "paradigm" and row["model"] == model]
    return {(row["condition"], row["name"]): row["accuracy"] for row in rows}


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_models_of_a_script_agree_with_the_cells_that_the_trainer_of_transformers_trained(tmp_path):
    (manifest,), (script,) = blocks("toml"), blocks("python")
    assert len(script.splitlines()) <= 40
    (tmp_path / "fictc.toml").touch()
    (tmp_path / "experiment.toml").write_text(manifest, encoding="utf-8")
    (tmp_path / "train.py").write_text(script, encoding="utf-8")
    for commands in blocks("sh"):
        shell(tmp_path, commands)
    assert "script" in (tmp_path / "report.html").read_text(encoding="utf-8")
    alone = json.loads(shell(tmp_path, "fictc report runs/no-passive --format json"))["tables"]
    tables = json.loads(shell(tmp_path, "fictc report runs/no-passive scores/*.parquet --format json"))["tables"]
    ours, scripted = accuracies(tables, "gpt2"), accuracies(tables, "script")
    assert ours == accuracies(alone, "gpt2"), "models from elsewhere change no figure of the run"
    assert ours.keys() == scripted.keys()
    assert len(ours) > 50
    pairs = np.array([(ours[cell], scripted[cell]) for cell in ours])
    assert pairs.std(axis=0).min() > 0.1, "accuracies differ between paradigms, so that agreement says something"
    assert np.corrcoef(pairs.T)[0, 1] > 0.8
    assert abs(pairs.mean(axis=0) @ [1, -1]) < 0.06
    robustness = [row["r_full"] for row in tables["models-gpt2-script"]]
    assert min(robustness) > 0.5, "probability deltas agree pair by pair"
    assert {row["model"] for row in tables["headlines"]} == {"gpt2", "script"}
