"""Bytes into files that are either whole or absent: atomic writes, published folders, content keys and locks."""

from __future__ import annotations

import ctypes
import errno
import hashlib
import json
import os
import platform
import re
import secrets
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from fictdsl.diagnostics.codes import diagnostic
from runner.errors import InputError
from runner.readers import open_regular, real_path


def _process_space() -> str:
    """What a number of a process has a meaning in: the machine, and the container where there is one."""
    try:
        return f"{platform.node()}/{Path('/proc/self/ns/pid').readlink()}"
    except OSError:
        return platform.node()


_HOST = hashlib.sha256(_process_space().encode()).hexdigest()[:8]
_TOKEN = secrets.token_hex(4)  # tells this process from an earlier one with the same number
_TEMPORARY = re.compile(r"^\.(.+)\.[0-9a-f]{6}\.tmp\..+$")  # what `_temporary` makes of a name
_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
_DISK_FULL = "FICT790"
_REFUSED = {errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOTDIR, errno.EISDIR, errno.ENAMETOOLONG}
# Seconds without a change after which a temporary file counts as abandoned where its process cannot be asked for: it is
# another machine's, or the number of the process is in use.
_UNCHANGED = 7 * 24 * 3600.0


def canonical_json(value: object) -> str:
    """One text for one value: keys sorted, no spaces, no NaN; what content keys are computed from."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def key(*parts: object) -> str:
    """The sha256 (64 hex digits) of JSON-like values: equal values give equal keys, on any machine."""
    return hashlib.sha256(canonical_json(parts).encode()).hexdigest()


def to_json(content: Mapping[str, object]) -> str:
    """A JSON object with one top-level key a line, in the order given, so that people can read it."""
    lines = [f"  {canonical_json(name)}: {canonical_json(value)}" for name, value in content.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def sha256_file(path: Path) -> str:
    """The sha256 of a regular file's bytes, 64 hex digits. Raises OSError for any other file, without a wait."""
    with open_regular(path) as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def sha256_path(path: Path) -> str:
    """One sha256 for a file's bytes, or for the names and bytes of the files directly in a folder."""
    if path.is_file():
        return sha256_file(path)
    digest = hashlib.sha256()
    for item in sorted(path.iterdir()):
        if item.is_file():
            digest.update(f"{item.name}\0{sha256_file(item)}\n".encode())
    return digest.hexdigest()


def check_unchanged(path: Path, digest: str) -> None:
    """InputError (FICT700) where a file or folder has not the `sha256_path` any more that it had before it was read."""
    if sha256_path(path) != digest:
        raise changed(path)


def changed(path: object) -> InputError:
    """What to say of a file that is no longer what it was when its reading began."""
    return InputError(diagnostic("FICT700", path=path, reason="it was changed while it was read"))


@contextmanager
def atomic_write(path: Path) -> Iterator[Path]:
    """Yield a temporary path beside `path`; when the block ends well, its file becomes `path` at once.

    The file is flushed to disk before it is renamed, an older file is replaced, and nothing is left behind
    when the block fails. A link stays one, and so does a device such as /dev/stdout: it is written to. A full disk
    or a folder that may not be written is an `InputError`.
    """
    device = path.exists() and not path.is_file()
    path = path if device else Path(os.path.realpath(path))
    temp = Path(tempfile.gettempdir()) / _temporary(path).name if device else _temporary(path)
    with _storage_errors(path):
        if path.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
        _make_parents(path)
        _clean_once(temp.parent)
        try:
            yield temp
            if device:
                _pour(temp, path)
                return
            _sync(temp)
            temp.replace(path)
            _sync(path.parent)
        finally:
            temp.unlink(missing_ok=True)


def _pour(source: Path, device: Path) -> None:
    with source.open("rb") as read, device.open("wb") as write:
        shutil.copyfileobj(read, write)


def write_text(path: Path, text: str) -> None:
    """Write a whole UTF-8 text atomically, newlines as they are."""
    with atomic_write(path) as temp:
        temp.write_bytes(text.encode())


class LineFile:
    """A file to which lines are appended: where the disk is full, a line is there as a whole or not at all."""

    def __init__(self, path: Path) -> None:
        """Open `path`, or make it. Errors of this and of `append` are as in `atomic_write`."""
        self._path = path
        with _storage_errors(path):
            _make_parents(path)
            self._file = path.open("ab", buffering=0)

    def append(self, line: str) -> None:
        """Append a line; it is in the file when this returns."""
        data = line.encode() + b"\n"
        with _storage_errors(self._path):
            size = self._file.seek(0, os.SEEK_END)
            try:
                while data:
                    data = data[self._file.write(data) :]
            except OSError:
                self._file.truncate(size)
                raise

    def close(self) -> None:
        """No more lines."""
        self._file.close()


@contextmanager
def publish_dir(final: Path, *, replace: bool = False) -> Iterator[Path]:
    """Yield a temporary folder beside `final`; when the block ends well, it becomes `final` by one rename.

    With `replace`, an existing folder changes places with the new one and is then removed; without it, a `final`
    that exists raises FileExistsError at the start and at the end. Errors are as in `atomic_write`.
    """
    if final.exists() and not replace:
        raise FileExistsError(errno.EEXIST, "already published", str(final))
    temp = _temporary(final)
    with _storage_errors(final):
        _make_parents(final)
        _clean_once(real_path(final.parent))
        temp.mkdir()
        try:
            yield temp
            _sync_tree(temp)
            if replace and final.exists():
                _replace_dir(temp, final)
            elif final.exists():
                raise FileExistsError(errno.EEXIST, "already published", str(final))
            else:
                temp.rename(final)
            _sync(final.parent)
        finally:
            shutil.rmtree(temp, ignore_errors=True)


