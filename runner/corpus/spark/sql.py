"""Run queries as Spark SQL on a store's Parquet files, or on tables of a cluster's catalogue."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from fictdsl.diagnostics.codes import diagnostic
from fictdsl.schema import COMPUTED, FEATURE_PREFIX, LENGTHS, MULTIWORD_LINE, QUERIED, feats_key, identifier
from runner.corpus.conllu.schemas import COPY_TYPES, SCHEMAS
from runner.corpus.query.engine import Engine, Query
from runner.corpus.spark.failures import explain_spark_errors
from runner.corpus.store.layers import Layer
from runner.corpus.store.opening import Store
from runner.errors import InputError
from runner.readers import real_path

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.types import StructField


class SparkSql(Engine):
    """An engine that compiles filters to Spark SQL, which Spark plans and runs."""

    dialect = "spark"

    def __init__(self, store: Store, spark: SparkSession, database: str | None = None) -> None:
        """Read the store's tables from the database `database` of the catalogue, or from the store's files if None."""
        super().__init__(store)
        self._spark = spark.newSession()  # separates views and settings from those of other engines
        self._database = database
        if database is None:  # names of columns in the store's files may differ only by case
            self._spark.conf.set("spark.sql.caseSensitive", "true")
        self.layout = replace(store.layout, copies=frozenset(self._copies()), sorted_copies=())
        self._views_created = False

    def run(self, query: Query) -> Iterator[pa.Table]:
        """Yield one table, because Spark sorts the complete result."""
        with explain_spark_errors(self.store.path):
            for table in ("tokens",) if self._views_created else QUERIED:  # only `tokens` depends on the query
                self._view(table, query.features).createOrReplaceTempView(table)
            self._views_created = True
            for table in COMPUTED.keys() & set(query.tables):
                (self._token_table() if table == "token" else self._feats_table()).createOrReplaceTempView(table)
            if query.matches is not None:
                self._spark.sql(query.matches).createOrReplaceTempView("matches")
            result = self._spark.sql(query.text).toArrow()
        yield result

    def _copies(self) -> Iterable[str]:
        """Return the names of the copies in `tokens` that both the store and the table of the catalogue have."""
        if self._database is None:
            return self.store.info.copies
        with explain_spark_errors(self.store.path):
            columns = set(self._catalogue_table(self._database, "tokens").columns)
        return columns.intersection(self.store.info.copies)

    def _copies_in(self, table: str) -> list[str]:
        return sorted(self.layout.copies) if table == "tokens" else []

    def _view(self, table: str, features: tuple[str, ...]) -> DataFrame:
        """Return a table with the columns of `features` added. A feature that the store lacks is NULL."""
        from pyspark.sql import functions
        from pyspark.sql.types import StringType

        requested_features = features if table == "tokens" else ()
        layers = [] if self._database is not None else [layer for layer in self.store.info.layers if layer.columns]
        layer_features = {name for layer in layers for name in layer.columns}
        column_by_feature = {
            name: self.store.info.features.get(name) for name in requested_features if name not in layer_features
        }
        names = [*SCHEMAS[table].names, *self._copies_in(table)]
        columns = [functions.col(name) for name in names]
        # Parquet does not declare sid and id NOT NULL, and NOT IN with nullable columns compares all pairs of rows
        columns = [
            functions.coalesce(column, functions.lit(-1)).alias(name) if name in ("sid", "id") else column
            for name, column in zip(names, columns, strict=True)
        ]
        if table == "tokens":
            columns += [functions.length(source).alias(name) for source, name in LENGTHS.items()]
        for name, column_name in column_by_feature.items():
            source = functions.lit(None) if column_name is None else functions.col(_quote_name(column_name))
            columns.append(source.cast(StringType()).alias(identifier(FEATURE_PREFIX + name)))
        rows = self._rows(
            table, sorted(column_name for column_name in column_by_feature.values() if column_name is not None)
        ).select(*columns)
        for layer in layers:
            layer_columns = {name: layer.columns[name] for name in requested_features if name in layer.columns}
            if layer_columns:
                rows = rows.join(self._annotations(layer, layer_columns), ["sid", "id"], "left")
        return rows

    def _token_table(self) -> DataFrame:
        """Return the table `token` of the words in multiword tokens: sid, id, and the form of the token as `value`.

        `Store.connect` creates the same view.
        """
        import unicodedata

        from pyspark.sql import functions
        from pyspark.sql.types import StringType

        nfc = functions.udf(lambda text: unicodedata.normalize("NFC", text), StringType())
        pattern = functions.lit(MULTIWORD_LINE)
        line = functions.explode(functions.regexp_extract_all("conllu", pattern, functions.lit(1)))
        cells = functions.split("line", "\t")
        ends = functions.split(cells[0], "-").cast("array<int>")
        lines = self._rows("raw", []).select("sid", line.alias("line"))
        ids = functions.explode(functions.sequence(ends[0], ends[1]))
        return lines.select("sid", ids.alias("id"), nfc(cells[1]).alias("value"))

    def _feats_table(self) -> DataFrame:
        """Return the table `feats` of the words with features: sid, id, and the sorted features as `value`.

        `Store.connect` creates the same view.
        """
        from pyspark.sql import functions

        layer_features = {name for layer in self.store.info.layers for name in layer.columns}
        names = sorted(self.store.info.features.keys() - layer_features, key=feats_key)
        columns = {name: self.store.info.features[name] for name in names}
        entries = [
            functions.concat(functions.lit(f"{name}="), functions.col(_quote_name(column)))
            for name, column in columns.items()
        ]
        value = functions.concat_ws("|", *entries).alias("value")
        return self._rows("tokens", sorted(columns.values())).select("sid", "id", value).where("value <> ''")

    def _catalogue_table(self, database: str, table: str) -> DataFrame:
        """Return a table of the catalogue. Raises InputError (FICT795) if it does not exist."""
        name = f"{database}.{table}"
        if not self._spark.catalog.tableExists(name):
            purpose = ", which tests of `token` read" if table == "raw" else ""
            hint = "`--spark-tables` names a database with the tables of the store; docs/scaling.md lists them"
            raise InputError(diagnostic("FICT795", reason=f"the catalogue has no table {name}{purpose}", hint=hint))
        return self._spark.table(name)

    def _rows(self, table: str, feature_columns: list[str]) -> DataFrame:
        """Return a table of the catalogue, or of the store's files with `feature_columns`."""
        import pyarrow as pa
        from pyspark.sql.pandas.types import from_arrow_schema

        if self._database is not None:
            return self._catalogue_table(self._database, table)
        copies = [(name, COPY_TYPES[name]) for name in self._copies_in(table)]
        fields = list(
            from_arrow_schema(pa.schema([*SCHEMAS[table], *(pa.field(name, dtype) for name, dtype in copies)])).fields
        )
        layers = [layer for layer in self.store.info.layers if layer.kind == table]
        return self._read(
            fields,
            feature_columns,
            [*self.store.parquet(table), *(path for layer in layers for path in self._files(layer))],
        )

    def _annotations(self, layer: Layer, features: dict[str, str]) -> DataFrame:
        """Return the words that a layer annotates, with some features. `features` maps these to the layer's columns."""
        import pyarrow as pa
        from pyspark.sql import functions
        from pyspark.sql.pandas.types import from_arrow_schema

        keys = ("sid", "id")
        fields = list(from_arrow_schema(pa.schema([SCHEMAS["tokens"].field(name) for name in keys])).fields)
        rows = self._read(fields, sorted(features.values()), self._files(layer))
        columns = [
            functions.col(_quote_name(column_name)).alias(identifier(FEATURE_PREFIX + name))
            for name, column_name in features.items()
        ]
        return rows.select(*keys, *columns)

    def _files(self, layer: Layer) -> list[Path]:
        return [self.store.file(layer.file(chunk)) for chunk in range(self.store.info.chunks)]

    def _read(self, fields: list[StructField], feature_columns: list[str], files: list[Path]) -> DataFrame:
        """Read the files of a table. The schema adds the columns of features that do not occur in a chunk."""
        from pyspark.sql.types import StringType, StructType

        schema = StructType(fields)
        for name in feature_columns:
            schema = schema.add(name, StringType())
        paths = [f"file://{real_path(path).as_posix()}" for path in files]
        # without this option, [ and * in a path are patterns
        return self._spark.read.option("__globPaths__", "false").schema(schema).parquet(*paths)


def _quote_name(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"
