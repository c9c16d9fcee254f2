"""What lint knows of a corpus: the labels, values and words it has, and how many sentences filters match."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class CorpusFacts:
    """The answers of one corpus to what some files ask.

    `values` are all values of `upos`, `xpos`, `deprel`, of `enhanced` (labels of the enhanced graph) and of each
    feature, the most frequent first. `words` are those of the words asked for that there are, by column (`form`,
    `form_l`, `lemma`, `lemma_l`). `matching` is how many sentences a filter matches, by its key; a filter that took
    too long is not in it.
    """

    sentences: int
    values: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    words: Mapping[str, frozenset[str]] = field(default_factory=dict)
    matching: Mapping[str, int] = field(default_factory=dict)

    def has_label(self, label: str, *, exact: bool, graph: str = "deprel") -> bool:
        """Whether a word bears a relation label or, unless `exact`, a subtype of it."""
        known = self.values.get(graph, ())
        return label in known or (not exact and any(value.startswith(f"{label}:") for value in known))
