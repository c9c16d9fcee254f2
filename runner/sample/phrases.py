"""Generate noun phrases, and tag the constructions that the shipped filters match."""

from __future__ import annotations

from dataclasses import dataclass, field

from fictdsl.words import article
from runner.sample.lexicon import (
    BASIC,
    FEMININE,
    LANDMARK_PREPOSITIONS,
    MASCULINE,
    NAMES,
    NUMERALS,
    PERSON_KINDS,
    PLACE_PREPOSITIONS,
    Adjective,
    Lexicon,
    Noun,
    Rng,
    Weighted,
)
from runner.sample.words import (
    DEMONSTRATIVES,
    HE,
    IT,
    PLUR,
    PRONOUN_BY_GENDER,
    SHE,
    SING,
    THEY,
    WE,
    Agreement,
    I,
    Node,
    PersonalPronoun,
    adjective_word,
    glued,
    noun_word,
    pronoun,
    word,
)


@dataclass(slots=True)
class Draft:
    """The state of a sentence; `tags` names its constructions, `object_depth` counts the enclosing objects."""

    rng: Rng
    lexicon: Lexicon = BASIC
    tags: set[str] = field(default_factory=set)
    object_depth: int = 0

    def tag_degree(self) -> None:
        if self.object_depth:
            self.tags.add("quantifier-superlative")


@dataclass(slots=True)
class Phrase:
    head: Node
    kind: str
    number: str
    gender: str
    person: str = "3"
    is_listed: bool = False  # the head is in the word lists of the shipped filters
    has_pp: bool = False  # an nmod follows the head
    pp_object: Phrase | None = None  # the noun phrase in the PP
    head_has_relative: bool = False  # a relative clause modifies the head

    @property
    def agreement(self) -> Agreement:
        return Agreement(self.number, self.person)

    @property
    def has_relative(self) -> bool:
        return self.head_has_relative or (self.pp_object is not None and self.pp_object.head_has_relative)


OBJECT_RELATIONS = frozenset({"obj", "obl", "iobj"})
SUBJECT_KINDS = (*PERSON_KINDS, *PERSON_KINDS, "animal", "info", "thing", "clothes", "place", "group", "idea")

_SINGULAR_DETERMINERS = Weighted(
    ("the", 32), ("a", 26), ("every", 5), ("each", 4), ("this", 3), ("that", 3), ("some", 5),
    ("another", 3), ("possessive", 8), ("genitive", 4),
)  # fmt: skip
_PLURAL_DETERMINERS = Weighted(
    ("the", 30), ("", 10), ("some", 8), ("many", 7), ("few", 4), ("several", 5), ("all", 4), ("most", 4),
    ("these", 3), ("those", 3), ("number", 8), ("possessive", 8), ("genitive", 4),
)  # fmt: skip
_DETERMINERS = {SING: _SINGULAR_DETERMINERS, PLUR: _PLURAL_DETERMINERS}
_SUBJECT_PRONOUNS = Weighted((HE, 4), (SHE, 4), (THEY, 4), (WE, 2), (I, 2), (IT, 1))
_OBJECT_PRONOUNS = Weighted((HE, 3), (SHE, 3), (THEY, 3))
_POSSESSORS = Weighted((HE, 4), (SHE, 4), (THEY, 3), (WE, 1), (I, 1))
_BOUNDS = Weighted((("at", "least"), 3), (("at", "most"), 3), (("more", "than"), 3), (("fewer", "than"), 3))


def name_phrase(draft: Draft, relation: str, gender: str = "") -> Phrase:
    gender = gender or draft.rng.choice((FEMININE, MASCULINE))
    return Phrase(word("name", draft.rng.choice(NAMES[gender]), relation), "name", SING, gender, is_listed=True)


def pronoun_phrase(personal_pronoun: PersonalPronoun, relation: str) -> Phrase:
    case = "Nom" if relation.startswith("nsubj") else "Acc"
    head = pronoun(personal_pronoun, case, relation)
    return Phrase(head, "pronoun", personal_pronoun.number, personal_pronoun.gender, person=personal_pronoun.person)


def any_phrase(draft: Draft, kinds: tuple[str, ...], relation: str, *, pronoun_probability: float = 0.12) -> Phrase:
    kind = draft.rng.choice(kinds)
    if kind in {"person", "name"} and draft.rng.chance(pronoun_probability):
        weighted_pronouns = _SUBJECT_PRONOUNS if relation.startswith("nsubj") else _OBJECT_PRONOUNS
        return pronoun_phrase(draft.rng.weighted_choice(weighted_pronouns), relation)
    if kind == "name":
        return name_phrase(draft, relation)
    return noun_phrase(draft, kind, relation)


def any_subject(draft: Draft, kinds: tuple[str, ...] = SUBJECT_KINDS) -> Phrase:
    return any_phrase(draft, kinds, "nsubj", pronoun_probability=0.2)


def person_subject(draft: Draft) -> Phrase:
    return any_subject(draft, PERSON_KINDS)


def noun_phrase(
    draft: Draft,
    kind: str,
    relation: str,
    *,
    number: str = "",
    det: str | None = None,
    noun: Noun | None = None,
    adjective_probability: float = 0.2,
) -> Phrase:
    """Generate a common noun. `det` is a determiner, a case of `_determiners`, "" for none or by default random."""
    rng = draft.rng
    number = number or rng.choice((SING, PLUR))
    noun = noun or rng.choice(draft.lexicon.nouns[kind])
    if det is None:
        det = rng.weighted_choice(_DETERMINERS[number])
    is_object = relation in OBJECT_RELATIONS
    draft.object_depth += is_object
    head = noun_word(noun, number, relation)
    adjective = _adjective(draft, kind, det) if rng.chance(adjective_probability) else None
    head.left = _determiners(draft, det, adjective, head.form)
    if adjective is not None:
        head.left.append(adjective)
    draft.object_depth -= is_object
    if det in DEMONSTRATIVES:
        if noun.listed:
            draft.tags.add("det-noun")
        if adjective is not None:
            draft.tags.add("det-adj-noun")
    return Phrase(head, kind, number, noun.gender, is_listed=noun.listed)


