"""Generate predicates with auxiliaries, negation, adverbs and objects, and combine them with subjects."""

from __future__ import annotations

from collections.abc import Sequence

from runner.sample.lexicon import (
    DITRANSITIVE,
    FREQUENCY_ADVERBS,
    INTRANSITIVE,
    MANNER_ADVERBS,
    MODALS,
    OCCUPATIONS,
    PERSON_KINDS,
    PSYCH_VERBS,
    STANCE_ADVERBS,
    TRANSITIVE,
    UNACCUSATIVE,
    WITH_PREPOSITION,
    Verb,
    Weighted,
)
from runner.sample.phrases import Draft, Phrase, add_pp, any_phrase, locative_phrase, noun_phrase
from runner.sample.words import (
    BASE,
    BE,
    DO,
    HAVE,
    ING,
    NOT_CONTRACTED,
    PASSIVE,
    PAST,
    PAST_PARTICIPLE,
    PRESENT,
    SING,
    Agreement,
    Node,
    adjective_word,
    adposition,
    adverb,
    modal,
    negation,
    verb_word,
)

AGREEING_TENSES = Weighted(("present", 35), ("perfect", 30), ("progressive", 25), ("past-progressive", 10))
ANY_TENSES = Weighted(
    ("present", 26), ("past", 24), ("perfect", 16), ("progressive", 12), ("past-progressive", 5), ("pluperfect", 5),
    ("modal", 12),
)  # fmt: skip
AGREEING_COPULA_TENSES = Weighted(("present", 60), ("past", 25), ("perfect", 15))
COPULA_TENSES = Weighted(("present", 50), ("past", 25), ("perfect", 10), ("modal", 15))


class Predicate:
    """A predicate: its head, the words between subject and head, its finite word, and its object if it has one."""

    __slots__ = ("before_head", "finite", "head", "object")

    def __init__(self, head: Node, before_head: list[Node], finite: Node) -> None:
        self.head = head
        self.before_head = before_head
        self.finite = finite
        self.object: Phrase | None = None


def _auxiliaries(draft: Draft, tense: str, agreement: Agreement, head_type: str) -> list[Node]:
    """Create the auxiliaries of a tense, including the copula. `head_type` is PASSIVE, `copula` or `verb`."""
    relation = {PASSIVE: "aux:pass", "copula": "cop"}.get(head_type, "aux")
    if relation == "aux":
        match tense:
            case "perfect" | "pluperfect":
                finite_tense = PRESENT if tense == "perfect" else PAST
                return [verb_word(HAVE, finite_tense, agreement, "aux", upos="AUX")]
            case "progressive" | "past-progressive":
                finite_tense = PRESENT if tense == "progressive" else PAST
                return [verb_word(BE, finite_tense, agreement, "aux", upos="AUX")]
            case "modal":
                return [modal(draft.rng.choice(MODALS))]
            case _:
                finite_tense = PRESENT if tense == "do" else PAST
                return [verb_word(DO, finite_tense, agreement, "aux", upos="AUX")]

    def be(form: str) -> Node:
        return verb_word(BE, form, agreement, relation, upos="AUX")

    match tense:
        case "present" | "past":
            return [be(tense)]
        case "perfect" | "pluperfect":
            finite_tense = PRESENT if tense == "perfect" else PAST
            return [verb_word(HAVE, finite_tense, agreement, "aux", upos="AUX"), be(PAST_PARTICIPLE)]
        case _:  # modal, and the tenses that copulas and passives lack here
            return [modal(draft.rng.choice(MODALS)), be(BASE)]


_HEAD_FORMS = {
    "perfect": PAST_PARTICIPLE, "pluperfect": PAST_PARTICIPLE, "progressive": ING, "past-progressive": ING,
    "modal": BASE, "do": BASE, "did": BASE,
}  # fmt: skip


def verb_group(
    draft: Draft,
    verb: Verb,
    agreement: Agreement,
    tense: str,
    *,
    passive: bool = False,
    negated: bool = False,
    contracted: bool | None = None,
    adverbs: tuple[Node, ...] = (),
) -> Predicate:
    """Create a verb with its auxiliaries.

    `adverbs` follow the first auxiliary and *not*. Without an auxiliary, they precede the verb. `contracted` is whether
    *not* is contracted. By default, this is random, but *not* is never contracted before `adverbs`.
    """
    simple = tense in {"present", "past"}
    if negated and simple and not passive:
        tense, simple = ("do" if tense == "present" else "did"), False
    if simple and not passive:
        head = verb_word(verb, tense, agreement, "root")
        return Predicate(head, list(adverbs), head)
    head = verb_word(verb, PASSIVE if passive else _HEAD_FORMS[tense], agreement, "root")
    auxiliaries = _auxiliaries(draft, tense, agreement, PASSIVE if passive else "verb")
    if passive:
        draft.tags.add("passive")
    return _with_auxiliaries(draft, head, auxiliaries, negated=negated, contracted=contracted, adverbs=adverbs)


