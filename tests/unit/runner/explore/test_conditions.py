"""Queries as conditions of manifests, with what they take; nothing is written."""

from __future__ import annotations

import re
import tomllib
from html import unescape
from pathlib import Path

import pytest

from runner.corpus.limits import Limits
from runner.errors import InputError
from runner.explore import query as settings
from runner.explore.conditions import NewCondition, condition_html
from runner.explore.query import Query
from tests.support import corpora
from tests.support.reading import tree

SUBJECT = Query("V -[nsubj]-> S")
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
    (tmp_path / "project").mkdir()
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
def test_nothing_is_written(folder: Path, query: Query, kind: str, taken: str) -> None:
    before = sorted(folder.rglob("*"))
    text = shown(condition_html(0, NewCondition(query, "mine", kind, False), folder))
    assert f"mine {taken}" in text and f'name = "mine"\n{kind} = ["mine.fict' in text
    assert sorted(folder.rglob("*")) == before


def test_a_condition_with_its_control() -> None:
    assert tomllib.loads(NewCondition(SUBJECT, "no-subject", "remove", True).toml("no-subject.fict"))["condition"] == [
        {"name": "no-subject", "remove": ["no-subject.fict"]},
        {"name": "no-subject-random", "remove-random": "no-subject"},
    ]


def test_a_selected_filter_of_a_file() -> None:
    assert tomllib.loads(NewCondition(MASK, "masked", "mask", True).toml("masked.fict"))["condition"] == [
        {"name": "masked", "mask": ["masked.fict::a"]},
        {"name": "masked-random", "mask-random": "masked"},
    ]


def test_the_file_of_the_filter_is_shown(folder: Path) -> None:
    text = shown(condition_html(0, NewCondition(SUBJECT, "mine", "remove", False), folder))
    assert "For mine.fict, beside the manifest:" in text and "filter mine {" in text


@pytest.mark.parametrize(
    ("query", "name", "kind", "code"),
    [
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
def test_a_mistake_is_one_message(folder: Path, query: Query, name: str, kind: str, code: str) -> None:
    with pytest.raises(InputError, match=code):
        condition_html(0, NewCondition(query, name, kind, False), folder)
