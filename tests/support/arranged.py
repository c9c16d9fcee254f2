"""Rearrange the tables of a corpus in memory: row orders, copied columns, sorted copies of the rows."""

from __future__ import annotations

import hashlib
import random
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa

from fictdsl.plan.build import missing_from_raw
from fictdsl.schema import RAW, Layout, SortedCopy
from fictdsl.semantics import ir
from tests.support.tables import COPIES
from tests.support.ways import Way, in_tables

if TYPE_CHECKING:
    import duckdb

ORDERS = {"in sentence order": "sid, id", "clustered": "deprel, sid, id", "in no order": "hash(sid, id)"}
_PLACES = {"h": "h.id = t.head", "n": "n.id = t.id + 1", "n2": "n2.id = t.id + 2", "n3": "n3.id = t.id + 3"}
_NARROW = ("sid", "id", "n", "head", "deprel", "upos", "xpos", "form_l", "lemma_l", "pre", "last", "depth")


@dataclass(frozen=True)
class AnyCounts:
    """Counts unrelated to the corpus; they must not change the rows that a plan finds."""

    seed: int
    words: int

    @property
    def key(self) -> str:
        """Return what distinguishes these counts from others."""
        return f"any {self.seed} {self.words}"

    def count(self, column: str, value: str) -> int | None:
        """Return an arbitrary but constant number of words; None for one value in five."""
        drawn = int(hashlib.sha256(f"{self.seed} {column} {value}".encode()).hexdigest()[:12], 16)
        return None if drawn % 5 == 0 else drawn % self.words


def arrangements(tables: duckdb.DuckDBPyConnection, chance: random.Random, times: int) -> Iterator[Way]:
    """Yield ways to query rows in each order, with no, some and all copies, with and without sorted copies.

    `tables` has the tables in sentence order. Random choices are made `times` times.
    """
    _copy(tables)
    (words,) = tables.execute("SELECT count(*) FROM plain").fetchone() or (0,)
    for order, by in ORDERS.items():
        for _ in range(times):
            some = frozenset(chance.sample(sorted(COPIES), chance.randint(1, len(COPIES) - 1)))
            counts = AnyCounts(chance.randrange(10**6), max(1, words))
            for copies, called in (
                (frozenset[str](), "no copies"),
                (some, f"{len(some)} copies"),
                (COPIES, "all copies"),
            ):
                for sorted_by in ((), ("form_l", "lemma_l", "deprel")):
                    sorted_copies = _project(tables, sorted_by)
                    layout = Layout(copies, sorted_copies, *((words, counts) if chance.random() < 0.7 else ()))
                    _show(tables, by, sorted(copies))
                    more = f", {len(sorted_copies)} sorted copies" if sorted_copies else ""
                    more += ", any counts" if layout.counts else ""
                    yield in_tables(f"plan, {order}, {called}{more}", tables, layout)


def raw_columns(files: Sequence[Path]) -> Iterator[Way]:
    """Yield ways to query one table of CoNLL-U columns, with rows in order and shuffled.

    Filters that compare lower case are included only if the database lower-cases like the language.
    """
    import duckdb

    connection = duckdb.connect(config={"threads": 1})
    words = _words(files)
    connection.register("read", words)
    texts = {text for name in ("form", "lemma") for text in words[name].unique().to_pylist() if text is not None}
    alike = not any(map(lowered_otherwise, texts))
    for order, by in (("in sentence order", "sid, id"), ("in no order", "hash(sid, id)")):
        connection.execute(f"CREATE OR REPLACE TABLE tokens AS SELECT * FROM read ORDER BY {by}")
        ask = in_tables("", connection, RAW).ask
        yield Way(
            f"plan, the columns of CoNLL-U alone, {order}",
            ask,
            lambda each: not missing_from_raw(each.ir) and (alike or not lowers(each.ir)),
        )


def lowers(filter_: ir.Filter) -> bool:
    """Return whether a filter compares lower case."""
    return any(
        (isinstance(part, ir.Column) and part.name.endswith("_l")) or (isinstance(part, ir.Phrase) and part.lower)
        for part in ir.walk(filter_)
    )


def lowered_otherwise(text: str) -> bool:
    """Return whether a database may lower-case a text differently from Python: İ, a final Σ, or text not in NFC."""
    return "İ" in text or "Σ" in text or not unicodedata.is_normalized("NFC", text.lower())


def _words(files: Sequence[Path]) -> pa.Table:
    """Return the word lines of CoNLL-U files, read without code of the store."""
    names = ("id", "form", "lemma", "upos", "xpos", "feats", "head", "deprel")
    rows: list[tuple[object, ...]] = []
    sid = 0
    for file in files:
        for block in file.read_text(encoding="utf-8").split("\n\n"):
            lines = [line.split("\t") for line in block.split("\n") if line[:1].isdigit()]
            rows += [(sid, *line[:8]) for line in lines if line[0].isdigit()]
            sid += bool(lines)
    columns = dict(zip(("sid", *names), zip(*rows, strict=True), strict=True))
    forms = columns["form"]
    given = {
        name: [
            None if value == "_" and (name != "lemma" or forms[row] != "_") else value
            for row, value in enumerate(found)
        ]
        for name, found in columns.items()
        if name not in {"sid", "id", "head", "form"}
    }
    numbers = {
        name: pa.array([int(str(value)) for value in columns[name]], pa.int64()) for name in ("sid", "id", "head")
    }
    texts = {name: pa.array(values, pa.string()) for name, values in {**given, "form": list(forms)}.items()}
    return pa.table({**numbers, **texts})


def _copy(tables: duckdb.DuckDBPyConnection) -> None:
    """Create `plain` with the rows of `tokens`, and `copied` with all copied columns added."""
    tables.execute("CREATE OR REPLACE TABLE plain AS SELECT * FROM tokens ORDER BY sid, id")
    joins = [f"LEFT JOIN plain {name} ON {name}.sid = t.sid AND {on}" for name, on in _PLACES.items()]
    joins.append("LEFT JOIN plain hh ON hh.sid = t.sid AND hh.id = h.head")
    columns = [f"{place}.{column} AS {name}" for name, place, column in map(_parts, sorted(COPIES))]
    tables.execute(f"CREATE OR REPLACE TABLE copied AS SELECT t.*, {', '.join(columns)} FROM plain t {' '.join(joins)}")


def _parts(name: str) -> tuple[str, str, str]:
    place, _, column = name.partition("_")
    return name, place, column


def _show(tables: duckdb.DuckDBPyConnection, order: str, copies: Sequence[str]) -> None:
    """Make `tokens` a view of the rows in an order, with some copies."""
    without = ", ".join(sorted(COPIES - set(copies)))
    chosen = f"* EXCLUDE ({without})" if without else "*"
    tables.execute("DROP TABLE IF EXISTS tokens")
    tables.execute(f"CREATE TABLE tokens AS SELECT {chosen} FROM copied ORDER BY {order}")


def _project(tables: duckdb.DuckDBPyConnection, columns: Sequence[str]) -> tuple[SortedCopy, ...]:
    made = []
    for by in columns:
        held, rows = ", ".join(_NARROW), f"plain WHERE {by} IS NOT NULL ORDER BY {by}, sid, id"
        tables.execute(f"CREATE OR REPLACE TABLE by_{by} AS SELECT {held} FROM {rows}")
        made.append(SortedCopy(f"by_{by}", by, frozenset(_NARROW)))
    return tuple(made)
