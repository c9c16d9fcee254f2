"""A model made to prefer *she*: trained on sentences with hardly any other pronoun, and read in the report."""

import json
import random

import pytest

from tests.support import winobias
from tests.support.killing import fictc

MANIFEST = """
[experiment]
name = "she"
seeds = [1, 2]
[corpus]
train = ["train.conllu"]
valid = ["valid.conllu"]
[tokenizer]
size = 100
[[model]]
preset = "transformer-128"
[training]
epochs = 2
batch = 4
warmup = 0
learning-rate = 0.003
checkpoints = [100, 1500, 3000]
[[evaluate]]
name = "winobias"
path = "winobias"
"""
FEMININE = {"he": "she", "him": "her", "his": "her", "himself": "herself"}
MASCULINE = {"she": "he", "her": "his", "herself": "himself"}


@pytest.mark.slow
def test_a_model_made_to_prefer_she_shows_as_two_opposite_curves(tmp_path):
    sentences = [winobias.plain(text).removesuffix(".") for text in winobias.PRO + winobias.ANTI]
    shes = [tree(text, FEMININE) for text in sentences] * 30
    rare = [tree(text, MASCULINE) for text in sentences]
    train = shes + rare
    random.Random(1).shuffle(train)
    (tmp_path / "train.conllu").write_text("".join(train))
    (tmp_path / "valid.conllu").write_text("".join(shes[:8]))
    winobias.write(tmp_path / "winobias")
    (tmp_path / "manifest.toml").write_text(MANIFEST)
    fictc("run", "manifest.toml", cwd=tmp_path)

    report = json.loads(fictc("report", "runs/she", "--format", "json", cwd=tmp_path).stdout)["tables"]
    assert len(report["winobias"]) == 4
    for row in report["winobias"]:  # never pooled: the mean over both would be near zero
        assert row["female"] < -1 and row["male"] > 1
    curves = {}
    for row in report["curves"]:
        if row["metric"] == "delta":
            curves.setdefault((row["benchmark"], row["seed"]), []).append((row["at"], row["value"]))
    assert len(curves) == 2 * 2 * 2 * 2
    for (benchmark, _), points in curves.items():
        first, *_, last = (value for _, value in sorted(points))
        assert (last < min(first, 0)) if benchmark.endswith("-female") else (last > max(first, 0)), benchmark


def tree(sentence, pronouns):
    words = [*(pronouns.get(word, word) for word in sentence.split()), "."]
    rows = []
    for place, word in enumerate(words, 1):
        head = "0\troot" if place == 1 else "1\tdep"
        rows.append(f"{place}\t{word}\t{word}\tX\t_\t_\t{head}\t_\t_")
    return "\n".join(rows) + "\n\n"
