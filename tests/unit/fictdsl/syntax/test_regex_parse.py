"""The regex subset: what it reads, and what it says about the rest."""

from __future__ import annotations

import pytest

from fictdsl.source import Span
from fictdsl.syntax.regex import (
    Alternation,
    AnyChar,
    Category,
    Char,
    CharClass,
    CharRange,
    RegexProblem,
    Repeat,
    Sequence,
    parse_regex,
)

A, B = Char("a"), Char("b")


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("", Sequence(())),
        ("a", A),
        ("ab", Sequence((A, B))),
        ("a|b", Alternation((A, B))),
        ("a|", Alternation((A, Sequence(())))),
        ("(a|b)a", Sequence((Alternation((A, B)), A))),
        ("a.b", Sequence((A, AnyChar(), B))),
        ("a*", Repeat(A, 0, None)),
        ("a+", Repeat(A, 1, None)),
        ("a?", Repeat(A, 0, 1)),
        ("a{2}", Repeat(A, 2, 2)),
        ("a{2,}", Repeat(A, 2, None)),
        ("a{0,100}", Repeat(A, 0, 100)),
        ("ab*", Sequence((A, Repeat(B, 0, None)))),
        ("(ab)*", Repeat(Sequence((A, B)), 0, None)),
        (r"\d", Category("d")),
        (r"\p{Lu}\p{L}", Sequence((Category("Lu"), Category("L")))),
        (r"\/\.\\\-\#\"", Sequence(tuple(Char(c) for c in '/.\\-#"'))),
        ("[a-z]", CharClass((CharRange("a", "z"),), False)),
        ("[^a-zä]", CharClass((CharRange("a", "z"), Char("ä")), True)),
        ("[a-]", CharClass((A, Char("-")), False)),
        ("[-a]", CharClass((Char("-"), A), False)),
        (r"[\]\[\\\d]", CharClass((Char("]"), Char("["), Char("\\"), Category("d")), False)),
        ("[.*+?(){}|$^]", CharClass(tuple(Char(c) for c in ".*+?(){}|$^"), False)),
        ("[&]", CharClass((Char("&"),), False)),
        ("(a{10}b{100}){10}", Repeat(Sequence((Repeat(A, 10, 10), Repeat(B, 100, 100))), 10, 10)),
        ("é😀", Sequence((Char("é"), Char("😀")))),
    ],
)
def test_reads(text: str, tree: object) -> None:
    assert parse_regex(text, 0) == tree


@pytest.mark.parametrize(
    ("text", "code", "problem", "hint", "at"),
    [
        ("^a", "FICT130", "anchor `^`", "needs no anchor", (0, 1)),
        ("a$", "FICT130", "anchor `$`", r"`\$`", (1, 2)),
        (r"a\b", "FICT130", r"`\b`", "whole value", (1, 3)),
        (r"\w", "FICT130", r"`\w`", "[A-Za-z0-9_]", (0, 2)),
        (r"\s", "FICT130", r"`\s`", "space", (0, 2)),
        (r"\D", "FICT130", r"`\D`", "[^0-9]", (0, 2)),
        (r"(a)\1", "FICT130", "back-reference", "alternatives", (3, 5)),
        (r"\²", "FICT130", r"`\²`", "only punctuation", (0, 2)),
        (r"\e", "FICT130", r"`\e`", "the character itself", (0, 2)),
        ("\\", "FICT130", "`\\`", "", (0, 1)),
        ("(?:a)", "FICT130", "`(?:`", "`(…)`", (0, 3)),
        ("(?=a)", "FICT130", "`(?=`", "second test", (0, 3)),
        ("(?<!a)", "FICT130", "`(?<!`", "second test", (0, 4)),
        ("(?i)a", "FICT130", "`(?`", "`/re/i`", (0, 2)),
        ("(?P<x>a)", "FICT130", "`(?P<`", "no names", (0, 4)),
        ("[[:alpha:]]", "FICT130", "inside a class", r"`\[`", (1, 2)),
        ("[a&&b]", "FICT130", "`&&`", "two tests", (2, 4)),
        (r"[\w-]", "FICT130", r"`\w`", "`A-Za-z0-9_`", (1, 3)),
        (r"[a\D]", "FICT130", r"`\D`", "`(a|[^0-9])`", (2, 4)),
        (r"\p{Lo}", "FICT130", r"`\p{Lo}`", r"`\p{Ll}`", (0, 6)),
        (r"\pL", "FICT130", r"`\pL`", r"`\p{L}`", (0, 3)),
        ("(a", "FICT131", "`(` without", r"`\(`", (0, 1)),
        ("a)", "FICT131", "`)` without", r"`\)`", (1, 2)),
        ("a]", "FICT131", "unbalanced", r"`\]`", (1, 2)),
        ("[a", "FICT131", "`[` without", r"`\[`", (0, 1)),
        ("[a-", "FICT131", "`[` without", r"`\[`", (0, 1)),
        ("[]", "FICT131", "empty", r"`\]`", (0, 2)),
        ("[z-a]", "FICT131", "`z-a` is not a range", r"`\-`", (1, 4)),
        (r"[a-\d]", "FICT131", "range", r"`\-`", (1, 5)),
        ("[a-c-e]", "FICT131", "range", r"`\-`", (4, 5)),
        ("*a", "FICT131", "nothing before it", r"`\*`", (0, 1)),
        ("a|*", "FICT131", "nothing before it", r"`\*`", (2, 3)),
        ("a+?", "FICT131", "right after", "lazy", (2, 3)),
        ("a**", "FICT131", "right after", "(a*)*", (2, 3)),
        ("a{x}", "FICT131", "repeat count", r"`\{`", (1, 2)),
        ("a{,3}", "FICT131", "repeat count", "`{0,3}`", (1, 5)),
        ("a{3,2}", "FICT131", "wrong order", "`{2,3}`", (1, 6)),
        ("a{101}", "FICT132", "more than 100", "", (1, 6)),
        ("a{1,99999999999999999999}", "FICT132", "more than 100", "", (1, 25)),
        ("b|((a{11}){10}){10}", "FICT132", "more than 1,000", "", (2, 19)),
        ("(" * 65 + ")" * 65, "FICT132", "more than 64 groups", "", (64, 65)),
        ("(" * 10_000, "FICT132", "more than 64 groups", "", (64, 65)),
    ],
)
def test_says_what_to_write_instead(text: str, code: str, problem: str, hint: str, at: tuple[int, int]) -> None:
    found = parse_regex(text, 7)
    assert isinstance(found, RegexProblem)
    assert found.code == code
    assert problem in found.problem
    assert hint in (found.hint or "")
    assert found.span == Span(at[0] + 7, at[1] + 7)
