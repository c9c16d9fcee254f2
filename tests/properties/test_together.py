"""Together is as alone: whatever filters a command takes, and in whatever order, each gives what it gives alone.

Every engine and function that runs several filters is held to what the reference interpreter says of each of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, note, settings

from runner.corpus.engine import Here
from runner.corpus.filters import load_filters
from runner.corpus.indexing import build
from runner.corpus.writer import StoreWriter
from tests.support.strategies.dice import Dice, strategy
from tests.support.strategies.sets import Bank, FilterSet, make_bank, make_set
from tests.support.together import Alone, described, left_over, listed, store_of, taken, tallied

CHECKS = (lambda store, alone: listed(Here(store), alone), taken, left_over, described)  # beside counts, one a set
SETS = 6  # that are asked of one store
_NUMBER = count()


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    with TemporaryDirectory() as name, pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", f"{name}/cache")
        patch.setattr(build, "RARE", 1.0)  # so that the index has a sorted copy for each feature
        yield Path(name)


def make_case(dice: Dice) -> tuple[Bank, list[FilterSet], int, bool]:
    """A treebank, sets of filters, about how many words a chunk of the store has, and whether it has an index."""
    return make_bank(dice), [make_set(dice) for _ in range(SETS)], dice.pick([100, 100, 6]), dice.flag()


@settings(max_examples=50)  # times SETS: 300 sets in every profile
@given(case=strategy(make_case))
def test_together_is_as_alone(case: tuple[Bank, list[FilterSet], int, bool], folder: Path) -> None:
    bank, sets, words, indexed = case
    here = folder / str(next(_NUMBER))
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(StoreWriter.__init__.__kwdefaults__, "chunk_words", words)
        store = store_of(bank, here, indexed=indexed)
    for number, drawn in enumerate(sets):
        note("\n".join(f"# {name}\n{text}" for name, text in drawn.files.items()))
        alone = Alone(bank.sentences, load_filters(map(str, drawn.write(here / str(number)))))
        tallied(Here(store), alone)
        CHECKS[number % len(CHECKS)](store, alone)
