"""`fictc show` on a real terminal: colours unless NO_COLOR, lines that fit, nothing that the terminal would obey."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from pathlib import Path

import pytest
from rich.cells import cell_len

from tests.support import corpora
from tests.support.reading import tree

OTHERS = [f"word{number} NOUN 2 obl" for number in range(3, 40)]
LONG = tree(
    "\n".join(["dogs NOUN 2 nsubj", "bark VERB 0 root", *OTHERS, "\x1b]0;title\x07日本語\u202e VERB 2 conj"]),
    "sent_id = a-name-that-is-longer-than-a-narrow-terminal-has-columns",
)


def shown(columns: int, *arguments: object, **environment: str) -> str:
    leader, follower = pty.openpty()
    fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    kept = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "COLUMNS")}
    command = [sys.executable, "-m", "runner.cli", "show", *map(str, arguments)]
    with subprocess.Popen(command, stdout=follower, stderr=subprocess.DEVNULL, env=kept | environment) as process:
        os.close(follower)
        out = b""
        while True:
            try:
                got = os.read(leader, 1 << 16)
            except OSError:  # Linux says so when the other end is closed
                break
            if not got:
                break
            out += got
    os.close(leader)
    assert process.returncode == 0
    return out.decode().replace("\r\n", "\n")


@pytest.fixture
def long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return corpora.store(tmp_path, corpora.conllu([LONG])).path


@pytest.mark.parametrize("kind", ["kwic", "tree"])
@pytest.mark.parametrize("columns", [40, 200])
def test_lines_fit(filters: Path, long: Path, columns: int, kind: str) -> None:
    colourful = shown(columns, f"{filters}::subject", "-c", long, "--format", kind)
    plain = shown(columns, f"{filters}::subject", "-c", long, "--format", kind, NO_COLOR="1")
    assert "\x1b[36m\x1b[1mdogs/S\x1b[0m" in colourful
    assert "dogs/S" in plain
    assert "\x1b" not in plain
    assert re.sub(r"\x1b\[[0-9;]*m", "", colourful) == plain
    assert max(map(cell_len, plain.splitlines())) <= columns
    assert "\u202e" not in plain
    assert "\x07" not in plain


def test_machine_formats_are_tamed(filters: Path, long: Path) -> None:
    raw = shown(80, f"{filters}::subject", "-c", long, "--format", "conllu")
    assert "\x1b" not in raw
    assert "\t日本語\t" not in raw
    assert "]0;title日本語\t" in raw
