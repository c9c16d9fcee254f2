"""Generate predicates, clauses, relative and participial clauses and passives, and complete sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypedDict, Unpack

from runner.sample.lexicon import (
    DITRANSITIVE,
    FREQUENCY_ADVERBS,
    INTRANSITIVE,
    MANNER_ADVERBS,
    MODALS,
    OCCUPATIONS,
    PERSON_KINDS,
    PERSON_OBJECT_VERBS,
    PSYCH_VERBS,
    STANCE_ADVERBS,
    TRANSITIVE,
    UNACCUSATIVE,
    WITH_PREPOSITION,
    Noun,
    Verb,
    Weighted,
)
from runner.sample.phrases import (
    OBJECT_RELATIONS,
    Draft,
    Phrase,
    add_pp,
    any_phrase,
    any_subject,
    locative_phrase,
    noun_phrase,
)
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
    negation,
    verb_word,
    word,
)

AGREEING_TENSES = Weighted(("present", 35), ("perfect", 30), ("progressive", 25), ("past-progressive", 10))
ANY_TENSES = Weighted(
    ("present", 26), ("past", 24), ("perfect", 16), ("progressive", 12), ("past-progressive", 5), ("pluperfect", 5),
    ("modal", 12),
)  # fmt: skip
AGREEING_COPULA_TENSES = Weighted(("present", 60), ("past", 25), ("perfect", 15))
COPULA_TENSES = Weighted(("present", 50), ("past", 25), ("perfect", 10), ("modal", 15))
RELATIVE_TENSES = Weighted(("present", 30), ("past", 35), ("perfect", 15), ("pluperfect", 8), ("modal", 12))
# tense → auxiliary, its form, and the form of the head; modal verbs precede the base
_TENSES = {
    "perfect": (HAVE, PRESENT, PAST_PARTICIPLE),
    "pluperfect": (HAVE, PAST, PAST_PARTICIPLE),
    "progressive": (BE, PRESENT, ING),
    "past-progressive": (BE, PAST, ING),
    "do": (DO, PRESENT, BASE),
    "did": (DO, PAST, BASE),
}


@dataclass(slots=True)
class Predicate:
    head: Node
    before_head: list[Node]
    finite: Node
    object: Phrase | None = None

    def add_object(self, phrase: Phrase) -> None:
        self.head.right.append(phrase.head)
        self.object = phrase


def _auxiliaries(draft: Draft, tense: str, agreement: Agreement, relation: str) -> list[Node]:
    def auxiliary(verb: Verb, form: str, deprel: str = "aux") -> Node:
        return verb_word(verb, form, agreement, deprel, upos="AUX")

    has_be = relation != "aux"
    if has_be and tense in {PRESENT, PAST}:
        return [auxiliary(BE, tense, relation)]
    is_perfect = tense in {"perfect", "pluperfect"}
    if tense == "modal" or (has_be and not is_perfect):  # copulas and passives lack some tenses here
        first = word("modal", draft.rng.choice(MODALS))
    else:
        first = auxiliary(*_TENSES[tense][:2])
    return [first, auxiliary(BE, PAST_PARTICIPLE if is_perfect else BASE, relation)] if has_be else [first]


class Modifiers(TypedDict, total=False):
    negated: bool
    contracted: bool | None  # of *not*; at random if it is None, but never before `adverbs`
    adverbs: tuple[Node, ...]  # after the first auxiliary and *not* or, without an auxiliary, before the verb


def verb_group(
    draft: Draft, verb: Verb, agreement: Agreement, tense: str, *, passive: bool = False, **modifiers: Unpack[Modifiers]
) -> Predicate:
    if tense in {PRESENT, PAST} and not passive:
        if not modifiers.get("negated"):
            head = verb_word(verb, tense, agreement, "root")
            return Predicate(head, list(modifiers.get("adverbs", ())), head)
        tense = "do" if tense == PRESENT else "did"
    form = PASSIVE if passive else BASE if tense == "modal" else _TENSES[tense][2]
    head = verb_word(verb, form, agreement, "root")
    predicate = with_auxiliaries(draft, head, agreement, tense, "aux:pass" if passive else "aux", **modifiers)
    if passive:
        draft.tags.add("passive")
    return predicate


def with_auxiliaries(
    draft: Draft, head: Node, agreement: Agreement, tense: str, relation: str = "cop", **modifiers: Unpack[Modifiers]
) -> Predicate:
    """Create a predicate with the auxiliaries of a tense; by default, a copula and an adjective, a noun or a PP."""
    first, *rest = _auxiliaries(draft, tense, agreement, relation)
    before_head, adverbs = [first], modifiers.get("adverbs", ())
    if modifiers.get("negated"):
        draft.tags.add("negation")
        contracted = modifiers.get("contracted")
        if contracted is None:
            contracted = not adverbs and first.form not in NOT_CONTRACTED and draft.rng.chance(0.5)
        before_head.append(negation(first, contracted=contracted))
    return Predicate(head, [*before_head, *adverbs, *rest], first)


def drawn_group(
    draft: Draft, verbs: Sequence[Verb], agreement: Agreement, tenses: Weighted[str], *, negated: bool = False
) -> Predicate:
    verb = draft.rng.choice(verbs)
    return verb_group(draft, verb, agreement, draft.rng.weighted_choice(tenses), negated=negated)


def predicate_of(
    draft: Draft, verb: Verb, agreement: Agreement, tense: str, **modifiers: Unpack[Modifiers]
) -> Predicate:
    predicate = verb_group(draft, verb, agreement, tense, **modifiers)
    if verb.objects:
        predicate.add_object(any_phrase(draft, verb.objects, "obj"))
    return predicate


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


def finish(draft: Draft, root: Node, final_mark: str = ".") -> Node:
    """Make a node the root, add the final punctuation, and tag constructions that depend on the whole sentence."""
    root.deprel = "root"
    root.right.append(word("punctuation", final_mark))
    if "npi" in draft.tags:
        if final_mark == "?":
            draft.tags.add("npi-sim-ques")
        if "negation" in draft.tags:
            draft.tags.add("npi-sent-neg")
    return root


def sentence(draft: Draft, subject: Phrase, predicate: Predicate, final_mark: str = ".") -> Node:
    return finish(draft, declarative(draft, subject, predicate), final_mark)


def optional_adverb(draft: Draft, probability: float = 0.12) -> tuple[Node, ...]:
    if not draft.rng.chance(probability):
        return ()
    return (word("adverb", draft.rng.choice(draft.rng.choice((FREQUENCY_ADVERBS, STANCE_ADVERBS)))),)


def is_person(phrase: Phrase) -> bool:
    return phrase.kind in {"pronoun", *PERSON_KINDS} and phrase.gender != "Neut"


def random_predicate(
    draft: Draft,
    subject: Phrase,
    *,
    tenses: Weighted[str] = ANY_TENSES,
    negation_probability: float = 0.1,
    simple: bool = False,
) -> Predicate:
    """Generate a predicate that fits the subject, without an optional adverb or PP if `simple`."""
    rng = draft.rng
    negated = rng.chance(negation_probability)
    adverbs = () if simple else optional_adverb(draft)
    subject_type = "person" if is_person(subject) else "animal" if subject.kind == "animal" else "inanimate"
    shape = rng.weighted_choice(_SHAPES[subject_type])
    tense = rng.weighted_choice(tenses)
    if shape == "copula":
        return random_copular_predicate(draft, subject, tenses=tenses, negated=negated, adverbs=adverbs)
    lexicon_verbs = {"transitive": draft.lexicon.transitive, "intransitive": draft.lexicon.intransitive}
    verb = rng.choice(lexicon_verbs.get(shape) or _VERBS[shape])
    predicate = verb_group(draft, verb, subject.agreement, tense, negated=negated, adverbs=adverbs)
    if verb.objects:
        object_phrase = any_phrase(draft, verb.objects, "obl" if verb.preposition else "obj")
        if verb.preposition:
            object_phrase.head.left.insert(0, word("adposition", verb.preposition))
        elif not simple and object_phrase.kind in {"info", "thing", "place", "person"} and rng.chance(0.2):
            draft.object_depth += 1
            add_pp(draft, object_phrase)
            draft.object_depth -= 1
        predicate.add_object(object_phrase)
        if shape == "gift":
            predicate.head.right.insert(0, any_phrase(draft, PERSON_KINDS, "iobj").head)
    elif not simple and shape == "intransitive":
        if rng.chance(0.3):
            predicate.head.right.append(word("adverb", rng.choice(MANNER_ADVERBS)))
        if rng.chance(0.5):
            predicate.head.right.append(locative_phrase(draft))
    return predicate


def random_copular_predicate(
    draft: Draft, subject: Phrase, tenses: Weighted[str] = COPULA_TENSES, **modifiers: Unpack[Modifiers]
) -> Predicate:
    """Generate a copular predicate: *is old*, *is in the park*, *is a teacher*."""
    rng = draft.rng
    tense = rng.weighted_choice(
        COPULA_TENSES if tenses is ANY_TENSES else AGREEING_COPULA_TENSES if tenses is AGREEING_TENSES else tenses
    )
    is_human = is_person(subject)
    random_value = rng.random()
    if random_value < 0.2:
        head = locative_phrase(draft, "root")
    elif random_value < 0.4 and is_human and subject.agreement.person == "3" and subject.kind != "relational":
        det, noun = "a" if subject.number == SING else "", rng.choice(OCCUPATIONS)
        head = noun_phrase(
            draft, "person", "root", number=subject.number, det=det, noun=noun, adjective_probability=0.3
        ).head
    else:
        head = adjectival_head(draft, is_human=is_human)
    return with_auxiliaries(draft, head, subject.agreement, tense, **modifiers)


def adjectival_head(draft: Draft, *, is_human: bool) -> Node:
    adjective = draft.rng.choice(draft.lexicon.adjectives[draft.rng.choice(("any", "person" if is_human else "thing"))])
    head = adjective_word(adjective, deprel="root")
    if draft.rng.chance(0.15):
        head.left.append(word("adverb", "very"))
    return head


_SHAPES = {
    "person": Weighted(
        ("intransitive", 22), ("transitive", 34), ("preposition", 12), ("psych", 10), ("copula", 16), ("gift", 6)
    ),
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


def relative_clause(
    draft: Draft,
    phrase: Phrase,
    *,
    object_relative: bool = False,
    number: str = "",
    noun: Noun | None = None,
    omit_pronoun_probability: float = 0.3,
) -> Phrase:
    """Add a clause with the phrase as object or subject; the object of the latter may have a `number` and a `noun`."""
    is_object = phrase.head.deprel in OBJECT_RELATIONS
    draft.object_depth += is_object
    head = (
        _object_relative(draft, phrase, omit_pronoun_probability)
        if object_relative
        else _subject_relative(draft, phrase, number, noun)
    )
    draft.object_depth -= is_object
    head.deprel = "acl:relcl"
    phrase.head.right.append(head)
    phrase.head_has_relative = True
    return phrase


def _pronoun(draft: Draft, phrase: Phrase, relation: str) -> Node:
    forms = ("who", "who", "that") if is_person(phrase) else ("that", "which")
    return word("relative", draft.rng.choice(forms), relation)


def _subject_relative(draft: Draft, phrase: Phrase, number: str, noun: Noun | None) -> Node:
    if number:
        verb = draft.rng.choice(
            PERSON_OBJECT_VERBS if noun is not None else _PERSON_SUBJECT_VERBS if is_person(phrase) else PSYCH_VERBS
        )
        tense = draft.rng.weighted_choice(RELATIVE_TENSES)
        predicate = verb_group(draft, verb, phrase.agreement, tense, negated=draft.rng.chance(0.08))
        kind = noun.kind if noun is not None else draft.rng.choice([kind for kind in verb.objects if kind != "name"])
        predicate.head.right.append(noun_phrase(draft, kind, "obj", number=number, noun=noun).head)
    else:
        predicate = random_predicate(draft, phrase, simple=True)
    predicate.head.left[:0] = [_pronoun(draft, phrase, "nsubj"), *predicate.before_head]
    return predicate.head


def _object_relative(draft: Draft, phrase: Phrase, omit_pronoun_probability: float) -> Node:
    rng = draft.rng
    verb = rng.choice(tuple(verb for verb in TRANSITIVE if phrase.kind in verb.objects) or PSYCH_VERBS)
    subject = any_phrase(draft, PERSON_KINDS, "nsubj", pronoun_probability=0.15)
    predicate = verb_group(draft, verb, subject.agreement, rng.weighted_choice(RELATIVE_TENSES))
    annotate_subject(draft, subject, predicate.head)
    relative_pronouns = [_pronoun(draft, phrase, "obj")] if rng.chance(1 - omit_pronoun_probability) else []
    predicate.head.left[:0] = [*relative_pronouns, subject.head, *predicate.before_head]
    return predicate.head


def participle(draft: Draft, phrase: Phrase) -> Phrase:
    """Add a participial clause: *the boys watching the man*, *the book praised by the critics*."""
    is_object = phrase.head.deprel in OBJECT_RELATIONS
    draft.object_depth += is_object
    if draft.rng.chance(0.3) and (verbs := _passive_verbs(phrase.kind)):
        head = verb_word(draft.rng.choice(verbs), PASSIVE, phrase.agreement, "acl")
        draft.tags.add("passive")
        head.right.append(agent(draft))
        phrase.head.right.append(head)
    else:
        add_gerund(draft, phrase, _PERSON_SUBJECT_VERBS)
    draft.object_depth -= is_object
    return phrase


def add_gerund(draft: Draft, phrase: Phrase, person_verbs: Sequence[Verb]) -> None:
    verb = draft.rng.choice(person_verbs if is_person(phrase) else PSYCH_VERBS)
    head = verb_word(verb, ING, phrase.agreement, "acl")
    head.feats = "VerbForm=Ger"
    head.right.append(any_phrase(draft, verb.objects, "obj").head)
    phrase.head.right.append(head)


def _passive_verbs(kind: str) -> tuple[Verb, ...]:
    return tuple(verb for verb in TRANSITIVE if verb.passive and kind in verb.objects)


def agent(draft: Draft) -> Node:
    phrase = any_phrase(draft, PERSON_KINDS, "obl:agent", pronoun_probability=0.06)
    phrase.head.left.insert(0, word("adposition", "by"))
    return phrase.head


def passive_predicate(draft: Draft, subject: Phrase, tense: str, *, negated: bool = False) -> Predicate:
    if subject.kind in {"pronoun", *PERSON_KINDS}:
        verbs = (*_passive_verbs("person"), *PSYCH_VERBS)
    else:
        verbs = _passive_verbs(subject.kind) or tuple(verb for verb in PSYCH_VERBS if subject.kind in verb.objects)
    verb = draft.rng.choice(verbs)
    return verb_group(draft, verb, subject.agreement, tense, passive=True, negated=negated)


_PERSON_SUBJECT_VERBS = tuple(verb for verb in TRANSITIVE if "group" not in verb.objects)


def clause(draft: Draft) -> Node:
    is_negative = draft.rng.chance(0.03)
    subject = noun_phrase(draft, "person", "nsubj", det="no") if is_negative else any_subject(draft)
    predicate = random_predicate(draft, subject, negation_probability=0.0 if is_negative else 0.1)
    phrase = predicate.object
    if phrase is not None and phrase.kind not in {"name", "pronoun"} and not phrase.has_pp and draft.rng.chance(0.08):
        relative_clause(draft, phrase, object_relative=draft.rng.chance(0.3))
    return declarative(draft, subject, predicate)
