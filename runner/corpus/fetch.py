"""Names of data sets into files on disk, downloaded and kept only if their sha256 is the one in the registry."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

from fictdsl.diagnostics.codes import diagnostic
from fictdsl.diagnostics.suggest import nearest
from runner.errors import InputError
from runner.readers import parse_toml
from runner.workspace import atomic_write, sha256_file

REGISTRY = Path(__file__).with_name("registry.toml")
_SHA256 = re.compile(r"[0-9a-f]{64}")
_NAME = re.compile(r"[A-Za-z0-9._-]{1,128}")
_TIMEOUT = 30.0  # seconds without an answer
_LONGEST = 1800.0  # seconds for a whole file
_PIECE = 2**16
MOST_BYTES = 200_000_000  # of one file; the largest that is registered has a tenth of it

Progress = Callable[[int, int], None]  # files done, files in all


@dataclass(frozen=True, slots=True)
class DataSet:
    """Some files that belong together: their base address, and each one's sha256 ("" where it is not known).

    `page` is where people get them, if their addresses are not known. `paths` has the address below `base` of each
    file that is called otherwise there. `sizes` has the bytes of the files whose size is known.
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
    """The data sets of the built-in registry; those of a registry of the user's take the place of their namesakes."""
    found = _read(REGISTRY)
    return found if registry is None else {**found, **_read(registry)}


def fetch(
    name: str,
    output: Path,
    *,
    mirror: str | None = None,
    registry: Path | None = None,
    progress: Progress | None = None,
) -> list[Path]:
    """Bring the files of a data set into the folder `output`; those that are there and right are left alone.

    `mirror` is a base address that takes the place of the registry's. InputError for an unknown name (FICT773), a
    file without a hash (FICT770, before anything is downloaded), an address that does not answer (FICT772), and a
    file that is not the right one (FICT771); nothing wrong or unfinished is left in `output`.
    """
    known = data_sets(registry)
    if name not in known:
        near = nearest(name, known)
        hint = f"the nearest is `{near}`" if near else f"there is {', '.join(known)}"
        raise InputError(diagnostic("FICT773", hint=hint, name=name))
    chosen = known[name]
    for file, digest in chosen.files.items():
        if not digest:
            where = f"{chosen.page} has the files for people; " if chosen.page else ""
            hint = f"{where}--registry FILE gives a registry that has it"
            raise InputError(diagnostic("FICT770", hint=hint, name=f"{name}/{file}"))
    base = (mirror or chosen.base).rstrip("/")
    if urlsplit(base).scheme not in ("http", "https"):
        raise InputError(diagnostic("FICT772", url=base, reason="only http and https addresses are read"))
    paths = []
    for number, (file, digest) in enumerate(chosen.files.items(), 1):
        path = output / file
        if not (path.is_file() and sha256_file(path) == digest):
            remote = file if mirror else chosen.paths.get(file, file)
            _download(f"{base}/{quote(remote)}", digest, chosen.sizes.get(file), path, f"{name}/{file}")
        paths.append(path)
        if progress is not None:
            progress(number, len(chosen.files))
    return paths


def _download(url: str, digest: str, size: int | None, path: Path, name: str) -> None:
    """Write one file, which appears only if its bytes are the right ones."""
    import requests
    import urllib3

    with atomic_write(path) as temp:
        try:
            _stream(url, size, temp)
        except requests.HTTPError as error:
            status = "" if error.response is None else f"{error.response.status_code} {error.response.reason}"
            raise InputError(diagnostic("FICT772", url=url, reason=f"the server says {status}")) from error
        except requests.exceptions.InvalidSchema as error:
            reason = "the server sends on to an address that is neither http nor https"
            raise InputError(diagnostic("FICT772", url=url, reason=reason)) from error
        except (requests.Timeout, urllib3.exceptions.TimeoutError) as error:
            raise InputError(diagnostic("FICT772", url=url, reason="no answer")) from error
        except (requests.RequestException, urllib3.exceptions.HTTPError) as error:
            raise InputError(diagnostic("FICT772", url=url, reason="no connection")) from error
        if (found := sha256_file(temp)) != digest:
            raise InputError(diagnostic("FICT771", name=name, url=url, found=found, expected=digest))


def _stream(url: str, size: int | None, path: Path) -> None:
    """Write the body of an answer. It may have `size` bytes (`MOST_BYTES` without one) and take `_LONGEST` seconds."""
    import requests

    end = time.monotonic() + _LONGEST
    most = MOST_BYTES if size is None else size
    headers = {"Accept-Encoding": "identity"}  # the registry has the size and hash of the bytes as they are sent
    with requests.get(url, headers=headers, stream=True, timeout=_TIMEOUT) as answer, path.open("wb") as file:
        answer.raise_for_status()
        announced = answer.headers.get("Content-Length", "")
        if announced.isdecimal() and (len(announced) > 18 or int(announced) > most):
            raise _too_large(url, size)
        # Not `read`, which waits until a piece is full: a server may send a byte at a time.
        while piece := answer.raw.read1(_PIECE, decode_content=False):
            if file.tell() + len(piece) > most:
                raise _too_large(url, size)
            if time.monotonic() > end:
                reason = f"it was not whole after {_LONGEST:g} s"
                raise InputError(diagnostic("FICT772", url=url, reason=reason))
            file.write(piece)


def _too_large(url: str, size: int | None) -> InputError:
    limit = f"{MOST_BYTES:,} bytes that are read of a file" if size is None else f"{size:,} bytes of the registry"
    return InputError(diagnostic("FICT772", url=url, reason=f"it has more than the {limit}"))


def _read(path: Path) -> dict[str, DataSet]:
    try:
        content = parse_toml(path.read_text(encoding="utf-8"))
        return {name: _data_set(name, table) for name, table in content.items()}
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise InputError(diagnostic("FICT774", path=path, reason=reason)) from error
    except ValueError as error:
        raise InputError(diagnostic("FICT774", path=path, reason=str(error))) from error


def _data_set(name: str, table: Any) -> DataSet:
    """A table of the registry; ValueError says what is wrong with it."""
    if not isinstance(table, dict) or not isinstance(table.get("files"), dict) or not table["files"]:
        raise ValueError(f"`{name}` has no table `files`")
    for file, digest in table["files"].items():
        if not _NAME.fullmatch(file) or file.startswith("."):
            raise ValueError(f"`{file}` is no plain file name")
        if not isinstance(digest, str) or not (digest == "" or _SHA256.fullmatch(digest)):
            raise ValueError(f"the sha256 of `{file}` is not 64 hexadecimal digits")
    texts = {key: table.get(key, "") for key in ("about", "licence", "base", "page")}
    if not all(isinstance(text, str) for text in texts.values()):
        raise ValueError(f"`about`, `licence`, `base` and `page` of `{name}` are strings")
    paths = table.get("paths", {})
    if not isinstance(paths, dict) or not all(isinstance(path, str) for path in paths.values()):
        raise ValueError(f"`paths` of `{name}` is a table of strings")
    if unknown := sorted(paths.keys() - table["files"].keys()):
        raise ValueError(f"`paths` of `{name}` names `{unknown[0]}`, which is none of its files")
    sizes = table.get("sizes", {})
    if not isinstance(sizes, dict) or not all(type(size) is int and size >= 0 for size in sizes.values()):
        raise ValueError(f"`sizes` of `{name}` is a table of numbers of bytes")
    if unknown := sorted(sizes.keys() - table["files"].keys()):
        raise ValueError(f"`sizes` of `{name}` names `{unknown[0]}`, which is none of its files")
    return DataSet(name, files=table["files"], paths=paths, sizes=sizes, **texts)
