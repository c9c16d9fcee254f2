"""Match regular expressions against whole strings, in time linear in the length of the string.

The automaton is built by Thompson's construction and simulated without backtracking: the set of reachable states is
updated for each character.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from typing import assert_never

from fictdsl.syntax import regex as tree

Accepts = Callable[[str], bool]  # a test of one character


class Automaton:
    def __init__(self, regex: tree.Regex, *, ignore_case: bool = False) -> None:
        self._ignore_case = ignore_case
        self._epsilon: list[list[int]] = []  # by state: targets of epsilon transitions
        self._moves: list[list[tuple[Accepts, int]]] = []  # by state: transitions that read a character
        start, self._final = self._build(regex)
        self._start = self._closure({start})

    def matches(self, text: str) -> bool:
        states = self._start
        for char in text:
            states = self._closure(
                {target for state in states for accepts, target in self._moves[state] if accepts(char)}
            )
            if not states:
                return False
        return self._final in states

    def _add_state(self) -> int:
        self._epsilon.append([])
        self._moves.append([])
        return len(self._epsilon) - 1

    def _closure(self, states: set[int]) -> frozenset[int]:
        reached, waiting = set(states), list(states)
        while waiting:
            for target in self._epsilon[waiting.pop()]:
                if target not in reached:
                    reached.add(target)
                    waiting.append(target)
        return frozenset(reached)

    def _build(self, regex: tree.Regex) -> tuple[int, int]:
        """Add the states of a part of the expression. Return its first and last state."""
        match regex:
            case tree.Char() | tree.AnyChar() | tree.Category() | tree.CharClass():
                start, end = self._add_state(), self._add_state()
                self._moves[start].append((character_test(regex, ignore_case=self._ignore_case), end))
                return start, end
            case tree.Sequence(parts):
                start = end = self._add_state()
                for part in parts:
                    first, last = self._build(part)
                    self._epsilon[end].append(first)
                    end = last
                return start, end
            case tree.Alternation(branches):
                start, end = self._add_state(), self._add_state()
                for branch in branches:
                    first, last = self._build(branch)
                    self._epsilon[start].append(first)
                    self._epsilon[last].append(end)
                return start, end
            case tree.Repeat(item, low, high):
                return self._repeat(item, low, high)
        assert_never(regex)

    def _repeat(self, item: tree.Regex, low: int, high: int | None) -> tuple[int, int]:
        """Add `low` copies in a row, then `high - low` optional copies, or a loop if `high` is None."""
        start = end = self._add_state()
        for _ in range(low):
            first, last = self._build(item)
            self._epsilon[end].append(first)
            end = last
        exit_ = self._add_state()
        if high is None:
            loop = self._add_state()
            first, last = self._build(item)
            self._epsilon[end].append(loop)
            self._epsilon[loop] += [first, exit_]
            self._epsilon[last].append(loop)
            return start, exit_
        for _ in range(high - low):
            self._epsilon[end].append(exit_)
            first, last = self._build(item)
            self._epsilon[end].append(first)
            end = last
        self._epsilon[end].append(exit_)
        return start, exit_


def character_test(part: tree.Char | tree.AnyChar | tree.Category | tree.CharClass, *, ignore_case: bool) -> Accepts:
    """Return a test of one character. `ignore_case` applies to ASCII letters only."""
    match part:
        case tree.AnyChar():
            return lambda char: char != "\n"
        case tree.CharClass(members, negated):
            tests = [_member_test(member) for member in members]
            return lambda char: any(test(case) for case in _cases(char, ignore_case) for test in tests) != negated
        case tree.Char() | tree.Category():
            test = _member_test(part)
            return lambda char: any(test(case) for case in _cases(char, ignore_case))
    assert_never(part)


def _cases(char: str, ignore_case: bool) -> tuple[str, ...]:
    return (char.lower(), char.upper()) if ignore_case and char.isascii() else (char,)


def _member_test(member: tree.Char | tree.CharRange | tree.Category) -> Accepts:
    match member:
        case tree.Char(literal):
            return lambda char: char == literal
        case tree.CharRange(low, high):
            return lambda char: low <= char <= high
        case tree.Category("d"):
            return lambda char: char in "0123456789"
        case tree.Category(name):
            return lambda char: unicodedata.category(char).startswith(name)
    assert_never(member)
