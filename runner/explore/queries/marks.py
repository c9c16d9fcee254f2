"""Matches that the user has marked as right or wrong, as a sheet."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from fictdsl.draw.tree import Tree, words
from runner.explore.queries.query import Query
from runner.explore.queries.settings import store_of
from runner.explore.queries.words import check_bindings, check_words, sentences_of
from runner.tables import quote

MARKS = ("right", "wrong", "unsure")
MAX_MARKS = 10_000
SHEETS = ("tsv", "json")
_COLUMNS = ("query", "corpus", "sort", "source", "number", "sent_id", "match", "mark", "text")


@dataclass(frozen=True)
class Mark:
    """A mark, one of MARKS, of a match: the number of its sentence, and the id of the word bound to each name."""

    sid: int
    match: Mapping[str, int]
    mark: str


def sheet(store_index: int, query: Query, sort: str, marks: Sequence[Mark], output_format: str) -> str:
    """Return the marks of a query as a table (TSV) or as JSON, in their order. `sort` is the order of the matches.

    Raises InputError (FICT853) if the store lacks one of the sentences or words, or the query one of the names.
    """
    head = (query.filter.name if query.is_file else query.text.strip(), store_of(store_index).path.name, sort)
    rows = [dict(zip(_COLUMNS, (*head, *cells), strict=True)) for cells in _cells(store_index, query, marks)]
    if output_format == "tsv":
        return "".join(map(_line, [_COLUMNS, *([*row.values()] for row in rows)]))
    counts = Counter(mark.mark for mark in marks)
    heading = dict(zip(_COLUMNS, head, strict=False)) | {mark: counts[mark] for mark in MARKS}
    matches = [{key: row[key] for key in _COLUMNS[len(head) :]} for row in rows]
    return json.dumps({**heading, "matches": matches}, ensure_ascii=False, indent=1) + "\n"


def _cells(store_index: int, query: Query, marks: Sequence[Mark]) -> Iterator[tuple[str | int, ...]]:
    sentences = sentences_of(store_index, [mark.sid for mark in marks])
    for mark in marks:
        sentence = sentences[mark.sid]
        check_bindings(query, mark.match)
        check_words(sentence, mark.match.values())
        location = sentence.location
        match = " ".join(f"{name}:{word}" for name, word in mark.match.items())
        text = Tree(words(sentence.block)).text()
        yield location.source, location.number, location.sent_id or "", match, mark.mark, text


def _line(cells: Sequence[str | int]) -> str:
    return "\t".join(quote(re.sub(r"\s+", " ", str(cell))) for cell in cells) + "\n"
