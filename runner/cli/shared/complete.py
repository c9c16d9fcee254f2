"""A word begun on the command line into the words that it may become; nothing heavy is loaded for it."""

from __future__ import annotations

import os
from collections.abc import Iterator

import click
from click.shell_completion import CompletionItem


def fict_paths(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:  # noqa: ARG001
    """`.fict` files, and the folders on the way to them."""
    found = list(_paths(incomplete))
    while len(found) == 1 and found[0].endswith(os.sep) and (inside := list(_paths(found[0]))):
        found = inside  # a shell ends a word that has no other completion, but here it goes on
    return [CompletionItem(path) for path in found]


def filters(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """`.fict` files, folders, and the names of shipped filters."""
    return [*fict_paths(ctx, param, incomplete), *_shipped(incomplete)]


def filters_and_codes(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """What `filters` finds, and the codes of messages."""
    return [*filters(ctx, param, incomplete), *(codes(ctx, param, incomplete) if incomplete else [])]


def codes(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:  # noqa: ARG001
    """The codes of messages, with what they are called; after a comma, one more."""
    import fictdsl.lint.discover  # noqa: F401 - adds the codes of lint rules to the catalogue
    from fictdsl.diagnostics.codes import CATALOGUE

    listed, comma, begun = incomplete.rpartition(",")
    return [
        CompletionItem(f"{listed}{comma}{code}", help=entry.name)
        for code, entry in CATALOGUE.items()
        if code.startswith(begun.upper())
    ]


def _paths(incomplete: str) -> Iterator[str]:
    folder, begun = os.path.split(incomplete)
    try:
        with os.scandir(os.path.expanduser(folder) or ".") as entries:  # noqa: PTH111 - what is typed stays as it is
            names = sorted((entry.name, entry.is_dir()) for entry in entries)
    except OSError:
        return
    for name, is_folder in names:
        hidden = name.startswith(".") and not begun.startswith(".")
        if name.startswith(begun) and not hidden and (is_folder or name.endswith(".fict")):
            yield os.path.join(folder, name) + (os.sep if is_folder else "")  # noqa: PTH118 - keeps `./`


def _shipped(incomplete: str) -> Iterator[CompletionItem]:
    from fictdsl.shipped import shipped

    library = shipped("filters")
    files = sorted(path for path in library.glob("*/*.fict") if path.parent.name != "words")
    names = [f"{path.parent.name}/{path.stem}" for path in files]
    for name in [*dict.fromkeys(path.parent.name for path in files), *names]:
        if name.startswith(incomplete) and (incomplete or "/" not in name):
            yield CompletionItem(name, help="comes with fictc")
