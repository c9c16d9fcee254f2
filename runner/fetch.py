"""Download data sets, and verify them by the sha256 in the registry."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

from fictdsl.diagnostics.suggest import nearest
from runner.errors import InputError
from runner.machine import QUERY_THREAD
from runner.readers import parse_toml
from runner.workspace import atomic_write, sha256_file

REGISTRY = Path(__file__).with_name("registry.toml")
_SHA256 = re.compile(r"[0-9a-f]{64}")
_FILE_NAME = re.compile(r"[A-Za-z0-9._-]{1,128}")
_TIMEOUT = 30.0  # seconds without a response
_MAX_SECONDS = 1800.0  # per file
_WINDOW = 60.0  # seconds, also of redirects and headers, in which at least _MIN_BYTES of the file must arrive
_MIN_BYTES = 60_000
_BUFFER = 2**16
MAX_BYTES = 200_000_000  # per file without a registered size; more than ten times the largest registered size

Progress = Callable[[int, int], None]  # number of files done, total number of files


@dataclass(frozen=True, slots=True)
class DataSet:
    """A data set: the base address and the sha256 of each file ("" if unknown), with known sizes in bytes.

    `page` has files without a sha256 for a download by hand. `paths` has the other names of files below `base`.
    """

    name: str
    about: str
    licence: str
    base: str
    files: Mapping[str, str]
    page: str = ""
    paths: Mapping[str, str] = field(default_factory=dict)
    sizes: Mapping[str, int] = field(default_factory=dict)


def data_sets(registry: Path | None = None) -> dict[str, DataSet]:
    built_in = _read_registry(REGISTRY)
    return built_in if registry is None else {**built_in, **_read_registry(registry)}


def fetch(
    name: str,
    output: Path,
    *,
    mirror: str | None = None,
    registry: Path | None = None,
    progress: Progress | None = None,
) -> list[Path]:
    """Download the files of a data set into the folder `output`, except those that exist and are correct.

    `mirror` replaces the base address, and has each file under its own name. Raises InputError for an unknown name
    (FICT773), a file without a hash (FICT770, before any download), a failed download (FICT772), a wrong hash
    (FICT771), or an invalid registry (FICT774). No wrong or incomplete file is written to `output`.
    """
    known = data_sets(registry)
    if name not in known:
        nearest_name = nearest(name, known)
        hint = f"the nearest is `{nearest_name}`" if nearest_name else f"the known data sets are {', '.join(known)}"
        raise InputError.of("FICT773", hint=hint, name=name)
    data_set = known[name]
    for file, digest in data_set.files.items():
        if not digest:
            page_hint = f"{data_set.page} has the files; " if data_set.page else ""
            hint = f"{page_hint}pass a registry with its hash as `--registry FILE`"
            raise InputError.of("FICT770", hint=hint, name=f"{name}/{file}")
    base = (mirror or data_set.base).rstrip("/")
    if urlsplit(base).scheme not in ("http", "https"):
        raise InputError.of("FICT772", url=base, reason="only http and https addresses are read")
    paths = []
    for file_count, (file, digest) in enumerate(data_set.files.items(), 1):
        path = output / file
        if not (path.is_file() and sha256_file(path) == digest):
            remote = file if mirror else data_set.paths.get(file, file)
            _download(f"{base}/{quote(remote)}", digest, data_set.sizes.get(file), path, f"{name}/{file}")
        paths.append(path)
        if progress is not None:
            progress(file_count, len(data_set.files))
    return paths


def _download(url: str, digest: str, size: int | None, path: Path, name: str) -> None:
    import requests
    import urllib3

    with atomic_write(path) as temp:
        try:
            _stream(url, size, temp)
        except requests.HTTPError as error:
            status = "" if error.response is None else f"{error.response.status_code} {error.response.reason}"
            raise InputError.of("FICT772", url=url, reason=f"the server says {status}") from error
        except requests.exceptions.InvalidSchema as error:
            reason = "the server redirects to an address that is neither http nor https"
            raise InputError.of("FICT772", url=url, reason=reason) from error
        except (requests.Timeout, urllib3.exceptions.TimeoutError) as error:
            raise InputError.of("FICT772", url=url, reason="no answer") from error
        except (requests.RequestException, urllib3.exceptions.HTTPError) as error:
            raise InputError.of("FICT772", url=url, reason="no connection") from error
        if (actual := sha256_file(temp)) != digest:
            raise InputError.of("FICT771", name=name, url=url, found=actual, expected=digest)


def _stream(url: str, size: int | None, path: Path) -> None:
    """Write the body to `path`: within `_MAX_SECONDS`, and at least `_MIN_BYTES` in each `_WINDOW`."""
    transfer = _Transfer(url, size, path)
    started = window_started = time.monotonic()
    received = 0
    while transfer.is_alive():
        transfer.join(0.1)
        now, reason = time.monotonic(), ""
        if now - started > _MAX_SECONDS:
            reason = f"it was not complete after {_MAX_SECONDS:g} s"
        elif now - window_started > _WINDOW:
            if transfer.received < received + _MIN_BYTES:
                reason = f"{transfer.received - received:,} bytes of the file arrived in {_WINDOW:g} s"
            window_started, received = now, transfer.received
        if reason and transfer.is_alive():
            transfer.stopped = True
            raise InputError.of("FICT772", url=url, reason=reason)
    if transfer.error is not None:
        raise transfer.error


class _Transfer(threading.Thread):
    """A request in a thread that can be left: a server may send its headers a byte at a time, without a limit."""

    def __init__(self, url: str, size: int | None, path: Path) -> None:
        super().__init__(name=QUERY_THREAD, daemon=True)
        self._arguments = url, size, path
        self.received = 0  # bytes of the body
        self.stopped = False
        self.error: BaseException | None = None
        self.start()

    def run(self) -> None:
        try:
            for size in _received(*self._arguments):
                self.received = size
                if self.stopped:
                    return
        except BaseException as error:  # noqa: BLE001 - raised by `_stream`
            self.error = error


def _received(url: str, size: int | None, path: Path) -> Iterator[int]:
    import requests

    limit = MAX_BYTES if size is None else size
    headers = {"Accept-Encoding": "identity"}  # the registry's sizes and hashes are those of uncompressed responses
    with requests.get(url, headers=headers, stream=True, timeout=_TIMEOUT) as response, path.open("wb") as file:
        response.raise_for_status()
        content_length = response.headers.get("Content-Length", "")
        if content_length.isdecimal() and (len(content_length) > 18 or int(content_length) > limit):
            raise _too_large(url, size)
        # `read` would wait until the buffer is full, but a server may send a byte at a time
        while piece := response.raw.read1(_BUFFER, decode_content=False):
            if file.tell() + len(piece) > limit:
                raise _too_large(url, size)
            file.write(piece)
            yield file.tell()


def _too_large(url: str, size: int | None) -> InputError:
    limit = f"{MAX_BYTES:,} bytes allowed for a file" if size is None else f"{size:,} bytes in the registry"
    return InputError.of("FICT772", url=url, reason=f"it has more than the {limit}")


def _read_registry(path: Path) -> dict[str, DataSet]:
    try:
        content = parse_toml(path.read_text(encoding="utf-8"))
        return {name: _data_set(name, table) for name, table in content.items()}
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise InputError.of("FICT774", path=path, reason=reason) from error
    except ValueError as error:
        raise InputError.of("FICT774", path=path, reason=str(error)) from error


def _data_set(name: str, table: Any) -> DataSet:
    if not isinstance(table, dict) or not isinstance(table.get("files"), dict) or not table["files"]:
        raise ValueError(f"`{name}` has no table `files`")
    for file, digest in table["files"].items():
        if not _FILE_NAME.fullmatch(file) or file.startswith("."):
            raise ValueError(f"`{file}` is not a plain file name")
        if not isinstance(digest, str) or not (digest == "" or _SHA256.fullmatch(digest)):
            raise ValueError(f"the sha256 of `{file}` is not 64 hexadecimal digits")
    texts = {key: table.get(key, "") for key in ("about", "licence", "base", "page")}
    if not all(isinstance(text, str) for text in texts.values()):
        raise ValueError(f"`about`, `licence`, `base` and `page` of `{name}` must be strings")
    paths, sizes = table.get("paths", {}), table.get("sizes", {})
    if not isinstance(paths, dict) or not all(isinstance(path, str) for path in paths.values()):
        raise ValueError(f"`paths` of `{name}` must be a table of strings")
    if not isinstance(sizes, dict) or not all(type(size) is int and size >= 0 for size in sizes.values()):
        raise ValueError(f"`sizes` of `{name}` must be a table of sizes in bytes")
    for key, entries in (("paths", paths), ("sizes", sizes)):
        if unknown := sorted(entries.keys() - table["files"].keys()):
            raise ValueError(f"`{key}` of `{name}` names `{unknown[0]}`, which is not one of its files")
    return DataSet(name, files=table["files"], paths=paths, sizes=sizes, **texts)
