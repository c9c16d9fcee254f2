"""Training corpora: what filters remove, what rewrites change, the words of target pairs, sizes and filters."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from fictdsl.words import listed
from runner import formatting
from runner.report.records import Condition
from runner.report.section import Section
from runner.report.statistics import Analysis
from runner.tables import Cell, Column, Table, Value

KIND_DESCRIPTIONS = {"full": "full corpus", "remove-random": "random removal"}

TOKENS_SHARE = "mean over seeds, if a corpus is drawn for each"


def share_of_full(condition: Condition, full: Condition | None) -> float | None:
    """Return the training tokens of a condition as a share of those of the full corpus."""
    tokens, full_tokens = condition.mean_tokens(), full.mean_tokens() if full is not None else None
    return tokens / full_tokens if full_tokens and tokens is not None else None


def corpora(analysis: Analysis) -> Table:
    """Return the sizes of the training corpora, the changes that interventions made, and the overlap with suites."""
    conditions = analysis.results.conditions
    full = analysis.full
    suites = dict.fromkeys(suite for condition in conditions for suite in condition.overlap)
    has_edits = any(condition.edited_words for condition in conditions)
    has_injections = any(condition.injected_tokens for condition in conditions)
    columns = (
        Column("condition", "condition", "text", "name", css_class="name"),
        Column("what", "description", "text", describe, css_class="quiet prose"),
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


def corpora_section(analysis: Analysis) -> Iterator[Section]:
    """Yield the section with the tables of corpora and filters. The HTML page adds filter texts and examples."""
    yield Section("corpora", "Corpora and filters", "", (), (corpora(analysis), filters(analysis)))


ALWAYS_SHOWN = ("condition", "paradigm")
REMOVAL_COLUMNS = (
    Column("condition", "condition", css_class="name"),
    Column("suite", "suite"),
    Column("paradigm", "paradigm"),
    Column(
        "targeted",
        "items targeted, %",
        "percent",
        digits=2,
        help="share of the paradigm's good sentences that the filters match",
    ),
    Column("items", "items with a tree", "count"),
    Column("removed", "sentences removed, %", "percent", digits=2, help="of the base corpus"),
    Column(
        "tokens",
        "tokens of full, %",
        "percent",
        digits=2,
        help=f"of the training corpus, after sampling to the common size; {TOKENS_SHARE}",
    ),
)


def removals_section(analysis: Analysis) -> Iterator[Section]:
    """Yield a section whose table has a row for each condition with removal filters and each of its targets."""
    conditions = [
        condition for condition in analysis.results.conditions if condition.kind == "remove" and condition.filters
    ]
    if not conditions:
        return
    rows = tuple(row for condition in conditions for row in _removal_rows(analysis, condition))
    intro = (
        "The share of the sentences that a filter matches, which were removed, and the size of the training corpus "
        "after sampling, in tokens of the full corpus; corpora of equally many sentences differ in their tokens, so it "
        "may be above 100 %. For suites with trees, also the share of targeted pairs that the filter matches. A filter "
        "that misses these pairs probably leaves the construction in the corpus too."
    )
    table = Table("taken-out", "", REMOVAL_COLUMNS, rows).showing(
        lambda column, has_values: column.key in ALWAYS_SHOWN or (column.kind == "percent" and has_values)
    )
    yield Section("taken-out", "What the filters remove", intro, (), (table,))


def _removal_rows(analysis: Analysis, condition: Condition) -> Iterator[dict[str, Value]]:
    full = analysis.full
    removed_share = condition.removed_sentences / condition.base_sentences if condition.base_sentences else None
    token_share = share_of_full(condition, full)
    for key in sorted(analysis.targets[condition.name]) or [""]:
        suite, _, paradigm = key.rpartition("/")
        matched, items = condition.coverage.get(key, (None, None))
        matched_share = matched / items if matched is not None and items else None
        yield {
            "condition": condition.name,
            "suite": suite,
            "paradigm": paradigm,
            "targeted": matched_share,
            "items": items,
            "removed": removed_share,
            "tokens": token_share,
        }


COUNT_COLUMNS = (
    Column("condition", "condition", css_class="name"),
    Column("rewrite", "rewrite", "text", "counts.name"),
    Column("sentences", "sentences", "count", "counts.sentences", "with an applied match"),
    Column("taken", "matches applied", "count", "counts.taken"),
    Column(
        "overlapping", "overlapping", "count", "counts.overlapping", "matches that share words with an applied match"
    ),
    Column("invalid", "invalid", "count", "counts.invalid", "matches with an action that cannot be carried out"),
    Column("unknown_lemmas", "not inflected", "count", "counts.unknown_lemmas", "forms whose lemma is unknown"),
)
SENTENCE_COLUMNS = (
    Column("condition", "condition", css_class="name"),
    Column("source", "source"),
    Column("number", "number", "count"),
    Column("before", "before", css_class="prose"),
    Column("after", "after", css_class="prose"),
)


def rewrites_section(analysis: Analysis) -> Iterator[Section]:
    """Yield a section with the counts of each rewrite, and examples with the changed words marked."""
    conditions = [condition for condition in analysis.results.conditions if condition.rewrites]
    if not conditions:
        return
    intro = (
        "Rewrites change the sentences that remain after removal. Matches are applied from left to right; a match that "
        "shares words with an applied one is left out as overlapping. Changed words are marked."
    )
    counts = tuple(
        {"condition": condition.name, "counts": count} for condition in conditions for count in condition.rewrites
    )
    examples = tuple(row for condition in conditions for row in _examples(condition))
    tables = (
        Table("rewrites", "", COUNT_COLUMNS, counts),
        Table("rewritten", "Before and after", SENTENCE_COLUMNS, examples),
    )
    yield Section("rewrites", "What the rewrites change", intro, (), tables)


def _examples(condition: Condition) -> Iterator[dict[str, Cell | Value]]:
    from runner.formatting import marked_pieces

    for sentence in condition.rewritten:
        row: dict[str, Cell | Value] = {
            "condition": condition.name,
            "source": sentence.source,
            "number": sentence.number,
        }
        if sentence.after is None:
            yield {**row, "before": sentence.before, "after": Cell(None, text="dropped")}
        else:
            old_pieces, new_pieces = marked_pieces(sentence.before, sentence.after)
            before = Cell(sentence.before, pieces=tuple(old_pieces))
            yield {**row, "before": before, "after": Cell(sentence.after, pieces=tuple(new_pieces))}


EXPOSURE_COLUMNS = (
    Column("condition", "condition", css_class="name"),
    Column("corpus", "training corpus", "text", "exposure.corpus"),
    Column("words", "words", "count", "exposure.words", "different words of the target pairs that the full corpus has"),
    Column("vanished", "vanished", "count", "exposure.vanished", "of these, words that the training corpus lacks"),
    Column(
        *("halved", "halved", "count", "exposure.halved"),
        "of these, words at less than half of their frequency in the full corpus",
    ),
    Column(
        *("pairs", "pairs with a vanished word, %", "percent"),
        lambda row: row["exposure"].pairs_with_vanished / row["exposure"].pairs if row["exposure"].pairs else None,
    ),
    Column(
        *("rarest", "most reduced (in full → here)", "list"),
        lambda row: ", ".join(
            f"{word} {formatting.count(full)} → {formatting.count(here)}"
            for word, full, here in row["exposure"].examples
        ),
    ),
)


def exposure_section(analysis: Analysis) -> Iterator[Section]:
    """Yield a section whose table has a row for each condition with target pairs and each of its controls."""
    rows = tuple(
        {"condition": condition.name, "exposure": exposure}
        for condition in analysis.results.conditions
        for exposure in condition.exposure
    )
    if rows:
        intro = (
            "A removal takes the words of the removed sentences with it. A change of a target that the words alone may "
            "explain is not a loss of the construction: more words vanish or become rare under the condition than "
            "under its control. Counts are of the first seed's corpora."
        )
        table = Table("exposure", "", EXPOSURE_COLUMNS, rows)
        yield Section("exposure", "The words of the target pairs", intro, (), (table,))


SECTIONS = {900: corpora_section, 230: removals_section, 231: rewrites_section, 235: exposure_section}
