"""Counting the matches of a filter by keys, as an Arrow table for data frames."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from fictc.errors import as_filter_error
from fictc.filters import Filter, Filters, Lists, only_filter
from fictc.sentences import Sentence

if TYPE_CHECKING:
    from runner.corpus.store.opening import Store

Corpus = str | Path | Sentence | Iterable[Sentence]


def count(
    filter: Filter | Filters | str | Path,  # noqa: A002
    corpus: Corpus,
    by: str,
    lists: Lists | None = None,
) -> Any:
    """Count the matches for each combination of values of keys, as `fictc show --by` does.

    Returns a `pyarrow.Table` with the keys as written (strings), `matches`, `share` (of all matches), and aggregates
    such as `mean(length)` (numbers, null if no match has one). pandas reads it with `table.to_pandas()`, polars with
    `polars.from_arrow(table)`.

    `filter` and `lists` are as in `match`. `corpus` is a store, a CoNLL-U file or a folder of them, which are imported
    into the user's cache once, or sentences. Raises FilterError for mistakes in the filter, the keys or the corpus.
    Needs the extra `corpus`.
    """
    selected = filter if isinstance(filter, Filter) and lists is None else only_filter(filter, lists)
    with as_filter_error(), _store(corpus) as store:
        from runner.corpus.query.groups.counts import counts_table
        from runner.corpus.query.groups.keys import parse_group_keys

        return counts_table(store, selected.compiled, parse_group_keys(by, selected.compiled, store))


@contextmanager
def _store(corpus: Corpus) -> Iterator[Store]:
    """Open a store, or one of the files or sentences."""
    from runner.corpus.ingest.cached import cached_store, is_conllu
    from runner.corpus.ingest.import_conllu import import_files
    from runner.corpus.store.opening import Store

    if isinstance(corpus, str | Path):
        path = Path(corpus)
        yield cached_store([path]) if is_conllu(path) else Store.open(path)
        return
    sentences: Sequence[Sentence] = [corpus] if isinstance(corpus, Sentence) else list(corpus)
    with TemporaryDirectory() as folder:
        file = Path(folder) / "sentences.conllu"
        file.write_bytes("".join(f"{sentence.conllu}\n\n" for sentence in sentences).encode())
        yield import_files([file], Path(folder) / "store")
