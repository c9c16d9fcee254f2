"""Filters on Spark, in two Java processes beside this one's: the same rows as DuckDB's here, in the same order."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from fictdsl.compiler import compile_text
from fictdsl.installation import shipped
from runner.cli.match import MatchRequest, sentences_with_matches
from runner.corpus.add_layer import add_layer
from runner.corpus.engine import LocalEngine, Query
from runner.corpus.filter_arguments import filter_labels, load_filters
from runner.corpus.layer_files import SentencePositions, read_header, table_rows
from runner.corpus.spark import DuckDbInSpark, SparkSql, missing_requirement
from runner.corpus.store import Store
from runner.errors import InputError
from tests.support.spark import CLUSTER, SETTINGS, chunked, cluster, compare, generated_filters, small_chunks, treebank
from tests.support.strategies.rng import strategy
from tests.support.strategies.sets import Bank, FilterSet, make_bank, make_set
from tests.support.together import Alone, store_of, tallied

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.spark


@pytest.fixture(scope="module")
def patch() -> Iterator[pytest.MonkeyPatch]:
    if (reason := missing_requirement()) is not None:
        pytest.skip(reason)
    with pytest.MonkeyPatch.context() as patch:
        yield patch


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory, patch: pytest.MonkeyPatch) -> Store:
    """Generated trees, in a folder whose name Spark would take for a pattern, and a space in it."""
    folder = tmp_path_factory.mktemp("spark") / "a [b] {c}*"
    folder.mkdir()
    patch.setenv("XDG_CACHE_HOME", str(folder / "cache"))
    small_chunks(patch, 300)
    return chunked([treebank(folder, 200)], folder / "store")


@pytest.fixture(scope="module")
def engines(store: Store) -> Iterator[dict[str, SparkSql | DuckDbInSpark]]:
    with cluster(CLUSTER, SETTINGS) as spark:
        yield {"spark": SparkSql(store, spark), "spark-duckdb": DuckDbInSpark(store, spark)}


def test_generated_filters(store: Store, engines: dict[str, SparkSql | DuckDbInSpark]) -> None:
    told = compare(store, generated_filters(25), engines)
    assert told.differences == []
    assert told.matching > 5


def test_what_actions_take(store: Store, engines: dict[str, SparkSql | DuckDbInSpark]) -> None:
    taking = [each for each in generated_filters(60) if any(act.target != "sentence" for act in each.ir.actions)][:8]
    told = compare(store, taking, engines, actions=True)
    assert told.differences == []
    assert told.matching > 2


def test_shipped_filters(store: Store, engines: dict[str, SparkSql | DuckDbInSpark]) -> None:
    filters = load_filters([str(shipped("filters") / "fict15")])
    assert compare(store, filters, engines).differences == []


def test_tables_of_the_catalogue(store: Store, engines: dict[str, SparkSql | DuckDbInSpark], tmp_path: Path) -> None:
    by_files = engines["spark"]
    assert isinstance(by_files, SparkSql)
    spark = by_files._spark
    spark.sql(f"CREATE DATABASE corpora LOCATION '{tmp_path / 'warehouse'}'")
    for table in ("tokens", "sentences", "misc", "meta", "enhanced"):
        files = [f"file://{path.resolve()}" for path in store.parquet(table)]
        reader = spark.read.option("mergeSchema", "true").option("__globPaths__", "false")
        reader.parquet(*files).write.saveAsTable(f"corpora.{table}")
    told = compare(store, generated_filters(6), {"catalogue": SparkSql(store, spark, "corpora")})
    assert told.differences == []


_FILL = """
import json, sys
from pathlib import Path
from runner.corpus.spark import spark_session
from fictdsl.schema import QUERIED
from runner.corpus.store import Store
store, settings = Store.open(Path(sys.argv[1])), json.loads(sys.argv[2])
with spark_session("local[1]", settings) as spark:
    spark.sql("CREATE DATABASE corpora")
    for table in QUERIED:
        files = [f"file://{path.resolve()}" for path in store.parquet(table)]
        rows = spark.read.option("mergeSchema", "true").option("__globPaths__", "false").parquet(*files)
        rows.write.saveAsTable(f"corpora.{table}")
