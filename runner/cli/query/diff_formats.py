"""What two filters match into text for people, JSON, ids, or CoNLL-U."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from runner.cli.shared.terminal import for_output, highlighted, styled, terminal_width
from runner.cli.show.formats import conllu_of, entry_of, kwic

if TYPE_CHECKING:
    from fictdsl.compiler import CompiledFilter
    from runner.cli.query.diff_pairs import Outcome, Pair
    from runner.corpus.query.matched_sentences import Found
    from runner.corpus.store.opening import Store


def sameness(pair: Pair) -> str:
    """That two filters are the same, and whether they do the same with what they match."""
    acts = [one.ir.actions for one in (pair.first, pair.second)]
    but = "" if acts[0] == acts[1] else "; what they do with it differs"
    return f"{pair.name}: the same filter up to names and order{but}"


def text(outcomes: Sequence[Outcome], store: Store) -> Iterator[str]:
    """A table of counts, then the sentences of each pair."""
    yield from _table(outcomes)
    yield f"of {store.info.sentences:,} sentences; matches in parentheses"
    for outcome in outcomes:
        if outcome.pair.same:
            yield sameness(outcome.pair)
    for outcome in outcomes:
        head = f"{outcome.pair.name}: " if len(outcomes) > 1 else ""
        yield from _examples(f"{head}gained", outcome.gained, len(outcome.found.gained))
        yield from _examples(f"{head}lost", outcome.lost, len(outcome.found.lost))


def _table(outcomes: Sequence[Outcome]) -> Iterator[str]:
    rows = [["", "A", "B", "both", "gained", "lost"]]
    for outcome in outcomes:
        found = outcome.found
        counts = [f"{s:,} ({m:,})" for s, m in zip(found.sentences, found.matches, strict=True)]
        changed = f"{found.both:,}", f"+{len(found.gained):,}", f"-{len(found.lost):,}"
        rows.append([outcome.pair.name, *counts, *changed])
    widths = [max(len(row[column]) for row in rows) for column in range(6)]
    for row in rows:
        yield f"{row[0]:{widths[0]}}" + "".join(f"  {c:>{w}}" for c, w in zip(row[1:], widths[1:], strict=True))


def _examples(title: str, found: Sequence[Found], total: int) -> Iterator[str]:
    if not found:
        return
    shown = "" if len(found) == total else f", {len(found):,} of {total:,} shown"
    yield ""
    yield highlighted(title) + shown
    for one in found:
        yield from kwic(one, terminal_width(), styled)


def ids(outcomes: Sequence[Outcome], _store: Store) -> Iterator[str]:
    """`+` or `-` and the name of each sentence, with the name of the pair where there are several."""
    for outcome in outcomes:
        name = [outcome.pair.name] if len(outcomes) > 1 else []
        for sign, found in (("+", outcome.gained), ("-", outcome.lost)):
            for one in found:
                place = one.place
                yield for_output("\t".join([*name, sign, place.sent_id or f"{place.source}:{place.number}"]))


def conllu(outcomes: Sequence[Outcome], _store: Store) -> Iterator[str]:
    """Each sentence as it was read, with comments that say which filter gained or lost it, and for each match."""
    for outcome in outcomes:
        for word, found in (("gained", outcome.gained), ("lost", outcome.lost)):
            for one in found:
                block = conllu_of(one, [f"# diff = {word} {outcome.pair.name}"])
                yield block.removesuffix("\n")


def as_json(outcomes: Sequence[Outcome], store: Store) -> Iterator[str]:
    """One object: the corpus, and for each pair both filters, the counts, and the sentences."""
    corpus = {"store": store.key, "sentences": store.info.sentences}
    yield json.dumps({"corpus": corpus, "pairs": [_pair(outcome) for outcome in outcomes]}, indent=2)


def _pair(outcome: Outcome) -> dict[str, Any]:
    found, pair = outcome.found, outcome.pair
    return {
        "a": _filter(pair.first, found.sentences[0], found.matches[0]),
        "b": _filter(pair.second, found.sentences[1], found.matches[1]),
        "same_definition": pair.same,
        "both": found.both,
        "gained": len(found.gained),
        "lost": len(found.lost),
        "examples": {
            "gained": [entry_of(one) for one in outcome.gained],
            "lost": [entry_of(one) for one in outcome.lost],
        },
    }


def _filter(compiled: CompiledFilter, sentences: int, matches: int) -> dict[str, Any]:
    path = str(compiled.path)
    return {"name": compiled.name, "path": path, "key": compiled.key, "sentences": sentences, "matches": matches}
