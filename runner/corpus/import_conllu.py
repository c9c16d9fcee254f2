"""Import CoNLL-U files into a store. Files that a command takes in place of a store are imported into the cache."""

from __future__ import annotations

import atexit
import hashlib
import json
import os
import shutil
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import cache, partial
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING, Literal

import numpy as np
import pyarrow as pa

from fictdsl.diagnostics.codes import diagnostic
from fictdsl.diagnostics.diagnostic import Diagnostic
from fictdsl.installation import cache_folder
from fictdsl.schema import VERSION
from fictdsl.semantics import ud
from fictdsl.words import counted, inflected
from runner.corpus.byte_columns import Piece, read_pieces
from runner.corpus.conllu_columns import Notes, as_conllu
from runner.corpus.conllu_reader import Rejection
from runner.corpus.conllu_tables import ParsedPiece, parse_piece
from runner.corpus.corpus_files import (
    CONLLU_MEMBERS,
    CONLLU_SUFFIXES,
    STDIN,
    archive_members,
    corpus_files,
    files_below,
    is_uncompressed,
    open_input,
    readable_size,
    source_labels,
)
from runner.corpus.limits import DEFAULT, Limits, keep_freed_memory
from runner.corpus.processes import PendingResult, ProcessPool, process_pool
from runner.corpus.run_query import run_query
from runner.corpus.store import Store
from runner.corpus.store_files import file_stamp
from runner.corpus.store_writer import StoreWriter, may_replace, new_store
from runner.errors import ErrorList, InputError
from runner.machine import available_cores
from runner.readers import real_path
from runner.workspace import changed_error, key, lock, sha256_file, temporary_directory, write_text

if TYPE_CHECKING:
    import duckdb


_MAX_WAITING = 8  # pieces per process whose results are not yielded yet


@dataclass(slots=True)
class _Source:
    path: Path
    label: str
    name: str  # in messages
    stamp: tuple[int, int, int] | None
    has_offsets: bool  # whether other processes can read the file from any offset
    notes: Notes = field(default_factory=Notes)
    digest: str | None = None


def parse_in_order(
    items: Iterator[tuple[_Source, Piece | None]], pool: ProcessPool | None
) -> Iterator[tuple[_Source, ParsedPiece | None]]:
    """Parse the piece of each item, if it has one, in order. If all workers are busy, this process parses."""
    waiting: deque[tuple[_Source, _Result]] = deque()
    for source, piece in items:
        result: _Result = None
        if piece is not None and pool is not None and pool.has_capacity:
            if source.has_offsets:
                unread_piece = replace(piece, data=b"")
                result = pool.submit(_read_and_parse, unread_piece, source.name, source.path, len(piece.data))
            else:
                result = pool.submit(parse_piece, piece, source.name)
        elif piece is not None:
            result = parse_piece(piece, source.name)
        waiting.append((source, result))
        while waiting and (_is_done(waiting[0][1]) or pool is None or len(waiting) > _MAX_WAITING * (pool.size + 1)):
            yield _wait(*waiting.popleft())
    while waiting:
        yield _wait(*waiting.popleft())


def _read_and_parse(piece: Piece, name: str, path: Path, size: int) -> ParsedPiece | None:
    """Parse a piece whose bytes are read in this process, or return None if there are not as many any more."""
    try:
        with path.open("rb") as stream:
            stream.seek(piece.start)
            data = stream.read(size)
    except OSError:
        return None
    return parse_piece(replace(piece, data=data), name) if len(data) == size else None


_Result = ParsedPiece | PendingResult[ParsedPiece | None] | PendingResult[ParsedPiece] | None


def _is_done(result: _Result) -> bool:
    return not isinstance(result, PendingResult) or result.done()


def _wait(source: _Source, result: _Result) -> tuple[_Source, ParsedPiece | None]:
    if not isinstance(result, PendingResult):
        return source, result
    parsed = result.result()
    if parsed is None:
        raise changed_error(source.name)
    return source, parsed


_MAX_NAMED = 6
_UD_1_RELATIONS = frozenset({"dobj", "nsubjpass", "csubjpass", "auxpass", "neg", "mwe", "name", "remnant"})


