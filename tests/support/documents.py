"""Open documents, as in the language server."""

from __future__ import annotations

from pathlib import Path

from runner.lsp.documents import Documents, Snapshot


def documents_with(text: str, path: Path | None = None) -> Documents:
    """Return open documents with one document, `it`."""
    documents = Documents()
    documents.open("it", path, text)
    return documents


def snapshot(text: str, path: Path | None = None) -> Snapshot:
    """Return the analysis of a single document."""
    return documents_with(text, path).snapshot("it")


def marked(text: str) -> tuple[str, int]:
    """Return a text without its `¦`, and the position of the `¦`."""
    return text.replace("¦", ""), text.index("¦")
