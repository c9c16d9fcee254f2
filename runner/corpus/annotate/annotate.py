"""Parse raw text into a published store, in shards that survive a kill."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from fictdsl.diagnostics.codes import diagnostic
from fictdsl.diagnostics.diagnostic import Diagnostic
from runner.corpus.annotate.assemble import TextSource, assemble
from runner.corpus.annotate.shard_pool import MakeParser, Task, parse_shard, parse_shards
from runner.corpus.annotate.shards import Shards
from runner.corpus.files.labels import corpus_files, source_labels
from runner.corpus.ingest.import_conllu import may_replace
from runner.corpus.store.opening import Store
from runner.corpus.text import json_lines
from runner.corpus.text.not_text import not_text
from runner.corpus.text.parsed import Parser
from runner.corpus.text.units import (
    SHARD_CHARACTERS,
    SHARD_UNITS,
    Mode,
    Unit,
    first_units,
    read_lines,
    read_units,
    shards,
    text_units,
)
from runner.errors import InputError
from runner.readers import real_path
from runner.workspace import check_unchanged, clean_stale, fault_point, key, lock, publish_dir, sha256_file

SUFFIXES = (".txt", ".txt.gz", *json_lines.SUFFIXES)

Progress = Callable[[int, int], None]  # units of text done, units in all


@dataclass(frozen=True, slots=True)
class AnnotateOptions:
    """Which text is read and how; options of the parser belong to the parser."""

    mode: Mode = "lines"
    lines: int | None = None  # limit on lines (or paragraphs) with text, over all files
    max_tokens: int = 200
    jobs: int = 1
    text_field: str = "text"  # the field with the text in JSON lines


def annotate(
    files: Sequence[Path],
    output: Path,
    make_parser: MakeParser,
    options: AnnotateOptions,
    *,
    force: bool = False,
    progress: Progress | None = None,
    on_note: Callable[[Diagnostic], None] | None = None,
) -> Store:
    """Parse files, and folders of text files, into the store `output`.

    Unfinished work stays in `<output>.unfinished`, and the same call resumes it; other text, models or options raise
    InputError (FICT758), and `force` starts over. If the same job has already made `output`, that store is returned.
    Files that are not text raise InputError (FICT710).
    `make_parser` must be picklable if there is more than one job.
    """
    paths = corpus_files(files, SUFFIXES, "text files (*.txt, *.txt.gz, *.jsonl, *.jsonl.gz)")
    if problems := list(not_text(paths)):
        raise InputError(problems)
    text = _Text.of(paths, options)
    if not text.size:
        raise InputError(diagnostic("FICT730", path=", ".join(map(str, files))))
    parser = make_parser()
    job = text.job(parser.describe())
    unfinished = output.with_name(output.name + ".unfinished")
    if not unfinished.exists():
        may_replace(output, force=force or _finished_store(output, key(job)) is not None)
    with lock(unfinished / "lock"):
        clean_stale(real_path(output).parent)
        if not force and (finished := _finished_store(output, key(job))) is not None:
            shutil.rmtree(unfinished, ignore_errors=True)
            return finished
        replace = may_replace(output, force=force)
        finished_shards = Shards(unfinished, job, fresh=force)
        _parse(text, finished_shards, parser if options.jobs == 1 else None, make_parser, progress)
        text.check()
        with publish_dir(real_path(output), replace=replace) as folder:
            annotator = {**parser.describe(), "text": job["options"], "job": key(job)}
            notes = assemble(folder, text.sources(finished_shards), annotator, options.max_tokens)
            if not (folder / "store.json").exists():
                raise InputError(notes)
        shutil.rmtree(unfinished)
    for note in notes if on_note is not None else ():
        on_note(note)  # type: ignore[misc]
    return Store.open(output)


def _parse(
    text: _Text, finished: Shards, parser: Parser | None, make_parser: MakeParser, progress: Progress | None
) -> None:
    """Parse the remaining shards: with `parser` in this process, otherwise in `options.jobs` processes."""
    done = 0

    def report(size: int) -> None:
        nonlocal done
        done += size
        if progress is not None:
            progress(done, text.size)

    def remaining() -> Iterator[Task]:
        for task in text.tasks(finished):
            if finished.done(task.path):
                report(task.size)
            else:
                yield task

    if parser is None:
        parse_shards(remaining(), make_parser, text.options.jobs, report)
        return
    for task in remaining():
        parse_shard(parser, task)
        report(task.size)
        fault_point("shard")


def _finished_store(output: Path, job: str) -> Store | None:
    """Return the store at `output` if the same job made it, otherwise None."""
    try:
        store = Store.open(output)
    except InputError:
        return None
    return store if (store.info.annotator or {}).get("job") == job else None


@dataclass(frozen=True, slots=True)
class _Text:
    """The files to parse with their labels and hashes, the options, and the numbers of units and shards."""

    files: Sequence[Path]
    labels: Sequence[str]
    hashes: Sequence[str]
    options: AnnotateOptions
    size: int  # number of units with text
    shards: Sequence[int]  # number of shards of each file

    @classmethod
    def of(cls, files: Sequence[Path], options: AnnotateOptions) -> _Text:
        """Read all files once, to find errors in them before hours of parsing."""
        size, counts = 0, [0] * len(files)
        for index, units in _shards(files, options):
            size += text_units(units)
            counts[index] += 1
        return cls(files, source_labels(files), [sha256_file(path) for path in files], options, size, counts)

    def job(self, parser: Mapping[str, object]) -> dict[str, object]:
        """Return everything that the store depends on, as JSON-like values."""
        read = self.options
        options = {"mode": read.mode, "lines": read.lines, "max_tokens": read.max_tokens, "text_field": read.text_field}
        files = [list(pair) for pair in zip(self.labels, self.hashes, strict=True)]
        shard_limits = [SHARD_UNITS, SHARD_CHARACTERS]
        return {"files": files, "options": {**options, "shards": shard_limits}, "models": dict(parser)}

    def tasks(self, finished: Shards) -> Iterator[Task]:
        """Yield all shards, in order."""
        for number, (index, units) in enumerate(_shards(self.files, self.options)):
            name = "_".join(self.labels[index].split())
            yield Task(finished.path(number), units, name, self.options.max_tokens)

    def sources(self, finished: Shards) -> Iterator[TextSource]:
        """Yield the files with their shards."""
        first = 0
        for label, digest, count in zip(self.labels, self.hashes, self.shards, strict=True):
            yield TextSource(label, digest, tuple(finished.path(n) for n in range(first, first + count)))
            first += count

    def check(self) -> None:
        """Raise InputError if a file has changed."""
        for path, digest in zip(self.files, self.hashes, strict=True):
            check_unchanged(path, digest)


def _shards(files: Sequence[Path], options: AnnotateOptions) -> Iterator[tuple[int, list[Unit]]]:
    """Yield the shards of all files in order, each with the index of its file."""
    seen = 0
    for index, path in enumerate(files):
        limit = None if options.lines is None else options.lines - seen
        for units in shards(first_units(_units(path, options), limit)):
            seen += text_units(units)
            yield index, units


def _units(path: Path, options: AnnotateOptions) -> Iterator[Unit]:
    if path.name.endswith(json_lines.SUFFIXES):
        return json_lines.json_units(path, read_lines(path), options.mode, options.text_field)
    return read_units(path, options.mode)
