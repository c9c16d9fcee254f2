"""Build the predicates of relations on pairs of words, and of numbers of words, for the reference interpreter."""

from __future__ import annotations

from collections.abc import Callable
from typing import assert_never

from fictdsl.reference.predicates import ORDERINGS, PredicateBuilder
from fictdsl.reference.sentence import Sentence, Word
from fictdsl.syntax.nodes import Before, Bounds, Edge, Measure, Next, Path, Relation, Siblings, SumComparison, Summand

PairTest = Callable[[Sentence, Word, Word], bool]  # of the words left and right of the relation


def pair_test(relation: Relation, builder: PredicateBuilder) -> PairTest:
    """Return the predicate of a relation on its left and its right word."""
    match relation:
        case Next():
            return lambda _, left, right: right.id == left.id + 1
        case Before(bounds):
            low, high = limits(bounds)
            return lambda _, left, right: low <= right.id - left.id <= high
        case Siblings():
            return lambda _, left, right: left.head == right.head != 0
        case Path(labels, bounds):
            low, high = limits(bounds)
            return _path(builder.labels(labels), low, high)
        case Edge(labels, from_dependent, enhanced):
            label_fits = builder.labels(labels)
            edge = _enhanced(label_fits) if enhanced else _basic(label_fits)
            return (lambda sentence, left, right: edge(sentence, right, left)) if from_dependent else edge
    assert_never(relation)


def limits(bounds: Bounds | None) -> tuple[int, float]:
    """Return the lowest and the highest distance allowed; by default, one or more."""
    if bounds is None:
        return 1, float("inf")
    return 1 if bounds.low is None else bounds.low, float("inf") if bounds.high is None else bounds.high


def _basic(label_fits: Callable[[str | None], bool]) -> PairTest:
    return lambda _, head, dependent: dependent.head == head.id and label_fits(dependent.deprel)


def _enhanced(label_fits: Callable[[str | None], bool]) -> PairTest:
    def edge(_: Sentence, head: Word, dependent: Word) -> bool:
        head_id = str(head.id)
        return any(edge_head == head_id and label_fits(label) for edge_head, label in dependent.deps)

    return edge


def _path(label_fits: Callable[[str | None], bool], low: int, high: float) -> PairTest:
    """Return the predicate of `->>`: follow heads from the lower word until the upper one is reached.

    A path does not repeat a word. If the heads form a cycle without the upper word, it is not reached.
    """

    def path(sentence: Sentence, upper: Word, lower: Word) -> bool:
        steps, word = 0, lower
        while word.id != upper.id:
            if word.head == 0 or not label_fits(word.deprel) or steps == len(sentence.words):
                return False
            word, steps = sentence.words[word.head - 1], steps + 1
        return low <= steps <= high

    return path


def sum_comparison(clause: SumComparison, names: tuple[str, ...]) -> Callable[..., bool]:
    """Return the predicate `holds(sentence, *words)` of a comparison of numbers of words; `names` are of the words."""
    compare = ORDERINGS[clause.op]

    def holds(sentence: Sentence, *words: Word) -> bool:
        bound = dict(zip(names, words, strict=True))
        left, right = (_total(side, bound, sentence) for side in (clause.left, clause.right))
        return compare(left, right)

    return holds


def _total(summands: tuple[Summand, ...], bound: dict[str, Word], sentence: Sentence) -> int:
    total = 0
    for summand in summands:
        number = summand.number
        value = number if isinstance(number, int) else _measured(number, bound, sentence)
        total += -value if summand.negated else value
    return total


def _measured(measure: Measure, bound: dict[str, Word], sentence: Sentence) -> int:
    words = [bound[name.text] for name in measure.nodes]
    if measure.kind == "subtree":
        return _subtree_size(sentence, words[0].id)
    first, last = sorted(word.id for word in words)
    return len(range(first, last + 1)) if measure.kind == "span" else last - first


def _subtree_size(sentence: Sentence, top: int) -> int:
    """Return the number of words from which a path of heads leads to the word `top`, with the word itself."""
    size = 0
    for word in sentence.words:
        above, steps = word.id, 0
        while above not in (0, top) and steps < len(sentence.words):
            above, steps = sentence.words[above - 1].head, steps + 1
        size += above == top
    return size