"""


def test_the_command_on_a_catalogue(store: Store, tmp_path: Path) -> None:
    """Tables that one process puts into a Hive metastore, a Derby database, are asked by another."""
    metastore = f"jdbc:derby:;databaseName={tmp_path / 'metastore'};create=true"
    settings = {
        **SETTINGS,
        "spark.sql.catalogImplementation": "hive",
        "spark.sql.warehouse.dir": str(tmp_path / "warehouse"),
        "spark.hadoop.javax.jdo.option.ConnectionURL": metastore,
    }
    filled = [sys.executable, "-c", _FILL, str(store.path), json.dumps(settings)]
    subprocess.run(filled, check=True, cwd=tmp_path, env={**os.environ, "PYTHONPATH": _paths()})
    assert (tmp_path / "warehouse" / "corpora.db" / "tokens").is_dir()
    path = tmp_path / "f.fict"
    path.write_text("fict 1 filter f { match { V[upos = VERB] -> X; N[upos = NOUN] } count node(V) remove node(X) }")
    command = [sys.executable, "-m", "runner.cli", "count", str(path), "--corpus", str(store.path), "--format", "json"]
    on_spark = ["--engine", "spark", "--spark-tables", "corpora", "--spark-master", "local[1]"]
    on_spark += [part for name, value in settings.items() for part in ("--spark-conf", f"{name}={value}")]
    said = []
    for options in ([], on_spark):
        environment = {**os.environ, "PYTHONPATH": _paths()}
        ended = subprocess.run(
            [*command, *options], capture_output=True, text=True, cwd=tmp_path, env=environment, check=False
        )
        assert (ended.returncode, ended.stderr) == (0, ""), options
        said.append(json.loads(ended.stdout))
    assert said[0] == said[1]
    assert said[0]["filters"][0]["matches"] > 0
    path.write_text('fict 1 filter f { match { V[token = "don\'t"] } }')
    refused = subprocess.run(
        [*command, *on_spark], capture_output=True, text=True, cwd=tmp_path, env=environment, check=False
    )
    assert refused.returncode == 2 and "the catalogue has no table corpora.raw" in refused.stderr


def _paths() -> str:
    return os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])


def test_annotations_that_were_added(
    store: Store, engines: dict[str, SparkSql | DuckDbInSpark], tmp_path: Path
) -> None:
    copied = tmp_path / "copied"
    shutil.copytree(store.path, copied)
    source = store.info.sources[0].label
    lines = [f"{source}\t{number}\t1\t{'A' if number % 3 else 'B,C'}\n" for number in range(1, 100, 2)]
    for kind in ("feature", "misc"):
        table = tmp_path / f"{kind}.tsv"
        table.write_text("".join(["source\tnumber\tid\tAdded\n", *lines]))
        header = read_header(table)
        add_layer(Store.open(copied), kind, kind, table_rows(table, header, SentencePositions.read(store)), table)
    with_layers, by_sql = Store.open(copied), engines["spark"]
    assert isinstance(by_sql, SparkSql)
    text = "fict 1\n" + "".join(
        f"filter f{number} {{ match {{ {match} }} }}\n"
        for number, match in enumerate(("X[Added = C]", "X[not Added = A] < Y", "X[misc.Added = A]"))
    )
    asked = {"spark": SparkSql(with_layers, by_sql._spark), "spark-duckdb": DuckDbInSpark(with_layers, by_sql._spark)}
    told = compare(with_layers, compile_text(text).filters, asked)
    assert told.differences == []
    assert told.matching == 3


@settings(max_examples=2, phases=[Phase.generate])
@given(bank=strategy(make_bank), sets=st.tuples(*[strategy(make_set)] * 2))
def test_together_is_as_alone(
    bank: Bank,
    sets: tuple[FilterSet, ...],
    engines: dict[str, SparkSql | DuckDbInSpark],
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    """The property of `tests/properties/test_together.py`, on a store with as many names as can differ by case."""
    folder = tmp_path_factory.mktemp("together")
    made = store_of(
        replace(bank, layered=tuple(name for name in bank.features if name in LAYERED)), folder / "bank", indexed=False
    )
    by_sql = engines["spark"]
    assert isinstance(by_sql, SparkSql)
    named = FilterSet({"named.fict": NAMED})
    for number, drawn in enumerate((named, *sets)):
        alone = Alone(bank.sentences, load_filters(map(str, drawn.write(folder / str(number)))))
        tallied(SparkSql(made, by_sql._spark), alone)
        tallied(DuckDbInSpark(made, by_sql._spark), alone)


LAYERED = ("VoiCe", "Prontype")
NAMED = "fict 1\n" + "".join(
    f"filter f{number} {{ match {{ {match} }} }}\n"
    for number, match in enumerate(
        (
            "X[Voise = Yes]",
            "X[VOICE = Yes]",
            "X[Voice = Yes]",
            "X[VoiCe = Yes]",
            "X[has PronType, not has Prontype]",
            "X.VOICE = Y.Voice",
        )
    )
)


def test_engines_of_two_stores_do_not_meet(
    store: Store, engines: dict[str, SparkSql | DuckDbInSpark], tmp_path: Path
) -> None:
    """Both have views of the same names in one Spark session."""
    from pyspark.sql import SparkSession

    session = SparkSession.getActiveSession()
    assert session is not None
    other = SparkSql(chunked([treebank(tmp_path, 100, seed=8)], tmp_path / "store"), session)
    words = compile_text("fict 1\nfilter words { match { A } }\n").filters
    for engine in (engines["spark"], other) * 2:
        assert engine.tally(words).matches[0] == engine.store.info.words


def test_no_step_compares_all_rows_with_all(store: Store, engines: dict[str, SparkSql | DuckDbInSpark]) -> None:
    """`not misc.…` is a NOT IN, which Spark joins by hash only where it knows that nothing is NULL."""
    by_sql = engines["spark"]
    assert isinstance(by_sql, SparkSql)
    (each,) = compile_text("fict 1 filter f { match { X[not misc.Gloss = a] } }").filters
    assert compare(store, [each], {"spark": by_sql}).differences == []
    plan = by_sql._spark.sql(each.statement("spark").text)._jdf.queryExecution().toString()
    assert "LeftAnti" in plan and "NestedLoop" not in plan


def test_a_failure_is_one_message(store: Store, engines: dict[str, SparkSql | DuckDbInSpark]) -> None:
    for engine in engines.values():
        with pytest.raises(InputError, match=r"FICT746.*Spark: "):
            list(engine.run(Query("SELECT nothing FROM tokens", ("tokens",), ())))


def test_the_command_says_nothing_more(store: Store, tmp_path: Path, engines: object) -> None:
    """Three commands, three times the same standard output and an empty standard error."""
    path = tmp_path / "f.fict"
    path.write_text("fict 1 filter f { match { V -> X } count node(V) count span(X, V) remove node(X) }")
    said = []
    for engine in ("duckdb", "spark", "spark-duckdb"):
        options = [] if engine == "duckdb" else ["--spark-master", "local[1]", "--spark-conf", "spark.driver.memory=1g"]
        command = [sys.executable, "-m", "runner.cli", "count", str(path), "--corpus", str(store.path)]
        command += ["--format", "json", "--engine", engine, *options]
        ended = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
        assert (ended.returncode, ended.stderr) == (0, ""), engine
        said.append(json.loads(ended.stdout))
    assert said[0] == said[1] == said[2]
    assert said[0]["filters"][0]["targets"]["count node(V)"] > 0


def test_what_match_prints(store: Store, engines: dict[str, SparkSql | DuckDbInSpark]) -> None:
    filters = generated_filters(5)
    expected = list(
        sentences_with_matches(MatchRequest(store, filters, filter_labels(filters), LocalEngine(store), None))
    )
    assert expected
    for engine in engines.values():
        assert (
            list(sentences_with_matches(MatchRequest(store, filters, filter_labels(filters), engine, None))) == expected
        )
        assert engine.sids(filters).tolist() == LocalEngine(store).sids(filters).tolist()
