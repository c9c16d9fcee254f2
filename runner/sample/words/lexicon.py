"""The lexicon of the sample: nouns, names, verbs, adjectives and adverbs.

The word lists of the shipped filters come from BLiMP's sentences. They contain all names and passive verbs of this
lexicon, and most of its nouns.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


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
    """A verb with its forms. Its object is of one of the kinds in `objects`, and follows `preposition` if given.

    `third` is the third person singular of the present. `passive` is whether the verb may be used in the passive.
    """

    lemma: str
    third: str
    past: str
    participle: str
    ing: str
    objects: tuple[str, ...] = ()
    preposition: str = ""
    passive: bool = field(default=False)


@dataclass(frozen=True, slots=True)
class Adjective:
    """An adjective with its inflected comparative and superlative, which are empty if it has none here."""

    lemma: str
    comparative: str = ""
    superlative: str = ""


VOWELS = "aeiou"
MASCULINE, FEMININE, NEUTER = "Masc", "Fem", "Neut"


def plural_of(noun: str) -> str:
    """Return the regular plural."""
    if noun.endswith(("s", "x", "ch", "sh")):
        return noun + "es"
    if noun.endswith("y") and noun[-2] not in VOWELS:
        return noun[:-1] + "ies"
    return noun + "s"


def _nouns(kind: str, words: str) -> tuple[Noun, ...]:
    """Parse nouns: `lemma` or `lemma/plural`, with `+f` or `+m` for gender and `*` if not `listed`."""
    nouns = []
    for word in words.split():
        base, _, gender = word.removesuffix("*").partition("+")
        lemma, _, plural = base.partition("/")
        noun_gender = {"f": FEMININE, "m": MASCULINE, "": "" if kind in {"person", "relational"} else NEUTER}[gender]
        nouns.append(Noun(lemma, plural or plural_of(lemma), kind, noun_gender, bool(plural), not word.endswith("*")))
    return tuple(nouns)


NOUNS: dict[str, tuple[Noun, ...]] = {
    "person": _nouns(
        "person",
        "student teacher doctor child/children woman/women+f girl+f actress+f man/men+m boy+m waiter+m "
        "artist* nurse* lawyer* farmer* writer* singer*",
    ),
    "relational": _nouns("relational", "sister+f* brother+m* daughter+f* son+m* friend* neighbor*"),
    "animal": _nouns("animal", "cat dog bird goose/geese mouse/mice cow* fox* pig*"),
    "info": _nouns("info", "story report movie picture thesis/theses analysis/analyses letter* poem* song* note*"),
    "thing": _nouns("thing", "cup plate chair car cactus/cacti tooth/teeth table* lamp* clock* bottle* knife/knives*"),
    "clothes": _nouns("clothes", "hat coat shirt scarf/scarves ring* belt* boot*"),
    "place": _nouns("place", "school library museum park university oasis/oases garden* hotel* office* market*"),
    "group": _nouns("group", "committee company team* club*"),
    "idea": _nouns("idea", "crisis/crises phenomenon/phenomena hypothesis/hypotheses problem* question* plan*"),
}

OCCUPATIONS = tuple(
    noun for noun in NOUNS["person"] if noun.lemma in {"student", "teacher", "doctor", "nurse", "lawyer"}
)

NAMES: dict[str, tuple[str, ...]] = {
    FEMININE: ("Anna", "Susan", "Julia", "Laura", "Sarah", "Diana", "Paula", "Helen", "Karen", "Nancy"),
    MASCULINE: ("John", "David", "Robert", "Paul", "Peter", "Mark", "Adam", "Kevin", "James", "Frank"),
}


def _verb(entry: str, objects: tuple[str, ...] = (), preposition: str = "", *, passive: bool = False) -> Verb:
    """Parse a verb: `lemma`, `lemma/past`, `lemma/past/participle` or `lemma/past/participle/ing`."""
    lemma, *parts = entry.split("/")
    if lemma.endswith("y") and lemma[-2] not in VOWELS:
        third, past = lemma[:-1] + "ies", lemma[:-1] + "ied"
    else:
        third = lemma + ("es" if lemma.endswith(("s", "sh", "ch", "x")) else "s")
        past = lemma + ("d" if lemma.endswith("e") else "ed")
    has_silent_e = lemma.endswith("e") and not lemma.endswith("ee")
    ing = (lemma[:-1] if has_silent_e else lemma) + "ing"
    if parts:
        past = parts[0]
    participle = parts[1] if len(parts) > 1 else past
    if len(parts) > 2:
        ing = parts[2]
    return Verb(lemma, third, past, participle, ing, objects, preposition, passive)


def _verbs(words: str, *objects: str, preposition: str = "", passive: bool = False) -> tuple[Verb, ...]:
    return tuple(_verb(word, objects, preposition, passive=passive) for word in words.split())


PERSON_KINDS = ("person", "relational", "name")
TRANSITIVE = (
    *_verbs(
        "see/saw/seen help visit know/knew/known respect remember watch attack describe admire criticize "
        "hurt/hurt/hurt love forget/forgot/forgotten/forgetting hug/hugged/hugged/hugging observe",
        *PERSON_KINDS,
        passive=True,
    ),
    *_verbs("see/saw/seen watch attack love lift", "animal", passive=True),
    *_verbs("discuss scan/scanned/scanned/scanning describe sell/sold buy/bought", "info", passive=True),
    *_verbs("write/wrote/written", "info"),
    *_verbs("buy/bought sell/sold clean bring/brought lift conceal", "thing", "clothes", passive=True),
    *_verbs("break/broke/broken", "thing"),
    *_verbs("wear/wore/worn", "clothes"),
    *_verbs("explore leave/left visit pass", "place", passive=True),
    *_verbs("criticize boycott", "group", passive=True),
    *_verbs("discuss remember forget/forgot/forgotten/forgetting describe", "idea", passive=True),
)
PSYCH_VERBS = _verbs(
    "annoy disturb scare impress bother confuse embarrass upset/upset/upset/upsetting", *PERSON_KINDS, passive=True
)
INTRANSITIVE = _verbs(
    "sleep/slept laugh smile complain talk cry nod/nodded/nodded/nodding sigh sing/sang/sung "
    "swim/swam/swum/swimming work fall/fell/fallen"
)
UNACCUSATIVE = _verbs("disappear fall/fell/fallen burn change")
WITH_PREPOSITION = (
    *_verbs("talk think/thought", *PERSON_KINDS, "animal", "info", "idea", "place", preposition="about"),
    *_verbs("listen talk", *PERSON_KINDS, preposition="to"),
    *_verbs("wait work", *PERSON_KINDS, preposition="for"),
    *_verbs("argue", *PERSON_KINDS, preposition="with"),
)
CLAUSAL = _verbs("think/thought say/said believe hope know/knew/known")
INFINITIVAL = _verbs("want try hope")
DITRANSITIVE = _verbs("give/gave/given show/showed/shown send/sent", "info", "thing", "clothes")
REFLEXIVE = tuple(
    verb
    for verb in TRANSITIVE
    if "person" in verb.objects
    and verb.lemma in {"hurt", "help", "love", "admire", "respect", "see", "describe", "criticize"}
)

PLACE_PREPOSITIONS, LANDMARK_PREPOSITIONS = ("in", "near"), ("near", "behind", "beside")


def _adjectives(words: str) -> tuple[Adjective, ...]:
    return tuple(Adjective(*word.split("/")) for word in words.split())


ADJECTIVES: dict[str, tuple[Adjective, ...]] = {
    "any": _adjectives(
        "old/older/oldest new/newer/newest big/bigger/biggest small/smaller/smallest strange/stranger/strangest "
        "good/better/best famous beautiful"
    ),
    "person": _adjectives(
        "happy/happier/happiest sad/sadder/saddest tall/taller/tallest young/younger/youngest angry/angrier/angriest "
        "busy/busier/busiest"
    ),
    "thing": _adjectives("cheap/cheaper/cheapest heavy/heavier/heaviest red black"),
}

FREQUENCY_ADVERBS = ("often", "usually", "always", "never")
STANCE_ADVERBS = ("probably", "really", "clearly", "certainly")
MANNER_ADVERBS = ("quickly", "quietly", "slowly", "carefully")
ADVERB_FEATS = {"always": "PronType=Tot", "never": "PronType=Neg", "ever": "PronType=Ind"}
MODALS = ("will", "can", "could", "would", "should", "might", "must")
NUMERALS = ("two", "three", "four", "five", "six", "seven", "ten")


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Nouns by kind, adjectives by kind of noun (or `any`), and transitive and intransitive verbs."""

    nouns: Mapping[str, tuple[Noun, ...]]
    adjectives: Mapping[str, tuple[Adjective, ...]]
    transitive: tuple[Verb, ...]
    intransitive: tuple[Verb, ...]


BASIC = Lexicon(NOUNS, ADJECTIVES, TRANSITIVE, INTRANSITIVE)
