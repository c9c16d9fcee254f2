"""Printing a file and parsing it gives the file back; printing is canonical."""

from __future__ import annotations

from hypothesis import given

from fictdsl.source import Source
from fictdsl.syntax.nodes import File
from fictdsl.syntax.parse import parse
from fictdsl.syntax.printer import print_file
from tests.support.strategies.filters import Project, projects


@given(projects())
def test_parse_after_print_is_the_identity(project: Project) -> None:
    for file in (project.file, *project.used.values()):
        printed = print_file(file)
        assert _parsed(printed) == file
        assert print_file(_parsed(printed)) == printed


def _parsed(text: str) -> File:
    file, problems = parse(Source.of(text))
    assert file is not None and not problems, problems
    return file
