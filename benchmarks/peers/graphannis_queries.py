"""AQL queries on graphANNIS, over a graph of word order and dependencies.

A filter is a list of queries, whose results are combined. AQL is case-sensitive, so a word list becomes one regular
expression with every word in three letter cases.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

from graphannis.cs import CorpusStorageManager
from graphannis.graph import GraphUpdate

from benchmarks.corpora import read
from benchmarks.peers.loop import DEMONSTRATIVES, DET_NOUNS, QUANTIFIERS, SV_NOUNS

CORPUS = "corpus"
SUBJECT = "nsubj(:.*)?"
OBJECT = "obj|iobj|obl"


def one_of(words: set[str]) -> str:
    """Return a regular expression for words in lower, title or upper case."""
    return "|".join(f"[{word[0].upper()}{word[0]}]{word[1:]}|{word.upper()}" for word in sorted(words))


DEMONSTRATIVE_REGEX = one_of(DEMONSTRATIVES)
FILTERS: dict[str, list[str]] = {
    "agr-pp-mod": [
        f'tok & rel=/{SUBJECT}/ & rel="nmod" & #1 ->dep #2 & #2 ->dep #3 & #2 .* #3 & #3 .* #1',
    ],
    "agr-re-irr-sv": [f"rel=/{SUBJECT}/ & tok=/{one_of(SV_NOUNS)}/ & #1 _=_ #2"],
    "det-adj-noun": [f'upos="DET" & tok=/{DEMONSTRATIVE_REGEX}/ & upos!=/NOUN|PROPN/ & #1 _=_ #2 & #1 . #3'],
    "det-noun": [
        f'tok=/{one_of(DET_NOUNS)}/ & rel="det" & {key}=/{DEMONSTRATIVE_REGEX}/ & #2 _=_ #3 & #1 ->dep #2'
        for key in ("tok", "lemma")
    ],
    "quantifier-existential-there": [
        f'lemma="there" & rel="expl" & lemma="be" & rel=/{SUBJECT}/ & lemma=/{"|".join(sorted(QUANTIFIERS))}/'
        " & #1 _=_ #2 & #3 ->dep #1 & #3 ->dep #4 & #4 ->dep #5"
    ],
    "quantifier-superlative": [
        f"Degree=/Sup|Cmp/ & rel=/{OBJECT}/ & #1 _=_ #2",
        f"Degree=/Sup|Cmp/ & rel=/{OBJECT}/ & #2 ->dep* #1",
    ],
}


def finder(corpus: Path) -> Callable[[str], list[int]]:
    """Read a corpus into a graph, and return a function from a filter's name to the numbers of its sentences."""
    storage = CorpusStorageManager(tempfile.mkdtemp(), use_parallel=False)
    with GraphUpdate() as update:
        for sid, (_, rows) in enumerate(read([corpus])):
            _add(update, sid, [row for row in rows if row[0].isdigit()])
        storage.apply_update(CORPUS, update)

    def find(name: str) -> list[int]:
        sids: set[int] = set()
        for query in FILTERS[name]:
            for match in storage.find(CORPUS, query, limit=None):
                sids.add(int(match[0].rpartition("/")[2].partition("#")[0]))
        return sorted(sids)

    return find


def _add(update: GraphUpdate, sid: int, words: list[list[str]]) -> None:
    names = [f"{CORPUS}/{sid}#{row[0]}" for row in words]
    for name, row in zip(names, words, strict=True):
        update.add_node(name)
        features = {} if row[5] == "_" else dict(entry.split("=", 1) for entry in row[5].split("|"))
        labels = {"rel": row[7], "upos": row[3], "lemma": row[2]} | {
            key: value for key, value in features.items() if key == "Degree"
        }
        update.add_node_label(name, "annis", "tok", row[1])
        for key, value in labels.items():
            if value != "_":
                update.add_node_label(name, "ud", key, value)
    for left, right in pairwise(names):
        update.add_edge(left, right, "annis", "Ordering", "")
    for name, row in zip(names, words, strict=True):
        if row[6] != "0":
            update.add_edge(names[int(row[6]) - 1], name, "ud", "Pointing", "dep")
