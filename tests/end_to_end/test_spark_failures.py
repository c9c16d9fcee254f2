"""What dies under Spark, and when: the answer is the right one after all, or there is one message and nothing else."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from fictdsl.compiler import CompiledFilter, compile_text
from runner.corpus.engine import Engine, LocalEngine
from runner.corpus.spark import DuckDbInSpark, SparkSql, missing_requirement, spark_session
from runner.corpus.store import Store
from runner.corpus.store_files import Verifier
from runner.errors import InputError
from tests.support.spark import CLUSTER, SETTINGS, chunked, cluster, small_chunks, treebank

if TYPE_CHECKING:
    from pyspark import SparkContext
    from pyspark.sql import SparkSession

ROOT = Path(__file__).parents[2]
LOCAL = "local[1]"
ENGINES = {"spark": SparkSql, "spark-duckdb": DuckDbInSpark}
PAIRS = compile_text("fict 1 filter f { match { V[upos = VERB] -> X; N[upos = NOUN] } }").filters[0]
pytestmark = pytest.mark.spark


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    if (reason := missing_requirement()) is not None:
        pytest.skip(reason)
    folder = tmp_path_factory.mktemp("spark")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(folder / "cache"))
        small_chunks(patch, 300)
        yield chunked([treebank(folder, 100)], folder / "store")


@pytest.fixture(scope="module")
def spool(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where Spark keeps what goes from one stage to the next."""
    return tmp_path_factory.mktemp("spool")


@pytest.fixture(scope="module")
def spark(store: Store, spool: Path) -> Iterator[SparkSession]:
    """Two executors. It stays open to the end of the module: tests with sessions of their own stand first."""
    with cluster(CLUSTER, {**SETTINGS, "spark.local.dir": str(spool)}) as made:
        yield made


@pytest.fixture
def local(store: Store) -> Iterator[SparkSession]:
    with spark_session(LOCAL, SETTINGS) as made:
        yield made


def rows(engine: Engine, compiled: CompiledFilter = PAIRS) -> list[tuple[int, ...]]:
    return [tuple(row.values()) for table in engine.matches(compiled) for row in table.to_pylist()]


def while_asked(engine: Engine, act: Callable[[], None]) -> list[tuple[int, ...]]:
    """The answer of an engine that something happens to after it was asked."""
    with ThreadPoolExecutor(1) as pool:
        answer = pool.submit(rows, engine)
        act()
        return answer.result(120)


def wait(true: Callable[[], object]) -> None:
    until = time.monotonic() + 120
    while not true():
        assert time.monotonic() < until, "it did not come to this"
        time.sleep(0.01)


