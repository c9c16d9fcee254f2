"""Commands other than `fictc show` on a real terminal: lines stay lines, and text of corpora is escaped."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from runner.model.saved import save_model
from tests.support import corpora, models
from tests.support.terminal import printed
from tests.unit.runner.corpus.test_statistics import TEXT

ESCAPE = "\x1b]0;title\x07"


def test_tables_of_statistics_have_lines(tmp_path: Path) -> None:
    store = corpora.store(tmp_path, TEXT).path
    frequencies = printed(80, "stats", "frequency", store, "--layer", "upos").splitlines()
    assert frequencies[0].split()[:2] == ["layer", "value"]
    assert len(frequencies) > 2
    assert len(printed(80, "stats", "divergence", store, "--by", "genre").splitlines()) > 5


def test_differences_of_filters_are_escaped(tmp_path: Path) -> None:
    store = corpora.store(tmp_path, TEXT.replace("cats", f"cats{ESCAPE}")).path
    first, second = tmp_path / "first.fict", tmp_path / "second.fict"
    first.write_text("fict 1\nfilter x { match { X:NOUN } }\n")
    second.write_text("fict 1\nfilter x { match { X:ADJ } }\n")
    output = printed(80, "diff", first, second, "--corpus", store, "--format", "conllu")
    assert "# diff = lost x" in output and "\tcats" in output.expandtabs() + output
    assert "\x1b" not in output


def test_perturbed_sentences_are_escaped(tmp_path: Path) -> None:
    store = corpora.store(tmp_path, TEXT.replace("cats", f"cats{ESCAPE}")).path
    output = printed(80, "perturb", "--kind", "even-odd", "--corpus", store)
    assert "cats" in output
    assert "\x1b" not in output


def test_scores_are_escaped(tmp_path: Path) -> None:
    save_model(replace(models.saved(models.LSTM), folder=tmp_path / "model"))
    (tmp_path / "lines.txt").write_text(f"the cat{ESCAPE}\n", encoding="utf-8")
    output = printed(80, "score", tmp_path / "model", tmp_path / "lines.txt")
    assert "the cat" in output and "\x1b" not in output
