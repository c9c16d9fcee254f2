"""Training corpora: what filters remove, what rewrites change, the words of target pairs, sizes and filters."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

from fictdsl.words import listed
from runner import formatting
from runner.report.records import Audit, Condition
from runner.report.section import Section
from runner.report.statistics import Analysis
from runner.tables import Cell, Column, Kind, Table, Value, saved

KIND_DESCRIPTIONS = {"full": "full corpus", "remove-random": "random removal"}
TOKENS_SHARE = "mean over seeds, if a corpus is drawn for each"
ALWAYS_SHOWN = ("condition", "paradigm")


def share_of_full(condition: Condition, full: Condition | None) -> float | None:
    tokens, full_tokens = condition.mean_tokens(), full.mean_tokens() if full is not None else None
    return tokens / full_tokens if full_tokens and tokens is not None else None


def corpora(analysis: Analysis) -> Table:
    conditions = analysis.results.conditions
    suites = dict.fromkeys(suite for condition in conditions for suite in condition.overlap)
    has_edits = any(condition.edited_words for condition in conditions)
    has_injections = any(condition.injected_tokens for condition in conditions)

    def overlap(suite: str, condition: Condition) -> int | None:
        return condition.overlap.get(suite)

    def change(key: str) -> Column:
        title = key.replace("_", " ")
        return Column(key, title, "count", lambda each: None if each.sentences is None else getattr(each, key))

    def injection(key: str, help_text: str = "", value: str = "") -> Column:
        return Column(key, key.replace("_", " "), "count", value, help_text, shown=has_injections)

    columns = (
        Column("condition", "condition", "text", "name", css_class="name"),
        Column("what", "description", "text", describe, css_class="quiet prose"),
        *saved("kind", "control_of", "control"),
        Column(
            *("sentences", "sentences", "count"),
            help="of the training corpus, after sampling to the common size; for the first seed, if drawn for each",
        ),
        Column("words", "words", "count", help="words of the trees, punctuation included; of injected text, tokens"),
        Column("tokens", "tokens", "count", help="after encoding"),
        Column(
            *("tokens_share", "tokens, % of full", "percent", lambda each: share_of_full(each, analysis.full)),
            TOKENS_SHARE,
            digits=2,
        ),
        change("removed_sentences"),
        change("removed_words"),
        replace(
            change("edited_words"),
            help="words masked, dropped or rewritten in the remaining sentences",
            shown=has_edits,
        ),
        Column(
            *("requested_tokens", "requested tokens", "count"),
            lambda each: None if each.asked_tokens is None else round(each.asked_tokens),
            "tokens requested for injection",
            shown=has_injections,
        ),
        injection("injected_tokens"),
        injection("injected_targets", "injected sentences that match a filter used to select them"),
        injection("replaced_tokens", "tokens that the injected text replaced"),
        Column("unknown_rate", "unknown, %", "percent", help="share of tokens outside the vocabulary", digits=2),
        *(
            Column(
                *(f"overlap_{suite}", f"in {suite}", "count", partial(overlap, suite)),
                f"sentences of {suite} that occur verbatim in the corpus",
            )
            for suite in suites
        ),
    )
    return Table("corpora", "", columns, conditions)


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
    columns = saved(
        condition=lambda pair: pair[0].name,
        filter=lambda pair: pair[1].name,
        matched=lambda pair: pair[0].matched.get(pair[1].name),
        targets=lambda pair: " ".join(pair[1].targets),
        key=lambda pair: pair[1].key,
    )
    pairs = [(condition, filter_) for condition in analysis.results.conditions for filter_ in condition.filters]
    return Table("filters", "Filters", columns, pairs, shown=False)


def corpora_section(analysis: Analysis) -> Iterator[Section]:
    yield Section("corpora", "Corpora and filters", "", (), (corpora(analysis), filters(analysis)))


def removals_section(analysis: Analysis) -> Iterator[Section]:
    conditions = [each for each in analysis.results.conditions if each.kind == "remove" and each.filters]
    if not conditions:
        return
    matched = "share of the paradigm's good sentences that the filters match"
    size = f"of the training corpus, after sampling to the common size; {TOKENS_SHARE}"
    columns = (
        Column("condition", "condition", css_class="name"),
        Column("suite", "suite"),
        Column("paradigm", "paradigm"),
        Column("targeted", "items targeted, %", "percent", help=matched, digits=2),
        Column("items", "items with a tree", "count"),
        Column("removed", "sentences removed, %", "percent", help="of the base corpus", digits=2),
        Column("tokens", "tokens of full, %", "percent", help=size, digits=2),
    )
    intro = (
        "The share of the sentences that a filter matches, which were removed, and the size of the training corpus "
        "after sampling, in tokens of the full corpus; corpora of equally many sentences differ in their tokens, so it "
        "may be above 100 %. For suites with trees, also the share of targeted pairs that the filter matches. A filter "
        "that misses these pairs probably leaves the construction in the corpus too."
    )
    rows = tuple(row for condition in conditions for row in _removal_rows(analysis, condition))
    table = Table("taken-out", "", columns, rows).showing(
        lambda column, has_values: column.key in ALWAYS_SHOWN or (column.kind == "percent" and has_values)
    )
    audited = audits(analysis)
    if audited.items:
        intro += (
            " Where people have judged a sample of the corpus, precision is the share of the matching sentences that "
            "have the construction; the instances left are the sentences that have it and do not match."
        )
    yield Section("taken-out", "What the filters remove", intro, (), (table, *([audited] if audited.items else [])))


def audits(analysis: Analysis) -> Table:
    def interval(key: str, title: str, kind: Kind, help_text: str) -> tuple[Column, ...]:
        low, high = f"{key}_low", f"{key}_high"

        def part(index: int) -> Callable[[tuple[Condition, Audit]], float | None]:
            return lambda row: getattr(row[1], key)[index]

        first = Column(key, title, kind, part(0), help_text, interval=(low, high))
        return first, Column(low, "", kind, part(1), shown=False), Column(high, "", kind, part(2), shown=False)

    columns = (
        Column("condition", "condition", value=lambda row: row[0].name, css_class="name"),
        Column("filter", "filter", value=lambda row: row[1].filter),
        Column("corpus", "audited corpus", value=lambda row: row[1].corpus),
        Column("judged", "judged", "count", lambda row: row[1].judged, "sentences, drawn by strata"),
        *interval("precision", "precision, %", "percent", "of the matching sentences, with its 95 % interval"),
        *interval(
            "per_million", "left per million words", "count", "sentences with the construction, with its interval"
        ),
        *interval("remaining", "left, % of all", "percent", "sentences with the construction, with its interval"),
        Column("kappa", "kappa", "number", lambda row: row[1].kappa, "Cohen's, of two judges"),
    )
    rows = tuple((condition, audit) for condition in analysis.results.conditions for audit in condition.audits)
    table = Table("audits", "What people judged", columns, rows)
    return table.showing(lambda column, has_values: column.shown and (has_values or column.key != "kappa"))


def _removal_rows(analysis: Analysis, condition: Condition) -> Iterator[dict[str, Value]]:
    for key in sorted(analysis.targets[condition.name]) or [""]:
        suite, _, paradigm = key.rpartition("/")
        matched, items = condition.coverage.get(key, (None, None))
        yield {
            "condition": condition.name,
            "suite": suite,
            "paradigm": paradigm,
            "targeted": matched / items if matched is not None and items else None,
            "items": items,
            "removed": condition.removed_sentences / condition.base_sentences if condition.base_sentences else None,
            "tokens": share_of_full(condition, analysis.full),
        }


REWRITE_COLUMNS = (
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
    conditions = [condition for condition in analysis.results.conditions if condition.rewrites]
    if not conditions:
        return
    intro = (
        "Rewrites change the sentences that remain after removal. Matches are applied from left to right; a match that "
        "shares words with an applied one is left out as overlapping. Changed words are marked."
    )
    counts = tuple({"condition": each.name, "counts": count} for each in conditions for count in each.rewrites)
    examples = tuple(row for condition in conditions for row in _examples(condition))
    tables = (
        Table("rewrites", "", REWRITE_COLUMNS, counts),
        Table("rewritten", "Before and after", SENTENCE_COLUMNS, examples),
    )
    yield Section("rewrites", "What the rewrites change", intro, (), tables)


def _examples(condition: Condition) -> Iterator[dict[str, Cell | Value]]:
    from runner.formatting import marked_pieces

    for sentence in condition.rewritten:
        before, after = Cell(sentence.before), Cell(sentence.after, text="dropped")
        if sentence.after is not None:
            old, new = marked_pieces(sentence.before, sentence.after)
            before, after = Cell(sentence.before, pieces=tuple(old)), Cell(sentence.after, pieces=tuple(new))
        labels: dict[str, Cell | Value] = {
            "condition": condition.name,
            "source": sentence.source,
            "number": sentence.number,
        }
        yield {**labels, "before": before, "after": after}


EXPOSURE_COLUMNS = (
    Column("condition", "condition", css_class="name"),
    Column("corpus", "training corpus", "text", "exposure.corpus"),
    Column("words", "words", "count", "exposure.words", "different words of the target pairs that the full corpus has"),
    Column("vanished", "vanished", "count", "exposure.vanished", "of these, words that the training corpus lacks"),
    Column(
        *("halved", "halved", "count", "exposure.halved"),
        "of these, words at less than half of their frequency in the full corpus",
    ),
    Column("pairs", "pairs with a vanished word, %", "percent", "vanished_share"),
    Column(
        *("rarest", "most reduced (in full → here)", "list"),
        lambda row: ", ".join(
            f"{word} {formatting.count(full)} → {formatting.count(here)}"
            for word, full, here in row["exposure"].examples
        ),
    ),
)


def exposure_section(analysis: Analysis) -> Iterator[Section]:
    rows = tuple(
        {
            "condition": condition.name,
            "exposure": exposure,
            "vanished_share": exposure.pairs_with_vanished / exposure.pairs if exposure.pairs else None,
        }
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
