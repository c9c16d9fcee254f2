"""The grammar file and the tables that speak about it agree."""

from __future__ import annotations

import re
import subprocess
import sys

from fictdsl.installation import shipped
from fictdsl.syntax.grammar import GRAMMAR, parser
from fictdsl.syntax.nodes import RESERVED

SPECIFIED = """fict use list pattern filter for file about source note targets match without either or at least most
exactly sentence between remove keep mask count with node subtree span and not in has lower phrase
maybe may crossing"""


def test_the_reserved_words_are_those_of_the_language() -> None:
    assert tuple(SPECIFIED.split()) == RESERVED


def test_no_name_of_a_node_list_or_pattern_is_a_reserved_word() -> None:
    text = shipped(GRAMMAR).read_text(encoding="utf-8")
    excluded = re.findall(r"\(\?!\(\?:((?:\w+\|)+\w+)\)", text)
    assert [tuple(words.split("|")) for words in excluded] == [RESERVED]


def test_every_reserved_word_has_a_terminal_of_its_own() -> None:
    terminals = {t.name: t.pattern.value for t in parser().terminals}
    assert {word for word in RESERVED if terminals[word.upper()] == rf"{word}(?!\w)"} == set(RESERVED)


def test_where_a_value_may_stand_no_name_or_keyword_may() -> None:
    """Else the contextual lexer would have to guess, and `lemma = not` would not be a value."""
    values = {"WORD", "CHOICE", "VERSION"}
    words = {"NAME", "FILTER_NAME", "ANY", *(word.upper() for word in RESERVED)}
    for actions in parser().parser.parser._parse_table.states.values():
        taken = {str(getattr(symbol, "name", symbol)) for symbol in actions}
        assert not (taken & values and taken & words)


def test_lark_is_imported_only_to_parse() -> None:
    code = """
import sys
import fictdsl.syntax.load, fictdsl.syntax.parse, fictdsl.syntax.printer, fictdsl.diagnostics.text
assert "lark" not in sys.modules
from fictdsl.source import Source
fictdsl.syntax.parse.parse(Source.of("fict 1"))
assert "lark" in sys.modules
"""
    subprocess.run([sys.executable, "-c", code], check=True)
