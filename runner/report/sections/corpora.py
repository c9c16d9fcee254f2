"""Training corpora and their filters."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from fictdsl.words import listed
from runner.report.results import Condition
from runner.report.section import Section
from runner.report.statistics import Analysis, full_condition
from runner.tables import Column, Table, Value

KIND_DESCRIPTIONS = {"full": "full corpus", "remove-random": "random removal"}

TOKENS_SHARE = "mean over seeds, if a corpus is drawn for each"


def share_of_full(condition: Condition, full: Condition | None) -> float | None:
    """Return the training tokens of a condition as a share of those of the full corpus."""
    tokens, full_tokens = condition.mean_tokens(), full.mean_tokens() if full is not None else None
    return tokens / full_tokens if full_tokens and tokens is not None else None


def corpora(analysis: Analysis) -> Table:
    """Return the sizes of the training corpora, the changes that interventions made, and the overlap with suites."""
    conditions = analysis.results.conditions
    full = full_condition(analysis.results)
    suites = dict.fromkeys(suite for condition in conditions for suite in condition.overlap)
    has_edits = any(condition.edited_words for condition in conditions)
    has_injections = any(condition.injected_tokens for condition in conditions)
    columns = (
        Column("condition", "condition", "text", "name", look="name"),
        Column("what", "description", "text", describe, look="quiet prose"),
        Column("kind", "kind", shown=False),
        Column("control_of", "control of", shown=False),
        Column("control", "control", shown=False),
        Column(
            "sentences",
            "sentences",
            "count",
            help="of the training corpus, after sampling to the common size; for the first seed, if drawn for each",
        ),
        Column("words", "words", "count", help="words of the trees, punctuation included; of injected text, tokens"),
        Column("tokens", "tokens", "count", help="after encoding"),
        Column(
            *("tokens_share", "tokens, % of full", "percent", lambda condition: share_of_full(condition, full)),
            TOKENS_SHARE,
            digits=2,
        ),
        _removal_column("removed_sentences", "removed sentences"),
        _removal_column("removed_words", "removed words"),
        replace(
            _removal_column("edited_words", "edited words"),
            help="words masked, dropped or rewritten in the remaining sentences",
            shown=has_edits,
        ),
        Column(
            *("requested_tokens", "requested tokens", "count"),
            lambda condition: None if condition.asked_tokens is None else round(condition.asked_tokens),
            "tokens requested for injection",
            shown=has_injections,
        ),
        Column("injected_tokens", "injected tokens", "count", shown=has_injections),
        Column(
            *("injected_targets", "injected targets", "count"),
            help="injected sentences that match a filter used to select them",
            shown=has_injections,
        ),
        Column(
            "replaced_tokens",
            "replaced tokens",
            "count",
            help="tokens that the injected text replaced",
            shown=has_injections,
        ),
        Column("unknown_rate", "unknown, %", "percent", help="share of tokens outside the vocabulary", digits=2),
        *(
            Column(
                f"overlap_{suite}",
                f"in {suite}",
                "count",
                value=partial(_overlap, suite),
                help=f"sentences of {suite} that occur verbatim in the corpus",
            )
            for suite in suites
        ),
    )
    return Table("corpora", "", columns, tuple(conditions))


def _overlap(suite: str, condition: Condition) -> int | None:
    return condition.overlap.get(suite)


def _removal_column(key: str, title: str) -> Column:
    """Return a column that is empty if the size of the corpus is unknown."""

    def value(condition: Condition) -> Value:
        number: Value = getattr(condition, key)
        return None if condition.sentences is None else number

    return Column(key, title, "count", value)


def describe(condition: Condition) -> str:
    names = listed([filter_.name for filter_ in condition.filters])
    match condition.kind:
        case _ if condition.what:
            return condition.what
        case "remove":
            return f"without {names}"
        case "keep":
            return f"only {names}"
        case "remove-random" if condition.control_of:
            return f"random removal of the same amount as {condition.control_of}"
        case kind:
            return KIND_DESCRIPTIONS.get(kind, kind)


def filters(analysis: Analysis) -> Table:
    """Return the filters of each condition, with their numbers of matches and their targets."""
    columns = (
        Column("condition", "condition", "text", lambda pair: pair[0].name),
        Column("filter", "filter", "text", lambda pair: pair[1].name),
        Column("matched", "sentences matched", "count", lambda pair: pair[0].matched.get(pair[1].name)),
        Column("targets", "targets", "list", lambda pair: " ".join(pair[1].targets)),
        Column("key", "key", "text", lambda pair: pair[1].key, "hash of the filter's canonical form"),
    )
    pairs = tuple((condition, filter_) for condition in analysis.results.conditions for filter_ in condition.filters)
    return Table("filters", "Filters", columns, pairs, shown=False)


def sections(analysis: Analysis) -> Iterator[Section]:
    """Yield the section with the tables of corpora and filters. The HTML page adds filter texts and examples."""
    yield Section("corpora", "Corpora and filters", "", (), (corpora(analysis), filters(analysis)))


SECTIONS = {900: sections}
