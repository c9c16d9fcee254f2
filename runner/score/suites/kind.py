"""A path to the kind of suite that lies there, without a model."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Literal, TypeAlias

from runner.readers import parse_json, read_text
from runner.score.suites.compressions import is_compressions

SuiteKind: TypeAlias = Literal["pairs", "sentences", "syntaxgym"]


def kind_of(path: Path) -> SuiteKind:
    """Minimal pairs, sentences with or without ratings, or SyntaxGym suites.

    A .csv with a column `sentence` and none for pairs, a .txt, and the folder of the MSR compression data set hold
    sentences; a .json with predictions, and a folder of them, SyntaxGym; whatever is left pairs, whose reader says
    what is wrong with it.
    """
    if _is_gym(path):
        return "syntaxgym"
    return "sentences" if _is_sentences(path) else "pairs"


def _is_gym(path: Path) -> bool:
    if path.is_dir():
        return not any(path.glob("*.jsonl")) and any(map(_is_gym, path.glob("*.json")))
    if path.suffix.lower() != ".json":
        return False
    try:
        content = parse_json(read_text(path))
    except (OSError, ValueError):
        return False  # one line of JSON a pair, or nothing that can be read
    return isinstance(content, dict) and "predictions" in content


def _is_sentences(path: Path) -> bool:
    if is_compressions(path):
        return True
    match path.suffix.lower():
        case ".txt":
            return path.is_file()
        case ".csv" if path.is_file():
            with path.open(encoding="utf-8-sig", errors="replace", newline="") as file:
                columns = next(csv.reader(file), [])
            return "sentence" in columns and "good" not in columns
    return False
