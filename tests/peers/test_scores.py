"""Scores, decisions and words on BLiMP against minicons and lm-evaluation-harness, item by item.

Their pins clash with ours, so that they live in an environment of their own, whose Python FICTC_PEERS names:

    python3.11 -m venv peers && peers/bin/pip install torch==2.13.0 minicons lm-eval
    FICTC_PEERS=peers/bin/python FICTC_DATA=../shared/data python -m pytest -m peers tests/peers

FICTC_PEER_MODELS names two saved models to compare on (a folder with one in each sub-folder); without it small ones
are trained for a few seconds. FICTC_PEER_LIMIT is the number of pairs of each paradigm, all of BLiMP if it is 0.
"""

import json
import os
import subprocess
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from runner.model.saved import load_model
from runner.score.any_suite import prepare_any
from runner.score.convention import Convention, convention_of
from runner.score.pair_formats import load_suite
from runner.score.sweep import sweep
from tests.peers.small_models import causal_models, endless_model, masked_model
from tests.support.scores import score_pairs

pytestmark = [pytest.mark.peers, pytest.mark.shared]
ROOT = Path(__file__).parents[2]
SAME = 1e-4  # nats
ASKED = {
    "minicons": ("fict", {}),
    "minicons-bos": ("fict", {"context": "bos", "first_token": "scored"}),
    "lm-eval": ("lm-eval", {}),
}


@pytest.fixture(scope="module")
def python():
    """The Python of the environment that has the tools."""
    found = os.environ.get("FICTC_PEERS")
    if not found or not Path(found).is_file():
        pytest.skip("FICTC_PEERS names no Python with minicons and lm-eval")
    return str(Path(found).absolute())


@pytest.fixture(scope="module")
def limit():
    """Pairs of each paradigm; None for all."""
    return int(os.environ.get("FICTC_PEER_LIMIT", "30")) or None


@pytest.fixture(scope="module")
def models(data, tmp_path_factory):
    """Folders of two causal models of ours, an LSTM over words and a Transformer over byte pairs."""
    given = os.environ.get("FICTC_PEER_MODELS")
    if given:
        return sorted(path.parent for path in Path(given).absolute().glob("*/config.json"))
    return causal_models(data, tmp_path_factory.mktemp("models"))


