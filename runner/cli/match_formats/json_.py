"""The format `json`: sentences and their matches as a JSON array."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import Any

import click

from runner.cli.match_formats import MatchRequest

HELP = "source, number in the source, sent_id, and every match with its words"


def write(request: MatchRequest) -> None:
    separator = "["
    for entry in sentences_with_matches(request):
        click.echo(f"{separator}\n{json.dumps(entry, ensure_ascii=not _is_utf8_output())}", nl=False)
        separator = ","
    click.echo("[]" if separator == "[" else "\n]")


def sentences_with_matches(request: MatchRequest) -> Iterator[dict[str, Any]]:
    """Yield the source, number, sent_id and matches (filter and word ids) of each matching sentence in corpus order."""
    import numpy as np

    from runner.corpus.sentence_texts import locate

    matches_by_sid: dict[int, list[dict[str, Any]]] = {}
    for label, compiled in zip(request.labels, request.filters, strict=True):
        for table in request.engine.matches(compiled):
            for sid, *ids in zip(*(column.to_pylist() for column in table.columns), strict=True):
                words = {name: word for name, word in zip(compiled.names, ids, strict=True) if word is not None}
                matches_by_sid.setdefault(sid, []).append({"filter": label, "words": words})
    for location in locate(request.store, np.array(sorted(matches_by_sid), np.int64)):
        yield {
            "source": location.source,
            "number": location.number,
            "sent_id": location.sent_id,
            "matches": matches_by_sid.pop(location.sid),
        }


def _is_utf8_output() -> bool:
    return (sys.stdout.encoding or "").lower().replace("-", "") == "utf8" and not sys.stdout.isatty()
