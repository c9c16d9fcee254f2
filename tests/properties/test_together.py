"""Together is as alone: whatever filters a command takes, and in whatever order, each gives what it gives alone.

Every engine and function that runs several filters is held to what the reference interpreter says of each of them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import combinations, count
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import Phase, given, note, settings

from runner.cli import fictc
from runner.corpus import index_build
from runner.corpus.engine import LocalEngine
from runner.corpus.filter_arguments import filter_labels, load_filters
from runner.corpus.store_writer import StoreWriter
from runner.execute.builder import Builder
from runner.execute.cache import Cache
from runner.steps.names import TextName
from tests.support.experiments import planned
from tests.support.strategies.rng import Rng, strategy
from tests.support.strategies.sets import Bank, FilterSet, make_bank, make_set
from tests.support.together import SOURCE, Alone, described, left_over, listed, store_of, taken, tallied

CHECKS = (
    lambda store, alone: listed(LocalEngine(store), alone),
    taken,
    left_over,
    described,
)  # beside counts, one a set
SETS = 6  # that are asked of one store
_NUMBER = count()


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    with TemporaryDirectory() as name, pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", f"{name}/cache")
        patch.setattr(index_build, "MAX_SORTED_SHARE", 1.0)  # so that the index has a sorted copy for each feature
        yield Path(name)


def make_case(rng: Rng) -> tuple[Bank, list[FilterSet], int, bool]:
    """A treebank, sets of filters, about how many words a chunk of the store has, and whether it has an index."""
    return make_bank(rng), [make_set(rng) for _ in range(SETS)], rng.pick([100, 100, 6]), rng.flag()


@pytest.mark.long
@settings(max_examples=50)  # times SETS: 300 sets in every profile
@given(case=strategy(make_case))
def test_together_is_as_alone(case: tuple[Bank, list[FilterSet], int, bool], folder: Path) -> None:
    check_together(case, folder)


@settings(max_examples=6)
@given(case=strategy(make_case))
def test_a_few_together_are_as_alone(case: tuple[Bank, list[FilterSet], int, bool], folder: Path) -> None:
    check_together(case, folder)


def check_together(case: tuple[Bank, list[FilterSet], int, bool], folder: Path) -> None:
    """Compare what is said of the sets of a case with what is said of each filter alone."""
    bank, sets, words, indexed = case
    here = folder / str(next(_NUMBER))
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(StoreWriter.__init__.__kwdefaults__, "chunk_words", words)
        store = store_of(bank, here, indexed=indexed)
    for number, drawn in enumerate(sets):
        note("\n".join(f"# {name}\n{text}" for name, text in drawn.files.items()))
        alone = Alone(bank.sentences, load_filters(map(str, drawn.write(here / str(number)))))
        tallied(LocalEngine(store), alone)
        CHECKS[number % len(CHECKS)](store, alone)


@pytest.mark.long
@settings(max_examples=10, phases=[Phase.generate])
@given(case=strategy(make_case))
def test_commands_say_together_what_holds_alone(case: tuple[Bank, list[FilterSet], int, bool], folder: Path) -> None:
    bank, (drawn, *_), _, indexed = case
    here = folder / str(next(_NUMBER))
    store = store_of(bank, here, indexed=indexed)
    note("\n".join(f"# {name}\n{text}" for name, text in drawn.files.items()))
    files = drawn.write(here / "filters")
    alone = Alone(bank.sentences, load_filters(map(str, files)))
    names, told = filter_labels(alone.filters), alone.tally()

    def say(*command: str) -> str:
        ended = CliRunner().invoke(fictc, [*command, *map(str, files), "--corpus", str(store.path)])
        assert ended.exit_code == 0, ended.output
        return ended.stdout

    counted = {
        row["name"]: (row["matches"], row["sentences"])
        for row in json.loads(say("count", "--format", "json"))["filters"]
    }
    assert counted == {name: (told.matches[place], told.sentences[place]) for place, name in enumerate(names)}
    head, *rows = (line.split("\t") for line in say("match", "--format", "tsv").splitlines())
    assert head[3:] == names
    assert [row[1:] for row in rows] == [
        ["" if cell is None else str(cell) for cell in row[1:]] for row in alone.rows()
    ]
    if len(names) > 1:
        pairs = json.loads(say("stats", "cooccurrence", "--format", "json"))["rows"]
        both = {(row["a"], row["b"]): row["both"] for row in pairs}
        assert both == {
            (names[a], names[b]): told.sentences_of_pair[a, b] for a, b in combinations(range(len(names)), 2)
        }
    entries = [json.loads(line)["taken"] for line in say("apply", "--format", "jsonl").splitlines()]
    expected = [
        [
            {
                "filter": names[taken.filter],
                "action": alone.filters[taken.filter].actions[taken.action],
                "targets": taken.count,
                "words": list(taken.words),
            }
            for taken in alone.taken().get(sid, [])
        ]
        for sid in range(len(bank.sentences))
    ]
    assert entries == expected


MANIFEST = """
[experiment]
name = "together"
seeds = [1]
[corpus]
train = ["{source}"]
valid = ["{source}"]
[[model]]
preset = "lstm-128"
"""


@settings(max_examples=10, phases=[Phase.generate])
@given(case=strategy(make_case))
def test_conditions_have_what_their_filters_find_alone(
    case: tuple[Bank, list[FilterSet], int, bool], folder: Path
) -> None:
    bank, (drawn, *_), _, _ = case
    here = folder / str(next(_NUMBER))
    store_of(Bank(bank.sentences, (), bank.features), here, indexed=False)  # a condition knows no layers
    alone = Alone(bank.sentences, load_filters(map(str, drawn.write(here / "filters"))))
    known = {
        name for sentence in bank.sentences for word in sentence.words for name in word.feats
    }  # none else may be asked
    asked = [place for place, each in enumerate(alone.filters) if known.issuperset(each.features)]
    some = [place for place in asked if len(alone.found[place]) < len(bank.sentences)]
    masks = [place for place in asked if {action.verb for action in alone.filters[place].ir.actions} == {"mask"}]
    named = [f"filters/{each.path.name}::{each.name}" for each in alone.filters if each.path is not None]
    entries = [f'[[condition]]\nname = "c{place}"\nremove = ["{named[place]}"]\nallow-empty = true\n' for place in some]
    if masks:
        entries.append(
            f'[[condition]]\nname = "masked"\nmask = {json.dumps([named[place] for place in masks])}\nallow-empty = true\n'
        )
    (here / "fictc.toml").touch()
    (here / "m.toml").write_text(MANIFEST.format(source=SOURCE) + "".join(entries), encoding="utf-8")
    note((here / "m.toml").read_text())
    made = Builder(planned(here / "m.toml"), Cache(here / "cache"), lambda event: None)
    made.corpora()
    removed = {
        place: np.load(made.cache.folder(made.plan.corpora[TextName.parse(f"c{place}")]) / "removed.npy").tolist()
        for place in some
    }
    assert removed == {place: sorted(alone.found[place]) for place in some}
    if masks:
        masked = {sid for sid, of in alone.taken().items() if any(taken.filter in masks for taken in of)}
        assert set(made.edits(TextName("masked"))) == masked
