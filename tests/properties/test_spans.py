"""Every node of a parsed file has a span, not empty, inside its parent's and inside the text."""

from __future__ import annotations

from dataclasses import fields, is_dataclass

from hypothesis import given

from fictdsl.source import Source, Span
from fictdsl.syntax.parse import parse
from tests.support.strategies.filters import Project, projects


@given(projects())
def test_spans_lie_inside_their_parents(project: Project) -> None:
    source = Source.of(project.text())
    file, _ = parse(source)
    assert file is not None
    _check(file, Span(0, len(source.text)), source.text)


def _check(node: object, around: Span, text: str) -> None:
    span = getattr(node, "span", None)
    if span is not None:
        assert around.start <= span.start < span.end <= around.end, f"{node} leaves {text[around.start : around.end]!r}"
        assert text[span.start] not in " \n" and text[span.end - 1] not in " \n", "a span begins and ends with text"
        around = span
    for child in _children(node):
        _check(child, around, text)


def _children(node: object) -> list[object]:
    if not is_dataclass(node):
        return []
    values = [getattr(node, field.name) for field in fields(node) if field.name not in {"span", "regex"}]
    return [v for value in values for v in (value if isinstance(value, tuple) else (value,)) if is_dataclass(v)]
