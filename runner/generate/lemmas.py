"""Frequent content lemmas of a corpus or of a list of words into entries of the lexicon, inflected by lemminflect."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

from fictdsl.diagnostics.codes import diagnostic
from runner.corpus.store.opening import Store
from runner.corpus.store.run_query import run_query
from runner.corpus.text.units import read_list
from runner.errors import InputError
from runner.sample.words.lexicon import NEUTER, Adjective, Noun, Verb
from runner.sample.words.rng import Dice

T = TypeVar("T")
MOST = 10_000  # lemmas, as in the paper
# A noun of a list is left out if its plural has less than this share of its frequency: `informations` has 0.2 %,
# `presidents` 4 %. One that is rarer than RARE, a share of all words, is not judged.
PLURAL, RARE = 0.03, 1e-6
# Verbs that are auxiliaries too, and words that no plain noun phrase or predicate holds.
_STOP = frozenset(
    {
        *("be", "have", "do", "will", "would", "can", "could", "may", "might", "must", "shall", "should", "get", "let"),
        *("need", "such", "many", "few", "more", "most", "much", "other", "own", "same", "several", "first", "last"),
        *("next", "one", "two", "lot", "kind", "sort", "something", "anything", "nothing", "everything", "someone"),
        *("anyone", "people"),
    }
)
# The share of a verb's occurrences that have an object: at least so many, at most so many.
_FRAMES = {"transitive": 0.6, "intransitive": 0.1}


@dataclass(frozen=True, slots=True)
class Lemmas:
    """Entries by part of speech, the most frequent first."""

    nouns: tuple[Noun, ...] = ()
    adjectives: tuple[Adjective, ...] = ()
    transitive: tuple[Verb, ...] = ()
    intransitive: tuple[Verb, ...] = ()

    def known(self, known: Callable[[str], bool]) -> tuple[Lemmas, int]:
        """The entries of which all forms are known, and how many are not."""
        nouns = tuple(noun for noun in self.nouns if known(noun.lemma) and known(noun.plural))
        adjectives = tuple(word for word in self.adjectives if known(word.lemma))
        both = (self.transitive, self.intransitive)
        transitive, intransitive = (tuple(verb for verb in some if all(map(known, _forms(verb)))) for some in both)
        left = Lemmas(nouns, adjectives, transitive, intransitive)
        return left, len(self) - len(left)

    def few(self, dice: Dice, counts: tuple[int, int, int, int]) -> Lemmas:
        """At most so many nouns, adjectives, transitive and intransitive verbs, by chance."""
        nouns, adjectives, transitive, intransitive = counts
        return Lemmas(
            _few(dice, self.nouns, nouns),
            _few(dice, self.adjectives, adjectives),
            _few(dice, self.transitive, transitive),
            _few(dice, self.intransitive, intransitive),
        )

    @property
    def words(self) -> list[str]:
        """The lemmas themselves."""
        entries: tuple[Noun | Adjective | Verb, ...] = (*self.nouns, *self.adjectives, *self.transitive)
        return [entry.lemma for entry in (*entries, *self.intransitive)]

    def __len__(self) -> int:
        return len(self.words)


def _few(dice: Dice, entries: tuple[T, ...], count: int) -> tuple[T, ...]:
    return tuple(dict.fromkeys(dice.pick(entries) for _ in range(count))) if entries else ()


def _forms(verb: Verb) -> tuple[str, ...]:
    return verb.lemma, verb.third, verb.past, verb.participle, verb.ing


def of_store(store: Store, most: int = MOST) -> Lemmas:
    """The content lemmas of a store: nouns that occur in both numbers, adjectives before nouns, verbs by their objects.

    Raises InputError (FICT650) where lemminflect is not installed.
    """
    rows = run_query(store, lambda connection: connection.execute(_CONTENT, [most]).fetchall(), tables=["tokens"])
    return _entries(rows)


# A lemma of letters only; how often, how often in another form than its own, and how often with an object.
_CONTENT = """
WITH objects AS (SELECT DISTINCT sid, head FROM tokens WHERE deprel IN ('obj', 'ccomp', 'xcomp'))
SELECT t.lemma, t.upos, count(*) AS n, count(*) FILTER (t.xpos IN ('NNS', 'VBD', 'VBN')) AS other,
  count(*) FILTER (t.deprel = 'amod') AS attributive, count(o.sid) AS objects
