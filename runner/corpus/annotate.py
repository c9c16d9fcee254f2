"""Parse raw text in shards and write a store. Finished shards are kept if the process is killed."""

from __future__ import annotations

import multiprocessing
import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from dataclasses import dataclass
from itertools import count, islice
from pathlib import Path

from fictdsl.diagnostics.codes import diagnostic
from fictdsl.diagnostics.diagnostic import Diagnostic
from fictdsl.words import counted
from runner.corpus import raw_text
from runner.corpus.byte_columns import SIZE, Piece
from runner.corpus.conllu_reader import Block, block_errors
from runner.corpus.conllu_tables import parse_piece
from runner.corpus.corpus_files import corpus_files, source_labels
from runner.corpus.processes import block_interrupts, set_worker_signals
from runner.corpus.raw_text import (
    SHARD_CHARACTERS,
    SHARD_UNITS,
    Mode,
    Unit,
    count_text_units,
    find_non_text,
    first_units,
    read_lines,
    read_units,
    shards,
)
from runner.corpus.store import Store
from runner.corpus.store_files import LINES
from runner.corpus.store_writer import StoreWriter, may_replace, new_store
from runner.corpus.unit_records import LinesWriter, Parser, UnitRecord, blank_record, read_shard, record, write_shard
from runner.errors import InputError
from runner.readers import parse_json, real_path
from runner.workspace import (
    canonical_json,
    check_unchanged,
    clean_stale,
    fault_point,
    key,
    lock,
    sha256_file,
    write_text,
)


def _open_shards(folder: Path, recipe: Mapping[str, object], *, fresh: bool) -> None:
    """Open or create the folder of finished shards. Raises InputError (FICT758) if they have another `recipe`."""
    file = folder / "job.json"
    if fresh:
        for shard in folder.glob("*.jsonl.gz"):
            shard.unlink()
        file.unlink(missing_ok=True)
    recipe_json = canonical_json(recipe)
    if not file.exists():
        write_text(file, recipe_json)
    clean_stale(folder)
    try:
        stored = parse_json(file.read_bytes())
    except ValueError:
        stored = {}
    recipe = parse_json(recipe_json)
    stored = stored if isinstance(stored, dict) else {}
    changed_keys = [name for name in {**recipe, **stored} if stored.get(name) != recipe.get(name)]
    if changed_keys:
        hint = "the command with which it was started continues it, and `--force` starts over"
        raise InputError.of("FICT758", path=folder, what=" and ".join(changed_keys), hint=hint)


def _shard_path(folder: Path, number: int) -> Path:
    return folder / f"{number:06d}.jsonl.gz"


def _is_done(path: Path) -> bool:
    try:
        return path.exists() and all(read_shard(path))  # a record is never false
    except InputError:
        return False


MakeParser = Callable[[], Parser]

_parser: Parser | None = None  # the parser of a worker process


@dataclass(frozen=True, slots=True)
class Task:
    path: Path
    units: list[Unit]
    name: str
    max_words: int

    @property
    def size(self) -> int:
        return count_text_units(self.units)


def parse_shard(parser: Parser, task: Task) -> None:
    texts = [unit.text for unit in task.units if not unit.blank]
    sentences = iter(parser.parse(texts, task.max_words) if texts else ())
    records = [blank_record(unit) if unit.blank else record(unit, next(sentences), task.name) for unit in task.units]
    write_shard(task.path, records)


def parse_shards(tasks: Iterator[Task], make_parser: MakeParser, jobs: int, on_done: Callable[[int], None]) -> None:
    """Parse all shards in `jobs` processes. Raises InputError if a process cannot write its shard or dies (FICT760)."""
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
            raise InputError.of("FICT760") from error
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def _collect(running_sizes: dict[Future[tuple[Diagnostic, ...]], int], on_done: Callable[[int], None]) -> None:
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
    assert _parser is not None
    try:
        parse_shard(_parser, task)
    except InputError as error:
        return error.diagnostics
    return ()


REJECTED = "rejected.conllu"
TOO_LONG = "left-out.tsv"


