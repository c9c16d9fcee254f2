"""FICT775 to 779: what `fictc show` is asked to count by, or to draw, and cannot."""

from __future__ import annotations

from fictdsl.diagnostics.codes.code import Code

CODES: tuple[Code, ...] = (
    Code(
        "FICT775",
        "count-key",
        "`{key}` is nothing that matches can be counted by",
        "Matches are counted by what a sentence has (`doc`, `source`, `sent_id`, `length`, `genre`, any comment of the "
        "corpus) or by what a bound word has: `upos(X)`, `lemma(X)`, `form(X)`, `lower(form(X))`, `xpos(X)`, "
        "`deprel(X)`, a feature such as `Number(X)`, or `misc.Key(X)`.",
        bad="$ fictc show agr.fict --corpus ewt --by 'upo(S)'",
        good="$ fictc show agr.fict --corpus ewt --by 'upos(S)'",
    ),
    Code(
        "FICT776",
        "count-name",
        "{filter} binds no word called `{name}`",
        "A key such as `upos(X)` looks at the word that a match binds to X; names inside `without` and counting "
        "blocks are not bound.",
        bad="$ fictc show agr.fict --corpus ewt --by 'upos(X)'",
        good="$ fictc show agr.fict --corpus ewt --by 'upos(S)'",
    ),
    Code(
        "FICT777",
        "drawings-one-file",
        "{count} drawings do not fit into one file",
        "An SVG file holds one drawing, and each match of a sentence is drawn. More than one go into a folder, "
        "or together into one HTML page.",
        bad="$ fictc show agr.fict --corpus ewt -n 2 --format svg -o one.svg",
        good="$ fictc show agr.fict --corpus ewt -n 2 --format svg -o drawings",
    ),
)
