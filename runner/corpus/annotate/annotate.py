"""Raw text into a published store, through a parser, in shards that need not be done again after a kill."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from fictdsl.diagnostics.codes import diagnostic
from fictdsl.diagnostics.diagnostic import Diagnostic
from runner.corpus.annotate.assemble import TextSource, assemble
from runner.corpus.annotate.shard_pool import MakeParser, Task, do_shard, run_shards
from runner.corpus.annotate.shards import Shards
from runner.corpus.files.labels import corpus_files, source_labels
from runner.corpus.ingest.import_conllu import may_replace
from runner.corpus.store.opening import Store
from runner.corpus.text import json_lines
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
    """What of the text is read and how; what the parser does with it is the parser's own matter."""

    mode: Mode = "lines"
    lines: int | None = None  # only the first so many lines (or paragraphs) with text, over all files
    max_tokens: int = 200
    jobs: int = 1
    text_field: str = "text"  # of the objects in files of JSON lines


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
    """Parse files, and folders of `.txt` files, into the store `output`.

    Work that is not finished stays in `<output>.unfinished` and is taken up by the same call; with other text,
    models or options that is FICT758, and `force` starts over. Where the same work made `output` already,
    nothing is done. `make_parser` must be picklable if there is more than one job.
    """
    text = _Text.of(corpus_files(files, SUFFIXES, "text files (*.txt, *.txt.gz, *.jsonl, *.jsonl.gz)"), options)
    if not text.size:
        raise InputError(diagnostic("FICT730", path=", ".join(map(str, files))))
    parser = make_parser()
    job = text.job(parser.describe())
    unfinished = output.with_name(output.name + ".unfinished")
    if not unfinished.exists():
        may_replace(output, force=force or _made_by(output, key(job)) is not None)
    with lock(unfinished / "lock"):
        clean_stale(real_path(output).parent)
        if not force and (done := _made_by(output, key(job))) is not None:
            shutil.rmtree(unfinished, ignore_errors=True)
            return done
        replace = may_replace(output, force=force)
        kept = Shards(unfinished, job, fresh=force)
        _parse(text, kept, parser if options.jobs == 1 else None, make_parser, progress)
        text.check()
        with publish_dir(real_path(output), replace=replace) as folder:
            annotator = {**parser.describe(), "text": job["options"], "job": key(job)}
            notes = assemble(folder, text.sources(kept), annotator, options.max_tokens)
            if not (folder / "store.json").exists():
                raise InputError(notes)
        shutil.rmtree(unfinished)
    for note in notes if on_note is not None else ():
        on_note(note)  # type: ignore[misc]
    return Store.open(output)


def _parse(
    text: _Text, kept: Shards, parser: Parser | None, make_parser: MakeParser, progress: Progress | None
) -> None:
    """Do the shards that are not done: with `parser` in this process, else in as many as the options say."""
    done = 0

    def tell(size: int) -> None:
        nonlocal done
        done += size
        if progress is not None:
            progress(done, text.size)

    def left() -> Iterator[Task]:
        for task in text.tasks(kept):
            if kept.done(task.path):
                tell(task.size)
            else:
                yield task

    if parser is None:
        run_shards(left(), make_parser, text.options.jobs, tell)
        return
    for task in left():
        do_shard(parser, task)
        tell(task.size)
        fault_point("shard")


def _made_by(output: Path, job: str) -> Store | None:
    """The store at `output`, if there is one and this very job made it."""
    try:
        store = Store.open(output)
    except InputError:
        return None
    return store if (store.info.annotator or {}).get("job") == job else None


@dataclass(frozen=True, slots=True)
class _Text:
    """The files to parse with their labels and hashes, the options, and what they come to."""

    files: Sequence[Path]
    labels: Sequence[str]
    hashes: Sequence[str]
    options: AnnotateOptions
    size: int  # units with text
    shards: Sequence[int]  # of each file

    @classmethod
    def of(cls, files: Sequence[Path], options: AnnotateOptions) -> _Text:
        """Read all files once: mistakes in them are found before hours of parsing."""
        size, counts = 0, [0] * len(files)
        for index, units in _cut(files, options):
            size += text_units(units)
            counts[index] += 1
        return cls(files, source_labels(files), [sha256_file(path) for path in files], options, size, counts)

    def job(self, parser: Mapping[str, object]) -> dict[str, object]:
        """Everything that the store depends on, as JSON-like values."""
        read = self.options
        options = {"mode": read.mode, "lines": read.lines, "max_tokens": read.max_tokens, "text_field": read.text_field}
        names = [list(pair) for pair in zip(self.labels, self.hashes, strict=True)]
        cuts = [SHARD_UNITS, SHARD_CHARACTERS]
        return {"files": names, "options": {**options, "shards": cuts}, "models": dict(parser)}

    def tasks(self, kept: Shards) -> Iterator[Task]:
        """All shards, in order."""
        for number, (index, units) in enumerate(_cut(self.files, self.options)):
            name = "_".join(self.labels[index].split())
            yield Task(kept.path(number), units, name, self.options.max_tokens)

    def sources(self, kept: Shards) -> Iterator[TextSource]:
        """The files with their finished shards."""
        first = 0
        for label, digest, count in zip(self.labels, self.hashes, self.shards, strict=True):
            yield TextSource(label, digest, tuple(kept.path(n) for n in range(first, first + count)))
            first += count

    def check(self) -> None:
        """Raise InputError if a file is no longer what it was."""
        for path, digest in zip(self.files, self.hashes, strict=True):
            check_unchanged(path, digest)


def _cut(files: Sequence[Path], options: AnnotateOptions) -> Iterator[tuple[int, list[Unit]]]:
    """The shards of all files in order, each with the number of its file."""
    seen = 0
    for index, path in enumerate(files):
        left = None if options.lines is None else options.lines - seen
        for units in shards(first_units(_units(path, options), left)):
            seen += text_units(units)
            yield index, units


def _units(path: Path, options: AnnotateOptions) -> Iterator[Unit]:
    if path.name.endswith(json_lines.SUFFIXES):
        return json_lines.json_units(path, read_lines(path), options.mode, options.text_field)
    return read_units(path, options.mode)
