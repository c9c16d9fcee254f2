"""`fictc lsp`: the language server that editors start."""

from __future__ import annotations

from functools import partial

import click

from runner.cli.options import BoundedInt


@click.command(name="lsp")
@click.option(
    "--tcp",
    "port",
    type=BoundedInt(1, 65535, "the ports of TCP"),
    metavar="PORT",
    help="Listen on this localhost port instead of using standard input and output.",
)
def command(port: int | None) -> int:
    """Run the language server: diagnostics, completion, hover, definitions, rename, formatting and quick fixes.

    Editors start it and communicate over standard input and output using the Language Server Protocol. docs/editors.md
    explains the setup.
    """
    from runner.lsp.connection import FramingError, run_server, serve_port, serve_standard_streams
    from runner.lsp.server import make_server

    protocol = make_server().protocol
    try:
        if port is None:
            return run_server(serve_standard_streams(protocol))
        on_listening = partial(click.echo, f"listening on 127.0.0.1:{port}", err=True)
        return run_server(serve_port(protocol, port, on_listening))
    except FramingError as error:
        raise click.ClickException(str(error)) from None
