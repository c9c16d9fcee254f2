"""Count the matches of a filter by group keys, as an Arrow table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from fictc.errors import FilterError, as_filter_error
from fictc.filters import Filter, Filters, WordLists, only_filter
from fictc.sentences import Sentence, check_sentences
from fictdsl.diagnostics.codes import diagnostic

if TYPE_CHECKING:
    from runner.corpus.store.opening import Store

Corpus = str | Path | Sentence | Iterable[Sentence]


def count(
    filter: Filter | Filters | str | Path,  # noqa: A002
    corpus: Corpus,
    by: str,
    lists: WordLists | None = None,
) -> Any:
    """Count the matches for each combination of key values, as `fictc show --by` does.

    `by` lists keys and aggregates, separated by commas. Returns a `pyarrow.Table` that has a string column for each
    key, named as in `by`, and the columns `matches`, `share` (of all matches) and one for each aggregate, such as
    `mean(length)`. The value of a key is `_` if the word lacks the attribute, and `(unbound)` if the match does not
    bind the name. An aggregate is a number, or null if no match has a value. pandas reads the table with
    `table.to_pandas()`, polars with `polars.from_arrow(table)`.

    `filter` and `lists` are as in `match`. `corpus` is a store, a CoNLL-U file, a folder of CoNLL-U files, or one or
    more sentences. CoNLL-U files are imported once, into the user's cache. Raises FilterError if the filter, the keys
    or the corpus are invalid, ValueError for several filters, and TypeError if an argument has the wrong type. Requires
    the `corpus` extra.
    """
    if not isinstance(by, str):
        raise TypeError(f'by= is a text such as "lemma(V),genre", found {type(by).__name__}')
    selected_filter = filter if isinstance(filter, Filter) and lists is None else only_filter(filter, lists)
    with as_filter_error(), _open_store(corpus) as store:
        from runner.corpus.query.groups.counts import counts_table
        from runner.corpus.query.groups.keys import parse_group_keys

        return counts_table(store, selected_filter.compiled, parse_group_keys(by, selected_filter.compiled, store))


@contextmanager
def _open_store(corpus: Corpus) -> Iterator[Store]:
    """Open a store, or import CoNLL-U files or sentences into one."""
    from runner.corpus.ingest.cached import cached_store, is_conllu
    from runner.corpus.ingest.import_conllu import import_files
    from runner.corpus.store.opening import Store

    if isinstance(corpus, str | Path):
        path = Path(corpus)
        yield cached_store([path]) if is_conllu(path) else Store.open(path)
        return
    sentences = [corpus] if isinstance(corpus, Sentence) else list(corpus)
    check_sentences(sentences)
    if not sentences:
        raise FilterError([diagnostic("FICT730", path="the list")])
    with TemporaryDirectory() as folder:
        files = list(_write_sentences(sentences, Path(folder)))
        yield import_files(files, Path(folder) / "store")


def _write_sentences(sentences: Sequence[Sentence], folder: Path) -> Iterator[Path]:
    """Write sentences to CoNLL-U files that preserve the document boundaries, and yield the files.

    A sentence without a document, after one with a document, begins a new file: in the same file, it would belong to
    that document.
    """
    blocks: list[str] = []
    doc: str | None = None
    for sentence in sentences:
        if blocks and sentence.doc is None and doc is not None:
            yield _write_blocks(blocks, folder)
            blocks = []
        if sentence.doc is not None and (sentence.doc != doc or "newdoc" in sentence.meta):
            blocks.append(f"# newdoc id = {sentence.doc}\n")
        blocks.append(f"{sentence.conllu}\n\n")
        doc = sentence.doc
    yield _write_blocks(blocks, folder)


def _write_blocks(blocks: Sequence[str], folder: Path) -> Path:
    file = folder / f"sentences-{len(list(folder.iterdir())) + 1}.conllu"
    file.write_bytes("".join(blocks).encode())
    return file
