"""Files of parsed shards, published by rename, with a checksum in the last line."""

from __future__ import annotations

import gzip
import hashlib
import json
import zlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from fictdsl.diagnostics.codes import diagnostic
from runner.corpus.text.parsed import UnitRecord
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
        """Return the path of a shard."""
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
