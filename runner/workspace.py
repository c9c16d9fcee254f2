"""Atomic file and folder writes, content keys, and locks."""

from __future__ import annotations

import ctypes
import errno
import fcntl
import hashlib
import json
import os
import platform
import re
import secrets
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from pathlib import Path

from runner.errors import FULL_DISK, InputError, full_disk, refused
from runner.readers import open_regular, real_path


def _pid_scope() -> str:
    try:
        return f"{platform.node()}/{Path('/proc/self/ns/pid').readlink()}"
    except OSError:
        return platform.node()


_HOST = hashlib.sha256(_pid_scope().encode()).hexdigest()[:8]
_TOKEN = secrets.token_hex(4)  # distinguishes this process from an earlier one with the same id
_TEMPORARY_NAME = re.compile(r"^\.(.+)\.[0-9a-f]{6}\.tmp\..+$")  # names made by `_temporary`
_DISK_FULL_ERRNOS = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
_NOT_WRITABLE_ERRNOS = {errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOTDIR, errno.EISDIR, errno.ENAMETOOLONG}
# A temporary file unchanged for this many seconds is abandoned if its process cannot be checked: it belongs to another
# machine, or its process id is in use.
_STALE_AFTER = 7 * 24 * 3600.0


def canonical_json(value: object) -> str:
    """Return the canonical JSON of a value: keys sorted, no spaces, no NaN. Content keys hash this text."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def key(*parts: object) -> str:
    """Return the SHA-256 (64 hex digits) of the canonical JSON of `parts`, which is the same on every machine."""
    return hashlib.sha256(canonical_json(parts).encode()).hexdigest()


def to_json(content: Mapping[str, object]) -> str:
    lines = [f"  {canonical_json(name)}: {canonical_json(value)}" for name, value in content.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def sha256_file(path: Path) -> str:
    """Return the SHA-256 (64 hex digits) of a regular file. Raises OSError for any other file, without blocking."""
    with open_regular(path) as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def sha256_path(path: Path) -> str:
    """Return the SHA-256 of a file, or of the names and bytes of the files directly in a folder."""
    if path.is_file():
        return sha256_file(path)
    digest = hashlib.sha256()
    for item in sorted(path.iterdir()):
        if item.is_file():
            digest.update(os.fsencode(item.name) + f"\0{sha256_file(item)}\n".encode())
    return digest.hexdigest()


def check_unchanged(path: Path, digest: str) -> None:
    if sha256_path(path) != digest:
        raise changed_error(path)


def changed_error(path: object) -> InputError:
    return InputError.of("FICT700", path=path, reason="it was changed while it was read")


@contextmanager
def atomic_write(path: Path) -> Iterator[Path]:
    """Yield a temporary path beside `path`; flush it to disk and rename it to `path` if the block succeeds.

    A failed block leaves nothing behind. A link is followed and kept; a device such as /dev/stdout is written to.
    Raises InputError for a full disk (FICT790) or a folder that is not writable (FICT791).
    """
    device = path.exists() and not path.is_file()
    path = path if device else Path(os.path.realpath(path))
    temp = temporary_directory() / _temporary(path).name if device else _temporary(path)
    with _storage_errors(path):
        _prepare(path)
        _clean_once(temp.parent)
        try:
            yield temp
            if device:
                with temp.open("rb") as source, path.open("wb") as target:
                    shutil.copyfileobj(source, target)
                return
            _sync(temp)
            temp.replace(path)
            _sync(path.parent)
        finally:
            temp.unlink(missing_ok=True)


@contextmanager
def atomic_writes(paths: Sequence[Path]) -> Iterator[list[Path]]:
    """Yield a temporary path for each path. Replace all files if the block succeeds, or none; see `atomic_write`."""
    paths = [Path(os.path.realpath(path)) for path in paths]
    temps = [_temporary(path) for path in paths]
    replaced: list[tuple[Path, Path, bool]] = []
    with ExitStack() as stack:
        for path in paths:
            stack.enter_context(_storage_errors(path))
            _prepare(path)
            _clean_once(path.parent)
        try:
            yield temps
            for temp in temps:
                _sync(temp)
            for temp, path in zip(temps, paths, strict=True):
                is_new = not path.exists()
                if is_new:
                    temp.replace(path)
                else:
                    _exchange(temp, path)  # the earlier file now has the temporary name
                replaced.append((temp, path, is_new))
            for folder in {path.parent for path in paths}:
                _sync(folder)
        except BaseException:
            for temp, path, is_new in replaced:
                if is_new:
                    path.unlink(missing_ok=True)
                else:
                    temp.replace(path)
            raise
        finally:
            for temp in temps:
                temp.unlink(missing_ok=True)


def _prepare(path: Path) -> None:
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    _make_parents(path)


def write_text(path: Path, text: str) -> None:
    with atomic_write(path) as temp:
        temp.write_bytes(text.encode())


class LineFile:
    """A file to which lines are appended. If the disk is full, no part of the new line remains in the file."""

    def __init__(self, path: Path) -> None:
        self._path = path
        with _storage_errors(path):
            _make_parents(path)
            self._file = path.open("ab", buffering=0)

    def append(self, line: str) -> None:
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
        self._file.close()


@contextmanager
def publish_dir(final: Path, *, replace: bool = False) -> Iterator[Path]:
    """Yield a temporary folder beside `final`; rename it to `final` if the block succeeds.

    With `replace`, an existing `final` is exchanged and removed; without, FileExistsError is raised if it exists,
    before or after the block.
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
                _exchange(temp, final)  # the earlier folder now has the temporary name
            elif final.exists():
                raise FileExistsError(errno.EEXIST, "already published", str(final))
            else:
                temp.rename(final)
            _sync(final.parent)
        finally:
            shutil.rmtree(temp, ignore_errors=True)


