"""Options of `fictc annotate`. `tests/unit/runner/corpus/test_annotate.py` tests what it does."""

from __future__ import annotations

import pytest

from runner.cli import import_export


@pytest.mark.parametrize(("value", "threads"), [("3", 3), (" 2 ", 2), ("", 4), ("0", 4), ("²", 4), ("4,2", 4)])
def test_threads_are_those_of_the_environment_if_it_names_some(
    value: str, threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", value)
    monkeypatch.setattr(import_export, "available_cores", lambda: 8)
    assert import_export._default_threads(2) == threads
