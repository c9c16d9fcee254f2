"""Turns compact word lists into the entries of the lexicon: nouns, names, verbs, adjectives, adverbs.

The nouns that take demonstratives and the verbs that are passivised are words that BLiMP uses so too, because
the word lists of the shipped filters are made from BLiMP's sentences.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Noun:
    """A noun with both numbers; `gender` is what a reflexive must agree with, empty where either may stand."""

    lemma: str
    plural: str
    kind: str
    gender: str
    irregular: bool


@dataclass(frozen=True, slots=True)
class Verb:
    """A verb with its forms; `objects` are the kinds of noun it takes, `preposition` stands before them."""

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
    """An adjective with its degrees, empty where it has none."""

    lemma: str
    comparative: str = ""
    superlative: str = ""


VOWELS = "aeiou"
MASCULINE, FEMININE, NEUTER = "Masc", "Fem", "Neut"


def plural_of(noun: str) -> str:
    """The regular plural."""
    if noun.endswith(("s", "x", "ch", "sh")):
        return noun + "es"
    if noun.endswith("y") and noun[-2] not in VOWELS:
        return noun[:-1] + "ies"
    return noun + "s"


def article(following: str) -> str:
    """`a` or `an`, by the sound that follows."""
    return "an" if following[0] in VOWELS and not following.startswith("uni") else "a"


def _nouns(kind: str, words: str) -> tuple[Noun, ...]:
    """Nouns from `lemma`, `lemma/plural`, with `+f` or `+m` for gender."""
    found = []
    for word in words.split():
        base, _, gender = word.partition("+")
        lemma, _, plural = base.partition("/")
        side = {"f": FEMININE, "m": MASCULINE, "": "" if kind in {"person", "kin"} else NEUTER}[gender]
        found.append(Noun(lemma, plural or plural_of(lemma), kind, side, bool(plural)))
    return tuple(found)


NOUNS: dict[str, tuple[Noun, ...]] = {
    "person": _nouns(
        "person",
        "student teacher dancer patient customer senator cashier guest adult doctor teenager driver pedestrian "
        "child/children woman/women+f man/men+m boy+m girl+f waiter+m guy+m actor+m actress+f lady+f waitress+f",
    ),
    "kin": _nouns("kin", "sister+f brother+m daughter+f son+m niece+f nephew+m friend cousin neighbor"),
    "animal": _nouns("animal", "cat dog bird rabbit horse turtle snake hamster goose/geese mouse/mice ox/oxen"),
    "info": _nouns(
        "info",
        "book story report article essay movie play picture painting drawing photograph print sketch "
        "documentary brochure pamphlet thesis/theses analysis/analyses synopsis/synopses",
    ),
    "thing": _nouns("thing", "cup plate fork dish glass chair couch rug car cactus/cacti fungus/fungi tooth/teeth"),
    "clothes": _nouns("clothes", "hat coat dress shirt skirt sweater jacket glove shoe sock blouse scarf/scarves"),
    "place": _nouns(
        "place",
        "school bank library hospital store restaurant cafe mall museum gallery theater park campus university "
        "oasis/oases",
    ),
    "group": _nouns("group", "committee company government organization association legislature"),
    "idea": _nouns(
        "idea", "crisis/crises phenomenon/phenomena stimulus/stimuli diagnosis/diagnoses hypothesis/hypotheses"
    ),
}
OCCUPATIONS = tuple(
    noun for noun in NOUNS["person"] if noun.lemma in {"student", "teacher", "dancer", "doctor", "driver", "cashier"}
)

NAMES: dict[str, tuple[str, ...]] = {
    FEMININE: (
        "Mary",
        "Anna",
        "Susan",
        "Julia",
        "Laura",
        "Emma",
        "Sarah",
        "Rachel",
        "Diana",
        "Teresa",
        "Alice",
        "Paula",
        "Nancy",
        "Karen",
        "Linda",
        "Helen",
    ),
    MASCULINE: (
        "John",
        "David",
        "Robert",
        "Paul",
        "Peter",
        "Mark",
        "Adam",
        "Daniel",
        "Thomas",
        "Kevin",
        "Brian",
        "Carl",
        "James",
        "Steven",
        "Frank",
        "George",
    ),
}


def _verb(entry: str, objects: tuple[str, ...] = (), preposition: str = "", *, passive: bool = False) -> Verb:
    """A verb from `lemma`, `lemma/past` or `lemma/past/participle`; an irregular -ing form comes fourth."""
    lemma, *parts = entry.split("/")
    if lemma.endswith("y") and lemma[-2] not in VOWELS:
        third, past = lemma[:-1] + "ies", lemma[:-1] + "ied"
    else:
        third = lemma + ("es" if lemma.endswith(("s", "sh", "ch", "x")) else "s")
        past = lemma + ("d" if lemma.endswith("e") else "ed")
    silent = lemma.endswith("e") and not lemma.endswith("ee")
    ing = (lemma[:-1] if silent else lemma) + "ing"
    if parts:
        past = parts[0]
    participle = parts[1] if len(parts) > 1 else past
    if len(parts) > 2:
        ing = parts[2]
    return Verb(lemma, third, past, participle, ing, objects, preposition, passive)


def _verbs(words: str, *objects: str, preposition: str = "", passive: bool = False) -> tuple[Verb, ...]:
    return tuple(_verb(word, objects, preposition, passive=passive) for word in words.split())


PEOPLE = ("person", "kin", "name")
TRANSITIVE = (
    *_verbs(
        "see/saw/seen help visit know/knew/known respect remember watch attack describe appreciate insult approach "
        "admire criticize kiss hurt/hurt/hurt dislike hire praise love forget/forgot/forgotten/forgetting fire "
        "hug/hugged/hugged/hugging observe hate examine investigate",
        *PEOPLE,
        passive=True,
    ),
    *_verbs("see/saw/seen watch approach attack love hate examine observe lift", "animal", passive=True),
    *_verbs("discuss scan/scanned/scanned/scanning describe sell/sold buy/bought", "info", passive=True),
    *_verbs("read/read/read write/wrote/written", "info"),
    *_verbs("buy/bought sell/sold clean bring/brought lift conceal", "thing", "clothes", passive=True),
    *_verbs("break/broke/broken steal/stole/stolen", "thing"),
    *_verbs("wear/wore/worn", "clothes"),
    *_verbs("explore tour leave/left visit boycott pass", "place", passive=True),
    *_verbs("criticize praise boycott investigate", "group", passive=True),
    *_verbs("discuss remember forget/forgot/forgotten/forgetting describe", "idea", passive=True),
)
PSYCH = _verbs(
    "annoy disturb shock scare impress bother confuse alarm bore worry irritate distract embarrass stun/stunned/"
    "stunned/stunning upset/upset/upset/upsetting disgust astound aggravate",
    *PEOPLE,
    passive=True,
)
INTRANSITIVE = _verbs(
    "sleep/slept laugh smile complain talk cry shout suffer nod/nodded/nodded/nodding sigh wave struggle "
    "communicate cooperate sing/sang/sung swim/swam/swum/swimming work dance fall/fell/fallen"
)
EVENTS = _verbs("disappear fall/fell/fallen burn change vanish")
WITH_PREPOSITION = (
    *_verbs("talk think/thought", *PEOPLE, "animal", "info", "idea", "place", preposition="about"),
    *_verbs("listen talk wave", *PEOPLE, preposition="to"),
    *_verbs("wait work vote", *PEOPLE, preposition="for"),
    *_verbs("argue dance swim/swam/swum/swimming", *PEOPLE, preposition="with"),
)
CLAUSAL = _verbs("think/thought say/said believe claim hope know/knew/known suspect")
INFINITIVAL = _verbs("want try plan/planned/planned/planning hope")
DITRANSITIVE = _verbs("give/gave/given show/showed/shown send/sent offer", "info", "thing", "clothes")
REFLEXIVE = tuple(
    verb
    for verb in TRANSITIVE
    if "person" in verb.objects
    and verb.lemma
    in {"hurt", "help", "love", "hate", "admire", "respect", "see", "describe", "praise", "criticize", "know"}
)

PLACES_IN, PLACES_NEAR = ("in", "near"), ("near", "behind", "beside")


def _adjectives(words: str) -> tuple[Adjective, ...]:
    return tuple(Adjective(*word.split("/")) for word in words.split())


ADJECTIVES: dict[str, tuple[Adjective, ...]] = {
    "any": _adjectives(
        "old/older/oldest new/newer/newest big/bigger/biggest small/smaller/smallest strange/stranger/strangest "
        "good/better/best famous beautiful popular important"
    ),
    "person": _adjectives(
        "happy/happier/happiest sad/sadder/saddest tall/taller/tallest young/younger/youngest angry/angrier/angriest "
        "busy/busier/busiest kind/kinder/kindest clever/cleverer/cleverest lazy/lazier/laziest"
    ),
    "thing": _adjectives("cheap/cheaper/cheapest heavy/heavier/heaviest red black green white expensive ugly"),
}

FREQUENCY = ("often", "usually", "always", "never")
STANCE = ("probably", "really", "clearly", "certainly", "fortunately")
MANNER = ("quickly", "quietly", "slowly", "carefully", "happily", "calmly")
ADVERB_FEATS = {"always": "PronType=Tot", "never": "PronType=Neg", "ever": "PronType=Ind"}
MODALS = ("will", "can", "could", "would", "should", "might", "must")
NUMERALS = ("two", "three", "four", "five", "six", "seven", "ten")
NPIS = ("ever", "any", "at all")  # never used but as negative polarity items