class _Assembly:
    def __init__(self, folder: Path) -> None:
        self._folder, self._writer = folder, StoreWriter(folder)
        self._blocks: list[str] = []  # valid trees that are not written yet
        self._size = 0  # characters in them
        self._document: str | None = None  # the document of the last sentence
        self.sentences = 0
        self.rejected = 0
        self._reasons: Counter[str] = Counter()  # number of rejected sentences by reason
        self.too_long = 0

    @property
    def reasons(self) -> str:
        return "; ".join(reason for reason, _ in self._reasons.most_common(3))

    def add_source(self, label: str, sha256: str, shards: Iterable[Path], lines: LinesWriter) -> None:
        self._writer.begin(label)
        self._document, rejected_before = None, self.rejected
        for shard in shards:
            for unit in read_shard(shard):
                self._add(label, unit, lines)
        self._flush(label)
        self._writer.end(sha256, self.rejected - rejected_before)

    def finish(self, annotator: Mapping[str, object], max_words: int) -> list[Diagnostic]:
        self._writer.register(LINES)
        notes: list[Diagnostic] = []
        if self.too_long:
            self._writer.register(TOO_LONG)
            count = counted(self.too_long, "sentence")
            notes.append(diagnostic("FICT759", count=count, limit=max_words, path=TOO_LONG))
        if self.rejected:
            self._writer.register(REJECTED)
            count = counted(self.rejected, "sentence")
            notes.append(diagnostic("FICT734", hint=self.reasons, count=count, path=REJECTED))
        self._writer.finish(annotator)
        return notes

    def _add(self, label: str, record: UnitRecord, lines: LinesWriter) -> None:
        first_sid, rejected_before = self.sentences, self.rejected
        for tree_block in record.blocks:
            starts_document = record.document is not None and record.document != self._document
            block = f"# newdoc id = {record.document}\n{tree_block}" if starts_document else tree_block
            if errors := block_errors(Block(record.line, block.encode(), ended=True, newline=True), label):
                self._reject(f"{label}:{record.line}", block, errors)
                continue
            self._document = record.document
            self.sentences += 1
            self._blocks.append(block)
            self._size += len(block)
            if self._size >= SIZE:
                self._flush(label)
        if record.long:
            self.too_long += len(record.long)
            with (self._folder / TOO_LONG).open("a", encoding="utf-8") as file:
                for sentence in record.long:
                    file.write(f"{label}\t{record.line}\t{sentence.words}\t{sentence.text.replace(chr(9), ' ')}\n")
        skipped = len(record.long) + self.rejected - rejected_before
        lines.add(label, record, range(first_sid, self.sentences), skipped)

    def _reject(self, location: str, block: str, errors: Sequence[Diagnostic]) -> None:
        self.rejected += 1
        self._reasons[errors[0].message] += 1
        with (self._folder / REJECTED).open("ab") as file:
            for problem in errors:
                file.write(f"# fictc: {location}: {problem.code} {problem.message}\n".encode())
            file.write(f"{block}\n\n".encode())

    def _flush(self, label: str) -> None:
        if self._blocks:
            text = "".join(f"{block}\n\n" for block in self._blocks)
            self._blocks, self._size = [], 0
            parsed = parse_piece(Piece(1, text.encode()), label).tables
            assert parsed is not None
            self._writer.write(parsed)


SUFFIXES = (".txt", ".txt.gz", ".txt.xz", *raw_text.SUFFIXES)

Progress = Callable[[int, int], None]  # number of units of text parsed, total number of units


@dataclass(frozen=True, slots=True)
class AnnotateOptions:
    mode: Mode = "lines"
    max_units: int | None = None  # limit on lines (or paragraphs) with text, over all files
    max_words: int = 200  # limit on the words of a sentence; longer sentences are left out
    jobs: int = 1
    text_field: str = "text"  # the field with the text in JSON lines


def annotate(
    paths: Sequence[Path],
    output: Path,
    make_parser: MakeParser,
    options: AnnotateOptions,
    *,
    force: bool = False,
    progress: Progress | None = None,
    on_note: Callable[[Diagnostic], None] | None = None,
) -> Store:
    """Parse files, and folders of text files, into the store `output`.

    Unfinished work stays in `<output>.unfinished`, and the same call resumes it, unless `force` starts over. An
    `output` made from the same text with the same models and options is returned. `make_parser` must be picklable for
    several jobs. Raises InputError if a file is not text (FICT710), if there is none (FICT730), if `output` may not be
    replaced (FICT743, FICT744), or if the unfinished work has another text, models or options (FICT758).
    """
    files = corpus_files(paths, SUFFIXES, "text files (*.txt or *.jsonl, also .gz or .xz)")
    if problems := list(find_non_text(files)):
        raise InputError(problems)
    text_input = _Input.of(files, options)
    if not text_input.unit_count:
        raise InputError.of("FICT730", path=", ".join(map(str, paths)))
    parser = make_parser()
    recipe = text_input.recipe(parser.describe())
    unfinished_folder = output.with_name(output.name + ".unfinished")
    if not unfinished_folder.exists():
        may_replace(output, force=force or _finished_store(output, key(recipe)) is not None)
    with lock(unfinished_folder / "lock"):
        clean_stale(real_path(output).parent)
        if not force and (finished_store := _finished_store(output, key(recipe))) is not None:
            shutil.rmtree(unfinished_folder, ignore_errors=True)
            return finished_store
        may_replace(output, force=force)
        _open_shards(unfinished_folder, recipe, fresh=force)
        _parse(text_input, unfinished_folder, parser if options.jobs == 1 else None, make_parser, progress)
        text_input.check()
        with new_store(output, force=force) as folder:
            assembly = _Assembly(folder)
            with closing(LinesWriter(folder)) as lines:
                for source in text_input.sources(unfinished_folder):
                    assembly.add_source(*source, lines)
            if not assembly.sentences:
                shutil.rmtree(unfinished_folder)  # the same work would fail again, and other work must not be refused
                raise InputError(_nothing_parsed(assembly, text_input.labels, options.max_words))
            annotator = {**parser.describe(), "text": recipe["options"], "job": key(recipe)}
            notes = assembly.finish(annotator, options.max_words)
        shutil.rmtree(unfinished_folder)
    for note in notes if on_note is not None else ():
        on_note(note)  # type: ignore[misc]
    return Store.open(output)


