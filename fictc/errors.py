"""The exception class of this package."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from fictdsl.diagnostics.diagnostic import Diagnostic
from fictdsl.installation import extra_of, install_hint


class FilterError(Exception):
    """An error in a filter, a treebank or a store.

    Each diagnostic states what was expected and, if the error is in a text, its position.
    """

    def __init__(self, diagnostics: Sequence[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        super().__init__(self.diagnostics)

    def __str__(self) -> str:
        from fictdsl.diagnostics.text import render_text

        return "\n" + render_text(self.diagnostics, use_colours=False)

    def _render_traceback_(self) -> list[str]:
        """Return the traceback that a notebook shows: the message alone, since the error is in the input."""
        return [f"FilterError: {self}"]


@contextmanager
def as_filter_error() -> Iterator[None]:
    """Convert `InputError` of `runner` to `FilterError`. If a package of the extra `corpus` is missing, add a note."""
    from runner.errors import InputError

    try:
        yield
    except InputError as error:
        raise FilterError(error.diagnostics) from error
    except ModuleNotFoundError as error:
        if extra_of(error.name) == "corpus":
            error.add_note(f"a corpus store needs more packages: {install_hint('corpus')}")
        raise
