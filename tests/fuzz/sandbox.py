"""Run commands in forked processes with limits, and check how each of them ends."""

from __future__ import annotations

import atexit
import faulthandler
import gc
import os
import re
import resource
import shutil
import signal
import stat
import sys
import threading
import time
import traceback
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path

GIB = 1 << 30
PATIENCE = 5.0  # seconds until the helpers of a finished command must end
TEMPORARY = re.compile(r"^\..*\.tmp\.")  # unpublished files of `runner.workspace`
_FRAME = re.compile(r'^ *File "([^"]+)", line (\d+)(?:,)? in (.+)$', re.MULTILINE)
_OWN = ("/runner/", "/fictdsl/", "/fictc/")


class Failure(Exception):  # noqa: N818 - a finding, not an error of this module
    """A fault of a command: a short `summary`, and `detail` such as its output."""

    def __init__(self, summary: str, detail: str = "") -> None:
        super().__init__(summary)
        self.summary, self.detail = summary, detail

    @property
    def signature(self) -> str:
        """What equal failures share: the summary, and the last frame of fictc's code in the traceback."""
        frames = [frame for frame in _FRAME.findall(self.detail) if any(part in frame[0] for part in _OWN)]
        ends = re.findall(r"^(\w[\w.]*(?:Error|Exception|Interrupt|Exit))\b", self.detail, re.MULTILINE)
        location = ""
        if frames:
            frame = frames[0] if "most recent call first" in self.detail else frames[-1]
            location = f" at {'/'.join(Path(frame[0]).parts[-3:])}:{frame[1]} in {frame[2]}"
        return f"{self.summary}{location}{f' ({ends[-1]})' if ends else ''}"


@dataclass(frozen=True)
class Ended:
    """The result of a command: its exit code, output and seconds."""

    code: int
    out: bytes
    err: bytes
    seconds: float


def fictc() -> None:
    """Run the command line as its installed script does."""
    from runner.cli import main

    main()


@dataclass
class Sandbox:
    """A runner of commands; `scratch` is a folder for their output and temporary files.

    `memory` limits the address space of a command in bytes, `seconds` its time. `codes` counts the exit codes so far by
    command.
    """

    scratch: Path
    memory: int = 4 * GIB
    seconds: float = 10.0
    main: Callable[[], None] = fictc
    codes: Counter[tuple[str, int]] = field(default_factory=Counter)
    slowest: tuple[float, str] = (0.0, "")

    def run(
        self, arguments: Sequence[str], folder: Path, *, stdin: bytes = b"", allowed: Collection[int] = (0, 1, 2)
    ) -> Ended:
        """Run `fictc ARGUMENTS` in `folder`.

        Raises Failure unless it ends in time, with an allowed code, without a traceback, and leaves neither a temporary
        file nor a process.
        """
        temporary = self.scratch / "tmp"
        shutil.rmtree(temporary, ignore_errors=True)
        temporary.mkdir(parents=True)
        (self.scratch / "stdin").write_bytes(stdin)
        start = time.monotonic()
        pid = os.fork()
        if pid == 0:
            self._become(arguments, folder)
        status = _wait(pid, start, self.seconds)
        seconds = time.monotonic() - start
        hangs = status is None
        if hangs:
            _show_stacks(pid)
        abandoned = _kill_group(pid, 0 if hangs else PATIENCE)
        if status is None:
            _, status = os.waitpid(pid, 0)
        self._repeat_imports()
        out, err = ((self.scratch / name).read_bytes() for name in ("stdout", "stderr"))
        code = os.waitstatus_to_exitcode(status)
        report = f"fictc {' '.join(arguments)}\nexit code {code} after {seconds:.1f} s\n{err.decode(errors='replace')}"
        self.codes[arguments[0], code] += 1
        self.slowest = max(self.slowest, (seconds, " ".join(arguments)[:200]))
        if hangs:
            raise Failure(f"{arguments[0]} takes more than {self.seconds:g} s", report)
        if code < 0:
            raise Failure(f"{arguments[0]} ends by {signal.Signals(-code).name}", report)
        if code not in allowed:
            raise Failure(f"{arguments[0]} ends with {code}", report)
        if b"Traceback (most recent call last)" in out + err:
            raise Failure(f"{arguments[0]} prints a traceback", report)
        if abandoned:
            raise Failure(f"{arguments[0]} leaves a process behind", report)
        if any(temporary.iterdir()):
            names = sorted(path.name for path in temporary.iterdir())
            raise Failure(f"{arguments[0]} leaves temporary files", f"{report}\n{names}")
        return Ended(code, out, err, seconds)

    def _become(self, arguments: Sequence[str], folder: Path) -> None:
        """Run the command in this process; never returns."""
        code = 70
        try:
            os.setpgid(0, 0)
            for number, name, flags in (
                (0, "stdin", os.O_RDONLY),
                (1, "stdout", os.O_WRONLY | os.O_CREAT | os.O_TRUNC),
                (2, "stderr", os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND),
            ):
                os.dup2(os.open(self.scratch / name, flags, 0o600), number)
            sys.stdin = os.fdopen(0, encoding="utf-8", errors="surrogateescape")
            sys.stdout = os.fdopen(1, "w", encoding="utf-8", errors="surrogateescape")
            sys.stderr = os.fdopen(2, "w", encoding="utf-8", errors="backslashreplace")
            faulthandler.enable(file=2)
            faulthandler.register(signal.SIGUSR1, file=2, all_threads=True)
            os.chdir(folder)
            os.environ.update(self._environment())
            sys.argv = ["fictc", *arguments]
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            resource.setrlimit(resource.RLIMIT_AS, (self.memory, self.memory))
            gc.freeze()
            atexit.register(self._record_imports, frozenset(sys.modules))
            self.main()
            code = 0
        except SystemExit as end:
            threading._shutdown()  # type: ignore[attr-defined]  # threads that are not daemons end first
            code = end.code if isinstance(end.code, int) else int(end.code is not None)
        except BaseException:  # noqa: BLE001 - printed as a traceback
            traceback.print_exc()
        finally:
            with suppress(Exception):
                sys.stdout.flush()
                sys.stderr.flush()
            os._exit(code)

    def _record_imports(self, before: Collection[str]) -> None:
        (self.scratch / "imported").write_text("\n".join(name for name in sys.modules if name not in before))

    def _repeat_imports(self) -> None:
        """Import the modules that a command imported, so that the next one inherits them."""
        record = self.scratch / "imported"
        if record.exists():
            for name in record.read_text().split("\n"):
                with suppress(ImportError):
                    import_module(name or "sys")
            record.unlink()

    def _environment(self) -> Mapping[str, str]:
        return {
            "TMPDIR": str(self.scratch / "tmp"),
            "HOME": str(self.scratch),
            "COLUMNS": "120",
        }


