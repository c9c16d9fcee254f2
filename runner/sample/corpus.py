"""Write the sample: treebanks with an exact number of sentences for each construction, minimal pairs, counts."""

from __future__ import annotations

import json
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from runner.errors import InputError
from runner.sample import polarity, sentences
from runner.sample.lexicon import Rng
from runner.sample.paradigms import PARADIGMS, Contrast, Paradigm
from runner.sample.phrases import Draft
from runner.sample.words import PLUR, SING, Node, conllu, text, words

Production = Callable[[Draft], Node]

# name → (production, weight)
MIXTURE: dict[str, tuple[Production, int]] = {
    "plain": (sentences.plain, 300),
    "complement": (sentences.complement, 45),
    "coordination": (sentences.coordination, 45),
    "because": (sentences.because, 20),
    "fronted": (sentences.fronted, 25),
    "subject-pp": (sentences.subject_with_pp, 80),
    "subject-relative": (sentences.subject_with_relative, 85),
    "subject-participle": (sentences.subject_with_participle, 45),
    "demonstrative": (sentences.demonstrative, 110),
    "reflexive-object": (sentences.reflexive_object, 55),
    "reflexive-over-relative": (sentences.reflexive_over_relative, 20),
    "passive-clause": (sentences.passive, 50),
    "question": (polarity.question, 30),
    "wh-question": (polarity.wh_question, 20),
    "question-npi": (polarity.question_npi, 25),
    "negated-npi": (polarity.negated_npi, 25),
    "stance": (polarity.stance, 15),
    "only-npi": (polarity.only_npi, 25),
    "only-or-even": (polarity.only_or_even, 25),
    "no-npi": (polarity.no_npi, 10),
    "existential": (sentences.existential, 50),
    "counted": (sentences.counted, 40),
    "compared": (sentences.compared, 15),
    "mannered-number": (sentences.aann, 4),
}

# Constructions that are named after a shipped filter. The filter matches exactly the sentences with the construction.
FILTERS = (
    "agr-pp-mod", "agr-re-irr-sv", "agr-rel-cl", "binding-c-command", "binding-case", "binding-domain", "det-adj-noun",
    "det-noun", "npi-only", "npi-sent-neg", "npi-sim-ques", "passive", "quantifier-existential-there",
    "quantifier-superlative", "aann",
)  # fmt: skip
MAX_TRIES = 50  # draws before a repeated sentence is accepted
RESERVED_MODULUS = 4  # one sentence in four is reserved for pairs
MAX_PAIR_TRIES = 2_000  # draws per pair


def is_reserved(sentence: str) -> bool:
    """Return whether a sentence is reserved for minimal pairs. This depends only on its text."""
    return zlib.crc32(sentence.lower().encode()) % RESERVED_MODULUS == 0


@dataclass(frozen=True, slots=True)
class Sentence:
    split: str
    number: int
    text: str
    constructions: tuple[str, ...]
    root: Node
    order: list[Node]

    @property
    def sent_id(self) -> str:
        return f"{self.split}-{self.number:06d}"

    def conllu(self) -> str:
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


def split_sentences(split: str, size: int, seed: int, seen: set[str]) -> Iterator[Sentence]:
    """Yield `size` sentences of a split in random order, each construction from its own random stream.

    A sentence in `seen` is drawn again, up to MAX_TRIES times. Sentences reserved for minimal pairs are never accepted.
    """
    construction_names = [name for name, count in sentence_counts(size).items() for _ in range(count)]
    Rng(seed, f"{split}/order").shuffle(construction_names)
    rngs = {name: Rng(seed, f"{split}/{name}") for name in MIXTURE}
    for number, name in enumerate(construction_names, 1):
        for tries in count(1):
            draft = Draft(rngs[name])
            root = MIXTURE[name][0](draft)
            order = words(root)
            sentence_text = text(order)
            if not is_reserved(sentence_text) and (tries > MAX_TRIES or sentence_text not in seen):
                break
        seen.add(sentence_text)
        yield Sentence(split, number, sentence_text, (name, *sorted(draft.tags)), root, order)


