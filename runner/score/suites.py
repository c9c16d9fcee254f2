"""Load suites of minimal pairs, and detect the kind of any suite from its files."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, TypeAlias

from fictdsl.diagnostics.codes import diagnostic
from fictdsl.diagnostics.suggest import nearest
from runner.errors import InputError
from runner.readers import parse_json, read_text
from runner.score.pair_formats import comma_separated, format_of, read_pairs
from runner.score.suite_files import GOOD, PAIR_SUFFIXES, Pair, csv_columns, is_table, suite_files


@dataclass(frozen=True)
class Suite:
    """Minimal pairs, grouped by paradigm."""

    name: str
    items: list[Pair]

    @property
    def paradigms(self) -> list[str]:
        """The names of the paradigms, in the order of first appearance."""
        return list(dict.fromkeys(pair.paradigm for pair in self.items))


def load_suite(
    path: Path, name: str | None = None, *, limit: int | None = None, paradigms: Sequence[str] | None = None
) -> Suite:
    """Read minimal pairs in one of `runner.score.pair_formats`: folders of BLiMP or WinoBias, .jsonl or .csv files.

    JSON lines have `sentence_good` and `sentence_bad` (or `good` and `bad`), and optionally `UID` (or `paradigm`),
    `linguistics_term` (or `phenomenon`), `field`, `pairID` (or `item`) and BLiMP's prefix fields. A CSV file has a
    header with the columns good and bad, and optionally paradigm, phenomenon, field and item. The paradigm defaults to
    the name of the file. `limit` keeps the first pairs of each paradigm; `paradigms` selects paradigms. Raises
    InputError (FICT811, 812, 817).
    """
    pairs = read_pairs(path)
    check_paradigms(path, paradigms or (), dict.fromkeys(pair.paradigm for pair in pairs))
    pairs_by_paradigm: dict[str, list[Pair]] = {}
    for pair in pairs:
        if not paradigms or pair.paradigm in paradigms:
            pairs_by_paradigm.setdefault(pair.paradigm, []).append(pair)
    selected = [pair for group in pairs_by_paradigm.values() for pair in _uniquely_numbered(group)[:limit]]
    return Suite(name or path.stem, selected)


def check_paradigms(path: Path, paradigms: Sequence[str], known: Iterable[str]) -> None:
    """Raise InputError (FICT817) if a suite lacks one of `paradigms`. `known` are the paradigms of the suite."""
    names = list(known)
    for paradigm in paradigms:
        if paradigm not in names:
            suggestion = nearest(paradigm, names)
            hint = f"the nearest is `{suggestion}`" if suggestion else None
            raise InputError(diagnostic("FICT817", path=path, name=paradigm, hint=hint))


def _uniquely_numbered(pairs: list[Pair]) -> list[Pair]:
    """Return the pairs with their own item numbers if these are unique, otherwise numbered from 0."""
    numbers = {pair.item for pair in pairs}
    if len(numbers) == len(pairs) and min(numbers) >= 0:
        return pairs
    return [replace(pair, item=index) for index, pair in enumerate(pairs)]


# The grammar part of each combined rating (3: flawless, 1: disfluent), as the release documents it.
GRAMMAR = {6: 3, 7: 2, 9: 1, 11: 3, 12: 2, 14: 1, 21: 3, 22: 2, 24: 1}
FILES = "test_output.*.tsv"  # one for each of four systems, in the folder RawData of the release


def is_compressions_folder(path: Path) -> bool:
    """Return whether a path is a folder that contains the outputs of the systems."""
    return path.is_dir() and any(path.glob(FILES))


def compressions(folder: Path) -> Iterator[tuple[str, float]]:
    """Yield each compressed text with its mean rating of grammaticality (1 to 3), system by system.

    A line is `source ||| compression [||| …]`. A compression is `text TAB system TAB count TAB ratings`. A rating is a
    number followed by two descriptions. Raises ValueError with the file and line if a line has another format.
    """
    for file in sorted(folder.glob(FILES)):
        for line_number, line in enumerate(read_text(file).split("\n"), 1):
            for compression in line.split("|||")[1:]:
                try:
                    yield _text_and_rating(compression)
                except (ValueError, KeyError) as error:
                    raise ValueError(
                        f"line {line_number} of {file.name} has no ratings in the documented format ({error})"
                    ) from error


def _text_and_rating(compression: str) -> tuple[str, float]:
    text, _, count, *ratings = (field.strip() for field in compression.split("\t"))
    scores = [GRAMMAR[int(value)] for value in ratings[::3]]
    if not text or not scores or len(scores) != int(count):
        raise ValueError(f"expected {count} ratings, found {len(scores)}")
    return text, math.fsum(scores) / len(scores)


_MEMBER = re.compile(r'^\s*"predictions"\s*:', re.MULTILINE)
SuiteKind: TypeAlias = Literal["pairs", "sentences", "syntaxgym", "preference"]


NAMES: dict[SuiteKind, str] = {"pairs": "minimal pairs", "sentences": "sentences", "syntaxgym": "a suite of SyntaxGym"}


def kind_of(path: Path) -> SuiteKind:
    """Return the kind of the suite at a path: minimal pairs, sentences (with or without ratings) or SyntaxGym.

    Sentences are in a table with a column `sentence` and no column of minimal pairs (`good`, `sentence_good`), unless
    another format of pairs claims it, in a text file, or in the folder of the MSR compression dataset. A SyntaxGym
    suite is a JSON file with predictions. A folder may have several files, also in folders below it. Everything else is
    read as minimal pairs, whose reader reports errors. The kind `preference` (pairs of alternants) is never returned; a
    manifest declares it, or `has_alternants` detects it. Raises InputError (FICT811) for a folder with files of several
    kinds.
    """
    if not path.is_dir():
        return _kind_of_file(path)
    if is_compressions_folder(path):
        return "sentences"
    files: dict[SuiteKind, Path] = {}
    for file in suite_files(path, (*PAIR_SUFFIXES, ".json")):
        if file.suffix.lower() != ".json" or is_syntaxgym(file):  # other .json files describe a data set
            files.setdefault(_kind_of_file(file), file)
    if len(files) > 1:
        found = " and ".join(f"{NAMES[kind]} ({file.relative_to(path)})" for kind, file in files.items())
        reason = f"the folder has {found}; each kind needs a folder of its own"
        raise InputError(diagnostic("FICT811", path=path, reason=reason))
    return next(iter(files), "pairs")


def _kind_of_file(path: Path) -> SuiteKind:
    if is_syntaxgym(path):
        return "syntaxgym"
    if path.suffix.lower() == ".txt" and path.is_file():
        return "sentences"
    if is_table(path) and path.is_file():
        columns = set(csv_columns(path))
        format_ = format_of(path)
        has_own_format = format_ is not None and format_.pairs is not comma_separated.pairs
        return "pairs" if has_own_format or "sentence" not in columns or columns & {*GOOD} else "sentences"
    return "pairs"


def is_syntaxgym(path: Path) -> bool:
    """Return whether a file is a suite of SyntaxGym: JSON with predictions, possibly with errors."""
    if path.suffix.lower() != ".json":
        return False
    try:
        text = read_text(path)
    except (OSError, UnicodeDecodeError):
        return False  # left to the reader of pairs
    try:
        content = parse_json(text)
    except ValueError:
        return _MEMBER.search(text) is not None  # otherwise JSON lines, left to the reader of pairs
    return isinstance(content, dict) and "predictions" in content
