"""Count the words of sub-corpora by annotation, and compare the sub-corpora: divergence and log-odds ratios."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import NormalDist
from typing import TYPE_CHECKING, TypeAlias

from fictdsl.diagnostics.suggest import did_you_mean
from fictdsl.schema import FEATURE_PREFIX, LOWERED, SENTENCE_STRINGS, TAGS, identifier
from fictdsl.sql.statement import quoted
from runner.corpus.match_keys import (
    comment_keys_of,
    metadata_query,
    misc_keys_of,
    sentence_metadata_query,
)
from runner.corpus.matches import run_in_parts
from runner.corpus.run_query import fetch_rows, fetch_table, run_query
from runner.corpus.store import Store
from runner.errors import InputError

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa


@dataclass(frozen=True)
class Groups:
    """Sub-corpora by the values of `key`. `rows` has the columns `sid` and `grp`, the index of the sub-corpus."""

    key: str
    names: tuple[str, ...]
    sentences: tuple[int, ...]
    rows: pa.Table
    sentences_without_value: int


def whole_corpus(store: Store) -> Groups:
    rows = fetch_table(store, "SELECT sid, 0::INTEGER AS grp FROM sentences", ["sentences"])
    return Groups("", ("all",), (rows.num_rows,), rows, 0)


def read_groups(store: Store, key: str, until: str | None = None) -> Groups:
    """Group sentences by a key, whose values are cut before the first `until`, sorted. Raises InputError (FICT797)."""
    # a genre must be declared: it is not derived from the name of the document
    query, parameters = sentence_metadata_query(key) if key == "genre" else metadata_query(key)
    value, values = ("value", []) if until is None else ("split_part(value, ?, 1)", [until])
    cut = f"SELECT sid, {value} AS value FROM sentences LEFT JOIN ({query}) USING (sid)"  # noqa: S608

    def work(connection: duckdb.DuckDBPyConnection) -> tuple[list[tuple[str | None, int]], pa.Table]:
        connection.execute(f"CREATE TEMP TABLE cut AS {cut}", [*values, *parameters])
        counts = connection.execute("SELECT value, count(*) FROM cut GROUP BY value ORDER BY value").fetchall()
        rows = connection.sql(
            "SELECT sid, grp FROM cut JOIN (SELECT value, (row_number() OVER (ORDER BY value) - 1)::INTEGER AS grp "
            "FROM (SELECT DISTINCT value FROM cut WHERE value IS NOT NULL)) USING (value)"
        ).to_arrow_table()
        return counts, rows

    counts, rows = run_query(store, work, tables=["sentences", "meta"])
    sizes = {name: count for name, count in counts if name is not None}
    if not sizes:
        raise InputError.of("FICT797", key=key, path=store.path, hint=_key_hint(store, key))
    sentences_without_value = sum(count for name, count in counts if name is None)
    return Groups(key, tuple(sizes), tuple(sizes.values()), rows, sentences_without_value)


def _key_hint(store: Store, key: str) -> str:
    separator = "nullif(regexp_extract(doc, '^[^-_]+([-_])', 1), '')"  # as in `weblog-blogspot.com`
    query = f"SELECT {separator} FROM sentences WHERE doc IS NOT NULL ORDER BY sid LIMIT 1"  # noqa: S608
    for (found,) in fetch_rows(store, query, tables=["sentences"]) if key == "genre" else ():
        if found is not None:
            return f"`--by doc --until {found}` groups by the first part of the documents' names"
    known = list(dict.fromkeys([*SENTENCE_STRINGS, *comment_keys_of(store)]))
    return did_you_mean(key, known) or f"there is {', '.join(f'`{comment}`' for comment in known[:12])}"


def select_groups(groups: Groups, names: tuple[str, ...]) -> Groups:
    """Return some of the sub-corpora, in the order of `names`. Raises InputError (FICT798) if one does not exist."""
    import pyarrow as pa
    import pyarrow.compute as pc

    for name in names:
        if name not in groups.names:
            hint = did_you_mean(name, groups.names) or f"there is {', '.join(groups.names[:12])}"
            raise InputError.of("FICT798", value=name, key=groups.key, hint=hint)
    indices = [groups.names.index(name) for name in names]
    new_groups = pc.index_in(groups.rows["grp"], value_set=pa.array(indices, groups.rows["grp"].type))
    rows = groups.rows.set_column(1, "grp", new_groups).filter(pc.is_valid(new_groups))
    return Groups(
        groups.key, names, tuple(groups.sentences[index] for index in indices), rows, groups.sentences_without_value
    )


OTHER = "Other"  # label of the missing value of a word
MISC_PREFIX = "misc."  # prefix of entries of MISC, which are counted only on request; several values are comma-joined
_LAYERS_PER_SCAN = 24
Count: TypeAlias = tuple[str | None, str, int, int]  # layer (None: all words), value, sub-corpus, number of words


@dataclass(frozen=True, slots=True)
class Frequencies:
    groups: Groups
    words: tuple[int, ...]
    counts: dict[str, dict[str, tuple[int, ...]]]


def resolve_layers(store: Store, names: Sequence[str] = ()) -> tuple[str, ...]:
    """Return layers without duplicates (default: tags and every feature). Raises InputError (FICT799)."""
    columns = (*TAGS, *sorted(store.info.features), *LOWERED)
    misc_keys = sorted(misc_keys_of(store)) if any(name.startswith(MISC_PREFIX) for name in names) else ()
    known = (*columns, *(MISC_PREFIX + key for key in misc_keys))
    for name in names:
        if name not in known:
            raise InputError.of("FICT799", name=name, path=store.path, hint=did_you_mean(name, known))
    return tuple(dict.fromkeys(names)) or columns[: -len(LOWERED)]


def frequencies(store: Store, groups: Groups, layers: Sequence[str], *, lower: bool = False) -> Frequencies:
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
    return f"nullif({quoted(LOWERED.get(layer, column) if lower else column)}, '_')"


@dataclass(frozen=True, slots=True)
class Association:
    layer: str
    value: str
    group: str
    inside: int
    outside: int
    expected: float  # number of words inside if the value were as frequent as in the whole corpus
    log_odds: float
    low: float
    high: float


def log_odds(a: int, b: int, c: int, d: int, confidence: float = 0.95) -> tuple[float, float, float]:
    """Return ln((a + ½)(d + ½) / ((b + ½)(c + ½))) of a table [[a, b], [c, d]], and its Wald interval.

    The ½ added to each cell keeps the ratio finite (Haldane 1956, Anscombe 1956). The variance is the sum of
    1/(cell + ½) (Gart 1966). Words are treated as independent, so the interval is too narrow for bursty values.
    """
    cells = [x + 0.5 for x in (a, b, c, d)]
    estimate = math.log(cells[0] * cells[3] / (cells[1] * cells[2]))
    half_width = NormalDist().inv_cdf((1 + confidence) / 2) * math.sqrt(sum(1 / x for x in cells))
    return estimate, estimate - half_width, estimate + half_width


def associations(
    frequencies: Frequencies, group: int, *, minimum: int = 5, confidence: float = 0.95
) -> list[Association]:
    """Return values of at least `minimum` words by the lower bounds of their intervals: rare ones are uncertain."""
    words, group_words = sum(frequencies.words), frequencies.words[group]
    ranked = []
    for layer, counts in frequencies.counts.items():
        for value, by_group in counts.items():
            total = sum(by_group)
            if total < minimum or total == words:
                continue
            a, c = by_group[group], total - by_group[group]
            estimate, low, high = log_odds(a, group_words - a, c, words - group_words - c, confidence)
            expected = total * group_words / words
            ranked.append(
                Association(layer, value, frequencies.groups.names[group], a, c, expected, estimate, low, high)
            )
    return sorted(ranked, key=lambda association: (-association.low, association.layer, association.value))


def unseen(frequencies: Frequencies, group: int, minimum: int = 5) -> list[Association]:
    absent = [item for item in associations(frequencies, group, minimum=minimum) if not item.inside]
    return sorted(absent, key=lambda item: (-item.expected, item.layer, item.value))


def overrepresented(frequencies: Frequencies, group: int, minimum: int = 5, ratio: float = 2.0) -> list[Association]:
    ranked = associations(frequencies, group, minimum=minimum)
    return [item for item in ranked if item.inside >= minimum and item.low >= math.log(ratio)]


@dataclass(frozen=True, slots=True)
class Layer:
    """Divergences of one layer in nats, by pair of sub-corpora (indices, the lower first).

    `pairs` does not contain the sub-corpora `absent`, in which no word has a value of the layer. `values` has the
    shares of values in the sum over pairs, in descending order.
    """

    name: str
    pairs: dict[tuple[int, int], float]
    absent: tuple[int, ...]
    values: tuple[tuple[str, float], ...]

    @property
    def mean(self) -> float | None:
        return math.fsum(self.pairs.values()) / len(self.pairs) if self.pairs else None


@dataclass(frozen=True, slots=True)
class Divergence:
    """Divergences by pair, in nats, as means over the layers that both have."""

    names: tuple[str, ...]
    pairs: dict[tuple[int, int], float]
    layers: tuple[Layer, ...]

    def share(self, layer: Layer) -> float:
        total = math.fsum(value for each_layer in self.layers for value in each_layer.pairs.values())
        return math.fsum(layer.pairs.values()) / total if total else 0.0


def nats_to_bits(nats: float) -> float:
    return nats / math.log(2)


def jensen_shannon(p: Sequence[float], q: Sequence[float]) -> float:
    """Return ½KL(p‖m) + ½KL(q‖m), m = (p + q)/2, in nats: 0 for equal distributions, ln 2 for disjoint ones (Lin 1991).

    `scipy.spatial.distance.jensenshannon` returns the square root of this divergence.
    """
    return max(0.0, math.fsum(contributions(p, q)))


def contributions(p: Sequence[float], q: Sequence[float]) -> list[float]:
    terms = []
    for a, b in zip(p, q, strict=True):
        mean = (a + b) / 2
        terms.append(sum(x / 2 * math.log(x / mean) for x in (a, b) if x))
    return terms


def divergence(frequencies: Frequencies) -> Divergence:
    """Return the divergence of every pair of sub-corpora. Words without a value of a layer count as `Other`."""
    group_count = len(frequencies.words)
    layers = [_layer_divergence(name, counts, frequencies.words) for name, counts in frequencies.counts.items()]
    pairs = {}
    for pair in combinations(range(group_count), 2):
        values = [layer.pairs[pair] for layer in layers if pair in layer.pairs]
        if values:
            pairs[pair] = math.fsum(values) / len(values)
    ranked = sorted(layers, key=lambda layer: (-(layer.mean if layer.mean is not None else -1.0), layer.name))
    return Divergence(frequencies.groups.names, pairs, tuple(ranked))


def _layer_divergence(name: str, counts: Mapping[str, tuple[int, ...]], words: Sequence[int]) -> Layer:
    absent = tuple(
        i for i in range(len(words)) if not any(by_group[i] for value, by_group in counts.items() if value != OTHER)
    )
    shares = {i: [by_group[i] / words[i] for by_group in counts.values()] for i in range(len(words)) if i not in absent}
    pairs = {}
    value_contributions = [0.0] * len(counts)
    for a, b in combinations(shares, 2):
        pairs[a, b] = jensen_shannon(shares[a], shares[b])
        value_contributions = [
            x + y for x, y in zip(value_contributions, contributions(shares[a], shares[b]), strict=True)
        ]
    total = math.fsum(value_contributions)
    ranked_values = sorted(zip(counts, value_contributions, strict=True), key=lambda entry: (-entry[1], entry[0]))
    return Layer(name, pairs, absent, tuple((value, x / total) for value, x in ranked_values if total and x > 0))


CANDIDATES = 1_000  # words that may be inserted into sentences
ContentLemma: TypeAlias = tuple[str, str, int, int, int, int]

_FREQUENT = """
SELECT form_l, count(*) AS n FROM tokens
WHERE CASE WHEN upos IS NULL THEN form = form_l ELSE upos NOT IN ('PROPN', 'PUNCT', 'SYM', 'X') END
AND regexp_full_match(form_l, '\\p{L}+') GROUP BY form_l ORDER BY n DESC, form_l LIMIT ?
"""
_CONTENT = """
WITH objects AS (SELECT DISTINCT sid, head FROM tokens WHERE deprel IN ('obj', 'ccomp', 'xcomp'))
SELECT t.lemma, t.upos, count(*) AS n, count(*) FILTER (t.xpos IN ('NNS', 'VBD', 'VBN')) AS other,
  count(*) FILTER (t.deprel = 'amod') AS attributive, count(o.sid) AS objects
