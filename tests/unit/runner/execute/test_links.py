"""Readable names of a run's files: given, and taken away when a later run does not give them."""

import json
from pathlib import Path

import pytest

from runner.execute.collect import LINKS, link_all


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    (tmp_path / "cache").mkdir()
    for name in "ab":
        (tmp_path / "cache" / name).write_text(name)
    return tmp_path / "cache"


def files(folder: Path) -> dict[str, str]:
    found = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
    return {name: path.read_text() for name, path in found.items() if name != LINKS}


def test_what_a_later_run_does_not_name_goes_away_and_nothing_else_does(tmp_path: Path, cache: Path) -> None:
    out = tmp_path / "out"
    link_all({"corpora/x/text.txt": cache / "a", "corpora/x/sids.npy": cache / "a", "cells/x/m/1/a": cache / "b"}, out)
    (out / "corpora" / "x" / "notes.txt").write_text("mine")
    link_all({"corpora/x/text.txt": cache / "b"}, out)
    assert files(out) == {"corpora/x/text.txt": "b", "corpora/x/notes.txt": "mine"}
    assert not (out / "cells").exists()
    link_all({}, out)
    assert files(out) == {"corpora/x/notes.txt": "mine"}
    assert files(cache) == {"a": "a", "b": "b"}


def test_a_file_takes_the_place_of_a_folder_and_the_reverse(tmp_path: Path, cache: Path) -> None:
    out = tmp_path / "out"
    for name in ("corpora/x", "corpora/x/text.txt", "corpora/x"):
        link_all({name: cache / "a"}, out)
        assert files(out) == {name: "a"}


@pytest.mark.parametrize("name", ["../mine", "corpora/../../mine", "linked/mine"])
def test_nothing_outside_the_run_is_taken_away(tmp_path: Path, cache: Path, name: str) -> None:
    out = tmp_path / "out"
    link_all({"corpora/x/text.txt": cache / "a"}, out)
    (tmp_path / "mine").write_text("mine")
    (out / "linked").symlink_to(tmp_path)
    (out / LINKS).write_text(json.dumps([name, str(tmp_path / "mine"), 3]))
    link_all({}, out)
    assert (tmp_path / "mine").read_text() == "mine"


def test_a_run_that_is_killed_forgets_none_of_its_names(tmp_path: Path, cache: Path) -> None:
    out = tmp_path / "out"
    link_all({"corpora/x/text.txt": cache / "a"}, out)
    with pytest.raises(FileNotFoundError):
        link_all({"corpora/y/text.txt": cache / "b", "corpora/z/text.txt": cache / "gone"}, out)
    link_all({"corpora/z/text.txt": cache / "a"}, out)
    assert files(out) == {"corpora/z/text.txt": "a"}
