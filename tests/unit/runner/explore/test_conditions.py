"""Queries become conditions of manifests, with what they take; a mistake leaves every file as it was."""

from __future__ import annotations

import re
import tomllib
from html import unescape
from pathlib import Path

import pytest

from runner.corpus.store.limits import Limits
from runner.errors import InputError
from runner.explore.queries import settings
from runner.explore.queries.conditions import NewCondition, add_condition, preview_condition
from runner.explore.queries.query import Query
from tests.support import corpora
from tests.support.reading import tree

SUBJECT = Query("V -[nsubj]-> S")
MANIFEST = """[experiment]
name = "e"  # kept
seeds = [1]
[corpus]
sample = { sentences = 200, pairs = 5, seed = 3 }
[[condition]]
name = "less"
remove = ["${filters}/fict15/passive.fict"]
[[model]]
preset = "lstm-128"
"""
MASK = Query('fict 1\nfilter a { match { V -[nsubj]-> S } mask subtree(S) with "<gap>" }\nfilter b { match { X } }')
TWO_VERBS = Query('fict 1\nfilter a { match { V -[nsubj]-> S } mask node(V) with "<m>" remove node(S) }')
SWAP = Query("fict 1\nrewrite swapped { match { V -[obj]-> O V -[nsubj]-> S } swap node(O) with node(S) }")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    sentences = [
        tree("the DET 2 det\ndogs NOUN 3 nsubj\nsee VERB 0 root\ncats NOUN 3 obj"),
        tree("the DET 2 det\ncat NOUN 0 root"),
    ]
    made = corpora.store(tmp_path / "corpus", corpora.conllu(sentences))
    settings.prepare(settings.ExplorerSettings((made.path,), (), Limits(timeout=60)))
    (tmp_path / "project" / "filters").mkdir(parents=True)
    (tmp_path / "project" / "e.toml").write_text(MANIFEST, encoding="utf-8")
    return tmp_path / "project"


def shown(html: str) -> str:
    return unescape(re.sub(r"<[^>]*>", "\n", html))


@pytest.mark.parametrize(
    ("query", "kind", "taken"),
    [
        (SUBJECT, "remove", "removes 1 of 2 sentences (50.00%) of store. They have 4 of 6 tokens (66.67%)"),
        (SUBJECT, "keep", "keeps 1 of 2 sentences (50.00%) of store. They have 4 of 6 tokens (66.67%)"),
        (MASK, "mask", "masks 2 of 6 tokens (33.33%) in 1 of 2 sentences (50.00%)"),
        (SWAP, "rewrite", "changes 1 of 2 sentences (50.00%) of store. They have 4 of 6 tokens (66.67%)"),
    ],
)
def test_a_preview_writes_nothing(folder: Path, query: Query, kind: str, taken: str) -> None:
    before = sorted(folder.rglob("*"))
    text = shown(preview_condition(0, NewCondition(query, "mine", kind, False), folder, folder / "e.toml"))
    assert f"mine {taken}" in text and f'name = "mine"\n{kind} = ["mine.fict' in text
    assert sorted(folder.rglob("*")) == before


def test_a_condition_with_its_control_and_the_plan(folder: Path) -> None:
    text = shown(add_condition(0, NewCondition(SUBJECT, "no-subject", "remove", True), folder, folder / "e.toml"))
    assert "without no-subject" in text and "4 conditions × 1 model × 1 seed = 4 cells" in text
    assert "to do  train:no-subject-random/lstm-128/1" in text and "Remaining training and scoring: 4 cells" in text
    written = (folder / "e.toml").read_text(encoding="utf-8")
    assert 'name = "e"  # kept' in written
    assert tomllib.loads(written)["condition"][1:] == [
        {"name": "no-subject", "remove": ["no-subject.fict"]},
        {"name": "no-subject-random", "remove-random": "no-subject"},
    ]


def test_a_selected_filter_from_a_manifest_in_a_subfolder(folder: Path) -> None:
    manifest = folder / "sub" / "e.toml"
    manifest.parent.mkdir()
    manifest.write_text(MANIFEST, encoding="utf-8")
    (folder / "fictc.toml").write_text("", encoding="utf-8")
    add_condition(0, NewCondition(MASK, "masked", "mask", True), folder, manifest)
    assert tomllib.loads(manifest.read_text(encoding="utf-8"))["condition"][1:] == [
        {"name": "masked", "mask": ["../masked.fict::a"]},
        {"name": "masked-random", "mask-random": "masked"},
    ]


def test_without_a_manifest_the_filter_is_written_and_used_again(folder: Path) -> None:
    for _ in range(2):
        text = shown(add_condition(0, NewCondition(SUBJECT, "mine", "remove", False), folder, None))
        assert 'remove = ["mine.fict"]' in text
    with pytest.raises(InputError, match="FICT851"):
        add_condition(0, NewCondition(Query("V"), "mine", "remove", False), folder, None)


@pytest.mark.parametrize(
    ("query", "name", "kind", "code"),
    [
        (SUBJECT, "less", "remove", "FICT606"),
        (SUBJECT, "full", "remove", "FICT604"),
        (SUBJECT, "../x", "remove", "FICT851"),
        (SUBJECT, "mine", "mask", "FICT852"),
        (SUBJECT, "mine", "rewrite", "FICT852"),
        (TWO_VERBS, "mine", "mask", "FICT852.*filter a has the action `remove node.S.`, which mask does not apply"),
        (TWO_VERBS, "mine", "drop", "FICT852.*filter a has the action `mask node.V. with .<m>.`, which drop"),
        (SWAP, "mine", "remove", "FICT852.*remove needs a filter, but swapped is a rewrite"),
        (SWAP, "mine", "keep", "FICT852.*keep needs a filter, but swapped is a rewrite"),
        (Query("V -["), "mine", "remove", "FICT1"),
    ],
)
def test_mistakes_change_nothing(folder: Path, query: Query, name: str, kind: str, code: str) -> None:
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    with pytest.raises(InputError, match=code):
        add_condition(0, NewCondition(query, name, kind, False), folder, folder / "e.toml")
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


def test_manifests_are_those_in_the_folder(folder: Path) -> None:
    (folder / "other.toml").write_text("[tool]\n", encoding="utf-8")
    (folder / "broken.toml").write_text("[experiment", encoding="utf-8")
    (folder / "link.toml").symlink_to(folder / "e.toml")
    for name in (".hidden", "run/results", "a/b"):
        (folder / name).mkdir(parents=True)
    (folder / "run/results/run.json").write_text("{}", encoding="utf-8")
    for name in (".hidden/e.toml", "run/results/e.toml", "run/manifest.toml", "a/b/e.toml"):
        (folder / name).write_text(MANIFEST, encoding="utf-8")
    found = settings.manifests_below(folder)
    assert [path.relative_to(folder).as_posix() for path in found] == ["e.toml", "a/b/e.toml"]


def test_a_link_is_not_followed(folder: Path) -> None:
    outside = folder.parent / "outside.toml"
    outside.write_text(MANIFEST, encoding="utf-8")
    (folder / "link.toml").symlink_to(outside)
    with pytest.raises(InputError, match="FICT852"):
        add_condition(0, NewCondition(SUBJECT, "mine", "remove", False), folder, folder / "link.toml")
    assert outside.read_text(encoding="utf-8") == MANIFEST
