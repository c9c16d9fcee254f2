"""Write and read the files of suites of any kind. The cells of a run read these files."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, assert_never

from runner.score.evaluate.any_suite import AnySuite, open_suite
from runner.score.evaluate.pairs_io import read_pair_suite, write_pair_suite
from runner.score.evaluate.ratings import Sentences
from runner.score.evaluate.syntaxgym import Sentence, SyntaxGym, load_syntaxgym
from runner.score.suites.kind import SuiteKind
from runner.score.suites.preference import Preferences
from runner.score.suites.suite import Suite
from runner.workspace import write_text

FILES: dict[SuiteKind, str] = {
    "pairs": "pairs.parquet",
    "sentences": "sentences.csv",
    "syntaxgym": "syntaxgym",
    "preference": "preference.parquet",
}
COVARIATES = "covariates.json"  # numeric covariates of each pair of alternants, by name


def write_suite(suite: AnySuite, folder: Path) -> None:
    """Write a suite to a folder, under a name that depends on its kind. Equal suites give equal bytes."""
    match suite:
        case Preferences():
            write_pair_suite(suite, folder / FILES["preference"])
            write_text(folder / COVARIATES, json.dumps(suite.covariates, ensure_ascii=False) + "\n")
        case Suite():
            write_pair_suite(suite, folder / FILES["pairs"])
        case Sentences():
            write_text(folder / FILES["sentences"], _ratings_csv(suite))
        case SyntaxGym():
            for index, (name, content) in enumerate(_syntaxgym_suites(suite)):
                text = json.dumps({"meta": {"name": name}, **content}, ensure_ascii=False, indent=1)
                write_text(folder / FILES["syntaxgym"] / f"{index:04}.json", text + "\n")
        case _:
            assert_never(suite)


def read_suite(path: Path) -> AnySuite:
    """Read a file, or a SyntaxGym folder, that `write_suite` has written.

    Preferences are read as a Suite, without covariates. Raises InputError (FICT811) if the file cannot be read.
    """
    if path.name == FILES["syntaxgym"]:
        return load_syntaxgym(path, is_complete=False)  # it may have the first items of a suite only
    return read_pair_suite(path) if path.name in (FILES["pairs"], FILES["preference"]) else open_suite(path)


def _ratings_csv(suite: Sentences) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["sentence", "rating"])
    writer.writerows((item.text, "" if item.rating is None else repr(item.rating)) for item in suite.items)
    return out.getvalue()


def _syntaxgym_suites(suite: SyntaxGym) -> Iterable[tuple[str, dict[str, Any]]]:
    """Yield the name of each SyntaxGym suite, and its JSON without metadata."""
    for name, formulas in suite.predictions.items():
        items: dict[int, list[Sentence]] = {}
        for sentence in suite.sentences:
            if sentence.suite == name:
                items.setdefault(sentence.item, []).append(sentence)
        yield (
            name,
            {
                "predictions": [{"type": "formula", "formula": formula.text} for formula in formulas],
                "items": [
                    {"item_number": number, "conditions": list(map(_condition_record, sentences))}
                    for number, sentences in items.items()
                ],
            },
        )


def _condition_record(sentence: Sentence) -> dict[str, Any]:
    regions = zip(sentence.region_numbers, sentence.contents, strict=True)
    return {
        "condition_name": sentence.condition,
        "regions": [{"region_number": number, "content": content} for number, content in regions],
    }
