"""Any text survives the way from a corpus and a filter into SQL: it equals itself, and nothing else."""

from __future__ import annotations

import unicodedata

from hypothesis import example, given
from hypothesis import strategies as st

from fictdsl.compiler import compile_text
from fictdsl.reference.sentences import Sentence, Word
from fictdsl.syntax.nodes import (
    Attribute,
    Block,
    Chain,
    Compare,
    File,
    FilterDef,
    ListLiteral,
    Member,
    Name,
    NodeTerm,
    Test,
    Value,
)
from fictdsl.syntax.printer import print_file
from tests.support.engines import by_sql, database, reference_matches
from tests.support.strategies.word_tests import NOWHERE

# What may stand in a column of CoNLL-U and in a string of a filter: no line breaks, tabs, controls or surrogates.
TEXTS = st.text(st.characters(blacklist_categories=("Cs", "Cc", "Zl", "Zp")), min_size=1, max_size=12).map(
    lambda text: unicodedata.normalize("NFC", text)
)
NASTY = (
    "'", "''", '"', "\\", "'; DROP TABLE tokens; --", "x') OR 1=1 OR ('a'='a", "--", "/*", "*/", "$$", "$1", "%", "_",
    "n't", "'s", "?", "{}", ":x", "@x", "\\'", '\\"', "E'", "a\ufeffa", "\u202ea", "e\u0301", "😀", "\u00a0", "a/b",
)  # fmt: skip


def _sentence(text: str) -> Sentence:
    word = Word(1, text, lemma=text, upos="X", xpos=text, deprel="root", misc={text: (text,)})
    return Sentence((word,), {text: (text,)}, text, text, text)


def _filter(test: Test) -> str:
    node = NodeTerm(Name("X", span=NOWHERE), (), test, span=NOWHERE)
    block = Block((Chain(node, (), span=NOWHERE),), span=NOWHERE)
    definition = FilterDef(Name("quoted", span=NOWHERE), None, (), block, (), span=NOWHERE)
    return print_file(File("1", (definition,), span=NOWHERE))


def _check(text: str, other: str) -> None:
    value = Value(text, True, span=NOWHERE)
    misc = Attribute("misc", text, False, span=NOWHERE, key_quoted=True)
    tests: list[Test] = [
        *(
            Compare(Attribute(c, None, False, span=NOWHERE), "=", (value,), span=NOWHERE)
            for c in ("form", "lemma", "xpos")
        ),
        Member(Attribute("form", None, False, span=NOWHERE), False, ListLiteral((value,), span=NOWHERE), span=NOWHERE),
        Compare(Attribute("phrase", None, False, span=NOWHERE), "=", (value,), span=NOWHERE),
        Compare(misc, "=", (value,), span=NOWHERE),
    ]
    treebank = [_sentence(text), _sentence(other)]
    connection = database(treebank)
    for test in tests:
        (compiled,) = compile_text(_filter(test)).filters
        expected = {0, 1} if text == other else {0}
        assert set(reference_matches(compiled, treebank)) == expected
        assert set(by_sql(connection, compiled)) == expected


@given(TEXTS, TEXTS)
@example("a", "A")
@example("\\", "\\\\")
def test_any_text_equals_itself_and_nothing_else(text: str, other: str) -> None:
    _check(text, other)


def test_texts_that_have_hurt_other_tools() -> None:
    for text in NASTY:
        _check(unicodedata.normalize("NFC", text), "other")
