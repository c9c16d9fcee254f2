"""Reduce a project that shows a fault to a locally smallest one that still does."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass, replace

from fictdsl.syntax.nodes import And, Bounds, Chain, Labels, Not, Or
from tests.support.strategies.filters import Project


def reduced(project: Project, shows_it: Callable[[Project], bool]) -> Project:
    """Remove parts one at a time while `shows_it`, which must return False for an invalid project."""
    while True:
        for smaller in _smaller_projects(project):
            if shows_it(smaller):
                project = smaller
                break
        else:
            return project


def _smaller_projects(project: Project) -> Iterator[Project]:
    for file in _smaller(project.file):
        yield replace(project, file=file)
    for path, used in project.used.items():
        for file in _smaller(used):
            yield replace(project, used={**project.used, path: file})
    for path, entries in project.lists.items():
        for index in range(len(entries)):
            yield replace(project, lists={**project.lists, path: entries[:index] + entries[index + 1 :]})


def _smaller(node: object) -> Iterator[object]:
    """Yield the trees that differ from `node` in one part: removed, replaced by one of its parts, or reduced."""
    if isinstance(node, And | Or):
        yield from node.tests
    if isinstance(node, Not):
        yield node.test
    if isinstance(node, Chain) and node.links:
        yield replace(node, first=node.links[0].target, links=node.links[1:])
    for field in fields(node):  # type: ignore[arg-type]
        if field.name in {"span", "regex", "name"}:
            continue
        for value in _smaller_value(getattr(node, field.name)):
            yield replace(node, **{field.name: value})  # type: ignore[type-var]


def _smaller_value(value: object) -> Iterator[object]:
    if isinstance(value, tuple):
        for index, part in enumerate(value):
            yield value[:index] + value[index + 1 :]
            if is_dataclass(part):
                yield from ((*value[:index], smaller, *value[index + 1 :]) for smaller in _smaller(part))
    elif is_dataclass(value):
        if isinstance(value, Labels | Bounds | And | Or | Not) or hasattr(value, "attribute"):
            yield None
        yield from _smaller(value)
