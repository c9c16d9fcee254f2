"""FICT64x: interventions on training corpora."""

from __future__ import annotations

from fictdsl.diagnostics.codes.code import Code

CODES: tuple[Code, ...] = (
    Code(
        "FICT640",
        "control-short",
        "{condition} cannot be drawn: {like} takes {wanted} {unit}, and there are {found} others to draw from",
        "A `disjoint` control takes none of the sentences that the other condition takes. Where a filter matches more "
        "than half of the corpus, too few others are left.",
        bad='[[condition]]\nname = "control"\nremove-random = "verbs"\ndisjoint = true',
        good='[[condition]]\nname = "control"\nremove-random = "verbs"',
    ),
    Code(
        "FICT641",
        "intervention-action",
        "filter {filter} says `{action}`, which is not what {key} does",
        "`mask` and `drop` do what the actions of their filters say: `mask node(X)` and `remove subtree(X)`, for "
        "instance. To take whole sentences out is `remove` or `keep`.",
        bad='[[condition]]\nname = "gaps"\nmask = ["${filters}/fict15/passive.fict"]',
        good='[[condition]]\nname = "no-passive"\nremove = ["${filters}/fict15/passive.fict"]',
    ),
)
