"""CoNLL-U files into a published store: read, validated, written, and put in place by one rename."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np
import pyarrow as pa

from fictdsl.diagnostics.codes import diagnostic
from fictdsl.diagnostics.diagnostic import Diagnostic
from runner.corpus.conllu.reader import Notes, Rejection, times
from runner.corpus.conllu.tables_of_pieces import Parsed
from runner.corpus.files.blocks import STDIN, members, open_input, plain
from runner.corpus.files.labels import corpus_files, labels
from runner.corpus.files.pieces import Piece, pieces
from runner.corpus.ingest.parallel import Input, in_order
from runner.corpus.ingest.writer import StoreWriter
from runner.corpus.processes.allocator import keep_freed
from runner.corpus.processes.process_pool import Crew, crew
from runner.corpus.store.opening import Store
from runner.corpus.store.run_query import ask
from runner.errors import InputError
from runner.readers import real_path
from runner.workspace import changed, clean_stale, publish_dir, sha256_file

if TYPE_CHECKING:
    import duckdb

SUFFIXES = (".conllu", ".conllu.gz", ".conllu.xz", ".conllu.zip")
KIND = "CoNLL-U files (*.conllu, also .gz, .xz or .zip)"
REJECTED = "rejected.conllu"
_LARGE = 64 << 20  # bytes that keep a process busy for longer than it takes to start
_SHOWN = 20  # errors that are listed before the rest is only counted

Note = Callable[[Diagnostic], None]
Progress = Callable[[int, int], None]  # bytes read, bytes in all


def import_files(
    files: Sequence[Path],
    output: Path,
    *,
    on_error: Literal["stop", "skip"] = "stop",
    force: bool = False,
    jobs: int = 1,
    text: bool = True,
    progress: Progress | None = None,
    on_note: Note | None = None,
) -> Store:
    """Make the store `output` from files, and folders of files, of CoNLL-U; `-` is standard input.

    Files may be packed by gzip or xz; of zip archives every .conllu file is read. `jobs` processes work on it, and
    the store is the same whatever their number.

    Malformed sentences are an InputError that lists the first of them, with all files read to the end; with
    `on_error="skip"` they go into `rejected.conllu` in the store, each under the reason. `on_note` gets what is
    accepted but worth a word. An existing store is replaced only with `force`. Without `text` the store has no forms
    and no texts, and of what is rejected only the reasons.
    """
    keep_freed()
    replace = may_replace(output, force=force)
    found = corpus_files(files, SUFFIXES, KIND)
    clean_stale(real_path(output).parent)
    with (
        _published(output, replace=replace) as folder,
        ThreadPoolExecutor(1) as thread,
        crew(jobs - 1, folder) as others,
    ):
        writer = StoreWriter(folder, behind=thread if others else None, crew=others, text=text)
        work = _Import(writer, folder / REJECTED, on_error == "skip", _Meter(found, progress), text=text)
        work.read(zip(found, labels(found), strict=True), others)
        if work.errors:
            raise InputError(_listed(work.errors, work.error_count))
        if not work.writer.sentences:
            raise InputError(diagnostic("FICT730", path=", ".join(map(str, files))))
        if work.rejected:
            work.writer.register(REJECTED)
            where = output / REJECTED
            work.notes.append(diagnostic("FICT734", count=times(work.rejected, "sentence"), path=where))
        work.writer.finish()
    store = Store.open(output)
    if on_note is not None:
        for note in (*work.notes, *corpus_notes(store)):
            on_note(note)
    return store


@contextmanager
def _published(output: Path, *, replace: bool) -> Iterator[Path]:
    """`publish_dir`; a store that another process has made meanwhile is an InputError like one that was there."""
    try:
        with publish_dir(real_path(output), replace=replace) as folder:
            yield folder
    except FileExistsError as error:
        raise InputError(diagnostic("FICT743", path=output)) from error


def default_jobs(files: Sequence[Path]) -> int:
    """One process for each processor that this one may use, but no more than there is work for."""
    size = sum(path.stat().st_size for path in corpus_files(files, SUFFIXES, KIND) if path.is_file())
    return max(1, min(len(os.sched_getaffinity(0)), size // _LARGE))


def may_replace(output: Path, *, force: bool) -> bool:
    """Whether a folder stands at `output` that the new store replaces; InputError for what is not to be lost."""
    if not output.exists():
        return False
    if output.is_dir() and not any(output.iterdir()):
        return True
    if not (output / "store.json").is_file():
        raise InputError(diagnostic("FICT744", path=output))
    if not force:
        raise InputError(diagnostic("FICT743", path=output))
    return True


def corpus_notes(store: Store) -> list[Diagnostic]:
    """What is worth a word about a whole store: repeated sent_ids, feature names that differ only by case."""
    found = []
    repeated, across = _repeated_ids(store)
    if repeated:
        found.append(diagnostic("FICT725", count=times(repeated, "sent_id"), files=f"{across:,}"))
    folded: dict[str, list[str]] = {}
    for name in store.info.features:
        folded.setdefault(name.lower(), []).append(name)
    for names in folded.values():
        if len(names) > 1:
            found.append(diagnostic("FICT735", names=", ".join(names)))
    return found


def _repeated_ids(store: Store) -> tuple[int, int]:
    """How many values of sent_id occur more than once, and how many of them in several files.

    The values are told apart by their hashes first, eight bytes each, since most occur once.
    """

    def work(connection: duckdb.DuckDBPyConnection) -> tuple[int, int] | None:
        hashes = connection.execute("SELECT hash(sent_id) AS hash FROM sentences WHERE sent_id IS NOT NULL")
        found = np.sort(hashes.fetchnumpy()["hash"])
        connection.register("twice", pa.table({"hash": np.unique(found[1:][found[1:] == found[:-1]])}))
        return connection.execute(
            "SELECT count(*), count(*) FILTER (files > 1) FROM (SELECT count(DISTINCT source) AS files FROM sentences "
            "WHERE hash(sent_id) IN (FROM twice) AND sent_id IS NOT NULL GROUP BY sent_id HAVING count(*) > 1)"
        ).fetchone()

    return ask(store, work, tables=["sentences"]) or (0, 0)


@dataclass(slots=True)
class _Source:
    """A file, or one in an archive: its path and label, how it was when it was opened, what was noted of it; and its
    sha256, once it is read."""

    path: Path
    label: str
    stamp: tuple[int, int, int] | None
    notes: Notes = field(default_factory=Notes)
    digest: str | None = None


@dataclass(slots=True)
class _Import:
    """The state of one import: what was written, rejected and noted so far."""

    writer: StoreWriter
    rejected_path: Path
    skip: bool
    meter: _Meter
    text: bool = True
    notes: list[Diagnostic] = field(default_factory=list)
    errors: list[Diagnostic] = field(default_factory=list)
    error_count: int = 0
    rejected: int = 0

    def read(self, files: Iterable[tuple[Path, str]], others: Crew | None) -> None:
        """Read all files to their ends; after the first error nothing more is written, only checked."""
        before = 0
        for source, parsed in in_order(self._pieces(files), others):
            if parsed is not None:
                self._take(parsed, source)
            elif source.digest is None:
                self.writer.begin(source.label)
                before = self.rejected
            else:
                if _stamp(source.path) != source.stamp:
                    raise changed(source.path)
                self.writer.end(source.digest, self.rejected - before)
                self.notes += source.notes.diagnostics(source.label)

    def _pieces(self, files: Iterable[tuple[Path, str]]) -> Iterator[tuple[_Source, Input, Piece | None]]:
        """The pieces of each source, with an item without a piece before its first and after its last."""
        taken: set[str] = set()
        for path, label in files:
            stamp, lies = _stamp(path), plain(path)
            inside: Sequence[str | None] = members(path, (".conllu",)) or [None]
            for member in inside:
                end = "" if member is None else f"/{member}"
                if f"{label}{end}" in taken:  # a folder can have the name of an archive
                    raise InputError(diagnostic("FICT738", path=path, name=f"{label}{end}"))
                taken.add(f"{label}{end}")
                source, read = _Source(path, f"{label}{end}", stamp), Input(f"{path}{end}", path if lies else None)
                yield source, read, None
                digest = hashlib.sha256()
                whole = lies or path == STDIN  # what is unpacked need not be all that a file has
                advance = digest.update if path == STDIN else self.meter.told(digest) if lies else self.meter.advance
                with open_input(path, advance, member) as stream:
                    for piece in pieces(stream, source.notes.file):
                        yield source, read, piece
                yield replace(source, digest=digest.hexdigest() if whole else sha256_file(path)), read, None

    def _take(self, parsed: Parsed, source: _Source) -> None:
        source.notes.add(parsed.notes)
        for rejection in parsed.rejections:
            self._reject(rejection, source.label)
        if parsed.tables is not None and not self.errors:
            self.writer.write(parsed.tables)

    def _reject(self, item: Rejection, label: str) -> None:
        if not self.skip:
            self.error_count += len(item.diagnostics)
            self.errors += item.diagnostics[: max(0, _SHOWN - len(self.errors))]
            return
        self.rejected += 1
        with self.rejected_path.open("ab") as file:
            for found in item.diagnostics:
                file.write(f"# fictc: {_place(found, label)}{found.code} {found.message}\n".encode())
            file.write(item.data + b"\n\n" if self.text else b"\n")


class _Meter:
    """Bytes read so far, of all files, told to whoever shows progress."""

    def __init__(self, files: Sequence[Path], progress: Progress | None) -> None:
        self._progress = progress
        self._total = 0 if STDIN in files else sum(path.stat().st_size for path in files if path.is_file())
        self._done = 0

    def advance(self, data: bytes) -> None:
        self._done += len(data)
        if self._progress is not None:
            self._progress(self._done, self._total)

    def told(self, digest: hashlib._Hash) -> Callable[[bytes], None]:
        """`advance` that also adds the bytes to a digest."""

        def both(data: bytes) -> None:
            self.advance(data)
            digest.update(data)

        return both


def _stamp(path: Path) -> tuple[int, int, int] | None:
    try:
        status = path.stat()
    except OSError:
        return None  # reading it will say what is wrong
    return status.st_size, status.st_mtime_ns, status.st_ino


def _place(found: Diagnostic, label: str) -> str:
    if found.source is None or found.span is None:
        return f"{label}: "
    return f"{label}:{found.source.position(found.span.start)[0]}: "


def _listed(errors: Sequence[Diagnostic], count: int) -> list[Diagnostic]:
    if count == len(errors):
        return list(errors)
    return [*errors, diagnostic("FICT732", count=times(count - len(errors), "more error"))]