def foreign_relations(store: Store) -> list[Diagnostic]:
    relations = store.info.values.get("deprel", {})
    counts = {label: words for label, words in relations.items() if not ud.is_base_relation(label)}
    if not counts:
        return []
    labels = sorted(counts, key=lambda label: (-counts[label], label))
    named = ", ".join(f"{label} ({counts[label]:,})" for label in labels[:_MAX_NAMED])
    omitted = f" and {len(labels) - _MAX_NAMED:,} more" if len(labels) > _MAX_NAMED else ""
    version_hint = "some are relations of UD v1; " if _UD_1_RELATIONS & counts.keys() else ""
    hint = f"{version_hint}filters for UD 2 do not match them, and `# tagset: other` in a filter permits them"
    total = sum(counts.values())
    have = inflected(total, "has", "have")
    return [diagnostic("FICT715", hint=hint, count=counted(total, "word"), have=have, found=named + omitted)]


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
    may_replace(output, force=force)
    paths = corpus_files(files, SUFFIXES, KIND)
    with (
        new_store(output, force=force) as folder,
        ThreadPoolExecutor(1) as thread,
        process_pool(jobs - 1, folder) as pool,
    ):
        writer = StoreWriter(folder, write_thread=thread if pool else None, pool=pool, text=text)
        total = 0 if STDIN in paths else sum(readable_size(path, CONLLU_MEMBERS) for path in paths)
        importer = _Import(writer, folder / REJECTED, on_error == "skip", progress, total, text=text)
        importer.read(zip(paths, source_labels(paths), strict=True), pool)
        importer.errors.check()
        if not importer.writer.sentences:
            count = counted(importer.rejected, "malformed sentence")
            hint = f"{count} skipped; without `--on-error skip`, the errors are listed" if importer.rejected else None
            raise InputError.of("FICT730", path=", ".join(map(str, files)), hint=hint)
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