FROM tokens t LEFT JOIN objects o ON o.sid = t.sid AND o.head = t.id
WHERE t.upos IN ('NOUN', 'ADJ', 'VERB') AND regexp_full_match(t.lemma, '[a-z]{3,}')
GROUP BY t.lemma, t.upos ORDER BY n DESC, t.lemma, t.upos LIMIT ?
"""


def of_words(words: Iterable[str], most: int = MOST) -> Lemmas:
    """The nouns and adjectives of a list of words, the most frequent first; a word that can be a noun is one.

    A list does not say which nouns have a plural: those whose plural English hardly has by wordfreq, or that differs in
    nothing, are left out. Nor does it say which verbs take objects, so that it gives none. Raises InputError (FICT650)
    where lemminflect or wordfreq is not installed.
    """
    inflect, frequency = _lemminflect(), _wordfreq().word_frequency

    def countable(lemma: str) -> bool:
        plural, often = _form(inflect, lemma, "NNS"), frequency(lemma, "en")
        return plural != lemma and (often < RARE or frequency(plural, "en") >= PLURAL * often)

    def rows() -> Iterator[tuple[str, str, int, int, int, int]]:
        seen = set[tuple[str, str]]()
        for word in words:
            found = inflect.getAllLemmas(word) if word.isascii() and word.isalpha() and word.islower() else {}
            upos = next((upos for upos in ("NOUN", "ADJ") if upos in found and "AUX" not in found), None)
            lemma = found[upos][0] if upos else ""
            if upos is None or len(lemma) < 3 or (lemma, upos) in seen:
                continue
            seen.add((lemma, upos))
            if upos == "ADJ" or ("ADV" not in found and countable(lemma)):
                yield lemma, upos, 2, 1, 1, 0

    return _entries(islice(rows(), most))


def listed(path: Path) -> list[str]:
    """The words of a list, a word a line and perhaps a count after white space.

    Raises InputError (FICT700, FICT701) for a file that cannot be read or is not UTF-8.
    """
    return [line.split()[0].lower() for line in read_list(path) if line.split() and not line.startswith("#")]


def of_wordfreq(most: int = MOST) -> Lemmas:
    """Of the English frequency list of wordfreq, which must be installed (FICT650)."""
    return of_words(_wordfreq().top_n_list("en", 3 * most), most)


def _wordfreq() -> Any:
    try:
        import wordfreq
    except ImportError as error:
        raise InputError(diagnostic("FICT650", package="wordfreq", reason=str(error))) from error
    return wordfreq


def _lemminflect() -> Any:
    try:
        import lemminflect
    except ImportError as error:
        raise InputError(diagnostic("FICT650", package="lemminflect", reason=str(error))) from error
    return lemminflect


def _form(inflect: Any, lemma: str, tag: str) -> str:
    return str((inflect.getInflection(lemma, tag) or (lemma,))[0])


def _entries(rows: Iterable[tuple[str, str, int, int, int, int]]) -> Lemmas:
    inflect = _lemminflect()
    nouns, adjectives = list[Noun](), list[Adjective]()
    verbs: dict[str, list[Verb]] = {name: [] for name in _FRAMES}

    for lemma, upos, count, other, attributive, objects in rows:
        if lemma in _STOP or count < 2:
            continue
        if upos == "NOUN" and 0 < other < count:
            nouns.append(Noun(lemma, _form(inflect, lemma, "NNS"), "thing", NEUTER, False, False))
        elif upos == "ADJ" and 2 * attributive >= count:
            adjectives.append(Adjective(lemma))
        elif upos == "VERB" and (frame := _frame(objects / count)):
            third, past, participle, ing = (_form(inflect, lemma, tag) for tag in ("VBZ", "VBD", "VBN", "VBG"))
            kinds = ("thing", "info", "idea") if frame == "transitive" else ()
            verbs[frame].append(Verb(lemma, third, past, participle, ing, kinds))
    return Lemmas(tuple(nouns), tuple(adjectives), tuple(verbs["transitive"]), tuple(verbs["intransitive"]))


def _frame(share: float) -> str | None:
    if share >= _FRAMES["transitive"]:
        return "transitive"
    return "intransitive" if share <= _FRAMES["intransitive"] else None
