"""Minimal pairs, and their construction from the records of a suite's file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from fictdsl.diagnostics.codes import diagnostic
from runner.errors import InputError
from runner.score.suites.csv_rows import line_error

# names of the acceptable and of the unacceptable sentence: that of BLiMP, and its short form
GOOD, BAD = ("sentence_good", "good"), ("sentence_bad", "bad")


@dataclass(frozen=True, slots=True)
class Pair:
    """An acceptable sentence and an unacceptable one.

    If the suite marks the critical word, `prefixes` are the texts before it and `words` are the critical words, each as
    (good, bad). With `one_prefix`, both sentences have the same prefix; with `two_prefix`, the same critical word.
    """

    paradigm: str
    phenomenon: str
    field: str
    item: int  # number of the item within the paradigm, or -1 if unknown
    good: str
    bad: str
    prefix_method: str = ""  # one_prefix, two_prefix or empty
    prefixes: tuple[str, str] = ("", "")
    words: tuple[str, str] = ("", "")


def non_empty(path: Path, pairs: Iterable[Pair]) -> Iterator[Pair]:
    """Yield the pairs. Raises InputError (FICT811) if there are none."""
    is_empty = True
    for pair in pairs:
        is_empty = False
        yield pair
    if is_empty:
        raise InputError(diagnostic("FICT811", path=path, reason="it contains no pair"))


def pair_of(path: Path, source: str, line: int, record: Mapping[str, Any]) -> Pair:
    """Return the pair of a record with the keys of BLiMP or their short names (see `load_suite`).

    `source` is the file's text and `line` the record's last line, for errors. Raises InputError (FICT812) if a sentence
    is missing or a value has the wrong type.
    """

    def field_text(*keys: str, types: tuple[type, ...] = (str,)) -> str:
        key = next((key for key in keys if record.get(key) not in (None, "")), None)
        if key is None:
            return ""
        if not isinstance(record[key], types) or isinstance(record[key], bool):
            raise line_error(path, source, line, f"its `{key}` is not a string")
        return str(record[key])

    good, bad = field_text(*GOOD).strip(), field_text(*BAD).strip()
    for side, sentence, keys in (("acceptable", good, GOOD), ("unacceptable", bad, BAD)):
        if not sentence:
            raise line_error(path, source, line, f"the {side} sentence is missing{_keys_read(keys, record)}")
    item = field_text("pairID", "item", types=(str, int))
    pair = Pair(
        field_text("UID", "paradigm", types=(str, int)) or path.stem,
        field_text("linguistics_term", "phenomenon"),
        field_text("field"),
        int(item) if item.isascii() and item.isdigit() and len(item) < 10 else -1,
        good,
        bad,
    )
    if record.get("one_prefix_prefix"):
        prefix, words = (
            field_text("one_prefix_prefix"),
            (field_text("one_prefix_word_good"), field_text("one_prefix_word_bad")),
        )
        return replace(pair, prefix_method="one_prefix", prefixes=(prefix, prefix), words=words)
    if record.get("two_prefix_word"):
        prefixes = field_text("two_prefix_prefix_good"), field_text("two_prefix_prefix_bad")
        return replace(pair, prefix_method="two_prefix", prefixes=prefixes, words=(field_text("two_prefix_word"),) * 2)
    return pair


def _keys_read(keys: Sequence[str], record: Mapping[str, Any]) -> str:
    """Return which keys are read and which a record has, or "" if it has one of them."""
    if any(key in record for key in keys):
        return ""
    present = ", ".join(f"`{key}`" for key in list(record)[:20]) or "none"
    return f", whose key is {' or '.join(f'`{key}`' for key in keys)}; the keys of the line are {present}"
