"""A scripted session with `fictc lsp` over its standard input and output, as an editor has it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.editor import Editor

GOOD = """fict 1

filter passive {
  about "A passive."
  match { V:VERB[Voice = Pass] }
}
"""


@pytest.fixture
def editor(tmp_path: Path) -> Iterator[Editor]:
    (tmp_path / "fictc.toml").touch()
    editor = Editor(tmp_path)
    yield editor
    editor.process.kill()
    editor.process.wait()


def codes(diagnostics):
    return [diagnostic["code"] for diagnostic in diagnostics]


def test_diagnostics_come_and_go_as_the_text_changes(editor):
    editor.start()
    assert editor.open("passive.fict", GOOD) == []
    editor.change("passive.fict", GOOD.replace("VERB", "VREB").replace("Pass", "Psas"))
    found = editor.diagnostics("passive.fict")
    assert codes(found) == ["FICT501", "FICT504"]
    assert found[0]["range"] == {"start": {"line": 4, "character": 12}, "end": {"line": 4, "character": 16}}
    assert found[0]["severity"] == 2
    editor.change("passive.fict", GOOD)
    assert editor.diagnostics("passive.fict") == []
    assert editor.stop() == 0
