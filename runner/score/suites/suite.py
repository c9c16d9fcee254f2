"""Suites of minimal pairs, read from BLiMP, JSON lines, CSV or WinoBias."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from fictdsl.diagnostics.codes import diagnostic
from fictdsl.diagnostics.suggest import nearest
from runner.errors import InputError
from runner.readers import parse_json, read_text
from runner.score.suites.lines import bad_line, csv_records
from runner.score.suites.winobias import is_winobias, winobias_pairs


@dataclass(frozen=True, slots=True)
class Pair:
    """An acceptable sentence and an unacceptable one.

    `prefixes` and `words`, each (good, bad), mark the critical word after a prefix where the suite marks it. With
    `one_prefix` the prefix is shared, with `two_prefix` the word is.
    """

    paradigm: str
    phenomenon: str
    field: str
    item: int  # number within the paradigm
    good: str
    bad: str
    prefix_method: str = ""  # one_prefix, two_prefix, or none
    prefixes: tuple[str, str] = ("", "")
    words: tuple[str, str] = ("", "")


@dataclass(frozen=True)
class Suite:
    """Minimal pairs, grouped by paradigm."""

    name: str
    items: list[Pair]

    @property
    def paradigms(self) -> list[str]:
        """Names of paradigms in order of first appearance."""
        return list(dict.fromkeys(pair.paradigm for pair in self.items))


def load_suite(
    path: Path, name: str | None = None, *, limit: int | None = None, paradigms: Sequence[str] | None = None
) -> Suite:
    """Read a folder of .jsonl files (BLiMP) or of WinoBias, a .jsonl file or a .csv file.

    JSON lines have `sentence_good` and `sentence_bad` (or `good` and `bad`), and optionally `UID` (or `paradigm`),
    `linguistics_term` (or `phenomenon`), `field`, `pairID` (or `item`) and BLiMP's prefix fields. A CSV file has a
    header with the columns good and bad, and optionally paradigm, phenomenon, field and item. The paradigm defaults to
    the file's name. `limit` keeps the first pairs of each paradigm; `paradigms` keeps only these. Raises InputError
    (FICT811, 812, 817).
    """
    if is_winobias(path):
        pairs = _non_empty(path, (Pair(**record) for record in winobias_pairs(path)))
    else:
        pairs = [pair for file in _files(path) for pair in _non_empty(file, _pairs(file))]
    names = list(dict.fromkeys(pair.paradigm for pair in pairs))
    for paradigm in paradigms or ():
        if paradigm not in names:
            suggestion = nearest(paradigm, names)
            hint = f"the nearest is `{suggestion}`" if suggestion else None
            raise InputError(diagnostic("FICT817", path=path, name=paradigm, hint=hint))
    grouped: dict[str, list[Pair]] = {}
    for pair in pairs:
        if not paradigms or pair.paradigm in paradigms:
            grouped.setdefault(pair.paradigm, []).append(pair)
    selected = [pair for group in grouped.values() for pair in _numbered(group)[:limit]]
    return Suite(name or path.stem, selected)


def _files(path: Path) -> list[Path]:
    if path.is_dir():
        matches = sorted(path.glob("*.jsonl"))
        if not matches:
            raise InputError(diagnostic("FICT811", path=path, reason="the folder contains no .jsonl file"))
        return matches
    if not path.exists():
        raise InputError(diagnostic("FICT811", path=path, reason="no such file or folder"))
    return [path]


def _non_empty(path: Path, pairs: Iterable[Pair]) -> list[Pair]:
    """Return the pairs as a list. Raises InputError (FICT811) if there are none."""
    result = list(pairs)
    if not result:
        raise InputError(diagnostic("FICT811", path=path, reason="it contains no pair"))
    return result


def _pairs(path: Path) -> Iterator[Pair]:
    try:
        text = read_text(path)
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(diagnostic("FICT811", path=path, reason=str(error))) from error
    match path.suffix.lower():
        case ".jsonl" | ".json":
            records = _json_lines(path, text)
        case ".csv":
            records = csv_records(path, text, ("good", "bad"))
        case suffix:
            reason = f"its suffix is {suffix or 'empty'}, not .jsonl or .csv"
            raise InputError(diagnostic("FICT811", path=path, reason=reason))
    for line, record in records:
        yield _pair(path, text, line, record)


def _json_lines(path: Path, text: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
    for number, line in enumerate(text.split("\n"), 1):  # splitlines would also split at U+2028 within a string
        if not line.strip():
            continue
        try:
            record = parse_json(line)
        except json.JSONDecodeError as error:
            raise bad_line(path, text, number, f"it is not JSON ({error.msg}, column {error.colno})") from error
        if not isinstance(record, dict):
            raise bad_line(path, text, number, "it is not a JSON object")
        yield number, record


def _pair(path: Path, source: str, line: int, record: Mapping[str, Any]) -> Pair:
    def text(*keys: str, kinds: tuple[type, ...] = (str,)) -> str:
        key = next((key for key in keys if record.get(key) not in (None, "")), None)
        if key is None:
            return ""
        if not isinstance(record[key], kinds):
            raise bad_line(path, source, line, f"its `{key}` is not a string")
        return str(record[key])

    good, bad = text("sentence_good", "good").strip(), text("sentence_bad", "bad").strip()
    for kind, sentence in (("acceptable", good), ("unacceptable", bad)):
        if not sentence:
            raise bad_line(path, source, line, f"the {kind} sentence is missing")
    item = text("pairID", "item", kinds=(str, int))
    pair = Pair(
        text("UID", "paradigm", kinds=(str, int)) or path.stem,
        text("linguistics_term", "phenomenon"),
        text("field"),
        int(item) if item.isascii() and item.isdigit() and len(item) < 10 else -1,
        good,
        bad,
    )
    if record.get("one_prefix_prefix"):
        prefix, words = text("one_prefix_prefix"), (text("one_prefix_word_good"), text("one_prefix_word_bad"))
        return replace(pair, prefix_method="one_prefix", prefixes=(prefix, prefix), words=words)
    if record.get("two_prefix_word"):
        prefixes = text("two_prefix_prefix_good"), text("two_prefix_prefix_bad")
        return replace(pair, prefix_method="two_prefix", prefixes=prefixes, words=(text("two_prefix_word"),) * 2)
    return pair


def _numbered(pairs: list[Pair]) -> list[Pair]:
    """Return the pairs with their own numbers if these are unique, else numbered from 0."""
    numbers = {pair.item for pair in pairs}
    if len(numbers) == len(pairs) and min(numbers) >= 0:
        return pairs
    return [replace(pair, item=index) for index, pair in enumerate(pairs)]
