"""Count the words of each sub-corpus with each value of some layers of annotation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from fictdsl.diagnostics.codes import diagnostic
from fictdsl.diagnostics.suggest import did_you_mean
from fictdsl.schema import FEATURE_PREFIX, LOWERED, TAGS, identifier
from runner.corpus.query.matches import run_in_parts
from runner.corpus.stats.groups import Groups
from runner.corpus.store.opening import Store
from runner.errors import InputError

if TYPE_CHECKING:
    import duckdb

OTHER = "Other"  # label of the missing value of a word
MISC_PREFIX = "misc."  # prefix of entries of MISC, which are counted only on request; several values are comma-joined
_LAYERS_PER_SCAN = 24
Count: TypeAlias = tuple[str | None, str, int, int]  # layer (None: all words), value, sub-corpus, number of words


@dataclass(frozen=True, slots=True)
class Frequencies:
    """The number of `words` of each sub-corpus, and for each layer and value, the number of words with this value."""

    groups: Groups
    words: tuple[int, ...]
    counts: dict[str, dict[str, tuple[int, ...]]]


def resolve_layers(store: Store, names: Sequence[str] = ()) -> tuple[str, ...]:
    """Return the names of layers without duplicates. The default is upos, xpos, deprel and every feature.

    Raises InputError (FICT799) if a layer does not exist.
    """
    columns = (*TAGS, *sorted(store.info.features), *LOWERED)
    known = (*columns, *(_misc_keys(store) if any(name.startswith(MISC_PREFIX) for name in names) else ()))
    for name in names:
        if name not in known:
            raise InputError(diagnostic("FICT799", name=name, path=store.path, hint=did_you_mean(name, known)))
    return tuple(dict.fromkeys(names)) or columns[: -len(LOWERED)]


def _misc_keys(store: Store) -> list[str]:
    query = "SELECT DISTINCT key FROM misc"
    parts = run_in_parts(store, (), ["misc"], lambda connection: connection.execute(query).fetchall())
    return sorted({MISC_PREFIX + key for part in parts for (key,) in part})


def frequencies(store: Store, groups: Groups, layers: Sequence[str], *, lower: bool = False) -> Frequencies:
    """Count the words with each value of the layers, reading a part of the store at a time.

    With `lower`, forms and lemmas are counted in lower case.
    """
    group_count = len(groups.names)
    counts: dict[str, dict[str, list[int]]] = {layer: {} for layer in layers}
    words = [0] * group_count
    misc_layers = [layer for layer in layers if layer.startswith(MISC_PREFIX)]
    columns = [layer for layer in layers if layer not in misc_layers]
    features = [layer for layer in columns if layer not in TAGS and layer not in LOWERED]

    def count(connection: duckdb.DuckDBPyConnection) -> list[Count]:
        connection.register("grouped", groups.rows)
        return [*_count_columns(connection, columns, lower=lower), *_count_misc(connection, misc_layers)]

    for part in run_in_parts(store, features, ["tokens", *(["misc"] if misc_layers else [])], count):
        for layer, value, group, word_count in part:
            if layer is None:
                words[group] += word_count
            else:
                counts[layer].setdefault(value, [0] * group_count)[group] += word_count
    ordered = {
        layer: {value: tuple(by_value[value]) for value in sorted(by_value, key=lambda v: (-sum(by_value[v]), v))}
        for layer, by_value in counts.items()
    }
    return Frequencies(groups, tuple(words), ordered)


def _count_columns(connection: duckdb.DuckDBPyConnection, layers: Sequence[str], *, lower: bool) -> Iterator[Count]:
    """Count the words of each sub-corpus, and the words with each value of some columns, several columns per scan."""
    for group, count in connection.execute(
        "SELECT grp, count(*) FROM tokens JOIN grouped USING (sid) GROUP BY grp"
    ).fetchall():
        yield None, "", group, count
    for start in range(0, len(layers), _LAYERS_PER_SCAN):
        batch = layers[start : start + _LAYERS_PER_SCAN]
        columns = ", ".join(f"{_value_sql(layer, lower=lower)} AS v{i}" for i, layer in enumerate(batch))
        names = ", ".join(f"v{i}" for i in range(len(batch)))
        sets = ", ".join(f"(grp, v{i})" for i in range(len(batch)))
        query = f"""SELECT grp, grouping({names}), coalesce({names}, ''), count(*)
            FROM (SELECT grp, {columns} FROM tokens JOIN grouped USING (sid)) GROUP BY GROUPING SETS ({sets})"""  # noqa: S608
        for group, absent, value, count in connection.execute(query).fetchall():
            # `grouping` returns a bit for each column, the first the highest; 0 marks the column of the row
            index = next(i for i in range(len(batch)) if not absent >> (len(batch) - 1 - i) & 1)
            yield batch[index], _label(value or None), group, count


def _count_misc(connection: duckdb.DuckDBPyConnection, layers: Sequence[str]) -> Iterator[Count]:
    """Count the words with each value of entries of MISC."""
    query = """WITH entries AS (SELECT sid, id, string_agg(value, ',' ORDER BY value) AS value
        FROM misc WHERE key = ? GROUP BY sid, id)
        SELECT value, grp, count(*) FROM tokens JOIN grouped USING (sid)
        LEFT JOIN entries USING (sid, id) GROUP BY ALL"""
    for layer in layers:
        for value, group, count in connection.execute(query, [layer.removeprefix(MISC_PREFIX)]).fetchall():
            yield layer, _label(value), group, count


def _label(value: str | None) -> str:
    """Return `Other` for a missing value. The values `Other`, `=Other`, … get another equals sign in front."""
    if value is None:
        return OTHER
    return f"={value}" if value.lstrip("=") == OTHER else value


def _value_sql(layer: str, *, lower: bool) -> str:
    column = layer if layer in TAGS or layer in LOWERED else identifier(FEATURE_PREFIX + layer)
    name = (LOWERED.get(layer, column) if lower else column).replace('"', '""')
    return f"nullif(\"{name}\", '_')"
