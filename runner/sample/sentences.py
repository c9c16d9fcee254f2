"""Generate sentences, one function for each construction, also existential and quantified sentences."""

from __future__ import annotations

from collections.abc import Callable

from runner.sample.clauses import (
    ANY_TENSES,
    add_gerund,
    agent,
    annotate_subject,
    clause,
    declarative,
    drawn_group,
    finish,
    is_person,
    optional_adverb,
    participle,
    passive_predicate,
    random_predicate,
    relative_clause,
    sentence,
    verb_group,
    with_auxiliaries,
)
from runner.sample.lexicon import (
    ADJECTIVES,
    CLAUSAL,
    INFINITIVAL,
    MANNER_ADVERBS,
    NUMERALS,
    PERSON_KINDS,
    REFLEXIVE,
    TRANSITIVE,
    Weighted,
)
from runner.sample.phrases import (
    Draft,
    Phrase,
    add_pp,
    amount,
    any_phrase,
    any_subject,
    locative_phrase,
    noun_phrase,
    person_subject,
    reflexive,
)
from runner.sample.words import BASE, BE, PLUR, SING, Node, adjective_word, demonstrative_pronoun, verb_word, word

PASSIVE_TENSES = Weighted(("present", 35), ("past", 35), ("perfect", 15), ("modal", 15))
_NOUN_OBJECT_VERBS = tuple(verb for verb in TRANSITIVE if set(verb.objects) - {"name", "group"})
_CLAUSAL_TENSES = Weighted(("present", 45), ("past", 40), ("perfect", 5), ("modal", 10))


def plain(draft: Draft) -> Node:
    """Generate *The student laughed.* *Mary has seen the old car.* *These are cups.*"""
    if draft.rng.chance(0.04):
        number = draft.rng.choice((SING, PLUR))
        subject = Phrase(demonstrative_pronoun(number, "nsubj"), "thing", number, "Neut")
        kind = draft.rng.choice(("thing", "clothes", "info", "place"))
        det = "a" if number == SING else ""
        head = noun_phrase(draft, kind, "root", number=number, det=det).head
        return sentence(draft, subject, with_auxiliaries(draft, head, subject.agreement, "present"))
    return finish(draft, clause(draft))


def subject_with_pp(draft: Draft) -> Node:
    """Generate *The sketches of the truck have disappeared.*"""
    kind = draft.rng.choice(
        ("info", "info", "info", "relational", "relational", "group", "person", "thing", "clothes", "idea")
    )
    subject = add_pp(draft, noun_phrase(draft, kind, "nsubj", adjective_probability=0.1))
    if subject.pp_object is not None and subject.pp_object.kind != "name" and draft.rng.chance(0.06):
        relative_clause(draft, subject.pp_object, object_relative=draft.rng.chance(0.3))
    return sentence(draft, subject, random_predicate(draft, subject))


def subject_with_relative(draft: Draft) -> Node:
    """Generate *The boys who like Mary are tall.* *The book that the teacher wrote has vanished.*"""
    kind = draft.rng.choice(("person", "person", "person", "relational", "animal", "info", "thing", "clothes"))
    subject = noun_phrase(draft, kind, "nsubj", adjective_probability=0.1)
    relative_clause(draft, subject, object_relative=draft.rng.chance(0.4))
    return sentence(draft, subject, random_predicate(draft, subject))


def subject_with_participle(draft: Draft) -> Node:
    """Generate *The girl watching the birds smiles.*"""
    kind = draft.rng.choice(("person", "person", "relational", "info", "thing"))
    subject = participle(draft, noun_phrase(draft, kind, "nsubj", adjective_probability=0.1))
    return sentence(draft, subject, random_predicate(draft, subject))


def demonstrative(draft: Draft) -> Node:
    """Generate *Mary bought these hats.* *That old car is red.*"""
    number = draft.rng.choice((SING, PLUR))
    det = draft.rng.choice(("this", "that") if number == SING else ("these", "those"))
    if draft.rng.chance(0.3):
        kind = draft.rng.choice(("person", "animal", "info", "thing", "clothes", "place", "idea"))
        subject = noun_phrase(draft, kind, "nsubj", number=number, det=det, adjective_probability=0.35)
        return sentence(draft, subject, random_predicate(draft, subject))
    subject = person_subject(draft)
    verb = draft.rng.choice(_NOUN_OBJECT_VERBS)
    kind = draft.rng.choice(tuple(kind for kind in verb.objects if kind not in {"name", "group"}))
    predicate = verb_group(
        draft, verb, subject.agreement, draft.rng.weighted_choice(ANY_TENSES), adverbs=optional_adverb(draft)
    )
    predicate.add_object(noun_phrase(draft, kind, "obj", number=number, det=det, adjective_probability=0.35))
    return sentence(draft, subject, predicate)