def default_jobs(files: Sequence[Path]) -> int:
    size = sum(path.stat().st_size for path in corpus_files(files, SUFFIXES, KIND) if path.is_file())
    return max(1, min(available_cores(), size // _BYTES_PER_JOB))


def corpus_notes(store: Store) -> list[Diagnostic]:
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
    """Return how many values of sent_id are repeated, and how many of them in several files; compare hashes first."""

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
class _Import:
    writer: StoreWriter
    rejected_path: Path
    skips_malformed: bool
    progress: Progress | None
    total: int  # bytes to read, 0 if unknown
    text: bool = True
    notes: list[Diagnostic] = field(default_factory=list)
    errors: ErrorList = field(default_factory=lambda: ErrorList(_MAX_ERRORS))
    rejected: int = 0
    done: int = 0  # bytes read

    def read(self, files: Iterable[tuple[Path, str]], pool: ProcessPool | None) -> None:
        rejected_before = 0
        for source, parsed in parse_in_order(self._pieces(files), pool):
            if parsed is not None:
                self._add(parsed, source)
            elif source.digest is None:
                self.writer.begin(source.label)
                rejected_before = self.rejected
            else:
                if file_stamp(source.path) != source.stamp:
                    raise changed_error(source.path)
                self.writer.end(source.digest, self.rejected - rejected_before)
                if not self.text:  # neither texts nor forms are stored
                    source.notes.withheld = source.notes.other_texts = 0
                self.notes += source.notes.diagnostics(source.label)

    def _pieces(self, files: Iterable[tuple[Path, str]]) -> Iterator[tuple[_Source, Piece | None]]:
        """Yield the pieces of each source between two items without a piece. Only the second of them has the digest."""
        used_labels: set[str] = set()
        for path, label in files:
            stamp, uncompressed = file_stamp(path), is_uncompressed(path)
            members: Sequence[str | None] = archive_members(path, CONLLU_MEMBERS) or [None]
            file_digest = ""  # of a compressed file; all members of an archive share it
            for member in members:
                member_suffix = "" if member is None else f"/{member}"
                if f"{label}{member_suffix}" in used_labels:  # a folder may have the name of an archive
                    raise InputError.of("FICT738", path=path, name=f"{label}{member_suffix}")
                used_labels.add(f"{label}{member_suffix}")
                name = f"{path}{member_suffix}"
                source = _Source(path, f"{label}{member_suffix}", name, stamp, has_offsets=uncompressed)
                yield source, None
                reads_all_bytes = uncompressed or path == STDIN  # decompression may leave trailing bytes unread
                digest = hashlib.sha256() if reads_all_bytes else None
                with open_input(path, partial(self._advance, path, digest), member) as stream:
                    standard = as_conllu(stream, name, source.notes)
                    source.has_offsets &= standard is stream  # offsets are those of the translation
                    for piece in read_pieces(standard, source.notes):
                        yield source, piece
                if digest is None:
                    file_digest = file_digest or sha256_file(path)
                yield replace(source, digest=file_digest if digest is None else digest.hexdigest()), None

    def _advance(self, path: Path, digest: hashlib._Hash | None, data: bytes) -> None:
        if digest is not None:
            digest.update(data)
        if self.progress is not None and path != STDIN:
            self.done += len(data)
            self.progress(self.done, self.total)

    def _add(self, parsed: ParsedPiece, source: _Source) -> None:
        source.notes.add(parsed.notes)
        for rejection in parsed.rejections:
            self._reject(rejection, source.label)
        if parsed.tables is not None and not self.errors.count:
            self.writer.write(parsed.tables)
        if parsed.newdoc is not None:
            self.writer.begin_document(parsed.newdoc)

    def _reject(self, rejection: Rejection, label: str) -> None:
        if not self.skips_malformed:
            self.errors.add(rejection.diagnostics, len(rejection.diagnostics))
            return
        self.rejected += 1
        with self.rejected_path.open("ab") as file:
            for problem in rejection.diagnostics:
                file.write(f"# fictc: {_location(problem, label)}{problem.code} {problem.message}\n".encode())
            file.write(rejection.data + b"\n\n" if self.text else b"\n")


def _location(problem: Diagnostic, label: str) -> str:
    if problem.source is None or problem.span is None:
        return f"{label}: "
    return f"{label}:{problem.source.position(problem.span.start)[0]}: "


def is_conllu(path: Path) -> bool:
    if path.is_dir():
        return not (path / "store.json").exists() and any(files_below(path, SUFFIXES))
    return path.name.endswith(SUFFIXES) and path.is_file()


def cached_store(
    paths: Sequence[Path],
    limits: Limits = DEFAULT,
    progress: Progress | None = None,
    on_import: Callable[[Store], None] | None = None,
) -> Store:
    """Return the store of CoNLL-U files and folders. Import them, and call `on_import`, unless the cache has it."""
    files = [real_path(file) for file in corpus_files(paths, SUFFIXES, KIND)]
    folder = corpora_folder() / key(*map(str, files))[:32]
    with lock(folder.with_suffix(".lock")):
        fingerprints = json.dumps([VERSION, *((str(file), *(file_stamp(file) or ())) for file in files)])
        fingerprint_path = folder.with_suffix(".json")
        store = _open_current(folder, fingerprint_path, fingerprints, limits)
        if store is None:
            fingerprint_path.unlink(missing_ok=True)
            import_files(files, folder, force=True, jobs=default_jobs(files), progress=progress)
            write_text(fingerprint_path, fingerprints)
            store = Store.open(folder, limits)
            if on_import is not None:
                on_import(store)
    return store


def corpora_folder() -> Path:
    """Return the folder of the stores. If the cache is not writable, it exists until this process ends."""
    folder = cache_folder() / "corpora"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if os.access(folder, os.W_OK | os.X_OK):
            return folder
    except OSError:
        pass
    return _temporary_folder()


@cache
def _temporary_folder() -> Path:
    folder = Path(mkdtemp(prefix="fictc-corpora-", dir=temporary_directory()))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def _open_current(folder: Path, fingerprint_path: Path, fingerprints: str, limits: Limits) -> Store | None:
    try:
        is_current = fingerprint_path.read_text(encoding="utf-8") == fingerprints
        return Store.open(folder, limits) if is_current else None
    except (OSError, ValueError, InputError):
        return None
