"""The compiled SQL and the reference interpreter find the same matches, and the same words for each action."""

from __future__ import annotations

from hypothesis import given, note

from tests.support.engines import (
    by_reference,
    by_sql,
    compiled,
    database,
    taken_by_reference,
    taken_by_sql,
)
from tests.support.strategies.filters import Project, projects
from tests.support.strategies.sentences import treebanks


@given(projects(), treebanks())
def test_sql_equals_reference(project: Project, treebank: list) -> None:
    note(project.text())
    filters = compiled(project)
    connection = database(treebank)
    for each in filters:
        note(each.statement().text)
        found = by_reference(each, treebank)
        assert by_sql(connection, each) == found
        assert taken_by_sql(connection, each) == taken_by_reference(each, treebank, found)