def peer(python, tool, model, blimp, limit, folder):
    """What another tool gives: scores in the order of the pairs, and its decisions where it makes any."""
    out = folder / "scores.json"
    arguments = [python, "tests/peers/peer_scores.py", tool, str(model), str(blimp), str(out), str(limit or "")]
    offline = dict.fromkeys(("HF_HUB_OFFLINE", "HF_DATASETS_OFFLINE", "OMP_NUM_THREADS"), "1")
    environment = {**os.environ, **offline, "PYTHONPATH": str(ROOT), "HF_HOME": str(folder)}
    ran = subprocess.run(arguments, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr[-2000:]
    answer = json.loads(out.read_text(encoding="utf-8"))
    return np.array(answer["scores"]), answer["right"]


def ours(model, blimp, limit, preset, given):
    """Scores (pairs, 2), NaN where a pair is not applicable, and which pairs are the same to the model."""
    saved = load_model(model)
    convention = convention_of(preset, given, masked=saved.masked, model_name=model.name)
    table = score_pairs(saved, load_suite(blimp, limit=limit), convention)
    scores = [np.array(table.column(f"score_{side}").to_pylist(), dtype=float) for side in ("good", "bad")]
    return np.stack(scores, 1), np.array(table.column("identical").to_pylist(), dtype=bool)


def in_float64(model, blimp, limit, preset, given):
    """The number of a pair to how much more probable its good sentence is to a causal model, in float64 throughout."""

    def exact(number):
        saved, suite = load_model(model), load_suite(blimp, limit=limit)
        convention = convention_of(preset, given, masked=False, model_name=model.name)
        asked = prepare_any(saved, replace(suite, items=[suite.items[number]]), convention)
        saved.model.double()
        good, bad = (in_all(saved.model, sentence) for sentence in asked.sentences)
        return good - bad

    def in_all(network, sentence):
        with torch.inference_mode():
            logs = torch.log_softmax(network(torch.tensor([sentence.ids])).logits[0].double(), -1)
        return sum(logs[place - 1, sentence.ids[place]].item() for place in range(sentence.start, sentence.end))

    return exact


def compare(mine, theirs, identical, told, exact=None):
    """No score differs by 1e-4, and no decision but where either tool gives both sentences exactly the same score.

    Pairs whose sentences are the same to the model are such ties; the rest are float32 sums that happen to be equal.
    Of a model that hardly tells word orders apart, a few of 67,000 sums lie within a rounding of float32, in which the
    peers add up: `exact` says of such pairs which sentence float64 prefers, and that has to be ours.
    """
    theirs = theirs.reshape(-1, 2)
    assert mine.shape == theirs.shape
    assert np.array_equal(np.isnan(mine).any(1), identical)
    apart = np.abs(mine - theirs)[~identical]
    tied = identical | (mine[:, 0] == mine[:, 1]) | (theirs[:, 0] == theirs[:, 1])
    differ = (np.sign(mine[:, 0] - mine[:, 1]) != np.sign(theirs[:, 0] - theirs[:, 1])) & ~tied
    print(f"{told}: {len(mine)} pairs, {identical.sum()} identical, {tied.sum()} ties with them; "
          f"largest difference {apart.max():.1e}, {differ.sum()} decisions differ")  # fmt: skip
    assert apart.max() < SAME
    assert np.abs(theirs[identical, 0] - theirs[identical, 1]).max(initial=0) < SAME
    assert exact is not None or not differ.any()
    for pair in np.flatnonzero(differ):
        assert abs(theirs[pair, 0] - theirs[pair, 1]) <= 2 * np.spacing(np.float32(abs(theirs[pair, 0])))
        assert np.sign(mine[pair, 0] - mine[pair, 1]) == np.sign(exact(pair))
    return ~(tied | differ)


@pytest.mark.parametrize("tool", ASKED)
@pytest.mark.parametrize("which", [0, 1])
def test_scores_and_decisions_are_the_same(python, models, data, limit, tool, which, tmp_path):
    model = models[which]
    theirs, right = peer(python, tool, model, data / "blimp", limit, tmp_path)
    mine, identical = ours(model, data / "blimp", limit, *ASKED[tool])
    exact = in_float64(model, data / "blimp", limit, *ASKED[tool])
    apart = compare(mine, theirs, identical, f"{tool}, {model.name}", exact)
    if right is not None:  # the harness's own accuracy of every pair
        assert np.array_equal((mine[:, 0] > mine[:, 1])[apart], np.array(right, dtype=bool)[apart])


@pytest.mark.parametrize("metric", ["pll", "pll_l2r"])
def test_pseudo_log_likelihoods_are_the_same(python, data, limit, metric, tmp_path):
    model = masked_model(data, tmp_path / "bert")
    some = min(limit or 30, 30)  # minicons reads a row for every token
    theirs, _ = peer(python, metric, model, data / "blimp", some, tmp_path)
    mine, identical = ours(model, data / "blimp", some, "fict", {"probability": metric})
    compare(mine, theirs, identical, f"minicons {metric}, {model.name}")


def test_words_have_the_same_surprisal(python, data, limit, tmp_path):
    """All but the first of a sentence, for which minicons corrects nothing.

    Where it asks for a word it counts no end of the text as one, so that the model never ends one.
    """
    model = endless_model(data, tmp_path / "endless")
    some = min(limit or 30, 30)
    theirs, _ = peer(python, "words", model, data / "blimp", some, tmp_path)
    suite = load_suite(data / "blimp", limit=some)
    (found,) = sweep(model, suite, lambda _: Convention(context="bos"), words=True)
    rows = found.words.to_pylist()
    mine = np.array([row["surprisal"] for row in rows])
    later = np.array([row["place"] > 0 for row in rows])
    apart, tokens = np.abs(mine - theirs)[later], np.array([row["token_surprisal"] for row in rows])
    print(f"minicons words: {later.sum()} words; largest difference {apart.max():.1e} bits, "
          f"without the correction {np.abs(tokens - theirs)[later].max():.1e}")  # fmt: skip
    assert apart.max() < SAME / np.log(2)
