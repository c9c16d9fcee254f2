"""Facts about a corpus that lint rules use: its labels, values and words, and how many sentences filters match."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class CorpusFacts:
    """Facts about one corpus.

    `sentences` is the number of sentences. `values` maps `upos`, `xpos`, `deprel`, `enhanced` (labels of the enhanced
    graph) and each feature to a tuple of its values, most frequent first. `words` maps a column (`form`, `lemma`, or
    `form_l` and `lemma_l` in lower case) to the words that the linted files test and that occur in it. `match_counts`
    maps the key of a filter to the number of sentences it matches; a filter whose query failed is missing.
    """

    sentences: int
    values: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    words: Mapping[str, frozenset[str]] = field(default_factory=dict)
    match_counts: Mapping[str, int] = field(default_factory=dict)

    def has_label(self, label: str, *, exact: bool, column: str = "deprel") -> bool:
        """Return whether some word has the relation `label` or, unless `exact`, a subtype of it."""
        labels = self.values.get(column, ())
        return label in labels or (not exact and any(value.startswith(f"{label}:") for value in labels))
