"""Generate the sentences of a split, with an exact share for each construction."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from runner.sample.grammar.phrases import Draft
from runner.sample.mixture import MIXTURE
from runner.sample.pairs import reserved
from runner.sample.words.rng import Rng
from runner.sample.words.tree import Node, conllu, text, words

TRIES = 50  # redraws before a repeated sentence is accepted


@dataclass(frozen=True, slots=True)
class Sentence:
    """A generated sentence with its tree and its constructions."""

    split: str
    number: int
    text: str
    constructions: tuple[str, ...]
    root: Node
    order: list[Node]

    @property
    def sent_id(self) -> str:
        """The identifier in CoNLL-U, such as `train-000001`."""
        return f"{self.split}-{self.number:06d}"

    def conllu(self) -> str:
        """Return the sentence in CoNLL-U."""
        comments = (
            f"sent_id = {self.sent_id}",
            f"text = {self.text}",
            f"constructions = {', '.join(self.constructions)}",
        )
        return conllu(self.root, self.order, comments)


def sentence_counts(size: int) -> dict[str, int]:
    """Return the number of sentences for each construction, by the largest remainder method."""
    total = sum(weight for _, weight in MIXTURE.values())
    counts = {name: size * weight // total for name, (_, weight) in MIXTURE.items()}
    by_remainder = sorted(MIXTURE, key=lambda name: -(size * MIXTURE[name][1] % total))
    for name in by_remainder[: size - sum(counts.values())]:
        counts[name] += 1
    return counts


def sentences(split: str, size: int, seed: int, seen: set[str]) -> Iterator[Sentence]:
    """Yield `size` sentences of a split in random order.

    Each construction has its own random stream. Sentences are added to `seen`. A sentence in `seen` is drawn again, up
    to TRIES times, and then accepted. Sentences reserved for minimal pairs are never accepted.
    """
    plan = [name for name, count in sentence_counts(size).items() for _ in range(count)]
    Rng(seed, f"{split}/order").shuffle(plan)
    streams = {name: Rng(seed, f"{split}/{name}") for name in MIXTURE}
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


def _unreserved(stream: Rng, name: str) -> tuple[Draft, Node, list[Node], str]:
    """Return the next sentence that is not reserved, even if it is repeated."""
    while True:
        draft = Draft(stream)
        root = MIXTURE[name][0](draft)
        order = words(root)
        line = text(order)
        if not reserved(line):
            return draft, root, order, line


@dataclass(slots=True)
class SplitCounts:
    """The numbers of sentences and words of a split, and of sentences with each construction."""

    sentences: int = 0
    words: int = 0
    constructions: dict[str, int] = field(default_factory=dict)

    def add(self, sentence: Sentence) -> None:
        """Count a sentence."""
        self.sentences += 1
        self.words += len(sentence.order)
        for name in sentence.constructions:
            self.constructions[name] = self.constructions.get(name, 0) + 1

    def as_json(self, filter_names: tuple[str, ...]) -> Mapping[str, object]:
        """Return the counts for counts.json, with 0 for filters without a sentence."""
        return {
            "sentences": self.sentences,
            "words": self.words,
            "constructions": dict(sorted(self.constructions.items())),
            "filters": {name: self.constructions.get(name, 0) for name in filter_names},
        }
