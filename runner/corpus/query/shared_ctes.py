"""Find common table expressions that several statements share, so that each is computed once."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from fictdsl.sql.statement import Statement
from runner.workspace import key

_MATERIALIZED = '" AS MATERIALIZED ('  # follows the name of a CTE that is computed once
_QUOTED = re.compile(r"'(?:[^']|'')*'|" r'"(\w+)"|"(?:[^"]|"")*"')  # a string or a name; group 1: a generated name


@dataclass(frozen=True, slots=True)
class SharedCtes:
    """Tables by name, each as a SELECT; and the `texts` of the statements, which read the store's and these tables."""

    tables: Mapping[str, str]
    texts: Sequence[str]


def share_ctes(statements: Sequence[Statement]) -> SharedCtes:
    """Return the CTEs that two or more statements define identically, with all that these read."""
    keys = [_cte_keys(statement) for statement in statements]
    frequencies = Counter(cte_key for statement_keys in keys for cte_key in set(statement_keys.values()))
    tables: dict[str, str] = {}
    texts = []
    for statement, statement_keys in zip(statements, keys, strict=True):
        definitions = dict(statement.tables)
        shared_names = {
            name: f"shared_{cte_key[:16]}"
            for name, cte_key in statement_keys.items()
            if frequencies[cte_key] > 1 and definitions[name].startswith(f'"{name}{_MATERIALIZED}')
        }
        main = statement.text.removeprefix(_with_clause(definitions.values()))
        required_names = _required_ctes(main, definitions, shared_names)
        for name in required_names:
            if name in shared_names:
                body = definitions[name].partition(_MATERIALIZED)[2].removesuffix(")")
                required = _required_ctes(body, definitions, {})
                tables.setdefault(shared_names[name], _with_clause(definitions[name] for name in required) + body)
        definitions_read = [
            f'"{name}" AS (FROM "{shared_names[name]}")' if name in shared_names else definitions[name]
            for name in required_names
        ]
        texts.append(_with_clause(definitions_read) + main)
    return SharedCtes(tables, texts)


def _cte_keys(statement: Statement) -> dict[str, str]:
    """Return a key for each CTE of a statement, independent of its name and of those of the CTEs that it reads."""
    keys: dict[str, str] = {}
    for name, definition in statement.tables:
        _, _, body = definition.partition('" AS ')
        keys[name] = key(_QUOTED.sub(lambda match: f'"{keys[match[1]]}"' if match[1] in keys else match[0], body))
    return keys


def _required_ctes(text: str, definitions: Mapping[str, str], shared: Mapping[str, str]) -> list[str]:
    """Return the CTEs that a text reads, in order, with those that they read themselves, except below `shared` ones."""
    required, pending = set(), list(_references(text, definitions))
    while pending:
        name = pending.pop()
        if name not in required:
            required.add(name)
            if name not in shared:
                pending += _references(definitions[name], definitions)
    return [name for name in definitions if name in required]


def _references(text: str, definitions: Mapping[str, str]) -> Iterator[str]:
    return (match[1] for match in _QUOTED.finditer(text) if match[1] in definitions)


def _with_clause(definitions: Iterable[str]) -> str:
    joined = ", ".join(definitions)
    return f"WITH {joined} " if joined else ""
