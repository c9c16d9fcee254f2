"""Inflect English lemmas with lemminflect."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from fictdsl.diagnostics.codes import diagnostic
from runner.errors import InputError


@lru_cache(65_536)
def inflect(lemma: str, tag: str) -> str | None:
    """Return the form of a lemma for a Penn Treebank tag, or None if the lemma is unknown.

    Raises InputError (FICT650) if lemminflect is not installed.
    """
    forms = _lemminflect().getInflection(lemma, tag, inflect_oov=False)
    return str(forms[0]) if forms else None


def _lemminflect() -> Any:
    try:
        import lemminflect
    except ImportError as error:
        raise InputError(diagnostic("FICT650", package="lemminflect", reason=str(error))) from error
    return lemminflect
