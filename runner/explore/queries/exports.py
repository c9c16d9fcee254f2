"""Matches as files: CoNLL-U, TSV, JSON lines, and a page that works without the program."""

from __future__ import annotations

from collections.abc import Callable

from runner.corpus.show import formats
from runner.corpus.show.groups import Group, matching_group
from runner.explore.queries.query import Query
from runner.explore.queries.settings import store_of

MAX_SENTENCES, MAX_DRAWN = 100_000, 200  # sentences of a file, and of a page with drawings

_WRITERS: dict[str, Callable[[Group], str]] = {
    "conllu": lambda group: "".join(formats.conllu(group)),
    "tsv": lambda group: "".join(f"{line}\n" for line in formats.tsv([group])),
    "jsonl": lambda group: "".join(f"{line}\n" for line in formats.jsonl(group)),
    "html": lambda group: formats.html([group], group.title),
}
KINDS = tuple(_WRITERS)


def export(number: int, query: Query, kind: str) -> str:
    """Return the first matching sentences in a format."""
    limit = MAX_DRAWN if kind == "html" else MAX_SENTENCES
    return _WRITERS[kind](matching_group(store_of(number), query.filter, limit))
