"""Finished runs, from their list to the trees of a pair."""

from __future__ import annotations

import errno
import json
import re
from html import unescape
from pathlib import Path
from xml.etree import ElementTree

import pytest

from runner.corpus.limits import Limits
from runner.errors import InputError
from runner.explore.query import Run
from runner.explore.runs import list_pairs, list_paradigms, list_runs, open_pair, run_stores, runs_below
from runner.report.results import read_results
from tests.support import corpora
from tests.support.reading import tree
from tests.support.results import CONDITIONS, HOSTILE, PARADIGMS, Fabricated

LIMITS = Limits(timeout=60)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs")
    Fabricated(items=60).write(folder / "b" / "results")
    Fabricated(items=3, card={"name": "a", "description": HOSTILE}).write(folder / "group" / "a" / "results")
    Fabricated(items=3).write(folder / ".hidden" / "results")
    Fabricated(items=3).write(folder / "damaged" / "results")
    (folder / "damaged" / "results" / "items.parquet").write_bytes(b"PAR1")
    (folder / "unfinished").mkdir()
    return folder


@pytest.fixture(scope="module")
def runs(folder: Path) -> tuple[Run, ...]:
    return runs_below(folder)


def text_of(html: str) -> str:
    root = ElementTree.fromstring(f"<div>{html}</div>")
    assert not list(root.iter("script"))
    return unescape(re.sub(r"<[^>]*>", "\n", html))


def cells_of(html: str) -> list[list[str]]:
    rows = ElementTree.fromstring(f"<div>{html}</div>").iter("tr")
    return [["".join(cell.itertext()).strip() for cell in row] for row in rows]


def test_finished_runs_are_listed(runs: tuple[Run, ...]) -> None:
    assert [run.name for run in runs] == ["b", "damaged", "a"]
    html = list_runs(runs)
    assert HOSTILE in text_of(html)
    rows = cells_of(html)
    assert rows[1][2:] == ["5", "2", "3", "6", "360"]
    assert "items.parquet" in rows[2][1] and 'data-run="1"' not in html


def test_an_unreadable_folder_hides_no_other_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("a", "locked", "z"):
        Fabricated(items=3).write(tmp_path / name / "results")
    is_file = Path.is_file

    def checked_is_file(path: Path) -> bool:
        if "locked" in path.parts:
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return is_file(path)

    monkeypatch.setattr(Path, "is_file", checked_is_file)
    assert [run.name for run in runs_below(tmp_path)] == ["a", "z"]


def test_the_accuracies_of_a_run_are_those_of_its_results(runs: tuple[Run, ...], folder: Path) -> None:
    rows = cells_of(list_paradigms(runs, 0))
    assert rows[0] == ["paradigm", "pairs", *CONDITIONS]
    assert [row[0] for row in rows[1:]] == [f"{suite}/{name}" for suite, name, *_ in PARADIGMS]
    first = read_results(folder / "b" / "results").paradigms[0]
    cells = [row for row, cell in enumerate(first.cells) if cell.condition == "full" and cell.seed >= 0]
    good, bad = first.score_good[cells, :-1], first.score_bad[cells, :-1]  # the last pair is identical, without scores
    right = ((good > bad) + (good == bad) / 2).mean()
    assert rows[1][2] == f"{right:.1%}"


def test_pairs_are_in_pages(runs: tuple[Run, ...], folder: Path) -> None:
    first, second = (cells_of(list_pairs(runs, 0, 2, offset)) for offset in (0, 50))
    assert [row[0] for row in first[1:]] == [f"{n}" for n in range(1, 51)]
    assert [row[0] for row in second[1:]] == [f"{n}" for n in range(51, 61)]
    assert first[0][:3] == ["pair", "good", "bad"] and first[1][3].endswith("of 6")
    paradigm = read_results(folder / "b" / "results").paradigms[2]
    assert (second[1][1], second[1][2]) == (paradigm.good[50], paradigm.bad[50])
    assert cells_of(list_pairs(runs, 0, 2, 10**6))[1:] == []
    assert 'data-offset="50"' in list_pairs(runs, 0, 2, 0) and 'data-offset="0"' in list_pairs(runs, 0, 2, 50)


def test_a_pair_opens_as_trees(runs: tuple[Run, ...], folder: Path, tmp_path: Path) -> None:
    paradigm = read_results(folder / "b" / "results").paradigms[1]
    words = "\n".join(f"{word} X {0 if n == 0 else 1} {'dep' if n else 'root'}" for n, word in enumerate("ab"))
    good = tree(words, f"text = {paradigm.good[4]}")
    parses = corpora.store(tmp_path, corpora.conllu([good])).path
    html = open_pair(runs, 0, 1, 4, parses, LIMITS)
    assert html.count("<svg") == 1 and "The parses of the suite lack this sentence" in html
    rows = cells_of(html)
    assert [row[:2] for row in rows[1:3]] == [["full", "lstm-128"], ["full", "transformer-128"]]
    assert float(rows[1][4]) == pytest.approx(float(rows[1][2]) - float(rows[1][3]), abs=0.011)
    assert "see --parses" in open_pair(runs, 0, 1, 4, None, LIMITS)
    with pytest.raises(InputError, match=r"pair 61, but blimp/.* has 60 pairs"):
        open_pair(runs, 0, 1, 60, None, LIMITS)
    with pytest.raises(InputError, match=r"paradigm 7, but .* has 6 paradigms"):
        list_pairs(runs, 0, 6, 0)


def test_a_damaged_run_is_a_mistake(runs: tuple[Run, ...]) -> None:
    with pytest.raises(InputError, match="FICT891"):
        list_paradigms(runs, 1)


def test_stores_are_those_in_the_cache(tmp_path: Path) -> None:
    Fabricated(items=3).write(tmp_path / "one" / "results")
    lock = {"store:train": {"key": "k" * 64}, "store:blimp.parses": {"key": "x" * 64}, "tokens:full": {"key": "t"}}
    (tmp_path / "one" / "run.lock.json").write_text(json.dumps(lock), encoding="utf-8")
    store = tmp_path / ".cache" / "store" / ("k" * 32) / "store"
    store.mkdir(parents=True)
    (store / "store.json").write_text("{}", encoding="utf-8")
    (run,) = runs_below(tmp_path)
    assert run.stores == {"train": store}
    assert run_stores([run, run]) == {store: "one: train"}
    (tmp_path / "one" / "run.lock.json").write_text("[1]", encoding="utf-8")
    assert runs_below(tmp_path)[0].stores == {}