def coordination(draft: Draft) -> Node:
    """Generate *Mary and the boys sing.* *Mary sings and dances.* *John left, but Mary stayed.*"""
    shape = draft.rng.choice(("phrase", "predicate", "clause"))
    if shape == "phrase":
        first, second = (any_phrase(draft, PERSON_KINDS, "nsubj", pronoun_probability=0.0) for _ in range(2))
        second.head.deprel = "conj"
        second.head.left.insert(0, word("conjunction", "and"))
        first.head.right.append(second.head)
        subject = Phrase(first.head, "person", PLUR, "", is_listed=first.is_listed)
        return sentence(draft, subject, random_predicate(draft, subject))
    if shape == "predicate":
        subject = person_subject(draft)
        first_predicate, second_predicate = (random_predicate(draft, subject, simple=True) for _ in range(2))
        root = declarative(draft, subject, first_predicate)
        second_predicate.head.left[:0] = [
            word("conjunction", draft.rng.choice(("and", "but"))),
            *second_predicate.before_head,
        ]
        second_predicate.head.deprel = "conj"
        root.right.append(second_predicate.head)
        return finish(draft, root)
    root, conjunct = clause(draft), clause(draft)
    conjunct.left[:0] = [word("punctuation", ","), word("conjunction", draft.rng.choice(("and", "but")))]
    conjunct.deprel = "conj"
    root.right.append(conjunct)
    return finish(draft, root)


def complement(draft: Draft) -> Node:
    """Generate *Mary thinks that the boys sing.* *John wants to help her.*"""
    subject = person_subject(draft)
    if draft.rng.chance(0.35):
        predicate = drawn_group(draft, INFINITIVAL, subject.agreement, ANY_TENSES)
        complement_head = _infinitive(draft, subject)
    else:
        predicate = drawn_group(draft, CLAUSAL, subject.agreement, _CLAUSAL_TENSES)
        complement_head = _that_clause(draft)
    predicate.head.right.append(complement_head)
    return sentence(draft, subject, predicate)


def _infinitive(draft: Draft, subject: Phrase) -> Node:
    if draft.rng.chance(0.15):
        head = verb_word(draft.rng.choice(REFLEXIVE), BASE, subject.agreement, "xcomp")
        head.right.append(reflexive(draft, subject))
        draft.tags.add("binding-domain")
    else:
        verb = draft.rng.choice(TRANSITIVE)
        head = verb_word(verb, BASE, subject.agreement, "xcomp")
        head.right.append(any_phrase(draft, verb.objects, "obj").head)
    head.left.insert(0, word("infinitive", "to"))
    return head


def _that_clause(draft: Draft) -> Node:
    subject = person_subject(draft) if draft.rng.chance(0.5) else any_subject(draft)
    has_that = draft.rng.chance(0.6)
    if is_person(subject) and draft.rng.chance(0.1):
        predicate = drawn_group(draft, REFLEXIVE, subject.agreement, ANY_TENSES)
        predicate.head.right.append(reflexive(draft, subject))
        draft.tags.add("binding-domain")
    else:
        predicate = random_predicate(draft, subject)
        if has_that and predicate.object is not None and predicate.object.kind == "pronoun":
            draft.tags.add("binding-domain")
    root = declarative(draft, subject, predicate)
    if has_that:
        root.left.insert(0, word("subordinator", "that"))
        if subject.kind == "pronoun":
            draft.tags.add("binding-case")
    root.deprel = "ccomp"
    return root


def because(draft: Draft) -> Node:
    """Generate *Mary smiled because the boys sang.*"""
    root, adverbial_clause = clause(draft), clause(draft)
    adverbial_clause.left.insert(0, word("subordinator", "because"))
    adverbial_clause.deprel = "advcl"
    root.right.append(adverbial_clause)
    return finish(draft, root)


def fronted(draft: Draft) -> Node:
    """Generate *Near the trucks, the cat sleeps.*"""
    locative = locative_phrase(draft)
    locative.right.append(word("punctuation", ","))
    root = clause(draft)
    root.left.insert(0, locative)
    return finish(draft, root)


def reflexive_object(draft: Draft) -> Node:
    """Generate *Mary hurt herself.*"""
    return finish(draft, _reflexive_clause(draft, person_subject(draft)))


def reflexive_over_relative(draft: Draft) -> Node:
    """Generate *The girls who like John hurt themselves.*"""
    subject = noun_phrase(draft, draft.rng.choice(("person", "relational")), "nsubj", adjective_probability=0.1)
    relative_clause(draft, subject, object_relative=draft.rng.chance(0.3))
    return finish(draft, _reflexive_clause(draft, subject))


def _reflexive_clause(draft: Draft, subject: Phrase) -> Node:
    verb, negated, tense = draft.rng.choice(REFLEXIVE), draft.rng.chance(0.12), draft.rng.weighted_choice(ANY_TENSES)
    predicate = verb_group(draft, verb, subject.agreement, tense, negated=negated, adverbs=optional_adverb(draft))
    predicate.head.right.append(reflexive(draft, subject))
    if draft.rng.chance(0.2):
        predicate.head.right.append(
            locative_phrase(draft) if draft.rng.chance(0.5) else word("adverb", draft.rng.choice(MANNER_ADVERBS))
        )
    draft.tags.add("reflexive")
    if subject.has_relative:
        draft.tags.add("binding-c-command")
    return declarative(draft, subject, predicate)


