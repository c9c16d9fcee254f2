"""Messages of commands, the errors that end them, and exit codes."""

from __future__ import annotations

import codecs
import os
import signal
import sys
import threading
import traceback
from collections.abc import Callable
from contextlib import suppress
from io import StringIO, TextIOWrapper
from pathlib import Path
from typing import Any, NoReturn, TextIO

import click

from fictdsl.terminal_text import printable
from runner.errors import InputError, refused
from runner.machine import QUERY_THREAD


def print_message(text: object, *, err: bool = False) -> None:
    """Print a message to standard output or standard error, with control characters of user text escaped."""
    click.echo("\n".join(printable(line) for line in str(text).split("\n")), err=err)


def has_colours(stream: TextIO) -> bool:
    """Return whether to style the text for a stream: it is a terminal, and NO_COLOR is not set or empty."""
    return stream.isatty() and not os.environ.get("NO_COLOR")


def exit_process(code: int) -> NoReturn:
    """Exit with `code`. Ctrl-C is ignored from here on, because the work is done and finalization takes a while.

    A query that continues after an interrupt would keep the interpreter from exiting, so the process then ends without
    exit handlers. Temporary files are already removed by the `with` statements that made them.
    """
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
    "…": "...",
    "·": "*",
    "–": "-",
    "—": "--",
    "−": "-",
    "±": "+/-",
    "×": "x",
    "≤": "<=",
    "≥": ">=",
    "½": "1/2",
    "→": "->",
    "←": "<-",
    "⇒": "=>",
    "›": ">",
    "‹": "<",
    "’": "'",
    "‘": "'",
    "“": '"',
    "”": '"',
    "²": "^2",
    "Δ": "change",
    "α": "alpha",
    "β": "beta",
    "δ": "delta",
    "λ": "lambda",
    "ρ": "rho",
    "σ": "sigma",
    "χ": "chi",
    "Σ": "sum",
    "√": "sqrt",
    "∞": "inf",
    "§": "section ",
    "▴": "^",
    "▵": "^",
    "▾": "v",
    "▿": "v",
    "─": "-",
    "│": "|",
    "┴": "+",
    "┬": "+",
    "┼": "+",
    "├": "+",
    "╭": "+",
    "╰": "+",
    "█": "#",
    "░": ".",
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
    except click.exceptions.Abort:
        _print_error_text("interrupted")
        return INTERRUPTED
    except KeyboardInterrupt:
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
    """Print characters that the encoding of the output lacks in a plain form: `...` for `…`, else `\\u2603`.

    Output in UTF-8, which has all characters, is as before: data with a wrong character stay an error.
    """
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
