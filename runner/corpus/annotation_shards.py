"""Parse raw text in shards, in this process or in a pool, and publish each by rename with a checksum."""

from __future__ import annotations

import gzip
import hashlib
import json
import multiprocessing
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from pathlib import Path

from fictdsl.diagnostics.codes import diagnostic
from fictdsl.diagnostics.diagnostic import Diagnostic
from runner.corpus.parsed_text import Parser, UnitRecord, blank_record, record
from runner.corpus.processes import block_interrupts, set_worker_signals
from runner.corpus.raw_text import Unit, count_text_units
from runner.errors import InputError
from runner.readers import parse_json
from runner.workspace import atomic_write, canonical_json, clean_stale, write_text


class Shards:
    """The folder of finished shards, beside the store that will be written from them."""

    def __init__(self, folder: Path, recipe: Mapping[str, object], *, fresh: bool = False) -> None:
        """Open or create the folder, and remove its shards if `fresh`.

        `recipe` has the text, the options and the models with which the shards are parsed. It is stored in `job.json`.
        Raises InputError (FICT758) if the shards have another recipe.
        """
        self.folder = folder
        self._recipe_json = canonical_json(recipe)
        file = folder / "job.json"
        if fresh:
            for shard in folder.glob("*.jsonl.gz"):
                shard.unlink()
            file.unlink(missing_ok=True)
        if file.exists():
            self._check_recipe(file)
        else:
            write_text(file, self._recipe_json)
        clean_stale(folder)

    def path(self, number: int) -> Path:
        return self.folder / f"{number:06d}.jsonl.gz"

    def is_done(self, path: Path) -> bool:
        """Return whether the shard at `path` exists and is intact. Raises OSError if it cannot be read."""
        if not path.exists():
            return False
        try:
            for _ in read_shard(path):
                pass
        except InputError:
            return False
        return True

    def _check_recipe(self, file: Path) -> None:
        try:
            stored = parse_json(file.read_bytes())
        except ValueError:
            stored = {}
        recipe = parse_json(self._recipe_json)
        stored = stored if isinstance(stored, dict) else {}
        changed_keys = [name for name in {**recipe, **stored} if stored.get(name) != recipe.get(name)]
        if changed_keys:
            hint = "the command with which it was started continues it, and `--force` starts over"
            raise InputError(diagnostic("FICT758", path=self.folder, what=" and ".join(changed_keys), hint=hint))


def write_shard(path: Path, records: Sequence[UnitRecord]) -> None:
    """Write a shard and publish it by rename; the same records give the same bytes."""
    body = "".join(record.to_json() + "\n" for record in records).encode()
    footer = json.dumps({"units": len(records), "sha256": hashlib.sha256(body).hexdigest()}).encode()
    with atomic_write(path) as temp:
        temp.write_bytes(gzip.compress(body + footer + b"\n", 1, mtime=0))


def read_shard(path: Path) -> Iterator[UnitRecord]:
    """Yield the records of a shard. Raises InputError (FICT742) if it is damaged, and OSError if it cannot be read."""
    data = path.read_bytes()
    try:
        body, _, footer = gzip.decompress(data).removesuffix(b"\n").rpartition(b"\n")
        body = body + b"\n" if body else body
        footer_fields = parse_json(footer)
        is_intact = footer_fields["sha256"] == hashlib.sha256(body).hexdigest()
    except (gzip.BadGzipFile, EOFError, ValueError, KeyError, TypeError, zlib.error):
        is_intact, body = False, b""
    if not is_intact:
        raise InputError(diagnostic("FICT742", path=path, reason="its content does not match its checksum"))
    for line in body.decode().split("\n")[:-1]:
        yield UnitRecord.from_json(line)


MakeParser = Callable[[], Parser]

_parser: Parser | None = None  # the parser of a worker process


@dataclass(frozen=True, slots=True)
class Task:
    """A shard: its file, its units, the name for sentence ids, and the maximum number of words of a parsed sentence."""

    path: Path
    units: list[Unit]
    name: str
    max_words: int

    @property
    def size(self) -> int:
        """The number of units with text."""
        return count_text_units(self.units)


def parse_shard(parser: Parser, task: Task) -> None:
    """Parse the units of a shard and publish its file."""
    texts = [unit.text for unit in task.units if not unit.blank]
    sentences = iter(parser.parse(texts, task.max_words) if texts else ())
    records = [blank_record(unit) if unit.blank else record(unit, next(sentences), task.name) for unit in task.units]
    write_shard(task.path, records)


def parse_shards(tasks: Iterator[Task], make_parser: MakeParser, jobs: int, on_done: Callable[[int], None]) -> None:
    """Parse all shards in `jobs` processes, each with its own parser. `on_done` receives the size of each parsed shard.

    Raises InputError if a process cannot write its shard, or if it dies (FICT760).
    """
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(jobs, context, _initialize_worker, (make_parser,)) as pool:
        running_sizes: dict[Future[tuple[Diagnostic, ...]], int] = {}
        try:
            for task in tasks:
                if len(running_sizes) >= 2 * jobs:
                    _collect(running_sizes, on_done)
                with block_interrupts():  # the first call of `submit` starts the processes
                    running_sizes[pool.submit(_parse_in_worker, task)] = task.size
            while running_sizes:
                _collect(running_sizes, on_done)
        except BrokenProcessPool as error:
            raise InputError(diagnostic("FICT760")) from error
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def _collect(running_sizes: dict[Future[tuple[Diagnostic, ...]], int], on_done: Callable[[int], None]) -> None:
    """Wait until a task is finished, remove all finished tasks, and report their sizes."""
    done, _ = wait(running_sizes, return_when=FIRST_COMPLETED)
    for future in done:
        size = running_sizes.pop(future)
        if problems := future.result():
            raise InputError(problems)
        on_done(size)


def _initialize_worker(make_parser: MakeParser) -> None:
    global _parser  # noqa: PLW0603 - a process pool offers no other place for the state of a worker
    set_worker_signals()
    _parser = make_parser()


def _parse_in_worker(task: Task) -> tuple[Diagnostic, ...]:
    """Parse a shard in a worker; return errors as values."""
    assert _parser is not None
    try:
        parse_shard(_parser, task)
    except InputError as error:
        return error.diagnostics
    return ()
