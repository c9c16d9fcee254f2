"""Markup that is escaped, rounded and whole."""

from xml.etree import ElementTree

from runner.report.markup import box, drawing, line, standalone, svg_text, tag, tooltip


def test_everything_is_escaped() -> None:
    text = tag("g", tooltip('a < b & "c"'), svg_text("<script>\x00\x1b", 1, 2, class_='x"y'))
    assert "<script>" not in text
    assert "\x00" not in text
    assert "\x1b" not in text
    parsed = ElementTree.fromstring(text)
    assert parsed[0].text == 'a < b & "c"'
    assert parsed[1].text == "<script>"
    assert parsed[1].get("class") == 'x"y'


def test_numbers_are_short() -> None:
    assert line(1, 2.04, 3.06, 4, "a") == '<line x1="1" y1="2" x2="3.1" y2="4" class="a"/>'
    assert 'rx="2"' in box(0, 0, 1, 1, "b")


def test_standalone_is_xml_with_its_style() -> None:
    text = standalone(drawing([box(0, 0, 5, 5, "z")], 10, 10, "what & why"))
    root = ElementTree.fromstring(text.encode())
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert root.get("aria-label") == "what & why"
    assert "--surface" in root[0].text
