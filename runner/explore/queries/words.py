"""One match of a store: its drawings, the columns of a word, and clauses that a click adds to the query."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product

from fictdsl.draw.svg import svg
from fictdsl.schema import Field
from fictdsl.semantics.ir import Reading
from fictdsl.syntax.text.strings import quote
from runner.corpus.query.groups.clauses import extended
from runner.corpus.query.matched_sentences import MatchedSentence, matched_sentences
from runner.explore.queries.query import Query
from runner.explore.queries.settings import store_of
from runner.explore.views.rows import Row, arcs_html, tree_html
from runner.explore.views.tables import columns_html

_RELATION = re.compile(r"[a-z_]+(:[a-z_]+)?")
_WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class Clause:
    """A clause to add to the query, or a note if there is nothing to add."""

    text: str | None = None
    note: str = ""


@dataclass(frozen=True)
class Opened:
    """The drawings of a match: arcs and tree as markup, and a self-contained SVG."""

    arcs: str
    tree: str
    svg: str
    place: str


def open_match(number: int, sid: int, match: Mapping[str, int]) -> Opened:
    """Return the drawings of a match."""
    sentence = _sentence(number, sid)
    row = Row(sentence.location, sentence.block, match)
    place = f"{sentence.location.source}:{sentence.location.number}"
    return Opened(arcs_html(row.tree), tree_html(row.tree), svg(row.tree), place)


def word_columns(number: int, query: Query, sid: int, match: Mapping[str, int], word: int) -> str:
    """Return the columns of a word, with a button for each clause that finds more words like it."""
    lines = {cells[0]: cells for cells in _lines(_sentence(number, sid))}
    cells = lines[str(word)]
    name = _name(match, word) or free_names(query, 1)[0]
    clauses = list(_tests(name, cells))
    if cells[Field.HEAD] in lines:
        relation = relation_clause(query, match, int(cells[Field.HEAD]), word, cells[Field.DEPREL])
        clauses += [] if relation.text is None else [relation.text]
    return columns_html(cells, [clause for clause in clauses if not _holds(query, clause)])


def relation_clause(query: Query, match: Mapping[str, int], head: int, dependent: int, label: str) -> Clause:
    """Return a clause for a relation of two words: bound ones by their names, others by new names.

    There is none if the query has this relation of these words already, also with a name that was added since the match
    was found.
    """
    if not _RELATION.fullmatch(label):
        return Clause(note=f"{label} is no label that an arrow can name.")
    names = [_name(match, head), _name(match, dependent)]
    added = [name for name in query.filter.names if name not in match]
    for known in product(*([name] if name is not None else added for name in names)):
        if known[0] != known[1] and _holds(query, f"{known[0]} -[{label}]-> {known[1]}"):
            return Clause(note="The query has this relation already.")
    new = iter(free_names(query, names.count(None)))
    first, second = (name if name is not None else next(new) for name in names)
    return Clause(f"{first} -[{label}]-> {second}")


def _holds(query: Query, clause: str) -> bool:
    """Return whether a clause adds no condition and no node to a query."""
    before, after = query.filter.ir.readings, extended(query.filter, f"{{ {clause} }}").ir.readings
    return list(map(_conditions, before)) == list(map(_conditions, after))


def _conditions(reading: Reading) -> frozenset[object]:
    return frozenset(reading.conjunction.conditions)


def relation_at(number: int, query: Query, sid: int, match: Mapping[str, int], dependent: int) -> Clause:
    """Return the clause for the relation of a word to its head, and none for a root."""
    cells = next(cells for cells in _lines(_sentence(number, sid)) if cells[0] == str(dependent))
    if cells[Field.HEAD] in ("0", "_"):
        return Clause(note="A root has no head.")
    return relation_clause(query, match, int(cells[Field.HEAD]), dependent, cells[Field.DEPREL])


def free_names(query: Query, count: int) -> list[str]:
    """Return names of nodes that do not occur in the text of a query."""
    used = set(_WORD.findall(query.text))
    names = (f"W{number}" for number in range(1, len(used) + count + 2))
    return [name for name in names if name not in used][:count]


def _tests(name: str, cells: list[str]) -> Iterator[str]:
    if _WORD.fullmatch(cells[Field.UPOS]) and cells[Field.UPOS] != "_":
        yield f"{name}:{cells[Field.UPOS]}"
    if cells[Field.LEMMA] != "_":
        yield f"{name}[lemma = {quote(cells[Field.LEMMA])}]"
    for feature in cells[Field.FEATS].split("|"):
        key, _, value = feature.partition("=")
        if _WORD.fullmatch(key) and _WORD.fullmatch(value):
            yield f"{name}[{key} = {value}]"


def _name(match: Mapping[str, int], word: int) -> str | None:
    return next((name for name, bound in match.items() if bound == word), None)


def _sentence(number: int, sid: int) -> MatchedSentence:
    import numpy as np

    (sentence,) = matched_sentences(store_of(number), None, np.array([sid], np.int64))
    return sentence


def _lines(sentence: MatchedSentence) -> Iterator[list[str]]:
    for line in sentence.block.split("\n"):
        cells = line.rstrip("\r").split("\t")
        if not line.startswith("#") and len(cells) == len(Field):
            yield cells
