"""A store of an older version into one of today's, with the same sentences."""

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
    """Write the store at `path` anew, in its place or as `output`; False where that has nothing to do.

    What was left out, and the lines that its text had, are kept. `advance` gets how many sentences are done. Errors are
    those of `Store.open` and of an `output` that stands in the way.
    """
    old = Store.open(path, older=True)
    if old.current and output is None:
        return False
    replace = True if output is None else may_replace(output, force=force)
    final = real_path(output or path)
    clean_stale(final.parent)
    with publish_dir(final, replace=replace) as folder:
        writer = StoreWriter(folder)
        copier = Copier(writer)
        copier.copy(old, advance=advance)
        copier.finish()
        for name in extras(old):
            if name == LINES:
                join_lines([(old.file(name), {}, 0)], folder / name)
            else:
                shutil.copyfile(old.file(name), folder / name)
            writer.register(name)
        writer.finish(old.info.annotator)
    return True


def extras(store: Store) -> list[str]:
    """The files of a store that are no tables: what was left out of it, and the lines that its text had."""
    return [name for name in store.files if "/" not in name]
