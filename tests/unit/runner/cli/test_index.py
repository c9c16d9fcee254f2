"""`fictc index` says what it costs, makes the index, shows it, checks it, and removes it."""

from __future__ import annotations

import json
from pathlib import Path

from runner.corpus.store import Store
from tests.unit.runner.cli.conftest import Fictc


def test_an_index_is_announced_made_shown_and_dropped(call: Fictc, store: Path) -> None:
    plain = json.loads(call("store", "info", store, "--format", "json").out)
    assert plain["index"] is None
    told = call("index", store, "--dry-run").err
    assert "sorted by form and by lemma" in told
    assert "of disk" in told
    assert not (store / "index").exists()

    made = call("index", store)
    assert made.code == 0
    assert "indexed" in made.err
    shown = json.loads(call("store", "info", store, "--format", "json").out)
    assert [each["by"] for each in shown["index"]["projections"]][:2] == ["form_l", "lemma_l"]
    assert shown["index"]["bytes"] > 0
    assert {**shown, "index": None} == plain
    assert "sorted by form_l, lemma_l" in call("store", "info", store).out
    files = len(Store.open(store).files) + len(shown["index"]["projections"])
    assert f"{files} files are intact" in call("store", "verify", store).err

    assert "index removed" in call("index", store, "--drop").err
    assert "no index to remove" in call("index", store, "--drop").err
    assert "index: none" in call("store", "info", store).out


def test_drop_and_dry_run_do_not_go_together(call: Fictc, store: Path) -> None:
    assert call("index", store, "--drop", "--dry-run").code == 2


def test_info_has_the_size_of_each_table(call: Fictc, store: Path) -> None:
    shown = json.loads(call("store", "info", store, "--format", "json").out)
    assert shown["bytes"]["tokens"] == sum(path.stat().st_size for path in (store / "tokens").iterdir())
    assert sum(shown["bytes"].values()) == sum(file.size for file in Store.open(store).files.values())
