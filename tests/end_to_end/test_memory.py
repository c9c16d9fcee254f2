"""With little memory, commands work or end with one message that says how much is needed."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import corpora
from tests.unit.runner.corpus.test_import_conllu import many

FILTER = "fict 1\nfilter nouns { match { N:NOUN  without { N -> _:DET } } remove sentence }\n"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("small")
    corpora.store(folder, many(2_000))
    (folder / "nouns.fict").write_text(FILTER)
    return folder


def ended(place: Path, address_space: int, *arguments: object, cache: Path) -> tuple[int, str, str]:
    """Exit code and output of a command that may use so many bytes of address space."""
    done = subprocess.run(
        [sys.executable, "-m", "runner.cli", *map(str, arguments)],
        cwd=place,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2]), "XDG_CACHE_HOME": str(cache)},
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (address_space, address_space)),
    )
    return done.returncode, done.stdout, done.stderr


@pytest.mark.timeout(120)
def test_less_than_the_libraries_need_is_refused(place: Path, tmp_path: Path) -> None:
    code, out, err = ended(place, 500_000_000, "count", "nouns.fict", "-c", "store", cache=tmp_path)
    assert (code, out) == (2, "")
    assert err.startswith("error[FICT793]: not enough memory: this process may use 500 MB of address space")


@pytest.mark.timeout(240)
@pytest.mark.parametrize(
    "arguments",
    [("count", "nouns.fict", "-c", "store", "--threads", 16), ("apply", "nouns.fict", "-c", "store")],
    ids=lambda arguments: arguments[0],
)
def test_little_memory_changes_no_answer(place: Path, tmp_path: Path, arguments: tuple[object, ...]) -> None:
    """A process with many threads would reserve more addresses than it may, and end in a segmentation fault."""
    free = ended(place, resource.RLIM_INFINITY, *arguments, cache=tmp_path / "free")
    assert free[0] == 0
    assert ended(place, 800_000_000, *arguments, cache=tmp_path / "limited") == free
