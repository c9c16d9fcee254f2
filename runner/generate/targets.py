"""The nine paradigms of the targeted-injection paper, by the templates of its appendix C.3, in the sample's English."""

from __future__ import annotations

from collections.abc import Callable

from runner.sample.grammar.clauses import finish
from runner.sample.grammar.modifiers import relative_clause
from runner.sample.grammar.phrases import Draft, Phrase, any_phrase, noun_phrase, place, reflexive
from runner.sample.grammar.polarity import NPI_FRAME, NPI_QUESTION_FRAME, with_npi
from runner.sample.grammar.predicates import add_object, declarative, inverted, is_person, verb_group
from runner.sample.words.lexicon import EVENTS, INTRANSITIVE, PEOPLE, PSYCH, REFLEXIVE, TRANSITIVE, Verb
from runner.sample.words.rng import Table
from runner.sample.words.tree import Node
from runner.sample.words.words import (
    BE,
    ING,
    IT,
    PLUR,
    SING,
    Agreement,
    adverb,
    conjunction,
    pronoun,
    question_word,
    relative_pronoun,
    verb_word,
    whose,
)

Production = Callable[[Draft], Node]

_NONFINITE = Table(("do", 20), ("did", 30), ("perfect", 20), ("progressive", 10), ("modal", 20))
_ECHO = Table(("perfect", 30), ("pluperfect", 15), ("progressive", 15), ("modal", 40))
_FINITE = Table(("present", 30), ("past", 35), ("perfect", 20), ("modal", 15))
_OF_PEOPLE = tuple(verb for verb in TRANSITIVE if "person" in verb.objects)
_KNOWING = tuple(verb for verb in _OF_PEOPLE if verb.lemma in {"know", "forget", "remember"})
_OF_THINGS = tuple(verb for verb in TRANSITIVE if set(verb.objects) & {"info", "thing", "clothes", "place"})
_NOT_PEOPLE = frozenset({*PEOPLE})


def only_npi_scope(draft: Draft) -> Node:
    """*Only those boys who Mary had seen have ever complained.*"""
    doer = noun_phrase(draft, draft.dice.pick(("person", "person", "kin", "animal")), "nsubj")
    doer.noun.left.insert(0, adverb("only"))
    relative_clause(draft, doer, of_object=True, bare=0.0)
    predicate = with_npi(draft, doer, draft.dice.draw(NPI_FRAME), shape="ever")
    return finish(draft, declarative(draft, doer, predicate))


def existential_there_quantifiers(draft: Draft) -> Node:
    """*Every report is there annoying Anna.*"""
    number = draft.dice.pick((SING, PLUR))
    det = draft.dice.pick(("every", "each") if number == SING else ("all", "most"))
    kind = draft.dice.pick(("person", "animal", "info", "thing", "clothes", "group"))
    doer = noun_phrase(draft, kind, "nsubj", number=number, det=det)
    verb = draft.dice.pick(draft.dice.pick((INTRANSITIVE if is_person(doer) else EVENTS, PSYCH)))
    there = Node("there", "there", "ADV", "RB", "PronType=Dem", "advmod")
    frame = draft.dice.pick(("progressive", "was-progressive"))
    negated = draft.dice.chance(0.2)
    predicate = verb_group(draft, verb, doer.agreement, frame, negated=negated, middle=(there,))
    if verb.objects:
        add_object(predicate, any_phrase(draft, verb.objects, "obj"))
    return finish(draft, declarative(draft, doer, predicate))


def wh_with_gap_long_distance(draft: Draft) -> Node:
    """*Mary forgot who the boys that laughed had visited.*"""
    knower = any_phrase(draft, PEOPLE, "nsubj", pronouns=0.1)
    outer = verb_group(draft, draft.dice.pick(_KNOWING), knower.agreement, draft.dice.draw(_FINITE))
    doer = relative_clause(draft, noun_phrase(draft, draft.dice.pick(("person", "kin")), "nsubj"))
    verb = draft.dice.pick(draft.dice.pick((_OF_PEOPLE, _OF_THINGS)))
    inner = verb_group(draft, verb, doer.agreement, draft.dice.draw(_FINITE))
    head = declarative(draft, doer, inner)
    head.left.insert(0, question_word("who" if set(verb.objects) & _NOT_PEOPLE else "what", "obj"))
    head.deprel = "ccomp"
    outer.head.right.append(head)
    return finish(draft, declarative(draft, knower, outer))


def matrix_question_npi(draft: Draft) -> Node:
    """*Has Mary ever slept?*"""
    doer = any_phrase(draft, PEOPLE, "nsubj", pronouns=0.2)
    predicate = with_npi(draft, doer, draft.dice.draw(NPI_QUESTION_FRAME), shape="ever")
    return finish(draft, inverted(draft, doer, predicate), "?")


def principle_a_reconstruction(draft: Draft) -> Node:
    """*It's herself that Mary described.*"""
    doer = any_phrase(draft, PEOPLE, "nsubj", pronouns=0.1)
    root = reflexive(draft, doer, "root")
    short = verb_word(BE, "present", Agreement(SING), "cop", upos="AUX")
    if draft.dice.chance(0.7):
        short.form, short.glued = "'s", True
    root.left = [pronoun(IT, "Nom", "expl"), short]
    negated = draft.dice.chance(0.15)
    predicate = verb_group(draft, draft.dice.pick(REFLEXIVE), doer.agreement, draft.dice.draw(_FINITE), negated=negated)
    clause = declarative(draft, doer, predicate)
    clause.left.insert(0, relative_pronoun(draft.dice.pick(("that", "that", "who")), "obj"))
    clause.deprel = "advcl:relcl"
    root.right.append(clause)
    return finish(draft, root)


