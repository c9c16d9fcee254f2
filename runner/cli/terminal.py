"""What commands print: messages, corpus text with control characters escaped; the errors that end them, exit codes."""

from __future__ import annotations

import codecs
import os
import shutil
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from io import StringIO, TextIOWrapper
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, NoReturn, Protocol, TextIO, cast

import click

from fictdsl.terminal_text import printable, safe
from fictdsl.words import counted
from runner.errors import InputError, refused
from runner.machine import QUERY_THREAD

if TYPE_CHECKING:
    from fictdsl.draw.terminal import Line, Style


def print_message(text: object, *, err: bool = False) -> None:
    click.echo("\n".join(printable(line) for line in str(text).split("\n")), err=err)


class Sized(Protocol):
    @property
    def sentences(self) -> int: ...
    @property
    def words(self) -> int: ...


def size_of(corpus: Sized) -> str:
    return f"{counted(corpus.sentences, 'sentence')}, {counted(corpus.words, 'word')}"


def has_colours(stream: TextIO) -> bool:
    """Return whether to style the text for a stream: it is a terminal, and NO_COLOR is not set or empty."""
    return stream.isatty() and not os.environ.get("NO_COLOR")


def exit_process(code: int) -> NoReturn:
    """Ignore Ctrl-C from here on. A query that goes on after an interrupt would keep the interpreter from exiting."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if any(thread.name == QUERY_THREAD for thread in threading.enumerate()):
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError, ValueError):  # nobody reads it, or it is closed
                stream.flush()
        os._exit(code)
    exec("")  # clears the flag of an interrupted exec(), which makes CPython end a `-m` process by SIGINT
    sys.exit(code)


OK, FINDINGS, USAGE, BUG, INTERRUPTED = 0, 1, 2, 3, 130

# characters of our own output
_PLAIN = {
    **dict(zip("·–−×’‘“”›‹", "*--x''\"\"><", strict=True)),
    **dict(zip("▴▵▾▿─│█░", "^^vv-|#.", strict=True)),
    **dict.fromkeys("┴┬┼├╭╰", "+"),
    "…": "...",
    "—": "--",
    "±": "+/-",
    "≤": "<=",
    "≥": ">=",
    "→": "->",
    "←": "<-",
    "⇒": "=>",
    "½": "1/2",
    "²": "^2",
    "α": "alpha",
    "β": "beta",
    "δ": "delta",
    "λ": "lambda",
    "ρ": "rho",
    "σ": "sigma",
    "χ": "chi",
    "Δ": "change",
    "Σ": "sum",
    "√": "sqrt",
    "∞": "inf",
    "§": "section ",
}
_NUMERIC_VARIABLES = ("SOURCE_DATE_EPOCH", "WORLD_SIZE", "RANK", "LOCAL_RANK")
_MAX_DIGITS = 11  # of them; a time of more has no date on some platforms
_NO_THREAD_MESSAGE = "can't start new thread"  # Python's message if there is no memory for the thread's stack
DUCKDB_INTERRUPTED = "Query interrupted"  # DuckDB's message for a KeyboardInterrupt during a statement


def run_command(group: Callable[..., Any]) -> int:
    """Run the click group and return the exit code: 0 ok, 1 findings, 2 usage or input, 3 bug, 130 interrupted."""
    try:
        result = group(standalone_mode=False)
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except (click.exceptions.Abort, KeyboardInterrupt):
        _print_error_text("interrupted")
        return INTERRUPTED
    except click.ClickException as error:
        message = StringIO()
        error.show(message)
        with suppress(OSError):
            print_message(message.getvalue().rstrip("\n"), err=True)
        return USAGE
    except SystemExit:  # click raises it when the output pipe is closed
        return OK
    except InputError as error:
        return _print_error(error)
    except (OSError, MemoryError) as error:
        return _print_error(refused(error))
    except ModuleNotFoundError as error:
        from fictdsl.installation import extra_of, install_hint

        extra = extra_of(error.name)
        if extra is None:
            return _report_bug()
        _print_error_text(f"This command needs the package {error.name}: {install_hint(extra)}.")
        return USAGE
    except Exception as error:  # noqa: BLE001 - anything else is reported as a bug
        if isinstance(error, RuntimeError) and str(error) == DUCKDB_INTERRUPTED:
            _print_error_text("interrupted")
            return INTERRUPTED
        if isinstance(error, RuntimeError) and str(error) == _NO_THREAD_MESSAGE:
            return _print_error(refused(MemoryError()))
        return _report_bug()
    return result if isinstance(result, int) else OK


def open_closed_streams() -> None:
    """Discard the output of streams that were closed when the process started, for which Python has None."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115 - until the process ends