def _wait(pid: int, start: float, seconds: float) -> int | None:
    """Return the status of a process that ends in time, else None.

    Time spent waiting for a processor does not count, so that a busy machine causes no failures.
    """
    pause = 0.001
    while True:
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            return status
        elapsed = time.monotonic() - start
        if elapsed > seconds and elapsed - _seconds_waiting(pid) > seconds:
            return None
        time.sleep(pause)
        pause = min(pause * 1.3, 0.05)


def _seconds_waiting(pid: int) -> float:
    """Return the seconds that a process was ready to run without a processor, for its most delayed thread."""
    waits = [0.0]
    for path in Path(f"/proc/{pid}/task").glob("*/schedstat"):
        with suppress(OSError):
            waits.append(int(path.read_text().split()[1]) / 1e9)
    return max(waits)


def _show_stacks(pid: int) -> None:
    """Make a process print its stacks."""
    os.kill(pid, signal.SIGUSR1)
    time.sleep(0.5)


def _kill_group(pid: int, patience: float) -> bool:
    """Kill the group of a process; return whether a process was still running after `patience` seconds."""
    end = time.monotonic() + patience
    try:
        while time.monotonic() < end:
            os.killpg(pid, 0)
            time.sleep(0.01)
        os.killpg(pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        return False
    return True


def mirror(source: Path, target: Path) -> None:
    """Copy a tree of files with its links, FIFOs and modes, opening only regular files."""
    kind = source.lstat().st_mode
    if stat.S_ISLNK(kind):
        target.symlink_to(source.readlink())
    elif stat.S_ISDIR(kind):
        target.mkdir(exist_ok=True)
        for path in sorted(source.iterdir()):
            mirror(path, target / path.name)
    elif stat.S_ISFIFO(kind):
        os.mkfifo(target)
    else:
        shutil.copyfile(source, target)
        target.chmod(stat.S_IMODE(kind))


def contents(folder: Path) -> dict[str, object]:
    """Return the files below a folder: the bytes of regular files, the targets of links, the type of others."""
    files: dict[str, object] = {}
    for path in sorted(folder.rglob("*")):
        kind = path.lstat().st_mode
        name = str(path.relative_to(folder))
        if stat.S_ISLNK(kind):
            files[name] = f"link to {path.readlink()}"
        elif stat.S_ISREG(kind):
            files[name] = path.read_bytes()
        else:
            files[name] = stat.S_IFMT(kind)
    return files


def check_unchanged(before: Mapping[str, object], folder: Path, made: Collection[str] = ()) -> None:
    """Check that all files are as `before`, except those below `made`, and that no temporary file is left.

    Empty folders may appear, such as the parents of a file that was not written. Raises Failure.
    """
    after = contents(folder)
    stale = sorted(name for name in after if TEMPORARY.match(Path(name).name))
    if stale:
        raise Failure("a temporary file is left", "\n".join(stale))

    def expected(name: str) -> bool:
        return any(name == each or name.startswith(f"{each}/") for each in made)

    lost = sorted(name for name, content in before.items() if not expected(name) and after.get(name) != content)
    if lost:
        raise Failure("a file is lost or changed", "\n".join(lost))
    new = sorted(name for name in after if name not in before and not expected(name) and after[name] != stat.S_IFDIR)
    if new:
        raise Failure("an unexpected file appears", "\n".join(new))
