"""What Spark needs, what it is told, and how its failures are said; the engines themselves are in `end_to_end`."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from runner.corpus import spark
from runner.corpus import spark as failures
from runner.corpus.limits import DEFAULT, Limits
from runner.corpus.spark import SparkSql, limits_of_task
from runner.corpus.store import Store
from runner.errors import InputError
from runner.machine import available_cores
from tests.unit.runner.cli.conftest import Fictc


def test_the_tasks_of_a_machine_share_its_memory() -> None:
    per_task = limits_of_task(DEFAULT)
    assert (per_task.bytes_of_memory() + 1) * available_cores() > DEFAULT.bytes_of_memory()
    assert per_task.bytes_of_memory() * available_cores() <= DEFAULT.bytes_of_memory()
    assert per_task.threads == 1


def test_limits_of_the_user_apply_to_each_task() -> None:
    assert limits_of_task(Limits(1 << 30, 8, spill=Path("spill"))) == Limits(1 << 30, 1, spill=Path("spill"))


def java(folder: Path, said: str) -> Path:
    program = folder / "bin" / "java"
    program.parent.mkdir(parents=True)
    program.write_text(f"#!/bin/sh\necho '{said}' >&2\n")
    program.chmod(0o755)
    return folder


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ('openjdk version "17.0.15" 2025-04-15', None),
        ('openjdk version "21" 2023-09-19', None),
        ('java version "1.8.0_392"', "it needs Java 17 or newer, and the version of {java} is 8"),
        ("no such thing", "it needs Java 17 or newer, and the version of {java} cannot be read"),
    ],
)
def test_the_version_of_java(said: str, reason: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pyspark")
    monkeypatch.setenv("JAVA_HOME", str(java(tmp_path, said)))
    expected = reason and reason.format(java=tmp_path / "bin" / "java")
    assert spark.missing_requirement() == expected


def test_java_home_without_java(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pyspark")
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    assert spark.missing_requirement() == f"there is no Java in JAVA_HOME ({tmp_path})"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (
            "[TABLE_OR_VIEW_NOT_FOUND] The table `x` cannot be found.\n== SQL ==\n…",
            "[TABLE_OR_VIEW_NOT_FOUND] The table `x` cannot be found.",
        ),
        (
            "An exception was thrown from the Python worker.\nTraceback (most recent call last):\n  File …\n"
            "runner.errors.InputError: FICT742: the store file x is damaged: it has 1 byte\n\n\tat org.apache…",
            "FICT742: the store file x is damaged: it has 1 byte",
        ),
        (
            "An error occurred while calling o242.getResult.\n: org.apache.spark.SparkException: Exception thrown in "
            "awaitResult: Job aborted\n\tat org.apache…\nCaused by: java.io.IOException: No space left on device\n\tat …",
            "No space left on device",
        ),
        (
            "An error occurred while calling z:x.collectAndServe.\n: org.apache.spark.SparkException: Job aborted due to "
            "stage failure: ExecutorLostFailure (executor 0)\nDriver stacktrace:\n\tat …",
            "Job aborted due to stage failure: ExecutorLostFailure (executor 0)",
        ),
        (
            "An error occurred while calling o1.x.\n: org.apache.spark.SparkException: [FAILED_READ_FILE] x.parquet.\n"
            "\tat …\nCaused by: java.lang.RuntimeException: x.parquet is not a Parquet file.",
            "[FAILED_READ_FILE] x.parquet.",
        ),
        ("", "no reason was given"),
    ],
)
def test_the_line_that_says_why(text: str, reason: str) -> None:
    assert failures.reason(text) == reason


def test_an_error_that_pyspark_cannot_convert() -> None:
    """PySpark fails an assertion where Java's error has no cause: the error that led to it counts."""
    pytest.importorskip("pyspark")
    from py4j.protocol import Py4JError

    with (
        pytest.raises(InputError, match=r"FICT746: .* store: Spark: its driver process ended"),
        failures.explain_spark_errors(Path("store")),
    ):
        try:
            raise Py4JError("no text of Java")
        except Py4JError:
            raise AssertionError  # noqa: B904 - as PySpark does


def test_an_error_of_ours_passes() -> None:
    pytest.importorskip("pyspark")
    with pytest.raises(KeyError), failures.explain_spark_errors(Path("store")):
        raise KeyError("a bug")


def test_options_of_spark_are_for_spark(call: Fictc, filters: Path, store: Path) -> None:
    asked = ("match", filters, "--corpus", store)
    assert call(*asked, "--spark-conf", "a=b").code == 2
    assert "requires --engine spark" in call(*asked, "--spark-master", "local[1]").err
    asked_executors = (*asked, "--engine", "spark-duckdb")
    assert "--spark-tables requires --engine spark\n" in call(*asked_executors, "--spark-tables", "x").err
    assert "--spark-tables requires --engine spark\n" in call(*asked, "--spark-tables", "x").err
    for entry in ("memory", "=4g"):
        ended = call(*asked, "--engine", "spark", "--spark-conf", entry)
        assert ended.code == 2 and f"KEY=VALUE, such as spark.executor.memory=4g; found {entry}" in ended.err


@pytest.mark.parametrize("absent", ["tokens", "raw"])
def test_a_table_that_the_catalogue_lacks_is_named(store: Path, absent: str) -> None:
    pytest.importorskip("pyspark")
    catalogue = SimpleNamespace(tableExists=lambda name: name != f"corpora.{absent}")
    spark: Any = SimpleNamespace(catalog=catalogue, table=lambda name: SimpleNamespace(columns=[name]))
    spark.newSession = lambda: spark
    with pytest.raises(InputError, match=f"FICT795.*the catalogue has no table corpora.{absent}"):
        SparkSql(Store.open(store), spark, "corpora")._rows(absent, [])
