"""`fictc diff`: compare the matches of two filters, or the results of two rewrites on a corpus."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias, TypeVar

import click

from fictdsl.words import counted
from runner.cli import query_options, terminal
from runner.cli.options import SEED, Count, format_option, relations
from runner.corpus.filter_arguments import load_filters, load_rewrites
from runner.corpus.limits import Limits
from runner.corpus.show import (
    Pair,
    compare_pair,
    conllu_of,
    conllu_with,
    entry_of,
    filter_pair,
    format_position,
    kwic,
    select_sids,
)
from runner.tables import aligned

if TYPE_CHECKING:
    from fictdsl.compiler import CompiledFilter, CompiledRewrite
    from fictdsl.syntax.files import ListOverrides
    from runner.corpus.rewrite import RewriteComparison, Rewritten
    from runner.corpus.sentence_texts import SentenceLocation
    from runner.corpus.show import FilterDifference, MatchedSentence
    from runner.corpus.store import Store


DEFAULT_EXAMPLES = 5  # default number of sentences of each kind for a single pair
T = TypeVar("T", "CompiledFilter", "CompiledRewrite")


@click.command(
    name="diff",
    help=f"""Compare the matches of two filters: gained sentences match only B, lost sentences match only A.

    {query_options.FILTER_HELP.replace("FILTER is one of", "A and B are each one of")}

    If A or B has several filters, those of the same name are compared. Without a corpus, the command reports whether
    the filters differ only in names and order.

    For two rewrites, the command shows the sentences whose resulting text or tree differs.

    \b
    Examples:
      fictc diff fict15/agr-pp-mod fict15-paper/agr-pp-mod --corpus stores/ewt
      fictc diff dative.fict dative-strict.fict --corpus stores/ewt
    """,
)
@click.argument("a", metavar="A", shell_complete=query_options.complete_filters)
@click.argument("b", metavar="B", shell_complete=query_options.complete_filters)
@query_options.corpus_option(required=False)
@click.option(
    "-n",
    "limit",
    type=Count(),
    help=f"Sentences of each kind to show [default: {DEFAULT_EXAMPLES}; none for several pairs; all for ids and "
    "conllu].",
)
@click.option("--sample", type=Count(1), metavar="N", help="Show a random sample of N sentences of each kind.")
@click.option(
    "--seed",
    type=SEED,
    default=0,
    show_default=False,
    help="Seed for the random sample, and for random rewrites [default: 0].",
)
@format_option(
    "text",
    "json",
    "ids",
    "conllu",
    help="text: counts, and sentences with the bound words marked. ids: + or - and the sent_id of each sentence "
    "(source:number if it has none). conllu: the sentences, with a comment that says gained or lost.",
)
@query_options.lists_option
@query_options.limits_options()
@relations("-n, --sample, --seed, --format requires --corpus", "-n excludes --sample")
def command(
    a: str,
    b: str,
    corpus: tuple[Path, ...],
    limit: int | None,
    sample: int | None,
    seed: int,
    output_format: str,
    limits: Limits,
    lists: ListOverrides,
) -> None:
    kind, pairs = _load_pairs(a, b, lists)
    if not corpus:
        if names := ", ".join(pair.name for pair in pairs if not pair.same):
            hint = f"Compare their {kind.results} with --corpus STORE"
            raise click.UsageError(f"these {kind.noun}s differ: {names}. {hint}")
        for pair in pairs:
            click.echo(kind.equality(pair))
        return
    store = query_options.open_corpus(corpus, limits)
    query_options.note_absent_labels(store, kind.filters(pairs))
    count = limit if sample is None else sample
    if count is None and output_format not in ("ids", "conllu"):
        count = DEFAULT_EXAMPLES if len(pairs) == 1 else 0
    outcomes = [kind.compare(store, pair, count, seed if sample else None, seed) for pair in pairs]
    escape = terminal.block_for_output if output_format == "conllu" else str  # the other formats are escaped
    for line in _FORMATTERS[output_format](outcomes, store):
        click.echo(escape(line))


def _load_pairs(a: str, b: str, lists: ListOverrides) -> tuple[type[Outcome], list[Pair[Any]]]:
    rewrites = [load_rewrites([argument], lists) for argument in (a, b)]
    if not any(rewrites):
        filters = [load_filters([argument], lists) for argument in (a, b)]
        query_options.check_lists([*filters[0], *filters[1]], lists)
        return FilterOutcome, [filter_pair(first, second) for first, second in _pairs("filter", *filters)]
    query_options.check_lists([rewrite.matching for side in rewrites for rewrite in side], lists)
    query_options.note_filters_beside([rewrite for side in rewrites for rewrite in side], (a, b), lists)
    if not all(rewrites):
        raise click.UsageError(f"{a if rewrites[0] else b} has a rewrite, and {b if rewrites[0] else a} has none")
    pairs = _pairs("rewrite", *rewrites)
    return RewriteOutcome, [Pair(first, second, first.key == second.key) for first, second in pairs]


def _pairs(noun: str, first: Sequence[T], second: Sequence[T]) -> list[tuple[T, T]]:
    """Pair items of the same name, or the only item of each side; note unpaired ones on standard error."""
    if len(first) == len(second) == 1:
        return [(first[0], second[0])]
    for side, items in (("A", first), ("B", second)):
        labels: dict[str, str] = {}
        for item in items:
            label = f"{item.path}::{item.name}"
            if item.name in labels:
                raise click.UsageError(f"two {noun}s of {side} have the same name: {labels[item.name]}, {label}")
            labels[item.name] = label
    by_name = {item.name: item for item in second}
    pairs = [(item, by_name[item.name]) for item in first if item.name in by_name]
    if not pairs:
        raise click.UsageError(f"A and B have no {noun} of the same name")
    paired = {item.name for item, _ in pairs}
    for side, items in (("A", first), ("B", second)):
        if unpaired := [item.name for item in items if item.name not in paired]:
            terminal.print_message(f"note: only {side} has {', '.join(unpaired)}", err=True)
    return pairs


@dataclass(frozen=True)
class FilterOutcome:
    noun: ClassVar = "filter"
    results: ClassVar = "matches"
    heading: ClassVar = ("A", "B", "both", "gained", "lost")
    note: ClassVar = "; matches in parentheses"
    difference: FilterDifference

    @classmethod
    def compare(
        cls, store: Store, pair: Pair[CompiledFilter], count: int | None, sample_seed: int | None, _: int
    ) -> FilterOutcome:
        return cls(compare_pair(store, pair, count, sample_seed))

    @staticmethod
    def filters(pairs: Sequence[Pair[CompiledFilter]]) -> list[CompiledFilter]:
        return [*(pair.first for pair in pairs), *(pair.second for pair in pairs if not pair.same)]

    @staticmethod
    def equality(pair: Pair[CompiledFilter]) -> str:
        suffix = "" if pair.first.ir.actions == pair.second.ir.actions else "; their actions differ"
        return f"{pair.name}: the same filter except for names and order{suffix}"

    @property
    def pair(self) -> Pair[CompiledFilter]:
        return self.difference.pair

    @property
    def cells(self) -> list[str]:
        comparison = self.difference.comparison
        counts = zip(comparison.sentences, comparison.matches, strict=True)
        totals = f"{comparison.common:,}", f"+{len(comparison.gained):,}", f"-{len(comparison.lost):,}"
        return [*(f"{sentences:,} ({matches:,})" for sentences, matches in counts), *totals]

    @property
    def examples(self) -> Iterator[tuple[str, str, Sequence[MatchedSentence], int]]:
        found, comparison = self.difference, self.difference.comparison
        yield "gained", "+", found.gained, len(comparison.gained)
        yield "lost", "-", found.lost, len(comparison.lost)

    @staticmethod
    def lines(sentence: MatchedSentence) -> Iterator[str]:
        return kwic(sentence, terminal.terminal_width(), terminal.styled)

    def blocks(self, title: str, sentence: MatchedSentence) -> Iterator[str]:
        yield conllu_of(sentence, [f"# diff = {title} {self.pair.name}"]).removesuffix("\n")

    @property
    def record(self) -> dict[str, Any]:
        comparison = self.difference.comparison
        sides = zip("ab", (self.pair.first, self.pair.second), comparison.sentences, comparison.matches, strict=True)
        return {
            **{
                side: {**_definition(compiled), "sentences": sentences, "matches": matches}
                for side, compiled, sentences, matches in sides
            },
            "same_definition": self.pair.same,
            "both": comparison.common,
            "gained": len(comparison.gained),
            "lost": len(comparison.lost),
            "examples": {title: list(map(entry_of, sentences)) for title, _, sentences, _ in self.examples},
        }


@dataclass(frozen=True)
class DifferentSentence:
    """A sentence for which two rewrites have different results, None for a result that does not change it."""

    location: SentenceLocation
    block: str
    text: str
    results: tuple[Rewritten | None, Rewritten | None]

    @property
    def texts(self) -> tuple[str | None, str | None]:
        first, second = (self.text if result is None else result.text for result in self.results)
        return first, second


@dataclass(frozen=True)
class RewriteOutcome:
    noun: ClassVar = "rewrite"
    results: ClassVar = "results"
    heading: ClassVar = ("A changes", "B changes", "different")
    note: ClassVar = ""
    pair: Pair[CompiledRewrite]
    comparison: RewriteComparison
    sentences: Sequence[DifferentSentence]

    @classmethod
    def compare(
        cls, store: Store, pair: Pair[CompiledRewrite], count: int | None, sample_seed: int | None, seed: int
    ) -> RewriteOutcome:
        import numpy as np

        from runner.corpus.rewrite import compare_rewrites

        comparison = compare_rewrites(store, pair.first, pair.second, seed)
        different = np.array(comparison.different_sids, np.int64)
        sids = select_sids(different, len(different) if count is None else count, sample_seed)
        return cls(pair, comparison, list(_different_sentences(store, pair, sids, seed)))

    @staticmethod
    def filters(pairs: Sequence[Pair[CompiledRewrite]]) -> list[CompiledFilter]:
        return [rewrite.matching for pair in pairs for rewrite in (pair.first, pair.second)]

    @staticmethod
    def equality(pair: Pair[CompiledRewrite]) -> str:
        return f"{pair.name}: the same rewrite except for names"

    @property
    def cells(self) -> list[str]:
        return [f"{count:,}" for count in (*self.comparison.changed_counts, len(self.comparison.different_sids))]

    @property
    def examples(self) -> Iterator[tuple[str, str, Sequence[DifferentSentence], int]]:
        yield "different", "", self.sentences, len(self.comparison.different_sids)

    @staticmethod
    def lines(sentence: DifferentSentence) -> Iterator[str]:
        yield terminal.faint(terminal.for_output(format_position(sentence.location)))
        for side, text in zip("AB", sentence.texts, strict=True):
            yield f"  {side} {'(dropped)' if text is None else terminal.for_output(text)}"

    def blocks(self, _: str, sentence: DifferentSentence) -> Iterator[str]:
        for side, result in zip("AB", sentence.results, strict=True):
            block = sentence.block if result is None else result.conllu
            if block is not None:
                yield conllu_with(block.rstrip("\r\n") + "\n", [f"# diff = {side} {self.pair.name}"])

    @property
    def record(self) -> dict[str, Any]:
        sides = zip("ab", (self.pair.first, self.pair.second), self.comparison.changed_counts, strict=True)
        return {
            **{side: {**_definition(rewrite), "changed": changed} for side, rewrite, changed in sides},
            "same_definition": self.pair.same,
            "different": len(self.comparison.different_sids),
            "examples": [
                {**sentence.location.record, "text": sentence.text} | dict(zip("ab", sentence.texts, strict=True))
                for sentence in self.sentences
            ],
        }


Outcome: TypeAlias = FilterOutcome | RewriteOutcome


def _different_sentences(
    store: Store, pair: Pair[CompiledRewrite], sids: Any, seed: int
) -> Iterator[DifferentSentence]:
    from runner.corpus.rewrite import Rewriting
    from runner.corpus.sentence_texts import conllu_blocks, locate, sentence_texts

    sides = (pair.first, pair.second)
    results = [dict(Rewriting(store, [rewrite], seed, sids=sids).changed()) for rewrite in sides]
    columns = (locate(store, sids), conllu_blocks(store, sids), sentence_texts(store, sids))
    for location, block, text in zip(*columns, strict=True):
        first, second = (by_sid.get(location.sid) for by_sid in results)
        yield DifferentSentence(location, block, text, (first, second))


def _definition(item: CompiledFilter | CompiledRewrite) -> dict[str, str]:
    return {"name": item.name, "path": str(item.path), "key": item.key}


def _as_text(outcomes: Sequence[Any], store: Store) -> Iterator[str]:
    heading = outcomes[0].heading
    rows = [["", *heading], *([outcome.pair.name, *outcome.cells] for outcome in outcomes)]
    yield from aligned(rows, range(1, len(heading) + 1))
    yield f"of {counted(store.info.sentences, 'sentence')}{outcomes[0].note}"
    yield from (outcome.equality(outcome.pair) for outcome in outcomes if outcome.pair.same)
    for outcome in outcomes:
        prefix = f"{outcome.pair.name}: " if len(outcomes) > 1 else ""
        for title, _, sentences, total in outcome.examples:
            if sentences:
                shown = "" if len(sentences) == total else f", {len(sentences):,} of {total:,} shown"
                yield ""
                yield terminal.highlighted(f"{prefix}{title}") + shown
                for sentence in sentences:
                    yield from outcome.lines(sentence)


def _as_ids(outcomes: Sequence[Any], _: Store) -> Iterator[str]:
    for outcome in outcomes:
        name = outcome.pair.name if len(outcomes) > 1 else ""
        for _, sign, sentences, _ in outcome.examples:
            for sentence in sentences:
                yield terminal.for_output("\t".join(filter(None, [name, sign, sentence.location.name])))


def _as_conllu(outcomes: Sequence[Any], _: Store) -> Iterator[str]:
    for outcome in outcomes:
        for title, _, sentences, _ in outcome.examples:
            for sentence in sentences:
                yield from outcome.blocks(title, sentence)


def _as_json(outcomes: Sequence[Any], store: Store) -> Iterator[str]:
    corpus = {"store": store.key, "sentences": store.info.sentences}
    yield json.dumps({"corpus": corpus, "pairs": [outcome.record for outcome in outcomes]}, indent=2)


_FORMATTERS: dict[str, Callable[[Sequence[Any], Store], Iterator[str]]] = {
    "text": _as_text,
    "json": _as_json,
    "ids": _as_ids,
    "conllu": _as_conllu,
}
