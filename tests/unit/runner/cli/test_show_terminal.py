"""`fictc show` on a real terminal: colours unless NO_COLOR, lines that fit, nothing that the terminal would obey."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from rich.cells import cell_len

from tests.support import corpora
from tests.support.reading import tree
from tests.support.terminal import printed

OTHERS = [f"word{number} NOUN 2 obl" for number in range(3, 40)]
LONG = tree(
    "\n".join(["dogs NOUN 2 nsubj", "bark VERB 0 root", *OTHERS, "\x1b]0;title\x07日本語\u202e VERB 2 conj"]),
    "sent_id = a-name-that-is-longer-than-a-narrow-terminal-has-columns",
)


@pytest.fixture
def long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return corpora.store(tmp_path, corpora.conllu([LONG])).path


@pytest.mark.parametrize("kind", ["kwic", "tree"])
@pytest.mark.parametrize("columns", [40, 200])
def test_lines_fit(filters: Path, long: Path, columns: int, kind: str) -> None:
    colourful = printed(columns, "show", f"{filters}::subject", "-c", long, "--format", kind)
    plain = printed(columns, "show", f"{filters}::subject", "-c", long, "--format", kind, NO_COLOR="1")
    assert "\x1b[36m\x1b[1mdogs/S\x1b[0m" in colourful
    assert "dogs/S" in plain
    assert "\x1b" not in plain
    assert re.sub(r"\x1b\[[0-9;]*m", "", colourful) == plain
    assert max(map(cell_len, plain.splitlines())) <= columns
    assert "\u202e" not in plain
    assert "\x07" not in plain


def test_machine_formats_are_tamed(filters: Path, long: Path) -> None:
    raw = printed(80, "show", f"{filters}::subject", "-c", long, "--format", "conllu")
    assert "\x1b" not in raw
    assert "\t日本語\t" not in raw
    assert "]0;title日本語\t" in raw
