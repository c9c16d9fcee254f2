"""Pairs of filters or rewrites that `fictc diff` compares, and their output: text, JSON, ids and CoNLL-U."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from fictdsl.words import counted
from runner.cli.messages import print_message
from runner.cli.terminal import faint, for_output, highlighted, styled, terminal_width
from runner.corpus.show import FilterPair, conllu_of, conllu_with, entry_of, filter_pair, format_position, kwic
from runner.tables import aligned

if TYPE_CHECKING:
    from fictdsl.compiler import CompiledFilter, CompiledRewrite
    from runner.corpus.rewrite import Rewritten
    from runner.corpus.rewritten_texts import RewriteComparison
    from runner.corpus.sentence_texts import SentenceLocation
    from runner.corpus.show import FilterDifference, MatchedSentence
    from runner.corpus.store import Store


def check_names_differ(kind: str, *sides: Sequence[CompiledFilter]) -> None:
    """Raise UsageError if filters of a side have the same name. `kind` is filter or rewrite."""
    for side, filters in zip("AB", sides, strict=True):
        labels: dict[str, str] = {}
        for compiled in filters:
            label = f"{compiled.path}::{compiled.name}"
            if compiled.name in labels:
                raise click.UsageError(f"two {kind}s of {side} have the same name: {labels[compiled.name]}, {label}")
            labels[compiled.name] = label


def pair_filters(
    first: Sequence[CompiledFilter], second: Sequence[CompiledFilter]
) -> tuple[list[FilterPair], list[tuple[str, str]]]:
    """Return the pairs of filters with the same name, and the side and name of each unpaired filter.

    If each side has one filter, they form a pair whatever their names. Raises UsageError if there is no pair, or if
    filters of one side have the same name.
    """
    if len(first) == len(second) == 1:
        return [filter_pair(first[0], second[0])], []
    check_names_differ("filter", first, second)
    by_name = {compiled.name: compiled for compiled in second}
    pairs = [filter_pair(compiled, by_name[compiled.name]) for compiled in first if compiled.name in by_name]
    if not pairs:
        raise click.UsageError("A and B have no filter of the same name")
    names = {pair.first.name for pair in pairs}
    unpaired = [("A", compiled.name) for compiled in first if compiled.name not in names]
    return pairs, unpaired + [("B", compiled.name) for compiled in second if compiled.name not in names]


def equality_line(pair: FilterPair) -> str:
    """Return the line for two equal filters, with a note if their actions differ."""
    actions = [compiled.ir.actions for compiled in (pair.first, pair.second)]
    suffix = "" if actions[0] == actions[1] else "; their actions differ"
    return f"{pair.name}: the same filter except for names and order{suffix}"


def as_text(outcomes: Sequence[FilterDifference], store: Store) -> Iterator[str]:
    yield from _table(outcomes)
    yield f"of {counted(store.info.sentences, 'sentence')}; matches in parentheses"
    for outcome in outcomes:
        if outcome.pair.same:
            yield equality_line(outcome.pair)
    for outcome in outcomes:
        prefix = f"{outcome.pair.name}: " if len(outcomes) > 1 else ""
        yield from _examples(f"{prefix}gained", outcome.gained, len(outcome.comparison.gained))
        yield from _examples(f"{prefix}lost", outcome.lost, len(outcome.comparison.lost))


def _table(outcomes: Sequence[FilterDifference]) -> list[str]:
    rows = [["", "A", "B", "both", "gained", "lost"]]
    for outcome in outcomes:
        comparison = outcome.comparison
        counts = [
            f"{sentences:,} ({matches:,})"
            for sentences, matches in zip(comparison.sentences, comparison.matches, strict=True)
        ]
        totals = f"{comparison.common:,}", f"+{len(comparison.gained):,}", f"-{len(comparison.lost):,}"
        rows.append([outcome.pair.name, *counts, *totals])
    return aligned(rows, range(1, 6))


def _examples(title: str, sentences: Sequence[MatchedSentence], total: int) -> Iterator[str]:
    if not sentences:
        return
    suffix = "" if len(sentences) == total else f", {len(sentences):,} of {total:,} shown"
    yield ""
    yield highlighted(title) + suffix
    for sentence in sentences:
        yield from kwic(sentence, terminal_width(), styled)


def as_ids(outcomes: Sequence[FilterDifference], _store: Store) -> Iterator[str]:
    """Yield `+` or `-` and the sent_id (or `source:number`) of each sentence, after the pair if there are several."""
    for outcome in outcomes:
        name = [outcome.pair.name] if len(outcomes) > 1 else []
        for sign, sentences in (("+", outcome.gained), ("-", outcome.lost)):
            for sentence in sentences:
                location = sentence.location
                yield for_output("\t".join([*name, sign, location.sent_id or f"{location.source}:{location.number}"]))


def as_conllu(outcomes: Sequence[FilterDifference], _store: Store) -> Iterator[str]:
    """Yield each sentence as imported, with the comment `diff` (gained or lost, and the pair) and one per match."""
    for outcome in outcomes:
        for change, sentences in (("gained", outcome.gained), ("lost", outcome.lost)):
            for sentence in sentences:
                block = conllu_of(sentence, [f"# diff = {change} {outcome.pair.name}"])
                yield block.removesuffix("\n")


def as_json(outcomes: Sequence[FilterDifference], store: Store) -> Iterator[str]:
    corpus = {"store": store.key, "sentences": store.info.sentences}
    yield json.dumps({"corpus": corpus, "pairs": [_outcome_record(outcome) for outcome in outcomes]}, indent=2)


def _outcome_record(outcome: FilterDifference) -> dict[str, Any]:
    comparison, pair = outcome.comparison, outcome.pair
    return {
        "a": _filter_record(pair.first, comparison.sentences[0], comparison.matches[0]),
        "b": _filter_record(pair.second, comparison.sentences[1], comparison.matches[1]),
        "same_definition": pair.same,
        "both": comparison.common,
        "gained": len(comparison.gained),
        "lost": len(comparison.lost),
        "examples": {
            "gained": [entry_of(sentence) for sentence in outcome.gained],
            "lost": [entry_of(sentence) for sentence in outcome.lost],
        },
    }


def _filter_record(compiled: CompiledFilter, sentences: int, matches: int) -> dict[str, Any]:
    path = str(compiled.path)
    return {"name": compiled.name, "path": path, "key": compiled.key, "sentences": sentences, "matches": matches}


FORMATTERS = {"text": as_text, "json": as_json, "ids": as_ids, "conllu": as_conllu}


@dataclass(frozen=True)
class RewritePair:
    first: CompiledRewrite
    second: CompiledRewrite

    @property
    def name(self) -> str:
        first, second = self.first.name, self.second.name
        return first if first == second else f"{first} → {second}"

    @property
    def same(self) -> bool:
        """Whether they are equal except for names."""
        return self.first.key == self.second.key


@dataclass(frozen=True)
class DifferentSentence:
    """A sentence for which two rewrites have different results: its location, stored CoNLL-U, text and results.

    A result is None if the sentence does not change.
    """

    location: SentenceLocation
    block: str
    text: str
    results: tuple[Rewritten | None, Rewritten | None]

    @property
    def texts(self) -> tuple[str | None, str | None]:
        """The text after each rewrite, None if the rewrite drops the sentence."""
        first, second = (self.text if result is None else result.text for result in self.results)
        return first, second


@dataclass(frozen=True)
class RewriteOutcome:
    pair: RewritePair
    comparison: RewriteComparison
    sentences: Sequence[DifferentSentence]


def pair_rewrites(first: Sequence[CompiledRewrite], second: Sequence[CompiledRewrite]) -> list[RewritePair]:
    """Return the pairs of rewrites with the same name. Report the other rewrites on standard error.

    If each side has one rewrite, they form a pair whatever their names. Raises UsageError if there is no pair, or if
    rewrites of one side have the same name.
    """
    if len(first) == len(second) == 1:
        return [RewritePair(first[0], second[0])]
    check_names_differ("rewrite", *([rewrite.matching for rewrite in side] for side in (first, second)))
    by_name = {rewrite.name: rewrite for rewrite in second}
    pairs = [RewritePair(rewrite, by_name[rewrite.name]) for rewrite in first if rewrite.name in by_name]
    if not pairs:
        raise click.UsageError("A and B have no rewrite of the same name")
    names = {pair.first.name for pair in pairs}
    for side, rewrites in (("A", first), ("B", second)):
        if unpaired := [rewrite.name for rewrite in rewrites if rewrite.name not in names]:
            print_message(f"note: only {side} has {', '.join(unpaired)}", err=True)
    return pairs


def rewrite_outcome(
    store: Store, pair: RewritePair, limit: int | None, sample_seed: int | None, seed: int
) -> RewriteOutcome:
    """Compare a pair on a store, and read up to `limit` of the sentences that differ (all if None).

    These are the first sentences, or a random sample if `sample_seed` is given. `seed` is for random rewrites.
    """
    import numpy as np

    from runner.corpus.rewritten_texts import compare_rewrites
    from runner.corpus.show import select_sids

    comparison = compare_rewrites(store, pair.first, pair.second, seed)
    different = np.array(comparison.different_sids, np.int64)
    sids = select_sids(different, len(different) if limit is None else limit, sample_seed)
    return RewriteOutcome(pair, comparison, list(_sentences(store, pair, sids, seed)))


def _sentences(store: Store, pair: RewritePair, sids: Any, seed: int) -> Iterator[DifferentSentence]:
    from runner.corpus.rewrite import new_counts, rewrite_batches
    from runner.corpus.sentence_texts import conllu_blocks, locate, sentence_texts

    results: list[dict[int, Rewritten]] = []
    for rewrite in (pair.first, pair.second):
        batches = rewrite_batches(store, [rewrite], seed, new_counts([rewrite]), sids)
        results.append(
            {batch.rows.column("sid")[row].as_py(): new for batch in batches for row, new in batch.changed.items()}
        )
    columns = (locate(store, sids), conllu_blocks(store, sids), sentence_texts(store, sids))
    for location, block, text in zip(*columns, strict=True):
        first, second = (by_sid.get(location.sid) for by_sid in results)
        yield DifferentSentence(location, block, text, (first, second))


# --- output


def rewrite_equality_line(pair: RewritePair) -> str:
    return f"{pair.name}: the same rewrite except for names"


def rewrites_as_text(outcomes: Sequence[RewriteOutcome], store: Store) -> Iterator[str]:
    rows = [["", "A changes", "B changes", "different"]]
    for outcome in outcomes:
        counts = (*outcome.comparison.changed_counts, len(outcome.comparison.different_sids))
        rows.append([outcome.pair.name, *(f"{count:,}" for count in counts)])
    yield from aligned(rows, range(1, 4))
    yield f"of {counted(store.info.sentences, 'sentence')}"
    yield from (rewrite_equality_line(outcome.pair) for outcome in outcomes if outcome.pair.same)
    for outcome in outcomes:
        yield from _diff_rewrites_examples(outcome, several=len(outcomes) > 1)


def _diff_rewrites_examples(outcome: RewriteOutcome, *, several: bool) -> Iterator[str]:
    if not outcome.sentences:
        return
    total = len(outcome.comparison.different_sids)
    suffix = "" if len(outcome.sentences) == total else f", {len(outcome.sentences):,} of {total:,} shown"
    yield ""
    yield highlighted(f"{outcome.pair.name}: different" if several else "different") + suffix
    for sentence in outcome.sentences:
        yield faint(for_output(format_position(sentence.location)))
        for side, result in zip("AB", sentence.texts, strict=True):
            yield f"  {side} {'(dropped)' if result is None else for_output(result)}"


def rewrites_as_ids(outcomes: Sequence[RewriteOutcome], _store: Store) -> Iterator[str]:
    """Yield the sent_id (or `source:number`) of each sentence that differs, after the pair if there are several."""
    for outcome in outcomes:
        name = [outcome.pair.name] if len(outcomes) > 1 else []
        for sentence in outcome.sentences:
            location = sentence.location
            yield for_output("\t".join([*name, location.sent_id or f"{location.source}:{location.number}"]))


def rewrites_as_conllu(outcomes: Sequence[RewriteOutcome], _store: Store) -> Iterator[str]:
    """Yield both results of each sentence that differs, with the comment `diff` (A or B, and the pair).

    A result is omitted if the rewrite drops the sentence.
    """
    for outcome in outcomes:
        for sentence in outcome.sentences:
            for side, result in zip("AB", sentence.results, strict=True):
                block = sentence.block if result is None else result.conllu
                if block is not None:
                    comments = [f"# diff = {side} {outcome.pair.name}"]
                    yield conllu_with(block.rstrip("\r\n") + "\n", comments)


def rewrites_as_json(outcomes: Sequence[RewriteOutcome], store: Store) -> Iterator[str]:
    corpus = {"store": store.key, "sentences": store.info.sentences}
    yield json.dumps(
        {"corpus": corpus, "pairs": [_diff_rewrites_outcome_record(outcome) for outcome in outcomes]}, indent=2
    )


def _diff_rewrites_outcome_record(outcome: RewriteOutcome) -> Mapping[str, Any]:
    sides = zip("ab", (outcome.pair.first, outcome.pair.second), outcome.comparison.changed_counts, strict=True)
    rewrites = {
        side: {"name": rewrite.name, "path": str(rewrite.matching.path), "key": rewrite.key, "changed": changed}
        for side, rewrite, changed in sides
    }
    examples = [_sentence_record(sentence) for sentence in outcome.sentences]
    return {
        **rewrites,
        "same_definition": outcome.pair.same,
        "different": len(outcome.comparison.different_sids),
        "examples": examples,
    }


def _sentence_record(sentence: DifferentSentence) -> Mapping[str, Any]:
    location, (first, second) = sentence.location, sentence.texts
    position = {"source": location.source, "number": location.number, "sent_id": location.sent_id}
    return {**position, "text": sentence.text, "a": first, "b": second}


REWRITE_FORMATTERS = {
    "text": rewrites_as_text,
    "json": rewrites_as_json,
    "ids": rewrites_as_ids,
    "conllu": rewrites_as_conllu,
}
