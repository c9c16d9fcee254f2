"""Questions as Spark SQL over a store's own Parquet files, or over tables of a cluster's catalogue."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from fictdsl.plan.layout import FEATURE, identifier
from runner.corpus.conllu.tables import SCHEMAS as ALL_TABLES
from runner.corpus.query.engine import Engine, Question
from runner.corpus.spark.failures import told
from runner.corpus.store.layers import Layer
from runner.corpus.store.opening import Store
from runner.corpus.store.schema import LENGTHS
from runner.readers import real_path

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.types import StructField


SCHEMAS = {name: schema for name, schema in ALL_TABLES.items() if name != "raw"}  # no filter reads the text of a file


class SparkSql(Engine):
    """The plan of a filter emitted for Spark, and planned and run by Spark alone."""

    dialect = "spark"

    def __init__(self, store: Store, spark: SparkSession, database: str | None = None) -> None:
        """`database` names where the catalogue has the store's tables; None stands for the store's files."""
        super().__init__(store)
        self._spark = spark.newSession()  # views and settings of its own: other engines name theirs alike
        self._database = database
        if database is None:  # columns of the store's files may have names that differ by case alone
            self._spark.conf.set("spark.sql.caseSensitive", "true")
        self.layout = replace(store.layout, copies=frozenset(self._copies()), projections=())
        self._shown_once = False  # only `tokens` has other columns for other questions

    def ask(self, question: Question) -> Iterator[pa.Table]:
        """One table: Spark puts the whole answer in order."""
        with told(self.store.path):
            for table in ("tokens",) if self._shown_once else SCHEMAS:
                self._shown(table, question.features).createOrReplaceTempView(table)
            self._shown_once = True
            if question.matches is not None:
                self._spark.sql(question.matches).createOrReplaceTempView("matches")
            found = self._spark.sql(question.text).toArrow()
        yield found

    def _copies(self) -> Iterable[str]:
        """The columns of neighbours that the words have: those of the store, as far as a catalogue's table has them."""
        if self._database is None:
            return self.store.info.copies
        with told(self.store.path):
            there = set(self._spark.table(f"{self._database}.tokens").columns)
        return there.intersection(self.store.info.copies)

    def _copied(self, table: str) -> list[str]:
        return sorted(self.layout.copies) if table == "tokens" else []

    def _shown(self, table: str, features: tuple[str, ...]) -> DataFrame:
        """A table with its own columns and those of the features, NULL where the store has no such feature."""
        from pyspark.sql import functions
        from pyspark.sql.types import StringType

        wanted = features if table == "tokens" else ()
        added = [] if self._database is not None else [layer for layer in self.store.info.layers if layer.columns]
        of_layers = {name for layer in added for name in layer.columns}
        own = {name: self.store.info.features.get(name) for name in wanted if name not in of_layers}
        names = [*SCHEMAS[table].names, *self._copied(table)]
        columns = [functions.col(name) for name in names]
        # files do not say that these are never NULL; where it might be, NOT IN compares all rows with all rows
        columns = [
            functions.coalesce(column, functions.lit(-1)).alias(name) if name in ("sid", "id") else column
            for name, column in zip(names, columns, strict=True)
        ]
        if table == "tokens":
            columns += [functions.length(source).alias(name) for name, source in LENGTHS.items()]
        for name, physical in own.items():
            there = functions.lit(None) if physical is None else functions.col(_quoted(physical))
            columns.append(there.cast(StringType()).alias(identifier(FEATURE + name)))
        rows = self._rows(table, sorted(physical for physical in own.values() if physical is not None)).select(*columns)
        for layer in added:
            found = {name: layer.columns[name] for name in wanted if name in layer.columns}
            if found:
                rows = rows.join(self._annotations(layer, found), ["sid", "id"], "left")
        return rows

    def _rows(self, table: str, features: list[str]) -> DataFrame:
        """A table as the catalogue or the files have it, with these columns of features."""
        import pyarrow as pa
        from pyspark.sql.pandas.types import from_arrow_schema

        if self._database is not None:
            return self._spark.table(f"{self._database}.{table}")
        copied = [(name, SCHEMAS[table].field(name.partition("_")[2]).type) for name in self._copied(table)]
        fields = list(from_arrow_schema(pa.schema([*SCHEMAS[table], *(pa.field(*each) for each in copied)])).fields)
        layers = [layer for layer in self.store.info.layers if layer.kind == table]
        return self._read(
            fields, features, [*self.store.parquet(table), *(path for each in layers for path in self._files(each))]
        )

    def _annotations(self, layer: Layer, features: dict[str, str]) -> DataFrame:
        """The words that a layer annotates, with some of its features; these are given with their columns there."""
        import pyarrow as pa
        from pyspark.sql import functions
        from pyspark.sql.pandas.types import from_arrow_schema

        keys = ("sid", "id")
        fields = list(from_arrow_schema(pa.schema([SCHEMAS["tokens"].field(name) for name in keys])).fields)
        rows = self._read(fields, sorted(features.values()), self._files(layer))
        columns = [
            functions.col(_quoted(physical)).alias(identifier(FEATURE + name)) for name, physical in features.items()
        ]
        return rows.select(*keys, *columns)

    def _files(self, layer: Layer) -> list[Path]:
        return [self.store.file(layer.file(chunk)) for chunk in range(self.store.info.chunks)]

    def _read(self, fields: list[StructField], features: list[str], files: list[Path]) -> DataFrame:
        """Files of a table; a chunk has only the features that occur in it, and a schema makes up for the rest."""
        from pyspark.sql.types import StringType, StructType

        schema = StructType(fields)
        for name in features:
            schema = schema.add(name, StringType())
        paths = [f"file://{real_path(path).as_posix()}" for path in files]
        # Spark would read a path with [ or * in it as a pattern
        return self._spark.read.option("__globPaths__", "false").schema(schema).parquet(*paths)


def _quoted(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"
