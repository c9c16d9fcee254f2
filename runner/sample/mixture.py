"""The constructions of the sample, their weights, and the filters that match them."""

from __future__ import annotations

from collections.abc import Callable

from runner.sample.grammar import polarity, quantified, sentences
from runner.sample.grammar.phrases import Draft
from runner.sample.words.tree import Node

Production = Callable[[Draft], Node]

# name → (production, weight)
MIXTURE: dict[str, tuple[Production, int]] = {
    "plain": (sentences.plain, 300),
    "complement": (sentences.complement, 45),
    "coordination": (sentences.coordination, 45),
    "because": (sentences.because, 20),
    "fronted": (sentences.fronted, 25),
    "subject-pp": (sentences.subject_with_pp, 80),
    "subject-relative": (sentences.subject_with_relative, 85),
    "subject-participle": (sentences.subject_with_participle, 45),
    "demonstrative": (sentences.demonstrative, 110),
    "reflexive-object": (sentences.reflexive_object, 55),
    "reflexive-over-relative": (sentences.reflexive_over_relative, 20),
    "passive-clause": (sentences.passive, 50),
    "question": (polarity.question, 30),
    "wh-question": (polarity.wh_question, 20),
    "question-npi": (polarity.question_npi, 25),
    "negated-npi": (polarity.negated_npi, 25),
    "stance": (polarity.stance, 15),
    "only-npi": (polarity.only_npi, 25),
    "only-or-even": (polarity.only_or_even, 25),
    "no-npi": (polarity.no_npi, 10),
    "existential": (quantified.existential, 50),
    "counted": (quantified.counted, 40),
    "compared": (quantified.compared, 15),
    "mannered-number": (quantified.aann, 4),
}

# Constructions that are named after a shipped filter. The filter matches exactly the sentences with the construction.
FILTERS = (
    "agr-pp-mod",
    "agr-re-irr-sv",
    "agr-rel-cl",
    "binding-c-command",
    "binding-case",
    "binding-domain",
    "det-adj-noun",
    "det-noun",
    "npi-only",
    "npi-sent-neg",
    "npi-sim-ques",
    "passive",
    "quantifier-existential-there",
    "quantifier-superlative",
    "aann",
)
