"""Build SQL for the values by which matches are grouped or sorted.

The keys of comments and of MISC entries are passed as parameters, never as SQL.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import TYPE_CHECKING

from fictdsl.schema import COMPUTED, FEATURE_PREFIX, LOWERED, WORD_STRINGS, identifier
from runner.corpus.query.groups.values import (
    WORD_NUMBERS,
    ClauseTest,
    Distance,
    EdgeLabel,
    GroupKey,
    Order,
    SentenceAttribute,
    Value,
    WordAttribute,
    is_whole,
)
from runner.corpus.sentences.metadata_sql import is_document_key, metadata_query

if TYPE_CHECKING:
    from fictdsl.compiler import CompiledFilter

ABSENT, UNBOUND = "_", "(unbound)"
_SENTENCE_COLUMNS = ("doc", "source", "sent_id", "length")
_DECIMAL = "[+-]?[0-9]+([.][0-9]+)?"


@dataclass
class QueryBuilder:
    """Builds SQL expressions over the matches `f`.

    Collects the joins with their parameters, the features, the computed attributes and the filters that they need.
    """

    names: Sequence[str]
    joins: list[str] = field(default_factory=list)
    parameters: list[str] = field(default_factory=list)
    features: list[str] = field(default_factory=list)
    computed: set[str] = field(default_factory=set)
    extended_filters: dict[str, CompiledFilter] = field(default_factory=dict)  # by the name of the table of its matches
    reads_documents: bool = False  # whether the value of a sentence depends on other sentences of its document
    _alias_numbers: Iterator[int] = field(default_factory=count)

    def key(self, key: GroupKey) -> str:
        """Return SQL for the value of a key as text, which is never NULL."""
        if key.width is None:
            return self._text(key.value)
        number, unbound = self.number(key.value), self._unbound(key.value)
        # a comment may contain a number of any size; a number beyond 128 bits counts as absent
        low = f"try_cast(floor({number} / {key.width}) * {key.width} AS HUGEINT)"
        high_sign = "" if is_whole(key.value) else "<"
        high = f"{low} + {key.width - 1 if is_whole(key.value) else key.width}"
        label = f"{low}::VARCHAR" if is_whole(key.value) and key.width == 1 else f"{low} || '..{high_sign}' || {high}"
        return f"CASE WHEN {unbound} THEN '{UNBOUND}' ELSE coalesce({label}, '{ABSENT}') END"

    def number(self, value: Value) -> str:
        """Return SQL for a value as a number, or NULL if it is not a number."""
        match value:
            case Distance(first=first, second=second):
                return f"({self._word(second)} - {self._word(first)})"
            case SentenceAttribute(attribute="length"):
                return f"{self._sentence()}.length"
            case WordAttribute(attributes=(attribute,), name=name) if attribute in WORD_NUMBERS:
                return self._attribute(attribute, self._word(name))
        text = self._nullable_text(value)
        return f"CASE WHEN regexp_full_match({text}, '{_DECIMAL}') THEN try_cast(ltrim({text}, '+') AS DOUBLE) END"

    def lowercase_form(self, word: str) -> str:
        """Return SQL for the lowercase form of the word whose id is the SQL `word`, or NULL if there is none."""
        return f"{self._token(word)}.form_l"

    def _text(self, value: Value) -> str:
        if isinstance(value, ClauseTest):
            return f"CASE WHEN {self._extended(value)}.sid IS NULL THEN 'no' ELSE 'yes' END"
        text = f"coalesce({self._nullable_text(value)}, '{ABSENT}')"
        return f"CASE WHEN {self._unbound(value)} THEN '{UNBOUND}' ELSE {text} END"

    def _unbound(self, value: Value) -> str:
        """Return an SQL condition that is true if the match does not bind the names that the value needs."""
        match value:
            case WordAttribute(name=name):
                return f"{self._word(name)} IS NULL"
            case Distance(first=first, second=second) | EdgeLabel(head=first, dependent=second):
                return f"{self._word(first)} IS NULL OR {self._word(second)} IS NULL"
            case Order(names=names):
                return " AND ".join(f"{self._word(name)} IS NULL" for name in names)
        return "false"

    def _nullable_text(self, value: Value) -> str:
        """Return SQL for a value as text, or NULL if it is absent."""
        match value:
            case SentenceAttribute(attribute=attribute) if attribute in _SENTENCE_COLUMNS:
                return f"{self._sentence()}.{attribute}::VARCHAR"
            case SentenceAttribute(attribute=attribute):
                return self._comment(attribute)
            case WordAttribute(attributes=attributes, name=name):
                values = [f"{self._attribute(attribute, self._word(name))}::VARCHAR" for attribute in attributes]
                return f"coalesce({', '.join(values)})"
            case Distance(first=first, second=second):
                return f"({self._word(second)} - {self._word(first)})::VARCHAR"
            case Order(names=names):
                return self._order(names)
            case EdgeLabel(head=head, dependent=dependent):
                alias = self._token(self._word(dependent))
                return f"CASE WHEN {alias}.head = {self._word(head)} THEN {alias}.deprel END"
        raise AssertionError(f"{value} has no text")

    def _order(self, names: Sequence[str]) -> str:
        pairs = [f"{{'word': {self._word(name)}, 'index': {index}}}" for index, name in enumerate(names)]
        bound = f"list_filter([{', '.join(pairs)}], lambda x: x.word IS NOT NULL)"
        texts = ", ".join(f"'{name}'" for name in names)  # names of nodes consist of letters, digits and _
        return f"array_to_string(list_transform(list_sort({bound}), lambda x: [{texts}][x.index + 1]), ' ')"

    def _word(self, name: str) -> str:
        return f"f.m{self.names.index(name)}"

    def _attribute(self, attribute: str, word: str) -> str:
        if attribute == "id":
            return word
        if attribute.startswith("misc."):
            self.parameters.append(attribute.removeprefix("misc.").strip('"'))
            entries = "SELECT sid, id, string_agg(value, ',' ORDER BY value) AS value FROM misc WHERE key = ?"
            return f"{self._joined(f'({entries} GROUP BY sid, id)', word)}.value"
        if attribute in COMPUTED:
            self.computed.add(attribute)
            return f"{self._joined(attribute, word)}.value"
        alias = self._token(word)
        if attribute in (*WORD_STRINGS, *LOWERED.values(), *WORD_NUMBERS):
            return f"{alias}.{WORD_NUMBERS.get(attribute, attribute)}"
        self.features.append(attribute)
        quoted = identifier(f"{FEATURE_PREFIX}{attribute}").replace('"', '""')
        return f'{alias}."{quoted}"'

    def _token(self, word: str) -> str:
        return self._joined("tokens", word)

    def _joined(self, table: str, word: str) -> str:
        alias = self._alias()
        self.joins.append(f"LEFT JOIN {table} AS {alias} ON {alias}.sid = f.sid AND {alias}.id = {word}")
        return alias

    def _sentence(self) -> str:
        alias = self._alias()
        self.joins.append(f"LEFT JOIN sentences AS {alias} ON {alias}.sid = f.sid")
        return alias

    def _comment(self, key: str) -> str:
        query, parameters = metadata_query(key, "all")
        self.reads_documents |= is_document_key(key)
        alias = self._alias()
        self.parameters += parameters
        self.joins.append(f"LEFT JOIN ({query}) AS {alias} ON {alias}.sid = f.sid")
        return f"{alias}.value"

    def _extended(self, value: ClauseTest) -> str:
        alias = self._alias()
        table = f"extended{alias}"
        self.extended_filters[table] = value.extended
        columns = [f"m{index}" for index in range(len(self.names))]
        rows = f"(SELECT DISTINCT {', '.join(['sid', *columns])} FROM {table})"  # noqa: S608
        conditions = [f"{alias}.sid = f.sid", *(f"{alias}.{name} IS NOT DISTINCT FROM f.{name}" for name in columns)]
        self.joins.append(f"LEFT JOIN {rows} AS {alias} ON {' AND '.join(conditions)}")
        return alias

    def _alias(self) -> str:
        return f"t{next(self._alias_numbers)}"
