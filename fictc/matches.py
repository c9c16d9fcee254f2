"""A filter and sentences, or a store, to matches that show the words they bind."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from fictc.errors import as_filter_error
from fictc.filters import Filter, Filters, Lists, only_filter
from fictc.sentences import Sentence, Word, read_conllu, sentence, shown
from fictdsl.draw.context import context
from fictdsl.draw.pieces import plain
from fictdsl.draw.svg import svg
from fictdsl.draw.terminal import tree_lines
from fictdsl.draw.tree import Tree, labels
from fictdsl.reference.evaluate import Evaluator

_SHOWN = 10  # matches that a notebook draws
_UNBOUND = 0  # sorts a name that is not bound first, as a store does


@dataclass(frozen=True)
class Match:
    """One way in which a filter matches a sentence: `ids` maps each bound name to the id of its word."""

    filter: Filter = field(repr=False)
    sentence: Sentence
    ids: dict[str, int]

    def __getitem__(self, name: str) -> Word:
        """The word bound to a name; KeyError where the match does not bind it."""
        return self.sentence.words[self.ids[name] - 1]

    def __contains__(self, name: object) -> bool:
        return name in self.ids

    @property
    def words(self) -> dict[str, Word]:
        """The words that it binds, by name."""
        return {name: self[name] for name in self.ids}

    def tree(self) -> Tree:
        """What is drawn of it."""
        return self.sentence.tree(labels(self.ids))

    def __str__(self) -> str:
        return plain(tree_lines(self.tree()))

    def __repr__(self) -> str:
        return f"<Match {self.filter.name}: {plain([context(self.tree())])}>"

    def _repr_svg_(self) -> str:
        return svg(self.tree())

    def _repr_html_(self) -> str:
        return shown(self.tree())


class Matches(list[Match]):
    """Matches in the order of the corpus, none twice; a notebook draws the first of them."""

    def rows(self) -> list[dict[str, Any]]:
        """A row for each match, such as a data frame is made from: ids, and forms, tags and relations by name."""
        return [_row(one) for one in self]

    def _repr_html_(self) -> str:
        drawn = "".join(one._repr_html_() for one in self[:_SHOWN])
        counted = f"{len(self):,} match{'es' * (len(self) != 1)}"
        return f"<p>{counted}{f', the first {_SHOWN}' if len(self) > _SHOWN else ''}</p>{drawn}"


def _row(one: Match) -> dict[str, Any]:
    row: dict[str, Any] = {"sent_id": one.sentence.sent_id, "text": one.sentence.text}
    for name, word in one.words.items():
        row |= {name: word.id, f"{name}.form": word.form, f"{name}.lemma": word.lemma}
        row |= {f"{name}.upos": word.upos, f"{name}.deprel": word.deprel}
    return row


def match(
    filter: Filter | Filters | str | Path,  # noqa: A002
    corpus: Sentence | Iterable[Sentence] | str | Path,
    lists: Lists | None = None,
) -> Matches:
    """Find every match in a sentence, in sentences, in a file of CoNLL-U, or in a store given by its folder.

    The filter may be named as on the command line: `FILE` of one filter, `FILE::name`, `fict15/passive`. Raises
    FilterError for mistakes in it or in the corpus, ValueError for several filters. `lists` of a filter that is named
    are those of `compile_text`.

    Sentences are judged by the interpreter that defines what a filter means, which needs no other package. A store is
    asked through DuckDB, which needs the extra `corpus`. Both find the same.
    """
    chosen = filter if isinstance(filter, Filter) and lists is None else only_filter(filter, lists)
    if isinstance(corpus, str | Path) and not Path(corpus).is_file():
        return Matches(_in_store(chosen, Path(corpus)))
    sentences = read_conllu(Path(corpus)) if isinstance(corpus, str | Path) else corpus
    return Matches(_in_sentences(chosen, [sentences] if isinstance(sentences, Sentence) else sentences))


def _in_sentences(filter: Filter, sentences: Iterable[Sentence]) -> Iterator[Match]:  # noqa: A002
    compiled = filter.compiled
    evaluator = Evaluator(compiled.module, compiled.definition, compiled.value)
    for one in sentences:
        if not isinstance(one, Sentence):
            raise TypeError(f"sentences are expected, such as read_conllu returns, not {type(one).__name__}")
        found = [dict(bound) for bound in evaluator.matches(one.read)]
        for ids in sorted(found, key=lambda ids: [ids.get(name, _UNBOUND) for name in filter.names]):
            yield Match(filter, one, {name: ids[name] for name in filter.names if name in ids})


def _in_store(filter: Filter, path: Path) -> Iterator[Match]:  # noqa: A002
    with as_filter_error():
        from runner.corpus.query.matched_sentences import find
        from runner.corpus.query.matches import matching_sids
        from runner.corpus.store.opening import Store

        store = Store.open(path)
        sids = matching_sids(store, [filter.compiled.statement(layout=store.layout)])
        for found in find(store, filter.compiled, sids):
            one = sentence(found.block)
            one = replace(one, read=replace(one.read, doc=found.place.doc))
            for ids in found.matches:
                yield Match(filter, one, dict(ids))
