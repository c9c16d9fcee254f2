"""Labels that Universal Dependencies and benchmarks define, and the nearest known label of others."""

from __future__ import annotations

import re
from collections.abc import Iterable

from fictdsl import glossary
from fictdsl.diagnostics.suggest import did_you_mean, nearest
from fictdsl.schema import WORD
from fictdsl.semantics import ud
from fictdsl.semantics.check_attributes import OTHER_NAME_HINTS, misc_hint
from fictdsl.syntax import nodes
from fictdsl.syntax.grammar import comments
from fictdsl.syntax.load import Module

# Warstadt et al. 2020, BLiMP: The Benchmark of Linguistic Minimal Pairs for English: 67 paradigms.
_BLIMP = """
adjunct_island anaphor_gender_agreement anaphor_number_agreement animate_subject_passive
animate_subject_trans causative complex_NP_island coordinate_structure_constraint_complex_left_branch
coordinate_structure_constraint_object_extraction determiner_noun_agreement_1 determiner_noun_agreement_2
determiner_noun_agreement_irregular_1 determiner_noun_agreement_irregular_2 determiner_noun_agreement_with_adj_2
determiner_noun_agreement_with_adj_irregular_1 determiner_noun_agreement_with_adj_irregular_2
determiner_noun_agreement_with_adjective_1 distractor_agreement_relational_noun distractor_agreement_relative_clause
drop_argument ellipsis_n_bar_1 ellipsis_n_bar_2 existential_there_object_raising existential_there_quantifiers_1
existential_there_quantifiers_2 existential_there_subject_raising expletive_it_object_raising inchoative intransitive
irregular_past_participle_adjectives irregular_past_participle_verbs irregular_plural_subject_verb_agreement_1
irregular_plural_subject_verb_agreement_2 left_branch_island_echo_question left_branch_island_simple_question
matrix_question_npi_licensor_present npi_present_1 npi_present_2 only_npi_licensor_present only_npi_scope
passive_1 passive_2 principle_A_c_command principle_A_case_1 principle_A_case_2 principle_A_domain_1
principle_A_domain_2 principle_A_domain_3 principle_A_reconstruction regular_plural_subject_verb_agreement_1
regular_plural_subject_verb_agreement_2 sentential_negation_npi_licensor_present sentential_negation_npi_scope
sentential_subject_island superlative_quantifiers_1 superlative_quantifiers_2 tough_vs_raising_1 tough_vs_raising_2
transitive wh_island wh_questions_object_gap wh_questions_subject_gap wh_questions_subject_gap_long_distance
wh_vs_that_no_gap wh_vs_that_no_gap_long_distance wh_vs_that_with_gap wh_vs_that_with_gap_long_distance
"""

# The values of `linguistics_term` in its files.
_BLIMP_PHENOMENA = """
anaphor_agreement argument_structure binding control_raising determiner_noun_agreement ellipsis filler_gap_dependency
irregular_forms island_effects npi_licensing quantifiers s-selection subject_verb_agreement
"""

PARADIGMS: dict[str, frozenset[str]] = {
    "blimp": frozenset(_BLIMP.split()),
    "winobias": frozenset({"type1", "type2"}),  # Zhao et al. 2018
}

# A phenomenon in `targets` stands for its paradigms.
PHENOMENA: dict[str, frozenset[str]] = {"blimp": frozenset(_BLIMP_PHENOMENA.split())}
TARGETS: dict[str, frozenset[str]] = {**PARADIGMS, "blimp": PARADIGMS["blimp"] | PHENOMENA["blimp"]}

# Benchmarks whose names resemble those of PARADIGMS but are no misspellings of them. Their paradigms are not checked:
# Xiang et al. 2021 (Chinese), Someya and Oseki 2023 (Japanese), Taktasheva et al. 2024 (Russian), Nguyen et al. 2020
# (spoken English).
_SIMILAR_NAMES = frozenset({"climp", "jblimp", "rublimp", "sblimp"})