_ADJECTIVE_KINDS = {"person": "person", "relational": "person", "thing": "thing", "clothes": "thing", "info": "thing"}


def _adjective(draft: Draft, kind: str, det: str) -> Node:
    adjective_kind = _ADJECTIVE_KINDS.get(kind, "any")
    adjective: Adjective = draft.rng.choice(draft.lexicon.adjectives[draft.rng.choice(("any", adjective_kind))])
    degree, probability = {"the": ("Sup", 0.12), "a": ("Cmp", 0.08)}.get(det, ("Pos", 0.0))
    if adjective.comparative and probability and draft.rng.chance(probability):
        draft.tag_degree()
        return adjective_word(adjective, degree)
    plain = adjective_word(adjective)
    if draft.rng.chance(0.1):
        plain.left.append(word("adverb", "very"))
    return plain


def _determiners(draft: Draft, det: str, adjective: Node | None, noun_form: str) -> list[Node]:
    match det:
        case "":
            return []
        case "a":
            indefinite_article = word("determiner", "a")
            next_form = noun_form if adjective is None else (adjective.left or [adjective])[0].form
            indefinite_article.form = article(next_form)
            return [indefinite_article]
        case "number":
            return [word("numeral", draft.rng.choice(NUMERALS))]
        case "amount":
            return [amount(draft)]
        case "possessive":
            return [pronoun(draft.rng.weighted_choice(_POSSESSORS), "Gen", "nmod:poss")]
        case "genitive":
            return [genitive(draft)]
        case "most":
            draft.tag_degree()
            return [word("determiner", "most")]
        case _:
            return [word("determiner", det)]


def amount(draft: Draft, bound_words: tuple[str, str] | None = None) -> Node:
    """Generate a numeral with a bound: `at least three`, `more than two`."""
    first, second = bound_words or draft.rng.weighted_choice(_BOUNDS)
    number = word("numeral", draft.rng.choice(NUMERALS[:4]))
    draft.tag_degree()
    bound = word("bound", second if first == "at" else first)
    if first == "at":
        bound.left.append(word("adposition", "at"))
    else:
        bound.right.append(word("adposition", second, "fixed"))
    number.left.append(bound)
    return number


def genitive(draft: Draft) -> Node:
    """Generate a possessor with *'s* or *'*, such as *Mary's* or *the boys'*."""
    if draft.rng.chance(0.5):
        possessor = word("name", draft.rng.choice(NAMES[draft.rng.choice((FEMININE, MASCULINE))]), "nmod:poss")
    else:
        possessor = noun_phrase(draft, "person", "nmod:poss", det="the", adjective_probability=0.0).head
    is_plural = possessor.form.endswith("s") and possessor.upos == "NOUN"
    possessor.right.append(glued("genitive", "'" if is_plural else "'s"))
    return possessor


_LANDMARK_KINDS = ("place", "thing", "person", "animal")
_PREPOSITIONS: dict[str, tuple[tuple[str, tuple[str, ...]], ...]] = {
    "info": (
        ("about", (*PERSON_KINDS, "animal", "place", "thing", "idea")),
        ("of", (*PERSON_KINDS, "animal", "place")),
    ),
    "relational": (("of", PERSON_KINDS),),
    "group": (("of", ("person",)), ("near", _LANDMARK_KINDS)),
    "idea": (("behind", ("info",)), ("in", ("place", "group"))),
}
_LOCATIVE_PREPOSITIONS = tuple((word, _LANDMARK_KINDS) for word in LANDMARK_PREPOSITIONS)


def add_pp(draft: Draft, phrase: Phrase, *, number: str = "", det: str | None = None) -> Phrase:
    preposition, kinds = draft.rng.choice(_PREPOSITIONS.get(phrase.kind, _LOCATIVE_PREPOSITIONS))
    kind = draft.rng.choice(kinds)
    if number and kind == "name":
        kind = "person"
    pp_object = (
        name_phrase(draft, "nmod") if kind == "name" else noun_phrase(draft, kind, "nmod", number=number, det=det)
    )
    pp_object.head.left.insert(0, word("adposition", preposition))
    phrase.head.right.append(pp_object.head)
    phrase.has_pp = True
    phrase.pp_object = pp_object
    return phrase


def locative_phrase(draft: Draft, relation: str = "obl") -> Node:
    """Generate a locative PP: *in the park*, *near Mary*."""
    if draft.rng.chance(0.6):
        preposition, phrase = draft.rng.choice(PLACE_PREPOSITIONS), noun_phrase(draft, "place", relation)
    else:
        preposition = draft.rng.choice(LANDMARK_PREPOSITIONS)
        phrase = any_phrase(draft, ("name", *_LANDMARK_KINDS), relation, pronoun_probability=0.0)
    phrase.head.left.insert(0, word("adposition", preposition))
    return phrase.head


def reflexive(draft: Draft, subject: Phrase, relation: str = "obj") -> Node:
    if subject.agreement.person == "1":
        personal_pronoun = I if subject.number == SING else WE
    elif subject.number == PLUR:
        personal_pronoun = THEY
    else:
        personal_pronoun = PRONOUN_BY_GENDER[subject.gender or draft.rng.choice((FEMININE, MASCULINE))]
    return pronoun(personal_pronoun, "Reflex", relation)
