"""Entries of the user's cache, which is optional."""

from __future__ import annotations

from pathlib import Path

import pytest

from fictdsl.installation import load_entry, store_entry

DIGEST = bytes(32)


def test_an_entry_is_read_only_under_its_digest(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "entry"
    store_entry(path, DIGEST, [1, 2])
    assert load_entry(path, DIGEST) == [1, 2]
    assert load_entry(path, bytes(31) + b"1") is None
    assert list(path.parent.iterdir()) == [path]


def test_a_value_that_is_too_deep_is_not_stored(tmp_path: Path) -> None:
    value: list[object] = []
    for _ in range(100_000):
        value = [value]
    store_entry(tmp_path / "entry", DIGEST, value)
    assert list(tmp_path.iterdir()) == []


def test_a_failed_write_leaves_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: Path, __: bytes) -> int:
        raise OSError("no space left on device")

    monkeypatch.setattr(Path, "replace", fail)
    store_entry(tmp_path / "entry", DIGEST, "value")
    assert list(tmp_path.iterdir()) == []
