"""A path to whatever suite it holds, and any suite to what a model is asked."""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from pathlib import Path
from typing import TypeAlias, assert_never

from fictdsl.diagnostics.codes import diagnostic
from runner.errors import InputError
from runner.model.saved import SavedModel
from runner.score.convention import Convention
from runner.score.gym import Gym, load_gym, prepare_gym
from runner.score.pairs import prepare_pairs
from runner.score.ratings import Sentences, load_sentences, prepare_sentences
from runner.score.sentences import Prepared
from runner.score.suite import Suite, load_suite

AnySuite: TypeAlias = Suite | Sentences | Gym


def open_suite(path: Path, *, limit: int | None = None, paradigms: Sequence[str] = ()) -> AnySuite:
    """Minimal pairs, sentences with or without ratings, or SyntaxGym suites, by what is there.

    A .csv with a column `sentence` and none for pairs, and a .txt, hold sentences; a .json with predictions, and a
    folder of them, SyntaxGym. InputError: FICT811, 812, 817.
    """
    if _is_gym(path):
        found: AnySuite = load_gym(path, limit=limit)
    elif _is_sentences(path):
        found = load_sentences(path, limit=limit)
    else:
        return load_suite(path, limit=limit, paradigms=paradigms)
    if paradigms:
        raise InputError(diagnostic("FICT817", path=path, name=paradigms[0], hint="it has no paradigms"))
    return found


def _is_gym(path: Path) -> bool:
    if path.is_dir():
        return not any(path.glob("*.jsonl")) and any(map(_is_gym, path.glob("*.json")))
    if path.suffix.lower() != ".json":
        return False
    try:
        content = json.loads(path.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError):
        return False  # one line of JSON a pair, or nothing that can be read: the reader of pairs says so
    return isinstance(content, dict) and "predictions" in content


def _is_sentences(path: Path) -> bool:
    match path.suffix.lower():
        case ".txt":
            return path.is_file()
        case ".csv" if path.is_file():
            with path.open(encoding="utf-8-sig", errors="replace", newline="") as file:
                columns = next(csv.reader(file), [])
            return "sentence" in columns and "good" not in columns
    return False


def prepare_any(saved: SavedModel, suite: AnySuite, convention: Convention) -> Prepared:
    """Encode any suite for a model. InputError as in `runner.score.pairs.prepare_pairs`."""
    match suite:
        case Suite():
            return prepare_pairs(saved, suite, convention)
        case Sentences():
            return prepare_sentences(saved, suite, convention)
        case Gym():
            return prepare_gym(saved, suite, convention)
        case _:
            assert_never(suite)
