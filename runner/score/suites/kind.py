"""Detect the kind of a suite from its files."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, TypeAlias

from runner.readers import parse_json, read_text
from runner.score.suites.compressions import is_compressions_folder
from runner.score.suites.csv_rows import csv_columns

SuiteKind: TypeAlias = Literal["pairs", "sentences", "syntaxgym", "preference"]


def kind_of(path: Path) -> SuiteKind:
    """Return the kind of the suite at a path: minimal pairs, sentences (with or without ratings) or SyntaxGym.

    Sentences are in a CSV file with a column `sentence` and no column of minimal pairs (`good`, `sentence_good`), in a
    text file, or in the folder of the MSR compression dataset. A SyntaxGym suite is a JSON file with predictions; a
    folder may contain several. Everything else is read as minimal pairs, whose reader reports errors. The kind
    `preference` (pairs of alternants) is never returned; a manifest declares it, or `has_alternants` detects it.
    """
    if _is_syntaxgym(path):
        return "syntaxgym"
    return "sentences" if _is_sentences(path) else "pairs"


def _is_syntaxgym(path: Path) -> bool:
    if path.is_dir():
        return not any(path.glob("*.jsonl")) and any(map(_is_syntaxgym, path.glob("*.json")))
    if path.suffix.lower() != ".json":
        return False
    try:
        content = parse_json(read_text(path))
    except (OSError, ValueError):
        return False  # JSON lines, or unreadable: left to the reader of pairs
    return isinstance(content, dict) and "predictions" in content


def _is_sentences(path: Path) -> bool:
    if is_compressions_folder(path):
        return True
    match path.suffix.lower():
        case ".txt":
            return path.is_file()
        case ".csv" if path.is_file():
            columns = csv_columns(path)
            return "sentence" in columns and not {"good", "sentence_good"} & set(columns)
    return False
