"""Every construction: what its sentences look like, and that its trees are trees."""

from __future__ import annotations

import re

import pytest

from runner.sample.corpus import FILTERS, MIXTURE
from runner.sample.lexicon import Rng
from runner.sample.phrases import Draft
from runner.sample.words import Node, text, words

DRAWS = 150


def drawn(name: str) -> list[tuple[Draft, Node]]:
    rng = Rng(3, name)
    found = []
    for _ in range(DRAWS):
        draft = Draft(rng)
        found.append((draft, MIXTURE[name][0](draft)))
    return found


@pytest.mark.parametrize("name", MIXTURE)
def test_sentences_are_well_formed(name: str) -> None:
    for _, root in drawn(name):
        order = words(root)
        line = text(order)
        assert root.deprel == "root"
        assert [node.deprel for node in order].count("root") == 1
        assert len({id(node) for node in order}) == len(order), "a word has one place"
        assert re.fullmatch(r"[A-Z][A-Za-z', ]+[.?]", line), line
        assert all(node.form and node.lemma and node.feats for node in order)
        assert not re.search(r"\b[Aa] [aeio]|\b[Aa]n [^aeiou]", line), line


@pytest.mark.parametrize("name", MIXTURE)
def test_finite_verbs_agree_with_their_subjects(name: str) -> None:
    for _, root in drawn(name):
        for head in words(root):
            subject = next((d for d in (*head.left, *head.right) if d.deprel.startswith("nsubj")), None)
            finite = next((w for w in (*head.left, head) if "VerbForm=Fin" in w.feats and "Number" in w.feats), None)
            if subject is None or finite is None or "PronType=Rel" in subject.feats or "PronType=Int" in subject.feats:
                continue
            plural = "Number=Plur" in subject.feats or any(d.deprel == "conj" for d in subject.right)
            assert ("Number=Plur" in finite.feats) == plural, text(words(root))


@pytest.mark.parametrize(
    ("name", "pattern"),
    [
        ("subject-pp", r"\b(of|about|near|behind|beside|in)\b"),
        ("subject-relative", r"\b(who|that|which)\b|.+"),
        ("demonstrative", r"\b([Tt]his|[Tt]hat|[Tt]hese|[Tt]hose)\b"),
        ("reflexive-object", r"(self|selves)\b"),
        ("question", r"\?$"),
        ("wh-question", r"^(Who|What|Which)\b.*\?$"),
        ("negated-npi", r"(not|n't)\b.*\b(ever|any|at all)\b"),
        ("only-npi", r"^Only\b.*\b(ever|any|at all)\b"),
        ("existential", r"^There (is|are|was|were)\b"),
        ("counted", r"\b([Aa]t (least|most)|[Mm]ore than|[Ff]ewer than) (two|three|four|five)\b"),
        ("mannered-number", r"\ba(n)? \w+ (two|three|four|five) \w+"),
        ("passive-clause", r"\b(is|are|am|was|were|be|been)(n't)?\b"),
    ],
)
def test_constructions_look_as_they_are_called(name: str, pattern: str) -> None:
    for _, root in drawn(name):
        assert re.search(pattern, text(words(root)))


@pytest.mark.parametrize(
    ("name", "filter_name"),
    [
        ("subject-pp", "agr-pp-mod"),
        ("subject-relative", "agr-rel-cl"),
        ("reflexive-over-relative", "binding-c-command"),
        ("passive-clause", "passive"),
        ("only-npi", "npi-only"),
        ("negated-npi", "npi-sent-neg"),
        ("question-npi", "npi-sim-ques"),
        ("mannered-number", "aann"),
    ],
)
def test_constructions_always_hold_what_their_filter_asks_for(name: str, filter_name: str) -> None:
    assert all(filter_name in draft.tags for draft, _ in drawn(name))


def test_every_filter_has_positive_and_negative_sentences() -> None:
    tags = [draft.tags for name in MIXTURE for draft, _ in drawn(name)]
    for name in FILTERS:
        assert 0 < sum(name in held for held in tags) < len(tags)


def test_plain_sentences_are_the_largest_part() -> None:
    weights = {name: weight for name, (_, weight) in MIXTURE.items()}
    assert max(weights, key=weights.__getitem__) == "plain"


def test_polarity_items_are_always_licensed() -> None:
    for name in MIXTURE:
        for _, root in drawn(name):
            line = text(words(root))
            if re.search(r"\b(ever|any|at all)\b", line):
                assert re.search(r"n't\b|\bnot\b|\?$|^Only\b|^No\b", line), line