def remove_dir(folder: Path) -> None:
    """Remove a folder; whoever looks for it finds all of it or nothing."""
    old = _temporary(folder)
    with _storage_errors(folder):
        folder.rename(old)
        _sync(folder.parent)
    shutil.rmtree(old, ignore_errors=True)


def clean_stale(folder: Path) -> list[Path]:
    """Remove the temporary files and folders that killed processes left directly in `folder`; return them."""
    stale = [path for path in sorted(folder.glob(".*.tmp.*")) if _abandoned(path)]
    for path in stale:
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)
    return stale


@cache
def _clean_once(folder: Path) -> None:
    """Remove what killed processes left in a folder, when this process writes there first."""
    clean_stale(folder)


@contextmanager
def lock(path: Path, on_wait: Callable[[], None] | None = None) -> Iterator[None]:
    """Hold the lock file `path` (made if absent); a second process waits, calling `on_wait` once.

    The lock ends with the process that holds it, however that ends.
    """
    from filelock import FileLock, Timeout

    _make_parents(path)
    held = FileLock(path)
    try:
        held.acquire(timeout=0)
    except Timeout:
        if on_wait is not None:
            on_wait()
        held.acquire()
    try:
        yield
    finally:
        held.release()


def link_or_copy(source: Path, target: Path) -> None:
    """Give a file a second name, atomically; a copy where hard links are not possible."""
    with atomic_write(target) as temp:
        try:
            os.link(source, temp)
        except OSError:
            shutil.copyfile(source, temp)


def fault_point(name: str) -> None:
    """End the process at once if `FICTC_FAULT` names this point: how tests crash a run at a chosen place."""
    if os.environ.get("FICTC_FAULT") == name:
        os._exit(137)


def _temporary(path: Path) -> Path:
    return path.with_name(f".{path.name[:100]}.{secrets.token_hex(3)}.tmp.{_HOST}.{os.getpid()}.{_TOKEN}")


def _abandoned(path: Path) -> bool:
    match path.name.split(".tmp.")[-1].split("."):
        case [host, pid, token] if pid.isdigit():
            pass
        case _:
            return False
    if token == _TOKEN:
        return False
    if host == _HOST and (int(pid) == os.getpid() or not alive(int(pid))):
        return True
    try:  # a long import changes files in its folder and not the folder
        changed = max(each.stat().st_mtime for each in (path, *path.rglob("*")))
    except FileNotFoundError:  # somebody works in it
        return False
    return time.time() - changed > _UNCHANGED


def alive(pid: int) -> bool:
    """Whether a process of this number runs on this machine."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _replace_dir(new: Path, final: Path) -> None:
    """Put `new` in the place of the folder `final`, in one step where the system can, else in two quick ones."""
    if _exchange(new, final):
        return  # the old folder is now where the new one was, and goes with it
    old = _temporary(final)
    final.rename(old)
    new.rename(final)
    shutil.rmtree(old, ignore_errors=True)


def _exchange(one: Path, other: Path) -> bool:
    """Swap two paths by Linux's renameat2; False where there is no such call or the file system has not got it."""
    here, swap = -100, 2  # AT_FDCWD, RENAME_EXCHANGE
    try:
        call = ctypes.CDLL(None, use_errno=True).renameat2
    except (OSError, AttributeError):
        return False
    return bool(call(here, os.fsencode(one), here, os.fsencode(other), swap) == 0)


def _make_parents(path: Path) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except FileExistsError as error:
        raise NotADirectoryError(errno.ENOTDIR, "Not a directory", error.filename) from error


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno != errno.EINVAL:  # some file systems cannot sync folders
            raise
    finally:
        os.close(handle)


def _sync_tree(folder: Path) -> None:
    for path in folder.rglob("*"):
        if not path.is_symlink():
            _sync(path)
    _sync(folder)


@contextmanager
def _storage_errors(path: Path) -> Iterator[None]:
    try:
        yield
    except (InputError, FileExistsError):
        raise
    except Exception as error:
        if _says_full(error):
            free = _free_space(path)
            raise InputError(diagnostic(_DISK_FULL, path=_final(path), free=free)) from error
        if isinstance(error, OSError) and error.errno in _REFUSED and _concerns(error, path):
            reason = os.strerror(error.errno or 0).lower()
            raise InputError(diagnostic("FICT791", path=_final(path), reason=reason)) from error
        raise


def disk_full(error: BaseException | None) -> bool:
    """Whether an error is of a full disk, so that the same work will do once there is space."""
    return isinstance(error, InputError) and any(found.code == _DISK_FULL for found in error.diagnostics)


def _says_full(error: Exception) -> bool:
    """Return whether an error means a full disk or quota. Some libraries keep only the system's message."""
    if isinstance(error, OSError) and error.errno is not None:
        return error.errno in _FULL
    return any(os.strerror(code) in str(error) for code in _FULL)


def _final(path: Path) -> Path:
    """A path as it will be once all temporary folders on the way to it are published."""
    return Path(*(_TEMPORARY.sub(r"\1", part) for part in path.parts))


def _concerns(error: OSError, path: Path) -> bool:
    """Whether an error names the file to write or a folder on the way to it, and not some input."""
    names = [name for name in (error.filename, error.filename2) if isinstance(name, str)]
    return any(Path(name) in (path, *path.parents) or Path(name).parent == path.parent for name in names)


def _free_space(path: Path) -> str:
    for folder in path.parents:
        if folder.is_dir():
            return f"{shutil.disk_usage(folder).free / 1e6:,.0f} MB"
    return "unknown"