@dataclass(slots=True)
class SplitCounts:
    sentences: int = 0
    words: int = 0
    constructions: Counter[str] = field(default_factory=Counter)

    def add(self, sentence: Sentence) -> None:
        self.sentences += 1
        self.words += len(sentence.order)
        self.constructions.update(sentence.constructions)

    def as_json(self, filter_names: tuple[str, ...]) -> Mapping[str, object]:
        return {
            "sentences": self.sentences,
            "words": self.words,
            "constructions": dict(sorted(self.constructions.items())),
            "filters": {name: self.constructions[name] for name in filter_names},
        }


def minimal_pairs(paradigm: Paradigm, count: int, seed: int) -> Iterator[dict[str, object]]:
    """Yield different pairs as JSON objects of BLiMP. Raises InputError (FICT832) if the grammar has too few."""
    seen: set[str] = set()
    rng = Rng(seed, f"pairs/{paradigm.uid}")
    for index in range(count):
        for _ in range(MAX_PAIR_TRIES):
            shared_rng = Rng(seed, f"pairs/{paradigm.uid}/{index // 2}")
            contrast = paradigm.make(Draft(rng), shared_rng, PLUR if index % 2 else SING)
            good = text(words(contrast.root))
            if is_reserved(good) and good not in seen:
                break
        else:
            raise InputError.of("FICT832", found=index, paradigm=paradigm.uid, wanted=count)
        seen.add(good)
        yield _entry(paradigm, contrast, good, index)


def _entry(paradigm: Paradigm, contrast: Contrast, good: str, index: int) -> dict[str, object]:
    order = words(contrast.root)
    prefix_length = order.index(contrast.critical) if contrast.critical is not None else 0
    good_prefix = _prefix(order, prefix_length)
    for node, form in contrast.swaps:
        node.form = form
    bad_order = contrast.bad_order or order
    bad = text(bad_order)
    entry: dict[str, object] = {"sentence_good": good, "sentence_bad": bad}
    if paradigm.method == "one_prefix":
        entry |= _one_prefix(good, bad)
    elif paradigm.method == "two_prefix" and contrast.critical is not None:
        entry["two_prefix_prefix_good"] = good_prefix
        entry["two_prefix_prefix_bad"] = _prefix(bad_order, bad_order.index(contrast.critical))
        entry["two_prefix_word"] = contrast.critical.form
    return entry | {
        "field": paradigm.field,
        "linguistics_term": paradigm.term,
        "UID": paradigm.uid,
        "simple_LM_method": True,
        "one_prefix_method": paradigm.method == "one_prefix",
        "two_prefix_method": paradigm.method == "two_prefix",
        "lexically_identical": paradigm.identical,
        "pairID": str(index),
    }


def _prefix(order: list[Node], length: int) -> str:
    return text(order[:length]) if length else ""


def _one_prefix(good: str, bad: str) -> dict[str, object]:
    good_words, bad_words = good.rstrip(".?").split(), bad.rstrip(".?").split()
    prefix_length = next(
        index for index, pair in enumerate(zip(good_words, bad_words, strict=False)) if pair[0] != pair[1]
    )
    return {
        "one_prefix_prefix": " ".join(good_words[:prefix_length]),
        "one_prefix_word_good": good_words[prefix_length],
        "one_prefix_word_bad": bad_words[prefix_length],
    }


DEFAULT_SENTENCES, DEFAULT_PAIRS = 20_000, 1_000
FILES = frozenset({"train.conllu", "valid.conllu", "test.conllu", "pairs", "counts.json", "README.md"})
TRAIN_PER_HELD_OUT = 20  # ratio of the size of train to the size of valid, and of test
_REPORT_INTERVAL = 1_000  # sentences

Progress = Callable[[int, int], None]  # done, total


@dataclass(frozen=True, slots=True)
class Summary:
    splits: dict[str, SplitCounts]
    pairs: dict[str, int]


