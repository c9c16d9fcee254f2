"""What to generate: a recipe, and lexicon entries for frequent content lemmas of a corpus or a word list."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

from runner.corpus.raw_text import read_list
from runner.corpus.statistics import ContentLemma, content_lemmas
from runner.corpus.store import Store
from runner.errors import InputError
from runner.generate import WORDS_PER_TARGET
from runner.sample.lexicon import NEUTER, Adjective, Noun, Rng, Verb


@dataclass(frozen=True, slots=True)
class Recipe:
    paradigm: str | None
    words: int
    words_per_target: int = WORDS_PER_TARGET
    seed: int = 0


T = TypeVar("T")
MAX_LEMMAS = 10_000  # as in the targeted-injection paper
# A noun of a word list is dropped if the ratio of its plural's frequency to its own is below MIN_PLURAL_RATIO. It is
# 0.2 % for `informations` and 4 % for `presidents`. Nouns with a lower frequency than RARE_FREQUENCY are not tested.
MIN_PLURAL_RATIO, RARE_FREQUENCY = 0.03, 1e-6
# Verbs that are also auxiliaries, and words that do not fit into plain noun phrases or predicates.
_EXCLUDED = frozenset(
    {
        *("be", "have", "do", "will", "would", "can", "could", "may", "might", "must", "shall", "should", "get", "let"),
        *("need", "such", "many", "few", "more", "most", "much", "other", "own", "same", "several", "first", "last"),
        *("next", "one", "two", "lot", "kind", "sort", "something", "anything", "nothing", "everything", "someone"),
        *("anyone", "people"),
    }
)
_MIN_TRANSITIVE_SHARE, _MAX_INTRANSITIVE_SHARE = 0.6, 0.1  # of the occurrences of a verb that have an object


@dataclass(frozen=True, slots=True)
class Lemmas:
    nouns: tuple[Noun, ...] = ()
    adjectives: tuple[Adjective, ...] = ()
    transitive: tuple[Verb, ...] = ()
    intransitive: tuple[Verb, ...] = ()

    def known(self, is_known: Callable[[str], bool]) -> tuple[Lemmas, int]:
        nouns = tuple(noun for noun in self.nouns if is_known(noun.lemma) and is_known(noun.plural))
        adjectives = tuple(word for word in self.adjectives if is_known(word.lemma))
        transitive, intransitive = (
            tuple(v for v in verbs if all(map(is_known, (v.lemma, v.third, v.past, v.participle, v.ing))))
            for verbs in (self.transitive, self.intransitive)
        )
        known = Lemmas(nouns, adjectives, transitive, intransitive)
        return known, len(self) - len(known)

    def sample(self, rng: Rng, counts: tuple[int, int, int, int]) -> Lemmas:
        nouns, adjectives, transitive, intransitive = counts
        return Lemmas(
            _sample(rng, self.nouns, nouns),
            _sample(rng, self.adjectives, adjectives),
            _sample(rng, self.transitive, transitive),
            _sample(rng, self.intransitive, intransitive),
        )

    @property
    def words(self) -> list[str]:
        entries: tuple[Noun | Adjective | Verb, ...] = (*self.nouns, *self.adjectives, *self.transitive)
        return [entry.lemma for entry in (*entries, *self.intransitive)]

    def __len__(self) -> int:
        return len(self.words)


def _sample(rng: Rng, entries: tuple[T, ...], count: int) -> tuple[T, ...]:
    return tuple(dict.fromkeys(rng.choice(entries) for _ in range(count))) if entries else ()


def lemmas_of_store(store: Store, limit: int = MAX_LEMMAS) -> Lemmas:
    """Return nouns that occur in both numbers, attributive adjectives, and verbs. Raises InputError (FICT650)."""
    return _entries(content_lemmas(store, limit))


def lemmas_of_words(words: Iterable[str], limit: int = MAX_LEMMAS) -> Lemmas:
    """Return the countable nouns, by wordfreq, and the adjectives: a list does not tell which verbs take objects."""
    inflect, frequency = _package("lemminflect"), _package("wordfreq").word_frequency

    def is_countable(lemma: str) -> bool:
        plural, singular_frequency = _form(inflect, lemma, "NNS"), frequency(lemma, "en")
        if plural == lemma:
            return False
        return bool(
            singular_frequency < RARE_FREQUENCY or frequency(plural, "en") >= MIN_PLURAL_RATIO * singular_frequency
        )

    def rows() -> Iterator[ContentLemma]:
        seen = set[tuple[str, str]]()
        for word in words:
            lemmas_by_upos = inflect.getAllLemmas(word) if word.isascii() and word.isalpha() and word.islower() else {}
            upos = next(
                (upos for upos in ("NOUN", "ADJ") if upos in lemmas_by_upos and "AUX" not in lemmas_by_upos), None
            )
            lemma = lemmas_by_upos[upos][0] if upos else ""
            if upos is None or len(lemma) < 3 or (lemma, upos) in seen:
                continue
            seen.add((lemma, upos))
            if upos == "ADJ" or ("ADV" not in lemmas_by_upos and is_countable(lemma)):
                yield lemma, upos, 2, 1, 1, 0  # counts with which `_entries` keeps the lemma

    return _entries(islice(rows(), limit))


def read_word_list(path: Path) -> list[str]:
    """Return the first word of each line of a file, in lower case. Lines that start with `#` are skipped."""
    return [line.split()[0].lower() for line in read_list(path) if line.split() and not line.startswith("#")]


def lemmas_of_wordfreq(limit: int = MAX_LEMMAS) -> Lemmas:
    return lemmas_of_words(_package("wordfreq").top_n_list("en", 3 * limit), limit)


def _package(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError as error:
        raise InputError.of("FICT650", package=name, reason=str(error)) from error


def _form(inflect: Any, lemma: str, tag: str) -> str:
    return str((inflect.getInflection(lemma, tag) or (lemma,))[0])


def _entries(rows: Iterable[ContentLemma]) -> Lemmas:
    inflect = _package("lemminflect")
    nouns, adjectives, transitive, intransitive = list[Noun](), list[Adjective](), list[Verb](), list[Verb]()
    for lemma, upos, count, other_form_count, attributive_count, object_count in rows:
        if lemma in _EXCLUDED or count < 2:
            continue
        if upos == "NOUN" and 0 < other_form_count < count:
            nouns.append(Noun(lemma, _form(inflect, lemma, "NNS"), "thing", NEUTER, False, False))
        elif upos == "ADJ" and 2 * attributive_count >= count:
            adjectives.append(Adjective(lemma))
        elif upos == "VERB" and not _MAX_INTRANSITIVE_SHARE < object_count / count < _MIN_TRANSITIVE_SHARE:
            third, past, participle, ing = (_form(inflect, lemma, tag) for tag in ("VBZ", "VBD", "VBN", "VBG"))
            if object_count / count >= _MIN_TRANSITIVE_SHARE:
                transitive.append(Verb(lemma, third, past, participle, ing, ("thing", "info", "idea")))
            else:
                intransitive.append(Verb(lemma, third, past, participle, ing))
    return Lemmas(tuple(nouns), tuple(adjectives), tuple(transitive), tuple(intransitive))