def drawn_group(
    draft: Draft, verbs: Sequence[Verb], agreement: Agreement, tenses: Weighted[str], *, negated: bool = False
) -> Predicate:
    verb = draft.rng.choice(verbs)
    return verb_group(draft, verb, agreement, draft.rng.weighted_choice(tenses), negated=negated)


def predicate_of(
    draft: Draft, verb: Verb, agreement: Agreement, tense: str, *, negated: bool = False, adverbs: tuple[Node, ...] = ()
) -> Predicate:
    predicate = verb_group(draft, verb, agreement, tense, negated=negated, adverbs=adverbs)
    if verb.objects:
        add_object(predicate, any_phrase(draft, verb.objects, "obj"))
    return predicate


def copular_predicate(
    draft: Draft,
    head: Node,
    agreement: Agreement,
    tense: str,
    *,
    negated: bool = False,
    contracted: bool | None = None,
    adverbs: tuple[Node, ...] = (),
) -> Predicate:
    """Create a copular predicate whose head is an adjective, a noun or a PP."""
    auxiliaries = _auxiliaries(draft, tense, agreement, "copula")
    return _with_auxiliaries(draft, head, auxiliaries, negated=negated, contracted=contracted, adverbs=adverbs)


def _with_auxiliaries(
    draft: Draft,
    head: Node,
    auxiliaries: list[Node],
    *,
    negated: bool,
    contracted: bool | None,
    adverbs: tuple[Node, ...],
) -> Predicate:
    first, rest = auxiliaries[0], auxiliaries[1:]
    before_head = [first]
    if negated:
        draft.tags.add("negation")
        if contracted is None:
            contracted = not adverbs and first.form not in NOT_CONTRACTED and draft.rng.chance(0.5)
        before_head.append(negation(first, contracted=contracted))
    return Predicate(head, [*before_head, *adverbs, *rest], first)


def annotate_subject(draft: Draft, subject: Phrase, head: Node, *, precedes_head: bool = True) -> None:
    """Set the relation of a passive subject to `nsubj:pass`, and add the agreement tags of the subject to the draft."""
    if head.feats.endswith("Voice=Pass"):
        subject.head.deprel = "nsubj:pass"
    if subject.is_listed:
        draft.tags.add("agr-re-irr-sv")
    if subject.has_pp and precedes_head:
        draft.tags.add("agr-pp-mod")
    if subject.has_relative:
        draft.tags.add("agr-rel-cl")


def declarative(draft: Draft, subject: Phrase, predicate: Predicate) -> Node:
    annotate_subject(draft, subject, predicate.head)
    predicate.head.left[:0] = [subject.head, *predicate.before_head]
    return predicate.head


def inverted(draft: Draft, subject: Phrase, predicate: Predicate) -> Node:
    """Combine subject and predicate with the first auxiliary before the subject, as in questions."""
    annotate_subject(draft, subject, predicate.head)
    first, *rest = predicate.before_head
    predicate.head.left[:0] = [first, subject.head, *rest]
    return predicate.head


def optional_adverb(draft: Draft, probability: float = 0.12) -> tuple[Node, ...]:
    """Generate an adverb of frequency or stance with probability `probability`."""
    if not draft.rng.chance(probability):
        return ()
    return (adverb(draft.rng.choice(draft.rng.choice((FREQUENCY_ADVERBS, STANCE_ADVERBS)))),)


def is_person(phrase: Phrase) -> bool:
    return phrase.kind in {"person", "relational", "name", "pronoun"} and phrase.gender != "Neut"


def add_object(predicate: Predicate, phrase: Phrase) -> None:
    predicate.head.right.append(phrase.head)
    predicate.object = phrase