def sentential_subject(draft: Draft) -> Node:
    """*Who has the boys' visiting Mary annoyed?*"""
    gerund = verb_word(draft.dice.pick(_OF_PEOPLE), ING, Agreement(SING), "csubj")
    gerund.feats = "VerbForm=Ger"
    owner = noun_phrase(draft, draft.dice.pick(("person", "person", "kin", "group")), "nmod:poss")
    ending = Node("'" if owner.noun.form.endswith("s") else "'s", "'s", "PART", "POS", "_", "case")
    ending.glued = True
    owner.noun.right.append(ending)
    gerund.left.append(owner.noun)
    gerund.right.append(any_phrase(draft, PEOPLE, "obj", pronouns=0.0).noun)
    predicate = verb_group(draft, draft.dice.pick(PSYCH), Agreement(SING), draft.dice.draw(_NONFINITE))
    root = inverted(draft, Phrase(gerund, "idea", SING, "Neut"), predicate)
    root.left.insert(0, question_word("who", "obj"))
    return finish(draft, root, "?")


def echo_question(draft: Draft) -> Node:
    """*Mary would sell which book?*"""
    doer = any_phrase(draft, PEOPLE, "nsubj", pronouns=0.1)
    verb = draft.dice.pick(TRANSITIVE)
    predicate = verb_group(draft, verb, doer.agreement, draft.dice.draw(_ECHO))
    add_object(predicate, _asked(draft, verb))
    if draft.dice.chance(0.2):
        predicate.head.right.append(place(draft))
    return finish(draft, declarative(draft, doer, predicate), "?")


def coordinate_left_branch(draft: Draft) -> Node:
    """*What books did Mary read and the boys buy?*"""
    first, second = (any_phrase(draft, PEOPLE, "nsubj", pronouns=0.0) for _ in range(2))
    verb = draft.dice.pick(TRANSITIVE)
    same = tuple(other for other in TRANSITIVE if other.objects == verb.objects)
    frame = draft.dice.draw(_NONFINITE)
    predicate, other = (verb_group(draft, one, first.agreement, frame) for one in (verb, draft.dice.pick(same)))
    root = inverted(draft, first, predicate)
    root.left.insert(0, _asked(draft, verb).noun)
    other.head.left = [conjunction("and"), second.noun]
    other.head.deprel = "conj"
    root.right.append(other.head)
    return finish(draft, root, "?")


def _asked(draft: Draft, verb: Verb) -> Phrase:
    """*which book*, *what books*, *whose book*: an object that is asked for."""
    kind = draft.dice.pick(tuple(kind for kind in verb.objects if kind != "name"))
    word = draft.dice.pick(("which", "what", "whose"))
    phrase = noun_phrase(draft, kind, "obj", det="" if word == "whose" else word)
    if word == "whose":
        phrase.noun.left.insert(0, whose())
    return phrase


def principle_a_c_command(draft: Draft) -> Node:
    """*The girls who like the man hurt themselves.*"""
    doer = noun_phrase(draft, draft.dice.pick(("person", "kin")), "nsubj")
    relative_clause(draft, doer, number=draft.dice.pick((SING, PLUR)))
    negated = draft.dice.chance(0.15)
    predicate = verb_group(draft, draft.dice.pick(REFLEXIVE), doer.agreement, draft.dice.draw(_FINITE), negated=negated)
    predicate.head.right.append(reflexive(draft, doer))
    return finish(draft, declarative(draft, doer, predicate))


# By their names in BLiMP, in the order of the paper's table 2.
TARGETS: dict[str, Production] = {
    "only_npi_scope": only_npi_scope,
    "existential_there_quantifiers_2": existential_there_quantifiers,
    "wh_vs_that_with_gap_long_distance": wh_with_gap_long_distance,
    "matrix_question_npi_licensor_present": matrix_question_npi,
    "principle_A_reconstruction": principle_a_reconstruction,
    "sentential_subject_island": sentential_subject,
    "left_branch_island_echo_question": echo_question,
    "coordinate_structure_constraint_complex_left_branch": coordinate_left_branch,
    "principle_A_c_command": principle_a_c_command,
}
TEMPLATES: dict[str, str] = {
    "only_npi_scope": "Only {subject_NP} {relativizer} {subject_embedded} {auxiliary_embedded} {verb_embedded} "
    "({auxiliary}) ever {verb_phrase}",
    "existential_there_quantifiers_2": "{all / every / each / most} {subject_NP} {auxiliary} there {verb_phrase}",
    "wh_vs_that_with_gap_long_distance": "{subject_NP} {verb} {wh_word} {subject_embedded} that {verb_phrase_relative} "
    "{verb_embedded}",
    "matrix_question_npi_licensor_present": "{auxiliary} {subject_NP} ever {verb_phrase}",
    "principle_A_reconstruction": "It's {reflexive} {relativizer} {subject_NP} {verb_phrase}",
    "sentential_subject_island": "{wh_word} {verb_do} {{subject_NP_possessive} {verb_ing} {subject_NP}} "
    "{verb / verb_phrase}",
    "left_branch_island_echo_question": "{subject} {auxiliary} {verb} {wh_determiner} {noun}",
    "coordinate_structure_constraint_complex_left_branch": "{wh_determiner} {object_noun} {auxiliary} {subject_1} "
    "{verb_phrase_1} and {subject_2} {verb_phrase_2}",
    "principle_A_c_command": "{subject_NP_1} {relativizer} {verb_embedded_2} {subject_NP_embedded_2} {verb_phrase_1} "
    "{reflexive}",
}
