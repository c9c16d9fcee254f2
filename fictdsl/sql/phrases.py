"""A set of phrases to common tables that find where runs of words spell one of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sqlglot import exp

from fictdsl.sql import quote
from fictdsl.sql.context import StatementBuilder, TableRow


def phrase_table(values: tuple[str, ...], *, lower: bool, statement: StatementBuilder) -> str:
    """The name of a table (sid, id) of the words at which a run begins that is one of `values`.

    A form may itself hold spaces, so a phrase of k spaces may be 1 to k + 1 words. Its rarest word is looked for
    first; its other words only in the sentences that have that one. Runs of these grow word by word, and one that no
    phrase begins with is dropped at once.
    """
    known = statement.phrases.get((values, lower))
    if known is not None:
        return known
    base = f"p{len(statement.phrases)}"
    statement.phrases[values, lower] = base
    words = _Words(values)
    table = _word_table(words, "form_l" if lower else "form", base, statement)
    levels: list[str] = []
    for length in range(1, max((value.count(" ") for value in values), default=0) + 2):
        query = _first(table, words, statement) if length == 1 else _longer(levels[-1], table, words.starts(length))
        levels.append(statement.add(f"{base}_{length}", query, materialized=True))
    ends = [
        _select("t", "sid", "id")
        .from_(quote.table(level, "t"))
        .where(quote.one_of(quote.column("t", "run"), quote.strings(values)))
        for level in levels
    ]
    return statement.add(base, _union(ends), materialized=True)


class _Words:
    """What the words of phrases may be: one that a phrase must have, in `anchors`, its other words in `others`."""

    def __init__(self, values: tuple[str, ...]) -> None:
        self._values = values
        anchors: set[str] = set()
        multiword: set[str] = set()
        others: set[str] = set()
        for value in values:
            parts = value.split(" ")
            rarest = max(range(len(parts)), key=lambda place: len(parts[place]))  # a long word is a rare one
            for first, last in _spans(len(parts)):
                word = " ".join(parts[first:last])
                (anchors if first <= rarest < last else others).add(word)
                if first <= rarest < last and last - first < len(parts):
                    multiword.add(word)
        self.anchors, self.multiword, self.others = sorted(anchors), sorted(multiword), sorted(others - anchors)

    def starts(self, length: int) -> list[str]:
        """What a run of `length` words may be: a phrase, or the part of one before a space that ends enough words."""
        found = set()
        for value in self._values:
            spaces = [place for place, char in enumerate(value) if char == " "]
            found |= {value[:place] for place in [*spaces, len(value)][length - 1 :]}
        return sorted(found)


def _spans(length: int) -> Iterator[tuple[int, int]]:
    return ((first, last) for first in range(length) for last in range(first + 1, length + 1))


def _word_table(words: _Words, form: str, base: str, statement: StatementBuilder) -> str:
    """The table (sid, id, word) of all words that may belong to a phrase: the base table's few that are needed."""

    def found(options: list[str]) -> exp.Select:
        word = TableRow("t", statement).column(form)
        query = _select("t", "sid", "id").select(exp.alias_(word, "word", quoted=True)).from_(quote.table(source, "t"))
        return query.where(statement.among(word.copy(), options, in_order=source != "tokens"))

    copies = [each for each in statement.layout.projections if each.by == form and {"sid", "id"} <= each.columns]
    source = copies[0].table if copies else "tokens"
    anchors = statement.add(f"{base}_a", found(words.anchors), materialized=True)
    if not words.others:
        return anchors
    inside = _select("a", "sid").from_(quote.table(anchors, "a"))
    inside = inside.where(quote.one_of(quote.column("a", "word"), quote.strings(words.multiword)))
    near = exp.alias_(exp.Subquery(this=inside), "b", table=True)
    same = exp.EQ(this=quote.column("b", "sid"), expression=quote.column("t", "sid"))
    others = found(words.others).join(near, on=same, join_type="semi")
    every = _select("a", "sid", "id", "word").from_(quote.table(anchors, "a"))
    return statement.add(f"{base}_w", _union([every, others]), materialized=True)


def _first(table: str, words: _Words, statement: StatementBuilder) -> exp.Expression:
    word = quote.column("t", "word")
    run = [exp.alias_(quote.column("t", "id"), "last", quoted=True), exp.alias_(word, "run", quoted=True)]
    query = _select("t", "sid", "id").select(*run).from_(quote.table(table, "t"))
    return query.where(statement.among(word.copy(), words.starts(1)))


def _longer(level: str, table: str, starts: list[str]) -> exp.Expression:
    run = quote.concat(quote.column("r", "run"), quote.string(" "), quote.column("t", "word"))
    follows = exp.EQ(
        this=quote.column("t", "id"),
        expression=exp.Add(this=quote.column("r", "last"), expression=quote.integer(1)),
    )
    same = exp.EQ(this=quote.column("t", "sid"), expression=quote.column("r", "sid"))
    return (
        _select("r", "sid", "id")
        .select(exp.alias_(quote.column("t", "id"), "last", quoted=True), exp.alias_(run, "run", quoted=True))
        .from_(quote.table(level, "r"))
        .join(quote.table(table, "t"), on=exp.and_(same, follows))
        .where(quote.one_of(run.copy(), quote.strings(starts)))
    )


def _select(alias: str, *names: str) -> exp.Select:
    return exp.select(*(quote.column(alias, name) for name in names))


def _union(queries: Iterable[exp.Expression]) -> exp.Expression:
    first, *rest = queries
    for query in rest:
        first = exp.union(first, query, distinct=False)
    return first
