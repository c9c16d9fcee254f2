"""A set of phrases to common tables that find where runs of words spell one of them."""

from __future__ import annotations

from sqlglot import exp

from fictdsl.sql import quote
from fictdsl.sql.context import Gathered


def phrase_table(values: tuple[str, ...], *, lower: bool, statement: Gathered) -> str:
    """The name of a table (sid, id) of the words at which a run begins that is one of `values`.

    A form may itself hold spaces, so a phrase of k spaces may be 1 to k + 1 words. The runs grow word by word,
    and one that no phrase begins with is dropped at once.
    """
    known = statement.phrases.get((values, lower))
    if known is not None:
        return known
    base = f"p{len(statement.phrases)}"
    statement.phrases[values, lower] = base
    form = "form_l" if lower else "form"
    levels: list[str] = []
    for length in range(1, max((value.count(" ") for value in values), default=0) + 2):
        starts = _starts(values, length)
        query = _first(form, starts) if length == 1 else _longer(levels[-1], form, starts)
        levels.append(statement.add(f"{base}_{length}", query, materialized=True))
    ends = [
        exp.select(quote.column("t", "sid"), quote.column("t", "id"))
        .from_(quote.table(level, "t"))
        .where(quote.one_of(quote.column("t", "run"), quote.texts(values)))
        for level in levels
    ]
    query = ends[0]
    for end in ends[1:]:
        query = exp.union(query, end, distinct=False)
    return statement.add(base, query, materialized=True)


def _starts(values: tuple[str, ...], length: int) -> list[str]:
    """What a run of `length` words may be: a phrase, or the part of one before a space that ends enough words."""
    found = set()
    for value in values:
        spaces = [place for place, char in enumerate(value) if char == " "]
        found |= {value[:place] for place in [*spaces, len(value)][length - 1 :]}
    return sorted(found)


def _first(form: str, starts: list[str]) -> exp.Expression:
    word = quote.column("t", form)
    return (
        exp.select(
            quote.column("t", "sid"),
            quote.column("t", "id"),
            exp.alias_(quote.column("t", "id"), "last", quoted=True),
            exp.alias_(word, "run", quoted=True),
        )
        .from_(quote.table("tokens", "t"))
        .where(quote.one_of(word.copy(), quote.texts(starts)))
    )


def _longer(level: str, form: str, starts: list[str]) -> exp.Expression:
    run = quote.joined(quote.column("r", "run"), quote.text(" "), quote.column("t", form))
    follows = exp.EQ(
        this=quote.column("t", "id"),
        expression=exp.Add(this=quote.column("r", "last"), expression=quote.integer(1)),
    )
    same = exp.EQ(this=quote.column("t", "sid"), expression=quote.column("r", "sid"))
    return (
        exp.select(
            quote.column("r", "sid"),
            quote.column("r", "id"),
            exp.alias_(quote.column("t", "id"), "last", quoted=True),
            exp.alias_(run, "run", quoted=True),
        )
        .from_(quote.table(level, "r"))
        .join(quote.table("tokens", "t"), on=exp.and_(same, follows))
        .where(quote.one_of(run.copy(), quote.texts(starts)))
    )
