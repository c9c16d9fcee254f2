"""What is known of a whole corpus while it is written: physical feature columns, and how often values occur."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from runner.corpus.ingest.sorted_tokens import Clustered


@dataclass(slots=True)
class Vocabulary:
    """The column of each feature, and how often each value of some columns and of the features occurs."""

    features: dict[str, str] = field(default_factory=dict)
    values: dict[str, Counter[str]] = field(default_factory=dict)

    def physical(self, feature: str) -> str:
        """The column of a feature; names that differ only by case, which engines confuse, get different ones."""
        if feature not in self.features:
            taken = {name.lower() for name in self.features.values()}
            column, number = f"feat_{feature}", 2
            while column.lower() in taken:
                column, number = f"feat_{feature}~{number}", number + 1
            self.features[feature] = column
        return self.features[feature]

    def count(self, words: Clustered) -> None:
        """Add the counts of a chunk."""
        listed = {name: words.columns[name] for name in ("upos", "deprel")}
        for name, column in {**listed, **words.features}.items():
            found = zip(column.values.to_pylist(), words.counts(column).tolist(), strict=True)
            self.values.setdefault(name, Counter()).update({value: count for value, count in found if count})

    def add(self, other: Vocabulary) -> None:
        """Add what is known of a later part, which was told of all features before it."""
        self.features.update(other.features)
        for name, counts in other.values.items():
            self.values.setdefault(name, Counter()).update(counts)
