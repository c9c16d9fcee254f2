"""The lexicon of the sample, in `lexicon.toml`, and reproducible random choices, the same on every machine.

The word lists of the shipped filters come from BLiMP's sentences. They contain all names and passive verbs of this
lexicon, and most of its nouns.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import Any, Generic, TypeVar

from runner.readers import parse_toml

T = TypeVar("T")


class Weighted(Generic[T]):
    """Entries to choose from, with probabilities proportional to their weights."""

    __slots__ = ("cumulative_probabilities", "entries")

    def __init__(self, *entries: tuple[T, float]) -> None:
        self.entries = [entry for entry, _ in entries]
        total = sum(weight for _, weight in entries)
        self.cumulative_probabilities = [sums / total for sums in accumulate(weight for _, weight in entries)]


class Rng:
    """A random number generator that uses only `Random.random`, whose values are stable across Python versions."""

    __slots__ = ("random",)

    def __init__(self, seed: int, name: str) -> None:
        self.random = random.Random(f"fictc sample/{seed}/{name}").random  # Python hashes string seeds with SHA-512

    def chance(self, probability: float) -> bool:
        return self.random() < probability

    def choice(self, entries: Sequence[T]) -> T:
        return entries[int(self.random() * len(entries))]

    def weighted_choice(self, weighted: Weighted[T]) -> T:
        value = self.random()
        for entry, cumulative_probability in zip(weighted.entries, weighted.cumulative_probabilities, strict=True):
            if value < cumulative_probability:
                return entry
        return weighted.entries[-1]

    def shuffle(self, entries: list[T]) -> None:
        for index in range(len(entries) - 1, 0, -1):
            swap_index = int(self.random() * (index + 1))
            entries[index], entries[swap_index] = entries[swap_index], entries[index]


@dataclass(frozen=True, slots=True)
class Noun:
    """A noun with its singular and plural. `gender` is the gender of its reflexive, or empty if it may be Masc or Fem.

    The word lists of the shipped filters contain the singular and the plural of a noun if it is `listed`, else neither.
    A filter with such a list therefore does not match all instances of a construction.
    """

    lemma: str
    plural: str
    kind: str
    gender: str
    irregular: bool
    listed: bool


@dataclass(frozen=True, slots=True)
class Verb:
    """A verb with its forms. Its object is of one of the kinds in `objects`, and follows `preposition` if given."""

    lemma: str
    third: str
    past: str
    participle: str
    ing: str
    objects: tuple[str, ...] = ()
    preposition: str = ""
    passive: bool = False


@dataclass(frozen=True, slots=True)
class Adjective:
    lemma: str
    comparative: str = ""
    superlative: str = ""


VOWELS = "aeiou"
MASCULINE, FEMININE, NEUTER = "Masc", "Fem", "Neut"


def plural_of(noun: str) -> str:
    if noun.endswith(("s", "x", "ch", "sh")):
        return noun + "es"
    if noun.endswith("y") and noun[-2] not in VOWELS:
        return noun[:-1] + "ies"
    return noun + "s"


def _nouns(kind: str, words: str) -> tuple[Noun, ...]:
    nouns = []
    for word in words.split():
        base, _, gender = word.removesuffix("*").partition("+")
        lemma, _, plural = base.partition("/")
        noun_gender = {"f": FEMININE, "m": MASCULINE, "": "" if kind in {"person", "relational"} else NEUTER}[gender]
        nouns.append(Noun(lemma, plural or plural_of(lemma), kind, noun_gender, bool(plural), not word.endswith("*")))
    return tuple(nouns)


def _verb(entry: str, objects: tuple[str, ...], preposition: str, *, passive: bool) -> Verb:
    lemma, *parts = entry.split("/")
    if lemma.endswith("y") and lemma[-2] not in VOWELS:
        third, past = lemma[:-1] + "ies", lemma[:-1] + "ied"
    else:
        third = lemma + ("es" if lemma.endswith(("s", "sh", "ch", "x")) else "s")
        past = lemma + ("d" if lemma.endswith("e") else "ed")
    has_silent_e = lemma.endswith("e") and not lemma.endswith("ee")
    regular = [past, parts[0] if parts else past, (lemma[:-1] if has_silent_e else lemma) + "ing"]
    past, participle, ing = parts + regular[len(parts) :]
    return Verb(lemma, third, past, participle, ing, objects, preposition, passive)


def _verbs(groups: list[dict[str, Any]]) -> Iterator[Verb]:
    for group in groups:
        objects, preposition = tuple(group.get("objects", "").split()), group.get("preposition", "")
        for entry in group["verbs"].split():
            yield _verb(entry, objects, preposition, passive=group.get("passive", False))


_TABLES = parse_toml(Path(__file__).with_name("lexicon.toml").read_text(encoding="utf-8"))
NOUNS = {kind: _nouns(kind, words) for kind, words in _TABLES["nouns"].items()}
NAMES: dict[str, tuple[str, ...]] = {gender: tuple(names.split()) for gender, names in _TABLES["names"].items()}
ADJECTIVES = {
    kind: tuple(Adjective(*word.split("/")) for word in words.split()) for kind, words in _TABLES["adjectives"].items()
}
_WORDS: dict[str, tuple[str, ...]] = {name: tuple(words.split()) for name, words in _TABLES["words"].items()}
FREQUENCY_ADVERBS, STANCE_ADVERBS, MANNER_ADVERBS = _WORDS["frequency"], _WORDS["stance"], _WORDS["manner"]
MODALS, NUMERALS = _WORDS["modals"], _WORDS["numerals"]
PLACE_PREPOSITIONS, LANDMARK_PREPOSITIONS = ("in", "near"), ("near", "behind", "beside")

PERSON_KINDS = ("person", "relational", "name")
_VERBS = {name: tuple(_verbs(groups)) for name, groups in _TABLES["verbs"].items()}
TRANSITIVE, INTRANSITIVE, DITRANSITIVE = _VERBS["transitive"], _VERBS["intransitive"], _VERBS["ditransitive"]
PSYCH_VERBS, UNACCUSATIVE, WITH_PREPOSITION = _VERBS["psych"], _VERBS["unaccusative"], _VERBS["with_preposition"]
CLAUSAL, INFINITIVAL = _VERBS["clausal"], _VERBS["infinitival"]


def _lemmas(words: tuple[Any, ...], lemmas: str) -> tuple[Any, ...]:
    return tuple(word for word in words if word.lemma in lemmas.split())


PERSON_OBJECT_VERBS = tuple(verb for verb in TRANSITIVE if "person" in verb.objects)
REFLEXIVE: tuple[Verb, ...] = _lemmas(PERSON_OBJECT_VERBS, "hurt help love admire respect see describe criticize")
OCCUPATIONS: tuple[Noun, ...] = _lemmas(NOUNS["person"], "student teacher doctor nurse lawyer")


@dataclass(frozen=True, slots=True)
class Lexicon:
    nouns: Mapping[str, tuple[Noun, ...]]
    adjectives: Mapping[str, tuple[Adjective, ...]]
    transitive: tuple[Verb, ...]
    intransitive: tuple[Verb, ...]


BASIC = Lexicon(NOUNS, ADJECTIVES, TRANSITIVE, INTRANSITIVE)
