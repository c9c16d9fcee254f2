"""Layers of annotation and sub-corpora to how many words have each value."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fictdsl.diagnostics.codes import diagnostic
from fictdsl.diagnostics.suggest import did_you_mean
from runner.corpus.apply import in_parts
from runner.corpus.schema import FEATURE
from runner.corpus.stats.groups import Groups
from runner.corpus.store import Store
from runner.errors import InputError

if TYPE_CHECKING:
    import duckdb

OTHER = "Other"  # the value of a word without one
TAGS = ("upos", "xpos", "deprel")
WORDS = {"form": "form_l", "lemma": "lemma_l"}  # counted in lower case, and only if asked for
MISC = "misc."  # begins the name of an entry of MISC, counted only if asked for; several values of a word are one list
_AT_ONCE = 24  # layers a scan


@dataclass(frozen=True, slots=True)
class Frequencies:
    """`words` a sub-corpus (its own total), and for each layer and value the words that have it, by sub-corpus."""

    groups: Groups
    words: tuple[int, ...]
    counts: dict[str, dict[str, tuple[int, ...]]]


def layers_of(store: Store, asked: Sequence[str] = ()) -> tuple[str, ...]:
    """The layers asked for, else upos, xpos, deprel and every feature; InputError FICT799 for one that is none."""
    named = (*TAGS, *sorted(store.info.features), *WORDS)
    known = (*named, *(_misc_keys(store) if any(name.startswith(MISC) for name in asked) else ()))
    for name in asked:
        if name not in known:
            raise InputError(diagnostic("FICT799", name=name, path=store.path, hint=did_you_mean(name, known)))
    return tuple(dict.fromkeys(asked)) or named[: -len(WORDS)]


def _misc_keys(store: Store) -> list[str]:
    query = "SELECT DISTINCT key FROM misc"
    parts = in_parts(store, (), ["misc"], lambda connection: connection.execute(query).fetchall())
    return sorted({MISC + key for part in parts for (key,) in part})


def frequencies(store: Store, groups: Groups, layers: Sequence[str]) -> Frequencies:
    """Count words, a part of the store at a time."""
    size = len(groups.names)
    counts: dict[str, dict[str, list[int]]] = {layer: {} for layer in layers}
    words = [0] * size
    features = [one for one in layers if one not in TAGS and one not in WORDS and not one.startswith(MISC)]
    tables = ["tokens", *(["misc"] if any(layer.startswith(MISC) for layer in layers) else [])]
    for part in in_parts(store, features, tables, lambda connection: list(_counted(connection, groups, layers))):
        for layer, value, group, count in part:
            if layer is None:
                words[group] += count
            else:
                counts[layer].setdefault(value, [0] * size)[group] += count
    ordered = {
        layer: {value: tuple(found[value]) for value in sorted(found, key=lambda v: (-sum(found[v]), v))}
        for layer, found in counts.items()
    }
    return Frequencies(groups, tuple(words), ordered)


def _counted(
    connection: duckdb.DuckDBPyConnection, groups: Groups, layers: Sequence[str]
) -> Iterator[tuple[str | None, str, int, int]]:
    """Layer (None: all words), value, sub-corpus and words, of one part; one scan for some layers together."""
    connection.register("grouped", groups.rows)
    for group, count in connection.execute(
        "SELECT grp, count(*) FROM tokens JOIN grouped USING (sid) GROUP BY grp"
    ).fetchall():
        yield None, "", group, count
    for layer in [one for one in layers if one.startswith(MISC)]:
        query = f"""WITH found AS (SELECT sid, id, string_agg(value, ',' ORDER BY value) AS value
            FROM misc WHERE key = ? GROUP BY sid, id)
            SELECT coalesce(value, '{OTHER}'), grp, count(*) FROM tokens JOIN grouped USING (sid)
            LEFT JOIN found USING (sid, id) GROUP BY ALL"""  # noqa: S608
        for value, group, count in connection.execute(query, [layer.removeprefix(MISC)]).fetchall():
            yield layer, value, group, count
    layers = [layer for layer in layers if not layer.startswith(MISC)]
    for start in range(0, len(layers), _AT_ONCE):
        some = layers[start : start + _AT_ONCE]
        columns = ", ".join(f"{_value(layer)} AS v{i}" for i, layer in enumerate(some))
        names = ", ".join(f"v{i}" for i in range(len(some)))
        sets = ", ".join(f"(grp, v{i})" for i in range(len(some)))
        query = f"""SELECT grp, grouping({names}), coalesce({names}, ''), count(*)
            FROM (SELECT grp, {columns} FROM tokens JOIN grouped USING (sid)) GROUP BY GROUPING SETS ({sets})"""  # noqa: S608
        for group, absent, value, count in connection.execute(query).fetchall():
            # `grouping` has a bit for each column, the first the highest, that is 0 where the row is of that column
            place = next(i for i in range(len(some)) if not absent >> (len(some) - 1 - i) & 1)
            yield some[place], value, group, count


def _value(layer: str) -> str:
    name = WORDS.get(layer, layer if layer in TAGS else FEATURE + layer).replace('"', '""')
    return f"coalesce(nullif(\"{name}\", '_'), '{OTHER}')"
