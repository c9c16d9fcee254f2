"""The files and modules that pages, settings and comments of this repository name exist."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PATH = re.compile(r"(?<![\w/.-])(?:benchmarks|fictc|fictdsl|grammar|messages|runner|scripts|tests)/[\w./<>*-]*[\w*>]")
MODULE = re.compile(r"(?<![\w/.-])(?:fictdsl|runner)(?!\.py\b)(?:\.[a-z_]\w*)+")
PATTERN = re.compile(r"[^/]*[<*].*")  # of files that a reader writes, or of several
ELSEWHERE = ("fictdsl/_shipped", "messages/index.md", "messages/FICT")  # in a wheel, on the site, the start of a name
ABSENT = {"fictdsl.no_such_name", "runner.score.choice"}  # the second is a recipe's
INVENTED = {"tests/unit/scripts/test_house.py"}  # names code that it writes into a temporary folder
KINDS = (".md", ".py", ".toml", ".yml", ".yaml", ".sh", ".js", ".json", "Makefile", ".ci/run")


def texts() -> dict[str, str]:
    """The text of each file that a reader may follow, by path."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split(
        "\n"
    )
    names = [name for name in listed if name.endswith(KINDS) and (ROOT / name).is_file()]
    return {name: (ROOT / name).read_text(encoding="utf-8") for name in names if name not in INVENTED}


@pytest.fixture(scope="module")
def named() -> dict[str, str]:
    if not (ROOT / ".git").exists():
        pytest.skip("not a checkout of git")
    return texts()


def test_the_paths_exist(named: dict[str, str]) -> None:
    found = {(name, path) for name, text in named.items() for path in PATH.findall(text)}
    assert len(found) > 100
    assert sorted((name, path) for name, path in found if not path.startswith(ELSEWHERE) and not is_path(path)) == []


def is_path(text: str) -> bool:
    """Return whether a path exists, or the folder of a pattern."""
    return (ROOT / PATTERN.sub("", text)).exists()


def test_the_modules_exist(named: dict[str, str]) -> None:
    found = {(name, module) for name, text in named.items() for module in MODULE.findall(text)}
    assert len(found) > 1000
    assert (
        sorted((name, module) for name, module in found if module not in ABSENT and not is_module(module.split(".")))
        == []
    )


def is_module(parts: list[str]) -> bool:
    """Return whether a dotted name is a package, a module, or a name that occurs in one."""
    length = next((n for n in range(len(parts), 0, -1) if ROOT.joinpath(*parts[:n]).is_dir()), 0)
    folder, rest = ROOT.joinpath(*parts[:length]), parts[length:]
    file = folder / f"{rest[0]}.py" if rest else folder
    if rest and file.exists():
        rest = rest[1:]
    elif rest:
        file = folder / "__init__.py"
    return not rest or (file.exists() and re.search(rf"\b{rest[0]}\b", file.read_text(encoding="utf-8")) is not None)
