"""Patterns for spaCy's DependencyMatcher, on documents built from the trees without a model."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import spacy
from spacy.matcher import DependencyMatcher
from spacy.tokens import Doc

from benchmarks.corpora import read
from benchmarks.peers.loop import DEMONSTRATIVES, DET_NOUNS, OBJECTS, QUANTIFIERS, SV_NOUNS

Pattern = list[dict[str, Any]]
MatchTest = Callable[[list[int]], bool]
SUBJECT = {"DEP": {"REGEX": r"^nsubj(:.*)?$"}}
COMPARATIVE_OR_SUPERLATIVE = {"MORPH": {"INTERSECTS": ["Degree=Sup", "Degree=Cmp"]}}
DEMONSTRATIVE_LIST = sorted(DEMONSTRATIVES)


def anchor(name: str, attributes: dict[str, Any]) -> dict[str, Any]:
    """Return the anchor word of a pattern."""
    return {"RIGHT_ID": name, "RIGHT_ATTRS": attributes}


def related(left: str, relation: str, name: str, attributes: dict[str, Any]) -> dict[str, Any]:
    """Return another word of a pattern, which has a relation to an earlier word."""
    return {"LEFT_ID": left, "REL_OP": relation, "RIGHT_ID": name, "RIGHT_ATTRS": attributes}


def accept_all(_: list[int]) -> bool:
    """Accept every match of a pattern."""
    return True


# A pattern cannot constrain the order of words that already have a relation, so each match is tested in Python.
FILTERS: dict[str, tuple[list[Pattern], MatchTest]] = {
    "agr-pp-mod": (
        [[anchor("s", SUBJECT), related("s", "<", "v", {}), related("s", ">", "m", {"DEP": "nmod"})]],
        lambda ids: ids[0] < ids[2] < ids[1],
    ),
    "agr-re-irr-sv": ([[anchor("s", SUBJECT | {"LOWER": {"IN": sorted(SV_NOUNS)}})]], accept_all),
    "det-adj-noun": (
        [
            [
                anchor("d", {"POS": "DET", "LOWER": {"IN": DEMONSTRATIVE_LIST}}),
                related("d", ".", "x", {"POS": {"NOT_IN": ["NOUN", "PROPN"]}}),
            ]
        ],
        accept_all,
    ),
    "det-noun": (
        [
            [
                anchor("n", {"LOWER": {"IN": sorted(DET_NOUNS)}}),
                related("n", ">", "d", {"DEP": "det", key: {"IN": DEMONSTRATIVE_LIST}}),
            ]
            for key in ("LOWER", "LEMMA")
        ],
        accept_all,
    ),
    "quantifier-existential-there": (
        [
            [
                anchor("t", {"LEMMA": "there", "DEP": "expl"}),
                related("t", "<", "b", {"LEMMA": "be"}),
                related("b", ">", "n", SUBJECT),
                related("n", ">", "q", {"LEMMA": {"IN": sorted(QUANTIFIERS)}}),
            ]
        ],
        accept_all,
    ),
    "quantifier-superlative": (
        [
            [anchor("q", COMPARATIVE_OR_SUPERLATIVE | {"DEP": {"IN": sorted(OBJECTS)}})],
            [anchor("q", COMPARATIVE_OR_SUPERLATIVE), related("q", "<<", "o", {"DEP": {"IN": sorted(OBJECTS)}})],
        ],
        accept_all,
    ),
}


def finder(corpus: Path) -> Callable[[str], list[int]]:
    """Read a corpus, and return a function from a filter's name to the numbers of its sentences."""
    vocabulary = spacy.blank("en").vocab
    documents = []
    for _, rows in read([corpus]):
        words = [row for row in rows if row[0].isdigit()]
        documents.append(
            Doc(
                vocabulary,
                words=[row[1] for row in words],
                lemmas=["" if row[2] == "_" else row[2] for row in words],
                pos=["" if row[3] == "_" else row[3] for row in words],
                tags=[row[4] for row in words],
                morphs=["" if row[5] == "_" else row[5] for row in words],
                heads=[int(row[6]) - 1 if row[6] != "0" else index for index, row in enumerate(words)],
                deps=[row[7] for row in words],
            )
        )

    def find(name: str) -> list[int]:
        patterns, match_test = FILTERS[name]
        matcher = DependencyMatcher(vocabulary)
        matcher.add(name, patterns)
        return [sid for sid, document in enumerate(documents) if any(match_test(ids) for _, ids in matcher(document))]

    return find
