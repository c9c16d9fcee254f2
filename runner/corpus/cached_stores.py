"""Import the CoNLL-U files that are given to a command instead of a store, and keep the store in the cache."""

from __future__ import annotations

import atexit
import json
import os
import shutil
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

from fictdsl.installation import cache_folder
from fictdsl.schema import VERSION
from runner.corpus.corpus_files import corpus_files, files_below
from runner.corpus.import_conllu import KIND, SUFFIXES, Progress, default_jobs, import_files
from runner.corpus.limits import DEFAULT, Limits
from runner.corpus.store import Store
from runner.errors import InputError
from runner.readers import real_path
from runner.workspace import key, lock, temporary_directory, write_text


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
    """Return the store of CoNLL-U files and folders. Import them unless the cache has a current store.

    `on_import` is called after an import. Raises InputError as `import_files` does.
    """
    files = [real_path(file) for file in corpus_files(paths, SUFFIXES, KIND)]
    folder = corpora_folder() / key(*map(str, files))[:32]
    with lock(folder.with_suffix(".lock")):
        fingerprints = json.dumps([VERSION, *(_fingerprint(file) for file in files)])
        store = _open_current(folder, fingerprints, limits)
        if store is None:
            fingerprint_path = _fingerprint_path(folder)
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


def _open_current(folder: Path, fingerprints: str, limits: Limits) -> Store | None:
    try:
        return (
            Store.open(folder, limits)
            if _fingerprint_path(folder).read_text(encoding="utf-8") == fingerprints
            else None
        )
    except (OSError, ValueError, InputError):
        return None


def _fingerprint_path(folder: Path) -> Path:
    return folder.with_suffix(".json")


def _fingerprint(file: Path) -> tuple[str, int, int, int]:
    status = file.stat()
    return str(file), status.st_size, status.st_mtime_ns, status.st_ino
