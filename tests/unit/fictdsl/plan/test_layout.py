"""Columns that differ have names that SQL engines, which ignore case, take for different ones."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fictdsl.schema import FEATURE_PREFIX, identifier

NAMES = st.text(st.sampled_from("aAbBé~{}9[]É") | st.characters(codec="utf-8"), min_size=1)


@pytest.mark.parametrize(
    ("column", "name"),
    [
        ("form_l", "form_l"),
        ("feat_Number[psor]", "feat_Number[psor]"),
        ("feat_PronType", "feat_Pron~Type"),
        ("feat_VOICE", "feat_V~O~I~C~E"),
        ("feat_voice", "feat_~voice"),
        ("feat_Number[é]", "feat_Number[~{e9}]"),
        ("feat_A~B", "feat_A~~~B"),
    ],
)
def test_names(column: str, name: str) -> None:
    assert identifier(column) == name


@given(NAMES, NAMES)
def test_features_that_differ_have_names_that_differ_without_case(one: str, other: str) -> None:
    names = [identifier(FEATURE_PREFIX + feature) for feature in (one, other, one.swapcase())]
    assert all(name.isascii() for name in names)
    assert (names[0].lower() == names[1].lower()) == (one == other)
    assert (names[0].lower() == names[2].lower()) == (one == one.swapcase())
