"""Fixtures of the property tests."""

from __future__ import annotations

from collections.abc import Iterator
from unittest.mock import patch

import pytest

from fictdsl.reference import sentences
from fictdsl.schema import WORD, AttributeEntry, Kind


@pytest.fixture(scope="module")
def capitals() -> Iterator[None]:
    """Add the number `form.capitals`, which is 0 for most words; the language has no number of a word that may be 0."""
    entry = AttributeEntry(Kind.NUMBER, "number of capitals", "form_capitals", required=True, unit="capital", least=0)
    values: dict[str, sentences.Number] = {"form.capitals": lambda _, word: sum(map(str.isupper, word.form))}
    with patch.dict(WORD, {"form.capitals": entry}), patch.dict(sentences._NUMBERS, values):
        yield
