"""Estimated widths and directions of text in drawings."""

from __future__ import annotations

import pytest

from fictdsl.draw.svg import ems, right_to_left


def test_widths_in_type() -> None:
    assert ems("il") < ems("no") < ems("WM") < ems("日本語")
    assert ems("e\u0301") == ems("e")


@pytest.mark.parametrize(("text", "expected"), [("שלום abc", True), ("مرحبا", True), ("abc של", False), ("123", False)])
def test_direction(text: str, expected: bool) -> None:
    assert right_to_left(text) is expected