def _parse(
    text_input: _Input, folder: Path, parser: Parser | None, make_parser: MakeParser, progress: Progress | None
) -> None:
    done = 0

    def report(size: int) -> None:
        nonlocal done
        done += size
        if progress is not None:
            progress(done, text_input.unit_count)

    def remaining() -> Iterator[Task]:
        for task in text_input.tasks(folder):
            if _is_done(task.path):
                report(task.size)
            else:
                yield task

    if parser is None:
        parse_shards(remaining(), make_parser, text_input.options.jobs, report)
        return
    for task in remaining():
        parse_shard(parser, task)
        report(task.size)
        fault_point("shard")


def _nothing_parsed(assembly: _Assembly, labels: Sequence[str], max_words: int) -> Diagnostic:
    parts = []
    if assembly.too_long:
        parts.append(f"{counted(assembly.too_long, 'sentence')} of more than {max_words} words")
    if assembly.rejected:
        parts.append(f"{counted(assembly.rejected, 'malformed tree')} ({assembly.reasons})")
    hint = f"left out: {' and '.join(parts)}" if parts else None
    return diagnostic("FICT730", path=", ".join(labels), hint=hint)


def _finished_store(output: Path, recipe_key: str) -> Store | None:
    try:
        store = Store.open(output)
    except InputError:
        return None
    return store if (store.info.annotator or {}).get("job") == recipe_key else None


@dataclass(frozen=True, slots=True)
class _Input:
    files: Sequence[Path]
    labels: Sequence[str]
    hashes: Sequence[str]
    options: AnnotateOptions
    unit_count: int  # units with text
    shard_counts: Sequence[int]  # by file

    @classmethod
    def of(cls, files: Sequence[Path], options: AnnotateOptions) -> _Input:
        """Read all files once, so that errors in them are found before hours of parsing."""
        unit_count, shard_counts = 0, [0] * len(files)
        for index, units in _shards(files, options):
            unit_count += count_text_units(units)
            shard_counts[index] += 1
        hashes = [sha256_file(path) for path in files]
        return cls(files, source_labels(files), hashes, options, unit_count, shard_counts)

    def recipe(self, parser_description: Mapping[str, object]) -> dict[str, object]:
        options = {
            "mode": self.options.mode,
            "lines": self.options.max_units,
            "max_tokens": self.options.max_words,
            "text_field": self.options.text_field,
        }
        files = [list(pair) for pair in zip(self.labels, self.hashes, strict=True)]
        shard_limits = [SHARD_UNITS, SHARD_CHARACTERS]
        return {"files": files, "options": {**options, "shards": shard_limits}, "models": dict(parser_description)}

    def tasks(self, folder: Path) -> Iterator[Task]:
        for number, (index, units) in enumerate(_shards(self.files, self.options)):
            name = "_".join(self.labels[index].split())
            yield Task(_shard_path(folder, number), units, name, self.options.max_words)

    def sources(self, folder: Path) -> Iterator[tuple[str, str, list[Path]]]:
        numbers = count()
        for label, digest, shard_count in zip(self.labels, self.hashes, self.shard_counts, strict=True):
            yield label, digest, [_shard_path(folder, number) for number in islice(numbers, shard_count)]

    def check(self) -> None:
        for path, digest in zip(self.files, self.hashes, strict=True):
            check_unchanged(path, digest)


def _shards(files: Sequence[Path], options: AnnotateOptions) -> Iterator[tuple[int, list[Unit]]]:
    unit_count = 0
    for index, path in enumerate(files):
        remaining_units = None if options.max_units is None else options.max_units - unit_count
        for units in shards(first_units(_units(path, options), remaining_units)):
            unit_count += count_text_units(units)
            yield index, units


def _units(path: Path, options: AnnotateOptions) -> Iterator[Unit]:
    if path.name.endswith(raw_text.SUFFIXES):
        return raw_text.json_units(path, read_lines(path), options.mode, options.text_field)
    return read_units(path, options.mode)
