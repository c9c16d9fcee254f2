"""What a store answers is what its trees say."""

from __future__ import annotations

from pathlib import Path

import pytest

from fictdsl.lint.engine import lint_context
from fictdsl.lint.rule_context import words_by_column
from runner.corpus import lint_facts, store_writer
from runner.corpus.limits import Limits
from runner.corpus.lint_facts import gather_facts
from runner.corpus.store import Store
from tests.cases.test_lint import CORPUS
from tests.support import corpora
from tests.support.linting import facts_in, module_of
from tests.support.reading import tree

TEXT = """
list words = {dog, Dog, the, dgo}
filter plural { match { N[Number = Plur, lemma in @words, lower(form) in @words, form = Dog|dog] } }
filter verbs for v in {VERB, X} { match { V:$v[lower(lemma) = dog|barks] } }
"""
TREES = (*CORPUS, tree("ihn PRON 0 root feats=Case=Acc,Dat deps=0:root"))


@pytest.mark.parametrize("frequent", [1_000, 1])
def test_a_store_says_what_its_trees_say(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, frequent: int) -> None:
    """Whether all values are counted in its description or, since there are many, only some are."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    for module in (store_writer, lint_facts):
        monkeypatch.setattr(module, "FREQUENT", frequent)
    subject = lint_context(module_of(TEXT))[0]
    assert subject is not None
    store = corpora.store(tmp_path, corpora.conllu(TREES))
    found, unanswered = gather_facts(store, words_by_column(subject), subject.filters)
    wanted = facts_in(subject, TREES)
    assert unanswered == {}
    assert {name: set(values) for name, values in found.values.items()} == {
        name: set(values) for name, values in wanted.values.items()
    }
    assert found.values["upos"] == wanted.values["upos"]  # the most frequent first
    assert (found.sentences, found.words, found.match_counts) == (wanted.sentences, wanted.words, wanted.match_counts)
    assert sorted(found.match_counts.values()) == [0, 0, 1]


def test_a_filter_without_an_answer_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    chains = "  ".join(f"A{number} << B{number}" for number in range(8))
    subject = lint_context(module_of(f"filter slow {{ match {{ {chains} }} }}"))[0]
    assert subject is not None
    long = tree("\n".join(["w X 0 root"] + ["w X 1 dep"] * 60))
    store = Store.open(corpora.store(tmp_path, corpora.conllu([long])).path, Limits(timeout=0.001))
    found, unanswered = gather_facts(store, {}, subject.filters)
    assert (found.match_counts, list(unanswered)) == ({}, ["slow"])
    assert "there is no answer after 0.001 s" in str(unanswered["slow"])
