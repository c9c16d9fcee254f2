"""Import CoNLL-U files into a store: read, validate, write, and publish by rename."""

from __future__ import annotations

import hashlib
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
from runner.corpus.conllu.reader import Notes, Rejection
from runner.corpus.conllu.tables_of_pieces import ParsedPiece
from runner.corpus.files.blocks import (
    CONLLU_MEMBERS,
    STDIN,
    archive_members,
    is_uncompressed,
    open_input,
    readable_size,
)
from runner.corpus.files.labels import CONLLU_SUFFIXES, corpus_files, source_labels
from runner.corpus.files.pieces import Piece, read_pieces
from runner.corpus.files.plus import as_conllu
from runner.corpus.ingest.foreign_relations import foreign_relations
from runner.corpus.ingest.parallel import InputFile, parse_in_order
from runner.corpus.ingest.writer import StoreWriter
from runner.corpus.processes.memory import keep_freed_memory
from runner.corpus.processes.process_pool import ProcessPool, process_pool
from runner.corpus.store.opening import Store
from runner.corpus.store.run_query import run_query
from runner.counted import counted
from runner.errors import InputError
from runner.machine import available_cores
from runner.readers import real_path
from runner.workspace import changed_error, clean_stale, publish_dir, sha256_file

if TYPE_CHECKING:
    import duckdb

SUFFIXES = CONLLU_SUFFIXES
KIND = "CoNLL-U files (*.conllu, also .gz, .xz or .zip)"
REJECTED = "rejected.conllu"
_BYTES_PER_JOB = 64 << 20  # for fewer bytes, starting a process takes longer than it saves
_MAX_ERRORS = 20  # errors that are listed; the others are counted

OnNote = Callable[[Diagnostic], None]
Progress = Callable[[int, int], None]  # number of bytes read, total number of bytes


def import_files(
    files: Sequence[Path],
    output: Path,
    *,
    on_error: Literal["stop", "skip"] = "stop",
    force: bool = False,
    jobs: int = 1,
    text: bool = True,
    progress: Progress | None = None,
    on_note: OnNote | None = None,
) -> Store:
    """Import CoNLL-U files, and folders of them, as the store `output`. The path `-` is standard input.

    Files may be compressed by gzip or xz. Every .conllu file in a zip archive is read. The store is the same for every
    number of processes (`jobs`).

    Raises InputError with the first errors of malformed sentences, after all files have been read. With
    `on_error="skip"`, malformed sentences are written to `rejected.conllu` in the store, each after its errors.
    `on_note` receives hints and warnings. An existing store is replaced only with `force`. Without `text`, the store
    has no forms and no texts, and `rejected.conllu` has only the errors.
    """
    keep_freed_memory()
    replace = may_replace(output, force=force)
    paths = corpus_files(files, SUFFIXES, KIND)
    clean_stale(real_path(output).parent)
    with (
        _published(output, replace=replace) as folder,
        ThreadPoolExecutor(1) as thread,
        process_pool(jobs - 1, folder) as pool,
    ):
        writer = StoreWriter(folder, write_thread=thread if pool else None, pool=pool, text=text)
        importer = _Import(writer, folder / REJECTED, on_error == "skip", _Meter(paths, progress), text=text)
        importer.read(zip(paths, source_labels(paths), strict=True), pool)
        if importer.errors:
            raise InputError(_with_omitted_count(importer.errors, importer.error_count))
        if not importer.writer.sentences:
            count = counted(importer.rejected, "malformed sentence")
            hint = f"{count} skipped; without `--on-error skip`, the errors are listed" if importer.rejected else None
            raise InputError(diagnostic("FICT730", path=", ".join(map(str, files)), hint=hint))
        if importer.rejected:
            importer.writer.register(REJECTED)
            count = counted(importer.rejected, "sentence")
            importer.notes.append(diagnostic("FICT734", count=count, path=output / REJECTED))
        importer.writer.finish()
    store = Store.open(output)
    if on_note is not None:
        for note in (*importer.notes, *corpus_notes(store)):
            on_note(note)
    return store