def executors(context: SparkContext) -> list[int]:
    """The process ids of the executors of an application."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            arguments = (folder / "cmdline").read_bytes()
        except OSError:
            continue  # it has ended
        if b"CoarseGrainedExecutorBackend" in arguments and str(context.applicationId).encode() in arguments:
            found.append(int(folder.name))
    return found


@contextmanager
def halted(context: SparkContext, number: int) -> Iterator[list[int]]:
    """The process ids of the executors, which are all there and stand still."""
    known = context._jsc.sc().getExecutorMemoryStatus  # of the driver, too
    wait(lambda: known().size() == number + 1 and len(executors(context)) == number)
    context._jsc.sc().range(0, 2, 1, 2).count()  # they are given tasks a moment after they are known
    found = executors(context)
    for each in found:
        os.kill(each, signal.SIGSTOP)
    try:
        yield found
    finally:
        for each in found:
            with suppress(ProcessLookupError):
                os.kill(each, signal.SIGCONT)


def busy(context: SparkContext) -> bool:
    """Whether a task is running."""
    status = context.statusTracker()
    return any(info.numActiveTasks for info in map(status.getStageInfo, status.getActiveStageIds()) if info)


@pytest.mark.parametrize("damage", ["truncated", "flipped"])
def test_a_file_damaged_after_it_was_verified(
    damage: str, store: Store, local: SparkSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Spark reads what the driver has verified; what has changed since then is an error, and no other answer."""
    path = store.parquet("tokens")[1]
    whole = path.read_bytes()
    expected = rows(LocalEngine(store))
    damaged = (
        whole[: len(whole) // 2] if damage == "truncated" else bytes(byte ^ 0xFF for byte in whole[:200]) + whole[200:]
    )
    with monkeypatch.context() as patch:
        patch.setattr(Verifier, "verify", lambda *_, **__: None)
        try:
            path.write_bytes(damaged)
            with pytest.raises(InputError, match=r"^FICT746: .*: Spark: [^\n]*00001.parquet[^\n]*$"):
                rows(SparkSql(store, local))
        finally:
            path.write_bytes(whole)
    assert rows(SparkSql(store, local)) == expected


def test_the_disk_fills_up_while_it_works(store: Store, local: SparkSession) -> None:
    """No file may get past 100 bytes any more, so that nothing can be passed to the next stage."""
    local.conf.set("spark.sql.autoBroadcastJoinThreshold", "-1")
    expected = rows(LocalEngine(store))
    assert rows(SparkSql(store, local)) == expected  # by now Java has unpacked its libraries
    process = local.sparkContext._gateway.proc.pid
    before = resource.prlimit(process, resource.RLIMIT_FSIZE)
    resource.prlimit(process, resource.RLIMIT_FSIZE, (100, before[1]))
    with pytest.raises(InputError, match=r"^FICT746: .*: Spark: [^\n]*File too large[^\n]*$"):
        rows(SparkSql(store, local))
    resource.prlimit(process, resource.RLIMIT_FSIZE, before)
    assert rows(SparkSql(store, local)) == expected


@pytest.mark.parametrize("kind", ENGINES)
def test_java_killed(kind: str, store: Store, capfd: pytest.CaptureFixture[str]) -> None:
    """The session closes as any other, and the next one works."""
    with spark_session(LOCAL, SETTINGS) as spark:
        engine = ENGINES[kind](store, spark)
        context = spark.sparkContext

        def kill() -> None:
            wait(lambda: busy(context) or context.statusTracker().getJobIdsForGroup(None))
            context._gateway.proc.kill()

        with pytest.raises(InputError, match=r"^FICT746: .*: Spark: its driver process ended while it worked$"):
            while_asked(engine, kill)
    with spark_session(LOCAL, SETTINGS) as spark:
        assert rows(ENGINES[kind](store, spark)) == rows(LocalEngine(store))
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("kind", ENGINES)
def test_an_executor_killed_while_it_works(kind: str, store: Store, spark: SparkSession) -> None:
    """Both stand still until they have tasks; so the one that is killed is in the middle of one."""
    engine, context = ENGINES[kind](store, spark), spark.sparkContext
    with halted(context, 2) as (killed, other):

        def kill() -> None:
            wait(lambda: busy(context))
            os.kill(killed, signal.SIGKILL)
            os.kill(other, signal.SIGCONT)

        found = while_asked(engine, kill)
    assert found == rows(LocalEngine(store)) and found


def test_what_went_between_stages_is_lost(store: Store, spark: SparkSession, spool: Path) -> None:
    """The shuffled rows that an executor has written are deleted before the next stage has read them."""
    spark.conf.set("spark.sql.autoBroadcastJoinThreshold", "-1")  # so that joins shuffle
    context = spark.sparkContext
    for attempt in range(5):
        context.setJobGroup(f"attempt {attempt}", "")
        for old in spool.rglob("shuffle_*"):
            old.unlink(missing_ok=True)
        lost: list[Path] = []

        def lose(lost: list[Path] = lost) -> None:
            def found() -> bool:
                lost.extend(spool.rglob("shuffle_*.data"))
                return bool(lost)

            wait(found)
            for path in lost:
                path.unlink(missing_ok=True)

        assert while_asked(SparkSql(store, spark), lose) == rows(LocalEngine(store))
        status = context.statusTracker()
        jobs = [status.getJobInfo(job) for job in status.getJobIdsForGroup(None)]
        stages = [status.getStageInfo(stage) for job in jobs if job for stage in job.stageIds]
        if any(stage.currentAttemptId for stage in stages if stage):
            return
    raise AssertionError("no stage was made again")


def command(store: Store, folder: Path, *options: str) -> subprocess.Popen[str]:
    path = folder / "f.fict"
    path.write_text("fict 1 filter f { match { V[upos = VERB] -> X; N[upos = NOUN] } }")
    (folder / "tmp").mkdir()
    asked = [sys.executable, "-m", "runner.cli", "match", str(path), "--corpus", str(store.path), "--format", "tsv"]
    asked += ["--engine", "spark", "--spark-master", LOCAL, "--spark-conf", "spark.driver.memory=1g", *options]
    return subprocess.Popen(
        asked,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env={**os.environ, "TMPDIR": str(folder / "tmp"), "PYTHONPATH": str(ROOT)},
        start_new_session=True,
    )


def java_of(process: subprocess.Popen[str]) -> bool:
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    return any(b"java" in Path(f"/proc/{child}/cmdline").read_bytes() for child in children.read_text().split())


@pytest.mark.parametrize("moment", ["Java starts", "it works"])
def test_ctrl_c(moment: str, store: Store, tmp_path: Path) -> None:
    """As a terminal sends it: to Java as well. Its pipes close when the last process has ended."""
    spool = tmp_path / "spool"
    spool.mkdir()
    process = command(store, tmp_path, "--spark-conf", f"spark.local.dir={spool}")
    wait(lambda: java_of(process) if moment == "Java starts" else any(spool.glob("blockmgr-*")))
    time.sleep(0 if moment == "Java starts" else 3)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=120)
    assert (process.returncode, out, err.strip()) == (130, "", "interrupted")
    assert list((tmp_path / "tmp").iterdir()) + list(spool.iterdir()) == []


def test_no_room_for_what_spark_keeps(store: Store, tmp_path: Path) -> None:
    """A folder that nobody can make, which root can make anywhere but there."""
    process = command(store, tmp_path, "--spark-conf", "spark.local.dir=/proc/spool")
    out, err = process.communicate(timeout=120)
    assert (process.returncode, out) == (2, "")
    assert err.startswith("error[FICT795]: cannot use Spark: it does not start (") and "/proc/spool" in err
    assert len(err.strip().splitlines()) == 1
