"""What the README and the messages say about installing fictc holds, and nothing promises what is not there."""

from __future__ import annotations

import re
import shlex
import subprocess
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner

from runner.cli import fictc

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
EXTRAS = set(tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"])
FOR_USERS = ("*.md", "*.py", "*.js", "*.json", "*.yml", "*.yaml", "*.sh", "*.toml", "Makefile")
FOLDERS = ("docs", "editors", "fictc", "fictdsl", "runner", "filters", "scripts", "experiments", ".github")


def published() -> dict[Path, str]:
    """The texts that a user may read, by path."""
    files = [path for pattern in FOR_USERS for path in ROOT.glob(pattern)]
    files += [path for folder in FOLDERS for pattern in FOR_USERS for path in (ROOT / folder).rglob(pattern)]
    kept = [path for path in files if "node_modules" not in path.parts]
    return {path.relative_to(ROOT): path.read_text(encoding="utf-8") for path in kept}


def block(heading: str) -> list[str]:
    """The commands of the first shell block under a heading of the README."""
    section = README.split(f"## {heading}\n", 1)[1].split("\n## ", 1)[0]
    found = re.search(r"```sh\n(.*?)```", section, re.DOTALL)
    assert found is not None
    return found[1].splitlines()


def test_no_text_promises_a_package_on_an_index() -> None:
    """fictc is on no index: whoever installs it by its name gets nothing, or something else."""
    texts = published()
    assert len(texts) > 500
    by_name = re.compile(r"(?:pip|pipx|uv tool|uv pip) install (?:-\S+ )*['\"]?fictc\b|fictc==|OWNER/")
    for path, text in texts.items():
        assert by_name.findall(text) == [], path


def test_the_extras_that_texts_name_exist() -> None:
    named = {
        extra.strip()
        for text in published().values()
        for extras in re.findall(r"install (?:-\S+ |constraints\.txt )*['\"]\.\[([\w,\- ]+)\]", text)
        for extra in extras.split(",")
    }
    assert {"all", "lsp", "spark"} <= named <= EXTRAS


@pytest.fixture
def clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that looks like a clone and takes what the commands write."""
    for name in ("filters", "experiments"):
        (tmp_path / name).symlink_to(ROOT / name)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.long
def test_the_commands_of_the_readme_work_in_a_clone(clone: Path) -> None:
    commands = [shlex.split(line, comments=True) for line in block("Use it")]
    assert len(commands) > 8 and all(words[0] == "fictc" for words in commands)
    for words in commands:
        if words[1] == "run":
            assert Path(words[2]).is_file()  # the demo takes minutes: `make demo` and a slow test run it
            continue
        arguments = (
            [str(path) for word in words[1:] for path in sorted(clone.glob(word))] if "*" in "".join(words) else []
        )
        expanded = [part for word in words[1:] for part in (arguments if "*" in word else [word])]
        done = CliRunner().invoke(fictc, expanded, catch_exceptions=False, standalone_mode=False)
        assert done.return_value in (None, 0), (words, done.output)
        assert done.output.strip(), words


def test_make_says_which_python_is_too_old(tmp_path: Path) -> None:
    old = tmp_path / "python3"
    old.write_text('#!/bin/sh\n[ "$1" = --version ] && echo Python 3.9.18 && exit 0\nexit 1\n')
    old.chmod(0o755)
    command = ["make", "demo", f"PYTHON={old}", f"VENV={tmp_path / 'venv'}"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 2
    assert "fictc needs Python 3.11 or newer" in done.stderr and "Python 3.9.18" in done.stderr
    assert "make PYTHON=python3.12 demo" in done.stderr
    assert not (tmp_path / "venv").exists()