def random_predicate(
    draft: Draft,
    subject: Phrase,
    *,
    tenses: Weighted[str] = ANY_TENSES,
    negation_probability: float = 0.1,
    simple: bool = False,
) -> Predicate:
    """Generate a predicate that fits the subject.

    If `simple`, the predicate has no optional adverb or PP. The head of a copular predicate may still be a PP.
    """
    rng = draft.rng
    negated = rng.chance(negation_probability)
    adverbs = () if simple else optional_adverb(draft)
    shape = rng.weighted_choice(_PERSON_SHAPES if is_person(subject) else _OTHER_SHAPES[_animacy(subject)])
    tense = rng.weighted_choice(tenses)
    if shape == "copula":
        return random_copular_predicate(draft, subject, tenses=tenses, negated=negated, adverbs=adverbs)
    lexicon_verbs = {"transitive": draft.lexicon.transitive, "intransitive": draft.lexicon.intransitive}
    verb = rng.choice(lexicon_verbs.get(shape) or _VERBS[shape])
    predicate = verb_group(draft, verb, subject.agreement, tense, negated=negated, adverbs=adverbs)
    if verb.objects:
        object_phrase = any_phrase(draft, verb.objects, "obl" if verb.preposition else "obj")
        if verb.preposition:
            object_phrase.head.left.insert(0, adposition(verb.preposition))
        elif not simple and object_phrase.kind in {"info", "thing", "place", "person"} and rng.chance(0.2):
            draft.object_depth += 1
            add_pp(draft, object_phrase)
            draft.object_depth -= 1
        add_object(predicate, object_phrase)
        if shape == "gift":
            _add_recipient(draft, predicate)
    elif not simple and shape == "intransitive":
        if rng.chance(0.3):
            predicate.head.right.append(adverb(rng.choice(MANNER_ADVERBS)))
        if rng.chance(0.5):
            predicate.head.right.append(locative_phrase(draft))
    return predicate


def _add_recipient(draft: Draft, predicate: Predicate) -> None:
    recipient = any_phrase(draft, PERSON_KINDS, "iobj")
    predicate.head.right.insert(0, recipient.head)


def random_copular_predicate(
    draft: Draft,
    subject: Phrase,
    *,
    tenses: Weighted[str] = COPULA_TENSES,
    negated: bool = False,
    adverbs: tuple[Node, ...] = (),
) -> Predicate:
    """Generate a copular predicate: *is old*, *is in the park*, *is a teacher*.

    `COPULA_TENSES` replace `ANY_TENSES`, and `AGREEING_COPULA_TENSES` replace `AGREEING_TENSES`.
    """
    rng = draft.rng
    tense = rng.weighted_choice(
        COPULA_TENSES if tenses is ANY_TENSES else AGREEING_COPULA_TENSES if tenses is AGREEING_TENSES else tenses
    )
    is_human = is_person(subject)
    random_value = rng.random()
    if random_value < 0.2:
        head = locative_phrase(draft, "root")
    elif random_value < 0.4 and is_human and subject.agreement.person == "3" and subject.kind != "relational":
        det = "a" if subject.number == SING else ""
        occupation = rng.choice(OCCUPATIONS)
        head = noun_phrase(
            draft, "person", "root", number=subject.number, det=det, noun=occupation, adjective_probability=0.3
        ).head
    else:
        head = adjectival_head(draft, is_human=is_human)
    return copular_predicate(draft, head, subject.agreement, tense, negated=negated, adverbs=adverbs)


def adjectival_head(draft: Draft, *, is_human: bool) -> Node:
    """Generate an adjective for people or for things, as the head of a predicate."""
    adjective = draft.rng.choice(draft.lexicon.adjectives[draft.rng.choice(("any", "person" if is_human else "thing"))])
    head = adjective_word(adjective, deprel="root")
    if draft.rng.chance(0.15):
        head.left.append(adverb("very"))
    return head


_PERSON_SHAPES = Weighted(
    ("intransitive", 22), ("transitive", 34), ("preposition", 12), ("psych", 10), ("copula", 16), ("gift", 6)
)
_OTHER_SHAPES = {
    "animal": Weighted(("intransitive-animal", 30), ("transitive-animal", 25), ("psych", 20), ("copula", 25)),
    "inanimate": Weighted(("event", 22), ("psych", 38), ("copula", 40)),
}
_VERBS: dict[str, tuple[Verb, ...]] = {
    "preposition": WITH_PREPOSITION,
    "psych": PSYCH_VERBS,
    "gift": DITRANSITIVE,
    "event": UNACCUSATIVE,
    "intransitive-animal": tuple(v for v in INTRANSITIVE if v.lemma in {"sleep", "swim", "fall"}),
    "transitive-animal": tuple(
        v for v in TRANSITIVE if v.lemma in {"see", "watch", "attack", "love"} and "thing" not in v.objects
    ),
}


def _animacy(subject: Phrase) -> str:
    return "animal" if subject.kind == "animal" else "inanimate"
