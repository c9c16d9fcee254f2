"""`fictc lsp`: the language server that editors start."""

from __future__ import annotations

import click


@click.command(name="lsp")
@click.option("--tcp", type=click.IntRange(1, 65535), metavar="PORT", help="Listen on this port of localhost instead.")
def command(tcp: int | None) -> None:
    """Serve an editor: diagnostics, completion, hover, definitions, rename, formatting and quick fixes.

    Editors start it themselves and speak to it over standard input and output, in the Language Server Protocol.
    docs/editors.md says how to set it up.
    """
    from runner.lsp.server import make_server

    server = make_server()
    if tcp is None:
        server.start_io()
    else:
        click.echo(f"listening on 127.0.0.1:{tcp}", err=True)
        server.start_tcp("127.0.0.1", tcp)
