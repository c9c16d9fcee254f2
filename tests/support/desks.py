"""A desk with documents on it, as the language server has one."""

from __future__ import annotations

from pathlib import Path

from runner.lsp.documents.documents import Desk, Study


def desk_with(text: str, path: Path | None = None) -> Desk:
    """A desk with one document, `it`."""
    desk = Desk()
    desk.put("it", path, text)
    return desk


def study(text: str, path: Path | None = None) -> Study:
    """What is known of one document, alone on its desk."""
    return desk_with(text, path).study("it")


def marked(text: str) -> tuple[str, int]:
    """A text without the `¦` in it, and where that stood."""
    return text.replace("¦", ""), text.index("¦")
