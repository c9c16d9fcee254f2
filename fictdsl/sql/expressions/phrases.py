"""SQL for phrase tests: common table expressions (CTEs) that find phrases as sequences of words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sqlglot import exp

from fictdsl.schema import LOWERED
from fictdsl.sql import fragments
from fictdsl.sql.context import StatementBuilder, TableRow


def phrase_table(values: tuple[str, ...], *, lower: bool, builder: StatementBuilder) -> str:
    """Return the name of a table (sid, id) of the words at which one of the phrases `values` begins.

    The table and the CTEs that it reads are added to `builder`. If `lower`, lowercase forms are compared.

    A form may contain spaces, so a phrase with k spaces is 1 to k + 1 words. The search starts with the words that
    include the longest part of a phrase, which tends to be the rarest, and reads other words only in sentences that
    have one of them. Sequences grow word by word, as long as they are a prefix of some phrase.
    """
    existing_name = builder.phrases.get((values, lower))
    if existing_name is not None:
        return existing_name
    base_name = f"p{len(builder.phrases)}"
    builder.phrases[values, lower] = base_name
    words = _PhraseWords(values)
    table = _word_table(words, LOWERED["form"] if lower else "form", base_name, builder)
    levels: list[str] = []
    for length in range(1, max((value.count(" ") for value in values), default=0) + 2):
        query = (
            _first_words(table, words, builder)
            if length == 1
            else _longer_sequences(levels[-1], table, words.prefixes(length))
        )
        levels.append(builder.add(f"{base_name}_{length}", query, materialized=True))
    complete_phrases = [
        _select("t", "sid", "id")
        .from_(fragments.table(level, "t"))
        .where(fragments.one_of(fragments.column("t", "run"), fragments.strings(values)))
        for level in levels
    ]
    return builder.add(base_name, _union(complete_phrases), materialized=True)


class _PhraseWords:
    """The words that phrases may consist of. A word is one or more adjacent parts of a phrase, joined by spaces.

    `anchors` are the words that include the longest part of a phrase, and `others` the rest. `partial_anchors` are the
    anchors that are only a part of some phrase.
    """

    def __init__(self, values: tuple[str, ...]) -> None:
        self._values = values
        anchors: set[str] = set()
        partial_anchors: set[str] = set()
        others: set[str] = set()
        for value in values:
            parts = value.split(" ")
            longest = max(range(len(parts)), key=lambda index: len(parts[index]))  # longer words tend to be rarer
            for start, end in _spans(len(parts)):
                word = " ".join(parts[start:end])
                (anchors if start <= longest < end else others).add(word)
                if start <= longest < end and end - start < len(parts):
                    partial_anchors.add(word)
        self.anchors, self.partial_anchors = sorted(anchors), sorted(partial_anchors)
        self.others = sorted(others - anchors)

    def prefixes(self, length: int) -> list[str]:
        """Return the prefixes of phrases that a sequence of `length` words may form."""
        prefixes = set()
        for value in self._values:
            spaces = [index for index, char in enumerate(value) if char == " "]
            prefixes |= {value[:end] for end in [*spaces, len(value)][length - 1 :]}
        return sorted(prefixes)


def _spans(length: int) -> Iterator[tuple[int, int]]:
    return ((start, end) for start in range(length) for end in range(start + 1, length + 1))


def _word_table(words: _PhraseWords, form_column: str, base_name: str, builder: StatementBuilder) -> str:
    """Return the name of a table (sid, id, word) of the words that may belong to a phrase."""

    def occurrences(options: list[str]) -> exp.Select:
        word = TableRow("t", builder).column(form_column)
        query = (
            _select("t", "sid", "id").select(exp.alias_(word, "word", quoted=True)).from_(fragments.table(source, "t"))
        )
        return query.where(builder.membership(word.copy(), options, in_order=source != "tokens"))

    copies = [copy for copy in builder.layout.sorted_copies if copy.by == form_column and {"sid", "id"} <= copy.columns]
    source = copies[0].table if copies else "tokens"
    anchors = builder.add(f"{base_name}_a", occurrences(words.anchors), materialized=True)
    if not words.others:
        return anchors
    anchor_sentences = _select("a", "sid").from_(fragments.table(anchors, "a"))
    anchor_sentences = anchor_sentences.where(
        fragments.one_of(fragments.column("a", "word"), fragments.strings(words.partial_anchors))
    )
    sentences = exp.alias_(exp.Subquery(this=anchor_sentences), "b", table=True)
    same_sentence = exp.EQ(this=fragments.column("b", "sid"), expression=fragments.column("t", "sid"))
    other_words = occurrences(words.others).join(sentences, on=same_sentence, join_type="semi")
    anchor_words = _select("a", "sid", "id", "word").from_(fragments.table(anchors, "a"))
    return builder.add(f"{base_name}_w", _union([anchor_words, other_words]), materialized=True)


def _first_words(table: str, words: _PhraseWords, builder: StatementBuilder) -> exp.Expression:
    word = fragments.column("t", "word")
    columns = [exp.alias_(fragments.column("t", "id"), "last", quoted=True), exp.alias_(word, "run", quoted=True)]
    query = _select("t", "sid", "id").select(*columns).from_(fragments.table(table, "t"))
    return query.where(builder.membership(word.copy(), words.prefixes(1)))


def _longer_sequences(level: str, table: str, prefixes: list[str]) -> exp.Expression:
    run = fragments.concat(fragments.column("r", "run"), fragments.string(" "), fragments.column("t", "word"))
    follows = exp.EQ(
        this=fragments.column("t", "id"),
        expression=exp.Add(this=fragments.column("r", "last"), expression=fragments.integer(1)),
    )
    same_sentence = exp.EQ(this=fragments.column("t", "sid"), expression=fragments.column("r", "sid"))
    return (
        _select("r", "sid", "id")
        .select(exp.alias_(fragments.column("t", "id"), "last", quoted=True), exp.alias_(run, "run", quoted=True))
        .from_(fragments.table(level, "r"))
        .join(fragments.table(table, "t"), on=exp.and_(same_sentence, follows))
        .where(fragments.one_of(run.copy(), fragments.strings(prefixes)))
    )


def _select(alias: str, *names: str) -> exp.Select:
    return exp.select(*(fragments.column(alias, name) for name in names))


def _union(queries: Iterable[exp.Expression]) -> exp.Expression:
    union, *other_queries = queries
    for query in other_queries:
        union = exp.union(union, query, distinct=False)
    return union
