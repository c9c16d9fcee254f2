"""`fictc completion`: print the shell completion script."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

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
def command(shell: str) -> None:
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
