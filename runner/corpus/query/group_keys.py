"""`genre,upos(X)` to what matches are counted by: each key as SQL over the tables of a store."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fictdsl.diagnostics.codes import diagnostic
from fictdsl.diagnostics.suggest import did_you_mean
from runner.corpus.store.opening import Store
from runner.corpus.store.run_query import run_query
from runner.errors import InputError

if TYPE_CHECKING:
    from fictdsl.compiler import CompiledFilter

COLUMNS = ("form", "lemma", "upos", "xpos", "deprel")
LOWERED = {"form": "form_l", "lemma": "lemma_l"}
OF_SENTENCES = ("doc", "source", "sent_id", "length")

_LOWER = re.compile(r"lower\((.+)\)")
_OF_A_WORD = re.compile(r"(?P<what>[^()]+)\((?P<name>\w+)\)|(?P<name2>[A-Za-z]\w*)\.(?P<what2>.+)")


@dataclass(frozen=True, slots=True)
class Key:
    """What to count by: `what` of the word called `name`, or of the sentence where `name` is None."""

    text: str
    what: str
    name: str | None


def read_keys(text: str, compiled: CompiledFilter, store: Store) -> list[Key]:
    """The keys between commas, each checked against the filter and the store; InputError for what is neither's."""
    comments = _comments(store)
    return [_key(part.strip(), compiled, store, comments) for part in text.split(",")]


def _key(written: str, compiled: CompiledFilter, store: Store, comments: Sequence[str]) -> Key:
    lowered = _LOWER.fullmatch(written)
    found = _OF_A_WORD.fullmatch(lowered[1] if lowered else written)
    if found is None or (found["name2"] and found["name2"] not in compiled.names):
        _check(written, written, list(dict.fromkeys([*OF_SENTENCES, "genre", *comments])))
        return Key(written, written, None)
    what, name = found["what"] or found["what2"], found["name"] or found["name2"]
    if name not in compiled.names:
        hint = did_you_mean(name, compiled.names) or _listed(compiled.names)
        raise InputError(diagnostic("FICT776", filter=compiled.name, name=name, hint=hint))
    if lowered:
        _check(written, what, list(LOWERED))
        return Key(written, LOWERED[what], name)
    if not what.startswith("misc."):
        _check(written, what, [*COLUMNS, *store.info.features])
    return Key(written, what, name)


def _check(written: str, what: str, known: Sequence[str]) -> None:
    if what not in known:
        hint = did_you_mean(what, known) or _listed(known)
        raise InputError(diagnostic("FICT775", key=written, hint=hint))


def _listed(known: Sequence[str]) -> str | None:
    return f"there is {', '.join(f'`{one}`' for one in known[:12])}{' …' if len(known) > 12 else ''}" if known else None


def _comments(store: Store) -> list[str]:
    query = "SELECT DISTINCT key FROM meta ORDER BY key"
    rows = run_query(store, lambda connection: connection.execute(query).fetchall(), tables=["meta"])
    return [key for (key,) in rows]
