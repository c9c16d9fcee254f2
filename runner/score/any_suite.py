"""Open and encode suites of any kind, and write and read the files from which cells score."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeAlias, assert_never

from fictdsl.diagnostics.codes import diagnostic
from runner.errors import InputError
from runner.model.saved import SavedModel
from runner.score.convention import Convention
from runner.score.minimal_pairs import prepare_pairs, read_pair_suite, write_pair_suite
from runner.score.preferences import Preferences
from runner.score.ratings import Sentences, load_sentences, prepare_sentences
from runner.score.sentence_scores import Prepared
from runner.score.suites import Suite, SuiteKind, kind_of, load_suite
from runner.score.syntaxgym import Sentence, SyntaxGym, load_syntaxgym, prepare_syntaxgym
from runner.workspace import write_text

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
    are too long for the model have no score. Raises InputError as `runner.score.minimal_pairs.prepare_pairs` does.
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
    match suite:
        case Suite():
            yield from (text for pair in suite.items for text in (pair.good, pair.bad))
        case Sentences():
            yield from (item.text for item in suite.items)
        case SyntaxGym():
            yield from (sentence.text for sentence in suite.sentences)
        case _:
            assert_never(suite)


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
