"""`fictc lsp` and `completion`: what editors and shells start."""

from __future__ import annotations

from functools import partial

import click
from click.shell_completion import get_completion_class

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
    from runner.lsp import connection, server

    protocol = server.make_server().protocol
    try:
        if port is None:
            return connection.run_server(connection.serve_standard_streams(protocol))
        on_listening = partial(click.echo, f"listening on 127.0.0.1:{port}", err=True)
        return connection.run_server(connection.serve_port(protocol, port, on_listening))
    except connection.FramingError as error:
        raise click.ClickException(str(error)) from None


_INSTALL = {
    "bash": """# Completion of fictc for bash 4.4 or newer. In this shell or, to enable it permanently, in ~/.bashrc:
#   eval "$(fictc completion bash)"
""",
    "zsh": """# Completion of fictc for zsh. In this shell or, to enable it permanently, in ~/.zshrc after compinit:
#   eval "$(fictc completion zsh)"
""",
    "fish": """# Completion of fictc for fish. In this shell or, to enable it permanently:
#   fictc completion fish | source
#   fictc completion fish > ~/.config/fish/completions/fictc.fish
""",
}


@click.command(name="completion")
@click.argument("shell", type=click.Choice(sorted(_INSTALL)))
def completion(shell: str) -> None:
    """Print the script that completes commands, options, .fict files, filters and diagnostic codes in a shell.

    \b
      eval "$(fictc completion bash)"     in ~/.bashrc
      eval "$(fictc completion zsh)"      in ~/.zshrc, after compinit
      fictc completion fish > ~/.config/fish/completions/fictc.fish
    """
    from runner.cli import fictc

    script = get_completion_class(shell)
    assert script is not None
    click.echo(_INSTALL[shell] + script(fictc, {}, "fictc", "_FICTC_COMPLETE").source().strip())
