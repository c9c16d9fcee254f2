"""Run filters on a store with every engine, and compare their results."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from fictdsl.compiler import CompiledFilter
from fictdsl.reference.sentences import Sentence
from runner.corpus import store_writer
from runner.corpus.engine import Engine, LocalEngine, Query
from runner.corpus.import_conllu import import_files
from runner.corpus.spark import spark_session
from runner.corpus.store import Store
from tests.support.corpora import conllu
from tests.support.engines import compiled
from tests.support.strategies.filters import make_project
from tests.support.strategies.rng import Rng
from tests.support.strategies.sentences import make_sentence

if TYPE_CHECKING:
    import pyarrow as pa
    import pytest
    from pyspark.sql import SparkSession

# two separate Java processes from pyspark's wheel, which only have what is sent to them
CLUSTER = "local-cluster[2,1,1024]"
SETTINGS = {
    "spark.executor.memory": "1g",
    "spark.driver.memory": "1g",
    # for little data: few tasks, no adaptive planning, and no compiled Java per statement
    "spark.sql.shuffle.partitions": "2",
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
}


@contextmanager
def cluster(master: str, settings: Mapping[str, str]) -> Iterator[SparkSession]:
    """Yield a session whose Java processes leave no folder with logs in pyspark's wheel."""
    import pyspark

    with spark_session(master, settings) as spark:
        home = Path(os.environ.get("SPARK_HOME", Path(pyspark.__file__).parent))
        logs = home / "work" / str(spark.sparkContext.applicationId)
        try:
            yield spark
        finally:
            shutil.rmtree(logs, ignore_errors=True)


@dataclass
class Compared:
    """The number of comparisons, and their differences."""

    filters: int = 0
    answers: int = 0
    matching: int = 0
    rows: int = 0
    differences: list[str] = field(default_factory=list)


def generated_filters(number: int, seed: int = 7) -> list[CompiledFilter]:
    """Return the first `number` filters of the property tests' generator."""
    filters: list[CompiledFilter] = []
    roll = seed * 1_000_000
    while len(filters) < number:
        filters += compiled(make_project(Rng.seeded(roll)))
        roll += 1
    return filters[:number]


def treebank(folder: Path, sentences: int, seed: int = 7) -> Path:
    """Write a CoNLL-U file of generated trees."""
    path = folder / "generated.conllu"
    drawn = [make_sentence(Rng.seeded(seed * 2_000_000 + number)) for number in range(sentences)]
    path.write_text(conllu(list(map(without_empty_nodes, drawn))))
    return path


def without_empty_nodes(sentence: Sentence) -> Sentence:
    """Return the sentence without edges from empty nodes, which a file would have to declare."""
    words = (replace(word, deps=tuple(edge for edge in word.deps if edge[0].isdecimal())) for word in sentence.words)
    return replace(sentence, words=tuple(words))


def small_chunks(patch: pytest.MonkeyPatch, words: int) -> None:
    """Make every written store use chunks of about this many words."""
    patch.setattr(store_writer, "ROW_GROUP", words)
    patch.setitem(store_writer.StoreWriter.__init__.__kwdefaults__, "chunk_words", words)


def chunked(files: Sequence[Path], folder: Path) -> Store:
    """Return a store of several chunks."""
    store = import_files(files, folder)
    assert store.info.chunks > 1, "a store of one chunk shows nothing about chunks"
    return store


def compare(
    store: Store, filters: Sequence[CompiledFilter], engines: dict[str, Engine], *, actions: bool = False
) -> Compared:
    """Compare the matches, or with `actions` the targets, of each engine with DuckDB in this process."""
    compared = Compared()
    here = LocalEngine(store)
    for each in filters:
        compared.filters += 1
        expected = [_rows(here, question) for question in _questions(each, here, actions=actions)]
        compared.matching += any(rows for rows in expected)
        compared.rows += sum(map(len, expected))
        for name, engine in engines.items():
            for number, question in enumerate(_questions(each, engine, actions=actions)):
                compared.answers += 1
                difference = _difference(engine, question, expected[number])
                if difference is not None:
                    compared.differences.append(f"{name}: {each.name} ({number})\n{question.text}\n{difference}")
    return compared


def _questions(each: CompiledFilter, engine: Engine, *, actions: bool) -> Iterator[Query]:
    statement = each.statement(engine.dialect)
    if not actions:
        yield Query.of(statement, statement.text)
        return
    yield Query.of(statement, statement.sentences_text)
    for targets in each.targets(engine.dialect):
        yield Query.of(statement, targets.distinct, statement.text)
        yield Query(targets.words, ("tokens", *statement.tables), statement.features, statement.text)


def _rows(engine: Engine, question: Query) -> list[tuple[object, ...]]:
    return [row for table in engine.run(question) for row in _tuples(table)]


def _tuples(table: pa.Table) -> Iterator[tuple[object, ...]]:
    return zip(*(column.to_pylist() for column in table.columns), strict=True)


def _difference(engine: Engine, question: Query, expected: list[tuple[object, ...]]) -> str | None:
    try:
        found = _rows(engine, question)
    except Exception as error:  # noqa: BLE001 - whatever goes wrong is a difference
        return f"{type(error).__name__}: {str(error)[:400]}"
    if found == expected:
        return None
    return f"{len(expected)} rows, found {len(found)}; the same rows in another order: {set(found) == set(expected)}"
