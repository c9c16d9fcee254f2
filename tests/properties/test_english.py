"""Every filter can be described, and its description speaks of every word that the filter names."""

from __future__ import annotations

import re
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given

from fictdsl.compiler import compile_file
from fictdsl.english.describe import describe
from fictdsl.syntax.walk import all_names
from tests.support.strategies.filters import Project, projects


@given(projects())
def test_a_description_names_every_node(project: Project) -> None:
    with TemporaryDirectory() as folder:
        filters = compile_file(project.write(Path(folder))).filters
    for compiled in filters:
        said = describe(compiled)
        words = set(re.findall(r"[A-Za-z0-9_.]+", "\n".join(said)))
        named = {name.text for clause in compiled.definition.match.clauses for name in all_names(clause)}
        assert named <= {word.rstrip(".") for word in words}
        assert all(re.match(r" *(· |either|or\b)", line) for line in said[1:])
        assert len(said) > 1
