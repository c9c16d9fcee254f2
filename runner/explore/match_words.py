"""One match of a store: its drawings, the columns of a word, and clauses that the user can add."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product

from fictdsl.diagnostics.codes import diagnostic
from fictdsl.draw.svg import svg
from fictdsl.schema import Field
from fictdsl.semantics.ir import Reading
from fictdsl.syntax.scan import quote
from fictdsl.words import counted
from runner.corpus.match_keys import with_clauses
from runner.corpus.show import MatchedSentence, matched_sentences
from runner.errors import InputError
from runner.explore.markup import Row, arcs_html, columns_html, tree_html
from runner.explore.query import STALE, Query, existing_sid, store_of

_RELATION = re.compile(r"[a-z_]+(:[a-z_]+)?")
_WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class Clause:
    text: str | None = None
    note: str = ""


@dataclass(frozen=True)
class MatchDrawings:
    """The drawings of a match: arcs and tree as HTML, and a self-contained SVG. `place` is SOURCE:NUMBER."""

    arcs: str
    tree: str
    svg: str
    place: str


def open_match(store_index: int, sid: int, match: Mapping[str, int]) -> MatchDrawings:
    sentence = _sentence(store_index, sid, match.values())
    row = Row(sentence.location, sentence.block, match)
    location = f"{sentence.location.source}:{sentence.location.number}"
    return MatchDrawings(arcs_html(row.tree), tree_html(row.tree), svg(row.tree), location)


def word_columns(store_index: int, query: Query, sid: int, match: Mapping[str, int], word: int) -> str:
    check_bindings(query, match)
    sentence = _sentence(store_index, sid, [*match.values(), word])
    cells_by_id = {cells[0]: cells for cells in _word_rows(sentence)}
    cells = cells_by_id[str(word)]
    name = _bound_name(match, word) or free_names(query, 1)[0]
    clauses = list(_word_clauses(name, cells))
    if cells[Field.HEAD] in cells_by_id:
        head, label = int(cells[Field.HEAD]), cells[Field.DEPREL]
        relation = relation_clause(query, match, head, word, label, dependent_first=True)
        clauses += [] if relation.text is None else [relation.text]
    return columns_html(cells, [clause for clause in clauses if not _implies(query, clause)])


def relation_clause(
    query: Query, match: Mapping[str, int], head: int, dependent: int, label: str, *, dependent_first: bool = False
) -> Clause:
    """Return a clause for a relation of two words. Words that the match does not bind get new names.

    `dependent_first` states which word gets the first of two new names.
    The result has no clause if the query already has this relation, possibly with names that were added to the query
    after the match was found.
    """
    if not _RELATION.fullmatch(label):
        return Clause(note=f"{label} is not a label that a clause can name.")
    names = [_bound_name(match, head), _bound_name(match, dependent)]
    unbound_names = [name for name in query.filter.names if name not in match]
    for first, second in product(*([name] if name is not None else unbound_names for name in names)):
        if first != second and _implies(query, f"{first} -[{label}]-> {second}"):
            return Clause(note="The query has this relation already.")
    free = free_names(query, names.count(None))
    new_names = iter(free[::-1] if dependent_first else free)
    head_name, dependent_name = (name if name is not None else next(new_names) for name in names)
    return Clause(f"{head_name} -[{label}]-> {dependent_name}")


def _implies(query: Query, clause: str) -> bool:
    readings, extended_readings = query.filter.ir.readings, with_clauses(query.filter, f"{{ {clause} }}").ir.readings
    return list(map(_conditions, readings)) == list(map(_conditions, extended_readings))


def _conditions(reading: Reading) -> frozenset[object]:
    return frozenset(reading.conjunction.conditions)


def relation_at(store_index: int, query: Query, sid: int, match: Mapping[str, int], dependent: int) -> Clause:
    """Return the clause for the relation of a word to its head. A root has no clause."""
    check_bindings(query, match)
    sentence = _sentence(store_index, sid, [*match.values(), dependent])
    cells = next(cells for cells in _word_rows(sentence) if cells[0] == str(dependent))
    if cells[Field.HEAD] in ("0", "_"):
        return Clause(note="A root has no head.")
    return relation_clause(query, match, int(cells[Field.HEAD]), dependent, cells[Field.DEPREL])


def free_names(query: Query, count: int) -> list[str]:
    """Return `count` node names that do not occur in the text of a query."""
    used = set(_WORD.findall(query.text))
    names = (f"W{suffix}" for suffix in range(1, len(used) + count + 2))
    return [name for name in names if name not in used][:count]


def _word_clauses(name: str, cells: list[str]) -> Iterator[str]:
    if _WORD.fullmatch(cells[Field.UPOS]) and cells[Field.UPOS] != "_":
        yield f"{name}:{cells[Field.UPOS]}"
    if cells[Field.LEMMA] != "_":
        yield f"{name}[lemma = {quote(cells[Field.LEMMA])}]"
    for feature in cells[Field.FEATS].split("|"):
        key, _, value = feature.partition("=")
        if _WORD.fullmatch(key) and _WORD.fullmatch(value):
            yield f"{name}[{key} = {value}]"


def _bound_name(match: Mapping[str, int], word: int) -> str | None:
    return next((name for name, bound in match.items() if bound == word), None)


def check_bindings(query: Query, match: Mapping[str, int]) -> None:
    """Raise InputError (FICT853) if a match binds names that the query lacks."""
    names = query.filter.names
    if unknown := [name for name in match if name not in names]:
        reason = f"the query binds {' '.join(names) or 'no name'}"
        raise InputError(diagnostic("FICT853", found=f"a match of {' '.join(unknown)}", reason=reason, hint=STALE))


def sentences_of(store_index: int, sids: Iterable[int]) -> dict[int, MatchedSentence]:
    """Return sentences by their number. Raises InputError (FICT853) if the store lacks one."""
    import numpy as np

    existing_sids = np.unique(np.array([existing_sid(store_index, sid) for sid in sids], np.int64))
    sentences = matched_sentences(store_of(store_index), None, existing_sids)
    return {sentence.location.sid: sentence for sentence in sentences}


def check_words(sentence: MatchedSentence, word_ids: Iterable[int]) -> None:
    """Raise InputError (FICT853) if a sentence lacks one of the words."""
    count = sum(1 for _ in _word_rows(sentence))
    for word in word_ids:
        if not 1 <= word <= count:
            reason = f"sentence {sentence.location.sid + 1} has {counted(count, 'word')}"
            raise InputError(diagnostic("FICT853", found=f"word {word}", reason=reason, hint=STALE))


def _sentence(store_index: int, sid: int, word_ids: Iterable[int]) -> MatchedSentence:
    """Return a sentence. Raises InputError (FICT853) if the store lacks it, or if it lacks one of the words."""
    sentence = sentences_of(store_index, [sid])[sid]
    check_words(sentence, word_ids)
    return sentence


def _word_rows(sentence: MatchedSentence) -> Iterator[list[str]]:
    for line in sentence.block.split("\n"):
        cells = line.rstrip("\r").split("\t")
        if not line.startswith("#") and len(cells) == len(Field) and cells[0].isdecimal():
            yield cells
