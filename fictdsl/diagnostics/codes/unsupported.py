"""FICT4xx: the limits of what is compiled."""

from __future__ import annotations

from fictdsl.diagnostics.codes.code import Code

CODES: tuple[Code, ...] = (
    Code(
        "FICT402",
        "too-many-nodes",
        "filter `{name}` has {count} nodes; at most {limit} are supported",
        "Every name, every `_` and every node of a pattern call is a node. A filter with more than the limit "
        "is slow on any engine, and can be said as several filters.",
    ),
    Code(
        "FICT403",
        "nested-too-deep",
        "{what} nest more than {limit} deep",
        "Blocks, parentheses and pattern calls may stand inside each other up to this depth.",
    ),
    Code(
        "FICT404",
        "too-many-readings",
        "filter `{name}` has more than {limit} readings: its `either` branches multiply",
        "Each way to choose one branch of every `either` is a reading of its own, and each block inside is read "
        "once for each. Two `either` of 16 branches each make 256 readings. A list of values, `attr = a|b` or "
        "`attr in {a, b}`, makes none.",
    ),
    Code(
        "FICT405",
        "phrase-too-long",
        "the phrase `{start}…` has more than {limit} spaces",
        "A `phrase` is compared word by word, up to this length.",
    ),
    Code(
        "FICT406",
        "features-differ-by-case",
        "filter `{name}` tests the features `{first}` and `{second}`, which differ by upper and lower case only",
        "SQL engines take column names that differ by case for the same column, so one filter cannot read both.",
    ),
    Code(
        "FICT407",
        "expansion-too-large",
        "the pattern calls of filter `{name}` expand to more than {limit} calls",
        "A pattern that calls other patterns several times grows with every level.",
    ),
    Code(
        "FICT408",
        "regex-too-large",
        "the regular expression /{text}/ is too large for the engines that run it",
        "Counted repetitions of character classes multiply: `\\p{L}{100}` is a hundred copies of a large table. "
        "A smaller bound, or `*` and `+`, will do.",
    ),
)
