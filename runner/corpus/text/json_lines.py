"""Read JSON lines as units of text, with one document per line. The lines can be restored from the units."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from fictdsl.diagnostics.codes import diagnostic
from fictdsl.diagnostics.suggest import did_you_mean
from runner.corpus.files.excerpt import line_excerpt
from runner.corpus.text.units import Mode, Quoting, Unit, paragraphs
from runner.errors import InputError
from runner.readers import parse_json

SUFFIXES = (".jsonl", ".jsonl.gz", ".jsonl.xz")

# keys of comments that CoNLL-U or a store defines; a field of this name becomes the comment `NAME_`
_RESERVED = frozenset({"sent_id", "line", "text", "newdoc", "newdoc id", "newpar", "newpar id"})
_ENSURE_ASCII: dict[Quoting, bool] = {"ascii": True, "unicode": False}


def json_units(path: Path, lines: Iterable[Unit], mode: Mode, field: str) -> Iterator[Unit]:
    """Yield the units of the text in the `field` of each object: paragraphs in mode "text", lines in other modes.

    Each unit has the other fields as comments, and the name of its document. Raises InputError (FICT753) if a line is
    not an object or has no such string.
    """
    for line in lines:
        if line.blank:
            yield line
            continue
        fields = _parse_object(path, line)
        text = _text_of(path, line, fields, field)
        comments = tuple(_comments(fields, field))
        document_id = fields.get("id")
        document = (
            _normalize_space("" if document_id is None else str(document_id))
            or f"{'_'.join(path.name.split())}-{line.line}"
        )
        yield from _units_of_line(line, _pieces(text, mode), text, comments, document)


def escape_json(text: str, quoting: Quoting) -> str:
    """Return `text` as it is escaped inside a JSON string."""
    return "" if quoting == "none" else json.dumps(text, ensure_ascii=_ENSURE_ASCII[quoting])[1:-1]


def _parse_object(path: Path, line: Unit) -> dict[str, Any]:
    try:
        value = parse_json(line.text.removeprefix("\ufeff"))
    except (ValueError, RecursionError) as error:
        offset = error.pos if isinstance(error, json.JSONDecodeError) else 0
        reason = error.msg if isinstance(error, json.JSONDecodeError) else "it cannot be read"
        raise _line_error(path, line, f"it is not JSON ({reason[:1].lower()}{reason[1:]})", offset) from error
    if not isinstance(value, dict):
        raise _line_error(path, line, f"it is not an object with a text, but {json.dumps(value)[:20]}")
    return value


def _text_of(path: Path, line: Unit, fields: dict[str, Any], field: str) -> str:
    text = fields.get(field)
    if isinstance(text, str):
        return text
    if field in fields:
        raise _line_error(path, line, f"its `{field}` is not a string")
    text_fields = [name for name, value in fields.items() if isinstance(value, str)]
    hint = did_you_mean(field, text_fields) or (
        f"there is {', '.join(f'`{name}`' for name in text_fields[:8])}" if text_fields else None
    )
    raise _line_error(path, line, f"it has no `{field}`", hint=hint)


def _line_error(path: Path, line: Unit, reason: str, offset: int = 0, hint: str | None = None) -> InputError:
    source, span = line_excerpt(
        str(path), line.line, line.text[:200], min(offset, 200), None if offset == 0 else offset + 1
    )
    return InputError(diagnostic("FICT753", source, span, reason=reason, hint=hint))


def _pieces(text: str, mode: Mode) -> list[Unit]:
    """Return the units of a text, including blank ones."""
    texts = text.split("\n")
    lines = [Unit(1, text_line, "\n") for text_line in texts[:-1]] + [Unit(1, texts[-1], "")]
    return list(paragraphs(lines)) if mode == "text" else lines


def _units_of_line(
    line: Unit, pieces: list[Unit], text: str, comments: tuple[str, ...], document: str
) -> Iterator[Unit]:
    """Yield the units of the text in a line, with the other characters of the line, which restore the line."""
    quoting, prefix, suffix = _surrounding_text(line.text, text)
    last_index = len(pieces) - 1
    for index, piece in enumerate(pieces):
        yield replace(
            piece,
            line=line.line,
            end=escape_json(piece.end, quoting) + (suffix + line.end if index == last_index else ""),
            part=index + 1 if last_index else 0,
            comments=comments,
            document=document,
            prefix=prefix if index == 0 else "",
            quoting=quoting,
        )


def _surrounding_text(line: str, text: str) -> tuple[Quoting, str, str]:
    """Return the quoting of `text` in a line, and the text before and after it; ("none", line, "") if unknown."""
    for quoting in _ENSURE_ASCII:
        prefix, quoted_text, suffix = line.partition(f'"{escape_json(text, quoting)}"')
        if quoted_text:
            return quoting, prefix + '"', '"' + suffix
    return "none", line, ""


def _comments(fields: dict[str, Any], field: str) -> Iterator[str]:
    """Yield the fields other than the text as comments.

    Each value of a list becomes a comment `key = value`. The key of a field of a nested object is `key.inner`.
    """
    for name, value in fields.items():
        if name != field:
            yield from _comment(name, value)


def _comment(name: str, value: Any) -> Iterator[str]:
    match value:
        case None:
            return
        case dict():
            for inner_name, inner_value in value.items():
                yield from _comment(f"{name}.{inner_name}", inner_value)
        case list():
            for item in value:
                yield from _comment(name, item)
        case _:
            key = _normalize_space(name.replace("=", " "))
            text = value if isinstance(value, str) else json.dumps(value)
            yield f"{key}_ = {_normalize_space(text)}" if key in _RESERVED else f"{key} = {_normalize_space(text)}"


def _normalize_space(text: str) -> str:
    """Replace each run of white space, and NUL, which CoNLL-U does not allow, with a space."""
    return " ".join(text.replace("\0", " ").split())
