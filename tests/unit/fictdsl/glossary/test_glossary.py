from fictdsl.glossary import features, language, tags
from fictdsl.glossary.misc import MISC
from fictdsl.glossary.penn import PENN
from fictdsl.schema import TAGS
from fictdsl.semantics import check_tests, ud
from fictdsl.semantics.check_rewrites import INFLECTED_TAGS, TEXT_ENTRIES
from fictdsl.syntax.nodes import RESERVED, REWRITE_WORDS, SUBSTRING_OPERATORS


def test_every_tag_of_ud_is_described_and_nothing_else():
    assert tuple(tags.UPOS) == ud.UPOS
    assert tuple(tags.RELATIONS) == ud.RELATIONS
    assert set(ud.ENGLISH_SUBTYPES + ud.ENHANCED) <= set(tags.SUBTYPES) <= ud.SUBTYPES | set(ud.ENHANCED)
    assert all(tags.describe_relation(label) for label in (*ud.RELATIONS, *ud.SUBTYPES, *ud.ENHANCED))
    assert tags.describe_relation("obl:nowhere") == f"subtype `nowhere` of `obl`, {tags.RELATIONS['obl']}"
    assert tags.describe_relation("nowhere:obl") is None


def test_every_feature_and_value_is_described_and_nothing_else():
    assert list(features.FEATURES) == list(ud.FEATURES) == list(features.VALUES)
    for feature, values in ud.FEATURES.items():
        if features.VALUES[feature]:
            assert tuple(features.VALUES[feature]) == values, feature
    assert [name for name, values in features.VALUES.items() if not values] == ["ExtPos", "NounClass"]


def test_every_word_of_the_language_is_described_and_nothing_else():
    assert tuple(language.KEYWORDS) == RESERVED
    assert tuple(language.REWRITE_WORDS) == REWRITE_WORDS
    assert list(language.WORD_ATTRIBUTES) == list(check_tests.WORD)
    assert list(language.SENTENCE_ATTRIBUTES) == list(check_tests.SENTENCE)
    assert tuple(language.OPERATORS) == SUBSTRING_OPERATORS
    assert tuple(language.TAGS) == TAGS


def test_the_tags_and_keys_that_the_language_knows_are_described():
    assert set(INFLECTED_TAGS) <= set(PENN)
    assert set(TEXT_ENTRIES) <= set(MISC)


def test_a_description_is_one_line_without_a_full_stop():
    every = [
        *tags.UPOS.values(), *tags.RELATIONS.values(), *tags.SUBTYPES.values(), *features.FEATURES.values(),
        *(line for values in features.VALUES.values() for line in values.values()),
        *language.KEYWORDS.values(), *language.WORD_ATTRIBUTES.values(), *language.SENTENCE_ATTRIBUTES.values(),
        *language.SIGNS.values(), *language.OPERATORS.values(), *language.REWRITE_WORDS.values(),
        *PENN.values(), *MISC.values(),
    ]  # fmt: skip
    assert [line for line in every if "\n" in line or line.endswith(".") or not line or len(line) > 120] == []
