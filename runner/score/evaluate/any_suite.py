"""Open suites of any kind, encode them and list their sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TypeAlias, assert_never

from fictdsl.diagnostics.codes import diagnostic
from runner.errors import InputError
from runner.model.saved.saved import SavedModel
from runner.score.evaluate.pairs import prepare_pairs
from runner.score.evaluate.ratings import Sentences, load_sentences, prepare_sentences
from runner.score.evaluate.syntaxgym import SyntaxGym, load_syntaxgym, prepare_syntaxgym
from runner.score.scoring.convention import Convention
from runner.score.scoring.sentences import Prepared
from runner.score.suites.kind import kind_of
from runner.score.suites.suite import Suite, load_suite

AnySuite: TypeAlias = Suite | Sentences | SyntaxGym


def open_suite(
    path: Path, name: str | None = None, *, limit: int | None = None, paradigms: Sequence[str] = ()
) -> AnySuite:
    """Open a suite of a kind that `kind_of` detects. The name defaults to that of the file.

    `limit` keeps the first pairs of each paradigm, the first sentences, or the first items of each SyntaxGym suite.
    `paradigms` selects paradigms of minimal pairs. Raises InputError (FICT811, 812, 817).
    """
    match kind_of(path):
        case "pairs":
            return load_suite(path, name, limit=limit, paradigms=paradigms)
        case "sentences":
            suite: AnySuite = load_sentences(path, name, limit=limit)
        case "syntaxgym":
            suite = load_syntaxgym(path, name, limit=limit)
        case "preference":
            raise AssertionError("only a manifest declares a suite of preferences")
    if paradigms:
        raise InputError(diagnostic("FICT817", path=path, name=paradigms[0], hint="it has no paradigms"))
    return suite


def check_ratings(suite: AnySuite, path: Path) -> AnySuite:
    """Return the suite unchanged. Raises InputError (FICT811) if it is a suite of rated sentences without ratings."""
    if isinstance(suite, Sentences) and all(item.rating is None for item in suite.items):
        raise InputError(diagnostic("FICT811", path=path, reason="none of its sentences has a rating"))
    return suite


def prepare_any(
    saved: SavedModel,
    suite: AnySuite,
    convention: Convention,
    *,
    include_identical: bool = False,
    skip_long: bool = False,
) -> Prepared:
    """Encode a suite of any kind for a model.

    With `include_identical`, pairs whose sentences have the same ids are also scored; with `skip_long`, sentences that
    are too long for the model have no score. Raises InputError as `runner.score.evaluate.pairs.prepare_pairs` does.
    """
    match suite:
        case Suite():
            return prepare_pairs(saved, suite, convention, include_identical=include_identical, skip_long=skip_long)
        case Sentences():
            return prepare_sentences(saved, suite, convention, skip_long=skip_long)
        case SyntaxGym():
            return prepare_syntaxgym(saved, suite, convention, skip_long=skip_long)
        case _:
            assert_never(suite)


def sentences_of(suite: AnySuite) -> Iterator[str]:
    """Yield every sentence of a suite."""
    match suite:
        case Suite():
            yield from (text for pair in suite.items for text in (pair.good, pair.bad))
        case Sentences():
            yield from (item.text for item in suite.items)
        case SyntaxGym():
            yield from (sentence.text for sentence in suite.sentences)
        case _:
            assert_never(suite)
