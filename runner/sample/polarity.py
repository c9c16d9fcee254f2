"""Generate questions, and sentences with *not*, *no*, *only* or *even*. Some have a negative polarity item (NPI)."""

from __future__ import annotations

from runner.sample.clauses import (
    AGREEING_COPULA_TENSES,
    Predicate,
    annotate_subject,
    finish,
    inverted,
    predicate_of,
    random_copular_predicate,
    random_predicate,
    sentence,
    verb_group,
)
from runner.sample.lexicon import FREQUENCY_ADVERBS, INTRANSITIVE, PERSON_KINDS, STANCE_ADVERBS, TRANSITIVE, Weighted
from runner.sample.phrases import Draft, Phrase, any_phrase, any_subject, noun_phrase, person_subject
from runner.sample.words import BE, PLUR, SING, Agreement, Node, verb_word, word

QUESTION_TENSES = Weighted(("do", 30), ("did", 25), ("perfect", 15), ("progressive", 15), ("modal", 15))
NPI_TENSES = Weighted(("present", 15), ("past", 25), ("perfect", 30), ("pluperfect", 15), ("modal", 15))
NPI_QUESTION_TENSES = Weighted(("do", 30), ("did", 30), ("perfect", 25), ("modal", 15))
NEGATED_TENSES = Weighted(("do", 20), ("did", 20), ("perfect", 30), ("pluperfect", 15), ("modal", 15))
WEIGHTED_NPIS = Weighted(("ever", 65), ("any", 20), ("at all", 15))
_ANY_OBJECT_VERBS = tuple(verb for verb in TRANSITIVE if set(verb.objects) & {"info", "thing", "clothes", "animal"})


def at_all() -> Node:
    oblique = word("determiner", "all", "obl")
    oblique.left.append(word("adposition", "at"))
    return oblique


def with_npi(draft: Draft, subject: Phrase, tense: str, *, negated: bool = False, npi: str = "") -> Predicate:
    """Generate a predicate with *ever*, *any* or *at all*, at random by default. The caller must license it."""
    rng = draft.rng
    npi = npi or rng.weighted_choice(WEIGHTED_NPIS)
    draft.tags.add("npi")
    adverbs = (word("adverb", "ever"),) if npi == "ever" else ()
    object_phrase: Phrase | None = None
    if npi == "any":
        verb = rng.choice(_ANY_OBJECT_VERBS)
        kinds = tuple(kind for kind in verb.objects if kind not in {"name", "relational", "person"})
        object_phrase = noun_phrase(draft, rng.choice(kinds), "obj", det="any")
    else:
        verb = rng.choice(INTRANSITIVE) if npi == "at all" or rng.chance(0.4) else rng.choice(TRANSITIVE)
        object_phrase = any_phrase(draft, verb.objects, "obj") if verb.objects else None
    predicate = verb_group(draft, verb, subject.agreement, tense, negated=negated, adverbs=adverbs)
    if object_phrase is not None:
        predicate.add_object(object_phrase)
    if npi == "at all":
        predicate.head.right.append(at_all())
    return predicate


def negated_npi(draft: Draft) -> Node:
    """Generate *Mary has not ever slept.* *The boys did not buy any hats.*"""
    subject = person_subject(draft)
    predicate = with_npi(draft, subject, draft.rng.weighted_choice(NEGATED_TENSES), negated=True)
    return sentence(draft, subject, predicate)


def stance(draft: Draft) -> Node:
    """Generate *Mary has probably slept.*, with an adverb in the position of *not* and no NPI."""
    subject = person_subject(draft)
    adverbs: tuple[Node, ...] = (word("adverb", draft.rng.choice(STANCE_ADVERBS)),)
    if draft.rng.chance(0.4):
        adverbs = (*adverbs, word("adverb", draft.rng.choice(FREQUENCY_ADVERBS)))
    return _sentence_without_npi(draft, subject, adverbs)


def _sentence_without_npi(draft: Draft, subject: Phrase, adverbs: tuple[Node, ...]) -> Node:
    verb = draft.rng.choice(INTRANSITIVE if draft.rng.chance(0.4) else TRANSITIVE)
    tense = draft.rng.weighted_choice(NPI_TENSES)
    return sentence(draft, subject, predicate_of(draft, verb, subject.agreement, tense, adverbs=adverbs))


