"""Collect the facts about a corpus that lint rules use, and the labels of filters that it lacks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from fictdsl.compiler import CompiledFilter
from fictdsl.lint.vocabulary import feature_hint, has_other_tagset, relation_hint, upos_hint, value_hint
from fictdsl.schema import FEATURE_PREFIX, TAGS, identifier
from fictdsl.semantics import ir, ud
from fictdsl.sql.statement import quoted
from fictdsl.words import inflected, listed
from runner.corpus.filter_arguments import filter_labels
from runner.corpus.matches import matching_sids
from runner.corpus.run_query import run_query
from runner.corpus.store import Store
from runner.corpus.store_files import FREQUENT
from runner.errors import InputError

if TYPE_CHECKING:
    import duckdb

    from fictdsl.lint.rule_context import CorpusFacts


def gather_facts(
    store: Store, candidates_by_column: Mapping[str, frozenset[str]], filters: Iterable[CompiledFilter]
) -> tuple[CorpusFacts, dict[str, InputError]]:
    """Return the facts, and the errors of filters by name. `candidates_by_column` has values of words to look up."""
    from fictdsl.lint.rule_context import CorpusFacts  # late: `absent_labels` needs no lint rule

    sentence_counts: dict[str, int] = {}
    errors: dict[str, InputError] = {}
    for compiled in filters:
        if compiled.key not in sentence_counts:
            try:
                sentence_counts[compiled.key] = len(matching_sids(store, [compiled]))
            except InputError as error:
                errors[compiled.name] = error

    def query_facts(connection: duckdb.DuckDBPyConnection) -> CorpusFacts:
        words_found = {}
        for column, candidates in candidates_by_column.items():
            query = f"SELECT DISTINCT {column} FROM tokens WHERE {column} IN (SELECT unnest(?))"  # noqa: S608
            rows = connection.execute(query, [sorted(candidates)]).fetchall()
            words_found[column] = frozenset(value for (value,) in rows)
        columns = {name: FEATURE_PREFIX + name for name in store.info.features} | {name: name for name in TAGS}
        values = {name: _values_of(connection, store, name, column) for name, column in columns.items()}
        values["enhanced"] = _distinct_values(connection, "label", "enhanced")
        return CorpusFacts(store.info.sentences, values, words_found, sentence_counts)

    # no time limit, since only filters have one
    return run_query(store, query_facts, features=store.info.features, seconds=0), errors


def _values_of(connection: duckdb.DuckDBPyConnection, store: Store, name: str, column: str) -> tuple[str, ...]:
    counts = store.info.values.get(name, {})
    if 0 < len(counts) < FREQUENT:  # store.json lists all values
        column_values = tuple(sorted(counts, key=lambda value: (-counts[value], value)))
    else:
        column_values = _distinct_values(connection, column, "tokens")
    parts = (
        part for value in column_values for part in (value.split(",") if column.startswith(FEATURE_PREFIX) else [value])
    )
    return tuple(dict.fromkeys(parts))


def _distinct_values(connection: duckdb.DuckDBPyConnection, column: str, table: str) -> tuple[str, ...]:
    name = quoted(identifier(column))
    query = f"SELECT {name} FROM {table} WHERE {name} IS NOT NULL GROUP BY 1 ORDER BY count(*) DESC, 1"  # noqa: S608
    return tuple(row[0] for row in connection.execute(query).fetchall())


_MAX_NAMED = 3  # filters in a message


@dataclass(frozen=True, slots=True)
class UnknownLabel:
    """A label of a filter that UD does not define. A value is written with its feature: `Number=Plural`."""

    kind: Literal["UPOS tag", "relation", "feature", "value"]
    label: str
    hint: str | None


def unknown_labels(compiled: CompiledFilter) -> Iterator[UnknownLabel]:
    """Yield the UPOS tags, relations, features and values of a filter and its patterns that UD does not define.

    Tags and relations are left out if the filter's file declares another tag set. A label may occur several times.
    """
    uses_other_tagset = has_other_tagset(compiled.module)
    for element in ir.walk(compiled.ir):
        match element:
            case ir.OneOf(attribute=ir.Column(name="upos"), values=tags) if not uses_other_tagset:
                yield from (UnknownLabel("UPOS tag", tag, upos_hint(tag)) for tag in tags if tag not in ud.UPOS)
            case ir.Bears(labels=labels) if not uses_other_tagset:
                yield from _relations(labels, enhanced=False)
            case ir.EnhancedEdge(labels=ir.Labels() as labels) if not uses_other_tagset:
                yield from _relations(labels, enhanced=True)
            case ir.OneOf(attribute=ir.Feature(name=name), values=values) if ud.is_feature(name):
                feature = name.partition("[")[0]
                unknown_values = (value for value in values if value not in ud.FEATURES[feature])
                yield from (
                    UnknownLabel("value", f"{name}={value}", value_hint(name, value)) for value in unknown_values
                )
            case ir.Feature(name=name) if not ud.is_feature(name):
                yield UnknownLabel("feature", name, feature_hint(name))


def _relations(labels: ir.Labels, *, enhanced: bool) -> Iterator[UnknownLabel]:
    for label in (*labels.plain, *labels.exact):
        if not ud.is_relation(label, enhanced=enhanced):
            yield UnknownLabel("relation", label, relation_hint(label))


@dataclass(frozen=True, slots=True)
class AbsentLabel:
    label: UnknownLabel
    filters: tuple[str, ...]

    def __str__(self) -> str:
        kind_text = "" if self.label.kind in ("feature", "value") else f"the {self.label.kind} "
        named_filters = self.filters if len(self.filters) <= _MAX_NAMED else self.filters[: _MAX_NAMED - 1]
        omitted_count = len(self.filters) - len(named_filters)
        subject = listed([*named_filters, *([f"{omitted_count} more"] if omitted_count else [])])
        verb = inflected(len(self.filters), "tests", "test")
        hint = f" ({self.label.hint})" if self.label.hint else ""
        return f"{subject} {verb} {kind_text}{self.label.label}, which no word of this corpus has{hint}"


def absent_labels(store: Store, filters: Sequence[CompiledFilter]) -> list[AbsentLabel]:
    """Return the features that do not occur in the corpus, and the other labels that occur neither in it nor in UD."""
    filters_by_label: dict[UnknownLabel, dict[str, None]] = {}
    for name, compiled in zip(filter_labels(filters), filters, strict=True):
        absent = [feature for feature in compiled.features if feature not in store.info.features]
        labels = [UnknownLabel("feature", feature, feature_hint(feature)) for feature in absent]
        for label in (*labels, *(label for label in unknown_labels(compiled) if label.kind != "feature")):
            filters_by_label.setdefault(label, {})[name] = None
    # all values of the corpus are read only if needed, because this takes a moment
    if any(label.kind != "feature" for label in filters_by_label):
        facts, _ = gather_facts(store, {}, ())
        filters_by_label = {label: names for label, names in filters_by_label.items() if not _occurs(facts, label)}
    return [AbsentLabel(label, tuple(names)) for label, names in filters_by_label.items()]


def _occurs(facts: CorpusFacts, label: UnknownLabel) -> bool:
    match label.kind:
        case "UPOS tag":
            return label.label in facts.values.get("upos", ())
        case "relation":
            return any(facts.has_label(label.label, exact=False, column=column) for column in ("deprel", "enhanced"))
        case "value":
            feature, _, value = label.label.partition("=")
            return value in facts.values.get(feature, ())
    return False
