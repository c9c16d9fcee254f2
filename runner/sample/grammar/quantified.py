"""Generate existential sentences, and sentences with amounts, comparatives and superlatives."""

from __future__ import annotations

from collections.abc import Callable

from runner.sample.grammar.clauses import any_subject, finish, person_subject, sentence
from runner.sample.grammar.modifiers import relative_clause
from runner.sample.grammar.phrases import Draft, Phrase, amount, any_phrase, locative_phrase, noun_phrase
from runner.sample.grammar.predicates import (
    ANY_TENSES,
    add_object,
    annotate_subject,
    copular_predicate,
    is_person,
    random_predicate,
    verb_group,
)
from runner.sample.words.lexicon import ADJECTIVES, NUMERALS, PERSON_KINDS, PSYCH_VERBS, TRANSITIVE
from runner.sample.words.rng import Weighted
from runner.sample.words.tree import Node
from runner.sample.words.words import (
    BE,
    ING,
    PLUR,
    SING,
    adjective_word,
    adposition,
    determiner,
    expletive_there,
    numeral,
    verb_word,
)

EXISTENTIAL_DETERMINERS = {
    SING: Weighted(("a", 60), ("no", 20), ("some", 10), ("another", 10)),
    PLUR: Weighted(("many", 22), ("some", 20), ("no", 15), ("few", 15), ("several", 8), ("number", 12), ("", 8)),
}
FILTERED_QUANTIFIERS = frozenset({"a", "no", "some", "few", "many"})  # matched by quantifier-existential-there
_PIVOT_KINDS = ("person", "person", "animal", "info", "thing", "clothes", "place")
_UNCOUNTED_KINDS = frozenset({"name", "relational", "group", "idea"})
_COUNTABLE_OBJECT_VERBS = tuple(verb for verb in TRANSITIVE if set(verb.objects) - _UNCOUNTED_KINDS)


def existential(draft: Draft) -> Node:
    """Generate *There are many books in the library.* *There was no student laughing.*"""
    rng = draft.rng
    number = rng.choice((SING, PLUR))
    det = rng.weighted_choice(EXISTENTIAL_DETERMINERS[number])
    pivot = noun_phrase(draft, rng.choice(_PIVOT_KINDS), "nsubj", number=number, det=det, adjective_probability=0.15)
    root = verb_word(BE, rng.choice(("present", "past")), pivot.agreement, "root")
    root.left.append(expletive_there())
    root.right.append(pivot.head)
    draft.tags.add("existential-there")
    if det in FILTERED_QUANTIFIERS:
        draft.tags.add("quantifier-existential-there")
    random_value = rng.random()
    if random_value < 0.45:
        root.right.append(locative_phrase(draft))
    elif random_value < 0.75:
        add_participle(draft, pivot)
    elif random_value < 0.85:
        relative_clause(draft, pivot, object_relative=rng.chance(0.3))
    annotate_subject(draft, pivot, root, precedes_head=False)
    return finish(draft, root)


def add_participle(draft: Draft, pivot: Phrase) -> None:
    """Add a participial clause to the pivot of an existential sentence: *a student helping Mary*."""
    verb = draft.rng.choice(_COUNTABLE_OBJECT_VERBS if is_person(pivot) else PSYCH_VERBS)
    head = verb_word(verb, ING, pivot.agreement, "acl")
    head.feats = "VerbForm=Ger"
    head.right.append(any_phrase(draft, verb.objects, "obj").head)
    pivot.head.right.append(head)


def counted(draft: Draft) -> Node:
    """Generate *No boy saw more than two cats.* *Mary sold at least three hats.*"""
    rng = draft.rng
    if rng.chance(0.4):
        subject = noun_phrase(draft, "person", "nsubj", det="no", adjective_probability=0.0)
        bound = rng.choice((("more", "than"), ("fewer", "than")))
    elif rng.chance(0.15):
        subject = noun_phrase(draft, "person", "nsubj", number=PLUR, det="amount", adjective_probability=0.1)
        return sentence(draft, subject, random_predicate(draft, subject))
    else:
        subject = person_subject(draft)
        bound = rng.weighted_choice(BOUNDS)

    def counted_words() -> list[Node]:
        draft.object_depth += 1
        words = [amount(draft, bound)]
        draft.object_depth -= 1
        return words

    return _with_object(draft, subject, PLUR, counted_words)


def _with_object(draft: Draft, subject: Phrase, number: str, words_before_noun: Callable[[], list[Node]]) -> Node:
    """Generate a sentence with a countable object."""
    verb = draft.rng.choice(_COUNTABLE_OBJECT_VERBS)
    kind = draft.rng.choice([kind for kind in verb.objects if kind not in _UNCOUNTED_KINDS])
    object_phrase = noun_phrase(draft, kind, "obj", number=number, det="", adjective_probability=0.0)
    object_phrase.head.left = words_before_noun()
    predicate = verb_group(draft, verb, subject.agreement, draft.rng.weighted_choice(ANY_TENSES))
    add_object(predicate, object_phrase)
    return sentence(draft, subject, predicate)


def compared(draft: Draft) -> Node:
    """Generate *Mary is older than the boys.* *John saw the tallest girl.*"""
    rng = draft.rng
    adjective = rng.choice(_GRADABLE_ADJECTIVES)
    if rng.chance(0.5):
        subject = any_subject(draft, (*PERSON_KINDS, "animal"))
        head = adjective_word(adjective, "Cmp", "root")
        standard = any_phrase(draft, (*PERSON_KINDS, "animal"), "obl")
        standard.head.left.insert(0, adposition("than"))
        head.right.append(standard.head)
        tense = rng.choice(("present", "present", "past"))
        return sentence(draft, subject, copular_predicate(draft, head, subject.agreement, tense))
    draft.tags.add("quantifier-superlative")
    superlative = [determiner("the"), adjective_word(adjective, "Sup")]
    return _with_object(draft, person_subject(draft), "", lambda: superlative)


def aann(draft: Draft) -> Node:
    """Generate *Mary visited a beautiful five museums.* AANN is article, adjective, numeral and noun."""
    draft.tags.add("aann")

    def article_adjective_numeral() -> list[Node]:
        adjective = adjective_word(draft.rng.choice(_AANN_ADJECTIVES))
        return [determiner("a"), adjective, numeral(draft.rng.choice(NUMERALS[:4]))]

    return _with_object(draft, person_subject(draft), PLUR, article_adjective_numeral)


BOUNDS = Weighted((("at", "least"), 30), (("at", "most"), 30), (("more", "than"), 20), (("fewer", "than"), 20))
_GRADABLE_ADJECTIVES = tuple(
    adjective for group in ("any", "person") for adjective in ADJECTIVES[group] if adjective.comparative
)
_AANN_ADJECTIVES = tuple(a for a in ADJECTIVES["any"] if a.lemma in {"beautiful", "famous", "strange", "good"})
