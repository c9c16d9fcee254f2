"""The features and the value counts of a corpus while it is written."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from fictdsl.schema import TABLES, TAGS, feature_column
from runner.corpus.ingest.sorted_tokens import SortedTokens


@dataclass(slots=True)
class Vocabulary:
    """The column of each feature, and the count of each value of some columns and all features.

    A feature with the name of a tag has no counts, because `values` cannot hold both under one name.
    """

    features: dict[str, str] = field(default_factory=dict)
    values: dict[str, Counter[str]] = field(default_factory=dict)

    def column_of(self, feature: str) -> str:
        """Return the column of a feature. No two columns differ only by case, because SQL ignores case."""
        if feature not in self.features:
            used_names = {name.lower() for name in self.features.values()}
            column, suffix = feature_column(feature), 2
            while column.lower() in used_names:
                column, suffix = f"{feature_column(feature)}~{suffix}", suffix + 1
            self.features[feature] = column
        return self.features[feature]

    def count(self, words: SortedTokens) -> None:
        """Add the counts of a chunk."""
        counted = {column.name: words.columns[column.name] for column in TABLES["tokens"] if column.listed}
        counted |= {name: column for name, column in words.features.items() if name not in TAGS}
        for name, column in counted.items():
            counts = zip(column.values.to_pylist(), words.counts(column).tolist(), strict=True)
            self.values.setdefault(name, Counter()).update({value: count for value, count in counts if count})

    def add(self, other: Vocabulary) -> None:
        """Add the vocabulary of a later chunk, which includes the features of all earlier chunks."""
        self.features.update(other.features)
        for name, counts in other.values.items():
            self.values.setdefault(name, Counter()).update(counts)
