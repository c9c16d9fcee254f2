"""What attributes are, and how they are written."""

from __future__ import annotations

import pytest

from fictdsl.schema import Kind
from fictdsl.semantics.check_tests import full_name, kind_of
from fictdsl.source import Span
from fictdsl.syntax.nodes import Attribute

AT = Span(0, 0)


@pytest.mark.parametrize(
    ("attribute", "place", "kind"),
    [
        (Attribute("form", None, False, AT), "word", Kind.STRING),
        (Attribute("form", "length", False, AT), "word", Kind.NUMBER),
        (Attribute("form", "size", False, AT), "word", None),
        (Attribute("deprel", None, False, AT), "word", Kind.LABEL),
        (Attribute("upos", "length", False, AT), "word", None),
        (Attribute("misc", None, False, AT), "word", None),
        (Attribute("misc", "length", False, AT), "word", Kind.STRING_OR_NUMBER),
        (Attribute("Form", None, False, AT), "word", Kind.FEATURE),
        (Attribute("Number", "psor", False, AT), "word", Kind.FEATURE),
        (Attribute("Number", None, False, AT), "sentence", None),
        (Attribute("length", None, False, AT), "sentence", Kind.NUMBER),
        (Attribute("length", None, False, AT), "word", None),
        (Attribute("meta", "a b", False, AT, True), "sentence", Kind.STRING_OR_NUMBER),
        (Attribute("id", None, False, AT), "sentence", None),
    ],
)
def test_kinds(attribute: Attribute, place: str, kind: Kind | None) -> None:
    assert kind_of(attribute, place) is kind  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("attribute", "text"),
    [
        (Attribute("form", None, True, AT), "lower(form)"),
        (Attribute("form", "length", False, AT), "form.length"),
        (Attribute("Number", "psor", False, AT), "Number[psor]"),
        (Attribute("misc", "Gloss", False, AT), "misc.Gloss"),
        (Attribute("misc", 'a "b', False, AT, True), 'misc."a \\"b"'),
    ],
)
def test_names_are_written_as_the_language_writes_them(attribute: Attribute, text: str) -> None:
    assert full_name(attribute) == text
