"""Tables of training corpora and filters."""

from __future__ import annotations

from runner.report.analysis.statistics import Analysis, full_condition
from runner.report.render import formatting
from runner.report.results.results import Condition
from runner.report.tables.table import Column, Table

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
        Column("condition", "condition", look="name"),
        Column("what", "description", look="quiet prose"),
        Column("kind", "kind", shown=False),
        Column("control_of", "control of", shown=False),
        Column("control", "control", shown=False),
        Column(
            "sentences",
            "sentences",
            "count",
            "of the training corpus, after sampling to the common size; for the first seed, if drawn for each",
        ),
        Column("words", "words", "count", "words of the trees, punctuation included; of injected text, tokens"),
        Column("tokens", "tokens", "count", "after encoding"),
        Column("tokens_share", "tokens, % of full", "percent", TOKENS_SHARE, digits=2),
        Column("removed_sentences", "removed sentences", "count"),
        Column("removed_words", "removed words", "count"),
        Column(
            "edited_words",
            "edited words",
            "count",
            "words masked, dropped or rewritten in the remaining sentences",
            shown=has_edits,
        ),
        Column("requested_tokens", "requested tokens", "count", "tokens requested for injection", shown=has_injections),
        Column("injected_tokens", "injected tokens", "count", shown=has_injections),
        Column(
            *("injected_targets", "injected targets", "count"),
            "injected sentences that match a filter used to select them",
            shown=has_injections,
        ),
        Column(
            "replaced_tokens",
            "replaced tokens",
            "count",
            "tokens that the injected text replaced",
            shown=has_injections,
        ),
        Column("unknown_rate", "unknown, %", "percent", "share of tokens outside the vocabulary", digits=2),
        *(
            Column(
                f"overlap_{suite}", f"in {suite}", "count", f"sentences of {suite} that occur verbatim in the corpus"
            )
            for suite in suites
        ),
    )
    rows = tuple(
        (
            *(
                condition.name,
                describe(condition),
                condition.kind,
                condition.control_of,
                condition.control,
                condition.sentences,
                condition.words,
                condition.tokens,
            ),
            share_of_full(condition, full),
            *(
                (None,) * 3
                if condition.sentences is None
                else (condition.removed_sentences, condition.removed_words, condition.edited_words)
            ),
            None if condition.asked_tokens is None else round(condition.asked_tokens),
            *(condition.injected_tokens, condition.injected_targets, condition.replaced_tokens, condition.unknown_rate),
            *(condition.overlap.get(suite) for suite in suites),
        )
        for condition in conditions
    )
    return Table("corpora", "", columns, rows)


def describe(condition: Condition) -> str:
    """Describe a condition in one line."""
    names = formatting.listed([filter_.name for filter_ in condition.filters])
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
        Column("condition", "condition"),
        Column("filter", "filter"),
        Column("matched", "sentences matched", "count"),
        Column("targets", "targets", "list"),
        Column("key", "key", help="hash of the filter's canonical form"),
    )
    rows = tuple(
        (condition.name, filter_.name, condition.matched.get(filter_.name), " ".join(filter_.targets), filter_.key)
        for condition in analysis.results.conditions
        for filter_ in condition.filters
    )
    return Table("filters", "Filters", columns, rows, shown=False)
