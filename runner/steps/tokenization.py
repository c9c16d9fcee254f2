"""How the tokenizer of a manifest treats text, which interventions depend on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from runner.manifest.model import Tokenizer
from runner.model.tokenizer import SPLITTING, Split
from runner.readers import parse_json
from runner.steps.models import SavedFolder


@dataclass(frozen=True)
class Tokenization:
    """The settings of `[tokenizer]`, and the folder of its saved tokenizer, if any."""

    settings: Tokenizer
    saved: SavedFolder | None

    @property
    def lowercase(self) -> bool:
        """Whether text is converted to lower case.

        A saved tokenizer is loaded. Raises InputError (FICT801) if it is invalid.
        """
        return self.settings.lowercase if self.saved is None else _lowercases(self.saved.path, self.saved.digest)

    @property
    def has_words(self) -> bool:
        """Whether tokens are words. A saved tokenizer of an unknown format is assumed to have subwords."""
        return self.settings.kind == "word" if self.saved is None else _has_words(self.saved.path, self.saved.digest)

    @property
    def split(self) -> Split:
        """How text is split into words."""
        return self.settings.split

    @property
    def splitting(self) -> str:
        """The split and its version, for content keys."""
        return _versioned(self.split)


def convention_content(convention: Mapping[str, Any]) -> dict[str, Any]:
    """Return a scoring convention for content keys, with the version of the splitting if it splits text."""
    return {**convention, "tokenise": _versioned(convention["tokenise"])}


def _versioned(split: Split) -> str:
    return split if split == "none" else f"{split} {SPLITTING}"


@cache
def _lowercases(folder: Path, digest: str) -> bool:  # noqa: ARG001 - a key of the cache
    """Return whether the saved tokenizer in a folder, whose content has this hash, converts text to lower case."""
    from runner.model.saved import load_tokenizer
    from runner.model.tokenizer import lowercases

    return lowercases(load_tokenizer(folder))


@cache
def _has_words(folder: Path, digest: str) -> bool:  # noqa: ARG001 - a key of the cache
    """Return whether the saved tokenizer in a folder, whose content has this hash, is word-level."""
    try:
        is_word_level: bool = parse_json((folder / "tokenizer.json").read_text("utf-8"))["model"]["type"] == "WordLevel"
    except (OSError, ValueError, KeyError, TypeError):
        return False  # training reads the file and reports what is wrong
    return is_word_level
