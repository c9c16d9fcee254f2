"""Pairs of filters that `fictc diff` compares, and their output: text, JSON, ids and CoNLL-U."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from fictdsl.words import counted
from runner.cli.terminal import for_output, highlighted, styled, terminal_width
from runner.corpus.show import FilterPair, conllu_of, entry_of, filter_pair, kwic
from runner.tables import aligned

if TYPE_CHECKING:
    from fictdsl.compiler import CompiledFilter
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
    """Yield a table of counts, then the sentences of each pair."""
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
    """Yield one object with the corpus and, for each pair, both filters, the counts and the sentences."""
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