def encode_plainly() -> None:
    """Print characters that an encoding other than UTF-8 lacks in a plain form: `...` for `…`, else `\\u2603`."""
    codecs.register_error("plain", _plain)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper) and not stream.encoding.lower().startswith("utf"):
            stream.reconfigure(errors="plain")


def _plain(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    wrong = error.object[error.start : error.end]
    return "".join(_PLAIN.get(each) or each.encode("ascii", "backslashreplace").decode() for each in wrong), error.end


def ignore_wrong_environment() -> None:
    """Remove variables that numpy and PyTorch read as numbers when they are imported, if they are none or too large."""
    for name in _NUMERIC_VARIABLES:
        value = os.environ.get(name, "0").strip()
        if not value.isdecimal() or len(value) > _MAX_DIGITS:
            del os.environ[name]


def _print_error(error: InputError) -> int:
    from fictdsl.diagnostics.text import render_text

    _print_error_text(render_text(error.diagnostics, use_colours=has_colours(sys.stderr)))
    return USAGE


def _print_error_text(text: str) -> None:
    """Print to standard error. If nothing can be written there, the exit code alone reports the error."""
    with suppress(OSError):
        click.echo(text, err=True)


def _report_bug() -> int:
    _print_error_text(traceback.format_exc())
    _print_error_text("This is a bug in fictc, not in the input. Please report it with the lines above.")
    return BUG


def for_output(text: str) -> str:
    return safe(text) if sys.stdout.isatty() else text


def block_for_output(text: str) -> str:
    if not sys.stdout.isatty():
        return text
    return "\n".join("\t".join(map(safe, line.split("\t"))) for line in text.split("\n"))


def highlighted(text: str) -> str:
    text = safe(text)
    return click.style(text, fg="cyan", bold=True) if has_colours(sys.stdout) else text


def faint(text: str) -> str:
    text = safe(text)
    return click.style(text, dim=True) if has_colours(sys.stdout) else text


def styled(line: Line) -> str:
    styles: dict[Style, Callable[[str], str]] = {"plain": str, "bound": highlighted, "faint": faint}
    return "".join(styles[piece.style](piece.text) for piece in line).rstrip()


def terminal_width() -> int | None:
    return shutil.get_terminal_size((100, 24)).columns if sys.stdout.isatty() else None


@contextmanager
def open_output(path: Path | None = None) -> Iterator[IO[bytes]]:
    """Publish a file when it is complete. On a terminal, each write must consist of complete lines."""
    if path is not None:
        from runner.workspace import atomic_write

        with atomic_write(path) as temp, temp.open("wb") as file:
            yield file
    elif sys.stdout.isatty():
        yield cast("IO[bytes]", _Terminal())
    else:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()


def write_output(text: str, path: Path | None) -> None:
    if path is None:
        click.echo(text, nl=False)
    else:
        from runner.workspace import write_text

        write_text(path, text)


class _Terminal:
    def write(self, data: bytes | memoryview) -> int:
        if text := bytes(data).decode():
            click.echo(block_for_output(text.removesuffix("\n")))
        return len(data)

    def writelines(self, lines: Iterable[bytes | memoryview]) -> None:
        for line in lines:
            self.write(line)
