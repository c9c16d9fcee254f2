"""`fictc show --condition`: what each kind of condition changes, counted and marked."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.unit.runner.cli.conftest import Fictc

MANIFEST = """
[experiment]
name = "x"
seeds = [1]
[corpus]
sample = { sentences = 300, pairs = 1, seed = 2 }
[[condition]]
name = "no-pp"
remove = ["${filters}/fict15/agr-pp-mod.fict"]
[[condition]]
name = "control"
remove-random = "no-pp"
[[condition]]
name = "hybrid"
substitute = { alpha = 0.2 }
[[condition]]
name = "targeted"
inject = { generate = { paradigm = "only_npi_scope", words = 600, every = 40 }, fraction = 0.1, only = ["${filters}/injection/only-npi-scope.fict"] }
[[condition]]
name = "staged"
order = { filters = ["${filters}/fict15/npi-sent-neg.fict", "${filters}/fict15/passive.fict"], rest = "interleave", reverse = true }
[tokenizer]
size = 300
[[model]]
preset = "lstm-128"
training = { epochs = 1 }
"""


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def manifest(tmp_path: Path) -> Path:
    (tmp_path / "m.toml").write_text(MANIFEST, encoding="utf-8")
    return tmp_path / "m.toml"


def shown(call: Fictc, manifest: Path, cache: Path, name: str, *options: str) -> str:
    ended = call("show", manifest, "--condition", name, "--cache", cache, *options)
    assert ended.code == 0, ended.err
    return ended.out


def test_removed_sentences_have_the_words_of_the_filter_marked(call: Fictc, manifest: Path, cache: Path) -> None:
    out = shown(call, manifest, cache, "no-pp", "-n", "4")
    assert out.startswith("no-pp: without agr-pp-mod\n")
    removed = [line for line in out.splitlines() if line.startswith("  - ")]
    assert len(removed) == 4
    assert all("/S" in line or "/M" in line for line in removed)
    assert "removed, at random: " in shown(call, manifest, cache, "control")


def test_edited_sentences_show_what_became_of_which_words(call: Fictc, manifest: Path, cache: Path) -> None:
    out = shown(call, manifest, cache, "hybrid", "-n", "3")
    edited = [line for line in out.splitlines() if line.startswith("  ~ ")]
    assert len(edited) == 3
    assert all(" → " in line and "[" in line for line in edited)


def test_injected_lines_say_where_they_stand_and_which_are_targets(call: Fictc, manifest: Path, cache: Path) -> None:
    out = shown(call, manifest, cache, "targeted", "-n", "400")
    targets = [line for line in out.splitlines() if line.startswith("  + ") and "  * Only " in line]
    assert targets
    assert f", {len(targets)} targets" in out
    assert "replaced: " in out


def test_stages_are_in_the_order_in_which_they_are_read(call: Fictc, manifest: Path, cache: Path) -> None:
    out = shown(call, manifest, cache, "staged", "-n", "1")
    stages = [line.partition(":")[0] for line in out.splitlines() if line.startswith("stage ")]
    assert stages == ["stage passive", "stage npi-sent-neg", "stage in no stage"]
    assert "in the base corpus; the order differs\n" in out


@pytest.mark.parametrize("name", ["full", "no-pp", "control", "hybrid", "targeted"])
def test_every_sentence_of_the_base_corpus_is_kept_or_accounted_for(
    call: Fictc, manifest: Path, cache: Path, name: str
) -> None:
    entries = [json.loads(line) for line in shown(call, manifest, cache, name, "--format", "jsonl").splitlines()]
    counts = entries[0]
    out = counts["removed"] + counts["replaced"] + counts["left_out"]
    assert counts["sentences"] - counts["injected"] + out == counts["base"] == 300
    assert not counts["reordered"]
    assert {entry["kind"] for entry in entries[1:]} == {
        k for k in ("removed", "edited", "injected", "replaced") if counts[k]
    }


def test_what_cannot_be_shown_is_told(call: Fictc, manifest: Path, cache: Path) -> None:
    ended = call("show", manifest, "--condition", "hybird", "--cache", cache)
    assert (ended.code, "the nearest name is `hybrid`" in ended.err) == (2, True)
    ended = call("show", manifest, "--condition", "hybrid", "--format", "tree")
    assert (ended.code, "--condition requires --format kwic or jsonl" in ended.err) == (2, True)
    ended = call("show", manifest)
    assert (ended.code, "Missing option '--corpus'" in ended.err) == (2, True)


def test_the_changes_are_printed_and_not_written(call: Fictc, tmp_path: Path) -> None:
    ended = call("show", tmp_path / "m.toml", "--condition", "no-pp", "--output", tmp_path / "changes.txt")
    assert (ended.code, "--condition and --output exclude each other" in ended.err) == (2, True)
