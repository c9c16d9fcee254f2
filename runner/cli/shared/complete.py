"""Shell completion of arguments and options. Slow imports are avoided, because a shell waits for the result."""

from __future__ import annotations

import os
from collections.abc import Iterator

import click
from click.shell_completion import CompletionItem


def complete_paths(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:  # noqa: ARG001
    """Complete `.fict` files and the folders that lead to them."""
    paths = list(_paths(incomplete))
    while len(paths) == 1 and paths[0].endswith(os.sep) and (children := list(_paths(paths[0]))):
        paths = children  # a shell would end the word at a lone candidate, so descend into it
    return [CompletionItem(path) for path in paths]


def complete_filters(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete `.fict` files, folders, and the names of shipped filters."""
    return [*complete_paths(ctx, param, incomplete), *_shipped(incomplete)]


def complete_filters_and_codes(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete filters and diagnostic codes."""
    return [*complete_filters(ctx, param, incomplete), *(complete_codes(ctx, param, incomplete) if incomplete else [])]


def complete_codes(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:  # noqa: ARG001
    """Complete a comma-separated list of diagnostic codes, each with its name."""
    import fictdsl.lint.engine  # noqa: F401 - adds the codes of lint rules to the catalogue
    from fictdsl.diagnostics.codes import CATALOGUE

    preceding, comma, prefix = incomplete.rpartition(",")
    return [
        CompletionItem(f"{preceding}{comma}{code}", help=entry.name)
        for code, entry in CATALOGUE.items()
        if code.startswith(prefix.upper())
    ]


def _paths(incomplete: str) -> Iterator[str]:
    folder, prefix = os.path.split(incomplete)
    try:
        with os.scandir(os.path.expanduser(folder) or ".") as entries:  # noqa: PTH111 - keeps the path as typed
            names = sorted((entry.name, entry.is_dir()) for entry in entries)
    except OSError:
        return
    for name, is_folder in names:
        is_hidden = name.startswith(".") and not prefix.startswith(".")
        if name.startswith(prefix) and not is_hidden and (is_folder or name.endswith(".fict")):
            yield os.path.join(folder, name) + (os.sep if is_folder else "")  # noqa: PTH118 - keeps `./`


def _shipped(incomplete: str) -> Iterator[CompletionItem]:
    from fictdsl.installation import shipped

    library = shipped("filters")
    files = sorted(path for path in library.glob("*/*.fict") if path.parent.name != "words")
    names = [f"{path.parent.name}/{path.stem}" for path in files]
    for name in [*dict.fromkeys(path.parent.name for path in files), *names]:
        if name.startswith(incomplete) and (incomplete or "/" not in name):
            yield CompletionItem(name, help="shipped with fictc")
