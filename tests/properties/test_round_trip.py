"""Printing a file and parsing it gives the file back; printing is canonical."""

from __future__ import annotations

from hypothesis import given

from fictdsl.syntax.printer import print_file
from tests.support.reading import parsed
from tests.support.strategies.filters import Project, projects


@given(projects())
def test_parse_after_print_is_the_identity(project: Project) -> None:
    for file in (project.file, *project.used.values()):
        printed = print_file(file)
        assert parsed(printed) == file
        assert print_file(parsed(printed)) == printed
