"""`fictc show`: the sentences, the marks, the tree, and nothing that a terminal would obey."""

from __future__ import annotations

import json
from pathlib import Path

from tests.unit.runner.cli.conftest import Fictc


def test_words_are_marked_with_their_names(call: Fictc, filters: Path, store: Path) -> None:
    ended = call("show", f"{filters}::subject", "--corpus", store)
    assert ended.out == "corpus.conllu:1  dogs/S bark/V cats\ncorpus.conllu:3  cats/S hiss[31m/V\n"
    assert ended.err == "2 of 2 sentences that match\n"


def test_how_many(call: Fictc, filters: Path, store: Path) -> None:
    ended = call("show", f"{filters}::subject", "--corpus", store, "-n", "1")
    assert ended.out.count("\n") == 1
    assert ended.err == "1 of 2 sentences that match\n"


def test_what_does_not_match(call: Fictc, filters: Path, store: Path) -> None:
    ended = call("show", f"{filters}::subject", "--corpus", store, "--not")
    assert ended.out == "corpus.conllu:2  the cat\n"


def test_a_tree(call: Fictc, filters: Path, store: Path) -> None:
    ended = call("show", f"{filters}::subject", "--corpus", store, "--format", "tree", "-n", "1")
    assert ended.out.splitlines() == [
        "corpus.conllu:1  one",
        "dogs/S bark/V cats",
        "  ╭─── dogs/S  NOUN  nsubj",
        "──┼─ bark/V    VERB  root",
        "  ╰─── cats    NOUN  obj",
        "",
    ]


def test_json(call: Fictc, filters: Path, store: Path) -> None:
    ended = call("show", f"{filters}::number.Sing", "--corpus", store, "--format", "json")
    assert json.loads(ended.out) == {
        "filter": "number.Sing",
        "source": "corpus.conllu",
        "number": 2,
        "sent_id": "two",
        "words": [{"id": 1, "form": "the", "space_after": True}, {"id": 2, "form": "cat", "space_after": True}],
        "matches": [{"N": 2}],
    }


def test_a_choice_by_chance_can_be_repeated(call: Fictc, filters: Path, store: Path) -> None:
    chosen = {call("show", f"{filters}::subject", "-c", store, "-n", "1", "--seed", seed).out for seed in range(20)}
    assert len(chosen) == 2
    again = [call("show", f"{filters}::subject", "-c", store, "-n", "1", "--seed", 7).out for _ in range(2)]
    assert again[0] == again[1]