def generate(
    folder: Path,
    *,
    sentences: int = DEFAULT_SENTENCES,
    pairs: int = DEFAULT_PAIRS,
    seed: int = 1,
    progress: Progress | None = None,
) -> Summary:
    """Write the sample into `folder`, which is created if needed. Equal arguments give equal bytes on all machines.

    Args:
        folder: Receives train.conllu, valid.conllu, test.conllu, pairs/<paradigm>.jsonl, counts.json and README.md.
        sentences: Number of sentences in train; valid and test each have a twentieth of it, rounded up.
        pairs: Number of pairs in each paradigm. If the number is odd, the last pair has no counterpart.
        seed: Any integer.
        progress: Called with (done, total) while sentences are written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    held_out_size = -(-sentences // TRAIN_PER_HELD_OUT)
    sizes = {"train": sentences, "valid": held_out_size, "test": held_out_size}
    seen: set[str] = set()
    numbers, total = count(1), sum(sizes.values())
    splits = {}
    for split, size in sizes.items():
        split_text = split_sentences(split, size, seed, seen)
        reported = split_text if progress is None else _reported(split_text, numbers, total, progress)
        splits[split] = _write_split(folder / f"{split}.conllu", reported)
    summary = Summary(splits, {paradigm.uid: pairs for paradigm in PARADIGMS})
    (folder / "pairs").mkdir(exist_ok=True)
    for paradigm in PARADIGMS:
        lines = (json.dumps(pair) + "\n" for pair in minimal_pairs(paradigm, pairs, seed))
        _write(folder / "pairs" / f"{paradigm.uid}.jsonl", "".join(lines))
    counts = {"seed": seed, **{split: split_counts.as_json(FILTERS) for split, split_counts in splits.items()}}
    counts["pairs"] = summary.pairs
    _write(folder / "counts.json", json.dumps(counts, indent=1) + "\n")
    _write(folder / "README.md", _readme(summary, seed))
    return summary


def _write(path: Path, content: str) -> None:
    path.write_text(content, encoding="utf-8", newline="\n")


def _write_split(path: Path, sentences: Iterable[Sentence]) -> SplitCounts:
    counts = SplitCounts()
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for sentence in sentences:
            counts.add(sentence)
            file.write(sentence.conllu())
    return counts


def _reported(
    sentences: Iterable[Sentence], numbers: Iterator[int], total: int, report: Progress
) -> Iterator[Sentence]:
    for sentence in sentences:
        yield sentence
        done = next(numbers)
        if done % _REPORT_INTERVAL == 0 or done == total:
            report(done, total)


def _readme(summary: Summary, seed: int) -> str:
    train = summary.splits["train"]
    rows = "\n".join(f"| {name} | {train.constructions[name]:,} |" for name in sorted({*train.constructions, *FILTERS}))
    pairs = max(summary.pairs.values(), default=0)
    return f"""# A sample corpus of English

Generated by `fictc sample --sentences {train.sentences} --pairs {pairs} --seed {seed}` from the grammar in
fictc's `runner/sample`: {train.sentences:,} sentences of training text ({train.words:,} words), validation and test
texts of a twentieth of that, and {len(summary.pairs)} paradigms of minimal pairs in BLiMP's format. The sentences are
grammatical, but seldom meaningful. The trees follow UD English EWT. The comment `# constructions` of a sentence names
its constructions, and `counts.json` counts them. Some constructions have the name of a filter in `filters/fict15`, and
`aann` has the name of a filter in `filters/decaf`. The filter must match exactly the sentences with its construction.

One sentence in four, chosen by a checksum of its text, is reserved for minimal pairs. No corpus of this grammar
contains the good sentence of a pair, whatever its seed and size. In agreement paradigms, two consecutive pairs
contrast the same two words. Each word is correct in one pair and wrong in the other, so a baseline that uses only
word frequencies gets an accuracy of one half.

| construction | sentences in train |
|---|---|
{rows}
"""
