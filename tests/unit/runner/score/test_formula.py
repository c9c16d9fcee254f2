"""SyntaxGym's formulas: precedence, parentheses, what is missing, and mistakes."""

import re

import pytest

from runner.score.formulas import parse_formula

SURPRISALS = {(1, "a"): 2.0, (1, "b-c_d"): 3.0, (2, "a"): 0.5, (None, "a"): 2.5, (3, "a"): None}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(1;%a%) < (1;%b-c_d%)", True),
        ("(1;%a%)>(1;%b-c_d%)", False),
        ("(*;%a%) = (1;%a%) + (2;%a%)", True),
        ("5 - 4 - 3 < 0", True),
        ("5+4=9-1+1", True),
        ("5-(3+2)=0", True),
        ("(5-3)+((2+1)-(2+2))=1", True),
        ("((1;%a%) < 3) & ((2;%a%) < 3) & ((2;%a%) > 1)", False),
        ("[(1;%a%) < 1] | [(2;%a%) < 1]", True),
        ("1 < 2 & 3 < 2", False),
        ("2 = 2.0005", True),
        ("2 = 2.01", False),
        ("(3;%a%) < 1", None),
        ("(1 < 2) & ((3;%a%) < 1)", None),
    ],
)
def test_values(text, expected):
    formula = parse_formula(text)
    assert formula.evaluate(SURPRISALS) is expected
    assert set(formula.regions) <= set(SURPRISALS)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("(1;%a%) <", "too early"),
        ("", "too early"),
        ("(1;%a%) < (2;%a%))", "`)`"),
        ("((1;%a%) < 2", "not closed"),
        ("[1 < 2)", "not closed"),
        ("(1;a) < 2", "not part of a formula"),
        ("1 < > 2", "`>`"),
        ("surprisal < 2", "not part of a formula"),
        ("(" * 1_000 + "1" + ")" * 1_000, "300 tokens"),
        ("(" * 60 + "1" + ")" * 60, "50 deep"),
        (" + ".join(["1"] * 1_000), "300 tokens"),
    ],
)
def test_mistakes_are_told(text, told):
    with pytest.raises(ValueError, match=re.escape(told)):
        parse_formula(text)


def test_the_largest_formula_is_parsed_and_evaluated():
    assert parse_formula("+".join(["(" * 40 + "1" + ")" * 40] * 3)).evaluate({}) == 3
    assert parse_formula(" + ".join(["1"] * 150)).evaluate({}) == 150
