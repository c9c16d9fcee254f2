"""Generate the minimal pairs of a paradigm in BLiMP's format. Their good sentences are in no generated corpus."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from fictdsl.diagnostics.codes import diagnostic
from runner.errors import InputError
from runner.sample.grammar.phrases import Draft
from runner.sample.words.rng import Rng
from runner.sample.words.tree import Node, text, words
from runner.sample.words.words import PLUR, SING

RESERVED_MODULUS = 4  # one sentence in four is reserved for pairs
MAX_TRIES = 2_000  # draws per pair


def is_reserved(sentence: str) -> bool:
    """Return whether a sentence is reserved for minimal pairs. This depends only on its text."""
    return zlib.crc32(sentence.lower().encode()) % RESERVED_MODULUS == 0


@dataclass(slots=True)
class Contrast:
    """A good sentence and how the bad one differs.

    `swaps` are the changed words with their bad forms. `bad_order` is the order of words in the bad sentence if it
    differs. `critical` is the word after the prefixes of a two-prefix paradigm.
    """

    root: Node
    swaps: tuple[tuple[Node, str], ...] = ()
    bad_order: list[Node] | None = None
    critical: Node | None = None


# (draft, shared_rng, number) → contrast, where `number` is SING or PLUR. Two consecutive pairs form a couple with equal
# `shared_rng` and different `number`. The words chosen with `shared_rng` are in both pairs: in one pair in the good
# form, in the other in the bad form.
Maker = Callable[[Draft, Rng, str], Contrast]


@dataclass(frozen=True, slots=True)
class Paradigm:
    """A paradigm of BLiMP: its labels, and the function that creates its contrasts."""

    uid: str
    field: str
    term: str
    make: Maker
    method: str = ""  # one_prefix, two_prefix or neither
    identical: bool = False  # BLiMP's lexically_identical
    balanced: bool = False  # whether the good forms of one pair of a couple are the bad forms of the other


def minimal_pairs(paradigm: Paradigm, count: int, seed: int) -> Iterator[dict[str, object]]:
    """Yield `count` different pairs, as the JSON objects of BLiMP's files.

    Raises InputError (FICT832) if the grammar generates too few sentences for the paradigm.
    """
    seen: set[str] = set()
    rng = Rng(seed, f"pairs/{paradigm.uid}")
    for index in range(count):
        for _ in range(MAX_TRIES):
            shared_rng = Rng(seed, f"pairs/{paradigm.uid}/{index // 2}")
            contrast = paradigm.make(Draft(rng), shared_rng, PLUR if index % 2 else SING)
            good = text(words(contrast.root))
            if is_reserved(good) and good not in seen:
                break
        else:
            raise InputError(diagnostic("FICT832", found=index, paradigm=paradigm.uid, wanted=count))
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
    """Return the shared prefix of two sentences, and the first word of each after it."""
    good_words, bad_words = good.rstrip(".?").split(), bad.rstrip(".?").split()
    prefix_length = next(
        index for index, pair in enumerate(zip(good_words, bad_words, strict=False)) if pair[0] != pair[1]
    )
    return {
        "one_prefix_prefix": " ".join(good_words[:prefix_length]),
        "one_prefix_word_good": good_words[prefix_length],
        "one_prefix_word_bad": bad_words[prefix_length],
    }
