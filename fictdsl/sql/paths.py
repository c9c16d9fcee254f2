"""SQL for paths in dependency trees and for phrases, as common table expressions (CTEs)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise

from sqlglot import exp

from fictdsl.plan.nodes import Paths
from fictdsl.schema import LOWERED
from fictdsl.sql import fragments
from fictdsl.sql.fragments import Row, StatementBuilder, TableRow


def paths_query(paths: Paths, source: str, word: str, builder: StatementBuilder, ctes: list[exp.CTE]) -> exp.Select:
    """Return a query for the ends (sid, head, dep) of paths, and append the CTEs it needs to `ctes`.

    `source` is a table with the words at which paths start, and `word` its column of their ids. Only sentences of the
    source are searched. If the heads form a cycle, the shortest path between two words counts. The recursion then
    terminates if the number of steps is bounded or the dialect has a recursive UNION DISTINCT (DuckDB, but not Spark).
    """
    counts_steps = (paths.low, paths.high) not in ((1, None), (0, None))
    walk_name, edges_name = f"w{-paths.edge}_{len(ctes)}", f"w{-paths.edge}_{len(ctes)}n"
    builder.add(edges_name, _tree_edges(source, builder), materialized=True, ctes=ctes)
    start_columns = [exp.alias_(fragments.column("s", word), name, quoted=True) for name in ("head", "dep")]
    start_query = (
        exp.select(fragments.column("s", "sid"), *start_columns).distinct().from_(fragments.table(source, "s"))
    )
    start_query = (
        start_query.select(exp.alias_(fragments.integer(0), "steps", quoted=True)) if counts_steps else start_query
    )
    recursive_query = _recursive_step(paths, walk_name, edges_name, counts_steps=counts_steps)
    union = exp.union(start_query, recursive_query, distinct=builder.dialect.recursive_distinct)
    builder.recursive = True
    builder.add(walk_name, union, materialized=False, ctes=ctes)
    head, dep, steps = (fragments.column("w", name) for name in ("head", "dep", "steps"))
    columns = (fragments.column("w", "sid"), head, dep)
    query = exp.select(*columns).from_(fragments.table(walk_name, "w"))
    if counts_steps:
        query = query.group_by(*(column.copy() for column in columns))
        return query.having(exp.GTE(this=exp.Min(this=steps), expression=fragments.integer(paths.low)))
    return query.where(exp.NEQ(this=head.copy(), expression=dep.copy())) if paths.low else query


def _tree_edges(source: str, builder: StatementBuilder) -> exp.Select:
    word = TableRow("t", builder)
    same_sentence = exp.EQ(this=fragments.column("s", "sid"), expression=word.column("sid"))
    query = exp.select(*(word.column(name) for name in ("sid", "id", "head"))).from_(fragments.table("tokens", "t"))
    return query.join(fragments.table(source, "s"), on=same_sentence, join_type="semi")


def _recursive_step(paths: Paths, walk_name: str, edges_name: str, *, counts_steps: bool) -> exp.Select:
    """Return the recursive step, which extends each path to the head of its top or the dependents of its lowest word.

    The head of a root is 0, which is not a word, so a path that reaches it is not extended.
    """
    top, bottom = fragments.column("w", "head"), fragments.column("w", "dep")
    if paths.up:
        new_ends, joins_path = (
            (fragments.column("n", "head"), bottom),
            exp.EQ(this=fragments.column("n", "id"), expression=top),
        )
    else:
        new_ends, joins_path = (
            (top, fragments.column("n", "id")),
            exp.EQ(this=fragments.column("n", "head"), expression=bottom),
        )
    same_sentence = exp.EQ(this=fragments.column("n", "sid"), expression=fragments.column("w", "sid"))
    query = exp.select(fragments.column("w", "sid"), *new_ends)
    steps = fragments.column("w", "steps")
    if counts_steps:
        query = query.select(_next_count(steps, paths))
    query = query.from_(fragments.table(walk_name, "w"))
    query = query.join(fragments.table(edges_name, "n"), on=exp.and_(same_sentence, joins_path))
    if paths.high is not None:
        query = query.where(exp.LT(this=steps.copy(), expression=fragments.integer(paths.high)))
    return query


def _next_count(steps: exp.Expression, paths: Paths) -> exp.Expression:
    """Return the number of steps of the extended path. Without an upper bound, counting stops at the lower bound.

    Otherwise, every round of a cycle would add new rows, and the recursion would not terminate.
    """
    count = exp.Add(this=steps, expression=fragments.integer(1))
    return (
        count
        if paths.high is not None
        else exp.Least(this=count, expressions=[fragments.integer(paths.low)], ignore_nulls=True)
    )


# --- crossing edges


def edges_cross(left: Row, right: Row) -> exp.Expression:
    """Return the SQL condition that the edges into two words cross.

    Edges that share an end do not cross, and a root has no edge. The spans of crossing edges overlap, and begin and
    end in the same order. DuckDB evaluates this condition twice as fast as a disjunction of both orders.
    """
    (start, end), (other_start, other_end) = _ends(left), _ends(right)
    begins_first = exp.LT(this=start.copy(), expression=other_start.copy())
    ends_first = exp.LT(this=end.copy(), expression=other_end.copy())
    return exp.and_(
        *(_has_edge(row) for row in (left, right)),
        exp.LT(this=start.copy(), expression=other_end.copy()),
        exp.LT(this=other_start.copy(), expression=end.copy()),
        exp.EQ(this=exp.paren(begins_first), expression=exp.paren(ends_first)),
        exp.NEQ(this=start, expression=other_start),
        exp.NEQ(this=end, expression=other_end),
    )


def crossing_sentences(builder: StatementBuilder) -> exp.Select:
    """Return a query for the sentences in which two edges cross."""
    left, right = TableRow("a", builder), TableRow("b", builder)
    same_sentence = exp.EQ(this=left.column("sid"), expression=right.column("sid"))
    (start, end), (other_start, other_end) = _ends(left), _ends(right)
    points = pairwise((start, other_start, end, other_end))
    order = (exp.LT(this=low.copy(), expression=high.copy()) for low, high in points)
    query = exp.select(left.column("sid")).from_(fragments.table("tokens", "a"))
    return query.join(fragments.table("tokens", "b"), on=same_sentence).where(_has_edge(left), _has_edge(right), *order)


def _has_edge(row: Row) -> exp.Expression:
    return exp.GT(this=row.column("head"), expression=fragments.integer(0))


def _ends(row: Row) -> tuple[exp.Expression, exp.Expression]:
    """Return SQL for the ids of the two words that the edge into the row's word connects, the lower id first."""
    ends = row.column("id"), row.column("head")
    first, last = (
        function(this=ends[0].copy(), expressions=[ends[1].copy()], ignore_nulls=True)
        for function in (exp.Least, exp.Greatest)
    )
    return first, last


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
