"""Turns a paradigm into balanced minimal pairs in BLiMP's JSON lines, none of whose good sentences is in a corpus."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from fictdsl.diagnostics.codes import diagnostic
from runner.errors import InputError
from runner.sample.grammar.phrases import Draft
from runner.sample.words.rng import Dice
from runner.sample.words.tree import Node, text, words
from runner.sample.words.words import PLUR, SING

RESERVED_SHARE = 4  # one sentence text in four is kept for pairs
TRIES = 2_000


def reserved(sentence: str) -> bool:
    """Whether a sentence may only be in minimal pairs: by its text alone, so for every seed and size."""
    return zlib.crc32(sentence.lower().encode()) % RESERVED_SHARE == 0


@dataclass(slots=True)
class Contrast:
    """A good sentence and how its words change in the bad one.

    `swaps` are words with their bad forms, `bad_order` the words of the bad sentence where they move, `critical`
    the word at which the two prefixes of a two-prefix paradigm are compared.
    """

    root: Node
    swaps: tuple[tuple[Node, str], ...] = ()
    bad_order: list[Node] | None = None
    critical: Node | None = field(default=None)


# (draft, crux, number) → contrast. The two pairs of a couple get the same `crux` stream, and one number each: what
# the crux chooses (the words that differ) stands in both, once as the good form and once as the bad one.
Maker = Callable[[Draft, Dice, str], Contrast]


@dataclass(frozen=True, slots=True)
class Paradigm:
    """A paradigm of BLiMP: its labels, and the function that makes its contrasts."""

    uid: str
    field: str
    term: str
    make: Maker
    method: str = ""  # one_prefix, two_prefix or neither
    identical: bool = False  # BLiMP's lexically_identical
    balanced: bool = False  # whether good and bad forms change places between the two pairs of a couple


def minimal_pairs(paradigm: Paradigm, count: int, seed: int) -> Iterator[dict[str, object]]:
    """`count` different pairs, as the JSON objects of BLiMP's files.

    Raises:
        InputError: the grammar has too few sentences of this shape.
    """
    seen: set[str] = set()
    dice = Dice(seed, f"pairs/{paradigm.uid}")
    for index in range(count):
        for _ in range(TRIES):
            crux = Dice(seed, f"pairs/{paradigm.uid}/{index // 2}")
            contrast = paradigm.make(Draft(dice), crux, PLUR if index % 2 else SING)
            good = text(words(contrast.root))
            if reserved(good) and good not in seen:
                break
        else:
            raise InputError(diagnostic("FICT832", found=index, paradigm=paradigm.uid, wanted=count))
        seen.add(good)
        yield _entry(paradigm, contrast, good, index)


def _entry(paradigm: Paradigm, contrast: Contrast, good: str, index: int) -> dict[str, object]:
    order = words(contrast.root)
    place = order.index(contrast.critical) if contrast.critical is not None else 0
    good_prefix = _prefix(order, place)
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


def _prefix(order: list[Node], place: int) -> str:
    return text(order[:place]) if place else ""


def _one_prefix(good: str, bad: str) -> dict[str, object]:
    """The words that the two share from the left, and the first word of each that differs."""
    left, right = good.rstrip(".?").split(), bad.rstrip(".?").split()
    shared = next(place for place, pair in enumerate(zip(left, right, strict=False)) if pair[0] != pair[1])
    return {
        "one_prefix_prefix": " ".join(left[:shared]),
        "one_prefix_word_good": left[shared],
        "one_prefix_word_bad": right[shared],
    }