def remove_dir(folder: Path) -> None:
    """Remove a folder atomically: other processes see all of it or nothing."""
    _clean_once(real_path(folder.parent))
    old = _temporary(folder)
    with _storage_errors(folder):
        folder.rename(old)
        _sync(folder.parent)
    shutil.rmtree(old, ignore_errors=True)


def clean_stale(folder: Path) -> list[Path]:
    """Remove what killed processes left directly in `folder`, except what belongs to others, and return the paths."""
    stale = [path for path in sorted(folder.glob(".*.tmp.*")) if _is_abandoned(path)]
    for path in stale:
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path, ignore_errors=True)
        else:
            with suppress(OSError):
                path.unlink()
    return stale


@cache
def _clean_once(folder: Path) -> None:
    clean_stale(folder)


@contextmanager
def lock(path: Path, on_wait: Callable[[], None] | None = None) -> Iterator[None]:
    """Hold a lock on a folder, or on a file that is created if absent. If it is taken, call `on_wait` and wait.

    The operating system releases the lock when the process ends, even if the process is killed.
    """
    with _lockable(path) as descriptor:
        if not _has_locked(descriptor):
            if on_wait is not None:
                on_wait()
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield


@contextmanager
def try_lock(path: Path) -> Iterator[bool]:
    with _lockable(path) as descriptor:
        yield _has_locked(descriptor)


@contextmanager
def _lockable(path: Path) -> Iterator[int]:
    _make_parents(path)
    descriptor = os.open(path, os.O_CLOEXEC | (os.O_RDONLY if path.is_dir() else os.O_RDWR | os.O_CREAT), 0o644)
    try:
        yield descriptor
    finally:
        os.close(descriptor)  # this releases the lock


def _has_locked(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def link_or_copy(source: Path, target: Path) -> None:
    with atomic_write(target) as temp:
        try:
            os.link(source, temp)
        except OSError:
            shutil.copyfile(source, temp)


def fault_point(name: str) -> None:
    """End the process at once if the environment variable `FICTC_FAULT` is `name`. Tests use it to crash runs."""
    if os.environ.get("FICTC_FAULT") == name:
        os._exit(137)


def _temporary(path: Path) -> Path:
    name = os.fsencode(path.name)[:100].decode(errors="ignore")  # a file name has at most 255 bytes
    return path.with_name(f".{name}.{secrets.token_hex(3)}.tmp.{_HOST}.{os.getpid()}.{_TOKEN}")


def _is_abandoned(path: Path) -> bool:
    match path.name.split(".tmp.")[-1].split("."):
        case [host, pid, token] if pid.isdigit():
            pass
        case _:
            return False
    if token == _TOKEN:
        return False
    if host == _HOST and (int(pid) == os.getpid() or not alive(int(pid))):
        return True
    try:  # writing to a file does not change the modification time of its folder
        modified = max(item.stat().st_mtime for item in (path, *path.rglob("*")))
    except FileNotFoundError:  # another process is working in it
        return False
    return time.time() - modified > _STALE_AFTER


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _exchange(new: Path, old: Path) -> None:
    """Exchange two files or folders, in one step if the system can, else in three; `old` is always there if a file."""
    if _exchanged_at_once(new, old):
        return
    copy = _temporary(old)
    try:
        if old.is_dir():
            old.rename(copy)
        else:
            shutil.copy2(old, copy)
        new.replace(old)
        copy.replace(new)
    finally:
        if copy.is_file():
            copy.unlink()


def _exchanged_at_once(first: Path, second: Path) -> bool:
    cwd, swap = -100, 2  # AT_FDCWD, RENAME_EXCHANGE
    try:
        renameat2 = ctypes.CDLL(None, use_errno=True).renameat2
    except (OSError, AttributeError):
        return False
    return bool(renameat2(cwd, os.fsencode(first), cwd, os.fsencode(second), swap) == 0)


def _make_parents(path: Path) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except FileExistsError as error:
        raise NotADirectoryError(errno.ENOTDIR, "Not a directory", error.filename) from error


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno != errno.EINVAL:  # some file systems cannot sync folders
            raise
    finally:
        os.close(descriptor)


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
        if _is_disk_full(error):
            raise full_disk(_published_path(path)) from error
        if isinstance(error, OSError) and error.errno in _NOT_WRITABLE_ERRNOS and _is_about(error, path):
            reason = os.strerror(error.errno or 0).lower()
            raise InputError.of("FICT791", path=_published_path(path), reason=reason) from error
        raise


def temporary_directory() -> Path:
    """Return the system's directory for temporary files. Raises InputError (FICT790) if it is full."""
    try:
        return Path(tempfile.gettempdir())
    except FileNotFoundError as error:
        raise refused(error) from error


def disk_full(error: BaseException | None) -> bool:
    return isinstance(error, InputError) and any(problem.code == FULL_DISK for problem in error.diagnostics)


def _is_disk_full(error: Exception) -> bool:
    """Return whether an error means a full disk or quota. Some libraries keep only the message of the system."""
    if isinstance(error, OSError) and error.errno is not None:
        return error.errno in _DISK_FULL_ERRNOS
    return any(os.strerror(code) in str(error) for code in _DISK_FULL_ERRNOS)


def _published_path(path: Path) -> Path:
    return Path(*(_TEMPORARY_NAME.sub(r"\1", part) for part in path.parts))


def _is_about(error: OSError, path: Path) -> bool:
    """Return whether an error is about `path`, a file beside it or a folder above it, and not about an input file."""
    names = [name for name in (error.filename, error.filename2) if isinstance(name, str)]
    return any(Path(name) in (path, *path.parents) or Path(name).parent == path.parent for name in names)
