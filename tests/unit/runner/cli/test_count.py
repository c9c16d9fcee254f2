"""`fictc count`: matches, sentences, words and shares, by hand."""

from __future__ import annotations

import json
from pathlib import Path

from tests.unit.runner.cli.conftest import FILTERS, Fictc


def test_json(call: Fictc, filters: Path, store: Path) -> None:
    ended = call("count", filters, "--corpus", store, "--format", "json")
    found = json.loads(ended.out)
    assert (found["corpus"]["sentences"], found["corpus"]["tokens"]) == (3, 7)
    counts = {
        entry["name"]: (entry["matches"], entry["sentences"], entry["tokens"])
        for entry in [*found["filters"], found["union"]]
    }
    assert counts == {
        "subject": (2, 2, 5),
        "number.Sing": (1, 1, 2),
        "number.Plur": (2, 2, 5),
        "union": (5, 3, 7),
    }
    assert found["filters"][0]["share_of_sentences"] == 2 / 3
    assert found["filters"][0]["share_of_tokens"] == 5 / 7
    assert all(len(entry["key"]) == 64 for entry in found["filters"])


def test_table(call: Fictc, filters: Path, store: Path) -> None:
    lines = call("count", f"{filters}::subject", "--corpus", store).out.splitlines()
    assert lines[1].split() == ["subject", "2", "2", "66.67%", "5", "71.43%"]
    assert [line.split()[0] for line in lines[1:]] == ["subject", "union", "corpus"]


def test_a_count_reports_its_distinct_targets(call: Fictc, store: Path, tmp_path: Path) -> None:
    path = tmp_path / "counts.fict"
    path.write_text("fict 1 filter c { match { V -> X } count node(V) count span(X, V) count sentence remove node(X) }")
    entry, *_ = json.loads(call("count", path, "--corpus", store, "--format", "json").out)["filters"]
    assert entry["matches"] == 4
    assert entry["targets"] == {"count node(V)": 3, "count span(X, V)": 4, "count sentence": 3}
    assert "  count node(V): 3 different\n" in call("count", path, "--corpus", store).out


def test_filters_of_one_name_are_told_apart_by_path(call: Fictc, filters: Path, store: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.fict"
    other.write_text(FILTERS)
    ended = call("count", f"{filters}::subject", f"{other}::subject", "--corpus", store, "--format", "json")
    names = [entry["name"] for entry in json.loads(ended.out)["filters"]]
    assert names == [f"{filters}::subject", f"{other}::subject"]


def test_a_filter_named_twice_is_counted_once(call: Fictc, filters: Path, store: Path) -> None:
    ended = call("count", f"{filters}::subject", filters, "--corpus", store, "--format", "json")
    assert [entry["name"] for entry in json.loads(ended.out)["filters"]] == ["subject", "number.Sing", "number.Plur"]
