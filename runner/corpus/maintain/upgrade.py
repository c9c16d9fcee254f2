"""Upgrade a store of an older version."""

from __future__ import annotations

import shutil
from pathlib import Path

from runner.corpus.ingest.import_conllu import may_replace
from runner.corpus.ingest.writer import StoreWriter
from runner.corpus.maintain.copying import Advance, Copier
from runner.corpus.store.opening import Store
from runner.corpus.text.lines import LINES, join_lines
from runner.readers import real_path
from runner.workspace import clean_stale, publish_dir


def upgrade(path: Path, output: Path | None = None, *, force: bool = False, advance: Advance | None = None) -> bool:
    """Rewrite the store at `path` in place or as `output`. Return False if its version is current and `output` is None.

    Rejected sentences and `lines.parquet` are kept. `advance` receives the number of sentences processed since its last
    call. Raises the errors of `Store.open` and `Copier.copy`, and of `may_replace` for `output`.
    """
    old_store = Store.open(path, older=True)
    if old_store.current and output is None:
        return False
    replace = True if output is None else may_replace(output, force=force)
    target = real_path(output or path)
    clean_stale(target.parent)
    with publish_dir(target, replace=replace) as folder:
        writer = StoreWriter(folder)
        copier = Copier(writer)
        copier.copy(old_store, advance=advance)
        copier.finish()
        for name in extra_files(old_store):
            if name == LINES:
                join_lines([(old_store.file(name), {}, 0)], folder / name)
            else:
                shutil.copyfile(old_store.file(name), folder / name)
            writer.register(name)
        writer.finish(old_store.info.annotator)
    return True


def extra_files(store: Store) -> list[str]:
    """Return the names of a store's files outside its tables: `lines.parquet`, and rejected and too long sentences."""
    return [name for name in store.files if "/" not in name]
