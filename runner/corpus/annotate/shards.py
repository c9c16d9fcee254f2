"""Parsed units into shard files that survive a kill: published by rename, with their own hash in the last line."""

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
    """The unfinished work of one job, in a folder beside the store that it will become."""

    def __init__(self, folder: Path, job: Mapping[str, object], *, fresh: bool = False) -> None:
        """Open the folder, or make it; InputError (FICT758) if it holds the work of another job and not `fresh`."""
        self.folder = folder
        self._identity = canonical_json(job)
        file = folder / "job.json"
        if fresh:
            for shard in folder.glob("*.jsonl.gz"):
                shard.unlink()
            file.unlink(missing_ok=True)
        if file.exists():
            self._compare(file)
        else:
            write_text(file, self._identity)
        clean_stale(folder)

    def path(self, number: int) -> Path:
        """Where shard `number` is, or will be."""
        return self.folder / f"{number:06d}.jsonl.gz"

    def done(self, path: Path) -> bool:
        """Whether the shard at `path` is there and whole; a damaged one is removed."""
        if not path.exists():
            return False
        try:
            for _ in read_shard(path):
                pass
        except InputError:
            path.unlink()
            return False
        return True

    def _compare(self, file: Path) -> None:
        try:
            before = parse_json(file.read_bytes())
        except (OSError, ValueError):
            before = {}
        now = parse_json(self._identity)
        different = [name for name in now if not isinstance(before, dict) or before.get(name) != now[name]]
        if different:
            raise InputError(diagnostic("FICT758", path=self.folder, what=" and ".join(different)))


def write_shard(path: Path, records: Sequence[UnitRecord]) -> None:
    """Write a shard whole; the same records give the same bytes."""
    body = "".join(record.to_json() + "\n" for record in records).encode()
    last = json.dumps({"units": len(records), "sha256": hashlib.sha256(body).hexdigest()}).encode()
    with atomic_write(path) as temp:
        temp.write_bytes(gzip.compress(body + last + b"\n", 1, mtime=0))


def read_shard(path: Path) -> Iterator[UnitRecord]:
    """The records of a shard; InputError (FICT742) if a bit of it changed."""
    try:
        body, _, last = gzip.decompress(path.read_bytes()).removesuffix(b"\n").rpartition(b"\n")
        body = body + b"\n" if body else body
        stamp = parse_json(last)
        whole = stamp["sha256"] == hashlib.sha256(body).hexdigest()
    except (OSError, EOFError, ValueError, KeyError, TypeError, zlib.error):
        whole, body = False, b""
    if not whole:
        raise InputError(diagnostic("FICT742", path=path, reason="it is not what was written"))
    for line in body.decode().split("\n")[:-1]:
        yield UnitRecord.from_json(line)
