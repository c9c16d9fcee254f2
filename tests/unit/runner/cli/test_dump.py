"""Trees of dataclasses as lines: short ones whole, long ones a part a line, spans never."""

from __future__ import annotations

from dataclasses import dataclass, field

from fictdsl.source import Span
from runner.cli.explain import dump


@dataclass
class Leaf:
    text: str
    span: Span = field(default_factory=lambda: Span(0, 1))


@dataclass
class Tree:
    name: str
    leaves: tuple[Leaf, ...]


def test_what_is_short_stands_in_a_line() -> None:
    assert dump(Tree("t", (Leaf("a"),))) == "Tree(name='t', leaves=[Leaf(text='a')])"


def test_what_is_long_is_a_part_a_line() -> None:
    leaves = tuple(Leaf(letter * 30) for letter in "abcd")
    lines = dump(Tree("t", leaves)).splitlines()
    assert lines[:3] == ["Tree", "  name: 't'", "  leaves:"]
    assert lines[3:] == [f"    - Leaf(text='{leaf.text}')" for leaf in leaves]
