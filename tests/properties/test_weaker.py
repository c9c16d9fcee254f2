"""A filter without one of its conditions still finds what the filter finds.

Where words are missing from a filter, its other nodes may be those words, so that blocks which count words or deny them
can hold of less, and so can `->>{0..}`; filters with these are left aside.
"""

from __future__ import annotations

import re

from hypothesis import assume, given, note

from fictdsl.compiler import recompile
from fictdsl.reference.evaluate import Evaluator
from fictdsl.syntax.weaken import weaker_filters
from tests.support.engines import compiled
from tests.support.strategies.filters import Project, projects
from tests.support.strategies.sentences import treebanks

_MAY_HOLD_OF_LESS = re.compile(r"without|at least|at most|exactly|\{0")


@given(projects(several_files=False), treebanks())
def test_a_weaker_filter_finds_no_less(project: Project, treebank: list) -> None:
    assume(not _MAY_HOLD_OF_LESS.search(project.text()))
    note(project.text())
    for each in compiled(project):
        full = Evaluator(each.module, each.definition, each.value)
        found = [sentence for sentence in treebank if full.holds(sentence)]
        for less in weaker_filters(each.module.source, each.definition):
            note(f"without {less.removed}")
            for left in recompile(each, less.definition).filters:
                weak = Evaluator(left.module, left.definition, left.value)
                assert all(weak.holds(sentence) for sentence in found)
