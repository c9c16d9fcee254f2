"""The paradigms and phenomena of known benchmark suites, to check `targets`. Their publications are cited."""

from __future__ import annotations

from collections.abc import Iterable

from fictdsl.diagnostics.suggest import nearest

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

# Benchmarks whose names resemble those of PARADIGMS but are no misspellings of them. Their paradigms are not checked:
# Xiang et al. 2021 (Chinese), Someya and Oseki 2023 (Japanese), Taktasheva et al. 2024 (Russian), Nguyen et al. 2020
# (spoken English).
_SIMILAR_NAMES = frozenset({"climp", "jblimp", "rublimp", "sblimp"})


def target_names(suite: str) -> frozenset[str]:
    """Return the paradigms and phenomena of a known suite; nothing for another suite."""
    return PARADIGMS.get(suite, frozenset()) | PHENOMENA.get(suite, frozenset())


def misspelled_suite(name: str, suites: Iterable[str] = ()) -> str | None:
    """Return the suite that an unknown name probably misspells, among `suites` and the known suites."""
    return None if name in _SIMILAR_NAMES else nearest(name, (*suites, *PARADIGMS))
