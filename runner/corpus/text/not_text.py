"""Recognize files that are not raw text by their first bytes, before hours are spent on parsing them."""

from __future__ import annotations

import re
from codecs import getincrementaldecoder
from collections.abc import Iterable, Iterator
from pathlib import Path

from fictdsl.diagnostics.codes import diagnostic
from fictdsl.diagnostics.diagnostic import Diagnostic
from runner.corpus.files.blocks import STDIN, open_input
from runner.corpus.files.plus import is_plus
from runner.corpus.text import json_lines

_BYTES = 65_536
_KIND_BY_MAGIC = {
    b"%PDF": "a PDF file",
    b"PK\x03\x04": "a ZIP archive or an office document",
    b"PAR1": "a Parquet file",
    b"\xff\xfe": "UTF-16 text",
    b"\xfe\xff": "UTF-16 text",
}
_CONLLU_LINE = re.compile(rb"^[0-9]+(?:[-.][0-9]+)?(?:\t[^\t\n]+){5}\t(?:[0-9]+|_)(?:\t[^\t\n]*){3}$", re.MULTILINE)
_HTML = re.compile(rb"\s*(?:<!--.*?-->\s*)*<(?:!doctype html|html|head|body)\b", re.IGNORECASE | re.DOTALL)
_XML = re.compile(rb"\s*<\?xml\b")
_JSON = re.compile(rb'\s*(?:\[\s*)*\{\s*"[^"\n]*"\s*:|\s*\[\s*"[^"\n]*"\s*[,\]]')
_CONVERSION_HINTS = {
    "a PDF file": "`pdftotext FILE.pdf FILE.txt` extracts the text",
    "UTF-16 text": "`iconv -f UTF-16 -t UTF-8 FILE > FILE.txt` converts it",
}


def find_non_text(paths: Iterable[Path]) -> Iterator[Diagnostic]:
    """Yield FICT710 for each file that is CoNLL-U, markup, JSON outside of JSON lines, or binary.

    Raises InputError (FICT700) if a file cannot be read.
    """
    for path in paths:
        if path != STDIN and (kind_and_hint := _recognize(path)) is not None:
            kind, hint = kind_and_hint
            yield diagnostic("FICT710", hint=hint, path=path, kind=kind)


def _recognize(path: Path) -> tuple[str, str] | None:
    """Return the kind of a file that is not text, and a hint; None if it may be text."""
    with open_input(path) as file:
        start = file.read(_BYTES)
    first_bytes = start.removeprefix(b"\xef\xbb\xbf")
    kind = next((kind for magic, kind in _KIND_BY_MAGIC.items() if first_bytes.startswith(magic)), None)
    if kind is not None or (b"\0" in first_bytes and not _is_utf8(first_bytes)):
        return kind or "a binary file", _CONVERSION_HINTS.get(kind or "", "raw text is UTF-8")
    if is_plus(first_bytes):
        return "CoNLL-U Plus", f"`fictc import {path} --output STORE` reads parsed corpora"
    if _CONLLU_LINE.search(first_bytes):
        return "CoNLL-U", f"`fictc import {path} --output STORE` reads parsed corpora"
    if path.name.endswith(json_lines.SUFFIXES):
        return None
    if _HTML.match(first_bytes) or _XML.match(first_bytes):
        return "HTML" if _HTML.match(first_bytes) else "XML", "its text must be extracted first"
    if _JSON.match(first_bytes):
        return "JSON", "documents in JSON are read from .jsonl files, one object with a field `text` per line"
    return None


def _is_utf8(start: bytes) -> bool:
    """Return whether the start of a file is UTF-8. It may end within a character."""
    try:
        getincrementaldecoder("utf-8")().decode(start)
    except UnicodeDecodeError:
        return False
    return True
