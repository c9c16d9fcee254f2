"""Detect the kind of a suite from its files."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Literal, TypeAlias

from fictdsl.diagnostics.codes import diagnostic
from runner.errors import InputError
from runner.readers import parse_json, read_text
from runner.score.suites.compressions import is_compressions_folder
from runner.score.suites.csv_rows import csv_columns
from runner.score.suites.files import PAIR_SUFFIXES, is_table, suite_files
from runner.score.suites.pair import GOOD

_MEMBER = re.compile(r'^\s*"predictions"\s*:', re.MULTILINE)
SuiteKind: TypeAlias = Literal["pairs", "sentences", "syntaxgym", "preference"]


NAMES: dict[SuiteKind, str] = {"pairs": "minimal pairs", "sentences": "sentences", "syntaxgym": "a suite of SyntaxGym"}


def kind_of(path: Path) -> SuiteKind:
    """Return the kind of the suite at a path: minimal pairs, sentences (with or without ratings) or SyntaxGym.

    Sentences are in a table with a column `sentence` and no column of minimal pairs (`good`, `sentence_good`), in a
    text file, or in the folder of the MSR compression dataset. A SyntaxGym suite is a JSON file with predictions. A
    folder may have several files, also in folders below it. Everything else is read as minimal pairs, whose reader
    reports errors. The kind `preference` (pairs of alternants) is never returned; a manifest declares it, or
    `has_alternants` detects it. Raises InputError (FICT811) for a folder with files of several kinds.
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
        return "sentences" if "sentence" in columns and not columns & {*GOOD} else "pairs"
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
