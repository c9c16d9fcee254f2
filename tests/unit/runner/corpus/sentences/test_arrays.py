"""Values of comments, however many threads read them."""

from __future__ import annotations

from pathlib import Path

import pytest

from runner.corpus import store_writer
from runner.corpus.limits import Limits
from runner.corpus.sentence_arrays import read_values
from runner.corpus.store import Store
from tests.support import corpora


@pytest.mark.parametrize("key", ["k", "genre", "meta::k"])
def test_the_first_of_repeated_comments_counts(key: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The comments of many sentences straddle row groups, which threads read in any order."""
    monkeypatch.setattr(store_writer, "ROW_GROUP", 7)
    comments = "".join(f"# {key} = v{number}\n" for number in range(5, -1, -1))
    path = corpora.store(tmp_path, f"{comments}1\ta\ta\tX\t_\t_\t0\troot\t_\t_\n\n" * 500).path
    assert read_values(Store.open(path, Limits(threads=8)), key) == ["v5"] * 500