def misspelled_suite(name: str, suites: Iterable[str] = ()) -> str | None:
    """Return the suite that an unknown name probably misspells, among `suites` and the known suites."""
    return None if name in _SIMILAR_NAMES else nearest(name, (*suites, *PARADIGMS))


# Tags of other tag sets, and their UPOS equivalents.
_UPOS_NAMES = {
    "CONJ": "CCONJ",
    "PREP": "ADP",
    "P": "ADP",
    "N": "NOUN",
    "V": "VERB",
    "A": "ADJ",
    "MODAL": "AUX",
    "NP": "PROPN",
}
# Relations of other schemes, such as Stanford Dependencies and spaCy, and their UD equivalents.
_RELATION_NAMES = {
    "dobj": "obj",
    "pobj": "obl` or `nmod",
    "nsubjpass": "nsubj:pass",
    "csubjpass": "csubj:pass",
    "auxpass": "aux:pass",
    "neg": "advmod",
    "prep": "case",
    "rcmod": "acl:relcl",
    "relcl": "acl:relcl",
    "agent": "obl:agent",
    "poss": "nmod:poss",
    "prt": "compound:prt",
    "num": "nummod",
    "ROOT": "root",
    "SBJ": "nsubj",
    "subj": "nsubj",
}


_HINT = "`# tagset: other` at the head of a file declares another tag set"
_DECLARATION = re.compile(r"#\s*tagset:\s*other")


def has_other_tagset(module: Module) -> bool:
    """Return whether a file has the comment before its first list, pattern, filter or rewrite, on a line of its own."""
    text = module.source.text
    if "tagset:" not in text:
        return False
    definitions = (item for item in module.file.items if not isinstance(item, nodes.Use))
    head = min((definition.span.start for definition in definitions), default=len(text))
    return any(
        comment.own_line and comment.start < head and _DECLARATION.fullmatch(comment.text) for comment in comments(text)
    )


def upos_hint(tag: str) -> str:
    if tag.upper() in _UPOS_NAMES:
        return f"UD calls it `{_UPOS_NAMES[tag.upper()]}`"
    if tag in glossary.PENN:
        return f"`xpos = {tag}` tests the tags of the Penn Treebank"
    return did_you_mean(tag, ud.UPOS) or _HINT


def relation_hint(label: str) -> str:
    if label in _RELATION_NAMES:
        return f"UD calls it `{_RELATION_NAMES[label]}`"
    if hint := did_you_mean(label, (*ud.RELATIONS, *ud.ENGLISH_SUBTYPES, *ud.OTHER_SUBTYPES)):
        return hint
    base = label.partition(":")[0]
    if base in ud.RELATIONS:
        return f"`{base}` is a relation, and includes all its subtypes"
    return did_you_mean(base, ud.RELATIONS) or _HINT


def feature_hint(name: str) -> str | None:
    """Return a hint that names the feature, column or key of MISC that was probably meant; None if none is similar."""
    column = name.lower() in WORD
    hint = f"the column is `{name.lower()}`" if column else OTHER_NAME_HINTS.get(name.lower())
    return hint or misc_hint(name) or did_you_mean(name, ud.FEATURES)


def value_hint(feature: str, value: str) -> str:
    known_values = ud.FEATURES[feature.partition("[")[0]]
    values = value.split(",")
    if len(values) > 1:
        return "a word with several values has each of them: " + ", ".join(
            f"`{feature} = {single_value}`" for single_value in values
        )
    suggestion = nearest(value, known_values) or next(
        (other for other in known_values if value.lower().startswith(other.lower())), None
    )
    if suggestion:
        return f"the nearest value is `{suggestion}`"
    other_feature = next((name for name, feature_values in ud.FEATURES.items() if value in feature_values), None)
    if other_feature:
        return f"`{value}` is a value of `{other_feature}`"
    return f"its values in UD are {', '.join(known_values[:12])}" + (", …" if len(known_values) > 12 else "")
