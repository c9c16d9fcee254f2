"""A comment's key to the value that each sentence has of it, as SQL over the tables of a store."""

from __future__ import annotations

from typing import Literal, TypeAlias

Several: TypeAlias = Literal["first", "all"]  # which of a sentence's comments with the key: the first, or all of them

OWN = ("source", "doc")  # keys that are columns of sentences
GENRE = ("genre", "meta::genre")  # comments, the second as GUM writes it
OF_DOCUMENTS = "meta::"  # begins GUM's comments that hold for a whole document

_GATHERED: dict[Several, str] = {"first": "first(value)", "all": "string_agg(value, ',' ORDER BY value)"}
_BEGINNING = "nullif(regexp_extract(s.doc, '^[^-_]+'), '')"


def valued(key: str, several: Several = "first") -> tuple[str, list[str]]:
    """A query for the columns `sid` and `value`, and its parameters; a sentence without a value has no row, or NULL.

    A sentence has its own comment. `meta::…` is of documents: without its own, a sentence has that of the first one of
    its document that has any. `genre` is so too: either of `GENRE`, or else what the document's name begins with.
    """
    if key == "genre":
        return _of_documents(GENRE, several, _BEGINNING)
    return _of_documents((key,), several) if key.startswith(OF_DOCUMENTS) else own(key, several=several)


def own(*keys: str, several: Several = "first") -> tuple[str, list[str]]:
    """The same for what stands at the sentence itself, under any of the keys."""
    listed = ", ".join("?" for _ in keys)
    query = f"SELECT sid, {_GATHERED[several]} AS value FROM meta WHERE key IN ({listed}) GROUP BY sid"  # noqa: S608
    return query, list(keys)


def _of_documents(keys: tuple[str, ...], several: Several, otherwise: str = "NULL") -> tuple[str, list[str]]:
    query, parameters = own(*keys, several=several)
    return (
        f"WITH own AS ({query}), "  # noqa: S608
        "whole AS (SELECT source, doc, arg_min(value, sid) AS value FROM own JOIN sentences USING (sid) "
        "WHERE doc IS NOT NULL GROUP BY source, doc) "
        f"SELECT s.sid, coalesce(own.value, whole.value, {otherwise}) AS value "
        "FROM sentences AS s LEFT JOIN own ON own.sid = s.sid "
        "LEFT JOIN whole ON whole.source = s.source AND whole.doc = s.doc"
    ), parameters
