from fictdsl.glossary import terms
from fictdsl.schema import TAGS
from fictdsl.semantics import check_tests, ud
from fictdsl.semantics.check_rewrites import INFLECTED_TAGS, TEXT_ENTRIES
from fictdsl.syntax.nodes import RESERVED, REWRITE_WORDS, SUBSTRING_OPERATORS


def test_every_tag_of_ud_is_described_and_nothing_else():
    assert tuple(terms.UPOS) == ud.UPOS
    assert tuple(terms.RELATIONS) == ud.RELATIONS
    assert set(ud.ENGLISH_SUBTYPES + ud.ENHANCED) <= set(terms.SUBTYPES) <= ud.SUBTYPES | set(ud.ENHANCED)
    assert all(terms.describe_relation(label) for label in (*ud.RELATIONS, *ud.SUBTYPES, *ud.ENHANCED))
    assert terms.describe_relation("obl:nowhere") == f"subtype `nowhere` of `obl`, {terms.RELATIONS['obl']}"
    assert terms.describe_relation("nowhere:obl") is None


def test_every_feature_and_value_is_described_and_nothing_else():
    assert list(terms.FEATURES) == list(ud.FEATURES)
    assert [name for name in terms.FEATURES if name not in terms.VALUES] == ["ExtPos", "NounClass"]
    for feature, values in terms.VALUES.items():
        assert tuple(values) == ud.FEATURES[feature], feature


def test_every_word_of_the_language_is_described_and_nothing_else():
    assert tuple(terms.KEYWORDS) == RESERVED
    assert terms.KEYWORDS["phrase"] == check_tests.WORD["phrase"].about
    assert tuple(terms.REWRITE_WORDS) == REWRITE_WORDS
    assert list(terms.WORD_ATTRIBUTES) == list(check_tests.WORD)
    assert list(terms.SENTENCE_ATTRIBUTES) == list(check_tests.SENTENCE)
    assert tuple(terms.OPERATORS) == SUBSTRING_OPERATORS
    assert tuple(terms.REPLACEMENTS) == TAGS


def test_the_tags_and_keys_that_the_language_knows_are_described():
    assert set(INFLECTED_TAGS) <= set(terms.PENN)
    assert set(TEXT_ENTRIES) <= set(terms.MISC)


def test_a_description_is_one_line_without_a_full_stop():
    every = [
        *terms.UPOS.values(), *terms.RELATIONS.values(), *terms.SUBTYPES.values(), *terms.FEATURES.values(),
        *(line for values in terms.VALUES.values() for line in values.values()),
        *terms.KEYWORDS.values(), *terms.WORD_ATTRIBUTES.values(), *terms.SENTENCE_ATTRIBUTES.values(),
        *terms.SIGNS.values(), *terms.OPERATORS.values(), *terms.REWRITE_WORDS.values(),
        *terms.PENN.values(), *terms.MISC.values(),
    ]  # fmt: skip
    assert [line for line in every if "\n" in line or line.endswith(".") or not line or len(line) > 120] == []
