"""The kinds of suites: detect, open and encode a suite of any kind, and write and read the files that cells score."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from runner.errors import InputError
from runner.model.saved import SavedModel
from runner.score.convention import Convention
from runner.score.minimal_pairs import PairsKind
from runner.score.preferences import PreferencesKind
from runner.score.ratings import SentencesKind
from runner.score.sentence_scores import Prepared
from runner.score.suite_files import PAIR_SUFFIXES, suite_files
from runner.score.suite_kind import AnySuite, OpenOptions, PrepareOptions, SuiteKind
from runner.score.syntaxgym import SyntaxGymKind

if TYPE_CHECKING:
    import pyarrow as pa

PAIRS = PairsKind()
# the first that claims a file, or holds a table or a suite, is the kind of it; lists for users are in reverse order
KINDS: tuple[SuiteKind[Any], ...] = (SentencesKind(), SyntaxGymKind(), PreferencesKind(), PAIRS)
BY_NAME = {kind.name: kind for kind in KINDS}


def kind_of(path: Path) -> SuiteKind[Any]:
    """Return the kind of a suite, minimal pairs if no other claims it. Raises InputError (FICT811) for several."""
    kind = _kind_of_path(path)
    if kind is not PAIRS or not path.is_dir():
        return kind
    files: dict[SuiteKind[Any], Path] = {}
    for file in suite_files(path, (*PAIR_SUFFIXES, ".json")):
        kind = _kind_of_path(file)
        if file.suffix.lower() != ".json" or kind is not PAIRS:  # other .json files describe a data set
            files.setdefault(kind, file)
    if len(files) > 1:
        found = " and ".join(f"{kind.title} ({file.relative_to(path)})" for kind, file in files.items())
        reason = f"the folder has {found}; each kind needs a folder of its own"
        raise InputError.of("FICT811", path=path, reason=reason)
    return next(iter(files), PAIRS)


def _kind_of_path(path: Path) -> SuiteKind[Any]:
    return next(kind for kind in KINDS if not kind.declared and kind.claims(path))


def scored_kind(path: Path) -> SuiteKind[Any]:
    return next((kind for kind in KINDS if kind.declared and kind.claims(path)), None) or kind_of(path)


def kind_of_table(table: pa.Table) -> SuiteKind[Any]:
    return next(kind for kind in KINDS if kind.holds(table))


def kind_of_suite(suite: AnySuite) -> SuiteKind[Any]:
    return next(kind for kind in KINDS if isinstance(suite, kind.suite))


def open_suite(path: Path, name: str | None = None, **options: Unpack[OpenOptions]) -> AnySuite:
    """Open a suite of the kind that `scored_kind` returns. Raises InputError (FICT811, 812, 817)."""
    suite: AnySuite = scored_kind(path).open(path, name, **options)
    return suite


def prepare_any(
    saved: SavedModel, suite: AnySuite, convention: Convention, **options: Unpack[PrepareOptions]
) -> Prepared:
    return kind_of_suite(suite).prepare(saved, suite, convention, **options)


def sentences_of(suite: AnySuite) -> Iterator[str]:
    return kind_of_suite(suite).sentences(suite)


def write_suite(suite: AnySuite, folder: Path) -> None:
    """Write a suite to a folder, under the name of its kind. Equal suites give equal bytes."""
    kind_of_suite(suite).write(suite, folder)


def read_suite(path: Path) -> AnySuite:
    """Read what `write_suite` wrote; alternants as a Suite, without covariates. Raises InputError (FICT811)."""
    suite: AnySuite = next(kind for kind in KINDS if kind.file == path.name).read(path)
    return suite
