"""A path to whatever suite it holds, and any suite to what a model is asked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TypeAlias, assert_never

from fictdsl.diagnostics.codes import diagnostic
from runner.errors import InputError
from runner.model.saved import SavedModel
from runner.score.evaluate.pairs import prepare_pairs
from runner.score.evaluate.ratings import Sentences, load_sentences, prepare_sentences
from runner.score.evaluate.syntaxgym import Gym, load_gym, prepare_gym
from runner.score.scoring.convention import Convention
from runner.score.scoring.sentences import Prepared
from runner.score.suites.kind import kind_of
from runner.score.suites.suite import Suite, load_suite

AnySuite: TypeAlias = Suite | Sentences | Gym


def open_suite(
    path: Path, name: str | None = None, *, limit: int | None = None, paradigms: Sequence[str] = ()
) -> AnySuite:
    """Whatever suite is there (`runner.score.suites.kind`), called as its file if it has no `name`.

    `limit` keeps the first pairs of each paradigm, sentences, or items. InputError: FICT811, 812, 817.
    """
    match kind_of(path):
        case "pairs":
            return load_suite(path, name, limit=limit, paradigms=paradigms)
        case "sentences":
            found: AnySuite = load_sentences(path, name, limit=limit)
        case "syntaxgym":
            found = load_gym(path, name, limit=limit)
    if paradigms:
        raise InputError(diagnostic("FICT817", path=path, name=paradigms[0], hint="it has no paradigms"))
    return found


def prepare_any(saved: SavedModel, suite: AnySuite, convention: Convention, *, every: bool = False) -> Prepared:
    """Encode any suite for a model, `every` sentence of pairs or those that differ to the model.

    InputError as in `runner.score.evaluate.pairs.prepare_pairs`.
    """
    match suite:
        case Suite():
            return prepare_pairs(saved, suite, convention, every=every)
        case Sentences():
            return prepare_sentences(saved, suite, convention)
        case Gym():
            return prepare_gym(saved, suite, convention)
        case _:
            assert_never(suite)


def sentences_of(suite: AnySuite) -> Iterator[str]:
    """Every sentence that a suite asks about."""
    match suite:
        case Suite():
            yield from (text for pair in suite.items for text in (pair.good, pair.bad))
        case Sentences():
            yield from (item.text for item in suite.items)
        case Gym():
            yield from (sentence.text for sentence in suite.sentences)
        case _:
            assert_never(suite)
