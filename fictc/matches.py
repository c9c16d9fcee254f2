"""Run a filter on sentences or a store: inspect the matches, or count them by group keys."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from fictc.errors import FilterError, as_filter_error
from fictc.filters import Filter, Filters, WordLists, only_filter
from fictc.sentences import Sentence, Word, check_sentences, notebook_html, parse_sentence, read_conllu
from fictdsl.diagnostics.codes import diagnostic
from fictdsl.draw.svg import svg
from fictdsl.draw.terminal import context, plain_text, tree_lines
from fictdsl.draw.tree import Tree, labels
from fictdsl.reference.evaluate import Evaluator
from fictdsl.words import counted

if TYPE_CHECKING:
    from runner.corpus.store import Store


Corpus = str | Path | Sentence | Iterable[Sentence]

_MAX_DRAWN = 10  # matches that a notebook draws
_UNBOUND = 0  # sorts unbound names first, as stores do


@dataclass(frozen=True)
class Match:
    """A match of a filter in a sentence; `ids` maps each bound name to a word id."""

    filter: Filter = field(repr=False)
    sentence: Sentence
    ids: dict[str, int]

    def __getitem__(self, name: str) -> Word:
        """Return the word bound to `name`. Raises KeyError if the match does not bind it."""
        return self.sentence.words[self.ids[name] - 1]

    def __contains__(self, name: object) -> bool:
        return name in self.ids

    @property
    def words(self) -> dict[str, Word]:
        """The bound words, by name."""
        return {name: self[name] for name in self.ids}

    def tree(self) -> Tree:
        """Return the tree to draw, with the bound words labelled."""
        return self.sentence.tree(labels(self.ids))

    def __str__(self) -> str:
        return plain_text(tree_lines(self.tree()))

    def __repr__(self) -> str:
        return f"<Match {self.filter.name}: {plain_text([context(self.tree())])}>"

    def _repr_svg_(self) -> str:
        return svg(self.tree())

    def _repr_html_(self) -> str:
        return notebook_html(self.tree())


class Matches(list[Match]):
    """Distinct matches in corpus order. A notebook draws the first ten."""

    def rows(self) -> list[dict[str, Any]]:
        """Return one row per match, for a data frame.

        A row has `sent_id`, `text`, and for each bound name, such as `V`, the word id `V` and the columns `V.form`,
        `V.lemma`, `V.upos` and `V.deprel`.
        """
        rows = []
        for match_ in self:
            row: dict[str, Any] = {"sent_id": match_.sentence.sent_id, "text": match_.sentence.text}
            for name, word in match_.words.items():
                row |= {name: word.id, f"{name}.form": word.form, f"{name}.lemma": word.lemma}
                row |= {f"{name}.upos": word.upos, f"{name}.deprel": word.deprel}
            rows.append(row)
        return rows

    def _repr_html_(self) -> str:
        drawings = "".join(match_._repr_html_() for match_ in self[:_MAX_DRAWN])
        count = counted(len(self), "match", "matches")
        return f"<p>{count}{f', the first {_MAX_DRAWN}' if len(self) > _MAX_DRAWN else ''}</p>{drawings}"


def match(
    filter: Filter | Filters | str | Path,  # noqa: A002
    corpus: Corpus,
    lists: WordLists | None = None,
) -> Matches:
    """Return every match in a sentence, an iterable of sentences, a CoNLL-U file, or a store given by its folder.

    `filter` may also be an argument of the command line: `FILE` with one filter, `FILE::name`, `fict15/passive`, or a
    query, such as `V:VERB -[nsubj]-> S`. Then `lists` replaces word lists as in `compile_text`. Raises FilterError if
    the filter or the corpus is invalid, and ValueError for several filters.

    The reference interpreter matches sentences and needs no other package. DuckDB matches a store and needs the extra
    `corpus`. Both return the same matches.
    """
    selected_filter = filter if isinstance(filter, Filter) and lists is None else only_filter(filter, lists)
    if isinstance(corpus, str | Path) and not Path(corpus).is_file():
        return Matches(_matches_in_store(selected_filter, Path(corpus)))
    sentences = read_conllu(Path(corpus)) if isinstance(corpus, str | Path) else corpus
    sentences = [sentences] if isinstance(sentences, Sentence) else sentences
    return Matches(_matches_in_sentences(selected_filter, sentences))


def _matches_in_sentences(filter: Filter, sentences: Iterable[Sentence]) -> Iterator[Match]:  # noqa: A002
    compiled = filter.compiled
    evaluator = Evaluator(compiled.module, compiled.definition, compiled.value)
    for sentence in sentences:
        check_sentences([sentence])
        bindings = [dict(binding) for binding in evaluator.matches(sentence.parsed)]
        for ids in sorted(bindings, key=lambda ids: [ids.get(name, _UNBOUND) for name in filter.names]):
            yield Match(filter, sentence, {name: ids[name] for name in filter.names if name in ids})


def _matches_in_store(filter: Filter, path: Path) -> Iterator[Match]:  # noqa: A002
    with as_filter_error():
        from runner.corpus.matches import matching_sids
        from runner.corpus.show import matched_sentences
        from runner.corpus.store import Store

        store = Store.open(path)
        sids = matching_sids(store, [filter.compiled])
        for matched_sentence in matched_sentences(store, filter.compiled, sids):
            sentence = parse_sentence(matched_sentence.block)
            sentence = replace(sentence, parsed=replace(sentence.parsed, doc=matched_sentence.location.doc))
            for ids in matched_sentence.matches:
                yield Match(filter, sentence, dict(ids))


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
        from runner.corpus.match_groups import counts_table
        from runner.corpus.match_keys import parse_group_keys

        return counts_table(store, selected_filter.compiled, parse_group_keys(by, selected_filter.compiled, store))


@contextmanager
def _open_store(corpus: Corpus) -> Iterator[Store]:
    """Open a store, or import CoNLL-U files or sentences into one."""
    from runner.corpus.import_conllu import cached_store, import_files, is_conllu
    from runner.corpus.store import Store

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
