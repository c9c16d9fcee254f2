"""Generate the sentences of a split, with an exact number for each construction."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from runner.sample.grammar.phrases import Draft
from runner.sample.mixture import MIXTURE
from runner.sample.pairs import is_reserved
from runner.sample.words.rng import Rng
from runner.sample.words.tree import Node, conllu, text, words

MAX_TRIES = 50  # draws before a repeated sentence is accepted


@dataclass(frozen=True, slots=True)
class Sentence:
    """A generated sentence with its constructions, the root of its tree, and its words in order."""

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
    to MAX_TRIES times, and then accepted. Sentences reserved for minimal pairs are never accepted.
    """
    construction_names = [name for name, count in sentence_counts(size).items() for _ in range(count)]
    Rng(seed, f"{split}/order").shuffle(construction_names)
    rngs = {name: Rng(seed, f"{split}/{name}") for name in MIXTURE}
    for number, name in enumerate(construction_names, 1):
        for _ in range(MAX_TRIES):
            draft = Draft(rngs[name])
            root = MIXTURE[name][0](draft)
            order = words(root)
            sentence_text = text(order)
            if not is_reserved(sentence_text) and sentence_text not in seen:
                break
        else:
            draft, root, order, sentence_text = _unreserved(rngs[name], name)
        seen.add(sentence_text)
        yield Sentence(split, number, sentence_text, (name, *sorted(draft.tags)), root, order)


def _unreserved(rng: Rng, name: str) -> tuple[Draft, Node, list[Node], str]:
    """Return the next sentence that is not reserved, even if it is repeated."""
    while True:
        draft = Draft(rng)
        root = MIXTURE[name][0](draft)
        order = words(root)
        sentence_text = text(order)
        if not is_reserved(sentence_text):
            return draft, root, order, sentence_text


@dataclass(slots=True)
class SplitCounts:
    """The number of sentences and words in a split, and the number of sentences with each construction."""

    sentences: int = 0
    words: int = 0
    constructions: dict[str, int] = field(default_factory=dict)

    def add(self, sentence: Sentence) -> None:
        self.sentences += 1
        self.words += len(sentence.order)
        for name in sentence.constructions:
            self.constructions[name] = self.constructions.get(name, 0) + 1

    def as_json(self, filter_names: tuple[str, ...]) -> Mapping[str, object]:
        """Return the counts for counts.json, with 0 for a filter that matches no sentence."""
        return {
            "sentences": self.sentences,
            "words": self.words,
            "constructions": dict(sorted(self.constructions.items())),
            "filters": {name: self.constructions.get(name, 0) for name in filter_names},
        }
