"""FICT775–777, 794: invalid count keys and invalid outputs of `fictc show`."""

from __future__ import annotations

from fictdsl.diagnostics.codes.code import Code

CODES: tuple[Code, ...] = (
    Code(
        "FICT775",
        "count-key",
        "matches cannot be counted by `{key}`",
        "A key is an attribute of the sentence (`doc`, `source`, `sent_id`, `length`, or any comment of the corpus "
        "such as `genre`), an attribute of a bound word (`upos(X)`, `lemma(X)`, `form(X)`, `lower(form(X))`, "
        "`xpos(X)`, `deprel(X)`, a feature such as `Number(X)`, or `misc.Key(X)`), a relation between words "
        "(`order(V,S,O)`, `distance(V,S)` or `relation(V,S)`), or `{ clauses }`, which hold for a match or do not. "
        "`length:10` groups numbers into bins of 10. `mean(length)`, `min(…)` and `max(…)` aggregate numbers.",
        bad="$ fictc show agr.fict --corpus ewt --by 'upo(S)'",
        good="$ fictc show agr.fict --corpus ewt --by 'upos(S)'",
    ),
    Code(
        "FICT776",
        "count-name",
        "{filter} binds no word to `{name}`",
        "A key such as `upos(X)` refers to the word that a match binds to X. Names inside `without` and counting "
        "blocks are not bound.",
        bad="$ fictc show agr.fict --corpus ewt --by 'upos(X)'",
        good="$ fictc show agr.fict --corpus ewt --by 'upos(S)'",
    ),
    Code(
        "FICT777",
        "drawings-one-file",
        "{count} drawings cannot be written to one file of this format",
        "An SVG file contains one drawing, and each match of a sentence is drawn separately. Several drawings are "
        "written to a folder, or to one HTML page.",
        bad="$ fictc show agr.fict --corpus ewt -n 2 --format svg -o one.svg",
        good="$ fictc show agr.fict --corpus ewt -n 2 --format svg -o drawings",
    ),
    Code(
        "FICT794",
        "count-clauses",
        "{filter} cannot be counted by `{key}`: {reason}",
        "A key in braces states whether its clauses hold for a match. The clauses may use the names, lists and "
        "patterns of the filter, like a block inside its `match`.",
        bad="$ fictc show agr.fict --corpus ewt --by '{ S -> }'",
        good="$ fictc show agr.fict --corpus ewt --by '{ S -[det]-> _ }'",
    ),
)
