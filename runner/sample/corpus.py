"""Turns the mixture into a corpus: shuffled sentences of one split, each construction with its exact share."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from runner.sample.grammar.phrases import Draft
from runner.sample.mixture import MIXTURE
from runner.sample.pairs import reserved
from runner.sample.words.rng import Dice
from runner.sample.words.tree import Node, conllu, text, words

TRIES = 50  # redraws before a sentence that was there already is accepted again


@dataclass(frozen=True, slots=True)
class Sentence:
    """A generated sentence with its tree and the constructions it was built with."""

    split: str
    number: int
    text: str
    constructions: tuple[str, ...]
    root: Node
    order: list[Node]

    @property
    def sent_id(self) -> str:
        """`train-000001`."""
        return f"{self.split}-{self.number:06d}"

    def conllu(self) -> str:
        """The sentence as a block of CoNLL-U."""
        comments = (
            f"sent_id = {self.sent_id}",
            f"text = {self.text}",
            f"constructions = {', '.join(self.constructions)}",
        )
        return conllu(self.root, self.order, comments)


def shares(size: int) -> dict[str, int]:
    """How many of `size` sentences each construction of the mixture gets: the largest remainders are rounded up."""
    total = sum(weight for _, weight in MIXTURE.values())
    counts = {name: size * weight // total for name, (_, weight) in MIXTURE.items()}
    by_remainder = sorted(MIXTURE, key=lambda name: -(size * MIXTURE[name][1] % total))
    for name in by_remainder[: size - sum(counts.values())]:
        counts[name] += 1
    return counts


def sentences(split: str, size: int, seed: int, seen: set[str]) -> Iterator[Sentence]:
    """`size` sentences of a split in a random order.

    Every construction draws from a stream of its own. No sentence is in `seen`, which grows, as long as the
    construction still has new ones; none is reserved for minimal pairs.
    """
    plan = [name for name, count in shares(size).items() for _ in range(count)]
    Dice(seed, f"{split}/order").shuffle(plan)
    streams = {name: Dice(seed, f"{split}/{name}") for name in MIXTURE}
    for number, name in enumerate(plan, 1):
        for _ in range(TRIES):
            draft = Draft(streams[name])
            root = MIXTURE[name][0](draft)
            order = words(root)
            line = text(order)
            if not reserved(line) and line not in seen:
                break
        else:
            draft, root, order, line = _unreserved(streams[name], name)
        seen.add(line)
        yield Sentence(split, number, line, (name, *sorted(draft.tags)), root, order)


def _unreserved(stream: Dice, name: str) -> tuple[Draft, Node, list[Node], str]:
    """The next sentence that is not reserved, whether it was there before or not."""
    while True:
        draft = Draft(stream)
        root = MIXTURE[name][0](draft)
        order = words(root)
        line = text(order)
        if not reserved(line):
            return draft, root, order, line


@dataclass(slots=True)
class Tally:
    """What a split holds: sentences, words, and the number of sentences with each construction."""

    sentences: int = 0
    words: int = 0
    constructions: dict[str, int] = field(default_factory=dict)

    def add(self, sentence: Sentence) -> None:
        """Count a sentence."""
        self.sentences += 1
        self.words += len(sentence.order)
        for name in sentence.constructions:
            self.constructions[name] = self.constructions.get(name, 0) + 1

    def as_json(self, filters: tuple[str, ...]) -> Mapping[str, object]:
        """The counts as they stand in counts.json; every filter has a number, if need be 0."""
        found = self.constructions
        return {
            "sentences": self.sentences,
            "words": self.words,
            "constructions": dict(sorted(found.items())),
            "filters": {name: found.get(name, 0) for name in filters},
        }
