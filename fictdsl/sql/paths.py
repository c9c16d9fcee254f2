"""SQL for paths in dependency trees and for phrases, as common table expressions (CTEs)."""

from __future__ import annotations

from itertools import combinations, pairwise

from fictdsl.plan.nodes import Paths
from fictdsl.schema import LOWERED
from fictdsl.sql.fragments import (
    Row,
    StatementBuilder,
    TableRow,
    aliased,
    all_of,
    column,
    columns,
    equal_columns,
    one_of,
    select,
    subquery,
    table,
    union,
)
from fictdsl.sql.statement import CommonTableExpression


def paths_query(
    paths: Paths,
    source: str,
    word: str,
    ends: tuple[str, str],
    builder: StatementBuilder,
    ctes: list[CommonTableExpression],
) -> str:
    """Return a query for the ends of paths (sid and two columns named `ends`), and append the CTEs it needs to `ctes`.

    `source` is a table with the words at which paths start, and `word` its column of their ids. Only sentences of the
    source are searched. If the heads form a cycle, the shortest path between two words counts. The recursion then
    terminates if the number of steps is bounded or the dialect has a recursive UNION DISTINCT (DuckDB, but not Spark).
    """
    counts_steps = (paths.low, paths.high) not in ((1, None), (0, None))
    walk_name, edges_name = f"w{-paths.edge}_{len(ctes)}", f"w{-paths.edge}_{len(ctes)}n"
    builder.add(edges_name, _tree_edges(source, builder), materialized=True, ctes=ctes)
    start = column("s", word)
    start_columns = [column("s", "sid"), aliased(start, "head"), aliased(start, "dep")]
    start_columns += [aliased("0", "steps")] if counts_steps else []
    start_query = select(start_columns, table(source, "s"), distinct=True)
    recursive_query = _recursive_step(paths, walk_name, edges_name, counts_steps=counts_steps)
    operator = "UNION" if builder.dialect.recursive_distinct else "UNION ALL"
    builder.recursive = True
    builder.add(walk_name, f"{start_query} {operator} {recursive_query}", materialized=False, ctes=ctes)
    sid, head, dep = columns("w", "sid", "head", "dep")
    conditions = [f"{head} <> {dep}"] if paths.low and not counts_steps else []
    query = select([sid, aliased(head, ends[0]), aliased(dep, ends[1])], table(walk_name, "w"), *conditions)
    shortest = f" GROUP BY {sid}, {head}, {dep} HAVING MIN({column('w', 'steps')}) >= {paths.low}"
    return query + shortest if counts_steps else query


def _tree_edges(source: str, builder: StatementBuilder) -> str:
    word = TableRow("t", builder)
    join = f"{table('tokens', 't')} SEMI JOIN {table(source, 's')} ON {equal_columns(['sid'], 's', 't')[0]}"
    return select([word.column(name) for name in ("sid", "id", "head")], join)


def _recursive_step(paths: Paths, walk_name: str, edges_name: str, *, counts_steps: bool) -> str:
    """Return the recursive step, which extends each path to the head of its top or the dependents of its lowest word.

    The head of a root is 0, which is not a word, so a path that reaches it is not extended. Without an upper bound,
    counting stops at the lower bound. Otherwise, every round of a cycle would add new rows, and the recursion would not
    terminate.
    """
    sid, top, bottom, steps = columns("w", "sid", "head", "dep", "steps")
    word, head = columns("n", "id", "head")
    new_ends, joins_path = ([head, bottom], f"{word} = {top}") if paths.up else ([top, word], f"{head} = {bottom}")
    count = f"{steps} + 1" if paths.high is not None else f"LEAST({steps} + 1, {paths.low})"
    on = all_of([*equal_columns(["sid"], "n", "w"), joins_path])
    join = f"{table(walk_name, 'w')} JOIN {table(edges_name, 'n')} ON {on}"
    conditions = [] if paths.high is None else [f"{steps} < {paths.high}"]
    return select([sid, *new_ends, *([count] if counts_steps else [])], join, *conditions)


# --- crossing edges


def edges_cross(left: Row, right: Row) -> str:
    """The spans of crossing edges overlap, and begin and end in the same order.

    DuckDB takes twice as long for a disjunction of both orders.
    """
    (start, end), (other_start, other_end) = _ends(left), _ends(right)
    return all_of(
        [
            *(_has_edge(row) for row in (left, right)),
            f"{start} < {other_end}",
            f"{other_start} < {end}",
            f"({start} < {other_start}) = ({end} < {other_end})",
            f"{start} <> {other_start}",
            f"{end} <> {other_end}",
        ]
    )


