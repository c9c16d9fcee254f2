"""Read and check the body of a request: a JSON object with integers, names and the text of a query."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request

from runner.explore.queries.marks import MARKS, MAX_MARKS, Mark
from runner.explore.queries.query import MAX_QUERY, Query
from runner.explore.queries.settings import ExplorerSettings
from runner.readers import parse_json

MAX_BODY = 1_000_000  # bytes of a request
MAX_ID = 2**31 - 1  # of a sentence or word


@dataclass(frozen=True)
class ApiRequest:
    """The content of a request. Each method checks one value, and raises HTTPException (400) if it is invalid."""

    settings: ExplorerSettings
    values: Mapping[str, Any]

    @property
    def store(self) -> int:
        """The index of a store."""
        return self.number("store", 0, len(self.settings.stores) - 1)

    @property
    def query(self) -> Query:
        """The query in the editor."""
        return self.query_of("text")

    def query_of(self, key: str) -> Query:
        """Return the query with the text at `key`.

        The value `base` of the request is the index of the library file from which the query was opened, if any.
        """
        base = None if self.values.get("base") is None else self.number("base", 0, len(self.settings.library) - 1)
        folder = None if base is None else self.settings.library[base].parent
        name = None if self.values.get("name") is None else self.text("name", MAX_QUERY)
        return Query(self.text(key, MAX_QUERY), folder, name)

    def number(self, key: str, low: int, high: int) -> int:
        """Return an integer from `low` to `high`."""
        value = self.values.get(key)
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            expected = f"a number from {low} to {high}" if high >= low else "known: this server has none"
            raise HTTPException(400, f"{key} is not {expected}")
        return value

    def text(self, key: str, max_length: int = 1_000) -> str:
        """Return a string of at most `max_length` characters."""
        value = self.values.get(key)
        if not isinstance(value, str) or len(value) > max_length:
            raise HTTPException(400, f"{key} is not a text of at most {max_length} characters")
        return value

    def one_of(self, key: str, values: tuple[str, ...]) -> str:
        """Return one of `values`."""
        value = self.text(key)
        if value not in values:
            raise HTTPException(400, f"{key} is not one of {', '.join(values)}")
        return value

    def match(self) -> dict[str, int]:
        """Return the word ids of a match by name, parsed from a text such as `V:3 S:2`."""
        try:
            pairs = [part.rsplit(":", 1) for part in self.text("match", 10_000).split()]
            return {name: int(word) for name, word in pairs}
        except ValueError:
            raise HTTPException(400, "match is not a list of NAME:NUMBER") from None

    def marks(self) -> list[Mark]:
        """Return the marks of matches."""
        values = self.values.get("marks")
        if not isinstance(values, list) or len(values) > MAX_MARKS or {type(each) for each in values} - {dict}:
            raise HTTPException(400, f"marks is not a list of at most {MAX_MARKS:,} objects")
        each_request = [replace(self, values=each) for each in values]
        return [Mark(each.number("sid", 0, MAX_ID), each.match(), each.one_of("mark", MARKS)) for each in each_request]


async def read_request(request: Request, settings: ExplorerSettings) -> ApiRequest:
    """Read the body of a request. Raises HTTPException if it is too long (413), or cut or not a JSON object (400)."""
    body = b""
    try:
        async for chunk in request.stream():
            body += chunk
            if len(body) > MAX_BODY:
                raise HTTPException(413, "the request is too long")
        values = parse_json(body)
    except ClientDisconnect:
        raise HTTPException(400, "the request ends too early") from None
    except ValueError as error:
        raise HTTPException(400, f"the request is not valid JSON: {error}") from None
    if not isinstance(values, dict):
        raise HTTPException(400, "the request is not a JSON object")
    return ApiRequest(settings, values)
