"""The page that defines the language and the code that follows it say the same words."""

from __future__ import annotations

import re
from dataclasses import fields, is_dataclass
from pathlib import Path

import pytest

from fictdsl.schema import SENTENCE, TAGS, WORD
from fictdsl.semantics.check import MAX_DEPTH, MAX_NODES
from fictdsl.source import Source
from fictdsl.syntax import nodes
from fictdsl.syntax.nodes import ACTIONS, RESERVED
from fictdsl.syntax.parse import parse

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "reference.md").read_text("utf-8")
REWRITING = (ROOT / "docs" / "rewriting.md").read_text("utf-8")
CODE = " ".join(re.findall(r"`([^`\n]+)`", PAGE.replace("\\|", "|")))


def test_the_reserved_words_are_listed_in_order() -> None:
    listed = PAGE[PAGE.index("Reserved words:") :].split(". Names of nodes")[0]
    assert tuple(re.findall(r"`(\w+)`", listed)) == RESERVED


@pytest.mark.parametrize("name", [*WORD, *SENTENCE, *ACTIONS, *TAGS])
def test_every_attribute_and_action_is_described(name: str) -> None:
    assert re.search(rf"(?<!\w){name}(?!\w)", CODE), name


def test_the_limits_are_those_of_the_compiler() -> None:
    assert f"at most {MAX_NODES} nodes" in PAGE
    assert f"at most {MAX_DEPTH} deep" in PAGE


def test_its_examples_show_every_construct() -> None:
    """Every syntax node, with the page on rewriting, but the two that only other files show (`use`, a list from one)."""
    shown: set[type] = set()
    for block in re.findall(r"```fict\n(.*?)```", PAGE + REWRITING, re.DOTALL):
        file, problems = parse(Source("reference.md", block))
        assert not problems
        shown |= set(_kinds(file))
    classes = {each for each in vars(nodes).values() if is_dataclass(each)} - {nodes.Node}
    assert {each.__name__ for each in classes - shown} == {"Use", "ListFile"}


def test_every_sign_of_the_grammar_is_explained() -> None:
    grammar = (ROOT / "grammar" / "fict.lark").read_text("utf-8").split("// --- terminals")[0]
    signs = set(re.findall(r'"([^"\w]+)"', grammar)) - {"(", ")", "[", "]", "{", "}", ","}
    told = PAGE.replace("\\|", "|")
    assert [sign for sign in sorted(signs) if sign not in told] == []


def _kinds(value: object) -> list[type]:
    if isinstance(value, tuple):
        return [kind for part in value for kind in _kinds(part)]
    if not is_dataclass(value) or isinstance(value, type):
        return []
    return [type(value), *(kind for field in fields(value) for kind in _kinds(getattr(value, field.name)))]