def crossing_sentences(builder: StatementBuilder) -> str:
    left, right = TableRow("a", builder), TableRow("b", builder)
    (start, end), (other_start, other_end) = _ends(left), _ends(right)
    order = [f"{low} < {high}" for low, high in pairwise((start, other_start, end, other_end))]
    join = f"{table('tokens', 'a')} JOIN {table('tokens', 'b')} ON {left.column('sid')} = {right.column('sid')}"
    return select([left.column("sid")], join, _has_edge(left), _has_edge(right), *order)


def _has_edge(row: Row) -> str:
    return f"{row.column('head')} > 0"


def _ends(row: Row) -> tuple[str, str]:
    ends = f"{row.column('id')}, {row.column('head')}"
    return f"LEAST({ends})", f"GREATEST({ends})"


# --- phrases


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
    base_name = builder.phrases[values, lower] = f"p{len(builder.phrases)}"
    words = _PhraseWords(values)
    word_table = _word_table(words, LOWERED["form"] if lower else "form", base_name, builder)
    levels: list[str] = []
    for length in range(1, max((value.count(" ") for value in values), default=0) + 2):
        prefixes = words.prefixes(length)
        query = (
            _longer_sequences(levels[-1], word_table, prefixes)
            if levels
            else _first_words(word_table, prefixes, builder)
        )
        levels.append(builder.add(f"{base_name}_{length}", query, materialized=True))
    is_complete = one_of(column("t", "run"), values)
    complete_phrases = [select(columns("t", "sid", "id"), table(level, "t"), is_complete) for level in levels]
    return builder.add(base_name, union(complete_phrases), materialized=True)


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
            for start, end in combinations(range(len(parts) + 1), 2):
                word = " ".join(parts[start:end])
                (anchors if start <= longest < end else others).add(word)
                if start <= longest < end and end - start < len(parts):
                    partial_anchors.add(word)
        self.anchors, self.partial_anchors = sorted(anchors), sorted(partial_anchors)
        self.others = sorted(others - anchors)

    def prefixes(self, length: int) -> list[str]:
        prefixes = set()
        for value in self._values:
            spaces = [index for index, char in enumerate(value) if char == " "]
            prefixes |= {value[:end] for end in [*spaces, len(value)][length - 1 :]}
        return sorted(prefixes)


def _word_table(words: _PhraseWords, form_column: str, base_name: str, builder: StatementBuilder) -> str:
    copies = [copy for copy in builder.layout.sorted_copies if copy.by == form_column and {"sid", "id"} <= copy.columns]
    source = copies[0].table if copies else "tokens"
    word = TableRow("t", builder).column(form_column)

    def occurrences(options: list[str], join: str = "") -> str:
        is_option = builder.membership(word, options, in_order=bool(copies))
        return select([*columns("t", "sid", "id"), aliased(word, "word")], table(source, "t") + join, is_option)

    anchors = builder.add(f"{base_name}_a", occurrences(words.anchors), materialized=True)
    if not words.others:
        return anchors
    is_partial = one_of(column("a", "word"), words.partial_anchors)
    sentences = subquery(select(columns("a", "sid"), table(anchors, "a"), is_partial), "b")
    other_words = occurrences(words.others, f" SEMI JOIN {sentences} ON {equal_columns(['sid'], 'b', 't')[0]}")
    anchor_words = select(columns("a", "sid", "id", "word"), table(anchors, "a"))
    return builder.add(f"{base_name}_w", union([anchor_words, other_words]), materialized=True)


def _first_words(word_table: str, prefixes: list[str], builder: StatementBuilder) -> str:
    sid, word_id, word = columns("t", "sid", "id", "word")
    values = [sid, word_id, aliased(word_id, "last"), aliased(word, "run")]
    return select(values, table(word_table, "t"), builder.membership(word, prefixes))


def _longer_sequences(level: str, word_table: str, prefixes: list[str]) -> str:
    run = f"{column('r', 'run')} || ' ' || {column('t', 'word')}"
    follows = f"{column('t', 'id')} = {column('r', 'last')} + 1"
    on = all_of([*equal_columns(["sid"], "t", "r"), follows])
    values = [*columns("r", "sid", "id"), aliased(column("t", "id"), "last"), aliased(run, "run")]
    return select(values, f"{table(level, 'r')} JOIN {table(word_table, 't')} ON {on}", one_of(run, prefixes))
