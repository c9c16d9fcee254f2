"""The columns of a store's words to expressions over the columns of CoNLL-U."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from fictdsl.sql import quote
from fictdsl.sql.regex import escape_literal


def from_conllu(alias: str, name: str) -> exp.Expression:
    """A column of `tokens` where there are only those of CoNLL-U. A feature has its whole value, commas and all."""
    base, _, what = name.partition("_")
    match base, what:
        case (("form" | "lemma"), "l"):
            return exp.Lower(this=quote.column(alias, base))
        case (("form" | "lemma"), "len"):
            return exp.Length(this=quote.column(alias, base))
        case "feat", feature:
            return _value(quote.column(alias, "feats"), feature)
    return quote.column(alias, name)


def has_part(alias: str, feature: str, values: Sequence[str]) -> exp.Expression:
    """Whether one of a feature's parts between commas is one of `values`; NULL where a word has no features.

    What is compared is an extracted text: DuckDB then looks at each different string of `feats` once.
    """
    options = "|".join(escape_literal(value) for value in values)
    pattern = rf"[|]{escape_literal(feature)}=((?:[^|]*,)?(?:{options})(?:,[^|]*)?)[|]"
    return exp.NEQ(this=_extracted(quote.column(alias, "feats"), pattern), expression=quote.string(""))


def _value(feats: exp.Expression, feature: str) -> exp.Expression:
    found = _extracted(feats, rf"[|]{escape_literal(feature)}=([^|]*)[|]")
    return exp.Nullif(this=found, expression=quote.string(""))


def _extracted(feats: exp.Expression, pattern: str) -> exp.Expression:
    framed = quote.concat(quote.string("|"), feats, quote.string("|"))
    return exp.RegexpExtract(this=framed, expression=quote.string(pattern), group=quote.integer(1))