def passive(draft: Draft) -> Node:
    """Generate *The book was sold by the students.* *These shirts have been bought.*"""
    kinds = ("person", "person", "name", "relational", "animal", "info", "thing", "clothes", "place", "group", "idea")
    subject = any_subject(draft, kinds)
    if subject.kind in {"info", "relational", "thing"} and draft.rng.chance(0.1):
        add_pp(draft, subject)
    tense = draft.rng.weighted_choice(PASSIVE_TENSES)
    predicate = passive_predicate(draft, subject, tense, negated=draft.rng.chance(0.1))
    if draft.rng.chance(0.6):
        predicate.head.right.append(agent(draft))
    elif draft.rng.chance(0.3):
        predicate.head.right.append(locative_phrase(draft))
    return sentence(draft, subject, predicate)


EXISTENTIAL_DETERMINERS = {
    SING: Weighted(("a", 60), ("no", 20), ("some", 10), ("another", 10)),
    PLUR: Weighted(("many", 22), ("some", 20), ("no", 15), ("few", 15), ("several", 8), ("number", 12), ("", 8)),
}
FILTERED_QUANTIFIERS = frozenset({"a", "no", "some", "few", "many"})  # matched by quantifier-existential-there
_PIVOT_KINDS = ("person", "person", "animal", "info", "thing", "clothes", "place")
_UNCOUNTED_KINDS = frozenset({"name", "relational", "group", "idea"})
COUNTABLE_OBJECT_VERBS = tuple(verb for verb in TRANSITIVE if set(verb.objects) - _UNCOUNTED_KINDS)


def existential(draft: Draft) -> Node:
    """Generate *There are many books in the library.* *There was no student laughing.*"""
    rng = draft.rng
    number = rng.choice((SING, PLUR))
    det = rng.weighted_choice(EXISTENTIAL_DETERMINERS[number])
    pivot = noun_phrase(draft, rng.choice(_PIVOT_KINDS), "nsubj", number=number, det=det, adjective_probability=0.15)
    root = verb_word(BE, rng.choice(("present", "past")), pivot.agreement, "root")
    root.left.append(word("expletive", "there"))
    root.right.append(pivot.head)
    draft.tags.add("existential-there")
    if det in FILTERED_QUANTIFIERS:
        draft.tags.add("quantifier-existential-there")
    random_value = rng.random()
    if random_value < 0.45:
        root.right.append(locative_phrase(draft))
    elif random_value < 0.75:
        add_gerund(draft, pivot, COUNTABLE_OBJECT_VERBS)
    elif random_value < 0.85:
        relative_clause(draft, pivot, object_relative=rng.chance(0.3))
    annotate_subject(draft, pivot, root, precedes_head=False)
    return finish(draft, root)


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
    verb = draft.rng.choice(COUNTABLE_OBJECT_VERBS)
    kind = draft.rng.choice([kind for kind in verb.objects if kind not in _UNCOUNTED_KINDS])
    object_phrase = noun_phrase(draft, kind, "obj", number=number, det="", adjective_probability=0.0)
    object_phrase.head.left = words_before_noun()
    predicate = verb_group(draft, verb, subject.agreement, draft.rng.weighted_choice(ANY_TENSES))
    predicate.add_object(object_phrase)
    return sentence(draft, subject, predicate)


def compared(draft: Draft) -> Node:
    """Generate *Mary is older than the boys.* *John saw the tallest girl.*"""
    rng = draft.rng
    adjective = rng.choice(_GRADABLE_ADJECTIVES)
    if rng.chance(0.5):
        subject = any_subject(draft, (*PERSON_KINDS, "animal"))
        head = adjective_word(adjective, "Cmp", "root")
        standard = any_phrase(draft, (*PERSON_KINDS, "animal"), "obl")
        standard.head.left.insert(0, word("adposition", "than"))
        head.right.append(standard.head)
        tense = rng.choice(("present", "present", "past"))
        return sentence(draft, subject, with_auxiliaries(draft, head, subject.agreement, tense))
    draft.tags.add("quantifier-superlative")
    superlative = [word("determiner", "the"), adjective_word(adjective, "Sup")]
    return _with_object(draft, person_subject(draft), "", lambda: superlative)


def aann(draft: Draft) -> Node:
    """Generate *Mary visited a beautiful five museums.* AANN is article, adjective, numeral and noun."""
    draft.tags.add("aann")

    def article_adjective_numeral() -> list[Node]:
        adjective = adjective_word(draft.rng.choice(_AANN_ADJECTIVES))
        return [word("determiner", "a"), adjective, word("numeral", draft.rng.choice(NUMERALS[:4]))]

    return _with_object(draft, person_subject(draft), PLUR, article_adjective_numeral)


BOUNDS = Weighted((("at", "least"), 30), (("at", "most"), 30), (("more", "than"), 20), (("fewer", "than"), 20))
_GRADABLE_ADJECTIVES = tuple(
    adjective for group in ("any", "person") for adjective in ADJECTIVES[group] if adjective.comparative
)
_AANN_ADJECTIVES = tuple(a for a in ADJECTIVES["any"] if a.lemma in {"beautiful", "famous", "strange", "good"})
