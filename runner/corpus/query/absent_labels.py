"""Find features of filters that do not occur in the corpus, and other labels that occur neither in it nor in UD."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from fictdsl.compiler import CompiledFilter
from fictdsl.lint.rule_context import CorpusFacts
from fictdsl.lint.vocabulary import UnknownLabel, feature_hint, unknown_labels
from runner.corpus.query.filters import filter_labels
from runner.corpus.query.lint_facts import gather_facts
from runner.corpus.store.opening import Store

_MAX_NAMED = 3  # filters in a message


@dataclass(frozen=True, slots=True)
class AbsentLabel:
    """A label that no word of the corpus has, and the filters that test it."""

    label: UnknownLabel
    filters: tuple[str, ...]

    def __str__(self) -> str:
        kind_text = "" if self.label.kind in ("feature", "value") else f"the {self.label.kind} "
        named_filters = self.filters if len(self.filters) <= _MAX_NAMED else self.filters[: _MAX_NAMED - 1]
        omitted_count = len(self.filters) - len(named_filters)
        names = [*named_filters, f"{omitted_count} more"] if omitted_count else list(named_filters)
        subject = " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
        verb = "tests" if len(self.filters) == 1 else "test"
        hint = f" ({self.label.hint})" if self.label.hint else ""
        return f"{subject} {verb} {kind_text}{self.label.label}, which no word of this corpus has{hint}"


def absent_labels(store: Store, filters: Sequence[CompiledFilter]) -> list[AbsentLabel]:
    """Return the features that do not occur in the corpus, and the other labels that occur neither in it nor in UD."""
    filters_by_label: dict[UnknownLabel, dict[str, None]] = {}
    for name, compiled in zip(filter_labels(filters), filters, strict=True):
        for label in _candidates(store, compiled):
            filters_by_label.setdefault(label, {})[name] = None
    # all values of the corpus are read only if needed, because this takes a moment
    if any(label.kind != "feature" for label in filters_by_label):
        facts, _ = gather_facts(store, {}, ())
        filters_by_label = {label: names for label, names in filters_by_label.items() if not _occurs(facts, label)}
    return [AbsentLabel(label, tuple(names)) for label, names in filters_by_label.items()]


def _candidates(store: Store, compiled: CompiledFilter) -> Iterator[UnknownLabel]:
    for feature in compiled.features:
        if feature not in store.info.features:
            yield UnknownLabel("feature", feature, feature_hint(feature))
    yield from (label for label in unknown_labels(compiled) if label.kind != "feature")


def _occurs(facts: CorpusFacts, label: UnknownLabel) -> bool:
    match label.kind:
        case "UPOS tag":
            return label.label in facts.values.get("upos", ())
        case "relation":
            return any(facts.has_label(label.label, exact=False, column=column) for column in ("deprel", "enhanced"))
        case "value":
            feature, _, value = label.label.partition("=")
            return value in facts.values.get(feature, ())
        case "feature":
            return False
