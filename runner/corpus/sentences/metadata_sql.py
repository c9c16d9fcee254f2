"""Build SQL for the value of a metadata key in each sentence."""

from __future__ import annotations

from typing import Literal, TypeAlias

# The first value of a key in a sentence, or all values, sorted and joined by commas.
Aggregate: TypeAlias = Literal["first", "all"]

SENTENCE_COLUMNS = ("source", "doc")  # keys that are columns of `sentences`
GENRE = ("genre", "meta::genre")  # comments for the genre; GUM has the second
DOCUMENT_PREFIX = "meta::"  # prefix of GUM's comments on a whole document

# not `first(value)`: threads read row groups in any order, and a sentence may have comments in two of them
_AGGREGATES: dict[Aggregate, str] = {
    "first": "arg_min(value, position)",
    "all": "string_agg(value, ',' ORDER BY value)",
}
# a document without a name is called SOURCE-NUMBER
_NAME_PREFIX = (
    "CASE WHEN starts_with(s.doc, s.source || '-') THEN NULL ELSE nullif(regexp_extract(s.doc, '^[^-_]+'), '') END"
)


def is_document_key(key: str) -> bool:
    """Return whether a sentence without the comment gets the value of its document."""
    return key == "genre" or key.startswith(DOCUMENT_PREFIX)


def metadata_query(key: str, aggregate: Aggregate = "first") -> tuple[str, list[str]]:
    """Return a query for the columns `sid` and `value`, and its parameters.

    A sentence without a value has no row, or NULL. The value of a sentence is the value of its own comment. The keys
    `meta::…` describe documents: a sentence without the comment gets the value of the first sentence of its document
    that has the comment. The key `genre` stands for the keys of `GENRE`, and its default is the part of the
    document's name before the first `-` or `_`, unless the document has no name of its own.
    """
    if key == "genre":
        return _document_query(GENRE, aggregate, _NAME_PREFIX)
    return (
        _document_query((key,), aggregate)
        if key.startswith(DOCUMENT_PREFIX)
        else sentence_metadata_query(key, aggregate=aggregate)
    )


def sentence_metadata_query(*keys: str, aggregate: Aggregate = "first") -> tuple[str, list[str]]:
    """Return a query like that of `metadata_query`, but only for each sentence's own comments with one of `keys`."""
    placeholders = ", ".join("?" for _ in keys)
    query = f"SELECT sid, {_AGGREGATES[aggregate]} AS value FROM meta WHERE key IN ({placeholders}) GROUP BY sid"  # noqa: S608
    return query, list(keys)


def _document_query(keys: tuple[str, ...], aggregate: Aggregate, default: str = "NULL") -> tuple[str, list[str]]:
    query, parameters = sentence_metadata_query(*keys, aggregate=aggregate)
    return (
        f"WITH own AS ({query}), "  # noqa: S608
        "whole AS (SELECT source, doc, arg_min(value, sid) AS value FROM own JOIN sentences USING (sid) "
        "WHERE doc IS NOT NULL GROUP BY source, doc) "
        f"SELECT s.sid, coalesce(own.value, whole.value, {default}) AS value "
        "FROM sentences AS s LEFT JOIN own ON own.sid = s.sid "
        "LEFT JOIN whole ON whole.source = s.source AND whole.doc = s.doc"
    ), parameters
