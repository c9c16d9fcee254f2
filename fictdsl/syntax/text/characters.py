"""Bytes and characters into text that can be read: what is no text at all is found here, with its place."""

from __future__ import annotations

import re
import unicodedata

from fictdsl.diagnostics.codes import diagnostic
from fictdsl.diagnostics.diagnostic import Diagnostic
from fictdsl.source import Source, Span

_FORBIDDEN = re.compile("[\0\ud800-\udfff]|\r(?!\n)")
_MOST = 10  # of one kind of trouble; a file full of NULs needs no thousand messages
_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")


def decode(data: bytes, name: str) -> tuple[Source | None, list[Diagnostic]]:
    """Bytes of a file as a source: UTF-8, without a byte order mark, in NFC. None with one diagnostic otherwise."""
    if _looks_like_utf16(data):
        return None, [diagnostic("FICT104", Source(name, ""), file=f"`{name}`", reason="it looks like UTF-16")]
    try:
        return Source.of(data.removeprefix(b"\xef\xbb\xbf").decode("utf-8"), name), []
    except UnicodeDecodeError as error:
        data = error.object
        before = unicodedata.normalize("NFC", data[: error.start].decode("utf-8"))
        shown = Source(name, before + data[error.start :].decode("utf-8", "replace"))
        span = Span(len(before), len(before) + 1)
        reason = f"the byte {data[error.start]:#04x} is out of place"
        return None, [diagnostic("FICT104", shown, span, file=f"`{name}`", reason=reason)]


def _looks_like_utf16(data: bytes) -> bool:
    if data.startswith(_UTF16_MARKS):
        return True
    start = data[:200]
    return len(start) >= 4 and max(start[::2].count(0), start[1::2].count(0)) * 2 > 0.9 * (len(start) - 1)


def forbidden(source: Source) -> list[Diagnostic]:
    """NULs, lone surrogates and carriage returns without a line feed, the first few."""
    found = []
    for match in _FORBIDDEN.finditer(source.text):
        span = Span(match.start(), match.end())
        if match[0] == "\r":
            found.append(diagnostic("FICT105", source, span, hint="save the file with LF or CR LF line ends"))
        else:
            what = "a NUL character" if match[0] == "\0" else f"a lone surrogate, U+{ord(match[0]):04X},"
            found.append(diagnostic("FICT103", source, span, character=what))
        if len(found) == _MOST:
            break
    return found


def blank_forbidden(text: str) -> str:
    """The text with a space for each forbidden character, so that the rest can be read for more mistakes."""
    return _FORBIDDEN.sub(" ", text)
