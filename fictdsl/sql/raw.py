"""SQL for the columns of `tokens` in a raw layout, computed from the columns of CoNLL-U."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from fictdsl.sql import fragments
from fictdsl.sql.regex import escape_literal


def from_conllu(alias: str, name: str) -> exp.Expression:
    """Return a column of `tokens` computed from CoNLL-U columns. A feature keeps its comma-separated value."""
    base, _, suffix = name.partition("_")
    match base, suffix:
        case (("form" | "lemma"), "l"):
            return exp.Lower(this=fragments.column(alias, base))
        case (("form" | "lemma"), "len"):
            return exp.Length(this=fragments.column(alias, base))
        case "feat", feature:
            return _value(fragments.column(alias, "feats"), feature)
    return fragments.column(alias, name)


def has_part(alias: str, feature: str, values: Sequence[str]) -> exp.Expression:
    """Return the SQL condition that `values` contains one of a feature's comma-separated values.

    `values` must not be empty, and no value may contain a comma. The condition is NULL if a word has no features. It
    compares an extracted text, because DuckDB then evaluates it once per distinct string of `feats`.
    """
    options = "|".join(escape_literal(value) for value in values)
    pattern = rf"[|]{escape_literal(feature)}=((?:[^|]*,)?(?:{options})(?:,[^|]*)?)[|]"
    return exp.NEQ(this=_extracted(fragments.column(alias, "feats"), pattern), expression=fragments.string(""))


def _value(feats: exp.Expression, feature: str) -> exp.Expression:
    value = _extracted(feats, rf"[|]{escape_literal(feature)}=([^|]*)[|]")
    return exp.Nullif(this=value, expression=fragments.string(""))


def _extracted(feats: exp.Expression, pattern: str) -> exp.Expression:
    framed = fragments.concat(fragments.string("|"), feats, fragments.string("|"))
    return exp.RegexpExtract(this=framed, expression=fragments.string(pattern), group=fragments.integer(1))
