"""How a command ends: input errors rendered once, interrupts and bugs with their own exit codes."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable
from io import StringIO
from typing import Any

import click

from runner.cli.shared.messages import say
from runner.errors import InputError

OK, FINDINGS, USAGE, BUG, INTERRUPTED = 0, 1, 2, 3, 130

# Optional packages and the extra that brings them; a light installation lints, tests, explains and compiles.
EXTRAS = {
    **dict.fromkeys(("duckdb", "pyarrow", "numpy", "filelock", "platformdirs", "requests"), "corpus"),
    "stanza": "annotate",
    "accelerate": "parallel",
    "tensorboard": "tensorboard",
    "submitit": "cluster",
    **dict.fromkeys(("pygls", "lsprotocol"), "lsp"),
    **dict.fromkeys(("torch", "transformers", "tokenizers", "safetensors", "scipy", "pydantic", "jinja2"), "train"),
}

_NO_THREAD = "can't start new thread"  # Python's words where there is no memory for its stack
BY_DUCKDB = "Query interrupted"  # what DuckDB makes of a KeyboardInterrupt while it runs a statement


def run_command(group: Callable[..., Any]) -> int:
    """Run the click group; 0 ok, 1 findings, 2 usage or input, 3 internal bug, 130 interrupted."""
    try:
        result = group(standalone_mode=False)
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except click.exceptions.Abort:
        click.echo("interrupted", err=True)
        return INTERRUPTED
    except KeyboardInterrupt:
        click.echo("interrupted", err=True)
        return INTERRUPTED
    except click.ClickException as error:
        said = StringIO()
        error.show(said)
        say(said.getvalue().rstrip("\n"), err=True)
        return USAGE
    except SystemExit:  # how click ends where nobody reads the output any more
        return OK
    except InputError as error:
        return _refuse(error)
    except OSError as error:
        from fictdsl.diagnostics.codes import diagnostic

        return _refuse(InputError(diagnostic("FICT792", reason=_reason(error))))
    except MemoryError:
        return _refuse(_too_little())
    except ModuleNotFoundError as error:
        extra = EXTRAS.get((error.name or "").partition(".")[0])
        if extra is None:
            return _bug()
        from fictdsl.extras import install_hint

        click.echo(f"This command needs the package {error.name}: {install_hint(extra)}.", err=True)
        return USAGE
    except Exception as error:  # noqa: BLE001 - the last line of defence: a bug is reported as one
        if isinstance(error, RuntimeError) and str(error) == BY_DUCKDB:
            click.echo("interrupted", err=True)
            return INTERRUPTED
        if isinstance(error, RuntimeError) and str(error) == _NO_THREAD:
            return _refuse(_too_little())
        return _bug()
    return result if isinstance(result, int) else OK


def _refuse(error: InputError) -> int:
    from fictdsl.diagnostics.render_text import render

    click.echo(render(error.diagnostics, color=sys.stderr.isatty()), err=True)
    return USAGE


def _too_little() -> InputError:
    from fictdsl.diagnostics.codes import diagnostic

    return InputError(diagnostic("FICT793", reason="the system refused to give this process more"))


def _reason(error: OSError) -> str:
    """`no space left on device`, with the file if the system names one."""
    reason = (error.strerror or str(error)).lower()
    return f"{reason}: {error.filename}" if isinstance(error.filename, str) else reason


def _bug() -> int:
    click.echo(traceback.format_exc(), err=True)
    click.echo("This is a bug in fictc, not in the input. Please report it with the lines above.", err=True)
    return BUG
