"""The compiled SQL and the reference interpreter find the same matches, and the same words for each action.

Whatever a store offers beyond the plain columns, they do.
"""

from __future__ import annotations

from hypothesis import given, note
from hypothesis import strategies as st

from fictdsl.plan.passes import verify
from fictdsl.schema import PLAIN, Layout
from tests.support.engines import (
    by_sql,
    compiled,
    database,
    reference_matches,
    taken_by_reference,
    taken_by_sql,
)
from tests.support.strategies.filters import Project, projects
from tests.support.strategies.sentences import treebanks
from tests.support.tables import COPIES

LAYOUTS = st.sets(st.sampled_from(sorted(COPIES))).map(lambda copies: Layout(copies=frozenset(copies)))


@given(projects(), treebanks(), st.sampled_from([PLAIN, Layout(copies=COPIES)]) | LAYOUTS)
def test_sql_equals_reference(project: Project, treebank: list, layout: Layout) -> None:
    note(project.text())
    filters = compiled(project)
    connection = database(treebank)
    for each in filters:
        verify(each.plan_for(layout))
        note(each.statement(layout=layout).text)
        found = reference_matches(each, treebank)
        assert by_sql(connection, each, layout) == found
        assert taken_by_sql(connection, each) == taken_by_reference(each, treebank, found)
