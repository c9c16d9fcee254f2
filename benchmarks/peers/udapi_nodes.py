"""Hand-written loops over the nodes of Udapi."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from udapi.core.document import Document

from benchmarks.peers.loop import DEMONSTRATIVES, DET_NOUNS, OBJECTS, QUANTIFIERS, SV_NOUNS


def is_subject(node: Any) -> bool:
    """Return whether the relation is nsubj or one of its subtypes."""
    return node.udeprel == "nsubj"  # type: ignore[no-any-return]


FILTERS: dict[str, Callable[[Any], bool]] = {
    "agr-pp-mod": lambda node: (
        is_subject(node) and any(m.deprel == "nmod" and node.ord < m.ord < node.parent.ord for m in node.children)
    ),
    "agr-re-irr-sv": lambda node: is_subject(node) and node.form.lower() in SV_NOUNS,
    "det-adj-noun": lambda node: (
        node.upos == "DET"
        and node.form.lower() in DEMONSTRATIVES
        and node.next_node is not None
        and node.next_node.upos not in {"NOUN", "PROPN"}
    ),
    "det-noun": lambda node: (
        node.deprel == "det"
        and (node.form.lower() in DEMONSTRATIVES or node.lemma.lower() in DEMONSTRATIVES)
        and not node.parent.is_root()
        and node.parent.form.lower() in DET_NOUNS
    ),
    "quantifier-existential-there": lambda node: (
        node.lemma == "there"
        and node.deprel == "expl"
        and node.parent.lemma == "be"
        and any(is_subject(n) and any(q.lemma in QUANTIFIERS for q in n.children) for n in node.parent.children)
    ),
    "quantifier-superlative": lambda node: (
        node.feats["Degree"] in {"Sup", "Cmp"}
        and (node.deprel in OBJECTS or any(ancestor.deprel in OBJECTS for ancestor in _ancestors(node)))
    ),
}


def _ancestors(node: Any) -> Any:
    while not node.parent.is_root():
        node = node.parent
        yield node


def finder(corpus: Path) -> Callable[[str], list[int]]:
    """Read a corpus, and return a function from a filter's name to the numbers of its sentences."""
    document = Document(str(corpus))
    trees = list(document.trees)

    def find(name: str) -> list[int]:
        holds = FILTERS[name]
        return [sid for sid, tree in enumerate(trees) if any(map(holds, tree.descendants))]

    return find