@contextmanager
def _published(output: Path, *, replace: bool) -> Iterator[Path]:
    """Publish a folder as the store. Raises InputError (FICT743) if another process publishes the same store first."""
    try:
        with publish_dir(real_path(output), replace=replace) as folder:
            yield folder
    except FileExistsError as error:
        raise InputError(diagnostic("FICT743", path=output, hint="`--force` replaces it")) from error


def default_jobs(files: Sequence[Path]) -> int:
    """Return the number of available cores, or fewer if the files are small."""
    size = sum(path.stat().st_size for path in corpus_files(files, SUFFIXES, KIND) if path.is_file())
    return max(1, min(available_cores(), size // _BYTES_PER_JOB))


def may_replace(output: Path, *, force: bool) -> bool:
    """Return whether a new store at `output` would replace an existing store or an empty folder.

    Raises InputError if `output` is something else (FICT744), or if it is a store and `force` is false (FICT743).
    """
    if not output.exists():
        return False
    if output.is_dir() and not any(output.iterdir()):
        return True
    if not (output / "store.json").is_file():
        raise InputError(diagnostic("FICT744", path=output))
    if not force:
        raise InputError(diagnostic("FICT743", path=output, hint="`--force` replaces it"))
    return True


def corpus_notes(store: Store) -> list[Diagnostic]:
    """Return notes on a whole store: repeated sent_ids, features that differ only by case, relations outside UD."""
    notes = []
    repeated_count, in_several_files = _repeated_ids(store)
    if repeated_count:
        notes.append(
            diagnostic("FICT725", count=counted(repeated_count, "sent_id"), across_files=f"{in_several_files:,}")
        )
    names_by_lower_case: dict[str, list[str]] = {}
    for name in store.info.features:
        names_by_lower_case.setdefault(name.lower(), []).append(name)
    for names in names_by_lower_case.values():
        if len(names) > 1:
            notes.append(diagnostic("FICT735", names=", ".join(names)))
    return [*notes, *foreign_relations(store)]


def _repeated_ids(store: Store) -> tuple[int, int]:
    """Return the number of repeated values of sent_id, and how many of them occur in several files.

    Hashes of eight bytes are compared first, because most values occur once.
    """

    def work(connection: duckdb.DuckDBPyConnection) -> tuple[int, int] | None:
        hashes = connection.execute("SELECT hash(sent_id) AS hash FROM sentences WHERE sent_id IS NOT NULL")
        sorted_hashes = np.sort(hashes.fetchnumpy()["hash"])
        repeated_hashes = np.unique(sorted_hashes[1:][sorted_hashes[1:] == sorted_hashes[:-1]])
        connection.register("repeated", pa.table({"hash": repeated_hashes}))
        return connection.execute(
            "SELECT count(*), count(*) FILTER (files > 1) FROM (SELECT count(DISTINCT source) AS files FROM sentences "
            "WHERE hash(sent_id) IN (FROM repeated) AND sent_id IS NOT NULL GROUP BY sent_id HAVING count(*) > 1)"
        ).fetchone()

    return run_query(store, work, tables=["sentences"]) or (0, 0)


@dataclass(slots=True)
class _Source:
    """A file, or a member of an archive. `stamp` is its state when it was opened. `digest` is None until it is read."""

    path: Path
    label: str
    stamp: tuple[int, int, int] | None
    notes: Notes = field(default_factory=Notes)
    digest: str | None = None


@dataclass(slots=True)
class _Import:
    """The state of an import: the writer, the notes and errors so far, and the number of rejected sentences."""

    writer: StoreWriter
    rejected_path: Path
    skips_malformed: bool
    meter: _Meter
    text: bool = True
    notes: list[Diagnostic] = field(default_factory=list)
    errors: list[Diagnostic] = field(default_factory=list)
    error_count: int = 0
    rejected: int = 0

    def read(self, files: Iterable[tuple[Path, str]], pool: ProcessPool | None) -> None:
        """Read all files completely. After the first error, nothing more is written."""
        rejected_before = 0
        for source, parsed in parse_in_order(self._pieces(files), pool):
            if parsed is not None:
                self._add(parsed, source)
            elif source.digest is None:
                self.writer.begin(source.label)
                rejected_before = self.rejected
            else:
                if _stamp(source.path) != source.stamp:
                    raise changed_error(source.path)
                self.writer.end(source.digest, self.rejected - rejected_before)
                if not self.text:  # neither texts nor forms are stored
                    source.notes.withheld = source.notes.other_texts = 0
                self.notes += source.notes.diagnostics(source.label)

    def _pieces(self, files: Iterable[tuple[Path, str]]) -> Iterator[tuple[_Source, InputFile, Piece | None]]:
        """Yield the pieces of each source between two items without a piece. Only the second of them has the digest."""
        used_labels: set[str] = set()
        for path, label in files:
            stamp, uncompressed = _stamp(path), is_uncompressed(path)
            members: Sequence[str | None] = archive_members(path, CONLLU_MEMBERS) or [None]
            file_digest = ""  # of a compressed file; all members of an archive share it
            for member in members:
                member_suffix = "" if member is None else f"/{member}"
                if f"{label}{member_suffix}" in used_labels:  # a folder may have the name of an archive
                    raise InputError(diagnostic("FICT738", path=path, name=f"{label}{member_suffix}"))
                used_labels.add(f"{label}{member_suffix}")
                source = _Source(path, f"{label}{member_suffix}", stamp)
                file = InputFile(f"{path}{member_suffix}", path if uncompressed else None)
                yield source, file, None
                digest = hashlib.sha256()
                reads_all_bytes = uncompressed or path == STDIN  # decompression may leave trailing bytes unread
                advance = (
                    digest.update
                    if path == STDIN
                    else self.meter.advance_with(digest)
                    if uncompressed
                    else self.meter.advance
                )
                with open_input(path, advance, member) as stream:
                    standard = as_conllu(stream, file.name, source.notes.file)
                    if standard is not stream:  # offsets are those of the translation
                        file = replace(file, path=None)
                    for piece in read_pieces(standard, source.notes.file):
                        yield source, file, piece
                if not reads_all_bytes:
                    file_digest = file_digest or sha256_file(path)
                yield replace(source, digest=digest.hexdigest() if reads_all_bytes else file_digest), file, None

    def _add(self, parsed: ParsedPiece, source: _Source) -> None:
        source.notes.add(parsed.notes)
        for rejection in parsed.rejections:
            self._reject(rejection, source.label)
        if parsed.tables is not None and not self.errors:
            self.writer.write(parsed.tables)
        if parsed.newdoc is not None:
            self.writer.begin_document(parsed.newdoc)

    def _reject(self, rejection: Rejection, label: str) -> None:
        if not self.skips_malformed:
            self.error_count += len(rejection.diagnostics)
            self.errors += rejection.diagnostics[: max(0, _MAX_ERRORS - len(self.errors))]
            return
        self.rejected += 1
        with self.rejected_path.open("ab") as file:
            for problem in rejection.diagnostics:
                file.write(f"# fictc: {_location(problem, label)}{problem.code} {problem.message}\n".encode())
            file.write(rejection.data + b"\n\n" if self.text else b"\n")


class _Meter:
    """Counts the bytes read from all files, and reports them to `progress`."""

    def __init__(self, files: Sequence[Path], progress: Progress | None) -> None:
        self._progress = progress
        self._total = 0 if STDIN in files else sum(readable_size(path, CONLLU_MEMBERS) for path in files)
        self._done = 0

    def advance(self, data: bytes) -> None:
        self._done += len(data)
        if self._progress is not None:
            self._progress(self._done, self._total)

    def advance_with(self, digest: hashlib._Hash) -> Callable[[bytes], None]:
        """Return a callback that advances and updates `digest`."""

        def advance(data: bytes) -> None:
            self.advance(data)
            digest.update(data)

        return advance


def _stamp(path: Path) -> tuple[int, int, int] | None:
    try:
        status = path.stat()
    except OSError:
        return None  # reading the file reports the error
    return status.st_size, status.st_mtime_ns, status.st_ino


def _location(problem: Diagnostic, label: str) -> str:
    if problem.source is None or problem.span is None:
        return f"{label}: "
    return f"{label}:{problem.source.position(problem.span.start)[0]}: "


def _with_omitted_count(errors: Sequence[Diagnostic], count: int) -> list[Diagnostic]:
    if count == len(errors):
        return list(errors)
    return [*errors, diagnostic("FICT732", count=counted(count - len(errors), "more error"))]