FROM tokens t LEFT JOIN objects o ON o.sid = t.sid AND o.head = t.id
WHERE t.upos IN ('NOUN', 'ADJ', 'VERB') AND regexp_full_match(t.lemma, '[a-z]{3,}')
GROUP BY t.lemma, t.upos ORDER BY n DESC, t.lemma, t.upos LIMIT ?
"""


def form_frequencies(store: Store, *, lowercase: bool, apostrophes_alike: bool = False) -> Counter[str]:
    counts: Counter[str] = Counter()
    for form, count in fetch_rows(store, "SELECT form, count(*) FROM tokens GROUP BY form", tables=["tokens"]):
        word = form.replace("’", "'") if apostrophes_alike else form
        counts[word.lower() if lowercase else word] += count
    return counts


def frequent_words(store: Store) -> list[str]:
    """Return the most frequent words of letters, except names; without UPOS, those that occur in lower case."""
    return [word for word, _ in fetch_rows(store, _FREQUENT, [CANDIDATES], ["tokens"])]


def frequent_tags(store: Store, tags: str) -> dict[str, str]:
    query = f"SELECT form_l, coalesce(mode({tags} ORDER BY {tags}), '_') FROM tokens GROUP BY form_l"  # noqa: S608
    return dict(fetch_rows(store, query, tables=["tokens"]))


def content_lemmas(store: Store, limit: int) -> list[ContentLemma]:
    """Return the most frequent nouns, adjectives and verbs of at least three letters from a to z.

    A row has the lemma, its UPOS tag, and four counts: all words, words with the tag NNS, VBD or VBN, attributive
    words, and words with an object or a clausal complement.
    """
    return fetch_rows(store, _CONTENT, [limit], ["tokens"])
