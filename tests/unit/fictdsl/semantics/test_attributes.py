"""What attributes are, and how they are written."""

from __future__ import annotations

import pytest

from fictdsl.schema import Kind
from fictdsl.semantics.check_attributes import kind_of
from fictdsl.source import Span
from fictdsl.syntax.nodes import Attribute

AT = Span(0, 0)


@pytest.mark.parametrize(
    ("attribute", "place", "kind"),
    [
        (Attribute("form", None, False, span=AT), "word", Kind.STRING),
        (Attribute("form", "length", False, span=AT), "word", Kind.NUMBER),
        (Attribute("form", "size", False, span=AT), "word", None),
        (Attribute("deprel", None, False, span=AT), "word", Kind.LABEL),
        (Attribute("upos", "length", False, span=AT), "word", None),
        (Attribute("misc", None, False, span=AT), "word", None),
        (Attribute("misc", "length", False, span=AT), "word", Kind.STRING_OR_NUMBER),
        (Attribute("Form", None, False, span=AT), "word", Kind.FEATURE),
        (Attribute("Number", "psor", False, span=AT), "word", Kind.FEATURE),
        (Attribute("Number", None, False, span=AT), "sentence", None),
        (Attribute("length", None, False, span=AT), "sentence", Kind.NUMBER),
        (Attribute("length", None, False, span=AT), "word", None),
        (Attribute("meta", "a b", False, span=AT, key_quoted=True), "sentence", Kind.STRING_OR_NUMBER),
        (Attribute("id", None, False, span=AT), "sentence", None),
    ],
)
def test_kinds(attribute: Attribute, place: str, kind: Kind | None) -> None:
    assert kind_of(attribute, place) is kind  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("attribute", "text"),
    [
        (Attribute("form", None, True, span=AT), "lower(form)"),
        (Attribute("form", "length", False, span=AT), "form.length"),
        (Attribute("Number", "psor", False, span=AT), "Number[psor]"),
        (Attribute("misc", "Gloss", False, span=AT), "misc.Gloss"),
        (Attribute("misc", 'a "b', False, span=AT, key_quoted=True), 'misc."a \\"b"'),
    ],
)
def test_names_are_written_as_the_language_writes_them(attribute: Attribute, text: str) -> None:
    assert attribute.text() == text
