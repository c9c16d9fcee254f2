"""`fictc lsp`: the language server that editors start."""

from __future__ import annotations

from functools import partial

import click

from runner.cli.shared.numbers import Whole


@click.command(name="lsp")
@click.option("--tcp", type=Whole(1, 65535), metavar="PORT", help="Listen on this port of localhost instead.")
def command(tcp: int | None) -> int:
    """Serve an editor: diagnostics, completion, hover, definitions, rename, formatting and quick fixes.

    Editors start it themselves and speak to it over standard input and output, in the Language Server Protocol.
    docs/editors.md says how to set it up.
    """
    from runner.lsp.protocol.connection import run_server, serve_port, serve_standard_streams
    from runner.lsp.protocol.server import make_server
    from runner.lsp.protocol.stream import FramingError

    protocol = make_server().protocol
    try:
        if tcp is None:
            return run_server(serve_standard_streams(protocol))
        listening = partial(click.echo, f"listening on 127.0.0.1:{tcp}", err=True)
        return run_server(serve_port(protocol, tcp, listening))
    except FramingError as error:
        raise click.ClickException(str(error)) from None
