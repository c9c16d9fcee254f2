"""Statements into the tables that several of them compute alike, and the statements that read these instead."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from fictdsl.sql.statement import Statement
from runner.workspace import key

_KEPT = '" AS MATERIALIZED ('  # follows the name in the definition of a table that is computed once
_QUOTED = re.compile(r"'(?:[^']|'')*'|" r'"(\w+)"|"(?:[^"]|"")*"')  # a string, or a name: generated ones are a group


@dataclass(frozen=True, slots=True)
class Shared:
    """`tables` maps names to SELECTs; `texts` are the statements, each over the tables of a store and some of these."""

    tables: Mapping[str, str]
    texts: Sequence[str]


def share(statements: Sequence[Statement]) -> Shared:
    """Find the common tables that two or more statements define alike, with all that these read."""
    keys = [_keys(statement) for statement in statements]
    often = Counter(one for found in keys for one in set(found.values()))
    tables: dict[str, str] = {}
    texts = []
    for statement, known in zip(statements, keys, strict=True):
        definitions = dict(statement.tables)
        taken = {
            name: f"shared_{one[:16]}"
            for name, one in known.items()
            if often[one] > 1 and definitions[name].startswith(f'"{name}{_KEPT}')
        }
        rest = statement.text.removeprefix(_before(definitions.values()))
        needed = _needed(rest, definitions, taken)
        for name in needed:
            if name in taken:
                body = definitions[name].partition(_KEPT)[2].removesuffix(")")
                own = _needed(body, definitions, {})
                tables.setdefault(taken[name], _before(definitions[each] for each in own) + body)
        kept = [f'"{name}" AS (FROM "{taken[name]}")' if name in taken else definitions[name] for name in needed]
        texts.append(_before(kept) + rest)
    return Shared(tables, texts)


def _keys(statement: Statement) -> dict[str, str]:
    """What each common table of a statement is, whatever it and those that it reads are called."""
    found: dict[str, str] = {}
    for name, definition in statement.tables:
        _, _, body = definition.partition('" AS ')
        found[name] = key(_QUOTED.sub(lambda match: f'"{found[match[1]]}"' if match[1] in found else match[0], body))
    return found


def _needed(text: str, definitions: Mapping[str, str], taken: Mapping[str, str]) -> list[str]:
    """The common tables that a text reads, and those that they read unless they are taken from elsewhere, in order."""
    wanted, waiting = set(), list(_named(text, definitions))
    while waiting:
        name = waiting.pop()
        if name not in wanted:
            wanted.add(name)
            if name not in taken:
                waiting += _named(definitions[name], definitions)
    return [name for name in definitions if name in wanted]


def _named(text: str, definitions: Mapping[str, str]) -> Iterator[str]:
    return (match[1] for match in _QUOTED.finditer(text) if match[1] in definitions)


def _before(definitions: Iterable[str]) -> str:
    listed = ", ".join(definitions)
    return f"WITH {listed} " if listed else ""
