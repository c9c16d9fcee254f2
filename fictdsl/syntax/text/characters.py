"""Decode files to Unicode text and report invalid bytes and characters."""

from __future__ import annotations

import re
import unicodedata

from fictdsl.diagnostics.codes import diagnostic
from fictdsl.diagnostics.diagnostic import Diagnostic
from fictdsl.source import Source, Span

_FORBIDDEN = re.compile("[\0\ud800-\udfff]|\r(?!\n)")
_MAX_DIAGNOSTICS = 10  # diagnostics reported per file: a file of NULs would have thousands
_UTF16_BOMS = (b"\xff\xfe", b"\xfe\xff")


def decode(data: bytes, name: str) -> tuple[Source | None, list[Diagnostic]]:
    """Decode a file's bytes as UTF-8, without a byte order mark, normalized to NFC.

    Return None and a diagnostic (FICT104) if they are not valid UTF-8 or look like UTF-16.
    """
    if looks_like_utf16(data):
        return None, [diagnostic("FICT104", Source(name, ""), file=f"`{name}`", reason="it looks like UTF-16")]
    try:
        return Source.of(data.removeprefix(b"\xef\xbb\xbf").decode("utf-8"), name), []
    except UnicodeDecodeError as error:
        data = error.object
        valid_prefix = unicodedata.normalize("NFC", data[: error.start].decode("utf-8"))
        source = Source(name, valid_prefix + data[error.start :].decode("utf-8", "replace"))
        span = Span(len(valid_prefix), len(valid_prefix) + 1)
        reason = f"the byte {data[error.start]:#04x} is not valid UTF-8"
        return None, [diagnostic("FICT104", source, span, file=f"`{name}`", reason=reason)]


def looks_like_utf16(data: bytes) -> bool:
    """Return whether a file starts with a byte order mark of UTF-16, or has a NUL in every other byte."""
    if data.startswith(_UTF16_BOMS):
        return True
    sample = data[:200]
    is_nul_even, is_nul_odd = (half.count(0) * 2 > 0.9 * (len(sample) - 1) for half in (sample[::2], sample[1::2]))
    return len(sample) >= 4 and is_nul_even != is_nul_odd  # both in a file of NULs


def forbidden_character_diagnostics(source: Source) -> list[Diagnostic]:
    """Report NULs, lone surrogates and carriage returns without a line feed, up to a fixed number."""
    diagnostics = []
    for match in _FORBIDDEN.finditer(source.text):
        span = Span(match.start(), match.end())
        if match[0] == "\r":
            diagnostics.append(diagnostic("FICT105", source, span, hint="save the file with LF or CRLF line endings"))
        else:
            character = "a NUL character" if match[0] == "\0" else f"a lone surrogate, U+{ord(match[0]):04X},"
            diagnostics.append(diagnostic("FICT103", source, span, character=character))
        if len(diagnostics) == _MAX_DIAGNOSTICS:
            break
    return diagnostics


def blank_forbidden(text: str) -> str:
    """Replace each forbidden character by a space, so that the rest of the text can be checked too."""
    return _FORBIDDEN.sub(" ", text)
