"""Layers of annotation and sub-corpora to how many words have each value."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from fictdsl.diagnostics.codes import diagnostic
from fictdsl.diagnostics.suggest import did_you_mean
from fictdsl.plan.layout import FEATURE, identifier
from runner.corpus.query.matches import in_parts
from runner.corpus.stats.groups import Groups
from runner.corpus.store.opening import Store
from runner.errors import InputError

if TYPE_CHECKING:
    import duckdb

OTHER = "Other"  # the value of a word without one
TAGS = ("upos", "xpos", "deprel")
WORDS = {"form": "form_l", "lemma": "lemma_l"}  # counted in lower case, and only if asked for
MISC = "misc."  # begins the name of an entry of MISC, counted only if asked for; several values of a word are one list
_AT_ONCE = 24  # layers a scan
Count: TypeAlias = tuple[str | None, str, int, int]  # of one part: layer (None: all words), value, sub-corpus, words


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
    entries = [layer for layer in layers if layer.startswith(MISC)]
    columns = [layer for layer in layers if layer not in entries]
    features = [layer for layer in columns if layer not in TAGS and layer not in WORDS]

    def count(connection: duckdb.DuckDBPyConnection) -> list[Count]:
        connection.register("grouped", groups.rows)
        return [*_counted(connection, columns), *_counted_in_misc(connection, entries)]

    for part in in_parts(store, features, ["tokens", *(["misc"] if entries else [])], count):
        for layer, value, group, found in part:
            if layer is None:
                words[group] += found
            else:
                counts[layer].setdefault(value, [0] * size)[group] += found
    ordered = {
        layer: {value: tuple(of[value]) for value in sorted(of, key=lambda v: (-sum(of[v]), v))}
        for layer, of in counts.items()
    }
    return Frequencies(groups, tuple(words), ordered)


def _counted(connection: duckdb.DuckDBPyConnection, layers: Sequence[str]) -> Iterator[Count]:
    """Words of each sub-corpus, and those with each value of layers that are columns, one scan for some together."""
    for group, count in connection.execute(
        "SELECT grp, count(*) FROM tokens JOIN grouped USING (sid) GROUP BY grp"
    ).fetchall():
        yield None, "", group, count
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


def _counted_in_misc(connection: duckdb.DuckDBPyConnection, layers: Sequence[str]) -> Iterator[Count]:
    """Words of each sub-corpus with each value of entries of MISC."""
    query = f"""WITH found AS (SELECT sid, id, string_agg(value, ',' ORDER BY value) AS value
        FROM misc WHERE key = ? GROUP BY sid, id)
        SELECT coalesce(value, '{OTHER}'), grp, count(*) FROM tokens JOIN grouped USING (sid)
        LEFT JOIN found USING (sid, id) GROUP BY ALL"""  # noqa: S608
    for layer in layers:
        for value, group, count in connection.execute(query, [layer.removeprefix(MISC)]).fetchall():
            yield layer, value, group, count


def _value(layer: str) -> str:
    name = WORDS.get(layer, layer if layer in TAGS else identifier(FEATURE + layer)).replace('"', '""')
    return f"coalesce(nullif(\"{name}\", '_'), '{OTHER}')"
