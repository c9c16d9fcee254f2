from fictdsl import glossary
from fictdsl.schema import TAGS
from fictdsl.semantics import check_attributes, ud
from fictdsl.semantics.check import INFLECTED_TAGS, TEXT_ENTRIES
from fictdsl.syntax.nodes import RESERVED, REWRITE_WORDS, SUBSTRING_OPERATORS


def test_every_tag_of_ud_is_described_and_nothing_else():
    assert tuple(glossary.UPOS) == ud.UPOS
    assert tuple(glossary.RELATIONS) == ud.RELATIONS
    assert set(ud.ENGLISH_SUBTYPES + ud.ENHANCED) <= set(glossary.SUBTYPES) <= ud.SUBTYPES | set(ud.ENHANCED)
    assert all(glossary.describe_relation(label) for label in (*ud.RELATIONS, *ud.SUBTYPES, *ud.ENHANCED))
    assert glossary.describe_relation("obl:nowhere") == f"subtype `nowhere` of `obl`, {glossary.RELATIONS['obl']}"
    assert glossary.describe_relation("nowhere:obl") is None


def test_every_feature_and_value_is_described_and_nothing_else():
    assert list(glossary.FEATURES) == list(ud.FEATURES)
    assert [name for name in glossary.FEATURES if name not in glossary.VALUES] == ["ExtPos", "NounClass"]
    for feature, values in glossary.VALUES.items():
        assert tuple(values) == ud.FEATURES[feature], feature


def test_every_word_of_the_language_is_described_and_nothing_else():
    assert tuple(glossary.KEYWORDS) == RESERVED
    assert glossary.KEYWORDS["phrase"] == glossary.WORD_ATTRIBUTES["phrase"]
    assert tuple(glossary.REWRITE_WORDS) == REWRITE_WORDS
    assert list(glossary.WORD_ATTRIBUTES) == list(check_attributes.WORD)
    assert list(glossary.SENTENCE_ATTRIBUTES) == list(check_attributes.SENTENCE)
    assert tuple(glossary.OPERATORS) == SUBSTRING_OPERATORS
    assert tuple(glossary.REPLACEMENTS) == TAGS


def test_the_tags_and_keys_that_the_language_knows_are_described():
    assert set(INFLECTED_TAGS) <= set(glossary.PENN)
    assert set(TEXT_ENTRIES) <= set(glossary.MISC)


def test_a_description_is_one_line_without_a_full_stop():
    every = [
        *glossary.UPOS.values(), *glossary.RELATIONS.values(), *glossary.SUBTYPES.values(), *glossary.FEATURES.values(),
        *(line for values in glossary.VALUES.values() for line in values.values()),
        *glossary.KEYWORDS.values(), *glossary.WORD_ATTRIBUTES.values(), *glossary.SENTENCE_ATTRIBUTES.values(),
        *glossary.SIGNS.values(), *glossary.OPERATORS.values(), *glossary.REWRITE_WORDS.values(),
        *glossary.PENN.values(), *glossary.MISC.values(),
    ]  # fmt: skip
    assert [line for line in every if "\n" in line or line.endswith(".") or not line or len(line) > 120] == []