def focus(draft: Draft, particle: str) -> Phrase:
    subject = any_phrase(draft, PERSON_KINDS, "nsubj", pronoun_probability=0.05)
    subject.head.left.insert(0, word("adverb", particle))
    return subject


def only_npi(draft: Draft) -> Node:
    """Generate *Only Mary has ever slept.*"""
    subject = focus(draft, "only")
    predicate = with_npi(draft, subject, draft.rng.weighted_choice(NPI_TENSES))
    draft.tags.add("npi-only")
    return sentence(draft, subject, predicate)


def only_or_even(draft: Draft) -> Node:
    """Generate *Even the boys have often slept.* *Only Mary laughed.* There is no NPI."""
    subject = focus(draft, draft.rng.choice(("only", "even", "even", "even")))
    adverbs = (
        (word("adverb", draft.rng.choice((*FREQUENCY_ADVERBS, *STANCE_ADVERBS))),) if draft.rng.chance(0.5) else ()
    )
    return _sentence_without_npi(draft, subject, adverbs)


def no_npi(draft: Draft) -> Node:
    """Generate *No student has ever laughed.*"""
    subject = noun_phrase(draft, draft.rng.choice(("person", "animal")), "nsubj", det="no")
    npi = "ever" if subject.kind == "person" else "at all"
    predicate = with_npi(draft, subject, draft.rng.weighted_choice(NPI_TENSES), npi=npi)
    return sentence(draft, subject, predicate)


def question(draft: Draft) -> Node:
    """Generate *Do the boys like Mary?* *Is the cat in the park?*"""
    subject = any_subject(draft)
    if draft.rng.chance(0.25):
        predicate = random_copular_predicate(draft, subject, tenses=AGREEING_COPULA_TENSES)
    else:
        predicate = random_predicate(draft, subject, tenses=QUESTION_TENSES, negation_probability=0.0)
    return finish(draft, inverted(draft, subject, predicate), "?")


def question_npi(draft: Draft) -> Node:
    """Generate *Has Mary ever slept?* *Are there any books in the library?*"""
    if draft.rng.chance(0.15):
        number = draft.rng.choice((SING, PLUR, PLUR))
        root = verb_word(BE, "present", Agreement(number), "root")
        kind = draft.rng.choice(("info", "thing", "clothes", "person"))
        pivot = noun_phrase(draft, kind, "nsubj", number=number, det="any")
        root.right = [word("expletive", "there"), pivot.head]
        annotate_subject(draft, pivot, root, precedes_head=False)
        draft.tags.update(("npi", "existential-there"))
        return finish(draft, root, "?")
    subject = any_phrase(draft, PERSON_KINDS, "nsubj", pronoun_probability=0.2)
    predicate = with_npi(draft, subject, draft.rng.weighted_choice(NPI_QUESTION_TENSES))
    return finish(draft, inverted(draft, subject, predicate), "?")


def wh_question(draft: Draft) -> Node:
    """Generate *Who saw the boys?* *Which books did Mary sell?*"""
    rng = draft.rng
    if rng.chance(0.4):
        subject = Phrase(word("interrogative", "who", "nsubj"), "person", SING, "")
        predicate = random_predicate(draft, subject, negation_probability=0.0)
        return sentence(draft, subject, predicate, "?")
    verb = rng.choice(TRANSITIVE)
    subject = any_subject(draft, PERSON_KINDS)
    predicate = verb_group(draft, verb, subject.agreement, rng.weighted_choice(QUESTION_TENSES))
    root = inverted(draft, subject, predicate)
    kinds = tuple(kind for kind in verb.objects if kind not in {"name", "relational"})
    if set(kinds) & {"person", "animal"} and rng.chance(0.5):
        object_word = word("interrogative", "who", "obj")
    elif rng.chance(0.3):
        object_word = word("interrogative", "what", "obj")
    else:
        object_word = noun_phrase(draft, rng.choice(kinds), "obj", det="which").head
    root.left.insert(0, object_word)
    return finish(draft, root, "?")
