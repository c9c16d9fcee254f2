"""Lines of JSON, a document each, into units of text that can become the line again and know its other fields."""

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

SUFFIXES = (".jsonl", ".jsonl.gz")

_OURS = frozenset({"sent_id", "line", "text", "newdoc", "newdoc id", "newpar", "newpar id"})  # comments with a meaning
_ASCII: dict[Quoting, bool] = {"ascii": True, "unicode": False}


def json_units(path: Path, lines: Iterable[Unit], mode: Mode, field: str) -> Iterator[Unit]:
    """The units of the text `field` of each object: its paragraphs in mode "text", else its lines.

    Each has the other fields as comments and its document. Raises InputError (FICT753) for a line that is no object,
    or that has no such text.
    """
    for line in lines:
        if line.blank:
            yield line
            continue
        content = _object(path, line)
        text = _text(path, line, content, field)
        about = tuple(_comments(content, field))
        document = " ".join(str(content.get("id", "")).split()) or f"{'_'.join(path.name.split())}-{line.line}"
        yield from _quoted(line, _pieces(text, mode), text, about, document)


def quoted(text: str, quoting: Quoting) -> str:
    """A text as it stands inside the quotation marks of a JSON string."""
    return "" if quoting == "none" else json.dumps(text, ensure_ascii=_ASCII[quoting])[1:-1]


def _object(path: Path, line: Unit) -> dict[str, Any]:
    try:
        found = parse_json(line.text.removeprefix("\ufeff"))
    except (ValueError, RecursionError) as error:
        at = error.pos if isinstance(error, json.JSONDecodeError) else 0
        reason = error.msg if isinstance(error, json.JSONDecodeError) else "it cannot be read"
        raise _refused(path, line, f"it is no JSON ({reason[:1].lower()}{reason[1:]})", at) from error
    if not isinstance(found, dict):
        raise _refused(path, line, f"it is no object with a text, but {json.dumps(found)[:20]}")
    return found


def _text(path: Path, line: Unit, content: dict[str, Any], field: str) -> str:
    text = content.get(field)
    if isinstance(text, str) and text.isascii():
        return text
    if isinstance(text, str):
        try:
            text.encode()
        except UnicodeEncodeError as error:
            raise _refused(path, line, f"the text of `{field}` has half a surrogate pair") from error
        return text
    if field in content:
        raise _refused(path, line, f"its `{field}` is no text")
    known = [name for name, value in content.items() if isinstance(value, str)]
    hint = did_you_mean(field, known) or (f"there is {', '.join(f'`{name}`' for name in known[:8])}" if known else None)
    raise _refused(path, line, f"it has no `{field}`", hint=hint)


def _refused(path: Path, line: Unit, reason: str, at: int = 0, hint: str | None = None) -> InputError:
    source, span = line_excerpt(str(path), line.line, line.text[:200], min(at, 200), None if at == 0 else at + 1)
    return InputError(diagnostic("FICT753", source, span, reason=reason, hint=hint))


def _pieces(text: str, mode: Mode) -> list[Unit]:
    """The units of a text, blank ones included."""
    parts = text.split("\n")
    lines = [Unit(1, part, "\n") for part in parts[:-1]] + [Unit(1, parts[-1], "")]
    return list(paragraphs(lines)) if mode == "text" else lines


def _quoted(line: Unit, pieces: list[Unit], text: str, about: tuple[str, ...], document: str) -> Iterator[Unit]:
    """The pieces of a line's text with all else that stands in the line around and between them."""
    quoting, before, after = _around(line.text, text)
    last = len(pieces) - 1
    for number, piece in enumerate(pieces):
        yield replace(
            piece,
            line=line.line,
            end=quoted(piece.end, quoting) + (after + line.end if number == last else ""),
            part=number + 1 if last else 0,
            about=about,
            document=document,
            before=before if number == 0 else "",
            quoting=quoting,
        )


def _around(line: str, text: str) -> tuple[Quoting, str, str]:
    """How the text is written in a line, what stands before and after; all of the line where that is not known."""
    for quoting in _ASCII:
        before, found, after = line.partition(f'"{quoted(text, quoting)}"')
        if found:
            return quoting, before + '"', '"' + after
    return "none", line, ""


def _comments(content: dict[str, Any], field: str) -> Iterator[str]:
    """The fields but the text as comments: `key = value`, one for each value of a list, `key.inner` for an object's."""
    for name, value in content.items():
        if name != field:
            yield from _comment(name, value)


def _comment(name: str, value: Any) -> Iterator[str]:
    match value:
        case None:
            return
        case dict():
            for inner, part in value.items():
                yield from _comment(f"{name}.{inner}", part)
        case list():
            for part in value:
                yield from _comment(name, part)
        case _:
            key = " ".join(name.replace("=", " ").split())
            spelt = value if isinstance(value, str) else json.dumps(value)
            yield f"{key}_ = {_flat(spelt)}" if key in _OURS else f"{key} = {_flat(spelt)}"


def _flat(text: str) -> str:
    return " ".join(text.encode(errors="replace").decode().split())
