"""A desk with documents on it, as the language server has one."""

from __future__ import annotations

from pathlib import Path

from runner.lsp.desk import Desk, Study


def study(text: str, path: Path | None = None) -> Study:
    """What is known of one document, alone on its desk."""
    desk = Desk()
    desk.put("it", path, text)
    return desk.study("it")


def marked(text: str) -> tuple[str, int]:
    """A text without the `¦` in it, and where that stood."""
    return text.replace("¦", ""), text.index("¦")
