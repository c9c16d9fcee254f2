"""Diagnostics to the one exception of this package."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from fictdsl.diagnostics.diagnostic import Diagnostic
from fictdsl.extras import install_hint


class FilterError(Exception):
    """A filter, a treebank or a store cannot be used; `diagnostics` say what is wrong, where, and what was expected."""

    def __init__(self, diagnostics: Sequence[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        super().__init__(self.diagnostics)

    def __str__(self) -> str:
        from fictdsl.diagnostics.render_text import render

        return "\n" + render(self.diagnostics, color=False)

    def _render_traceback_(self) -> list[str]:
        """What a notebook shows: the mistake is in the filter, not in the calls that led to it."""
        return [f"FilterError: {self}"]


@contextmanager
def as_filter_error() -> Iterator[None]:
    """What the corpus rooms raise, as this package's own exception."""
    from runner.errors import InputError

    try:
        yield
    except InputError as error:
        raise FilterError(error.diagnostics) from error
    except ModuleNotFoundError as error:
        error.add_note(f"a corpus store needs more packages: {install_hint('corpus')}")
        raise
