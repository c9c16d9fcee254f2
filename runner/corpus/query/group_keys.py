"""Parse the keys by which matches are counted, such as `genre,upos(X)`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fictdsl.diagnostics.codes import diagnostic
from fictdsl.diagnostics.suggest import did_you_mean
from fictdsl.schema import LOWERED, WORD_STRINGS
from runner.corpus.store.opening import Store
from runner.corpus.store.run_query import run_query
from runner.errors import InputError

if TYPE_CHECKING:
    from fictdsl.compiler import CompiledFilter

SENTENCE_KEYS = ("doc", "source", "sent_id", "length")

_LOWER = re.compile(r"lower\((.+)\)")
_WORD_KEY = re.compile(r"(?P<attribute>[^()]+)\((?P<name>\w+)\)|(?P<name2>[A-Za-z]\w*)\.(?P<attribute2>.+)")


@dataclass(frozen=True, slots=True)
class GroupKey:
    """A key: the `attribute` of the word bound to `name`, or of the sentence if `name` is None."""

    text: str
    attribute: str
    name: str | None


def parse_group_keys(text: str, compiled: CompiledFilter, store: Store) -> list[GroupKey]:
    """Parse keys separated by commas.

    Raises InputError if an attribute does not exist (FICT775) or the filter does not bind a name (FICT776).
    """
    comments = _comments(store)
    return [_parse_key(part.strip(), compiled, store, comments) for part in text.split(",")]


def _parse_key(text: str, compiled: CompiledFilter, store: Store, comments: Sequence[str]) -> GroupKey:
    lower = _LOWER.fullmatch(text)
    word_key = _WORD_KEY.fullmatch(lower[1] if lower else text)
    if word_key is None or (word_key["name2"] and word_key["name2"] not in compiled.names):
        _check_attribute(text, text, list(dict.fromkeys([*SENTENCE_KEYS, "genre", *comments])))
        return GroupKey(text, text, None)
    attribute, name = word_key["attribute"] or word_key["attribute2"], word_key["name"] or word_key["name2"]
    if name not in compiled.names:
        hint = did_you_mean(name, compiled.names) or _names_hint(compiled.names)
        raise InputError(diagnostic("FICT776", filter=compiled.name, name=name, hint=hint))
    if lower:
        _check_attribute(text, attribute, list(LOWERED))
        return GroupKey(text, LOWERED[attribute], name)
    if not attribute.startswith("misc."):
        _check_attribute(text, attribute, [*WORD_STRINGS, *store.info.features])
    return GroupKey(text, attribute, name)


def _check_attribute(text: str, attribute: str, known: Sequence[str]) -> None:
    if attribute not in known:
        hint = did_you_mean(attribute, known) or _names_hint(known)
        raise InputError(diagnostic("FICT775", key=text, hint=hint))


def _names_hint(known: Sequence[str]) -> str | None:
    return (
        f"there is {', '.join(f'`{name}`' for name in known[:12])}{' …' if len(known) > 12 else ''}" if known else None
    )


def _comments(store: Store) -> list[str]:
    query = "SELECT DISTINCT key FROM meta ORDER BY key"
    rows = run_query(store, lambda connection: connection.execute(query).fetchall(), tables=["meta"])
    return [key for (key,) in rows]
