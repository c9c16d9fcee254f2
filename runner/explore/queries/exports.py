"""Export matches as files: CoNLL-U, TSV, JSON Lines, and a self-contained HTML page."""

from __future__ import annotations

from collections.abc import Callable

from runner.corpus.show import formats
from runner.corpus.show.groups import Group, matching_group
from runner.explore.queries.query import Query
from runner.explore.queries.settings import store_of

MAX_SENTENCES, MAX_DRAWN = 100_000, 200  # sentences of a file, and of an HTML page with drawings

_WRITERS: dict[str, Callable[[Group], str]] = {
    "conllu": lambda group: "".join(formats.conllu(group)),
    "tsv": lambda group: "".join(f"{line}\n" for line in formats.tsv([group])),
    "jsonl": lambda group: "".join(f"{line}\n" for line in formats.jsonl(group)),
    "html": lambda group: formats.html([group], group.title),
}
FORMATS = tuple(_WRITERS)


def export(store_index: int, query: Query, output_format: str) -> str:
    """Return the first matching sentences in one of FORMATS."""
    limit = MAX_DRAWN if output_format == "html" else MAX_SENTENCES
    return _WRITERS[output_format](matching_group(store_of(store_index), query.filter, limit))
