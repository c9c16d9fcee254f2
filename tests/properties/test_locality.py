"""A filter judges each sentence alone: order, company and shards change no verdict."""

from __future__ import annotations

import pytest
from hypothesis import given, note
from hypothesis import strategies as st

from tests.support.engines import by_sql, compiled, database
from tests.support.strategies.filters import Project, projects
from tests.support.strategies.sentences import treebanks


@pytest.mark.long
@given(projects(), treebanks(min_size=2), st.data())
def test_order_and_shards_change_nothing(project: Project, treebank: list, data: st.DataObject) -> None:
    note(project.text())
    filters = compiled(project)
    order = data.draw(st.permutations(range(len(treebank))))
    cut = data.draw(st.integers(1, len(treebank) - 1))
    shards = [order[:cut], order[cut:]]
    for each in filters:
        whole = by_sql(database(treebank), each)
        for part in (order, *shards):
            found = by_sql(database([treebank[place] for place in part]), each)
            assert found == {i: whole[place] for i, place in enumerate(part) if place in whole}
